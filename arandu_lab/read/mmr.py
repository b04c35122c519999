"""A stage ahead of ``cut``: what repeats a better fact waits behind what says something else."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure import scoring
from arandu_lab.pure.mmr import marginal_relevance
from arandu_lab.read.cut import passing
from arandu_lab.read.found import Candidates, Floats, in_order
from arandu_lab.units import Positive, Share


@stage
def mmr(
    found: Candidates, lab: Lab, *, min_score: Share, mmr_lambda: Share = 0.7, mmr_pool: Positive = 100
) -> Candidates:
    """Order the ``mmr_pool`` best facts that ``cut`` could keep by ``lambda * score - (1 - lambda) * likeness``.

    The likeness is the greatest cosine, on the documented scale, to a fact chosen before; a fact without a vector is like
    nobody. Scores stay as they are: columns ``mmr`` (the value with which a fact was chosen) and ``mmr_rank`` (from 1)
    are added, null for those that take no part, and ``cut`` takes facts in that order. With lambda 1 the ranking is
    unchanged.
    """
    table = found.table.without("mmr", "mmr_rank")
    table = in_order(table, "score" if "score" in table else "formula")
    score = table.get("score", table["formula"])
    places = np.flatnonzero(passing(table, min_score))[:mmr_pool]
    value, rank = np.full(len(table), np.nan), np.full(len(table), np.nan)
    alike = _likeness(lab.memory.facts.matrix[table["position"][places]], lab)
    order, values = marginal_relevance(score[places], alike, share=mmr_lambda)
    chosen = places[order]
    value[chosen], rank[chosen] = values, np.arange(1, len(chosen) + 1)
    lab.log(mmr_pool=len(places), mmr_moved=int((order != np.arange(len(order))).sum()))
    return found.having(table.with_columns(mmr=value, mmr_rank=rank))


def _likeness(matrix: NDArray[np.float32], lab: Lab) -> Floats:
    """Cosines of each two rows on the documented scale, shape ``(n, n)``; 0 where one of them has no vector."""
    size = len(matrix)
    if not size or not matrix.shape[1]:
        return np.zeros((size, size))
    known = np.asarray(matrix.any(axis=1))
    alike = np.stack([scoring.cosines(matrix, row, lab.embed.scale) for row in matrix])
    return np.where(known[:, None] & known[None, :], alike, 0.0)
