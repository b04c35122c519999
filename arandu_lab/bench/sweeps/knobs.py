"""Settings of the scoring as columns, one entry a setting."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, get_args

import numpy as np

from arandu_lab.config import Signal
from arandu_lab.pure import scoring
from arandu_lab.pure.rescoring import Floats, Ints, Mask

SCORING = (
    *("score_weights", "recency_half_life_days", "pattern_boost_max", "min_similarity"),
    *("spreading_seeds", "spreading_decay_factor", "spreading_min_activation", "spreading_facts_per_entity"),
    *("topk_facts", "reranker_pool_factor", "reranker_weight", "min_reranker_score", "min_score"),
    *("context_max_tokens", "hot_tier_ratio", "warm_tier_ratio"),
)
"""Settings of which any number costs next to nothing. Every other one is logged anew for each of its values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Knobs:
    """Columns by the names of :data:`SCORING`; ``score_weights`` a column for each signal, 0 where it is not given.

    ``left_by_hops`` is what spreading leaves of a score after 0, 1, 2 … hops, shape ``(settings, hops + 1)``.
    """

    score_weights: Mapping[str, Floats]
    recency_half_life_days: Floats
    pattern_boost_max: Floats
    min_similarity: Floats
    spreading_seeds: Ints
    spreading_decay_factor: Floats
    spreading_min_activation: Floats
    spreading_facts_per_entity: Ints
    topk_facts: Ints
    reranker_pool_factor: Ints
    reranker_weight: Floats
    min_reranker_score: Floats
    min_score: Floats
    context_max_tokens: Ints
    hot_tier_ratio: Floats
    warm_tier_ratio: Floats
    left_by_hops: Floats

    @classmethod
    def of(cls, values: Sequence[Mapping[str, Any]]) -> Knobs:
        """From what the stages would read, setting by setting; all with the same ``spreading_activation_hops``.

        >>> from arandu_lab.config import MemoryConfig
        >>> own = {"spreading_seeds": 5, "spreading_min_activation": 0.05}
        >>> knobs = Knobs.of([{**MemoryConfig().values(), **own}, {**MemoryConfig(topk_facts=5).values(), **own}])
        >>> knobs.topk_facts.tolist(), knobs.score_weights["keyword"].tolist(), knobs.left_by_hops[0].tolist()
        ([20, 5], [0.0, 0.0], [1.0, 0.5, 0.25])
        """
        columns: dict[str, Any] = {name: np.asarray([one[name] for one in values]) for name in SCORING[1:]}
        columns["score_weights"] = {
            name: np.asarray([one["score_weights"].get(name, 0.0) for one in values]) for name in get_args(Signal)
        }
        hops = range(values[0]["spreading_activation_hops"] + 1)
        columns["left_by_hops"] = np.asarray([[one["spreading_decay_factor"] ** hop for hop in hops] for one in values])
        return cls(**columns)

    def take(self, rows: Ints) -> Knobs:
        """Some of the settings."""
        columns = {one.name: getattr(self, one.name) for one in fields(self)}
        weights = {name: column[rows] for name, column in columns.pop("score_weights").items()}
        return Knobs(score_weights=weights, **{name: column[rows] for name, column in columns.items()})

    def __len__(self) -> int:
        return len(self.topk_facts)


class Piece:
    """Some of the settings, and where they stand among all. What depends on a fact's age is kept while ages are the same."""

    def __init__(self, rows: Ints, knobs: Knobs) -> None:
        self.rows, self.knobs = rows, knobs
        self._kept: dict[str, tuple[Floats, Floats]] = {}

    @classmethod
    def all(cls, knobs: Knobs) -> list[Piece]:
        """All of the settings in pieces."""
        every = np.arange(len(knobs))
        parts = (every[start : start + _PIECE] for start in range(0, len(knobs), _PIECE))
        return [cls(rows, knobs.take(rows)) for rows in parts]

    def only(self, mine: Mask) -> Piece:
        """Some of this piece."""
        return Piece(self.rows[mine], self.knobs.take(np.flatnonzero(mine)))

    def recency(self, age: Floats) -> Floats:
        """The recency signal, a row for each setting, a column for each fact."""
        return self._once("recency", age, scoring.recency, self.knobs.recency_half_life_days)

    def pattern(self, counted: Floats) -> Floats:
        """The pattern boost, of the same shape."""
        return self._once("pattern", counted, scoring.pattern, self.knobs.pattern_boost_max)

    def _once(self, name: str, of: Floats, reckon: Callable[[Floats, Floats], Floats], setting: Floats) -> Floats:
        before = self._kept.get(name)
        if before is not None and np.array_equal(before[0], of):
            return before[1]
        found = reckon(of, setting[:, None])
        if found.size <= _KEPT:
            self._kept[name] = (of, found)
        return found


_PIECE = 256
"""Settings that are reckoned at a time: with some hundred facts, what fits into a processor's cache."""

_KEPT = 1 << 18
"""The largest table that a piece keeps, in cells."""
