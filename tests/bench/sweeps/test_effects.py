"""Effects are those that were planted, and what cannot be told apart is named."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.bench.sweeps.design import Fractional, Grid, settings_of
from arandu_lab.bench.sweeps.effects import effects
from arandu_lab.errors import ConfigError

CLUSTERS = ["c1"] * 3 + ["c2"] * 3 + ["c3"] * 3
SMALL = st.floats(-0.2, 0.2, allow_nan=False)


def measured(settings: list[dict[str, Any]], value: Any) -> Any:
    """A value for each of nine questions (with a level of its own) under each setting."""
    level = np.linspace(0.3, 0.6, 9)[:, None]
    return level + np.asarray([value(one) for one in settings])[None, :]


@given(SMALL, SMALL, SMALL)
def test_planted_effects_are_found_again(a: float, b: float, both: float) -> None:
    """Two main effects and what the two do together come out as planted, counted from the default."""
    settings = settings_of(Grid(), {"x": [0, 1, 2], "y": [False, True]})

    def value(one: dict[str, Any]) -> float:
        return a * (one["x"] == 2) + b * one["y"] + both * (one["x"] == 2 and one["y"])

    found = effects(settings, measured(settings, value), CLUSTERS, default={"x": 0, "y": False})
    told = dict(zip(found["effect"], found["estimate"], strict=True))
    assert told["x: 0 → 2"] == pytest.approx(a + both / 2, abs=1e-9)
    assert told["x: 0 → 1"] == pytest.approx(0.0, abs=1e-9)
    assert told["y: off → on"] == pytest.approx(b + both / 3, abs=1e-9)
    assert told["x: 0 → 2 × y: off → on"] == pytest.approx(both, abs=1e-9)
    assert found["mixed_with"].is_null().all()


def test_many_numbers_are_a_line() -> None:
    """A name drawn from a range has one effect: from its lowest to its highest value."""
    settings = [{"x": one / 10} for one in range(11)]
    found = effects(settings, measured(settings, lambda one: 0.2 * one["x"]), CLUSTERS)
    assert found["effect"].to_list() == ["x: 0 → 1"]
    assert found["estimate"][0] == pytest.approx(0.2)


def test_what_cannot_be_told_apart_is_said() -> None:
    """In a fraction of resolution 3 a main effect carries an interaction: the figure is of both, and says with what."""
    settings = settings_of(Fractional(3), {"a": [0, 1], "b": [0, 1], "c": [0, 1]})
    assert len(settings) == 4
    found = effects(settings, measured(settings, lambda one: 0.1 * (one["a"] == one["b"])), CLUSTERS)
    row = found.row(0, named=True)
    assert row["effect"].startswith("c: ")
    assert row["mixed_with"] in ("a × b", "the opposite of a × b")
    assert abs(row["estimate"]) == pytest.approx(0.1)
    told = found["mixed_with"].to_list()
    assert sorted(one.removeprefix("the opposite of ") for one in told) == ["a × b", "a × c", "b × c"]


def test_intervals_are_over_conversations_and_verdicts_in_words() -> None:
    """An effect that every conversation shows is up; one that they dispute is not distinguishable; one conversation has none."""
    settings = settings_of(Grid(), {"x": [0, 1]})
    values = measured(settings, lambda one: 0.0)
    sure, torn = values.copy(), values.copy()
    sure[:, 1] += [0.10, 0.10, 0.10, 0.11, 0.11, 0.11, 0.09, 0.09, 0.09]
    torn[:, 1] += [0.3] * 3 + [-0.2] * 3 + [0.1] * 3
    assert effects(settings, sure, CLUSTERS)["verdict"].to_list() == ["up"]
    assert effects(settings, torn, CLUSTERS)["verdict"].to_list() == ["not distinguishable from none"]
    alone = effects(settings, sure, ["c1"] * 9)
    assert alone["low"].to_list() == [None]
    assert alone["verdict"].to_list() == ["no interval: one conversation"]


@given(
    st.lists(st.lists(st.floats(0.0, 1.0), min_size=2, max_size=2), min_size=9, max_size=9),
    st.sampled_from([("x", 3), ("y", 2)]),
)
def test_what_no_answer_shows_is_nothing_to_the_last_bit(levels: list[list[float]], still: tuple[str, int]) -> None:
    """A name that changes no answer has effects of exactly 0 and interactions of exactly 0, whatever the others do; none is up."""
    grid = {"x": [0, 1, 2], "y": [False, True], "z": ["a", "b"]}
    settings = settings_of(Grid(), {still[0]: grid[still[0]], "z": ["a", "b"]})
    values = np.asarray([[one[setting["z"] == "b"] for setting in settings] for one in levels])
    found = effects(settings, values, CLUSTERS).filter(pl.col("effect").str.contains(rf"\b{still[0]}\b"))
    assert found.height == 2 * (still[1] - 1)
    assert set(found["verdict"]) == {"the same answers"}
    assert found.select("estimate", "low", "high").rows() == [(0.0, 0.0, 0.0)] * found.height


def test_gains_and_losses_that_cancel_are_no_direction() -> None:
    """Where each conversation gains as much as it loses, what rounding leaves of the mean is not up."""
    settings = settings_of(Grid(), {"x": [0, 1]})
    values = measured(settings, lambda one: 0.0)
    values[:, 1] += [0.1, 0.2, -0.3] * 3
    assert effects(settings, values, CLUSTERS)["verdict"].to_list() == ["not distinguishable from none"]


@pytest.mark.parametrize("falls", [False, True])
def test_the_word_reckons_with_all_effects_of_the_measure(falls: bool) -> None:
    """One effect in a hundred that is up by luck is not called up; alone it is; the interval is the same both times."""
    rng = np.random.default_rng(3)
    one = settings_of(Grid(), {"x": [0, 1]})
    values = measured(one, lambda setting: 0.0)
    values[:, 1] += np.repeat([0.10, 0.11, 0.15], 3)
    alone = effects(one, values, CLUSTERS, falls=falls)
    assert alone["verdict"].to_list() == ["up, which is worse" if falls else "up"]
    many = [{"x": place} for place in ("a", "b", "c", "d", "e", "f", "g", "h", "i", "j")]
    more = np.column_stack([values, values[:, [0]] + rng.normal(0, 0.1, (9, 8))])
    found = effects(many, more, CLUSTERS, falls=falls).filter(pl.col("effect") == "x: a → b")
    assert found["verdict"].to_list() == ["not distinguishable among so many"]
    assert found.select("low", "high").row(0) == pytest.approx(alone.select("low", "high").row(0))


def test_a_null_leaves_its_question_out() -> None:
    """A question without a value under some setting counts for none: a null is never a zero."""
    settings = settings_of(Grid(), {"x": [0, 1]})
    values = measured(settings, lambda one: 0.1 * one["x"])
    values[4, 1] = np.nan
    found = effects(settings, values, CLUSTERS)
    assert found["questions"].to_list() == [8]
    assert found["estimate"][0] == pytest.approx(0.1)
    with pytest.raises(ConfigError, match="no question has a value"):
        effects(settings, np.full((9, 2), np.nan), CLUSTERS)


def test_more_terms_than_settings_are_mixed_in_words() -> None:
    """Where there are fewer settings than effects, each figure says what else it is of, and the list stays short."""
    settings: list[dict[str, Any]] = [
        {"a": a, "b": b, "c": c, "d": d} for a, b, c, d in ((0, 0, 1, 0), (1, 0, 0, 1), (0, 1, 0, 1))
    ]
    found = effects(settings, measured(settings, lambda one: 0.1 * one["a"]), CLUSTERS)
    assert found.height == 2
    assert all("more" in one for one in found["mixed_with"])
