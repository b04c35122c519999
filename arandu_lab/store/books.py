"""The growing side of a view: shelves and indexes that only the writer touches."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, TypeVar

import numpy as np

from arandu_lab.pure.planning import Directory
from arandu_lab.pure.versions import ends
from arandu_lab.records import Alias, Cluster, Entity, Event, Fact, Link, Observation, Relationship, Row, Vector
from arandu_lab.store.columns import Corpus, Keys, event_numbers, event_terms, fact_numbers, fact_terms
from arandu_lab.store.postings import Postings
from arandu_lab.store.schema import RANK, RECORDS, Image, fields, row_key
from arandu_lab.store.shelves import Shelf
from arandu_lab.store.times import micros

R = TypeVar("R", Event, Fact)


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
    fact_entity: Keys
    moved: dict[int, tuple[tuple[int, int], ...]]
    named: dict[str, tuple[str, ...]]
    named_is_shared: bool
    directory: Directory | None
    directory_is_shared: bool
    successors: Postings
    resting: Postings
    links_of_entity: Postings
    links_of_fact: Postings
    edges_of: Postings
    events_ordered: bool
    last_event: int
    kept: dict[str, Any]
    knowledge: dict[type[Any], Shelf[Any]]

    def __init__(self, agent_id: str) -> None:
        self.agent_id = agent_id
        self.facts, self.events, self.entities, self.aliases = Shelf(), Shelf(), Shelf(), Shelf()
        self.links, self.edges, self.clusters, self.observations = Shelf(), Shelf(), Shelf(), Shelf()
        self.fact_corpus, self.event_corpus = Corpus(11, 3), Corpus(1, 1)
        self.fact_entity, self.moved, self.named, self.named_is_shared = Keys(), {}, {}, False
        self.directory, self.directory_is_shared = None, False
        self.successors, self.resting, self.edges_of = Postings(), Postings(), Postings()
        self.links_of_entity, self.links_of_fact = Postings(), Postings()
        self.events_ordered, self.last_event = True, -(2**63)
        self.kept, self.knowledge = {}, {}

    @property
    def nbytes(self) -> int:
        """An estimate of the memory held, in bytes."""
        small = self.entities.n + self.aliases.n + self.links.n + self.edges.n
        small += sum(4 * shelf.n for shelf in self.knowledge.values())
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

    def load(self, images: Iterable[Image], *, fresh: bool = False) -> None:
        """Put many rows into empty books. ``fresh``: nobody else holds them, so their vectors may be taken from them."""
        tables: dict[type[Any], list[Image]] = {}
        for image in sorted(images, key=_BORN):
            tables.setdefault(type(image.row), []).append(image)
        known = {kind: [row_key(image.row)[1] for image in tables.get(kind, ())] for kind in (Event, Fact, Link)}
        at_once = all(len(set(keys)) == len(keys) for keys in known.values())  # the same key twice: one after the other
        if at_once:
            self._load_events(tables.pop(Event, []), fresh)
            self._load_facts(tables.pop(Fact, []), fresh)
            links = tables.pop(Link, [])
        for kind in sorted(tables, key=RANK.__getitem__):
            for image in tables[kind]:
                self.put(image.row, image.born, image.words)
        if at_once:
            self._load_links(links, known[Link])

    def _load_events(self, images: Sequence[Image], fresh: bool) -> None:
        rows: list[Any] = [image.row for image in images]
        vectors = [row.vector for row in rows]
        found = [
            event_terms(row) if image.words is None else image.words for row, image in zip(rows, images, strict=True)
        ]
        numbers = [event_numbers(row, len(words)) for row, words in zip(rows, found, strict=True)]
        self.event_corpus.extend([row.id for row in rows], [row.text for row in rows], found, vectors, numbers)
        at = self.event_corpus.ints.seen()[0]
        self.events_ordered = bool((at[1:] >= at[:-1]).all())
        self.last_event = int(at.max(initial=self.last_event))
        for row, image in zip(_bare(rows, fresh), images, strict=True):
            self.events.put(row.id, row, image.born)

    def _load_facts(self, images: Sequence[Image], fresh: bool) -> None:
        rows: list[Any] = [image.row for image in images]
        vectors = [row.vector for row in rows]
        found = [
            fact_terms(row) if image.words is None else image.words for row, image in zip(rows, images, strict=True)
        ]
        numbers = [fact_numbers(row, len(words)) for row, words in zip(rows, found, strict=True)]
        self.fact_corpus.extend([row.id for row in rows], [row.text for row in rows], found, vectors, numbers)
        for place, row in enumerate(rows):
            self.fact_entity.append(row.entity_key)
            if row.supersedes_fact_id is not None:
                self.successors.add(row.supersedes_fact_id, place, place)
            for premise in row.premise_ids:
                self.resting.add(premise, place, place)
            if row.ends_before:
                self.moved[place] = tuple((micros(known), micros(end)) for known, end, _ in ends(row))
        for row, image in zip(_bare(rows, fresh), images, strict=True):
            self.facts.put(row.id, row, image.born)

    def _load_links(self, images: Sequence[Image], keys: Sequence[str]) -> None:
        rows: list[Any] = [image.row for image in images]
        for key, row, image in zip(keys, rows, images, strict=True):
            self.links.put(key, row, image.born)
        places = np.arange(len(rows), dtype=np.int64)
        facts = [-1 if (place := self.facts.position(row.fact_id)) is None else place for row in rows]
        self.links_of_entity.fill([row.entity_key for row in rows], places, np.asarray(facts, dtype=np.int64))
        self.links_of_fact.fill([row.fact_id for row in rows], places, places)

    def put(self, row: Row, born: int, words: Sequence[str] | None = None) -> None:
        """Add a row or replace its image; ``words`` are its search terms where they are known."""
        match row:
            case Fact():
                self._put_fact(row, born, words)
            case Event():
                self._put_event(row, born, words)
            case Entity():
                self._put_entity(row, born)
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
            case _:
                self.knowledge.setdefault(type(row), Shelf()).put(row.id, row, born)

    def shelf(self, table: str) -> Shelf[Any]:
        """Where the rows of a projection stand; an empty shelf where there are none of a workspace's."""
        name = SHELVES.get(table)
        return getattr(self, name) if name else self.knowledge.get(RECORDS[table], Shelf())

    def _put_fact(self, fact: Fact, born: int, words: Sequence[str] | None) -> None:
        position, before = self.facts.put(fact.id, with_vector(fact, None), born)
        if (
            fact.ends_before or position in self.moved
        ):  # views share the mapping: a new one for each change, which is rare
            self.moved = self.moved | {position: tuple((micros(known), micros(end)) for known, end, _ in ends(fact))}
        if before is not None:
            self.fact_corpus.set(position, fact.vector, fact_numbers(fact, self._length(self.fact_corpus, position, 2)))
            return
        found = fact_terms(fact) if words is None else words
        self.fact_entity.append(fact.entity_key)
        if fact.supersedes_fact_id is not None:
            self.successors.add(fact.supersedes_fact_id, position, position)
        for premise in fact.premise_ids:
            self.resting.add(premise, position, position)
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

    def _put_entity(self, entity: Entity, born: int) -> None:
        _, before = self.entities.put(entity.key, entity, born)
        if self.directory is None or (before is not None and before.name == entity.name):
            return
        if before is not None:  # another name: its old one may have been somebody else's too
            self.directory = None
            return
        if self.directory_is_shared:
            self.directory, self.directory_is_shared = self.directory.copy(), False
        self.directory.add(entity.key, entity.name)

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


_BORN = attrgetter("born")

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


def _shape(fact: Fact) -> tuple[object, ...]:
    return (fact.text, fact.entity_key, fact.entity_name, fact.supersedes_fact_id, fact.premise_ids)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Without the garbage collector: it would walk through all that is loaded again and again, and find nothing."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _bare(rows: Sequence[R], fresh: bool) -> Sequence[R]:
    """The rows without their vectors, which lie in a matrix."""
    if not fresh:
        return [with_vector(row, None) for row in rows]
    for row in rows:
        _VECTOR[type(row)](row, None)
    return rows


def with_vector(row: R, vector: Vector | None) -> R:
    """The row with this vector (``dataclasses.replace`` takes ten times as long, and this is once per row read)."""
    if vector is row.vector:
        return row
    made = object.__new__(type(row))
    setters, values = _SLOTS[type(row)]
    for put, value in zip(setters, values(row), strict=True):
        put(made, value)
    _VECTOR[type(row)](made, vector)
    return made


_NAMES = {record: tuple(name for name, _ in fields(record) if name != "vector") for record in (Event, Fact)}
_SLOTS = {
    record: (tuple(getattr(record, name).__set__ for name in names), attrgetter(*names))
    for record, names in _NAMES.items()
}
_VECTOR: dict[type[Any], Any] = {record: getattr(record, "vector").__set__ for record in (Event, Fact)}  # noqa: B009
