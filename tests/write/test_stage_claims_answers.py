"""Claims about what is made of a model's answer, item by item: names, aliases, ties, levels, dates, profiles, emotions."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from arandu_lab.llm.tasks import EmotionItem, EntityItem, FactItem, RelationItem
from arandu_lab.pure.chunks import Chunk
from arandu_lab.records import Fact, Grounded, KnownEntity, NewEntity, NewRelation, Turn
from arandu_lab.write import answers

SAID = datetime(2025, 6, 15, 23, 30, tzinfo=UTC)
VALUES = {"biographical_milestone": 0.9, "routine_activity": 0.3}
LEVELS = {"explicit": 0.95, "weak": 0.6}


def turn(**more: Any) -> Turn:
    """A turn of Ana's."""
    return Turn(**{"agent_id": "a", "text": "I moved", "speaker": "Ana", "occurred_at": SAID, "event_id": "e", **more})


def fact(id: str, text: str, day: datetime = SAID) -> Fact:
    """A stored fact."""
    return Fact(
        id=id, agent_id="a", entity_key="person:ana", entity_name="Ana", text=text, confidence=0.9, importance=0.5,
        category="c", speaker="Ana", source_event_id="e0", valid_from=day, recorded_at=day,
    )  # fmt: skip


def grounded(**more: Any) -> Grounded:
    """A grounded turn that shows two people and three facts."""
    known = (
        KnownEntity(
            key="person:ana", name="Ana", type="person", profile="Baker", facts=(fact("f1", "one"), fact("f2", "two"))
        ),
        KnownEntity(key="person:bia", name="Bia", type="person", facts=(fact("f3", "three"),)),
        KnownEntity(key="place:natal", name="Natal", type="place"),
    )
    return Grounded(**{"turn": turn(), "said": "I moved", "known": known, **more})


def entities(*told: tuple[str, str, list[str]]) -> tuple[list[tuple[str, str, tuple[str, ...]]], list[str]]:
    """Entities read, and the reasons of those left out."""
    read, skipped = answers.read_entities(
        EntityItem(name=name, type=type, aliases=aliases) for name, type, aliases in told
    )
    return [(one.name, one.type, one.aliases) for one in read], [one.why for one in skipped]


def facts(*items: FactItem, names: dict[str, str] | None = None, said: Grounded | None = None) -> tuple[Any, list[str]]:
    """Facts read, and the reasons of those left out."""
    read, skipped = answers.read_facts(
        items, said or grounded(), names or {}, importance_values=VALUES, confidence_values=LEVELS, timezone="UTC"
    )
    return read, [one.why for one in skipped]


def test_one_name_is_one_entity() -> None:
    """C: a name that comes twice is one entity with the aliases of both, each once and none that is the name itself."""
    read, skipped = entities(("Ana", "person", ["Aninha", "ANA", "!"]), ("ana", "person", ["aninha", "Nina"]))
    assert read == [("Ana", "person", ("Aninha", "Nina"))]
    assert skipped == []


def test_types_of_one_name() -> None:
    """C: where one name has two types the first that says something holds; a place of a person's name is told."""
    assert entities(("Ana", "concept", []), ("Ana", "person", []))[0] == [("Ana", "person", ())]
    assert entities(("Ana", "person", []), ("Ana", "concept", []))[0] == [("Ana", "person", ())]
    assert entities(("Natal", "place", []), ("Natal", "person", [])) == (
        [("Natal", "place", ())], ["named in the same message as place"])  # fmt: skip


def test_brackets_behind_a_name() -> None:
    """W24: a role in brackets makes a person and names its owner, another name is an alias; who is named is not doubled."""
    assert entities(("Carol (namorada do Rafael)", "concept", []))[0] == [
        ("Carol", "person", ()),
        ("Rafael", "person", ()),
    ]
    assert entities(("Chico (Francisco)", "person", []))[0] == [("Chico", "person", ("Francisco",))]
    named = entities(("Carol (namorada do Rafael)", "person", []), ("Rafa", "person", ["Rafael"]))[0]
    assert named == [("Carol", "person", ()), ("Rafa", "person", ("Rafael",))]


def test_facts_go_by_canonical_names() -> None:
    """C: a fact's subject is the canonical name of what it is called; brackets do not count; unknown names stay."""
    names = answers.canonical_names([NewEntity(name="Ana", type="person", aliases=("Nina",))])
    read, _ = facts(
        FactItem(subject="nina", text="x one"), FactItem(subject="Bia (my sister)", text="y two"), names=names
    )
    assert [one.subject for one in read] == ["Ana", "Bia"]


def test_a_fact_is_kept_once() -> None:
    """B5: the same words of the same subject are one fact, of another subject another; a fact without words is none."""
    read, why = facts(
        FactItem(subject="Ana", text="Likes tea"), FactItem(subject="ana", text="likes tea!"), FactItem(subject="Bia", text="Likes tea"),
        FactItem(subject="Ana", text="..."),
    )  # fmt: skip
    assert [(one.subject, one.text) for one in read] == [("Ana", "Likes tea"), ("Bia", "Likes tea")]
    assert why == ["repeated in the answer", "fact without words"]


def test_levels_and_categories() -> None:
    """W: a category that is set gives its importance, another is unknown and weighs a half; a level gives its confidence."""
    read, _ = facts(
        FactItem(subject="Ana", text="one", importance_category="biographical_milestone", confidence="weak"),
        FactItem(subject="Ana", text="two", importance_category="weather"),
    )  # fmt: skip
    assert [(one.category, one.importance, one.confidence) for one in read] == [
        ("biographical_milestone", 0.9, 0.6), ("unknown", 0.5, 0.95)]  # fmt: skip


@pytest.mark.parametrize(
    ("action", "known", "id"),
    [("UPDATE", 0, "f1"), ("UPDATE", 2, "f3"), ("UPDATE", 3, None), ("UPDATE", -1, None), ("UPDATE", None, None), ("NEW", 1, None)],
)  # fmt: skip
def test_hints_go_by_the_index_shown(action: str, known: int | None, id: str | None) -> None:
    """W: an UPDATE names a fact by the index under which it was shown; another index, or a NEW one, names none."""
    read, _ = facts(FactItem(subject="Ana", text="x", action=action, known=known))  # type: ignore[arg-type]
    assert (read[0].hint, read[0].hint_fact_id) == (action, id)


def test_relations_are_kept_once() -> None:
    """W24: an edge is under canonical names, once; one to itself or an identity is told; a hinted one fills a gap only."""
    names = {"nina": "Ana"}
    items = [RelationItem(source=s, type=t, target=g) for s, t, g in [
        ("Nina", "friend_of", "Bia"), ("Ana", "friend of", "bia"), ("Nina", "knows", "Ana"), ("Ana", "same_as", "Caio")]]  # fmt: skip
    hinted = [
        NewRelation(source="Bia", type="sister_of", target="Ana"),
        NewRelation(source="Bia", type="sister_of", target="Dora"),
    ]
    read, skipped = answers.read_relations(items, names, hinted)
    assert [(one.source, one.target) for one in read] == [("Ana", "Bia"), ("Bia", "Dora")]
    assert [one.what for one in skipped] == ["Nina knows Ana", "Ana same_as Caio"]


def test_ties_in_brackets() -> None:
    """W24: "my sister" is the speaker's, "Rafael's" is Rafael's; where several speak "my" is nobody's; none is of itself."""

    def ties(name: str, speaker: str | None) -> list[tuple[str, str]]:
        found = answers.hinted_relations([(EntityItem(name=name), speaker)], {})
        return [(one.source, one.target) for one in found]

    assert ties("Bia (my sister)", "Ana") == [("Bia", "Ana")]
    assert ties("Bia (my sister)", None) == ties("Bia", "Ana") == ties("Ana (my sister)", "Ana") == []
    assert ties("Carol (namorada do Rafael)", None) == [("Carol", "Rafael")]


def test_who_speaks_in_a_part() -> None:
    """W: the author's part is the author's, a part of one voice that voice's, a part of several nobody's."""
    parts = [
        Chunk(text="x", start=0), Chunk(text="y", start=1, speaker="Bia", voices=("Bia",)), Chunk(text="z", start=2, voices=("Bia",)),
        Chunk(text="w", start=3, speaker="Bia", voices=("Bia", "Caio")),
    ]  # fmt: skip
    item = EntityItem(name="Dora")
    assert [who for _, who in answers.named_by("Ana", [(part, [item]) for part in parts])] == ["Ana", "Bia", None, None]


def test_the_strongest_emotion() -> None:
    """W: of several the strongest that is not neutral, the first of equals; a neutral one only if there is no other."""
    calm, joy, rage, fun = (EmotionItem(label=label, intensity=level) for label, level in
                            [("neutral", 1.0), ("joy", 0.3), ("rage", 0.8), ("fun", 0.8)])  # fmt: skip
    assert answers.read_emotion([calm, joy, None, rage, fun]).label == "rage"  # type: ignore[union-attr]
    assert answers.read_emotion([None, calm]).label == "neutral"  # type: ignore[union-attr]
    assert answers.read_emotion([None]) is None


def test_profiles_of_several_parts() -> None:
    """W: what parts say of one entity stands one after another under its canonical name, nothing twice, no blanks."""
    parts = [{"Ana": " Baker. ", "Bia": " "}, {"nina": "Runs."}, {"Ana": "Baker."}]
    assert answers.read_profiles(parts, {"nina": "Ana", "ana": "Ana"}) == (("Ana", "Baker. Runs."),)


def test_names_win_over_aliases() -> None:
    """C: a name is its own entity's even where another has it for an alias; of two that share an alias the first has it."""
    found = answers.canonical_names([
        NewEntity(name="Ana", type="person", aliases=("Lu", "Bia")), NewEntity(name="Bia", type="person", aliases=("Lu",))])  # fmt: skip
    assert found == {"lu": "Ana", "bia": "Bia", "ana": "Ana"}


@pytest.mark.parametrize(
    ("moment", "local"),
    [(SAID, "2025-06-15T20:30:00-03:00"), (SAID.astimezone(timezone(timedelta(hours=2))), "2025-06-16T01:30:00+02:00")],
)
def test_the_speakers_clock(moment: datetime, local: str) -> None:
    """B: a moment in UTC is put in the configured zone, one with an offset of its own keeps it."""
    assert answers.local_time(turn(occurred_at=moment), "America/Sao_Paulo").isoformat() == local


def test_what_a_question_shows() -> None:
    """B: the message, who said it and when in the speaker's zone, what is known by running index with its day there."""
    shown = answers.prompt_inputs(grounded(), timezone="America/Sao_Paulo", profile_language="pt")
    assert (shown["message"], shown["speaker"], shown["profile_language"]) == ("I moved", "Ana", "pt")
    assert shown["sent_on"] == "This message was sent on Sunday, June 15, 2025"
    assert shown["recent_messages"] == []
    assert "transcript_of" not in shown
    ana, bia, natal = shown["known"]
    assert (ana["profile"], [one["i"] for one in ana["facts"]], [one["i"] for one in bia["facts"]]) == (
        "Baker",
        [0, 1],
        [2],
    )
    assert {one["since"] for one in ana["facts"]} == {"2025-06-15"}
    assert "profile" not in bia
    assert natal == {"name": "Natal", "type": "place"}


def test_what_a_question_of_a_part_shows() -> None:
    """B: a part shows its own words, whose they are, and what came before, as the author's words or as a transcript."""
    said = grounded(turn=turn(recent_messages=("Bia: hi",)))
    mine = answers.prompt_inputs(
        said, timezone="UTC", profile_language="en", part=Chunk(text="there", start=3, before="here")
    )
    assert (mine["message"], mine["speaker"], mine["recent_messages"]) == ("there", "Ana", ["Bia: hi", "Ana: here"])
    part = Chunk(text="there", start=3, before="Bia: here", speaker="Bia", voices=("Bia", "Caio"))
    told = answers.prompt_inputs(said, timezone="UTC", profile_language="en", part=part)
    assert (told["speaker"], told["recent_messages"], told["transcript_of"]) == (
        "Bia",
        ["Bia: hi", "Bia: here"],
        ["Bia", "Caio"],
    )
    assert answers.prompt_inputs(said, timezone="UTC", profile_language="en", part=Chunk(text="x", start=0))[
        "recent_messages"
    ] == ["Bia: hi"]
