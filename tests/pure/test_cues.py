"""What a question asks for and what a turn holds, in both languages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.pure.cues import asking_words, cues, month_numbers, question_kinds


@pytest.mark.parametrize(
    ("kind", "english", "portuguese"),
    [
        ("when", "When did Ana move?", "Quando a Ana se mudou?"),
        ("when", "Which month did she start?", "Em que mês ela começou?"),
        ("where", "Where does Ana live?", "Onde a Ana mora?"),
        ("where", "Which city is he from?", "De que cidade ele é?"),
        ("who", "Who taught Ana?", "Quem ensinou a Ana?"),
        ("many", "How many cats has she?", "Quantos gatos ela tem?"),
        ("why", "Why did she leave?", "Por que ela saiu?"),
        ("feel", "How did she feel?", "Como ela se sentiu?"),
        ("would", "Would she like it?", "Ela gostaria disso?"),
        ("yesno", "Does Ana paint?", "Tem gato a Ana?"),
        ("plural", "What books did she read?", "Quais livros ela leu?"),
    ],
)
def test_kinds_in_both_languages(kind, english, portuguese):
    """Each kind of question is known in English and in Portuguese."""
    assert kind in question_kinds(english)
    assert kind in question_kinds(portuguese)


@pytest.mark.parametrize(
    ("cue", "english", "portuguese"),
    [
        ("time", "We met yesterday", "A gente se viu ontem"),
        ("number", "I have three cats", "Tenho três gatos"),
        ("place", "We went there", "Mudei para Olinda"),
        ("kin", "My sister called", "Minha irmã ligou"),
        ("reason", "because I wanted to", "porque eu quis"),
        ("feeling", "I felt proud", "Fiquei feliz"),
        ("self", "I run", "Eu corro"),
    ],
)
def test_cues_in_both_languages(cue, english, portuguese):
    """Each kind of word is known in a turn of either language, and is not in one that has none."""
    assert cue in cues(english, "en")
    assert cue in cues(portuguese, "pt")
    assert cue not in cues("Hmm.", "en") | cues("Hmm.", "pt")


def test_a_word_counts_in_its_own_language():
    """English "do" and "no" are no Portuguese prepositions of place."""
    assert "place" not in cues("no, we do", "en")
    assert "place" in cues("no bairro do Recife", "pt")


@pytest.mark.parametrize(
    ("text", "months"),
    [("in May", {5}), ("she may go", set()), ("they march on", set()), ("in march", {3}), ("em março e maio", {3, 5})],
)
def test_months(text, months):
    """Months of both languages; the verbs "may" and "march" are none."""
    assert month_numbers(text) == months


@given(st.text(max_size=80))
def test_any_text_has_kinds_and_cues(text):
    """No text breaks the tables, and case does not matter to them."""
    assert question_kinds(text) == question_kinds(text)
    assert cues(text, "en") <= {"time", "number", "place", "kin", "reason", "feeling", "self"}
    assert question_kinds("WHERE IS IT?") == question_kinds("where is it?")


def test_asking_words_hold_no_content():
    """Question words of both languages are no content; nouns and verbs are."""
    assert {"what", "did", "qual", "quando"} <= asking_words()
    assert not {"paint", "pintar", "music", "mora"} & asking_words()
