"""Stage 8: what repeats a better fact waits behind what says something else."""

from __future__ import annotations

import numpy as np

from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure import scoring
from arandu_lab.pure.fusion import by_max, top
from arandu_lab.pure.mmr import marginal_relevance
from arandu_lab.units import Positive, Share
from arandu_lab.workspace.search.found import Ranking, worth
from arandu_lab.workspace.search.library import Floats, Library, Positions


@stage
def diversify(ranking: Ranking, lab: Lab, *, mmr_lambda: Share = 0.7, mmr_pool: Positive = 50) -> Ranking:
    """Order the ``mmr_pool`` best by ``lambda * score - (1 - lambda) * likeness``, scores divided by the greatest.

    The likeness of two facts is their cosine on the documented scale where both have a vector, else the share of words
    that they have in common. With lambda 1 the ranking is unchanged.
    """
    table, library = ranking.table, ranking.asked.library
    value, rank = np.full(len(table), np.nan), np.full(len(table), np.nan)
    pool = top(worth(table), mmr_pool, tie=library.place[table["position"]])
    alike = likeness(library, table["position"][pool], lab)
    order, values = marginal_relevance(by_max(worth(table)[pool]), alike, share=mmr_lambda)
    chosen = pool[order]
    value[chosen], rank[chosen] = values, np.arange(1, len(chosen) + 1)
    lab.log(mmr_moved=int((order != np.arange(len(order))).sum()))
    return ranking.having(table.with_columns(mmr=value, mmr_rank=rank))


def likeness(library: Library, positions: Positions, lab: Lab) -> Floats:
    """How alike facts are, shape ``(k, k)``, 0 to 1."""
    alike = library.shared_words(positions)
    rows = library.matrix[positions]
    if not rows.shape[1]:
        return alike
    known = np.asarray(rows.any(axis=1))
    cosines = np.stack([scoring.cosines(rows, row, lab.embed.scale) for row in rows]) if len(rows) else alike
    return np.where(known[:, None] & known[None, :], cosines, alike)
