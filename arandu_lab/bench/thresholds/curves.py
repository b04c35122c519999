"""What a threshold does to scored pairs: arithmetic on arrays, nothing else.

Scores are cosines, shape ``(n,)``; thresholds, shape ``(t,)``, rise. Every count is of scores *at* a threshold or above, as
the memory compares. Laws: flagged, found and lost never grow with the threshold; calls never grow with the gate and never
shrink with the store.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

GRID: Floats = np.round(np.arange(0.0, 1.0005, 0.005), 3)
"""The thresholds that are looked at: 0 to 1 in steps of .005."""


@dataclass(frozen=True, slots=True)
class Dedup:
    """What becomes of pairs at each threshold: ``flagged`` are merged, of them ``found`` rightly and ``lost`` wrongly."""

    thresholds: Floats
    found: Ints
    lost: Ints
    duplicates: int
    others: int

    @property
    def flagged(self) -> Ints:
        """Pairs merged."""
        return self.found + self.lost

    @property
    def precision(self) -> Floats:
        """Rightly merged of all merged; nan where nothing is."""
        return _ratio(self.found, self.flagged)

    @property
    def recall(self) -> Floats:
        """Duplicates merged of all duplicates; nan where there are none."""
        return _ratio(self.found, np.full_like(self.found, self.duplicates))

    @property
    def lost_share(self) -> Floats:
        """Other pairs merged of all other pairs; nan where there are none."""
        return _ratio(self.lost, np.full_like(self.lost, self.others))


def dedup(
    scores: ArrayLike, duplicate: ArrayLike, refused: ArrayLike | None = None, *, thresholds: ArrayLike = GRID
) -> Dedup:
    """The consequences of each dedup threshold. ``refused`` marks pairs that words keep apart whatever the score.

    >>> at = dedup([0.9, 0.8, 0.7], [True, False, True], thresholds=[0.7, 0.8, 0.85])
    >>> at.precision.round(2).tolist(), at.recall.tolist(), at.lost.tolist()
    ([0.67, 0.5, 1.0], [1.0, 0.5, 0.5], [1, 1, 0])
    """
    values, same = np.asarray(scores, dtype=np.float64), np.asarray(duplicate, dtype=bool)
    open_ = np.ones_like(same) if refused is None else ~np.asarray(refused, dtype=bool)
    cuts = np.asarray(thresholds, dtype=np.float64)
    return Dedup(
        thresholds=cuts,
        found=at_least(values[same & open_], cuts),
        lost=at_least(values[~same & open_], cuts),
        duplicates=int(same.sum()),
        others=int((~same).sum()),
    )


def at_least(scores: ArrayLike, thresholds: ArrayLike) -> Ints:
    """How many scores lie at each threshold or above, shape ``(t,)``.

    >>> at_least([0.5, 0.6], [0.5, 0.55, 0.7]).tolist()
    [2, 1, 0]
    """
    ordered = np.sort(np.asarray(scores, dtype=np.float64))
    below = np.searchsorted(ordered, np.asarray(thresholds, dtype=np.float64), side="left")
    return np.asarray(len(ordered) - below, dtype=np.int64)


def share(scores: ArrayLike, thresholds: ArrayLike, *, of: int | None = None) -> Floats:
    """The share of scores at each threshold or above; of ``of`` things where some have no score. nan of nothing."""
    counts = at_least(scores, thresholds)
    return _ratio(counts, np.full_like(counts, np.size(scores) if of is None else of))


def some_of(hits: ArrayLike, stored: int, drawn: int) -> Floats:
    """The chance that ``drawn`` of ``stored`` facts, without putting back, hold one of the ``hits``; shape of ``hits``.

    >>> some_of([0, 1, 5], 10, 5).round(3).tolist()
    [0.0, 0.5, 0.996]

    Raises:
        ValueError: more drawn than stored.
    """
    if drawn > stored:
        raise ValueError(f"{drawn} drawn of {stored} stored")
    k = np.asarray(hits, dtype=np.int64)
    steps = np.arange(drawn)
    left = np.maximum(stored - k[..., None] - steps, 0) / (stored - steps)
    return np.asarray(1.0 - np.prod(left, axis=-1), dtype=np.float64)


def calls(met: Sequence[ArrayLike], drawn: int, gates: ArrayLike = GRID) -> Floats | None:
    """The chance, at each gate, that a new fact asks a model in a store of ``drawn`` facts.

    Args:
        met: For each new fact, its cosines to all facts a store may hold.

    Returns:
        The mean over the new facts that can meet so many, shape ``(t,)``; None where there are none.
    """
    found = [some_of(at_least(one, gates), np.size(one), drawn) for one in met if np.size(one) >= drawn]
    return np.asarray(np.mean(found, axis=0), dtype=np.float64) if found else None


def density(scores: ArrayLike, at: ArrayLike, *, width: float = 0.025) -> Floats:
    """A smooth histogram: the mean of normal bells of ``width`` around the scores, at the places ``at``."""
    values, places = np.asarray(scores, dtype=np.float64), np.asarray(at, dtype=np.float64)
    if values.size == 0:
        return np.zeros(len(places))
    bells: Floats = np.exp(-0.5 * ((places[:, None] - values[None, :]) / width) ** 2)
    return np.asarray(np.mean(bells, axis=1) / (width * np.sqrt(2 * np.pi)), dtype=np.float64)


def _ratio(part: Ints, whole: Ints) -> Floats:
    return np.where(whole > 0, part / np.maximum(whole, 1), np.nan)
