"""The main job of a scorecard: record every step that is not known already, judge them all, write the folder."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

import polars as pl

from arandu_lab.bench.artifacts import code_digest
from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.scorecard import tables
from arandu_lab.bench.scorecard.columns import SCHEMAS
from arandu_lab.bench.scorecard.frames import frames, rows
from arandu_lab.bench.scorecard.judged import joined, keep_judged
from arandu_lab.bench.scorecard.linking import Gold
from arandu_lab.bench.scorecard.lives import read_operations
from arandu_lab.bench.scorecard.plan import Plan, read_plan
from arandu_lab.bench.scorecard.steps import Done, Step, keep, kept, steps
from arandu_lab.bench.scorecard.workers import results
from arandu_lab.bench.world.truth import load_both
from arandu_lab.errors import BackendError, ConfigError


class Watcher(Protocol):
    """Who is told how far a scorecard is. Each method may be called from the main process only."""

    def begins(self, steps: Iterable[tuple[Step, int]], reused: Iterable[Step]) -> None:
        """The steps to come with their numbers of turns and questions, and those that were kept."""
        ...

    def moves(self, step: Step, done: int) -> None:
        """So many turns and questions of a step are done."""
        ...

    def ends(self, step: Step, result: Done) -> None:
        """A step is done, errors and all."""
        ...


@dataclass(slots=True, kw_only=True)
class Card:
    """A scorecard: its steps with what they left, in the order of the plan, and the frames of all that was judged."""

    plan: Plan
    code: str
    datasets: dict[str, Dataset]
    done: list[tuple[Step, Done]] = field(default_factory=list)
    reused: tuple[Step, ...] = ()
    frames: dict[str, pl.DataFrame] = field(default_factory=dict)

    @property
    def address(self) -> str:
        """The name of its folder: the plan's, and the hash of all that it is made of."""
        from arandu_lab.bench.scorecard.made import address

        return address(self)

    @property
    def errors(self) -> list[str]:
        """Every error with its step."""
        return [f"{step.label}: {error}" for step, done in self.done for error in done.errors]


def scorecard(
    config_path: str | Path,
    out: Path,
    jobs: int | None = None,
    force: bool = False,
    watcher: Watcher | None = None,
) -> Path:
    """Record, judge and write the scorecard of a file; its folder.

    Args:
        config_path: ``configs/scorecard.toml``, or the ``made.toml`` of one that was written.
        out: Where results lie; steps are kept in ``out/.steps``.
        jobs: Worker processes; the file's by default.
        force: Record what is already known too.

    Raises:
        ConfigError: a file, set or system that cannot be meant.
        DatasetError: data that break their format, or have no gold.
        BackendError: a worker died, or less was heard and answered than the plan wants (the folder is written all the
            same, and the message says where).
        KeyboardInterrupt: Ctrl-C; the steps that were finished are kept.
    """
    from arandu_lab.bench.scorecard.made import write_scorecard

    plan = read_plan(config_path)
    card = recorded(replace(plan, jobs=jobs or plan.jobs), out / ".steps", force=force, watcher=watcher)
    folder = write_scorecard(card, out)
    check(card, folder)
    return folder


def recorded(plan: Plan, store: Path, *, force: bool = False, watcher: Watcher | None = None) -> Card:
    """A scorecard with all its frames; ``store`` keeps dossiers by address."""
    datasets = load_sets(plan)
    card = Card(plan=plan, code=code_digest(), datasets=datasets)
    wanted = steps(plan, datasets)
    known = {step.address: None if force else kept(store / step.address, card.code) for step in wanted}
    missing = sorted((step for step in wanted if known[step.address] is None), key=_weight, reverse=True)
    card.reused = tuple(step for step in wanted if known[step.address] is not None)
    if watcher:
        watcher.begins([(step, step.size) for step in missing], card.reused)
    for step, left in results(missing, jobs=plan.jobs, moves=watcher.moves if watcher else None):
        if not left.errors:
            keep(store / step.address, left)
        known[step.address] = left
        if watcher:
            watcher.ends(step, left)
    card.done = [(step, done) for step in wanted if (done := known[step.address]) is not None]
    card.frames = judged(card, store)
    return card


def judged(card: Card, store: Path | None = None) -> dict[str, pl.DataFrame]:
    """The frames of everything that was recorded; ``store`` keeps them beside the dossiers, by the code that judged."""
    golds: dict[str, Gold] = {}
    parts = []
    for step, done in card.done:
        known = done.frames
        if known is None:
            if step.dataset not in golds:
                golds[step.dataset] = gold_of(card.datasets[step.dataset])
            known = frames(
                rows(
                    replace(dossier, system=step.row.name, mode=step.mode),
                    golds[step.dataset],
                    language=step.language,
                    part=part,
                )
                for part, dossier in done.dossiers.items()
            )
            if store and not done.errors:
                keep_judged(store / step.address, card.code, known)
        parts.append({**known, "times": _times(step, done)})
    return joined(parts)


def _times(step: Step, done: Done) -> pl.DataFrame:
    head = {"system": step.row.name, "dataset": step.dataset, "language": step.language, "mode": step.mode}
    lines = [
        {**head, "part": part, "stage": stage, "ms": ms}
        for part, times in done.times.items()
        for stage, ms in times.items()
    ]
    return pl.DataFrame(lines, schema=SCHEMAS["times"])


def gold_of(dataset: Dataset) -> Gold:
    """The gold of a set of one conversation, with the truth of a world where it lies beside it."""
    [conversation] = dataset.conversations
    operations = read_operations(Path(str(dataset.card["source"])))
    return Gold.of(conversation, operations, dataset.card.get("speakers"))


def load_sets(plan: Plan) -> dict[str, Dataset]:
    """The sets of a plan by name.

    Raises:
        ConfigError: an unknown set, or one that no stage can be judged on: several conversations, or no gold.
        DatasetError: as :func:`arandu_lab.bench.run.load_datasets`, or a truth or states that are broken or disagree.
    """
    from arandu_lab.bench import plan as harness
    from arandu_lab.bench.run import load_datasets

    plain = harness.Plan(name=plan.name, datasets=plan.datasets, rows=plan.rows, data=plan.data, made=plan.made)
    datasets = load_datasets(plain)
    for name, one in datasets.items():
        if len(one) != 1 or one.conversations[0].gold is None:
            raise ConfigError(
                f"dataset {name!r} has no gold to judge stages by; a scorecard wants sets of our own or worlds"
            )
        load_both(str(one.card["source"]))
    return datasets


def check(card: Card, folder: Path) -> None:
    """That enough was heard and answered.

    Raises:
        BackendError: less than the plan wants; the message says what and where the report lies.
    """
    least, short = card.plan.coverage, []
    for step, done in card.done:
        if step.mode == "given":
            continue
        counts = {"turns": _turns(card, step), "questions": _lost(card, step, "questions")}
        if any(not total or 1 - lost / total < least for lost, total in counts.values()):
            first = done.errors[0] if done.errors else "nothing was heard or answered"
            said = " and ".join(f"{lost} of {total} {name}" for name, (lost, total) in counts.items())
            short.append(f"{step.label}: {said} lost ({first})")
    if short:
        said = f"{'; '.join(short)}; nulls are no zeros; the report is {folder / 'report.md'}"
        raise BackendError(said, kind="unavailable", backend="scorecard")


def _lost(card: Card, step: Step, frame: str) -> tuple[int, int]:
    errors = tables.of(card.frames[frame], step.row.name, step.dataset, step.mode, "all")["error"]
    return len(errors.drop_nulls()), len(errors)


def _turns(card: Card, step: Step) -> tuple[int, int]:
    """Turns lost, and all; a system that is not looked into says of a turn only that it could not be heard."""
    lost, total = _lost(card, step, "turns")
    if total:
        return lost, total
    said = tables.of(card.frames["errors"], step.row.name, step.dataset, step.mode, "all")["message"].to_list()
    unheard = {line.partition(": ")[0] for line in said if line.startswith("listen ")}
    return len(unheard), sum(len(one.turns) for one in card.datasets[step.dataset])


def _weight(step: Step) -> float:
    from arandu_lab.bench.rows import is_memory

    return step.size * (1.0 if not is_memory(step.row.base) else 30.0 if step.mode == "given" else 10.0)
