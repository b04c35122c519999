"""One agent's memory in RAM, frozen at one unit of its journal.

Readers hold an ``AgentView``; the writer calls ``advance`` on the newest one and gets the next. The two share storage:
records and numbers lie in chunks that are copied when a row in them is replaced, everything else only grows, and a
view looks no further than the rows that existed when it was made. So a stage that keeps a view across an ``await``
sees one moment of the journal, and appending one fact to a hundred thousand costs what appending one to ten costs.

What changes the shape of an index (a fact's text, name, entity or predecessor, an edge's ends, a removed row, a row that
comes back to its old place) rebuilds the view from its rows: O(n), and rare (merges, splits, forgetting).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from operator import attrgetter
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np

from arandu_lab.records import (
    Alias,
    Cluster,
    Entity,
    Event,
    Fact,
    Link,
    Observation,
    Relationship,
    Row,
    Vector,
)
from arandu_lab.store.columns import (
    Corpus,
    Events,
    Facts,
    event_numbers,
    event_terms,
    fact_numbers,
    fact_terms,
)
from arandu_lab.store.journal import Unit
from arandu_lab.store.schema import RANK, Image, fields, row_key, stored_key
from arandu_lab.store.shelves import Ints, Postings, Shelf
from arandu_lab.store.times import micros

R = TypeVar("R", Event, Fact)


class AgentView:
    """Everything one agent remembers, read-only. Implements ``arandu_lab.pipeline.lab.View``.

    No call touches the disk, and nothing of another agent is ever in here.
    """

    def __init__(self, books: Books, sequence: int) -> None:
        self._books = books
        self.agent_id = books.agent_id
        self.sequence = sequence
        self.facts = Facts(books.fact_corpus, books.fact_entity)
        self.events = Events(books.event_corpus, ordered=books.events_ordered)
        self._facts, self._events, self._entities = books.facts.seen(), books.events.seen(), books.entities.seen()
        self._links, self._edges = books.links.seen(), books.edges.seen()
        self._aliases, self._named = books.aliases.seen(), books.named
        books.named_is_shared = True
        self._clusters, self._observations = books.clusters.seen(), books.observations.seen()

    @classmethod
    def of(cls, agent_id: str, images: Iterable[Image] = (), sequence: int = 0) -> AgentView:
        """A view of row images."""
        books = Books(agent_id)
        for image in sorted(images, key=lambda image: (RANK[type(image.row)], image.born)):
            books.put(image.row, image.born, image.words)
        return cls(books, sequence)

    def advance(self, unit: Unit) -> AgentView:
        """The view after one more unit. Only the newest view may be advanced."""
        pairs = sorted(zip(unit.rows, unit.born, strict=True), key=lambda pair: RANK[type(pair[0])])
        elder = any(born < unit.seq << 20 and self.born(row) != born for row, born in pairs)
        if unit.removed or elder or any(self._books.reshapes(row) for row, _ in pairs):
            gone = set(unit.removed)
            images = {stored_key(row): Image(row, 0, born) for row, born in self.images()}
            for row, born in pairs:
                images[stored_key(row)] = Image(row, 0, born)
            return AgentView.of(self.agent_id, (image for key, image in images.items() if key not in gone), unit.seq)
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

    def entity(self, key: str) -> Entity | None:
        """An entity by key."""
        return self._entities.get(key)

    def entities(self) -> tuple[Entity, ...]:
        """All entities, in order of first record."""
        return tuple(self._entities)

    def aliases(self) -> Mapping[str, tuple[str, ...]]:
        """Folded name -> keys of the entities known by it, the first taker first."""
        return MappingProxyType(self._named)

    def alias_rows(self) -> tuple[Alias, ...]:
        """Alias rows in order of first record."""
        return tuple(self._aliases)

    def linked(self, entity_key: str) -> Ints:
        """Positions of the facts (all versions) that mention an entity, ascending."""
        _, facts = self._books.links_of_entity.below(entity_key, len(self._links))
        return np.unique(facts[facts >= 0])

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

    def born(self, row: Row) -> int | None:
        """Order of first arrival of the row with this table and key; None when there is none."""
        table, key = row_key(row)
        shelf: Shelf[Any] = getattr(self._books, SHELVES[table])
        position = shelf.position(key)
        return None if position is None else shelf.born[position]

    @cached_property
    def nbytes(self) -> int:
        """An estimate of the memory held, in bytes."""
        return self._books.nbytes

    def _before(self, position: int) -> int | None:
        older = self._facts.at(position).supersedes_fact_id
        return None if older is None else self._facts.position(older)


@dataclass(slots=True, init=False)
class Books:
    """The growing side of a view: shelves and indexes that only the writer touches."""

    agent_id: str
    facts: Shelf[Fact]
    events: Shelf[Event]
    entities: Shelf[Entity]
    aliases: Shelf[Alias]
    links: Shelf[Link]
    edges: Shelf[Relationship]
    clusters: Shelf[Cluster]
    observations: Shelf[Observation]
    fact_corpus: Corpus
    event_corpus: Corpus
    fact_entity: list[str]
    named: dict[str, tuple[str, ...]]
    named_is_shared: bool
    successors: Postings
    links_of_entity: Postings
    links_of_fact: Postings
    edges_of: Postings
    events_ordered: bool
    last_event: int

    def __init__(self, agent_id: str) -> None:
        self.agent_id = agent_id
        self.facts, self.events, self.entities, self.aliases = Shelf(), Shelf(), Shelf(), Shelf()
        self.links, self.edges, self.clusters, self.observations = Shelf(), Shelf(), Shelf(), Shelf()
        self.fact_corpus, self.event_corpus = Corpus(6, 3), Corpus(1, 1)
        self.fact_entity, self.named, self.named_is_shared = [], {}, False
        self.successors, self.edges_of = Postings(), Postings()
        self.links_of_entity, self.links_of_fact = Postings(), Postings()
        self.events_ordered, self.last_event = True, -(2**63)

    @property
    def nbytes(self) -> int:
        """An estimate of the memory held, in bytes."""
        small = self.entities.n + self.aliases.n + self.links.n + self.edges.n
        vectors = self.fact_corpus.vectors.nbytes + self.event_corpus.vectors.nbytes
        heavy = 4 * 400 * (self.clusters.n + self.observations.n)
        return vectors + self.fact_corpus.nbytes + self.event_corpus.nbytes + 700 * small + heavy + 200_000

    def reshapes(self, row: Row) -> bool:
        """Whether putting this row would change an index other than by growing it."""
        match row:
            case Fact():
                old = self.facts.get(row.id)
                return old is not None and _shape(old) != _shape(row)
            case Event():
                said = self.events.get(row.id)
                return said is not None and (said.text, said.speaker, said.occurred_at) != (
                    row.text,
                    row.speaker,
                    row.occurred_at,
                )
            case Relationship():
                edge = self.edges.get(row.id)
                return edge is not None and (edge.source_key, edge.target_key) != (row.source_key, row.target_key)
            case _:
                return False

    def put(self, row: Row, born: int, words: Sequence[str] | None = None) -> None:
        """Add a row or replace its image; ``words`` are its search terms where they are known."""
        match row:
            case Fact():
                self._put_fact(row, born, words)
            case Event():
                self._put_event(row, born, words)
            case Entity():
                self.entities.put(row.key, row, born)
            case Alias():
                self._put_alias(row, born)
            case Link():
                self._put_link(row, born)
            case Relationship():
                position, before = self.edges.put(row.id, row, born)
                if before is None:
                    for key in dict.fromkeys((row.source_key, row.target_key)):
                        self.edges_of.add(key, position, position)
            case Cluster():
                self.clusters.put(row.id, row, born)
            case Observation():
                self.observations.put(row.id, row, born)

    def _put_fact(self, fact: Fact, born: int, words: Sequence[str] | None) -> None:
        position, before = self.facts.put(fact.id, with_vector(fact, None), born)
        if before is not None:
            self.fact_corpus.set(position, fact.vector, fact_numbers(fact, self._length(self.fact_corpus, position, 2)))
            return
        found = fact_terms(fact) if words is None else words
        self.fact_entity.append(fact.entity_key)
        if fact.supersedes_fact_id is not None:
            self.successors.add(fact.supersedes_fact_id, position, position)
        self.fact_corpus.append(fact.id, fact.text, found, fact.vector, fact_numbers(fact, len(found)))

    def _put_event(self, event: Event, born: int, words: Sequence[str] | None) -> None:
        position, before = self.events.put(event.id, with_vector(event, None), born)
        if before is not None:
            length = self._length(self.event_corpus, position, 0)
            self.event_corpus.set(position, event.vector, event_numbers(event, length))
            return
        found = event_terms(event) if words is None else words
        at = micros(event.occurred_at)
        self.events_ordered = self.events_ordered and at >= self.last_event
        self.last_event = max(self.last_event, at)
        self.event_corpus.append(event.id, event.text, found, event.vector, event_numbers(event, len(found)))

    def _put_alias(self, alias: Alias, born: int) -> None:
        _, before = self.aliases.put(row_key(alias)[1], alias, born)
        keys = self.named.get(alias.folded, ())
        if before is None and alias.entity_key not in keys:
            if self.named_is_shared:
                self.named, self.named_is_shared = dict(self.named), False
            self.named[alias.folded] = (*keys, alias.entity_key)

    def _put_link(self, link: Link, born: int) -> None:
        position, before = self.links.put(row_key(link)[1], link, born)
        if before is None:
            fact = self.facts.position(link.fact_id)
            self.links_of_entity.add(link.entity_key, position, -1 if fact is None else fact)
            self.links_of_fact.add(link.fact_id, position, position)

    @staticmethod
    def _length(corpus: Corpus, position: int, column: int) -> int:
        return int(corpus.floats.at(position, column))


SHELVES = {
    "events": "events",
    "facts": "facts",
    "entities": "entities",
    "aliases": "aliases",
    "fact_entity_links": "links",
    "relationships": "edges",
    "clusters": "clusters",
    "meta_observations": "observations",
}


def _shape(fact: Fact) -> tuple[str | None, ...]:
    return (fact.text, fact.entity_key, fact.entity_name, fact.supersedes_fact_id)


def _stands(edge: Relationship, as_of: datetime | None, known_at: datetime | None) -> bool:
    """The rule of ``Facts.live`` for one edge."""
    if known_at is not None and edge.recorded_at > known_at:
        return False
    if as_of is None:
        return True
    hidden = known_at is not None and edge.invalidated_at is not None and edge.invalidated_at > known_at
    return edge.valid_from <= as_of and (hidden or edge.valid_to is None or as_of < edge.valid_to)


def with_vector(row: R, vector: Vector | None) -> R:
    """The row with this vector (``dataclasses.replace`` takes ten times as long, and this is once per row read)."""
    if vector is row.vector:
        return row
    made, put = object.__new__(type(row)), object.__setattr__
    names, values = _SLOTS[type(row)]
    for name, value in zip(names, values(row), strict=True):
        put(made, name, value)
    object.__setattr__(made, "vector", vector)
    return made


_NAMES = {record: tuple(name for name, _ in fields(record) if name != "vector") for record in (Event, Fact)}
_SLOTS = {record: (names, attrgetter(*names)) for record, names in _NAMES.items()}
