"""The LanceDB side: connection, tables, and the few verbs the store needs of them.

Every fault of LanceDB leaves here as ``BackendError(kind="store")``. LanceDB is imported when a store is opened.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arandu_lab.errors import BackendError
from arandu_lab.store import doctor
from arandu_lab.store.schema import TABLES, Image, from_arrow, schema, to_arrow

if TYPE_CHECKING:
    import pyarrow as pa

COMPACT_AT = 64
"""Commits to a table (one per group of units) after which it is compacted; ``journal``, one per unit: 4 times."""

KEEP_VERSIONS = timedelta(minutes=2)
"""How long old table versions stay for readers in other processes that are in the middle of a query."""

KEEP_JOURNAL = timedelta(seconds=5)
"""The same for the short ``journal`` table, which gains a version per commit and is read in milliseconds."""

_ALL = (1 << 31) - 1


@contextmanager
def lance(doing: str) -> Iterator[None]:
    """Turn what LanceDB and Arrow raise into ``BackendError(kind="store")``."""
    try:
        yield
    except (RuntimeError, OSError, ValueError, ArithmeticError, LookupError) as fault:
        raise BackendError(f"{doing}: {fault}", kind="store", backend="lancedb") from fault


class Tables:
    """An open LanceDB directory (or ``memory://``)."""

    def __init__(self, path: str, *, durable: bool = False, alone: bool = True) -> None:
        """Connect, and create nothing yet.

        ``durable``: ``persist`` forces what was written to the disk. ``alone``: nobody else writes here, so a handle
        need not look for newer versions (1 to 2 ms per call).
        """
        os.environ.setdefault("LANCEDB_LOG", "error")
        os.environ.setdefault("LANCE_LOG", "error")
        import lancedb

        self.path = None if path == "memory://" else Path(path)
        self._durable, self._synced = durable, set[str]()
        self._commits: dict[str, int] = {}
        self._handles: dict[str, Any] = {}
        with lance(f"connecting to {path}"):
            self._db = lancedb.connect(path, read_consistency_interval=None if alone else timedelta(0))

    def exists(self) -> bool:
        """Whether a store was made here. The ``meta`` table is the last one created."""
        if self.path is not None:
            return (self.path / "meta.lance" / "_versions").is_dir()
        return "meta" in self._handles

    def create(self, dim: int, meta: dict[str, str]) -> None:
        """Make all tables, ``meta`` last, so that a creation cut short starts over."""
        with lance("creating the tables"):
            for name in TABLES:
                self.recreate(name, dim)
            self._handles["meta"] = self._db.create_table("meta", data=_meta(meta), mode=self._mode("meta"))

    def open(self) -> None:
        """Open every table that stands in the directory."""
        for name in (*TABLES, "meta"):
            if name not in self._handles:
                with lance(f"opening table {name}"):
                    self._handles[name] = self._db.open_table(name)
                self._commits[name] = 0 if self.path is None else doctor.data_files(self.path / f"{name}.lance")

    def meta(self) -> dict[str, str]:
        """What the store knows about itself."""
        with lance("reading the meta table"):
            found = self._handles["meta"].search().limit(_ALL).to_arrow()
        return dict(zip(found["id"].to_pylist(), found["value"].to_pylist(), strict=True))

    def set_meta(self, **values: str) -> None:
        """Change some of it."""
        self.merge("meta", _meta(values))

    def append(self, table: str, rows: pa.Table) -> None:
        """One append: one commit."""
        with lance(f"appending to {table}"):
            self._handles[table].add(rows)
        self._commits[table] = self._commits.get(table, 0) + 1

    def merge(self, table: str, rows: pa.Table) -> None:
        """Put row images under their ids, in one commit. Ids in ``rows`` are distinct.

        LanceDB takes a null beside vectors for a "bad vector" whatever the column's name; ``null`` leaves it null (that
        vectors are finite and of one width is checked before the journal).
        """
        with lance(f"merging into {table}"):
            put = self._handles[table].merge_insert("id").when_matched_update_all().when_not_matched_insert_all()
            put.use_index(False).execute(rows, on_bad_vectors="null")
        self._commits[table] = self._commits.get(table, 0) + 1

    def put(self, table: str, images: Sequence[Image], dim: int) -> None:
        """Put the images of a projection's rows."""
        self.merge(table, to_arrow(table, images, dim))

    def delete(self, table: str, where: str) -> None:
        """Take away the rows under a condition built by ``store.sql``."""
        with lance(f"deleting from {table}"):
            self._handles[table].delete(where)
        self._commits[table] = self._commits.get(table, 0) + 1

    def recreate(self, table: str, dim: int) -> None:
        """An empty table in place of this one."""
        with lance(f"recreating {table}"):
            self._handles[table] = self._db.create_table(table, schema=schema(table, dim), mode=self._mode(table))
        self._commits[table] = 0

    def select(self, table: str, where: str = "", columns: Sequence[str] | None = None) -> pa.Table:
        """Rows under a condition built by ``store.sql``."""
        with lance(f"reading {table}"):
            query = self._handles[table].search().limit(_ALL)
            if where:
                query = query.where(where)
            if columns is not None:
                query = query.select(list(columns))
            return query.to_arrow()

    def images(self, table: str, where: str = "") -> Iterator[Image]:
        """Row images of a projection under a condition."""
        return from_arrow(table, self.select(table, where))

    def newest(self, table: str) -> None:
        """Look at the newest version, whatever a failed call left this handle at."""
        with lance(f"reading {table}"):
            self._handles[table].checkout_latest()

    def tidy(self) -> None:
        """Compact every table that has seen ``COMPACT_AT`` commits since it was last compact."""
        for table, commits in list(self._commits.items()):
            short = table == "journal"
            if commits >= (4 * COMPACT_AT if short else COMPACT_AT):
                with lance(f"compacting {table}"):
                    self._handles[table].optimize(cleanup_older_than=KEEP_JOURNAL if short else KEEP_VERSIONS)
                self._commits[table] = 1

    def purge(self, table: str) -> None:
        """Compact and drop every older version, so that deleted rows leave the disk."""
        with lance(f"purging {table}"):
            self._handles[table].optimize(cleanup_older_than=timedelta(milliseconds=1), delete_unverified=True)
        self._commits[table] = 1

    def _mode(self, table: str) -> str:
        """``overwrite`` where something stands, else ``create`` (which spares LanceDB a warning)."""
        there = table in self._handles if self.path is None else (self.path / f"{table}.lance").exists()
        return "overwrite" if there else "create"

    def persist(self, *tables: str) -> None:
        """With ``durability="power"``: force what was written to these tables to the disk."""
        if self._durable and self.path is not None:
            for table in tables:
                with lance(f"syncing {table}"):
                    doctor.sync(self.path / f"{table}.lance", self._synced)


def _meta(values: dict[str, str]) -> pa.Table:
    import pyarrow as pa

    primary = {"lance-schema:unenforced-primary-key": "true"}
    fields = [pa.field("id", pa.string(), nullable=False, metadata=primary), pa.field("value", pa.string())]
    return pa.table([list(values), list(values.values())], schema=pa.schema(fields))
