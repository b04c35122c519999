"""What is printed as a table: whole, whatever its width and wherever the repository lies."""

from __future__ import annotations

import io
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from arandu_lab.bench.cards import Card
from arandu_lab.bench.shown import console, grid

WORDS = st.text("abcdefghij/. ", min_size=1, max_size=120).map(str.strip).filter(bool)
CARDS = st.integers(1, 6).flatmap(
    lambda width: st.lists(st.tuples(*[WORDS] * width), min_size=1, max_size=4).map(
        lambda rows: Card(tuple(f"h{place}" for place in range(width)), tuple(rows))
    )
)


@given(CARDS)
def test_a_pipe_gets_every_cell_on_one_line(card: Card) -> None:
    """R1: where no screen ends the line, the title and each row are a line and a cell is whole, however long."""
    said = io.StringIO()
    out = console()
    out.file = said
    out.print(grid(card, "title"))
    title, _, *lines = said.getvalue().splitlines()
    assert title == "title"
    assert len(lines) == len(card.cells)
    assert all(cell in line for row, line in zip(card.cells, lines, strict=True) for cell in row)


@given(CARDS, st.integers(60, 200))
def test_a_screen_loses_no_letter(card: Card, width: int) -> None:
    """R1: on a screen a cell may go on in the next line, but none of its letters is lost and nothing is elided."""
    said = io.StringIO()
    Console(file=said, width=width, force_terminal=True, color_system=None).print(grid(card, ""))
    wanted = "".join("".join(card.head) + "".join("".join(row) for row in card.cells))
    shown = said.getvalue()
    assert "…" not in shown
    assert sorted(shown.replace(" ", "").replace("\n", "")) == sorted(wanted.replace(" ", ""))


def test_numbers_stay_on_their_line() -> None:
    """R1: beside words too long for the screen a number is not broken in two."""
    said = io.StringIO()
    card = Card(("system", "R@10", "what it is"), (("bm25", "41.05", "words " * 40), ("dense", "7.10", "words")))
    Console(file=said, width=60, force_terminal=True, color_system=None).print(grid(card, ""))
    assert all(number in said.getvalue() for number in ("41.05", "7.10"))


@pytest.mark.parametrize("columns", ["40", "80", "300"])
def test_a_pipe_has_no_width(columns: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """R1: the width of a screen that is not written to (COLUMNS) changes nothing."""
    monkeypatch.setenv("COLUMNS", columns)
    console().print(grid(Card(("path",), (("/a" * 200,),)), ""))
    assert "/a" * 200 in capsys.readouterr().out


@pytest.mark.parametrize("command", [("extract", "Moro em São Paulo há três anos"), ("config",), ("datasets",)])
@pytest.mark.parametrize(
    "language", [{"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"PYTHONIOENCODING": "cp1252"}]
)
def test_a_screen_of_another_encoding_is_no_fault(command: tuple[str, ...], language: dict[str, str]) -> None:
    """R3: what a terminal or pipe cannot show is shown as a question mark; the command ends as it does elsewhere."""
    done = subprocess.run(
        [sys.executable, "-m", "arandu_lab.cli", *command],
        env={**os.environ, **language},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout
