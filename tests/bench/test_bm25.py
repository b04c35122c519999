"""BM25 is the textbook loop, only faster."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.errors import ConfigError
from arandu_lab.pure.bm25 import BM25, tokens

texts = st.lists(st.text("abcdefgh", max_size=8).map(list), max_size=12)
queries = st.text("abcdefghxyz", max_size=6).map(list)


def naive_okapi(corpus: list[list[str]], query: list[str], k1: float, b: float, epsilon: float) -> list[float]:
    """rank-bm25 0.2.2, ``BM25Okapi``, one text and one word at a time."""
    size, total = len(corpus), sum(map(len, corpus))
    if not total:
        return [0.0] * size
    holding: dict[str, int] = {}
    for text in corpus:
        for word in dict.fromkeys(text):
            holding[word] = holding.get(word, 0) + 1
    idf = {word: math.log(size - n + 0.5) - math.log(n + 0.5) for word, n in holding.items()}
    floor = epsilon * (sum(idf.values()) / len(idf))
    idf = {word: floor if value < 0 else value for word, value in idf.items()}
    out = []
    for text in corpus:
        counts, score = Counter(text), 0.0
        for word in query:
            times = counts[word]
            if not times:
                continue  # adds 0, but for an empty text under b = 1, where rank-bm25 divides 0 by 0
            score += idf.get(word, 0.0) * (times * (k1 + 1) / (times + k1 * (1 - b + b * len(text) / (total / size))))
        out.append(score)
    return out


def naive_lucene(corpus: list[list[str]], query: list[str], k1: float, b: float) -> list[float]:
    size, total = len(corpus), sum(map(len, corpus))
    out = []
    for text in corpus:
        score = 0.0
        for word in query:
            n, times = sum(word in other for other in corpus), text.count(word)
            if times:
                idf = math.log(1 + (size - n + 0.5) / (n + 0.5))
                score += idf * times / (times + k1 * (1 - b + b * len(text) / (total / size)))
        out.append(score)
    return out


@given(texts, queries, st.floats(0.1, 3), st.floats(0, 1), st.floats(0, 1))
def test_okapi_is_rank_bm25_to_the_last_bit(corpus, query, k1, b, epsilon):
    """Scores equal the naive loop exactly, so that ties break where rank-bm25 breaks them."""
    index = BM25.fit(corpus, k1=k1, b=b, epsilon=epsilon)
    assert index.scores(query).tolist() == naive_okapi(corpus, query, k1, b, epsilon)


@given(texts, queries, st.floats(0.1, 3), st.floats(0, 1))
def test_lucene_is_its_formula_and_never_negative(corpus, query, k1, b):
    """The other variant follows its own closed form, and every shared word helps."""
    scores = BM25.fit(corpus, k1=k1, b=b, variant="lucene").scores(query)
    assert scores == pytest.approx(naive_lucene(corpus, query, k1, b))
    assert (scores >= 0).all()


@given(texts, queries)
def test_silence_is_exact(corpus, query):
    """A text that shares no word has exactly 0, and ``shares_a_word`` says which those are."""
    index = BM25.fit(corpus)
    sharing = [bool(set(text) & set(query)) for text in corpus]
    assert index.shares_a_word(query).tolist() == sharing
    assert not index.scores(query)[~np.array(sharing, dtype=bool)].any()


@given(texts, queries, st.randoms(use_true_random=False))
def test_scores_follow_their_texts(corpus, query, chance):
    """O1: shuffling the corpus shuffles the scores and changes none."""
    order = list(range(len(corpus)))
    chance.shuffle(order)
    plain = BM25.fit(corpus, variant="lucene").scores(query)
    assert BM25.fit([corpus[i] for i in order], variant="lucene").scores(query) == pytest.approx(plain[order])


@given(texts, queries)
def test_two_questions_add_up(corpus, query):
    """A question asked twice in one breath scores twice: words count as often as they are said."""
    index = BM25.fit(corpus)
    assert index.scores(query + query) == pytest.approx(2 * index.scores(query))


def test_nothing_to_search_is_no_error():
    """No texts, empty texts and empty questions give arrays of the right length."""
    assert BM25.fit([]).scores(["a"]).shape == (0,)
    assert BM25.fit([[], []]).scores(["a"]).tolist() == [0.0, 0.0]
    assert BM25.fit([["a"]]).scores([]).tolist() == [0.0]


def test_tokens_keep_accents():
    """F2: Portuguese, Cyrillic and Chinese words stay whole."""
    assert tokens("A Autenticação de Ксения, 小林!") == ["a", "autenticação", "de", "ксения", "小林"]


@pytest.mark.parametrize("wrong", [{"variant": "okapy"}, {"k1": 0}, {"b": 1.5}, {"k1": float("nan")}])
def test_what_cannot_be_meant_is_refused(wrong):
    """Wrong parameters are a ConfigError that names them."""
    with pytest.raises(ConfigError):
        BM25.fit([["a"]], **wrong)


@pytest.mark.parametrize(
    "bad", [{"k1": 0.0}, {"k1": -1.0}, {"b": -0.01}, {"b": 1.01}, {"k1": math.nan}, {"b": math.nan}]
)
def test_settings_at_their_bounds(bad: dict[str, float]) -> None:
    """``k1`` is above 0 and ``b`` from 0 to 1, both ends in; anything else is a ConfigError, not a number."""
    with pytest.raises(ConfigError, match="k1 must be above 0 and b from 0 to 1"):
        BM25.fit([["a"]], **bad)  # type: ignore[arg-type]
    for b in (0.0, 1.0):
        assert BM25.fit([["a"], ["b"], ["c"]], b=b, k1=0.01).scores(["a"])[0] > 0
