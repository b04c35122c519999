"""Designs draw what they say, and a fraction keeps apart what its resolution promises."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.bench.sweeps.design import Between, Fractional, Grid, Halving, Random, design_of, settings_of
from arandu_lab.errors import ConfigError

GRID = {"a": [1, 2, 3], "b": [True, False]}


def test_a_grid_is_every_combination_once() -> None:
    """A grid is the product of its values, in their order."""
    assert [tuple(one.values()) for one in settings_of(Grid(), GRID)] == list(product([1, 2, 3], [True, False]))


@given(st.integers(1, 6), st.integers(0, 99))
def test_chance_draws_different_settings_of_the_grid_and_the_same_again(number: int, seed: int) -> None:
    """Random settings are of the grid, all different, as many as asked, and a seed draws the same ones."""
    drawn = settings_of(Random(number), GRID, seed=seed)
    assert len({tuple(one.items()) for one in drawn}) == number
    assert all(one in settings_of(Grid(), GRID) for one in drawn)
    assert drawn == settings_of(Random(number), GRID, seed=seed)


@given(st.integers(0, 99), st.booleans())
def test_ranges_are_kept_to(seed: int, log: bool) -> None:
    """A range gives values between its ends, whole ones where both ends are whole."""
    grid = {"x": Between(0.01, 10.0, log=log), "k": Between(3, 9), "b": [True, False]}
    for one in settings_of(Random(5), grid, seed=seed):
        assert 0.01 <= one["x"] <= 10.0
        assert isinstance(one["k"], int)
        assert 3 <= one["k"] <= 9


@pytest.mark.parametrize("resolution", [3, 4, 5])
@pytest.mark.parametrize("factors", [2, 3, 4, 5, 6, 7])
def test_a_fraction_keeps_apart_what_its_resolution_says(factors: int, resolution: int) -> None:
    """Columns that must be apart are orthogonal and balanced, and there are no more runs than the full factorial."""
    grid: dict[str, Any] = {f"f{place}": [-1, 1] for place in range(factors)}
    runs = settings_of(Fractional(resolution), grid)
    matrix = np.asarray([list(one.values()) for one in runs])
    assert len(runs) <= 2**factors
    assert len({tuple(one) for one in matrix}) == len(runs)
    main = list(matrix.T)
    pairs = [a * b for a, b in combinations(main, 2)]
    apart = list(combinations(main, 2)) + [(one, np.ones(len(runs))) for one in main]
    apart += list(product(main, pairs)) if resolution >= 4 else []
    apart += list(combinations(pairs, 2)) if resolution >= 5 else []
    assert all(a @ b == 0 for a, b in apart)


def test_a_fraction_is_smaller_than_the_whole() -> None:
    """Seven names at two values: 8, 16 and 64 runs in the place of 128."""
    grid: dict[str, Any] = {f"f{place}": [0, 1] for place in range(7)}
    assert [len(settings_of(Fractional(one), grid)) for one in (3, 4, 5)] == [8, 16, 64]


def test_a_halving_asks_more_of_fewer() -> None:
    """Rounds grow to the whole, and the best share goes on."""
    assert Halving().rounds() == (0.25, 0.5, 1.0)
    assert Halving(keep=0.5).survivors(list(range(8))) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: settings_of(Grid(), {}), "a sweep of nothing"),
        (lambda: settings_of(Grid(), {"a": []}), "at least one"),
        (lambda: settings_of(Grid(), {"a": [1, 1]}), "twice"),
        (lambda: settings_of(Grid(), {"a": "xyz"}), "wants a list of values"),
        (lambda: settings_of(Grid(), {"a": Between(0, 1)}), "only a random design draws"),
        (lambda: settings_of(Random(7), GRID), "a grid that has 6"),
        (lambda: settings_of(Random(9), {"a": Between(1, 3)}), "3 found"),
        (lambda: settings_of(Fractional(), GRID), "a has 3 values"),
        (lambda: design_of("gird"), "did you mean 'grid'?"),
        (lambda: design_of({"kind": "random"}), "wants n"),
        (lambda: design_of({"kind": "random", "m": 3}), "takes no 'm'"),
        (lambda: Between(1, 1), "must be the smaller"),
        (lambda: Between(0.0, 1.0, log=True), "above 0"),
        (lambda: Fractional(6), "wants 3, 4 or 5"),
        (lambda: Halving(keep=1.0), "below 1"),
        (lambda: Random(True), "whole number"),
    ],
)
def test_what_cannot_be_meant_is_said(make: Any, said: str) -> None:
    """A wrong design is refused in words that name it."""
    with pytest.raises(ConfigError, match=said):
        make()
