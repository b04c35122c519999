"""Which facts a page shows, out of many: filtered and sorted on the columns of a view, a page at a time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from arandu_lab.pure.text import fold
from arandu_lab.store.times import micros
from arandu_lab.store.view import AgentView

State: TypeAlias = Literal["now", "stale", "over", "ahead", "all"]
Order: TypeAlias = Literal["newest", "oldest", "importance", "confidence", "name"]
STATES: tuple[State, ...] = ("now", "stale", "over", "ahead", "all")
ORDERS: tuple[Order, ...] = ("newest", "oldest", "importance", "confidence", "name")
SIZE = 40
"""Rows of a page."""

_FOLDED = "browse/folded"
_END = datetime(9999, 12, 31, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is asked for. ``text`` are words that each must stand in the statement; ``entity`` a key, or part of a name."""

    text: str = ""
    entity: str = ""
    state: State = "now"
    order: Order = "newest"


@dataclass(frozen=True, slots=True)
class Paged:
    """One page of something: positions or rows, how many there are in all, and which page of how many (from 1)."""

    rows: tuple[Any, ...]
    total: int
    page: int
    pages: int
    first: int

    @property
    def last(self) -> int:
        """The number of the last row shown."""
        return self.first + len(self.rows) - 1 if self.rows else 0


def paged(rows: Any, page: int, size: int = SIZE) -> Paged:
    """One page; a page that is not there is the nearest that is.

    >>> paged(range(8), 3, 3)
    Paged(rows=(6, 7), total=8, page=3, pages=3, first=7)
    """
    total = len(rows)
    pages = max(1, -(-total // size))
    page = min(max(1, page), pages)
    start = (page - 1) * size
    return Paged(tuple(rows[start : start + size]), total, page, pages, start + 1 if total else 0)


def listed(view: AgentView, wanted: Wanted, now: datetime) -> NDArray[np.int64]:
    """Positions of the facts that are wanted, in the order that is wanted; linear in the number of facts."""
    facts = view.facts
    keep = states(view, now)[wanted.state].copy()
    if wanted.entity:
        of = np.zeros(len(facts), dtype=bool)
        for key in named(view, wanted.entity):
            of[view.linked(key)] = True
        keep &= of
    places = keep.nonzero()[0]
    if asked := fold(wanted.text).split():
        texts = folded(view)
        places = np.array([i for i in places.tolist() if all(word in texts[i] for word in asked)], dtype=np.int64)
    return places[_order(view, places, wanted.order)]


def states(view: AgentView, now: datetime) -> dict[State, NDArray[np.bool_]]:
    """Which facts hold now, are marked as stale, are over, have not begun; a fact is in one of the four."""
    facts = view.facts
    live, stale = facts.live(as_of=now), facts.stale
    ahead = (facts.valid_from > micros(now)) & facts.touching(now, _END)
    return {
        "now": live & ~stale,
        "stale": live & stale,
        "over": ~live & ~ahead,
        "ahead": ahead,
        "all": np.ones(len(facts), dtype=bool),
    }


def named(view: AgentView, text: str) -> list[str]:
    """Keys of the entities that a key or part of a name means."""
    if view.entity(text) is not None:
        return [text]
    asked = fold(text)
    found = {key for name, keys in view.aliases().items() if asked in fold(name) for key in keys}
    return sorted(found | {one.key for one in view.entities() if asked in fold(one.name)})


def folded(view: AgentView) -> list[str]:
    """Statements without case and accents, made once and grown with the view."""
    held: list[str] = view.kept.setdefault(_FOLDED, [])
    texts = view.facts.texts
    held += [fold(texts[place]) for place in range(len(held), len(texts))]
    return held


def _order(view: AgentView, places: NDArray[np.int64], order: Order) -> NDArray[np.int64]:
    facts = view.facts
    newest = -facts.valid_from[places]
    match order:
        case "oldest":
            return np.lexsort((places, -newest))
        case "importance":
            return np.lexsort((-places, newest, -facts.importance[places]))
        case "confidence":
            return np.lexsort((-places, newest, -facts.confidence[places]))
        case "name":
            keys, texts = np.array(facts.entity_keys, dtype=object), folded(view)
            ranks = np.argsort(np.argsort(keys)) if len(keys) else np.zeros(0, dtype=np.int64)
            by_text = np.array([texts[place] for place in places.tolist()], dtype=str)
            return np.lexsort((places, by_text, ranks[facts.entity_codes[places]]))
        case _:
            return np.lexsort((-places, newest))
