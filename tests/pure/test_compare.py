"""Similarity is not identity (W11, A16)."""

from __future__ import annotations

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
