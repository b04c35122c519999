"""Similarity is not identity (W11, A16)."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.pure.compare import differences, negative, takes_back

APART = [
    ("Caio bebe café", "Caio não bebe café", "polarity"),
    ("Caio trabalha no banco", "Caio não trabalha no banco", "polarity"),
    ("Caio drives", "Caio doesn't drive", "polarity"),
    ("Caio drives", "Caio no longer drives", "polarity"),
    ("Caio likes tea", "Caio rarely likes tea", "polarity"),
    ("Caio fuma", "Caio parou de fumar", "polarity"),
    ("Caio moved", "Caio might move", "mood"),
    ("Caio mora em Natal", "Caio quer morar em Natal", "mood"),
    ("Caio works at Vertix", "Caio worked at Vertix", "mood"),
    ("Caio mora em Natal", "Caio morou em Natal", "mood"),
    ("Caio is a nurse", "Caio was a nurse", "mood"),
    ("Caio is studying law", "Caio studied law", "mood"),
    ("Caio mora em Natal", "Caio morava em Natal", "mood"),
    ("Caio works in room 12", "Caio works in room 21", "numbers"),
    ("Caio has two dogs", "Caio has three dogs", "numbers"),
    ("from 3 to 5", "from 5 to 3", "numbers"),
    ("Caio came in May", "Caio came in June", "dates"),
    ("Caio veio na terça", "Caio veio na quinta", "dates"),
    ("Caio met Ana", "Caio met Bia", "names"),
    ("Caio knows that Ana hired Bia", "Caio knows that Bia hired Ana", "names"),
    ("Caio ama jazz", "Caio odeia jazz", None),
    ("Caio loves jazz", "Caio hates jazz", "antonyms"),
    ("Caio has a dog", "Caio has a cat", "objects"),
]
SAME = [
    ("Ana lives in Recife", "Ana resides in Recife"),
    ("Iara cria abelhas", "Iara  cria abelhas!"),
    ("Ana doesn't drive", "Ana does not drive"),
    ("Ana has 2 dogs", "Ana has two dogs"),
    ("Ana bebe água", "Ana bebe agua"),
    ("Ana mora no Brasil", "Ana mora no Brasil."),
]


@pytest.mark.parametrize(("one", "other", "why"), APART)
def test_apart(one: str, other: str, why: str | None) -> None:
    """Each kind of difference is found, and named."""
    found = differences(one, other, subject="Caio")
    assert found
    assert why is None or why in found


@pytest.mark.parametrize(("one", "other"), SAME)
def test_same(one: str, other: str) -> None:
    """Wordings of one statement pass."""
    assert differences(one, other, subject="Ana") == ()


WORDS = st.lists(
    st.sampled_from("Ana Bia não no works worked 12 21 May two the dog cat likes hates is was Recife".split()),
    max_size=7,
).map(" ".join)


@given(WORDS, WORDS)
def test_symmetric_and_reflexive(one: str, other: str) -> None:
    """A statement never differs from itself, and the order of two does not matter."""
    assert differences(one, one) == ()
    assert differences(one, other) == differences(other, one)


@given(st.text(), st.text())
def test_any_text(one: str, other: str) -> None:
    """Every text can be compared."""
    assert isinstance(differences(one, other, subject=one[:3]), tuple)
    assert isinstance(negative(one), bool)


def test_takes_back() -> None:
    """Only a denial or an ending takes back; the Portuguese "no" (in the) denies nothing."""
    assert [takes_back(t) for t in ("Ana no longer drives", "Ana parou de fumar", "Ana nunca foi lá")] == [True] * 3
    assert [takes_back(t) for t in ("Ana mora no Rio", "Ana left Vertix", "")] == [False] * 3


OURS = Path(__file__).parents[2] / "datasets"


@pytest.mark.parametrize("name", ["mare_pt", "world/brook_pt", "world/cove_pt"])
def test_the_portuguese_no_denies_nothing(name: str) -> None:
    """Of all gold facts in Portuguese only those deny that hold a word of denial, however many say "no" (em + o)."""
    denial = re.compile(
        r"\b(não|nunca|nem|sem|nenhuma?|ninguém|nada|parou|deixou|largou|desistiu|acabou|ficou sem)\b", re.IGNORECASE
    )
    lines = (OURS / name / "gold.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [fact["text"] for line in lines for fact in json.loads(line)["facts"]]
    said = [text for text in texts if re.search(r"\bno\b", text) and not denial.search(text)]
    assert len(said) > 5
    assert [text for text in said if negative(text)] == []


@pytest.mark.parametrize("one", ["Ana mora no Recife", "Ana trabalha no IPA", "Ana nasceu no Crato", "Moramos no Rio"])
def test_a_place_with_and_without_its_article_is_one(one: str) -> None:
    """ "no Recife" and "em Recife" are the same place."""
    assert differences(one, one.replace(" no ", " em "), subject="Ana") == ()


@pytest.mark.parametrize(
    "text", ["Ana eats no meat", "Ana has no Instagram", "There is no dog", "No pets are at Ana's", "No one came"]
)
def test_the_english_no_denies(text: str) -> None:
    """Whatever noun or name follows."""
    assert negative(text)
