"""A message in capitals says what it says in small letters, and a death ends the having of a pet and nothing else."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from arandu_lab import Memory
from arandu_lab.llm.rules.extraction import extract
from arandu_lab.llm.rules.shouting import quiet
from arandu_lab.pure.text import fold

SENTENCES = [
    "I live in Recife.", "I work at Vertix.", "My brother João lives in Lisbon.", "My dog Rex died.", "I have a dog called Rex.",
    "I hate cilantro.", "I am allergic to peanuts.", "I am a nurse.", "My mother lives in New York.", "I moved to Berlin.",
    "My wife Carla works at Kelpworks.", "I no longer live in Recife.", "My boss is Renata Kovacs.", "I was born in 1990.",
    "Eu moro em Recife.", "Eu trabalho na Vertix.", "Meu irmão João mora em Lisboa.", "Minha gata Mimi morreu.",
    "Eu tenho um gato chamado Mimi.", "Eu odeio coentro.", "Eu sou alérgica a amendoim.", "Eu sou enfermeira.",
    "Minha mãe mora em São Paulo.", "Eu me mudei para Berlim.", "Minha avó tem 80 anos.", "Eu não moro mais em Recife.",
    "Minha esposa Carla trabalha na Petrobras.", "O Bob mora em Lisboa.",
]  # fmt: skip


def facts(message: str) -> set[str]:
    inputs = {"message": message, "speaker": "Ana", "sent_at": "2025-06-11T10:00:00+00:00"}
    return {fold(one["text"]) for one in extract(inputs)["facts"]}


@pytest.mark.parametrize("sentence", SENTENCES)
def test_capitals_change_nothing(sentence: str) -> None:
    """A sentence written in capitals states the same facts, whatever stop ends it."""
    assert facts(sentence)
    assert facts(sentence.upper()) == facts(sentence)
    assert facts(sentence.upper().rstrip(".") + "!!") == facts(sentence)


@pytest.mark.parametrize("text", ["The NASA and IBM", "UFPE", "Ana works at IBM", "I LOVE it", "Ana e a UFPE", ""])
def test_a_few_capitals_are_left(text: str) -> None:
    """Acronyms and a stressed word are no shouting."""
    assert quiet(text, {}, "en") == quiet(text, {}, "pt") == text


@pytest.mark.parametrize("language", ["en", "pt"])
@pytest.mark.parametrize("text", [*SENTENCES, "MY NAME IS O'BRIEN, 42", "É ISSO AÍ… ÀS 10H"])
def test_only_letter_case_is_touched(text: str, language: str) -> None:
    """Nothing but the case of letters changes, a second time nothing at all, and known names are spelt as they are known."""
    said = quiet(text.upper(), {"vertix": "VertiX"}, language)  # type: ignore[arg-type]
    assert said.casefold() == text.casefold()
    assert quiet(said, {}, language) == said  # type: ignore[arg-type]
    assert ("VertiX" in said) == ("Vertix" in text)


async def told(*messages: str) -> list[str]:
    memory = Memory.open("memory://")
    for day, message in enumerate(messages):
        await memory.write("a", message, "Ana", occurred_at=datetime(2025, 6, 11, tzinfo=UTC) + timedelta(days=day))
    edges = memory.relationships("a").rows()
    return [*memory.facts("a")["text"].to_list(), *(edge[1] for edge in edges if edge[1] == "has_pet")]


@pytest.mark.parametrize("loud", [False, True])
@pytest.mark.parametrize(
    ("had", "lost", "left"),
    [
        ("I have a dog called Rex.", "Rex died.", ["Rex died"]),
        ("I have a dog called Rex.", "My dog Rex died.", ["Rex died"]),
        ("I have a dog called Rex.", "My dog died.", ["Ana's dog died"]),
        ("I have a cat.", "My cat died.", ["Ana's cat died"]),
        ("Bob has a cat called Mia.", "Mia passed away.", ["Mia passed away"]),
        ("Bob has a dog called Max.", "Bob's dog died.", ["Bob's dog died"]),
        ("Eu tenho um gato chamado Mimi.", "A Mimi morreu.", ["Mimi morreu"]),
        ("Eu tenho um gato chamado Mimi.", "Meu gato morreu.", ["O gato de Ana morreu"]),
        ("Tenho um cachorro.", "Meu cachorro morreu.", ["O cachorro de Ana morreu"]),
        ("Eu tenho um gato chamado Mimi.", "Mimi died.", ["Mimi died"]),
    ],
)
async def test_a_death_ends_the_having(had: str, lost: str, left: list[str], loud: bool) -> None:
    """The death of the pet of that name, or of the only one of its kind, is kept, and ends that one has it, and the edge."""
    assert await told(had, lost.upper() if loud else lost) == left


@pytest.mark.parametrize(
    ("had", "said"),
    [
        ("I have a phone.", "My phone died."),
        ("I have a dog called Rex.", "My phone died."),
        ("I have a dog called Rex.", "Rex almost died."),
        ("I have a dog called Rex.", "Rex died laughing."),
        ("I have a dog called Rex.", "If Rex died, I would cry."),
        ("I have a dog called Rex.", "My cat died."),
        ("I have a dog called Rex.", "Bob's dog died."),
        ("My brother is called João.", "João died."),
        ("João lives in Natal.", "João died."),
        ("O João mora em Natal.", "O João morreu."),
        ("Meu avô mora em Natal.", "Meu avô morreu."),
        ("Tenho um celular.", "Meu celular morreu."),
        ("Eu tenho um gato chamado Mimi.", "A Mimi morreu de rir."),
    ],
)
async def test_a_death_ends_nothing_else(had: str, said: str) -> None:
    """What is known of a person stays when they die; a phone, a figure of speech and another's pet end nothing."""
    before = await told(had)
    assert before
    assert set(before) <= set(await told(had, said))


async def test_of_two_pets_none_is_guessed() -> None:
    """Where two of a kind are known, the death of one without a name ends neither."""
    both = await told("I have a dog called Rex.", "I have a dog called Max.")
    assert set(both) < set(await told("I have a dog called Rex.", "I have a dog called Max.", "My dog died."))
