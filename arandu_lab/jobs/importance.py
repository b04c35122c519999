"""How important each entity is to this memory: four signals, no model (jobs document, sleep-time compute 1)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arandu_lab.jobs.flow import Snapshot, Worked
from arandu_lab.pipeline import Lab, Node, stage
from arandu_lab.pure import scoring
from arandu_lab.pure.importance import of_links
from arandu_lab.store.times import micros
from arandu_lab.units import Days, Share


def job() -> Node:
    """``compute_entity_importance``."""
    return score_entities()


@stage
def score_entities(
    snapshot: Snapshot, lab: Lab, *, importance_half_life_days: Days, least_change: Share = 0.01
) -> Worked:
    """Score every entity by four signals: how many facts, how recent, how often retrieved, how many edges.

    Facts that mention it count as its own do. Only what holds at ``lab.now`` counts. A score that moved by less than
    ``least_change`` is left as it is, so that mere time writes little.
    """
    memory, facts = lab.memory, lab.memory.facts
    entities = memory.entities()
    if not entities:
        return Worked(agent_id=snapshot.agent_id, idle="no entities yet")
    held = facts.live(as_of=lab.now)
    linked = [mine[held[mine]] for mine in (memory.linked(entity.key) for entity in entities)]
    places = {entity.key: place for place, entity in enumerate(entities)}
    edges = [
        (places[edge.source_key], places[edge.target_key])
        for edge in memory.edges(as_of=lab.now)
        if edge.source_key in places and edge.target_key in places
    ]
    said = np.maximum(facts.valid_from, facts.last_confirmed)
    scores = of_links(
        np.repeat(np.arange(len(entities)), [len(mine) for mine in linked]),
        np.concatenate(linked),
        np.maximum(0.0, scoring.days(micros(lab.now), said)),
        facts.retrieved,
        [source for source, _ in edges],
        [target for _, target in edges],
        len(entities),
        importance_half_life_days,
    )
    rows = tuple(
        replace(entity, importance=round(float(score), 3))
        for entity, score in zip(entities, scores, strict=True)
        if abs(float(score) - entity.importance) >= least_change
    )
    return Worked(agent_id=snapshot.agent_id, rows=rows, counts=(("entities_scored", len(entities)),))
