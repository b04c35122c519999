"""Laws of maximal marginal relevance."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.errors import ConfigError
from arandu_lab.pure.mmr import marginal_relevance

_UNIT = st.floats(0.0, 1.0, width=16)


@st.composite
def pools(draw: st.DrawFn):
    """Relevance falling, and a symmetric likeness with ones on its diagonal."""
    size = draw(st.integers(0, 8))
    worth = sorted(draw(st.lists(_UNIT, min_size=size, max_size=size)), reverse=True)
    half = np.array(draw(st.lists(st.lists(_UNIT, min_size=size, max_size=size), min_size=size, max_size=size)))
    alike = np.maximum(half, half.T) if size else np.zeros((0, 0))
    np.fill_diagonal(alike, 1.0)
    return np.array(worth), alike


@given(pools())
def test_with_share_one_the_ranking_is_unchanged(pool) -> None:
    """Lambda 1: the order is that of relevance, ties as given, and the values are the relevance."""
    worth, alike = pool
    order, values = marginal_relevance(worth, alike, share=1.0)
    assert order.tolist() == list(range(len(worth)))
    assert values.tolist() == worth.tolist()


@given(pools(), _UNIT)
def test_everybody_is_chosen_once_and_values_never_rise(pool, share) -> None:
    """The order is a permutation, the best comes first wherever relevance counts, and no value is above the one before."""
    worth, alike = pool
    order, values = marginal_relevance(worth, alike, share=share)
    assert sorted(order.tolist()) == list(range(len(worth)))
    assert all(later <= earlier for earlier, later in pairwise(values))
    assert not len(order) or order[0] == 0


@given(pools(), _UNIT)
def test_each_choice_is_the_best_that_was_left(pool, share) -> None:
    """By the definition, written out: nobody who waits has a greater value than the one who is chosen."""
    worth, alike = pool
    order, values = marginal_relevance(worth, alike, share=share)
    for turn, place in enumerate(order):
        before = order[:turn]

        def value(one: int, before=before) -> float:
            return share * worth[one] - (1.0 - share) * max((alike[one, other] for other in before), default=0.0)

        assert values[turn] == pytest.approx(value(place))
        assert all(value(other) <= value(place) + 1e-12 for other in order[turn:])


@given(pools(), _UNIT)
def test_candidates_that_share_nothing_keep_their_order(pool, share) -> None:
    """Where no two are alike, diversity has nothing to say."""
    worth, _ = pool
    order, _ = marginal_relevance(worth, np.eye(len(worth)), share=share)
    if share:
        assert worth[order].tolist() == pytest.approx(worth.tolist())


def test_what_does_not_fit_is_refused() -> None:
    """A share outside 0 to 1, or likeness of another shape, is an error that says what was wanted."""
    with pytest.raises(ConfigError, match="0 to 1"):
        marginal_relevance([1.0], [[1.0]], share=1.5)
    with pytest.raises(ConfigError, match="wanted"):
        marginal_relevance([1.0, 0.5], [[1.0]], share=0.5)
