"""Forgetting: the one operation that removes. Rows leave the journal, the tables and every old version of both."""

from __future__ import annotations

from dataclasses import replace

from arandu_lab.store import segments, sql
from arandu_lab.store.journal import Unit
from arandu_lab.store.schema import TABLES, stored_key
from arandu_lab.store.tables import Tables


def erase(tables: Tables, dim: int, agent_id: str, gone: set[tuple[str, str]], seq: int) -> int:
    """Take the images of ``gone`` (table, primary key) out of the agent's units; the number of units rewritten.

    ``gone`` are the rows that the forget unit takes away, and those that it puts anew without what is to be forgotten.
    The tables have already followed. Last of all ``forgotten`` moves to ``seq``: a crash before repeats the work.
    """
    units = segments.read(tables, dim, sql.both(sql.of_agent(agent_id), sql.up_to(seq - 1)))
    changed = [left for unit in units if (left := _without(unit, gone)) is not unit]
    segments.rewrite(tables, changed)
    for table in TABLES:
        tables.purge(table)
    tables.set_meta(forgotten=str(seq))
    return len(changed)


def finish(tables: Tables, dim: int) -> None:
    """Complete what a crash interrupted: forget units later than the ``forgotten`` mark. The tables are up to date."""
    done = int(tables.meta()["forgotten"])
    for unit in list(segments.read(tables, dim, sql.both(sql.of_kind("forget"), sql.after(done)))):
        erase(tables, dim, unit.agent_id, {*unit.removed, *map(stored_key, unit.rows)}, unit.seq)


def _without(unit: Unit, gone: set[tuple[str, str]]) -> Unit:
    kept = [(row, born) for row, born in zip(unit.rows, unit.born, strict=True) if stored_key(row) not in gone]
    if len(kept) == len(unit.rows):
        return unit
    return replace(unit, rows=tuple(row for row, _ in kept), born=tuple(born for _, born in kept))
