"""Folding, slugs and names in texts: every script, no empty key, no cost that explodes."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.pure.text import content_words, fold, guess_language, ident, names_in, normal, slug, words


@given(st.text())
def test_fold_is_a_fixed_point_and_form_blind(text: str) -> None:
    """B14: folding twice is folding once; NFC and NFD fold alike; invisible characters count for nothing."""
    once = fold(text)
    assert fold(once) == once
    assert fold(unicodedata.normalize("NFC", text)) == fold(unicodedata.normalize("NFD", text)) == once
    assert fold("\u200f" + text) == once
    assert normal(once) == normal(text)


@given(st.text())
def test_keys_are_never_empty(text: str) -> None:
    """B2, B3: slug and identity are never empty for a name that is not, and the slug is short and stable."""
    assert slug(text)
    assert len(slug(text)) < 120
    assert slug(text) == slug(slug(text)) or len(slug(text)) > 80
    if text:
        assert ident(text)
    assert ident(text) == ident(unicodedata.normalize("NFD", text))


@pytest.mark.parametrize(
    "apart",
    [
        ["राम", "रीम", "रमा"],
        ["小林", "大林"],
        ["Ксения", "Ксеня"],
        ["🌵", "🍕"],
        ["สม", "สิม"],
        ["x" * 500 + "a", "x" * 500 + "b"],
        ["й", "и"],
    ],
)
def test_distinct_names_have_distinct_keys(apart: list[str]) -> None:
    """B2, B3: vowel signs, letters of any script, emoji and the far end of a long name all tell names apart."""
    assert len({slug(name) for name in apart}) == len(apart)
    assert len({ident(name) for name in apart}) == len(apart)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("José", "JOSE"),
        ("São Paulo", "sao  paulo."),
        ("مُحَمَّد", "محمد"),
        ("Malu 🌵", "malu"),
        ("☕️", "☕"),
        ("Ra\u00adfael", "Rafael"),
        ("ﬁlho", "filho"),
        ("ガ", "ガ"),
    ],
)
def test_spellings_of_one_name(one: str, other: str) -> None:
    """B5, B14: case, accents, points, width, ligatures, soft hyphens and emoji beside letters make no second name."""
    assert ident(one) == ident(other)
    assert slug(one) == slug(other)


def test_no_stray_tokens() -> None:
    """F2: "autenticação" is one word, in Latin, Cyrillic and Devanagari alike."""
    assert words("autenticação Ксения हिन्दी") == ["autenticacao", "ксения", "हिन्दी"]
    assert content_words("ção") == ["cao"]
    assert words("doesn´t \u0301 x") == ["doesn", "t", "x"], "an accent on nothing is no word"
    assert content_words("de o a") == ["de", "o", "a"], "nothing else is left"


def test_names_stand_between_boundaries() -> None:
    """W13: whole words, longest first; what stands inside a longer name is not mentioned, but its own mention counts."""
    names = {"ana": "A", "ana maria": "AM", "paulo": "P", "sao paulo": "SP", "jo": "J"}
    assert names_in("Mariana", names) == []
    assert names_in("Ana Maria e Ana em São Paulo, com Jo", names) == ["AM", "A", "SP"]
    assert names_in("PAULO; são paulo", names) == ["P", "SP"]
    assert names_in("com Jo", names, min_chars=2) == ["J"]
    assert names_in("", names, min_chars=0) == []
    assert names_in("anything", {}) == []


def test_names_in_dense_scripts() -> None:
    """Scripts without blanks are searched inside words, longest first, short names too."""
    assert names_in("小林さんは東京に住む", {"小林": 1, "林": 2, "東京": 3}) == [1, 3]
    assert names_in("小林京都", {"小林": 1, "京都": 2}) == [1, 2], "one right behind the other"
    assert names_in("東京都", {"東京": 1, "京都": 2}) == [1, 2], "one over the end of the other"
    assert names_in("小林 viu a Mariana", {"ana": 1, "小林": 2}) == [2], "beside them other names keep their boundaries"


@given(
    st.lists(st.sampled_from("ana bia sao paulo maria jo 小林 x".split())).map(" ".join),
    st.dictionaries(
        st.sampled_from(["ana", "ana maria", "sao paulo", "paulo", "小林", "林", "maria jo"]), st.integers()
    ),
)
def test_what_is_found_is_there(text: str, names: dict[str, int]) -> None:
    """Every value found belongs to a name that stands in the text, once each."""
    found = names_in(text, names)
    assert len(found) == len(set(found))
    there = {value for name, value in names.items() if name in normal(text)}
    assert set(found) <= there


def test_many_names_in_a_long_text() -> None:
    """Five thousand names in a text of ten kilobytes take a fraction of a second; so do one name of thousands of words, and one repeated."""
    names = {f"person number{n}": n for n in range(5000)} | {"the " * 900 + "end": -1}
    began = time.process_time()
    assert names_in("the person number77 met person number78 " * 250, names) == [77, 78]
    assert names_in("the " * 2500, names) == []
    assert time.process_time() - began < 1.0


def test_language() -> None:
    """Portuguese and English by their own function words; nothing tells in "ok"."""
    assert [guess_language(text) for text in ("Ana foi para casa", "Ana went to the house", "ok", "")] == [
        "pt",
        "en",
        "en",
        "en",
    ]
    assert guess_language("ok", "pt") == "pt"
