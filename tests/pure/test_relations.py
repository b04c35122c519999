"""Relation types: one spelling each (W17)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.pure.relations import IDENTITY, phrase, relation_type, sentence


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Married To", "spouse_of"),
        ("esposa de", "spouse_of"),
        ("worksAt", "works_at"),
        ("trabalha em", "works_at"),
        ("Mora-em", "lives_in"),
        ("mentored by", "mentored_by"),
        ("é de", "from"),
        ("同事", "同事"),
        ("दोस्त", "दोस्त"),
        ("->", "related_to"),
    ],
)
def test_types(said: str, kind: str) -> None:
    """English, Portuguese, camel case and any script; unknown types are kept as snake case."""
    assert relation_type(said) == kind


@given(st.text())
def test_types_are_fixed_points(text: str) -> None:
    """A type is never empty, and normalising it again changes nothing."""
    kind = relation_type(text)
    assert kind
    assert relation_type(kind) == kind
    assert phrase(kind)


def test_identities() -> None:
    """Identity relations are known in both languages."""
    assert {relation_type(t) for t in ("same as", "also known as", "mesmo que")} <= IDENTITY


def test_sentences() -> None:
    """An edge reads as a sentence in the language of the message; an unknown type by its own words."""
    assert sentence("Ana", "spouse_of", "Caio") == "Ana is married to Caio"
    assert sentence("Ana", "spouse_of", "Caio", "pt") == "Ana é casado(a) com Caio"
    assert sentence("Ana", "mentored_by", "Caio", "pt") == "Ana mentored by Caio"
