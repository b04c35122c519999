"""The main job: every system over every conversation, what is known already reused, and a result folder at the end.

Steps run in worker processes, the long ones first. A step that breaks is a row of nulls with its reason, never the end
of the others.
"""

from __future__ import annotations

import asyncio
import tempfile
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from queue import Empty
from typing import Any, Protocol

from arandu_lab.bench.artifacts import Step, code_digest, failed, keep, kept, run_address, step_address
from arandu_lab.bench.data.model import Conversation, Dataset
from arandu_lab.bench.plan import Plan
from arandu_lab.bench.replay import Replay, replay
from arandu_lab.bench.rows import is_memory, open_row
from arandu_lab.errors import ConfigError, DatasetError


class Watcher(Protocol):
    """Who is told how far a run is. Each method may be called from the main process only."""

    def begins(self, steps: Iterable[tuple[Step, int]], reused: Iterable[Step]) -> None:
        """The steps to come with their numbers of turns and questions, and those that were kept."""
        ...

    def moves(self, step: Step, done: int) -> None:
        """So many turns and questions of a step are done."""
        ...

    def ends(self, step: Step, result: Replay) -> None:
        """A step is done, errors and all."""
        ...


@dataclass(slots=True, kw_only=True)
class Run:
    """A run and all its replays, in the order of datasets, conversations and rows."""

    plan: Plan
    address: str
    code: str
    datasets: Mapping[str, Dataset]
    replays: list[tuple[Step, Replay]] = field(default_factory=list)
    reused: tuple[Step, ...] = ()
    replayed: tuple[Step, ...] = ()

    @property
    def errors(self) -> list[dict[str, str]]:
        """Every error with its place, in order."""
        return [
            {
                "dataset": step.dataset,
                "conversation": step.conversation,
                "system": step.row.name,
                "phase": error.phase,
                "where": error.where,
                "message": error.message,
            }
            for step, done in self.replays
            for error in done.errors
        ]


def load_datasets(plan: Plan) -> dict[str, Dataset]:
    """The datasets of a plan by name. ``data`` is the file of its only dataset, or a folder to look in.

    Raises:
        ConfigError: an unknown dataset, or a file for several.
        DatasetError: data that break their format, or are not those that the plan was made with.
    """
    from arandu_lab.bench.data.registry import load

    place = Path(plan.data) if plan.data else None
    if place is not None and not place.exists():
        raise DatasetError(f"{place}: no such file or folder (data; relative to {Path.cwd()})")
    if place is not None and (place.is_file() or any((place / name).exists() for name in _ALONE)):
        if len(plan.datasets) > 1:
            raise ConfigError(f"{place} is one dataset, the run wants {', '.join(plan.datasets)}; give their folder")
        found = [load(place)]
    else:
        found = [load(name, root=place) for name in plan.datasets]
    datasets = {one.name: one for one in found}
    for name, digest in dict(plan.made.get("datasets", {})).items():
        if name in datasets and datasets[name].digest != digest:
            raise DatasetError(
                f"dataset {name!r} is not the one this run was made with: sha256 {datasets[name].digest[:12]}…,"
                f" made with {str(digest)[:12]}…"
            )
    return datasets


def planned(plan: Plan, datasets: Mapping[str, Dataset]) -> Run:
    """The run without its replays: every setting checked, every address known.

    Raises:
        ConfigError: a row that cannot be meant.
    """
    code, steps_code = code_digest(), code_digest(readers=False)
    address = run_address(plan, {name: one.digest for name, one in datasets.items()}, code=code)
    run = Run(plan=plan, address=address, code=code, datasets=datasets)
    for dataset in datasets.values():
        for conversation in dataset:
            for row in plan.rows:
                at = step_address(
                    row,
                    digest=dataset.digest,
                    conversation=conversation.id,
                    depth=plan.depth,
                    seed=plan.seed,
                    code=f"{steps_code}:{dataset.language}",
                )
                step = Step(
                    row=row,
                    dataset=dataset.name,
                    language=dataset.language.split("-")[0],
                    conversation=conversation.id,
                    depth=plan.depth,
                    seed=plan.seed,
                    address=at,
                )
                run.replays.append((step, Replay()))
    return run


def replayed(run: Run, store: Path, *, force: bool = False, watcher: Watcher | None = None) -> Run:
    """Fill a run: keep what ``store`` holds, replay the rest.

    Args:
        store: Where replays are kept, by address.
        force: Replay everything.

    Raises:
        ConfigError: a system that misbehaves, or settings that only opening it could judge.
    """
    known = {step.address: None if force else kept(store / step.address) for step, _ in run.replays}
    missing = {step.address: step for step, _ in run.replays if known[step.address] is None}
    steps = sorted(missing.values(), key=lambda step: -_weight(step, run.datasets))
    reused = tuple(step for step, _ in run.replays if known[step.address] is not None)
    if watcher:
        watcher.begins([(step, _size(_of(step, run.datasets))) for step in steps], reused)
    for step, result in _results(steps, run, watcher):
        if not result.errors:
            keep(store / step.address, result)
        known[step.address] = result
        if watcher:
            watcher.ends(step, result)
    run.replays = [(step, known[step.address] or Replay()) for step, _ in run.replays]
    run.reused, run.replayed = reused, tuple(steps)
    return run


def one_step(step: Step, conversation: Conversation, tick: Callable[[int], None] | None = None) -> Replay:
    """Replay one conversation into one system, in an empty directory of its own. Errors become nulls.

    Raises:
        ConfigError: the system's settings or manners are wrong: that is not weather, so it stops the run.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="arandu-lab-", ignore_cleanup_errors=True) as folder:
            system = open_row(
                step.row, conversation, language=step.language, seed=step.seed, path=Path(folder) / "memory"
            )
            return asyncio.run(replay(system, conversation, depth=step.depth, tick=tick))
    except ConfigError as error:
        raise ConfigError(f"{step.label}: {error}") from error
    except Exception as error:  # noqa: BLE001 - the edge of a job: whatever broke it is its result, and fails the run
        last = traceback.extract_tb(error.__traceback__)[-1]
        said = f"{type(error).__name__}: {error} ({Path(last.filename).name}:{last.lineno})"
        return failed(step, [question.id for question in conversation.questions], said)


def _results(steps: list[Step], run: Run, watcher: Watcher | None) -> Iterator[tuple[Step, Replay]]:
    if run.plan.jobs == 1 or len(steps) < 2:
        for step in steps:
            tick = (lambda done, step=step: watcher.moves(step, done)) if watcher else None
            yield step, one_step(step, _of(step, run.datasets), tick)
        return
    context = get_context("spawn")
    ticks: Any = context.Queue()
    workers = min(run.plan.jobs, len(steps))
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_worker, initargs=(ticks, run.datasets)) as pool:
        going: dict[Future[Replay], Step] = {pool.submit(_job, step): step for step in steps}
        by_address = {step.address: step for step in steps}
        try:
            while going:
                finished, _ = wait(going, timeout=0.1, return_when=FIRST_COMPLETED)
                if watcher:
                    for address, done in _drained(ticks):
                        watcher.moves(by_address[address], done)
                for future in finished:
                    yield going.pop(future), future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _worker(ticks: Any, datasets: Mapping[str, Dataset]) -> None:
    from threadpoolctl import threadpool_limits

    threadpool_limits(1)
    _WORKER["ticks"], _WORKER["datasets"] = ticks, datasets


def _job(step: Step) -> Replay:
    ticks, said = _WORKER["ticks"], [0]

    def tick(done: int) -> None:
        if done >= said[0] + 10:
            said[0] = done
            ticks.put((step.address, done))

    return one_step(step, _of(step, _WORKER["datasets"]), tick)


def _drained(ticks: Any) -> Iterator[tuple[str, int]]:
    while True:
        try:
            yield ticks.get_nowait()
        except Empty:
            return


def _of(step: Step, datasets: Mapping[str, Dataset]) -> Conversation:
    return datasets[step.dataset][step.conversation]


def _size(conversation: Conversation) -> int:
    return len(conversation.turns) + len(conversation.questions)


def _weight(step: Step, datasets: Mapping[str, Dataset]) -> float:
    factor = 100.0 if is_memory(step.row.base) else (1.0 if step.row.base in _LIGHT else 10.0)
    return factor * _size(_of(step, datasets))


_LIGHT = frozenset({"random", "recency", "bm25", "full_context", "oracle"})
_ALONE = ("set.toml", "sessions.jsonl.gz")
_WORKER: dict[str, Any] = {}
