"""Joining voices: ranks that add up, scores that blend, and one order that everybody agrees on.

Rules of this file: voices are aligned arrays over the same ``n`` candidates; ``nan`` means "this voice does not know
the candidate" and is never zero; the order of the voices never shows in a result; ties go by a given key, then to the
earlier position.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from arandu_lab.errors import ConfigError

Floats: TypeAlias = NDArray[np.float64]
Positions: TypeAlias = NDArray[np.intp]


def top(scores: ArrayLike, k: int | None = None, *, tie: ArrayLike | None = None) -> Positions:
    """Positions of the ``k`` best, in a total order: score falling, then ``tie`` rising, then the earlier position.

    Args:
        scores: Shape ``(n,)``; ``nan`` is no candidate and is never returned.
        k: How many at most; None for all.
        tie: Shape ``(n,)``, anything that sorts; None when positions are enough.

    Returns:
        Shape ``(min(k, known),)``.

    Raises:
        ConfigError: ``k`` below 0, or ``tie`` of another length.

    >>> top([0.2, 0.9, 0.2, float("nan")]).tolist(), top([1, 1, 1], 2, tie=[3, 2, 1]).tolist()
    ([1, 0, 2], [2, 1])
    """
    given = np.asarray(scores, dtype=np.float64)
    if k is not None and k < 0:
        raise ConfigError(f"top k={k}; k must be 0 or more")
    keys: list[Any] = [-given]
    if tie is not None:
        keys.insert(0, np.asarray(tie))
        if len(keys[0]) != len(given):
            raise ConfigError(f"tie keys for {len(keys[0])} of {len(given)} candidates")
    order = np.lexsort(keys)
    return order[~np.isnan(given[order])][:k]


def ranks(scores: ArrayLike, *, tie: ArrayLike | None = None) -> Floats:
    """The place of each candidate in :func:`top`, from 1; ``nan`` where the voice does not know it.

    >>> ranks([0.2, 0.9, float("nan"), 0.2]).tolist()
    [2.0, 1.0, nan, 3.0]
    """
    given = np.asarray(scores, dtype=np.float64)
    placed = np.full(len(given), np.nan)
    order = top(given, tie=tie)
    placed[order] = np.arange(1, len(order) + 1)
    return placed


def reciprocal_rank_fusion(
    voices: Sequence[ArrayLike],
    *,
    k: float = 60.0,
    weights: Sequence[float] | None = None,
    tie: ArrayLike | None = None,
) -> Floats:
    """The sum over voices of ``weight / (k + rank)`` (Cormack, Clarke and Büttcher 2009, ``k = 60``).

    Args:
        voices: Scores, shape ``(n,)`` each, ``nan`` where a voice is silent; at least one voice.
        k: How much the first places are flattened, 0 or more.
        weights: One per voice, 0 or more; None for 1 each.
        tie: Passed on to :func:`ranks`.

    Returns:
        Shape ``(n,)``; ``nan`` for a candidate that no voice knows. Equal to the last bit for any order of the voices.

    Raises:
        ConfigError: no voice, voices of different lengths, or a weight per voice missing.

    >>> reciprocal_rank_fusion([[3, 2, 1], [1, 3, 2]]).round(4).tolist()
    [0.0323, 0.0325, 0.032]
    """
    placed = _aligned([ranks(voice, tie=tie) for voice in voices])
    shares = [1.0] * len(placed) if weights is None else list(weights)
    if len(shares) != len(placed) or k < 0:
        raise ConfigError(f"fusion of {len(placed)} voices with {len(shares)} weights and k={k}")
    parts = np.asarray(shares)[:, None] / (k + placed)
    total = np.sort(np.nan_to_num(parts, nan=0.0), axis=0).sum(axis=0)
    return np.where(np.isnan(placed).all(axis=0), np.nan, total)


def convex(one: ArrayLike, other: ArrayLike, *, share: float) -> Floats:
    """``(1 - share) * one + share * other`` over normalised scores; a silent voice counts 0 unless both are silent.

    Args:
        one: Shape ``(n,)``.
        other: Shape ``(n,)``.
        share: What ``other`` weighs, 0 to 1.

    Raises:
        ConfigError: a share outside 0 to 1, or arrays of different lengths.

    >>> convex([1.0, 0.5], [0.0, 1.0], share=0.25).tolist()
    [0.75, 0.625]
    """
    if not 0.0 <= share <= 1.0:
        raise ConfigError(f"convex blend with share={share}; 0 to 1")
    both = _aligned([np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)])
    known = np.nan_to_num(both, nan=0.0)
    return np.where(np.isnan(both).all(axis=0), np.nan, (1.0 - share) * known[0] + share * known[1])


def by_range(scores: ArrayLike) -> Floats:
    """Scores stretched to 0…1 by their least and greatest; a voice that prefers nothing says 0 everywhere.

    >>> by_range([2, 4, 3]).tolist(), by_range([5, 5]).tolist()
    ([0.0, 1.0, 0.5], [0.0, 0.0])
    """
    given = np.asarray(scores, dtype=np.float64)
    known = given[~np.isnan(given)]
    if not len(known):
        return given.copy()
    low, high = float(known.min()), float(known.max())
    halves = high / 2 - low / 2  # halved so that the span of two huge numbers does not overflow
    return (given / 2 - low / 2) / halves if halves > 0 else np.where(np.isnan(given), np.nan, 0.0)


def by_max(scores: ArrayLike) -> Floats:
    """Scores divided by the greatest, so that 0 keeps its meaning; all 0 when none is above 0.

    >>> by_max([2, 4, 0]).tolist(), by_max([0, 0]).tolist()
    ([0.5, 1.0, 0.0], [0.0, 0.0])
    """
    given = np.asarray(scores, dtype=np.float64)
    known = given[~np.isnan(given)]
    if not len(known):
        return given.copy()
    high = float(known.max())
    return given / high if high > 0 else np.where(np.isnan(given), np.nan, 0.0)


def _aligned(voices: Sequence[Floats]) -> Floats:
    """Voices as one array of shape ``(voices, n)``."""
    if not voices:
        raise ConfigError("fusion of no voices; give at least one")
    if len({len(voice) for voice in voices}) > 1:
        raise ConfigError(f"voices over {[len(voice) for voice in voices]} candidates; they must be aligned")
    return np.stack(voices)
