"""Forgetting: the one operation that removes. Rows leave the journal, the tables and every old version of both."""

from __future__ import annotations

from dataclasses import replace

from arandu_lab.store import projections
from arandu_lab.store.journal import Unit
from arandu_lab.store.schema import PROJECTIONS, stored_key
from arandu_lab.store.tables import Tables


def erase_units(tables: Tables, dim: int, agent_id: str, gone: set[tuple[str, str]], seq: int) -> int:
    """Take the images of ``gone`` (table, primary key) out of the agent's units; the number of units rewritten.

    The tables have already lost the rows. Last of all ``forgotten`` moves to ``seq``: a crash before repeats the work.
    """
    units = projections.read(tables, dim, agent_id=agent_id)
    changed = [left for unit in units if unit.seq < seq and (left := _without(unit, gone)) is not unit]
    projections.rewrite(tables, changed)
    for table in ("journal", *PROJECTIONS):
        tables.purge(table)
    tables.set_meta(forgotten=str(seq))
    return len(changed)


def finish_forgetting(tables: Tables, dim: int) -> None:
    """Complete what a crash interrupted: forget units later than the ``forgotten`` mark."""
    meta = tables.meta()
    units = projections.read(tables, dim, after=int(meta["forgotten"]))
    waiting = [unit for unit in units if unit.kind == "forget"]
    if not waiting:
        return
    projections.apply(tables, [unit for unit in units if unit.seq > int(meta["watermark"])], dim)
    for unit in waiting:
        erase_units(tables, dim, unit.agent_id, set(unit.removed), unit.seq)


def _without(unit: Unit, gone: set[tuple[str, str]]) -> Unit:
    kept = [(row, born) for row, born in zip(unit.rows, unit.born, strict=True) if stored_key(row) not in gone]
    if len(kept) == len(unit.rows):
        return unit
    return replace(unit, rows=tuple(row for row, _ in kept), born=tuple(born for _, born in kept))
