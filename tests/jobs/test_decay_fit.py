"""Curves of decay: what was put in comes out, intervals hold it, and calibration says what is off."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arandu_lab import ConfigError
from arandu_lab.bench.decay import Decay, fit_decay, gaps, synthetic_log
from arandu_lab.bench.decay.calibration import auc, wilson
from arandu_lab.bench.decay.comparing import parameters
from arandu_lab.bench.decay.curves import FAMILIES, family
from arandu_lab.bench.decay.fit import observed
from arandu_lab.bench.decay.fitting import fitted, sample_of
from arandu_lab.bench.decay.moments import moments
from arandu_lab.viz.decay import decay_picture

KNOWN = {
    "exponential": {"half_life": 60.0},
    "weibull": {"half_life": 60.0, "shape": 0.6},
    "power": {"scale": 40.0, "exponent": 1.0},
}


@pytest.fixture(scope="module")
def found() -> Decay:
    """What is found of facts that fade by a power curve."""
    return fit_decay(synthetic_log("power", {"scale": 30.0, "exponent": 0.5}, agents=12, facts=25, seed=5))


def sampled(log: pl.DataFrame, apart: float = 1.0) -> Any:
    return sample_of(gaps(log, apart=apart), apart=apart)


@pytest.mark.parametrize("name", FAMILIES)
def test_known_parameters_come_back(name: str) -> None:
    """From a log of very many facts each curve's parameters come back within a tenth, short gaps left out or not."""
    log = synthetic_log(name, KNOWN[name], agents=60, facts=60, seed=1)
    for apart in (0.0, 5.0):
        one = fitted(family(name), replace(sampled(log, apart), groups=1))
        assert one.values.tolist() == pytest.approx(list(KNOWN[name].values()), rel=0.1)


def test_intervals_hold_what_they_say() -> None:
    """Of 40 logs whose curve is known, intervals that say 95 % hold the half-life in most: 34 or more, and not by being endless."""
    held, wide = 0, []
    for seed in range(40):
        sample = sampled(synthetic_log("exponential", {"half_life": 60.0}, agents=8, facts=12, seed=seed))
        row = parameters([fitted(family("exponential"), sample)], sample).row(0, named=True)
        held += row["low"] <= 60.0 <= row["high"]
        wide.append(row["high"] / row["low"])
    assert held >= 34  # the chance of fewer, at 95 %, is below one in a thousand
    assert np.median(wide) < 1.6


@pytest.mark.parametrize("name", FAMILIES)
def test_nothing_near_is_likelier(name: str) -> None:
    """A step of a hundredth to either side of a fitted value makes the gaps less likely, with every group left out too."""
    sample = sampled(synthetic_log("power", KNOWN["power"], agents=4, facts=30, seed=2))
    one = fitted(family(name), sample)
    for values, rest in [(one.values, sample), *((one.left_out[place], sample.without(place)) for place in range(4))]:
        best = family(name).log_likelihoods(values, rest.days, rest.seen, 1.0).sum()
        for place in range(len(values)):
            for step in (0.99, 1.01):
                near = values.copy()
                near[place] *= step
                assert family(name).log_likelihoods(near, rest.days, rest.seen, 1.0).sum() < best


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(sorted(FAMILIES)),
    st.floats(0.5, 400.0),
    st.floats(0.2, 5.0),
    st.floats(0.0, 500.0),
    st.floats(0.0, 500.0),
)
def test_waiting_in_two_steps(name: str, first: float, second: float, rested: float, more: float) -> None:
    """Not being used for a while and then another while is not being used for both; the half is where half are left."""
    one = family(name)
    values = np.array([first, second][: len(one.parameters)])
    both = 1.0 - float(one.within(values, 0.0, rested + more))
    steps = (1.0 - float(one.within(values, 0.0, rested))) * (1.0 - float(one.within(values, rested, more)))
    assert both == pytest.approx(steps, abs=1e-9)
    assert float(one.within(values, 0.0, one.half(values))) == pytest.approx(0.5, abs=1e-6)


def test_draws_follow_their_curve() -> None:
    """Half of the drawn gaps are shorter than the half-life, for every curve."""
    uniform = (np.arange(2_000) + 0.5) / 2_000
    for name, one in FAMILIES.items():
        values = one.values(KNOWN[name])
        assert (one.draw(values, uniform) <= one.half(values)).mean() == pytest.approx(0.5, abs=1e-3)


def test_the_right_curve_wins(found: Decay) -> None:
    """Facts that fade by a power curve: it tells most of held-out gaps, and what is far from it is said to be worse."""
    assert found.best == "power"
    exponential = found.comparison.row(by_predicate=pl.col("curve") == "exponential", named=True)
    assert exponential["low"] > 0
    assert exponential["behind"] > 10
    assert any("better than exponential" in one for one in found.found)
    shape = found.parameters.row(by_predicate=pl.col("parameter") == "shape", named=True)
    assert shape["high"] < 1


def test_alike_is_said_in_words() -> None:
    """Where facts do not age, the shape is not shown to matter, and no curve is called the better one by much."""
    found = fit_decay(synthetic_log(agents=8, facts=15, seed=4))
    assert any("cannot be told" in one for one in found.found)
    assert found.comparison["worse"].drop_nulls().max() < 0.01  # type: ignore[operator]


def test_nothing_seen_of_others() -> None:
    """With a single unit there is no interval, and the sentence says that of others nothing is known."""
    log = synthetic_log(agents=1, facts=40, seed=4)
    found = fit_decay(log, over="agent")
    assert found.parameters["low"].is_null().all()
    assert any("nothing is known" in one for one in found.found)


def test_observed_steps_lie_on_the_curve() -> None:
    """The share observed without a curve is the true share of what rests longer than a sitting, in spite of censoring."""
    sample = sampled(synthetic_log("weibull", KNOWN["weibull"], agents=40, facts=60, seed=8))
    steps = observed(sample)
    values = family("weibull").values(KNOWN["weibull"])
    true = np.exp(
        family("weibull").log_rest(values, steps["days"].to_numpy()) - family("weibull").log_rest(values, 1.0)
    )
    assert np.abs(steps["share"].to_numpy() - true).max() < 0.04


def test_moments_by_hand() -> None:
    """At each moment: days since the last use, whether one comes within the horizon, and what vitality is made of."""
    log = synthetic_log("weibull", agents=2, facts=6, strangers=2, seed=3)
    rows = moments(log, horizon=60.0)
    for row in rows.iter_rows(named=True):
        mine = log.filter(agent=row["agent"], fact_id=row["fact_id"])
        before, needed = mine.filter(pl.col("at") <= row["at"]), mine.filter(pl.col("kind") != "retrieved")
        ahead = ((needed["at"] - row["at"]).dt.total_seconds() / 86_400).filter(needed["at"] > row["at"])
        assert row["reused"] == bool((ahead <= 60.0).any())
        last = before.filter(pl.col("kind") != "retrieved")["at"].max()
        assert row["rested"] == pytest.approx((row["at"] - last).total_seconds() / 86_400, abs=1e-6)
        shown = before.filter(kind="retrieved")
        assert row["retrieved"] == len(shown)
        known = max(before["at"].filter(before["kind"] != "asked").to_list())
        assert row["known"] == pytest.approx((row["at"] - known).total_seconds() / 86_400, abs=1e-6)


def test_true_chances_are_calibrated(found: Decay) -> None:
    """Held out, the true family of curves is off by little; a vitality that is taken for a chance is far off."""
    off = dict(found.scores.select("predictor", "error").iter_rows())
    assert off["power"] < 0.05 < off["exponential"]
    assert off["vitality"] > 0.05
    guess = found.scores.row(by_predicate=pl.col("predictor") == "plain share", named=True)
    assert guess["auc"] == 0.5


def test_bins_hold_every_moment(found: Decay) -> None:
    """Each predictor's bins hold all moments once, rise in what is predicted, and lie within their intervals."""
    for _, mine in found.bins.group_by("predictor"):
        assert mine["n"].sum() == found.bins.filter(predictor="power")["n"].sum()
        assert mine.sort("bin")["predicted"].is_sorted()
        assert ((mine["low"] <= mine["observed"] + 1e-12) & (mine["observed"] <= mine["high"] + 1e-12)).all()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.booleans(), st.integers(0, 2)), min_size=2, max_size=30))
def test_auc_counts_pairs(rows: list[tuple[int, bool, int]]) -> None:
    """AUC is the share of pairs of one group, one that happened and one that did not, in the right order; ties half."""
    chances, happened, group = (np.array(column) for column in zip(*rows, strict=True))
    pairs = [
        (1.0 if a > b else 0.5 if a == b else 0.0)
        for a, did, g in rows
        for b, did_not, h in rows
        if did and not did_not and g == h
    ]
    found = auc(chances.astype(float), happened.astype(bool), group)
    assert found is None if not pairs else found == pytest.approx(np.mean(pairs))


def test_wilson_is_scipys() -> None:
    """The interval of a share is scipy's."""
    from scipy.stats import binomtest

    for ups, n in ((0, 12), (5, 20), (30, 30)):
        other = binomtest(ups, n).proportion_ci(method="wilson")
        assert wilson(ups / n, n) == pytest.approx((other.low, other.high))


def test_refusals() -> None:
    """A fit of nothing says what is missing."""
    log = synthetic_log("power", {"scale": 1e6, "exponent": 0.1}, agents=2, facts=4, days=50.0)
    with pytest.raises(ConfigError, match="no fact was ever used again"):
        fit_decay(log)
    with pytest.raises(ConfigError, match="did you mean 'power'"):
        fit_decay(log, curves=("powr",))
    with pytest.raises(ConfigError, match="take a shorter horizon"):
        fit_decay(synthetic_log(agents=3, facts=10, days=60.0, seed=1))
    with pytest.raises(ConfigError, match="wants 'agent' or 'subject'"):
        fit_decay(synthetic_log(agents=3, facts=10), over="fact")


def test_report_and_picture(found: Decay, tmp_path: Any) -> None:
    """Lines fit a terminal, the picture holds every curve and the scores, and what is kept can be read again."""
    assert max(len(line) for line in str(found).splitlines()) <= 140
    spec = decay_picture(found).to_dict()
    drawn = [row for rows in spec["datasets"].values() for row in rows]
    assert {"exponential", "weibull", "power"} <= {row.get("name") for row in drawn}
    assert {"power", "vitality", "recency"} <= {row.get("predictor") for row in drawn}
    kept = found.keep(tmp_path / "decay")
    assert {"report.md", "decay.svg", "decay.png"} <= {path.name for path in kept.iterdir()}
    assert pl.read_parquet(kept / "bins.parquet").equals(found.bins)
