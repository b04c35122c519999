"""Recording the steps of a scorecard, here or in workers (:mod:`arandu_lab.bench.pool`)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator

from arandu_lab.bench import pool
from arandu_lab.bench.pool import Tick
from arandu_lab.bench.scorecard.dossier import Dossier
from arandu_lab.bench.scorecard.steps import Done, Step
from arandu_lab.errors import ConfigError


def one_step(step: Step, luggage: None = None, tick: Tick | None = None) -> Done:
    """Record one step.

    Raises:
        ConfigError: its settings or manners are wrong: that is not weather, so it stops the scorecard.
    """
    from arandu_lab.bench.scorecard.given import given
    from arandu_lab.bench.scorecard.record import record

    began = time.perf_counter()
    try:
        if step.mode == "given":
            alone = asyncio.run(given(step.row, step.place, tick=tick))
            parts: dict[str, Dossier] = {str(stage): dossier for stage, dossier in alone.items()}
        else:
            made = record(step.row, step.place, mode=step.mode, tick=tick, depth=step.depth, seed=step.seed)
            parts = {"all": asyncio.run(made)}
    except ConfigError as error:
        raise ConfigError(f"{step.label}: {error}") from error
    return Done(dossiers=parts, seconds=time.perf_counter() - began)


def results(
    steps: list[Step], *, jobs: int, moves: Callable[[Step, int], None] | None = None
) -> Iterator[tuple[Step, Done]]:
    """What each step left as it is done. Raises as :func:`one_step` and :func:`arandu_lab.bench.pool.results`."""
    return pool.results(steps, one_step, jobs=jobs, moves=moves)
