"""A conversation walked through once more, from question to question, with the memory as it was when each was put.

The journal of the ingest is applied unit by unit, by the code that the writer itself used, up to what had been heard. So a
question between two turns sees exactly the rows, indexes and order of rows that it saw in a replay.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from arandu_lab.bench.data.model import Conversation, Question
from arandu_lab.bench.plan import Row
from arandu_lab.bench.sweeps.ingested import Ingested, memory_of
from arandu_lab.errors import ConfigError
from arandu_lab.memory import Memory
from arandu_lab.pipeline import Lab
from arandu_lab.presets import Assembly
from arandu_lab.read.found import Query
from arandu_lab.store.journal import Unit, unpack
from arandu_lab.store.times import micros
from arandu_lab.store.view import AgentView
from arandu_lab.systems.arandu import AGENT
from arandu_lab.trace import Span


@dataclass(frozen=True, kw_only=True)
class Moment:
    """A question, the memory as it was then, and the ids of the turns heard by then.

    ``place`` is where the question stands in the conversation's own order, from 0.
    """

    place: int
    question: Question
    heard: Set[str]
    view: AgentView


@dataclass(frozen=True, kw_only=True)
class Walk:
    """The questions of one ingested conversation in order of ``asked_at``; iterate as often as you like.

    ``llm`` and ``embed`` are those of the row, the embedder on the scale that the store keeps. ``name`` is the row's.
    """

    name: str
    ingested: Ingested
    conversation: Conversation
    assembly: Assembly
    llm: Any
    embed: Any
    units: tuple[Unit, ...]

    def __iter__(self) -> Iterator[Moment]:
        """Each question with its moment. Views stay good after the walk has gone on."""
        for place, question, heard in order(self.conversation):
            yield Moment(place=place, question=question, heard=frozenset(self._ids[:heard]), view=self._views[heard])

    def lab(self, moment: Moment, span: Span, *, llm: Any = None) -> Lab:
        """The bench in front of the first stage, as :meth:`Memory.retrieve` sets it up; ``span`` is the trace's root."""
        return Lab(
            llm=self.llm if llm is None else llm,
            embed=self.embed,
            memory=moment.view,
            now=moment.question.asked_at,
            log=span,
        )

    def query(self, moment: Moment) -> Query:
        """What the first stage takes."""
        return Query(agent_id=AGENT, text=moment.question.text)

    @cached_property
    def _ids(self) -> tuple[str, ...]:
        return tuple(turn.id for turn in self.conversation.turns)

    @cached_property
    def _views(self) -> Mapping[int, AgentView]:
        """The view after so many turns, for each number at which something is asked."""
        wanted = sorted({heard for _, _, heard in order(self.conversation)})
        view, at, found = AgentView.of(AGENT, fresh=True), 0, {}
        for heard in wanted:
            until = self._sequence(heard)
            while at < len(self.units) and self.units[at].seq <= until:
                view = view.advance(self.units[at])
                at += 1
            found[heard] = view
        return found

    def _sequence(self, heard: int) -> int:
        """The newest unit after so many turns; where the system broke before them, after those that it heard."""
        known = self.ingested.sequences[:heard]
        return known[-1] if known else 0


def open_walk(
    ingested: Ingested, conversation: Conversation, row: Row, *, language: str = "en", seed: int = 0, llm: Any = None
) -> Walk:
    """A walk through an ingested conversation with the models of a row. The store is read once, here.

    Raises:
        ConfigError: the ingest is of another conversation, or the row cannot read it (another embedder or calibration).
        BackendError: the store cannot be read.
    """
    if ingested.conversation != conversation.id:
        raise ConfigError(f"this ingest is of conversation {ingested.conversation!r}, not of {conversation.id!r}")
    system = memory_of(row, conversation, language=language, seed=seed, llm=llm)
    if ingested.broke is not None and not ingested.path.is_dir():
        units: tuple[Unit, ...] = ()
        with Memory.open("memory://", llm=system.llm, embedder=system.embedder) as memory:
            models = memory.llm, memory.embed
    else:
        with Memory.open(
            ingested.path,
            llm=system.llm,
            embedder=system.embedder,
            calibration=system.calibration,
            read_only=True,
        ) as memory:
            models = memory.llm, memory.embed
            units = units_of(memory)
    return Walk(
        name=row.name,
        ingested=ingested,
        conversation=conversation,
        assembly=system.assembly,
        llm=models[0],
        embed=models[1],
        units=units,
    )


def units_of(memory: Memory) -> tuple[Unit, ...]:
    """Every unit of work of the listener, oldest first."""
    rows = memory.store.frame("journal", AGENT).sort("seq").select(_COLUMNS).iter_rows()
    dim = memory.store.dim
    return tuple(
        unpack(payload, seq=seq, unit_id=unit_id, kind=kind, agent_id=agent, recorded_at=micros(recorded_at), dim=dim)
        for payload, seq, unit_id, kind, agent, recorded_at in rows
    )


def order(conversation: Conversation) -> Iterator[tuple[int, Question, int]]:
    """Each question as a replay puts it: its place in the conversation, itself, and how many turns come before it."""
    places = {question.id: place for place, question in enumerate(conversation.questions)}
    waiting = sorted(conversation.questions, key=lambda one: one.asked_at)
    for heard, turn in enumerate(conversation.turns):
        while waiting and waiting[0].asked_at < turn.occurred_at:
            question = waiting.pop(0)
            yield places[question.id], question, heard
    for question in waiting:
        yield places[question.id], question, len(conversation.turns)


_COLUMNS = ["payload", "seq", "unit_id", "kind", "agent_id", "recorded_at"]
