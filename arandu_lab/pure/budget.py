"""How a context's tokens are shared out: hot and warm facts first, then patterns and turns, then the facts left over.

The budget is a target: one fact always enters, however small the budget; nothing else ever exceeds it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Tier = Literal["hot", "warm", "cold"]


@dataclass(frozen=True, slots=True)
class Allotment:
    """``tiers``: one entry per fact (None: no room); ``extras``: which further lines enter; ``used``: tokens in all."""

    tiers: tuple[Tier | None, ...]
    extras: tuple[bool, ...]
    used: int


def estimate_tokens(text: str) -> int:
    """A stated estimate where no tokenizer is at hand: four characters a token, rounded up.

    >>> estimate_tokens("- Lives in Sao Paulo"), estimate_tokens("")
    (5, 0)
    """
    return -(-len(text) // 4)


def allot(
    facts: Sequence[int], extras: Sequence[int], *, budget: int, hot_ratio: float, warm_ratio: float
) -> Allotment:
    """Who enters, given the cost in tokens of each fact (best first) and of each further line (most wanted first).

    Facts fill the hot share, the following ones the warm share, each line that is too long for the room left making
    way for the next. Further lines take what remains of the whole budget; facts still waiting take the rest (cold).

    >>> allot([40, 40, 40, 40], [30, 30], budget=150, hot_ratio=.5, warm_ratio=.3)
    Allotment(tiers=('hot', 'warm', 'warm', None), extras=(True, False), used=150)
    >>> allot([500], [10], budget=100, hot_ratio=.5, warm_ratio=.3)
    Allotment(tiers=('hot',), extras=(False,), used=500)
    """
    tiers: list[Tier | None] = [None] * len(facts)
    used = 0
    hot = budget * min(1.0, hot_ratio)
    warm = budget * min(1.0, hot_ratio + warm_ratio)
    for place, cost in enumerate(facts):
        if place == 0 or used + cost <= hot:
            tiers[place] = "hot"
        elif used + cost <= warm:
            tiers[place] = "warm"
        else:
            continue
        used += cost
    chosen = []
    for cost in extras:
        fits = used + cost <= budget
        chosen.append(fits)
        used += cost if fits else 0
    for place, cost in enumerate(facts):
        if tiers[place] is None and used + cost <= budget:
            tiers[place] = "cold"
            used += cost
    return Allotment(tuple(tiers), tuple(chosen), used)
