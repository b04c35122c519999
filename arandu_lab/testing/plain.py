"""The store as a few lines of plain Python, and random units for both."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import numpy as np

from arandu_lab.knowledge import MemoryFact
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
)
from arandu_lab.store.schema import row_key
from arandu_lab.store.terms import terms
from arandu_lab.store.view import AgentView
from arandu_lab.testing.knowledge_rows import KINDS, random_knowledge

DIM = 16
START = datetime(2024, 3, 1, tzinfo=UTC)
AGENTS = ("ana", "x' OR '1'='1", "../../x\0🌵\u202eאב'; DROP TABLE facts; --")
NAMES = ("Iara", "João", "Joa\u0303o", "小林", "Vai", "D'Ávila")
TEXTS = (
    "{} cria abelhas em Recife",
    "{} não mora mais na Rua A'; DELETE",
    "{} likes \0 tea and 🌵",
    "{} vai ao mercado",
    "مرحبا {} \u202e fim",
)


def day(rng: random.Random) -> datetime:
    """A whole day in spring 2024, in one of three offsets."""
    zone = rng.choice([UTC, UTC, timezone(timedelta(hours=-3))])
    return (START + timedelta(days=rng.randrange(60))).astimezone(zone)


def vector(rng: random.Random, dim: int = DIM) -> Any:
    """A unit vector, or none."""
    if rng.random() < 0.2:
        return None
    made = np.array([rng.gauss(0, 1) for _ in range(dim)], dtype=np.float32)
    return made / np.linalg.norm(made)


@dataclass
class Plain:
    """One agent: newest row per (table, key), in order of first arrival."""

    agent: str
    rows: dict[tuple[str, str], Row] = field(default_factory=dict)
    sequence: int = 0
    n: int = 0
    prefix: str = ""
    dim: int = DIM

    def apply(self, rows: list[Row], removed: list[Row], seq: int) -> None:
        for row in rows:
            self.rows[row_key(row)] = row
        for row in removed:
            self.rows.pop(row_key(row), None)
        self.sequence = seq

    def of(self, kind: type[Any]) -> list[Any]:
        return [row for row in self.rows.values() if isinstance(row, kind)]

    def unit(self, rng: random.Random) -> tuple[list[Row], list[Row]]:
        """Rows of a random unit and rows it removes; the model is not changed."""
        rows: list[Row] = []
        removed: list[Row] = []
        at = day(rng)
        for _ in range(rng.randrange(1, 5)):
            act = rng.choice(
                [self.say, self.hear, self.add, self.add, self.close, self.confirm, self.relate, self.job, self.know]
            )
            rows += act(rng, at)
        if rng.random() < 0.08:
            removed, moved = self.move(rng, at)
            rows = [row for row in rows if not isinstance(row, Fact | Link | Relationship | Alias)] + moved
        return rows, removed

    def fresh(self, kind: str) -> str:
        self.n += 1
        return f"{kind}'{self.prefix}{self.n}"

    def say(self, rng: random.Random, at: datetime) -> list[Row]:
        text = rng.choice(TEXTS).format(rng.choice(NAMES))
        made = Event(
            id=self.fresh("e"),
            agent_id=self.agent,
            text=text,
            speaker=rng.choice(NAMES),
            occurred_at=day(rng),
            recorded_at=at,
            session_id=rng.choice([None, "s"]),
            vector=vector(rng, self.dim),
        )
        return [made]

    def hear(self, rng: random.Random, at: datetime) -> list[Row]:
        events = self.of(Event)
        if not events:
            return []
        return [
            replace(rng.choice(events), emotion="joy", emotion_intensity=rng.random(), vector=vector(rng, self.dim))
        ]

    def add(self, rng: random.Random, at: datetime, before: Fact | None = None) -> list[Row]:
        name = rng.choice(NAMES)
        key = f"person:{name}"
        begins = day(rng)
        made = Fact(
            id=self.fresh("f"),
            agent_id=self.agent,
            entity_key=key,
            entity_name=name,
            text=rng.choice(TEXTS).format(name),
            confidence=rng.random(),
            importance=rng.random(),
            category="c",
            speaker="Iara",
            source_event_id="e'1",
            valid_from=begins,
            valid_to=begins + timedelta(days=rng.randrange(3)) if rng.random() < 0.2 else None,
            recorded_at=at,
            supersedes_fact_id=None if before is None else before.id,
            vector=vector(rng, self.dim),
        )
        rows: list[Row] = [
            Link(fact_id=made.id, agent_id=self.agent, entity_key=key, primary=True, recorded_at=at),
            made,
            Entity(
                key=key, agent_id=self.agent, name=name, type="person", recorded_at=at, vector=vector(rng, self.dim)
            ),
            Alias(folded=name.lower()[:2], agent_id=self.agent, entity_key=key, name=name, recorded_at=at),
        ]
        if rng.random() < 0.5:
            other = f"person:{rng.choice(NAMES)}"
            if other != key:
                link = Link(fact_id=made.id, agent_id=self.agent, entity_key=other, primary=False, recorded_at=at)
                rows.insert(0, link)
        return rows

    def close(self, rng: random.Random, at: datetime) -> list[Row]:
        open_ones = [fact for fact in self.of(Fact) if fact.valid_to is None]
        if not open_ones:
            return []
        old = rng.choice(open_ones)
        ends = old.valid_from + timedelta(days=rng.randrange(20))
        closed = replace(old, valid_to=ends, invalidated_at=at, closed_by="update")
        return [closed, *self.add(rng, at, before=old)]

    def confirm(self, rng: random.Random, at: datetime) -> list[Row]:
        facts = self.of(Fact)
        if not facts:
            return []
        fact = rng.choice(facts)
        return [replace(fact, reinforcement_count=fact.reinforcement_count + 1, last_confirmed_at=at)]

    def relate(self, rng: random.Random, at: datetime) -> list[Row]:
        edges = [edge for edge in self.of(Relationship) if edge.valid_to is None]
        if edges and rng.random() < 0.4:
            edge = rng.choice(edges)
            return [replace(edge, valid_to=edge.valid_from + timedelta(days=9), invalidated_at=at)]
        made = Relationship(
            id=self.fresh("r"),
            agent_id=self.agent,
            source_key=f"person:{rng.choice(NAMES)}",
            target_key=f"person:{rng.choice(NAMES)}",
            rel_type="knows",
            strength=rng.random(),
            evidence_fact_ids=tuple(fact.id for fact in self.of(Fact)[:2]),
            valid_from=day(rng),
            recorded_at=at,
        )
        return [made]

    def job(self, rng: random.Random, at: datetime) -> list[Row]:
        number = rng.randrange(3)
        return [
            Cluster(
                id=f"c{number}",
                agent_id=self.agent,
                label="l",
                summary=str(rng.random()),
                fact_ids=("f'1",),
                recorded_at=at,
                vector=vector(rng, self.dim),
            ),
            Observation(
                id=f"o{number}",
                agent_id=self.agent,
                kind="trend",
                text="t",
                confidence=rng.random(),
                evidence_ids=(),
                recorded_at=at,
            ),
        ]

    def know(self, rng: random.Random, at: datetime) -> list[Row]:
        """Rows of a workspace beside those of a conversation."""
        return list(random_knowledge(self.agent, rng, at, self.dim))

    def move(self, rng: random.Random, at: datetime) -> tuple[list[Row], list[Row]]:
        """One entity's facts and links become another's, as a merge of entities does."""
        source, target = rng.sample(NAMES, 2)
        links = [link for link in self.of(Link) if link.entity_key == f"person:{source}"]
        moved: list[Row] = [replace(link, entity_key=f"person:{target}") for link in links]
        facts = [fact for fact in self.of(Fact) if fact.entity_key == f"person:{source}"]
        moved += [replace(fact, entity_key=f"person:{target}", entity_name=target) for fact in facts]
        gone = [row for row in self.of(Alias) + self.of(Entity) if f"person:{source}" in row_key(row)[1]]
        return [*links, *gone], moved

    # ------------------------------------------------------------ what a view must say

    def agree(self, view: AgentView, rng: random.Random) -> None:
        """Every read path of the view equals a brute-force reading of the rows."""
        facts, events, links = self.of(Fact), self.of(Event), self.of(Link)
        assert (view.agent_id, view.sequence) == (self.agent, self.sequence)
        assert list(view.facts.ids) == [fact.id for fact in facts]
        assert list(view.facts.texts) == [fact.text for fact in facts]
        assert list(view.facts.entity) == [fact.entity_key for fact in facts]
        assert [view.fact_at(place) for place in range(len(facts))] == facts
        assert [view.fact(fact.id) for fact in facts] == facts
        _same_vectors(view.facts.matrix, facts)
        assert view.facts.confidence.tolist() == [fact.confidence for fact in facts]
        assert view.facts.reinforcement.tolist() == [fact.reinforcement_count for fact in facts]
        in_time = sorted(events, key=lambda event: event.occurred_at)
        assert list(view.events.ids) == [event.id for event in in_time]
        assert list(view.events.texts) == [event.text for event in in_time]
        assert [view.event_at(place) for place in range(len(events))] == in_time
        assert [view.event(event.id) for event in events] == events
        assert np.all(np.diff(view.events.occurred_at) >= 0)
        _same_vectors(view.events.matrix, in_time)
        for column, rows, name in ((view.facts, facts, "entity_name"), (view.events, in_time, "speaker")):
            found = [terms(row.text, getattr(row, name)) for row in rows]
            assert column.lengths.tolist() == [len(words) for words in found]
            for term in ("iara", "joao", "vai", "recife", "小林", "nada", "tea"):
                places, often = column.matching(term)
                wanted = [(place, words.count(term)) for place, words in enumerate(found) if term in words]
                assert list(zip(places.tolist(), often.tolist(), strict=True)) == wanted
        assert list(view.entities()) == self.of(Entity)
        assert list(view.clusters()) == self.of(Cluster)
        assert list(view.observations()) == self.of(Observation)
        for kind in KINDS:
            shelf, wanted_rows = view.shelf(kind), self.of(kind)
            assert list(shelf) == wanted_rows
            assert [shelf.get(row.id) for row in wanted_rows] == wanted_rows
        remembered = [(row.id, None if row.vector is None else row.vector.tolist()) for row in self.of(MemoryFact)]
        assert remembered == [
            (row.id, None if row.vector is None else row.vector.tolist()) for row in view.shelf(MemoryFact)
        ]
        named: dict[str, list[str]] = {}
        for alias in self.of(Alias):
            named.setdefault(alias.folded, []).append(alias.entity_key)
        assert {name: list(keys) for name, keys in view.aliases().items()} == named
        place_of = {fact.id: place for place, fact in enumerate(facts)}
        for name in NAMES:
            key = f"person:{name}"
            wanted_places = sorted({place_of[link.fact_id] for link in links if link.entity_key == key})
            assert view.linked(key).tolist() == wanted_places
        for fact in facts:
            mine = [link for link in links if link.fact_id == fact.id]
            assert view.keys_of(fact.id) == tuple(x.entity_key for x in sorted(mine, key=lambda x: not x.primary))
        for _ in range(3):
            self.agree_at(view, day(rng), rng.choice([None, day(rng)]))
        for fact in rng.sample(facts, min(3, len(facts))):
            self.agree_history(view, fact)

    def agree_at(self, view: AgentView, as_of: datetime, known_at: datetime | None) -> None:
        live = [_stands(fact, as_of, known_at) for fact in self.of(Fact)]
        assert view.facts.live(as_of=as_of, known_at=known_at).tolist() == live
        edges = self.of(Relationship)
        assert list(view.edges()) == edges
        wanted = [edge for edge in edges if _stands(edge, as_of, known_at)]
        assert list(view.edges(as_of=as_of, known_at=known_at)) == wanted
        key = "person:Iara"
        touching = [edge for edge in wanted if key in (edge.source_key, edge.target_key)]
        assert list(view.edges(key, as_of=as_of, known_at=known_at)) == touching

    def agree_history(self, view: AgentView, fact: Fact) -> None:
        facts = {row.id: row for row in self.of(Fact)}
        root = fact
        while root.supersedes_fact_id in facts:
            root = facts[root.supersedes_fact_id]
        chain = [root.id]
        for known in chain:
            chain += [row.id for row in facts.values() if row.supersedes_fact_id == known]
        assert [row.id for row in view.history(fact.id)] == chain


def _stands(row: Fact | Relationship, as_of: datetime, known_at: datetime | None) -> bool:
    if known_at is not None and row.recorded_at > known_at:
        return False
    ends = row.valid_to
    if known_at is not None and row.invalidated_at is not None and row.invalidated_at > known_at:
        ends = None
    return row.valid_from <= as_of and (ends is None or as_of < ends)


def _same_vectors(matrix: Any, rows: list[Any]) -> None:
    assert len(matrix) == len(rows)
    if matrix.shape[1] == 0:
        assert all(row.vector is None for row in rows)
        return
    wanted = [np.zeros(matrix.shape[1], dtype=np.float32) if row.vector is None else row.vector for row in rows]
    assert np.array_equal(matrix, np.array(wanted, dtype=np.float32).reshape(-1, matrix.shape[1]))
