"""A scorecard on the terminal: a bar a step while it goes, the summary at the end."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import polars as pl
from rich.console import Console
from rich.markup import escape

from arandu_lab.bench import shown
from arandu_lab.bench.cards import Card, count, percent
from arandu_lab.bench.scorecard import tables
from arandu_lab.bench.scorecard.segments import STAGES

PAUSE = 30.0
"""Seconds between two lines about one step."""


class Shown(shown.Shown):
    """A watcher: bars on a terminal; elsewhere a line when a step begins, when it ends, and about every half minute between.

    Use it with ``with``. ``clock`` gives seconds.
    """

    def __init__(self, out: Console, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(out)
        self.clock = clock
        self.said: dict[str, float] = {}

    def moves(self, step: Any, done: int) -> None:
        """Move a bar; where there is none, say now and then how far the step is."""
        self.progress.update(self.bars[step.address], completed=done, visible=True)
        if self.out.is_terminal:
            return
        now, before = self.clock(), self.said.get(step.address)
        if before is None or (now - before >= PAUSE and done < step.size):
            self.said[step.address] = now
            how = f"begun, {step.size} turns and questions" if before is None else f"{done} of {step.size}"
            self.out.print(f"[dim]{escape(step.label)}  {how}[/]")

    def ends(self, step: Any, result: Any) -> None:
        """A line for the step in the place of its bar."""
        self.progress.update(self.bars[step.address], visible=False)
        self.ended += 1
        said = f"{step.size} turns and questions, {result.seconds:.1f} s"
        if result.errors:
            said = f"[bold red]{len(result.errors)} errors, the first: {escape(result.errors[0][:200])}[/]"
        place = escape(f"[{self.ended:>{len(str(self.total))}}/{self.total}]")
        self.out.print(f"[dim]{place}[/] {escape(step.label)}  {said}")


def show_card(out: Console, frames: Mapping[str, pl.DataFrame], folder: Path) -> None:
    """The number of every stage, a line a system, set and mode; and where the report lies."""
    heads = ("system", "set", "mode", *STAGES, "delivered", "of", "ctx tok")
    cells = tuple(
        (
            *(row["system"], row["dataset"], row["mode"]),
            *(percent(row[stage]) for stage in STAGES),
            *(percent(row["delivered"]), count(row["questions"]), count(row["context_tokens"])),
        )
        for row in tables.card(frames).iter_rows(named=True)
    )
    out.print(shown.grid(Card(heads, cells), "every stage in one number (percent)"))
    out.print(f"\nReport: {folder / 'report.md'}")
