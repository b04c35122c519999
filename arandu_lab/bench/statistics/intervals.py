"""A mean over questions with its interval over conversations.

Questions of one conversation share its turns, its speakers and its luck: over questions the interval of a dense
retriever came out up to four times too narrow. So conversations are the units. With a single one there is nothing to
learn about others, so there is no interval (null), rather than one of width zero.

Conversations are few, and the bootstrap does not know it: drawn from four, an interval that says 95 % holds the truth 80
times in a hundred; drawn from two, 50 times. The default is therefore Student's *t* on the jackknife over conversations,
which holds it 91 to 95 times with four, however unequal they are, and is the bootstrap's equal from fifty on
(``python benchmarks/coverage.py`` prints the table). Among intervals around the mean over questions it came nearest to
what it says; BCa is no better than the percentiles below twenty conversations, and with so few no correction that draws
from them can be.

Conversations that came out alike by luck are no certainty: with one question in a hundred moved, two conversations of 87
often moved by the same share, and the jackknife sees no spread at all. So an interval is never narrower than that over as
many unrelated questions, because sharing a conversation only costs: the wider of the two is told, and its p is the greater.
Its width is 0 only where every single question has the same value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from arandu_lab.errors import ConfigError, nearest

Method: TypeAlias = Literal["t", "bootstrap"]
_NONE = 1e-12
"""An error under this share of what it is the error of is one of the machine's arithmetic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A mean over questions with its interval over clusters; ``low`` and ``high`` None with one cluster."""

    mean: float
    low: float | None
    high: float | None
    n: int
    clusters: int

    def __str__(self) -> str:
        if self.low is None or self.high is None:
            return f"{self.mean:.4f} (one cluster: no interval)"
        return f"{self.mean:.4f} [{self.low:.4f}, {self.high:.4f}]"

    @property
    def excludes_zero(self) -> bool:
        """Whether 0 lies outside; False without an interval."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


def interval(
    values: ArrayLike,
    clusters: Sequence[str],
    *,
    level: float = 0.95,
    method: Method = "t",
    bounds: tuple[float, float] | None = None,
    draws: int = 10_000,
    seed: int = 0,
) -> Interval:
    """The mean of values with an interval over their clusters.

    Args:
        values: Shape ``(n,)``, no nulls.
        clusters: The cluster of each value, ``n`` of them.
        level: Coverage, above 0 and below 1.
        method: ``t``: Student's t on the jackknife over clusters; ``bootstrap``: percentiles of whole clusters drawn
            with replacement (too narrow with few).
        bounds: The range that a mean can lie in, such as ``(0, 1)`` for a share: the interval is cut there.
        draws: Number of resamples of the bootstrap.
        seed: Of the bootstrap. The same seed gives the same interval, to the last bit, in whatever order values stand.

    Raises:
        ConfigError: no values, a null among them, another number of clusters than of values, or an unknown method.

    >>> str(interval([1, 0, 1, 1, 0, 1], ["a", "a", "b", "b", "c", "c"], bounds=(0, 1)))
    '0.6667 [0.0000, 1.0000]'
    >>> str(interval([1, 0, 1, 1], ["a", "a", "b", "b"], method="bootstrap"))
    '0.7500 [0.5000, 1.0000]'
    """
    sums, counts = by_cluster(values, clusters)
    if method not in get_args(Method):
        raise ConfigError(f"interval by {method!r}; {nearest(str(method), get_args(Method))}")
    if not 0.0 < level < 1.0 or draws < 1:
        raise ConfigError(f"interval with level={level}, draws={draws}; a level between 0 and 1, at least one draw")
    mean, number = float(sums.sum() / counts.sum()), len(sums)
    if number < 2:
        return Interval(mean=mean, low=None, high=None, n=int(counts.sum()), clusters=number)
    if method == "t":
        half = half_width(sums, counts, variance(values), level)
        low, high = mean - half, mean + half
    else:
        drawn = np.random.default_rng(seed).integers(number, size=(draws, number))
        means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
        low, high = map(float, np.quantile(means, [(1 - level) / 2, (1 + level) / 2]))
    if bounds is not None:
        low, high = max(low, bounds[0]), min(high, bounds[1])
    return Interval(mean=mean, low=low, high=high, n=int(counts.sum()), clusters=number)


def by_cluster(values: ArrayLike, clusters: Sequence[str]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sums and counts, shape ``(clusters,)`` each, in the order of cluster names.

    Raises:
        ConfigError: as :func:`interval`.
    """
    given = np.asarray(values, dtype=np.float64)
    if not len(given) or len(given) != len(clusters):
        raise ConfigError(f"{len(given)} values in {len(clusters)} places; at least one value, and a cluster for each")
    if np.isnan(given).any():
        raise ConfigError("a value that is null; drop it and say how many were dropped")
    names, where = np.unique(np.asarray(clusters, dtype=str), return_inverse=True)
    order = np.lexsort((given, where))
    sums = np.bincount(where[order], weights=given[order], minlength=len(names)).astype(np.float64)
    return sums, np.bincount(where, minlength=len(names)).astype(np.float64)


def half_width(sums: NDArray[np.float64], counts: NDArray[np.float64], single: float, level: float = 0.95) -> float:
    """Half of an interval: over clusters, or over unrelated values of variance ``single`` where that is the wider."""
    from scipy.special import stdtrit

    return max(float(stdtrit(df, (1 + level) / 2)) * error for error, df in errors(sums, counts, single))


def student(values: ArrayLike, clusters: Sequence[str]) -> float | None:
    """The two-sided p of a mean of 0: what makes the interval of level ``1 - p`` touch 0; None with one cluster.

    Raises:
        ConfigError: as :func:`interval`.

    >>> student([0.0] * 86 + [1.0], ["a"] * 87) is None
    True
    >>> round(student(([0.0] * 86 + [1.0]) * 2, ["a"] * 87 + ["b"] * 87), 2)
    0.16
    """
    from scipy.special import stdtr

    sums, counts = by_cluster(values, clusters)
    if len(sums) < 2:
        return None
    mean = abs(float(sums.sum() / counts.sum()))
    if mean < 1e-15:
        return 1.0
    told = errors(sums, counts, variance(values))
    return max(float(2 * stdtr(df, -mean / error)) if error > 0 else 0.0 for error, df in told)


def errors(sums: NDArray[np.float64], counts: NDArray[np.float64], single: float) -> tuple[tuple[float, int], ...]:
    """Two standard errors of the mean with their degrees of freedom: over clusters, and over unrelated values."""
    n, mean = int(counts.sum()), float(sums.sum() / counts.sum())
    unrelated = float(np.sqrt(single / n))
    return (jackknife(sums, counts), len(sums) - 1), (0.0 if unrelated < _NONE * (1 + abs(mean)) else unrelated, n - 1)


def variance(values: ArrayLike) -> float:
    """The variance of single values, whatever order they stand in; 0 for one alone."""
    given = np.sort(np.asarray(values, dtype=np.float64))
    return float(given.var(ddof=1)) if len(given) > 1 else 0.0


def jackknife(sums: NDArray[np.float64], counts: NDArray[np.float64]) -> float:
    """The standard error of the mean over questions by leaving out one cluster at a time; at least two clusters."""
    number, mean = len(sums), sums.sum() / counts.sum()
    without = (sums.sum() - sums) / (counts.sum() - counts)
    found = float(np.sqrt((number - 1) / number * ((without - mean) ** 2).sum()))
    return 0.0 if found < _NONE * (1.0 + abs(float(mean))) else found
