"""Which curve tells more of gaps it has not seen: log-likelihoods side by side, and the difference in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from arandu_lab.bench.decay.fitting import Fit, Sample, jackknife
from arandu_lab.bench.statistics import interval


def parameters(fits: Sequence[Fit], sample: Sample) -> pl.DataFrame:
    """A row a curve and parameter, and one for its ``half`` (days until half are used again): ``curve parameter value low high``.

    Intervals are made on the log scale, so they stay above 0; null with a single group, and where a fit ended at the bounds
    of its search, so that its spread says nothing. ``half`` may lie beyond what was watched.
    """
    rows: list[dict[str, Any]] = []
    for fit in fits:
        told = [(name, fit.values[place], fit.left_out[:, place]) for place, name in enumerate(fit.curve.parameters)]
        halves = np.array([fit.curve.half(one, sample.apart) for one in fit.left_out])
        ended = at_bounds(fit)
        told.append(("half", fit.curve.half(fit.values, sample.apart), halves))
        for name, value, without in told:
            between = None if name in ended else jackknife(float(np.log(value)), np.log(without))
            low, high = (None, None) if between is None else map(_unlogged, between)
            rows.append({"curve": fit.curve.name, "parameter": name, "value": float(value), "low": low, "high": high})
    return pl.DataFrame(rows, schema=_PARAMETERS)


def at_bounds(fit: Fit) -> tuple[str, ...]:
    """Parameters that ended at a bound of the search, with all gaps or without some."""
    every = np.log(np.vstack([fit.values[None, :], fit.left_out]))
    low, high = (np.log([bound[side] for bound in fit.curve.bounds]) for side in (0, 1))
    met: NDArray[np.bool_] = np.any((every <= low + 1e-6) | (every >= high - 1e-6), axis=0)
    return tuple(name for name, one in zip(fit.curve.parameters, met, strict=True) if one)


def comparison(fits: Sequence[Fit], sample: Sample) -> pl.DataFrame:
    """A row a curve, the one that tells most of held-out gaps first.

    Returns:
        ``curve k likelihood aic behind held_out worse low high``: number of parameters, log-likelihood of all gaps, AIC and
        how far it is behind the least; held-out log-likelihood a gap; by how much that is less than the first curve's,
        with the interval over groups (null for the first).
    """
    least = min(fit.aic for fit in fits)
    order = sorted(fits, key=lambda fit: (-_mean(fit), len(fit.values)))
    rows: list[dict[str, Any]] = []
    for fit in order:
        row: dict[str, Any] = {
            "curve": fit.curve.name,
            "k": len(fit.values),
            "likelihood": fit.likelihood,
            "aic": fit.aic,
            "behind": fit.aic - least,
            "held_out": None if sample.groups < 2 else float(fit.held_out.mean()),
        }
        if fit is not order[0] and sample.groups > 1:
            found = interval(order[0].held_out - fit.held_out, [f"{one:03d}" for one in sample.group])
            row |= {"worse": found.mean, "low": found.low, "high": found.high}
        rows.append(row)
    return pl.DataFrame(rows, schema=_COMPARISON)


def said_of(compared: pl.DataFrame, sample: Sample) -> list[str]:
    """The comparison in words, a sentence for each curve behind the first.

    A difference whose interval holds 0 cannot be told; that is not to say that there is none.
    """
    first, *rest = compared.iter_rows(named=True)
    if sample.groups < 2:
        ahead = compared.sort("aic")["curve"][0]
        return [f"One {sample.unit} was heard: AIC is least for {ahead}, and of others nothing is known."]
    out = []
    for row in rest:
        size = f"{row['worse']:.3f} [{row['low']:.3f}, {row['high']:.3f}] nats a held-out gap"
        if row["low"] > 0:
            out.append(f"{first['curve']} tells held-out gaps better than {row['curve']}: by {size}.")
        else:
            out.append(f"{first['curve']} and {row['curve']} cannot be told apart: {size}.")
    return out


def said_of_bounds(fits: Sequence[Fit]) -> list[str]:
    """Curves that have no value of their own here: a power curve of endless exponent is an exponential one."""
    return [
        f"The {fit.curve.name} curve ended at the bounds of its search ({', '.join(ended)}): it has no values of its own here."
        for fit in fits
        if (ended := at_bounds(fit))
    ]


def _mean(fit: Fit) -> float:
    return -fit.aic if np.isnan(fit.held_out).any() else float(fit.held_out.mean())


def _unlogged(value: float) -> float:
    return float(np.exp(min(max(value, -700.0), 700.0)))


_PARAMETERS: dict[str, Any] = {
    "curve": pl.String,
    "parameter": pl.String,
    "value": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
}
_COMPARISON: dict[str, Any] = {
    "curve": pl.String,
    "k": pl.Int64,
    **dict.fromkeys(("likelihood", "aic", "behind", "held_out", "worse", "low", "high"), pl.Float64),
}
