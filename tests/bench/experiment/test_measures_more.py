"""Budgets of tokens, staleness, and costs: values that agree with the older measures where they meet."""

from __future__ import annotations

from itertools import permutations
from statistics import fmean

import ir_measures
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.measures import (
    RR,
    Budget,
    Cost,
    Measure,
    P,
    R,
    Stale,
    all_,
    chance,
    hit,
    is_cost,
    nDCG,
    parse,
    parse_cost,
    score,
    summarise,
    tokens,
)
from arandu_lab.bench.measures.chance import chance_within, within
from arandu_lab.errors import ConfigError
from arandu_lab.systems.base import Ranked, RankedTurn

items = st.lists(st.integers(0, 11).map(lambda one: f"t{one}"), max_size=12, unique=True)
sizes = st.lists(st.integers(0, 9), min_size=12, max_size=12)


@settings(max_examples=40)
@given(
    ranked=items,
    gold=st.sets(st.integers(0, 11).map(lambda one: f"t{one}"), min_size=1),
    each=sizes,
    budget=st.integers(1, 60),
)
def test_a_budget_is_the_cut_that_it_has_room_for(ranked, gold, each, budget) -> None:
    """``R@tokens(n)`` is ``R@k`` of ir_measures at the greatest k whose turns have room; so are hit and all."""
    size = {f"t{place}": one for place, one in enumerate(each)}
    fits = max(k for k in range(len(ranked) + 1) if sum(size[one] for one in ranked[:k]) <= budget)
    assert (R @ tokens(budget)).shown(ranked, size.__getitem__) == ranked[:fits]
    cut = max(fits, 1)
    scored = {"q": {one: float(-place) for place, one in enumerate(ranked[:fits])}}
    theirs = {
        str(found.measure): found.value
        for found in ir_measures.iter_calc(
            [ir_measures.R @ cut, ir_measures.Success @ cut], {"q": dict.fromkeys(gold, 1)}, scored
        )
    }
    mine = [(one @ tokens(budget))(ranked, gold, size.__getitem__) for one in (R, hit, all_)]
    if fits:
        assert mine[:2] == pytest.approx([theirs[f"R@{cut}"], theirs[f"Success@{cut}"]])
    else:
        assert mine[:2] == [0.0, 0.0]
    assert mine[2] == float(mine[0] == 1.0)


@settings(max_examples=50)
@given(ranked=items, over=st.sets(st.integers(0, 11).map(lambda one: f"t{one}")), k=st.integers(1, 12))
def test_stale_is_precision_for_what_nobody_wants(ranked, over, k) -> None:
    """``Stale@k`` of at least k results is ``P@k`` of ir_measures for the stale turns; it is a share of what is shown."""
    value = (Stale @ k)(ranked, over)
    if not ranked:
        assert value is None
    elif len(ranked) >= k and over:
        scored = {"q": {one: float(-place) for place, one in enumerate(ranked)}}
        (found,) = ir_measures.iter_calc([ir_measures.P @ k], {"q": dict.fromkeys(over, 1)}, scored)
        assert value == pytest.approx(found.value)
    else:
        assert value == len(set(ranked[:k]) & over) / len(ranked[:k])
    assert Stale.falls
    assert not any(one.falls for one in (R, hit, all_, P, nDCG, RR))


@settings(max_examples=25)
@given(
    each=st.lists(st.integers(1, 6), min_size=3, max_size=5),
    budget=st.integers(1, 16),
    name=st.sampled_from([R, hit, all_]),
)
def test_chance_of_a_budget_is_the_mean_over_orders(each, budget, name) -> None:
    """The mean of seeded random orders lies within five standard errors of the mean of all orders; and is repeatable."""
    gold = [0, len(each) - 1]
    measure = name @ tokens(budget)
    size = dict(enumerate(each))
    values = [measure(order, set(gold), size.__getitem__) for order in permutations(range(len(each)))]
    exact = fmean(values)
    found = chance_within(measure, within(each, budget), gold)
    assert abs(found - exact) <= 5 * np.std(values) / 400**0.5 + 1e-9
    assert found == chance_within(measure, within(each, budget), gold)


@pytest.mark.parametrize("text", ["R@tokens(500)", "hit@tokens(40)(session-of-turns)", "all@tokens(1)", "Stale@10"])
def test_names_are_read_and_written(text: str) -> None:
    """A measure is its name: read, written, evaluated, it is the same."""
    assert str(parse(text)) == text
    assert eval(repr(parse(text)), {"Measure": Measure}) == parse(text)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: parse("P@tokens(500)"), "only R, hit, all"),
        (lambda: R @ Budget(0), "at least 1 token"),
        (lambda: (R @ tokens(9)).by("session"), "session-of-turns is meant"),
        (lambda: (Stale @ 3).by("session"), "over turns only"),
        (lambda: parse("Stale"), "needs a cut"),
        (lambda: parse("Tokens.write"), "Tokens"),
        (lambda: parse_cost("Tokens.wrote"), "did you mean 'Tokens.write'"),
        (lambda: (R @ tokens(9))(["t1"], {"t1"}), "how many tokens"),
    ],
)
def test_what_cannot_be_meant_is_refused(make, said: str) -> None:
    """Budgets of measures with places, stale sessions, cuts of nothing: each says what would be accepted."""
    with pytest.raises(ConfigError, match=said):
        make()


def test_costs_are_no_measures_of_quality() -> None:
    """Costs have names of their own, which no measure has, and the other way round."""
    assert [str(parse_cost(one)) for one in ("Tokens", "Calls.read", "Seconds.write")] == [
        "Tokens",
        "Calls.read",
        "Seconds.write",
    ]
    assert parse_cost(Cost("Tokens").write) == Cost("Tokens", "write")
    assert not any(is_cost(one) for one in ("R@10", "Stale@10", R))


def test_stale_is_what_the_gold_says_was_over(lake: Dataset) -> None:
    """The turn that a later one replaced is stale for a question about now, not for one whose evidence it is."""
    ranked = Ranked(turns=tuple(RankedTurn(id=one, score=1.0) for one in ("t1", "t2", "t3")))
    answers = {(one.id, asked.id): ranked for one in lake for asked in one.questions}
    table = score(lake, answers, ["Stale@2", "Stale@3"])
    values = {(row["question"], row["measure"]): row["value"] for row in table.iter_rows(named=True)}
    assert values["q1", "Stale@2"] == 0.5
    assert values["q1", "Stale@3"] == pytest.approx(1 / 3)
    assert values["q2", "Stale@2"] == 0.0
    assert values["q3", "Stale@2"] is None
    levels = {row["question"]: row["chance"] for row in table.iter_rows(named=True)}
    assert levels == {"q1": chance("Stale@3", 4, 1), "q2": 0.0, "q3": None}


def test_stale_is_null_where_nobody_wrote_gold(lake: Dataset) -> None:
    """A dataset without gold does not know: null, counted for nothing, and no zero."""
    from dataclasses import replace

    bare = replace(lake, conversations=tuple(replace(one, gold=None) for one in lake))
    ranked = Ranked(turns=(RankedTurn(id="t1", score=1.0),))
    answers = {(one.id, asked.id): ranked for one in bare for asked in one.questions}
    found = summarise(score(bare, answers, ["Stale@3", "R@3"]), by=("measure",))
    assert dict(found.select("measure", "n").iter_rows()) == {"Stale@3": 0, "R@3": 6}
    assert found.filter(found["measure"] == "Stale@3")["mean"].item() is None


def test_a_budget_counts_speaker_and_text(lake: Dataset) -> None:
    """A turn counts as ``speaker: text``, four characters a token; the next turn that has no room ends the ranking."""
    ranked = Ranked(turns=tuple(RankedTurn(id=one, score=1.0) for one in ("t4", "t3", "t1")))
    answers = {(one.id, asked.id): ranked for one in lake.slice(1) for asked in one.questions}
    one = lake.conversations[0]
    room = -(-len("Rui: Olinda is by the sea.") // 4) + -(-len("Ana: I moved to Olinda.") // 4)
    assert one.turns[3].text == "Olinda is by the sea."
    values = {}
    for budget in (room, room - 1):
        table = score(lake.slice(1), answers, [R @ tokens(budget), (hit @ tokens(budget)).by("session-of-turns")])
        values[budget] = [row["value"] for row in table.filter(table["question"] == "q1").iter_rows(named=True)]
    assert values == {room: [1.0, 1.0], room - 1: [0.0, 1.0]}
