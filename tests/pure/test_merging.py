"""Claims about making two entities one and one two, on single rows: names, links, edges, profiles, conflicts."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np

from arandu_lab.pure.merging import Conflict, Plan, chains, merged, parted
from arandu_lab.records import MIRROR, Alias, Cluster, Entity, Fact, Link, Relationship, Row

T0 = datetime(2025, 1, 1, tzinfo=UTC)
NOW = T0 + timedelta(days=100)
ANA = Entity(key="person:ana", agent_id="a", name="Ana", type="person", recorded_at=T0, importance=0.3)
ANINHA = Entity(key="person:aninha", agent_id="a", name="Aninha", type="person", recorded_at=T0, importance=0.8)


def fact(id: str, key: str, text: str = "likes tea", **more: object) -> Fact:
    """A fact of an entity."""
    base = Fact(
        id=id, agent_id="a", entity_key=key, entity_name=key, text=text, confidence=0.9, importance=0.5, category="c",
        speaker="Ana", source_event_id="e", valid_from=T0, recorded_at=T0,
    )  # fmt: skip
    return replace(base, **more)  # type: ignore[arg-type]


def edge(id: str, source: str, target: str, *facts: str, **more: object) -> Relationship:
    """An edge that rests on facts."""
    base = Relationship(
        id=id, agent_id="a", source_key=source, target_key=target, rel_type="knows", strength=0.4,
        evidence_fact_ids=facts, valid_from=T0, recorded_at=T0,
    )  # fmt: skip
    return replace(base, **more)  # type: ignore[arg-type]


def name(folded: str, key: str) -> Alias:
    """A name of an entity."""
    return Alias(folded=folded, agent_id="a", entity_key=key, name=folded.title(), recorded_at=T0)


def link(fact_id: str, key: str, *, primary: bool = True) -> Link:
    """A fact tied to an entity."""
    return Link(fact_id=fact_id, agent_id="a", entity_key=key, primary=primary, recorded_at=T0)


def merge(*rows: Row, into: Entity = ANA, other: Entity = ANINHA) -> Plan:
    """Merge over rows that arrived in this order."""
    return merged([(row, place) for place, row in enumerate(rows)], into, other, NOW)


def put(plan: Plan, kind: type) -> list[Row]:
    """Rows of a kind that a plan puts."""
    return [row for row, _ in plan.put if isinstance(row, kind)]


def test_facts_and_clusters_change_hands() -> None:
    """B11: facts and clusters of the other become the survivor's, by key and name; its own and third ones do not move."""
    mine, theirs, third = fact("f1", "person:ana"), fact("f2", "person:aninha"), fact("f3", "person:bia")
    cluster = Cluster(
        id="c1", agent_id="a", entity_key="person:aninha", label="tea", summary="s", fact_ids=("f2",),
        recorded_at=T0,
    )  # fmt: skip
    plan = merge(mine, theirs, third, cluster)
    assert put(plan, Fact) == [replace(theirs, entity_key="person:ana", entity_name="Ana")]
    assert [row.entity_key for row in put(plan, Cluster)] == ["person:ana"]  # type: ignore[union-attr]
    assert plan.removed == [ANINHA]
    assert [row.importance for row in put(plan, Entity)] == [0.8]  # type: ignore[union-attr]


def test_names_keep_their_first_taker() -> None:
    """B11: a name moves with its place; one that both have stays the one that came first; the old name is taught once."""
    plan = merge(name("lu", "person:aninha"), name("lu", "person:ana"), name("nina", "person:aninha"))
    assert sorted((row.folded, row.entity_key, place) for row, place in plan.put if isinstance(row, Alias) and place is not None) == [
        ("lu", "person:ana", 0), ("nina", "person:ana", 2)]  # fmt: skip
    taught = [row for row, place in plan.put if isinstance(row, Alias) and place is None]
    assert [(row.folded, row.name, row.recorded_at) for row in taught] == [("aninha", "Aninha", NOW)]
    later = merge(name("lu", "person:ana"), name("lu", "person:aninha"), name("aninha", "person:ana"))
    assert put(later, Alias) == []
    assert len(later.removed) == 2


def test_links_do_not_double() -> None:
    """B11: a fact tied to both is tied once, primary if either was; one tied to the other alone moves with its place."""
    plan = merge(
        link("f1", "person:ana", primary=False), link("f1", "person:aninha"), link("f2", "person:aninha", primary=False),
        link("f3", "person:ana"), link("f3", "person:aninha", primary=False),
        link("f4", "person:ana", primary=False), link("f4", "person:aninha", primary=False),
    )  # fmt: skip
    assert [(row.fact_id, row.primary, place) for row, place in plan.put if isinstance(row, Link)] == [
        ("f1", True, None), ("f2", False, 2)]  # fmt: skip
    assert len([row for row in plan.removed if isinstance(row, Link)]) == 4


def test_an_edge_between_the_two_goes() -> None:
    """B11: an edge between the two goes, with the open mirror facts that only it rests on; told facts stay."""
    mirror, told = fact("m1", "person:ana", source_context=MIRROR), fact("f1", "person:ana")
    shared = fact("m2", "person:ana", source_context=MIRROR)
    closed = fact("m3", "person:ana", source_context=MIRROR, valid_to=NOW)
    loop = edge("r1", "person:ana", "person:aninha", "m1", "f1", "m2", "m3")
    other = edge("r2", "person:ana", "person:bia", "m2")
    plan = merge(mirror, told, shared, closed, loop, other)
    assert loop in plan.removed
    [fallen] = put(plan, Fact)
    assert isinstance(fallen, Fact)
    assert (fallen.id, fallen.valid_to, fallen.invalidated_at) == ("m1", T0, NOW)
    assert put(plan, Relationship) == []


def test_parallel_edges_become_one() -> None:
    """B11: open edges that become parallel are one new version, strengths summed up to 1, evidence joined, first begun."""
    first = edge("r1", "person:ana", "person:bia", "f1", "f2", valid_from=T0 + timedelta(days=2))
    second = edge("r2", "person:aninha", "person:bia", "f2", "f3", strength=0.3, last_confirmed_at=NOW)
    plan = merge(first, second)
    new, *old = [row for row in put(plan, Relationship) if isinstance(row, Relationship)]
    assert (new.source_key, new.target_key, round(new.strength, 9)) == ("person:ana", "person:bia", 0.7)
    assert (new.evidence_fact_ids, new.valid_from, new.recorded_at) == (("f1", "f2", "f3"), T0, NOW)
    assert (new.last_confirmed_at, new.valid_to) == (NOW, None)
    assert sorted((row.id, row.valid_to == row.valid_from, row.invalidated_at) for row in old) == [
        ("r1", True, NOW),
        ("r2", True, NOW),
    ]
    strong = merge(replace(first, strength=0.9), replace(second, strength=0.9))
    assert max(row.strength for row in put(strong, Relationship) if row.id not in ("r1", "r2")) == 1.0  # type: ignore[union-attr]


def test_edges_that_are_not_parallel_only_move() -> None:
    """B11: an edge of another kind, direction or person, or a closed one, is moved and nothing more."""
    rows = (
        edge("r1", "person:ana", "person:bia"), edge("r2", "person:bia", "person:aninha"),
        edge("r3", "person:aninha", "person:bia", rel_type="manages"), edge("r4", "person:aninha", "person:bia", valid_to=NOW),
        edge("r5", "person:bia", "person:caio"), edge("r6", "person:bia", "person:caio"),
    )  # fmt: skip
    found = {row.id: row for row in put(merge(*rows), Relationship) if isinstance(row, Relationship)}
    assert sorted(found) == ["r2", "r3", "r4"]
    assert (found["r2"].source_key, found["r2"].target_key) == ("person:bia", "person:ana")
    assert [found[id].valid_to for id in ("r2", "r3", "r4")] == [None, None, NOW]


def test_profiles_are_kept_both() -> None:
    """B13: two profiles stand one under the other, dated as the older, and are told; a lone one is taken over."""
    old, new = T0, T0 + timedelta(days=9)
    mine, theirs = (
        replace(ANA, profile_text="Baker", profile_at=new),
        replace(ANINHA, profile_text="Runner", profile_at=old),
    )
    plan = merge(into=mine, other=theirs)
    [joined] = put(plan, Entity)
    assert isinstance(joined, Entity)
    assert (joined.profile_text, joined.profile_at) == ("Baker\nRunner", old)
    assert plan.conflicts == [Conflict(field="profile_text", kept="Baker\nRunner", other="Runner")]
    alone = merge(other=theirs)
    assert [row.profile_text for row in put(alone, Entity)] == ["Runner"]  # type: ignore[union-attr]
    same = merge(into=replace(mine, profile_text="runner"), other=theirs)
    assert [row.profile_text for row in put(same, Entity)] == ["runner"]  # type: ignore[union-attr]
    assert alone.conflicts == same.conflicts == []


def test_types_and_vectors() -> None:
    """B13: types that differ are told, the survivor's stays; a vector is taken over only if the names are the same."""
    plan = merge(other=replace(ANINHA, type="organization"))
    assert plan.conflicts == [Conflict(field="type", kept="person", other="organization")]
    vector = np.array([1.0, 0.0])
    for called, taken in (("ANA", True), ("Aninha", False)):
        [row] = put(merge(other=replace(ANINHA, name=called, vector=vector)), Entity)
        assert (row.vector is not None) == taken  # type: ignore[union-attr]


def test_chains() -> None:
    """B13: a fact stands for all its versions, older and newer; one that nobody knows for itself."""
    facts = [
        fact("f1", "k"),
        fact("f2", "k", supersedes_fact_id="f1"),
        fact("f3", "k", supersedes_fact_id="f2"),
        fact("f4", "k"),
    ]
    assert chains({"f2"}, facts) == chains({"f1"}, facts) == {"f1", "f2", "f3"}
    assert chains({"f4", "x"}, facts) == {"f4", "x"}


def test_parting() -> None:
    """B13: facts that are named go with their versions, facts that use a name that goes too; an edge goes with its facts."""
    new = Entity(key="person:nina", agent_id="a", name="Nina", type="person", recorded_at=NOW)
    whole = replace(ANA, profile_text="Baker")
    stay = fact("f1", "person:ana", "Ana bakes", valid_to=T0 + timedelta(days=5))
    go, older = fact("f3", "person:ana", "x", supersedes_fact_id="f2"), fact("f2", "person:ana", "y")
    called, third = fact("f4", "person:ana", "Nina runs"), fact("f5", "person:bia", "likes Nina")
    rows: list[Row] = [
        stay, go, older, called, third, *(link(id, "person:ana") for id in ("f1", "f2", "f3", "f4", "f5")),
        name("nina", "person:ana"), name("lu", "person:ana"),
        edge("r1", "person:ana", "person:bia", "f1", "f3"), edge("r2", "person:bia", "person:ana", "f4"),
        edge("r3", "person:ana", "person:caio", "f1"), edge("r4", "person:bia", "person:caio", "f3"),
    ]  # fmt: skip
    plan = parted(rows, whole, new, {"f3"}, {"nina"}, NOW)
    assert [row.id for row in put(plan, Fact)] == ["f2", "f3", "f4"]  # type: ignore[union-attr]
    assert {row.entity_key for row in put(plan, Fact)} == {"person:nina"}  # type: ignore[union-attr]
    assert [row.fact_id for row in put(plan, Link)] == ["f2", "f3", "f4", "f5"]  # type: ignore[union-attr]
    assert [(row.folded, row.recorded_at) for row in put(plan, Alias)] == [("nina", T0)]  # type: ignore[union-attr]
    edges = [row for row in put(plan, Relationship) if isinstance(row, Relationship)]
    halves = {(row.source_key, row.evidence_fact_ids): row for row in edges if row.id not in ("r2",)}
    assert sorted(halves) == [("person:ana", ("f1",)), ("person:nina", ("f3",))]
    left, twin = halves["person:ana", ("f1",)], halves["person:nina", ("f3",)]
    assert (left.valid_to, left.invalidated_at) == (T0 + timedelta(days=5), NOW)
    assert (twin.valid_to, twin.id != "r1") == (None, True)
    assert [(row.source_key, row.target_key) for row in edges if row.id == "r2"] == [("person:bia", "person:nina")]
    assert plan.conflicts == [Conflict(field="profile_text", kept="Baker", other="")]
    assert sorted(row.folded for row in plan.removed if isinstance(row, Alias)) == ["nina"]
