"""Signal 1: facts whose meaning lies near the question's. Exact: one matrix times one vector."""

from __future__ import annotations

import numpy as np

from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure import scoring
from arandu_lab.read.found import Scoped, Voice
from arandu_lab.units import Cosine, Positive


@stage
async def semantic(plan: Scoped, lab: Lab, *, min_similarity: Cosine, signal_limit: Positive = 200) -> Voice:
    """Nominate open facts from ``min_similarity`` up, at most ``signal_limit``; embed only when there is something."""
    facts, events = lab.memory.facts, lab.memory.events
    something = (plan.open.any() and facts.matrix.shape[1]) or (plan.turns.any() and events.matrix.shape[1])
    vector = (await lab.embed([plan.similarity_query]))[0] if something else None
    if vector is None:
        return _silence(plan)
    scores = scoring.cosines(facts.matrix, vector, lab.embed.scale)
    with np.errstate(invalid="ignore"):
        near = np.flatnonzero(plan.open & (scores >= min_similarity))
    positions = scoring.best(near, scores, signal_limit, times=facts.valid_from, ids=facts.ids)
    lab.log(semantic_hits=len(near), semantic_nominated=len(positions))
    return Voice(plan=plan, name="semantic", scores=scores, positions=positions, vector=vector)


@stage
def silent(plan: Scoped, lab: Lab) -> Voice:
    """Say nothing, in the place of a signal whose backend failed: its scores are unknown, not zero."""
    return _silence(plan)


def _silence(plan: Scoped) -> Voice:
    return Voice(
        plan=plan,
        name="semantic",
        scores=np.full(len(plan.open), np.nan),
        positions=np.zeros(0, dtype=np.int64),
        heard=False,
    )
