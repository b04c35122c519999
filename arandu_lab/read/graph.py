"""Signal 3: facts that mention the entities of the question, or entities connected to them."""

from __future__ import annotations

import numpy as np

from arandu_lab.pipeline import Lab, stage
from arandu_lab.pipeline.lab import Positions
from arandu_lab.pure import planning, scoring
from arandu_lab.pure.graph import walk
from arandu_lab.read.found import Scoped, Voice, micros
from arandu_lab.records import Relationship
from arandu_lab.units import Count, Days, Factor, Positive, Share

BROAD_HOPS = 1
"""Further hops of a broad question."""


@stage
def graph(
    plan: Scoped,
    lab: Lab,
    *,
    graph_max_hops: Count,
    graph_hop_decay: Share,
    graph_query_bonus: Factor,
    graph_recency_days: Days,
    edge_recency_days: Days,
    signal_limit: Positive = 200,
) -> Voice:
    """Walk live edges, both ways, from the entities of the question; nominate what mentions an entity on the way.

    Hop 0 (the named entities) and hop 1 count in full, hop 2 by ``graph_hop_decay``. Pattern entities (all persons, for
    a list) count as hop 0 without the bonus of a named entity and lead nowhere further.
    """
    facts = lab.memory.facts
    scores = np.zeros(len(plan.open))
    starts = tuple(dict.fromkeys((*plan.deterministic, *(plan.query.entity_keys or ()))))
    named = frozenset(plan.deterministic)
    reached = {}
    if plan.strategy != "skip":
        hops = graph_max_hops + (BROAD_HOPS if plan.broad_query else 0)
        known_at = plan.query.known_at
        reached = walk(
            starts,
            lambda key: lab.memory.edges(key, as_of=plan.as_of, known_at=known_at),
            hops,
            weigh=lambda edge: edge.strength * _edge_recency(edge, plan, edge_recency_days),
        )
    listed = [
        entity.key
        for entity in (lab.memory.entities() if plan.pattern_queries else ())
        if entity.key not in reached and planning.fits(entity.key, plan.pattern_queries)
    ]
    alike: dict[tuple[int, bool], list[tuple[Positions, float]]] = {}
    for key, hop, weight in [*((r.key, r.hop, r.weight) for r in reached.values()), *((key, 0, 1.0) for key in listed)]:
        places = lab.memory.linked(key)
        alike.setdefault((hop, key in named), []).append((places[plan.open[places]], weight))
    for (hop, is_named), mentions in alike.items():
        places = np.concatenate([those for those, _ in mentions])
        age = scoring.days(plan.now_us, facts.valid_from[places])
        found = scoring.graph(
            np.repeat([weight for _, weight in mentions], [len(those) for those, _ in mentions]),
            scoring.hyperbolic(age, graph_recency_days, scoring.RECENCY_FACTOR_FLOOR),
            1.0,
            named=is_named,
            hop=hop,
            query_bonus=graph_query_bonus,
            hop_decay=graph_hop_decay,
        )
        np.maximum.at(scores, places, found)
    hits = np.flatnonzero(scores > 0.0)
    positions = scoring.best(hits, scores, signal_limit, times=facts.valid_from, ids=facts.ids)
    lab.log(graph_entities=len(reached) + len(listed), graph_hits=len(hits), graph_nominated=len(positions))
    return Voice(plan=plan, name="graph", scores=scores, positions=positions)


def _edge_recency(edge: Relationship, plan: Scoped, edge_recency_days: float) -> float:
    seen = edge.valid_from
    if not plan.historical and edge.last_confirmed_at is not None:
        seen = max(seen, edge.last_confirmed_at)
    age = scoring.days(plan.now_us, micros(seen))
    return float(scoring.hyperbolic(age, edge_recency_days, scoring.EDGE_RECENCY_FACTOR_FLOOR))
