"""Stage 4c of reading: who is returned, and by how much the others missed it."""

from __future__ import annotations

from collections import Counter

import numpy as np

from arandu_lab.pipeline import Lab, stage
from arandu_lab.pipeline.lab import Mask
from arandu_lab.read.found import Candidates, Floats, in_order
from arandu_lab.read.table import Table
from arandu_lab.units import Positive, Share

TOLERANCE = 1e-9
"""A score this near below ``min_score`` is taken for it: .5 * .3 is .15 on paper."""


@stage
def cut(found: Candidates, lab: Lab, *, min_score: Share, topk_facts: Positive) -> Candidates:
    """Keep the ``topk_facts`` best at or above ``min_score``; write down why each other candidate is lost.

    ``pool``: never shown to the judge (margin: formula score to the last one shown). ``vetoed``: grade too low (margin
    to the veto). ``min_score``: score too low (margin to it). ``topk``: too many better ones (margin to the last kept).
    Where ``mmr`` has ranked facts, its order is theirs, and their last margin is one between its values.
    """
    table = found.table.without("kept", "lost", "margin")
    table = in_order(table, "score" if "score" in table else "formula")
    if "mmr_rank" in table:
        table = table.take(np.argsort(table["mmr_rank"], kind="stable"))  # those without a rank follow, in order
    score = table.get("score", table["formula"])
    worth = table.get("mmr", np.full(len(table), np.nan))
    size = len(table)
    shown, veto = _shown(table), _veto(table)
    passes = passing(table, min_score)
    kept = passes & (np.cumsum(passes) <= topk_facts)
    last_shown = table["formula"][shown].min(initial=np.inf)
    behind = np.where(
        np.isnan(worth), score - score[kept].min(initial=np.inf), worth - np.fmin.reduce(worth[kept], initial=np.inf)
    )
    lost, margin = np.full(size, None, dtype=object), np.full(size, np.nan)
    for reason, condition, by in (
        ("topk", ~kept, behind),
        ("min_score", score < min_score - TOLERANCE, score - min_score),
        ("vetoed", veto < 0.0, veto),
        ("pool", ~shown, table["formula"] - last_shown),
    ):
        lost[condition] = reason
        margin[condition] = by[condition]
    margin[np.isinf(margin)] = np.nan  # nobody was shown, or kept: no distance to them
    counts = Counter(lost.tolist())
    lab.log(kept=counts.pop(None, 0), **{f"lost_{reason}": count for reason, count in sorted(counts.items())})
    return found.having(table.with_columns(kept=kept, lost=lost, margin=margin))


def passing(table: Table, min_score: float) -> Mask:
    """Which candidates are shown, not vetoed, and at or above ``min_score``: all that ``topk_facts`` may keep."""
    score = table.get("score", table["formula"])
    return _shown(table) & (_veto(table) >= 0.0) & (score >= min_score - TOLERANCE)


def _shown(table: Table) -> Mask:
    return table.mask("pooled") if "pooled" in table else np.ones(len(table), dtype=np.bool_)


def _veto(table: Table) -> Floats:
    return np.nan_to_num(table.get("veto_margin", np.zeros(len(table))), nan=0.0)
