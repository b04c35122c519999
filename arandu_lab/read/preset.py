"""The documented read pipeline, assembled."""

from __future__ import annotations

from arandu_lab.pipeline import Pipeline
from arandu_lab.read.stages import blend, cut, expand_query, judge, plan, render, retrieval, spread, unjudged


def reading(*, enable_reranker: bool = True) -> Pipeline:
    """Plan, retrieve, enhance, rerank, format. Without the reranker, the formula order stands.

    >>> reading(enable_reranker=False)
    plan() >> expand_query() >> retrieval() >> spread() >> unjudged() >> blend() >> cut() >> render()
    """
    judged = judge().otherwise(unjudged()) if enable_reranker else unjudged()
    return plan() >> expand_query() >> retrieval() >> spread() >> judged >> blend() >> cut() >> render()
