"""Claims about what is asked and decided of each fact, stage by stage: triage, verdicts, mirrors, duplicates (W9-W12, W18)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from benches import NOW, Halved, Mind, bench

from arandu_lab.pure import ids
from arandu_lab.records import (
    MIRROR,
    Alias,
    Ask,
    Decision,
    Entity,
    Extraction,
    Fact,
    Link,
    Neighbour,
    NewFact,
    NewRelation,
    Reconciliation,
    Relationship,
    Resolution,
    Resolved,
    Skipped,
    Turn,
    Verdict,
)
from arandu_lab.write import dedup, groups, mirror, reconcile, vectors
from arandu_lab.write.siblings import siblings

DAY = timedelta(days=1)
SLOPE = np.array([1.0, 0.0, 0.0], dtype=np.float32)
TURN = Turn(agent_id="a", text="hi", speaker="Rafael", occurred_at=NOW, event_id="e")
ANA = Resolved(name="Ana", type="person", key="person:ana", how="exact")
VERTIX = Resolved(name="Vertix", type="organization", key="organization:vertix", how="new")


def near(cosine: float) -> Any:
    """A unit vector of so much likeness to the slope."""
    return np.array([cosine, np.sqrt(1 - cosine**2), 0.0], dtype=np.float32)


def new(text: str, subject: str = "Ana", **more: Any) -> NewFact:
    """A fact that was read."""
    return NewFact(
        **{"subject": subject, "text": text, "confidence": 0.8, "category": "work", "importance": 0.7, **more}
    )


def stored(text: str, *links: str, days: float = 9.0, key: str = "person:ana", **more: Any) -> list[Any]:
    """A fact that is held under its own words, with its links."""
    since = NOW - days * DAY
    fact = Fact(
        **{
            "id": text, "agent_id": "a", "entity_key": key, "entity_name": key.partition(":")[2].title(), "text": text, "confidence": 0.9,
            "importance": 0.5, "category": "c", "speaker": "Rafael", "source_event_id": "e0", "valid_from": since, "recorded_at": since,
            **more,
        }
    )  # fmt: skip
    return [fact, *(
        Link(fact_id=fact.id, agent_id="a", entity_key=one, primary=one == key, recorded_at=since) for one in (key, *links)
    )]  # fmt: skip


def entity(key: str, name: str, *aliases: str) -> list[Any]:
    """A stored entity with its names."""
    made = Entity(key=key, agent_id="a", name=name, type=key.partition(":")[0], recorded_at=NOW)
    return [made, *(
        Alias(folded=one.lower(), agent_id="a", entity_key=key, name=one, recorded_at=NOW) for one in (name, *aliases)
    )]  # fmt: skip


def resolution(*facts: NewFact, **more: Any) -> Resolution:
    """A turn whose names are resolved."""
    return Resolution(**{"turn": TURN, "said": "hi", "facts": facts, "resolved": (ANA,), **more})


def triaged(*facts: NewFact, rows: Sequence[Any] = (), gate: float = 0.25, k: int = 2) -> Reconciliation:
    """The facts after triage."""
    found: Reconciliation = reconcile.triage.function(
        resolution(*facts), bench(rows), reconcile_gate=gate, reconcile_neighbours=k
    )
    return found


def asked(found: Reconciliation) -> list[list[tuple[str, float]]]:
    """Text and cosine of the neighbours of every open fact."""
    return [[(one.fact.text, round(one.cosine, 3)) for one in ask.neighbours] for ask in found.asks]


def test_the_gate_is_on_the_documented_scale() -> None:
    """W9: a stored fact at the gate is asked about, one below is not; the nearest come first, no more than asked for."""
    rows = [
        *stored("far", vector=near(0.49)), *stored("gate", vector=near(0.5)), *stored("near", vector=near(0.9)),
        *stored("mid", vector=near(0.7)),
    ]  # fmt: skip
    fact = new("Ana sings", vector=SLOPE)
    found = triaged(fact, rows=rows, k=9)
    assert asked(found) == [[("near", 0.45), ("mid", 0.35), ("gate", 0.25)]]
    assert (found.decisions, found.verdicts) == ((None,), (None,))
    assert asked(triaged(fact, rows=rows)) == [[("near", 0.45), ("mid", 0.35)]]
    fresh = triaged(fact, rows=rows, gate=0.46)
    assert (fresh.decisions, fresh.asks) == ((Decision(action="ADD", why="fresh"),), ())


def test_each_fact_beside_its_own() -> None:
    """W9: facts are compared with those of their own entity alone, open or about it; a stranger's fact is fresh."""
    rows = [*stored("hers", vector=near(0.9)), *stored("his", "person:ana", key="person:bia", vector=near(0.8)),
            *stored("other", key="person:bia", vector=near(1.0)), *stored("gone", valid_to=NOW, closed_by="delete", vector=near(1.0)),
            *stored("ahead", valid_to=NOW + DAY, closed_by="stated", vector=near(0.7))]  # fmt: skip
    found = triaged(new("x", vector=SLOPE), new("y", subject="Zoe", vector=SLOPE), rows=rows, k=9)
    assert asked(found) == [[("hers", 0.45), ("his", 0.4)]]
    assert found.decisions == (None, Decision(action="ADD", why="fresh"))
    assert [ask.position for ask in found.asks] == [0]


def test_the_same_words_far_away() -> None:
    """W12: the same words are found whatever their place among the nearest; words that were taken back stay so."""
    rows = [row for n in range(4) for row in stored(f"near {n}", vector=near(0.9 - n / 100))]
    rows += stored("Ana sings", vector=near(0.0))
    assert triaged(new("ana SINGS!", vector=SLOPE), rows=rows).decisions == (
        Decision(action="NOOP", target_id="Ana sings", why="identical"),
    )
    gone = stored("Ana hums", valid_to=NOW + DAY, closed_by="delete")
    assert triaged(new("Ana hums"), rows=gone).decisions == (
        Decision(action="NOOP", target_id="Ana hums", why="tombstone"),
    )


def test_words_stand_in_for_vectors() -> None:
    """C11: beside a fact without a vector, or of one, likeness is the share of words in common."""
    rows = [*stored("Ana sings loud songs"), *stored("Ana eats", vector=near(0.9))]
    assert asked(triaged(new("Ana sings old songs", vector=SLOPE), rows=rows)) == [
        [("Ana sings loud songs", 0.6), ("Ana eats", 0.45)]
    ]
    assert asked(triaged(new("Ana sings old songs"), rows=rows)) == [[("Ana sings loud songs", 0.6)]]
    assert asked(triaged(new("Ana sings old songs"), rows=rows, gate=0.6)) == [[("Ana sings loud songs", 0.6)]]


def test_rivals_beyond_the_nearest() -> None:
    """W9: of what one has once at a time up to ``k`` more are shown however far, the nearer first."""
    homes = [row for n in range(4) for row in stored(f"Ana lives in Town{n}", vector=near(0.2 - n / 100))]
    rows = [*stored("near", vector=near(0.9)), *stored("mid", vector=near(0.8)), *homes]
    found = triaged(new("Ana lives in Natal", vector=SLOPE), rows=rows)
    assert [text for text, _ in asked(found)[0]] == [
        "near", "mid", "Ana lives in Town2", "Ana lives in Town3"]  # fmt: skip


def open_reconciliation(*facts: NewFact, **more: Any) -> Reconciliation:
    """Two open facts beside what is stored."""
    [one, *_], [other, *_] = stored("Ana lives in Recife", days=30), stored("Ana works at Acme", days=10)
    beside = (Neighbour(fact=one, cosine=0.5), Neighbour(fact=other, cosine=0.4))
    return Reconciliation(
        **{
            "turn": TURN, "said": "hi", "facts": facts, "decisions": (None,) * len(facts), "verdicts": (None,) * len(facts),
            "asks": tuple(Ask(position=n, neighbours=beside) for n in range(len(facts))), **more,
        }
    )  # fmt: skip


async def test_what_is_asked_about_facts() -> None:
    """W3, W10: one question holds all open facts with their dates, and stored ones by index with the day they began."""
    mind = Mind(
        SimpleNamespace(
            verdicts=[
                SimpleNamespace(i=1, action="UPDATE", known=0),
                SimpleNamespace(i=1, action="NOOP", known=1),
                SimpleNamespace(i=2, action="NOOP", known=1),
                SimpleNamespace(i=-1, action="NOOP", known=1),
            ]
        ),
        dropped=("bad",),
    )
    ended = new("Ana lived in Natal", valid_from=NOW - 60 * DAY, valid_to=NOW.replace(hour=0) - 2 * DAY)
    given = open_reconciliation(new("Ana lives in Natal"), ended, skipped=(Skipped(what="w", why="y"),))
    lab = bench(llm=mind)
    found = await reconcile.ask_verdicts.function(given, lab, extraction_timeout_sec=7.0, chunk_max_chars=1000)
    known = [{"i": 0, "text": "Ana lives in Recife", "since": "2025-05-16"}, {"i": 1, "text": "Ana works at Acme", "since": "2025-06-05"}]  # fmt: skip
    assert mind.asked == [(
        "reconcile",
        {
            "message": "hi", "speaker": "Rafael", "sent_at": "2025-06-15T12:00:00+00:00",
            "items": [
                {"i": 0, "subject": "Ana", "fact": "Ana lives in Natal", "since": "2025-06-15", "known": known},
                {"i": 1, "subject": "Ana", "fact": "Ana lived in Natal", "since": "2025-04-16", "until": "2025-06-12", "known": known},
            ],
        },
        7.0,
    )]  # fmt: skip
    assert found.verdicts == (None, Verdict(action="UPDATE", index=0)), "of two verdicts on one fact the first counts"
    assert [(skip.what, skip.why) for skip in found.skipped] == [
        ("w", "y"), ("item of the answer", "bad"), ("verdict on fact -1", "no such fact was shown"),
        ("verdict on fact 2", "no such fact was shown")]  # fmt: skip
    assert lab.log.own == {"asked": 2, "answered": 1, "strays": 2}


async def test_nothing_open_asks_nothing() -> None:
    """W3: without an open fact no question is put."""
    mind = Mind(None)
    given = open_reconciliation()
    assert (
        await reconcile.ask_verdicts.function(given, bench(llm=mind), extraction_timeout_sec=1.0, chunk_max_chars=1000)
        is given
    )
    assert mind.asked == []


async def test_a_long_message_is_shown_by_the_words_of_its_facts() -> None:
    """H4: passages with words of a new or a stored fact are shown, not those with the subject's name alone."""
    rest = "Nothing new at all here. " * 20
    for passage, shown in (("She packed for Natal. ", True), ("Recife was hot. ", True), ("Ana smiled today. ", False)):
        mind = Mind(SimpleNamespace(verdicts=[]))
        given = open_reconciliation(new("Ana lives in Natal"), said=rest + passage + rest)
        await reconcile.ask_verdicts.function(given, bench(llm=mind), extraction_timeout_sec=1.0, chunk_max_chars=400)
        message = mind.asked[0][1]["message"]
        assert len(message) <= 400
        assert (passage.strip() in message) is shown


def test_verdicts_become_decisions() -> None:
    """W10: each verdict is of its own fact; what nobody answered is added; the trace counts what was invalid."""
    given = open_reconciliation(new("Ana lives in Natal"), new("Ana sings"), new("Ana hums"))
    lab = bench()
    found = reconcile.settle.function(
        replace(given, verdicts=(Verdict(action="UPDATE", index=0), None, Verdict(action="NOOP", index=2))), lab
    )
    assert found.decisions == (
        Decision(action="UPDATE", target_id="Ana lives in Recife", why="verdict"), Decision(action="ADD", why="silence"),
        Decision(action="ADD", why="verdict_invalid"),
    )  # fmt: skip
    assert lab.log.own == {
        "decisions": ["UPDATE (verdict)", "ADD (silence)", "ADD (verdict_invalid)"],
        "verdict_invalid": 1,
    }
    assert reconcile.leave_unanswered.function(given, bench()) is given


# ---------------------------------------------------------------- mirrors


def tie(source: str = "Ana", kind: str = "works_at", target: str = "Vertix") -> NewRelation:
    """A relation that was read."""
    return NewRelation(source=source, type=kind, target=target)


def mirrored(*facts: NewFact, rows: Sequence[Any] = (), **more: Any) -> tuple[Resolution, Any]:
    """The resolution after mirroring, and what was logged."""
    given = {"resolved": (ANA, VERTIX), "relations": (tie(),), "said": "Ana is at Vertix"} | more
    lab = bench(rows)
    return mirror.mirror_facts.function(resolution(*facts, **given), lab, mirror_confidence=0.6), lab.log.own


def test_a_mirror_in_full() -> None:
    """W18: a relation that no fact states gets one, marked, in the language of the message, and rests on it."""
    found, log = mirrored(new("Ana sings"), relations=(tie(), tie(kind="owns")))
    assert found.facts[1:] == (
        NewFact(subject="Ana", text="Ana works at Vertix", confidence=0.6, category="unknown", importance=0.5, source_context=MIRROR),
        NewFact(subject="Ana", text="Ana owns Vertix", confidence=0.6, category="unknown", importance=0.5, source_context=MIRROR),
    )  # fmt: skip
    assert [one.evidence for one in found.relations] == [(ids.fact_id("e", 1),), (ids.fact_id("e", 2),)]
    assert log == {"mirrors": ["Ana works at Vertix", "Ana owns Vertix"]}
    assert mirrored(said="A Ana está na Vertix")[0].facts[0].text == "Ana trabalha em Vertix"


def test_a_fact_that_states_it_needs_no_mirror() -> None:
    """W18: a new fact that names both, by any known name in whole words, is what the relation rests on."""
    rows = [*entity("person:ana", "Ana", "Nina"), *entity("person:bia", "Bia", "Lia")]
    for text, states in (
        ("Ana is at Vertix", True), ("NINA is at vertix!", True), ("Ana is at Vertixa", False), ("Lia is at Vertix", False),
        ("Ana sings", False),
    ):  # fmt: skip
        found, _ = mirrored(new(text), rows=rows)
        assert (len(found.facts) == 1) is states, text
        assert (found.relations == (tie(),)) is states
    called, _ = mirrored(new("Lu is at Vertix"), resolved=(replace(ANA, aliases=("Lu",)), VERTIX))
    assert len(called.facts) == 1


def test_ties_that_get_no_mirror() -> None:
    """W18: a relation without an entity at an end, or with itself, is left as it was read."""
    for resolved in ((ANA,), (VERTIX,), (ANA, replace(VERTIX, key=None)), (ANA, replace(VERTIX, key="person:ana"))):
        found, log = mirrored(resolved=resolved)
        assert (found.facts, found.relations, log) == ((), (tie(),), {"mirrors": []})


def test_a_standing_edge_lends_its_fact() -> None:
    """W18: the open fact of an open edge of that type and direction is named again; of another edge, or a closed one, not."""
    since = NOW - 20 * DAY
    edge = Relationship(
        id="r", agent_id="a", source_key="person:ana", target_key="organization:vertix", rel_type="works_at", strength=0.8,
        evidence_fact_ids=("said",), valid_from=since, recorded_at=since,
    )  # fmt: skip
    said, unlinked = stored("said", "organization:vertix"), stored("said")
    gone = stored("said", "organization:vertix", valid_to=NOW - DAY, closed_by="update")
    other = stored("other", "organization:vertix")
    assert mirrored(rows=[*said, *other, edge])[0].relations == (replace(tie(), evidence=("said",)),)
    for rows in (
        [*unlinked, edge], [*gone, edge], [*said, replace(edge, rel_type="owns")], [*said, replace(edge, rel_type="works_with")],
        [*said, replace(edge, valid_to=NOW - DAY)], said,
        [*said, replace(edge, source_key="organization:vertix", target_key="person:ana")],
        [*said, replace(edge, target_key="organization:x")],
    ):  # fmt: skip
        assert len(mirrored(rows=rows)[0].facts) == 1


def test_a_mirror_says_who() -> None:
    """W18: the speaker and a role go by the name that is stored, else by the speaker's; others as they were called."""
    me = Resolved(name="eu", type="person", key="person:rafael", how="speaker")
    made = {"resolved": (me, VERTIX), "relations": (tie("eu"),)}
    assert mirrored(**made)[0].facts[0].text == "Rafael works at Vertix"
    assert mirrored(**made)[0].facts[0].subject == "eu"
    assert (
        mirrored(**made, rows=entity("person:rafael", "Rafael Lima"))[0].facts[0].text == "Rafael Lima works at Vertix"
    )
    nina = {"resolved": (replace(ANA, name="Nina"), VERTIX), "relations": (tie("Nina"),)}
    assert mirrored(**nina, rows=entity("person:ana", "Ana"))[0].facts[0].text == "Nina works at Vertix"


# ---------------------------------------------------------------- duplicates, vectors, siblings


@pytest.mark.parametrize(("cosine", "kept"), [(0.8, 1), (0.79, 2)])
def test_near_duplicates(cosine: float, kept: int) -> None:
    """W11: at the threshold on the documented scale the second of two wordings goes, and is told with its likeness."""
    one = new("Ana lives in Recife", vector=SLOPE)
    two = new("Ana resides in Recife", vector=np.array([cosine, 0.6, 0.0], dtype=np.float32))
    lab = bench()
    given = Extraction(turn=TURN, facts=(one, two), skipped=(Skipped(what="w", why="y"),))
    found = dedup.drop_duplicates.function(given, lab, semantic_dedup_threshold=0.4)
    assert len(found.facts) == kept
    if kept == 1:
        assert found.skipped[1:] == (
            Skipped(what="Ana resides in Recife", why="near-duplicate (0.400) of 'Ana lives in Recife'"),
        )
        assert lab.log.own == {"duplicates": 1}
    else:
        assert found is given


async def test_facts_are_embedded_once() -> None:
    """W3: only facts without a vector are embedded, in one call, each with its own; where all have one nothing is asked."""
    embed = Halved({"b": SLOPE[::-1], "c": near(0.6)})
    given = Extraction(turn=TURN, facts=(new("a", vector=SLOPE), new("b"), new("c")))
    found = await vectors.embed_facts.function(given, bench(embed=embed))
    assert embed.asked == ["b", "c"]
    assert [
        one.vector is made for one, made in zip(found.facts, (SLOPE, embed.made["b"], embed.made["c"]), strict=True)
    ] == [True] * 3
    assert await vectors.embed_facts.function(found, bench(embed=embed)) is found
    assert vectors.leave_unembedded.function(given, bench()) is given


def ids_of(found: Sequence[Fact]) -> list[str]:
    """Their ids."""
    return [one.id for one in found]


def test_which_versions_a_new_row_meets() -> None:
    """W8: the chain of its target and closed values of the attribute; not what is open, another's, or replaced by decision."""
    day: dict[str, Any] = {"closed_by": "stated", "valid_to": NOW - DAY}
    [home, *home_links] = stored("Ana lives in Recife")
    rows = [
        home, *home_links, *stored("Ana lived in Olinda", **day), *stored("Ana lived in Natal", valid_to=NOW - DAY, closed_by="update"),
        *stored("Ana lived in Crato", valid_to=NOW - DAY, closed_by="late"), *stored("Ana lives in Patos"), *stored("Ana sang", **day),
        *stored("Bia lived in Caicó with Ana", "person:ana", key="person:bia", **day),
        *stored("Ana lived in Sousa", valid_to=NOW + DAY, closed_by="stated"),
    ]  # fmt: skip
    view = bench(rows).memory
    row = replace(stored("Ana lives in Rio", days=5.0)[0], valid_from=NOW - 5 * DAY)
    past = replace(row, text="Ana lived in Rio")
    closed = ["Ana lived in Olinda", "Ana lived in Natal", "Ana lived in Crato"]
    assert ids_of(siblings(view, past, None, home, at=NOW)) == ["Ana lives in Recife", *closed]
    assert ids_of(siblings(view, past, None, None, at=NOW)) == closed
    assert ids_of(siblings(view, row, home, None, at=NOW)) == ["Ana lives in Recife", closed[0], closed[2]]
    assert ids_of(siblings(view, replace(row, text="Ana sang"), None, None, at=NOW)) == []
    for back, alone in ((9.0, False), (9.4, False), (10.0, True)):
        older = replace(row, valid_from=NOW - back * DAY)
        assert (ids_of(siblings(view, older, home, None, at=NOW)) == ["Ana lives in Recife"]) is alone


def test_the_words_of_the_pipeline() -> None:
    """The groups are the documented stages in their order, with what steps in where a backend fails."""
    assert str(groups.write_pipeline()) == (
        "extraction() >> semantic_dedup() >> resolve() >> mirror() >> reconcile() >> upsert()"
    )


def test_one_tie_stops_no_other() -> None:
    """W18: whether a relation gets no mirror, is said by a new fact or rests on a stored one, those behind it get theirs."""
    since = NOW - 20 * DAY
    edge = Relationship(
        id="r", agent_id="a", source_key="person:ana", target_key="organization:vertix", rel_type="works_at", strength=0.8,
        evidence_fact_ids=("said",), valid_from=since, recorded_at=since,
    )  # fmt: skip
    rows = [*stored("said", "organization:vertix"), edge]
    bia = Resolved(name="Bia", type="person", key="person:bia", how="new")
    ties = (tie(target="Zoe"), tie(kind="knows", target="Bia"), tie(), tie(kind="owns"))
    found, _ = mirrored(new("Ana met Bia"), rows=rows, resolved=(ANA, VERTIX, bia), relations=ties)
    assert [one.evidence for one in found.relations] == [(), (), ("said",), (ids.fact_id("e", 1),)]
    assert [one.text for one in found.facts] == ["Ana met Bia", "Ana owns Vertix"]
