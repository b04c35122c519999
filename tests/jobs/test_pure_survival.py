"""Curves of forgetting: laws of the three families, their inverses, and likelihoods against scipy's distributions (S1)."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from arandu_lab.errors import ConfigError
from arandu_lab.pure.scoring import recency
from arandu_lab.pure.survival import (
    Exponential,
    Power,
    Weibull,
    log_likelihood,
    power,
    power_reaches,
    reaches,
    retention,
)

half_lives = st.floats(0.5, 2000.0)
shapes = st.floats(0.3, 4.0)
days = st.floats(0.0, 3000.0)
curves = st.one_of(
    st.builds(Exponential, half_lives), st.builds(Weibull, half_lives, shapes), st.builds(Power, half_lives, shapes)
)


@given(half_lives, shapes)
def test_one_half_at_the_half_life(half_life, shape) -> None:
    """A Weibull is one half at its half-life whatever its shape (S1), and 1 at first."""
    assert retention(half_life, half_life, shape) == pytest.approx(0.5, abs=1e-12)
    assert retention(0.0, half_life, shape) == 1.0 == retention(-5.0, half_life, shape)


@given(days, half_lives)
def test_shape_one_is_the_decay_of_scoring(age, half_life) -> None:
    """Shape 1 is the exponential decay that every ranking uses."""
    assert retention(age, half_life) == pytest.approx(recency(age, half_life), abs=1e-12)
    assert Exponential(half_life).retention(age) == Weibull(half_life).retention(age)


@given(curves, st.lists(days, min_size=2, max_size=6))
def test_curves_fall(curve, ages) -> None:
    """A curve falls from 1 towards 0, never below, and its logarithm says the same."""
    value = curve.retention(np.array(sorted(ages)))
    assert np.all(np.diff(value) <= 1e-15)
    assert np.all((value >= 0.0) & (value <= 1.0))
    assert curve.retention(0.0) == 1.0
    told = curve.log_retention(np.array(sorted(ages)))
    assert np.allclose(np.exp(told), value, rtol=1e-9, atol=1e-300)


@given(curves, st.floats(0.001, 0.999))
def test_inverse(curve, share) -> None:
    """After the days that a share takes, that share is left."""
    assert curve.retention(curve.reaches(share)) == pytest.approx(share, rel=1e-9)


def test_ends_of_the_inverse() -> None:
    """All is there at first, nothing only after for ever; another share than 0 to 1 is refused."""
    assert reaches(1.0, 30.0, 2.0) == 0.0 == power_reaches(1.0, 30.0, 2.0)
    assert reaches(0.0, 30.0) == math.inf == power_reaches(0.0, 30.0, 2.0)
    for share in (-0.1, 1.1, math.nan):
        with pytest.raises(ConfigError, match="0 to 1"):
            reaches(share, 30.0)
        with pytest.raises(ConfigError, match="0 to 1"):
            power_reaches(share, 30.0, 1.0)


@given(curves, st.floats(1.0, 500.0))
def test_density_is_the_slope(curve, until) -> None:
    """What is lost between two days is the sum of the density between them."""
    start = until / 2
    lost, _ = integrate.quad(lambda day: math.exp(curve.log_density(day)), start, until, limit=200)
    assert lost == pytest.approx(curve.retention(start) - curve.retention(until), abs=1e-6)


@given(half_lives, shapes, st.lists(st.tuples(st.floats(0.01, 900.0), st.booleans()), min_size=1, max_size=10))
def test_likelihoods_are_scipys(half_life, shape, told) -> None:
    """Censored likelihoods of the three families are those of scipy's distributions."""
    gaps, seen = np.array([gap for gap, _ in told]), np.array([mark for _, mark in told])
    scale = half_life / math.log(2.0) ** (1.0 / shape)
    theirs = {
        Exponential(half_life): stats.expon(scale=half_life / math.log(2.0)),
        Weibull(half_life, shape): stats.weibull_min(shape, scale=scale),
        Power(half_life, shape): stats.lomax(shape, scale=half_life),
    }
    for curve, law in theirs.items():
        wanted = float(np.sum(np.where(seen, law.logpdf(gaps), law.logsf(gaps))))
        assert log_likelihood(curve, gaps, seen) == pytest.approx(wanted, rel=1e-7, abs=1e-7)


@given(st.lists(st.tuples(st.floats(0.1, 500.0), st.booleans()), min_size=2, max_size=12), st.floats(0.2, 5.0))
def test_the_best_exponential_is_known(told, factor) -> None:
    """No exponential beats ln 2 times all days over the uses seen."""
    gaps, seen = [gap for gap, _ in told], [True, *(mark for _, mark in told[1:])]
    best = math.log(2.0) * sum(gaps) / sum(seen)
    assert (
        log_likelihood(Exponential(best), gaps, seen) >= log_likelihood(Exponential(best * factor), gaps, seen) - 1e-9
    )


def test_the_true_family_wins() -> None:
    """Gaps of a long tail are likelier under a power curve than under the exponential of the same median."""
    gaps = power_reaches(np.linspace(0.002, 0.998, 500), 20.0, 0.8)
    seen = np.ones(500, dtype=bool)
    middle = float(np.median(gaps))
    assert log_likelihood(Power(20.0, 0.8), gaps, seen) > log_likelihood(Exponential(middle), gaps, seen) + 50.0


def test_refusals_and_values() -> None:
    """Parameters above 0, gaps of 0 or more, one mark a gap; curves are values that compare and pickle."""
    for make in (
        lambda: Weibull(0.0),
        lambda: Weibull(1.0, -1.0),
        lambda: Exponential(math.nan),
        lambda: Power(1.0, 0.0),
    ):
        with pytest.raises(ConfigError, match="above 0"):
            make()
    with pytest.raises(ConfigError, match="negative or no number"):
        log_likelihood(Exponential(1.0), [-1.0], [True])
    with pytest.raises(ConfigError, match="one of each"):
        log_likelihood(Exponential(1.0), [1.0, 2.0], [True])
    assert log_likelihood(Exponential(1.0), [], []) == 0.0
    assert pickle.loads(pickle.dumps(Weibull(3.0, 0.5))) == Weibull(3.0, 0.5)
    assert power(np.array([0.0, 30.0]), 30.0, 1.0).tolist() == [1.0, 0.5]
