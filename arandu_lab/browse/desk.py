"""What every page is made with: the open store, the templates, and the answers to a form."""

from __future__ import annotations

import re
import tomllib
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from arandu_lab.browse import guard, visible
from arandu_lab.browse.opening import Agent, Kind, Opened
from arandu_lab.store.view import AgentView

HERE = Path(__file__).parent
LANGUAGES = ("en", "pt")
TABS: dict[Kind, tuple[tuple[str, str], ...]] = {
    "memory": (
        ("facts", "Facts"),
        ("entities", "Entities"),
        ("events", "Events"),
        ("observations", "Observations"),
        ("timeline", "Timeline"),
        ("why", "Why"),
        ("records", "Records"),
    ),
    "workspace": (
        ("facts", "Facts"),
        ("policies", "Policies"),
        ("graph", "Knowledge graph"),
        ("conflicts", "Conflicts"),
        ("records", "Records"),
    ),
}
_MONTHS = {
    "en": "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(),
    "pt": "jan fev mar abr mai jun jul ago set out nov dez".split(),
}
ROWS = {
    "events": ("1 turn", "{number} turns"),
    "facts": ("1 fact", "{number} facts"),
    "entities": ("1 entity", "{number} entities"),
    "aliases": ("1 name", "{number} names"),
    "fact_entity_links": ("1 mention", "{number} mentions"),
    "relationships": ("1 tie", "{number} ties"),
    "episodic_edges": ("1 tie", "{number} ties"),
    "clusters": ("1 group", "{number} groups"),
    "meta_observations": ("1 conclusion", "{number} conclusions"),
    "domains": ("1 domain", "{number} domains"),
    "memory_facts": ("1 fact", "{number} facts"),
    "memory_policies": ("1 policy", "{number} policies"),
    "working_memories": ("1 pad of notes", "{number} pads of notes"),
    "sightings": ("1 source", "{number} sources"),
    "hot_items": ("1 hot item", "{number} hot items"),
    "access_grants": ("1 grant", "{number} grants"),
    "memory_conflicts": ("1 conflict", "{number} conflicts"),
    "journal": ("1 record", "{number} records"),
}
"""Rows of each table in words: one, and many."""

_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[+-]\d\d:\d\d|Z)")
_DIGITS = re.compile(r"[0-9a-f]{16,}")
_REMEMBERED = 100
_ONCE = ("done", "part", "page", "day")


@dataclass(frozen=True, slots=True)
class Done:
    """What a form has done, told on the next page; ``undo`` names the unit that can be taken back."""

    said: str
    words: tuple[str, ...] = ()
    undo: str | None = None


@dataclass(frozen=True, slots=True)
class Here:
    """Where a request is: whose memory, which kind, and the view at this moment."""

    agent: Agent
    kind: Kind
    kinds: tuple[Kind, ...]
    view: AgentView
    now: datetime

    @property
    def name(self) -> str:
        """The agent's name in the store."""
        return self.agent.name

    def path(self, tab: str, **asked: Any) -> str:
        """The address of a page about this agent."""
        return link(f"/{self.kind}/{self.agent.slug}/{tab}", **asked)


def link(path: str, **asked: Any) -> str:
    """An address with a query; what is None, blank, or the first page is left out.

    >>> link("/memory/a/facts", text="a&b", page=1, state=None)
    '/memory/a/facts?text=a%26b'
    """
    kept = {name: value for name, value in asked.items() if value not in (None, "") and (name, value) != ("page", 1)}
    return f"{path}?{urlencode(kept)}" if kept else path


class Desk:
    """Made once for a server; every tab is given it."""

    def __init__(self, store: Opened, *, token: str) -> None:
        self.store = store
        self.form_token = guard.form_token(token)
        self._told: OrderedDict[str, Done] = OrderedDict()
        self._count = 0
        self.words: dict[str, dict[str, str]] = {
            "en": {},
            "pt": tomllib.loads((HERE / "words" / "pt.toml").read_text(encoding="utf-8")),
        }
        self.env = Environment(
            loader=FileSystemLoader(HERE / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=lambda value: visible.visible(value) if type(value) is str else value,
        )
        self.env.filters |= {"words": visible.words, "plain": visible.plain, "cut": visible.cut, "short": short}
        self.env.globals |= {"link": link, "TABS": TABS}

    # ------------------------------------------------------------ asking

    def here(self, request: Request, kind: Kind) -> Here:
        """Where the request is.

        Raises:
            HTTPException: 404, no such agent or nothing of that kind.
        """
        agent = self.store.agent(request.path_params["agent"])
        if agent is None:
            raise HTTPException(404)
        with self.store.store.still():
            kinds, view = self.store.kinds(agent), self.store.store.view(agent.name)
        if kind not in kinds:
            raise HTTPException(404)
        return Here(agent, kind, kinds, view, self.store.now())

    @staticmethod
    async def form(request: Request) -> dict[str, str]:
        """What a form says. (The guard has checked whose it is.)"""
        return guard.fields(await request.body())

    @staticmethod
    def one_of(request: Request, name: str, known: tuple[Any, ...]) -> Any:
        """A parameter that is one of a few words, else the first of them."""
        given = request.query_params.get(name)
        return given if given in known else known[0]

    @staticmethod
    def whole(request: Request, name: str, default: int = 1) -> int:
        """A parameter that is a whole number."""
        given = request.query_params.get(name, "")
        return int(given) if given.isascii() and given.isdigit() and len(given) < 10 else default

    # ------------------------------------------------------------ answering

    def page(self, request: Request, template: str, here: Here | None = None, **values: Any) -> HTMLResponse:
        """A page from a template. ``tab`` among the values names the one that is open."""
        lang = self.language(request)
        translate = self.words[lang]

        def said(text: str, **parts: Any) -> str:
            found = translate.get(text, text)
            return found.format(**parts) if parts else found

        status = values.pop("status", 200)
        context = {
            "_": said,
            "lang": lang,
            "other": LANGUAGES[1 - LANGUAGES.index(lang)],
            "here": here,
            "agents": self.store.agents(),
            "read_only": self.store.read_only,
            "form_token": self.form_token,
            "done": self._told.get(request.query_params.get("done", "")),
            "tab": None,
            "day": dated(lang),
            "rows_of": lambda table, number: said(_counted(table, number), number=number),
            "moments": lambda text: _MOMENT.sub(lambda found: _readable(found[0], lang), text),
            "turned": lambda number: link(
                request.url.path,
                **{**{n: v for n, v in request.query_params.items() if n not in _ONCE}, "page": number},
            ),
            "url": str(request.url.path) + (f"?{request.url.query}" if request.url.query else ""),
            **values,
        }
        return HTMLResponse(self.env.get_template(template).render(context), status)

    def language(self, request: Request) -> str:
        """English or Portuguese: as chosen, else as the browser asks."""
        chosen: str = str(request.cookies.get("arandu_lang"))
        if chosen in LANGUAGES:
            return chosen
        first: str = request.headers.get("accept-language", "en").split(",")[0].strip().lower()
        return "pt" if first.startswith("pt") else "en"

    def told(self, to: str, said: str, *words: str, undo: str | None = None) -> Response:
        """After a form: go to a page that says what was done. ``words`` are shown as they were, as text."""
        self._count += 1
        key = str(self._count)
        self._told[key] = Done(said, words, undo)
        while len(self._told) > _REMEMBERED:
            self._told.popitem(last=False)
        return RedirectResponse(f"{to}{'&' if '?' in to else '?'}done={key}", 303)

    def late(self, to: str, words: str) -> Response:
        """After a form about words that gave way since its page was made: go to what took their place, and show what was typed."""
        return self.told(
            to, "Not saved: it was changed or ended after you opened the page, as you see below. You wrote:", words
        )

    def forget_told(self) -> None:
        """Say no words again: something was forgotten."""
        self._told.clear()


def dated(lang: str) -> Callable[..., str]:
    """How a moment is written: to the day or the minute in UTC, as exactly as it was told, or by the clock of who told it.

    >>> dated("pt")(datetime(2024, 10, 15, 21, 40, tzinfo=UTC), time=True)
    '15 out 2024, 21:40 UTC'
    """

    def day(moment: datetime | None, grain: str | None = None, *, time: bool = False, told: bool = False) -> str:
        if moment is None:
            return ""
        at = moment if told else moment.astimezone(UTC)
        if grain == "year":
            return str(at.year)
        month = _MONTHS[lang][at.month - 1]
        if grain == "month":
            return f"{month} {at.year}"
        return f"{at.day} {month} {at.year}" + (f", {at:%H:%M}{'' if told else ' UTC'}" if time else "")

    return day


def short(text: str) -> str:
    """The text with long hexadecimal numbers cut to eight digits.

    >>> short("undo 'undo:eb182b2854c5774db3e0820a' first")
    "undo 'undo:eb182b28…' first"
    """
    return _DIGITS.sub(lambda found: f"{found[0][:8]}…", text)


def _counted(table: str, number: int) -> str:
    one, many = ROWS.get(table, (f"1 {table}".replace("_", " "), "{number} " + table.replace("_", " ")))
    return one if number == 1 else many


def _readable(moment: str, lang: str) -> str:
    return dated(lang)(datetime.fromisoformat(moment), time=True)


def moment_of(text: str, *, end: bool = False) -> datetime | None:
    """A day, or a moment with an offset, as a form gives it; None for a blank one or none that can be read.

    ``end``: a day means its end.

    >>> moment_of("2024-05-01").isoformat(), moment_of("soon")
    ('2024-05-01T00:00:00+00:00', None)
    """
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    if found.tzinfo is None:
        found = found.replace(tzinfo=UTC)
    return found.replace(hour=23, minute=59, second=59) if end and len(text.strip()) == 10 else found


def asked(request: Request, *names: str) -> Mapping[str, str]:
    """Parameters of an address, blank where they are not given, cut to a bearable length."""
    return {name: request.query_params.get(name, "").strip()[:500] for name in names}
