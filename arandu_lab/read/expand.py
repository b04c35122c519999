"""Stage 1b of reading: prime the neighbours of the entities that a question names."""

from __future__ import annotations

from dataclasses import replace

from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure.graph import neighbours
from arandu_lab.read.found import Plan
from arandu_lab.units import Count


@stage
def expand_query(plan: Plan, lab: Lab, *, expansion_limit: Count = 10) -> Plan:
    """Add the entities one live edge away from the named ones, the strongest edges first, at most ``expansion_limit``.

    They are one hop away and stay so: the graph signal never counts them as named.
    """
    known_at = plan.query.known_at
    best: dict[str, float] = {}
    for key in plan.deterministic:
        for other, weight in neighbours(key, lab.memory.edges(key, as_of=plan.as_of, known_at=known_at)):
            if other not in plan.deterministic:
                best[other] = max(weight, best.get(other, 0.0))
    ordered = sorted(best, key=lambda key: (-best[key], key))[:expansion_limit]
    lab.log(expansion=tuple(ordered))
    return replace(plan, expansion=tuple(ordered))
