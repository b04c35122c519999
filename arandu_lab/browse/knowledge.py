"""The knowledge graph of a workspace, facts tied by where they came from; and the conflicts, with both sides."""

from __future__ import annotations

from collections import Counter
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arandu_lab.browse.desk import Desk, Here, asked
from arandu_lab.browse.drawing import NARROW, WIDE, Node, Tie, picture
from arandu_lab.browse.listing import paged
from arandu_lab.knowledge import EpisodicEdge, MemoryConflict, MemoryFact
from arandu_lab.pure.text import fold

_SORTS = ("person", "place", "organization", "thing")
"""Colours, given to the domains with most facts."""


def routes(desk: Desk) -> list[Route]:
    """The pages of the graph and of conflicts."""
    return [
        Route("/workspace/{agent}/graph", partial(_graph, desk)),
        Route("/workspace/{agent}/conflicts", partial(_conflicts, desk)),
    ]


async def _graph(desk: Desk, request: Request) -> Response:
    here = desk.here(request, "workspace")
    given = asked(request, "text", "domain", "around")
    facts = {one.id: one for one in here.view.shelf(MemoryFact) if one.live_at(here.now)}
    domains = [name for name, _ in Counter(one.domain_key for one in facts.values()).most_common()]
    words = fold(given["text"]).split()
    kept = {
        one.id: one
        for one in facts.values()
        if given["domain"] in ("", one.domain_key) and all(word in fold(f"{one.topic} {one.content}") for word in words)
    }
    edges = [one for one in here.view.shelf(EpisodicEdge) if {one.source_id, one.target_id} <= kept.keys()]
    centre = facts.get(given["around"])
    if centre is not None:
        near = {centre.id}
        for _ in range(2):
            near |= {end for one in edges if near & (ends := {one.source_id, one.target_id}) for end in ends}
        kept = {one: fact for one, fact in kept.items() if one in near}
        edges = [one for one in edges if {one.source_id, one.target_id} <= kept.keys()]
    often = max([1, *(fact.mention_count for fact in kept.values())])
    colours = {name: _SORTS[min(place, len(_SORTS) - 1)] for place, name in enumerate(domains)}
    nodes = [_node(here, fact, colours[fact.domain_key], often) for fact in kept.values()]
    ties = [
        Tie(source=one.source_id, target=one.target_id, label=one.kind.replace("_", " "), strength=one.weight)
        for one in edges
    ]
    degree = Counter(end for one in edges for end in (one.source_id, one.target_id))
    rows = sorted(kept.values(), key=lambda one: (-degree[one.id], one.domain_key, one.topic))
    first = centre.id if centre is not None else None
    return desk.page(
        request,
        "graph.html",
        here,
        tab="graph",
        given=given,
        centre=centre,
        domains=domains,
        colours=colours,
        degree=degree,
        pictures=(picture(nodes, ties, WIDE, first=first), picture(nodes, ties, NARROW, first=first)),
        shown=paged(rows, desk.whole(request, "page"), 60),
        edges=paged(edges, 1, 200),
        facts=kept,
    )


async def _conflicts(desk: Desk, request: Request) -> Response:
    here = desk.here(request, "workspace")
    given = asked(request, "text")
    facts, wanted = here.view.shelf(MemoryFact), fold(given["text"])
    rows = [
        (one, facts.get(one.kept_id), facts.get(one.lost_id))
        for one in reversed(list(here.view.shelf(MemoryConflict)))
        if wanted in fold(" ".join((one.domain_key, one.topic, *one.kept_evidence, *one.lost_evidence)))
    ]
    return desk.page(
        request,
        "conflicts.html",
        here,
        tab="conflicts",
        given=given,
        shown=paged(rows, desk.whole(request, "page"), 20),
    )


def _node(here: Here, fact: MemoryFact, sort: str, often: int) -> Node:
    return Node(
        key=fact.id,
        label=fact.topic,
        weight=0.6 * fact.confidence + 0.4 * fact.mention_count / often,
        sort=sort,
        href=here.path("fact", id=fact.id),
        title=f"{fact.domain_key}: {fact.content}",
    )
