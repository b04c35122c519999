"""The tables of a run, computed from its frames alone: what is printed, and what ``report.md`` says.

Means are over the questions that have an answer to find (the *headline*); questions about what was never said stand
apart. A question whose system failed is null and lowers ``n``, never the mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from arandu_lab.bench.frames import Frames
from arandu_lab.bench.measures import costs_of

CHANCE = "chance"


def headline(questions: pl.DataFrame) -> pl.DataFrame:
    """The questions that have an answer in what was said."""
    return questions.filter(~pl.col("absent"))


def said_of_headline(frames: Frames, dataset: str) -> str:
    """Which categories the main table is over, and which stand apart; empty where the questions are all of one kind."""
    one = frames.questions.filter(pl.col("dataset") == dataset)
    one = one.filter(pl.col("system") == one["system"].first())
    said = []
    for absent in (False, True):
        sizes = one.filter(pl.col("absent") == absent).group_by("category").len().sort("category")
        said.append(", ".join(f"{category} ({size})" for category, size in sizes.iter_rows()))
    if not said[1] and one["category"].n_unique() < 2:
        return ""
    return f"headline: {said[0] or 'none'}" + (f"; apart, never said: {said[1]}" if said[1] else "")


def main_table(frames: Frames, dataset: str, measures: Sequence[str], costs: Sequence[str] = ()) -> pl.DataFrame:
    """One row a system, in the order of the run, and the level of chance below.

    Columns: ``system``, the measures, ``n`` (questions with a value) of ``asked``, ``precision recall stored``,
    ``duplicates live``, ``tokens_asked tokens_billed calls``, ``would_usd`` (what the tokens asked would have
    cost, null where a price is not known), ``context_tokens`` (mean a question), ``ms_turn ms_question`` (means; with
    ``Seconds`` the only columns that differ between runs), and the ``costs``.
    """
    questions = frames.questions.filter(pl.col("dataset") == dataset)
    asked = headline(questions)
    rows: list[dict[str, Any]] = []
    for system in questions["system"].unique(maintain_order=True):
        mine = asked.filter(pl.col("system") == system)
        rows.append(
            {"system": system}
            | {name: mine[name].mean() for name in measures}
            | {"n": mine.filter(pl.col("state") == "scored").height, "asked": mine.height}
            | _extraction(frames, dataset, system)
            | _cost(frames, dataset, system)
        )
    first = asked.filter(pl.col("system") == rows[0]["system"]) if rows else asked
    rows.append({"system": CHANCE} | {name: first[f"chance {name}"].mean() for name in measures})
    schema: dict[str, Any] = {"system": pl.String, **dict.fromkeys(measures, pl.Float64), **_MAIN}
    table = pl.DataFrame(rows, schema=schema)
    if not costs:
        return table
    priced = costs_of(frames, costs).filter(pl.col("dataset") == dataset).drop("dataset")
    return table.join(priced, on="system", how="left", maintain_order="left")


def usage_table(frames: Frames, dataset: str) -> pl.DataFrame:
    """One row a system and phase: what models were asked, what this run paid, what asking cold would have cost.

    Columns: ``system model phase`` (``write``, ``read``), ``items`` (turns or questions), ``calls input_tokens
    output_tokens tokens_asked``, ``calls_billed tokens_billed``, ``embedded_texts``, ``would_usd`` (null where a price is
    not known).
    """
    usage = frames.usage.filter((pl.col("dataset") == dataset) & pl.col("stage").is_null())
    counts = ("items", "calls", "input_tokens", "output_tokens", "tokens_asked", "calls_billed", "tokens_billed")
    return usage.group_by("system", "model", "phase", maintain_order=True).agg(
        *(pl.col(name).sum() for name in (*counts, "embedded_texts")), _known_sum("would_usd")
    ).with_columns(pl.col("phase").replace({"listen": "write", "ask": "read"}))  # fmt: skip


def _known_sum(name: str) -> pl.Expr:
    """The sum; null where a part is not known."""
    return pl.when(pl.col(name).is_null().any()).then(None).otherwise(pl.col(name).sum()).alias(name)


def by_category(frames: Frames, dataset: str, measure: str) -> pl.DataFrame:
    """``system``, then a column a category that has evidence, then chance as a last row."""
    mine = frames.questions.filter(pl.col("dataset") == dataset)
    systems = mine["system"].unique(maintain_order=True).to_list()
    questions = mine.filter(pl.col("evidence").list.len() > 0)
    categories = sorted(questions["category"].unique())
    rows = []
    for system, column in [*((one, measure) for one in systems), (CHANCE, f"chance {measure}")]:
        mine = questions.filter(pl.col("system") == (systems[0] if system == CHANCE else system))
        parts = {name: mine.filter(pl.col("category") == name)[column].mean() for name in categories}
        rows.append({"system": system, **parts})
    return pl.DataFrame(rows, schema={"system": pl.String, **dict.fromkeys(categories, pl.Float64)})


def category_sizes(frames: Frames, dataset: str) -> dict[str, int]:
    """Questions with evidence in each category."""
    one = frames.questions.filter(pl.col("dataset") == dataset)
    one = one.filter(pl.col("system") == one["system"].first()).filter(pl.col("evidence").list.len() > 0)
    return dict(one.group_by("category").len().sort("category").iter_rows())


def absent_table(frames: Frames, dataset: str) -> pl.DataFrame:
    """``system asked answered silent``: questions about what was never said, and how often a system kept silent.

    A silent system returned nothing. Systems that always return something can only be judged by a reader.
    """
    gone = frames.questions.filter((pl.col("dataset") == dataset) & pl.col("absent"))
    return (
        gone.group_by("system", maintain_order=True)
        .agg(
            pl.len().cast(pl.Int64).alias("asked"),
            pl.col("error").is_null().sum().cast(pl.Int64).alias("answered"),
            (pl.col("returned").list.len() == 0).sum().cast(pl.Int64).alias("silent"),
        )
        .select("system", "asked", "answered", "silent")
    )


def by_conversation(frames: Frames, dataset: str, measure: str) -> pl.DataFrame:
    """``system``, then a column a conversation: the units that may be resampled."""
    asked = headline(frames.questions.filter(pl.col("dataset") == dataset))
    return asked.group_by("system", "conversation", maintain_order=True).agg(pl.col(measure).mean()).pivot(
        on="conversation", index="system", values=measure
    )  # fmt: skip


def curve(frames: Frames, cuts: Sequence[int]) -> pl.DataFrame:
    """``dataset language system k recall`` over the headline, chance among the systems."""
    asked = headline(frames.questions)
    keys = ["dataset", "language"]
    parts = []
    for cut in cuts:
        name = f"R@{cut}"
        recall = (pl.col(name).mean().alias("recall"), pl.lit(cut).alias("k"))
        parts.append(asked.group_by(*keys, "system", maintain_order=True).agg(*recall))
        chance = asked.filter(pl.col("system") == pl.col("system").first().over("dataset"))
        parts.append(
            chance.group_by(*keys, maintain_order=True)
            .agg(pl.col(f"chance {name}").mean().alias("recall"), pl.lit(cut).alias("k"))
            .with_columns(pl.lit(CHANCE).alias("system"))
        )
    return pl.concat([one.select(*keys, "system", "k", "recall") for one in parts]).drop_nulls("recall")


def slots(frames: Frames, dataset: str, system: str) -> pl.DataFrame:
    """``slot gold found recall`` of a system that extracts, commonest slots first."""
    facts = frames.extraction.filter((pl.col("dataset") == dataset) & (pl.col("system") == system))
    facts = facts.filter(pl.col("due"))
    return (
        facts.group_by("slot")
        .agg(pl.len().cast(pl.Int64).alias("gold"), (pl.col("kind") == "stored").sum().cast(pl.Int64).alias("found"))
        .with_columns((pl.col("found") / pl.col("gold")).alias("recall"))
        .sort(["gold", "slot"], descending=[True, False])
    )


def coverage(frames: Frames) -> pl.DataFrame:
    """``dataset system turns heard questions answered share``: what was done without an error."""
    keys = ["dataset", "system"]
    turns = frames.usage.filter((pl.col("phase") == "listen") & pl.col("stage").is_null())
    heard = turns.group_by(keys, maintain_order=True).agg(pl.col("items").sum().alias("heard"))
    lost = frames.errors.filter(pl.col("phase") == "listen").group_by(keys).agg(pl.len().cast(pl.Int64).alias("lost"))
    asked = frames.questions.group_by(keys, maintain_order=True).agg(
        pl.len().cast(pl.Int64).alias("questions"), pl.col("error").is_null().sum().cast(pl.Int64).alias("answered")
    )
    return (
        heard.join(lost, on=keys, how="left", maintain_order="left")
        .join(asked, on=keys, how="left", maintain_order="left")
        .with_columns(pl.col("lost").fill_null(0))
        .select(*keys, "heard", "lost", "questions", "answered")
        .with_columns(
            ((pl.col("heard") - pl.col("lost") + pl.col("answered")) / (pl.col("heard") + pl.col("questions")))
            .fill_nan(0.0)
            .alias("share")
        )
    )


def _extraction(frames: Frames, dataset: str, system: str) -> dict[str, Any]:
    facts = frames.extraction.filter((pl.col("dataset") == dataset) & (pl.col("system") == system))
    count = dict(facts.group_by("kind").len().iter_rows())
    if not count:
        return {}
    stored, missed, repeated = count.get("stored", 0), count.get("missed", 0), count.get("duplicate", 0)
    out: dict[str, Any] = {"duplicates": repeated, "live": count.get("live", 0) + repeated}
    if stored or missed:
        mine = facts.filter((pl.col("kind") == "stored") & pl.col("gold").is_not_null())
        found = mine.filter(pl.col("due"))
        out |= {
            "stored": stored,
            "precision": mine.height / stored if stored else None,
            "recall": found.height / (found.height + missed) if found.height + missed else None,
        }
    return out


def _cost(frames: Frames, dataset: str, system: str) -> dict[str, Any]:
    usage = frames.usage.filter(
        (pl.col("dataset") == dataset) & (pl.col("system") == system) & pl.col("stage").is_null()
    )
    mine = frames.questions.filter((pl.col("dataset") == dataset) & (pl.col("system") == system))
    times = frames.times.filter((pl.col("dataset") == dataset) & (pl.col("system") == system))
    return {
        **{name: int(usage[name].sum()) for name in ("tokens_asked", "tokens_billed", "calls")},
        "would_usd": usage.select(_known_sum("would_usd")).item() if usage.height else None,
        "context_tokens": mine["context_tokens"].mean(),
        "ms_turn": times.filter(pl.col("phase") == "listen")["ms"].mean(),
        "ms_question": times.filter(pl.col("phase") == "ask")["ms"].mean(),
    }


_MAIN: dict[str, Any] = {
    "n": pl.Int64,
    "asked": pl.Int64,
    "precision": pl.Float64,
    "recall": pl.Float64,
    "stored": pl.Int64,
    "duplicates": pl.Int64,
    "live": pl.Int64,
    "tokens_asked": pl.Int64,
    "tokens_billed": pl.Int64,
    "calls": pl.Int64,
    "would_usd": pl.Float64,
    "context_tokens": pl.Float64,
    "ms_turn": pl.Float64,
    "ms_question": pl.Float64,
}
