"""Walking the graph of entities."""

from __future__ import annotations

import random
from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from arandu_lab.pure.graph import neighbours, walk
from arandu_lab.records import Relationship

AT = datetime(2026, 1, 1, tzinfo=UTC)


def edge(source: str, target: str, strength: float = 0.8) -> Relationship:
    return Relationship(
        id=f"{source}>{target}", agent_id="a", source_key=source, target_key=target, rel_type="knows",
        strength=strength, evidence_fact_ids=(), valid_from=AT, recorded_at=AT,
    )  # fmt: skip


def touching(edges):
    return lambda key: [e for e in edges if key in (e.source_key, e.target_key)]


def test_both_directions_and_hops():
    """Edges are walked against their direction too, and each entity is met once, at its nearest."""
    edges = [edge("b", "a"), edge("b", "c"), edge("c", "d"), edge("a", "c", 0.3), edge("a", "a")]
    reached = walk(["a"], touching(edges), 2)
    assert {key: reach.hop for key, reach in reached.items()} == {"a": 0, "b": 1, "c": 1, "d": 2}
    assert reached["c"].weight == 0.3
    assert set(walk(["a"], touching(edges), 0)) == {"a"}


def test_fan_out_takes_the_strongest():
    """A bound on neighbours keeps the best edges; equal ones go by key."""
    edges = [edge("a", "b", 0.5), edge("c", "a", 0.9), edge("a", "d", 0.5)]
    assert set(walk(["a"], touching(edges), 1, fan_out=2)) == {"a", "b", "c"}
    assert neighbours("a", edges) == [("c", 0.9), ("b", 0.5), ("d", 0.5)]


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("abcdefg"), st.sampled_from("abcdefg"), st.floats(0.1, 1.0)), max_size=20),
    st.integers(0, 3),
    st.integers(0, 1000),
)
def test_order_of_edges_never_shows(pairs, hops, seed):
    """The same edges in another order, and the starts in another order, give the same walk (O1)."""
    edges = [edge(*pair) for pair in pairs]
    mixed = edges[:]
    random.Random(seed).shuffle(mixed)
    straight, other = (
        walk(["a", "g"], touching(edges), hops, fan_out=2),
        walk(["g", "a"], touching(mixed), hops, fan_out=2),
    )
    assert straight == other
    assert all(reach.hop <= hops for reach in straight.values())


def test_ties_go_by_key_whatever_comes_first():
    """Edges of equal weight are told by key, also when the later key comes first; parallel edges count by their best."""
    edges = [edge("a", "z", 0.5), edge("m", "a", 0.5), edge("a", "b", 0.5), edge("a", "m", 0.2)]
    assert neighbours("a", edges) == [("b", 0.5), ("m", 0.5), ("z", 0.5)]
    assert set(walk(["a"], touching(edges), 1, fan_out=1)) == {"a", "b"}
    assert neighbours("m", [edge("a", "m", 0.3), edge("z", "m", 0.4), edge("m", "c", 0.1), edge("m", "m", 1.0)]) == [
        ("z", 0.4), ("a", 0.3), ("c", 0.1)]  # fmt: skip


@given(
    st.lists(st.tuples(st.sampled_from("abcdefg"), st.sampled_from("abcdefg"), st.floats(0.1, 1.0)), max_size=12),
    st.integers(0, 4),
)
def test_hops_are_the_fewest(pairs, hops):
    """Who is reached in how many hops is what the shortest path has, whichever way its edges point."""
    edges = [edge(*pair) for pair in pairs]
    ways = [(one.source_key, one.target_key, one.strength) for one in edges]
    ways += [(target, source, strength) for source, target, strength in ways]
    fewest, best = {"d": 0}, {"d": 1.0}
    for hop in range(1, hops + 1):
        for source, target, strength in ways:
            if fewest.get(source) == hop - 1 and fewest.setdefault(target, hop) == hop:
                best[target] = max(strength, best.get(target, 0.0))
    reached = walk(["d"], touching(edges), hops)
    assert {key: (reach.hop, reach.weight) for key, reach in reached.items()} == {
        key: (fewest[key], best[key]) for key in fewest
    }
