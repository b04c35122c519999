"""One agent's memory in RAM, frozen at one unit of its journal.

Readers hold an ``AgentView``; the writer calls ``advance`` on the newest one and gets the next. The two share storage:
records and numbers lie in chunks that are copied when a row in them is replaced, everything else only grows, and a
view looks no further than the rows that existed when it was made. So a stage that keeps a view across an ``await``
sees one moment of the journal, and appending one fact to a hundred thousand costs what appending one to ten costs.

What changes the shape of an index (a fact's text, name, entity or predecessor, an edge's ends, a removed row, a row that
comes back to its old place) rebuilds the view from its rows: O(n), and rare (merges, splits, forgetting).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np

from arandu_lab.knowledge import Knowledge
from arandu_lab.pure.planning import Directory
from arandu_lab.records import (
    Alias,
    Cluster,
    Entity,
    Event,
    Fact,
    Observation,
    Relationship,
    Row,
)
from arandu_lab.store.books import Books, with_vector
from arandu_lab.store.columns import (
    Events,
    Facts,
)
from arandu_lab.store.journal import Unit
from arandu_lab.store.schema import RANK, Image, row_key, stored_key
from arandu_lab.store.shelves import Ints, Seen

R = TypeVar("R", Event, Fact)
K = TypeVar("K", bound=Knowledge)


class AgentView:
    """Everything one agent remembers, read-only. Implements ``arandu_lab.pipeline.lab.View``.

    No call touches the disk, and nothing of another agent is ever in here. ``kept`` is a place for what readers derive
    from the rows and grow with them (``read/evidence/reel.py``); it goes when the view is rebuilt, as forgetting does.
    """

    def __init__(self, books: Books, sequence: int) -> None:
        self._books = books
        self.agent_id = books.agent_id
        self.sequence = sequence
        self.facts = Facts(books.fact_corpus, books.fact_entity, books.moved)
        self.events = Events(books.event_corpus, ordered=books.events_ordered)
        self._facts, self._events, self._entities = books.facts.seen(), books.events.seen(), books.entities.seen()
        self._links, self._edges = books.links.seen(), books.edges.seen()
        self._aliases, self._named = books.aliases.seen(), books.named
        books.named_is_shared = True
        self._directory = books.directory
        books.directory_is_shared = True
        self._mentions: dict[str, Ints] = {}
        self._clusters, self._observations = books.clusters.seen(), books.observations.seen()
        self._knowledge = {kind: shelf.seen() for kind, shelf in books.knowledge.items()}
        self.kept = books.kept

    @classmethod
    def of(cls, agent_id: str, images: Iterable[Image] = (), sequence: int = 0, *, fresh: bool = False) -> AgentView:
        """A view of row images. ``fresh``: they were made for it, and it may take them apart."""
        books = Books(agent_id)
        books.load(images, fresh=fresh)
        return cls(books, sequence)

    def advance(self, unit: Unit) -> AgentView:
        """The view after one more unit. Only the newest view may be advanced."""
        pairs = sorted(zip(unit.rows, unit.born, strict=True), key=lambda pair: RANK[type(pair[0])])
        elder = any(born < unit.seq << 20 and self.born(row) != born for row, born in pairs)
        if unit.kind == "forget" or unit.removed or elder or any(self._books.reshapes(row) for row, _ in pairs):
            gone = set(unit.removed)
            images = {stored_key(row): Image(row, 0, born) for row, born in self.images()}
            for row, born in pairs:
                images[stored_key(row)] = Image(row, 0, born)
            return AgentView.of(self.agent_id, (image for key, image in images.items() if key not in gone), unit.seq)
        self._books.directory = self._directory  # made by a reader since, or by none
        for row, born in pairs:
            self._books.put(row, born)
        return AgentView(self._books, unit.seq)

    def rows(self) -> Iterator[Row]:
        """Every row, table by table, vectors attached."""
        return (row for row, _ in self.images())

    def images(self) -> Iterator[tuple[Row, int]]:
        """Every row with its order of first arrival."""
        books = self._books
        for position, event in enumerate(self._events):
            yield with_vector(event, self.events.vectors.row(position)), books.events.born[position]
        for position, fact in enumerate(self._facts):
            yield with_vector(fact, self.facts.vectors.row(position)), books.facts.born[position]
        yield from zip(self._entities, books.entities.born, strict=False)
        yield from zip(self._aliases, books.aliases.born, strict=False)
        yield from zip(self._links, books.links.born, strict=False)
        yield from zip(self._edges, books.edges.born, strict=False)
        yield from zip(self._clusters, books.clusters.born, strict=False)
        yield from zip(self._observations, books.observations.born, strict=False)
        for kind in sorted(self._knowledge, key=RANK.__getitem__):
            yield from zip(self._knowledge[kind], books.knowledge[kind].born, strict=False)

    def fact(self, fact_id: str) -> Fact | None:
        """A fact version by id."""
        position = self._facts.position(fact_id)
        return None if position is None else self.fact_at(position)

    def fact_at(self, position: int) -> Fact:
        """The fact at a position of ``facts``, its vector attached."""
        return with_vector(self._facts.at(int(position)), self.facts.vectors.row(int(position)))

    def fact_position(self, fact_id: str) -> int | None:
        """Where a fact stands in ``facts``."""
        return self._facts.position(fact_id)

    def event(self, event_id: str) -> Event | None:
        """A turn by id."""
        row = self._events.position(event_id)
        return None if row is None else with_vector(self._events.at(row), self.events.vectors.row(row))

    def event_at(self, position: int) -> Event:
        """The turn at a position of ``events`` (position 0 is the oldest)."""
        row = int(position) if self.events.order is None else int(self.events.order[position])
        return with_vector(self._events.at(row), self.events.vectors.row(row))

    def history(self, fact_id: str) -> tuple[Fact, ...]:
        """The chain of versions a fact belongs to, oldest first; empty for an unknown id."""
        position = self._facts.position(fact_id)
        if position is None:
            return ()
        climbed = {position}
        while (before := self._before(position)) is not None and before not in climbed:
            position = before
            climbed.add(position)
        chain, queue = [position], [position]
        while queue:
            after, _ = self._books.successors.below(self._facts.at(queue.pop(0)).id, len(self._facts))
            fresh = [int(row) for row in after if int(row) not in chain]
            chain += fresh
            queue += fresh
        return tuple(self.fact_at(row) for row in chain)

    def resting_on(self, fact_id: str) -> tuple[Fact, ...]:
        """The facts that have this one among their premises, in order of arrival."""
        rows, _ = self._books.resting.below(fact_id, len(self._facts))
        return tuple(self.fact_at(int(row)) for row in rows)

    def entity(self, key: str) -> Entity | None:
        """An entity by key."""
        return self._entities.get(key)

    def entities(self) -> tuple[Entity, ...]:
        """All entities, in order of first record."""
        return tuple(self._entities)

    def aliases(self) -> Mapping[str, tuple[str, ...]]:
        """Folded name -> keys of the entities known by it, the first taker first."""
        return MappingProxyType(self._named)

    @property
    def directory(self) -> Directory:
        """The names of all entities, ready to be found in a text; made at the first look and kept current."""
        if self._directory is None:
            self._directory = Directory.of((entity.key, entity.name) for entity in self._entities)
        return self._directory

    def alias_rows(self) -> tuple[Alias, ...]:
        """Alias rows in order of first record."""
        return tuple(self._aliases)

    def linked(self, entity_key: str) -> Ints:
        """Positions of the facts (all versions) that mention an entity, ascending."""
        found = self._mentions.get(entity_key)
        if found is None:
            _, facts = self._books.links_of_entity.below(entity_key, len(self._links))
            rising = len(facts) < 2 or bool((facts[1:] > facts[:-1]).all())
            found = self._mentions[entity_key] = facts[facts >= 0] if rising else np.unique(facts[facts >= 0])
            found.flags.writeable = False
        return found

    def keys_of(self, fact_id: str) -> tuple[str, ...]:
        """Keys of the entities a fact mentions, the primary one first."""
        rows, _ = self._books.links_of_fact.below(fact_id, len(self._links))
        links = [self._links.at(int(row)) for row in rows]
        return tuple(link.entity_key for link in sorted(links, key=lambda link: not link.primary))

    def edges(
        self, entity_key: str | None = None, *, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> tuple[Relationship, ...]:
        """Edges that touch an entity (all edges when None). ``as_of`` None: every version, closed ones too."""
        if entity_key is None:
            found = list(self._edges)
        else:
            rows, _ = self._books.edges_of.below(entity_key, len(self._edges))
            found = [self._edges.at(int(row)) for row in rows]
        return tuple(edge for edge in found if _stands(edge, as_of, known_at))

    def clusters(self) -> tuple[Cluster, ...]:
        """Clusters in order of first record, dissolved ones too."""
        return tuple(self._clusters)

    def observations(self) -> tuple[Observation, ...]:
        """Observations of jobs in order of first record, withdrawn ones too."""
        return tuple(self._observations)

    def shelf(self, kind: type[K]) -> Seen[K]:
        """Rows of one kind of ``arandu_lab.knowledge`` in order of arrival; ``get(id)`` finds one at once.

        Vectors are attached. Whoever keeps such a shelf sees this moment for ever.
        """
        found: Seen[K] = self._knowledge.get(kind, _NONE)
        return found

    def born(self, row: Row) -> int | None:
        """Order of first arrival of the row with this table and key; None when there is none."""
        table, key = row_key(row)
        shelf = self._books.shelf(table)
        position = shelf.position(key)
        return None if position is None else shelf.born[position]

    @cached_property
    def nbytes(self) -> int:
        """An estimate of the memory held, in bytes."""
        return self._books.nbytes

    def _before(self, position: int) -> int | None:
        older = self._facts.at(position).supersedes_fact_id
        return None if older is None else self._facts.position(older)


_NONE: Seen[Any] = Seen((), {}, 0)


def _stands(edge: Relationship, as_of: datetime | None, known_at: datetime | None) -> bool:
    """The rule of ``Facts.live`` for one edge."""
    if known_at is not None and edge.recorded_at > known_at:
        return False
    if as_of is None:
        return True
    hidden = known_at is not None and edge.invalidated_at is not None and edge.invalidated_at > known_at
    return edge.valid_from <= as_of and (hidden or edge.valid_to is None or as_of < edge.valid_to)
