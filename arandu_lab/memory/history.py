"""What an agent's units of work did, row by row, and the way back over each: quick on long journals, and exact.

What every unit touched is kept beside the view and grows with it (``store/headers.py``); rows are read only of units that
are asked about and of those just before them. A way back is looked for among the rows that could stand in it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any

from arandu_lab.pure import undoing
from arandu_lab.records import Alias, Entity, Fact, Row
from arandu_lab.store.headers import Header, Key, headers, some
from arandu_lab.store.journal import Unit
from arandu_lab.store.schema import stored_key, table_of
from arandu_lab.store.view import AgentView

if TYPE_CHECKING:
    from arandu_lab.store import Store

_KEPT = "memory/history"

UNDONE = "it is undone already"
"""What ``why`` says of a unit that somebody took back."""


@dataclass(slots=True)
class _Held:
    """Headers in order, and for each row the places among them that touched it."""

    lock: Lock = field(default_factory=Lock)
    seq: int = 0
    headers: list[Header] = field(default_factory=list)
    touched: dict[Key, list[int]] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    forgotten: set[Key] = field(default_factory=set)
    standing: _Standing | None = None

    def grow(self, store: Store, view: AgentView) -> None:
        """Take in what the journal holds up to the view."""
        with self.lock:
            if self.seq < view.sequence:
                for one in headers(store, view.agent_id, since=self.seq, until=view.sequence):
                    place = self.places[one.id] = len(self.headers)
                    self.headers.append(one)
                    for key in (*one.put, *one.removed):
                        self.touched.setdefault(key, []).append(place)
                    if one.kind == "forget":
                        self.forgotten.update(one.removed)
                self.seq = view.sequence

    def stands(self, view: AgentView) -> _Standing:
        """The rows of the view, gathered once for each moment at which somebody asks."""
        with self.lock:
            if self.standing is None or self.standing.sequence != view.sequence:
                self.standing = _Standing(view)
            return self.standing


class _Standing:
    """Every row of a view by its key, and which rows name a fact or an entity."""

    def __init__(self, view: AgentView) -> None:
        self.sequence = view.sequence
        self.rows: dict[Key, tuple[int, undoing.Placed]] = {}
        self.users: dict[str, list[Key]] = {}
        for place, (row, born) in enumerate(view.images()):
            key = stored_key(row)
            self.rows[key] = (place, (row, born))
            for word in undoing.names_used(row):
                self.users.setdefault(word, []).append(key)

    def around(self, touched: Iterable[Row], keys: Iterable[Key]) -> dict[undoing.Key, undoing.Placed]:
        """The rows that stand under some keys, and those that name one of some rows or what their names lead to."""
        words = [
            row.id if isinstance(row, Fact) else row.entity_key if isinstance(row, Alias) else row.key
            for row in touched
            if isinstance(row, Fact | Alias | Entity)
        ]
        found = {*keys, *(key for word in words for key in self.users.get(word, ()))}
        ordered = sorted((self.rows[key][0], key) for key in found if key in self.rows)
        return {key: self.rows[key][1] for _, key in ordered}


class History:
    """The units of work of one agent up to a view."""

    def __init__(self, store: Store, view: AgentView) -> None:
        self.store, self.view = store, view
        self._held: _Held = view.kept.setdefault(_KEPT, _Held())
        self._held.grow(store, view)
        self._units: dict[str, Unit] = {}

    def headers(self) -> Iterator[Header]:
        """Every unit's header, newest first."""
        return (one for one in reversed(self._held.headers) if one.seq <= self.view.sequence)

    def header(self, unit_id: str) -> Header | None:
        """A unit's header."""
        place = self._held.places.get(unit_id)
        return None if place is None else self._held.headers[place]

    def read(self, *units: Header) -> None:
        """Read units and those that touched their rows before them, in few looks at the journal."""
        wanted = [one.id for one in units]
        for one in units:
            wanted += [other.id for key in (*one.put, *one.removed) if (other := self._before(key, one.seq))]
        missing = [unit_id for unit_id in dict.fromkeys(wanted) if unit_id not in self._units]
        self._units |= some(self.store, self.view.agent_id, missing)

    def unit(self, header: Header) -> Unit:
        """A unit with its rows."""
        self.read(header)
        return self._units[header.id]

    def back(self, header: Header) -> undoing.Undoing:
        """The way back over a unit, so far as its rows still stand in it. What was forgotten stays so; without its entity
        there is no way.
        """
        unit = self.unit(header)
        touched: list[Key] = [*map(stored_key, unit.rows), *unit.removed]
        after: dict[undoing.Key, undoing.Placed | None] = {
            stored_key(row): (row, born) for row, born in zip(unit.rows, unit.born, strict=True)
        }
        after |= dict.fromkeys(unit.removed)
        was: dict[undoing.Key, undoing.Placed | None] = {}
        for key in touched:
            was[key] = self.before(key, unit.seq)
            if was[key] is None and key in self._held.forgotten and key[0] == "entities":
                return undoing.Undoing(blocked=["an entity it would bring back was forgotten"])
        now = self._held.stands(self.view).around(unit.rows, touched)
        return undoing.undone(was, after, now, since=(unit.seq + 1) << 20)

    def before(self, key: Key, seq: int) -> undoing.Placed | None:
        """The row as the units before ``seq`` left it."""
        found = self._before(key, seq)
        if found is None:
            return None
        unit = self._units[found.id]
        placed = zip(unit.rows, unit.born, strict=True)
        return next((each for each in placed if stored_key(each[0]) == key), None)

    def later(self, header: Header, keys: Iterable[undoing.Key]) -> Header | None:
        """The last unit after this one that touched one of some rows."""
        known: list[Any] = list(keys)
        places = [self._held.touched[key][-1] for key in known if key in self._held.touched]
        found = self._held.headers[max(places)] if places else None
        return found if found is not None and found.seq > header.seq else None

    def why(self, header: Header, back: undoing.Undoing) -> str:
        """What stands in the way, and what to do about it."""
        more = f" (and {len(back.blocked) - 1} more)" if len(back.blocked) > 1 else ""
        last, cure = self.later(header, back.keys), ""
        if last is not None:
            if op(last) == "undo" and note(last).get("of") == header.id:
                cure = f"; {UNDONE}, by {last.id!r}"
            elif undoable(last):
                cure = f"; undo {last.id!r} first"
            else:
                cure = "; a split or a correction can set the rest right"
        return f"{back.blocked[0]}{more}{cure}"

    def what(self, header: Header) -> str:
        """The unit in a line, from the rows it touched."""
        done = op(header)
        if done == "undo":
            of = self.header(str(note(header).get("of")))
            return f"undid: {self.what(of)}" if of is not None else "undid a unit"
        unit = self.unit(header)
        if done == "merge":
            gone = [self.before(key, header.seq) for key in header.removed if key[0] == "entities"]
            return f"{called(placed[0] for placed in gone if placed)} into {called(unit.rows)}"
        if done == "split":
            return f"{called(unit.rows)}, {sum(isinstance(row, Fact) for row in unit.rows)} facts"
        facts = [row for row in unit.rows if isinstance(row, Fact) and f"correct:{row.id}" == unit.id]
        if facts:
            return f"corrected to {facts[0].text!r}"
        return ", ".join(f"{n} {table}" for table, n in sorted(counted(unit.rows).items())) or "nothing"

    def _before(self, key: Key, seq: int) -> Header | None:
        known = self._held.headers
        found = (known[place] for place in reversed(self._held.touched.get(key, ())) if known[place].seq < seq)
        return next(found, None)


def undoable(unit: Unit | Header) -> bool:
    """Edits and jobs; not the embedding of what lacked a vector, nor counts of reading."""
    return unit.kind in ("edit", "job") and not unit.id.startswith(("repair:", "retrieved:", "recalled:"))


def op(unit: Unit | Header) -> str:
    """What a unit did, in a word."""
    said = note(unit).get("op")
    return str(said) if said else ("correction" if unit.id.startswith("correct:") else unit.kind)


def note(unit: Unit | Header) -> dict[str, Any]:
    """What a unit's note tells; nothing where it has none that can be read."""
    try:
        found = json.loads(unit.note or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def called(rows: Iterable[Row]) -> str:
    """The entities among rows by their names."""
    return ", ".join(f"{row.name} ({row.key})" for row in rows if isinstance(row, Entity)) or "(forgotten)"


def counted(rows: Iterable[Row]) -> dict[str, int]:
    """How many rows there are of each table."""
    return dict(Counter(map(table_of, rows)))
