"""The store: one append to the journal is the commit; agents are read from memory; tables follow behind.

::

    append ──> journal (acknowledged) ──> the agent's view ──> every 64 units: tables, one merge each ──> watermark

Locks are taken in one order: ``_projecting`` (one applier at a time), then ``_lock`` (journal, views, tail).
"""

from __future__ import annotations

import logging
import os
import threading
import weakref
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, contextmanager, nullcontext
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from arandu_lab.errors import BackendError, ConfigError, nearest
from arandu_lab.records import Row
from arandu_lab.store import copying, doctor, forget, indexes, mend, place, projections, segments
from arandu_lab.store.commit import Moved, agent_named, drafted, made
from arandu_lab.store.desks import Desk, Desks
from arandu_lab.store.journal import UnitKind
from arandu_lab.store.lease import Lease
from arandu_lab.store.meta import adopted, fresh_meta, headed, refuse_other
from arandu_lab.store.queues import Queues
from arandu_lab.store.schema import PROJECTED, stored_key
from arandu_lab.store.searching import Wide
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


class Store:
    """A store directory (or ``memory://``), open for writing by one process or for reading by many."""

    def __init__(
        self, tables: Tables, *, path: str, dim: int, lease: Lease | None, view_bytes: int, seq: int = 0
    ) -> None:
        """Use ``Store.open``."""
        self.path, self.dim, self.read_only = path, dim, path != MEMORY and lease is None
        self._tables, self._lease = tables, lease
        self._desks = Desks(tables, dim, read_only=self.read_only, view_bytes=view_bytes, seq=seq)
        self._lock, self._projecting = threading.RLock(), threading.RLock()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="arandu-store")
        self._work: Future[None] | None = None
        self._queues, self._project_at = Queues(), PROJECT_EVERY
        self._users, self._stills, self._closed, self._unsure = 1, 0, False, False

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
        ``durability="power"`` forces every commit to the disk. ``view_bytes`` bounds the memory of loaded agents.

        Raises:
            ConfigError: the store holds vectors of another embedder, has another layout, or there is none to read; the
                path cannot be a store; this user may not write there.
            BackendError: another process writes (``kind="lease"``), the disk failed or has lost what the journal
                acknowledged (``kind="store"``). What is only made from the journal is rebuilt, with a warning.
        """
        if durability not in ("process", "power"):
            raise ConfigError(f"durability {durability!r}; {nearest(durability, ('process', 'power'))}")
        wanted = fresh_meta(embedder_name, embedder_dim)
        if str(path) == MEMORY:
            tables = Tables(MEMORY)
            tables.create(embedder_dim, wanted)
            return cls(tables, path=MEMORY, dim=embedder_dim, lease=None, view_bytes=view_bytes)
        where = place.real(path)
        if read_only:
            with place.disk(where):
                return cls._open_reader(where, wanted, view_bytes)
        with _opening, place.disk(where):
            shared = _writers.get(where)
            if shared is not None and not shared._closed:
                refuse_other(where, shared._tables.meta(), wanted)
                shared._users += 1
                return shared
            place.make(where)
            lease = Lease(Path(where), timeout=lease_timeout)
            try:
                store = cls._open_writer(where, wanted, lease, durability, view_bytes)
            except BaseException:  # whatever stopped the opening, Ctrl-C too, the lease goes back; then it is raised on
                lease.release()
                raise
            _writers[where] = store
            return store

    @classmethod
    def adopt(cls, path: str | os.PathLike[str], *, embedder_name: str, embedder_dim: int) -> None:
        """Give a closed store to another embedder: old vectors are dropped; ``Memory.repair`` embeds the texts anew."""
        where = place.real(path)
        with _opening, place.disk(where):
            if where in _writers and not _writers[where]._closed:
                raise ConfigError(f"{where} is open in this process; close it before it changes its embedder")
            if not os.path.isdir(where):
                raise ConfigError(f"no store at {where}; Store.open creates one")
            lease = Lease(Path(where), timeout=1.0)
            try:
                doctor.heal(Path(where))
                tables = Tables(where)
                headed(tables, wanted := fresh_meta(embedder_name, embedder_dim))
                adopted(tables, wanted, embedder_dim)
            finally:
                lease.release()

    # ------------------------------------------------------------ one agent

    def view(self, agent_id: str) -> AgentView:
        """The agent's memory as of now, whoever wrote last: frozen, and safe to keep across an ``await``."""
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
        births: Mapping[tuple[str, str], int] | None = None,
    ) -> int:
        """Commit one unit of work: absolute images of the rows it touches, and the rows it takes away.

        Returns the unit's ``seq`` once it is in the journal. A unit id that the agent's journal already holds changes
        nothing and gives the old ``seq``. Of two images of one row the last counts. ``removed`` takes rows out of every
        current read (a merge of entities moving its links); what was said stays in the journal: see ``forget``.
        ``births`` gives rows their place in the order of arrival (by ``row_key``), where it is not the end.

        Raises:
            Moved: the agent's sequence is not ``expects``.
            ConfigError: rows that cannot be stored or belong to another agent.
            BackendError: the disk failed; append the same unit id again to learn whether it arrived.
        """
        self._writable()
        images = drafted(kind, agent_named(agent_id), rows, removed, unit_id, self.dim)
        with self._lock:
            desk = self._desk(agent_id)
            if unit_id in desk.units:
                return desk.units[unit_id]
            if expects is not None and expects != desk.view.sequence:
                raise Moved(agent_id, expects, desk.view.sequence)
            seq = self._desks.seq + 1
            unit = made(
                kind, desk.view, *images, seq=seq, unit_id=unit_id, recorded_at=recorded_at, note=note, births=births
            )
            self._unsure = True
            segments.record(self._tables, unit)
            self._unsure = False
            self._desks.take(unit)
        if len(self._desks.pending) >= self._project_at:
            self._schedule()
        return seq

    def serial(self, agent_id: str) -> AbstractAsyncContextManager[None]:
        """The agent's queue: one task at a time, from grounding to commit."""
        return self._queues.of(agent_named(agent_id))

    @contextmanager
    def still(self, *, erasing: bool = False) -> Iterator[None]:
        """What is read and appended inside is one step: no unit comes between, of another thread or of another process.

        ``erasing``: it may forget.
        """
        with self._projecting if erasing else nullcontext(), self._lock:
            self.refresh()
            self._stills += 1
            try:
                yield
            finally:
                self._stills -= 1

    def forget(
        self,
        agent_id: str,
        rows: Iterable[Row],
        *,
        unit_id: str,
        recorded_at: datetime,
        instead: Iterable[Row] = (),
        note: str | None = None,
    ) -> int:
        """Erase rows from views, tables, their old versions and the journal itself; returns the ``seq`` of the record.

        What stays is a ``forget`` unit with hashes of the rows' keys. The caller names every row that must go (links,
        summaries); of a row in ``instead`` only this image stays. Interrupted, the next opening finishes it.
        """
        gone, kept = list(rows), list(instead)
        with self._projecting, self._lock:
            seq = self.append(
                "forget", agent_id, kept, unit_id=unit_id, recorded_at=recorded_at, removed=gone, note=note
            )
            self._project_locked()
            forget.erase(self._tables, self.dim, agent_id, {stored_key(row) for row in (*gone, *kept)}, seq)
            self._desks.drop(agent_id)
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
        if table not in ("journal", *PROJECTED):
            raise ConfigError(f"table {table!r}; {nearest(table, ('journal', *PROJECTED))}")
        return self.wide.frame(table, None if agent_id is None else agent_named(agent_id))

    @property
    def wide(self) -> Wide:
        """Reading without an agent's whole view: over many agents, or in one too large for memory."""
        self._open()
        return Wide(self._tables, self._desks, self._lock, self.dim)

    def index(self) -> dict[str, tuple[str, ...]]:
        """Make or renew the indexes of facts and events; the indexed columns per table."""
        self.flush()
        with self._projecting, self._lock:
            return indexes.build(self._tables)

    def refresh(self) -> int:
        """Take in what another process has committed since; the number of units (0 for the writer itself).

        Every look at an agent begins with it.
        """
        self._open()
        with self._lock:
            taken = self._desks.catch_up() if self._unsure or (self.read_only and not self._stills) else 0
            self._unsure = False
            return taken

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
            replayed = projections.rebuild(self._tables, self.dim)
            self._desks.pending.clear()
            self._desks.clear()
            return replayed

    def verify(self) -> list[str]:
        """Where tables or loaded views differ from a replay of the journal, one line each; empty when all agree."""
        if not self.read_only:
            self.flush()
        self._open()
        with self._lock:
            return [*projections.differences(self._tables, self.dim), *self._desks.differences()]

    def fork(self, path: str | os.PathLike[str]) -> Store:
        """A copy under another path (or ``memory://``), open for writing and independent of this one."""
        return copying.fork(self, path)

    def scale(self, put: str | None = None) -> str | None:
        """The calibration of the vectors' cosines as JSON text (``put`` down first); None: never put down."""
        if put is not None:
            self._writable()
            self._tables.set_meta(calibration=put)
        return self._tables.meta().get("calibration")

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
                if not self.read_only and self.path != MEMORY:
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

    @classmethod
    def _open_writer(cls, where: str, wanted: dict[str, str], lease: Lease, durability: str, view_bytes: int) -> Store:
        for line in doctor.heal(Path(where)):
            _log.warning("%s: %s", where, line)
        dim, tables = int(wanted["embedder_dim"]), Tables(where, durable=durability == "power")
        seq = mend.opened(tables, wanted)
        store = cls(tables, path=where, dim=dim, lease=lease, view_bytes=view_bytes, seq=seq)
        weakref.finalize(store, lease.release)
        return store

    @classmethod
    def _open_reader(cls, where: str, wanted: dict[str, str], view_bytes: int) -> Store:
        if not os.path.isdir(where):
            raise ConfigError(f"no store at {where}; open it without read_only=True to create one")
        dim, tables = int(wanted["embedder_dim"]), Tables(where, alone=False)
        seq = mend.read(tables, wanted)
        return cls(tables, path=where, dim=dim, lease=None, view_bytes=view_bytes, seq=seq)

    def _desk(self, agent_id: str) -> Desk:
        self.refresh()
        return self._desks[agent_id]

    def _schedule(self) -> None:
        if self._work is None or self._work.done():
            self._work = self._pool.submit(self._project)

    def _project(self) -> None:
        with self._projecting:
            try:
                self._project_locked()
                self._project_at = PROJECT_EVERY
            except BackendError as fault:
                self._project_at = len(self._desks.pending) + PROJECT_EVERY
                _log.error("%s: tables fall behind the journal, next try in a while: %.500s", self.path, fault)

    def _project_locked(self) -> None:
        with self._lock:
            units = list(self._desks.pending)
        if not units:
            return
        projections.apply(self._tables, units, self.dim)
        with self._lock:
            self._desks.pending = [unit for unit in self._desks.pending if unit.seq > units[-1].seq]
        self._tables.tidy()

    def _open(self) -> None:
        if self._closed:
            raise ConfigError(f"the store {self.path} is closed")

    def _writable(self) -> None:
        self._open()
        if self.read_only:
            raise ConfigError(f"the store {self.path} was opened with read_only=True")
