"""What a sweep says of its settings: tables with chance and cost, a best that others judge, effects, pictures, a page."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from arandu_lab.bench.sweeps.costs import Estimate
from arandu_lab.bench.sweeps.design import Design, Fractional, Grid, Halving, settings_of
from arandu_lab.bench.sweeps.result import HELD_OUT, TRAINING, Sweep
from arandu_lab.errors import ConfigError
from arandu_lab.trace import Usage
from arandu_lab.viz.sweep import sweep_picture

ESTIMATE = Estimate(
    settings=1, questions=1, ingests=0, ingests_kept=0, turns=0, batches=0, batches_kept=0, reads=0, pairs=0,
    pairs_known=0, calls=0, input_tokens=0, output_tokens=0, usd=0.0, model="offline/rules", judged=True,
)  # fmt: skip


def made(
    grid: Mapping[str, Any],
    default: Mapping[str, Any],
    value: Callable[[Mapping[str, Any], str], float],
    *,
    design: Design | None = None,
    held_out: bool = True,
    failed: tuple[int, str] = (-1, ""),
) -> Sweep:
    """A sweep of three training and three held-out conversations of four questions, without any noise but a level of each."""
    drawn = settings_of(design or Grid(), grid)
    points = [dict(default), *(one for one in drawn if one != default)]
    rows = []
    for place in range(6 if held_out else 3):
        part = TRAINING if place < 3 else HELD_OUT
        for question in range(4):
            for point, setting in enumerate(points):
                broken = failed == (point, f"q{question}")
                score = 0.1 * question + 0.01 * place + value(setting, f"c{place}")
                rows.append(
                    {
                        "point": point,
                        "part": part,
                        "dataset": "d",
                        "conversation": f"c{place}",
                        "question": f"q{question}",
                    }
                    | {
                        "category": "x",
                        "absent": False,
                        "error": "dead" if broken else None,
                        "context_tokens": 100 + point,
                    }
                    | {
                        "calls": 1,
                        "tokens": 50,
                        "cost_usd": 0.5,
                        "degraded": 0,
                        "state": "failed" if broken else "scored",
                    }
                    | {"R@10": None if broken else score, "chance R@10": 0.05}
                )
    written = [
        {
            "point": point,
            "part": TRAINING,
            "dataset": "d",
            "conversation": f"c{place}",
            "turns": 9,
            "calls": 9,
            "tokens": 90,
            "cost_usd": 1.0,
        }
        for point in range(len(points))
        for place in range(3)
    ]
    return Sweep(
        name="made", address="made-1", system="arandu", names=tuple(grid), points=tuple(points),
        in_design=len(points) == len(drawn), design=design or Grid(), measures=("R@10",),
        answers=pl.DataFrame(rows, infer_schema_length=None), written=pl.DataFrame(written),
        finalists=tuple(range(len(points))), split="held out: 3 of 6 conversations (c3, c4, c5)", paid=Usage(),
        estimate=ESTIMATE, errors=pl.DataFrame(schema=dict.fromkeys(("what", "where", "message"), pl.String)),
    )  # fmt: skip


def steps(setting: Mapping[str, Any], conversation: str) -> float:
    """More is better everywhere."""
    return 0.1 * float(setting["x"])


def test_every_table_has_chance_and_cost() -> None:
    """A row a setting: its mean, chance, the paired difference to the default with its interval, and what it asked."""
    table = made({"x": [0, 1, 2]}, {"x": 1}, steps).table()
    assert table["default"].to_list() == [True, False, False]
    assert table["x"].to_list() == [1, 0, 2]
    assert table["chance"].to_list() == [pytest.approx(0.05)] * 3
    assert table["difference"].to_list() == pytest.approx([0.0, -0.1, 0.1])
    assert table["verdict"].to_list() == ["the same answers", "down", "up"]
    row = table.row(2, named=True)
    assert (row["wins"], row["losses"], row["questions"], row["failed"]) == (12, 0, 12, 0)
    assert (row["tokens_write"], row["tokens_read"], row["calls_write"], row["calls_read"]) == (270, 600, 27, 12)
    assert (row["context_tokens"], row["cost_usd"]) == (102.0, 9.0)


@pytest.mark.parametrize("part", [TRAINING, HELD_OUT])
def test_a_story_in_two_languages_is_one_conversation(part: str) -> None:
    """Told again in another dataset, conversations bring no interval nearer: they share their luck, in tables and in the claim."""

    def uneven(setting: Mapping[str, Any], conversation: str) -> float:
        return 0.1 * float(setting["x"]) * (1 + 0.1 * int(conversation[1:]))

    once = made({"x": [0, 1]}, {"x": 0}, uneven)
    told = pl.concat([once.answers.with_columns(pl.lit(name).alias("dataset")) for name in ("d_en", "d_pt")])
    twice = replace(once, answers=told, _made={})
    assert set(twice.matrix("R@10", part)[1]) == set(once.matrix("R@10", part)[1])
    first, second = once.best().difference.interval, twice.best().difference.interval
    assert (second.n, second.clusters) == (2 * first.n, first.clusters)
    assert (second.low, second.high) == (pytest.approx(first.low), pytest.approx(first.high))
    assert "over 24 training questions of 3 conversations (d_en, d_pt)" in twice.to_markdown()


def test_among_many_settings_a_lucky_one_is_not_called() -> None:
    """A setting's word reckons with all settings of the measure; its interval stays as it was, and says that it is of one."""

    def value(setting: Mapping[str, Any], conversation: str) -> float:
        spread = {"c0": 0.20, "c1": 0.21, "c2": 0.30}[conversation] if conversation in ("c0", "c1", "c2") else 0.2
        return 0.0 if not setting["x"] else spread + 0.01 * setting["x"]

    few, many = (made({"x": list(range(n))}, {"x": 0}, value).table() for n in (2, 12))
    assert few["verdict"][1] == "up"
    assert set(many["verdict"][1:]) == {"not distinguishable among so many"}
    assert many.select("low", "high").row(1) == few.select("low", "high").row(1)
    assert many["p_holm"][0] is None
    assert "95 % interval, that row alone" in made({"x": [0, 1]}, {"x": 0}, value).to_markdown()


def test_a_sweep_says_in_a_line_what_it_is() -> None:
    """Printed, it names the system, what was varied and where it lies, and nothing of its frames."""
    assert repr(made({"x": [0, 1, 2]}, {"x": 1}, steps)) == "<sweep made: arandu, 3 settings of x; made-1>"


def test_the_best_is_judged_where_it_had_no_say() -> None:
    """The setting that is best on the training part is named with what it does elsewhere, paired with the default."""
    found = made({"x": [0, 1, 2]}, {"x": 0}, steps).best()
    assert found.setting == {"x": 2}
    assert found.training - found.training_default == pytest.approx(0.2)
    assert found.difference.interval.mean == pytest.approx(0.2)
    assert found.said.startswith("higher by 20.0 points on each")
    assert "held out: 3 of 6" in str(found)


def test_a_lucky_setting_is_not_distinguishable() -> None:
    """A setting that wins in training and is now up, now down elsewhere is called not distinguishable."""

    def lucky(setting: Mapping[str, Any], conversation: str) -> float:
        elsewhere = {"c3": 0.1, "c4": -0.12, "c5": 0.03}
        return elsewhere.get(conversation, 0.2) if setting["x"] else 0.0

    found = made({"x": [0, 1]}, {"x": 0}, lucky).best()
    assert found.setting == {"x": 1}
    assert found.said.startswith("not distinguishable")


def test_without_a_split_there_is_no_best() -> None:
    """A best of settings that nothing was held out from is refused, and the message says how to hold out."""
    swept = made({"x": [0, 1]}, {"x": 0}, steps, held_out=False)
    with pytest.raises(ConfigError, match=r"hold_out=0\.5"):
        swept.best()
    with pytest.raises(ConfigError, match="did you mean 'R@10'"):
        swept.best("R@1")
    assert "No best setting is claimed" in swept.to_markdown()


def test_a_tie_goes_to_the_default() -> None:
    """Where settings are equal the default stays, and nothing is claimed of it."""
    found = made({"x": [0, 1]}, {"x": 1}, lambda setting, conversation: 0.1).best()
    assert found.is_default
    assert "nothing is claimed" in found.said


def test_a_failure_is_null_and_lowers_no_mean() -> None:
    """An answer that failed is left out of its mean and of the pairs, and counted."""
    swept = made({"x": [0, 1]}, {"x": 0}, steps, failed=(1, "q0"))
    row = swept.table().row(1, named=True)
    assert (row["questions"], row["failed"], row["wins"]) == (9, 3, 9)
    assert row["mean"] == pytest.approx(0.1 + 0.2 + 0.01)
    assert row["difference"] == pytest.approx(0.1)
    assert swept.effects()["questions"].to_list() == [9]


def test_questions_that_no_setting_moves_are_seen() -> None:
    """Per question: what it got under the default, at best and at worst, and by how many settings it changes."""
    table = made({"x": [0, 1, 2]}, {"x": 1}, lambda one, c: steps(one, c) if c == "c0" else 0.0).per_question()
    assert table["changed"].to_list() == [2] * 4 + [0] * 8
    first = table.row(0, named=True)
    assert (first["default"], first["best"], first["worst"]) == (
        pytest.approx(0.1),
        pytest.approx(0.2),
        pytest.approx(0.0),
    )


@pytest.mark.parametrize(
    ("grid", "default", "design", "marks"),
    [
        ({"x": [0, 1, 2]}, {"x": 1}, Grid(), {"area", "line"}),
        ({"x": [False, True]}, {"x": True}, Grid(), {"rule", "bar"}),
        ({"x": [0, 1], "y": ["a", "b"]}, {"x": 0, "y": "a"}, Grid(), {"rect"}),
        ({"x": [0, 1], "y": [0, 1], "z": [0, 1]}, {"x": 0, "y": 5, "z": 1}, Fractional(3), {"rule", "point"}),
        ({"x": [0, 1], "y": [0, 1], "z": [0, 1]}, {"x": 0, "y": 0, "z": 1}, Halving(), {"rule", "point"}),
    ],
)
def test_the_picture_fits_the_sweep(grid: Any, default: Any, design: Design, marks: set[str]) -> None:
    """One name is a line with its band, two are a map, more their effects; the default is marked in each."""
    swept = made(grid, default, steps, design=design)
    spec = swept.plot().to_dict()
    assert marks <= set(re.findall(r"'mark': \{'type': '(\w+)'", str(spec)))
    assert "default" in str(spec)
    assert "95 %" in str(spec["title"])


def test_a_measure_without_values_has_no_panel() -> None:
    """What no question of the data has a value of is left out of the picture, which is drawn all the same."""
    whole = made({"x": [0, 1, 2]}, {"x": 1}, steps)
    hollow = whole.answers.with_columns(
        pl.lit(None, pl.Float64).alias("Stale@10"), pl.lit(None, pl.Float64).alias("chance Stale@10")
    )
    both = replace(whole, answers=hollow, measures=("R@10", "Stale@10"))
    assert "Stale@10" not in str(sweep_picture(both, both.measures).to_dict())
    assert "R@10" in str(sweep_picture(both, both.measures).to_dict())


def test_the_page_needs_no_other_file() -> None:
    """The page holds its picture and its tables; nothing is fetched, and no value breaks out of its cell."""
    swept = made({"x": [0, 1], "y": ["<b>", "|"]}, {"x": 0, "y": "|"}, steps)
    page = swept.to_html()
    assert page.startswith("<!doctype html>")
    assert "<svg" in page
    assert "&lt;b&gt;" in page
    assert not re.search(r"""(src|href)=["']http|<script|@import""", page)
    assert swept._repr_html_() in page
    report = swept.to_markdown()
    assert "| chance" in report
    assert "Held out" in report
    assert "\\|" in report


def test_a_halving_has_no_effects() -> None:
    """Settings that were asked different questions are not averaged over each other."""
    with pytest.raises(ConfigError, match="sweep a grid"):
        made({"x": [0, 1]}, {"x": 0}, steps, design=Halving()).effects()


def test_the_matrix_is_nan_where_nothing_was_asked() -> None:
    """A point that was not asked a question has no value there, rather than a zero."""
    swept = made({"x": [0, 1]}, {"x": 0}, steps)
    fewer = swept.answers.filter((pl.col("point") == 0) | (pl.col("question") == "q3"))
    values, clusters, keys = Sweep(**{**_fields(swept), "answers": fewer}).matrix("R@10")
    assert values.shape == (12, 2)
    assert len(clusters) == len(keys) == 12
    assert np.isnan(values[:, 1]).sum() == 9


def _fields(swept: Sweep) -> dict[str, Any]:
    return {name: getattr(swept, name) for name in Sweep.__dataclass_fields__ if not name.startswith("_")}


def test_where_less_is_better_the_words_turn() -> None:
    """Of ``Stale`` a fall is a win, rises are called worse, and the best is the lowest, on the held-out part too."""
    plain = made({"x": [0, 1, 2]}, {"x": 1}, steps)
    names = {"R@10": "Stale@10", "chance R@10": "chance Stale@10"}
    swept = Sweep(**{**_fields(plain), "measures": ("Stale@10",), "answers": plain.answers.rename(names)})
    table = swept.table()
    assert table["verdict"].to_list() == ["the same answers", "down, which is better", "up, which is worse"]
    assert table.select("wins", "losses").rows() == [(0, 0), (12, 0), (0, 12)]
    assert set(swept.effects()["verdict"]) <= {
        "up, which is worse",
        "down, which is better",
        "not distinguishable from none",
    }
    assert "up, which is worse" in set(swept.effects()["verdict"])
    best = swept.best()
    assert best.setting == {"x": 0}
    assert best.said.startswith("lower, which is better, by 10.0 points on each")
    assert "## Stale@10 (less is better)" in swept.to_markdown()
    assert "<h3>Stale@10 (less is better)</h3>" in swept.to_html()


def test_hostile_names_are_words_in_the_page() -> None:
    """A system, a dataset, a value and an error that are code elsewhere bring no tag and no script into page or picture."""
    evil = "</svg><script>alert('1')</script><img src=x onerror=\"alert(2)\">\u202e"
    plain = made({"x": [0, 1], "y": [evil, "b"]}, {"x": 0, "y": "b"}, lambda one, c: 0.1 * one["x"])
    errors = pl.DataFrame([(evil, evil, evil)], schema=plain.errors.schema, orient="row")
    answers = plain.answers.with_columns(pl.lit(evil).alias("dataset"))
    page = Sweep(**{**_fields(plain), "system": evil, "name": evil, "errors": errors, "answers": answers}).to_html()
    assert not re.search(r"<script|<img", page)
    assert page.count("</svg>") == page.count("<svg")
    assert "&lt;script&gt;alert(" in page
