"""The judgement: quality question by question, costs conversation by conversation, time against a control."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import polars as pl

from arandu_lab.bench import statistics
from arandu_lab.bench.compare import long, paired_means, unlike
from arandu_lab.bench.frames import Frames
from arandu_lab.bench.gate.chance import judged, said
from arandu_lab.bench.gate.costs import cost_findings, time_findings
from arandu_lab.bench.gate.health import broken, failures, hollowed
from arandu_lab.bench.gate.tolerance import Tolerance
from arandu_lab.bench.gate.verdict import Finding, Lost, Verdict, Worst
from arandu_lab.bench.made import read_result
from arandu_lab.bench.measures import parse
from arandu_lab.bench.plan import Plan
from arandu_lab.bench.provenance import first_change


class Lies(Protocol):
    """What lies in a folder, such as what ``experiment`` gives back."""

    @property
    def folder(self) -> Path:
        """The folder of a result."""
        ...


Result: TypeAlias = str | Path | tuple[Plan, Frames] | Lies
Texts: TypeAlias = Mapping[tuple[str, str, str], str]
_ALONE = pl.col("conversation") + "/" + pl.col("question")
FEW = 3
"""With fewer conversations there is no interval over them that could tell anything; it is over questions instead."""


def gate(
    before: Result,
    after: Result,
    *,
    tolerance: Tolerance | None = None,
    control: str | None = None,
    texts: Texts | None = None,
) -> Verdict:
    """Judge a run against a baseline.

    A figure regresses where it is worse beyond the tolerance, or where it is worse at all (costs: by more than
    :data:`LEAST`) and chance is ruled out (:mod:`arandu_lab.bench.gate.chance`: the level is that of the whole gate). A
    question that the baseline answered and the run did not is a regression too, unless ``tolerance.failed`` allows so
    many; figures are over the questions that both have a value for, and say how many they leave out.

    Intervals are over conversations. A dataset with fewer than three has none worth the name: there, they are over
    questions, and the verdict says so. That interval is narrower than an honest one would be, so such a gate alarms
    sooner, never later; costs are then held to the tolerance alone.

    Args:
        before: The baseline: a folder, what ``experiment`` gave back, or a plan with its frames.
        after: The run.
        control: The system that times are put in ratio to; by default one of the run that embeds and asks no model.
        texts: (dataset, conversation, question) -> words, for the questions that were lost.

    Raises:
        ConfigError: no result lies there, or no system of the name of ``control`` in both.
    """
    limits = tolerance or Tolerance()
    (plan, old), (now, new) = _read(before), _read(after)
    if reasons := _incomparable(plan, old, now):
        return Verdict(code=2, reasons=reasons)
    if reasons := (*broken(now, new), *hollowed(old, new)):
        return Verdict(code=3, reasons=tuple(reasons), changed=_changed(plan, now))
    measures = list(plan.measures)
    main = "R@10" if "R@10" in measures else measures[0]
    findings, lost, worst, notes = [], [], [], []
    for dataset in dict(plan.made.get("datasets", {})) or old.questions["dataset"].unique(maintain_order=True):
        conversations = old.questions.filter(pl.col("dataset") == dataset)["conversation"].n_unique()
        if conversations < FEW:
            notes.append(_few(dataset, conversations))
        for row in plan.rows:
            sides = (long(old, dataset, row.name, measures), long(new, dataset, row.name, measures))
            findings += failures(dataset, row.name, old, new, limits)
            findings += [
                found
                for measure in measures
                if (found := _quality(dataset, row.name, measure, *sides, conversations, limits)) is not None
            ]
            findings += cost_findings(dataset, row.name, old, new, conversations >= FEW, limits)
            lost += _lost(dataset, row.name, main, *sides, texts or {})
            worst += _worst(dataset, row.name, main, *sides)
    timed, untimed = time_findings(plan, old, new, control, limits)
    findings += timed
    findings = judged(findings, limits)
    notes += [*said(findings, limits), *untimed]
    fresh = [row.name for row in now.rows if row.name not in {one.name for one in plan.rows}]
    if fresh:
        notes.append(f"not in the baseline, so not judged: {', '.join(fresh)}")
    return Verdict(
        code=1 if any(one.regressed for one in findings) else 0,
        measure=main,
        findings=tuple(findings),
        lost=tuple(lost),
        worst=tuple(worst),
        changed=_changed(plan, now),
        notes=(*notes, *_versions(plan, now)),
    )


def _read(result: Result) -> tuple[Plan, Frames]:
    if isinstance(result, tuple):
        return result
    return read_result(Path(result) if isinstance(result, str | Path) else result.folder)


def _incomparable(plan: Plan, old: Frames, now: Plan) -> tuple[str, ...]:
    out = list(unlike(plan, now))
    names = {row.name for row in now.rows}
    if gone := [row.name for row in plan.rows if row.name not in names]:
        out.append(f"of the baseline, {', '.join(gone)} is not in this run; run it too, or update the baseline")
    if gone := [one for one in plan.measures if one not in now.measures]:
        out.append(f"of the baseline, {', '.join(gone)} is not measured; name it in measures, or update the baseline")
    out += [f"the baseline itself is broken: {one}" for one in broken(plan, old)]
    return tuple(out)


def _quality(
    dataset: str,
    system: str,
    measure: str,
    before: pl.DataFrame,
    after: pl.DataFrame,
    conversations: int,
    limits: Tolerance,
) -> Finding | None:
    if statistics.pairs(before, after, measure)["difference"].drop_nulls().is_empty():
        return None
    if conversations < FEW:
        before, after = (frame.with_columns(conversation=_ALONE) for frame in (before, after))
    found = statistics.compare(before, after, measure, level=limits.level)
    one, moved = found.interval, bool(found.wins or found.losses)
    ends = (one.low, one.high) if parse(measure).falls or one.low is None or one.high is None else (-one.high, -one.low)
    return Finding(
        dataset=dataset,
        system=system,
        kind="quality",
        figure=measure,
        **paired_means(before, after, measure),
        change=0.0 if not moved else one.mean if parse(measure).falls else -one.mean,
        low=ends[0],
        high=ends[1],
        over=f"over {one.clusters} {'conversations' if conversations >= FEW else 'questions'}",
        limit=limits.quality,
        p=found.p if moved else None,
        unpaired=found.unpaired,
    )


def _lost(
    dataset: str, system: str, measure: str, before: pl.DataFrame, after: pl.DataFrame, texts: Texts
) -> list[Lost]:
    """Questions that have no value any more, then those whose value fell, those that fell furthest first."""
    worse = 1.0 if parse(measure).falls else -1.0
    pairs = statistics.pairs(before, after, measure).drop_nulls("before")
    loss = (worse * pl.col("difference")).fill_null(float("inf"))
    fallen = pairs.with_columns(loss.alias("loss")).filter(pl.col("loss") > 1e-12)
    fallen = fallen.sort("loss", "conversation", "question", descending=[True, False, False])
    return [
        Lost(
            dataset=dataset,
            system=system,
            conversation=row["conversation"],
            question=row["question"],
            category=row["category"],
            before=row["before"],
            after=row["after"],
            text=texts.get((dataset, row["conversation"], row["question"]), ""),
        )
        for row in fallen.iter_rows(named=True)
    ]


def _worst(dataset: str, system: str, measure: str, before: pl.DataFrame, after: pl.DataFrame) -> list[Worst]:
    worse = 1.0 if parse(measure).falls else -1.0
    pairs = statistics.pairs(before, after, measure).drop_nulls("difference")
    found = (
        pairs.group_by("category")
        .agg(pl.len(), pl.col("before").mean(), pl.col("after").mean())
        .with_columns((worse * (pl.col("after") - pl.col("before"))).alias("loss"))
        .filter(pl.col("loss") > 1e-12)
        .sort("loss", "category", descending=[True, False])
    )
    return [
        Worst(
            dataset=dataset,
            system=system,
            category=row["category"],
            questions=row["len"],
            before=row["before"],
            after=row["after"],
        )
        for row in found.head(1).iter_rows(named=True)
    ]


def _changed(before: Plan, after: Plan) -> dict[str, str]:
    stages: list[dict[str, Any]] = [dict(plan.made.get("stages", {})) for plan in (before, after)]
    found = {name: first_change(stages[0][name], stages[1][name]) for name in stages[0] if name in stages[1]}
    return {name: said for name, said in found.items() if said is not None}


def _versions(before: Plan, after: Plan) -> list[str]:
    one, two = (dict(plan.made.get("versions", {})) for plan in (before, after))
    other = [
        f"{name} {one.get(name, '–')} → {two.get(name, '–')}"
        for name in {**one, **two}
        if one.get(name) != two.get(name)
    ]
    return [f"packages that differ from the baseline's: {', '.join(other)}"] if other else []


def _few(dataset: str, conversations: int) -> str:
    what = "one conversation" if conversations == 1 else f"{conversations} conversations"
    return (
        f"{dataset} has {what}, too few for an interval over them: intervals are over its questions, narrower than they "
        "should be, so this gate alarms sooner; costs are held to the tolerance alone"
    )
