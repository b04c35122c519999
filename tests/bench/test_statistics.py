"""Families of comparisons, what clustering costs, what a run can see, and what may be said of a difference."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from arandu_lab.bench.statistics import (
    compare,
    design_effect,
    detectable,
    detectable_of,
    holm,
    interval,
    student,
    verdict,
)
from arandu_lab.bench.statistics.intervals import half_width
from arandu_lab.errors import ConfigError

shares = st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=8)


def frame(values: list[tuple[str, float | None]], system: str = "") -> pl.DataFrame:
    """A frame of ``score`` from (conversation, value); questions are numbered."""
    rows = [
        {"dataset": "d", "conversation": c, "question": str(q), "category": "x", "measure": "R@10", "value": value}
        for q, (c, value) in enumerate(values)
    ]
    return pl.DataFrame(rows, schema_overrides={"value": pl.Float64})


def both(differences: list[tuple[str, float | None]]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Two frames that differ so."""
    return frame([(c, None if d is None else 0.0) for c, d in differences]), frame(differences)


@given(shares, st.floats(0, 1))
def test_holm_is_the_closed_procedure(values: list[float | None], alpha: float) -> None:
    """Holm's adjusted p is at most alpha exactly where every set of hypotheses that holds this one is rejected by Bonferroni."""
    adjusted = holm(values)
    told = [place for place, p in enumerate(values) if p is not None]
    assert [place for place, p in enumerate(adjusted) if p is not None] == told
    for place in told:
        sets = [s for s in product([0, 1], repeat=len(told)) if s[told.index(place)]]
        bonferroni = max(min(1.0, sum(s) * min(values[told[i]] for i, one in enumerate(s) if one)) for s in sets)
        assert adjusted[place] == pytest.approx(bonferroni)
        assert (adjusted[place] <= alpha) == (bonferroni <= alpha) or abs(bonferroni - alpha) < 1e-12


@given(shares)
def test_holm_keeps_the_order_and_never_flatters(values: list[float | None]) -> None:
    """An adjusted p is at least its p, at most 1, and in the same order; one comparison alone is left as it is."""
    told = sorted((p, a) for p, a in zip(values, holm(values), strict=True) if p is not None)
    assert all(p <= a <= 1 for p, a in told)
    assert [a for _, a in told] == sorted(a for _, a in told)
    assert len(told) != 1 or told[0][0] == told[0][1]


def test_a_p_that_is_none_is_refused() -> None:
    """Holm of numbers outside 0 to 1 is refused."""
    for wrong in ([1.5], [-0.1, 0.2]):
        with pytest.raises(ConfigError, match="0 to 1"):
            holm(wrong)


@given(st.lists(st.integers(-3, 3), min_size=2, max_size=7))
def test_the_sign_flip_is_exact(sums: list[int]) -> None:
    """The p of the sign flip is the share of all sign patterns whose total lies at least as far from 0, counted one by one."""
    found = compare(*both([(f"c{i}", one / 3) for i, one in enumerate(sums)]), "R@10").sign_flip
    totals = [
        abs(sum(s * one for s, one in zip(signs, sums, strict=True))) for signs in product([1, -1], repeat=len(sums))
    ]
    exact = Fraction(sum(one >= abs(sum(sums)) for one in totals), len(totals))
    assert found == pytest.approx(float(exact))


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=30))
def test_questions_of_their_own_conversations_have_no_design_effect(values: list[float]) -> None:
    """One question a conversation: the design effect is 1, and interval and p are those of Student's test in scipy."""
    from scipy.stats import ttest_1samp

    assume(np.std(values) > 1e-3)
    names = [str(i) for i in range(len(values))]
    assert design_effect(values, names).effect == pytest.approx(1.0)
    known = ttest_1samp(values, 0.0)
    found = compare(*both(list(zip(names, values, strict=True))), "R@10")
    assert found.p == pytest.approx(known.pvalue, abs=1e-9)
    one, other = interval(values, names), known.confidence_interval()
    assert (one.low, one.high) == pytest.approx((other.low, other.high))


@given(st.integers(2, 8), st.integers(2, 20))
def test_alike_questions_cost_their_number(clusters: int, size: int) -> None:
    """Where all questions of a conversation agree, the correlation is 1 and so many questions say as much as one."""
    values = [float(c % 2) for c in range(clusters) for _ in range(size)]
    found = design_effect(values, [str(c) for c in range(clusters) for _ in range(size)])
    n, k = clusters * size, clusters
    assert found.correlation == pytest.approx(1.0)
    assert found.effect == pytest.approx(size * (n - 1) / n * k / (k - 1))


def test_independent_questions_cost_little() -> None:
    """Questions that know nothing of their conversation: effect near 1, correlation near 0."""
    values = np.random.default_rng(3).normal(size=4000)
    found = design_effect(values, [str(i % 100) for i in range(4000)])
    assert found.effect == pytest.approx(1.0, abs=0.3)
    assert found.correlation == pytest.approx(0.0, abs=0.02)
    assert design_effect([1.0, 0.0], ["a", "a"]).effect is None


def test_the_interval_covers_what_it_says() -> None:
    """With four conversations of unequal size the default holds the truth over nine times in ten; drawing holds it eight."""
    chance = np.random.default_rng(5)
    held = {"t": 0, "bootstrap": 0}
    for _ in range(250):
        values, names = [], []
        for conversation, size in enumerate((20, 40, 60, 80)):
            values += list(chance.normal(0, 0.3) + chance.normal(0, 1, size))
            names += [str(conversation)] * size
        for method in held:
            found = interval(values, names, method=method, draws=200)
            held[method] += found.low <= 0.0 <= found.high
    assert held["t"] >= 0.90 * 250
    assert held["bootstrap"] <= 0.85 * 250


@pytest.mark.parametrize("sizes", [(87, 87), (60, 90), (87, 87, 87), (20, 60, 120), (60, 60, 60, 60), (20, 40, 60, 80)])
@pytest.mark.parametrize("rate", [0.01, 0.02, 0.05])
def test_rare_differences_by_luck_are_no_verdict(sizes: tuple[int, ...], rate: float) -> None:
    """Questions that move either way by a coin, few of them: at most five in a hundred such comparisons exclude 0."""
    chance, rounds = np.random.default_rng(3), 1500
    counts = np.array(sizes, dtype=float)
    alarms = 0
    for _ in range(rounds):
        changed = chance.binomial(sizes, rate)
        sums = 2.0 * chance.binomial(changed, 0.5) - changed
        total, mean = counts.sum(), sums.sum() / counts.sum()
        single = (changed.sum() - total * mean**2) / (total - 1)
        alarms += abs(mean) > half_width(sums, counts, single) + 1e-15
    assert alarms <= 0.05 * rounds


@given(st.lists(st.tuples(st.sampled_from([-1.0, 0.0, 1.0]), st.sampled_from("abcd")), min_size=2, max_size=40))
def test_sharing_a_conversation_only_costs(rows: list[tuple[float, str]]) -> None:
    """Interval and p over conversations claim no more than over as many unrelated questions; the interval ends at 0 where p says."""
    values, names = [value for value, _ in rows], [name for _, name in rows]
    assume(len(set(names)) > 1)
    alone = [str(place) for place in range(len(rows))]
    found, free = interval(values, names), interval(values, alone)
    assert found.high - found.low >= (free.high - free.low) * (1 - 1e-9)
    p = student(values, names)
    assert p >= student(values, alone) - 1e-12
    assert (found.high > found.low) == (len(set(values)) > 1)
    if 1e-9 < p < 1 - 1e-9:
        edge = interval(values, names, level=1 - p)
        assert min(abs(edge.low), abs(edge.high)) == pytest.approx(0.0, abs=1e-6)


def test_one_win_in_each_of_two_conversations_is_no_verdict() -> None:
    """Two questions of 174, one in each conversation: not distinguishable; all questions alike are told as that and no more."""
    up = compare(*both([(c, float(q == 0)) for c in "ab" for q in range(87)]), "R@10")
    assert up.p > 0.1
    assert verdict(up).startswith("not distinguishable: the interval [-")
    alike = compare(*both([("a", 0.25), ("b", 0.25), ("b", 0.25)]), "R@10")
    assert verdict(alike) == "higher by 25.0 points on each of the 3 questions"


@settings(max_examples=20)
@given(st.integers(2, 40), st.floats(0.01, 0.3), st.floats(0.5, 0.95))
def test_what_can_be_seen_is_found_so_often(units: int, error: float, power: float) -> None:
    """A true effect of the size that ``detectable_of`` gives is found by the t test with that power (noncentral t of scipy)."""
    from scipy.stats import nct, t

    effect = detectable_of(error, units, power=power)
    cut, shift = t.ppf(0.975, units - 1), effect / error
    known = nct.sf(cut, units - 1, shift)
    assume(not np.isnan(known))
    assert known == pytest.approx(power, abs=0.005)


def test_more_conversations_see_smaller_effects() -> None:
    """The least effect falls with the number of conversations, rises with power, and is wide with two."""
    differences = [(f"c{i % 4}", (i % 3 - 1) / 2 + (i % 4) / 20) for i in range(80)]
    least = [detectable(*both(differences), "R@10", units=units).effect for units in (2, 4, 10, 50)]
    assert least == sorted(least, reverse=True)
    assert least[0] > 3 * least[1]
    assert detectable(*both(differences), "R@10", power=0.9).effect > least[1]


def test_a_pilot_of_one_conversation_speaks_of_questions() -> None:
    """With one conversation the least effect is one of its questions, and says so; without any difference there is none."""
    found = detectable(*both([("c", (i % 3 - 1) / 2) for i in range(30)]), "R@10")
    assert (found.unit, found.units) == ("question", 30)
    assert "nothing is learned of others" in str(found)
    for same in ([("a", 0.0), ("b", 0.0)], [("a", 0.5)]):
        none = detectable(*both(same), "R@10")
        assert none.effect is None
        assert "cannot be told" in str(none)
    with pytest.raises(ConfigError):
        detectable(*both([("a", None)]), "R@10")
    with pytest.raises(ConfigError):
        detectable_of(0.1, 1)


def test_a_verdict_says_what_may_be_said() -> None:
    """Better and worse only with an interval without 0; else what could not be seen; with a family, only by Holm."""
    up = compare(*both([(f"c{i}", 0.2 + i / 100) for i in range(6)]), "R@10")
    assert verdict(up).startswith("better by 22.5 points [")
    assert "no wonder (Holm p = 0.30)" in verdict(up, p=0.3)
    down = compare(*both([(f"c{i}", -0.2 - i / 100) for i in range(6)]), "R@10")
    assert verdict(down).startswith("worse by 22.5 points [")
    mixed = both([("a", 0.5), ("b", -0.5), ("c", 0.25), ("d", 0.0)])
    told = verdict(compare(*mixed, "R@10"), least=detectable(*mixed, "R@10"))
    assert told.startswith("not distinguishable: the interval [-")
    assert "points cannot be seen with 4 conversations" in told
    assert verdict(compare(*both([("a", 0.0), ("b", 0.0)]), "R@10")) == "no difference: the same on all 2 questions"
    assert "of others nothing is known" in verdict(compare(*both([("a", 0.1), ("a", 0.3)]), "R@10"))
