"""What a run could see, said before it: the least effect that it would find four times in five."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl

from arandu_lab.bench.statistics.intervals import by_cluster, errors, variance
from arandu_lab.bench.statistics.paired import pairs
from arandu_lab.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class Detectable:
    """The least true effect that a run with so many units finds with this power. ``effect`` None: the pilot cannot tell.

    ``unit`` is ``question`` where the pilot had one conversation: the effect is then one of this conversation alone, and
    says nothing of others. ``error`` is the expected standard error of the difference.
    """

    measure: str
    effect: float | None
    error: float
    units: int
    unit: Literal["conversation", "question"]
    alpha: float
    power: float

    def __str__(self) -> str:
        if self.effect is None:
            return f"{self.measure}: the pilot shows no variation, so what can be seen cannot be told"
        few = f"{self.units} {self.unit}{'' if self.units == 1 else 's'}"
        alone = "" if self.unit == "conversation" else " of one conversation (nothing is learned of others)"
        return (
            f"{self.measure}: with {few}{alone} an effect under {100 * self.effect:.1f} points will be missed more than "
            f"{100 * (1 - self.power):.0f} times in 100 (alpha {self.alpha:g})"
        )


def detectable(
    before: pl.DataFrame,
    after: pl.DataFrame,
    measure: str,
    *,
    units: int | None = None,
    alpha: float = 0.05,
    power: float = 0.8,
) -> Detectable:
    """The least effect that a run could see, from the paired variance of two systems of a pilot.

    Args:
        before: A frame of :func:`arandu_lab.bench.measures.score` of one system; ``after`` of another.
        units: Conversations of the run to come; as many as the pilot's by default. Where the pilot has one conversation,
            questions.
        alpha: Of the two-sided test.
        power: The chance of finding an effect of that size.

    Raises:
        ConfigError: as :func:`pairs`; no question in common; or an alpha, power or number that cannot be meant.
    """
    paired = pairs(before, after, measure).drop_nulls("difference")
    if paired.is_empty():
        raise ConfigError(f"no question has a value of {measure!r} in both frames of the pilot")
    values = paired["difference"].to_numpy()
    clusters = paired["conversation"].to_list()  # a story that two datasets tell is one
    unit: Literal["conversation", "question"] = "conversation"
    if len(set(clusters)) < 2:
        unit, clusters = "question", [str(place) for place in range(len(values))]
    sums, counts = by_cluster(values, clusters)
    wanted = units or len(sums)
    if len(sums) < 2:
        return Detectable(
            measure=measure, effect=None, error=0.0, units=wanted, unit=unit, alpha=alpha, power=power
        )  # fmt: skip
    shrunk = float(np.sqrt(len(sums) / wanted))
    told = [(error * shrunk, (df + 1) * wanted // len(sums)) for error, df in errors(sums, counts, variance(values))]
    effects = [detectable_of(one, many, alpha=alpha, power=power) for one, many in told if one > 0 and many > 1]
    effect = max(effects) if effects and wanted > 1 else None
    error = max(one for one, _ in told)
    return Detectable(measure=measure, effect=effect, error=error, units=wanted, unit=unit, alpha=alpha, power=power)


def detectable_of(error: float, units: int, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """The effect that a two-sided t test over ``units`` with this standard error finds with this power.

    Raises:
        ConfigError: fewer than two units, no error, or an alpha or power outside 0 to 1 (power above alpha).

    >>> round(detectable_of(0.01, 4), 4), round(detectable_of(0.01, 50), 4)
    (0.0426, 0.0286)
    """
    from scipy.special import chdtri, ndtr, stdtrit

    if units < 2 or error <= 0 or not 0 < alpha < power < 1:
        raise ConfigError(
            f"detectable_of(error={error}, units={units}, alpha={alpha}, power={power}); at least two units, an error "
            "above 0, and 0 < alpha < power < 1"
        )
    df = units - 1
    cut = float(stdtrit(df, 1 - alpha / 2))
    # the noncentral t by its definition, over the spread that the run may come to see; scipy's own is nan in its tails
    spreads = np.sqrt(chdtri(df, 1 - (np.arange(4000) + 0.5) / 4000) / df)
    low, high = 0.0, cut * float(spreads[-1]) + 10.0
    while high - low > 1e-7:
        shift = (low + high) / 2
        found = float((ndtr(shift - cut * spreads) + ndtr(-shift - cut * spreads)).mean())
        low, high = (shift, high) if found < power else (low, shift)
    return error * high
