"""How old the evidence of a question is, and what ranks before what: a row a setting and turn that should be found, or not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import polars as pl

from arandu_lab.bench.data.model import Conversation, Dataset, Question
from arandu_lab.bench.measures import chance
from arandu_lab.bench.replay import Answer
from arandu_lab.errors import ConfigError

DAY = 86_400.0


def turn_rows(
    dataset: Dataset, conversation: Conversation, answers: Sequence[Sequence[Answer]], bins: Sequence[int]
) -> pl.DataFrame:
    """Where the turns stand that answer each question, and those that say what was over by then.

    Args:
        answers: One list a setting, in the conversation's order of questions.
        bins: Ends of the spans of age, in days, rising; a last span holds what is older.

    Returns:
        ``setting`` (its place), ``dataset language conversation question category kind`` (``evidence`` or ``stale``),
        ``turn age`` (days at the question's date) ``span`` (its place) ``rank`` (from 1; null: not returned) ``heard``
        (turns). Failed answers have no row.
    """
    said = {turn.id: turn.occurred_at for turn in conversation.turns}
    rivals = rivals_of(conversation)
    rows: list[dict[str, Any]] = []
    over = {question.id: sorted(rivals(question)) for question in conversation.questions}
    for setting, mine in enumerate(answers):
        for question, answer in zip(conversation.questions, mine, strict=True):
            if answer.returned is None or question.absent:
                continue
            ranks = {turn: rank for rank, turn in enumerate(answer.returned, start=1)}
            for kind, turns in (("evidence", question.evidence), ("stale", over[question.id])):
                for turn in turns:
                    if turn not in said:
                        continue
                    age = max(0.0, (question.asked_at - said[turn]).total_seconds() / DAY)
                    rows.append(
                        {
                            "setting": setting,
                            "dataset": dataset.name,
                            "language": dataset.language.split("-")[0],
                            "conversation": conversation.id,
                            "question": question.id,
                            "category": question.category,
                            "kind": kind,
                            "turn": turn,
                            "age": age,
                            "span": sum(age > end for end in bins),
                            "rank": ranks.get(turn),
                            "heard": answer.heard,
                        }
                    )
    return pl.DataFrame(rows, schema=_SCHEMA)


def rivals_of(conversation: Conversation) -> Callable[[Question], frozenset[str]]:
    """Question -> the turns that say what its answer replaced: what a reader must not take for the answer.

    That are the turns of the question's ``stale`` facts where the dataset names them, else those of every fact that a gold
    fact of the evidence replaces (``of``, and what that one replaced). No turn of the evidence is among them; none is known
    without gold.
    """
    gold = conversation.gold or {}
    facts = {fact.id: fact for turn in gold.values() for fact in turn.facts}
    told: dict[str, list[str]] = {}
    for turn_id, turn in gold.items():
        for fact in turn.facts:
            told.setdefault(fact.id, []).append(turn_id)
            if fact.decision == "NOOP" and fact.of is not None:
                told.setdefault(fact.of, []).append(turn_id)

    def rivals(question: Question) -> frozenset[str]:
        over = set(question.stale)
        if not over:
            todo = [fact for turn in question.evidence if turn in gold for fact in gold[turn].facts]
            while todo:
                one = todo.pop()
                if one.decision == "UPDATE" and one.of in facts and one.of not in over:
                    over.add(one.of)
                    todo.append(facts[one.of])
        return frozenset(turn for fact in over for turn in told.get(fact, ())) - frozenset(question.evidence)

    return rivals


def spans(bins: Sequence[int]) -> list[str]:
    """What the spans of age are called.

    Raises:
        ConfigError: ends that do not rise.

    >>> spans([7, 30, 365])
    ['up to 7 days', '8 to 30', '31 to 365', 'older']
    """
    if not bins or any(b <= a for a, b in pairwise((0, *bins))):
        raise ConfigError(f"bins = {list(bins)}; wants days that rise, such as [7, 30, 90, 365]")
    return [f"up to {bins[0]} days", *(f"{a + 1} to {b}" for a, b in pairwise(bins)), "older"]


def shares(rows: pl.DataFrame, k: int) -> pl.DataFrame:
    """Per setting, question and span of age: the share of its evidence of that age among the ``k`` best, and the level of
    chance (``k`` of the turns heard)."""
    return (
        rows.filter(pl.col("kind") == "evidence")
        .group_by("setting", "dataset", "language", "conversation", "question", "category", "span", maintain_order=True)
        .agg(
            (pl.col("rank") <= k).fill_null(value=False).mean().alias("value"),
            pl.min_horizontal(pl.lit(1.0), k / pl.col("heard").first()).alias("chance"),
        )
    )


def firsts(rows: pl.DataFrame) -> pl.DataFrame:
    """Per setting and question: one over the rank of its best evidence (0 where none was returned), and the level of chance."""
    found = (
        rows.filter(pl.col("kind") == "evidence")
        .group_by("setting", "dataset", "language", "conversation", "question", "category", maintain_order=True)
        .agg(
            (1 / pl.col("rank").min()).fill_null(0.0).alias("value"),
            pl.len().alias("turns"),
            pl.col("heard").first(),
        )
    )
    levels = [chance("RR", heard, turns) for heard, turns in found.select("heard", "turns").iter_rows()]
    return found.with_columns(pl.Series("chance", levels, dtype=pl.Float64)).drop("turns", "heard")


def before(rows: pl.DataFrame) -> pl.DataFrame:
    """Per setting and question that has both: the best rank of its evidence and of what was over, and whether that stands
    before it (``stale_first``: a half where neither was returned)."""
    return (
        rows.group_by("setting", "dataset", "language", "conversation", "question", "category", maintain_order=True)
        .agg(
            pl.col("rank").filter(pl.col("kind") == "evidence").min().alias("evidence"),
            pl.col("rank").filter(pl.col("kind") == "stale").min().alias("stale"),
            (pl.col("kind") == "stale").any().alias("has_stale"),
            (pl.col("kind") == "evidence").any().alias("has_evidence"),
        )
        .filter("has_stale", "has_evidence")
        .with_columns(
            pl.when(pl.col("evidence").is_null() & pl.col("stale").is_null())
            .then(0.5)
            .otherwise((pl.col("stale").fill_null(10**6) < pl.col("evidence").fill_null(10**6)).cast(pl.Float64))
            .alias("stale_first")
        )
        .drop("has_stale", "has_evidence")
    )


_SCHEMA: dict[str, Any] = {
    "setting": pl.Int64,
    **dict.fromkeys(("dataset", "language", "conversation", "question", "category", "kind", "turn"), pl.String),
    "age": pl.Float64,
    **dict.fromkeys(("span", "rank", "heard"), pl.Int64),
}
