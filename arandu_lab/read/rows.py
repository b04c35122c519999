"""From row numbers to candidates: every signal of every candidate, on one scale, and their formula score.

The one writer of the signal columns. ``merge`` calls it for what the voices nominate, ``spread`` for what it adds, so a
fact has the same numbers whoever brought it.

Where nobody could compare vectors (the embedder is dead, the fact is not embedded yet) ``semantic`` stays null and the
stronger of ``keyword`` and ``graph`` stands in for it in the formula: silence of one voice must not mute the others.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from arandu_lab.pipeline.lab import Lab, Positions
from arandu_lab.pure import scoring
from arandu_lab.read.found import Floats, Scoped, Weighing
from arandu_lab.read.table import Table

STANDARD = ("semantic", "keyword", "graph")

LEFT_OUT = ("reinforcement_count", "last_confirmed_at", "entity.importance")
"""What is not versioned and therefore takes no part in a historical ranking."""


def signals(
    positions: Positions,
    plan: Scoped,
    voices: Mapping[str, Floats],
    weighing: Weighing,
    lab: Lab,
    spread: Floats | float = 0.0,
) -> dict[str, Floats]:
    """Name -> values of shape ``(len(positions),)``: the voices', the facts' own, and ``formula``."""
    found, age, counted = unweighed(positions, plan, voices, lab)
    found["spread"] = np.broadcast_to(np.asarray(spread, dtype=np.float64), (len(positions),)).copy()
    found["recency"] = scoring.recency(age, weighing.recency_half_life_days)
    found["pattern"] = scoring.pattern(counted, weighing.pattern_boost_max)
    found["formula"] = scoring.weighed(weighing.score_weights, found)
    return found


def unweighed(
    positions: Positions, plan: Scoped, voices: Mapping[str, Floats], lab: Lab
) -> tuple[dict[str, Floats], Floats, Floats]:
    """What is known of facts before anything is weighed: the signals that no setting of the formula changes, by name,
    the age in days, and how many confirmations count; each of shape ``(len(positions),)``.
    """
    facts = lab.memory.facts
    size = len(positions)
    found = {
        "semantic": np.full(size, np.nan),
        "keyword": np.zeros(size),
        "graph": np.zeros(size),
        **{name: scores[positions] for name, scores in voices.items()},
        "importance": scoring.importance(facts.importance[positions], _entity_importance(positions, plan, lab)),
        "confidence": plan.confidence[positions],
        "confidence_raw": facts.confidence[positions].astype(np.float64),
    }
    age = scoring.days(plan.now_us, facts.valid_from[positions])
    return found, age, np.zeros(size) if plan.historical else facts.reinforcement[positions].astype(np.float64)


def rows(positions: Positions, values: Mapping[str, Floats], lab: Lab) -> Table:
    """The table of the candidates at ``positions``, in that order."""
    facts = lab.memory.facts
    others = [name for name in values if name not in (*STANDARD, *_OWN)]
    return Table(
        {
            "fact_id": scoring.picked(facts.ids, positions),
            "position": positions.astype(np.int64),
            "entity_key": scoring.picked(facts.entity_keys, facts.entity_codes[positions]),
            "occurred_at": facts.valid_from[positions].astype(np.int64).view("datetime64[us]"),
            **{name: np.asarray(values[name], dtype=np.float64) for name in (*STANDARD, *others, *_OWN)},
        }
    )


_OWN = ("spread", "recency", "importance", "confidence", "confidence_raw", "pattern", "formula")


def _entity_importance(positions: Positions, plan: Scoped, lab: Lab) -> Floats:
    if plan.historical:
        return np.full(len(positions), 0.5)
    facts = lab.memory.facts
    codes, keys = facts.entity_codes[positions], facts.entity_keys
    held = np.full(len(keys), 0.5)
    for code in scoring.distinct([codes], len(keys)).tolist():
        entity = lab.memory.entity(keys[code])
        held[code] = 0.5 if entity is None else entity.importance
    return held[codes]
