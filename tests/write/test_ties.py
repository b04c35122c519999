"""Edges, their evidence and mirror facts, and the links of facts to entities (W13, W17, W18)."""

from __future__ import annotations

from typing import Any

from said import AGENT, DAY, Talk, answer, at, edge, entity, fact, verdicts

WORK = ("person:ana", "works_at", "organization:vertix")
SAID = "Ana works at Vertix"


def hired(*facts: dict[str, Any], **more: Any) -> dict[str, Any]:
    """An answer with Ana at Vertix as a relation."""
    return answer(
        *facts,
        entities=[entity("Ana"), entity("Vertix", "organization")],
        relations=[edge("Ana", "works_at", "Vertix")],
        **more,
    )


def tie(talk: Talk) -> Any:
    """The open edge between Ana and Vertix."""
    (found,) = [e for e in talk.view.edges() if e.valid_to is None and (e.source_key, e.rel_type, e.target_key) == WORK]
    return found


async def test_reinforced_to_one() -> None:
    """W17: strength .8, then +.1 a message up to 1.0, however often one message says it."""
    with Talk() as talk:
        strengths = []
        for n in range(4):
            said = hired(fact("Ana", SAID))
            said["relations"] *= 2
            said["relations"].append(edge("Ana", "employed_by", "Vertix"))
            await talk(said, text=f"{n}")
            strengths.append(tie(talk).strength)
        assert strengths == [0.8, 0.9, 1.0, 1.0]
        assert len(talk.view.edges()) == 1
        assert tie(talk).last_confirmed_at == talk.now


async def test_one_reinforcement_for_two_names() -> None:
    """W17: the same edge under two names of one entity counts once in a message."""
    with Talk() as talk:
        said = answer(
            fact("Rafael", "Rafael works at Vertix"),
            entities=[entity("Vertix", "organization")],
            relations=[edge("eu", "works_at", "Vertix"), edge("Rafael", "works_at", "Vertix")],
        )
        await talk(said)
        assert [e.strength for e in talk.view.edges()] == [0.8]


async def test_reasserted_as_a_new_version() -> None:
    """W17: an edge that fell and is said again is a new version; the old one keeps its interval and they don't overlap."""
    gone = "Ana no longer works at Vertix"
    with Talk({(SAID, gone): 0.9}) as talk:
        await talk(hired(fact("Ana", SAID)), when=at(2023))
        await talk(answer(fact("Ana", gone)), when=at(2024), verdict=verdicts(("DELETE", 0)))
        assert talk.edges() == []
        await talk(hired(fact("Ana", SAID)), when=at(2025))
        old, new = sorted(talk.view.edges(), key=lambda e: e.valid_from)
        assert (old.valid_from, old.valid_to) == (at(2023), at(2024))
        assert (new.valid_from, new.valid_to, new.strength) == (at(2025), None, 0.8)
        assert talk.memory.relationships(AGENT, as_of=at(2024, 6)).is_empty()


async def test_versions_of_an_edge_do_not_overlap() -> None:
    """W17: a new version never begins before the last one ended, however old the fact that it rests on."""
    other = "Ana is at Vertix every day"
    gone = "Ana no longer works at Vertix"
    with Talk({(SAID, gone): 0.9}) as talk:
        await talk(
            answer(fact("Ana", other), entities=[entity("Ana"), entity("Vertix", "organization")]), when=at(2022)
        )
        await talk(hired(fact("Ana", SAID)), when=at(2023))
        await talk(answer(fact("Ana", gone)), when=at(2024), verdict=verdicts(("DELETE", 0)))
        await talk(hired(fact("Ana", other)), when=at(2025))
        first, second = sorted(talk.view.edges(), key=lambda e: e.valid_from)
        assert first.valid_to == at(2024) <= second.valid_from


async def test_types_are_one_spelling() -> None:
    """W17: "Married To", "esposa de" and "spouse_of" are one edge."""
    with Talk() as talk:
        for kind in ("Married To", "esposa de", "spouse_of"):
            said = answer(
                fact("Ana", "Ana is married to Bia"),
                entities=[entity("Ana"), entity("Bia")],
                relations=[edge("Ana", kind, "Bia")],
            )
            await talk(said, text=kind)
        assert [(e.rel_type, e.strength) for e in talk.view.edges()] == [("spouse_of", 1.0)]


async def test_self_reference() -> None:
    """An edge of an entity with itself, under one name or two, is dropped and told."""
    with Talk() as talk:
        said = answer(
            fact("Caroline", "Caroline sings"),
            entities=[entity("Caroline", "person", "Carol")],
            relations=[
                edge("Caroline", "child_of", "caroline"),
                edge("Carol", "friend_of", "Caroline"),
                edge("eu", "knows", "Rafael"),
            ],
        )
        result = await talk(said)
        assert talk.view.edges() == ()
        assert [s.why for s in result.skipped] == ["an entity related to itself"] * 3


async def test_evidence_of_highest_confidence() -> None:
    """W18: of several facts that name both ends the most confident one is the evidence."""
    with Talk() as talk:
        result = await talk(
            hired(
                fact("Ana", "Ana may be at Vertix", confidence="speculation"), fact("Ana", SAID, confidence="explicit")
            )
        )
        assert tie(talk).evidence_fact_ids == (result.facts_added[1].id,)


async def test_evidence_of_a_confirmed_fact() -> None:
    """W18: NOOP links the stored fact, even when its words name the other end differently."""
    known, again = "Ana works for the Vertix company", "Ana works at Vertix"
    with Talk({(known, again): 0.9}) as talk:
        first = await talk(answer(fact("Ana", known)))
        second = await talk(hired(fact("Ana", again)), verdict=verdicts(("NOOP", 0)))
        assert second.facts_added == ()
        assert tie(talk).evidence_fact_ids == (first.facts_added[0].id,)


async def test_evidence_of_a_confirmed_mirror() -> None:
    """W18: a mirror that the model finds known already ("Brasil" / "Brazil") gives the edge the known fact to rest on."""
    known, mirror = "Pedro mora no Brasil", "Pedro lives in Brazil"
    with Talk({(known, mirror): 0.9}) as talk:
        first = await talk(answer(fact("Pedro", known)))
        said = answer(
            entities=[entity("Pedro"), entity("Brazil", "place")], relations=[edge("Pedro", "lives_in", "Brazil")]
        )
        second = await talk(said, text="the message", verdict=verdicts(("NOOP", 0)))
        assert second.facts_added == ()
        assert talk.edges() == [("person:pedro", "lives_in", "place:brazil")]
        assert talk.view.edges()[0].evidence_fact_ids == (first.facts_added[0].id,)


async def test_edge_falls_with_its_last_evidence() -> None:
    """W18: an edge on two sentences stands while one of them does."""
    more = "Ana leads a team at Vertix"
    gone = ("Ana no longer works at Vertix", "Ana no longer leads a team at Vertix")
    with Talk({(SAID, gone[0]): 0.9, (more, gone[1]): 0.9, (SAID, more): 0.1}) as talk:
        await talk(hired(fact("Ana", SAID)))
        await talk(hired(fact("Ana", more)))
        assert len(tie(talk).evidence_fact_ids) == 2
        await talk(answer(fact("Ana", gone[0])), verdict=verdicts(("DELETE", 0)))
        assert talk.edges() == [WORK]
        await talk(answer(fact("Ana", gone[1])), verdict=verdicts(("DELETE", 0)))
        assert talk.edges() == []
        assert max(e.valid_to for e in talk.view.edges()) == talk.now


async def test_cascade_from_a_third_partys_fact() -> None:
    """W18: an edge falls with its fact, also when the fact is about neither end."""
    said, gone = "Rafael got Ana a job at Vertix", "Rafael never got Ana a job at Vertix"
    with Talk({(said, gone): 0.9}) as talk:
        await talk(hired(fact("Rafael", said)))
        assert talk.edges() == [WORK]
        await talk(answer(fact("Rafael", gone)), verdict=verdicts(("DELETE", 0)))
        assert talk.edges() == []


async def test_mirror() -> None:
    """W18: a relation that no fact states gets one of confidence .60, marked, in the language of the message."""
    with Talk() as talk:
        result = await talk(hired(), text="Vou ver a Ana na Vertix, ela não para")
        (mirror,) = result.facts_added
        assert (mirror.text, mirror.confidence, mirror.source_context) == (
            "Ana trabalha em Vertix",
            0.60,
            "inferred_from_relation",
        )
        assert mirror.speaker == "Rafael"
        assert tie(talk).evidence_fact_ids == (mirror.id,)


async def test_mirror_names_the_speaker() -> None:
    """A mirror says who is meant: never "eu works at Vertix"."""
    with Talk() as talk:
        said = answer(entities=[entity("Vertix", "organization")], relations=[edge("eu", "works_at", "Vertix")])
        result = await talk(said, text="the message")
        assert [f.text for f in result.facts_added] == ["Rafael works at Vertix"]


async def test_mirror_closes_with_its_edge() -> None:
    """W18: where a stated fact took over, the mirror closes when that fact does."""
    gone = "Ana no longer works at Vertix"
    with Talk({("Ana works at Vertix as a nurse", gone): 0.9}) as talk:
        mirrored = await talk(hired(), text="the message")
        await talk(hired(fact("Ana", "Ana works at Vertix as a nurse")))
        assert len(tie(talk).evidence_fact_ids) == 2
        result = await talk(answer(fact("Ana", gone)), verdict=verdicts(("DELETE", 0)))
        assert talk.edges() == []
        assert talk.live() == []
        closed = talk.view.fact(mirrored.facts_added[0].id)
        assert (closed.closed_by, closed.valid_to) == ("edge", talk.now)
        assert [(d.action, d.why) for d in result.decided] == [("DELETE", "verdict"), ("DELETE", "edge")]


async def test_two_mirrors_of_one_pair() -> None:
    """Two relations of one pair have a mirror each: one falls without the other."""
    gone = "Ana never owned Vertix"
    with Talk({("Ana owns Vertix", gone): 0.9}) as talk:
        said = hired()
        said["relations"].append(edge("Ana", "owns", "Vertix"))
        await talk(said, text="the message")
        assert len({e.evidence_fact_ids for e in talk.view.edges()}) == 2
        await talk(answer(fact("Ana", gone)), verdict=verdicts(("DELETE", 0)))
        assert talk.edges() == [WORK]
        assert talk.live() == ["Ana works at Vertix"]


async def test_mirrors_ride_in_the_same_question() -> None:
    """W3: mirror facts and stated facts share one reconcile call."""
    old, new = "Ana sings in a choir", "Ana sings in a band"
    with Talk({(old, new): 0.8, ("Ana works at Vertix", "Ana is at Vertix now"): 0.8}) as talk:
        await talk(answer(fact("Ana", old), fact("Ana", "Ana is at Vertix now")))
        result = await talk(hired(fact("Ana", new)), verdict=verdicts(("UPDATE", 0), ("NOOP", 0)))
        assert result.usage.calls == 2
        assert [i["fact"] for i in talk.model.asked("reconcile")[-1].inputs["items"]] == [new, "Ana works at Vertix"]


async def test_links_by_word() -> None:
    """W13: a link wants whole words of three letters, accents folded: "Ana" is not in "Mariana", "Paulo" not in "São Paulo"."""
    with Talk() as talk:
        names = [entity("Ana"), entity("Paulo"), entity("São Paulo", "place"), entity("Jo"), entity("José")]
        await talk(answer(*(fact(n["name"], f"{n['name']} exists") for n in names), entities=names))
        said = answer(fact("Mariana", "Mariana, que viu Jo e JOSE, mora em Sao Paulo"))
        (stored,) = (await talk(said)).facts_added
        assert set(talk.view.keys_of(stored.id)) == {"person:mariana", "place:sao_paulo", "person:jose"}
        for text, key in (("Mariana viu Ana", "person:ana"), ("Mariana viu Paulo", "person:paulo")):
            (stored,) = (await talk(answer(fact("Mariana", text)))).facts_added
            assert key in talk.view.keys_of(stored.id)


async def test_links_by_alias() -> None:
    """W13: an alias links like the name."""
    with Talk() as talk:
        await talk(answer(fact("Guilherme", "Guilherme sings"), entities=[entity("Guilherme", "person", "Guili")]))
        (stored,) = (await talk(answer(fact("Ana", "Ana met Guili")))).facts_added
        assert talk.view.keys_of(stored.id) == ("person:ana", "person:guilherme")


async def test_a_number_of_links_in_is_out() -> None:
    """I6: every link that was made is there after a rebuild."""
    with Talk() as talk:
        for n in range(5):
            await talk(answer(fact("Ana", f"Ana and Bia played round {n}"), entities=[entity("Ana"), entity("Bia")]))
        before = {f.id: talk.view.keys_of(f.id) for f in talk.all()}
        talk.memory.rebuild()
        assert {f.id: talk.view.keys_of(f.id) for f in talk.all()} == before
        assert all(len(held) == 2 for held in before.values())


async def test_late_tie() -> None:
    """An edge from late news begins when its fact does, and a day later nothing of the past has changed."""
    with Talk() as talk:
        await talk(hired(fact("Ana", SAID, valid_from="2020-05-01")), when=at(2024))
        assert tie(talk).valid_from.date().isoformat() == "2020-05-01"
        assert talk.memory.relationships(AGENT, as_of=at(2021)).height == 1
        assert tie(talk).last_confirmed_at == at(2024)
        await talk(hired(fact("Ana", SAID)), when=at(2024) - DAY)
        assert tie(talk).last_confirmed_at == at(2024)
