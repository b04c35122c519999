"""Tidy frames of an experiment. A frame of quality always has columns of cost, and the level of chance.

``relevance`` says by which gold: ``as given``, or ``as corrected`` where corrections were laid over it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from arandu_lab.bench import tables
from arandu_lab.bench.frames import Frames
from arandu_lab.bench.measures import costs_of
from arandu_lab.bench.plan import Plan

GIVEN, CORRECTED = "as given", "as corrected"
_EXTRACTED = ("precision", "recall", "stored", "duplicates", "live")


def summary(plan: Plan, sides: Mapping[str, Frames], datasets: Sequence[str]) -> pl.DataFrame:
    """A row a dataset, gold and system, and one of chance: measures, ``n`` of ``asked``, ``errored``, costs.

    What was extracted (``precision recall stored duplicates live``) stands there where a system extracts.
    """
    parts = []
    for dataset in datasets:
        for relevance, frames in sides.items():
            table = tables.main_table(frames, dataset, plan.measures, plan.costs)
            failed = frames.questions.filter((pl.col("dataset") == dataset) & ~pl.col("absent"))
            lost = failed.group_by("system").agg((pl.col("state") == "failed").sum().cast(pl.Int64).alias("errored"))
            table = table.join(lost, on="system", how="left", maintain_order="left")
            parts.append(table.with_columns(dataset=pl.lit(dataset), relevance=pl.lit(relevance)))
    whole = pl.concat(parts)
    gone = {*_EXTRACTED} if whole["stored"].is_null().all() else set[str]()
    first = ["dataset", "relevance", "system", *plan.measures, "n", "asked", "errored"]
    return whole.select(*first, *(name for name in whole.columns if name not in {*first, *gone}))


def per_question(plan: Plan, sides: Mapping[str, Frames]) -> pl.DataFrame:
    """A row a question, system, measure and gold: ``value chance state error``, and what the question cost."""
    keys = ["dataset", "language", "conversation", "question", "system"]
    cost = ["tokens_asked", "calls", "context_tokens"]
    parts = []
    for relevance, frames in sides.items():
        times = frames.times.filter(pl.col("phase") == "ask").select(
            *keys[:3], pl.col("item").alias("question"), "system", "ms"
        )
        asked = frames.questions.join(times, on=keys, how="left", maintain_order="left")
        for measure in plan.measures:
            parts.append(
                asked.select(
                    *keys,
                    "category",
                    "absent",
                    pl.lit(relevance).alias("relevance"),
                    pl.lit(measure).alias("measure"),
                    pl.col(measure).alias("value"),
                    pl.col(f"chance {measure}").alias("chance"),
                    "state",
                    "error",
                    *cost,
                    "ms",
                )
            )
    return pl.concat(parts)


def by_category(plan: Plan, sides: Mapping[str, Frames]) -> pl.DataFrame:
    """A row a category of a dataset, system, measure and gold: ``mean chance n asked``, costs a question.

    Categories whose answer was never said have no value.
    """
    keys = ["dataset", "relevance", "system", "category", "measure"]
    return _means(per_question(plan, sides), keys)


def by_conversation(plan: Plan, sides: Mapping[str, Frames]) -> pl.DataFrame:
    """A row a conversation, system, measure and gold: ``mean chance n asked``, costs a question, and a turn.

    Over the questions that have an answer to find.
    """
    keys = ["dataset", "relevance", "system", "conversation", "measure"]
    means = _means(per_question(plan, sides).filter(~pl.col("absent")), keys)
    frames = next(iter(sides.values()))
    written = costs_of(frames, ("Tokens.write", "Calls.write"), by=("conversation",))
    written = written.rename({"Tokens.write": "tokens_turn", "Calls.write": "calls_turn"})
    return means.join(written, on=["dataset", "system", "conversation"], how="left", maintain_order="left")


def usage(frames: Frames, datasets: Sequence[str]) -> pl.DataFrame:
    """A row a dataset, system and phase: asked, billed, would-have-cost (US dollars), and seconds of this machine."""
    side = pl.col("phase").replace({"listen": "write", "rest": "write", "ask": "read"})
    seconds = frames.times.group_by("dataset", "system", side).agg((pl.col("ms").sum() / 1000).alias("seconds"))
    parts = [tables.usage_table(frames, one).with_columns(dataset=pl.lit(one)) for one in datasets]
    table = pl.concat(parts).join(seconds, on=["dataset", "system", "phase"], how="left", maintain_order="left")
    return table.select("dataset", *(name for name in table.columns if name != "dataset"))


def _means(long: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    known: Any = pl.col("value").is_not_null()
    return long.group_by(keys, maintain_order=True).agg(
        pl.col("value").mean().alias("mean"),
        pl.col("chance").filter(known).mean(),
        known.sum().cast(pl.Int64).alias("n"),
        pl.len().cast(pl.Int64).alias("asked"),
        (pl.col("state") == "failed").sum().cast(pl.Int64).alias("errored"),
        pl.col("tokens_asked").mean().alias("tokens_question"),
        pl.col("calls").mean().alias("calls_question"),
        pl.col("context_tokens").mean(),
        pl.col("ms").mean().alias("ms_question"),
    )
