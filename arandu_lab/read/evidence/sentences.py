"""Columns of the nearest sentence: cosines of the question, in its three forms, with the best sentence of each turn.

The vector of a turn is a mean of all that it says; one sentence of it may be what was asked for. Vectors of sentences lie in
memory beside the agent's rows (2 kB a sentence with the bundled embedder), never in the store: they are made when a turn is
written (``hearing.py``), and by the first question after a store is opened.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from arandu_lab.pipeline import Lab, Pipeline, group, stage
from arandu_lab.pipeline.lab import Mask, View
from arandu_lab.read.evidence.asked import asked
from arandu_lab.read.evidence.columns import unknown, written
from arandu_lab.read.evidence.reel import Reel
from arandu_lab.read.evidence.spans import Spans
from arandu_lab.read.evidence.words import kept_vectors
from arandu_lab.read.found import Candidates, Floats
from arandu_lab.records import Vector

BATCH = 64
"""Sentences that are looked up or embedded at once; where the embedder fails, what came before is kept."""


@group
def sentences() -> Pipeline:
    """Write how near the best sentence of each turn is; left out, nothing stands in for it."""
    return Pipeline((nearest_sentences().otherwise(sentences_silent()),))


@stage
async def nearest_sentences(found: Candidates, lab: Lab) -> Candidates:
    """Write the best cosine of a sentence of each turn, of the turns before and after it, and of its session.

    A turn is cut by ``pure/sentences.py``. The two further forms of the question are those of ``dense``.
    """
    question = asked(found, lab)
    reel = question.reel
    if found.vector is None or not question.open.any() or not len(reel.sentence):
        return unknown(found, lab, "sentences")
    vectors, held = await sentence_vectors(reel, lab)
    declarative, personal = await lab.embed([question.declarative, question.personal])
    best = _best(reel, vectors, held, [found.vector, declarative, personal], question.open)
    return written(found, lab, "sentences", _columns(best, reel.spans))


@stage
def sentences_silent(found: Candidates, lab: Lab) -> Candidates:
    """Write that nobody can tell, in the place of ``nearest_sentences`` when the embedder failed."""
    return unknown(found, lab, "sentences")


def _best(reel: Reel, vectors: Vector, held: Mask, forms: Sequence[Vector | None], mask: Mask) -> Floats:
    """The highest cosine of each form with a sentence of each turn, shape ``(forms, n)``.

    NaN for a closed turn, for one in which nothing has a vector, and for a form in which there is nothing to embed.
    """
    given = np.stack([np.zeros(vectors.shape[1], np.float32) if one is None else one for one in forms])
    near = given @ vectors.T
    near[:, ~held] = np.nan
    near[[one is None for one in forms]] = np.nan
    starts = np.flatnonzero(np.diff(reel.sentence_row, prepend=-1))
    out = np.full((len(forms), len(reel)), np.nan)
    out[:, reel.sentence_row[starts]] = np.fmax.reduceat(near.take(reel.sentence, axis=1), starts, axis=1)
    np.round(out, 6, out=out)
    out[:, ~mask] = np.nan
    return out


def _columns(best: Floats, spans: Spans) -> Mapping[str, Floats]:
    before, after = (_at_the_mean(spans.shifted(best, by, beyond=np.nan), best) for by in (-1, 1))
    return {
        "s_text": best[0],
        "s_decl": best[1],
        "s_decl@-1": before[1],
        "s_decl@+1": after[1],
        "s_first": best[2],
        "s_first@-1": before[2],
        "s_first@+1": after[2],
        "ss_decl": spans.best(best[1]),
        "ss_first": spans.best(best[2]),
    }


def _at_the_mean(moved: Floats, best: Floats) -> Floats:
    """Neighbours' values, and the mean of all turns where there is no neighbour: the end of a session is no fault of a turn.

    >>> _at_the_mean(np.array([[np.nan, 0.5]]), np.array([[0.5, 0.1]])).tolist()
    [[0.3, 0.5]]
    """
    # sorted, for a sum in order of size is the same for every order of turns
    known = [np.sort(row[np.isfinite(row)]) for row in best]
    means = np.array([round(float(row.mean()), 6) if len(row) else np.nan for row in known])
    return np.where(np.isnan(moved), means[:, None], moved)


async def sentence_vectors(reel: Reel, lab: Lab) -> tuple[Vector, Mask]:
    """Vectors of all sentences of a reel by number, shape ``(told, dim)``, and which have one; missing ones in batches."""
    name = f"sentences by {lab.embed.name}"
    known: tuple[Vector, Mask] | None = reel.derived.get(name)
    if known is None:
        kept = kept_vectors("sentences", lab)
        told = reel.sentences[: reel.told]
        missing = kept.missing(told)
        for start in range(0, len(missing), BATCH):
            part = missing[start : start + BATCH]
            own = own_vectors(part, reel.wholes, lab.memory)
            fresh = [text for text in part if text not in own]
            found = {**own, **dict(zip(fresh, await lab.embed(fresh) if fresh else [], strict=True))}
            kept.add(part, [found[text] for text in part])
        vectors = kept.rows(told)
        known = reel.derived[name] = (vectors, np.asarray(vectors.any(axis=1)))
    return known


def own_vectors(told: Sequence[str], wholes: Mapping[str, str], view: View) -> dict[str, Vector]:
    """Vectors of the sentences that are all that a turn says, letter by letter: the turn's own, where it has one."""
    found: dict[str, Vector] = {}
    for text in told:
        turn = view.event(wholes[text]) if text in wholes else None
        if turn is not None and turn.vector is not None:
            found[text] = turn.vector
    return found
