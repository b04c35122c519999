"""Numbers that repeat to the last digit, steps that are judged once, twins that are told once, lines that keep coming."""

from __future__ import annotations

import io
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from rich.console import Console

from arandu_lab.bench.scorecard import judged as shelf
from arandu_lab.bench.scorecard import sections, tables, twins
from arandu_lab.bench.scorecard.blame import FATES
from arandu_lab.bench.scorecard.columns import SCHEMAS
from arandu_lab.bench.scorecard.dossier import Dossier
from arandu_lab.bench.scorecard.pictures import falls
from arandu_lab.bench.scorecard.segments import STAGES
from arandu_lab.bench.scorecard.shown import PAUSE, Shown
from arandu_lab.bench.scorecard.steps import Done, keep, kept

MODES = ("end-to-end", "oracle", "given")


def drawn(name: str, chance: random.Random, size: int = 150, system: str = "s") -> pl.DataFrame:
    """A frame of a scorecard filled by chance, with the words that its tables look for."""
    words = {
        "language": ["en"],
        "system": [system],
        "dataset": ["d"],
        "mode": ["end-to-end"],
        "part": ["all"],
        "what": ["fact", "entity", "relation"],
        "kind": ["answerable", "absent", "deletion"] if name == "questions" else ["found", "extra", "missed"],
        "decision": ["ADD", "UPDATE", "NOOP", "DELETE"],
        "action": ["ADD", "UPDATE", "NOOP", "DELETE", None],
        "outcome": ["delivered", "forgotten", "not forgotten", *FATES],
        "fact_outcome": list(FATES),
        "row_fate": list(FATES),
        "stage": [*STAGES, None],
        "fact_stage": [*STAGES, None],
        "error": [None],
    }

    def cell(column: str, kind: Any) -> Any:
        if column in words:
            return chance.choice(words[column])
        if kind == pl.Boolean:
            return chance.choice([True, False, None])
        if kind == pl.Int64:
            return chance.randrange(1, 40)
        if kind == pl.Float64:
            return chance.random()
        if kind == pl.List(pl.String):
            return [f"r{chance.randrange(60)}" for _ in range(chance.randrange(3))]
        return f"{column}{chance.randrange(40)}"

    lines = [{column: cell(column, kind) for column, kind in SCHEMAS[name].items()} for _ in range(size)]
    return pl.DataFrame(lines, schema=SCHEMAS[name])


@pytest.fixture(scope="module")
def some() -> dict[str, pl.DataFrame]:
    """Frames of one system, large enough for sums to depend on their order."""
    chance = random.Random(7)
    return {name: drawn(name, chance) for name in SCHEMAS}


def every_table(f: dict[str, pl.DataFrame]) -> list[Any]:
    """What every table says of the frames, as plain values."""
    asked, pieces = f["questions"], f["evidence"]
    return [
        tables.card(f).rows(),
        [tables.stage_number(f, "s", "d", "end-to-end", stage) for stage in STAGES],
        tables.extraction(f["read"], f["turns"]),
        tables.deduped(f["turns"]),
        tables.resolution(f["mentions"]),
        tables.decisions(f["decisions"]),
        tables.confusion(f["decisions"]).rows(),
        tables.store(f["rows"]),
        tables.states(f["instants"]),
        tables.funnel(pieces),
        tables.ranked(pieces),
        tables.signals(pieces).rows(),
        [tables.waterfall(asked, facts=facts).rows() for facts in (False, True)],
        [tables.losses(asked, facts=facts).rows() for facts in (False, True)],
        tables.delivered_by(f, "s", "d", "end-to-end"),
        tables.apart(asked),
        list(tables.by_category(asked).items()),
        falls(f).rows(),
        list(sections.examples(f, 6)),
    ]


def test_every_table_repeats_to_the_last_digit(some: dict[str, pl.DataFrame]) -> None:
    """Fifty times the same frames, fifty times exactly the same values, in the same order."""
    first = every_table(some)
    assert all(every_table(some) == first for _ in range(49))


def test_the_order_of_rows_changes_no_number(some: dict[str, pl.DataFrame]) -> None:
    """Numbers are of sets of rows: shuffled, the summary and the decisions stay the same to the digit."""
    before = (tables.card(some).rows(), tables.decisions(some["decisions"]))
    for seed in range(5):
        mixed = {
            name: frame.sample(fraction=1.0, shuffle=True, seed=seed)
            for name, frame in some.items()
            if name != "evidence"
        }
        mixed["evidence"] = some["evidence"]
        assert (tables.card(mixed).rows(), tables.decisions(mixed["decisions"])) == before


def piece(question: str, row: str, place: int | None, fate: str = "delivered") -> dict[str, Any]:
    return {"question": question, "rows": [row], "place": place, "row_fate": fate}


@pytest.mark.parametrize(
    ("pieces", "value"),
    [
        ([piece("q", "a", 1)], 1.0),
        ([piece("q", "a", 3)], 0.5),
        ([piece("q", "a", None, "vetoed")], 0.0),
        ([piece("q", "a", 1), piece("r", "b", None, "cut by rank")], 0.5),
        ([piece("q", "a", 1), piece("q", "a", 1)], 1.0),
        ([piece("q", "a", 1), piece("q", "b", 2)], 1.0),
        ([piece("q", "a", None, "not retrieved")], None),
        ([piece("q", "a", 1), piece("q", "b", None, "never extracted")], 1.0),
    ],
)
def test_ranking_is_ndcg_of_what_reached_it(pieces: list[dict[str, Any]], value: float | None) -> None:
    """First is 1, third is 1/log2(4), cut is 0; what came by no signal is none of its business."""
    frame = pl.DataFrame(
        pieces, schema={one: SCHEMAS["evidence"][one] for one in ("question", "rows", "place", "row_fate")}
    )
    assert tables.ranked(frame) == (None if value is None else pytest.approx(value))


def test_frames_of_a_step_are_kept_and_read_again(some: dict[str, pl.DataFrame], tmp_path: Path) -> None:
    """What was judged is read as it was; by other code, or half of it, it was not; the old goes when the new comes."""
    assert shelf.judged_before(tmp_path, "a" * 64) is None
    shelf.keep_judged(tmp_path / "absent", "a" * 64, some)
    assert not (tmp_path / "absent").exists()
    shelf.keep_judged(tmp_path, "a" * 64, some)
    found = shelf.judged_before(tmp_path, "a" * 64)
    assert found is not None
    assert all(found[name].equals(some[name]) for name in shelf.KEPT)
    assert shelf.judged_before(tmp_path, "b" * 64) is None
    shelf.keep_judged(tmp_path, "b" * 64, some)
    assert [one.name for one in tmp_path.iterdir()] == [f"judged-{'b' * 12}"]
    (tmp_path / f"judged-{'b' * 12}" / "read.parquet").write_bytes(b"half")
    assert shelf.judged_before(tmp_path, "b" * 64) is None


def test_a_twin_is_told_once(some: dict[str, pl.DataFrame]) -> None:
    """A system with every figure of another is named and left out; one figure that differs and it is told."""
    again = {name: frame.with_columns(system=pl.lit("t")) for name, frame in some.items()}
    both = {name: pl.concat([frame, again[name]]) for name, frame in some.items()}
    assert twins.twins(both) == {("t", "d"): "s"}
    assert twins.distinct(both, twins.twins(both))["questions"].equals(some["questions"])
    assert "*t* over d" in twins.told(twins.twins(both))
    again["mentions"] = drawn("mentions", random.Random(8), system="t")
    both = {name: pl.concat([frame, again[name]]) for name, frame in some.items()}
    assert twins.twins(both) == {}


def test_examples_begin_with_the_most_frequent_loss(some: dict[str, pl.DataFrame]) -> None:
    """At most as many as asked for, the most frequent kind of loss first, each kind once before any twice."""
    lost = some["questions"].filter((pl.col("kind") == "answerable") & pl.col("stage").is_not_null())
    often = max(lost.group_by("outcome", "stage").len()["len"])
    _, told = sections.examples(some, 6)
    lines = told.splitlines()
    assert len(lines) == 6
    assert f", {often} such)" in lines[0]


def test_a_control_shows_only_the_stages_it_has(some: dict[str, pl.DataFrame]) -> None:
    """Whoever keeps turns neither extracts nor ranks facts: nothing is shown there, not even a zero."""
    turns = {**some, "evidence": some["evidence"].with_columns(row_fate=pl.lit(None, dtype=pl.String))}
    lost = dict(falls(turns).select("stage", "lost").iter_rows())
    assert {stage for stage in STAGES if lost[stage] is not None} == {"retrieval", "context"}
    assert all(number is not None for number in falls(some)["lost"])


@dataclass(frozen=True)
class Walk:
    """A step as a watcher sees it."""

    address: str
    label: str
    size: int = 400


@dataclass(frozen=True)
class Left:
    """What a step left."""

    seconds: float = 90.0
    errors: tuple[str, ...] = ()


def test_a_long_step_keeps_saying_where_it_is() -> None:
    """In a file: a line when a step begins, one every half minute, one when it ends; on a terminal bars do that."""
    for terminal in (False, True):
        out, now = io.StringIO(), [0.0]
        console = Console(file=out, force_terminal=terminal, width=100, color_system=None)
        walk = Walk("a1", "arandu × brook_en")
        with Shown(console, clock=lambda now=now: now[0]) as shown:  # type: ignore[misc]
            shown.begins([(walk, 400)], [])
            for done in range(1, 401):
                now[0] += PAUSE / 100
                shown.moves(walk, done)
            shown.ends(walk, Left())
        lines = [
            line for line in out.getvalue().splitlines() if "begun" in line or " of 400" in line or "90.0 s" in line
        ]
        if terminal:
            assert not any("begun" in line for line in lines)
        else:
            assert "begun" in lines[0]
            assert "90.0 s" in lines[-1]
            assert len(lines) == 5


def test_a_step_that_was_judged_is_not_read_again(tmp_path: Path) -> None:
    """Kept dossiers come back until they were judged; then their frames do, with the times, as long as the code is that."""
    code = "c" * 64
    done = Done(
        dossiers={"all": Dossier(system="s", dataset="d", mode="end-to-end", times={"dedup": 2.0})}, seconds=3.0
    )
    keep(tmp_path / "a1", done)
    found = kept(tmp_path / "a1", code)
    assert found == done
    assert found is not None
    assert found.frames is None
    shelf.keep_judged(tmp_path / "a1", code, {name: pl.DataFrame(schema=schema) for name, schema in SCHEMAS.items()})
    known, other = kept(tmp_path / "a1", code), kept(tmp_path / "a1", "d" * 64)
    assert known is not None
    assert known.frames is not None
    assert (known.dossiers, known.seconds, known.times) == ({}, 3.0, {"all": {"dedup": 2.0}})
    assert other == done
