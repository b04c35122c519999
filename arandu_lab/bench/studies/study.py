"""What a study found: sentences, tables and a picture, the same in a terminal, a notebook and a document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from textwrap import fill
from typing import Any

import polars as pl

from arandu_lab.bench.cards import Card
from arandu_lab.bench.studies.costs import Bill
from arandu_lab.trace import Usage

WIDE = 130
"""Characters of a line of text."""


@dataclass(frozen=True, kw_only=True)
class Study:
    """A finished study.

    Attributes:
        name: ``extraction``, ``reranker``, ``dedup`` or ``decay``.
        about: What was done, in a sentence or two.
        found: What may be said of it, a sentence each.
        tables: Heading -> table as people read it.
        frames: Name -> tidy frame that tables and picture are made of.
        bill: What it was said to cost before; ``paid`` is what it really paid.
    """

    name: str
    title: str
    about: str
    found: tuple[str, ...]
    tables: Mapping[str, Card] = field(repr=False)
    frames: Mapping[str, pl.DataFrame] = field(repr=False)
    bill: Bill = field(repr=False)
    paid: Usage = field(default_factory=Usage)

    def text(self) -> str:
        """The report as plain text, sentences in lines of at most 130 characters."""
        parts = [self.title, fill(self.about, WIDE), ""]
        for heading, card in self.tables.items():
            parts += [heading, *plain(card), ""]
        said = (fill(one, WIDE, subsequent_indent="  ", break_on_hyphens=False) for one in (*self.found, self.costs()))
        return "\n".join([*parts, *said])

    def to_markdown(self) -> str:
        """The report as Markdown, without the picture."""
        parts = [f"# {self.title}", self.about, *(f"* {one}" for one in self.found)]
        for heading, card in self.tables.items():
            parts += [f"## {heading}", card.markdown()]
        return "\n\n".join([*parts, self.costs()]) + "\n"

    def costs(self) -> str:
        """What it was said to cost, and what it paid."""
        before, paid = self.bill, self.paid
        spent = f"{paid.billed_tokens:,} tokens in {paid.billed_calls:,} calls"
        really = "Asked in all, kept answers included, at no price" if before.usd == 0 else "Really paid"
        return f"Estimated before: {before.tokens:,} tokens in {before.calls:,} calls of {before.model}. {really}: {spent}."

    def plot(self) -> Any:
        """The picture (altair)."""
        from arandu_lab.viz.studies import PICTURES

        return PICTURES[self.name](self.frames)

    def keep(self, folder: str | Path) -> Path:
        """Write ``report.md``, the frames and the picture into ``folder/NAME``, in the place of an earlier one; that folder."""
        from arandu_lab.bench.artifacts import whole
        from arandu_lab.viz.theme import save

        place = Path(folder) / self.name
        with whole(place) as fresh:
            (fresh / "report.md").write_text(self.to_markdown(), encoding="utf-8")
            for name, frame in self.frames.items():
                frame.write_parquet(fresh / f"{name}.parquet")
            save(self.plot().to_dict(), fresh, self.name)
        return place

    def _repr_html_(self) -> str:
        items = "".join(f"<li>{escape(one)}</li>" for one in self.found)
        tables = "".join(
            f"<h4>{escape(heading)}</h4><pre>{escape(chr(10).join(plain(card)))}</pre>"
            for heading, card in self.tables.items()
        )
        return f"<h3>{escape(self.title)}</h3><p>{escape(self.about)}</p><ul>{items}</ul>{tables}<p>{escape(self.costs())}</p>"


def plain(card: Card) -> list[str]:
    """A table as lines of text, numbers to the right.

    >>> plain(Card(("what", "n"), (("a", "1"), ("bc", "10"))))
    ['what   n', 'a      1', 'bc    10']
    """
    return card.lines()


def signed(value: float | None, form: str = ".1f", *, scale: float = 100.0) -> str:
    """A difference with its sign, in points.

    >>> signed(0.031), signed(-0.5), signed(None)
    ('+3.1', '−50.0', '–')
    """
    if value is None:
        return "–"
    text = format(abs(value) * scale, form)
    return f"{'−' if value < 0 and float(text.replace(',', '')) else '+'}{text}"


def between(low: float | None, high: float | None, form: str = ".1f", *, scale: float = 100.0) -> str:
    """An interval, or a gap."""
    return (
        "–" if low is None or high is None else f"{signed(low, form, scale=scale)} to {signed(high, form, scale=scale)}"
    )


def listed(names: Sequence[str]) -> str:
    """Names with "and" before the last.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
