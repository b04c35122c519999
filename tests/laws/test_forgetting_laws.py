"""Laws of forgetting, over random memories in which every text has a word of its own."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from tempfile import TemporaryDirectory
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
                assert {row.source_key, row.target_key} & {*keys} <= entities
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


def likely(world: Any) -> tuple[list[tuple[str, list[Row]]], dict[tuple[str, str], set[str]]]:
    """The journal with facts that share their few words and later days, and after each turn a profile or a summary, by the turn
    itself or by a job; beside it, for the key of an entity and each text of it, the facts and turns that it rests on.
    """
    made: list[tuple[str, list[Row]]] = []
    rests: dict[tuple[str, str], set[str]] = {}
    known: dict[str, set[str]] = {}
    now: dict[str, Entity] = {}
    for place, (unit_id, rows) in enumerate(units(world)):
        rows = [replace(row, text=f"{row.entity_name} guarda a {'concha' if int(row.id[1:]) % 2 else 'carta'}",
                        valid_from=row.valid_from + timedelta(hours=int(row.id[1:])), supersedes_fact_id=None)
                if isinstance(row, Fact) else row for row in rows]  # fmt: skip
        rows = [
            now.get(row.key, row) if isinstance(row, Entity) else row for row in rows if not isinstance(row, Cluster)
        ]
        for row in rows:
            if isinstance(row, Link):
                known.setdefault(row.entity_key, set()).add(row.fact_id)
        told = {row.id for row in rows if isinstance(row, Fact)}
        for number, row in enumerate(rows):
            if not isinstance(row, Entity):
                continue
            now[row.key] = row
            if row.profile_text is None:
                now[row.key] = rows[number] = replace(row, profile_text=f"retrato p{place}", profile_at=T0)
                rests[row.key, f"retrato p{place}"] = {f"e{place}", *told}
        made.append((unit_id, rows))
        if place % 2:
            for key in sorted(known.keys() & now.keys()):
                now[key] = replace(now[key], summary_text=f"resumo s{place}", summary_at=T0)
                rests[key, f"resumo s{place}"] = set(known[key])
            made.append((f"job:s{place}", list(now.values())))
    return made, rests


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(world=WORLD, kind=st.sampled_from(["fact_id", "event"]), pick=st.integers(0, 9))
def test_what_rests_on_it_goes_and_nothing_else(world: Any, kind: str, pick: int) -> None:
    """J4, J6, J8: where all say the same few words, a profile or summary stands if and only if all that it rests on stands; an
    observation says its own words or those of what is left; every date of an edge is one of its evidence. A rebuild and a copy
    leave the same."""
    made, rests = likely(world)
    with Memory.open("memory://", embedder="hashing", clock=lambda: T0 + timedelta(days=40)) as memory:
        for unit_id, rows in made:
            memory.commit(Changes(agent_id="a", rows=tuple(rows)), unit_id=unit_id)
        before = list(memory.store.view("a").rows())
        named = [row.id for row in before if isinstance(row, Fact if kind == "fact_id" else Event)]
        done = memory.forget("a", **{kind: named[pick % len(named)]})  # type: ignore[arg-type]
        assert done.clean, str(done)
        view = memory.store.view("a")
        stand = {row.id for row in view.rows() if isinstance(row, Fact | Event)}
        for row in before:
            if isinstance(row, Entity) and (entity := view.entity(row.key)) is not None:
                for old, new in ((row.profile_text, entity.profile_text), (row.summary_text, entity.summary_text)):
                    assert new == (old if old is not None and rests[row.key, old] <= stand else None)
        for edge in view.edges():
            facts = [fact for one in edge.evidence_fact_ids if (fact := view.fact(one)) is not None]
            if edge not in before:
                stated = [fact for fact in facts if fact.source_context != MIRROR] or facts
                assert edge.valid_from == min(fact.valid_from for fact in stated)
                assert edge.recorded_at >= min(fact.recorded_at for fact in stated)
        texts = {row.id: (row.text, row.evidence_ids) for row in before if isinstance(row, Observation)}
        for seen in view.observations():
            said = dict.fromkeys(fact.text for one in seen.evidence_ids if (fact := view.fact(one)) is not None)
            assert seen.text == (texts[seen.id][0] if seen.evidence_ids == texts[seen.id][1] else "; ".join(said))
        assert memory.store.verify() == []
        at = memory.digest("a")
        memory.rebuild()
        assert memory.digest("a") == at
        with TemporaryDirectory() as folder, Memory.open("memory://", embedder="hashing") as other:
            memory.export("a", f"{folder}/a.jsonl")
            assert other.import_(f"{folder}/a.jsonl").digest == at
