"""Which facts were told together, and who is reached from a fact in a few steps: the voice of the graph.

A new fact is tied to facts of its observations, of its sessions, of its topic, and to the one whose place it takes. Edges
are walked both ways. Neither the order of facts nor that of edges or seeds shows in anything.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from arandu_lab.errors import ConfigError
from arandu_lab.knowledge import EdgeKind, EpisodicEdge, MemoryFact
from arandu_lab.pure.ids import derive
from arandu_lab.pure.text import normal

TIES: Mapping[EdgeKind, float] = MappingProxyType({"supersedes": 1.0, "observation": 0.9, "session": 0.6, "topic": 0.5})
"""What a tie of each kind weighs."""

FAN_OUT = 16
"""How many ties of one kind a new fact gets at most: the latest of the others first."""

Adjacency = Mapping[str, Mapping[str, float]]
"""Fact -> fact one step away -> weight of the best tie between them."""


def ties(
    new: MemoryFact,
    stored: Iterable[MemoryFact],
    sessions: Mapping[str, str] | None = None,
    *,
    superseded: Iterable[str] = (),
    weigh: Mapping[EdgeKind, float] = TIES,
    fan_out: int = FAN_OUT,
) -> tuple[EpisodicEdge, ...]:
    """The edges a new fact gets, by kind and then by the id of the other fact.

    Args:
        new: The fact; edges are recorded when it was.
        stored: Facts of the same workspace; others, and the fact itself, are passed over.
        sessions: Observation -> session, for the observations that facts cite.
        superseded: Ids of facts whose place the new one takes (beside those that name it in ``superseded_by``).
        weigh: Kind -> weight, above 0 and at most 1; a kind left out makes no edges.
        fan_out: How many edges of one kind at most, 1 or more; ``supersedes`` is not bounded.

    Raises:
        ConfigError: a weight or ``fan_out`` outside its range.
    """
    if fan_out < 1 or any(not 0.0 < weight <= 1.0 for weight in weigh.values()):
        raise ConfigError(f"fan_out={fan_out}, weights {dict(weigh)}; 1 or more, and above 0 to 1")
    known = sessions or {}
    replaced = set(superseded)
    mine = set(new.source_observation_ids)
    my_sessions = {known[each] for each in mine if each in known}
    found: dict[EdgeKind, list[MemoryFact]] = {"supersedes": [], "observation": [], "session": [], "topic": []}
    others = {fact.id: fact for fact in stored if fact.id != new.id and fact.agent_id == new.agent_id}
    for other in sorted(others.values(), key=lambda fact: (-fact.recorded_at.timestamp(), fact.id)):
        theirs = set(other.source_observation_ids)
        if other.superseded_by == new.id or other.id in replaced:
            found["supersedes"].append(other)
        if mine & theirs:
            found["observation"].append(other)
        elif my_sessions & {known[each] for each in theirs if each in known}:
            found["session"].append(other)
        if same_topic(new, other):
            found["topic"].append(other)
    edges = []
    for kind, held in found.items():
        if kind in weigh:
            for other in held if kind == "supersedes" else held[:fan_out]:
                edges.append(_edge(new, other, kind, weigh[kind]))
    return tuple(sorted(edges, key=lambda edge: (edge.kind, edge.target_id)))


def same_topic(one: MemoryFact, other: MemoryFact) -> bool:
    """Whether two facts are of the same topic of the same domain in the same scope; case and accents do not count."""
    return one.domain_key == other.domain_key and normal(one.topic) == normal(other.topic)


def adjacency(edges: Iterable[EpisodicEdge]) -> Adjacency:
    """Edges both ways; of several between two facts the best counts. A tie of a fact with itself is none."""
    table: dict[str, dict[str, float]] = {}
    for edge in edges:
        for one, other in ((edge.source_id, edge.target_id), (edge.target_id, edge.source_id)):
            if one != other:
                row = table.setdefault(one, {})
                row[other] = max(edge.weight, row.get(other, 0.0))
    return table


def reached(seeds: Mapping[str, float], graph: Adjacency, *, hops: int = 2) -> dict[str, float]:
    """Facts within some hops of the seeds, best first (ties by id), with how strongly they are reached.

    From a seed a fact is reached by the product of the weights of its best way; what seeds send is weighted by their own
    strength and adds up. A seed is reached from other seeds only.

    Args:
        seeds: Fact -> strength, 0 or more.
        graph: See :func:`adjacency`.
        hops: 0 or more.

    Raises:
        ConfigError: a strength or ``hops`` below 0.

    >>> graph = {"a": {"b": 0.5}, "b": {"a": 0.5, "c": 0.5}, "c": {"b": 0.5, "d": 1.0}, "d": {"c": 1.0}}
    >>> reached({"a": 1.0}, graph)
    {'b': 0.5, 'c': 0.25}
    """
    if hops < 0 or any(not strength >= 0.0 for strength in seeds.values()):
        raise ConfigError(f"hops={hops}, strengths {sorted(seeds.values())}; both 0 or more")
    parts: dict[str, list[float]] = {}
    for seed, strength in seeds.items():
        for other, way in _ways(seed, graph, hops).items():
            parts.setdefault(other, []).append(strength * way)
    total = {other: math.fsum(given) for other, given in parts.items()}
    return dict(sorted(((other, sent) for other, sent in total.items() if sent > 0.0), key=lambda it: (-it[1], it[0])))


def _ways(seed: str, graph: Adjacency, hops: int) -> dict[str, float]:
    """The best product of weights of a way of at most ``hops`` steps, per fact other than the seed."""
    best = {seed: 1.0}
    frontier = {seed: 1.0}
    for _ in range(hops):
        wave: dict[str, float] = {}
        for one, way in frontier.items():
            for other, weight in graph.get(one, {}).items():
                if way * weight > max(best.get(other, 0.0), wave.get(other, 0.0)):
                    wave[other] = way * weight
        best |= wave
        frontier = wave
    del best[seed]
    return best


def _edge(new: MemoryFact, other: MemoryFact, kind: EdgeKind, weight: float) -> EpisodicEdge:
    return EpisodicEdge(
        id=derive("episodic", new.agent_id, kind, *sorted((new.id, other.id))),
        agent_id=new.agent_id,
        source_id=new.id,
        target_id=other.id,
        kind=kind,
        weight=weight,
        recorded_at=new.recorded_at,
    )
