"""The decisions of a read for many settings at once: a row for each setting, a column for each fact.

The numbers are those of ``scoring``, on arrays with one more axis; here is what depends on their order. Columns stand in the
order that breaks ties (time down, id up), so that of equal scores the left one is better. A score of ``-inf`` is no
score: such a fact is not there. Nothing is rounded, and every row comes out as if it were alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

NOBODY = -1
"""In a table of columns: no fact stands here."""


def leaders(scores: Floats, most: int) -> Ints:
    """The columns of the ``most`` best of each row, best first, shape ``(rows, most)``; ``NOBODY`` where there are fewer.

    >>> leaders(np.array([[.5, .9, .5], [-np.inf, .1, -np.inf]]), 2).tolist()
    [[1, 0], [1, -1]]
    """
    count, width = scores.shape
    found = np.full((count, most), NOBODY, dtype=np.int64)
    left, every = scores.copy(), np.arange(count)
    for place in range(min(most, width)):
        best = left.argmax(axis=1)
        there = left[every, best] > -np.inf
        if not there.any():
            break
        found[:, place] = np.where(there, best, NOBODY)
        left[every, best] = -np.inf
    return found


def shown(scores: Floats, sizes: Ints) -> Mask:
    """Which facts are among the ``sizes`` best of their row; ``sizes`` has one entry a row, at least 1.

    >>> shown(np.array([[.5, .9, .5], [.2, -np.inf, .1]]), np.array([2, 3])).tolist()
    [[True, True, False], [True, False, True]]
    """
    there = scores > -np.inf
    width = scores.shape[1]
    if not width or (there.sum(axis=1) <= sizes).all():
        return there
    least = np.maximum(width - sizes, 0)
    apart = np.unique(least)
    ordered = np.partition(scores, apart, axis=1) if len(apart) == 1 else np.sort(scores, axis=1)
    edge = ordered[np.arange(len(scores)), least][:, None]
    above, tied = scores > edge, scores == edge
    room = sizes - above.sum(axis=1)
    found: Mask = (above | (tied & (np.cumsum(tied, axis=1) <= room[:, None]))) & there
    return found


def gathered(mask: Mask) -> Ints:
    """The true columns of each row, ascending, filled up with ``NOBODY``: shape ``(rows, most in a row)``.

    >>> gathered(np.array([[True, False, True], [False, True, False]])).tolist()
    [[0, 2], [1, -1]]
    """
    rows, columns = np.nonzero(mask)
    counts = mask.sum(axis=1)
    found = np.full((len(mask), int(counts.max(initial=0))), NOBODY, dtype=np.int64)
    found[rows, np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)] = columns
    return found


def ranked(scores: Floats, sizes: Ints) -> Ints:
    """The places of the ``sizes`` best of each row, best first, ``NOBODY`` behind them: shape ``(rows, most of sizes)``.

    >>> ranked(np.array([[.1, .9, .9, -np.inf]]), np.array([4])).tolist()
    [[1, 2, 0, -1]]
    """
    most = min(int(sizes.max(initial=0)), scores.shape[1])
    order = np.argsort(-scores, axis=1, kind="stable")[:, :most]
    kept = np.minimum(sizes, (scores > -np.inf).sum(axis=1))
    return np.where(np.arange(most) < kept[:, None], order, NOBODY)


def activated(seeds: Ints, formulas: Floats, hops: Ints, kept: Floats, least: Floats) -> tuple[Mask, Floats]:
    """Where the seeds of each row lead, and the activation that arrives there.

    Args:
        seeds: Rows of ``hops`` that each setting starts from, ``NOBODY`` where it has no more, shape ``(rows, seeds)``.
        formulas: Their formula scores, of the same shape.
        hops: Hops from each entity that may be a seed to each that may be reached, 0 where none leads there.
        kept: What is left of a score after so many hops, shape ``(rows, hops + 1)``.
        least: The least activation that goes on, one a row.

    Returns:
        Two arrays of shape ``(rows, entities reached)``: who is reached, and by how much (the best of the seeds).
    """
    count, every = len(seeds), np.arange(len(seeds))[:, None]
    reached = np.zeros((count, hops.shape[1]), dtype=np.bool_)
    active = np.zeros((count, hops.shape[1]))
    for place in range(seeds.shape[1]):
        away = hops[seeds[:, place]]
        arrives = formulas[:, place, None] * kept[every, away]
        there = (away > 0) & (arrives >= least[:, None]) & (seeds[:, place, None] != NOBODY)
        active = np.where(there, np.maximum(active, arrives), active)
        reached |= there
    return reached, active


def spread(merit: Floats, near: Sequence[Ints], reached: Mask, active: Floats, most: Ints) -> Floats:
    """The activation of each fact, ``-inf`` where none arrives: each entity that is reached hands on its best facts.

    Args:
        merit: Formula scores, shape ``(rows, facts)``.
        near: The facts of each entity, as ascending columns.
        reached, active: As :func:`activated` gives them.
        most: How many facts an entity hands on, one a row.
    """
    arrived = np.full(merit.shape, -np.inf)
    for entity, columns in enumerate(near):
        who = np.flatnonzero(reached[:, entity])
        if not len(who) or not len(columns):
            continue
        limit = min(int(most[who].max()), len(columns))
        whole = int(most[who].min()) >= len(columns)
        best = _all(len(who), len(columns)) if whole else leaders(merit[np.ix_(who, columns)], limit)
        for place in range(limit):
            mine = who[most[who] > place]
            where = columns[best[most[who] > place, place]]
            arrived[mine, where] = np.maximum(arrived[mine, where], active[mine, entity])
    return arrived


def turns(facts: Ints, scores: Floats, quotes: Ints, quoted: Floats, size: int, depth: int) -> Ints:
    """The ranking of turns that kept facts and quotations make: each turn by its best score, ties to the first named.

    Args:
        facts: The turn that each kept fact comes from, best fact first, ``NOBODY`` where there is none; ``(rows, facts)``.
        scores: Their scores, never rising along a row.
        quotes, quoted: The turns that are quoted, each once, and their scores; the same for every row.
        size: Turns in all: turns are numbers below it.
        depth: Places of the ranking.

    Returns:
        Shape ``(rows, depth)``, ``NOBODY`` behind the last.

    >>> turns(np.array([[2, 0, 2]]), np.array([[.9, .5, .4]]), np.array([1, 0]), np.array([.6, .9]), 3, 4).tolist()
    [[2, 0, 1, -1]]
    """
    count, every = len(facts), np.arange(len(facts))
    best = np.full((count, size + 1), -np.inf)  # the last turn is nobody's
    first = np.full((count, size + 1), NOBODY)
    best[:, quotes] = quoted
    first[:, quotes] = facts.shape[1] + np.arange(len(quotes))
    for place in reversed(range(facts.shape[1])):  # what stands further ahead is written over what stands behind
        turn = facts[:, place]
        best[every, turn] = scores[:, place]
        first[every, turn] = place
    best[:, quotes] = np.maximum(best[:, quotes], quoted)
    slots = np.concatenate([facts, np.broadcast_to(quotes, (count, len(quotes)))], axis=1)
    own = (first[every[:, None], slots] == np.arange(slots.shape[1])) & (slots != NOBODY)
    worth = np.where(own, best[every[:, None], slots], -np.inf)
    order = ranked(worth, np.full(count, depth))
    found = np.full((count, depth), NOBODY, dtype=np.int64)
    found[:, : order.shape[1]] = np.where(order == NOBODY, NOBODY, slots[every[:, None], order])
    return found


def allotted(
    facts: Ints, there: Mask, extras: Sequence[int], budget: Ints, hot_ratio: Floats, warm_ratio: Floats
) -> tuple[Mask, Mask]:
    """Which facts and which further lines have room, as ``budget.allot`` shares it out, a setting a row.

    Args:
        facts: Tokens of each fact, best first, shape ``(rows, facts)``.
        there: Which of them are there, from the left.
        extras: Tokens of each further line, most wanted first.
        budget, hot_ratio, warm_ratio: One a row.
    """
    used = np.zeros(len(facts), dtype=np.int64)
    room = np.maximum(budget * np.minimum(1.0, hot_ratio), budget * np.minimum(1.0, hot_ratio + warm_ratio))
    entered = np.zeros(facts.shape, dtype=np.bool_)
    chosen = np.zeros((len(facts), len(extras)), dtype=np.bool_)
    for place in range(facts.shape[1]):
        fits = there[:, place] & ((used + facts[:, place] <= room) | (place == 0))
        entered[:, place] = fits
        used += np.where(fits, facts[:, place], 0)
    for place, cost in enumerate(extras):
        chosen[:, place] = used + cost <= budget
        used += np.where(chosen[:, place], cost, 0)
    for place in range(facts.shape[1]):
        fits = there[:, place] & ~entered[:, place] & (used + facts[:, place] <= budget)
        entered[:, place] |= fits
        used += np.where(fits, facts[:, place], 0)
    return entered, chosen


def _all(rows: int, columns: int) -> Ints:
    return np.broadcast_to(np.arange(columns), (rows, columns))
