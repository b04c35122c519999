"""Columns of shared words: BM25 over turn, window and session, pairs of words, and how much of the question is covered."""

from __future__ import annotations

import numpy as np

from arandu_lab.pipeline import Lab, stage
from arandu_lab.pipeline.lab import Mask
from arandu_lab.read.evidence.asked import Asked, asked
from arandu_lab.read.evidence.columns import written
from arandu_lab.read.evidence.opened import Opened, damping
from arandu_lab.read.evidence.spans import Ints
from arandu_lab.read.found import Candidates, Floats
from arandu_lab.units import Factor, Share

PMI_LEAST, EXPANSION = 1.0, 20
"""Least mutual information (nats) of a word that widens the question, and how many such words do."""


@stage
def lexical(found: Candidates, lab: Lab, *, lexical_k1: Factor = 1.2, lexical_b: Share = 0.6) -> Candidates:
    """Write how the words of the question stand in each turn, its neighbours and its session.

    Words are folded and lightly stemmed, names whole. Rarity and mean lengths are of the open turns alone.
    """
    question = asked(found, lab)
    opened, often, spans = question.opened, question.frequencies, question.reel.spans
    idf = rarity(often, opened.mask)
    there = often > 0.0
    mass = _mass(question, idf)
    one, three = spans.window(often, 1, 1), spans.window(often, 3, 3)
    return written(
        found,
        lab,
        "lexical",
        {
            "bm": bm25(often, opened, lexical_k1, lexical_b, idf=idf),
            "bm1": bm25(one, opened, lexical_k1, 0.75, width=1),
            "bm3": bm25(three, opened, 1.5, 0.75, width=3),
            "bms": _sessions(question),
            "bi": _pairs(question),
            "coo": _expanded(question, idf, one),
            "cov": idf @ there / mass,
            "cov1": idf @ (one > 0.0) / mass,
            "rare": (idf[:, None] * there).max(axis=0, initial=0.0),
            "nmatch": there.sum(axis=0).astype(np.float64),
        },
    )


def rarity(often: Floats, mask: Mask) -> Floats:
    """Lucene's idf of each term among the open rows; ``often`` has shape ``(terms, n)``.

    >>> rarity(np.array([[1.0, 0.0], [2.0, 1.0]]), np.array([True, True])).round(3).tolist()
    [0.693, 0.182]
    """
    count, holds = int(mask.sum()), ((often > 0.0) & mask).sum(axis=1)
    return np.asarray(np.log(1.0 + (count - holds + 0.5) / (holds + 0.5)))


def bm25(often: Floats, opened: Opened, k1: float, b: float, *, width: int = 0, idf: Floats | None = None) -> Floats:
    """BM25 (Lucene) of every turn, or of the turns up to ``width`` around each, for the terms of ``often``."""
    weight = rarity(often, opened.mask) if idf is None else idf
    found = saturated(often, opened.damped(width, k1, b), k1, weight)
    return found if opened.all else found * opened.mask


def saturated(often: Floats, damped: Floats, k1: float, weight: Floats) -> Floats:
    """The sum over terms of ``weight often (k1 + 1) / (often + damped)``, shape ``(n,)``; ``often`` has ``(terms, n)``."""
    below = often + damped
    below += 1e-12
    return np.asarray(weight @ (often * (k1 + 1.0) / below))


def _mass(question: Asked, idf: Floats) -> float:
    """The idf of the whole question; a word that nobody said counts half of what one in no turn would."""
    holds = question.frequencies.any(axis=1)
    unseen = 0.5 * np.log(1.0 + (question.opened.count + 0.5) / 0.5)
    return float(np.where(holds, idf, unseen).sum()) + 1e-9


def _sessions(question: Asked) -> Floats:
    spans = question.reel.spans
    there, size = question.opened.sessions
    often = spans.sums(question.frequencies)
    scores = saturated(often, damping(size, there, 1.5, 0.75), 1.5, rarity(often, there)) * there
    return scores[spans.number] if len(scores) else np.zeros(0)


def _pairs(question: Asked) -> Floats:
    """BM25 of neighbouring words of the question that are neighbours in the turn."""
    reel, n = question.reel, len(question.reel)
    found = []
    for one, other in zip(question.numbers, question.numbers[1:], strict=False):
        if one and other:
            first = np.flatnonzero(_either(reel.token[:-1], one))
            both = first[_either(reel.token[first + 1], other) & (reel.row[first + 1] == reel.row[first])]
            found.append(np.bincount(reel.row[both], minlength=n))
    if not found:
        return np.zeros(n)
    return bm25(np.stack(found).astype(np.float64) * question.open, question.opened, 1.2, 0.5)


def _either(tokens: Ints, numbers: tuple[int, ...]) -> Mask:
    """Where one of a few numbers stands."""
    there = tokens == numbers[0]
    for number in numbers[1:]:
        there = there | (tokens == number)
    return np.asarray(there)


def _expanded(question: Asked, idf: Floats, around: Floats) -> Floats:
    """BM25 of words that stand near the question's words more often than chance; ``around``: the words of neighbours too."""
    opened = question.opened
    token, row = opened.told
    if not len(token):
        return np.zeros(len(question.reel))
    holds = opened.holds
    near = (around > 0.0) & opened.mask
    merit = np.zeros(len(holds))
    total = float(idf @ question.frequencies.any(axis=1))
    for place in np.flatnonzero(near.any(axis=1)).tolist():
        together = np.bincount(token[near[place].take(row)], minlength=len(holds))
        there = np.flatnonzero(together)
        shared = np.log(together.take(there) * opened.count / (holds.take(there) * near[place].sum()))
        merit[there] += np.where(shared > PMI_LEAST, shared, 0.0) * idf[place] / total
    merit[question.known] = 0.0
    best = strongest(merit, holds, EXPANSION)
    return weighed_terms(question, best, merit[best])


def strongest(merit: Floats, holds: Floats, most: int) -> Ints:
    """Numbers of the terms of highest merit above 0, at most ``most``; where merits tie, all of them or none.

    Numbers depend on the order in which words were first said, so they may not decide.
    """
    there = np.flatnonzero((merit > 0.0) & (holds > 0.0))
    if len(there) <= most:
        return there
    rounded = np.round(merit[there], 9)
    least = np.partition(rounded, len(rounded) - most)[len(rounded) - most]
    above = there[rounded > least]
    tied = there[rounded == least]
    return np.concatenate([above, tied]) if len(above) + len(tied) <= 2 * most else above


def weighed_terms(question: Asked, terms: Ints, weight: Floats) -> Floats:
    """BM25 of terms by number, each weighed by its merit and its idf."""
    opened, n = question.opened, len(question.reel)
    if not len(terms):
        return np.zeros(n)
    places = np.full(question.reel.stock, -1, dtype=np.int64)
    places[terms] = np.arange(len(terms))
    place = places[question.reel.token]
    hit = np.flatnonzero(place >= 0)
    flat = np.bincount(place[hit] * n + question.reel.row[hit], minlength=len(terms) * n)
    often = flat.reshape(len(terms), n).astype(np.float64)
    often = often if opened.all else often * opened.mask
    return bm25(often, opened, 1.2, 0.6, idf=weight * rarity(often, opened.mask))
