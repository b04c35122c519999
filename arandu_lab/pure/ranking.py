"""Scores of any scale made comparable within one question: how far above the others, and which place.

A column holds one score a row, higher is better. Only *open* rows count and are answered; a closed row holds 0. A NaN
means that nobody could tell: it lies at the mean and has the last place. Rows are a set: in whatever order they stand,
each gets the same number to the last bit, and equal scores get equal numbers.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

LOW, HIGH, UNIT = -3.0, 6.0, 3.0
"""Standard deviations are cut below and above, and counted in units of three."""


def standardised(columns: Floats, open: Mask | None = None) -> Floats:
    """Standard deviations above the mean of the open rows, cut at -3 and 6, over 3: values in [-1, 2].

    Args:
        columns: Shape ``(n,)`` or ``(n, k)``, each column for itself.
        open: Shape ``(n,)``; None: all rows.

    Returns:
        The shape of ``columns``. A column whose scores are all equal is 0.

    >>> standardised(np.array([1.0, 1.0, 4.0])).round(3).tolist()
    [-0.236, -0.236, 0.471]
    """
    given = _lines(columns, open)
    ordered = np.sort(given, axis=1)  # a sum in order of size is the same for every order of rows; NaN lies behind
    known = np.isfinite(ordered)
    if not known.all():
        ordered = np.where(known, ordered, 0.0)
    count = np.maximum(known.sum(axis=1, keepdims=True), 1)
    mean = ordered.sum(axis=1, keepdims=True) / count
    squares = np.where(known, (ordered - mean) ** 2, 0.0)
    spread = np.sqrt(squares.sum(axis=1, keepdims=True) / count)
    with np.errstate(invalid="ignore"):
        away = np.clip((given - mean) / (spread + _TINY), LOW, HIGH) / UNIT
    away[np.isnan(away)] = 0.0
    return _back(away, columns, open)


def log_rank(columns: Floats, open: Mask | None = None) -> Floats:
    """``1 - log(1 + place) / log(1 + n)`` with places from 0: 1 for the best of ``n`` open rows, falling ever more slowly.

    Rows of equal score share the mean of their places. Arguments and shapes as in :func:`standardised`.

    >>> log_rank(np.array([0.1, 0.9, 0.9])).round(3).tolist()
    [0.208, 0.708, 0.708]
    """
    given = _lines(columns, open)
    falling = np.where(np.isnan(given), np.inf, -given)
    width, n = falling.shape
    order = np.argsort(falling, axis=1)
    order += np.arange(width)[:, None] * n  # from places in a line to places in the table
    ranked = falling.take(order)
    opens = np.ones(falling.shape, dtype=np.bool_)  # where a run of equal scores begins
    np.not_equal(ranked[:, 1:], ranked[:, :-1], out=opens[:, 1:])
    begins = np.flatnonzero(opens)
    sizes = np.diff(begins, append=falling.size)
    first = np.tile(np.arange(n), width).take(begins)
    inside = np.empty(falling.shape)
    inside.put(order, np.repeat(_falling(n).take(2 * first + sizes - 1), sizes))
    return _back(inside, columns, open)


@lru_cache(maxsize=16)
def _falling(n: int) -> Floats:
    """The value of each place among ``n`` rows, by twice the place: a run of equal scores may lie between two."""
    return np.asarray(1.0 - np.log1p(np.arange(2 * n) / 2.0) / np.log1p(max(n, 1)))


def spaced(
    scores: Floats, sessions: NDArray[np.int64], strength: float, *, reach: int = 3, most: int = 3, picks: int = 100
) -> Floats:
    """Scores for a set: rows are picked one after the other, and each lowers those that stand next to it.

    What the first picks do not cover yet comes earlier: a row loses ``strength`` for each pick within ``reach`` rows of it in
    its session, ``most`` times at most. After ``picks`` picks the rest stay as they are then.

    Args:
        scores: Higher is better, ``-inf`` for a row that does not count; shape ``(n,)``.
        sessions: The session of each row, ``(n,)``; rows of a session stand together.
        strength: In units of the scores, 0 or above; 0 changes nothing.

    Returns:
        Shape ``(n,)``, none higher than before. Of equal scores the later row is picked first.

    >>> spaced(np.array([3.0, 2.5, 2.0]), np.array([0, 0, 1]), 1.0).tolist()
    [3.0, 1.5, 2.0]
    """
    out = np.array(scores, dtype=np.float64)
    if strength <= 0.0 or not len(out):
        return out
    lost = np.zeros(len(out), dtype=np.int64)
    waiting = np.where(np.isfinite(out), out, -np.inf)
    for _ in range(min(picks, int(np.isfinite(out).sum()))):
        pick = len(waiting) - 1 - int(np.argmax(waiting[::-1]))
        waiting[pick] = -np.inf
        low, high = max(pick - reach, 0), pick + reach + 1
        near = (sessions[low:high] == sessions[pick]) & np.isfinite(waiting[low:high]) & (lost[low:high] < most)
        for part in (waiting, out):
            part[low:high] -= strength * near
        lost[low:high] += near
    return out


def masses(scores: Floats) -> Floats:
    """The share of the evidence that each row is expected to hold (softmax), summing to 1; 0 where a score is ``-inf``.

    Unlike scores, shares of two questions compare.

    >>> masses(np.array([0.0, 0.0, -np.inf])).tolist()
    [0.5, 0.5, 0.0]
    """
    if not len(scores) or not np.isfinite(best := scores.max()):
        return np.zeros(len(scores))
    grown = np.exp(scores - best)
    return np.asarray(grown / np.sort(grown).sum(), dtype=np.float64)


def _lines(columns: Floats, open: Mask | None) -> Floats:
    """The open rows, a column a line: shape ``(k, open)``."""
    given = np.asarray(columns, dtype=np.float64)
    lines = given[None, :] if given.ndim == 1 else given.T
    return np.ascontiguousarray(lines if open is None else lines[:, np.asarray(open, dtype=np.bool_)])


def _back(lines: Floats, columns: Floats, open: Mask | None) -> Floats:
    """Lines in the shape of the columns they came from, closed rows 0."""
    out = np.zeros(np.shape(columns))
    rows = slice(None) if open is None else np.asarray(open, dtype=np.bool_)
    out[rows] = lines[0] if out.ndim == 1 else lines.T
    return out


_TINY = 1e-9
