"""How far a sweep is: a bar on a terminal or in a notebook, lines where nobody watches, a function of one's own, or nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from arandu_lab.bench.shown import Slowly, console
from arandu_lab.errors import ConfigError

Told: TypeAlias = Callable[[int, int, str], None]
"""Hears ``(done, of, what)``: pieces of work, and what they are (``writing``, ``reading``, ``held out: reading`` …)."""


@contextmanager
def watching(progress: Any, name: str) -> Iterator[Told]:
    """Within, the function given tells whoever watches.

    Args:
        progress: None for a bar, or lines on stderr where nobody could see it move: what begins, what is done, and every half
            minute how far it is. False for nothing, a function for oneself.

    Raises:
        ConfigError: anything else.
    """
    if progress is False:
        yield lambda done, of, what: None
        return
    if callable(progress):
        yield progress
        return
    if progress is not None and progress is not True:
        raise ConfigError(f"progress = {progress!r}; wants None, False, or a function of (done, of, what)")
    from rich.console import Console as Terminal
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    out = Terminal(stderr="ipykernel" not in sys.modules)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=32),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    if not (out.is_terminal or out.is_jupyter):
        yield lines(Slowly(console(stderr=True)), name)
        return
    with Progress(*columns, console=out, transient=True) as bars:
        bar = bars.add_task(name, total=None)
        at = ""

        def told(done: int, of: int, what: str) -> None:
            nonlocal at
            if what != at:
                bars.reset(bar, description=f"{name}: {what}")
                at = what
            bars.update(bar, completed=done, total=of)

        yield told


def lines(say: Slowly, name: str) -> Told:
    """Tells in lines: a piece of work when it begins and when it is done, between them how far it is.

    >>> import sys
    >>> from rich.console import Console
    >>> told = lines(Slowly(Console(file=sys.stdout)), "sweep")
    >>> for done in range(4): told(done, 3, "writing")
    sweep: writing, 3 to do
    sweep: writing, 3 of 3 done
    """
    at = ""

    def told(done: int, of: int, what: str) -> None:
        nonlocal at
        if not of:
            return
        if what != at and done < of:
            say(f"{name}: {what}, {of - done:,} to do", at_once=True)
        elif done < of:
            say(f"{name}: {what}, {done:,} of {of:,} done")
        else:
            say(f"{name}: {what}, {of:,} of {of:,} done", at_once=True)
        at = what

    return told
