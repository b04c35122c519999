"""Is what a curve predicts what happens? Predicted chance of reuse within a horizon against the observed share, held out.

Every prediction of a curve is made by the fit that left the fact's own agents out. Beside the curves stand what needs no
fit: the documented vitality and the recency of the documented half-life, taken at their word as a chance, and the plain
share of the other agents, which knows nothing of the fact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from arandu_lab.bench.decay.fitting import Fit, Sample, jackknife, units_of
from arandu_lab.bench.decay.moments import vitalities
from arandu_lab.bench.statistics import design_effect

VITALITY, RECENCY, SHARE = "vitality", "recency", "plain share"
BINS = 8
Floats = NDArray[np.float64]


def predictions(
    rows: pl.DataFrame, fits: Sequence[Fit], sample: Sample, *, horizon: float, half_life: float = 30.0
) -> tuple[dict[str, Floats], NDArray[np.int64]]:
    """The predicted chance at every moment, by each predictor, and the group of each moment.

    Args:
        rows: Of :func:`arandu_lab.bench.decay.moments.moments`.
        half_life: Days, of recency and of the recency in vitality.
    """
    group = _groups(rows, sample)
    rested, reused = rows["rested"].to_numpy(), rows["reused"].to_numpy()
    made: dict[str, Floats] = {}
    for fit in fits:
        mine = np.empty(len(rows))
        for one in np.unique(group):
            values = fit.left_out[one] if len(fit.left_out) else fit.values
            mine[group == one] = fit.curve.within(values, rested[group == one], horizon)
        made[fit.curve.name] = mine
    made[VITALITY] = vitalities(rows, half_life=half_life)
    made[RECENCY] = 0.5 ** (rows["known"].to_numpy() / half_life)
    total, of = np.bincount(group, weights=reused), np.bincount(group)
    rest = np.maximum(of.sum() - of, 1)
    made[SHARE] = ((total.sum() - total) / rest)[group] if sample.groups > 1 else np.full(len(rows), reused.mean())
    return made, group


def bins(
    made: Mapping[str, Floats], reused: NDArray[np.bool_], group: NDArray[np.int64], *, number: int = BINS
) -> pl.DataFrame:
    """Equal numbers of moments, from the least likely up: ``predictor bin n predicted observed low high``.

    Intervals are Wilson's, of as many independent moments as those of shared agents are worth (design effect). Moments with
    one prediction stay in one bin.
    """
    rows: list[dict[str, Any]] = []
    names = np.char.mod("%03d", group)
    for name, chances in made.items():
        for place, mine in enumerate(_parts(chances, number)):
            seen = reused[mine].astype(np.float64)
            share = float(seen.mean())
            worth = min(design_effect(seen, names[mine].tolist()).effective or len(seen), len(seen))
            low, high = wilson(share, worth)
            rows.append(
                {
                    "predictor": name,
                    "bin": place,
                    "n": len(seen),
                    "predicted": float(chances[mine].mean()),
                    "observed": share,
                    "low": low,
                    "high": high,
                }
            )
    return pl.DataFrame(rows)


def scores(
    made: Mapping[str, Floats], reused: NDArray[np.bool_], group: NDArray[np.int64], binned: pl.DataFrame
) -> pl.DataFrame:
    """A row a predictor: ``predictor error brier auc auc_low auc_high``.

    ``error`` is the expected calibration error (mean distance of predicted and observed over bins, by their sizes);
    ``brier`` the mean squared error; ``auc`` the chance that of two moments the one before a reuse was given the higher
    chance, ties half, .5 for a guess, among moments of one group; null where they are alike. Its interval is over groups.
    """
    rows: list[dict[str, Any]] = []
    for name, chances in made.items():
        mine = binned.filter(predictor=name)
        weights = mine["n"].to_numpy() / mine["n"].sum()
        found, between = auc(chances, reused, group), None
        if found is not None:
            kept = [group != one for one in np.unique(group)]
            parts = [auc(chances[some], reused[some], group[some]) for some in kept]
            between = None if None in parts else jackknife(found, [one for one in parts if one is not None])
        rows.append(
            {
                "predictor": name,
                "error": float((weights * np.abs(mine["predicted"].to_numpy() - mine["observed"].to_numpy())).sum()),
                "brier": float(((chances - reused) ** 2).mean()),
                "auc": found,
                "auc_low": None if between is None else max(between[0], 0.0),
                "auc_high": None if between is None else min(between[1], 1.0),
            }
        )
    return pl.DataFrame(rows, schema=_SCORES)


def auc(chances: Floats, happened: NDArray[np.bool_], group: NDArray[np.int64] | None = None) -> float | None:
    """The chance that what happened was given more than what did not; None where nothing or everything happened.

    With groups only moments of one group are compared: fits that left out a group with many uses expect fewer there.

    >>> auc(np.array([0.1, 0.2, 0.2, 0.9]), np.array([False, False, True, True]))
    0.875
    """
    where = np.zeros(len(chances), dtype=np.int64) if group is None else group
    won = pairs = 0.0
    for one in np.unique(where):
        mine, did = chances[where == one], happened[where == one]
        ups = int(did.sum())
        _, place, counts = np.unique(mine, return_inverse=True, return_counts=True)
        ranks = (np.cumsum(counts) - (counts - 1) / 2.0)[place]
        won += float(ranks[did].sum()) - ups * (ups + 1) / 2.0
        pairs += ups * (len(did) - ups)
    return won / pairs if pairs else None


def wilson(share: float, n: float, *, level: float = 0.95) -> tuple[float, float]:
    """Wilson's interval of a share of ``n``.

    >>> [round(one, 3) for one in wilson(0.0, 20)]
    [0.0, 0.161]
    """
    from scipy.special import ndtri

    z = float(ndtri((1 + level) / 2))
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * float(np.sqrt(max(share * (1 - share), 0.0) / n + z**2 / (4 * n**2)))
    return max(middle - half, 0.0), min(middle + half, 1.0)


def _parts(chances: Floats, number: int) -> list[NDArray[np.bool_]]:
    edges = np.unique(np.quantile(chances, np.linspace(0, 1, number + 1)[1:-1]))
    where = np.searchsorted(edges, chances, side="right" if len(edges) and edges[0] == chances.min() else "left")
    return [where == place for place in np.unique(where)]


def _groups(rows: pl.DataFrame, sample: Sample) -> NDArray[np.int64]:
    units = {name: place % sample.groups for place, name in enumerate(sample.units)}
    names = units_of(rows, sample.unit)[1]
    return np.array([units.get(name, 0) for name in names], dtype=np.int64)


_SCORES: dict[str, Any] = {
    "predictor": pl.String,
    **dict.fromkeys(("error", "brier", "auc", "auc_low", "auc_high"), pl.Float64),
}
