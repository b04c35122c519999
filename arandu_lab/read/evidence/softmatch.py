"""Columns of near words: each word of the question finds the word of a turn that is nearest in meaning (MaxSim)."""

from __future__ import annotations

import numpy as np

from arandu_lab.pipeline import Lab, stage
from arandu_lab.read.evidence.asked import Asked, asked
from arandu_lab.read.evidence.columns import unknown, written
from arandu_lab.read.evidence.lexical import rarity
from arandu_lab.read.evidence.words import vectors_of
from arandu_lab.read.found import Candidates, Floats
from arandu_lab.records import Vector

NEAR = 0.4
"""Cosine of two words above which they begin to count in the sharp columns."""


@stage
async def softmatch(found: Candidates, lab: Lab) -> Candidates:
    """Write how near the words of the question are to words of the turn and of its neighbours, rare words counting more.

    Words are embedded one by one, once (``words.py``).
    """
    question = asked(found, lab)
    if found.vector is None or not question.open.any() or not question.words or not len(question.reel.exact):
        return unknown(found, lab, "softmatch")
    vectors = await vectors_of(question.reel, lab)
    wanted = await _wanted(question, vectors, lab)
    nearest = _nearest(question, wanted @ vectors.T)
    weight = _weights(question)
    spans = question.reel.spans
    around = np.maximum(nearest, np.maximum(spans.shifted(nearest, -1), spans.shifted(nearest, 1)))
    columns: dict[str, Floats] = {
        "ms": weight @ nearest,
        "mss": weight @ _sharp(nearest),
        "ms1": weight @ around,
        "mss1": weight @ _sharp(around),
    }
    return written(found, lab, "softmatch", columns)


@stage
def softmatch_silent(found: Candidates, lab: Lab) -> Candidates:
    """Write that nobody can tell, in the place of ``softmatch`` when the embedder failed."""
    return unknown(found, lab, "softmatch")


async def _wanted(question: Asked, vectors: Vector, lab: Lab) -> Vector:
    """Vectors of the words of the question, shape ``(terms, dim)``; a word of the reel has the reel's."""
    exacts, size = question.reel.exacts, len(vectors)
    strange = [word for word in question.words if exacts.get(word, size) >= size]
    others = dict(zip(strange, await lab.embed(strange) if strange else [], strict=True))
    wanted = np.zeros((len(question.words), lab.embed.dim), dtype=np.float32)
    for place, word in enumerate(question.words):
        vector = others[word] if word in others else vectors[exacts[word]]
        if vector is not None:
            wanted[place] = vector
    return wanted


def _nearest(question: Asked, near: Vector) -> Floats:
    """The highest cosine that each word of the question has in each open turn, shape ``(terms, n)``; 0 in an empty one."""
    reel = question.reel
    starts = reel.beginnings
    out = np.zeros((len(near), len(reel)))
    out[:, reel.row[starts]] = np.maximum.reduceat(near.take(reel.exact, axis=1), starts, axis=1)
    return np.asarray(np.round(np.maximum(out, 0.0), 6) * question.open)


def _weights(question: Asked) -> Floats:
    """Each word's share of the question's rarity; one that nobody said counts seven tenths of what it could."""
    unseen = 0.7 * np.log(1.0 + (question.opened.count + 0.5) / 0.5)
    weight = np.where(question.frequencies.any(axis=1), rarity(question.frequencies, question.open), unseen)
    return np.asarray(weight / weight.sum())


def _sharp(nearest: Floats) -> Floats:
    return np.asarray(np.clip((nearest - NEAR) / (1.0 - NEAR), 0.0, 1.0) ** 2)
