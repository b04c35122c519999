"""Every number of a ranking: laws, worked examples, and the same answer from every carrier."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arandu_lab.pure import scoring

share = st.floats(0.0, 1.0)
age = st.floats(-100.0, 5000.0)
positive = st.floats(0.1, 5000.0)


@pytest.mark.parametrize(
    ("formula", "grade", "final"),
    [
        (0.91, 1.0, 0.91),
        (0.65, 0.2, 0.286),
        (0.30, 0.0, 0.09),
        (0.9, 0.0, 0.27),
        (0.9, 1.0, 0.90),
        (0.45, 0.0, 0.135),
        (0.38, 0.0, 0.114),
        (0.35, 0.0, 0.105),
        (0.92, 1.0, 0.92),
    ],
)
def test_documented_blends(formula, grade, final):
    """Every blend that the document works out comes out so at weight .70."""
    assert scoring.blend(formula, grade, 0.70) == pytest.approx(final, abs=1e-9)


CARRIED = {
    "recency": (lambda a, b: scoring.recency(a, 14.0), age, share),
    "confidence": (lambda a, b: scoring.confidence(b, a, 1460.0, 0.1), age, share),
    "importance": (lambda a, b: scoring.importance(a, b), share, share),
    "pattern": (lambda a, b: scoring.pattern(a, 0.1), st.integers(0, 2000).map(float), share),
    "fraction": (lambda a, b: scoring.fraction(a, 7), st.integers(0, 7).map(float), share),
    "hyperbolic": (lambda a, b: scoring.hyperbolic(a, 30.0, 0.1), age, share),
    "bm25": (lambda a, b: scoring.bm25(a, 1.0 + 10 * b, 5.0, 3, 40), st.integers(1, 9).map(float), share),
    "blend": (lambda a, b: scoring.blend(a, b, 0.7, veto=0.1), share, share),
    "spreading": (lambda a, b: scoring.spreading(a, 2, 0.5), share, share),
    "graph": (
        lambda a, b: scoring.graph(a, b, 0.5, named=True, hop=2, query_bonus=1.5, hop_decay=0.5),
        share,
        share,
    ),
    "formula": (
        lambda a, b: scoring.formula({"semantic": 0.7, "recency": 0.2}, {"semantic": a, "recency": b, "graph": a}),
        share,
        share,
    ),
}


@pytest.mark.parametrize("name", CARRIED)
@settings(deadline=None, max_examples=30)
@given(data=st.data())
def test_carriers_agree(name, data):
    """A float, a numpy array and a polars expression give the same number."""
    function, first, second = CARRIED[name]
    pairs = data.draw(st.lists(st.tuples(first, second), min_size=1, max_size=8))
    left, right = np.asarray([a for a, _ in pairs]), np.asarray([b for _, b in pairs])
    single = np.asarray([function(a, b) for a, b in pairs], dtype=np.float64)
    array = function(left, right)
    frame = pl.DataFrame({"a": left, "b": right}).select(out=function(pl.col("a"), pl.col("b")))["out"].to_numpy()
    np.testing.assert_allclose(array, single, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(frame, single, rtol=1e-12, atol=1e-15)


@settings(deadline=None)
@given(age, positive)
def test_recency_is_a_half_life(days, half):
    """One half at the half-life, in (0, 1], 1 for the future, never rising with age (P2, P3)."""
    assert scoring.recency(half, half) == 0.5
    assert 0.0 <= scoring.recency(days, half) <= 1.0
    assert scoring.recency(days + 1.0, half) <= scoring.recency(days, half)
    assert scoring.recency(-abs(days), half) == 1.0


@pytest.mark.parametrize("days", [0.0, 1.0, 7.0, 14.0, 60.0, 365.0])
def test_recency_closed_form(days):
    """Decay is applied once: the closed form at six ages (P2)."""
    assert scoring.recency(days, 14.0) == pytest.approx(2.0 ** (-days / 14.0), rel=1e-12)


@settings(deadline=None)
@given(share, age, positive, share)
def test_confidence_stays_between(stated, days, half, floor):
    """Decayed confidence lies between the floor (or what was stated, when that is less) and what was stated."""
    value = scoring.confidence(stated, days, half, floor)
    assert min(stated, floor) <= value <= stated


@settings(deadline=None)
@given(st.integers(0, 10_000), share)
def test_pattern_is_monotone_and_capped(count, most):
    """Repetition adds, never takes, and a thousand repetitions add no more than the maximum (P1)."""
    now, then = scoring.pattern(count, most), scoring.pattern(count + 1, most)
    assert 0.0 <= now <= then <= most
    assert scoring.pattern(0, most) == 0.0
    if most > 1e-6 and count < 40:
        assert then > now


@settings(deadline=None)
@given(share, share, share, share)
def test_blend_dims_and_never_lifts(formula, grade, weight, veto):
    """The grade dims: the result lies between floor and formula, rises with the grade, and is 0 under the veto."""
    final = scoring.blend(formula, grade, weight, veto=veto)
    if grade < veto:
        assert final == 0.0
    else:
        assert formula * (1.0 - weight) - 1e-12 <= final <= formula + 1e-12
        better = scoring.blend(formula, min(1.0, grade + 0.1), weight, veto=veto)
        assert better >= final - 1e-12


@settings(deadline=None)
@given(share, share, share, st.booleans(), st.integers(0, 5), st.floats(0.0, 10.0), share)
def test_graph_is_on_the_one_scale(strength, fresh, edge, named, hop, bonus, decay):
    """Whatever the bonus, a graph score lies in [0, 1] and falls with hops (R1)."""
    score = scoring.graph(strength, fresh, edge, named=named, hop=hop, query_bonus=bonus, hop_decay=decay)
    further = scoring.graph(strength, fresh, edge, named=named, hop=hop + 1, query_bonus=bonus, hop_decay=decay)
    assert 0.0 <= further <= score <= 1.0


def test_graph_documented_hops():
    """Hop 1 in full, hop 2 by half, the bonus 1.5 (on the scale where 1.5 is 1)."""
    raw = [
        1.5 * scoring.graph(0.8, 0.5, 0.5, named=False, hop=hop, query_bonus=1.5, hop_decay=0.5) for hop in (0, 1, 2)
    ]
    assert raw == pytest.approx([0.2, 0.2, 0.1])
    assert 1.5 * scoring.graph(1.0, 1.0, 1.0, named=True, hop=0, query_bonus=1.5, hop_decay=0.5) == pytest.approx(1.5)


@settings(deadline=None)
@given(st.permutations(["semantic", "recency", "importance", "graph"]))
def test_formula_ignores_spelling_order(order):
    """The order in which weights are written never shows, to the last bit (O1)."""
    weights = {"semantic": 0.7, "recency": 0.2, "importance": 0.1, "graph": 0.3}
    signals = {"semantic": 0.123, "recency": 0.456, "importance": 0.789, "graph": 0.321}
    assert scoring.formula({n: weights[n] for n in order}, signals) == scoring.formula(weights, signals)


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from([0.1, 0.5, 0.9]), st.integers(0, 3)), max_size=60), st.integers(0, 70))
def test_best_is_the_head_of_the_total_order(rows, limit):
    """``best`` gives the first of the whole order, also where scores, times and cuts tie (O1)."""
    scores = np.asarray([score for score, _ in rows], dtype=np.float64)
    times = np.asarray([time for _, time in rows], dtype=np.int64)
    ids = [f"{(i * 37) % 101:03d}" for i in range(len(rows))]
    found = scoring.best(np.arange(len(rows)), scores, limit, times=times, ids=ids).tolist()
    whole = sorted(range(len(rows)), key=lambda i: (-scores[i], -times[i], ids[i]))
    assert found == whole[:limit]


def test_cosines_know_what_they_cannot_tell():
    """Equal is 1, opposite 0, orthogonal 0, and a row without a vector is unknown, not 0 (M2, M3, M4)."""
    matrix = np.asarray([[1, 0], [0.6, 0.8], [0, 1], [-1, 0], [0, 0]], dtype=np.float32)
    found = scoring.cosines(matrix, matrix[0], lambda cosine: cosine)
    np.testing.assert_allclose(found, [1.0, 0.6, 0.0, 0.0, np.nan], atol=1e-6)
    assert np.isnan(scoring.cosines(np.zeros((3, 0), np.float32), matrix[0], lambda c: c)).all()


@settings(deadline=None)
@given(st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_cosines_do_not_depend_on_the_row(rows, seed):
    """The same vector has the same cosine in whichever row it lies (O1)."""
    rng = np.random.default_rng(seed)
    matrix = rng.normal(size=(rows, 33)).astype(np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    order = rng.permutation(rows)
    straight = scoring.cosines(matrix, matrix[0], lambda c: c)
    shuffled = scoring.cosines(matrix[order], matrix[0], lambda c: c)
    np.testing.assert_allclose(shuffled, straight[order], atol=1.5e-6)


def ranked(scores, limit, times=None, ids=None):
    """Positions of the best of some scores."""
    size = len(scores)
    times = np.asarray([0] * size if times is None else times)
    return scoring.best(
        np.arange(size), np.asarray(scores), limit, times=times, ids=ids or "abcdefghij"[:size]
    ).tolist()


def test_the_order_in_full():
    """O1: score falling, then the newer, then the id; what has no score comes last, and among itself by the same rules."""
    nan = float("nan")
    assert ranked([0.5, 0.5, 0.5], 2, times=[1, 2, 2], ids="abc") == [1, 2]
    assert ranked([0.5, 0.5, 0.5], 2, times=[1, 2, 2], ids="acb") == [2, 1]
    assert ranked([0.5, 0.9, 0.5], 1) == [1]
    assert ranked([nan, 0.1, nan, nan], 3, times=[1, 0, 3, 2]) == [1, 2, 3]
    assert ranked([nan, nan, nan], 2, ids="cba") == [2, 1]
    assert ranked([0.2, nan, 0.1], 3) == [0, 2, 1]
    assert ranked([0.2, 0.1], 0) == []
    assert ranked([], 3) == []
    assert ranked([0.1, 0.2], 5) == [1, 0]


def test_the_best_of_some():
    """O1: only the positions given are ranked, and of an index by position."""
    scores, times = np.asarray([0.9, 0.1, 0.5, 0.5]), np.asarray([0, 0, 1, 2])
    assert scoring.best(np.asarray([2, 1, 3]), scores, 2, times=times, ids="abcd").tolist() == [3, 2]
    assert scoring.in_order(np.asarray([1, 2, 0]), scores, times=times, ids="abcd").tolist() == [0, 2, 1]


class Taking(list):
    """A sequence that can take."""

    def take(self, positions):
        """What it took, marked."""
        return [f"taken {self[place]}" for place in positions]


def test_who_can_take_does():
    """A column that can take several items at once is asked to; another is read one by one."""
    assert scoring.picked(Taking("abc"), np.asarray([1])) == ["taken b"]
    assert scoring.picked(list("abc"), np.asarray([1, 1, 0])).tolist() == ["b", "b", "a"]
    assert scoring.picked([(1, 2), (3, 4)], np.asarray([1])).tolist() == [(3, 4)]


def test_the_constants_of_the_document():
    """P1-P3: a word's weight, the decay of edges and days as they are documented, at a point that tells each number apart."""
    assert scoring.bm25(2.0, 8.0, 4.0, 3, 10) == pytest.approx(np.log(1 + 7.5 / 3.5) * 2 / (2 + 1.5 * (0.25 + 1.5)))
    assert scoring.bm25(1.0, 4.0, 4.0, 12, 10) == pytest.approx(np.log(1 + 0.5 / 12.5) / 2.5)
    assert scoring.bm25(1.0, 0.0, 0.0, 1, 1) == pytest.approx(np.log(1 + 0.5 / 1.5) / 1.375)
    assert (scoring.RECENCY_FACTOR_FLOOR, scoring.EDGE_RECENCY_FACTOR_FLOOR) == (0.10, 0.20)
    assert scoring.fraction(3, 1) == 3.0
    assert scoring.fraction(1, 2) == 0.5
    assert scoring.pattern(-3, 0.1) == 0.0
    assert scoring.days(5 * 86_400_000_000, 0) == 5.0
    assert [scoring.hop_factor(hop, 0.5) for hop in (0, 1, 2, 3)] == [1.0, 1.0, 0.5, 0.25]
    assert scoring.blend(0.8, 0.1, 0.7, veto=0.1) > 0.0, "at the veto it stays"
    low = scoring.graph(1.0, 1.0, 1.0, named=False, hop=1, query_bonus=0.5, hop_decay=0.5)
    assert low == 1.0
    assert scoring.graph(1.0, 1.0, 1.0, named=True, hop=1, query_bonus=0.5, hop_decay=0.5) == 0.5
