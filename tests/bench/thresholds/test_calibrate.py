"""Claims about what is recommended, and what it is judged on."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.bench.thresholds.calibrate import (
    PROBABILITIES,
    Scored,
    Targets,
    choose_dedup,
    choose_gate,
    held_out,
    quantile_map,
    recommended,
    weighted_quantiles,
)
from arandu_lab.errors import ConfigError

spread = st.lists(st.integers(-900, 900).map(lambda one: one / 1000), min_size=4, max_size=50, unique=True)


def scored(rows, language="en"):
    """Pairs of ``(score, relation, fold)``."""
    score, relation, fold = zip(*rows, strict=True)
    count = len(rows)
    return Scored(
        np.array(score), np.array(relation), np.array([language] * count), np.zeros(count, dtype=bool), np.array(fold)
    )


def test_the_lowest_threshold_that_keeps_the_precision_is_chosen():
    """Nine duplicates from .8 up and an update at .84: .845 for all right, .8 for nine of ten."""
    rows = [(0.8 + 0.02 * n, "duplicate", n % 2) for n in range(9)] + [(0.842, "update", 0), (0.3, "unrelated", 1)]
    assert choose_dedup(scored(rows), 1.0) == (0.845, True)
    assert choose_dedup(scored(rows), 0.9) == (0.305, True)


def test_what_words_refuse_is_not_merged():
    """The update that words refuse costs nothing when words are asked, and counts when they are not."""
    rows = scored([(0.9, "duplicate", 0)] * 6 + [(0.95, "update", 0)] * 6)
    checked = Scored(rows.score, rows.relation, rows.language, rows.relation == "update", rows.fold)
    assert choose_dedup(checked, 1.0)[1]
    assert not choose_dedup(checked, 1.0, words=False)[1]


def test_an_unreachable_target_is_said():
    """Where no threshold does, the choice says so; where nothing is merged, it is 1."""
    assert choose_dedup(scored([(0.9, "update", 0)] * 8), 0.9)[1] is False
    assert choose_dedup(scored([(0.9, "duplicate", 0)] * 3), 0.9) == (1.0, False)


def test_the_highest_gate_that_reaches_enough_is_chosen():
    """Twenty pairs due, one of them at .2: a gate of .5 reaches 95 %, and all need .2."""
    rows = scored([(0.5, "update", 0)] * 19 + [(0.2, "negation", 0), (0.9, "attribute", 0)])
    assert choose_gate(rows, 0.95) == (0.5, True)
    assert choose_gate(rows, 1.0) == (0.2, True)


def test_a_threshold_is_judged_on_folds_it_has_not_seen():
    """Fold 1 alone has repetitions at .4. The gate for all is .4; judged, fold 1 is missed by the gate of fold 0."""
    rows = scored([(0.8, "duplicate", 0)] * 10 + [(0.4, "duplicate", 1)] * 10)
    one = recommended(rows, "gate", Targets(reach=1.0))
    assert (one.threshold, one.low, one.high, one.folds) == (0.4, 0.4, 0.8, 2)
    assert one.judged["reach"] == 0.5


def test_a_single_fold_judges_nothing():
    """With one group there is no other to judge on: null, not a flattering number."""
    one = recommended(scored([(0.9, "duplicate", 0)] * 6), "dedup", Targets())
    assert one.folds == 0
    assert one.judged["precision"] is None


def test_all_languages_take_the_stricter_threshold():
    """For both languages the dedup threshold is the higher one, the gate the lower one."""
    en = scored([(0.9, "duplicate", 0)] * 6 + [(0.6, "update", 0)])
    pt = scored([(0.8, "duplicate", 0)] * 6 + [(0.7, "update", 0)], "pt")
    both = Scored(*(np.concatenate([getattr(one, name) for one in (en, pt)]) for name in Scored.__dataclass_fields__))
    for what, pick in (("dedup", max), ("gate", min)):
        parts = [recommended(both, what, Targets(1.0, 1.0), code).threshold for code in ("en", "pt")]
        assert recommended(both, what, Targets(1.0, 1.0)).threshold == pick(parts)
        assert parts[0] != parts[1]


@given(spread, st.data())
def test_a_calibration_rises_and_carries_quantiles(raw, data):
    """The recommended map never falls, stays within [-1, 1], and takes each quantile of the raw to that of the documented."""
    documented = data.draw(st.lists(st.floats(-0.9, 0.9), min_size=len(raw), max_size=len(raw)))
    first, second = np.array(raw), np.array(documented)
    made = quantile_map(first, second, ["one"] * len(raw))
    mapped = made(np.linspace(-1, 1, 401))
    assert all(a <= b + 1e-12 for a, b in pairwise(mapped))
    assert mapped.min() >= -1
    assert mapped.max() <= 1
    weights = np.ones(len(raw))
    mine = np.round(weighted_quantiles(first, weights, PROBABILITIES), 6)
    theirs = weighted_quantiles(second, weights, PROBABILITIES)
    if len(set(mine.tolist())) == len(mine):
        assert made(mine).tolist() == pytest.approx(theirs.tolist(), abs=1e-5)


def test_every_stratum_weighs_the_same():
    """A thousand unrelated pairs more move no quantile."""
    raw = np.concatenate([np.linspace(0.1, 0.2, 50), np.linspace(0.8, 0.9, 50)])
    documented = raw - 0.05
    strata = ["unrelated"] * 50 + ["duplicate"] * 50
    few = quantile_map(raw, documented, strata)
    many = quantile_map(
        np.concatenate([np.repeat(raw[:50], 20), raw[50:]]),
        np.concatenate([np.repeat(documented[:50], 20), documented[50:]]),
        ["unrelated"] * 1000 + strata[50:],
    )
    at = np.array([0.15, 0.85])
    assert few(at).tolist() == pytest.approx(many(at).tolist(), abs=0.003)


def test_held_out_maps_a_fold_by_the_others():
    """A fold whose documented cosines are odd is mapped by the map of the other folds, not by its own."""
    raw = np.tile(np.linspace(0.1, 0.9, 40), 2)
    fold = np.repeat([0, 1], 40)
    documented = np.where(fold == 0, raw / 2, raw)
    fair = held_out(raw, documented, ["one"] * 80, fold)
    assert fair is not None
    assert np.abs(fair[fold == 1][5:35] - raw[:40][5:35] / 2).max() < 0.01
    assert held_out(raw, documented, ["one"] * 80, np.zeros(80, dtype=int)) is None


def test_a_target_that_cannot_be_meant_is_refused():
    """Targets are shares above 0."""
    with pytest.raises(ConfigError, match="precision=0"):
        Targets(precision=0.0)
