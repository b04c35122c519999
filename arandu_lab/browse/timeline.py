"""The tab of time: what held at a date, as the memory knew then or knows now, under a strip of how much it held."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial

import numpy as np
from numpy.typing import NDArray
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arandu_lab.browse.desk import Desk, Here, asked, moment_of
from arandu_lab.browse.entity import names
from arandu_lab.browse.listing import folded, named, paged
from arandu_lab.pure import versions
from arandu_lab.pure.text import fold
from arandu_lab.records import Fact
from arandu_lab.store.times import micros
from arandu_lab.store.view import AgentView

STRIP, TALL, SAMPLES = 1000, 64, 100
"""Width and height of the strip, and the moments at which it is measured."""

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Life:
    """A fact that held, and where its interval lies on the strip."""

    fact: Fact
    start: float
    end: float
    over: bool


@dataclass(frozen=True, slots=True)
class Span:
    """The days that the slider runs over."""

    first: datetime
    days: int

    def place(self, moment: datetime) -> float:
        """Where a moment lies on the strip."""
        share = (moment - self.first) / (_DAY * self.days)
        return round(min(1.0, max(0.0, share)) * STRIP, 1)


def routes(desk: Desk) -> list[Route]:
    """The page of time; with ``part`` only the list that the slider changes."""
    return [Route("/memory/{agent}/timeline", partial(_timeline, desk))]


async def _timeline(desk: Desk, request: Request) -> Response:
    here = desk.here(request, "memory")
    given = dict(asked(request, "at", "known", "text", "entity"))
    span = _span(here)
    last = span.first + span.days * _DAY
    if "day" in request.query_params and not given["at"]:
        at = span.first + min(desk.whole(request, "day", span.days), span.days) * _DAY
    else:
        at = moment_of(given["at"]) or last
    at = at.astimezone(UTC)
    moment = min(at.replace(hour=23, minute=59, second=59, microsecond=0), max(here.now, at))
    known = moment_of(given["known"], end=True)
    shown = paged(_held(here.view, moment, known, given["text"], given["entity"]), desk.whole(request, "page"), 80)
    lives: dict[str, list[Life]] = {}
    for place in shown.rows:
        fact = versions.as_known(here.view.fact_at(int(place)), known)
        begin, end = span.place(fact.valid_from), span.place(fact.valid_to or last)
        over = fact.valid_to is not None and fact.valid_to <= here.now
        lives.setdefault(fact.entity_key, []).append(Life(fact, begin, max(end, begin + 4.0), over))
    given["at"] = f"{at:%Y-%m-%d}"
    return desk.page(
        request,
        "held.html" if request.query_params.get("part") else "timeline.html",
        here,
        tab="timeline",
        given=given,
        at=at,
        known=known,
        day_number=min(span.days, max(0, (at - span.first).days)),
        span=span,
        known_names=names(here.view),
        last=last,
        mark=span.place(at),
        strip=_strip(here.view, span),
        shown=shown,
        lives=lives,
        turned=lambda number: here.path(
            "timeline", **{name: given[name] for name in ("at", "known", "text", "entity")}, page=number
        ),
        called={key: entity.name for key in lives if (entity := here.view.entity(key)) is not None},
    )


def _span(here: Here) -> Span:
    """From the first turn, or the first fact where there is none, to now."""
    events, facts = here.view.events.occurred_at, here.view.facts.valid_from
    first = int(events.min()) if len(events) else int(facts.min()) if len(facts) else micros(here.now)
    start = datetime.fromtimestamp(first / 1e6, UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return Span(start, max(1, (here.now - start).days))


def _held(view: AgentView, at: datetime, known: datetime | None, text: str, entity: str) -> NDArray[np.int64]:
    live = view.facts.live(as_of=at, known_at=known)
    if entity:
        of = np.zeros(len(view.facts), dtype=bool)
        for key in named(view, entity):
            of[view.linked(key)] = True
        live = live & of
    places = live.nonzero()[0]
    if words := fold(text).split():
        texts = folded(view)
        places = np.array([i for i in places.tolist() if all(word in texts[i] for word in words)], dtype=np.int64)
    codes = view.facts.entity_codes[places]
    often = np.bincount(codes, minlength=len(view.facts.entity_keys)) if len(places) else np.zeros(1, dtype=np.int64)
    return places[np.lexsort((places, -view.facts.valid_from[places], codes, -often[codes]))]


def _strip(view: AgentView, span: Span) -> str:
    """How many facts held, over the span: the points of an area, for an SVG."""
    moments = [span.first + span.days * _DAY * (i / SAMPLES) + _DAY for i in range(SAMPLES + 1)]
    counts = np.array([int(view.facts.live(as_of=one).sum()) for one in moments], dtype=np.float64)
    heights = TALL - 4 - (TALL - 10) * counts / max(1.0, counts.max())
    points = " ".join(f"L{STRIP * i / SAMPLES:.0f} {height:.1f}" for i, height in enumerate(heights))
    return f"M0 {TALL} {points} L{STRIP} {TALL} Z"
