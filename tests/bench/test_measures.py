"""Measures mean what their names say, have a level of chance, and keep null apart from zero."""

from __future__ import annotations

import itertools
import math

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.measures import RR, Measure, P, R, all_, chance, hit, nDCG, parse, score, summarise
from arandu_lab.bench.measures.chance import within
from arandu_lab.errors import ConfigError
from arandu_lab.systems.base import Ranked, RankedFact, RankedTurn

ITEMS = [f"d{number:02d}" for number in range(12)]
runs = st.lists(st.sampled_from(ITEMS), unique=True, min_size=1, max_size=12)
gold = st.sets(st.sampled_from(ITEMS), min_size=1, max_size=6)
cuts = st.integers(1, 15)
ours_and_theirs = [
    (R, ir_measures.R),
    (hit, ir_measures.Success),
    (P, ir_measures.P),
    (nDCG, ir_measures.nDCG),
    (RR, ir_measures.RR),
]


def ranked(*turn_ids: str) -> Ranked:
    return Ranked(turns=tuple(RankedTurn(id=one, score=1.0 / place) for place, one in enumerate(turn_ids, start=1)))


@given(st.lists(st.tuples(runs, gold), min_size=1, max_size=5), cuts)
def test_values_are_those_of_ir_measures(cases, k):
    """On random runs every measure that ir_measures has gives its value, question by question."""
    qrels = {str(q): dict.fromkeys(relevant, 1) for q, (_, relevant) in enumerate(cases)}
    scored = {str(q): {one: float(-place) for place, one in enumerate(run)} for q, (run, _) in enumerate(cases)}
    pairs = [(ours @ k, theirs @ k) for ours, theirs in ours_and_theirs] + [(RR, ir_measures.RR)]
    theirs = {
        (found.query_id, str(found.measure)): found.value
        for found in ir_measures.iter_calc([measure for _, measure in pairs], qrels, scored)
    }
    for ours, other in pairs:
        for q, (run, relevant) in enumerate(cases):
            assert ours(run, relevant) == pytest.approx(theirs[str(q), str(other)]), str(ours)


@given(runs, gold, cuts)
def test_all_is_full_recall_and_hit_is_any(run, relevant, k):
    """``all@k`` is 1 exactly when ``R@k`` is, ``hit@k`` exactly when ``R@k`` is above 0."""
    recall = (R @ k)(run, relevant)
    assert (all_ @ k)(run, relevant) == float(recall == 1.0)
    assert (hit @ k)(run, relevant) == float(recall > 0)


@given(runs, gold)
def test_recall_never_falls_with_depth(run, relevant):
    """Looking deeper finds no less."""
    found = [(R @ k)(run, relevant) for k in range(1, 14)]
    assert found == sorted(found)


@pytest.mark.parametrize("text", ["R@1", "hit@5", "all@10", "P@3", "nDCG@10", "RR", "RR@2", "R@4(session)"])
@pytest.mark.parametrize(("n", "m"), [(5, 1), (5, 2), (6, 3), (4, 4)])
def test_chance_is_the_mean_over_all_orders(text, n, m):
    """The level of chance equals brute force over every order of a small corpus."""
    items = [str(number) for number in range(n)]
    orders = list(itertools.permutations(items))
    mean = sum(parse(text)(order, set(items[:m])) for order in orders) / len(orders)
    assert chance(text, n, m) == pytest.approx(mean)


def test_chance_has_no_value_where_there_is_no_evidence():
    """Null, not zero; and more evidence than corpus cannot be meant."""
    assert chance("R@10", 100, 0) is None
    assert chance("R@5(session-of-turns)", 100, 2) is None
    with pytest.raises(ConfigError):
        chance("R@10", 1, 2)


@given(st.sampled_from([R, hit, all_, P, nDCG, RR]), cuts, st.sampled_from(["turn", "session"]))
def test_names_are_read_back(measure, k, unit):
    """``parse`` undoes ``str``, and a measure rebuilds from its repr."""
    one = (measure @ k).by(unit)
    assert parse(str(one)) == one == eval(repr(one))


@pytest.mark.parametrize(
    "text", ["r@10", "recall@10", "R", "R@0", "R@x", "hit@5(sessions)", "RR(session-of-turns)", ""]
)
def test_an_unknown_name_is_refused(text):
    """A measure is named exactly or not at all."""
    with pytest.raises(ConfigError):
        parse(text)


def test_a_measure_without_its_cut_is_refused():
    """``R`` alone cannot be computed."""
    with pytest.raises(ConfigError, match="cut"):
        Measure("R")(["a"], {"a"})


def test_a_repeated_id_counts_once():
    """A ranking that names a turn twice gains nothing by it."""
    assert (R @ 2)(["a", "a", "b"], {"a", "b"}) == 1.0
    assert (P @ 2)(["a", "a"], {"a"}) == 0.5


def test_no_evidence_is_null_and_leaves_the_mean(talk: Dataset):
    """A question without evidence has no value, is out of the mean, and is counted beside it."""
    answers = {("c1", f"q{n}"): ranked("t2", "t3") for n in (1, 2, 3, 4)}
    scores = score(talk, answers, ["R@2"], system="x")
    assert scores["value"].to_list() == [1.0, 0.5, 0.0, None]
    assert scores["state"].to_list() == ["scored", "scored", "scored", "no_evidence"]
    [row] = summarise(scores).to_dicts()
    assert (row["mean"], row["n"], row["no_evidence"], row["failed"]) == (0.5, 3, 1, 0)


def test_failure_is_null_and_counted(talk: Dataset):
    """R3: a question whose system failed is neither wrong nor dropped; both numbers are shown."""
    answers = {("c1", "q1"): ranked("t2"), ("c1", "q2"): None}
    [row] = summarise(score(talk, answers, ["hit@1"])).to_dicts()
    assert (row["mean"], row["n"], row["failed"]) == (1.0, 1, 3)
    [hollow] = summarise(score(talk, {}, ["hit@1"])).to_dicts()
    assert (hollow["mean"], hollow["n"], hollow["failed"]) == (None, 0, 4)


def test_an_empty_ranking_is_zero_and_no_ranking_is_null(talk: Dataset):
    """A system that found nothing scores 0; one that does not rank has no value."""
    scores = score(talk, {("c1", "q1"): Ranked(turns=()), ("c1", "q2"): Ranked(context="all of it")}, ["R@5"])
    assert scores["value"].to_list()[:2] == [0.0, None]
    assert scores["state"].to_list()[:2] == ["scored", "unranked"]


def test_facts_are_pooled_into_turns(talk: Dataset):
    """A system that ranks facts is measured on the turns they came from, by the best fact of each."""
    facts = (
        RankedFact(text="x", score=0.1, turn_ids=("t5",)),
        RankedFact(text="y", score=0.9, turn_ids=("t3", "t6")),
        RankedFact(text="z", score=0.5, turn_ids=("t3",)),
    )
    scores = score(talk, {("c1", "q2"): Ranked(facts=facts)}, ["R@1", "R@2", "R@3"])
    assert scores.filter(question="q2")["value"].to_list() == [0.5, 0.5, 1.0]


def test_sessions_come_in_two_readings(talk: Dataset):
    """``(session)`` ranks sessions by their best turn; ``(session-of-turns)`` takes those of the k best turns."""
    answers = {("c1", "q2"): ranked("t1", "t2", "t5")}
    names = ["R@2(session)", "R@2(session-of-turns)", "R@3(session-of-turns)"]
    assert score(talk, answers, names).filter(question="q2")["value"].to_list() == [1.0, 0.5, 1.0]


def test_chance_counts_what_had_been_said(talk: Dataset):
    """The level of chance is over the turns heard when the question was asked, not over the whole conversation."""
    scores = score(talk, {}, ["R@1", "R@1(session)"])
    assert scores.filter(measure="R@1")["chance"].to_list() == [1 / 6, 1 / 6, 1 / 3, None]
    assert scores.filter(measure="R@1(session)")["chance"].to_list() == [1 / 2, 1 / 2, 1.0, None]


def test_strange_answers_are_refused(talk: Dataset):
    """An answer to no question, or a turn that was never said, is an error with the nearest name."""
    with pytest.raises(ConfigError, match="q9"):
        score(talk, {("c1", "q9"): None}, ["R@1"])
    with pytest.raises(ConfigError, match="did you mean 't2'"):
        score(talk, {("c1", "q1"): ranked("t22")}, ["R@1"])


def test_ndcg_is_known_by_hand():
    """One of two relevant items at rank 2: ``(1/log2 3) / (1 + 1/log2 3)``."""
    assert (nDCG @ 10)(["x", "a"], {"a", "b"}) == pytest.approx((1 / math.log2(3)) / (1 + 1 / math.log2(3)))


@given(st.integers(1, 30), st.integers(1, 40), st.data())
def test_chance_ends_where_rankings_end(n: int, depth: int, data: st.DataObject):
    """A whole ranking that ends at a depth scores by chance what the measure cut there does."""
    m = data.draw(st.integers(1, n))
    assert chance("RR", n, m, depth) == chance(f"RR@{depth}", n, m)


@given(st.lists(st.integers(0, 30), min_size=1, max_size=12), st.integers(1, 200), st.integers(1, 15))
def test_a_budget_has_room_for_no_more_than_the_depth(sizes: list[int], budget: int, depth: int):
    """No random order shows more items than a ranking returns; where all fit, every order shows exactly that many."""
    shown = within(sizes, budget, depth=depth).sum(axis=1)
    assert shown.max() <= depth
    if sum(sizes) <= budget:
        assert set(shown.tolist()) == {min(depth, len(sizes))}
