"""Laws of joining voices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.errors import ConfigError
from arandu_lab.pure.fusion import by_max, by_range, convex, ranks, reciprocal_rank_fusion, top

number = st.one_of(st.sampled_from([0.0, 1.0, -1.0]), st.floats(-1e6, 1e6))
scores = st.lists(st.one_of(number, st.just(float("nan"))), max_size=15)


@st.composite
def voices(draw: st.DrawFn) -> list[list[float]]:
    size = draw(st.integers(0, 10))
    one = st.lists(st.one_of(number, st.just(float("nan"))), min_size=size, max_size=size)
    return draw(st.lists(one, min_size=1, max_size=5))


@given(scores, st.integers(0, 20))
def test_top_is_a_stable_sort(given_scores, k):
    """O1: the order is total: score falling, then the earlier; ``nan`` never stands in it."""
    known = [i for i, one in enumerate(given_scores) if one == one]
    assert top(given_scores, k).tolist() == sorted(known, key=lambda i: (-given_scores[i], i))[:k]


@given(st.lists(st.tuples(st.sampled_from([0.0, 1.0]), st.integers(0, 3)), max_size=10))
def test_ties_go_by_the_key_first(pairs):
    """A given key decides between equal scores, position decides between equal keys."""
    values, keys = [value for value, _ in pairs], [key for _, key in pairs]
    wanted = sorted(range(len(pairs)), key=lambda i: (-values[i], keys[i], i))
    assert top(values, tie=keys).tolist() == wanted


def test_keys_may_be_names():
    """A tie key is anything that sorts."""
    assert top([1.0, 1.0], tie=["b", "a"]).tolist() == [1, 0]


@given(voices(), st.randoms(use_true_random=False))
def test_fusion_ignores_the_order_of_voices(some, chance):
    """O2: voices that answer in another order give the same scores to the last bit."""
    shuffled = list(some)
    chance.shuffle(shuffled)
    np.testing.assert_array_equal(reciprocal_rank_fusion(some), reciprocal_rank_fusion(shuffled))


@given(voices())
def test_fusion_sees_ranks_only(some):
    """Doubling a voice's scores changes nothing, because a rank is all that counts."""
    louder = [[2 * one for one in voice] for voice in some]
    np.testing.assert_array_equal(reciprocal_rank_fusion(some), reciprocal_rank_fusion(louder))


@given(scores)
def test_one_voice_keeps_its_order(voice):
    """Fusing a voice with itself, or alone, leaves its ranking."""
    assert top(reciprocal_rank_fusion([voice])).tolist() == top(voice).tolist()
    assert top(reciprocal_rank_fusion([voice, voice])).tolist() == top(voice).tolist()


@given(voices())
def test_silence_is_not_zero(some):
    """A candidate is unknown after fusion exactly when every voice was silent on it."""
    silent = np.isnan(np.array(some, dtype=float)).all(axis=0)
    assert np.isnan(reciprocal_rank_fusion(some)).tolist() == silent.tolist()
    assert np.isnan(ranks(some[0])).tolist() == np.isnan(some[0]).tolist()


def test_a_silent_voice_adds_nothing():
    """A candidate that a voice does not know gets nothing from it, and the shares of those that do."""
    assert reciprocal_rank_fusion([[3.0, 2.0], [np.nan, 1.0]]).tolist() == [1 / 61, 1 / 62 + 1 / 61]


@given(scores)
def test_normalised_scores_keep_the_order(voice):
    """Both normalisations lie in range and never turn two candidates around."""
    known = [one for one in voice if one == one]
    stretched = by_range(voice)
    assert ((stretched >= 0) & (stretched <= 1) | np.isnan(voice)).all()
    for done in (stretched, by_max(voice)):
        assert np.isnan(done).tolist() == np.isnan(np.array(voice, dtype=float)).tolist()
        for i, one in enumerate(voice):
            for j, other in enumerate(voice):
                if one > other:
                    assert done[i] >= done[j]
    if known and max(known) > 0:
        assert np.nanmax(by_max(voice)) == 1.0


@given(voices(), st.floats(0, 1))
def test_convex_blends_are_symmetric_and_bounded(some, share):
    """Swapping the sides swaps the shares; the ends are the voices themselves."""
    one, other = some[0], some[-1]
    np.testing.assert_allclose(convex(one, other, share=share), convex(other, one, share=1 - share), atol=1e-6)
    both = ~np.isnan(one) & ~np.isnan(other)
    np.testing.assert_array_equal(convex(one, other, share=0.0)[both], np.array(one)[both])


def test_a_blend_known_by_hand():
    """``.7 * 1 + .3 * .5`` is .85, and a silent side counts nothing."""
    assert convex([1.0, float("nan")], [0.5, 1.0], share=0.3).tolist() == pytest.approx([0.85, 0.3])


@pytest.mark.parametrize(
    "call",
    [
        lambda: top([1.0], -1),
        lambda: top([1.0], tie=[1, 2]),
        lambda: reciprocal_rank_fusion([]),
        lambda: reciprocal_rank_fusion([[1.0], [1.0, 2.0]]),
        lambda: reciprocal_rank_fusion([[1.0]], weights=[1.0, 2.0]),
        lambda: reciprocal_rank_fusion([[1.0]], k=-1),
        lambda: convex([1.0], [1.0], share=1.1),
    ],
)
def test_what_cannot_be_meant_is_refused(call):
    """Misaligned voices and numbers out of range are a ConfigError."""
    with pytest.raises(ConfigError):
        call()
