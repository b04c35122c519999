"""Stems: forms of a word meet, whatever the accents; names stay whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.errors import ConfigError
from arandu_lab.pure.stems import capitals, drifting, stem, stems

LETTERS = st.text(alphabet="abcdefghijklmnopqrstuvwxyzáâãàçéêíóôõú", min_size=1, max_size=14)


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("en", "paintings", "painted"),
        ("en", "Camping", "camped"),
        ("pt", "corridas", "corrida"),
        ("pt", "CANÇÕES", "cancoes"),
        ("pt", "pintando", "pintou"),
    ],
)
def test_forms_meet(language, one, other):
    """Two forms of a word have one stem, with and without capitals and accents, in both languages."""
    assert stems(one, language) == stems(other, language)


@given(LETTERS, st.sampled_from(["en", "pt"]))
def test_a_stem_is_folded_and_never_empty(word, language):
    """Whatever the word: a stem has no capitals and no accents, is not empty, and is the same each time."""
    found = stem(word, language)
    assert found
    assert found == found.lower()
    assert not set(found) & set("áâãàçéêíóôõú")
    assert stem(word, language) == found


def test_another_language_is_refused():
    """A language without a stemmer is an error that names the nearest one."""
    with pytest.raises(ConfigError, match="language 'fr'"):
        stem("livres", "fr")  # type: ignore[arg-type]


def test_capitals_are_names_but_for_the_first_word():
    """What stands with a capital inside a text is a name; the first word has one because it is first."""
    assert capitals("Where did Zoë and São Paulo meet?") == {"zoe", "sao", "paulo"}


def test_the_language_of_a_turn_is_its_own_or_that_of_what_was_said_before():
    """A turn in Portuguese is Portuguese amid English; one that tells nothing follows the turns before, and no later one."""
    lean, found = 0.0, []
    for text in ("I was at the lake with my dog", "ok", "Eu moro em Recife com a minha mãe", "Ok!", "legal"):
        language, lean = drifting(text, lean)
        found.append(language)
    assert found == ["en", "en", "pt", "pt", "pt"]


def test_what_a_turn_hands_on():
    """Half of what was handed on and its own lean, its own cut at 8 either way; English weighs as much as Portuguese."""
    english, portuguese = "he and she and he and she and he", "eu e ela e ele e uma e um e ela e eu"
    assert drifting(english) == ("en", -8.0)
    assert drifting(portuguese) == ("pt", 8.0)
    assert drifting("the cat", 2.0) == ("en", 0.0)
    assert drifting("the cat", 3.0) == ("en", 0.5)
    assert drifting("the cat", 3.5) == ("pt", 0.75)
    assert drifting("ok", 0.5) == ("pt", 0.25)
