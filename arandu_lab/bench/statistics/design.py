"""What clustering costs: questions of one conversation say less than as many unrelated ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from arandu_lab.bench.statistics.intervals import by_cluster, jackknife


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """``effect``: the variance of the mean over that of as many independent values; None with one cluster.

    ``correlation`` is that of two values of one cluster (analysis of variance; may be a little below 0); None where no
    cluster has two values. ``effective`` is how many independent values would say as much.
    """

    effect: float | None
    correlation: float | None
    n: int
    clusters: int

    @property
    def effective(self) -> float | None:
        """``n / effect``; None without an effect, or where it is 0."""
        return self.n / self.effect if self.effect else None

    def __str__(self) -> str:
        if self.effect is None:
            return f"{self.n} questions of one conversation: what clustering costs cannot be told"
        said = f"design effect {self.effect:.2f}: {self.n} questions of {self.clusters} conversations"
        return said + (f" say as much as {self.effective:.0f} unrelated ones" if self.effective else "")


def design_effect(values: ArrayLike, clusters: Sequence[str]) -> Design:
    """The inflation of variance by clustering, with the correlation inside clusters.

    1 where every value is a cluster of its own, near 1 where values are independent of their clusters, and the number of
    values a cluster where a cluster's values are all the same.

    Raises:
        ConfigError: no values, a null among them, or another number of clusters than of values.

    >>> print(design_effect([1.0] * 10 + [0.0] * 10 + [1.0] * 10, ["a"] * 10 + ["b"] * 10 + ["c"] * 10))
    design effect 14.50: 30 questions of 3 conversations say as much as 2 unrelated ones
    >>> design_effect([1.0, 0.0, 0.0], ["a", "b", "c"]).effect
    1.0
    """
    given = np.asarray(values, dtype=np.float64)
    sums, counts = by_cluster(given, clusters)
    n, number = int(counts.sum()), len(sums)
    spread = float(((given - given.mean()) ** 2).sum())
    if number < 2:
        return Design(effect=None, correlation=None, n=n, clusters=number)
    if spread < 1e-18 * n:
        return Design(effect=1.0, correlation=None, n=n, clusters=number)
    alone = spread / (n - 1) / n
    effect = round(jackknife(sums, counts) ** 2 / alone, 12)
    return Design(effect=effect, correlation=_correlation(sums, counts, spread), n=n, clusters=number)


def _correlation(sums: np.ndarray, counts: np.ndarray, spread: float) -> float | None:
    n, number = float(counts.sum()), len(sums)
    if n <= number:
        return None
    between = float((counts * (sums / counts - sums.sum() / n) ** 2).sum()) / (number - 1)
    within = max(0.0, spread - between * (number - 1)) / (n - number)
    typical = (n - float((counts**2).sum()) / n) / (number - 1)
    total = between + (typical - 1) * within
    return (between - within) / total if total > 0 else None
