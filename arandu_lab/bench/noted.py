"""How far a run is, in a notebook: one line that changes in its place and goes when the run is over."""

from __future__ import annotations

import time
from collections.abc import Iterable
from html import escape
from typing import Any, Self

from arandu_lab.bench.shown import Labelled

_PAUSE = 0.2
"""Seconds between two changes of the line."""


class Noted:
    """A watcher for notebooks. Use it with ``with``."""

    def __init__(self) -> None:
        self.coming: dict[str, int] = {}
        self.done: dict[str, int] = {}
        self.reused = self.failed = 0
        self._line: Any = None
        self._last = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *rest: object) -> None:
        if self._line is not None:
            self._show("", at_once=True)

    def begins(self, steps: Iterable[tuple[Labelled, int]], reused: Iterable[Labelled]) -> None:
        """Note how much there is to do."""
        self.coming = {step.address: size for step, size in steps}
        self.done = dict.fromkeys(self.coming, 0)
        self.reused = len(list(reused))
        if self.coming:
            self._show("beginning", at_once=True)

    def moves(self, step: Labelled, done: int) -> None:
        """Some turns and questions of a step are done."""
        self.done[step.address] = done
        self._show(step.label)

    def ends(self, step: Labelled, result: Any) -> None:
        """A step is done."""
        self.done[step.address] = self.coming.get(step.address, 0)
        self.failed += bool(result.errors)
        self._show(step.label)

    def text(self, what: str) -> str:
        """The line.

        >>> noted = Noted()
        >>> noted.coming, noted.done = {"a": 30, "b": 10}, {"a": 20, "b": 0}
        >>> noted.text("bm25 × lake")
        '20 of 40 turns and questions · bm25 × lake'
        """
        said = [f"{sum(self.done.values()):,} of {sum(self.coming.values()):,} turns and questions", what]
        if self.reused:
            said.append(f"{self.reused} steps were known")
        if self.failed:
            said.append(f"{self.failed} steps with errors")
        return " · ".join(said)

    def _show(self, what: str, *, at_once: bool = False) -> None:
        now = time.monotonic()
        if not at_once and now - self._last < _PAUSE:
            return
        self._last = now
        from IPython.display import HTML, display

        share = 100 * sum(self.done.values()) / max(1, sum(self.coming.values()))
        bar = f"<progress max='100' value='{share:.0f}'></progress> <small>{escape(self.text(what))}</small>"
        shown = HTML(bar if what else "")  # type: ignore[no-untyped-call]
        if self._line is None:
            self._line = display(shown, display_id=True)  # type: ignore[no-untyped-call]
        else:
            self._line.update(shown)
