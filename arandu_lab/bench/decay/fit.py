"""``fit_decay``: an access log, three curves, and what may be said of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from arandu_lab.bench.decay.calibration import RECENCY, VITALITY, bins, predictions, scores
from arandu_lab.bench.decay.comparing import comparison, parameters, said_of, said_of_bounds
from arandu_lab.bench.decay.curves import FAMILIES, family
from arandu_lab.bench.decay.fitting import Fit, Sample, fitted, jackknife, sample_of
from arandu_lab.bench.decay.log import gaps, watched
from arandu_lab.bench.decay.moments import moments
from arandu_lab.bench.decay.result import Decay, days_told
from arandu_lab.errors import ConfigError

POINTS = 80
"""Days at which curves are drawn."""


def fit_decay(
    log: pl.DataFrame,
    *,
    curves: Sequence[str] = tuple(FAMILIES),
    uses: Sequence[str] = ("told", "asked"),
    apart: float = 1.0,
    horizon: float = 90.0,
    half_life: float = 30.0,
    over: str | None = None,
) -> Decay:
    """Fit curves to the gaps between uses, compare them on gaps they have not seen, and check their chances.

    Args:
        log: Of :func:`arandu_lab.bench.decay.access_log` or one of the sources.
        curves: Of ``exponential``, ``weibull`` and ``power``.
        uses: Kinds of rows that are uses. What a memory retrieves is no use by itself: it may have been of no use.
        apart: Days; uses nearer than that are one sitting.
        horizon: Days ahead in which a reuse is predicted.
        half_life: Days, of the documented recency and of the recency in vitality.
        over: ``agent`` or ``subject``: what is independent of what; agents where there are two, else subjects.

    Raises:
        ConfigError: no curve or an unknown one, a log in which no fact is used again, or a horizon that nobody watched.
    """
    if not curves or len(set(curves)) < len(curves):
        raise ConfigError(f"curves={list(curves)}; each of some of {', '.join(FAMILIES)} once")
    chosen = [family(name) for name in curves]
    sample = sample_of(gaps(log, uses=uses, apart=apart), apart=apart, over=over)
    fits = [fitted(one, sample) for one in chosen]
    compared, told = comparison(fits, sample), parameters(fits, sample)
    rows = moments(log, horizon=horizon, apart=apart)
    made, group = predictions(rows, fits, sample, horizon=horizon, half_life=half_life)
    reused = rows["reused"].to_numpy()
    binned = bins(made, reused, group)
    scored = scores(made, reused, group, binned)
    best = next(fit for fit in fits if fit.curve.name == compared["curve"][0])
    span = float(np.quantile(sample.days, 0.999))
    said = [*said_of(compared, sample), *said_of_bounds(fits), *_shapes(told), *_beyond(told, best, span)]
    said += _calibrated(scored, best.curve.name, float(reused.mean()), horizon)
    return Decay(
        title=_title(log, sample),
        found=tuple(said),
        parameters=told,
        comparison=compared,
        observed=observed(sample),
        drawn=pl.concat([_drawn(fit, sample, span) for fit in fits]),
        bins=binned,
        scores=scored,
        horizon=horizon,
        half_life=half_life,
    )


def observed(sample: Sample) -> pl.DataFrame:
    """The share of facts not used again, by Kaplan and Meier, of those that rested longer than a sitting: ``days share``."""
    ends, where = np.unique(sample.days, return_inverse=True)
    used = np.bincount(where, weights=sample.seen.astype(np.float64))
    at_risk = len(sample.days) - np.concatenate([[0.0], np.cumsum(np.bincount(where))[:-1]])
    share = np.cumprod(1.0 - used / at_risk)
    kept = used > 0
    days = np.concatenate([[sample.apart], ends[kept]])
    frame = pl.DataFrame({"days": days, "share": np.concatenate([[1.0], share[kept]])})
    step = max(len(frame) // 400, 1)
    return frame[np.unique(np.append(np.arange(0, len(frame), step), len(frame) - 1))]


def _drawn(fit: Fit, sample: Sample, span: float) -> pl.DataFrame:
    """A curve over the days that were watched, given a rest longer than a sitting, with its interval at each day."""
    days = np.geomspace(max(sample.apart, span / 1000), span, POINTS)

    def risen(values: Any) -> Any:
        return np.log(np.maximum(fit.curve.log_rest(values, sample.apart) - fit.curve.log_rest(values, days), 1e-12))

    whole, parts = risen(fit.values), [risen(one) for one in fit.left_out]
    rows = []
    for place, day in enumerate(days):
        between = jackknife(float(whole[place]), [part[place] for part in parts])
        low, high = (None, None) if between is None else (np.exp(-np.exp(one)) for one in reversed(between))
        rows.append((fit.curve.name, float(day), float(np.exp(-np.exp(whole[place]))), low, high))
    return pl.DataFrame(rows, schema=_DRAWN, orient="row")


def _title(log: pl.DataFrame, sample: Sample) -> str:
    many, agents = len(watched(log)), log["agent"].n_unique()
    groups = "" if sample.groups == len(sample.units) else f" in {sample.groups} groups"
    seen = 100 * float(sample.seen.mean())
    return (
        f"Decay: {len(sample.days):,} gaps between uses of {many:,} facts of {agents} agent{'s' * (agents > 1)}; "
        f"{seen:.0f} % seen to their end; intervals over {len(sample.units)} {sample.unit}s{groups}"
    )


def _shapes(told: pl.DataFrame) -> list[str]:
    out = []
    for row in told.filter(parameter="shape").iter_rows(named=True):
        if row["low"] is None:
            continue
        between = f"shape {row['value']:.2f} [{row['low']:.2f}, {row['high']:.2f}]"
        if row["high"] < 1:
            out.append(f"The longer a fact has rested, the longer it will rest on ({between}, below 1).")
        elif row["low"] > 1:
            out.append(f"The longer a fact has rested, the sooner it is used again ({between}, above 1).")
        else:
            out.append(f"That resting changes the chance of use cannot be told ({between}).")
    return out


def _beyond(told: pl.DataFrame, best: Fit, span: float) -> list[str]:
    half = told.filter(curve=best.curve.name, parameter="half")["value"][0]
    if half <= span:
        return []
    return [
        f"Half are used again only after {days_told(half)} days by the {best.curve.name} curve, beyond the {span:.0f} days that "
        "were watched: read it as rarely, not as a date."
    ]


def _calibrated(scored: pl.DataFrame, best: str, share: float, horizon: float) -> list[str]:
    rows = {row["predictor"]: row for row in scored.iter_rows(named=True)}
    out = [
        f"Within {horizon:g} days {100 * share:.1f} % are used again; the {best} curve is off by {_points(rows[best])} points."
    ]
    for name, what in ((VITALITY, "The documented vitality"), (RECENCY, "The documented recency")):
        row = rows[name]
        out.append(f"{what}, taken at its word as a chance, is off by {_points(row)} points; {_ranks(row)}.")
    return out


def _points(row: dict[str, Any]) -> str:
    return f"{100 * row['error']:.1f}"


def _ranks(row: dict[str, Any]) -> str:
    if row["auc"] is None or row["auc_low"] is None:
        return "whether it ranks facts by their use cannot be told"
    between = f"AUC {row['auc']:.2f} [{row['auc_low']:.2f}, {row['auc_high']:.2f}]"
    if row["auc_low"] > 0.5:
        return f"it ranks facts by their use better than a guess ({between})"
    if row["auc_high"] < 0.5:
        return f"it ranks facts by their use worse than a guess ({between})"
    return f"its ranking cannot be told from a guess ({between})"


_DRAWN: dict[str, Any] = {"curve": pl.String, **dict.fromkeys(("days", "share", "low", "high"), pl.Float64)}
