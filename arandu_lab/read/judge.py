"""Stage 4a of reading: ask a model how relevant the best candidates are. It asks; ``blend`` decides."""

from __future__ import annotations

import numpy as np

from arandu_lab.llm import tasks
from arandu_lab.pipeline import Lab, stage
from arandu_lab.read.found import Candidates, ungraded
from arandu_lab.read.table import Table
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
    table = found.table.without("pooled", "reranker")
    pool = table.head(reranker_pool_factor * topk_facts)
    if not len(pool):
        return found.having(graded(table, 0, {}))
    shown = sorted(zip(pool["occurred_at"].tolist(), pool["fact_id"].tolist(), pool["position"].tolist(), strict=True))
    facts = [lab.memory.fact_at(place) for *_, place in shown]
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
    return found.having(graded(table, len(pool), grades))


@stage
def unjudged(found: Candidates, lab: Lab) -> Candidates:
    """Grade nothing: the formula order stands."""
    return found.having(ungraded(found.table.without("pooled", "reranker")))


def graded(table: Table, pool: int, grades: dict[str, float]) -> Table:
    """The table with ``pooled`` for its first ``pool`` rows and ``reranker``: the grade of each fact that has one."""
    given = [grades.get(fact_id, np.nan) for fact_id in table["fact_id"].tolist()]
    return table.with_columns(pooled=np.arange(len(table)) < pool, reranker=np.asarray(given, dtype=np.float64))
