"""How fast each kind of fact fades: a Weibull curve per memory type, one half at its half-life for every shape (S1)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType

from arandu_lab.errors import ConfigError, nearest
from arandu_lab.knowledge import MemoryFact
from arandu_lab.pure.survival import Weibull

Decays = Mapping[str, Weibull]
"""Memory type -> its curve (half-life in days, and shape)."""

DECAYS: Decays = MappingProxyType(
    {
        "profile": Weibull(1460.0, 0.7),
        "convention": Weibull(730.0, 0.8),
        "preference": Weibull(365.0, 0.8),
        "decision": Weibull(365.0, 1.0),
        "codebase": Weibull(180.0, 1.0),
        "result": Weibull(90.0, 1.0),
        "event": Weibull(45.0, 1.0),
        "commitment": Weibull(14.0, 2.0),
    }
)
"""The slowest first. A shape above 1 holds at first and then falls at once: a commitment with a date."""

USE_GAIN = 0.25
"""By how much of itself the half-life grows each time the uses of a fact double."""

_DAY = 86400.0


def decays(changes: Mapping[str, Weibull | tuple[float, float]] | None = None) -> Decays:
    """The table with curves changed or added: a ``Weibull``, or a pair of half-life in days and shape.

    Raises:
        ConfigError: a half-life or shape that is not above 0, or no such pair.

    >>> decays({"commitment": (7, 2), "incident": (10, 1)})["incident"]
    Weibull(half_life=10.0, shape=1.0)
    """
    table = dict(DECAYS)
    for name, given in (changes or {}).items():
        if isinstance(given, Weibull):
            table[name] = given
            continue
        try:
            half_life, shape = given
            table[name] = Weibull(float(half_life), float(shape))
        except (TypeError, ValueError) as wrong:
            raise ConfigError(
                f"memory type {name!r}: {given!r}; wants half-life in days and shape, both above 0"
            ) from wrong
    return MappingProxyType(table)


def curve(memory_type: str, table: Decays = DECAYS) -> Weibull:
    """The curve of a memory type.

    Raises:
        ConfigError: a type that the table does not hold, with the nearest that it does.

    >>> curve("commitment").retention(14.0)
    0.5
    """
    if memory_type not in table:
        raise ConfigError(f"memory type {memory_type!r}; {nearest(memory_type, table)}")
    return table[memory_type]


def retained(fact: MemoryFact, now: datetime, *, table: Decays = DECAYS, use_gain: float = USE_GAIN) -> float:
    """What share of a fact is still there at a moment, 1 to 0: from its last mention on, slower the more it is used.

    A use is a mention after the first, or a recall; each doubling of ``1 + uses`` adds ``use_gain`` to the half-life. With
    ``use_gain`` 0 the curve is that of the type alone. A moment before the mention gives 1.

    Raises:
        ConfigError: an unknown memory type, or a ``use_gain`` below 0.
    """
    if not use_gain >= 0.0:
        raise ConfigError(f"use_gain={use_gain}; 0 or more")
    of_type = curve(fact.memory_type, table)
    uses = max(0, fact.mention_count - 1) + max(0, fact.recall_count)
    lasting = Weibull(of_type.half_life * (1.0 + use_gain * math.log2(1 + uses)), of_type.shape)
    return float(lasting.retention((now - last_said(fact)).total_seconds() / _DAY))


def last_said(fact: MemoryFact) -> datetime:
    """When a fact was last said: its last mention, or the moment it holds from, whichever is later."""
    return max(fact.valid_from, fact.last_mentioned_at or fact.valid_from)
