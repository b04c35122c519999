"""The main job: every system over every conversation, what is known already reused, and a result folder at the end.

Steps run in worker processes, the long ones first. A step that breaks is a row of nulls with its reason, never the end
of the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from arandu_lab.bench.artifacts import Step, code_digest, keep, kept, run_address, step_address
from arandu_lab.bench.contexts import keep_contexts
from arandu_lab.bench.data.model import Conversation, Dataset
from arandu_lab.bench.plan import Plan
from arandu_lab.bench.replay import Replay
from arandu_lab.bench.rows import is_memory
from arandu_lab.bench.workers import results
from arandu_lab.errors import ConfigError, DatasetError
from arandu_lab.llm.cassette import Cassette, checked
from arandu_lab.llm.prices import Prices, read_prices
from arandu_lab.places import local


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
    prices: Prices = field(default_factory=Prices)
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
        DatasetError: data that break their format, hold nothing to measure, or are not those that the plan was made
            with.
    """
    from arandu_lab.bench.data.registry import load

    place = local(plan.data, "data") if plan.data else None
    if place is not None and not place.exists():
        raise DatasetError(f"{place}: no such file or folder (data; relative to {Path.cwd()})")
    if place is not None and (place.is_file() or any((place / name).exists() for name in _ALONE)):
        if len(plan.datasets) > 1:
            raise ConfigError(f"{place} is one dataset, the run wants {', '.join(plan.datasets)}; give their folder")
        found = [load(place)]
    else:
        found = [load(name, root=place) for name in plan.datasets]
    for one in found:
        sound(one)
    datasets = {one.name: one for one in found}
    if len(datasets) < len(found):
        twice = next(one.name for place, one in enumerate(found) if one.name in {other.name for other in found[:place]})
        raise ConfigError(f"two datasets are called {twice!r}; a table has one row a name, so give one of them another")
    for name, digest in dict(plan.made.get("datasets", {})).items():
        if name in datasets and datasets[name].digest != digest:
            raise DatasetError(
                f"dataset {name!r} is not the one this run was made with: sha256 {datasets[name].digest[:12]}…,"
                f" made with {str(digest)[:12]}…"
            )
    return datasets


def sound(dataset: Dataset) -> Dataset:
    """The dataset, if there is something to measure and every row of a result will have a key of its own.

    Raises:
        DatasetError: a conversation without turns, no questions at all, or an id that is there twice.
    """
    place = dataset.card.get("source", dataset.name)
    _once(place, "conversation", [one.id for one in dataset])
    for one in dataset:
        if not one.turns:
            raise DatasetError(f"{place}: conversation {one.id} has no turns")
        _once(f"{place}: conversation {one.id}", "turn", [turn.id for turn in one.turns])
        _once(f"{place}: conversation {one.id}", "question", [question.id for question in one.questions])
    if not any(conversation.questions for conversation in dataset):
        raise DatasetError(f"{place}: no questions, so there is nothing to measure")
    return dataset


def planned(plan: Plan, datasets: Mapping[str, Dataset]) -> Run:
    """The run without its replays: every setting checked, every address known.

    Raises:
        ConfigError: a row that cannot be meant.
    """
    code, steps_code = code_digest(), code_digest(readers=False)
    prices = read_prices(plan.prices)
    digests = {name: one.digest for name, one in datasets.items()}
    address = run_address(plan, digests, code=code, prices=prices.digest)
    run = Run(plan=plan, address=address, code=code, datasets=datasets, prices=prices)
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


def cassette_of(plan: Plan, results: Path) -> Cassette | None:
    """The cassette of a run, or None: the file it names, or one of its name under ``results/cassettes``.

    Raises:
        ConfigError: ``replay-only`` of a file that is not there.
    """
    if not plan.cassette and not plan.replay:
        return None
    path = plan.cassette or str(results / "cassettes" / f"{plan.name}.jsonl")
    return Cassette(path=path, mode=checked(plan.replay or "replay"))


def replayed(
    run: Run, store: Path, *, force: bool = False, watcher: Watcher | None = None, cassette: Cassette | None = None
) -> Run:
    """Fill a run: keep what ``store`` holds, replay the rest.

    Args:
        store: Where replays are kept, by address.
        force: Replay everything. So does a cassette that is to be recorded.
        cassette: What models are seen through.

    Raises:
        ConfigError: a system that misbehaves, or settings that only opening it could judge.
        BackendError: a worker process died.
        KeyboardInterrupt: Ctrl-C. What was done by then is kept.
    """
    force = force or (cassette is not None and cassette.mode == "record")
    known = {step.address: None if force else kept(store / step.address) for step, _ in run.replays}
    missing = {step.address: step for step, _ in run.replays if known[step.address] is None}
    steps = sorted(missing.values(), key=lambda step: -_weight(step, run.datasets))
    reused = tuple(step for step, _ in run.replays if known[step.address] is not None)
    if watcher:
        watcher.begins([(step, _size(_of(step, run.datasets))) for step in steps], reused)
    moves = watcher.moves if watcher else None
    for step, result in results(steps, run.datasets, jobs=run.plan.jobs, moves=moves, cassette=cassette):
        if not result.errors:
            keep(store / step.address, result)
        elif not (store / step.address / "replay.json").exists():  # such a replay is not kept
            keep_contexts(store / step.address, result.answers)
        result.answers = [replace(one, context=None) for one in result.answers]
        known[step.address] = result
        if watcher:
            watcher.ends(step, result)
    run.replays = [(step, known[step.address] or Replay()) for step, _ in run.replays]
    run.reused, run.replayed = reused, tuple(steps)
    return run


def _once(place: str, what: str, ids: Sequence[str]) -> None:
    if len(set(ids)) < len(ids):
        twice = next(one for one, number in Counter(ids).items() if number > 1)
        raise DatasetError(f"{place}: {what} {twice!r} is there twice; each wants an id of its own")


def _of(step: Step, datasets: Mapping[str, Dataset]) -> Conversation:
    return datasets[step.dataset][step.conversation]


def _size(conversation: Conversation) -> int:
    return len(conversation.turns) + len(conversation.questions)


def _weight(step: Step, datasets: Mapping[str, Dataset]) -> float:
    factor = 100.0 if is_memory(step.row.base) else (1.0 if step.row.base in _LIGHT else 10.0)
    return factor * _size(_of(step, datasets))


_LIGHT = frozenset({"random", "recency", "bm25", "full_context", "oracle"})
_ALONE = ("set.toml", "sessions.jsonl.gz")
