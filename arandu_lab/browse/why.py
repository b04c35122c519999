"""The tab of questions: what a question finds, every score of every candidate, and why one fact is there or is not."""

from __future__ import annotations

from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arandu_lab.browse.desk import Desk, asked, moment_of

MOST = 100
"""Candidates that are shown."""

_FIRST = ("score", "semantic", "keyword", "graph", "spread", "recency", "importance", "confidence", "reranker")
_QUIET = {"auto_reinforce": False}
"""A look counts as no use."""


def routes(desk: Desk) -> list[Route]:
    """The page of questions."""
    return [Route("/memory/{agent}/why", partial(_why, desk))]


async def _why(desk: Desk, request: Request) -> Response:
    here = desk.here(request, "memory")
    given = asked(request, "q", "at", "known", "fact")
    values: dict[str, Any] = {"found": None, "explained": None, "rows": [], "columns": [], "more": 0}
    if given["q"]:
        memory = desk.store.memory
        when: dict[str, Any] = {
            "as_of": moment_of(given["at"], end=True),
            "known_at": moment_of(given["known"], end=True),
            "now": here.now,
        }
        found = await memory.retrieve(here.name, given["q"], config_overrides=_QUIET, **when)
        frame = found.frame
        rows = frame.head(MOST).to_dicts()
        columns = [name for name in frame.columns if frame[name].dtype.is_float() and frame[name].is_not_null().any()]
        columns.sort(
            key=lambda name: (_FIRST.index(name) if name in _FIRST else len(_FIRST), frame.columns.index(name))
        )
        values |= {"found": found, "rows": rows, "columns": columns, "more": max(0, len(frame) - MOST)}
        if given["fact"] and here.view.fact(given["fact"]) is not None:
            said: Any = await memory.why(here.name, given["q"], given["fact"], **when)
            if not said.recalled:
                said = await memory.why_not(here.name, given["q"], given["fact"], **when)
            values["explained"] = said
    return desk.page(request, "why.html", here, tab="why", given=given, tint=_tint, **values)


def _tint(name: str, value: float | None) -> int:
    """How dark a cell is: tenths of a score between 0 and 1, 0 for what is no score."""
    if value is None or name.endswith("margin") or not 0.0 < value <= 1.0:
        return 0
    return round(10 * value)
