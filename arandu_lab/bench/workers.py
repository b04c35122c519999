"""Replaying the steps of a run, here or in workers (:mod:`arandu_lab.bench.pool`)."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from arandu_lab.bench import pool
from arandu_lab.bench.artifacts import Step
from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.owned import owned
from arandu_lab.bench.pool import Tick
from arandu_lab.bench.replay import Replay, broken, fault, replay
from arandu_lab.bench.rows import open_row
from arandu_lab.errors import ConfigError
from arandu_lab.llm.cassette import Cassette

T = TypeVar("T")


def one_step(
    step: Step, datasets: Mapping[str, Dataset], tick: Tick | None = None, cassette: Cassette | None = None
) -> Replay:
    """Replay one conversation into one system, in an empty directory of its own. Errors become nulls.

    Raises:
        ConfigError: the system's settings or manners are wrong: that is not weather, so it stops the run.
    """
    conversation = datasets[step.dataset][step.conversation]
    try:
        with tempfile.TemporaryDirectory(prefix="arandu-lab-", ignore_cleanup_errors=True) as folder:
            path = Path(folder) / "memory"
            system = open_row(
                step.row, conversation, language=step.language, seed=step.seed, path=path, cassette=cassette
            )
            return finished(replay(system, conversation, depth=step.depth, tick=tick))
    except ConfigError as error:
        raise ConfigError(f"{step.label}: {error}") from error
    except BaseException as error:  # noqa: BLE001 - the edge of a job: whatever broke it is its result, and fails the run
        return broken(conversation, Replay(), "open", step.conversation, fault(error))


def results(
    steps: list[Step],
    datasets: Mapping[str, Dataset],
    *,
    jobs: int,
    moves: Callable[[Step, int], None] | None = None,
    cassette: Cassette | None = None,
) -> Iterator[tuple[Step, Replay]]:
    """The replay of each step as it is done. Raises as :func:`one_step` and :func:`arandu_lab.bench.pool.results`."""
    assemblies = [step.row.assembly for step in steps if step.row.assembly is not None]
    stages = owned(*(pipeline for one in assemblies for pipeline in (one.write, one.read)))
    return pool.results(steps, _one_step, (dict(datasets), cassette, stages), jobs=jobs, moves=moves)


def finished(work: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns, waited for here; where a loop runs already (a notebook's cell), in a thread beside it."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as beside:
        return beside.submit(asyncio.run, work).result()


def _one_step(
    step: Step, luggage: tuple[Mapping[str, Dataset], Cassette | None, Any], tick: Tick | None = None
) -> Replay:
    datasets, cassette, _ = luggage
    return one_step(step, datasets, tick, cassette)
