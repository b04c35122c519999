"""Forgetting: the one operation that removes. Rows leave the journal, the tables and every old version of both."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

from arandu_lab.store import segments, sql
from arandu_lab.store.journal import Unit
from arandu_lab.store.schema import RECORDS, TABLES, primary, stored_key
from arandu_lab.store.tables import Tables


def erase(tables: Tables, dim: int, agent_id: str, gone: set[tuple[str, str]], seq: int) -> int:
    """Take the images of ``gone`` (table, primary key) out of the agent's units; the number of units rewritten.

    ``gone`` are the rows that the forget unit takes away, and those that it puts anew without what is to be forgotten.
    The tables have already followed. A table that lost rows is written anew, because a deleted row may lie in its file
    for long. Last of all ``forgotten`` moves to ``seq``: a crash before repeats the work.
    """
    changed = [
        left for unit in _holding(tables, dim, agent_id, gone, seq) if (left := _without(unit, gone)) is not unit
    ]
    segments.rewrite(tables, changed)
    touched = {table for table, _ in gone} | ({segments.COLD} if changed else set())
    for table in (*TABLES, *tables.made()):
        tables.purge(table)
        if table in touched or tables.hidden(table):
            tables.write_anew(table)
    tables.set_meta(forgotten=str(seq))
    return len(changed)


def finish(tables: Tables, dim: int) -> None:
    """Complete what a crash interrupted: forget units later than the ``forgotten`` mark. The tables are up to date."""
    done = int(tables.meta()["forgotten"])
    for unit in list(segments.read(tables, dim, sql.both(sql.of_kind("forget"), sql.after(done)))):
        erase(tables, dim, unit.agent_id, {*unit.removed, *map(stored_key, unit.rows)}, unit.seq)


def _holding(tables: Tables, dim: int, agent_id: str, gone: set[tuple[str, str]], seq: int) -> Iterator[Unit]:
    """The agent's units before ``seq`` that hold an image of a row of ``gone``; only these are unpacked."""
    before = sql.both(sql.of_agent(agent_id), sql.up_to(seq - 1))
    found = segments.select(tables, before, ["seq", "payload"])
    pairs = zip(found["seq"].to_pylist(), found["payload"].to_pylist(), strict=True)
    mine = [number for number, payload in pairs if not gone.isdisjoint(_keys(payload, agent_id))]
    for number in mine:
        yield from segments.read(tables, dim, sql.both(before, sql.both(sql.after(number - 1), sql.up_to(number))))


def _keys(payload: bytes, agent_id: str) -> Iterator[tuple[str, str]]:
    """Table and primary key of every row of a payload (``store.journal.pack``), without making the rows."""
    head = json.loads(payload[8 : 8 + int.from_bytes(payload[4:8], "little")])
    at = {kind: {name: place + 2 for place, name in enumerate(names)} for kind, names in head["fields"].items()}
    for kind, *rest in head["rows"]:
        row, place = (kind, *rest), at[kind]
        match kind:
            case "Entity":
                key = row[place["key"]]
            case "Alias":
                folded = row[place["folded"]]
                key = f"{len(folded)}:{folded}{row[place['entity_key']]}"
            case "Link":
                fact = row[place["fact_id"]]
                key = f"{len(fact)}:{fact}{row[place['entity_key']]}"
            case _:
                key = row[place["id"]]
        yield _TABLE[kind], primary(agent_id, key)


_TABLE = {record.__name__: table for table, record in RECORDS.items()}


def _without(unit: Unit, gone: set[tuple[str, str]]) -> Unit:
    kept = [(row, born) for row, born in zip(unit.rows, unit.born, strict=True) if stored_key(row) not in gone]
    if len(kept) == len(unit.rows):
        return unit
    return replace(unit, rows=tuple(row for row, _ in kept), born=tuple(born for _, born in kept))
