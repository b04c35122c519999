"""Tables folded from the journal: units beyond the watermark, applied in groups, one merge per table.

Images are absolute and the newest one of a key wins, so applying a unit twice changes nothing. The watermark is written
after the tables: a crash in between only repeats work.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from arandu_lab.store import sql
from arandu_lab.store.journal import Unit, pack, unpack
from arandu_lab.store.schema import PROJECTIONS, Image, primary, schema, stored_key
from arandu_lab.store.tables import Tables
from arandu_lab.store.view import AgentView

if TYPE_CHECKING:
    import pyarrow as pa

GROUP = 512
"""Units per group when replaying."""


@dataclass(slots=True)
class Fold:
    """What a sequence of units leaves: newest images and removals per table, by primary key."""

    images: dict[str, dict[str, Image]] = field(default_factory=lambda: {table: {} for table in PROJECTIONS})
    removed: dict[str, set[str]] = field(default_factory=lambda: {table: set() for table in PROJECTIONS})

    def add(self, unit: Unit) -> None:
        """One more unit. A row keeps the birth of its first image unless it was removed in between."""
        for row, born in zip(unit.rows, unit.born, strict=True):
            table, key = stored_key(row)
            self.images[table][key] = Image(row, unit.seq, born)
            self.removed[table].discard(key)
        for table, key in unit.removed:
            self.images[table].pop(key, None)
            self.removed[table].add(key)


def record(tables: Tables, unit: Unit) -> None:
    """The commit: one append of one row to the journal."""
    tables.append("journal", _journal_rows([unit]))
    tables.persist("journal")


def rewrite(tables: Tables, units: Sequence[Unit]) -> None:
    """Other payloads for units that are in the journal (only forgetting does this)."""
    if units:
        tables.merge("journal", _journal_rows(units))


def read(tables: Tables, dim: int, *, after: int = 0, agent_id: str | None = None) -> list[Unit]:
    """Units later than ``after``, in order of ``seq``."""
    where = sql.both(sql.after(after), "" if agent_id is None else sql.of_agent(agent_id))
    return list(_units(tables, where, dim))


def apply(tables: Tables, units: Iterable[Unit], dim: int) -> None:
    """Bring the tables to the last of these units and move the watermark there."""
    units = list(units)
    if not units:
        return
    fold = Fold()
    for unit in units:
        fold.add(unit)
    touched = [table for table in PROJECTIONS if fold.images[table] or fold.removed[table]]
    for table in touched:
        if fold.removed[table]:
            tables.delete(table, sorted(fold.removed[table]))
        if fold.images[table]:
            tables.put(table, list(fold.images[table].values()), dim)
    tables.persist(*touched)
    tables.set_meta(watermark=str(units[-1].seq))
    tables.persist("meta")


def tidy(tables: Tables, units: int) -> None:
    """Compact what has grown ragged. The journal holds ``units`` rows and is rewritten less often the longer it is."""
    for table in (*PROJECTIONS, "meta"):
        tables.tidy(table)
    tables.tidy("journal", at=min(256, max(64, units // 32)))


def rebuild(tables: Tables, dim: int) -> int:
    """Drop every projection and replay the whole journal; the number of units replayed."""
    tables.set_meta(watermark="0")
    for table in PROJECTIONS:
        tables.recreate(table, dim)
    seqs = sorted(tables.select("journal", columns=["seq"])["seq"].to_pylist())
    for start in range(0, len(seqs), GROUP):
        part = seqs[start : start + GROUP]
        apply(tables, _units(tables, sql.both(sql.after(part[0] - 1), sql.up_to(part[-1])), dim), dim)
    return len(seqs)


def differences(tables: Tables, dim: int) -> list[str]:
    """Where the tables differ from a replay of the journal up to the watermark; one line per row."""
    watermark = int(tables.meta()["watermark"])
    fold = Fold()
    for unit in _units(tables, sql.up_to(watermark), dim):
        fold.add(unit)
    found = []
    for table in PROJECTIONS:
        stored: dict[str, Image] = {}
        for image in tables.images(table):
            key = stored_key(image.row)[1]
            if key in stored:
                found.append(f"{table} {key}: stored twice")
            stored[key] = image
        for key, image in fold.images[table].items():
            if key not in stored:
                found.append(f"{table} {key}: in the journal, not in the table")
            elif not same(image, stored[key]):
                found.append(f"{table} {key}: the table says {stored[key].row!r}, the journal {image.row!r}")
        found += [f"{table} {key}: in the table, not in the journal" for key in stored if key not in fold.images[table]]
    return found


def view_differences(view: AgentView, units: Iterable[Unit]) -> list[str]:
    """Where a loaded view differs from a replay of its agent's units."""
    fold = Fold()
    for unit in units:
        fold.add(unit)
    held = {stored_key(row): Image(row, 0, born) for row, born in view.images()}
    told = {(table, key): image._replace(seq=0) for table in PROJECTIONS for key, image in fold.images[table].items()}
    differ = [key for key in held.keys() | told.keys() if key not in held or key not in told]
    differ += [key for key in held.keys() & told.keys() if not same(held[key], told[key])]
    return [f"{table} {key}: the loaded view and the journal differ" for table, key in sorted(differ)]


def bare(unit: Unit) -> Unit:
    """The unit without its vectors."""
    rows = (replace(row, vector=None) if hasattr(row, "vector") else row for row in unit.rows)
    return replace(unit, rows=tuple(rows))


def same(one: Image, other: Image) -> bool:
    """Equal images, vectors too."""
    if (one.row, one.seq, one.born) != (other.row, other.seq, other.born):
        return False
    first, second = getattr(one.row, "vector", None), getattr(other.row, "vector", None)
    return (first is None) == (second is None) and (first is None or bool((first == second).all()))


def _units(tables: Tables, where: str, dim: int) -> Iterator[Unit]:
    import pyarrow as pa

    found = tables.select("journal", where).sort_by("seq")
    for row in found.set_column(
        found.schema.get_field_index("recorded_at"), "recorded_at", found["recorded_at"].cast(pa.int64())
    ).to_pylist():
        yield unpack(
            row["payload"],
            seq=row["seq"],
            unit_id=row["unit_id"],
            kind=row["kind"],
            agent_id=row["agent_id"],
            recorded_at=row["recorded_at"],
            dim=dim,
        )


def _journal_rows(units: Sequence[Unit]) -> pa.Table:
    import pyarrow as pa

    wanted = schema("journal", 0)
    columns = {
        "id": [primary(unit.agent_id, unit.id) for unit in units],
        "seq": [unit.seq for unit in units],
        "unit_id": [unit.id for unit in units],
        "kind": [unit.kind for unit in units],
        "agent_id": [unit.agent_id for unit in units],
        "recorded_at": [unit.recorded_at for unit in units],
        "payload": [pack(unit) for unit in units],
    }
    return pa.table([pa.array(columns[name.name], type=name.type) for name in wanted], schema=wanted)
