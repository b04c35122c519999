"""Whose statement a fact is: what is said of a relative, a pet or a firm is nobody else's tie or profile (G1, A22)."""

from __future__ import annotations

from typing import Any

import pytest

from arandu_lab.llm.rules import kinship, lexicon_en, lexicon_pt, verdict
from arandu_lab.llm.rules.extraction import extract
from arandu_lab.pure.text import fold

SAYS = {
    "en": ("lives in Recife", "works at Vale", "is married to Carla", "is 80 years old", "is a nurse"),
    "pt": ("mora em Recife", "trabalha na Vale", "é casado com a Carla", "tem 80 anos", "é dentista"),
}
OWNED = {
    "en": ("Bob's mother", "Bob's boss", "Bob's dog", "Bob's friend", "My dog"),
    "pt": ("A mãe do Bob", "O chefe do Bob", "O cachorro do Bob", "A irmã do Bob", "Meu cachorro"),
}


def read(message: str, speaker: str = "Ana") -> dict[str, Any]:
    return extract({"message": message, "speaker": speaker, "sent_at": "2025-06-11T10:00:00+00:00"})


@pytest.mark.parametrize(
    "message", [f"{who} {says}." for language in SAYS for who in OWNED[language] for says in SAYS[language]]
)
def test_what_is_said_of_a_relative_ties_nobody_else(message: str) -> None:
    """G1: a statement of somebody's relative or pet is a fact as it was told, and no edge and no profile of theirs or the speaker's."""
    found = read(message)
    assert found["facts"], message
    assert all(not one["text"].startswith(("Ana ", "Bob ")) for one in found["facts"])
    assert not [one for one in found["relations"] if one["source"] in ("Ana", "Bob")]
    assert not {"Ana", "Bob"} & set(found["updated_profiles"])


@pytest.mark.parametrize(
    "message", ["A mãe da Ana mora em Lisboa.", "My mother lives in Lisbon.", "Meu pai mora em Natal."]
)
def test_the_speakers_own_relative_is_named_by_the_word(message: str) -> None:
    """W15: the subject is the relationship word, which resolution maps; the speaker gets no edge and no profile from it."""
    found = read(message)
    assert {one["subject"] for one in found["facts"]} <= {"mãe", "mother", "pai"}
    assert not [one for one in found["relations"] if one["source"] == "Ana"]
    assert "Ana" not in found["updated_profiles"]


@pytest.mark.parametrize(
    ("message", "edge"),
    [
        ("My house is in Recife.", ("Ana", "lives_in", "Recife")),
        ("My hometown is Natal.", ("Ana", "from", "Natal")),
        ("My company is based in Recife.", None),
        ("Bob lives in Natal.", ("Bob", "lives_in", "Natal")),
        ("O Bob mora em Natal.", ("Bob", "lives_in", "Natal")),
        ("Bob's mother lives in Lisbon. Bob lives in Natal.", ("Bob", "lives_in", "Natal")),
        ("A mãe do Bob mora em Lisboa. Ela trabalha na Vale.", None),
    ],
)
def test_what_names_the_attribute_is_ones_own(message: str, edge: tuple[str, str, str] | None) -> None:
    """A belonging that names the attribute states it of its owner; one that a predicate speaks of does not."""
    said = [(one["source"], one["type"], one["target"]) for one in read(message)["relations"]]
    assert said == ([edge] if edge else [])


FOLDED = [("avô", "avó"), ("vovô", "vovó"), ("avo", "avo"), ("vovo", "vovo")]
EPICENE = [(word, word) for word in ("chefe", "colega", "ex", "caçula")]


@pytest.mark.parametrize(("his", "hers"), FOLDED + EPICENE)
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("mora em Recife", "mora em Natal"),
        ("trabalha na Petrobras", "trabalha na Vale"),
        ("tem 80 anos", "tem 75 anos"),
    ],
)
@pytest.mark.parametrize("owner", ["de Ana", "do Bob"])
def test_a_man_and_a_woman_of_one_word_are_two(his: str, hers: str, one: str, other: str, owner: str) -> None:
    """A22: where accents or gender alone tell two relatives apart, neither's fact replaces the other's; their own still does."""
    known = [verdict.Shown(0, f"O {his} {owner} {one}")]
    assert verdict.decide(his, f"A {hers} {owner} {other}", known).action == "ADD"
    if "anos" not in one:
        assert verdict.decide(his, f"O {his} {owner} {other}", known) == verdict.Decision("UPDATE", 0)


def test_folding_joins_no_other_words_for_relatives() -> None:
    """Of the words for relatives that the lexicons know, only those of grandparents are told apart by an accent alone."""
    spelt = "avô avó vovô vovó mãe mamãe irmão irmã fiancé fiancée cônjuge bebê gêmeo gêmea sócio sócia patrão estagiário".split()
    same = [word for word in spelt if sum(fold(word) == fold(other) for other in spelt) > 1]
    assert same == ["avô", "avó", "vovô", "vovó"]
    assert all(kinship.tie(word) for word in {*lexicon_en.KIN, *lexicon_pt.KIN, *lexicon_en.PETS, *lexicon_pt.PETS})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana's older brother lives in Recife", "Ana's younger brother lives in Natal"),
        ("Ana's maternal grandmother lives in Recife", "Ana's paternal grandmother lives in Natal"),
        ("O irmão mais velho de Ana mora em Recife", "O irmão mais novo de Ana mora em Natal"),
        ("A avó materna de Ana mora em Recife", "A avó paterna de Ana mora em Natal"),
        ("O cachorro de Ana tem 3 anos", "O gato de Ana tem 5 anos"),
        ("Bob's mother lives in Recife", "Bob lives in Natal"),
    ],
)
def test_relatives_told_apart_stay_apart(one: str, other: str) -> None:
    """A22: what tells one of several relatives from another keeps their facts apart, whichever was told first."""
    for new, old in ((one, other), (other, one)):
        assert verdict.decide("Ana", new, [verdict.Shown(0, old)]).action == "ADD"


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("Minha avo mora em Natal.", "A avo de Ana mora em Natal"),
        ("Meu avo mora em Natal.", "O avo de Ana mora em Natal"),
        ("Minha chefe mora em Natal.", "A chefe de Ana mora em Natal"),
        ("Minha querida avó materna mora em Natal.", "A avó materna de Ana mora em Natal"),
        ("A avo do Bob mora em Natal.", "A avo de Bob mora em Natal"),
    ],
)
def test_the_possessive_tells_the_gender(message: str, text: str) -> None:
    """The article of a relative's fact is of the gender that the message told, with or without accents."""
    assert [one["text"] for one in read(message)["facts"]] == [text]
