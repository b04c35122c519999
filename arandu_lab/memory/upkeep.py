"""Units of work that no message brings: corrections, repairs, counted retrievals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.knowledge import MemoryFact
from arandu_lab.pure import ids, versions
from arandu_lab.pure.standing import doubted
from arandu_lab.pure.text import names_in
from arandu_lab.records import MARK, Changes, Cluster, Decided, Entity, Event, Fact, Link, Observation, Row, Vector
from arandu_lab.results import WriteResult

if TYPE_CHECKING:
    from arandu_lab.memory.face import Memory

EMBEDDED = (Event, Fact, Entity, Cluster, Observation, MemoryFact)
"""Records that are found by a vector."""

_BATCH = 256

MOST_COUNTED = 1000
"""Retrievals of one fact that are counted; more say nothing more (R11)."""


async def correct(memory: Memory, agent_id: str, fact_id: str, text: str, occurred_at: datetime | None) -> WriteResult:
    """Replace a fact by what the user says is right: the old one never held, and edges that rested on it alone fall."""
    if not isinstance(text, str) or not text.strip():
        raise ConfigError(f"text={text!r}: a correction wants words")
    vector = (await memory.embed([text]))[0]
    async with memory.store.serial(agent_id):
        with memory.store.still():
            old, new, rows = _correction(memory, agent_id, fact_id, text, vector, occurred_at)
            memory.store.append("edit", agent_id, rows, unit_id=f"correct:{new.id}", recorded_at=new.recorded_at)
    done = Decided(action="UPDATE", fact=new, before=old, why="correction")
    return WriteResult(event_id=None, facts_updated=(new,), decided=(done,), mode="correction")


def _correction(
    memory: Memory, agent_id: str, fact_id: str, text: str, vector: Vector | None, occurred_at: datetime | None
) -> tuple[Fact, Fact, list[Row]]:
    """The fact, the corrected one, and every row that changes with it, from the newest view."""
    view = memory.store.view(agent_id)
    old = view.fact(fact_id)
    if old is None or (old.valid_to is not None and old.closed_by != "stated"):
        raise ConfigError(f"agent {agent_id!r} has no open fact {fact_id!r} to correct")
    moment = memory.clock()
    at = occurred_at or moment
    new = replace(
        old,
        id=ids.derive("correction", fact_id, text, at.isoformat()),
        text=text,
        vector=vector,
        recorded_at=moment,
        supersedes_fact_id=old.id,
        user_correction_count=old.user_correction_count + 1,
        last_confirmed_at=at,
        confidence=max(old.confidence, memory.config.confidence_values["explicit"]),
        source_context=None,
        premise_ids=(),
        stale_since=None,
        stale_why=None,
    )
    closed = replace(versions.closed(old, old.valid_from, "correction"), invalidated_at=moment)
    after = {closed.id: closed, new.id: new}
    fallen, mirrors = versions.cascade(
        [closed.id], view.edges(), lambda one: after.get(one) or view.fact(one), old.valid_from
    )
    names = {folded: keys[0] for folded, keys in view.aliases().items() if len(keys) == 1}
    named = names_in(text, names, min_chars=memory.config.entity_min_chars)
    links = [
        Link(fact_id=new.id, agent_id=agent_id, entity_key=key, primary=key == new.entity_key, recorded_at=moment)
        for key in dict.fromkeys((new.entity_key, *named))
    ]
    edges = [replace(edge, invalidated_at=moment) for edge in fallen]
    mirrored = [replace(mirror, invalidated_at=moment) for _, mirror in mirrors]
    doubts = doubted([closed, *mirrored], view.fact, view.resting_on, at)
    return old, new, [closed, new, *links, *edges, *mirrored, *doubts]


async def mend(memory: Memory, agent_id: str, changes: Changes) -> None:
    """After a write whose embedder answered: embed what earlier writes had to leave without a vector (W6).

    An agent is looked through once, and again after each write that left something; a failing embedder is left alone.
    """
    if any(isinstance(row, Event | Fact) and row.vector is None for row in changes.rows):
        memory.mended.discard(agent_id)
        return
    if agent_id in memory.mended:
        return
    try:
        await repair(memory, agent_id)
    except BackendError:
        return  # the write itself is done; the rows stay marked by their missing vectors
    memory.mended.add(agent_id)


async def repair(memory: Memory, agent_id: str) -> int:
    """Embed every row that lacks a vector; returns how many were mended.

    The agent may change while the embedder works: only vectors are set, on the rows as they are then.
    """
    texts = {_key(row): _words(row) for row in memory.store.view(agent_id).rows() if _lacks(row)}
    vectors = dict(zip(texts, await memory.embed(list(texts.values())) if texts else [], strict=True))
    view = memory.store.view(agent_id)
    mended: list[Row] = [
        replace(row, vector=vectors[_key(row)])
        for row in view.rows()
        if isinstance(row, EMBEDDED) and row.vector is None and vectors.get(_key(row)) is not None
    ]
    if mended:
        unit = f"repair:{view.sequence}"
        memory.store.append("edit", agent_id, mended, unit_id=unit, recorded_at=memory.clock(), expects=view.sequence)
    return len(mended)


def _lacks(row: Row) -> bool:
    seen = isinstance(row, Observation) and row.kind == MARK
    return isinstance(row, EMBEDDED) and row.vector is None and not seen


def _key(row: Row) -> tuple[str, str]:
    return (type(row).__name__, row.key if isinstance(row, Entity) else str(getattr(row, "id", "")))


def _words(row: Row) -> str:
    """What of a row is embedded."""
    match row:
        case Entity():
            return row.name
        case MemoryFact():
            return row.content
        case Cluster():
            return ". ".join(part for part in (row.label, row.summary) if part.strip())
        case _:
            return str(getattr(row, "text", ""))


@dataclass
class Retrievals:
    """Counts of facts that entered a context, written down in batches and when the memory closes (R11)."""

    pending: dict[str, Counter[str]] = field(default_factory=dict)

    def count(self, memory: Memory, agent_id: str, fact_ids: Iterable[str]) -> None:
        """One more for each fact."""
        with memory.store.still():
            counts = self.pending.setdefault(agent_id, Counter())
            counts.update(fact_ids)
            if sum(counts.values()) >= _BATCH:
                self._commit(memory, agent_id)

    def write_down(self, memory: Memory) -> None:
        """Commit what is pending."""
        with memory.store.still():
            for agent_id in list(self.pending):
                self._commit(memory, agent_id)

    def _commit(self, memory: Memory, agent_id: str) -> None:
        counts = self.pending.get(agent_id, Counter())
        view, moment = memory.store.view(agent_id), memory.clock()
        rows = [
            replace(fact, times_retrieved=_counted(fact.times_retrieved, number), last_retrieved_at=moment)
            for fact_id, number in counts.items()
            if (fact := view.fact(fact_id)) is not None
        ]
        if rows:
            memory.store.append("job", agent_id, rows, unit_id=f"retrieved:{view.sequence}", recorded_at=moment)
        self.pending.pop(agent_id, None)


def _counted(before: int, number: int) -> int:
    return max(before, min(before + number, MOST_COUNTED))
