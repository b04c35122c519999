"""Claims about what thresholds do to scored pairs."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import precision_recall_curve

from arandu_lab.bench.thresholds.curves import GRID, at_least, calls, dedup, density, some_of

cosines = st.floats(-1, 1).map(lambda one: round(one, 3))
pairs = st.lists(st.tuples(cosines, st.booleans(), st.booleans()), min_size=1, max_size=60)


def test_a_hand_made_table_has_its_precision_recall_and_losses():
    """Four duplicates and four others: every number at three thresholds as counted by hand; words take out one of each."""
    score = [0.95, 0.9, 0.85, 0.6, 0.92, 0.85, 0.7, 0.1]
    same = [True] * 4 + [False] * 4
    at = dedup(score, same, thresholds=[0.6, 0.85, 0.93])
    assert at.flagged.tolist() == [7, 5, 1]
    assert at.found.tolist() == [4, 3, 1]
    assert at.lost.tolist() == [3, 2, 0]
    assert at.precision.tolist() == pytest.approx([4 / 7, 3 / 5, 1])
    assert at.recall.tolist() == [1, 0.75, 0.25]
    assert at.lost_share.tolist() == [0.75, 0.5, 0]
    refused = [False, True, False, False, True, False, False, False]
    checked = dedup(score, same, refused, thresholds=[0.85])
    assert (checked.found[0], checked.lost[0], checked.duplicates, checked.others) == (2, 1, 4, 4)


def test_nothing_merged_has_no_precision():
    """Precision of no merge is nan, neither 0 nor 1."""
    at = dedup([0.5], [True], thresholds=[0.6])
    assert np.isnan(at.precision[0])
    assert at.recall[0] == 0
    assert np.isnan(at.lost_share[0])


@given(pairs)
def test_lost_and_found_never_grow_with_the_threshold(made):
    """Flagged, found and lost fall as the threshold rises, and word checks only ever take away."""
    score, same, refused = (np.array(column) for column in zip(*made, strict=True))
    alone, checked = dedup(score, same), dedup(score, same, refused)
    for at in (alone, checked):
        for counts in (at.flagged, at.found, at.lost):
            assert (np.diff(counts) <= 0).all()
    assert (checked.found <= alone.found).all()
    assert (checked.lost <= alone.lost).all()


@given(pairs)
def test_precision_and_recall_are_those_of_sklearn(made):
    """At every score that occurs, precision and recall equal those of ``precision_recall_curve``."""
    score, same, _ = (np.array(column) for column in zip(*made, strict=True))
    if not same.any():
        return
    precision, recall, thresholds = precision_recall_curve(same, score)
    at = dedup(score, same, thresholds=thresholds)
    assert at.precision.tolist() == pytest.approx(precision[:-1].tolist())
    assert at.recall.tolist() == pytest.approx(recall[:-1].tolist())


@given(st.integers(0, 12), st.integers(1, 12), st.data())
def test_some_of_is_the_chance_by_enumeration(hits, stored, data):
    """The chance that a draw holds a hit is that of all subsets counted one by one."""
    hits = min(hits, stored)
    drawn = data.draw(st.integers(1, min(stored, 4)))
    every = list(combinations(range(stored), drawn))
    expected = sum(any(one < hits for one in some) for some in every) / len(every)
    assert float(some_of([hits], stored, drawn)[0]) == pytest.approx(expected)


@given(st.lists(st.lists(cosines, min_size=8, max_size=12), min_size=1, max_size=6))
def test_calls_fall_with_the_gate_and_rise_with_the_store(met):
    """Model calls never grow with the gate and never shrink with the number of stored facts."""
    costs = [calls(met, drawn) for drawn in (1, 2, 5, 8)]
    for one in costs:
        assert one is not None
        assert (np.diff(one) <= 1e-12).all()
    for few, many in pairwise(costs):
        assert (many >= few - 1e-12).all()


def test_stores_smaller_than_asked_are_not_guessed():
    """No store of 20 is made of 8 facts: None, not a number."""
    assert calls([[0.5] * 8], 20) is None
    with pytest.raises(ValueError, match="20 drawn of 8"):
        some_of([1], 8, 20)


def test_the_threshold_itself_counts():
    """A score at the threshold is at it or above, as the memory compares; the grid holds .5 and .85 exactly."""
    assert at_least([0.85], [0.85]).tolist() == [1]
    assert {0.5, 0.85} <= set(GRID.tolist())


def test_a_density_holds_one():
    """A smooth histogram has area 1."""
    places = np.arange(-1, 2, 0.001)
    assert density([0.2, 0.5, 0.55], places).sum() * 0.001 == pytest.approx(1, abs=1e-6)
