"""The tab of facts: a list to filter, and each fact with its versions, its source, and what can be done about it."""

from __future__ import annotations

from functools import partial
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arandu_lab.browse.desk import Desk, Here, asked
from arandu_lab.browse.entity import names
from arandu_lab.browse.listing import ORDERS, STATES, Wanted, listed, paged, states
from arandu_lab.browse.retiring import retire
from arandu_lab.errors import ConfigError
from arandu_lab.pure import versions
from arandu_lab.records import Fact


def routes(desk: Desk) -> list[Route]:
    """Pages about facts, and the forms of one fact."""
    return [
        Route("/memory/{agent}/facts", partial(_list, desk)),
        Route("/memory/{agent}/fact", partial(_fact, desk)),
        Route("/memory/{agent}/fact/delete", partial(_consider, desk)),
        Route("/memory/{agent}/edit", partial(_edit, desk), methods=["POST"]),
        Route("/memory/{agent}/retire", partial(_retire, desk), methods=["POST"]),
        Route("/memory/{agent}/delete", partial(_delete, desk), methods=["POST"]),
    ]


def state_of(fact: Fact, here: Here) -> str:
    """``now``, ``stale``, ``over`` or ``ahead``."""
    if fact.valid_to is not None and fact.valid_to <= max(here.now, fact.valid_from):
        return "over"
    if fact.valid_from > here.now:
        return "ahead"
    return "stale" if fact.stale_since is not None else "now"


async def _list(desk: Desk, request: Request) -> Response:
    here = desk.here(request, "memory")
    given = asked(request, "text", "entity")
    wanted = Wanted(
        text=given["text"],
        entity=given["entity"],
        state=desk.one_of(request, "state", STATES),
        order=desk.one_of(request, "order", ORDERS),
    )
    shown = paged(listed(here.view, wanted, here.now), desk.whole(request, "page"))
    rows = [here.view.fact_at(int(place)) for place in shown.rows]
    about = here.view.entity(wanted.entity) if wanted.entity else None
    return desk.page(
        request,
        "facts.html",
        here,
        tab="facts",
        wanted=wanted,
        about=about,
        known=names(here.view),
        shown=shown,
        rows=[(fact, state_of(fact, here)) for fact in rows],
        counts={name: int(mask.sum()) for name, mask in states(here.view, here.now).items()},
        states=STATES,
        orders=ORDERS,
    )


async def _fact(desk: Desk, request: Request) -> Response:
    here = desk.here(request, "memory")
    return desk.page(request, "fact.html", here, tab="facts", **_about(here, request.query_params.get("id", "")))


async def _consider(desk: Desk, request: Request) -> Response:
    here = desk.here(request, "memory")
    about = _about(here, request.query_params.get("id", ""))
    if desk.store.read_only:
        raise HTTPException(403)
    async with desk.store.writing():
        would = desk.store.memory.forget(here.name, fact_id=about["fact"].id, dry_run=True)
    return desk.page(request, "delete.html", here, tab="facts", certificate=would, **about)


async def _edit(desk: Desk, request: Request) -> Response:
    here, form = desk.here(request, "memory"), await desk.form(request)
    fact, text = _known(here, form.get("id", "")), form.get("text", "").replace("\r\n", "\n").strip()
    if not versions.bears(fact):
        return desk.late(here.path("fact", id=here.view.history(fact.id)[-1].id), text)
    if text == fact.text:
        return desk.told(here.path("fact", id=fact.id), "Nothing was changed: it says so already.")
    done = await desk.store.memory.correct(here.name, fact.id, text)
    new = done.facts_updated[0]
    said = "Corrected. The old words are kept as a version that never held."
    return desk.told(here.path("fact", id=new.id), said, new.text, undo=f"correct:{new.id}")


async def _retire(desk: Desk, request: Request) -> Response:
    here, form = desk.here(request, "memory"), await desk.form(request)
    fact = _known(here, form.get("id", ""))
    unit = retire(desk.store.memory, here.name, fact.id, by=desk.store.by)
    said = "Retired. It holds no longer, and stays on record."
    return desk.told(here.path("fact", id=fact.id), said, fact.text, undo=unit)


async def _delete(desk: Desk, request: Request) -> Response:
    here, form = desk.here(request, "memory"), await desk.form(request)
    fact = _known(here, form.get("id", ""))
    if form.get("sure") != "yes":
        raise ConfigError("deleting wants the box ticked: it cannot be taken back")
    done = desk.store.memory.forget(here.name, fact_id=fact.id)
    desk.forget_told()
    return desk.page(request, "deleted.html", here, tab="facts", certificate=done)


def _known(here: Here, fact_id: str) -> Fact:
    fact = here.view.fact(fact_id)
    if fact is None:
        raise HTTPException(404)
    return fact


def _about(here: Here, fact_id: str) -> dict[str, Any]:
    """Everything that the page of a fact shows."""
    fact, view = _known(here, fact_id), here.view
    entities = [one for key in view.keys_of(fact_id) if (one := view.entity(key)) is not None]
    premises = [found for i in fact.premise_ids if (found := view.fact(i)) is not None]
    edges = [
        (edge, view.entity(edge.source_key), view.entity(edge.target_key))
        for key in view.keys_of(fact_id)[:1]
        for edge in view.edges(key)
        if fact_id in edge.evidence_fact_ids
    ]
    return {
        "fact": fact,
        "state": state_of(fact, here),
        "correctable": versions.bears(fact),
        "open": versions.is_open(fact, here.now),
        "versions": view.history(fact_id),
        "source": view.event(fact.source_event_id),
        "entities": entities,
        "premises": premises,
        "resting": view.resting_on(fact_id),
        "edges": edges,
        "known": names(view, keys=False),
    }
