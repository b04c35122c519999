"""Maximal marginal relevance (Carbonell and Goldstein 1998): the best that is not said yet."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from arandu_lab.errors import ConfigError


def marginal_relevance(
    relevance: ArrayLike, likeness: ArrayLike, *, share: float
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """An order, greedy: next comes the candidate with most ``share * relevance - (1 - share) * likeness to those before``.

    The likeness that counts is the greatest to any candidate that stands before. Ties go to the earlier position.

    Args:
        relevance: Shape ``(n,)``, in [0, 1] as a rule; no ``nan``.
        likeness: Shape ``(n, n)``, the likeness of each two, in [0, 1]; ``nan`` (cannot tell) is taken for 0.
        share: What relevance counts, 0 to 1. With 1 the order is that of relevance.

    Returns:
        Positions in the order of choice, and the value each was chosen with, in that order: it never rises.

    Raises:
        ConfigError: a share outside 0 to 1, or shapes that do not fit.

    >>> alike = [[1.0, 0.9, 0.1], [0.9, 1.0, 0.1], [0.1, 0.1, 1.0]]
    >>> marginal_relevance([0.9, 0.8, 0.5], alike, share=0.5)[0].tolist()
    [0, 2, 1]
    >>> marginal_relevance([0.9, 0.8, 0.5], alike, share=1.0)[0].tolist()
    [0, 1, 2]
    """
    worth = np.asarray(relevance, dtype=np.float64)
    alike = np.nan_to_num(np.asarray(likeness, dtype=np.float64), nan=0.0)
    size = len(worth)
    if not 0.0 <= share <= 1.0:
        raise ConfigError(f"marginal relevance with share={share}; 0 to 1")
    if alike.shape != (size, size):
        raise ConfigError(f"likeness of shape {alike.shape} for {size} candidates; wanted {(size, size)}")
    nearest = np.zeros(size)
    waiting = np.ones(size, dtype=np.bool_)
    order, values = np.zeros(size, dtype=np.int64), np.zeros(size)
    for turn in range(size):
        value = np.where(waiting, share * worth - (1.0 - share) * nearest, -np.inf)
        place = int(np.argmax(value))
        order[turn], values[turn] = place, value[place]
        waiting[place] = False
        nearest = np.maximum(nearest, alike[place])
    return order, values
