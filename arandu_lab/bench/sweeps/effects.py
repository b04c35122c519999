"""What each name of a sweep does on its own, and what two do to each other, with intervals over conversations.

Every effect is a weighted difference between settings, so it is taken question by question and then averaged: its
interval is that of :func:`arandu_lab.bench.statistics.interval`, conversations resampled as everywhere. The interval is of one
comparison; the word *up* or *down* is given only where it stands among all effects of the measure (Holm).

* A *main effect* is the change from a name's default (or its first value) to another value, the other names averaged over
  the values they took. A name drawn from a range has one: from its lowest to its highest value along a straight line.
* An *interaction* is how much that change itself changes between two values of another name: zero where the two add up.
* Where the settings cannot tell two effects apart, the figure is of both and the column ``mixed_with`` names the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from arandu_lab.bench.rows import told
from arandu_lab.bench.statistics import Interval, holm, interval, student
from arandu_lab.errors import ConfigError

FEW = 6
"""A name with more different numbers than this is taken as a line, not level by level."""

MANY = 12
"""A name with more different values than this that are no numbers has no effects: each would rest on next to nothing."""

PRECISION = 1e-9
"""What lies nearer to 0 than this, beside the values that it is made of, is rounding."""

SAME = "the same answers"


@dataclass(frozen=True, slots=True)
class Term:
    """One effect: its words, the names in it, and its column over the settings."""

    name: str
    kind: str
    of: tuple[str, ...]
    column: NDArray[np.float64]


def effects(
    settings: Sequence[Mapping[str, Any]],
    values: NDArray[np.float64],
    clusters: Sequence[str],
    *,
    default: Mapping[str, Any] | None = None,
    falls: bool = False,
    seed: int = 0,
) -> pl.DataFrame:
    """Main effects and two-way interactions of one measure, the largest first.

    Args:
        settings: The settings, each a value for the same names.
        values: Shape ``(questions, settings)``. A question with a null (nan) under any setting is left out.
        clusters: The conversation of each question.
        default: The value of each name where nothing is set: what effects are counted from.
        falls: Of the measure less is better.

    Returns:
        ``effect kind estimate low high p_holm verdict mixed_with questions``. ``low`` and ``high`` are of that comparison alone;
        ``verdict`` says in words whether a direction is left among all of them.

    Raises:
        ConfigError: fewer than two settings, or no question that has a value under all of them.
    """
    if len(settings) < 2:
        raise ConfigError(f"effects of {len(settings)} setting; wants at least two to compare")
    whole: NDArray[np.bool_] = np.asarray(~np.isnan(values).any(axis=1))
    if not whole.any():
        raise ConfigError("no question has a value under every setting, so there is no effect to tell")
    asked = [one for one, good in zip(clusters, whole, strict=True) if good]
    kept, mixed = _apart(terms(settings, default or {}))
    inverse = np.linalg.pinv(np.column_stack([np.ones(len(settings)), *(one.column for one in kept)]))
    found = [moved(_weighted(values[whole], row), asked, seed=seed) for row in inverse[1 : len(kept) + 1]]
    rows = [
        {
            "effect": term.name,
            "kind": term.kind,
            "estimate": one.interval.mean,
            "low": one.interval.low,
            "high": one.interval.high,
            "p_holm": p,
            "verdict": verdict(one, p, falls=falls),
            "mixed_with": _listed(mixed.get(term.name, ())) or None,
            "questions": int(whole.sum()),
        }
        for term, one, p in zip(kept, found, adjusted(found), strict=True)
    ]
    frame = pl.DataFrame(rows, schema=_SCHEMA)
    return frame.sort(pl.col("estimate").abs(), descending=True, maintain_order=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """What questions gained: the mean with its interval, how many rose and fell, and the p of the mean being 0."""

    interval: Interval
    up: int
    down: int
    p: float | None


def moved(by: NDArray[np.float64], clusters: Sequence[str], *, seed: int = 0) -> Moved:
    """``by``: what each question gained, no nulls; ``clusters``: its conversation."""
    found, p = interval(by, clusters, seed=seed), student(by, clusters)
    return Moved(interval=found, up=int((by > 0).sum()), down=int((by < 0).sum()), p=p)


def adjusted(found: Sequence[Moved]) -> list[float | None]:
    """Holm's p of each difference of a measure. Where no question moved nothing is compared, so it is not one of the family."""
    return holm([one.p if one.up or one.down else None for one in found])


def verdict(found: Moved, p: float | None, *, falls: bool = False) -> str:
    """What may be said of a difference; ``p`` as adjusted; ``falls``: of a measure of which less is better.

    >>> four = [f"c{place}" for place in range(4)]
    >>> up, torn = (moved(np.asarray(one), four) for one in ([0.3, 0.2, 0.3, 0.2], [0.3, -0.2, 0.3, -0.2]))
    >>> verdict(up, 0.04), verdict(up, 0.06), verdict(torn, 0.06)
    ('up', 'not distinguishable among so many', 'not distinguishable from none')
    >>> verdict(up, 0.04, falls=True), verdict(moved(np.zeros(4), four), None)
    ('up, which is worse', 'the same answers')
    """
    one = found.interval
    if not found.up and not found.down:
        return SAME
    if one.low is None or one.high is None:
        return "no interval: one conversation"
    if one.low <= PRECISION and one.high >= -PRECISION:
        return "not distinguishable from none"
    if p is None or p > 0.05:
        return "not distinguishable among so many"
    way = "up" if one.mean > 0 else "down"
    return f"{way}, which is {_WORTH[way]}" if falls else way


def called(said: str | None) -> bool:
    """Whether a verdict names a direction.

    >>> called("up, which is worse"), called("not distinguishable among so many"), called(None)
    (True, False, False)
    """
    return said is not None and said.startswith(tuple(_WORTH))


def exact(by: NDArray[np.float64], scale: NDArray[np.float64]) -> NDArray[np.float64]:
    """Differences without rounding: 0 where they are nothing beside the size of what they were taken from.

    >>> exact(np.asarray([3e-16, 0.1]), np.asarray([0.7, 0.7])).tolist()
    [0.0, 0.1]
    """
    return np.where(np.abs(by) <= PRECISION * scale, 0.0, by)


def _weighted(values: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    return exact(values @ weights, np.abs(values) @ np.abs(weights))


def terms(settings: Sequence[Mapping[str, Any]], default: Mapping[str, Any]) -> list[Term]:
    """Every main effect and two-way interaction of some settings, main effects first; names that never change have none."""
    by_name = {name: _main([one[name] for one in settings], name, default) for name in settings[0]}
    out = [term for found in by_name.values() for term in found]
    for one, two in combinations(by_name, 2):
        only = len(by_name[one]) == len(by_name[two]) == 1
        out += [
            Term(f"{one} × {two}" if only else f"{a.name} × {b.name}", "interaction", (one, two), a.column * b.column)
            for a in by_name[one]
            for b in by_name[two]
        ]
    return out


def _main(values: Sequence[Any], name: str, default: Mapping[str, Any]) -> list[Term]:
    keys = [told(one) for one in values]
    levels = list(dict.fromkeys(keys))
    if len(levels) < 2:
        return []
    told_of = dict(zip(keys, values, strict=True))
    if len(levels) > FEW and all(_number(one) for one in values):
        numbers = np.asarray(values, dtype=np.float64)
        low, high = float(numbers.min()), float(numbers.max())
        return [Term(f"{name}: {low:.3g} → {high:.3g}", "line", (name,), (numbers - (low + high) / 2) / (high - low))]
    if len(levels) > MANY:
        return []
    first = told(default[name]) if name in default and told(default[name]) in levels else levels[0]
    return [
        Term(
            f"{name}: {short(told_of[first])} → {short(told_of[level])}",
            "main",
            (name,),
            np.asarray([float(key == level) for key in keys]) - 1 / len(levels),
        )
        for level in levels
        if level != first
    ]


def _apart(given: Sequence[Term]) -> tuple[list[Term], dict[str, list[str]]]:
    """The effects that can be estimated together, and what each of them is mixed with."""
    kept: list[Term] = []
    size = len(given[0].column) if given else 1
    columns, basis = [np.ones(size)], [np.ones(size) / np.sqrt(size)]
    mixed: dict[str, list[str]] = {}
    for term in given:
        rest = term.column.copy()
        for _ in range(2):  # twice, because once is not exact
            rest -= np.column_stack(basis) @ (np.column_stack(basis).T @ rest)
        length = float(np.linalg.norm(rest))
        if length > 1e-8 * float(np.linalg.norm(term.column)):
            kept.append(term)
            columns.append(term.column)
            basis.append(rest / length)
            continue
        weights = np.linalg.lstsq(np.column_stack(columns), term.column, rcond=None)[0]
        for place, weight in enumerate(weights[1:]):
            if abs(weight) > 1e-9:
                sign = "" if weight > 0 else "the opposite of "
                share = "" if abs(abs(weight) - _scale(term, kept[place])) < 1e-9 else "in part "
                mixed.setdefault(kept[place].name, []).append(f"{share}{sign}{term.name}")
    return kept, mixed


def _listed(names: Sequence[str]) -> str:
    return "; ".join(names[:3]) + (f"; and {len(names) - 3} more" if len(names) > 3 else "")


def _scale(one: Term, two: Term) -> float:
    """The factor between the columns of two effects that are one and the same."""
    return float(np.abs(one.column).max() / np.abs(two.column).max())


def short(value: Any) -> str:
    """A value of a setting as it stands in a table.

    >>> short(0.30000000000000004), short({"semantic": 0.7, "keyword": 0.3}), short(True)
    ('0.3', 'semantic 0.7 keyword 0.3', 'on')
    """
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Mapping):
        return " ".join(f"{name} {short(one)}" for name, one in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(short, value))
    return str(value)


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_WORTH = {"up": "worse", "down": "better"}
_SCHEMA: dict[str, Any] = {
    **dict.fromkeys(("effect", "kind"), pl.String),
    **dict.fromkeys(("estimate", "low", "high", "p_holm"), pl.Float64),
    **dict.fromkeys(("verdict", "mixed_with"), pl.String),
    "questions": pl.Int64,
}
