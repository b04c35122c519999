"""The pages of a store as one ASGI application behind its guard."""

from __future__ import annotations

import asyncio
from functools import partial

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from arandu_lab.browse import (
    conflicts,
    entities,
    entity,
    events,
    facts,
    knowledge,
    observations,
    policies,
    records,
    shared,
    timeline,
    why,
)
from arandu_lab.browse.desk import HERE, LANGUAGES, TABS, Desk, Here
from arandu_lab.browse.guard import Guard
from arandu_lab.browse.opening import Opened
from arandu_lab.errors import AranduError, BackendError

BUSY = "Somebody else is writing in this store. Go back, where what you typed still stands, and try again."


def browser(store: Opened, *, token: str, port: int) -> Guard:
    """The application. ``port`` is where it will be reached: an address of another port is refused."""
    desk = Desk(store, token=token)
    memory = [tab.routes(desk) for tab in (facts, entities, entity, events, observations, timeline, why)]
    workspace = [tab.routes(desk) for tab in (shared, policies, knowledge, conflicts)]
    pages = [route for routes in (*memory, *workspace) for route in routes]
    pages += [*records.routes(desk, "memory"), *records.routes(desk, "workspace")]
    turn = asyncio.Lock()
    if store.read_only:  # what changes is not there at all, whoever gets past the guard
        pages = [route for route in pages if "POST" not in (route.methods or ())]
    app = Starlette(  # a form waits for the one before it: each is told which unit it left, and two would be told the same
        routes=[
            Route("/", partial(_home, desk)),
            Route("/language", _language),
            Route("/favicon.ico", _icon),
            Mount("/static", StaticFiles(directory=HERE / "static")),
            *(_in_turn(page, turn, store) if "POST" in (page.methods or ()) else page for page in pages),
        ],
        exception_handlers={
            HTTPException: partial(_refused, desk),
            AranduError: partial(_refused, desk),
        },
    )
    return Guard(app, token=token, port=port, read_only=store.read_only)


async def _home(desk: Desk, request: Request) -> Response:
    agents = desk.store.agents(fresh=True)
    wanted = request.query_params.get("agent")
    chosen = next((one for one in agents if one.slug == wanted), agents[0] if len(agents) == 1 else None)
    if chosen is not None:
        return RedirectResponse(f"/{desk.store.kinds(chosen)[0]}/{chosen.slug}/facts", 303)
    return desk.page(request, "home.html")


async def _icon(request: Request) -> Response:
    return RedirectResponse("/static/arandu.svg", 308)


async def _language(request: Request) -> Response:
    """Remember the language, and go back to the page: only its path counts, so nowhere else."""
    lang, back = request.query_params.get("to", ""), request.query_params.get("back", "/")
    safe = back.startswith("/") and not back.startswith("//") and not set(back) & set("\r\n\\")
    answer = RedirectResponse(back if safe else "/", 303)
    if lang in LANGUAGES:
        answer.set_cookie("arandu_lang", lang, httponly=True, samesite="strict", path="/")
    return answer


async def _refused(desk: Desk, request: Request, error: Exception) -> Response:
    """An error of ours as a page that says whose move is next."""
    if isinstance(error, HTTPException):
        status, said = error.status_code, "There is nothing here." if error.status_code == 404 else str(error.detail)
    elif isinstance(error, BackendError) and error.kind == "lease":
        status, said = 503, BUSY
    else:
        status, said = 502 if isinstance(error, BackendError) else 400, str(error)
    return desk.page(request, "error.html", _where(desk, request), status=status, said=said)


def _where(desk: Desk, request: Request) -> Here | None:
    """Whose memory an address is about, where that much of it is known: the way back is on the page."""
    try:
        kind = request.url.path.split("/")[1]
        return desk.here(request, kind) if "agent" in request.path_params and kind in TABS else None
    except (HTTPException, AranduError):
        return None


def _in_turn(page: Route, turn: asyncio.Lock, store: Opened) -> Route:
    async def answered(request: Request) -> Response:
        async with turn, store.writing():
            answer: Response = await page.endpoint(request)
            return answer

    return Route(page.path, answered, methods=["POST"])
