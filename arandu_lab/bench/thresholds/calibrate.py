"""What is recommended: a dedup threshold, a gate and a calibration, each chosen on some groups and judged on others. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from arandu_lab.bench.thresholds.curves import GRID, Floats, at_least, dedup
from arandu_lab.embed.calibration import Calibration, match_quantiles
from arandu_lab.errors import ConfigError

Bools = NDArray[np.bool_]
FEWEST = 5
"""Pairs that a threshold must merge before its precision is believed."""

PROBABILITIES = (0.02, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.98)
"""Quantiles that a calibration carries over."""


@dataclass(frozen=True, slots=True)
class Targets:
    """What is asked of thresholds, shares from above 0 to 1.

    ``precision``: of the facts that are merged, so many must be the same. ``reach``: of the duplicates, updates and
    negations of stored facts, so many must come before the model.

    Raises:
        ConfigError: a share outside.
    """

    precision: float = 0.95
    reach: float = 0.95

    def __post_init__(self) -> None:
        for name in ("precision", "reach"):
            if not 0.0 < getattr(self, name) <= 1.0:
                raise ConfigError(f"target {name}={getattr(self, name)}: wanted above 0, at most 1")


@dataclass(frozen=True, slots=True)
class Scored:
    """Scored pairs as columns of one length: cosines on one scale, relations, languages, refusals by words, folds."""

    score: Floats
    relation: NDArray[np.str_]
    language: NDArray[np.str_]
    refused: Bools
    fold: NDArray[np.int64]

    def where(self, mask: Bools) -> Scored:
        """The pairs that a mask keeps."""
        return Scored(*(getattr(self, name)[mask] for name in ("score", "relation", "language", "refused", "fold")))

    @property
    def duplicate(self) -> Bools:
        """Which pairs are duplicates."""
        return np.asarray(self.relation == "duplicate")

    @property
    def due(self) -> Bools:
        """Which pairs a model ought to see: duplicates, updates, negations."""
        return np.isin(self.relation, ("duplicate", "update", "negation"))


@dataclass(frozen=True, slots=True)
class Choice:
    """A chosen threshold; not ``reached`` when no threshold does what was asked.

    ``judged``: the shares on held out folds, each under the threshold chosen on the others (none: a single fold);
    ``low`` and ``high``: the span of those thresholds.
    """

    threshold: float
    reached: bool
    judged: dict[str, float | None]
    low: float
    high: float
    folds: int


def choose_dedup(pairs: Scored, precision: float, *, words: bool = True) -> tuple[float, bool]:
    """The lowest threshold whose merges are right often enough, over at least :data:`FEWEST` merges, and True.

    Where none is: the highest of those whose merges are right most often, and False; 1 where no threshold merges so many.
    A threshold of 1 merges nothing but texts of the very same vector.
    """
    at = dedup(pairs.score, pairs.duplicate, pairs.refused if words else None)
    enough = at.flagged >= FEWEST
    good = enough & (at.found >= precision * at.flagged - 1e-9)
    if good.any():
        return float(GRID[int(np.argmax(good))]), True
    if not enough.any():
        return 1.0, False
    best = np.where(enough, at.precision, -1.0)
    return float(GRID[np.flatnonzero(best == best.max())[-1]]), False


def choose_gate(pairs: Scored, reach: float) -> tuple[float, bool]:
    """The highest gate that enough of the pairs due pass; 0 and False if there is none (or no such pair)."""
    due = pairs.score[pairs.due]
    good = at_least(due, GRID) >= reach * len(due) - 1e-9
    return (float(GRID[len(GRID) - 1 - int(np.argmax(good[::-1]))]), True) if len(due) and good.any() else (0.0, False)


def recommended(
    pairs: Scored, what: Literal["dedup", "dedup_cosine_alone", "gate"], targets: Targets, language: str | None = None
) -> Choice:
    """A choice on all pairs, and how the same rule does on folds it has not seen.

    ``language`` None: for all languages at once, the stricter of their thresholds - for a gate the lower.
    """
    mine = pairs if language is None else pairs.where(np.asarray(pairs.language == language))

    def one(some: Scored) -> tuple[float, bool]:
        if what == "gate":
            return choose_gate(some, targets.reach)
        return choose_dedup(some, targets.precision, words=what == "dedup")

    def choose(some: Scored) -> tuple[float, bool]:
        parts = [one(some.where(np.asarray(some.language == name))) for name in sorted(set(some.language.tolist()))]
        if not parts:
            return one(some)
        cuts = [cut for cut, _ in parts]
        return (min(cuts) if what == "gate" else max(cuts)), all(reached for _, reached in parts)

    threshold, reached = choose(mine)
    cuts, kept = [], []
    folds = sorted(set(mine.fold.tolist()))
    if len(folds) > 1:
        for fold in folds:
            held = np.asarray(mine.fold == fold)
            cuts.append(choose(mine.where(~held))[0])
            kept.append((mine.where(held), cuts[-1]))
    judged = _gate_judged(kept) if what == "gate" else _dedup_judged(kept, words=what == "dedup")
    return Choice(threshold, reached, judged, min(cuts, default=threshold), max(cuts, default=threshold), len(kept))


def quantile_map(raw: Floats, documented: Floats, strata: Sequence[str], *, source: str = "") -> Calibration:
    """The calibration that carries quantiles of ``raw`` to those of ``documented``, the same pairs under two models.

    ``strata``: a name for each pair (its language and relation); every stratum weighs the same, however many pairs it has.

    >>> quantile_map(np.array([0.6, 0.7, 0.8]), np.array([0.1, 0.5, 0.9]), ["a", "b", "c"])(0.7)
    0.5
    """
    sizes = Counter(strata)
    weights = np.array([1.0 / sizes[name] for name in strata])
    mine, theirs = (weighted_quantiles(values, weights, PROBABILITIES) for values in (raw, documented))
    return match_quantiles([round(float(one), 6) for one in mine], theirs.tolist(), source=source)


def weighted_quantiles(values: Floats, weights: Floats, probabilities: Sequence[float]) -> Floats:
    """Quantiles of weighted values: straight lines between the middles of their weights.

    >>> weighted_quantiles(np.array([3.0, 1.0, 2.0]), np.ones(3), [0.5]).tolist()
    [2.0]

    Raises:
        ValueError: no values.
    """
    if len(values) == 0:
        raise ValueError("quantiles of nothing")
    order = np.argsort(values, kind="stable")
    heavy = np.asarray(weights)[order]
    middles = (np.cumsum(heavy) - heavy / 2) / heavy.sum()
    return np.asarray(np.interp(probabilities, middles, np.asarray(values)[order]), dtype=np.float64)


def held_out(raw: Floats, documented: Floats, strata: Sequence[str], fold: NDArray[np.int64]) -> Floats | None:
    """Each pair's score under the calibration of the other folds; None where there is one fold only."""
    folds = sorted(set(fold.tolist()))
    out = np.array(raw, dtype=np.float64)
    names = np.asarray(strata)
    if len(folds) < 2:
        return None
    for one in folds:
        rest = fold != one
        out[~rest] = quantile_map(raw[rest], documented[rest], names[rest].tolist())(raw[~rest])
    return out


def _dedup_judged(kept: list[tuple[Scored, float]], *, words: bool) -> dict[str, float | None]:
    found = lost = duplicates = others = 0
    for pairs, cut in kept:
        at = dedup(pairs.score, pairs.duplicate, pairs.refused if words else None, thresholds=[cut])
        found, lost = found + int(at.found[0]), lost + int(at.lost[0])
        duplicates, others = duplicates + at.duplicates, others + at.others
    return {
        "merged": float(found + lost),
        "precision": _share(found, found + lost),
        "recall": _share(found, duplicates),
        "lost": _share(lost, others),
    }


def _gate_judged(kept: list[tuple[Scored, float]]) -> dict[str, float | None]:
    due = sum(int(pairs.due.sum()) for pairs, _ in kept)
    passed = sum(int((pairs.score[pairs.due] >= cut).sum()) for pairs, cut in kept)
    unrelated = [(pairs.score[pairs.relation == "unrelated"], cut) for pairs, cut in kept]
    let_in = sum(int((scores >= cut).sum()) for scores, cut in unrelated)
    return {"reach": _share(passed, due), "unrelated": _share(let_in, sum(len(scores) for scores, _ in unrelated))}


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
