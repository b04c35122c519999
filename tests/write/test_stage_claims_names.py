"""Claims about who a name is, stage by stage, and about what the memory shows of it: resolve and ground (W14-W16, W21)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from benches import NOW, Halved, Mind, bench

from arandu_lab.records import (
    Alias,
    Entity,
    Event,
    Extraction,
    Fact,
    Grounded,
    Link,
    NewEntity,
    NewFact,
    NewRelation,
    Resolution,
    Resolved,
    Turn,
)
from arandu_lab.write import ground, keeping, resolve

DAY = timedelta(days=1)
SLOPE = np.array([1.0, 0.0, 0.0], dtype=np.float32)


def turn(text: str = "hi", speaker: str = "Rafael") -> Turn:
    """A turn."""
    return Turn(agent_id="a", text=text, speaker=speaker, occurred_at=NOW, event_id="e", session_id="s")


def known(key: str, name: str, *aliases: str, **more: Any) -> list[Any]:
    """A stored entity with the aliases that it has beside its name."""
    entity = Entity(key=key, agent_id="a", name=name, type=key.partition(":")[0], recorded_at=NOW - DAY, **more)
    return [entity, *(
        Alias(folded=one.lower(), agent_id="a", entity_key=key, name=one, recorded_at=NOW - DAY) for one in (name, *aliases)
    )]  # fmt: skip


def said(text: str, key: str, *, days: float = 9.0, id: str = "", **more: Any) -> list[Any]:
    """A stored fact with its link."""
    since = NOW - days * DAY
    fact = Fact(
        id=id or text, agent_id="a", entity_key=key, entity_name=key, text=text, confidence=0.9, importance=0.5, category="c",
        speaker="Rafael", source_event_id="e0", valid_from=since, recorded_at=since, **more,
    )  # fmt: skip
    return [fact, Link(fact_id=fact.id, agent_id="a", entity_key=key, primary=True, recorded_at=since)]


def read(*entities: NewEntity, facts: Sequence[str] = (), relations: Sequence[tuple[str, str]] = ()) -> Extraction:
    """What was read of a turn: entities, and subjects of facts and ends of relations that nobody listed."""
    return Extraction(
        turn=turn(), said="hi", entities=entities,
        facts=tuple(NewFact(subject=one, text=f"{one} x", confidence=1.0, category="c", importance=0.5) for one in facts),
        relations=tuple(NewRelation(source=one, type="t", target=other) for one, other in relations),
    )  # fmt: skip


def matched(extraction: Extraction, rows: Sequence[Any] = (), **more: Any) -> dict[str, tuple[str | None, str]]:
    """Key and rule by name after the first phase."""
    given = {"relationship_terms": "speaker", "nicknames": "off"} | more
    found = resolve.match_names.function(extraction, bench(rows), **given)
    return {one.name: (one.key, one.how) for one in found.resolved}


def person(name: str, *aliases: str) -> NewEntity:
    """A person that was named."""
    return NewEntity(name=name, type="person", aliases=aliases)


PENDING = (None, "pending")


def test_every_name_of_a_turn_is_resolved() -> None:
    """W14: entities, the speaker, subjects and both ends of relations, each spelling once, in that order."""
    extraction = read(
        person("Ana"), facts=("ana", "Bia"), relations=(("Caio", "Dora"), ("Bia", "ANA"), ("rafael", "Caio"))
    )
    assert matched(extraction) == {
        "Ana": PENDING, "Rafael": ("person:rafael", "speaker"), "Bia": PENDING, "Caio": PENDING, "Dora": PENDING}  # fmt: skip


def test_the_speakers_own_key() -> None:
    """B8: the speaker is the one person of that name that is known; of two, or of a place alone, the key of the name."""
    one = known("person:rafael_lima", "Rafael Lima", "Rafael")
    assert matched(read(), one) == {"Rafael": ("person:rafael_lima", "speaker")}
    assert matched(read(), [*one, *known("person:rafael_2", "Rafael")]) == {"Rafael": ("person:rafael", "speaker")}
    assert matched(read(), known("place:rafael", "Rafael")) == {"Rafael": ("person:rafael", "speaker")}


def test_another_name_leads_to_the_entity() -> None:
    """B6, W14: an unknown name is whom its aliases lead to, by a whole name or by a beginning; where they lead apart, none."""
    rows = [*known("person:francisco", "Francisco"), *known("person:bia", "Bia")]
    assert matched(read(person("Chico", "Francisco")), rows)["Chico"] == ("person:francisco", "exact")
    assert matched(read(person("Chico", "Franc")), rows)["Chico"] == ("person:francisco", "prefix")
    assert matched(read(person("Chico", "Zoe")), rows)["Chico"] == PENDING
    found = resolve.match_names.function(
        read(person("Chico", "Francisco", "Bia", "Zoe")), bench(rows), relationship_terms="speaker", nicknames="off"
    )
    assert [one.candidates for one in found.resolved if one.name == "Chico"] == [("person:francisco", "person:bia")]
    assert [one.aliases for one in found.resolved] == [("Francisco", "Bia", "Zoe"), ()]


def resolution(*resolved: Resolved, **more: Any) -> Resolution:
    """A resolution at work."""
    return Resolution(**{"turn": turn(), "said": "hi", "resolved": resolved, **more})


def pending(name: str, *candidates: str, type: str = "person", **more: Any) -> Resolved:
    """A name that is not decided."""
    return Resolved(name=name, type=type, key=None, how="pending", candidates=candidates, **more)


def homes(extraction: Extraction, rows: Sequence[Any] = ()) -> dict[str, str | None]:
    """Key by name when all phases are over, no model asked and nothing alike."""
    found = resolve.match_names.function(extraction, bench(rows), relationship_terms="speaker", nicknames="off")
    found = resolve.leave_undecided.function(found, bench(rows))
    return {one.name: one.key for one in resolve.assign_keys.function(found, bench(rows)).resolved}


def test_names_of_one_message_meet() -> None:
    """W16: an alias, a first name, or a first and second name of a new person is that person, in any order, through others."""
    full = "person:clara_dias_rezende"
    assert homes(read(person("Clara Dias Rezende"), person("Clara Dias")))["Clara Dias"] == full
    assert homes(read(person("Clara"), person("Clara Dias")))["Clara"] == "person:clara_dias"
    assert homes(read(person("Nina"), person("Clara", "Nina"), person("Clara Dias"))) == {
        "Nina": "person:clara_dias", "Clara": "person:clara_dias", "Clara Dias": "person:clara_dias", "Rafael": "person:rafael"}  # fmt: skip
    circle = homes(read(person("Clara", "Nina"), person("Nina", "Clara")))
    assert circle["Clara"] == circle["Nina"]


def test_names_of_one_message_that_do_not_meet() -> None:
    """W16: two who could be meant, another type, a thing's longer name, a veto, or a known name leave a name its own."""
    two = homes(read(person("Clara"), person("Clara Dias"), person("Clara Lima")))
    assert two["Clara"] == "person:clara"
    shop = NewEntity(name="Clara Shop", type="organization")
    assert homes(read(person("Clara"), shop))["Clara"] == "person:clara"
    pet = NewEntity(name="Nina", type="pet")
    assert homes(read(pet, person("Clara", "Nina")))["Nina"] == "pet:nina"
    assert homes(read(person("Clara"), person("Clara 2")))["Clara"] == "person:clara"
    rows = known("person:clara_old", "Clara")
    assert homes(read(person("Clara"), person("Clara Dias")), rows)["Clara"] == "person:clara_old"
    begun = known("person:clara_rosa", "Clara Rosa")
    assert homes(read(person("Clara")), begun)["Clara"] == "person:clara_rosa"
    assert homes(read(person("Clara"), person("Clara Dias")), begun)["Clara"] == "person:clara_dias"


def test_keys_are_given_once() -> None:
    """W14: a new name gets a key of its own beside its namesakes, the same one for each spelling; undecided ones share one."""
    rows = known("person:ana", "Ana")
    found = resolve.assign_keys.function(
        resolution(replace(pending("Ana"), how="new"), replace(pending("ANA"), how="new"), replace(pending("Ana", type="pet"), how="new"),
                   pending("Bia"), replace(pending("Lu", "x", "y"), how="ambiguous")),
        lab := bench(rows),
    )  # fmt: skip
    assert [(one.key, one.how) for one in found.resolved] == [
        ("person:ana_2", "new"), ("person:ana_2", "new"), ("pet:ana", "new"), ("person:bia", "new"), ("ambiguous:lu", "ambiguous")]  # fmt: skip
    assert lab.log.own["resolved"]["Bia"] == "person:bia (new)"
    two = resolve.assign_keys.function(
        resolution(replace(pending("Ana B"), how="new"), replace(pending("Ana-B "), type="pet", how="new")), bench()
    )
    assert [one.key for one in two.resolved] == ["person:ana_b", "pet:ana_b"]


async def test_only_pending_names_are_embedded() -> None:
    """W14: what a rule decided costs nothing; what is pending is embedded in one call, each with its own vector."""
    embed = Halved({"Ana": SLOPE, "Bia": SLOPE[::-1]})
    exact = Resolved(name="Caio", type="person", key="k", how="exact")
    found = await resolve.embed_names.function(resolution(pending("Ana"), exact, pending("Bia")), bench(embed=embed))
    assert embed.asked == ["Ana", "Bia"]
    ana, caio, bia = (one.vector for one in found.resolved)
    assert ana is not None
    assert bia is not None
    assert (ana.tolist(), caio, bia.tolist()) == ([1, 0, 0], None, [0, 0, 1])
    nothing = Halved({})
    await resolve.embed_names.function(resolution(exact), bench(embed=nothing))
    assert nothing.asked == []


def compared(one: Resolved, rows: Sequence[Any], **more: Any) -> Resolved:
    """A name after it was compared with what is known."""
    given = {"fuzzy_threshold": 0.4, "fuzzy_floor": 0.2, "fuzzy_candidates": 2} | more
    found: Resolution = resolve.compare_names.function(resolution(one), bench(rows, embed=Halved({})), **given)
    return found.resolved[0]


def near(cosine: float) -> Any:
    """A unit vector of so much likeness to the slope."""
    return np.array([cosine, np.sqrt(1 - cosine**2), 0.0], dtype=np.float32)


def test_likeness_is_read_on_the_documented_scale() -> None:
    """W14: at the threshold it is the known one, at the floor a candidate, below it a new entity; both bounds count in."""
    name = pending("Zuzu", vector=SLOPE)
    rows = [*known("person:ana", "Ana", vector=near(0.5)), *known("person:bia", "Bia", vector=near(0.25))]
    sure = compared(name, rows, fuzzy_threshold=0.25)
    assert (sure.key, sure.how) == ("person:ana", "fuzzy")
    assert sure.score == pytest.approx(0.25, abs=1e-6)
    unsure = compared(name, rows, fuzzy_floor=0.125)
    assert (unsure.how, unsure.candidates) == ("pending", ("person:ana", "person:bia"))
    assert compared(name, rows, fuzzy_floor=0.126).candidates == ("person:ana",)
    assert compared(name, rows, fuzzy_floor=0.3).how == "new"


def test_likeness_of_other_kinds_counts_nothing() -> None:
    """B4, B8, W14: another type, a vetoed name and the placeholder of an undecided name are nobody to be like."""
    vector = near(0.9)
    name = pending("Paula", vector=SLOPE)
    assert compared(name, known("pet:paulinha", "Paulinha", vector=vector)).how == "new"
    assert compared(name, known("person:paulo", "Paulo", vector=vector)).how == "new"
    assert compared(name, known("ambiguous:pa", "Pa", vector=vector)).how == "new"
    assert compared(name, known("person:pa", "Pa", vector=vector)).how == "fuzzy"


def test_letters_stand_in_for_a_vector() -> None:
    """C11: of a name or an entity without a vector the letters decide, on the same two bounds."""
    rows = [*known("person:carolina", "Carolina"), *known("person:bia", "Bia", vector=near(0.1))]
    assert compared(pending("Caroline", vector=SLOPE), rows, fuzzy_threshold=0.875).key == "person:carolina"
    assert compared(pending("Caroline"), rows, fuzzy_threshold=0.875).key == "person:carolina"
    assert compared(pending("Caroline"), rows, fuzzy_threshold=0.88).candidates == ("person:carolina",)
    assert compared(pending("Caroline"), rows, fuzzy_threshold=0.99, fuzzy_floor=0.875).candidates == (
        "person:carolina",
    )
    assert compared(pending("Caroline"), rows, fuzzy_threshold=0.99, fuzzy_floor=0.88).how == "new"
    decided = Resolved(name="Caroline", type="person", key="k", how="exact")
    assert compared(decided, rows) is decided
    tied = pending("Caroline", "a", "b")
    assert compared(tied, rows).candidates == ("a", "b")


async def test_what_is_asked_about_names() -> None:
    """W14: one question holds all open names with their candidates by index, what is known of them, and no key."""
    rows = [
        *known("person:ana", "Ana", profile_text="Nurse."), *said("she sings", "person:ana"), *said("she runs", "person:ana"),
        *known("person:bia", "Bia"),
        *(row for n in range(6) for row in said(f"fact {n}", "person:bia")), *said("over", "person:bia", valid_to=NOW - DAY),
    ]  # fmt: skip
    mind = Mind(SimpleNamespace(choices=[SimpleNamespace(i=1, candidate=0)]))
    decided = Resolved(name="Caio", type="person", key="k", how="exact")
    lab = bench(rows, llm=mind)
    given = resolution(
        pending("An", "person:ana", "person:bia", score=0.6), decided, pending("Lu", "gone", "person:bia")
    )
    found = await resolve.ask_names.function(given, lab, extraction_timeout_sec=7.0, chunk_max_chars=1000)
    [(task, inputs, timeout)] = mind.asked
    assert (task, timeout) == ("resolve", 7.0)
    ana = {"i": 0, "name": "Ana", "type": "person", "context": ["Nurse.", "she sings", "she runs"]}
    bia = {"i": 1, "name": "Bia", "type": "person", "context": [f"fact {n}" for n in range(2, 6)]}
    assert inputs == {
        "message": "hi", "speaker": "Rafael",
        "mentions": [
            {"i": 0, "name": "An", "type": "person", "candidates": [ana, bia]},
            {"i": 1, "name": "Lu", "type": "person", "candidates": [{"i": 0, "name": "", "type": "", "context": []}, bia]},
        ],
    }  # fmt: skip
    assert [(one.key, one.how) for one in found.resolved] == [(None, "new"), ("k", "exact"), ("gone", "model")]
    assert lab.log.own == {"asked": ["An", "Lu"]}
    assert found.skipped == ()


@pytest.mark.parametrize(("choice", "told"), [(0, 0), (1, 0), (2, 1), (-1, 1), (None, 0)])
async def test_choices_that_were_not_shown(choice: int | None, told: int) -> None:
    """W10: an index that was not shown decides nothing and is told; of two choices on one name the first counts."""
    choices = [
        SimpleNamespace(i=0, candidate=choice), SimpleNamespace(i=0, candidate=0), SimpleNamespace(i=9, candidate=0)
    ]  # fmt: skip
    mind = Mind(SimpleNamespace(choices=choices), dropped=("bad",))
    found = await resolve.ask_names.function(
        resolution(pending("Lu", "x", "y")), bench(llm=mind), extraction_timeout_sec=1.0, chunk_max_chars=1000
    )
    [one] = found.resolved
    assert one.key == ("x" if choice == 0 else "y" if choice == 1 else None)
    assert [skip.why for skip in found.skipped] == ["bad", *["no such candidate was shown"] * told]


async def test_nothing_open_asks_nothing() -> None:
    """W3: without a pending name no question is put."""
    mind = Mind(None)
    given = resolution(Resolved(name="Caio", type="person", key="k", how="exact"))
    assert (
        await resolve.ask_names.function(given, bench(llm=mind), extraction_timeout_sec=1.0, chunk_max_chars=1000)
        is given
    )
    assert mind.asked == []


# ---------------------------------------------------------------- what the memory shows


def shown(text: str, rows: Sequence[Any], *, vector: Any = None, speaker: str = "Rafael", **more: Any) -> Any:
    """Facts and profiles by name, and the log, of what is recalled for a message."""
    lab = bench(rows)
    given = {
        "informed_extraction_topk": 3,
        "informed_extraction_context_budget_tokens": 800,
        "entity_min_chars": 3,
    } | more
    found = ground.recall_known.function(
        Grounded(turn=turn(text, speaker), said=text, vector=vector), lab, **given
    ).known
    return {one.name: one.profile or [fact.text for fact in one.facts] for one in found}, lab.log.own


def test_who_is_recalled() -> None:
    """B: the speaker first, then those the message names by any name, once; not a short name, nor a place of his name."""
    rows = [
        *known("place:rafael", "Rafael"), *known("person:rafael", "Rafael"), *known("person:ana", "Ana", "Nina"), *known("person:jo", "Jo"),
        *known("person:bia", "Bia"),
    ]  # fmt: skip
    told, log = shown("Nina and Ana met Jo", rows)
    assert list(told) == ["Rafael", "Ana"]
    assert log["known"] == ["person:rafael", "person:ana"]
    assert list(shown("Jo is here", rows, entity_min_chars=2)[0]) == ["Rafael", "Jo"]


def test_the_nearest_open_facts_are_shown() -> None:
    """B: of an entity the ``topk`` nearest to the message that hold now; without a vector the latest."""
    rows = known("person:ana", "Ana")
    for name, cosine in (("far", 0.1), ("near", 0.9), ("mid", 0.5)):
        rows += said(name, "person:ana", vector=near(cosine))
    rows += said("gone", "person:ana", valid_to=NOW, vector=near(1.0))
    assert shown("Ana", rows, vector=SLOPE, informed_extraction_topk=2)[0] == {"Ana": ["near", "mid"]}
    assert shown("Ana", rows, informed_extraction_topk=2)[0] == {"Ana": ["mid", "near"]}
    assert shown("Ana", rows, informed_extraction_topk=1)[0] == {"Ana": ["mid"]}


def test_a_profile_and_what_is_newer() -> None:
    """B: a profile stands for what was heard up to it; only what was heard after it is shown beside it."""
    rows = known("person:ana", "Ana", profile_text="Nurse.", profile_at=NOW - 5 * DAY)
    rows += said("old", "person:ana", days=9)
    rows += said("same", "person:ana", days=9, last_confirmed_at=NOW - 5 * DAY)
    rows += said("new", "person:ana", days=9, last_confirmed_at=NOW - 4 * DAY)
    lab = bench(rows)
    [ana] = ground.recall_known.function(
        Grounded(turn=turn("Ana"), said="Ana"), lab, informed_extraction_topk=3,
        informed_extraction_context_budget_tokens=800, entity_min_chars=3,
    ).known  # fmt: skip
    assert (ana.profile, [fact.text for fact in ana.facts]) == ("Nurse.", ["new"])


def test_the_room_is_kept() -> None:
    """B: each gets its name, then the shortest openings come first, then facts take turns; room to the last token counts."""
    rows = [*known("person:ana", "Ana"), *known("person:bia", "Bia")]
    for n in range(3):
        rows += said(f"ana says {n}" + "!" * 40, "person:ana")
        rows += said(f"bia {n}", "person:bia")
    everything, log = shown("Ana, Bia", rows)
    assert [len(facts) for facts in everything.values()] == [3, 3]
    whole = log["context_tokens"] + 1
    assert [len(f) for f in shown("Ana, Bia", rows, informed_extraction_context_budget_tokens=whole)[0].values()] == [
        3,
        3,
    ]
    short, spent = shown("Ana, Bia", rows, informed_extraction_context_budget_tokens=whole - 16)
    assert [len(facts) for facts in short.values()] == [2, 3], "the long one no longer fits"
    assert spent["context_tokens"] <= whole - 16
    names = len('{"name": "Ana", "type": "person", "facts": []}') / 4
    fact = len('{"i": 100, "text": "bia 2", "since": "2025-06-15"}') / 4
    one, _ = shown("Ana, Bia", rows, informed_extraction_context_budget_tokens=int(2 * names + fact) + 1)
    assert one == {"Ana": [], "Bia": ["bia 2"]}
    assert shown("Ana, Bia", rows, informed_extraction_context_budget_tokens=int(names) + 1)[0] == {"Ana": []}
    assert shown("Ana, Bia", rows, informed_extraction_context_budget_tokens=int(names))[0] == {}


def test_a_shared_fact_is_shown_once() -> None:
    """B: a fact that two named entities share is shown with the first of them alone."""
    rows = [*known("person:ana", "Ana"), *known("person:bia", "Bia"), *said("both", "person:ana")]
    rows.append(Link(fact_id="both", agent_id="a", entity_key="person:bia", primary=False, recorded_at=NOW))
    assert shown("Ana, Bia", rows)[0] == {"Ana": ["both"], "Bia": []}


async def test_what_of_a_turn_is_heard() -> None:
    """W21, D4: rendered memory and signs of life are set aside and told with their first 200 characters; all is embedded."""
    text = "Hello.\nKnown facts:\n- " + "x" * 300
    embed = Halved({text: SLOPE})
    found = await ground.embed_turn.function(turn(text), bench(embed=embed))
    assert embed.asked == [text]
    assert found.said == "Hello.\n"
    assert found.vector is SLOPE
    assert [(len(one.what), one.why) for one in found.skipped] == [(200, "rendered memory is not a statement")]
    left = ground.leave_turn.function(turn(text), bench())
    assert (left.said, left.vector, left.skipped) == (found.said, None, found.skipped)
    assert ground.fence("> Known facts:\n> - x") == ("", ground.fence("> Known facts:\n> - x")[1])
    assert ground.fence("nothing of it") == ("nothing of it", ())


def test_moments_as_the_view_keeps_them() -> None:
    """E: microseconds since 1970 in UTC, whatever the zone."""
    assert ground.micros(datetime(1970, 1, 2, 0, 0, 0, 5, tzinfo=UTC)) == 86_400_000_005


def test_a_turn_is_kept_and_no_more() -> None:
    """W6: keeping writes the event alone, with the vector of the turn, or the one it has."""
    fresh = keeping.keep_turn.function(Grounded(turn=turn(), said="hi", vector=SLOPE), bench())
    held = Event(id="e", agent_id="a", text="hi", speaker="Rafael", occurred_at=NOW, recorded_at=NOW, vector=SLOPE)
    [row] = fresh.rows
    assert isinstance(row, Event)
    assert (row.text, row.speaker, row.occurred_at, row.session_id) == ("hi", "Rafael", NOW, "s")
    assert row.vector is SLOPE
    [again] = keeping.keep_turn.function(Grounded(turn=turn(), said="hi"), bench([held])).rows
    assert again == held
    assert again.vector is not None


def test_stages_that_step_aside_change_nothing() -> None:
    """C11: where no embedder answers, names go on as they are; where no model answers, what is likely is new."""
    given = resolution(pending("Ana"), pending("Lu", "x", "y"), Resolved(name="C", type="person", key="k", how="exact"))
    assert resolve.leave_names.function(given, bench()) is given
    left = resolve.leave_undecided.function(given, bench())
    assert [one.how for one in left.resolved] == ["new", "ambiguous", "exact"]
    assert asyncio.iscoroutinefunction(resolve.embed_names.function)
