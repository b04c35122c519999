"""One entity: its names, who may be the same, and the forms that join two entities or part one. Both can be undone."""

from __future__ import annotations

from functools import partial
from urllib.parse import parse_qs

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arandu_lab.browse.desk import Desk, Here
from arandu_lab.browse.guard import FIELDS
from arandu_lab.errors import ConfigError
from arandu_lab.pure.names import is_vague, likeness, same_type
from arandu_lab.pure.text import fold
from arandu_lab.records import Entity, NewEntity
from arandu_lab.store.view import AgentView

MOST = 6
"""Entities that are proposed as the same."""

FACTS = 60
"""Facts that are offered for parting."""

NEAR = 0.82
"""Likeness of two whole names from which they may be slips of one another."""


def routes(desk: Desk) -> list[Route]:
    """The page of one entity, and its forms."""
    return [
        Route("/memory/{agent}/entity", partial(_entity, desk)),
        Route("/memory/{agent}/merge", partial(_merge, desk), methods=["POST"]),
        Route("/memory/{agent}/split", partial(_split, desk), methods=["POST"]),
    ]


def names(view: AgentView, most: int = 400, *, keys: bool = True) -> list[str]:
    """Names for completion, those of much first; with ``keys`` the key stands for a name that several bear."""
    ordered = sorted(view.entities(), key=lambda one: (-one.importance, one.name))
    if not keys:
        return list(dict.fromkeys(one.name for one in ordered))[:most]
    often: dict[str, int] = {}
    for one in ordered:
        often[fold(one.name)] = often.get(fold(one.name), 0) + 1
    return [one.name if often[fold(one.name)] == 1 else one.key for one in ordered[:most]]


def alike(view: AgentView, entity: Entity) -> list[Entity]:
    """Entities that may be the same: a word of a name in common, or names that differ by a slip; likeliest first."""
    named = _names(view)
    mine = named[entity.key]
    words = {word for name in mine for word in name.split() if len(word) > 2}
    found: list[tuple[float, str, Entity]] = []
    for other in view.entities():
        if other.key == entity.key or not (same_type(entity.type, other.type) or is_vague(other.type)):
            continue
        theirs = named[other.key]
        shared = words & {word for name in theirs for word in name.split()}
        near = max((likeness(one, two, floor=NEAR) for one in mine for two in theirs), default=0.0)
        if shared or near >= NEAR:
            found.append((-max(near, 0.5 * bool(shared)), other.name, other))
    return [one for _, _, one in sorted(found, key=lambda each: each[:2])[:MOST]]


async def _entity(desk: Desk, request: Request) -> Response:
    here = desk.here(request, "memory")
    entity, view = _known(here, request.query_params.get("key", "")), here.view
    places = [int(place) for place in view.linked(entity.key)]
    live = view.facts.live(as_of=here.now)
    facts = [view.fact_at(place) for place in reversed(places) if live[place]]
    return desk.page(
        request,
        "entity.html",
        here,
        tab="entities",
        entity=entity,
        aliases=sorted({row.name for row in view.alias_rows() if row.entity_key == entity.key} - {entity.name}),
        alike=[(one, len(view.linked(one.key))) for one in alike(view, entity)],
        facts=facts[:FACTS],
        more=max(0, len(facts) - FACTS),
        number=len(facts),
        types=sorted({one.type for one in view.entities()}),
        known=names(view),
    )


async def _merge(desk: Desk, request: Request) -> Response:
    here, form = desk.here(request, "memory"), await desk.form(request)
    into, other = _known(here, form.get("key", "")), _meant(here, form.get("other", ""))
    done = desk.store.memory.merge(here.name, into.key, other.key)
    said = "Merged. All its names lead here from now on."
    return desk.told(here.path("entity", key=into.key), said, other.name, undo=done.unit_id)


async def _split(desk: Desk, request: Request) -> Response:
    here, form = desk.here(request, "memory"), await desk.form(request)
    every = parse_qs((await request.body()).decode("utf-8", "replace"), max_num_fields=FIELDS)
    entity, name = _known(here, form.get("key", "")), form.get("name", "").strip()
    if not name:
        raise ConfigError("parting wants the name of the other one")
    done = desk.store.memory.split(
        here.name,
        entity.key,
        into=NewEntity(name=name, type=form.get("type", "").strip() or entity.type),
        facts=every.get("fact", []),
        names=every.get("alias", []),
    )
    said = "Parted. What was chosen is of the other one from now on."
    return desk.told(here.path("entity", key=done.key or entity.key), said, name, undo=done.unit_id)


def _known(here: Here, key: str) -> Entity:
    found = here.view.entity(key)
    if found is None:
        raise HTTPException(404)
    return found


def _meant(here: Here, text: str) -> Entity:
    """The entity that a key or a whole name means.

    Raises:
        ConfigError: nobody is called that, or several are.
    """
    text = text.strip()
    found = here.view.entity(text)
    if found is not None:
        return found
    wanted = fold(text)
    met = [_known(here, key) for key, called in sorted(_names(here.view).items()) if wanted in called]
    if len(met) != 1:
        several = ", ".join(one.key for one in met)
        raise ConfigError(f"several are called {text!r}: {several}" if met else f"nobody is called {text!r}")
    return met[0]


def _names(view: AgentView) -> dict[str, list[str]]:
    """The names of each entity, folded, its own first."""
    found = {one.key: [fold(one.name)] for one in view.entities()}
    for name, keys in view.aliases().items():
        for key in keys:
            if key in found and (flat := fold(name)) not in found[key]:
                found[key].append(flat)
    return found
