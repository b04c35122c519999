"""``experiment``: one sentence from systems and data to frames, words and a page."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import replace

import polars as pl
import pytest

from arandu_lab import experiment
from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.experiment import rows_of
from arandu_lab.bench.made import read_result
from arandu_lab.bench.measures import R, Stale, Tokens, tokens
from arandu_lab.bench.plan import Row
from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.systems.base import Ranked, RankedTurn
from arandu_lab.trace import Usage

MEASURES = [R @ 1, "R@3", R @ tokens(12), Stale @ 3, Tokens.write, "Calls.read", "Seconds"]


class Newest:
    """Returns what was heard last; says that a model was asked at each turn."""

    name = "newest"

    def __init__(self, *, price: int = 3, fails: str = ""):
        self.price, self.fails = price, fails

    async def begin(self, conversation_id):
        self.heard = []

    async def listen(self, turn):
        self.heard.append(turn.id)
        return Usage(calls=1, input_tokens=self.price, billed_calls=1, billed_tokens=self.price)

    async def ask(self, question, *, now, k):
        if self.fails and self.fails in question:
            raise BackendError("no answer", kind="timeout", backend="newest")
        return Ranked(turns=tuple(RankedTurn(id=one, score=1.0) for one in reversed(self.heard))[:k], context="four")

    async def end(self):
        pass


def test_frames_are_tidy_and_quality_never_stands_without_its_cost(lake: Dataset, tmp_path) -> None:
    """Every frame of quality has chance and costs; sums of single questions give the summary; costs are not qualities."""
    found = experiment(
        ["bm25", {"newest": Newest}],
        lake,
        MEASURES,
        depth=4,
        jobs=1,
        results=tmp_path,
        baseline="newest",
        progress=False,
    )
    summary = found.summary()
    assert summary["system"].to_list() == ["bm25", "newest", "chance"]
    assert not {"Tokens.write", "Seconds"} & set(found.plan.measures)
    newest = summary.row(1, named=True)
    assert (newest["Tokens.write"], newest["Calls.read"], newest["tokens_asked"]) == (3.0, 0.0, 36)
    assert newest["R@3"] == pytest.approx((1.0 + 0.5) / 2)  # t4 t3 t2 of the evidence t3, and of t1 t2
    assert newest["would_usd"] is None  # a model was asked, and nobody says which
    assert summary.row(0, named=True)["would_usd"] == 0.0
    long = found.per_question()
    assert long.height == 9 * 2 * 4
    means = long.filter(~pl.col("absent")).group_by("system", "measure").agg(pl.col("value").mean())
    for row in means.iter_rows(named=True):
        mean = summary.filter(pl.col("system") == row["system"])[row["measure"]].item()
        assert row["value"] == pytest.approx(mean)
    for frame in (found.by_category(), found.by_conversation()):
        assert {"chance", "n", "errored", "tokens_question", "calls_question", "context_tokens"} <= set(frame.columns)
    assert set(found.by_conversation()["conversation"]) == {"c1", "c2", "c3"}
    usage = found.usage().filter(pl.col("system") == "newest")
    assert usage.select("phase", "calls", "tokens_asked", "tokens_billed").rows() == [
        ("write", 12, 36, 36),
        ("read", 0, 0, 0),
    ]


def test_comparisons_are_paired_over_conversations_and_said_in_words(lake: Dataset, tmp_path) -> None:
    """Each system against the baseline: differences of the same questions, an interval, costs of both, a verdict."""
    found = experiment(
        ["bm25", {"newest": Newest}, "random"],
        lake,
        ["R@1", "R@3", "Stale@3"],
        depth=4,
        jobs=1,
        results=tmp_path,
        progress=False,
    )
    table = found.compare("newest")
    assert set(table["system"]) == {"bm25", "random"}
    assert set(table["baseline"]) == {"newest"}
    one = table.filter((pl.col("system") == "bm25") & (pl.col("measure") == "R@1")).row(0, named=True)
    assert one["difference"] == pytest.approx(one["after"] - one["before"])
    assert one["wins"] + one["ties"] + one["losses"] == 6
    assert (one["tokens_before"], one["tokens_after"]) == (36, 0)
    assert table["verdict"].str.contains("better|worse|not distinguishable|no difference").all()
    with pytest.raises(ConfigError, match="did you mean 'bm25'"):
        found.compare("bm2")
    with pytest.raises(ConfigError, match="'R@3'"):
        found.plot("R@33")


def test_it_runs_within_a_running_loop_and_reuses_what_is_known(lake: Dataset, tmp_path) -> None:
    """A notebook's cell runs in a loop: the same sentence works there, and gives what it gives outside, kept."""
    outside = experiment({"newest": Newest}, lake, "R@1", depth=4, jobs=1, results=tmp_path, progress=False)

    async def cell():
        return experiment({"newest": Newest}, lake, "R@1", depth=4, jobs=1, results=tmp_path / "other", progress=False)

    inside = asyncio.run(cell())
    assert inside.frames.questions.equals(outside.frames.questions)
    again = experiment({"newest": Newest}, lake, "R@1", depth=4, jobs=1, results=tmp_path, progress=False)
    assert again.folder == outside.folder
    assert again.summary().equals(outside.summary())


def test_errors_are_their_own_class(lake: Dataset, tmp_path) -> None:
    """R3: what failed is null, counted and said; it lowers no mean. A system that never answers is no result."""
    found = experiment(
        {"newest": {"base": Newest, "fails": "move"}}, lake, "R@3", depth=4, jobs=1, results=tmp_path, progress=False
    )
    row = found.summary().row(0, named=True)
    assert (row["n"], row["asked"], row["errored"], row["R@3"]) == (3, 6, 3, 0.5)
    assert "6 of 9 questions answered" in found.to_markdown()
    assert "errored" in found.to_markdown()
    with pytest.raises(BackendError, match="0 of 9 questions answered"):
        experiment({"mute": {"base": Newest, "fails": " "}}, lake, "R@3", jobs=1, results=tmp_path, progress=False)


def test_corrections_of_the_gold_show_both_figures(lake: Dataset, tmp_path) -> None:
    """An overlay changes the second figure and not the first; what it could not be laid over is said."""
    file = tmp_path / "fixes.json"
    fixes = [
        {"conversation": "c1", "question": "q1", "evidence": ["t4"]},
        {"conversation": "c9", "question": "q1", "evidence": ["t4"]},
    ]
    file.write_text(json.dumps(fixes), encoding="utf-8")
    found = experiment(
        {"newest": Newest}, lake, ["R@1", "Stale@3"], relevance=file, depth=4, jobs=1, results=tmp_path, progress=False
    )
    table = found.summary().filter(pl.col("system") == "newest")
    assert dict(table.select("relevance", "R@1").iter_rows()) == {"as given": 0.0, "as corrected": pytest.approx(1 / 6)}
    assert "NOT applied" in found.notes[0]
    assert "gold as corrected" in found.to_markdown()
    assert set(found.compare()["relevance"]) <= {"as given", "as corrected"}


def test_the_page_stands_alone_and_escapes_what_it_shows(lake: Dataset, tmp_path) -> None:
    """One file: no link, no script; a title with markup in it is text; the picture is inside."""
    found = experiment(["bm25", {"<i>": Newest}], lake, ["R@1"], depth=4, jobs=1, results=tmp_path, progress=False)
    text = found.to_html(tmp_path / "deep" / "page.html")
    assert (tmp_path / "deep" / "page.html").read_text(encoding="utf-8") == text
    assert "<svg" in text
    assert "<script" not in text
    assert not re.search(r"(src|href)=['\"]http", text)
    for shown in (text, found._repr_html_()):
        assert "The lake <b>" not in shown
        assert "&lt;b&gt;" in shown
        assert "<i>" not in shown
    assert "would cost $" in text
    assert "chance" in text


def test_systems_are_named_in_many_ways() -> None:
    """Names, rows, tables of settings and classes are rows in their order; what is none is refused by name."""
    rows = rows_of(["bm25", Row(name="r", base="random"), {"a": "dense", "b": {"base": "bm25", "k1": 2.0}}, Newest])
    assert [(row.name, row.base.rpartition(":")[2]) for row in rows] == [
        ("bm25", "bm25"),
        ("r", "random"),
        ("a", "dense"),
        ("b", "bm25"),
        ("newest", "Newest"),
    ]
    assert rows[3].options == {"k1": 2.0}
    assert rows[4].factory is Newest
    for wrong, said in (
        (Newest(), "give its class"),
        (7, "is no system"),
        (["bm25", "bm25"], "'bm25'"),
        ([], "at least one"),
    ):
        with pytest.raises(ConfigError, match=said):
            rows_of(wrong)


def test_wrong_words_are_refused_before_anything_runs(lake: Dataset, tmp_path) -> None:
    """A misspelt system, setting, measure, baseline or mode costs no replay, and the nearest known name is told."""
    for systems, options, said in (
        ("bm26", {}, "bm25"),
        ({"x": {"base": "bm25", "k2": 1}}, {}, "k1"),
        ("bm25", {"measures": ["R@1", "Token.write"]}, "Tokens"),
        ("bm25", {"measures": ["Tokens.write"]}, "at least one of quality"),
        ("bm25", {"baseline": "bm26"}, "bm25"),
        ("bm25", {"replay": "replai"}, "replay"),
        ("bm25", {"measures": "R@50"}, "depth = 20"),
    ):
        with pytest.raises(ConfigError, match=re.escape(said)):
            experiment(systems, lake, results=tmp_path, **options)
    assert not list(tmp_path.iterdir())


def test_results_from_before_are_still_read(lake: Dataset, tmp_path) -> None:
    """Columns that came later are null in an older result; a file that is no result is refused."""
    found = experiment("bm25", lake, "R@1", depth=4, jobs=1, results=tmp_path, progress=False)
    usage = found.frames.usage.drop("input_tokens", "output_tokens", "model", "would_usd")
    usage.write_parquet(found.folder / "usage.parquet")
    _, frames = read_result(found.folder)
    assert frames.usage["would_usd"].is_null().all()
    assert replace(found, frames=frames).summary()["would_usd"].is_null().all()
    usage.drop("calls").write_parquet(found.folder / "usage.parquet")
    with pytest.raises(ConfigError, match="no column calls"):
        read_result(found.folder)
