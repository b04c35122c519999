"""A run on the terminal: a bar a step while it goes, a table a dataset at the end; plain lines where nobody watches."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, Self

import polars as pl
from rich.console import Console, Group
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from arandu_lab.bench import tables
from arandu_lab.bench.artifacts import Step
from arandu_lab.bench.cards import LANGUAGES, Card, dollars, main_card, share_card
from arandu_lab.bench.frames import Frames
from arandu_lab.bench.replay import Replay
from arandu_lab.units import Seconds

NARROW = 150
"""Columns that our widest tables want, and the width of those that break their lines."""
_WHOLE = 100_000
PAUSE: Seconds = 30.0
"""Seconds between two lines that only say how far a step is."""


def console(*, stderr: bool = False) -> Console:
    """A console that loses nothing: at least as wide as our tables, and as wide as anything where no screen ends it."""
    made = Console(stderr=stderr, highlight=False)
    if made.is_terminal or made.is_jupyter:
        return made if made.width >= NARROW else Console(stderr=stderr, highlight=False, width=NARROW, soft_wrap=True)
    return Console(stderr=stderr, highlight=False, width=_WHOLE)


class Slowly:
    """Says a line where nobody watches: what matters at once, how far it is no more often than every half minute."""

    def __init__(self, out: Console, pause: Seconds = PAUSE) -> None:
        self.out, self.pause = out, pause
        self.last = time.monotonic()

    def __call__(self, text: str, *, at_once: bool = False) -> None:
        """Say it, if it is time."""
        now = time.monotonic()
        if at_once or now - self.last >= self.pause:
            self.last = now
            self.out.print(text, markup=False)


class Labelled(Protocol):
    """A step as a watcher sees it."""

    @property
    def address(self) -> str:
        """What it is known by."""
        ...

    @property
    def label(self) -> str:
        """What it is called."""
        ...


class Shown:
    """A watcher: bars on a terminal, a line a step elsewhere. Use it with ``with``."""

    def __init__(self, out: Console) -> None:
        self.out = out
        self.bars: dict[str, TaskID] = {}
        self.sizes: dict[str, int] = {}
        self.slowly = Slowly(out)
        self.total = self.ended = 0
        self.progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=32),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=out,
            transient=True,
            disable=not out.is_terminal,
        )

    def __enter__(self) -> Self:
        self.progress.start()
        return self

    def __exit__(self, *rest: object) -> None:
        self.progress.stop()

    def begins(self, steps: Iterable[tuple[Labelled, int]], reused: Iterable[Labelled]) -> None:
        """Say what is reused, and make a bar for each step to come."""
        known, coming = list(reused), list(steps)
        if known:
            self.out.print(f"[dim]reused {len(known)} of {len(known) + len(coming)} steps: {escape(_listed(known))}[/]")
        self.total = len(coming)
        for step, size in coming:
            self.sizes[step.address] = size
            self.bars[step.address] = self.progress.add_task(escape(step.label), total=size, visible=False)

    def moves(self, step: Labelled, done: int) -> None:
        """Move a bar; where there is none, say now and then how far it is."""
        if not self.out.is_terminal:
            self.slowly(f"{step.label}  {done:,} of {self.sizes[step.address]:,} turns and questions")
        self.progress.update(self.bars[step.address], completed=done, visible=True)

    def ends(self, step: Step, result: Replay) -> None:
        """A line for the step in the place of its bar."""
        self.progress.update(self.bars[step.address], visible=False)
        self.ended += 1
        seconds = sum(one.ms for one in result.times) / 1000
        said = f"{result.turns} turns, {len(result.answers)} questions, {seconds:.1f} s"
        if result.errors:
            number = len(result.errors)
            said = f"[bold red]{number} error{'' if number == 1 else 's'}: {escape(result.errors[0].message[:200])}[/]"
        place = escape(f"[{self.ended:>{len(str(self.total))}}/{self.total}]")
        self.out.print(f"[dim]{place}[/] {escape(step.label)}  {said}")


@contextmanager
def moving(out: Console, name: str) -> Iterator[Callable[[int, int], None]]:
    """Within, the function given moves one bar to (done, of); where nobody watches, a line on stderr now and then."""
    if not out.is_terminal:
        slowly = Slowly(console(stderr=True))
        yield lambda done, of: slowly(f"{name}: {done:,} of {of:,}")
        return
    columns = (TextColumn("{task.description}"), BarColumn(bar_width=32), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=out, transient=True) as bars:
        bar = bars.add_task(escape(name), total=None)
        yield lambda done, of: bars.update(bar, completed=done, total=of)


def show_tables(
    out: Console,
    frames: Frames,
    measures: Sequence[str],
    titles: dict[str, str],
    quality: str,
    costs: Sequence[str] = (),
    remarks: Mapping[str, str] | None = None,
) -> None:
    """The main table of each dataset, and under it the categories in a line a system where there are several.

    ``remarks``: dataset -> what has to be known beside its table.
    """
    for dataset, title in titles.items():
        table = tables.main_table(frames, dataset, measures, costs)
        out.print()
        out.print(grid(main_card(table, measures, times=True, costs=costs), title))
        if said := spent(table):
            out.print(f"[dim]{escape(said)}[/]")
        if remark := (remarks or {}).get(dataset):
            out.print(f"[yellow]{escape(remark)}[/]")
        if said := tables.said_of_headline(frames, dataset):
            out.print(f"[dim]{escape(said)}[/]")
        sizes = tables.category_sizes(frames, dataset)
        if len(sizes) > 1:
            parts = tables.by_category(frames, dataset, quality)
            heads = ["system", *(f"{name} ({sizes[name]})" for name in parts.columns[1:])]
            out.print(grid(share_card(parts, heads), f"{quality} by category"))
        absent = tables.absent_table(frames, dataset)
        if not absent.is_empty():
            silent = {row["system"]: row["silent"] for row in absent.iter_rows(named=True) if row["silent"]}
            said = ", ".join(f"{name} {number}" for name, number in silent.items()) or "none"
            out.print(f"[dim]never said: {absent['asked'][0]} questions, counted apart; returned nothing: {said}[/]")


def spent(table: pl.DataFrame) -> str:
    """What the systems of a main table would have cost, and what was paid; empty where no model was asked."""
    asked = table.filter(pl.col("tokens_asked") > 0)
    return "; ".join(
        f"{row['system']}: {row['tokens_asked']:,} tokens asked, {row['tokens_billed']:,} billed, "
        f"would have cost $ {dollars(row['would_usd'])}"
        for row in asked.iter_rows(named=True)
    )


def show_end(out: Console, folder: Path, replayed: int, reused: int) -> None:
    """Where the result lies, and what was reused."""
    out.print(f"\n{reused} of {replayed + reused} steps reused, {replayed} replayed. Report: {folder / 'report.md'}")


def grid(card: Card, title: str) -> Group:
    """A card under its title: a number stays on its line, words go on in the next, no cell is cut."""
    table = Table(header_style="dim", box=None, pad_edge=False)
    for place, head in enumerate(card.head):
        number = card.right(place)
        table.add_column(Text(head), justify="right" if number else "left", no_wrap=number, overflow="fold")
    for row in card.cells:
        style = "bold" if row[0].startswith("arandu") else "dim" if row[0] == tables.CHANCE else ""
        table.add_row(*(Text(cell) for cell in row), style=style)
    return Group(Text(title, style="bold"), table)


def language(code: str) -> str:
    """A language in words."""
    return LANGUAGES.get(code.split("-")[0], code)


def _listed(steps: Sequence[Labelled]) -> str:
    labels = list(dict.fromkeys(step.label for step in steps))
    return ", ".join(labels[:6]) + (f" and {len(labels) - 6} more" if len(labels) > 6 else "")
