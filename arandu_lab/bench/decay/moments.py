"""Moments at which one looks at a fact: what a memory could know of it then, and whether it was needed soon after."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from arandu_lab.bench.decay.log import FACT, watched
from arandu_lab.errors import ConfigError

EVERY = 30.0
"""Days between two looks at a fact."""


def moments(log: pl.DataFrame, *, horizon: float, every: float = EVERY, apart: float = 1.0) -> pl.DataFrame:
    """A row a fact and moment, every ``every`` days from half as long after its telling to ``horizon`` days before the end.

    Args:
        log: Of :func:`arandu_lab.bench.decay.access_log`.
        horizon: Days ahead in which a use counts.
        every: Days between moments.
        apart: Days; moments nearer than that to the last use are left out, because the sitting is not over.

    Returns:
        ``agent subject fact_id at rested reused`` (days since it was told or asked last, and whether it is within the
        horizon), and what vitality is made of: ``known`` (days since it was told or came into a context last),
        ``retrieved`` (times), ``retold`` (times), ``confidence``. Where nothing is logged as retrieved, what is asked counts
        as retrieved: a memory that always finds what is needed.

    Raises:
        ConfigError: days that are not above 0, or no moment at which the horizon was watched to its end.
    """
    if not horizon > 0 or not every > 0 or not apart >= 0:
        raise ConfigError(f"moments(horizon={horizon}, every={every}, apart={apart}); wants days above 0")
    facts = watched(log)
    length = (facts["until"] - facts["told"]).dt.total_microseconds().to_numpy() / _DAY
    place, step = looks(length - horizon, every)
    if not len(place):
        raise ConfigError(
            f"no fact was watched for {every / 2 + horizon:g} days (every={every:g}, horizon={horizon:g}); the longest "
            f"was watched for {length.max():.0f}: take a shorter horizon"
        )
    rows = facts[place].with_columns(pl.Series("step", (step * _DAY).astype(np.int64)))
    rows = rows.with_columns((pl.col("told") + pl.duration(microseconds="step")).alias("at")).drop(
        "told", "until", "step"
    )
    told, asked, shown = (log.filter(kind=kind) for kind in ("told", "asked", "retrieved"))
    shown = asked if shown.is_empty() else shown
    needed = pl.concat([told, asked])
    rows = _joined(rows, needed, "used")
    rows = _joined(rows, told, "heard")
    rows = _joined(rows, shown, "shown")
    ahead = needed.select(*FACT, pl.col("at").alias("next")).sort("next")
    rows = rows.sort("at").join_asof(
        ahead, left_on="at", right_on="next", by=list(FACT), strategy="forward", allow_exact_matches=False,
        check_sortedness=False,
    )  # fmt: skip
    latest = pl.max_horizontal("heard_at", "shown_at")
    rows = rows.with_columns(
        _days(pl.col("at") - pl.col("used_at")).alias("rested"),
        (_days(pl.col("next") - pl.col("at")) <= horizon).fill_null(False).alias("reused"),
        _days(pl.col("at") - latest).alias("known"),
        pl.col("shown_times").fill_null(0).alias("retrieved"),
        (pl.col("heard_times") - 1).alias("retold"),
    )
    names = ("agent", "subject", "fact_id", "at", "rested", "reused", "known", "retrieved", "retold", "confidence")
    found = rows.filter(pl.col("rested") >= apart).sort(*FACT, "at").select(names)
    if found.is_empty():
        raise ConfigError(f"at no moment had a fact rested {apart:g} days; take a shorter apart")
    return found


def looks(length: NDArray[np.float64], every: float = EVERY) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Which fact is looked at, and how many days after it was told: in the middle of every span of ``every`` days.

    >>> [part.tolist() for part in looks(np.array([10.0, 50.0]), 30.0)]
    [[1, 1], [15.0, 45.0]]
    """
    number = np.maximum(np.floor(length / every + 0.5), 0.0).astype(np.int64)
    place = np.repeat(np.arange(len(length)), number)
    step = (np.arange(len(place)) - np.repeat(np.cumsum(number) - number, number) + 0.5) * every
    return place.astype(np.int64), step.astype(np.float64)


def vitalities(rows: pl.DataFrame, *, half_life: float = 30.0) -> NDArray[np.float64]:
    """The documented vitality at each moment, in 0 to .90; no correction is logged, so none is counted."""
    from arandu_lab.pure.vitality import vitality

    none = np.zeros(len(rows))
    found = vitality(
        rows["retrieved"].to_numpy().astype(np.float64),
        rows["known"].to_numpy(),
        rows["confidence"].to_numpy(),
        rows["retold"].to_numpy().astype(np.float64),
        none,
        none.astype(bool),
        half_life_days=half_life,
    )
    return np.asarray(found, dtype=np.float64)


def _joined(rows: pl.DataFrame, uses: pl.DataFrame, name: str) -> pl.DataFrame:
    """With the last of some uses at or before each moment (``NAME_at``), and how many there were (``NAME_times``)."""
    counted = uses.sort(*FACT, "at").with_columns(pl.col("times").cum_sum().over(FACT).alias(f"{name}_times"))
    right = counted.select(*FACT, pl.col("at").alias(f"{name}_at"), f"{name}_times").sort(f"{name}_at")
    return rows.sort("at").join_asof(
        right, left_on="at", right_on=f"{name}_at", by=list(FACT), strategy="backward", check_sortedness=False
    )


def _days(span: pl.Expr) -> pl.Expr:
    return span.dt.total_microseconds() / _DAY


_DAY = 86_400e6
