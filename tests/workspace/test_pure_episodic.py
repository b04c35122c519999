"""Which ties a fact gets, and who is reached over them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.errors import ConfigError
from arandu_lab.knowledge import EpisodicEdge, MemoryFact
from arandu_lab.pure.episodic import TIES, adjacency, reached, ties

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


def fact(
    key: str, topic: str = "t", seen: tuple[str, ...] = (), repo: str | None = None, **other: object
) -> MemoryFact:
    given_: dict[str, object] = {"recorded_at": NOW, "agent_id": "w", **other}
    return MemoryFact(
        id=key, domain="d", topic=topic, content=key, memory_type="event", veracity="tool", confidence=0.5, proposed_by="x",
        valid_from=NOW, repo=repo, source_observation_ids=seen, **given_,
    )  # type: ignore[arg-type]  # fmt: skip


def test_each_kind_of_tie() -> None:
    """One observation, one session, one topic of one scope, and the fact whose place is taken; other workspaces never."""
    new = fact("new", "Auth", ("o1",))
    stored = [
        fact("same", "x", ("o1",)),
        fact("session", "x", ("o2",)),
        fact("topic", "auth"),
        fact("scope", "auth", repo="api"),
        fact("old", "x", superseded_by="new"),
        fact("foreign", "auth", ("o1",), agent_id="other"),
        fact("alone", "x", ("o9",)),
        new,
    ]
    found = ties(new, stored, {"o1": "s1", "o2": "s1", "o9": "s2"})
    assert {(edge.target_id, edge.kind) for edge in found} == {
        ("same", "observation"),
        ("session", "session"),
        ("topic", "topic"),
        ("old", "supersedes"),
    }
    assert all(edge.weight == TIES[edge.kind] and edge.source_id == "new" for edge in found)


def test_fan_out_keeps_the_latest() -> None:
    """A crowded topic gives its latest facts; the fact whose place is taken is always among the ties."""
    stored = [fact(f"f{n:02}", recorded_at=NOW + timedelta(hours=n)) for n in range(30)]
    found = ties(fact("new"), stored, fan_out=2, superseded=["f00"])
    assert {(edge.target_id, edge.kind) for edge in found} == {
        ("f29", "topic"),
        ("f28", "topic"),
        ("f00", "supersedes"),
    }
    with pytest.raises(ConfigError):
        ties(fact("new"), stored, fan_out=0)
    with pytest.raises(ConfigError):
        ties(fact("new"), stored, weigh={"topic": 0.0})


@given(st.lists(st.sampled_from(["a", "b", "c"]), max_size=8), st.randoms())
def test_order_of_facts_never_shows(topics: list[str], dice: object) -> None:
    """The same facts in another order give the same edges, and a tie has one id from both its ends."""
    stored = [fact(f"f{n}", topic) for n, topic in enumerate(topics)]
    before = ties(fact("new", "a"), stored, fan_out=3)
    dice.shuffle(stored)  # type: ignore[attr-defined]
    assert ties(fact("new", "a"), stored, fan_out=3) == before
    if stored:
        (one,), (other,) = ties(fact("x"), [fact("y")]), ties(fact("y"), [fact("x")])
        assert one.id == other.id


NODES = st.sampled_from("abcdefg")
EDGES = st.lists(st.tuples(NODES, NODES, st.floats(0.05, 1.0)), max_size=14)


def edge(source: str, target: str, weight: float) -> EpisodicEdge:
    return EpisodicEdge(
        id=source + target,
        agent_id="w",
        source_id=source,
        target_id=target,
        kind="topic",
        weight=weight,
        recorded_at=NOW,
    )


@given(EDGES, st.dictionaries(NODES, st.floats(0.0, 1.0), max_size=3), st.randoms())
def test_two_hops(drawn: list[tuple[str, str, float]], seeds: dict[str, float], dice: object) -> None:
    """Exactly what lies within two steps of a seed that speaks is reached, as strongly as its best ways add up to,
    best first; the order of edges and seeds never shows.
    """
    edges = [edge(*each) for each in drawn]
    graph = adjacency(edges)
    found = reached(seeds, graph)
    expected: dict[str, float] = {}
    for seed, strength in seeds.items():
        best: dict[str, float] = {}
        for one, first in graph.get(seed, {}).items():
            best[one] = max(best.get(one, 0.0), first)
            for other, second in graph[one].items():
                best[other] = max(best.get(other, 0.0), first * second)
        for other, way in best.items():
            if other != seed and strength * way > 0.0:
                expected[other] = expected.get(other, 0.0) + strength * way
    assert found == pytest.approx(expected)
    assert list(found.values()) == sorted(found.values(), reverse=True)
    dice.shuffle(edges)  # type: ignore[attr-defined]
    turned = [replace(each, source_id=each.target_id, target_id=each.source_id) for each in edges]
    assert list(reached(dict(reversed(seeds.items())), adjacency(turned)).items()) == list(found.items())


def test_three_hops_are_too_far() -> None:
    """What is three steps away is not heard, unless asked for; no steps reach nobody; below 0 is refused."""
    graph = adjacency([edge("a", "b", 1.0), edge("b", "c", 1.0), edge("c", "d", 1.0)])
    assert set(reached({"a": 1.0}, graph)) == {"b", "c"}
    assert set(reached({"a": 1.0}, graph, hops=3)) == {"b", "c", "d"}
    assert reached({"a": 1.0}, graph, hops=0) == {}
    for seeds, hops in (({"a": -1.0}, 2), ({"a": 1.0}, -1), ({"a": float("nan")}, 2)):
        with pytest.raises(ConfigError):
            reached(seeds, graph, hops=hops)
