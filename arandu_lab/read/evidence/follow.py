"""Facts follow the turn that they were told in: one ranking of evidence, whether it is read as a fact or as a quotation."""

from __future__ import annotations

import numpy as np

from arandu_lab.pipeline import Lab, stage
from arandu_lab.read.evidence.votes import source_turns
from arandu_lab.read.found import Candidates, in_order, ungraded
from arandu_lab.records import MIRROR


@stage
def follow(found: Candidates, lab: Lab) -> Candidates:
    """Write ``score``: that of the source turn times the fact's share of the best formula score among that turn's facts.

    A fact that was inferred from an edge, or whose turn is not open, keeps its formula score.
    """
    table = found.table.without("score", "veto_margin")
    if "reranker" not in table:
        table = ungraded(table)
    formula = table["formula"]
    score = formula.copy()
    if "turn_score" in found.evidence and len(table):
        sources = source_turns(found, lab)
        sources[[lab.memory.fact_at(place).source_context == MIRROR for place in table["position"].tolist()]] = -1
        mask = found.evidence.mask("open")
        told = np.flatnonzero(sources >= 0)
        told = told[mask[sources[told]]]
        best = np.zeros(len(mask))
        np.maximum.at(best, sources[told], formula[told])
        turn = sources[told]
        score[told] = found.evidence["turn_score"][turn] * formula[told] / np.maximum(best[turn], 1e-9)
    table = table.with_columns(score=score, veto_margin=np.full(len(table), np.nan))
    lab.log(followed=int((score != formula).sum()))
    return found.having(in_order(table, "score"))
