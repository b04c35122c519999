"""Tables as people read them: columns with their headings, numbers with their digits, gaps as a dash.

The terminal and ``report.md`` show the same cells; a table of quality always carries its cost columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

GAP = "–"
LANGUAGES = {"en": "English", "pt": "Portuguese"}


@dataclass(frozen=True, slots=True)
class Card:
    """A table as text: headings and cells, numbers to the right."""

    head: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]

    def right(self, column: int) -> bool:
        """Whether a column stands to the right: numbers and gaps, nothing else."""
        return column > 0 and all(
            cell == GAP or _NUMBER.fullmatch(cell) for cell in (row[column] for row in self.cells)
        )

    def lines(self) -> list[str]:
        """Plain lines, the headings first, columns two blanks apart.

        >>> Card(("system", "R@10"), (("bm25", "41.0"), ("chance", "7.1"))).lines()
        ['system  R@10', 'bm25    41.0', 'chance   7.1']
        """
        rows = [tuple(" ".join(cell.splitlines()) for cell in row) for row in (self.head, *self.cells)]
        wide = [max(len(row[place]) for row in rows) for place in range(len(self.head))]
        sides = [self.right(place) for place in range(len(self.head))]
        return ["  ".join(_pad(row, wide, sides)).rstrip() for row in rows]

    def markdown(self) -> str:
        """A Markdown table, padded so that it reads well as plain text too."""
        rows = [
            tuple(" ".join(cell.replace("|", "\\|").splitlines()) for cell in row) for row in (self.head, *self.cells)
        ]
        wide = [max(3, *(len(row[i]) for row in rows)) for i in range(len(self.head))]
        sides = [self.right(place) for place in range(len(self.head))]
        lines = ["| " + " | ".join(_pad(row, wide, sides)) + " |" for row in rows]
        rule = "|" + "|".join("-" * (w + 1) + (":" if side else "-") for side, w in zip(sides, wide, strict=True)) + "|"
        return "\n".join([lines[0], rule, *lines[1:]])


def percent(value: float | None) -> str:
    """A share in percent with one decimal.

    >>> percent(0.4779), percent(None)
    ('47.8', '–')
    """
    return GAP if value is None else f"{100 * value:.1f}"


def count(value: float | None) -> str:
    """A number of things, thousands apart.

    >>> count(12345), count(None)
    ('12,345', '–')
    """
    return GAP if value is None else f"{value:,.0f}"


def third(value: float | None) -> str:
    """Three decimals."""
    return GAP if value is None else f"{value:.3f}"


def milliseconds(value: float | None) -> str:
    """Milliseconds with the digits that matter."""
    return GAP if value is None else (f"{value:.0f}" if value >= 10 else f"{value:.1f}")


def measure_format(name: str) -> Callable[[float | None], str]:
    """Shares of evidence in percent, ranks and gains in three decimals, as the reference prints them."""
    return third if name.startswith(("nDCG", "RR")) else percent


def dollars(value: float | None) -> str:
    """US dollars, with the digits that matter.

    >>> dollars(12.3456), dollars(0.00123), dollars(0.0), dollars(None)
    ('12.35', '0.0012', '0', '–')
    """
    if value is None or not value:
        return GAP if value is None else "0"
    return f"{value:,.2f}" if value >= 1 else f"{value:.2g}"


def cost_format(name: str) -> Callable[[float | None], str]:
    """Seconds with their digits, tokens and calls as they are: whole ones whole."""
    return lambda value: (
        GAP if value is None else count(value) if value >= 100 or value == int(value) else f"{value:.3g}"
    )


def main_card(
    table: pl.DataFrame, measures: Sequence[str], *, times: bool, costs: Sequence[str] = (), billed: bool = True
) -> Card:
    """The main table; with the columns of times for the terminal, without for a report.

    ``billed`` is left out of a report where it depends on what a cassette held.
    """
    columns: list[tuple[str, str, Callable[[Any], str]]] = [("system", "system", str)]
    columns += [(name, name, measure_format(name)) for name in measures]
    columns += [
        ("ext P", "precision", percent),
        ("ext R", "recall", percent),
        ("stored", "stored", count),
        ("dup", "duplicates", count),
        ("tok asked", "tokens_asked", count),
        *([("billed", "tokens_billed", count)] if billed else []),
        ("calls", "calls", count),
        ("ctx tok", "context_tokens", count),
    ]
    columns += [(name, name, cost_format(name)) for name in costs if times or not name.startswith("Seconds")]
    if times:
        columns += [("ms/turn", "ms_turn", milliseconds), ("ms/q", "ms_question", milliseconds)]
    if not (table["n"] == table["asked"]).fill_null(True).all():
        columns.insert(1, ("n", "n", count))
    cells = [tuple(form(row[name]) for _, name, form in columns) for row in table.iter_rows(named=True)]
    return Card(tuple(head for head, _, _ in columns), tuple(cells))


def share_card(table: pl.DataFrame, heads: Sequence[str] | None = None) -> Card:
    """A table whose first column is a name and whose others are shares."""
    cells = [(str(first), *(percent(one) for one in rest)) for first, *rest in table.iter_rows()]
    return Card(tuple(heads or table.columns), tuple(cells))


def plain_card(table: pl.DataFrame, **forms: Callable[[Any], str]) -> Card:
    """Any other table; whole numbers with thousands apart."""
    cells = [tuple(forms.get(name, _any)(value) for name, value in row.items()) for row in table.iter_rows(named=True)]
    return Card(tuple(name.replace("_", " ") for name in table.columns), tuple(cells))


def _any(value: Any) -> str:
    if value is None:
        return GAP
    return count(value) if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _pad(row: Sequence[str], wide: Sequence[int], right: Sequence[bool]) -> list[str]:
    return [cell.rjust(w) if side else cell.ljust(w) for cell, w, side in zip(row, wide, right, strict=True)]


_NUMBER = re.compile(r"[-+−]?[\d.,]+")
