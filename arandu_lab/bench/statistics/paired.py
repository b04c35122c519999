"""The paired difference of two systems on the same questions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from arandu_lab.bench.statistics.design import Design, design_effect
from arandu_lab.bench.statistics.intervals import Interval, Method, by_cluster, interval, student
from arandu_lab.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """``after - before`` on the same questions.

    ``sign_flip`` is the exact two-sided p of flipping whole clusters (never below ``2 / 2**clusters``: four
    conversations cannot say less than .125); None with one cluster or more than 20. ``p`` is Student's, of the same
    clusters as the interval; None with one. ``design`` says what clustering costs here. ``unpaired`` counts questions that
    only one of the two has a value for; they are left out.
    """

    interval: Interval
    wins: int
    ties: int
    losses: int
    clusters_up: int
    sign_flip: float | None
    unpaired: int
    p: float | None = None
    design: Design | None = None


def compare(
    before: pl.DataFrame,
    after: pl.DataFrame,
    measure: str,
    *,
    level: float = 0.95,
    method: Method = "t",
    draws: int = 10_000,
    seed: int = 0,
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
    clusters = paired["conversation"].to_list()  # a story that two datasets tell is one
    sums, _ = by_cluster(differences, clusters)
    one_sided = both.filter(pl.col("before").is_null() != pl.col("after").is_null())
    return Difference(
        interval=interval(differences, clusters, level=level, method=method, draws=draws, seed=seed),
        wins=int((differences > 0).sum()),
        ties=int((differences == 0).sum()),
        losses=int((differences < 0).sum()),
        clusters_up=int((sums > 0).sum()),
        sign_flip=_sign_flip(sums),
        unpaired=len(one_sided),
        p=student(differences, clusters),
        design=design_effect(differences, clusters),
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
