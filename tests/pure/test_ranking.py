"""Laws of scores made comparable within a question."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arandu_lab.pure.ranking import log_rank, masses, spaced, standardised

SEEN = (standardised, log_rank)
scores = st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.3, 1.7, -4.0, 11.0, float("nan")]), min_size=1, max_size=25)


@pytest.mark.parametrize("seen", SEEN)
@given(values=scores, seed=st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_rows_are_a_set(seen, values: list[float], seed: int) -> None:  # type: ignore[no-untyped-def]
    """In another order every row has the same number, to the last bit; equal scores have equal numbers."""
    column = np.array(values)
    order = np.random.default_rng(seed).permutation(len(column))
    found = seen(column)
    assert np.array_equal(seen(column[order]), found[order])
    for value in set(values):
        same = np.isnan(column) if np.isnan(value) else column == value
        assert len(set(found[same].tolist())) == 1


@pytest.mark.parametrize("seen", SEEN)
@given(values=scores, closed=scores)
@settings(max_examples=60, deadline=None)
def test_closed_rows_move_nothing(seen, values: list[float], closed: list[float]) -> None:  # type: ignore[no-untyped-def]
    """Whatever closed rows hold, open rows have the numbers they have alone, and closed rows have 0."""
    mask = np.array([True] * len(values) + [False] * len(closed))
    found = seen(np.array(values + closed), mask)
    assert np.array_equal(found[mask], seen(np.array(values)))
    assert not found[~mask].any()


@pytest.mark.parametrize("seen", SEEN)
@given(values=scores)
@settings(max_examples=60, deadline=None)
def test_higher_is_never_worse(seen, values: list[float]) -> None:  # type: ignore[no-untyped-def]
    """A higher score never gets a lower number; what nobody could tell is never ranked above what somebody could."""
    column = np.array(values)
    found = seen(column)
    known = ~np.isnan(column)
    rising = found[known][np.argsort(column[known], kind="stable")]
    assert (np.diff(rising) >= 0).all()
    assert np.isfinite(found).all()
    if seen is log_rank and known.any() and not known.all():
        assert found[~known].max() < found[known].min()


@given(values=st.lists(st.integers(-50, 50), min_size=2, max_size=20), factor=st.sampled_from([0.5, 2.0, 8.0]))
@settings(max_examples=60, deadline=None)
def test_scale_does_not_matter(values: list[int], factor: float) -> None:
    """Places are the same on any rising scale; distances on any straight one."""
    column = np.array(values, dtype=np.float64)
    assert np.array_equal(log_rank(column * factor + 3), log_rank(column))
    assert np.allclose(standardised(column * factor + 3), standardised(column), atol=1e-6)


def test_columns_are_each_for_themselves() -> None:
    """A table gives what its columns give alone; a column of one value says nothing by distance."""
    table = np.array([[1.0, 5.0], [2.0, 5.0], [4.0, 5.0]])
    for seen in SEEN:
        assert np.array_equal(seen(table)[:, 0], seen(table[:, 0]))
    assert standardised(table)[:, 1].tolist() == [0.0, 0.0, 0.0]
    assert log_rank(np.array([3.0]))[0] == 1.0
    assert log_rank(np.zeros((0, 2))).shape == (0, 2)


def test_far_out_is_cut() -> None:
    """Nothing lies more than six deviations above or three below, counted in threes."""
    column = np.array([0.0] * 99 + [1e6])
    assert standardised(column).max() == 2.0
    assert standardised(-column).min() == -1.0


def test_masses_are_shares() -> None:
    """Shares sum to 1, closed rows hold none, a common constant moves nothing, and no open row means no share."""
    scores = np.array([2.0, -np.inf, 0.5, 900.0])
    assert masses(scores).sum() == pytest.approx(1.0)
    assert masses(scores)[1] == 0.0
    assert np.allclose(masses(scores[:3]), masses(scores[:3] + 7))
    assert masses(np.array([-np.inf, -np.inf])).tolist() == [0.0, 0.0]


SPACED = st.tuples(
    st.lists(st.floats(-5, 5).map(lambda one: round(one, 2)), min_size=1, max_size=24),
    st.integers(1, 4),
    st.floats(0, 2),
)


def _one_by_one(scores: list[float], sessions: list[int], strength: float) -> list[int]:
    """The order of picks, by looking at every row each time."""
    order: list[int] = []
    while len(order) < len(scores):

        def worth(row: int) -> tuple[float, int]:
            near = sum(1 for pick in order if abs(pick - row) <= 3 and sessions[pick] == sessions[row])
            return scores[row] - strength * min(near, 3), row

        order.append(max((row for row in range(len(scores)) if row not in order), key=worth))
    return order


@given(SPACED)
def test_a_set_is_chosen_pick_by_pick(given_rows) -> None:
    """Spacing: the order is that of picking the best row again and again, each lowering its neighbours of the session."""
    scores, size, strength = given_rows
    sessions = [place // size for place in range(len(scores))]
    strength = round(strength, 3)
    out = spaced(np.array(scores), np.array(sessions), strength)
    order = _one_by_one(scores, sessions, strength)
    assert [out[row] for row in order] == pytest.approx(sorted(out, reverse=True))
    assert (out <= np.array(scores)).all()
    assert out.max() == max(scores)


@given(SPACED)
def test_no_spacing_changes_nothing(given_rows) -> None:
    """Spacing: at strength 0 scores are as they were; a row that does not count neither loses nor lowers."""
    scores, size, _ = given_rows
    values = np.array([*scores, -np.inf])
    sessions = np.arange(len(values)) // size
    assert spaced(values, sessions, 0.0).tolist() == values.tolist()
    assert spaced(values, sessions, 1.0)[-1] == -np.inf
