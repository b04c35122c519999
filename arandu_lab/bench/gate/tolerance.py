"""How much worse a figure may be before it is a regression."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Self

from arandu_lab.errors import ConfigError, nearest

LEAST = {"failed": 0.0, "quality": 0.0, "tokens": 0.01, "calls": 0.01, "time": 0.25}
"""Changes up to this are no regression even where chance is ruled out: two more tokens a call are no news."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tolerance:
    """Limits beyond which a change for the worse is a regression whatever chance may do: limits, and no tests.

    Within them it is one where chance is ruled out: ``level`` is that of the whole gate, so that of a hundred gates over
    runs that are as good, five fail by noise at most. ``quality`` is in shares (0.05: five points); ``failed`` is the
    share of the questions that the baseline answered and this run did not; the others are in growth (0.1: a tenth more),
    ``time`` that of the ratio to a control of the same run, because machines differ and their ratios hardly do.

    >>> Tolerance.of(["quality=0.02", "time=3"])
    Tolerance(quality=0.02, failed=0.0, tokens=0.1, calls=0.1, time=3.0, level=0.95)
    >>> Tolerance.of(["qualty=0.02"])
    Traceback (most recent call last):
    ...
    arandu_lab.errors.ConfigError: tolerance 'qualty=0.02'; did you mean 'quality'?
    """

    quality: float = 0.05
    failed: float = 0.0
    tokens: float = 0.1
    calls: float = 0.1
    time: float = 1.0
    level: float = 0.95

    def __post_init__(self) -> None:
        for one in fields(self):
            value = getattr(self, one.name)
            if not value >= 0.0 or (one.name == "level" and not 0.0 < value < 1.0):
                raise ConfigError(f"tolerance {one.name}={value}; wants 0 or more (level: between 0 and 1)")

    @classmethod
    def of(cls, said: Iterable[str]) -> Self:
        """From words like ``quality=0.02``.

        Raises:
            ConfigError: another name, or no number.
        """
        known, given = [one.name for one in fields(cls)], {}
        for word in said:
            name, _, value = word.partition("=")
            if name not in known:
                raise ConfigError(f"tolerance {word!r}; {nearest(name, known)}")
            try:
                given[name] = float(value)
            except ValueError:
                raise ConfigError(f"tolerance {word!r}; wants a number, like {name}=0.05") from None
        return cls(**given)
