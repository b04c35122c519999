"""Cutting a turn into sentences: where it is cut, that nothing is lost, and how much is made at most."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.pure.sentences import LEAST_WORDS, sentences

PARTS = "Oi!|I went to the lake|Moro em Recife.|- | - |; |  | |ok|Dr.|…|3.5|[image: a dog]|[image:|]|😀|what?!|não sei".split(
    "|"
)
PIECES = st.lists(st.sampled_from([*PARTS, "\n", "\r\n", "\u2028", "x" * 30]), max_size=30)


def bare(text: str) -> str:
    """A text without blanks, and without the marks at which it may be cut."""
    return "".join(char for char in text.replace("[image:", "") if not char.isspace() and char not in "-;[]")


@given(PIECES, st.integers(1, 60))
def test_nothing_is_lost(pieces, longest):
    """Joined, the sentences of a text are its characters in order but for blanks and the marks at which it was cut."""
    text = "".join(pieces)
    assert bare("".join(sentences(text, most=10_000, longest=longest))) == bare(text)


@given(PIECES, st.integers(1, 5), st.integers(1, 60))
def test_sentences_are_few_and_short(pieces, most, longest):
    """At most ``most`` sentences, none longer than ``longest``, none empty, blanks evened; fewer are the first of more."""
    text = "".join(pieces)
    found = sentences(text, most=most, longest=longest)
    assert len(found) <= most
    assert all(0 < len(one) <= longest and one == " ".join(one.split()) for one in found)
    assert found == sentences(text, most=10_000, longest=longest)[:most]


@given(PIECES)
def test_a_short_piece_does_not_stand_alone(pieces):
    """Where a text without images gives several sentences, none has fewer than three words."""
    found = sentences("".join(pieces).replace("[image:", ""), most=10_000, longest=10_000)
    assert len(found) <= 1 or all(len(one.split()) >= LEAST_WORDS for one in found)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("I moved to Oslo. I like it here!", ("I moved to Oslo.", "I like it here!")),
        ("Eu moro em Olinda… Minha mãe também mora", ("Eu moro em Olinda…", "Minha mãe também mora")),
        ("first line of it\nsecond line of it", ("first line of it", "second line of it")),
        ("we swam a lot - it was cold", ("we swam a lot", "it was cold")),
        ("we swam a lot; it was cold", ("we swam a lot", "it was cold")),
        ("a well-known lake at 3.5 km", ("a well-known lake at 3.5 km",)),
        ("Look! [image: a red boat]", ("Look!", "a red boat")),
        ("We went there. Yes!", ("We went there. Yes!",)),
        ("Dr. Lima sees me today. Nice!", ("Dr. Lima sees me today. Nice!",)),
        ("", ()),
        ("[image:]", ()),
    ],
)
def test_where_a_text_is_cut(text, wanted):
    """Ends of sentences, lines, lone dashes and semicolons part a text; short pieces go with others; captions stand alone."""
    assert sentences(text) == wanted


@pytest.mark.parametrize("long", [" " * 300_000, "[image:" * 40_000, "a" * 300_000, "a. " * 100_000, "- " * 100_000])
def test_a_hostile_text_is_cut_in_linear_time(long):
    """A third of a million characters of any one thing are cut before the suite's time limit; a page gives forty sentences."""
    assert len(sentences(long)) <= 40
