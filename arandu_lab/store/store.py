"""The store: one append to the journal is the commit; agents are read from memory; tables follow behind.

::

    append ──> journal (acknowledged) ──> the agent's view ──> every 64 units: tables, one merge each ──> watermark

Locks are taken in one order: ``_projecting`` (one applier at a time), then ``_lock`` (journal, views, tail).
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import threading
import weakref
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from arandu_lab.errors import BackendError, ConfigError, nearest
from arandu_lab.records import Fact, Link, Row
from arandu_lab.store import doctor, forget, projections, segments, sql
from arandu_lab.store.journal import Unit, UnitKind, checked, cleaned
from arandu_lab.store.lease import Lease
from arandu_lab.store.meta import adopted, fresh_meta, refuse_other
from arandu_lab.store.schema import PROJECTIONS, row_key, stored_key, to_arrow
from arandu_lab.store.tables import Tables
from arandu_lab.store.view import AgentView
from arandu_lab.units import Seconds

if TYPE_CHECKING:
    import polars as pl

PROJECT_EVERY = 64
"""Units after which the tables are brought up to date in the background."""

MEMORY = "memory://"

_log = logging.getLogger(__name__)
_opening = threading.Lock()
_writers: weakref.WeakValueDictionary[str, Store] = weakref.WeakValueDictionary()


class Moved(BackendError):
    """The agent's journal is not where the writer thought: draft again from the newest view."""

    def __init__(self, agent_id: str, expected: int, found: int) -> None:
        super().__init__(
            f"agent {agent_id[:80]!r} is at sequence {found}, the unit expects {expected}", kind="store", backend="journal"
        )
        self.agent_id, self.expected, self.found = agent_id, expected, found

    def __reduce__(self) -> tuple[object, ...]:
        return (Moved, (self.agent_id, self.expected, self.found))


@dataclass(slots=True)
class Desk:
    """A loaded agent: its newest view and the units in its journal (unit id -> seq)."""

    view: AgentView
    units: dict[str, int]


class Store:
    """A store directory (or ``memory://``), open for writing by one process or for reading by many."""

    def __init__(self, tables: Tables, *, path: str, dim: int, lease: Lease | None, view_bytes: int) -> None:
        """Use ``Store.open``."""
        self.path, self.dim, self.read_only = path, dim, path != MEMORY and lease is None
        self._tables, self._lease, self._view_bytes = tables, lease, view_bytes
        self._lock, self._projecting = threading.RLock(), threading.Lock()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="arandu-store")
        self._work: Future[None] | None = None
        self._desks: OrderedDict[str, Desk] = OrderedDict()
        self._queues: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, asyncio.Lock]] = (
            weakref.WeakKeyDictionary()
        )
        self._users, self._closed, self._unsure = 1, False, False
        self._pending: list[Unit] = []
        self._seq, self._project_at = 0, PROJECT_EVERY

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        embedder_name: str,
        embedder_dim: int,
        read_only: bool = False,
        lease_timeout: Seconds = 10.0,
        durability: Literal["process", "power"] = "process",
        view_bytes: int = 1 << 29,
    ) -> Store:
        """Open or create a store, take the writer's lease, heal what a crash left, replay what the tables lack.

        Opening a path that this process already writes gives the same store again; it closes with its last user.
        ``durability="power"`` forces every commit to the disk (tens of milliseconds). ``view_bytes`` bounds the memory
        of loaded agents.

        Raises:
            ConfigError: the store holds vectors of another embedder, has another layout, or there is none to read.
            BackendError: another process writes (``kind="lease"``), or the disk failed (``kind="store"``).
        """
        if durability not in ("process", "power"):
            raise ConfigError(f"durability {durability!r}; {nearest(durability, ('process', 'power'))}")
        wanted = fresh_meta(embedder_name, embedder_dim)
        if str(path) == MEMORY:
            tables = Tables(MEMORY)
            tables.create(embedder_dim, wanted)
            return cls(tables, path=MEMORY, dim=embedder_dim, lease=None, view_bytes=view_bytes)
        where = os.path.realpath(path)
        if read_only:
            return cls._open_reader(where, wanted, view_bytes)
        with _opening:
            shared = _writers.get(where)
            if shared is not None and not shared._closed:
                refuse_other(where, shared._tables.meta(), wanted)
                shared._users += 1
                return shared
            _make_directory(where)
            lease = Lease(Path(where), timeout=lease_timeout)
            try:
                store = cls._open_writer(where, wanted, lease, durability, view_bytes)
            except BaseException:
                lease.release()
                raise
            _writers[where] = store
            return store

    @classmethod
    def adopt(cls, path: str | os.PathLike[str], *, embedder_name: str, embedder_dim: int) -> None:
        """Give a closed store to another embedder: old vectors are dropped; ``Memory.repair`` embeds the texts anew."""
        where = os.path.realpath(path)
        with _opening:
            if where in _writers and not _writers[where]._closed:
                raise ConfigError(f"{where} is open in this process; close it before it changes its embedder")
            lease = Lease(Path(where), timeout=1.0)
            try:
                doctor.heal(Path(where))
                tables = Tables(where)
                tables.open()
                adopted(tables, fresh_meta(embedder_name, embedder_dim), embedder_dim)
            finally:
                lease.release()

    # ------------------------------------------------------------ one agent

    def view(self, agent_id: str) -> AgentView:
        """The agent's memory as of now: frozen, and safe to keep across an ``await``."""
        with self._lock:
            return self._desk(agent_id).view

    def has(self, agent_id: str, unit_id: str) -> bool:
        """Whether a unit of work is in the agent's journal."""
        with self._lock:
            return unit_id in self._desk(agent_id).units

    def append(
        self,
        kind: UnitKind,
        agent_id: str,
        rows: Iterable[Row],
        *,
        unit_id: str,
        recorded_at: datetime,
        expects: int | None = None,
        removed: Iterable[Row] = (),
        note: str | None = None,
    ) -> int:
        """Commit one unit of work: absolute images of the rows it touches, and the rows it takes away.

        Returns the unit's ``seq`` once it is in the journal. A unit id that the agent's journal already holds changes
        nothing and gives the old ``seq``. Of two images of one row the last counts. ``removed`` takes rows out of every
        current read (a merge of entities moving its links); what was said stays in the journal: see ``forget``.

        Raises:
            Moved: the agent's sequence is not ``expects``.
            ConfigError: rows that cannot be stored or belong to another agent.
            BackendError: the disk failed; append the same unit id again to learn whether it arrived.
        """
        self._writable()
        images = {row_key(row): row for row in map(cleaned, rows)}
        checked(kind, agent_id, unit_id, tuple(images.values()), tuple(removed := list(removed)), self.dim)
        with self._lock:
            desk = self._desk(agent_id)
            if unit_id in desk.units:
                return desk.units[unit_id]
            if expects is not None and expects != desk.view.sequence:
                raise Moved(agent_id, expects, desk.view.sequence)
            _links_hold(desk.view, images.values())
            seq = self._seq + 1
            births = (desk.view.born(row) for row in images.values())
            unit = Unit(
                id=unit_id,
                seq=seq,
                kind=kind,
                agent_id=agent_id,
                recorded_at=recorded_at,
                rows=tuple(images.values()),
                born=tuple(_birth(seq, place) if born is None else born for place, born in enumerate(births)),
                removed=tuple(stored_key(cleaned(row)) for row in removed),
                note=note,
            )
            self._unsure = True
            segments.record(self._tables, unit)
            self._unsure = False
            self._take(unit)
        if len(self._pending) >= self._project_at:
            self._schedule()
        return seq

    @asynccontextmanager
    async def serial(self, agent_id: str) -> AsyncIterator[None]:
        """The agent's queue: one task of this event loop at a time, from grounding to commit."""
        queues = self._queues.setdefault(asyncio.get_running_loop(), {})
        async with queues.setdefault(_agent(agent_id), asyncio.Lock()):
            yield

    def forget(
        self, agent_id: str, rows: Iterable[Row], *, unit_id: str, recorded_at: datetime, note: str | None = None
    ) -> int:
        """Erase rows from views, tables, their old versions and the journal itself; returns the ``seq`` of the record.

        What stays is a ``forget`` unit with keyed hashes of the rows. The caller names every row that must go (facts
        derived, links, summaries). Interrupted, the next opening finishes it.
        """
        gone = list(rows)
        with self._projecting, self._lock:
            seq = self.append("forget", agent_id, (), unit_id=unit_id, recorded_at=recorded_at, removed=gone, note=note)
            self._project_locked()
            forget.erase(self._tables, self.dim, agent_id, {stored_key(row) for row in gone}, seq)
            self._desks.pop(agent_id, None)
            return seq

    # ------------------------------------------------------------ the whole store

    def agents(self) -> tuple[str, ...]:
        """Every agent that has a unit in the journal, sorted."""
        self._open()
        return tuple(sorted(set(segments.select(self._tables, columns=["seq", "agent_id"])["agent_id"].to_pylist())))

    def frame(self, table: str, agent_id: str | None = None) -> pl.DataFrame:
        """A table with all versions of all its rows, as polars; of one agent, or of all when None.

        Rows of units that the tables have not seen yet are included. Order: agent, then first arrival.
        """
        import polars as pl
        import pyarrow as pa

        if table not in ("journal", *PROJECTIONS):
            raise ConfigError(f"table {table!r}; {nearest(table, ('journal', *PROJECTIONS))}")
        self._open()
        where = "" if agent_id is None else sql.of_agent(_agent(agent_id))
        with self._lock:
            if table == "journal":
                return pl.DataFrame(pl.from_arrow(segments.select(self._tables, where)))
            watermark = self._watermark()
            found = self._tables.select(table, where)
            fold = projections.Fold.of(self._tail(watermark, agent_id))
        stored = pl.DataFrame(pl.from_arrow(found))
        fresh = pl.DataFrame(pl.from_arrow(to_arrow(table, fold.images[table].values(), self.dim)))
        over = pl.Series("id", [*fold.images[table], *fold.removed[table]], dtype=pl.String)
        assert isinstance(found, pa.Table)
        kept = stored.filter(~pl.col("id").is_in(over.implode()))
        return pl.concat([kept, fresh.select(kept.columns)]).sort("agent_id", "born", "id")

    def refresh(self) -> int:
        """Take in what another process has committed since; the number of units (0 for the writer itself)."""
        self._open()
        with self._lock:
            if not self.read_only and not self._unsure:
                return 0
            units = list(segments.read(self._tables, self.dim, sql.after(self._seq)))
            for unit in units:
                self._take(unit, keep=not self.read_only)
            self._unsure = False
            return len(units)

    def flush(self) -> None:
        """Bring the tables up to the journal now.

        Raises:
            BackendError: the disk failed, now or in the background since the last flush.
        """
        self._writable()
        with self._projecting:
            self._project_locked()
        if self._work is not None and self._work.done():
            self._work = None

    def rebuild(self) -> int:
        """Drop every table but the journal and replay it; the number of units."""
        self._writable()
        with self._projecting, self._lock:
            self._pending.clear()
            return projections.rebuild(self._tables, self.dim)

    def verify(self) -> list[str]:
        """Where tables or loaded views differ from a replay of the journal, one line each; empty when all agree."""
        if not self.read_only:
            self.flush()
        self._open()
        with self._lock:
            found = list(projections.differences(self._tables, self.dim))
            for agent_id, desk in self._desks.items():
                until = sql.both(sql.of_agent(agent_id), sql.up_to(desk.view.sequence))
                found += projections.view_differences(desk.view, segments.read(self._tables, self.dim, until))
            return found

    def fork(self, path: str | os.PathLike[str]) -> Store:
        """A copy under another path (or ``memory://``), open for writing and independent of this one."""
        self._open()
        meta = self._tables.meta()
        name, dim = meta["embedder_name"], int(meta["embedder_dim"])
        if str(path) != MEMORY:
            _make_directory(target := os.path.realpath(path))
            if any(Path(target).iterdir()):
                raise ConfigError(f"{target} is not empty; fork into a new directory")
            if not self.read_only and self.path != MEMORY:
                self.flush()
                with self._projecting, self._lock:
                    ignored = shutil.ignore_patterns("writer.lock", ".tmp*")
                    shutil.copytree(self.path, target, dirs_exist_ok=True, ignore=ignored)
                return Store.open(target, embedder_name=name, embedder_dim=dim)
        copy = Store.open(path, embedder_name=name, embedder_dim=dim)
        with self._lock:
            copy._tables.append(segments.COLD, segments.select(self._tables))
        copy.rebuild()
        copy._seq = copy._last_seq()
        return copy

    def size(self) -> int:
        """Bytes on disk (0 for ``memory://``)."""
        return 0 if self.path == MEMORY else doctor.size(Path(self.path))

    def close(self) -> None:
        """Bring the tables up to date and let the next writer in; the last of several users closes."""
        with _opening:
            if self._closed:
                return
            self._users -= 1
            if self._users:
                return
            try:
                if not self.read_only:
                    self.flush()
            finally:
                self._closed = True
                self._pool.shutdown(wait=True)
                self._desks.clear()
                if self._lease is not None:
                    self._lease.release()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------ opening

    @classmethod
    def _open_writer(cls, where: str, wanted: dict[str, str], lease: Lease, durability: str, view_bytes: int) -> Store:
        for line in doctor.heal(Path(where)):
            _log.warning("%s: %s", where, line)
        dim = int(wanted["embedder_dim"])
        tables = Tables(where, durable=durability == "power")
        if tables.exists():
            tables.open()
            refuse_other(where, tables.meta(), wanted)
        else:
            tables.create(dim, wanted)
        store = cls(tables, path=where, dim=dim, lease=lease, view_bytes=view_bytes)
        weakref.finalize(store, lease.release)
        store._seq = projections.recover(tables, dim)
        forget.finish(tables, dim)
        return store

    @classmethod
    def _open_reader(cls, where: str, wanted: dict[str, str], view_bytes: int) -> Store:
        tables = Tables(where, alone=False)
        if not tables.exists():
            raise ConfigError(f"no store at {where}; open it without read_only=True to create one")
        tables.open()
        refuse_other(where, tables.meta(), wanted)
        store = cls(tables, path=where, dim=int(wanted["embedder_dim"]), lease=None, view_bytes=view_bytes)
        store._seq = store._last_seq()
        return store

    def _last_seq(self) -> int:
        return max(segments.select(self._tables, columns=["seq"])["seq"].to_pylist(), default=0)

    # ------------------------------------------------------------ views

    def _desk(self, agent_id: str) -> Desk:
        """The agent's desk, loaded when it is not here; the least recently used ones make room."""
        self._open()
        if self._unsure:
            self.refresh()
        desk = self._desks.get(_agent(agent_id))
        if desk is None:
            desk = self._desks[agent_id] = self._load(agent_id)
        self._desks.move_to_end(agent_id)
        held = sum(other.view.nbytes for other in self._desks.values())
        while held > self._view_bytes and len(self._desks) > 1:
            held -= self._desks.popitem(last=False)[1].view.nbytes
        return desk

    def _load(self, agent_id: str) -> Desk:
        """Rows from the tables, then the tail of the journal over them.

        The tables may be ahead of the watermark read before them; the tail repeats what they hold, absolutely.
        """
        mine = sql.of_agent(agent_id)
        while True:
            watermark = self._watermark()
            known = segments.select(self._tables, mine, ["unit_id", "seq"])
            seqs = known["seq"].to_pylist()
            images = []
            if any(seq <= watermark for seq in seqs):
                images = [image for table in PROJECTIONS for image in self._tables.images(table, mine)]
            tail = self._tail(watermark, agent_id)
            if self._watermark() >= watermark:
                break
        settled = max((seq for seq in seqs if seq <= watermark), default=0)
        view = AgentView.of(agent_id, images, settled)
        units = dict(zip(known["unit_id"].to_pylist(), seqs, strict=True))
        for unit in tail:
            view = view.advance(unit)
            units[unit.id] = unit.seq
        return Desk(view, units)

    def _take(self, unit: Unit, *, keep: bool = True) -> None:
        """A unit that is in the journal reaches the loaded view and the tail."""
        self._seq = unit.seq
        if keep:
            self._pending.append(unit)
        desk = self._desks.get(unit.agent_id)
        if desk is not None and unit.seq > desk.view.sequence:
            desk.units[unit.id] = unit.seq
            desk.view = desk.view.advance(unit)

    def _watermark(self) -> int:
        if self.read_only:
            return int(self._tables.meta()["watermark"])
        return self._pending[0].seq - 1 if self._pending else self._seq

    def _tail(self, watermark: int, agent_id: str | None) -> Sequence[Unit]:
        if self.read_only:
            mine = "" if agent_id is None else sql.of_agent(agent_id)
            return list(segments.read(self._tables, self.dim, sql.both(sql.after(watermark), mine)))
        return [unit for unit in self._pending if agent_id is None or unit.agent_id == agent_id]

    # ------------------------------------------------------------ projecting

    def _schedule(self) -> None:
        if self._work is None or self._work.done():
            self._work = self._pool.submit(self._project)

    def _project(self) -> None:
        with self._projecting:
            try:
                self._project_locked()
                self._project_at = PROJECT_EVERY
            except BackendError as fault:
                self._project_at = len(self._pending) + PROJECT_EVERY
                _log.error("%s: tables fall behind the journal, next try in a while: %.500s", self.path, fault)

    def _project_locked(self) -> None:
        with self._lock:
            units = list(self._pending)
        if not units:
            return
        projections.apply(self._tables, units, self.dim)
        with self._lock:
            self._pending = [unit for unit in self._pending if unit.seq > units[-1].seq]
        self._tables.tidy()

    def _open(self) -> None:
        if self._closed:
            raise ConfigError(f"the store {self.path} is closed")

    def _writable(self) -> None:
        self._open()
        if self.read_only:
            raise ConfigError(f"the store {self.path} was opened with read_only=True")


def _agent(agent_id: str) -> str:
    """The agent id itself, refused when it names nobody."""
    if not isinstance(agent_id, str) or not agent_id:
        raise ConfigError(f"agent_id {agent_id!r}; a text that is not empty is needed: no read or write spans agents")
    try:
        agent_id.encode()
    except UnicodeEncodeError as fault:
        raise ConfigError(f"agent_id {agent_id!r} holds half a surrogate pair") from fault
    return agent_id


def _make_directory(where: str) -> None:
    if os.path.exists(where) and not os.path.isdir(where):
        raise ConfigError(f"{where} is a file; a store is a directory")
    os.makedirs(where, exist_ok=True)


def _birth(seq: int, place: int) -> int:
    """Order of first arrival: by unit, then by place in it (up to a million rows)."""
    return (seq << 20) | place


def _links_hold(view: AgentView, rows: Iterable[Row]) -> None:
    rows = list(rows)
    fresh = {row.id for row in rows if isinstance(row, Fact)}
    for row in rows:
        if isinstance(row, Link) and row.fact_id not in fresh and view.fact_position(row.fact_id) is None:
            raise ConfigError(f"a link of {row.entity_key!r} names fact {row.fact_id!r}, which agent {row.agent_id!r} lacks")
