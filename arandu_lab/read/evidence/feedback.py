"""Columns of a second look: what the best turns of a plain sum say, the others may say too (pseudo relevance feedback)."""

from __future__ import annotations

import numpy as np

from arandu_lab.pipeline import Lab, stage
from arandu_lab.pipeline.lab import Mask
from arandu_lab.read.evidence.asked import Asked, asked
from arandu_lab.read.evidence.columns import written
from arandu_lab.read.evidence.lexical import strongest, weighed_terms
from arandu_lab.read.evidence.spans import Ints
from arandu_lab.read.found import Candidates, Floats
from arandu_lab.units import Positive

MIX = {"bm": 1.0, "bm1": 0.5, "d_first": 0.5, "d_declw1": 0.5, "d_w1": 0.5, "mss1": 0.5}
"""Weights of the plain sum, over standardised columns; one that nobody wrote is left out."""


@stage
def feedback(found: Candidates, lab: Lab, *, feedback_turns: Positive = 8, feedback_words: Positive = 15) -> Candidates:
    """Write the plain sum, and how near each turn is in words and meaning to the ``feedback_turns`` best of it."""
    question = asked(found, lab)
    mask, evidence = question.open, found.evidence
    mix = np.zeros(len(mask))
    for name, weight in MIX.items():
        if name in evidence:
            mix = mix + weight * _standard(evidence[name], mask)
    mix = np.round(mix, 6)
    best = _first(mix, question, feedback_turns)
    share = np.exp(0.5 * (mix[best] - mix[best].max(initial=0.0)))
    share = share / max(float(share.sum()), 1e-9)
    return written(
        found,
        lab,
        "feedback",
        {
            "mix": mix,
            "prf": _words(question, best, share, feedback_words),
            "d_prf": _meaning(question, lab, best, share),
        },
    )


def _standard(values: Floats, mask: Mask) -> Floats:
    known = mask & ~np.isnan(values)
    if not known.any():
        return np.zeros(len(values))
    mean, spread = values[known].mean(), values[known].std()
    return np.where(known, (values - mean) / (spread + 1e-9), 0.0)


def _first(mix: Floats, question: Asked, most: int) -> Ints:
    """The best open turns by mix, ties to the newer."""
    places = np.flatnonzero(question.open)
    return places[np.lexsort((-places, -mix[places]))][:most]


def _words(question: Asked, best: Ints, share: Floats, most: int) -> Floats:
    reel, opened = question.reel, question.opened
    weight = np.zeros(len(reel))
    weight[best] = share / (1.0 + opened.damped(0, 1.2, 0.6)[best])
    heavy = weight[reel.row]
    said = np.flatnonzero(heavy > 0.0)
    holds = opened.holds
    merit = np.asarray(np.bincount(reel.token[said], weights=heavy[said], minlength=reel.stock), dtype=np.float64)
    merit = merit * np.log(1.0 + (opened.count - holds + 0.5) / (holds + 0.5))
    merit[question.known] = 0.0
    kept = strongest(merit, holds, most)
    return weighed_terms(question, kept, merit[kept])


def _meaning(question: Asked, lab: Lab, best: Ints, share: Floats) -> Floats:
    matrix = lab.memory.events.matrix
    nobody = np.full(len(question.open), np.nan)
    if not matrix.shape[1] or not len(best):
        return nobody
    centre = share.astype(np.float32) @ matrix[best]
    length = float(np.linalg.norm(centre))
    if not length:
        return nobody
    held = question.opened.held(lab.memory).mask
    return np.where(held, np.round((matrix @ (centre / length)).astype(np.float64), 6), np.nan)
