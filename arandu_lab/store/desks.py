"""Agents in memory: their newest views, loaded on demand, kept current, and dropped when room is needed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from arandu_lab.store import projections, segments, sql
from arandu_lab.store.books import undisturbed
from arandu_lab.store.commit import agent_named
from arandu_lab.store.journal import Unit
from arandu_lab.store.schema import RECORDS, Image, fields
from arandu_lab.store.tables import Mark, Tables
from arandu_lab.store.terms import fingerprint
from arandu_lab.store.view import AgentView

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")

ROW_BYTES = 1_600
"""What a row with a text takes in memory beside its vector, about."""

SMALL_BYTES = 700
"""What a link, a name or an edge takes."""

SMALL = ("aliases", "fact_entity_links", "relationships", "domains", "access_grants", "episodic_edges")
"""Tables of such rows; of every other one, whatever comes to the schema, rows are taken to hold a text."""

_WEIGHED_FOR = 256
"""Units after which an agent's size is counted again."""


@dataclass(slots=True)
class Desk:
    """A loaded agent: its newest view and the units in its journal (unit id -> seq)."""

    view: AgentView
    units: dict[str, int]


class Desks:
    """The loaded agents of a store, and the tail of the journal that the tables do not hold yet.

    ``seq`` is the last unit known. ``pending`` is the tail (kept by the writer only). Callers hold the store's lock.
    """

    def __init__(self, tables: Tables, dim: int, *, read_only: bool, view_bytes: int, seq: int = 0) -> None:
        self._tables, self._dim, self._read_only, self._view_bytes = tables, dim, read_only, view_bytes
        self._desks: OrderedDict[str, Desk] = OrderedDict()
        self._weighed: dict[str, tuple[int, int]] = {}
        self._mark: Mark | None = None
        self.pending: list[Unit] = []
        self.seq = seq

    def __len__(self) -> int:
        return len(self._desks)

    def __getitem__(self, agent_id: str) -> Desk:
        """The agent's desk, loaded when it is not here; the least recently used ones make room."""
        desk = self._desks.get(agent_named(agent_id))
        if desk is None:
            with undisturbed():
                desk = self._desks[agent_id] = self._load(agent_id)
        self._desks.move_to_end(agent_id)
        held = sum(other.view.nbytes for other in self._desks.values())
        while held > self._view_bytes and len(self._desks) > 1:
            held -= self._desks.popitem(last=False)[1].view.nbytes
        return desk

    def heavy(self, agent_id: str) -> bool:
        """Whether an agent that is not here would take more than all views may."""
        if agent_id in self._desks:
            return False
        if self._read_only:
            self.catch_up()
        counted, most = self._weighed.get(agent_id, (-1, 0))
        if counted < 0 or self.seq - counted > _WEIGHED_FOR:
            mine = sql.of_agent(agent_id)
            most = sum(self._row_bytes(table) * self._tables.count(table, mine) for table in self._tables.projections)
            self._weighed[agent_id] = (self.seq, most)
        return most > self._view_bytes

    def _row_bytes(self, table: str) -> int:
        """What a row of a table takes in memory, about: with its vector where the table has one."""
        vector = 4 * self._dim if any(form == "vector" for _, form in fields(RECORDS[table])) else 0
        return (SMALL_BYTES if table in SMALL else ROW_BYTES) + vector

    def views(self) -> list[AgentView]:
        """The loaded views."""
        return [desk.view for desk in self._desks.values()]

    def clear(self) -> None:
        """Forget every loaded view (they load again)."""
        self._desks.clear()

    def drop(self, agent_id: str) -> None:
        """Forget one loaded view."""
        self._desks.pop(agent_id, None)

    def take(self, unit: Unit) -> None:
        """A unit that is in the journal reaches the loaded view and the tail."""
        self.seq = unit.seq
        if not self._read_only:
            self.pending.append(unit)
        desk = self._desks.pop(unit.agent_id, None)
        if desk is None:
            return
        if unit.seq > desk.view.sequence:
            desk.units[unit.id] = unit.seq
            desk.view = desk.view.advance(unit)
        self._desks[unit.agent_id] = desk

    def catch_up(self) -> int:
        """Take in the units that are in the journal and not here; how many. A reader looks only where it has changed."""
        mark = self._tables.mark(*segments.BOTH)
        if self._read_only and mark == self._mark:
            return 0
        self._tables.newest(segments.HOT)
        units = list(segments.read(self._tables, self._dim, sql.after(self.seq)))
        for unit in units:
            self.take(unit)
        self._mark = mark
        return len(units)

    def watermark(self) -> int:
        """The last unit that the tables surely hold."""
        if self._read_only:
            return int(self._tables.meta()["watermark"])
        return self.pending[0].seq - 1 if self.pending else self.seq

    def steadily(self, read: Callable[[int], T]) -> tuple[int, T]:
        """What ``read`` finds in the tables, told the watermark, and that watermark.

        Should it fall meanwhile, another process is rebuilding the tables: once more.
        """
        while True:
            watermark = self.watermark()
            found = self._tables.again(partial(read, watermark))
            if self.watermark() >= watermark:
                return watermark, found

    def tail(self, watermark: int, agent_id: str | None) -> Sequence[Unit]:
        """Units beyond the watermark, of one agent or of all."""
        if self._read_only:
            mine = "" if agent_id is None else sql.of_agent(agent_id)
            return list(segments.read(self._tables, self._dim, sql.both(sql.after(watermark), mine)))
        return [unit for unit in self.pending if agent_id is None or unit.agent_id == agent_id]

    def differences(self) -> list[str]:
        """Where loaded views differ from a replay of the journal."""
        found: list[str] = []
        for view in self.views():
            until = sql.both(sql.of_agent(view.agent_id), sql.up_to(view.sequence))
            found += projections.view_differences(view, segments.read(self._tables, self._dim, until))
        return found

    def _load(self, agent_id: str) -> Desk:
        """Rows from the tables, then the tail of the journal over them.

        The tables are read one after the other, and a writer may have brought some beyond the watermark read before
        them (a link whose fact was not there yet): only what the watermark covers counts, and the tail gives the rest,
        absolutely.
        """
        mine = sql.of_agent(agent_id)

        def read(watermark: int) -> tuple[pa.Table, list[Image], Sequence[Unit]]:
            known = segments.select(self._tables, mine, ["unit_id", "seq"])
            images: list[Image] = []
            if any(seq <= watermark for seq in known["seq"].to_pylist()):
                held = (image for table in self._tables.projections for image in self._tables.images(table, mine))
                images = [image for image in held if image.seq <= watermark]
            return known, images, self.tail(watermark, agent_id)

        watermark, (known, images, tail) = self.steadily(read)
        seqs = known["seq"].to_pylist()
        if images and self._tables.meta()["terms"] != fingerprint():
            images = [image._replace(words=None) for image in images]
        settled = max((seq for seq in seqs if seq <= watermark), default=0)
        view = AgentView.of(agent_id, images, settled, fresh=True)
        units = dict(zip(known["unit_id"].to_pylist(), seqs, strict=True))
        for unit in tail:
            view = view.advance(unit)
            units[unit.id] = unit.seq
        return Desk(view, units)
