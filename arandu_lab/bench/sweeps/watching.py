"""How far a sweep is: a bar on a terminal or in a notebook, a function of one's own, or nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from arandu_lab.errors import ConfigError

Told: TypeAlias = Callable[[int, int, str], None]
"""Hears ``(done, of, what)``: pieces of work, and what they are (``writing``, ``reading``, ``held out: reading`` …)."""


@contextmanager
def watching(progress: Any, name: str) -> Iterator[Told]:
    """Within, the function given tells whoever watches.

    Args:
        progress: None for a bar where somebody sees it, False for nothing, a function for oneself.

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
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    out = Console(stderr="ipykernel" not in sys.modules)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=32),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    shown = out.is_terminal or out.is_jupyter
    with Progress(*columns, console=out, transient=True, disable=not shown) as bars:
        bar = bars.add_task(name, total=None)
        at = ""

        def told(done: int, of: int, what: str) -> None:
            nonlocal at
            if what != at:
                bars.reset(bar, description=f"{name}: {what}")
                at = what
            bars.update(bar, completed=done, total=of)

        yield told
