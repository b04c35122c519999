"""Walking the graph of entities: who is reached, in how many hops, by how good an edge.

Edges are walked in both directions. Which edges stand is the caller's business: ``edges_of`` gives only live ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from arandu_lab.records import Relationship


@dataclass(frozen=True, slots=True)
class Reach:
    """An entity that a walk came to: the fewest hops, and the weight of the best last edge (1 at the start)."""

    key: str
    hop: int
    weight: float


def walk(
    starts: Iterable[str],
    edges_of: Callable[[str], Iterable[Relationship]],
    hops: int,
    *,
    weigh: Callable[[Relationship], float] = lambda edge: edge.strength,
    fan_out: int | None = None,
) -> dict[str, Reach]:
    """Breadth first from ``starts``, at most ``hops`` hops; each entity once, at its nearest.

    ``fan_out`` bounds the entities that each entity leads to, the best edges first (ties by key). The order of edges
    and of starts never shows in the result.
    """
    reached = {key: Reach(key, 0, 1.0) for key in sorted(set(starts))}
    frontier = list(reached)
    for hop in range(1, hops + 1):
        found: dict[str, float] = {}
        for key in frontier:
            for other, weight in _neighbours(key, edges_of(key), weigh, reached, fan_out):
                found[other] = max(weight, found.get(other, 0.0))
        if not found:
            break
        for key in sorted(found):
            reached[key] = Reach(key, hop, found[key])
        frontier = sorted(found)
    return reached


def neighbours(
    key: str, edges: Iterable[Relationship], weigh: Callable[[Relationship], float] = lambda edge: edge.strength
) -> list[tuple[str, float]]:
    """The entities one edge away with the weight of the best edge, best first, ties by key."""
    return _neighbours(key, edges, weigh, {}, None)


def _neighbours(
    key: str,
    edges: Iterable[Relationship],
    weigh: Callable[[Relationship], float],
    reached: dict[str, Reach],
    fan_out: int | None,
) -> list[tuple[str, float]]:
    found: dict[str, float] = {}
    for edge in edges:
        other = edge.target_key if edge.source_key == key else edge.source_key
        if other != key and other not in reached:
            found[other] = max(weigh(edge), found.get(other, 0.0))
    ordered = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
    return ordered if fan_out is None else ordered[:fan_out]
