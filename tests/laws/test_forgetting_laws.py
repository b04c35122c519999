"""Laws of forgetting, over random memories in which every text has a word of its own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arandu_lab import Memory
from arandu_lab.pure.text import ident
from arandu_lab.records import (
    MIRROR,
    Alias,
    Changes,
    Cluster,
    Entity,
    Event,
    Fact,
    Link,
    Observation,
    Relationship,
    Row,
)
from arandu_lab.store.residue import scan

T0 = datetime(2025, 1, 1, tzinfo=UTC)
NAMES = ("Anahí", "Íris", "João", "Zé")
KEYS = tuple(f"person:{n}" for n in range(len(NAMES)))
SMALL = st.integers(0, 5)
TURN = st.lists(st.tuples(SMALL, SMALL, st.booleans(), st.booleans()), min_size=1, max_size=3)
WORLD = st.tuples(
    st.lists(TURN, min_size=1, max_size=4),
    st.lists(st.tuples(SMALL, SMALL, SMALL, SMALL), max_size=4),
    st.lists(st.lists(SMALL, min_size=1, max_size=3), max_size=3),
)


def units(world: Any) -> list[tuple[str, list[Row]]]:
    """A journal: each turn with its facts in a write of its own, then edges on facts, then what jobs made of facts."""
    turns, edges, derived = world
    made: list[tuple[str, list[Row]]] = []
    facts: list[str] = []
    for place, turn in enumerate(turns):
        at = T0 + timedelta(days=place)
        said = f"turno vq{place}xk dito aqui"
        rows: list[Row] = [
            Event(id=f"e{place}", agent_id="a", text=said, speaker="Bob", occurred_at=at, recorded_at=at)
        ]
        for first, second, mirror, follows in turn:
            key, other = KEYS[first % len(KEYS)], KEYS[second % len(KEYS)]
            for one in dict.fromkeys((key, other)):
                name = NAMES[KEYS.index(one)]
                rows.append(Entity(key=one, agent_id="a", name=name, type="person", recorded_at=at))
                rows.append(Alias(folded=ident(name), agent_id="a", entity_key=one, name=name, recorded_at=at))
            number = len(facts)
            rows.append(
                Fact(
                    id=f"f{number}", agent_id="a", entity_key=key, entity_name=NAMES[KEYS.index(key)],
                    text=f"{NAMES[KEYS.index(key)]} guarda wz{number}jq", confidence=0.9, importance=0.5, category="c",
                    speaker="Bob", source_event_id=f"e{place}", valid_from=at, recorded_at=at,
                    source_context=MIRROR if mirror else None,
                    supersedes_fact_id=facts[-1] if follows and facts else None,
                )
            )  # fmt: skip
            for one in dict.fromkeys((key, other)):
                rows.append(
                    Link(fact_id=f"f{number}", agent_id="a", entity_key=one, primary=one == key, recorded_at=at)
                )
            facts.append(f"f{number}")
        made.append((f"write:e{place}", rows))
    job: list[Row] = []
    for number, (source, target, first, second) in enumerate(edges):
        ends = KEYS[source % len(KEYS)], KEYS[target % len(KEYS)]
        if ends[0] != ends[1]:
            evidence = tuple(dict.fromkeys(facts[one % len(facts)] for one in (first, second)))
            job.append(
                Relationship(
                    id=f"r{number}", agent_id="a", source_key=ends[0], target_key=ends[1], rel_type="knows", strength=0.5,
                    evidence_fact_ids=evidence, valid_from=T0, recorded_at=T0,
                )
            )  # fmt: skip
    for number, cited in enumerate(derived):
        ids = tuple(dict.fromkeys(facts[one % len(facts)] for one in cited))
        text = "resumo " + " ".join(f"wz{one[1:]}jq" for one in ids)
        job.append(Cluster(id=f"c{number}", agent_id="a", label="grupo", summary=text, fact_ids=ids, recorded_at=T0))
        job.append(
            Observation(
                id=f"o{number}",
                agent_id="a",
                kind="pattern",
                text="algo se repete",
                confidence=0.5,
                evidence_ids=ids,
                recorded_at=T0,
            )
        )
    return [*made, ("job:1", job)] if job else made


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(world=WORLD, kind=st.sampled_from(["fact_id", "event", "entity"]), pick=st.integers(0, 9), joined=st.booleans())
def test_what_is_forgotten_is_nowhere_and_the_rest_is_whole(world: Any, kind: str, pick: int, joined: bool) -> None:
    """J2, J4, J8, J11: no word of what goes is left, nothing dangles, every row is kept, rewritten or counted as removed."""
    ticks = count(40)
    with Memory.open("memory://", embedder="hashing", clock=lambda: T0 + timedelta(days=next(ticks))) as memory:
        for unit_id, rows in units(world):
            memory.commit(Changes(agent_id="a", rows=tuple(rows)), unit_id=unit_id)
        keys = memory.entities("a")["key"].to_list()
        if joined and len(keys) > 1:
            memory.merge("a", keys[0], keys[1])
        before = list(memory.store.view("a").rows())
        named = {
            "fact_id": [row.id for row in before if isinstance(row, Fact)],
            "event": [row.id for row in before if isinstance(row, Event)],
            "entity": [row.key for row in before if isinstance(row, Entity)],
        }[kind]
        target = named[pick % len(named)]
        done = memory.forget("a", **{kind: target})  # type: ignore[arg-type]
        assert done.clean, str(done)
        view = memory.store.view("a")
        after = list(view.rows())
        facts = {row.id for row in after if isinstance(row, Fact)}
        entities = {row.key for row in after if isinstance(row, Entity)}
        gone = {row.id for row in before if isinstance(row, Fact)} - facts
        assert target not in facts | entities | {row.id for row in after if isinstance(row, Event)}
        words = [f"wz{one[1:]}jq" for one in gone] + [
            f"vq{row.id[1:]}xk" for row in before if isinstance(row, Event) and view.event(row.id) is None
        ]
        assert scan(memory.store, words, agent_id="a", proof=done.unit_id).clean
        for row in after:
            if isinstance(row, Link):
                assert row.fact_id in facts
                assert row.entity_key in entities
            elif isinstance(row, Relationship):
                assert {row.source_key, row.target_key} <= entities
                assert row.evidence_fact_ids
                assert set(row.evidence_fact_ids) <= facts
            elif isinstance(row, Cluster):
                assert row.fact_ids
                assert set(row.fact_ids) <= facts
            elif isinstance(row, Observation):
                assert row.evidence_ids
                assert set(row.evidence_ids) <= facts
            elif isinstance(row, Fact):
                assert row.supersedes_fact_id is None or row.supersedes_fact_id in facts
                assert row.entity_key in entities
        removed = sum(done.removed.values())
        assert len(after) >= len(before) - removed, "what went is counted"
        assert memory.store.verify() == []
        at = memory.digest("a")
        memory.rebuild()
        assert memory.digest("a") == at
