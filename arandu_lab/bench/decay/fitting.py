"""Curves fitted to gaps by maximum likelihood, and what is left of each when some agents are left out.

A gap that nobody saw the end of counts as long as it was watched (right censoring); a gap is only known of because it was
longer than a sitting, so its likelihood is given that (left truncation). Leaving out one group of units at a time serves
twice: the spread of those fits is the interval (Student's *t* on the jackknife), and each is judged by the gaps of the
group that had no say in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from arandu_lab.bench.decay.curves import Family
from arandu_lab.errors import ConfigError

GROUPS = 40
"""Groups of units, at most: more units go into groups by turns."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Sample:
    """Gaps as columns: ``days`` and ``seen``, each of a ``group``; none is shorter than ``apart`` days."""

    days: Floats
    seen: NDArray[np.bool_]
    group: NDArray[np.int64]
    units: tuple[str, ...]
    groups: int
    unit: str
    apart: float

    def without(self, group: int) -> Sample:
        """All gaps but those of one group."""
        kept = self.group != group
        return Sample(
            days=self.days[kept], seen=self.seen[kept], group=self.group[kept],
            units=self.units, groups=self.groups, unit=self.unit, apart=self.apart,
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Fit:
    """One curve fitted: ``values`` on all gaps, ``left_out`` with each group left out, shape ``(groups, parameters)``.

    ``likelihood`` is the log-likelihood of all gaps; ``held_out`` that of each gap under the fit that did not see its
    group, shape ``(gaps,)``, nan with a single group.
    """

    curve: Family
    values: Floats
    left_out: Floats
    likelihood: float
    held_out: Floats

    @property
    def aic(self) -> float:
        """Akaike's criterion, less is better; as if all gaps were independent."""
        return 2.0 * len(self.values) - 2.0 * self.likelihood


def sample_of(spans: pl.DataFrame, *, apart: float, over: str | None = None) -> Sample:
    """The gaps of a frame of :func:`arandu_lab.bench.decay.gaps`, grouped by units.

    Args:
        over: ``agent`` or ``subject``: what is independent of what; agents where there are at least two, else subjects.

    Raises:
        ConfigError: no gap, none whose end was seen, or another ``over``.
    """
    if not spans["seen"].any():
        raise ConfigError(f"{len(spans)} gaps, and no fact was ever used again: nothing says how use decays")
    unit, names = units_of(spans, over)
    units = sorted(names.unique())
    groups = min(len(units), GROUPS)
    places = {name: place % groups for place, name in enumerate(units)}
    return Sample(
        days=spans["days"].to_numpy(),
        seen=spans["seen"].to_numpy(),
        group=np.array([places[name] for name in names], dtype=np.int64),
        units=tuple(units),
        groups=groups,
        unit=unit,
        apart=apart,
    )


def units_of(frame: pl.DataFrame, over: str | None) -> tuple[str, pl.Series]:
    """What is independent of what (``agent`` or ``subject``), and the unit of each row.

    Raises:
        ConfigError: another ``over``.
    """
    if over not in (None, "agent", "subject"):
        raise ConfigError(f"over={over!r}; wants 'agent' or 'subject'")
    unit = over or ("agent" if frame["agent"].n_unique() > 1 else "subject")
    return unit, frame["agent"] if unit == "agent" else frame["agent"] + "/" + frame["subject"]


def fitted(curve: Family, sample: Sample) -> Fit:
    """A curve on all gaps, and with each group left out.

    Raises:
        ConfigError: a group holds every gap whose end was seen, so that nothing is left without it.
    """
    values = _best(curve, sample)
    held, left_out = np.full(len(sample.days), np.nan), np.empty((0, len(values)))
    if sample.groups > 1:
        rows = []
        for group in range(sample.groups):
            rest = sample.without(group)
            if not rest.seen.any():
                raise ConfigError(
                    f"only one {sample.unit} saw a fact used again; an interval needs two, of which one is left out"
                )
            rows.append(_best(curve, rest, values))
            mine = sample.group == group
            held[mine] = curve.log_likelihoods(rows[-1], sample.days[mine], sample.seen[mine], sample.apart)
        left_out = np.array(rows)
    whole = curve.log_likelihoods(values, sample.days, sample.seen, sample.apart)
    return Fit(curve=curve, values=values, left_out=left_out, likelihood=float(whole.sum()), held_out=held)


def jackknife(whole: float, without: Sequence[float] | Floats, *, level: float = 0.95) -> tuple[float, float] | None:
    """Student's *t* interval of a statistic, from its value with each group left out; None with fewer than two.

    >>> low, high = jackknife(2.0, [1.5, 2.0, 2.5])
    >>> round(low, 2), round(high, 2)
    (-0.48, 4.48)
    """
    from scipy.special import stdtrit

    parts = np.asarray(without, dtype=np.float64)
    number = len(parts)
    if number < 2:
        return None
    error = float(np.sqrt((number - 1) / number * ((parts - parts.mean()) ** 2).sum()))
    half = float(stdtrit(number - 1, (1 + level) / 2)) * error
    return whole - half, whole + half


def _best(curve: Family, sample: Sample, start: Floats | None = None) -> Floats:
    """The values that make the gaps likeliest: at once where nothing ages, else searched on the log scale from ``start``."""
    from scipy.optimize import minimize

    ends, lasts, many = sample.days[sample.seen], sample.days[~sample.seen], len(sample.days)
    first = curve.start(sample.days - sample.apart, sample.seen)
    if curve.name == "exponential":
        return first

    def surprise(logs: Floats) -> float:
        return -curve.log_likelihood(np.exp(logs), ends, lasts, sample.apart) / many

    bounds = [(float(np.log(low)), float(np.log(high))) for low, high in curve.bounds]
    begin = np.clip(np.log(first if start is None else start), [low for low, _ in bounds], [high for _, high in bounds])
    found = minimize(surprise, begin, method="L-BFGS-B", bounds=bounds, options={"ftol": 1e-10, "gtol": 1e-7})
    return np.exp(np.asarray(found.x, dtype=np.float64))
