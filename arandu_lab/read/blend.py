"""Stage 4b of reading: from the formula score and the grade to the score. Pure; a sweep over it costs nothing."""

from __future__ import annotations

import numpy as np

from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure import scoring
from arandu_lab.read.found import Candidates, in_order, ungraded
from arandu_lab.units import Share


@stage
def blend(found: Candidates, lab: Lab, *, reranker_weight: Share, min_reranker_score: Share) -> Candidates:
    """Let the judgement dim the formula score, and silence what it finds irrelevant.

    ``final = formula * ((1 - w) + w * reranker)``; below ``min_reranker_score`` the result is 0. A fact that was shown
    and got no grade keeps its formula score; one that was never shown has none (null) and ranks last.

    >>> round(scoring.blend(formula=0.45, judgement=0.0, weight=0.70), 3)
    0.135
    """
    table = found.table.without("score", "veto_margin")
    if "reranker" not in table:
        table = ungraded(table)
    formula, grade = table["formula"], table["reranker"]
    blended = scoring.blend(formula, grade, reranker_weight, veto=min_reranker_score)
    score = np.where(table.mask("pooled"), np.where(np.isnan(grade), formula, blended), np.nan)
    table = table.with_columns(score=score, veto_margin=grade - min_reranker_score)
    vetoed = np.flatnonzero(table["veto_margin"] < 0.0)
    lab.log(vetoed=dict(zip(table["fact_id"][vetoed].tolist(), table["veto_margin"][vetoed].tolist(), strict=True)))
    return found.having(in_order(table, "score"))
