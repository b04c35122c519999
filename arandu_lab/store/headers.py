"""What each unit of an agent's journal touched, without making its rows; and single units by their ids.

A header is read from a payload's JSON alone: no row is built and no vector is looked at. So a long journal is known in a
fraction of the time that reading it whole takes, and the few units that matter are then read by their ids.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from arandu_lab.errors import BackendError
from arandu_lab.records import Alias, Entity, Link
from arandu_lab.store import segments, sql
from arandu_lab.store.commit import agent_named
from arandu_lab.store.journal import Unit
from arandu_lab.store.schema import RECORDS, primary

if TYPE_CHECKING:
    from arandu_lab.store.store import Store

Key = tuple[str, str]
"""A table and a primary key, as ``schema.stored_key`` gives it."""

_MOST = 400
"""Ids in one condition."""


@dataclass(frozen=True, slots=True)
class Header:
    """A unit without its rows: which rows it put and which it removed, by their keys."""

    seq: int
    id: str
    kind: str
    note: str | None
    put: tuple[Key, ...]
    removed: tuple[Key, ...]


def headers(store: Store, agent_id: str, *, since: int = 0, until: int) -> list[Header]:
    """Headers of the agent's units with ``since < seq <= until``, in order of ``seq``.

    Raises:
        BackendError: a payload is damaged.
    """
    store._open()
    where = sql.both(sql.of_agent(agent_named(agent_id)), sql.after(since), sql.up_to(until))
    with store._lock:
        found = segments.select(store._tables, where, ["seq", "unit_id", "kind", "payload"])
    columns = (found[name].to_pylist() for name in ("seq", "unit_id", "kind", "payload"))
    return [header(agent_id, *values) for values in zip(*columns, strict=True)]


def listed(store: Store, agent_id: str) -> list[tuple[str, str]]:
    """Id and kind of every unit of the agent, in order of ``seq``; no payload is read."""
    store._open()
    with store._lock:
        found = segments.select(store._tables, sql.of_agent(agent_named(agent_id)), ["seq", "unit_id", "kind"])
    return list(zip(found["unit_id"].to_pylist(), found["kind"].to_pylist(), strict=True))


def header(agent_id: str, seq: int, unit_id: str, kind: str, payload: bytes) -> Header:
    """One unit's header.

    Raises:
        BackendError: the payload is damaged.
    """
    try:
        (length,) = struct.unpack("<I", payload[4:8])
        told = json.loads(payload[8 : 8 + length])
    except (struct.error, ValueError) as fault:
        raise BackendError(f"journal unit {unit_id!r} (seq {seq}): {fault}", kind="store", backend="journal") from fault
    places = {name: _places(name, tuple(known)) for name, known in told["fields"].items()}
    return Header(
        seq=seq,
        id=unit_id,
        kind=kind,
        note=told["note"],
        put=tuple((table, primary(agent_id, key)) for table, key in (_key(places, row) for row in told["rows"])),
        removed=tuple((table, key) for table, key in told["removed"]),
    )


def some(store: Store, agent_id: str, unit_ids: Iterable[str]) -> dict[str, Unit]:
    """Units of the agent by their ids; those that are not there are left out."""
    store._open()
    wanted, found = [primary(agent_id, one) for one in dict.fromkeys(unit_ids)], list[Unit]()
    mine = sql.of_agent(agent_named(agent_id))
    with store._lock:
        for start in range(0, len(wanted), _MOST):
            where = sql.both(mine, sql.ids(wanted[start : start + _MOST]))
            found += segments.read(store._tables, store.dim, where)
    return {unit.id: unit for unit in found}


@cache
def _places(name: str, known: tuple[str, ...]) -> tuple[str, tuple[int, ...]]:
    """The table of a record, and where in a packed row (name, place of arrival, values) its natural key stands."""
    parts: dict[str, Sequence[str]] = {
        Entity.__name__: ("key",),
        Alias.__name__: ("folded", "entity_key"),
        Link.__name__: ("fact_id", "entity_key"),
    }
    return _TABLES[name], tuple(known.index(part) + 2 for part in parts.get(name, ("id",)))


def _key(places: dict[str, tuple[str, tuple[int, ...]]], row: list[Any]) -> Key:
    table, at = places[row[0]]
    if len(at) == 1:
        return table, row[at[0]]
    first, second = (row[place] for place in at)
    return table, f"{len(first)}:{first}{second}"


_TABLES = {record.__name__: table for table, record in RECORDS.items()}
