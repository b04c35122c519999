"""Claims about what goes when something is forgotten, on small memories: rows, words, and what others share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from arandu_lab.pure.forgetting import Forgetting, Wanted, forgotten, name_of
from arandu_lab.pure.grounds import Sources
from arandu_lab.pure.reviewing import DISTILLED
from arandu_lab.records import MARK, MIRROR, Alias, Cluster, Entity, Event, Fact, Link, Observation, Relationship, Row

T0 = datetime(2025, 1, 1, tzinfo=UTC)


def event(id: str, text: str, speaker: str = "Ana") -> Event:
    """A stored turn."""
    return Event(id=id, agent_id="a", text=text, speaker=speaker, occurred_at=T0, recorded_at=T0)


def entity(name: str, **more: object) -> Entity:
    """A person."""
    base = Entity(key=f"person:{name.lower()}", agent_id="a", name=name, type="person", recorded_at=T0)
    return replace(base, **more)  # type: ignore[arg-type]


def fact(id: str, text: str, key: str = "person:ana", event_id: str = "e0", **more: object) -> Fact:
    """A fact drawn from a turn."""
    base = Fact(
        id=id, agent_id="a", entity_key=key, entity_name=key.partition(":")[2].title(), text=text, confidence=0.9,
        importance=0.5, category="c", speaker="Ana", source_event_id=event_id, valid_from=T0, recorded_at=T0,
    )  # fmt: skip
    return replace(base, **more)  # type: ignore[arg-type]


def link(fact_id: str, key: str = "person:ana") -> Link:
    """A fact tied to an entity."""
    return Link(fact_id=fact_id, agent_id="a", entity_key=key, primary=True, recorded_at=T0)


def edge(id: str, *facts: str, target: str = "person:bia", **more: object) -> Relationship:
    """An edge from Ana that rests on facts."""
    base = Relationship(
        id=id, agent_id="a", source_key="person:ana", target_key=target, rel_type="knows", strength=0.4,
        evidence_fact_ids=facts, valid_from=T0, recorded_at=T0,
    )  # fmt: skip
    return replace(base, **more)  # type: ignore[arg-type]


def forget(
    rows: list[Row], *, facts: str = "", events: str = "", entities: str = "", told: Mapping[str, list[str]] | None = None,
    learnt: Mapping[Row, str] | None = None, past: list[Row] | None = None,
) -> Forgetting:  # fmt: skip
    """Forget by ids and keys."""
    wanted = Wanted(
        facts=frozenset(facts.split()), events=frozenset(events.split()), entities=frozenset(entities.split())
    )
    by_row = {name_of(row): id for row, id in (learnt or {}).items()}
    return forgotten(rows, past or [], wanted, Sources(told=told or {}, learnt=by_row))


def ids(rows: list[Row]) -> list[str]:
    """Ids, keys and names of rows, sorted."""
    return sorted(":".join(name_of(row)[1:]) for row in rows)


def test_a_fact_goes_with_versions_twins_and_turns() -> None:
    """J: a fact goes with its versions, with one that says the same, their links, and every turn that states one of them."""
    rows: list[Row] = [
        event("e1", "I moved to Lisbon"), event("e2", "As I said: Ana lives in Natal!"), event("e3", "I like tea"),
        fact("f1", "Ana lived in Faro", event_id="e1"), fact("f2", "Ana lives in Natal", supersedes_fact_id="f1", event_id="e1"),
        fact("f3", "ana lives in natal."), fact("f4", "Ana lives in Natal", key="person:bia"), fact("f5", "Ana has a cat", event_id="e1"),
        *(link(f"f{n}") for n in (1, 2, 3, 5)), link("f4", "person:bia"), entity("Ana"), entity("Bia"),
    ]  # fmt: skip
    done = forget(rows, facts="f2", told={"f2": ["e1"], "f4": ["e3"], "f3": ["gone"]})
    assert ids(done.removed) == ["e1", "e2", "f1", "f1:person:ana", "f2", "f2:person:ana", "f3", "f3:person:ana"]
    assert done.instead == []
    assert "I moved to Lisbon" in done.texts
    assert "Ana lives in Natal" in done.shared


def test_a_turn_goes_with_what_was_drawn_from_it() -> None:
    """J: a turn goes with its facts; what another turn said stays, on the version before where one between is gone."""
    rows: list[Row] = [
        event("e1", "one"), event("e2", "two"), event("e3", "three"), entity("Ana"),
        fact("f1", "Ana lives in Faro", event_id="e1"), fact("f2", "Ana lives in Natal", event_id="e2", supersedes_fact_id="f1"),
        fact("f3", "Ana lives in Rome", event_id="e3", supersedes_fact_id="f2"), link("f1"), link("f2"), link("f3"),
    ]  # fmt: skip
    done = forget(rows, events="e2")
    assert ids(done.removed) == ["e2", "f2", "f2:person:ana"]
    assert [(row.id, row.supersedes_fact_id) for row in done.instead if isinstance(row, Fact)] == [("f3", "f1")]
    assert done.texts == ("two", "Ana lives in Natal")


def test_an_entity_goes_with_all_that_names_it() -> None:
    """J: an entity goes with its facts, names and edges, the turns that name it or that it said, and nothing of others."""
    nick = Alias(folded="bibi", agent_id="a", entity_key="person:bia", name="Bibi", recorded_at=T0)
    shared = [
        Alias(folded="lu", agent_id="a", entity_key=key, name="Lu", recorded_at=T0)
        for key in ("person:bia", "person:ana")
    ]
    rows: list[Row] = [
        entity("Ana"), entity("Bia"), nick, *shared, event("e1", "Bibi called me"), event("e2", "I run", "Bia"), event("e3", "Lu sleeps"),
        fact("f1", "Bia bakes", key="person:bia", event_id="e3"), fact("f2", "Ana met Bibi", event_id="e3"),
        fact("f3", "Ana runs", event_id="e2"), fact("f4", "Ana sleeps", event_id="e3"), fact("f5", "Ana cooks", event_id="e3", speaker="Bia"),
        link("f1", "person:bia"), link("f2"), link("f3"), link("f4"), link("f5"), edge("r1", "f4"), edge("r2", "f4", target="person:caio"),
    ]  # fmt: skip
    done = forget(rows, entities="person:bia")
    assert ids(done.removed) == [
        "bibi:person:bia", "e1", "e2", "f1", "f1:person:bia", "f2", "f2:person:ana", "f3", "f3:person:ana", "f5", "f5:person:ana",
        "lu:person:bia", "person:bia", "r1",
    ]  # fmt: skip
    assert [row.id for row in done.edges] == ["r1"]
    assert "Bibi" in done.texts
    assert "Lu" in done.shared


def test_edges_keep_the_ground_that_others_share() -> None:
    """J8: an edge goes with its last ground, and its mirror with it; with other ground left it stays on that."""
    end = T0 + timedelta(days=5)
    rows: list[Row] = [
        fact("f1", "x one"), fact("f2", "y two"), fact("m1", "z mirror", source_context=MIRROR), fact("f3", "w three", valid_to=end),
        edge("r1", "f1"), edge("r2", "f1", "f2"), edge("r3", "f1", "m1"), edge("r4", "f1", "f3"), edge("r5", "f2"),
        edge("r6", "f1", "f3", "unknown"),
    ]  # fmt: skip
    done = forget(rows, facts="f1")
    assert ids(done.removed) == ["f1", "m1", "r1", "r3"]
    kept = {row.id: row for row in done.instead if isinstance(row, Relationship)}
    assert {id: (row.evidence_fact_ids, row.valid_to) for id, row in kept.items()} == {
        "r2": (("f2",), None),
        "r4": (("f3",), end),
        "r6": (("f3", "unknown"), end),
    }
    mirrored = forget(
        [fact("f1", "x one"), fact("m1", "z mirror", source_context=MIRROR), edge("r1", "f1", "m1")], facts="m1"
    )
    assert ids(mirrored.removed) == ["m1"]


def test_a_mirror_of_two_edges_goes_with_the_last() -> None:
    """J8: a mirror fact stays as long as one edge rests on it."""
    rows: list[Row] = [
        fact("f1", "x one"), fact("f2", "y two"), fact("m1", "z mirror", source_context=MIRROR), edge("r1", "f1", "m1"), edge("r2", "f2", "m1"),
    ]  # fmt: skip
    assert ids(forget(rows, facts="f1").removed) == ["f1", "r1"]
    assert ids(forget(rows, facts="f1 f2").removed) == ["f1", "f2", "m1", "r1", "r2"]


def test_nobody_stays_who_was_known_from_it_alone() -> None:
    """J: an entity that only what goes was about, or that a turn which goes brought, goes too; one who speaks stays."""
    ana, bia, caio, dora = entity("Ana"), entity("Bia"), entity("Caio"), entity("Dora")
    rows: list[Row] = [
        ana, bia, caio, dora, event("e1", "Bia bakes"), event("e2", "hello", "Ana"), fact("f1", "Bia bakes", key="person:bia", event_id="e1"),
        link("f1", "person:bia"), link("f1"), fact("f2", "Dora runs", key="person:dora", event_id="e2"), link("f2", "person:dora"),
    ]  # fmt: skip
    done = forget(rows, events="e1", learnt={caio: "e1", dora: "e1"})
    assert [row for row in ids(done.removed) if row.startswith("person")] == ["person:bia", "person:caio"]


def test_a_name_that_was_learnt_there_goes() -> None:
    """J: a short name that a turn which goes taught goes too, unless it is the own one or something else still says it."""
    alias = Alias(folded="nina", agent_id="a", entity_key="person:ana", name="Nina", recorded_at=T0)
    own = Alias(folded="ana", agent_id="a", entity_key="person:ana", name="Ana", recorded_at=T0)
    rows: list[Row] = [entity("Ana"), alias, own, event("e1", "call me Nina"), event("e2", "hello")]
    learnt: dict[Row, str] = {alias: "e1", own: "e1"}
    assert ids(forget(rows, events="e1", learnt=learnt).removed) == ["e1", "nina:person:ana"]
    assert ids(forget([*rows, event("e3", "Nina, hi")], events="e1", learnt=learnt).removed) == ["e1"]
    assert ids(forget(rows, events="e1", learnt={alias: "e2"}).removed) == ["e1"]


def test_profiles_that_rest_on_it_are_emptied() -> None:
    """J4: a profile or summary that rests on what goes is emptied, whatever its words; what nobody knows the source of rests on
    all that was known of the entity; what came later or from another turn it does not rest on."""
    ana = entity("Ana", profile_text="Likes the sea", profile_at=T0, summary_text="Ana runs", summary_at=T0)
    rows: list[Row] = [
        ana,
        event("e1", "x"),
        event("e2", "hi"),
        fact("f1", "Ana lives in Natal", event_id="e1"),
        fact("f2", "Ana runs", event_id="e2"),
        link("f1"),
        link("f2"),
    ]

    def left(facts: str = "", events: str = "", **sources: Any) -> tuple[str | None, str | None]:
        known = Sources(told={"f1": ["e1"], "f2": ["e2"]}, **sources)
        wanted = Wanted(facts=frozenset(facts.split()), events=frozenset(events.split()))
        done = forgotten(rows, [], wanted, known)
        one = next((row for row in done.instead if isinstance(row, Entity)), ana)
        assert (one.profile_at is None) == (one.profile_text is None)
        return one.profile_text, one.summary_text

    born, wrote = {"f1": 1, "f2": 3}, {(ana.key, "Likes the sea"): ("e1", 1), (ana.key, "Ana runs"): (None, 2)}
    assert left("f1") == (None, None)
    assert left("f2") == (None, None)
    assert left("f1", born=born, wrote=wrote) == (None, None)
    assert left(events="e1", born=born, wrote=wrote) == (None, None)
    assert left("f2", born=born, wrote=wrote) == ("Likes the sea", None), "its word is told by nothing else"
    also = {(ana.key, "Likes the sea"): (None, 2), (ana.key, "Ana runs"): (None, 3)}
    assert left("f2", born=born, wrote=also) == ("Likes the sea", None)


def test_groups_that_lose_evidence() -> None:
    """J4, J8: a cluster that cites or cited what goes goes; an observation that shares its evidence says the rest of it, and goes
    where it tells what goes, is made anew by its job, or wants both sides."""

    def group(id: str, text: str, *facts: str) -> Cluster:
        return Cluster(id=id, agent_id="a", label="group", summary=text, fact_ids=facts, recorded_at=T0)

    def seen(id: str, text: str, *facts: str, kind: str = "pattern", details: str | None = None) -> Observation:
        return Observation(
            id=id, agent_id="a", kind=kind, text=text, confidence=0.5, evidence_ids=facts, recorded_at=T0, details=details
        )  # fmt: skip

    rows: list[Row] = [
        fact("f1", "Ana lives in Natal"), fact("f2", "Ana runs"), group("c1", "active", "f1", "f2"), group("c2", "sport", "f1"),
        group("c3", "Natal and sport", "f2"), group("c4", "sport", "f2"), group("c5", "sea", "f2"),
        seen("o1", "likes it by the sea", "f1", "f2"), seen("o2", "is from Natal", "f1", "f2"), seen("o3", "x", "f1"),
        seen("o4", "x", "f1", "f2", kind="contradiction"), seen("o5", "x", "f1", "f2", details="{}"),
        seen("o6", "run_consolidation", "f1", "f2", kind=MARK), seen("o7", "x", "f2"), seen("o8", "still by the sea", "f2"),
    ]  # fmt: skip
    past: list[Row] = [group("c5", "sea", "f1"), seen("o8", "still by the sea", "f1")]
    done = forget(rows, facts="f1", past=past)
    assert ids(done.removed) == ["c1", "c2", "c3", "c5", "f1", "o2", "o3", "o4", "o5"]
    assert {row.id: (row.text, row.evidence_ids) for row in done.instead if isinstance(row, Observation)} == {
        "o1": ("Ana runs", ("f2",)),
        "o6": ("run_consolidation", ("f2",)),
        "o8": ("Ana runs", ("f2",)),
    }
    assert {"likes it by the sea", "still by the sea", "active"} <= set(done.texts), "they are looked for afterwards"


def test_edges_take_their_dates_from_what_is_left() -> None:
    """J4: no date of an edge is that of evidence that goes: not when it began, ended, was heard or became known."""
    days = [T0 + timedelta(days=n) for n in range(8)]

    def said(id: str, day: int, **more: Any) -> Fact:
        return fact(id, f"{id} here", valid_from=days[day], recorded_at=days[day], last_confirmed_at=days[day], **more)

    def dates(one: Relationship, facts: str, *others: Row) -> tuple[datetime | None, ...]:
        rows: list[Row] = [
            one,
            said("f1", 1),
            said("f2", 2),
            said("f3", 3),
            said("f9", 4, valid_to=days[6], closed_by="stated"),
        ]
        [left] = [row for row in forget([*rows, *others], facts=facts).instead if isinstance(row, Relationship)]
        return left.valid_from, left.valid_to, left.last_confirmed_at, left.recorded_at

    three = edge("r", "f1", "f2", "f3", valid_from=days[1], recorded_at=days[1], last_confirmed_at=days[3])
    assert dates(three, "f1") == (days[2], None, days[3], days[2])
    assert dates(three, "f3") == (days[1], None, days[2], days[1])
    assert dates(three, "f1 f2") == (days[3], None, days[3], days[3])
    before = edge("r0", "f9", valid_to=days[1])
    early = replace(three, valid_from=days[2], evidence_fact_ids=("f2", "f1"))
    assert dates(early, "f2", before)[0] == days[1], "it begins where the version before it ended"
    ended = edge("r", "f3", "f9", valid_from=days[3], valid_to=days[7], recorded_at=days[3])
    assert dates(ended, "f3") == (days[4], days[6], None, days[4])


def test_what_is_concluded_is_told_by_what_is_left() -> None:
    """J4: a distilled fact that loses its newest premise is told by the newest that is left."""
    day = T0 + timedelta(days=3)
    rows: list[Row] = [
        *(event(f"e{n}", f"meetup number {n}") for n in range(3)), entity("Ana"),
        *(fact(f"f{n}", f"Ana went to meetup {n}", event_id=f"e{n}", valid_from=T0 + timedelta(days=n)) for n in range(3)),
        fact("g", "Ana goes out", event_id="e2", valid_from=day, premise_ids=("f0", "f1", "f2"), source_context=DISTILLED),
    ]  # fmt: skip
    [left] = [row for row in forget(rows, facts="f2", told={"f2": ["e2"]}).instead if isinstance(row, Fact)]
    assert (left.premise_ids, left.source_event_id, left.valid_from) == (("f0", "f1"), "e1", T0 + timedelta(days=1))


def test_a_mirror_goes_with_the_turn_it_came_from() -> None:
    """J4: a mirror of the turn that goes goes, though its edge keeps what another turn states."""
    rows: list[Row] = [
        event("e1", "one"), event("e2", "two"), entity("Ana"), fact("f1", "x one", event_id="e1"), fact("f2", "y two", event_id="e2"),
        fact("m1", "z three", source_context=MIRROR, event_id="e1"), edge("r", "f1", "m1", "f2"),
    ]  # fmt: skip
    done = forget(rows, facts="f1", told={"f1": ["e1"], "m1": ["e1"]})
    assert ids(done.removed) == ["e1", "f1", "m1"]
    assert [row.evidence_fact_ids for row in done.instead if isinstance(row, Relationship)] == [("f2",)]


def test_everything() -> None:
    """J: forgetting everything takes every row, also those that stand no more, and names every word of every image."""
    old, new = entity("Ana", profile_text="Baker"), entity("Ana", profile_text="Runner")
    gone = fact("f1", "Ana had a cat")
    done = forgotten([new], [old, gone], Wanted(everything=True), Sources())
    assert ids(done.removed) == ["f1", "person:ana"]
    assert set(done.texts) == {"Ana", "Baker", "Runner", "Ana had a cat"}


def test_what_stands_no_more_is_forgotten_too() -> None:
    """J: an older version that only the journal has goes with its fact, and its words with it."""
    older = fact("f1", "Ana had a secret cat")
    done = forget([fact("f2", "Ana has a dog", supersedes_fact_id="f1")], facts="f2", past=[older])
    assert ids(done.removed) == ["f1", "f2"]
    assert "Ana had a secret cat" in done.texts
