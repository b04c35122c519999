"""One command from sets to a blend: collect columns, judge with folds held out, learn from all, write it down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import polars as pl

from arandu_lab.bench.blends.collect import code_of_columns, collect
from arandu_lab.bench.blends.folds import CUTS, folds_of, held_out, recalls
from arandu_lab.bench.blends.plan import BlendPlan
from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.data.registry import load
from arandu_lab.bench.rows import filled
from arandu_lab.blends.blend import Blend, Trained
from arandu_lab.blends.design import design
from arandu_lab.blends.fit import Lesson, learned
from arandu_lab.blends.judged import Judged
from arandu_lab.embed.open import open_embedder
from arandu_lab.places import local
from arandu_lab.read.evidence import FLAGS

Watcher = Callable[[str, int, int], None]
"""Told what is being done, how many of it are done, and how many there are."""


@dataclass(frozen=True, kw_only=True)
class Fitted:
    """A blend and what is known of it. ``held``: the rows of ``recalls`` of questions under blends that never saw them."""

    plan: BlendPlan
    blend: Blend
    held: pl.DataFrame = field(repr=False)
    taught: int
    silent: int


def fit_blend(
    plan: BlendPlan,
    *,
    data: str | Path | None = None,
    store: Path = Path("results/.steps"),
    jobs: int = 1,
    force: bool = False,
    watcher: Watcher | None = None,
) -> Fitted:
    """Learn a blend.

    Args:
        plan: What from.
        data: A folder to look for sets in, or the file of the only set.
        store: Where collected columns are kept.
        jobs: Worker processes of the replay.
        force: Replay even what is known.
        watcher: Told how far it is.

    Raises:
        ConfigError: an unknown set, column or setting, or nothing to hold out.
        DatasetError: data that break their format, or without evidence.
        BackendError: a turn or a question failed.
    """
    tell = watcher or (lambda what, done, of: None)
    datasets = sets_of(plan, data)
    judged = collect(
        plan.row, datasets, store, jobs=jobs, force=force, moved=lambda done, of: tell("turns and questions", done, of)
    )
    names = {found.name: source for found, source in zip(datasets, plan.sets, strict=True)}
    weights = {name: source.weight for name, source in names.items()}
    stories = {name: source.story for name, source in names.items() if source.story}
    lesson = lesson_of(plan, judged)
    folds = folds_of(judged, stories)
    moved: Callable[[int, int], None] = lambda done, of: tell("folds", done, of)  # noqa: E731
    scores, _ = held_out(lesson, folds, l2=plan.l2, weights=weights, bends=plan.bends, moved=moved)
    held = recalls(judged, [scores[place] for place in range(len(judged))])
    embedder = open_embedder(str(filled(plan.row)["embedder"])).name
    blend = learned(
        lesson,
        range(len(judged)),
        name=plan.name,
        embedder=embedder,
        l2=plan.l2,
        weights=weights,
        folds=folds if plan.bends else None,
    )
    counts = {one.name: sum(q.dataset == one.name and q.teaches for q in judged) for one in datasets}
    trained = tuple(
        Trained(set=one.name, digest=one.digest, questions=counts[one.name], weight=weights[one.name])
        for one in datasets
    )
    figures = {f"held-out R@{k}": float(held[f"R@{k}"].mean()) for k in CUTS}  # type: ignore[arg-type]
    return Fitted(
        plan=plan,
        blend=replace(blend, trained_on=trained, code=code_of_columns(), figures=figures),
        held=held,
        taught=sum(counts.values()),
        silent=sum(not one.teaches for one in judged),
    )


def sets_of(plan: BlendPlan, data: str | Path | None) -> list[Dataset]:
    """The sets of a plan, in its order. Raises as :func:`arandu_lab.bench.data.registry.load`."""
    if data is not None and len(plan.sets) == 1 and local(data, "data").is_file():
        return [load(data)]
    return [load(one.name, root=data) for one in plan.sets]


def lesson_of(plan: BlendPlan, judged: Sequence[Judged]) -> Lesson:
    """The questions as the terms of the plan see them."""
    columns = [name for name in judged[0].columns if name not in plan.without]
    return Lesson.of(judged, design(columns, FLAGS, signs=plan.signs))
