"""Which settings a sweep looks at: all of a grid, some by chance, a tournament, or a fraction that still tells effects apart.

>>> grid = {"reranker_weight": [0.3, 0.7], "min_score": [0.0, 0.1]}
>>> [tuple(one.values()) for one in settings_of(Grid(), grid)]
[(0.3, 0.0), (0.3, 0.1), (0.7, 0.0), (0.7, 0.1)]
>>> len(settings_of(Random(3), grid, seed=7)), len(settings_of(Fractional(), grid))
(3, 4)
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias

import numpy as np

from arandu_lab.bench.rows import told
from arandu_lab.errors import ConfigError, nearest


@dataclass(frozen=True, slots=True)
class Between:
    """A range to draw from, both ends in it; ``log`` draws evenly over its orders of magnitude.

    Two whole ends give whole numbers. Only :class:`Random` and :class:`Halving` draw; the others want values.
    """

    low: float
    high: float
    log: bool = False

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise ConfigError(f"a range from {self.low!r} to {self.high!r}; the first must be the smaller")
        if self.log and self.low <= 0:
            raise ConfigError(f"a logarithmic range from {self.low!r}; it must begin above 0")

    def drawn(self, rng: np.random.Generator) -> float | int:
        """One value."""
        if isinstance(self.low, int) and isinstance(self.high, int) and not self.log:
            return int(rng.integers(self.low, self.high + 1))
        ends = (math.log(self.low), math.log(self.high)) if self.log else (self.low, self.high)
        at = float(rng.uniform(*ends))
        value = math.exp(at) if self.log else at
        if isinstance(self.low, int) and isinstance(self.high, int):
            return round(value)
        return float(f"{value:.6g}")


@dataclass(frozen=True, slots=True)
class Grid:
    """Every combination."""


@dataclass(frozen=True, slots=True)
class Random:
    """``n`` different combinations by chance; the same seed draws the same ones."""

    n: int

    def __post_init__(self) -> None:
        _whole("Random", "n", self.n, 1)


@dataclass(frozen=True, slots=True)
class Halving:
    """Successive halving: all settings on a few questions, the best share of them on more, the last ones on all.

    Args:
        n: How many settings by chance begin; None for the whole grid.
        keep: The share that goes on to the next round, by the first measure; ties go on by the order of settings.
        least: The share of the questions that the first round asks; each round asks ``1 / keep`` times as many.
    """

    n: int | None = None
    keep: float = 0.5
    least: float = 0.25

    def __post_init__(self) -> None:
        if self.n is not None:
            _whole("Halving", "n", self.n, 2)
        for name in ("keep", "least"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
                raise ConfigError(f"Halving({name}={value!r}); wants a share above 0 and below 1")

    def rounds(self) -> tuple[float, ...]:
        """The share of the questions that each round asks, rising to 1.

        >>> Halving().rounds(), Halving(keep=1 / 3, least=0.1).rounds()
        ((0.25, 0.5, 1.0), (0.1, 0.3, 0.9, 1.0))
        """
        out = [float(self.least)]
        while out[-1] < 1:
            out.append(min(1.0, round(out[-1] / self.keep, 9)))
        return tuple(out)

    def survivors(self, ranked: Sequence[Any]) -> list[Any]:
        """Those of a best-first list that go on: at least one.

        >>> Halving().survivors("abcde")
        ['a', 'b', 'c']
        """
        return list(ranked[: max(1, math.ceil(len(ranked) * self.keep))])


@dataclass(frozen=True, slots=True)
class Fractional:
    """A two-level fractional factorial: the fewest runs that keep effects apart as well as asked.

    ``resolution`` 3: main effects apart from each other; 4: also from two-way interactions; 5: two-way interactions
    apart from each other too. What is not apart is said by :func:`arandu_lab.bench.sweeps.effects.effects`.
    """

    resolution: int = 5

    def __post_init__(self) -> None:
        if self.resolution not in (3, 4, 5):
            raise ConfigError(f"Fractional(resolution={self.resolution!r}); wants 3, 4 or 5")


Design: TypeAlias = Grid | Random | Halving | Fractional
DESIGNS: Mapping[str, type[Any]] = {"grid": Grid, "random": Random, "halving": Halving, "fractional": Fractional}
"""Designs by the name that a file gives."""


def settings_of(design: Design, grid: Mapping[str, Any], *, seed: int = 0) -> list[dict[str, Any]]:
    """The settings of a design, each once, in a fixed order.

    Args:
        grid: Name -> values, or a :class:`Between`.

    Raises:
        ConfigError: no names, a name without values or with one twice, a range where values are wanted, more different
            settings asked for than there are, or a fraction of names that have not two values each.
    """
    checked = {name: _values(name, given, design) for name, given in grid.items()}
    if not checked:
        raise ConfigError('a sweep of nothing; wants a grid such as {"reranker_weight": [0.3, 0.5, 0.7]}')
    match design:
        case Random(n=number):
            return _drawn(checked, number, seed)
        case Halving(n=int(number)):
            return _drawn(checked, number, seed)
        case Fractional(resolution=resolution):
            return _fraction(checked, resolution)
    return [dict(zip(checked, point, strict=True)) for point in product(*checked.values())]


def design_of(given: str | Mapping[str, Any] | Design) -> Design:
    """A design by name, by table, or itself.

    Raises:
        ConfigError: no such design, or an argument that it does not take.

    >>> design_of("grid"), design_of({"kind": "random", "n": 20})
    (Grid(), Random(n=20))
    """
    if isinstance(given, Grid | Random | Halving | Fractional):
        return given
    table: Mapping[str, Any] = {"kind": given} if isinstance(given, str) else given
    kind = table.get("kind") if isinstance(table, Mapping) else None
    if not isinstance(kind, str) or kind not in DESIGNS:
        known = ", ".join(DESIGNS)
        hint = nearest(kind, DESIGNS) if isinstance(kind, str) else f"known: {known}"
        raise ConfigError(f"design {given!r}; {hint}")
    made = DESIGNS[kind]
    takes = list(made.__dataclass_fields__)
    for name in table:
        if name != "kind" and name not in takes:
            raise ConfigError(
                f"design {kind!r} takes no {name!r}; {nearest(name, takes) if takes else 'it takes nothing'}"
            )
    if kind == "random" and "n" not in table:
        raise ConfigError('design "random" wants n, how many settings: {kind = "random", n = 40}')
    design: Design = made(**{name: value for name, value in table.items() if name != "kind"})
    return design


def design_told(design: Design) -> dict[str, Any]:
    """A design as a table that :func:`design_of` takes.

    >>> design_told(Random(20)), design_told(Halving())
    ({'kind': 'random', 'n': 20}, {'kind': 'halving', 'keep': 0.5, 'least': 0.25})
    """
    kind = next(name for name, made in DESIGNS.items() if isinstance(design, made))
    said = {name: getattr(design, name) for name in type(design).__dataclass_fields__}
    return {"kind": kind} | {name: value for name, value in said.items() if value is not None}


def generators(factors: int, resolution: int) -> list[int]:
    """Each factor as a set of basic factors (bits), so that fewer than ``resolution`` of them are never the same word.

    The runs are all 2**p patterns of the basic factors, p as small as it goes; a factor is high where an odd number of
    its basic factors is.

    >>> [f"{one:b}" for one in generators(4, 4)], len(generators(7, 5))
    (['1', '10', '100', '111'], 7)
    """
    basic = max(1, math.ceil(math.log2(factors + 1)) if resolution == 3 else 1)
    while True:
        chosen: list[int] = [1 << place for place in range(min(basic, factors))]
        sums = _sums(chosen, resolution - 2)
        for word in sorted(range(1, 1 << basic), key=lambda one: (one.bit_count(), one)):
            if len(chosen) >= factors:
                break
            if word not in sums:
                chosen.append(word)
                sums = _sums(chosen, resolution - 2)
        if len(chosen) >= factors:
            return chosen
        basic += 1


def _sums(words: Sequence[int], most: int) -> set[int]:
    """All that at most ``most`` of some words add up to, bit by bit without carry."""
    found, layer = {0}, {0}
    for _ in range(most):
        layer = {one ^ word for one in layer for word in words}
        found |= layer
    return found


def _fraction(grid: Mapping[str, Any], resolution: int) -> list[dict[str, Any]]:
    for name, values in grid.items():
        if len(values) != 2:
            raise ConfigError(
                f"{name} has {len(values)} value{'' if len(values) == 1 else 's'}; a fractional design wants two of"
                " each name, a low and a high one"
            )
    words = generators(len(grid), resolution)
    basic = max(word.bit_length() for word in words)
    return [
        {name: grid[name][(run & word).bit_count() % 2] for name, word in zip(grid, words, strict=True)}
        for run in range(1 << basic)
    ]


def _drawn(grid: Mapping[str, Any], number: int, seed: int) -> list[dict[str, Any]]:
    if not any(isinstance(values, Between) for values in grid.values()):
        every = [dict(zip(grid, point, strict=True)) for point in product(*grid.values())]
        if number > len(every):
            raise ConfigError(f"{number} different settings of a grid that has {len(every)}; ask for fewer, or for all")
        chosen = np.random.default_rng(seed).choice(len(every), size=number, replace=False)
        return [every[place] for place in sorted(chosen)]
    rng, found = np.random.default_rng(seed), dict[str, dict[str, Any]]()
    for _ in range(number * 100):
        one = {
            name: values.drawn(rng) if isinstance(values, Between) else values[int(rng.integers(len(values)))]
            for name, values in grid.items()
        }
        found.setdefault(told(one), one)
        if len(found) == number:
            return list(found.values())
    raise ConfigError(f"{number} different settings wanted, {len(found)} found in these ranges; ask for fewer")


def _values(name: str, given: Any, design: Design) -> Any:
    if isinstance(given, Between):
        if not isinstance(design, Random) and not (isinstance(design, Halving) and design.n is not None):
            raise ConfigError(f"{name} = a range; only a random design draws from one, this wants a list of values")
        return given
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Sequence | np.ndarray) or not len(given):
        raise ConfigError(f"{name} = {given!r}; wants a list of values, at least one")
    values = [one.item() if isinstance(one, np.generic) else one for one in given]
    try:
        seen = [told(one) for one in values]
    except (TypeError, ValueError):
        raise ConfigError(
            f"{name} = {values!r}; values are numbers, texts, truths, and lists or tables of these"
        ) from None
    if twice := next((one for place, one in enumerate(values) if seen[place] in seen[:place]), None):
        raise ConfigError(f"{name} has the value {twice!r} twice")
    return values


def _whole(what: str, name: str, value: Any, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ConfigError(f"{what}({name}={value!r}); wants a whole number, at least {least}")
