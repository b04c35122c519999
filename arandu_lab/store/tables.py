"""The LanceDB side: connection, tables, and the few verbs the store needs of them.

Every fault of LanceDB leaves here as ``BackendError(kind="store")``. LanceDB is imported when a store is opened.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from arandu_lab.errors import BackendError
from arandu_lab.store import doctor
from arandu_lab.store.schema import KNOWLEDGE, PROJECTED, PROJECTIONS, TABLES, Image, from_arrow, schema, to_arrow

if TYPE_CHECKING:
    import pyarrow as pa

COMPACT_AT = 64
"""Commits to a table (one per group of units) after which it is compacted; ``journal``, one per unit: 4 times."""

KEEP_VERSIONS = timedelta(minutes=2)
"""How long old table versions stay for readers in other processes that are in the middle of a query."""

KEEP_JOURNAL = timedelta(seconds=5)
"""The same for the short ``journal`` table, which gains a version per commit and is read in milliseconds."""

Mark = tuple[frozenset[str], ...]
"""The versions that stand of some tables."""

T = TypeVar("T")

TRIES = 5
"""How often a reader begins anew because a file went while it read."""

_ALL = (1 << 31) - 1
_NOT_DAMAGE = re.compile(
    r"permission denied|read-only file system|too many open files|no space left"
    r"|(?:out of|allocate|enough|insufficient) memory|memory (?:allocation|exhausted|limit)|resources exhausted",
    re.IGNORECASE,
)
_SHADOWED = ("datasets", "lance")


_SOURCE = re.compile(r"[,;]?\s*(?:at )?/?\S+\.rs:\d+(?::\d+)?|lance error:\s*|LanceError\((\w+)\):\s*")
"""What LanceDB adds to a message for its own developers."""


@contextmanager
def lance(doing: str, cure: str = "") -> Iterator[None]:
    """Turn what LanceDB and Arrow raise into ``BackendError(kind="store")``: one line, and what to do where known."""
    try:
        yield
    except (RuntimeError, OSError, ValueError, ArithmeticError, LookupError) as fault:
        said = plainly(fault)
        if "permission denied" in said.lower() or "read-only file system" in said.lower():
            cure = "give this user the permission, or open with read_only=True"
        message = f"{doing}: {said}" + (f"; {cure}" if cure else "")
        raise BackendError(message, kind="store", backend="lancedb") from fault


def damage(fault: BackendError) -> bool:
    """Whether a table failed for what lies on the disk, and not for want of a right, of memory, or of room."""
    return _NOT_DAMAGE.search(fault.message) is None


def plainly(fault: BaseException) -> str:
    """A fault in one line, without LanceDB's own source files.

    >>> plainly(OSError("lance error: LanceError(IO): file size is too small, /root/x/lance-io/src/utils.rs:172:20"))
    'file size is too small'
    """
    return " ".join(_SOURCE.sub("", str(fault)).split())[:300]


class Tables:
    """An open LanceDB directory (or ``memory://``)."""

    def __init__(self, path: str, *, durable: bool = False, alone: bool = True) -> None:
        """Connect, and create nothing yet.

        ``durable``: ``persist`` forces what was written to the disk. ``alone``: nobody else writes here, so a handle
        need not look for newer versions (1 to 2 ms per call).
        """
        os.environ.setdefault("LANCEDB_LOG", "error")
        os.environ.setdefault("LANCE_LOG", "error")
        lancedb = _lancedb()
        self.path = None if path == "memory://" else Path(path)
        self._durable, self._alone, self._synced = durable, alone, set[str]()
        self._told: tuple[Mark, dict[str, str]] = ((), {})
        self._commits: dict[str, int] = {}
        self._handles: dict[str, Any] = {}
        with lance(f"connecting to {path}"):
            self._db = lancedb.connect(path, read_consistency_interval=None if alone else timedelta(0))

    def exists(self) -> bool:
        """Whether a store was made here. The ``meta`` table is the last one created."""
        if self.path is not None:
            return any((self.path / "meta.lance" / "_versions").glob("*.manifest"))
        return "meta" in self._handles

    def holding(self) -> list[str]:
        """The tables beside ``meta`` that hold rows, or once did: a creation cut short leaves none."""
        held = (*TABLES, *KNOWLEDGE)
        return [name for name in held if self.path and doctor.data_files(self.path / f"{name}.lance")]

    def made(self) -> tuple[str, ...]:
        """The tables of ``KNOWLEDGE`` that were made so far, by this process or another."""
        if self.path is None:
            return tuple(name for name in KNOWLEDGE if name in self._handles)
        return tuple(name for name in KNOWLEDGE if os.path.isdir(self.path / f"{name}.lance" / "_versions"))

    @property
    def projections(self) -> tuple[str, ...]:
        """The projections that this store has."""
        return (*PROJECTIONS, *self.made())

    def create(self, dim: int, meta: dict[str, str]) -> None:
        """Make all tables, ``meta`` last, so that a creation cut short starts over."""
        for name in TABLES:
            self.recreate(name, dim)
        self.create_meta(meta)

    def create_meta(self, meta: dict[str, str]) -> None:
        """Make the ``meta`` table."""
        with lance("creating the meta table"):
            self._handles["meta"] = self._db.create_table("meta", data=_meta(meta), mode=self._mode("meta"))

    def open(self, *names: str) -> None:
        """Open these tables: by default every table of a store."""
        for name in names or ("meta", *TABLES, *self.made()):
            with lance(f"opening table {name} of {self.path}", self._cure(name)):
                self._handles[name] = self._db.open_table(name)
            self._commits[name] = 0 if self.path is None else doctor.data_files(self.path / f"{name}.lance")

    def meta(self) -> dict[str, str]:
        """What the store knows about itself."""
        mark = () if self._alone else self.mark("meta")
        if mark and mark == self._told[0]:
            return dict(self._told[1])
        found = self.again(lambda: self._selected("meta", "", None))
        told = dict(zip(found["id"].to_pylist(), found["value"].to_pylist(), strict=True))
        self._told = mark, told
        return dict(told)

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
        """Put the images of a projection's rows; the first rows of a kind of ``KNOWLEDGE`` make its table."""
        if not self._there(table):
            self.recreate(table, dim)
        self.merge(table, to_arrow(table, images, dim))

    def delete(self, table: str, where: str) -> None:
        """Take away the rows under a condition built by ``store.sql``."""
        if not self._there(table):
            return
        with lance(f"deleting from {table}"):
            self._handles[table].delete(where)
        self._commits[table] = self._commits.get(table, 0) + 1

    def recreate(self, table: str, dim: int) -> None:
        """An empty table in place of this one, even where this one is a projection that cannot be read."""
        try:
            self._create(table, dim)
        except BackendError as fault:
            if self.path is None or table not in PROJECTED or not damage(fault):
                raise
            self.drop(table)
            self._create(table, dim)
        self._commits[table] = 0

    def _create(self, table: str, dim: int) -> None:
        with lance(f"creating table {table}"):
            self._handles[table] = self._db.create_table(table, schema=schema(table, dim), mode=self._mode(table))

    def drop(self, table: str) -> None:
        """Take a damaged table off the disk, whatever is left of it; never the journal."""
        assert table in (*PROJECTED, "meta"), table
        assert self.path is not None
        self._handles.pop(table, None)
        with lance(f"removing the damaged table {table} of {self.path}"):
            folder = self.path / f"{table}.lance"
            if folder.is_dir():
                shutil.rmtree(folder)
            else:
                folder.unlink(missing_ok=True)

    def select(self, table: str, where: str = "", columns: Sequence[str] | None = None) -> pa.Table:
        """Rows under a condition built by ``store.sql``; none where a table was not made yet."""
        if not self._there(table):
            found = schema(table, int(self.meta()["embedder_dim"])).empty_table()
            return found if columns is None else found.select(list(columns))
        return self.again(lambda: self._selected(table, where, columns))

    def _selected(self, table: str, where: str, columns: Sequence[str] | None) -> pa.Table:
        with lance(f"reading table {table} of {self.path or 'memory'}", self._cure(table)):
            query = self._handles[table].search().limit(_ALL)
            if where:
                query = query.where(where)
            if columns is not None:
                query = query.select(list(columns))
            return query.to_arrow()

    def again(self, read: Callable[[], T]) -> T:
        """What ``read`` gives. Where others write, it is asked anew, ``TRIES`` times at most, if a file went while it was read:
        forgetting leaves no old version behind.
        """
        for _ in range(0 if self._alone else TRIES - 1, 0, -1):
            try:
                return read()
            except BackendError as fault:
                if "Not found" not in fault.message:
                    raise
        return read()

    def count(self, table: str, where: str = "") -> int:
        """How many rows meet a condition built by ``store.sql``."""
        with lance(f"counting table {table} of {self.path or 'memory'}", self._cure(table)):
            return int(self._handles[table].count_rows(where or None))

    def handle(self, table: str) -> Any:
        """LanceDB's own table, for ``store.indexes``."""
        return self._handles[table]

    def lacking(self, table: str) -> list[str]:
        """Columns of today's layout that an older table is without: none of its rows ever had a value there."""
        with lance(f"reading table {table} of {self.path or 'memory'}", self._cure(table)):
            held = set(self._handles[table].schema.names)
        return [name for name in schema(table, 1).names if name not in held]

    def images(self, table: str, where: str = "") -> Iterator[Image]:
        """Row images of a projection under a condition."""
        return from_arrow(table, self.select(table, where))

    def mark(self, *tables: str) -> Mark:
        """The versions that stand of some tables; another mark where somebody has written since (0.1 ms)."""
        if self.path is None:
            return ()
        found = []
        for table in tables:
            with lance(f"reading table {table} of {self.path}", self._cure(table)):
                found.append(frozenset(os.listdir(self.path / f"{table}.lance" / "_versions")))
        return tuple(found)

    def newest(self, table: str) -> None:
        """Look at the newest version, whatever a failed call left this handle at."""
        with lance(f"reading table {table} of {self.path or 'memory'}", self._cure(table)):
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

    def write_anew(self, table: str) -> None:
        """Write the rows that stand into a file of their own, in one commit, and drop every older version.

        Compacting leaves a deleted row in its file while the file's other rows are many.
        """
        with lance(f"writing {table} anew"):
            rows = self._handles[table].search().limit(_ALL).to_arrow()
            self._handles[table].add(rows, mode="overwrite", on_bad_vectors="null")
        self.purge(table)

    def hidden(self, table: str) -> int:
        """How many rows are deleted and still lie in a data file; 0 in a table that was written anew."""
        with lance(f"reading the fragments of {table}"):
            told = self._handles[table].stats()
        pieces = told["fragment_stats"]
        return max(0, int(pieces["num_fragments"]) * int(pieces["lengths"]["mean"]) - int(told["num_rows"]))

    def _there(self, table: str) -> bool:
        """Whether a table can be used; one that another process made meanwhile is opened."""
        if table in self._handles or table not in KNOWLEDGE:
            return True
        if table in self.made():
            self.open(table)
            return True
        return False

    def _cure(self, table: str) -> str:
        """What to do when a table cannot be opened or read."""
        if self.path is None:
            return ""
        if doctor.cut_short(self.path / f"{table}.lance"):
            return "its newest manifest is empty: open the store once for writing, which sets it aside"
        if table in PROJECTED:
            return "it is made from the journal: rebuild(), or opening the store for writing, makes it anew"
        if table == "meta":
            return "restore meta.lance from a copy, or make it anew with Store.adopt() and Memory.repair()"
        return f"it cannot be made from the other tables: restore {self.path} from a copy"

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


def _lancedb() -> ModuleType:
    """LanceDB, immune to folders that are named like libraries it knows.

    It looks for Hugging Face's ``datasets`` and for ``lance`` in ``sys.modules`` and imports names from them, to take
    their types as input. A folder ``datasets/`` in the working directory is a namespace package of that name, and then
    each append fails. Only Arrow tables are handed over here, so both count as looked at already.
    """
    ours = {name: sys.modules.pop(name) for name in _SHADOWED if _is_folder(sys.modules.get(name))}
    try:
        import lancedb
        from lancedb import scannable
    finally:
        sys.modules.update(ours)
    looked_at = getattr(scannable, "_registered_modules", None)
    if isinstance(looked_at, set):
        looked_at.update(_SHADOWED)
    return cast(ModuleType, lancedb)


def _is_folder(module: ModuleType | None) -> bool:
    """Whether a module is a namespace package: a folder without code."""
    return module is not None and getattr(module, "__file__", None) is None


def _meta(values: dict[str, str]) -> pa.Table:
    import pyarrow as pa

    primary = {"lance-schema:unenforced-primary-key": "true"}
    fields = [pa.field("id", pa.string(), nullable=False, metadata=primary), pa.field("value", pa.string())]
    return pa.table([list(values), list(values.values())], schema=pa.schema(fields))
