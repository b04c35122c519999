"""The journal on disk, in two tables: ``journal`` takes the appends, ``journal_archive`` what the tables already hold.

Lance keeps a fragment per append and rewrites a whole table to compact it. So the table that is appended to stays
short: once a group of units is projected it moves, in one append, to the archive. Moving is append, then delete; a unit
found in both is one unit. Readers look into ``journal`` first, so that a unit on its way is never missed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from arandu_lab.errors import BackendError
from arandu_lab.store import doctor, sql
from arandu_lab.store.journal import Unit, pack, unpack
from arandu_lab.store.schema import primary, schema
from arandu_lab.store.tables import Tables

if TYPE_CHECKING:
    import pyarrow as pa

BOTH = HOT, COLD = "journal", "journal_archive"


def record(tables: Tables, unit: Unit) -> None:
    """The commit: one append of one row."""
    tables.append(HOT, _rows([unit]))
    tables.persist(HOT)


def archive(tables: Tables, units: Sequence[Unit]) -> None:
    """Move consecutive units to the archive; exactly these leave ``journal``. Safe to repeat."""
    these = sql.both(sql.after(units[0].seq - 1), sql.up_to(units[-1].seq))
    there = set(tables.select(COLD, these, ["seq"])["seq"].to_pylist())
    fresh = [unit for unit in units if unit.seq not in there]
    if fresh:
        tables.append(COLD, _rows(fresh))
        tables.persist(COLD)
    tables.delete(HOT, these)


def rewrite(tables: Tables, units: Sequence[Unit]) -> None:
    """Other payloads for archived units (only forgetting and a change of embedder do this)."""
    if units:
        tables.merge(COLD, _rows(units))


def select(tables: Tables, where: str = "", columns: Sequence[str] | None = None) -> pa.Table:
    """Journal rows under a condition of ``store.sql``, in order of ``seq``, each unit once."""
    import pyarrow as pa
    import pyarrow.compute as pc

    hot = tables.select(HOT, where, columns)
    cold = tables.select(COLD, where, columns)
    if len(hot) and len(cold):
        hot = hot.filter(pc.invert(pc.is_in(hot["seq"], value_set=cold["seq"].combine_chunks())))
    return pa.concat_tables([cold, hot]).sort_by("seq")


def last(tables: Tables, witness: int = 0) -> int:
    """The newest ``seq``; 0 for an empty journal.

    Units are numbered without gaps, and others may bear witness to a number (the watermark, a row in a table).

    Raises:
        BackendError: an acknowledged unit is missing.
    """
    seqs = set(select(tables, columns=["seq"])["seq"].to_pylist())
    newest = max(seqs, default=0)
    if len(seqs) != newest or newest < witness:
        gone = sorted(set(range(1, max(newest, witness) + 1)) - seqs)
        places = [table for table in (COLD, HOT) if tables.path and table in doctor.rolled_back(tables.path)]
        why = f" (the newest manifest of {' and '.join(places)} was empty and set aside)" if places else ""
        raise BackendError(
            f"{tables.path or 'memory'} has lost {len(gone)} of {max(newest, witness)} units of its journal, the first "
            f"with seq {gone[0] if gone else '?'}{why}; nothing was rebuilt, because that would delete what only "
            "the tables still hold: restore the directory from a copy",
            kind="store",
            backend="journal",
        )
    return newest


def read(tables: Tables, dim: int, where: str = "", *, archived: bool = True) -> Iterator[Unit]:
    """Units under a condition, in order of ``seq``; without the archived ones if so asked."""
    import pyarrow as pa

    found = select(tables, where) if archived else tables.select(HOT, where).sort_by("seq")
    place = found.schema.get_field_index("recorded_at")
    for row in found.set_column(place, "recorded_at", found["recorded_at"].cast(pa.int64())).to_pylist():
        yield unpack(
            row["payload"],
            seq=row["seq"],
            unit_id=row["unit_id"],
            kind=row["kind"],
            agent_id=row["agent_id"],
            recorded_at=row["recorded_at"],
            dim=dim,
        )


def _rows(units: Sequence[Unit]) -> pa.Table:
    import pyarrow as pa

    wanted = schema(HOT, 0)
    columns = {
        "id": [primary(unit.agent_id, unit.id) for unit in units],
        "seq": [unit.seq for unit in units],
        "unit_id": [unit.id for unit in units],
        "kind": [unit.kind for unit in units],
        "agent_id": [unit.agent_id for unit in units],
        "recorded_at": [unit.recorded_at for unit in units],
        "payload": [pack(unit) for unit in units],
    }
    return pa.table([pa.array(columns[field.name], type=field.type) for field in wanted], schema=wanted)
