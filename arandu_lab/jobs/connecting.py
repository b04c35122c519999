"""Which entities belong together by their edges: connected components, no model (jobs document, sleep-time compute 4)."""

from __future__ import annotations

from dataclasses import replace

from arandu_lab.jobs.embedding import embed_concluded, leave_concluded
from arandu_lab.jobs.flow import Snapshot, Worked, details, digest, digest_of
from arandu_lab.pipeline import Lab, Node, stage
from arandu_lab.pure import ids
from arandu_lab.pure.components import components
from arandu_lab.records import UNSTAMPED, Entity, Observation, Relationship
from arandu_lab.units import Share

KIND = "entity_community"


def job() -> Node:
    """``detect_entity_communities``."""
    return connect_entities() >> embed_concluded().otherwise(leave_concluded())


@stage
def connect_entities(
    snapshot: Snapshot, lab: Lab, *, community_edge_strength: Share, profile_language: str, least_members: int = 2
) -> Worked:
    """Group the entities that strong edges connect at ``lab.now``, those of ``community_edge_strength`` and more.

    Each group is an observation with the facts that bear its edges out (J8). A group keeps its row while it keeps its first
    member; groups that are no more are withdrawn.
    """
    memory = lab.memory
    entities = memory.entities()
    places = {entity.key: place for place, entity in enumerate(entities)}
    edges = [
        edge
        for edge in memory.edges(as_of=lab.now)
        if edge.strength >= community_edge_strength and edge.source_key in places and edge.target_key in places
    ]
    groups = components(
        len(entities), [(places[edge.source_key], places[edge.target_key]) for edge in edges], least=least_members
    )
    standing = {row.id: row for row in memory.observations() if row.kind == KIND}
    rows: list[Observation] = []
    for group in groups:
        members = [entities[place] for place in group]
        keys = {one.key for one in members}
        rows.append(
            _row(snapshot.agent_id, members, [edge for edge in edges if edge.source_key in keys], profile_language)
        )
    made = {row.id for row in rows}
    gone = [replace(row, invalidated_at=UNSTAMPED) for row in standing.values()
            if row.id not in made and row.invalidated_at is None]  # fmt: skip
    news = [row for row in rows if not _stands(standing.get(row.id), row)]
    counts = (
        ("communities_found", len(groups)),
        ("total_entities_assigned", sum(map(len, groups))),
    )
    idle = None if groups else "no entities are connected"
    return Worked(agent_id=snapshot.agent_id, rows=(*news, *gone), counts=counts, idle=idle)


def _row(agent_id: str, members: list[Entity], edges: list[Relationship], language: str) -> Observation:
    named = [one.name for one in sorted(members, key=lambda one: (-one.importance, one.key))]
    evidence = tuple(dict.fromkeys(fact for edge in edges for fact in edge.evidence_fact_ids))
    bonds = sorted({(edge.source_key, edge.rel_type, edge.target_key) for edge in edges})
    return Observation(
        id=ids.derive(KIND, agent_id, min(one.key for one in members)),
        agent_id=agent_id,
        kind=KIND,
        text=_sentence(named, language),
        confidence=sum(edge.strength for edge in edges) / len(edges),
        evidence_ids=evidence,
        recorded_at=UNSTAMPED,
        details=details(digest(bonds, evidence, sorted(named)), members=[one.key for one in members]),
    )


def _stands(before: Observation | None, row: Observation) -> bool:
    return before is not None and before.invalidated_at is None and digest_of(before) == digest_of(row)


def _sentence(names: list[str], language: str) -> str:
    """Who is connected, the most important first.

    >>> _sentence(["Ana", "Bia", "Orion"], "english"), _sentence(["Ana", "Bia"], "portuguese")
    ('Connected with each other: Ana, Bia, Orion', 'Ligados entre si: Ana, Bia')
    """
    head = "Ligados entre si" if language.lower().startswith("portugu") else "Connected with each other"
    return f"{head}: {', '.join(names[:12])}" + (f" (+{len(names) - 12})" if len(names) > 12 else "")
