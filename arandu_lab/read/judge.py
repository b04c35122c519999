"""Stage 4a of reading: ask a model how relevant the best candidates are. It asks; ``blend`` decides."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from arandu_lab.llm import tasks
from arandu_lab.pipeline import Lab, stage
from arandu_lab.read.found import Candidates
from arandu_lab.units import Positive, Seconds


@stage
async def judge(
    found: Candidates, lab: Lab, *, topk_facts: Positive, reranker_pool_factor: Positive, reranker_timeout_sec: Seconds
) -> Candidates:
    """Grade the best ``reranker_pool_factor * topk_facts`` candidates, each on its own merits, in one question.

    Facts are shown by index with their date, in order of time and not of score, so that the same pool makes the same
    question and no rank leaks into a grade. A grade for an unknown index is ignored and counted; a fact without a grade
    stays ungraded (null), which is not zero.
    """
    pool = found.frame.head(reranker_pool_factor * topk_facts)
    if not pool.height:
        return replace(found, frame=_graded(found.frame, 0, {}))
    shown = pool.select("fact_id", "position", "occurred_at").sort("occurred_at", "fact_id")
    facts = [lab.memory.fact_at(place) for place in shown["position"].to_list()]
    inputs = {
        "query": found.plan.query.text,
        "asked_at": found.plan.as_of.isoformat(),
        "facts": [
            {"i": i, "text": fact.text, "since": fact.valid_from.date().isoformat()} for i, fact in enumerate(facts)
        ],
    }
    answered = await lab.llm.ask(tasks.judge(), inputs, timeout=reranker_timeout_sec)
    grades: dict[str, float] = {}
    unknown = 0
    for item in answered.value.grades:
        if 0 <= item.i < len(facts):
            grades.setdefault(facts[item.i].id, item.grade)
        else:
            unknown += 1
    lab.log(judged=len(facts), grades_unknown=unknown, grades_missing=len(facts) - len(grades))
    return replace(found, frame=_graded(found.frame, pool.height, grades))


@stage
def unjudged(found: Candidates, lab: Lab) -> Candidates:
    """Grade nothing: the formula order stands."""
    return replace(found, frame=_graded(found.frame, found.frame.height, {}))


def _graded(frame: pl.DataFrame, pool: int, grades: dict[str, float]) -> pl.DataFrame:
    return frame.with_columns(
        pooled=pl.int_range(pl.len()) < pool,
        reranker=pl.Series([grades.get(fact_id) for fact_id in frame["fact_id"].to_list()], dtype=pl.Float64),
    )
