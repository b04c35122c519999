"""The tab of entities: who and what is known, and a picture of how they are tied, with a list that says the same."""

from __future__ import annotations

from collections import Counter
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arandu_lab.browse.desk import Desk, Here, asked
from arandu_lab.browse.drawing import NARROW, WIDE, Node, Tie, picture
from arandu_lab.browse.listing import paged
from arandu_lab.pure.text import fold
from arandu_lab.records import Entity, Relationship

SORTS = ("person", "place", "organization")
"""Types with a colour of their own."""


def routes(desk: Desk) -> list[Route]:
    """The page of entities."""
    return [Route("/memory/{agent}/entities", partial(_entities, desk))]


async def _entities(desk: Desk, request: Request) -> Response:
    here = desk.here(request, "memory")
    given = asked(request, "text", "around")
    view = here.view
    centre = view.entity(given["around"]) if given["around"] else None
    names: dict[str, list[str]] = {}
    for row in view.alias_rows():
        names.setdefault(row.entity_key, []).append(row.name)
    found = [one for one in view.entities() if _asked(one, names.get(one.key, []), given["text"])]
    edges = list(view.edges(as_of=here.now))
    if centre is not None:
        near = _around(centre.key, edges)
        found = [one for one in found if one.key in near]
    keys = {one.key for one in found}
    edges = [edge for edge in edges if {edge.source_key, edge.target_key} <= keys]
    degree = Counter(key for edge in edges for key in (edge.source_key, edge.target_key))
    found.sort(key=lambda one: (one is not centre, -degree[one.key], -one.importance, one.name))
    shown = paged(found, desk.whole(request, "page"), 60)
    live = view.facts.live(as_of=here.now)
    facts = {one.key: int(live[view.linked(one.key)].sum()) for one in {*shown.rows, *found[:60]}}
    called = {one.key: one.name for one in found}
    tied = [one for one in found if degree[one.key] or centre is one] or found
    nodes = [_node(here, one, facts.get(one.key)) for one in tied]
    ties = [
        Tie(source=one.source_key, target=one.target_key, label=_read(one.rel_type), strength=one.strength)
        for one in edges
    ]
    first = centre.key if centre is not None else None
    return desk.page(
        request,
        "entities.html",
        here,
        tab="entities",
        given=given,
        centre=centre,
        shown=shown,
        facts=facts,
        names={key: sorted({each for each in held if each != called.get(key)}) for key, held in names.items()},
        pictures=(picture(nodes, ties, WIDE, first=first), picture(nodes, ties, NARROW, first=first)),
        edges=paged(
            sorted(edges, key=lambda one: (called[one.source_key], one.rel_type, called[one.target_key])), 1, 200
        ),
        called=called,
        read=_read,
    )


def _asked(entity: Entity, names: list[str], text: str) -> bool:
    wanted = fold(text)
    return not wanted or any(wanted in fold(name) for name in (entity.name, entity.key, *names))


def _around(key: str, edges: list[Relationship]) -> set[str]:
    """An entity, what it is tied to, and what that is tied to."""
    near = {key}
    for _ in range(2):
        near |= {end for edge in edges if near & (ends := {edge.source_key, edge.target_key}) for end in ends}
    return near


def _node(here: Here, entity: Entity, facts: int | None) -> Node:
    return Node(
        key=entity.key,
        label=entity.name,
        weight=entity.importance,
        sort=entity.type if entity.type in SORTS else "thing",
        href=here.path("facts", entity=entity.key),
        title=f"{entity.name} ({entity.type})" + ("" if facts is None else f": {facts}"),
    )


def _read(rel_type: str) -> str:
    return rel_type.replace("_", " ")
