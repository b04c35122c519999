"""Curves of forgetting: what share is still there after some days, when it has fallen so far, and how well a curve fits gaps.

``Weibull`` is one half at its half-life for every shape (S1), ``Exponential`` is the Weibull of shape 1, ``Power`` has a long
tail. A gap is the time from one use to the next; where none came until one stopped looking it is *censored*: known to be
longer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import xlogy

from arandu_lab.errors import ConfigError
from arandu_lab.pure.scoring import Carrier

_LN2 = math.log(2.0)


def retention(days: Carrier, half_life: Carrier, shape: Carrier = 1.0) -> Carrier:
    """``exp(-ln 2 (days / half_life) ** shape)``: 1 at first, one half at the half-life for every shape. Days below 0 are 0.

    Numbers or arrays that fit each other; ``half_life`` and ``shape`` lie above 0.

    >>> round(retention(30.0, 30.0), 12), round(retention(30.0, 30.0, 0.4), 12), round(retention(60.0, 30.0), 12)
    (0.5, 0.5, 0.25)
    """
    return _plain(np.exp(-_LN2 * (_since(days) / half_life) ** np.asarray(shape)))


def reaches(share: Carrier, half_life: Carrier, shape: Carrier = 1.0) -> Carrier:
    """The days after which ``retention`` is ``share``: 0 for 1, ``inf`` for 0.

    Raises:
        ConfigError: a share outside 0 to 1.

    >>> reaches(0.5, 30.0, 0.4), reaches(0.25, 30.0), reaches(0.0, 30.0)
    (30.0, 60.0, inf)
    """
    with np.errstate(divide="ignore"):
        return _plain(half_life * np.abs(np.log2(_shares(share))) ** (1.0 / np.asarray(shape)))


def power(days: Carrier, scale: Carrier, exponent: Carrier) -> Carrier:
    """``(1 + days / scale) ** -exponent``: quick at first, then slow. Days below 0 are 0; the other two lie above 0.

    >>> power(30.0, 30.0, 1.0), power(90.0, 30.0, 0.5)
    (0.5, 0.5)
    """
    return _plain((1.0 + _since(days) / scale) ** -np.asarray(exponent))


def power_reaches(share: Carrier, scale: Carrier, exponent: Carrier) -> Carrier:
    """The days after which ``power`` is ``share``: 0 for 1, ``inf`` for 0.

    Raises:
        ConfigError: a share outside 0 to 1.

    >>> power_reaches(0.5, 30.0, 1.0), power_reaches(0.5, 30.0, 0.5)
    (30.0, 90.0)
    """
    with np.errstate(divide="ignore"):
        return _plain(scale * (_shares(share) ** (-1.0 / np.asarray(exponent)) - 1.0))


class Curve(Protocol):
    """A curve of forgetting. Every method takes numbers or arrays and keeps their shape."""

    def retention(self, days: Carrier) -> Carrier:
        """The share still there after some days, 1 to 0."""

    def reaches(self, share: Carrier) -> Carrier:
        """The days after which a share is still there."""

    def log_retention(self, days: Carrier) -> Carrier:
        """The logarithm of the share, exact where the share itself is too small to write."""

    def log_density(self, days: Carrier) -> Carrier:
        """The logarithm of how fast the share falls at that day."""


@dataclass(frozen=True, slots=True)
class Weibull:
    """``retention`` with a half-life in days and a shape, both above 0; below 1 what has lasted lasts on."""

    half_life: float
    shape: float = 1.0

    def __post_init__(self) -> None:
        _above_zero(self, "half_life", "shape")

    def retention(self, days: Carrier) -> Carrier:
        """The share still there, 1 to 0."""
        return retention(days, self.half_life, self.shape)

    def reaches(self, share: Carrier) -> Carrier:
        """The days after which a share is still there."""
        return reaches(share, self.half_life, self.shape)

    def log_retention(self, days: Carrier) -> Carrier:
        """The logarithm of the share."""
        return _plain(-_LN2 * (_since(days) / self.half_life) ** self.shape)

    def log_density(self, days: Carrier) -> Carrier:
        """The logarithm of how fast the share falls; at day 0 it is infinite for every shape but 1."""
        at = _since(days) / self.half_life
        with np.errstate(divide="ignore"):
            return _plain(
                math.log(_LN2 * self.shape / self.half_life) + xlogy(self.shape - 1.0, at) - _LN2 * at**self.shape
            )


@dataclass(frozen=True, slots=True)
class Exponential:
    """``retention`` of shape 1: what is left halves per half-life, however old it is."""

    half_life: float

    def __post_init__(self) -> None:
        _above_zero(self, "half_life")

    def retention(self, days: Carrier) -> Carrier:
        """The share still there, 1 to 0."""
        return retention(days, self.half_life)

    def reaches(self, share: Carrier) -> Carrier:
        """The days after which a share is still there."""
        return reaches(share, self.half_life)

    def log_retention(self, days: Carrier) -> Carrier:
        """The logarithm of the share."""
        return _plain(-_LN2 * _since(days) / self.half_life)

    def log_density(self, days: Carrier) -> Carrier:
        """The logarithm of how fast the share falls."""
        return _plain(math.log(_LN2 / self.half_life) - _LN2 * _since(days) / self.half_life)


@dataclass(frozen=True, slots=True)
class Power:
    """``power`` with a scale in days and an exponent, both above 0."""

    scale: float
    exponent: float

    def __post_init__(self) -> None:
        _above_zero(self, "scale", "exponent")

    def retention(self, days: Carrier) -> Carrier:
        """The share still there, 1 to 0."""
        return power(days, self.scale, self.exponent)

    def reaches(self, share: Carrier) -> Carrier:
        """The days after which a share is still there."""
        return power_reaches(share, self.scale, self.exponent)

    def log_retention(self, days: Carrier) -> Carrier:
        """The logarithm of the share."""
        return _plain(-self.exponent * np.log1p(_since(days) / self.scale))

    def log_density(self, days: Carrier) -> Carrier:
        """The logarithm of how fast the share falls."""
        return _plain(
            math.log(self.exponent / self.scale) - (self.exponent + 1.0) * np.log1p(_since(days) / self.scale)
        )


def log_likelihood(curve: Curve, gaps: ArrayLike, observed: ArrayLike) -> float:
    """How likely gaps are under a curve, as a logarithm: density where the next use was seen, retention where not.

    Args:
        curve: the curve.
        gaps: Shape ``(n,)``: days, 0 or more. Gaps of 0 with a next use have no likelihood under most shapes of a Weibull
            (``inf`` or ``-inf``): give what lies below one's clock as half a tick of it.
        observed: Shape ``(n,)``: whether the next use was seen; False is censored.

    Raises:
        ConfigError: shapes differ, or a gap is negative or no number.

    >>> seen, all_in_all = 2, 60.0
    >>> best = log_likelihood(Exponential(_LN2 * all_in_all / seen), [10.0, 20.0, 30.0], [True, True, False])
    >>> best > log_likelihood(Exponential(30.0), [10.0, 20.0, 30.0], [True, True, False])
    True
    """
    days = np.asarray(gaps, dtype=np.float64)
    seen = np.asarray(observed, dtype=np.bool_)
    if days.shape != seen.shape:
        raise ConfigError(f"gaps of shape {days.shape}, observed of {seen.shape}; one of each for every gap")
    if not bool(np.all(days >= 0.0)):
        raise ConfigError("a gap is negative or no number; days from one use to the next are 0 or more")
    return float(np.sum(np.where(seen, curve.log_density(days), curve.log_retention(days))))


def _since(days: Carrier) -> NDArray[np.float64]:
    return np.maximum(np.asarray(days, dtype=np.float64), 0.0)


def _shares(share: Carrier) -> NDArray[np.float64]:
    values = np.asarray(share, dtype=np.float64)
    if not bool(np.all((values >= 0.0) & (values <= 1.0))):
        raise ConfigError("a share outside 0 to 1")
    return values


def _above_zero(curve: object, *names: str) -> None:
    for name in names:
        if not (value := getattr(curve, name)) > 0.0:
            raise ConfigError(f"{type(curve).__name__}: {name}={value!r}; wants a number above 0")


def _plain(value: Any) -> Any:
    return float(value) if np.ndim(value) == 0 else value
