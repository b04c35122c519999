"""Tables folded from the journal: units beyond the watermark, applied in groups, one merge per table.

Images are absolute and the newest one of a key wins, so applying a unit twice changes nothing. The watermark is written
after the tables, the units move to the archive after the watermark: a crash in between only repeats work.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from arandu_lab.store import segments, sql
from arandu_lab.store.journal import Unit
from arandu_lab.store.schema import PROJECTED, Image, stored_key
from arandu_lab.store.tables import Tables
from arandu_lab.store.terms import fingerprint
from arandu_lab.store.view import AgentView

GROUP = 512
"""Units per group when replaying."""


@dataclass(slots=True)
class Fold:
    """What a sequence of units leaves: newest images and removals per table, by primary key."""

    images: dict[str, dict[str, Image]] = field(default_factory=lambda: {table: {} for table in PROJECTED})
    removed: dict[str, set[str]] = field(default_factory=lambda: {table: set() for table in PROJECTED})

    @classmethod
    def of(cls, units: Iterable[Unit]) -> Fold:
        """The fold of units in order of ``seq``."""
        fold = cls()
        for unit in units:
            fold.add(unit)
        return fold

    def add(self, unit: Unit) -> None:
        """One more unit."""
        for row, born in zip(unit.rows, unit.born, strict=True):
            table, key = stored_key(row)
            self.images[table][key] = Image(row, unit.seq, born)
            self.removed[table].discard(key)
        for table, key in unit.removed:
            self.images[table].pop(key, None)
            self.removed[table].add(key)


def apply(tables: Tables, units: Iterable[Unit], dim: int) -> None:
    """Bring the tables to the last of these units, move the watermark there, and archive the units."""
    units = list(units)
    if not units:
        return
    fold = Fold.of(units)
    touched = [table for table in PROJECTED if fold.images[table] or fold.removed[table]]
    for table in touched:
        if fold.removed[table]:
            tables.delete(table, sql.ids(sorted(fold.removed[table])))
        if fold.images[table]:
            tables.put(table, list(fold.images[table].values()), dim)
    tables.persist(*touched)
    made = {"made": " ".join(names)} if (names := tables.made()) else {}
    tables.set_meta(watermark=str(units[-1].seq), **made)
    tables.persist("meta")
    segments.archive(tables, units)


def recover(tables: Tables, dim: int) -> int:
    """Archive what a crash left below the watermark, apply what lies beyond; the last ``seq`` of the journal."""
    watermark = int(tables.meta()["watermark"])
    late = list(segments.read(tables, dim, sql.up_to(watermark), archived=False))
    if late:
        segments.archive(tables, late)
    tail = segments.read(tables, dim, sql.after(watermark))
    while group := list(islice(tail, GROUP)):
        apply(tables, group, dim)
        watermark = group[-1].seq
    return watermark


def rebuild(tables: Tables, dim: int) -> int:
    """Drop every projection and replay the whole journal; the number of units replayed.

    Raises:
        BackendError: the journal has lost units (the tables stay as they are), or the disk failed.
    """
    segments.last(tables, int(tables.meta()["watermark"]))
    tables.set_meta(watermark="0", terms=fingerprint())
    for table in tables.projections:
        tables.recreate(table, dim)
    seqs = segments.select(tables, columns=["seq"])["seq"].to_pylist()
    for start in range(0, len(seqs), GROUP):
        part = seqs[start : start + GROUP]
        apply(tables, segments.read(tables, dim, sql.both(sql.after(part[0] - 1), sql.up_to(part[-1]))), dim)
    return len(seqs)


def differences(tables: Tables, dim: int) -> Iterator[str]:
    """Where the tables differ from a replay of the journal up to the watermark; one line per row."""
    watermark = int(tables.meta()["watermark"])
    fold = Fold.of(segments.read(tables, dim, sql.up_to(watermark)))
    standing = tables.projections
    for table in PROJECTED:
        stored: dict[str, Image] = {}
        for image in tables.images(table) if table in standing else ():
            key = stored_key(image.row)[1]
            if key in stored:
                yield f"{table} {key}: stored twice"
            stored[key] = image
        for key, image in fold.images[table].items():
            if key not in stored:
                yield f"{table} {key}: in the journal, not in the table"
            elif not same(image, stored[key]):
                yield f"{table} {key}: the table says {stored[key].row!r}, the journal {image.row!r}"
        yield from (
            f"{table} {key}: in the table, not in the journal" for key in stored if key not in fold.images[table]
        )


def view_differences(view: AgentView, units: Iterable[Unit]) -> Iterator[str]:
    """Where a loaded view differs from a replay of its agent's units."""
    fold = Fold.of(units)
    held = {stored_key(row): Image(row, 0, born) for row, born in view.images()}
    told = {(table, key): image._replace(seq=0) for table in PROJECTED for key, image in fold.images[table].items()}
    for table, key in sorted(held.keys() | told.keys()):
        mine, other = held.get((table, key)), told.get((table, key))
        if mine is None or other is None or not same(mine, other):
            yield f"{table} {key}: the loaded view and the journal differ"


def same(one: Image, other: Image) -> bool:
    """Equal images, vectors too."""
    if one[:3] != other[:3]:
        return False
    first, second = getattr(one.row, "vector", None), getattr(other.row, "vector", None)
    return (first is None) == (second is None) and (first is None or bool((first == second).all()))
