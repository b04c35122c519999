"""The knowledge graph of a workspace, facts and their topics tied by where they came from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arandu_lab.browse.desk import Desk, Here, asked
from arandu_lab.browse.drawing import NARROW, WIDE, Node, Tie, picture
from arandu_lab.browse.listing import paged
from arandu_lab.knowledge import EpisodicEdge, MemoryFact
from arandu_lab.pure.text import fold

_SORTS = ("person", "place", "organization", "thing")
"""Colours, given to the domains with most facts."""


def routes(desk: Desk) -> list[Route]:
    """The page of the graph."""
    return [Route("/workspace/{agent}/graph", partial(_graph, desk))]


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
    colours = {name: _SORTS[min(place, len(_SORTS) - 1)] for place, name in enumerate(domains)}
    nodes, ties = _facts(here, kept, edges, colours) if centre is not None else _topics(here, kept, edges, colours)
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


def _facts(
    here: Here, facts: Mapping[str, MemoryFact], edges: Sequence[EpisodicEdge], colours: Mapping[str, str]
) -> tuple[list[Node], list[Tie]]:
    """Around one fact: a node for each."""
    often = max([1, *(fact.mention_count for fact in facts.values())])
    nodes = [
        Node(
            key=fact.id,
            label=fact.content,
            weight=0.6 * fact.confidence + 0.4 * fact.mention_count / often,
            sort=colours[fact.domain_key],
            href=here.path("fact", id=fact.id),
            title=f"{fact.domain_key}: {fact.content}",
        )
        for fact in facts.values()
    ]
    ties = [
        Tie(source=one.source_id, target=one.target_id, label=one.kind, strength=min(1.0, one.weight)) for one in edges
    ]
    return nodes, ties


def _topics(
    here: Here, facts: Mapping[str, MemoryFact], edges: Sequence[EpisodicEdge], colours: Mapping[str, str]
) -> tuple[list[Node], list[Tie]]:
    """Of all facts: a node for each topic, larger with more facts, in the colour of its commonest domain; ties add up."""
    of = {fact.id: fact.topic for fact in facts.values()}
    held = Counter(of.values())
    domains: dict[str, Counter[str]] = {}
    for fact in facts.values():
        domains.setdefault(fact.topic, Counter())[fact.domain_key] += 1
    most = max(4, *held.values(), 0)
    nodes = [
        Node(
            key=topic,
            label=topic,
            weight=(number / most) ** 0.5,
            sort=colours[domains[topic].most_common(1)[0][0]],
            href=here.path("facts", topic=topic),
            title=f"{', '.join(sorted(domains[topic]))}: {topic} ({number})",
        )
        for topic, number in held.items()
    ]
    weights: dict[tuple[str, str], float] = {}
    kinds: dict[tuple[str, str], set[str]] = {}
    for edge in edges:
        one, other = sorted((of[edge.source_id], of[edge.target_id]))
        if one != other:
            weights[one, other] = weights.get((one, other), 0.0) + edge.weight
            kinds.setdefault((one, other), set()).add(edge.kind)
    strongest = max(weights.values(), default=1.0)
    ties = [
        Tie(source=one, target=other, label=", ".join(sorted(kinds[one, other])), strength=weight / strongest)
        for (one, other), weight in weights.items()
    ]
    return nodes, ties
