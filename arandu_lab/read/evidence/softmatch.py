"""Columns of near words: each word of the question finds the word of a turn that is nearest in meaning (MaxSim)."""

from __future__ import annotations

from typing import Any

import numpy as np

from arandu_lab.pipeline import Lab, stage
from arandu_lab.read.evidence.asked import Asked, asked
from arandu_lab.read.evidence.columns import FAMILIES, written
from arandu_lab.read.evidence.lexical import rarity
from arandu_lab.read.evidence.reel import Reel
from arandu_lab.read.found import Candidates, Floats
from arandu_lab.records import Vector

NEAR = 0.4
"""Cosine of two words above which they begin to count in the sharp columns."""


@stage
async def softmatch(found: Candidates, lab: Lab) -> Candidates:
    """Write how near the words of the question are to words of the turn and of its neighbours, rare words counting more.

    Words are embedded one by one, once: those that are new since the last question in one batch. Their vectors lie in
    memory beside the agent's rows (2 kB a word with the bundled embedder), never in the store.
    """
    question = asked(found, lab)
    if found.vector is None or not question.open.any() or not question.words or not len(question.reel.exact):
        return _nothing(found, lab)
    vectors, wanted = await _vectors(question, lab)
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
    return _nothing(found, lab)


def _nothing(found: Candidates, lab: Lab) -> Candidates:
    size = len(lab.memory.events.ids)
    return written(found, lab, "softmatch", {name: np.full(size, np.nan) for name in FAMILIES["softmatch"]})


async def _vectors(question: Asked, lab: Lab) -> tuple[Vector, Vector]:
    """Vectors of all words of the reel, ``(words, dim)``, and of those of the question, ``(terms, dim)``."""
    reel = question.reel
    kept: dict[str, Any] = getattr(lab.memory, "kept", {})
    name = f"words by {lab.embed.name}"
    held: Vector = kept.get(name, np.zeros((0, lab.embed.dim), dtype=np.float32))
    size = int(reel.exact.max()) + 1
    fresh = reel.spelled[len(held) : size]
    strange = [word for word in question.words if reel.exacts.get(word, size) >= size]
    given = await lab.embed([*fresh, *strange]) if fresh or strange else []
    rows = np.zeros((len(given), lab.embed.dim), dtype=np.float32)
    for place, vector in enumerate(given):
        if vector is not None:
            rows[place] = vector
    if fresh:
        held = np.concatenate([held, rows[: len(fresh)]])
        if len(held) > len(kept.get(name, ())):
            kept[name] = held
    others = dict(zip(strange, rows[len(fresh) :], strict=True))
    wanted = [others[word] if word in others else held[reel.exacts[word]] for word in question.words]
    return held[:size], np.stack(wanted)


def _nearest(question: Asked, near: Vector) -> Floats:
    """The highest cosine that each word of the question has in each open turn, shape ``(terms, n)``; 0 in an empty one."""
    reel: Reel = question.reel
    starts = np.flatnonzero(np.diff(reel.row, prepend=-1))
    out = np.zeros((len(near), len(reel)))
    out[:, reel.row[starts]] = np.maximum.reduceat(near[:, reel.exact], starts, axis=1)
    return np.asarray(np.round(np.maximum(out, 0.0), 6) * question.open)


def _weights(question: Asked) -> Floats:
    """Each word's share of the question's rarity; one that nobody said counts seven tenths of what it could."""
    unseen = 0.7 * np.log(1.0 + (question.open.sum() + 0.5) / 0.5)
    weight = np.where(question.frequencies.any(axis=1), rarity(question.frequencies, question.open), unseen)
    return np.asarray(weight / weight.sum())


def _sharp(nearest: Floats) -> Floats:
    return np.asarray(np.clip((nearest - NEAR) / (1.0 - NEAR), 0.0, 1.0) ** 2)
