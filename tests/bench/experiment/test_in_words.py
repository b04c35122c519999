"""An experiment in words: printed, compared where there is nothing to compare, with measures of which less is better."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from arandu_lab import experiment
from arandu_lab.bench.answering import answered
from arandu_lab.bench.compare import compared
from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.made import read_result
from arandu_lab.bench.overlay import Overlay

MEASURES = ["R@3", "Stale@3"]


@pytest.fixture
def found(lake: Dataset, tmp_path):
    """Two systems over the lake."""
    return experiment(["bm25", "recency"], lake, MEASURES, depth=4, jobs=1, results=tmp_path, progress=False)


def test_printed_it_is_its_tables_and_what_they_say(found) -> None:
    """``print`` shows a row a system and one of chance, figures as in the report, the difference in words, the folder."""
    text = str(found)
    rows = {row["system"]: row for row in found.summary().iter_rows(named=True)}
    shown = {
        line.split()[0]: line.split()[1:] for line in text.splitlines() if line.split()[:1] and line.split()[0] in rows
    }
    assert set(shown) == {"bm25", "recency", "chance"}
    for name, cells in shown.items():
        assert f"{100 * rows[name]['R@3']:.1f}" in cells
    (verdict,) = found.compare().filter(pl.col("measure") == "R@3")["verdict"]
    assert f"R@3 against bm25:\n  recency: {verdict}" in text
    assert str(found.folder) in text
    assert len(repr(found).splitlines()) == 1
    assert "<table" in found._repr_html_()


def test_nothing_to_compare_says_why(found, lake: Dataset) -> None:
    """A system that failed, a measure that the data cannot tell, questions that do not meet: each is said, none is a blank."""
    plan, frames = read_result(found.folder)
    mine = (pl.col("system") == "recency") & ~pl.col("absent")

    def changed(**columns: object):
        values = [pl.when(mine).then(value).otherwise(pl.col(name)).alias(name) for name, value in columns.items()]
        return replace(frames, questions=frames.questions.with_columns(values))

    none = pl.lit(None, pl.Float64)
    failed = changed(**{"R@3": none, "error": pl.lit("429 too many"), "state": pl.lit("failed")})
    table = compared((plan, frames), (plan, failed)).filter(pl.col("system") == "recency")
    (said,) = table.filter(pl.col("measure") == "R@3")["verdict"]
    assert said == "nothing to compare; after: every question failed, the first with: 429 too many"
    stale = changed(**{"Stale@3": none})
    (said,) = compared((plan, stale), (plan, stale)).filter(
        pl.col("system") == "recency", pl.col("measure") == "Stale@3"
    )["verdict"]
    assert "before: the data do not say what was over, which Stale@3 needs; after: " in said
    ranked = changed(**{"R@3": none, "state": pl.lit("unranked")})
    (said,) = replace(found, frames=ranked).compare().filter(pl.col("measure") == "R@3")["verdict"]
    assert said == "nothing to compare; system: recency ranks nothing that R@3 could be told from"
    odd, even = (
        pl.when(mine & (pl.col("question") == one)).then(none).otherwise("R@3").alias("R@3") for one in ("q1", "q2")
    )
    sides = [replace(frames, questions=frames.questions.with_columns(one)) for one in (odd, even)]
    (said,) = compared(*((plan, one) for one in sides)).filter(
        pl.col("system") == "recency", pl.col("measure") == "R@3"
    )["verdict"]
    assert said == "nothing to compare; questions with a value on one side have none on the other"
    whole = compared((plan, frames), (plan, frames))
    assert not any("nothing to compare" in one for one in whole["verdict"])


def test_corrections_of_an_experiment_reach_its_answers(lake: Dataset, tmp_path) -> None:
    """Answers from an experiment with corrections are scored by both golds without naming the corrections again."""
    path = tmp_path / "fixed.json"
    path.write_text('[{"conversation": "c1", "question": "q1", "answer": "Yes"}]')
    found = experiment("bm25", lake, "R@3", depth=4, jobs=1, results=tmp_path, progress=False, relevance=path)
    scores = answered(found, datasets={lake.name: lake}, results=tmp_path, keep=False)
    assert isinstance(found.overlays[lake.name], Overlay)
    assert scores.corrected is not None
    assert scores.corrected.filter(pl.col("conversation") == "c1", pl.col("question") == "q1")["gold"].to_list() == [
        "Yes"
    ]
