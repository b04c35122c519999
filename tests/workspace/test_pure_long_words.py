"""Words that are none: what is done for each word is bounded by its length."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.pure.preamble import asked, terms
from arandu_lab.pure.stems import LANGUAGES, LONGEST, Language, stem, stems
from arandu_lab.pure.text import fold

LETTERS = "abyãõÇéi1"


@given(st.text(LETTERS, min_size=LONGEST + 1, max_size=3 * LONGEST), st.sampled_from(LANGUAGES))
def test_a_word_longer_than_the_longest_is_itself(word: str, language: Language) -> None:
    """Above the cap the stemmer is not asked: the stem is the folded word, in every list of stems."""
    assert stem(word, language) == fold(word)
    assert stems(word, language) == [fold(word)]
    assert terms(word) == [fold(word)]
    assert set(asked(word)) == {fold(word)}


@given(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=LONGEST), st.sampled_from(LANGUAGES))
def test_up_to_the_cap_a_stem_is_no_longer_than_its_word(word: str, language: Language) -> None:
    """Up to the cap Snowball speaks: a stem is never longer than its word, and the longest plural meets its singular."""
    assert 0 < len(stem(word, language)) <= len(word)
    longest = "bad" * (LONGEST // 3)
    assert stem(f"{longest}s", "en") == stem(longest, "en")


def test_a_very_long_word_is_stemmed_like_any_other() -> None:
    """Letters that Snowball marks one by one (y, nasal vowels), a hundred thousand of them: an answer, and nothing kept of it."""
    for letter in "yãõ":
        word = letter * 100_000
        assert stem(word, "en") == stem(word, "pt") == fold(word)
