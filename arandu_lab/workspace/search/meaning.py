"""The semantic voice: facts whose meaning lies near the query's. Exact: one matrix times one vector."""

from __future__ import annotations

import numpy as np

from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure import scoring
from arandu_lab.units import Cosine, Positive
from arandu_lab.workspace.search.found import Asked, Spoken, nominated, silence


@stage
async def meaning(asked: Asked, lab: Lab, *, meaning_floor: Cosine = 0.0, voice_limit: Positive = 100) -> Spoken:
    """Nominate the nearest open facts above ``meaning_floor`` (documented scale), at most ``voice_limit``.

    The embedder is asked only where some open fact has a vector; facts without one are unknown to this voice, not far.
    """
    library = asked.library
    matrix = library.matrix
    if not matrix.shape[1] or not matrix[asked.open].any():
        return silence(asked, "semantic", "no fact has a vector" if asked.open.any() else "no fact may answer")
    vector = (await lab.embed([asked.request.query]))[0]
    if vector is None:
        return silence(asked, "semantic", "the query has no vector")
    if len(vector) != matrix.shape[1]:
        sizes = f"vectors of facts have {matrix.shape[1]} numbers, that of the query {len(vector)}"
        return silence(asked, "semantic", f"another embedder: {sizes}")
    scores = scoring.cosines(matrix, vector, lab.embed.scale)
    with np.errstate(invalid="ignore"):
        near = asked.open & (scores > meaning_floor)
    if not near.any():
        return silence(asked, "semantic", "no fact is near the query")
    named = nominated(scores, near, library.place, voice_limit)
    lab.log(semantic=int(named.sum()))
    return Spoken(asked=asked, voice="semantic", scores=scores, named=named)


@stage
def unheard(asked: Asked, lab: Lab) -> Spoken:
    """Say nothing of meaning, in the place of an embedder that failed or is not asked."""
    return silence(asked, "semantic", "no embedder answered")
