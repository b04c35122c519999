"""How alive a fact is, 0 to .90: how often it was recalled, how lately it was of use, how sure it is, how often it was heard.

The four weights of the document sum to .90, and that is the ceiling (J6). Corrections dim it; a fact that is over has none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arandu_lab.pure.scoring import Carrier, recency
from arandu_lab.pure.versions import is_open
from arandu_lab.records import Fact

CEILING = 0.90
RETRIEVALS = 10
"""Retrievals from which on more of them add nothing."""

REINFORCEMENTS = 5
"""Confirmations from which on more of them add nothing."""

CORRECTION = 0.8
"""What each correction leaves."""

_RETRIEVAL, _RECENCY, _CONFIDENCE, _REINFORCEMENT = 0.30, 0.25, 0.20, 0.15


def vitality(
    times_retrieved: Carrier,
    days_since_used: Carrier,
    confidence: Carrier,
    reinforcement: Carrier,
    corrections: Carrier,
    closed: Any,
    half_life_days: float = 30.0,
) -> Carrier:
    """``.30 retrieval + .25 recency + .20 confidence + .15 reinforcement``, times ``.8`` per correction; 0 where closed.

    Retrieval is ``log1p(n) / log(11)`` up to 1, recency halves per half-life, reinforcement is ``n / 5`` up to 1. Numbers or
    arrays of one shape, which the result has too; below 0 counts as 0, and ``confidence`` lies in [0, 1].

    "Used" is the latest of ``last_retrieved_at``, ``last_confirmed_at`` and ``valid_from`` (``used_at``), and not the last
    retrieval alone: the document keeps what was *mentioned* lately, and a fact heard yesterday was recalled never yet.

    >>> vitality(10, 0.0, 1.0, 5, 0, False), round(vitality(10, 0.0, 1.0, 5, 1, False), 6), vitality(10, 0.0, 1.0, 5, 0, True)
    (0.9, 0.72, 0.0)
    >>> vitality(np.array([0, 0]), np.array([0.0, 30.0]), 1.0, 0, 0, False).round(3).tolist()
    [0.45, 0.325]
    """
    recalled = np.minimum(np.log1p(np.maximum(times_retrieved, 0)) / np.log1p(RETRIEVALS), 1.0)
    heard = np.clip(reinforcement, 0, REINFORCEMENTS) / REINFORCEMENTS
    lately = recency(np.asarray(days_since_used, dtype=np.float64), half_life_days)
    total = (
        _RETRIEVAL * recalled + _RECENCY * lately + _CONFIDENCE * np.clip(confidence, 0.0, 1.0) + _REINFORCEMENT * heard
    )
    alive = np.minimum(total, CEILING) * CORRECTION ** np.maximum(corrections, 0)
    value = np.where(closed, 0.0, alive)
    return float(value) if value.ndim == 0 else value


def stale(vitality: Carrier, importance: Carrier, threshold: float, keep_importance: float) -> Any:
    """Whether facts are to be marked: vitality below the threshold, importance below what is kept whatever its vitality.

    At the threshold a fact is not stale, and there is no second threshold for the way back: who rises to it is unmarked, so
    a second look at the same numbers says the same.

    >>> stale(np.array([0.19, 0.20, 0.05]), np.array([0.5, 0.5, 0.9]), 0.20, 0.9).tolist()
    [True, False, False]
    """
    mask = np.logical_and(np.less(vitality, threshold), np.less(importance, keep_importance))
    return bool(mask) if np.ndim(mask) == 0 else mask


def used_at(fact: Fact, said_at: datetime | None = None) -> datetime:
    """When a fact was last of use: recalled, confirmed, begun, or (where the caller knows when that was) said.

    ``said_at`` matters for news about long ago: told yesterday that she was born in 1990, the memory has it since yesterday.
    """
    moments = (fact.last_retrieved_at, fact.last_confirmed_at, fact.valid_from, said_at)
    return max(moment for moment in moments if moment is not None)


def of_facts(
    facts: Sequence[Fact], now: datetime, half_life_days: float = 30.0, said_at: Mapping[str, datetime] | None = None
) -> NDArray[np.float64]:
    """The vitality of facts at a moment, shape ``(n,)``. ``said_at`` gives the moment of a turn by ``source_event_id``.

    A fact whose end was told and lies ahead is not over (E10), and one that has yet to begin has not aged.
    """
    said = said_at or {}
    used = [(now - used_at(fact, said.get(fact.source_event_id))).total_seconds() / 86_400 for fact in facts]
    value: NDArray[np.float64] = vitality(
        np.array([fact.times_retrieved for fact in facts], dtype=np.float64),
        np.array(used, dtype=np.float64),
        np.array([fact.confidence for fact in facts], dtype=np.float64),
        np.array([fact.reinforcement_count for fact in facts], dtype=np.float64),
        np.array([fact.user_correction_count for fact in facts], dtype=np.float64),
        np.array([not is_open(fact, now) for fact in facts], dtype=np.bool_),
        half_life_days,
    )
    return value
