"""What a report says: figures that can be recounted, nothing that changes from run to run."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from arandu_lab.bench import tables
from arandu_lab.bench.cards import Card
from arandu_lab.bench.made import read_result

Lab = Callable[..., tuple[int, str, str]]
Config = Callable[..., Path]


@pytest.fixture
def made(lab: Lab, config: Config, fakes: str, tmp_path: Path) -> Path:
    """A result with a system that extracts, a control, a ceiling and one that does not rank."""
    extra = f'[system.scribe]\nbase = "{fakes}:Scribe"'
    assert lab("run", config("scribe", "bm25", "oracle", "full_context", extra=extra))[0] == 0
    (found,) = (tmp_path / "results").glob("*/made.toml")
    return found.parent


def test_the_report_holds_no_time(made: Path) -> None:
    """R1: no milliseconds, no date of today; links lead to files that are there."""
    text = (made / "report.md").read_text("utf-8")
    assert not re.search(r"\bms\b|seconds|\b20\d\d-\d\d-\d\dT", text)
    for name in re.findall(r"\]\(([^)]+)\)", text):
        assert (made / name).is_file()
    assert (made / "times.json").is_file()


def test_the_report_says_how_to_repeat(made: Path) -> None:
    """R1: the command with the address, and the digests of data and code, stand in the report."""
    text = (made / "report.md").read_text("utf-8")
    assert f"arandu-lab run results/{made.name}/made.toml" in text
    assert text.count("sha256") >= 3


def test_means_are_those_of_the_rows(made: Path) -> None:
    """R1: the main table is the mean over rows with an answer to find; the oracle is 1; no ranking is null, not 0."""
    _, frames = read_result(made)
    table = {row["system"]: row for row in tables.main_table(frames, "pond", ["R@3", "RR"]).iter_rows(named=True)}
    rows = frames.questions.filter((pl.col("system") == "bm25") & ~pl.col("absent"))
    assert table["bm25"]["R@3"] == pytest.approx(rows["R@3"].mean())
    assert table["bm25"]["asked"] == 4
    assert (table["oracle"]["R@3"], table["oracle"]["RR"]) == (1.0, 1.0)
    assert (table["full_context"]["R@3"], table["full_context"]["n"]) == (None, 0)
    assert 0 < table["chance"]["R@3"] < 1
    assert table["scribe"]["recall"] == pytest.approx(2 / 3)


def test_absent_questions_stand_apart(made: Path) -> None:
    """R3: questions without an answer are counted in a table of their own; a silent oracle is seen to be silent."""
    _, frames = read_result(made)
    rows = {row["system"]: row for row in tables.absent_table(frames, "pond").iter_rows(named=True)}
    assert (rows["oracle"]["asked"], rows["oracle"]["silent"]) == (1, 1)
    assert rows["bm25"]["silent"] == 0
    assert "Never said" in (made / "report.md").read_text("utf-8")


def test_categories_carry_chance_and_sizes(made: Path) -> None:
    """R1: a column a category that has evidence, with its number of questions and the level of chance below."""
    _, frames = read_result(made)
    table = tables.by_category(frames, "pond", "R@3")
    assert table.columns == ["system", "multi", "single", "update"]
    assert table["system"].to_list()[-1] == "chance"
    assert tables.category_sizes(frames, "pond") == {"multi": 1, "single": 2, "update": 1}


def test_a_card_as_markdown() -> None:
    """R1: numbers to the right, words to the left, a bar in a cell does not break the table."""
    text = Card(("a", "b", "c"), (("x|y", "1.5", "word"), ("z", "–", "w"))).markdown()
    assert text.splitlines()[1] == "|------|----:|------|"
    assert "x\\|y" in text


def test_a_cell_of_a_report_has_no_line_break() -> None:
    """R3: a message of two lines does not end its table."""
    assert len(Card(("a",), (("x\ny",),)).markdown().splitlines()) == 3
