"""Stage 4c of reading: who is returned, and by how much the others missed it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import polars as pl

from arandu_lab.pipeline import Lab, stage
from arandu_lab.read.found import Candidates, in_order
from arandu_lab.units import Positive, Share

TOLERANCE = 1e-9
"""A score this near below ``min_score`` is taken for it: .5 * .3 is .15 on paper."""


@stage
def cut(found: Candidates, lab: Lab, *, min_score: Share, topk_facts: Positive) -> Candidates:
    """Keep the ``topk_facts`` best at or above ``min_score``; write down why each other candidate is lost.

    ``pool``: never shown to the judge (margin: formula score to the last one shown). ``vetoed``: grade too low (margin
    to the veto). ``min_score``: score too low (margin to it). ``topk``: too many better ones (margin to the last kept).
    """
    frame = found.frame
    held = frame.columns
    score = pl.col("score" if "score" in held else "formula")
    frame = in_order(frame, score.meta.output_name())
    shown = pl.col("pooled") if "pooled" in held else pl.lit(True)
    veto = pl.col("veto_margin").fill_null(0.0) if "veto_margin" in held else pl.lit(0.0)
    passes = shown & (veto >= 0.0) & (score >= min_score - TOLERANCE)
    frame = frame.with_columns(kept=passes & (passes.cum_sum() <= topk_facts))
    last_shown = pl.col("formula").filter(shown).min()
    last_kept = score.filter(pl.col("kept")).min()
    lost, margin = pl.lit(None, dtype=pl.String), pl.lit(None, dtype=pl.Float64)
    for reason, condition, by in (
        ("topk", ~pl.col("kept"), score - last_kept),
        ("min_score", score < min_score - TOLERANCE, score - min_score),
        ("vetoed", veto < 0.0, veto),
        ("pool", ~shown, pl.col("formula") - last_shown),
    ):
        lost = pl.when(condition).then(pl.lit(reason)).otherwise(lost)
        margin = pl.when(condition).then(by).otherwise(margin)
    frame = frame.with_columns(lost=lost, margin=margin)
    counts = Counter(frame["lost"].to_list())
    lab.log(kept=counts.pop(None, 0), **{f"lost_{reason}": count for reason, count in sorted(counts.items())})
    return replace(found, frame=frame)
