"""Three families of curves of how long a fact rests between uses, as a fit sees them: names, bounds, and arrays of values.

The curves themselves are those of ``arandu_lab.pure.survival``; *retention* there is the share not used again here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from arandu_lab.errors import ConfigError, nearest

if TYPE_CHECKING:
    from arandu_lab.pure import survival

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class Family:
    """A family of curves. Parameters are above 0.

    Attributes:
        name: ``exponential``, ``weibull`` or ``power``.
        parameters: Their names, in the order of every array of values.
        usual: Values to draw from where nothing is said.
        bounds: Where a fit looks for them.
    """

    name: str
    parameters: tuple[str, ...]
    usual: tuple[float, ...]
    bounds: tuple[tuple[float, float], ...]

    def values(self, given: Mapping[str, float]) -> Floats:
        """Parameters in order, the usual one where none is given.

        Raises:
            ConfigError: a name that the curve does not have, or a value that is not above 0.

        >>> family("weibull").values({"shape": 0.5}).tolist()
        [30.0, 0.5]
        """
        for name, value in given.items():
            if name not in self.parameters:
                raise ConfigError(f"{self.name} curve: parameter {name!r}; {nearest(name, self.parameters)}")
            if not 0 < value < np.inf:
                raise ConfigError(f"{self.name} curve: {name} = {value}; wants a number above 0")
        return np.array([given.get(name, usual) for name, usual in zip(self.parameters, self.usual, strict=True)])

    def at(self, values: Floats) -> survival.Curve:
        """The curve with these values."""
        return _made(self.name)(*map(float, values))

    def log_rest(self, values: Floats, days: ArrayLike) -> Floats:
        """The logarithm of the share not used again after ``days``."""
        return np.asarray(self.at(values).log_retention(np.asarray(days, dtype=np.float64)), dtype=np.float64)

    def log_likelihoods(self, values: Floats, days: Floats, seen: NDArray[np.bool_], apart: float = 0.0) -> Floats:
        """Log-likelihood of each gap, given that it is longer than ``apart``; shape ``(n,)``.

        Of its length where its end was seen, else of being at least as long.
        """
        curve = self.at(values)
        ends, lasts = (
            np.asarray(part, dtype=np.float64) for part in (curve.log_density(days), curve.log_retention(days))
        )
        each: Floats = np.where(seen, ends, lasts)
        return each if apart <= 0 else each - float(self.log_rest(values, apart))

    def log_likelihood(self, values: Floats, ends: Floats, lasts: Floats, apart: float = 0.0) -> float:
        """The sum of :meth:`log_likelihoods`, from the days of gaps whose end was seen and of the others."""
        curve = self.at(values)
        whole = float(np.sum(curve.log_density(ends))) + float(np.sum(curve.log_retention(lasts)))
        return whole - (len(ends) + len(lasts)) * float(self.log_rest(values, apart))

    def draw(self, values: Floats, uniform: Floats) -> Floats:
        """Gaps in days from numbers in [0, 1)."""
        left: Floats = np.asarray(np.subtract(1.0, uniform), dtype=np.float64)
        return np.asarray(self.at(values).reaches(left), dtype=np.float64)

    def within(self, values: Floats, rested: ArrayLike, days: float) -> Floats:
        """The chance that a fact which has rested for so long is used again within ``days``.

        >>> family("exponential").within(np.array([30.0]), [0.0, 90.0], 30.0).round(9).tolist()
        [0.5, 0.5]
        """
        since: Floats = np.asarray(rested, dtype=np.float64)
        fallen: Floats = self.log_rest(values, since + days) - self.log_rest(values, since)
        return np.asarray(-np.expm1(fallen))

    def half(self, values: Floats, after: float = 0.0) -> float:
        """Days in which half of the facts that rested ``after`` days are used again, counted from the last use.

        >>> round(family("weibull").half(np.array([30.0, 0.7])), 9)
        30.0
        """
        return float(self.at(values).reaches(0.5 * float(np.exp(self.log_rest(values, after)))))

    def start(self, days: Floats, seen: NDArray[np.bool_]) -> Floats:
        """Values from which a search begins: the likeliest where nothing ages, or nearly so. ``days`` beyond a sitting."""
        half = float(np.log(2.0)) * float(days.sum()) / max(int(seen.sum()), 1)
        return np.array({"exponential": (half,), "weibull": (half, 0.9), "power": (2.0 * half, 2.0)}[self.name])


def family(name: str) -> Family:
    """A family by name.

    Raises:
        ConfigError: an unknown one.
    """
    if name not in FAMILIES:
        raise ConfigError(f"curve {name!r}; {nearest(name, FAMILIES)}")
    return FAMILIES[name]


def _made(name: str) -> Callable[..., survival.Curve]:
    from arandu_lab.pure import survival

    return {"exponential": survival.Exponential, "weibull": survival.Weibull, "power": survival.Power}[name]


_DAYS, _SHAPES, _EXPONENTS = (1e-3, 1e7), (0.05, 20.0), (1e-3, 1e3)
FAMILIES: Mapping[str, Family] = {
    "exponential": Family("exponential", ("half_life",), (30.0,), (_DAYS,)),
    "weibull": Family("weibull", ("half_life", "shape"), (30.0, 0.7), (_DAYS, _SHAPES)),
    "power": Family("power", ("scale", "exponent"), (20.0, 1.0), (_DAYS, _EXPONENTS)),
}
