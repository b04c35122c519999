"""Columns of meaning: cosines of turns and their windows with the question as asked, as a statement, and in first person."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arandu_lab.pipeline import Lab, stage
from arandu_lab.pipeline.lab import Mask
from arandu_lab.read.evidence.asked import asked
from arandu_lab.read.evidence.columns import unknown, written
from arandu_lab.read.evidence.opened import Held
from arandu_lab.read.found import Candidates, Floats
from arandu_lab.records import Vector


@stage
async def dense(found: Candidates, lab: Lab) -> Candidates:
    """Write how near each turn and its neighbours are in meaning; two texts are embedded beside the question, in one batch.

    What a speaker says of himself has "I" where the question has his name, so the question is also compared in that form.
    A window is the mean of what its turns' vectors say; no text is embedded but the turn's own, once, when it is written.
    """
    question = asked(found, lab)
    matrix = lab.memory.events.matrix
    if found.vector is None or not question.open.any() or not matrix.shape[1]:
        return unknown(found, lab, "dense")
    declarative, personal = await lab.embed([question.declarative, question.personal])
    held = question.opened.held(lab.memory)
    cosines = _cosines(matrix, [found.vector, declarative, personal], held.mask)
    near, wide = _mean(cosines, held, 1, 1), _mean(cosines[:1], held, 3, 3)
    return written(
        found,
        lab,
        "dense",
        {
            "d_text": cosines[0],
            "d_pair": _mean(cosines[:1], held, 1, 0)[0],
            "d_w1": near[0],
            "d_w3": wide[0],
            "d_decl": cosines[1],
            "d_declw1": near[1],
            "d_first": cosines[2],
            "d_firstw1": near[2],
        },
    )


@stage
def dense_silent(found: Candidates, lab: Lab) -> Candidates:
    """Write that nobody can tell, in the place of ``dense`` when the embedder failed."""
    return unknown(found, lab, "dense")


def _cosines(matrix: Vector, vectors: Sequence[Vector | None], held: Mask) -> Floats:
    """Shape ``(forms, n)``; NaN for a turn without a vector, and for a form in which there is nothing to embed."""
    given = np.stack([np.zeros(matrix.shape[1], np.float32) if one is None else one for one in vectors])
    found = np.ascontiguousarray((matrix @ given.T).T).astype(np.float64)
    np.round(found, 6, out=found)
    found[:, ~held] = np.nan
    found[[one is None for one in vectors]] = np.nan
    return found


def _mean(cosines: Floats, held: Held, before: int, after: int) -> Floats:
    """The mean cosine of the turns around each, those without a vector left out; shapes ``(forms, n)``."""
    there = held.around(before, after)
    unknown = np.isnan(cosines)
    total = held.spans.window(np.where(unknown, 0.0, cosines), before, after)
    mean = np.full(cosines.shape, np.nan)
    np.divide(total, there, out=mean, where=there > 0.0)
    mean[unknown[:, held.mask].any(axis=1)] = np.nan
    return mean
