"""Is the difference real? Conversations are resampled, not questions.

Questions of one conversation share its turns, its speakers and its luck: over questions the interval of a dense
retriever came out up to four times too narrow. With a single conversation there is nothing to resample, so there is no
interval (null), rather than one of width zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from arandu_lab.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A mean over questions with its bootstrap interval over clusters; ``low`` and ``high`` None with one cluster."""

    mean: float
    low: float | None
    high: float | None
    n: int
    clusters: int

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return f"{self.mean:.4f} (one cluster: no interval)"
        return f"{self.mean:.4f} [{self.low:.4f}, {self.high:.4f}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """``after - before`` on the same questions.

    ``sign_flip`` is the exact two-sided p of flipping whole clusters (never below ``2 / 2**clusters``: four
    conversations cannot say less than .125); None with one cluster or more than 20. ``unpaired`` counts questions that
    only one of the two has a value for; they are left out.
    """

    interval: Interval
    wins: int
    ties: int
    losses: int
    clusters_up: int
    sign_flip: float | None
    unpaired: int


def interval(
    values: ArrayLike, clusters: Sequence[str], *, level: float = 0.95, draws: int = 10_000, seed: int = 0
) -> Interval:
    """Percentile bootstrap of the mean, drawing whole clusters with replacement.

    Args:
        values: Shape ``(n,)``, no nulls.
        clusters: The cluster of each value, ``n`` of them.
        level: Coverage, above 0 and below 1.
        draws: Number of resamples.
        seed: The same seed gives the same interval, to the last bit, in whatever order the values stand.

    Raises:
        ConfigError: no values, a null among them, or another number of clusters than of values.

    >>> str(interval([1, 0, 1, 1], ["a", "a", "b", "b"]))
    '0.7500 [0.5000, 1.0000]'
    """
    sums, counts = _by_cluster(values, clusters)
    if not 0.0 < level < 1.0 or draws < 1:
        raise ConfigError(f"interval with level={level}, draws={draws}; a level between 0 and 1, at least one draw")
    mean = float(sums.sum() / counts.sum())
    number = len(sums)
    if number < 2:
        return Interval(mean=mean, low=None, high=None, n=int(counts.sum()), clusters=number)
    drawn = np.random.default_rng(seed).integers(number, size=(draws, number))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return Interval(mean=mean, low=float(low), high=float(high), n=int(counts.sum()), clusters=number)


def compare(
    before: pl.DataFrame, after: pl.DataFrame, measure: str, *, level: float = 0.95, draws: int = 10_000, seed: int = 0
) -> Difference:
    """The paired difference of one measure between two frames of :func:`arandu_lab.bench.measures.score`.

    Raises:
        ConfigError: frames of different datasets, a measure that one of them lacks, or no question in common.
    """
    datasets = [sorted(frame["dataset"].unique()) for frame in (before, after)]
    if datasets[0] != datasets[1]:
        raise ConfigError(f"a comparison across datasets: {datasets[0]} and {datasets[1]}")
    both = pairs(before, after, measure)
    paired = both.drop_nulls("difference")
    if paired.is_empty():
        raise ConfigError(f"no question has a value of {measure!r} in both frames")
    differences = paired["difference"].to_numpy()
    clusters = (paired["dataset"] + "/" + paired["conversation"]).to_list()
    sums, _ = _by_cluster(differences, clusters)
    one_sided = both.filter(pl.col("before").is_null() != pl.col("after").is_null())
    return Difference(
        interval=interval(differences, clusters, level=level, draws=draws, seed=seed),
        wins=int((differences > 0).sum()),
        ties=int((differences == 0).sum()),
        losses=int((differences < 0).sum()),
        clusters_up=int((sums > 0).sum()),
        sign_flip=_sign_flip(sums),
        unpaired=len(one_sided),
    )


def pairs(before: pl.DataFrame, after: pl.DataFrame, measure: str) -> pl.DataFrame:
    """One row a question of either frame: ``dataset conversation question category before after difference``."""
    sides = []
    for frame, name in ((before, "before"), (after, "after")):
        side = frame.filter(pl.col("measure") == measure)
        if side.is_empty():
            raise ConfigError(
                f"measure {measure!r} is not in the {name} frame; it has {sorted(frame['measure'].unique())}"
            )
        if side.select(_KEYS).is_duplicated().any():
            raise ConfigError(f"the {name} frame has several rows a question; take one system")
        sides.append(side.select(*_KEYS, pl.col("value").alias(name)))
    joined = sides[0].join(sides[1], on=_KEYS, how="full", coalesce=True, nulls_equal=True).sort(_KEYS)
    return joined.with_columns((pl.col("after") - pl.col("before")).alias("difference"))


def _by_cluster(values: ArrayLike, clusters: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sums and counts, shape ``(clusters,)`` each, in the order of cluster names."""
    given = np.asarray(values, dtype=np.float64)
    if not len(given) or len(given) != len(clusters):
        raise ConfigError(f"{len(given)} values in {len(clusters)} places; at least one value, and a cluster for each")
    if np.isnan(given).any():
        raise ConfigError("a value that is null; drop it and say how many were dropped")
    names, where = np.unique(np.asarray(clusters, dtype=str), return_inverse=True)
    order = np.lexsort((given, where))
    sums = np.bincount(where[order], weights=given[order], minlength=len(names)).astype(np.float64)
    return sums, np.bincount(where, minlength=len(names)).astype(np.float64)


def _sign_flip(sums: NDArray[np.float64]) -> float | None:
    """The share of all sign patterns over clusters whose total lies at least as far from 0 as the one seen."""
    if not 2 <= len(sums) <= 20:
        return None
    totals = np.zeros(1)
    for one in sums:
        totals = np.concatenate([totals + one, totals - one])
    seen = abs(float(sums.sum()))
    return float((np.abs(totals) >= seen * (1 - 1e-12) - 1e-15).mean())


_KEYS = ["dataset", "conversation", "question", "category"]
