"""The read pipelines that come in the box, assembled: the documented one, and the one tuned for recall."""

from __future__ import annotations

from arandu_lab.pipeline import Pipeline
from arandu_lab.read.stages import (
    blend,
    cut,
    expand_query,
    follow,
    judge,
    learned,
    period,
    plan,
    render,
    retrieval,
    spread,
    unjudged,
    weighing,
)


def reading(*, enable_reranker: bool = True) -> Pipeline:
    """Plan, retrieve, enhance, rerank, format. Without the reranker, the formula order stands.

    >>> reading(enable_reranker=False)
    plan() >> expand_query() >> retrieval() >> spread() >> unjudged() >> blend() >> cut() >> render()
    """
    judged = judge().otherwise(unjudged()) if enable_reranker else unjudged()
    return plan() >> expand_query() >> retrieval() >> spread() >> judged >> blend() >> cut() >> render()


def reading_tuned() -> Pipeline:
    """Turns ranked as evidence by a learned blend of many columns, facts following their turns. No model is asked.

    >>> "learned" in reading_tuned().names(), "turns" in reading_tuned().names(), "dates" in reading_tuned().names()
    (True, False, True)
    """
    signals = plan() >> period() >> expand_query() >> (retrieval() >> spread()).without("turns")
    return signals >> weighing() >> learned() >> unjudged() >> follow() >> cut() >> render()
