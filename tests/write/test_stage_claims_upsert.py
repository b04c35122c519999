"""Claims about the rows that a message becomes, each row in full: what upsert writes from one resolution (W13, W17, W18)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from arandu_lab.pipeline import Lab
from arandu_lab.pure import ids
from arandu_lab.records import (
    MIRROR,
    UNSTAMPED,
    Alias,
    Changes,
    Decision,
    Emotion,
    Entity,
    Event,
    Fact,
    Link,
    NewFact,
    NewRelation,
    Reconciliation,
    Relationship,
    Resolution,
    Resolved,
    Skipped,
    Turn,
)
from arandu_lab.store.schema import Image
from arandu_lab.store.view import AgentView
from arandu_lab.trace import Span
from arandu_lab.write.upsert import upsert

NOW = datetime(2025, 6, 15, 12, tzinfo=UTC)
DAY = timedelta(days=1)
TURN = Turn(agent_id="a", text="hi", speaker="Rafael", occurred_at=NOW, event_id="e", session_id="s")
ANA = Resolved(name="Ana", type="person", key="person:ana", how="new")
VERTIX = Resolved(name="Vertix", type="organization", key="organization:vertix", how="new")
RAFAEL = Resolved(name="Rafael", type="person", key="person:rafael", how="speaker")


def bench(rows: Sequence[Any] = ()) -> Lab:
    """A laboratory over stored rows; no model and no embedder, for upsert asks neither."""
    view = AgentView.of("a", [Image(row, seq=1, born=born) for born, row in enumerate(rows)])
    return Lab(llm=None, embed=None, memory=view, now=NOW, log=Span("test"))  # type: ignore[arg-type]


def new(text: str, subject: Any = "Ana", **more: Any) -> NewFact:
    """A fact that was read."""
    return NewFact(
        **{"subject": subject, "text": text, "confidence": 0.8, "category": "work", "importance": 0.7, **more}
    )


def stored(id: str, text: str, since: datetime, key: str = "person:ana", **more: Any) -> Fact:
    """A fact that is held."""
    return Fact(
        **{
            "id": id, "agent_id": "a", "entity_key": key, "entity_name": key.partition(":")[2].title(), "text": text, "confidence": 0.9,
            "importance": 0.5, "category": "work", "speaker": "Rafael", "source_event_id": f"e-{id}", "valid_from": since,
            "recorded_at": since, **more,
        }
    )  # fmt: skip


def person(name: str, **more: Any) -> list[Any]:
    """A stored person with the alias that is the name."""
    key = f"person:{name.lower()}"
    return [
        Entity(key=key, agent_id="a", name=name, type="person", recorded_at=NOW - DAY, **more),
        Alias(folded=name.lower(), agent_id="a", entity_key=key, name=name, recorded_at=NOW - DAY),
    ]


def link(fact_id: str, key: str, *, primary: bool = True) -> Link:
    """A link as it is drafted."""
    return Link(fact_id=fact_id, agent_id="a", entity_key=key, primary=primary, recorded_at=UNSTAMPED)


def written(
    *facts: NewFact, decisions: Sequence[Decision | None] | None = None, held: Sequence[Any] = (), **more: Any
) -> Changes:
    """The changes of a turn; without ``decisions`` reconciliation was left out."""
    given = {"turn": TURN, "said": "hi", "facts": facts, "resolved": (ANA,), "mode": "informed", **more}
    made = Resolution(**given) if decisions is None else Reconciliation(**given, decisions=tuple(decisions))
    found: Changes = upsert.function(
        made, bench(held), relation_initial_strength=0.8, relation_reinforcement=0.1, entity_min_chars=3
    )
    return found


def of(changes: Changes, kind: type[Any]) -> list[Any]:
    """The rows of one kind."""
    return [row for row in changes.rows if isinstance(row, kind)]


def test_every_row_of_a_first_message() -> None:
    """W13, W17: one fact with an edge is: two entities with a name each, the fact, its links, the edge, the event; no more."""
    vector = np.array([1.0, 0.0], dtype=np.float32)
    said = new("Ana works at Vertix", vector=vector, event_time="2025-06-20", source_context="c", granularity="day",
               valid_from=NOW - DAY)  # fmt: skip
    found = written(
        said, resolved=(ANA, VERTIX), relations=(NewRelation(source="ana", type="works_at", target="VERTIX"),)
    )
    id = ids.fact_id("e", 0)
    fact = Fact(
        id=id, agent_id="a", entity_key="person:ana", entity_name="Ana", text="Ana works at Vertix", confidence=0.8, importance=0.7,
        category="work", speaker="Rafael", source_event_id="e", valid_from=NOW - DAY, recorded_at=UNSTAMPED, granularity="day",
        event_time="2025-06-20", source_context="c", last_confirmed_at=NOW,
    )  # fmt: skip
    common: dict[str, Any] = {"agent_id": "a", "recorded_at": UNSTAMPED}
    assert of(found, Relationship) == [], "a fact with a context of its own is nobody's evidence"
    assert [one.why for one in found.skipped] == ["no stored fact supports it"]
    assert list(found.rows) == [
        Entity(key="person:ana", name="Ana", type="person", **common),
        Alias(folded="ana", entity_key="person:ana", name="Ana", **common),
        Entity(key="organization:vertix", name="Vertix", type="organization", **common),
        Alias(folded="vertix", entity_key="organization:vertix", name="Vertix", **common),
        fact,
        link(id, "person:ana"),
        link(id, "organization:vertix", primary=False),
        Event(id="e", text="hi", speaker="Rafael", occurred_at=NOW, session_id="s", **common),
    ]
    assert found.rows[4].vector is vector  # type: ignore[union-attr]
    assert [(one.action, one.fact, one.before, one.why) for one in found.decided] == [
        ("ADD", fact, None, "unreconciled")
    ]
    assert (found.agent_id, found.mode, found.resolved) == ("a", "informed", (ANA, VERTIX))


def tie(**more: Any) -> dict[str, Any]:
    """A turn with Ana at Vertix as a relation."""
    return {
        "resolved": (ANA, VERTIX),
        "relations": (NewRelation(source="Ana", type="works_at", target="Vertix", **more),),
    }


def edge(**more: Any) -> Relationship:
    """Ana at Vertix, as an open edge that was stored long ago."""
    since = NOW - 100 * DAY
    return Relationship(
        **{
            "id": "old", "agent_id": "a", "source_key": "person:ana", "target_key": "organization:vertix", "rel_type": "works_at",
            "strength": 0.5, "evidence_fact_ids": ("f",), "valid_from": since, "recorded_at": since, **more,
        }
    )  # fmt: skip


def test_a_first_edge() -> None:
    """W17: it has the first strength, rests on the fact that names both ends, begins with it and ends where that was told to."""
    [found] = of(written(new("Ana works at Vertix", valid_from=NOW - 9 * DAY), **tie()), Relationship)
    assert found == Relationship(
        id=ids.edge_id("e", "person:ana", "works_at", "organization:vertix"), agent_id="a", source_key="person:ana",
        target_key="organization:vertix", rel_type="works_at", strength=0.8, evidence_fact_ids=(ids.fact_id("e", 0),),
        valid_from=NOW - 9 * DAY, recorded_at=UNSTAMPED, last_confirmed_at=NOW,
    )  # fmt: skip
    told = new("Ana works at Vertix", valid_from=NOW - 9 * DAY, valid_to=NOW - DAY)
    [ended] = of(written(told, **tie()), Relationship)
    assert (ended.valid_from, ended.valid_to) == (NOW - 9 * DAY, NOW - DAY)


def test_an_edge_that_stands_is_reinforced() -> None:
    """W17: said again it gains once and rests on more; another type, target or direction is another edge."""
    held = [*person("Ana"), stored("f", "Ana is in it", NOW - 100 * DAY), edge()]
    twice = tie()
    twice["relations"] *= 2
    [found] = of(written(new("Ana works at Vertix"), held=held, **twice), Relationship)
    assert found == edge(strength=0.6, evidence_fact_ids=("f", ids.fact_id("e", 0)), last_confirmed_at=NOW)
    for other in ({"rel_type": "owns"}, {"target_key": "organization:x"}, {"source_key": "person:bia"}):
        rows = of(
            written(new("Ana works at Vertix"), held=[*person("Ana"), held[2], edge(**other)], **tie()), Relationship
        )
        assert [(one.id == "old", one.strength) for one in rows] == [(False, 0.8)]


def test_an_edge_on_what_was_stored() -> None:
    """W18: an edge that rests on an older open fact begins now; on one that ended, or that nobody holds, there is none."""
    old = stored("f", "she is at Vertix", NOW - 100 * DAY)
    [found] = of(written(held=[*person("Ana"), old], **tie(evidence=("f", "gone", "f"))), Relationship)
    assert (found.evidence_fact_ids, found.valid_from, found.valid_to) == (("f",), NOW, None)
    for why in ("update", "delete"):
        gone = replace(old, valid_to=NOW - DAY, closed_by=why)
        assert of(written(held=[*person("Ana"), gone], **tie(evidence=("f",))), Relationship) == []
    ended = replace(old, valid_to=NOW - DAY, closed_by="stated")
    [then] = of(written(held=[*person("Ana"), ended], **tie(evidence=("f",))), Relationship)
    assert (then.valid_from, then.valid_to) == (NOW - 100 * DAY, NOW - DAY)


def test_a_new_version_of_an_edge() -> None:
    """W17: it begins no earlier than the last one ended; told to end before that it only bears the last one out."""
    last = edge(valid_to=NOW - 5 * DAY)
    held = [*person("Ana"), stored("f", "x", NOW - 100 * DAY), last]
    [found] = of(written(new("Ana works at Vertix", valid_from=NOW - 50 * DAY), held=held, **tie()), Relationship)
    assert (found.id != "old", found.valid_from, found.strength) == (True, NOW - 5 * DAY, 0.8)
    [late] = of(written(new("Ana works at Vertix", valid_from=NOW - DAY), held=held, **tie()), Relationship)
    assert late.valid_from == NOW - DAY
    for end, fresh in ((NOW - 5 * DAY, False), (NOW - 4 * DAY, True)):
        said = new("Ana works at Vertix", valid_from=NOW - 50 * DAY, valid_to=end)
        [row] = of(written(said, held=held, **tie()), Relationship)
        assert (row.id != "old") is fresh
        assert row.strength == pytest.approx(0.8 if fresh else 0.6)


def test_evidence_names_both_ends() -> None:
    """W18: of the message's facts that name both, by alias too and in whole words, the surest; a mirror's word is none."""
    ana = replace(ANA, aliases=("Nina",))
    facts = [
        new("Ana likes tea", confidence=0.99), new("Nina is at Vertix", confidence=0.3), new("Nina and Vertix", confidence=0.6),
        new("Ana works at Vertixa", confidence=0.9), new("Ana was at Vertix", confidence=1.0, source_context=MIRROR),
    ]  # fmt: skip
    more = tie() | {"resolved": (ana, VERTIX)}
    [found] = of(written(*facts, **more), Relationship)
    assert found.evidence_fact_ids == (ids.fact_id("e", 2),)
    [by_alias] = of(
        written(new("Lia is at Vertix"), held=[*person("Ana"), replace(person("Ana")[1], folded="lia", name="Lia")], **tie()),
        Relationship,
    )  # fmt: skip
    assert by_alias.evidence_fact_ids == (ids.fact_id("e", 0),)


def test_edges_that_are_not_written() -> None:
    """W17: a relation without an entity at an end, with itself, or without ground is told with the reason."""
    nobody = replace(VERTIX, key=None)
    also = replace(VERTIX, key="person:ana")
    for resolved, why in (
        ((ANA,), "no entity for one of its ends"), ((ANA, nobody), "no entity for one of its ends"),
        ((ANA, also), "an entity related to itself"), ((ANA, VERTIX), "no stored fact supports it"),
    ):  # fmt: skip
        found = written(new("Ana sings"), **(tie() | {"resolved": resolved}))
        assert (of(found, Relationship), found.skipped) == ([], (Skipped(what="Ana works_at Vertix", why=why),))


@pytest.mark.parametrize("resolved", [(), (replace(ANA, key=None),)])
def test_a_fact_of_nobody(resolved: tuple[Resolved, ...]) -> None:
    """W13: a fact whose subject has no entity is told, and the facts behind it keep their places."""
    found = written(new("Ana sings"), new("Vertix grows", subject="Vertix"), resolved=(*resolved, VERTIX))
    assert found.skipped == (Skipped(what="Ana sings", why="no entity for its subject 'Ana'"),)
    assert [(one.id, one.text) for one in of(found, Fact)] == [(ids.fact_id("e", 1), "Vertix grows")]


def test_confirmed_again() -> None:
    """W12: NOOP counts and keeps the rest of the row, an edge may rest on it; of what was taken back only the telling is left."""
    old = stored("f", "Ana works at Vertix", NOW - 100 * DAY)
    noop = Decision(action="NOOP", target_id="f", why="identical")
    found = written(new("Ana works at Vertix!"), decisions=[noop], held=[*person("Ana"), old], **tie())
    after = replace(old, reinforcement_count=1, last_confirmed_at=NOW)
    assert of(found, Fact) == [after]
    assert [(one.action, one.fact, one.before, one.why) for one in found.decided] == [("NOOP", after, old, "identical")]
    assert of(found, Relationship)[0].evidence_fact_ids == ("f",)
    buried = written(new("Ana sings"), decisions=[replace(noop, why="tombstone")], held=[*person("Ana"), old])
    assert (of(buried, Fact), buried.decided) == ([], ())
    assert buried.skipped == (Skipped(what="Ana sings", why="was taken back earlier and stays so"),)


@pytest.mark.parametrize("action", ["NOOP", "DELETE", "UPDATE"])
def test_a_target_that_is_gone(action: Any) -> None:
    """W10: whatever was decided about a fact that nobody holds, the new fact is kept."""
    found = written(new("Ana sings"), decisions=[Decision(action=action, target_id="gone")], held=person("Ana"))
    assert [(one.action, one.fact.text, one.before) for one in found.decided] == [("ADD", "Ana sings", None)]


def test_taken_back() -> None:
    """W7: DELETE ends the fact when it was said, at the date told, or where it was told to have ended; nothing is added."""
    old = stored("f", "Ana works at Vertix", NOW - 100 * DAY)
    drop = [Decision(action="DELETE", target_id="f", why="verdict")]
    for more, end in (
        ({}, NOW), ({"valid_from": NOW - 9 * DAY}, NOW - 9 * DAY), ({"valid_from": NOW - 9 * DAY, "valid_to": NOW - DAY}, NOW - DAY),
        ({"valid_from": NOW - 9 * DAY, "valid_to": NOW + DAY}, NOW - 9 * DAY),
    ):  # fmt: skip
        found = written(new("Ana left", **more), decisions=drop, held=[*person("Ana"), old, edge()])
        after = replace(old, valid_to=end, closed_by="delete", invalidated_at=UNSTAMPED)
        assert of(found, Fact) == [after]
        assert [(one.action, one.fact, one.before, one.why) for one in found.decided] == [
            ("DELETE", after, old, "verdict")
        ]
        assert [(one.valid_to, one.invalidated_at) for one in of(found, Relationship)] == [(end, UNSTAMPED)]


def test_replaced() -> None:
    """W7, W8: UPDATE is the new row that names the old one, and the old one ended where the new one begins."""
    old = stored("f", "Ana lives in Recife", NOW - 100 * DAY)
    said = new("Ana lives in Natal", valid_from=NOW - 10 * DAY)
    choice = Decision(action="UPDATE", target_id="f", why="verdict")
    found = written(said, decisions=[choice], held=[*person("Ana"), old])
    closed = replace(old, valid_to=NOW - 10 * DAY, closed_by="update", invalidated_at=UNSTAMPED)
    [mine] = [row for row in of(found, Fact) if row.id != "f"]
    assert [row for row in of(found, Fact) if row.id == "f"] == [closed]
    assert (mine.supersedes_fact_id, mine.valid_from, mine.valid_to) == ("f", NOW - 10 * DAY, None)
    assert [(one.action, one.fact, one.before, one.why) for one in found.decided] == [("UPDATE", mine, old, "verdict")]
    hinted = written(replace(said, hint="UPDATE", hint_fact_id="f"), held=[*person("Ana"), old])
    assert of(hinted, Fact) == of(found, Fact)
    assert [one.why for one in hinted.decided] == ["hint"]


def test_hints_count_only_alone() -> None:
    """W2: a hint decides where nothing was reconciled; without one, and where reconciliation was silent, a fact is added."""
    old = stored("f", "Ana lives in Recife", NOW - 100 * DAY)
    said = new("Ana lives in Natal", hint="UPDATE", hint_fact_id="f")
    held = [*person("Ana"), old]
    assert [(d.action, d.why) for d in written(said, decisions=[None], held=held).decided] == [("ADD", "silence")]
    assert [(d.action, d.why) for d in written(said, decisions=[], held=held).decided] == [("ADD", "silence")]
    assert [(d.action, d.why) for d in written(replace(said, hint="NEW"), held=held).decided] == [
        ("ADD", "unreconciled")
    ]
    assert [(d.action, d.why) for d in written(replace(said, hint_fact_id=None), held=held).decided] == [
        ("ADD", "unreconciled")
    ]


def test_an_interrupted_fact_goes_on_with_its_ties() -> None:
    """W8, W18: what an episode interrupts goes on after it with its links and as ground of its open edges."""
    home = stored("f", "Ana lives in Recife", NOW - 300 * DAY)
    links = [link("f", "person:ana"), link("f", "place:recife", primary=False)]
    ties = [edge(id="on", rel_type="lives_in", target_key="place:recife"),
            edge(id="off", rel_type="knows", valid_to=NOW - 200 * DAY),
            edge(id="else", rel_type="likes", evidence_fact_ids=("g",))]  # fmt: skip
    stay = new("Ana lived in Natal", valid_from=NOW - 90 * DAY, valid_to=NOW - 60 * DAY)
    choice = Decision(action="ADD", target_id="f", why="late")
    found = written(stay, decisions=[choice], held=[*person("Ana"), home, *links, *ties])
    rows = {row.id: row for row in of(found, Fact)}
    [again] = [row for id, row in rows.items() if id not in ("f", ids.fact_id("e", 0))]
    assert (rows["f"].valid_to, rows["f"].closed_by) == (NOW - 90 * DAY, "late")
    assert (again.text, again.valid_from, again.valid_to, again.supersedes_fact_id) == (
        "Ana lives in Recife", NOW - 60 * DAY, None, "f")  # fmt: skip
    assert [row for row in of(found, Link) if row.fact_id == again.id] == [
        link(again.id, "person:ana"), link(again.id, "place:recife", primary=False)]  # fmt: skip
    assert {row.id: (row.evidence_fact_ids, row.valid_to) for row in of(found, Relationship)} == {
        "on": (("f", again.id), None)
    }
    assert [(one.action, one.before) for one in found.decided] == [("ADD", None)]


def test_repeated_in_the_message() -> None:
    """A1: the same words of one entity are one row, told once; of another entity, or to replace something, they are their own."""
    bia = Resolved(name="Bia", type="person", key="person:bia", how="new")
    ana = replace(ANA, name="Nina")
    found = written(new("They sing"), new("they sing!", subject="Nina"), new("They sing", subject="Bia"),
                    resolved=(ANA, ana, bia))  # fmt: skip
    assert [row.entity_key for row in of(found, Fact)] == ["person:ana", "person:bia"]
    assert found.skipped == (Skipped(what="they sing!", why="repeated in the message"),)
    old = stored("f", "Ana hums", NOW - DAY)
    both = [Decision(action="ADD"), Decision(action="UPDATE", target_id="f")]
    twice = written(new("Ana sings"), new("Ana sings"), decisions=both, held=[*person("Ana"), old])
    assert [(one.action, one.fact.text) for one in twice.decided] == [("ADD", "Ana sings"), ("UPDATE", "Ana sings")]


def test_links_follow_the_words() -> None:
    """W13: the subject first, then who is named, each once; an undecided name links all it may be, a role its owner."""
    held = [*person("Bia"), *person("Caio")]
    found = written(new("Ana met Bia, bia and Caio"), held=held)
    assert [(one.entity_key, one.primary) for one in of(found, Link)] == [
        ("person:ana", True), ("person:bia", False), ("person:caio", False)]  # fmt: skip
    unsure = Resolved(
        name="Lu", type="person", key="ambiguous:lu", how="ambiguous", candidates=("person:bia", "person:caio")
    )
    assert [one.entity_key for one in of(written(new("sings", subject="Lu"), held=held, resolved=(unsure,)), Link)] == [
        "ambiguous:lu", "person:bia", "person:caio"]  # fmt: skip
    mother = Resolved(name="mom", type="person", key="person:rafael_mother", how="relationship_term")
    rows = written(new("cooks", subject="mom"), resolved=(mother, RAFAEL, ANA))
    assert [one.entity_key for one in of(rows, Link)] == ["person:rafael_mother", "person:rafael"]
    assert [one.entity_key for one in of(written(new("cooks"), resolved=(ANA, RAFAEL)), Link)] == ["person:ana"]


def test_short_and_shared_names_link_nothing() -> None:
    """W13: a name below ``entity_min_chars``, or one that two entities bear, stands for nobody in a text."""
    two = [*person("Bia"), *person("Caio")]
    shared = [*two, replace(two[1], entity_key="person:caio"), *person("Jo")]
    assert [one.entity_key for one in of(written(new("Ana met Bia and Jo and Caio"), held=shared), Link)] == [
        "person:ana", "person:caio"]  # fmt: skip


def test_names_that_are_learned() -> None:
    """B6, W14: a new name is an alias; one that another bears is taken only by its own new bearer, a common noun by nobody."""
    ana = replace(ANA, aliases=("Nina", "chefe", "Bia"))
    names = [one.name for one in of(written(resolved=(ana,), held=person("Bia")), Alias)]
    assert names == ["Ana", "Nina"]
    namesake = Resolved(name="Bia", type="person", key="person:bia_2", how="new")
    assert [(one.name, one.entity_key) for one in of(written(resolved=(namesake,), held=person("Bia")), Alias)] == [
        ("Bia", "person:bia_2")]  # fmt: skip
    likely = replace(namesake, how="fuzzy")
    assert of(written(resolved=(likely,), held=person("Bia")), Alias) == []
    assert of(written(resolved=(replace(ANA, how="exact"),), held=person("Ana")), Alias) == []
    assert of(written(resolved=(replace(ANA, how="ambiguous"),)), Alias) == []
    assert of(written(resolved=(replace(ANA, key=None),)), Entity) == []


def test_a_known_entity_is_left_as_it_is() -> None:
    """W13: no row is written for an entity that stands; a new one has its own type, a role or the speaker is a person."""
    assert of(written(resolved=(replace(ANA, how="exact"),), held=person("Ana")), Entity) == []
    mother = Resolved(name="mom", type="concept", key="person:rafael_mother", how="relationship_term")
    vector = np.array([0.0, 1.0], dtype=np.float32)
    rows = of(written(resolved=(replace(VERTIX, vector=vector), mother)), Entity)
    assert [(row.name, row.type) for row in rows] == [("Vertix", "organization"), ("Rafael's mother", "person")]
    assert rows[0].vector is vector
    aliases = of(written(resolved=(mother,)), Alias)
    assert [one.name for one in aliases] == ["Rafael's mother"], "nobody is called mom"


def test_the_speaker_wants_a_reason() -> None:
    """W13: the speaker is an entity where something is said of or with it, or of somebody who is only a role of it."""

    def known(*facts: NewFact, resolved: tuple[Resolved, ...] = (RAFAEL, ANA), **more: Any) -> bool:
        return "person:rafael" in {row.key for row in of(written(*facts, resolved=resolved, **more), Entity)}

    assert not known(new("Ana sings"))
    assert known(new("Rafael sings", subject="rafael"))
    tied = NewRelation(source="Ana", type="knows", target="Rafael")
    assert known(relations=(tied,))
    assert known(relations=(replace(tied, source="Rafael", target="Ana"),))
    mother = Resolved(name="mom", type="person", key="person:rafael_mother", how="relationship_term")
    assert known(resolved=(RAFAEL, mother))
    me = replace(RAFAEL, name="eu")
    assert known(new("x", subject="eu"), resolved=(me, ANA))
    assert known(new("x", subject="Rafa"), resolved=(RAFAEL, replace(RAFAEL, name="Rafa", how="exact")))


def test_profiles_fill_a_gap_only() -> None:
    """W19: a profile is written, without blanks around it, where none stands; an empty text or a stranger's writes none."""
    [row] = of(written(profiles=(("ana", " Baker. "),)), Entity)
    assert (row.profile_text, row.profile_at) == ("Baker.", NOW)
    [row] = of(written(profiles=(("Ana", " "), ("Zoe", "Runs."))), Entity)
    assert (row.profile_text, row.profile_at) == (None, None)
    has = person("Ana", profile_text="Nurse.", profile_at=NOW - DAY)
    assert of(written(profiles=(("Ana", "Baker."),), held=has, resolved=(replace(ANA, how="exact"),)), Entity) == []
    [row] = of(written(profiles=(("Ana", "Baker."),), held=person("Ana")), Entity)
    assert (row.key, row.profile_text, row.recorded_at) == ("person:ana", "Baker.", NOW - DAY)


def test_the_event_keeps_what_it_has() -> None:
    """W6: the turn gets the emotion and the vector of the reading; where those are missing what it had stays."""
    one, two = (np.array(v, dtype=np.float32) for v in ([1.0, 0.0], [0.0, 1.0]))
    held = Event(id="e", agent_id="a", text="as stored", speaker="Rafael", occurred_at=NOW, recorded_at=NOW - DAY, emotion="joy",
                 emotion_intensity=0.4, energy="low", vector=one)  # fmt: skip
    [kept] = of(written(held=[held]), Event)
    assert kept == held
    assert kept.vector is not None
    assert kept.vector.tolist() == [1.0, 0.0]
    rage = Emotion(label="rage", intensity=0.0, energy="high")
    [changed] = of(written(held=[held], emotion=rage, vector=two), Event)
    assert changed == replace(held, emotion="rage", emotion_intensity=0.0, energy="high")
    assert changed.vector is two


def test_mirrors_fall_with_their_edge() -> None:
    """W18: where the last stated fact of an edge ends, the edge ends then, and the mirror with it; both are told."""
    said = stored("f", "Ana works at Vertix", NOW - 100 * DAY)
    mirror = stored("m", "Ana works at Vertix", NOW - 99 * DAY, source_context=MIRROR)
    held = [*person("Ana"), said, mirror, edge(evidence_fact_ids=("m", "f"))]
    drop = [Decision(action="DELETE", target_id="f", why="verdict")]
    found = written(new("Ana left", valid_from=NOW - 3 * DAY), decisions=drop, held=held)
    assert [(one.action, one.fact.id, one.before, one.why) for one in found.decided] == [
        ("DELETE", "f", said, "verdict"), ("DELETE", "m", mirror, "edge")]  # fmt: skip
    rows = {row.id: row for row in of(found, Fact)}
    assert (rows["m"].valid_to, rows["m"].closed_by) == (NOW - 3 * DAY, "edge")
    assert [row.valid_to for row in of(found, Relationship)] == [NOW - 3 * DAY]


def test_only_entities_that_stand_are_told() -> None:
    """W13: of the names of a turn those with an entity are in the result."""
    known = replace(ANA, how="exact")
    found = written(resolved=(known, RAFAEL, replace(VERTIX, key=None)), held=person("Ana"))
    assert found.resolved == (known,)


def test_two_episodes_in_one_message() -> None:
    """W8: each stay takes its own days out of the home that goes on between and after them, in whichever order they are told."""
    home = stored("f", "Ana lives in Recife", NOW - 300 * DAY)
    stays = [
        new(f"Ana lived in {town}", valid_from=NOW - first * DAY, valid_to=NOW - last * DAY)
        for town, first, last in (("Natal", 90, 80), ("Olinda", 60, 50), ("Patos", 30, 20))
    ]
    late = [Decision(action="ADD", target_id="f", why="late")] * 3
    for told in (stays, stays[::-1], [stays[1], stays[0], stays[2]]):
        rows = of(written(*told, decisions=late, held=[*person("Ana"), home]), Fact)
        shown = sorted(
            ((row.valid_from - NOW).days, row.valid_to and (row.valid_to - NOW).days, row.text.split()[-1])
            for row in rows
        )
        assert shown == [
            (-300, -90, "Recife"), (-90, -80, "Natal"), (-80, -60, "Recife"), (-60, -50, "Olinda"), (-50, -30, "Recife"),
            (-30, -20, "Patos"), (-20, None, "Recife"),
        ]  # fmt: skip
        heirs = [row.supersedes_fact_id for row in rows if row.supersedes_fact_id]
        assert len(heirs) == len(set(heirs)), "nothing has two heirs"


def test_one_bad_relation_stops_no_other() -> None:
    """W17: whatever is wrong with a relation, those behind it are written."""
    good = NewRelation(source="Ana", type="works_at", target="Vertix")
    bad = [
        NewRelation(source="Ana", type="knows", target="Zoe"), NewRelation(source="Ana", type="knows", target="ana"),
        NewRelation(source="Ana", type="knows", target="Bia"),
    ]  # fmt: skip
    bia = Resolved(name="Bia", type="person", key="person:bia", how="new")
    found = written(new("Ana works at Vertix"), resolved=(ANA, VERTIX, bia), relations=(*bad, good))
    assert [row.rel_type for row in of(found, Relationship)] == ["works_at"]
    assert [one.why for one in found.skipped] == [
        "no entity for one of its ends", "an entity related to itself", "no stored fact supports it"]  # fmt: skip


def test_the_speaker_leaves_other_names_open() -> None:
    """B6: a name that is not learned stops none behind it: the speaker, an undecided one, one without a key."""
    unsure = Resolved(name="Lu", type="person", key="ambiguous:lu", how="ambiguous")
    nobody = Resolved(name="X", type="person", key=None, how="pending")
    found = written(new("Ana sings"), resolved=(nobody, RAFAEL, unsure, ANA))
    assert [row.key for row in of(found, Entity)] == ["ambiguous:lu", "person:ana"]
    assert [row.name for row in of(found, Alias)] == ["Ana"]
