"""Where one stage of the card ends in a pipeline and the next begins, whatever stands in for the documented nodes.

A node belongs to the stage whose documented node it is, or a part of. One of another name is taken for the documented
node that is missing at its place; where none is missing it belongs to the node before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from arandu_lab.pipeline import Node, Pipeline
from arandu_lab.records import Changes

Stage = Literal[
    "extraction", "dedup", "resolution", "reconciliation", "state", "retrieval", "ranking", "context"
]  # fmt: skip
WRITE: tuple[Stage, ...] = ("extraction", "dedup", "resolution", "reconciliation", "state")
READ: tuple[Stage, ...] = ("retrieval", "ranking", "context")
STAGES: tuple[Stage, ...] = (*WRITE, *READ)
"""The stages of the card, in order."""

_PLACES: Mapping[str, tuple[tuple[str, Stage], ...]] = {
    "write": (
        ("extraction", "extraction"),
        ("semantic_dedup", "dedup"),
        ("resolve", "resolution"),
        ("mirror", "reconciliation"),
        ("reconcile", "reconciliation"),
        ("upsert", "state"),
    ),
    "read": (
        ("plan", "retrieval"),
        ("expand_query", "retrieval"),
        ("retrieval", "retrieval"),
        ("spread", "retrieval"),
        ("judge", "ranking"),
        ("blend", "ranking"),
        ("cut", "ranking"),
        ("render", "context"),
    ),
}


def segments(pipeline: Pipeline) -> dict[Stage, tuple[Node, ...]]:
    """Stage of the card -> its nodes, in order; a stage that is left out has none.

    >>> from arandu_lab.presets import read, write
    >>> {stage: [node.name for node in nodes] for stage, nodes in segments(read().without("spread")).items()}
    {'retrieval': ['plan', 'expand_query', 'retrieval'], 'ranking': ['judge', 'blend', 'cut'], 'context': ['render']}
    >>> [node.name for node in segments(write().without("semantic_dedup"))["dedup"]]
    []
    """
    writes = pipeline.gives is Changes
    places = _PLACES["write" if writes else "read"]
    parts = _parts("write" if writes else "read")
    known = [_known(node, parts) for node in pipeline.nodes]
    missing = [place for place, (name, _) in enumerate(places) if place not in known]
    out: dict[Stage, list[Node]] = {stage: [] for stage in (WRITE if writes else READ)}
    at = 0
    for position, node in enumerate(pipeline.nodes):
        place = known[position]
        if place is None:
            following = next((one for one in known[position + 1 :] if one is not None), len(places))
            gap = next((one for one in missing if at <= one < following), None)
            place = at if gap is None else missing.pop(missing.index(gap))
        at = max(at, place)
        last = position == len(pipeline.nodes) - 1
        out[places[-1][1] if last else places[at][1]].append(node)
    return {stage: tuple(nodes) for stage, nodes in out.items()}


def stage_of_step(pipeline: Pipeline) -> dict[str, Stage]:
    """Name of a step of the trace -> stage of the card."""
    return {
        name: stage
        for stage, nodes in reversed(segments(pipeline).items())
        for node in nodes
        for name in (*node.names(), node.name)
    }


async def through(nodes: tuple[Node, ...], value: Any, run: Any) -> Any:
    """A value through some nodes, one after the other."""
    for node in nodes:
        value = await node.run(value, run)
    return value


def _known(node: Node, parts: Mapping[str, int]) -> int | None:
    return next((parts[name] for name in (node.name, *node.names()) if name in parts), None)


def _parts(side: str) -> dict[str, int]:
    """Name of a documented node, or of a part that it alone has -> place."""
    from arandu_lab.presets import read, write

    out: dict[str, int] = {}
    shared: set[str] = set()
    for node in (write() if side == "write" else read()).nodes:
        place = next(at for at, (name, _) in enumerate(_PLACES[side]) if name in (node.name, *node.names()))
        for name in {node.name, *node.names()}:
            if out.setdefault(name, place) != place:
                shared.add(name)
    return {name: place for name, place in out.items() if name not in shared and name != "together"}
