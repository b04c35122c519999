"""The tab of events: what was said, day by day, and which facts were learned from each turn."""

from __future__ import annotations

from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arandu_lab.browse.desk import Desk, asked
from arandu_lab.browse.facts import state_of
from arandu_lab.browse.listing import paged
from arandu_lab.pure.text import fold
from arandu_lab.store.view import AgentView

_LEARNED = "browse/learned"
_ORDERS = ("newest", "oldest")


def routes(desk: Desk) -> list[Route]:
    """The page of turns."""
    return [Route("/memory/{agent}/events", partial(_events, desk))]


async def _events(desk: Desk, request: Request) -> Response:
    here = desk.here(request, "memory")
    view, given = here.view, asked(request, "text", "id")
    order = desk.one_of(request, "order", _ORDERS)
    words = fold(given["text"]).split()
    texts = view.events.texts
    places = [place for place in range(len(view.events.ids)) if not words or _holds(view, place, texts[place], words)]
    if order == "newest":
        places.reverse()
    page = desk.whole(request, "page")
    if given["id"] and "page" not in request.query_params:
        page = 1 + next((i for i, place in enumerate(places) if view.events.ids[place] == given["id"]), 0) // 40
    shown = paged(places, page)
    learned = _facts_of(view)
    rows = []
    for place in shown.rows:
        event = view.event_at(place)
        facts = [view.fact_at(at) for at in learned.get(event.id, ())]
        rows.append((event, [(fact, state_of(fact, here)) for fact in facts]))
    return desk.page(
        request, "events.html", here, tab="events", given=given, order=order, orders=_ORDERS, shown=shown, rows=rows
    )


def _holds(view: AgentView, place: int, text: str, words: list[str]) -> bool:
    said = fold(f"{view.event_at(place).speaker} {text}")
    return all(word in said for word in words)


def _facts_of(view: AgentView) -> dict[str, list[int]]:
    """Positions of the facts that were first told in each turn, made once and grown with the view."""
    held: list[dict[str, list[int]]] = view.kept.setdefault(_LEARNED, [{}])
    known = held[0]
    done = sum(map(len, known.values()))
    for place in range(done, len(view.facts)):
        known.setdefault(view.fact_at(place).source_event_id, []).append(place)
    return known
