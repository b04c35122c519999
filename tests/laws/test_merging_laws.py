"""Laws of merging, splitting and undoing, over random memories."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arandu_lab import ConfigError, Memory
from arandu_lab.pure.merging import merged
from arandu_lab.records import MIRROR, Alias, Changes, Entity, Fact, Link, NewEntity, Relationship, Row

T0 = datetime(2025, 1, 1, tzinfo=UTC)
NAMES = ("Ana", "Íris", "João", "小林", "Zé")
KEYS = tuple(f"person:{n}" for n in range(len(NAMES)))
EXAMPLES = int(os.environ.get("ARANDU_LAB_EXAMPLES", "30")) // 3
QUICK = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
KEY = st.sampled_from(KEYS)
FACT = st.tuples(KEY, KEY, st.booleans(), st.sampled_from(["mora em Natal", "likes tea", "não fuma"]), st.booleans())
EDGE = st.tuples(KEY, KEY, st.sampled_from(["knows", "manages"]), st.integers(0, 9), st.integers(0, 9), st.booleans())
WORLD = st.tuples(
    st.lists(FACT, min_size=1, max_size=8),
    st.lists(EDGE, max_size=8),
    st.lists(st.tuples(st.sampled_from(["lu", "ze", "chefe"]), KEY), max_size=6),
    st.lists(st.booleans(), min_size=len(KEYS), max_size=len(KEYS)),
)


def rows_of(world: Any) -> tuple[Row, ...]:
    """A memory: entities with their own names, shared names, facts with links, edges resting on facts."""
    facts, edges, names, profiles = world
    rows: dict[Any, Row] = {}

    def put(row: Row, *key: Any) -> None:
        rows.setdefault((type(row).__name__, *key), row)

    for key, name, profiled in zip(KEYS, NAMES, profiles, strict=True):
        text = f"{name} é daqui" if profiled else None
        put(Entity(key=key, agent_id="a", name=name, type="person", recorded_at=T0, profile_text=text), key)
        put(Alias(folded=name.lower(), agent_id="a", entity_key=key, name=name, recorded_at=T0), name, key)
    for name, key in names:
        put(Alias(folded=name, agent_id="a", entity_key=key, name=name, recorded_at=T0), name, key)
    for number, (key, other, mirror, text, closed) in enumerate(facts):
        put(
            Fact(
                id=f"f{number}", agent_id="a", entity_key=key, entity_name=NAMES[KEYS.index(key)],
                text=f"{NAMES[KEYS.index(key)]} {text}", confidence=0.9, importance=0.5, category="c", speaker="Ana",
                source_event_id="e", valid_from=T0, recorded_at=T0, source_context=MIRROR if mirror else None,
                valid_to=T0 + timedelta(days=3) if closed else None, invalidated_at=T0 if closed else None,
                supersedes_fact_id=f"f{number - 1}" if number % 3 == 2 else None,
            ),
            number,
        )  # fmt: skip
        for one in {key, other}:
            put(
                Link(fact_id=f"f{number}", agent_id="a", entity_key=one, primary=one == key, recorded_at=T0),
                number,
                one,
            )
    for number, (source, target, kind, first, second, closed) in enumerate(edges):
        if source != target:
            evidence = tuple(dict.fromkeys(f"f{one % len(facts)}" for one in (first, second)))
            put(
                Relationship(
                    id=f"r{number}", agent_id="a", source_key=source, target_key=target, rel_type=kind, strength=0.4,
                    evidence_fact_ids=evidence, valid_from=T0, recorded_at=T0,
                    valid_to=T0 + timedelta(days=2) if closed else None,
                ),
                number,
            )  # fmt: skip
    return tuple(rows.values())


def opened(world: Any) -> Memory:
    ticks = count(1)
    memory = Memory.open("memory://", embedder="hashing", clock=lambda: T0 + timedelta(days=next(ticks)))
    memory.commit(Changes(agent_id="a", rows=rows_of(world)), unit_id="seed")
    return memory


@QUICK
@given(world=WORLD, into=KEY, other=KEY)
def test_a_merge_keeps_counts_and_makes_no_loop(world: Any, into: str, other: str) -> None:
    """B5, B11: no fact is lost, no row names the merged key, no edge is a loop, no two open edges are parallel, none is over 1."""
    if into == other:
        return
    rows = rows_of(world)
    by_key = {row.key: row for row in rows if isinstance(row, Entity)}
    before = {(e.source_key, e.rel_type, e.target_key) for e in rows if isinstance(e, Relationship)}
    plan = merged([(row, n) for n, row in enumerate(rows)], by_key[into], by_key[other], T0)
    gone = {id(row) for row in plan.removed}
    keyed = {_name(row): row for row in rows if id(row) not in gone} | {_name(row): row for row, _ in plan.put}
    after = list(keyed.values())
    assert sum(isinstance(row, Fact) for row in after) == sum(isinstance(row, Fact) for row in rows)
    for row in after:
        used = [getattr(row, name, None) for name in ("key", "entity_key", "source_key", "target_key")]
        assert other not in used
    open_edges = [row for row in after if isinstance(row, Relationship) and row.valid_to is None]
    assert all(row.source_key != row.target_key for row in after if isinstance(row, Relationship))
    assert all(row.strength <= 1.0 for row in open_edges)
    touched = [e for e in open_edges if into in (e.source_key, e.target_key)]
    triples = [(e.source_key, e.rel_type, e.target_key) for e in touched]
    fresh = [one for one in triples if triples.count(one) > 1]
    assert all(one in before for one in fresh), "only what was parallel before may still be"
    linked = {(row.fact_id, row.entity_key) for row in rows if isinstance(row, Link)}
    moved = {(fact, into if key == other else key) for fact, key in linked}
    assert {(row.fact_id, row.entity_key) for row in after if isinstance(row, Link)} == moved


@QUICK
@given(world=WORLD, steps=st.lists(st.tuples(KEY, KEY, st.booleans(), st.integers(0, 7)), min_size=1, max_size=4))
def test_undoing_backwards_returns_every_digest(world: Any, steps: Any) -> None:
    """B10, A6, A20: whatever merges and splits were done, undoing them last first passes through the same digests, and a replay agrees."""
    with opened(world) as memory:
        digests, done = [memory.digest("a")], []
        for first, second, joins, fact in steps:
            try:
                if joins:
                    done.append(memory.merge("a", first, second))
                else:
                    new = NewEntity(name="Nova", type="person")
                    done.append(memory.split("a", first, into=new, facts=[f"f{fact}"]))
            except ConfigError:
                continue
            digests.append(memory.digest("a"))
        assert memory.store.verify() == []
        for edit in reversed(done):
            digests.pop()
            memory.undo("a", edit.unit_id)
            assert memory.digest("a") == digests[-1]
        assert memory.store.verify() == []
        memory.rebuild()
        assert memory.digest("a") == digests[0]


@QUICK
@given(world=WORLD, chain=st.permutations(KEYS))
def test_undoing_forwards_is_refused(world: Any, chain: Any) -> None:
    """B10: of A into B and B into C the first cannot be undone before the second, and the refusal changes nothing."""
    with opened(world) as memory:
        first = memory.merge("a", chain[1], chain[0])
        memory.merge("a", chain[2], chain[1])
        at = memory.digest("a")
        with pytest.raises(ConfigError, match="first"):
            memory.undo("a", first.unit_id)
        assert memory.digest("a") == at


def _name(row: Row) -> tuple[str, ...]:
    names = ("id", "key", "folded", "fact_id", "entity_key")
    return (
        type(row).__name__,
        *(str(getattr(row, n)) for n in names if hasattr(row, n) and not (n == "entity_key" and hasattr(row, "id"))),
    )
