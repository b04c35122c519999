"""Which parameter, moved alone and as little as possible, would have recalled a fact: found by running the read.

For every parameter that matters where the fact was lost: first the value that the check itself names (the fact's cosine, its
rank), then values further and further away, then halving between the last that failed and the first that recalled, to one
part in ten thousand. Nothing is proposed that was not run.
"""

from __future__ import annotations

import math
import typing
from dataclasses import replace
from datetime import timedelta
from typing import Any, Literal

from annotated_types import Ge, Gt, Le, Lt

from arandu_lab.memory.checking import checks
from arandu_lab.memory.explanations import QUESTION, Change, Check
from arandu_lab.memory.rereading import Rereading, Seen
from arandu_lab.pipeline.node import Param
from arandu_lab.records import Fact

Way = Literal["up", "down", "both", "off"]

_RANKING: dict[str, Way] = {
    "recency_half_life_days": "both",
    "reranker_weight": "both",
    "pattern_boost_max": "both",
    "enable_reranker": "off",
}
_WALKING: dict[str, Way] = {
    "graph_max_hops": "up",
    "spreading_activation_hops": "up",
    "spreading_facts_per_entity": "up",
    "spreading_max_related_entities": "up",
    "spreading_seeds": "up",
    "spreading_decay_factor": "up",
    "spreading_min_activation": "down",
}
LEVERS: dict[str, dict[str, Way]] = {
    "unknown": {"known_at": "both"},
    "not_begun": {"as_of": "both"},
    "closed": {"as_of": "both"},
    "stale": {"as_of": "both"},
    "scope": {"entity_keys": "both"},
    "confidence": {"min_confidence": "down", "confidence_half_life_days": "up", "confidence_floor": "up"},
    "similarity": {"min_similarity": "down", **_WALKING},
    "unembedded": _WALKING,
    "cap": {"signal_limit": "up", **_WALKING},
    "pool": {"reranker_pool_factor": "up", "topk_facts": "up", **_RANKING},
    "vetoed": {"min_reranker_score": "down", "enable_reranker": "off"},
    "min_score": {"min_score": "down", **_RANKING},
    "topk": {"topk_facts": "up", **_RANKING},
    "budget": {
        "context_max_tokens": "up",
        "hot_tier_ratio": "up",
        "warm_tier_ratio": "up",
        "topk_events": "down",
        "topk_patterns": "down",
        "event_max_chars": "down",
        **_RANKING,
    },
}
"""Reason -> the parameters that can undo it, and which way each is moved."""

MOST_RUNS, MOST_CALLS = 240, 40
"""Reads that one explanation may take, and calls of models: another pool is another question to the judge."""

_PRECISION = 1e-4
"""Halving ends when the failing and the recalling value differ by this part of the larger."""


class Remedies:
    """The search for one fact that one read lost."""

    def __init__(self, bench: Rereading, position: int, fact: Fact, lost: Check) -> None:
        self.bench, self.position, self.fact, self.lost = bench, position, fact, lost
        self.found: list[Change] = []
        self.then: Check | None = None
        self.beyond: tuple[str, Any] | None = None
        self.complete = True

    async def search(self) -> tuple[Change, ...]:
        """Every parameter that recalls the fact alone, at its smallest move; the smallest first."""
        params = self.bench.parameters
        try:
            for name, way in LEVERS.get(self.lost.reason, {}).items():
                if name in QUESTION:
                    await self._question(name)
                elif way == "off":
                    if getattr(self.bench.config, name) and "judge" in self.bench.standing.names():
                        self._noted(name, True, False, await self._read(**{name: False}))
                elif name in params:
                    await self._setting(params[name], way)
        except _EnoughError:
            self.complete = False
        return tuple(sorted(self.found, key=lambda change: (change.size, change.name)))

    async def _question(self, name: str) -> None:
        asked, old = self.bench.question, getattr(self.bench.question, name)
        if name == "entity_keys":
            new: Any = (*(old or ()), self.fact.entity_key)
        elif self.lost.reason in ("closed", "stale"):
            new = self.lost.threshold - timedelta(microseconds=1)  # type: ignore[operator]
        else:
            new = self.lost.threshold
        seen = await self._read(question=replace(asked, **{name: new}))
        self._noted(name, old, new, seen)

    async def _setting(self, param: Param, way: Way) -> None:
        name, old = param.name, self.bench.values[param.name]
        low, high = _bounds(param.annotation)
        guess = self._guess(name)
        if guess is not None:
            guess = type(old)(min(max(guess, low), high))
            if guess != old and (seen := await self._recalls(name, old, guess)):
                near = old if name in _NEARER else guess
                await self._halved(name, old, near, guess, seen)
                return
        for one in ("up", "down") if way == "both" else (way,):
            failing = old
            for value in _probes(name, old, guess, high if one == "up" else low):
                if seen := await self._recalls(name, old, value):
                    await self._halved(name, old, failing, value, seen)
                    break
                failing = value

    async def _halved(self, name: str, old: Any, failing: Any, working: Any, seen: Seen) -> None:
        """Between a value that fails and one that recalls, the nearest to the first that recalls."""
        while _apart(failing, working):
            middle = _middle(failing, working)
            if better := await self._recalls(name, old, middle):
                working, seen = middle, better
            else:
                failing = middle
        self._noted(name, old, working, seen)

    async def _recalls(self, name: str, old: Any, new: Any) -> Seen | None:
        """The read with a value, if it recalls the fact."""
        seen = await self._read(**{name: new})
        if seen.recalled(self.fact.id):
            return seen
        self._noted(name, old, new, seen)
        return None

    def _guess(self, name: str) -> Any:
        """The value that the lost check names for its own parameter."""
        lost, values = self.lost, self.bench.values
        rank, value = lost.rank or 0, lost.value
        match lost.reason, name:
            case ("confidence", "min_confidence") | ("similarity", "min_similarity") | ("min_score", "min_score"):
                return value
            case ("vetoed", "min_reranker_score"):
                return value
            case ("confidence", "confidence_floor"):
                return lost.threshold
            case ("cap", "signal_limit") | ("topk", "topk_facts"):
                return rank
            case ("pool", "reranker_pool_factor"):
                return -(-rank // values["topk_facts"])
            case ("pool", "topk_facts"):
                return -(-rank // values["reranker_pool_factor"])
            case ("budget", "context_max_tokens"):
                return values[name] - (lost.margin or 0)
        return None

    def _noted(self, name: str, old: Any, new: Any, seen: Seen) -> None:
        if seen.recalled(self.fact.id):
            row = seen.row(self.fact.id) or {}
            score = row.get("score", row.get("formula"))
            change = Change(name=name, old=old, new=new, size=_size(old, new), rank=row.get("rank", 0), score=score)
            self.found.append(change)
        elif self.then is None:
            after = checks(seen, self.position)[-1]
            if after.reason != self.lost.reason:
                self.then, self.beyond = after, (name, new)

    async def _read(self, **changed: Any) -> Seen:
        if self.bench.runs >= MOST_RUNS or self.bench.usage.calls >= MOST_CALLS:
            raise _EnoughError
        return await self.bench.read(**changed)


class _EnoughError(Exception):
    """The bound on reads is met."""


def _probes(name: str, old: Any, guess: Any, limit: float) -> tuple[Any, ...]:
    """Values further and further from the current one, towards its limit.

    Of a threshold that the check names itself nothing further is tried; what makes prompts long goes no further than it must.
    """
    if name in _FURTHER:
        start = old if guess is None else guess
        values: tuple[Any, ...] = tuple(start + step for step in _FURTHER[name]) if limit > old else (int(limit),)
    elif guess is not None or limit == old:
        return ()
    elif isinstance(old, int):
        values = (int(limit),) if limit < old else (old + 1, old + 8)
    elif max(abs(limit), old) > 1.0:  # a length of time
        steps = (2.0, 8.0, 64.0, 4096.0)
        values = tuple(old * step for step in steps) if limit > old else tuple(old / step for step in steps)
    else:
        values = tuple(old + (limit - old) * part for part in (0.25, 1.0))
    inside = [min(value, limit) if limit > old else max(value, limit) for value in values]
    return tuple(dict.fromkeys(value for value in inside if value != old))


_FURTHER: dict[str, tuple[int, ...]] = {
    "topk_facts": (2, 8, 32),
    "reranker_pool_factor": (1, 3),
    "context_max_tokens": (16, 128, 1024, 65536),
    "spreading_facts_per_entity": (2, 32),
    "spreading_max_related_entities": (2, 32),
    "spreading_seeds": (2, 32),
}
"""How far some numbers are moved beyond the value that the check names, or the current one."""


_NEARER = frozenset({"context_max_tokens"})
"""Numbers for which the check names enough, and less may do: a larger budget also shares itself out anew."""


def _apart(failing: Any, working: Any) -> bool:
    gap = abs(failing - working)
    return bool(gap > 1 if isinstance(working, int) else gap > _PRECISION * max(abs(failing), abs(working)))


def _middle(failing: Any, working: Any) -> Any:
    """Halfway; of lengths of time by their ratio."""
    if isinstance(working, int):
        return (failing + working) // 2
    return math.sqrt(failing * working) if min(failing, working) > 1.0 else (failing + working) / 2.0


def _size(old: Any, new: Any) -> float:
    """The relative change of a number, 1 for anything else.

    >>> round(_size(0.2, 0.19), 6), _size(20, 40), _size(0, 3), _size(True, False)
    (0.05, 0.5, 1.0, 1.0)
    """
    if isinstance(old, bool) or not isinstance(old, int | float) or not isinstance(new, int | float):
        return 1.0
    most = max(abs(old), abs(new))
    return abs(new - old) / most if most else 0.0


def _bounds(annotation: Any) -> tuple[float, float]:
    """The least and the greatest value of a unit (just inside where it is open)."""
    low, high = -math.inf, math.inf
    for mark in typing.get_args(annotation)[1:]:
        match mark:
            case Ge():
                low = mark.ge  # type: ignore[assignment]
            case Gt():
                low = mark.gt + 1e-9  # type: ignore[operator]
            case Le():
                high = mark.le  # type: ignore[assignment]
            case Lt():
                high = mark.lt - 1e-9  # type: ignore[operator]
    return low, high
