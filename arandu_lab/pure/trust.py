"""How sure a fact is: it starts from how it came to be known, and each mention takes away a share of the doubt (S2)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

from arandu_lab.errors import ConfigError, nearest
from arandu_lab.knowledge import Veracity

VERACITY: Mapping[Veracity, float] = MappingProxyType({"stated": 1.0, "inferred": 0.7, "tool": 0.5, "imported": 0.6})
"""What each way of knowing weighs: a human's word, an agent's conclusion, a tool's output, an import."""

MENTION_SHARE = 0.2
"""The share of what is missing that a mention of weight 1 takes away."""

_BELOW_ONE = math.nextafter(1.0, 0.0)


def first_confidence(veracity: str) -> float:
    """The confidence of a new fact, 0.5 to 1.

    Raises:
        ConfigError: an unknown veracity.

    >>> [first_confidence(how) for how in ("stated", "inferred", "tool", "imported")]
    [1.0, 0.7, 0.5, 0.6]
    """
    for known, weight in VERACITY.items():
        if known == veracity:
            return weight
    raise ConfigError(f"veracity {veracity!r}; {nearest(veracity, VERACITY)}")


def mentioned(confidence: float, veracity: str, *, times: int = 1, share: float = MENTION_SHARE) -> float:
    """The confidence after it was said again: ``c + share * weight * (1 - c)``, once per time.

    It never falls, and what is below 1 stays below 1.

    Args:
        confidence: 0 to 1.
        veracity: How the fact came to be known: its weight sizes the step.
        times: How often it was said again, 0 or more.
        share: What a mention of weight 1 takes of the doubt, 0 to below 1.

    Raises:
        ConfigError: an unknown veracity, or a number outside its range.

    >>> round(mentioned(0.7, "inferred"), 4), round(mentioned(0.5, "tool"), 4), mentioned(1.0, "stated")
    (0.742, 0.55, 1.0)
    """
    weight = first_confidence(veracity)
    if not 0.0 <= confidence <= 1.0 or not 0.0 <= share < 1.0 or times < 0:
        raise ConfigError(
            f"confidence {confidence}, share {share}, times {times}; wants 0 to 1, 0 to below 1, 0 or more"
        )
    if confidence == 1.0:
        return 1.0
    risen = 1.0 - (1.0 - confidence) * (1.0 - share * weight) ** times
    return min(_BELOW_ONE, max(confidence, risen))
