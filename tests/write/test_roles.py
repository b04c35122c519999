"""Whose statement a fact is (G2, W20): an assistant's word is never the user's own, and ends nothing that was said."""

from __future__ import annotations

from typing import Any

import pytest
from said import AGENT, DAY, Talk, answer, at, edge, entity, fact, opened, verdicts

from arandu_lab.embed.scripted import ScriptedEmbedder
from arandu_lab.llm.scripted import Scripted
from arandu_lab.memory import Memory
from arandu_lab.presets import write
from arandu_lab.records import Fact
from arandu_lab.systems.arandu import Arandu
from arandu_lab.systems.base import DatedTurn

RECIFE, NATAL = "Rafael lives in Recife", "Rafael lives in Natal"
NEAR = {(RECIFE, NATAL): 0.7}
ASSISTANTS = ("assistant", "Assistente", "AI", "the assistant", "ChatGPT")


def only(talk: Talk, text: str) -> Fact:
    """The one open fact of that text."""
    (found,) = [one for one in talk.all() if one.text == text and one.valid_to is None]
    return found


@pytest.mark.parametrize("speaker", ASSISTANTS)
async def test_a_supposition_is_marked(speaker: str) -> None:
    """What an assistant says of a person has the confidence of a speculation, its source, and its speaker."""
    with Talk() as talk:
        await talk(answer(fact("Rafael", NATAL, confidence="explicit")), speaker=speaker)
        held = only(talk, NATAL)
        assert (held.confidence, held.source_context, held.speaker) == (0.4, "supposed_by_assistant", speaker)


@pytest.mark.parametrize("subject", ["the user", "usuário", "user", "Somebody Unlisted"])
async def test_the_user_is_not_the_assistant(subject: str) -> None:
    """ "The user" in an assistant's mouth is another, and so is whoever the answer does not list."""
    with Talk() as talk:
        await talk(answer(fact(subject, f"{subject} must like jazz"), entities=[]), speaker="assistant")
        (held,) = talk.all()
        assert held.source_context == "supposed_by_assistant"
        assert held.entity_key != "person:assistant"
        assert held.confidence == 0.4


async def test_its_own_statements() -> None:
    """What an assistant says of itself and of things is kept as its statement, above the default least confidence."""
    said = answer(
        fact("I", "assistant recommended Cafe Lua"),
        fact("Cafe Lua", "Cafe Lua opens at nine"),
        fact("Cafe Lua", "Cafe Lua may close soon", confidence="speculation"),
        entities=[entity("Cafe Lua", "place"), entity("assistant")],
    )
    with Talk() as talk:
        await talk(said, speaker="assistant")
        assert [(one.confidence, one.source_context) for one in talk.all()] == [
            (0.6, "said_by_assistant"),
            (0.6, "said_by_assistant"),
            (0.4, "said_by_assistant"),
        ]


async def test_people_are_not_marked() -> None:
    """Everybody else's statements are as they were, a person's who is called Claude among them."""
    with Talk() as talk:
        await talk(answer(fact("Rafael", NATAL)), speaker="Claude")
        held = only(talk, NATAL)
        assert (held.confidence, held.source_context) == (0.95, None)


@pytest.mark.parametrize("action", ["UPDATE", "DELETE"])
async def test_it_ends_no_statement(action: str) -> None:
    """A model's verdict that the assistant's word replaces or ends the user's is not followed: it stands beside it."""
    with Talk(NEAR) as talk:
        await talk(answer(fact("Rafael", RECIFE)))
        said = answer(fact("Rafael", NATAL, action="UPDATE", known=0))
        result = await talk(said, speaker="assistant", verdict=verdicts((action, 0)))
        assert set(talk.live()) == {RECIFE, NATAL}
        assert only(talk, RECIFE).confidence == 0.95
        assert [one.action for one in result.decided] == ["ADD"]


async def test_nor_without_reconciliation() -> None:
    """Where reconciliation is left out, the assistant's UPDATE is no hint to follow."""

    with Talk(NEAR, write=write().without("reconcile")) as talk:
        await talk(answer(fact("Rafael", RECIFE)))
        await talk(answer(fact("Rafael", NATAL, action="UPDATE", known=0)), speaker="assistant")
        assert set(talk.live()) == {RECIFE, NATAL}


async def test_it_may_correct_itself() -> None:
    """An assistant replaces what an assistant supposed."""
    with Talk(NEAR) as talk:
        await talk(answer(fact("Rafael", RECIFE)), speaker="assistant")
        await talk(answer(fact("Rafael", NATAL)), speaker="assistant", verdict=verdicts(("UPDATE", 0)))
        assert talk.live() == [NATAL]


async def test_the_user_says_it_too() -> None:
    """A statement takes the place of the supposition that said the same: from then on it is the user's own."""
    with Talk() as talk:
        await talk(answer(fact("Rafael", NATAL)), speaker="assistant")
        result = await talk(answer(fact("Rafael", NATAL)))
        held = only(talk, NATAL)
        assert (held.confidence, held.source_context, held.speaker) == (0.95, None, "Rafael")
        assert [one.action for one in result.decided] == ["UPDATE"]


async def test_the_user_says_it_of_earlier() -> None:
    """A statement that holds from before the supposition is added beside it, and no interval is turned round."""
    with Talk() as talk:
        await talk(answer(fact("Rafael", NATAL)), speaker="assistant")
        await talk(answer(fact("Rafael", NATAL, valid_from="2020")))
        assert any(one.source_context is None and one.confidence == 0.95 for one in talk.all())
        assert all(one.valid_to is None or one.valid_to >= one.valid_from for one in talk.all())


async def test_an_echo_changes_nothing_of_the_statement() -> None:
    """What the assistant repeats stays the user's, with the user's confidence."""
    with Talk() as talk:
        await talk(answer(fact("Rafael", NATAL)))
        await talk(answer(fact("Rafael", NATAL)), speaker="assistant")
        held = only(talk, NATAL)
        assert (held.confidence, held.source_context, held.speaker) == (0.95, None, "Rafael")
        assert len(talk.all()) == 1


@pytest.mark.parametrize("informed", [True, False])
async def test_no_tie_and_no_profile(informed: bool) -> None:
    """An assistant's turn ties no persons and writes nobody's profile; the result says what was set aside."""
    said: dict[str, Any] = answer(
        fact("Rafael", NATAL),
        entities=[entity("Rafael"), entity("Natal", "place")],
        relations=[edge("Rafael", "lives_in", "Natal"), edge("Rafael", "friend_of", "Bia")],
        updated_profiles={"Rafael": "Lives in Natal."},
    )
    model = Scripted(
        by_task={
            "extract": said,
            "entities": {"entities": said["entities"]},
            "facts": {"facts": said["facts"]},
            "relations": {"relations": said["relations"]},
            "reconcile": {"verdicts": []},
        }
    )

    with opened(model) as memory:
        result = await memory.write(
            AGENT,
            "…",
            "assistant",
            occurred_at=at(2025),
            config_overrides={"enable_informed_extraction": informed},
        )
        view = memory.store.view(AGENT)
        assert view.edges() == ()
        assert view.entity("person:rafael").profile_text is None
        assert [one.text for one in result.facts_added] == [NATAL], "no mirror fact either"
        assert result.facts_added[0].source_context == "supposed_by_assistant"
        assert len(result.skipped) == 2 + informed


@pytest.mark.parametrize(
    ("guess", "statement"),
    [
        ("Rafael, you must like jazz.", "I live in Recife."),
        ("Rafael lives in Natal.", "I live in Natal."),
        ("Você deve gostar de jazz, Rafael.", "Eu moro no Recife."),
        ("O Rafael mora em Natal.", "Eu moro em Natal."),
    ],
)
async def test_offline_guesses(guess: str, statement: str) -> None:
    """G2: with the offline model too, no guess becomes a fact that the user stated; the user's own words do."""
    with Memory.open("memory://", llm="offline/rules", embedder=ScriptedEmbedder()) as memory:
        first = await memory.write(AGENT, guess, "assistant", occurred_at=at(2025))
        assert all(one.confidence <= 0.4 and one.source_context for one in first.facts_added)
        second = await memory.write(AGENT, statement, "Rafael", occurred_at=at(2025) + DAY)
        (held,) = (*second.facts_added, *second.facts_updated)
        assert (held.confidence, held.source_context, held.speaker) == (0.95, None, "Rafael")
        shown = await memory.retrieve(AGENT, "Where does Rafael live?", now=at(2025) + 2 * DAY)
        assert all(one.source_context is None for one in shown.facts)


async def test_a_pasted_chat_with_an_assistant() -> None:
    """In a pasted chat the user's lines are the author's and the assistant's lines state nothing."""
    text = (
        "User: I live in Boston.\nAssistant: You must love sports. Rafael works at Acme.\nUser: I have a dog named Rex."
    )
    with Memory.open("memory://", llm="offline/rules", embedder=ScriptedEmbedder()) as memory:
        result = await memory.write(AGENT, text, "Rafael", occurred_at=at(2025))
        assert [one.text for one in result.facts_added] == ["Rafael lives in Boston", "Rafael has a dog named Rex"]


@pytest.mark.parametrize("speaker", ["Iris (assistant)", "Íris (assistente)", "Iris (AI)"])
async def test_an_assistant_with_a_name(speaker: str) -> None:
    """G2: an assistant that says its role in brackets is one; it is kept under its own name, and finds itself there."""
    with Talk() as talk:
        await talk(answer(fact("Rafael", NATAL)), speaker=speaker)
        await talk(answer(fact("I", "Iris recommended Cafe Lua"), fact("Iris", "Iris is patient")), speaker=speaker)
        await talk(answer(fact("Iris", "Iris is wrong about jazz")), speaker="Rafael")
        held = {one.text: (one.entity_key, one.source_context) for one in talk.all()}
        assert held[NATAL] == ("person:rafael", "supposed_by_assistant")
        assert held["Iris recommended Cafe Lua"] == ("person:iris", "said_by_assistant")
        assert held["Iris is patient"] == ("person:iris", "said_by_assistant")
        assert held["Iris is wrong about jazz"] == ("person:iris", None)
        assert [one.name for one in talk.view.entities() if one.key == "person:iris"] == [speaker.split(" (")[0]]


@pytest.mark.parametrize("role", ["assistant", "user", None])
async def test_a_replay_tells_the_role(role: str | None) -> None:
    """G2: a turn whose dataset calls its speaker the assistant is heard as an assistant's, by whatever name; no other is."""
    system = Arandu(llm=Scripted(by_task={"extract": answer(fact("Rafael", NATAL))}), embedder=ScriptedEmbedder())
    await system.begin("one")
    said = DatedTurn(id="t1", session_id="s", occurred_at=at(2025), speaker="Iris", text="You like Natal.", role=role)
    await system.listen(said)
    memory = system._opened()
    [held] = memory.facts("listener").to_dicts()
    assert held["source_context"] == ("supposed_by_assistant" if role == "assistant" else None)
    await system.end()
