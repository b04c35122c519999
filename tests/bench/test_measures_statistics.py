"""Intervals resample conversations, and say so when there is nothing to resample."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.bench.statistics import compare, interval, pairs
from arandu_lab.errors import ConfigError

cases = st.lists(st.tuples(st.floats(0, 1), st.sampled_from("abcd")), min_size=1, max_size=30)


def frame(values: dict[tuple[str, str], float | None], dataset: str = "d") -> pl.DataFrame:
    return pl.DataFrame(
        [
            {"dataset": dataset, "conversation": c, "question": q, "category": "x", "measure": "R@10", "value": value}
            for (c, q), value in values.items()
        ],
        schema_overrides={"value": pl.Float64},
    )


@given(cases)
def test_the_interval_holds_the_mean(given_cases):
    """The mean is over questions and lies in its interval; drawn, the interval lies in the range of the cluster means."""
    values, clusters = [value for value, _ in given_cases], [cluster for _, cluster in given_cases]
    found, student = interval(values, clusters, method="bootstrap", draws=500), interval(values, clusters)
    assert found.mean == student.mean
    assert found.mean == pytest.approx(np.mean(values))
    assert (found.n, found.clusters) == (len(values), len(set(clusters)))
    means = [np.mean([v for v, c in given_cases if c == name]) for name in set(clusters)]
    if found.clusters == 1:
        assert found.low is None
        assert found.high is None
        assert student == found
    else:
        assert min(means) - 1e-9 <= found.low <= found.high <= max(means) + 1e-9
        assert student.low <= student.mean <= student.high


@given(cases, st.randoms(use_true_random=False))
def test_the_order_of_rows_never_shows(given_cases, chance):
    """O1: shuffled rows and the same seed give the same interval, to the last bit."""
    shuffled = list(given_cases)
    chance.shuffle(shuffled)
    for method in ("t", "bootstrap"):
        one, other = (
            interval([v for v, _ in rows], [c for _, c in rows], method=method, draws=200)
            for rows in (given_cases, shuffled)
        )
        assert one == other


def test_questions_of_one_conversation_are_not_independent():
    """When conversations differ and their questions agree, the honest interval is far wider than the question-wise."""
    values = [float(c % 2) for c in range(10) for _ in range(100)]
    honest = interval(values, [str(c) for c in range(10) for _ in range(100)])
    naive = interval(values, [str(i) for i in range(1000)])
    assert honest.high - honest.low > 5 * (naive.high - naive.low)


def test_a_paired_difference_is_known_by_hand():
    """Wins, ties, losses, clusters and the exact sign flip of two conversations."""
    before = frame({("a", "1"): 0.0, ("a", "2"): 0.5, ("b", "1"): 0.0, ("b", "2"): 1.0})
    after = frame({("a", "1"): 1.0, ("a", "2"): 0.5, ("b", "1"): 1.0, ("b", "2"): 0.5})
    found = compare(before, after, "R@10")
    assert found.interval.mean == pytest.approx(0.375)
    assert (found.wins, found.ties, found.losses, found.clusters_up) == (2, 1, 1, 2)
    assert found.sign_flip == 0.5


def test_four_conversations_cannot_say_less_than_an_eighth():
    """Even a difference seen in every one of four conversations has p = .125."""
    names = [(c, "1") for c in "abcd"]
    assert compare(frame(dict.fromkeys(names, 0.0)), frame(dict.fromkeys(names, 1.0)), "R@10").sign_flip == 0.125


def test_a_null_on_one_side_is_left_out_and_counted():
    """R3: a question that failed on one side is not a loss; it is counted as unpaired."""
    before = frame({("a", "1"): 0.0, ("a", "2"): 0.5, ("b", "1"): None})
    after = frame({("a", "1"): 1.0, ("a", "2"): None, ("b", "1"): None, ("c", "1"): 1.0})
    found = compare(before, after, "R@10")
    assert (found.interval.n, found.unpaired) == (1, 2)
    assert pairs(before, after, "R@10")["difference"].to_list() == [1.0, None, None, None]


def test_comparisons_that_mean_nothing_are_refused():
    """Other datasets, absent measures, several systems in one frame, nothing in common, no values."""
    one, none = frame({("a", "1"): 1.0}), frame({("a", "1"): None})
    for before, after, measure in (
        (one, frame({("a", "1"): 1.0}, dataset="e"), "R@10"),
        (one, one, "R@5"),
        (one, pl.concat([one, one]), "R@10"),
        (one, none, "R@10"),
    ):
        with pytest.raises(ConfigError):
            compare(before, after, measure)
    for values, clusters in (([], []), ([1.0], []), ([float("nan")], ["a"])):
        with pytest.raises(ConfigError):
            interval(values, clusters)
