"""Whether a run is sound enough to be judged: failure must not look like a bad figure, nor like a good one."""

from __future__ import annotations

import polars as pl

from arandu_lab.bench import tables
from arandu_lab.bench.frames import Frames
from arandu_lab.bench.gate.tolerance import Tolerance
from arandu_lab.bench.gate.verdict import Finding
from arandu_lab.bench.plan import Plan


def broken(plan: Plan, frames: Frames) -> tuple[str, ...]:
    """What is wrong with a run; empty for a sound one.

    Below the coverage that the plan asks for; errors after the last question; a system that returned nothing to any
    question, or has a value for none though it ranks; a dataset or system without rows.
    """
    out = []
    short = tables.coverage(frames).filter((pl.col("share") < plan.coverage) | (pl.col("answered") == 0))
    for row in short.iter_rows(named=True):
        first = frames.errors.filter((pl.col("system") == row["system"]) & (pl.col("dataset") == row["dataset"]))
        said = f"; first: {first['message'][0]}" if not first.is_empty() else ""
        out.append(
            f"{row['dataset']}, {row['system']}: {row['answered']} of {row['questions']} questions answered, "
            f"{row['lost']} of {row['heard']} turns lost{said}"
        )
    late = frames.errors.filter(~pl.col("phase").is_in(["listen", "ask"]))
    if plan.coverage == 1 and not late.is_empty():
        one = late.row(0, named=True)
        out.append(f"{one['dataset']}, {one['system']}, {one['phase']}: {one['message']} ({late.height} in all)")
    asked = frames.questions
    seen = set(asked.select("dataset", "system").unique().iter_rows())
    datasets = list(plan.made.get("datasets", {})) or asked["dataset"].unique().to_list()
    for dataset in datasets:
        for system in plan.rows:
            if (dataset, system.name) not in seen:
                out.append(f"{dataset}, {system.name}: no questions were put")
                continue
            mine = asked.filter((pl.col("dataset") == dataset) & (pl.col("system") == system.name))
            if mine["error"].is_not_null().all():
                continue
            ranked = mine.drop_nulls("returned")
            if not ranked.is_empty() and (ranked["returned"].list.len() == 0).all():
                out.append(f"{dataset}, {system.name}: hollow, it returned nothing to all {ranked.height} questions")
            elif (mine["context_tokens"].fill_null(0) == 0).all() and ranked.is_empty():
                out.append(f"{dataset}, {system.name}: hollow, it ranked nothing and showed nothing")
    return tuple(out)


def failures(dataset: str, system: str, before: Frames, after: Frames, limits: Tolerance) -> list[Finding]:
    """How many of the questions that the baseline answered this run answered; one finding, none where it answered none.

    A question without an error is answered; one that had a value then has to have one now.
    """
    mine = (pl.col("dataset") == dataset) & (pl.col("system") == system) & pl.col("error").is_null()
    then, now = (
        frames.questions.filter(mine).select("conversation", "question", "state") for frames in (before, after)
    )
    both = then.join(now, on=["conversation", "question"], suffix="_now")
    kept = both.filter((pl.col("state") != "scored") | (pl.col("state_now") == "scored")).height
    if then.is_empty():
        return []
    return [
        Finding(
            dataset=dataset,
            system=system,
            kind="failed",
            figure="questions answered",
            before=then.height,
            after=kept,
            change=1 - kept / then.height,
            limit=limits.failed,
        )
    ]


def hollowed(before: Frames, after: Frames) -> tuple[str, ...]:
    """Systems that stored facts then and store none now, or had values then and have none."""
    out = []
    keys = ["dataset", "system"]
    stored = [
        set(frames.extraction.filter(pl.col("kind") == "stored").select(keys).unique().iter_rows())
        for frames in (before, after)
    ]
    scored = [
        set(frames.questions.filter(pl.col("state") == "scored").select(keys).unique().iter_rows())
        for frames in (before, after)
    ]
    there = set(after.questions.select(keys).unique().iter_rows())
    for (had, has), what in ((stored, "it stored facts then and stores none now"), (scored, "no question has a value")):
        out += [f"{dataset}, {system}: hollow, {what}" for dataset, system in sorted((had - has) & there)]
    return tuple(out)
