"""Stage 4b of reading: from the formula score and the grade to the score. Pure; a sweep over it costs nothing."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure import scoring
from arandu_lab.read.found import Candidates, in_order
from arandu_lab.units import Share


@stage
def blend(found: Candidates, lab: Lab, *, reranker_weight: Share, min_reranker_score: Share) -> Candidates:
    """Let the judgement dim the formula score, and silence what it finds irrelevant.

    ``final = formula * ((1 - w) + w * reranker)``; below ``min_reranker_score`` the result is 0. A fact that was shown
    and got no grade keeps its formula score; one that was never shown has none (null) and ranks last.

    >>> round(scoring.blend(formula=0.45, judgement=0.0, weight=0.70), 3)
    0.135
    """
    frame = found.frame
    if "reranker" not in frame.columns:
        frame = frame.with_columns(pooled=pl.lit(True), reranker=pl.lit(None, dtype=pl.Float64))
    formula, grade = pl.col("formula"), pl.col("reranker")
    blended = scoring.blend(formula, grade, reranker_weight, veto=min_reranker_score)
    frame = frame.with_columns(
        score=pl.when(pl.col("pooled")).then(pl.when(grade.is_null()).then(formula).otherwise(blended)),
        veto_margin=grade - min_reranker_score,
    )
    vetoed = frame.filter(pl.col("veto_margin") < 0.0)
    lab.log(vetoed=dict(vetoed.select("fact_id", "veto_margin").iter_rows()))
    return replace(found, frame=in_order(frame, "score"))
