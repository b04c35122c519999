"""The facts of a workspace: a list to filter, and each with its history, its sources, and what can be done about it."""

from __future__ import annotations

from functools import partial
from typing import Any, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arandu_lab.browse.desk import Desk, Here, asked
from arandu_lab.browse.listing import paged
from arandu_lab.errors import ConfigError
from arandu_lab.knowledge import MemoryFact, MemoryPolicy, Sighting
from arandu_lab.pure.text import fold

Told = TypeVar("Told", MemoryFact, MemoryPolicy)
STATES = ("now", "superseded", "retired", "ended", "all")
ORDERS = ("newest", "confidence", "mentions", "topic")
TOPICS = 400
"""Topics that are offered while one is typed."""


def routes(desk: Desk) -> list[Route]:
    """Pages about facts of a workspace, and the forms of one."""
    return [
        Route("/workspace/{agent}/facts", partial(_list, desk)),
        Route("/workspace/{agent}/fact", partial(_fact, desk)),
        Route("/workspace/{agent}/fact/delete", partial(_consider, desk)),
        Route("/workspace/{agent}/edit", partial(_edit, desk), methods=["POST"]),
        Route("/workspace/{agent}/retire", partial(_retire, desk), methods=["POST"]),
        Route("/workspace/{agent}/delete", partial(_delete, desk), methods=["POST"]),
        Route("/workspace/{agent}/erase", partial(_erase, desk), methods=["POST"]),
    ]


def standing(fact: MemoryFact, here: Here) -> str:
    """``now``, ``superseded``, ``retired`` or ``ended``."""
    if fact.retired_at is not None:
        return "retired"
    if fact.superseded_by is not None:
        return "superseded"
    return "now" if fact.live_at(here.now) else "ended"


async def _list(desk: Desk, request: Request) -> Response:
    here = desk.here(request, "workspace")
    given = asked(request, "text", "domain", "topic")
    state, order = desk.one_of(request, "state", STATES), desk.one_of(request, "order", ORDERS)
    words = fold(given["text"]).split()
    every = [(fact, standing(fact, here)) for fact in here.view.shelf(MemoryFact)]
    counts = {name: sum(name in ("all", of) for _, of in every) for name in STATES}
    found = [
        (fact, of)
        for fact, of in every
        if state in ("all", of)
        and given["domain"] in ("", fact.domain_key)
        and given["topic"] in ("", fact.topic)
        and (not words or _holds(fact, words))
    ]
    keys: dict[str, Any] = {
        "newest": lambda one: -one[0].recorded_at.timestamp(),
        "confidence": lambda one: -one[0].confidence,
        "mentions": lambda one: -one[0].mention_count,
        "topic": lambda one: (one[0].domain_key, one[0].topic),
    }
    found.sort(key=keys[order])
    shown = paged(found, desk.whole(request, "page"))
    return desk.page(
        request,
        "shared.html",
        here,
        tab="facts",
        given=given,
        state=state,
        order=order,
        states=STATES,
        orders=ORDERS,
        counts=counts,
        shown=shown,
        domains=sorted({fact.domain_key for fact, _ in every}),
    )


async def _fact(desk: Desk, request: Request) -> Response:
    here = desk.here(request, "workspace")
    return desk.page(
        request, "shared_fact.html", here, tab="facts", **_about(desk, here, request.query_params.get("id", ""))
    )


async def _consider(desk: Desk, request: Request) -> Response:
    here = desk.here(request, "workspace")
    about = _about(desk, here, request.query_params.get("id", ""))
    if desk.store.read_only:
        raise HTTPException(403)
    async with desk.store.writing():
        would = desk.store.workspace(here.agent).forget(fact_id=about["fact"].id, dry_run=True)
    return desk.page(request, "shared_delete.html", here, tab="facts", certificate=would, **about)


async def _edit(desk: Desk, request: Request) -> Response:
    here, form = desk.here(request, "workspace"), await desk.form(request)
    fact = known(here, form.get("id", ""))
    new = {
        "content": form.get("content", fact.content).replace("\r\n", "\n").strip(),
        "topic": form.get("topic", fact.topic).strip(),
        "memory_type": form.get("memory_type", fact.memory_type).strip(),
    }
    if standing(fact, here) not in ("now", "ended"):
        return desk.late(here.path("fact", id=newest(here, fact).id), new["content"])
    changed: Any = {name: value for name, value in new.items() if value != getattr(fact, name)}
    if not changed:
        return desk.told(here.path("fact", id=fact.id), "Nothing was changed: it says so already.")
    unit = f"edit_fact:{here.view.sequence}"
    done = await desk.store.workspace(here.agent).edit_fact(fact.id, by=desk.store.by, **changed)
    said = "Corrected. The old words stay on record, as superseded." if done.after.id != fact.id else "Corrected."
    return desk.told(here.path("fact", id=done.after.id), said, undo=unit)


async def _retire(desk: Desk, request: Request) -> Response:
    here, form = desk.here(request, "workspace"), await desk.form(request)
    fact, unit = known(here, form.get("id", "")), f"retire_fact:{here.view.sequence}"
    why = form.get("why", "").strip()
    await desk.store.workspace(here.agent).retire_fact(fact.id, by=desk.store.by, why=why or "retired by hand")
    said = "Retired. It is in no answer any more, stays on record, and may be proposed again."
    return desk.told(here.path("fact", id=fact.id), said, fact.content, undo=unit)


async def _delete(desk: Desk, request: Request) -> Response:
    here, form = desk.here(request, "workspace"), await desk.form(request)
    fact, unit = known(here, form.get("id", "")), f"delete_fact:{here.view.sequence}"
    await desk.store.workspace(here.agent).delete_fact(fact.id, by=desk.store.by)
    said = "Deleted. No agent brings these words back under this topic; the row stays on record."
    return desk.told(here.path("fact", id=fact.id), said, undo=unit)


async def _erase(desk: Desk, request: Request) -> Response:
    here, form = desk.here(request, "workspace"), await desk.form(request)
    fact = known(here, form.get("id", ""))
    if form.get("sure") != "yes":
        raise ConfigError("deleting wants the box ticked: it cannot be taken back")
    done = desk.store.workspace(here.agent).forget(fact_id=fact.id)
    desk.forget_told()
    return desk.page(request, "deleted.html", here, tab="facts", certificate=done)


def known(here: Here, fact_id: str) -> MemoryFact:
    """A fact by its id.

    Raises:
        HTTPException: 404, no such fact.
    """
    fact = here.view.shelf(MemoryFact).get(fact_id)
    if fact is None:
        raise HTTPException(404)
    return fact


def newest(here: Here, row: Told) -> Told:
    """What took the place of a fact or a policy in the end; itself where nothing did."""
    known, seen = here.view.shelf(type(row)), {row.id}
    while (after := known.get(row.superseded_by or "")) is not None and after.id not in seen:
        seen.add(after.id)
        row = after
    return row


def _holds(fact: MemoryFact, words: list[str]) -> bool:
    said = fold(f"{fact.topic} {fact.content}")
    return all(word in said for word in words)


def _about(desk: Desk, here: Here, fact_id: str) -> dict[str, Any]:
    fact, workspace = known(here, fact_id), desk.store.workspace(here.agent)
    seen = [one for i in fact.source_observation_ids if (one := here.view.shelf(Sighting).get(i)) is not None]
    return {
        "fact": fact,
        "state": standing(fact, here),
        "versions": [(one, standing(one, here)) for one in workspace.history(fact.id)],
        "seen": seen,
        "topics": sorted({one.topic for one in here.view.shelf(MemoryFact) if one.domain == fact.domain})[:TOPICS],
        "types": sorted({*workspace.config.table, fact.memory_type}),
    }
