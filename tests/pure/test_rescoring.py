"""Decisions for many settings at once are those of each row alone."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from arandu_lab.pure import scoring
from arandu_lab.pure.budget import allot
from arandu_lab.pure.rescoring import NOBODY, allotted, gathered, leaders, ranked, shown, spread, turns
from arandu_lab.systems.arandu import evidence
from arandu_lab.systems.base import RankedFact, RankedTurn

FEW = st.sampled_from([-np.inf, 0.0, 0.1, 0.1, 0.5, 0.9])
"""Scores that are often equal, and often not there."""
TABLES = arrays(np.float64, st.tuples(st.integers(1, 4), st.integers(0, 9)), elements=FEW)


def best(row: Any, most: int) -> list[int]:
    """The best of a row as one read ranks them: columns stand in the order of ties."""
    places = np.flatnonzero(row > -np.inf)
    ids = [f"{place:03}" for place in range(len(row))]
    return scoring.best(places, row, most, times=np.zeros(len(row), dtype=np.int64), ids=ids).tolist()


@settings(max_examples=60)
@given(TABLES, st.data())
def test_the_best_of_each_row(scores: Any, data: st.DataObject) -> None:
    """Leaders, pools and orders are the best by score, then by column, whoever else is reckoned beside."""
    sizes = np.asarray(data.draw(st.lists(st.integers(1, 10), min_size=len(scores), max_size=len(scores))))
    wanted = [best(row, size) for row, size in zip(scores, sizes.tolist(), strict=True)]
    first, order = leaders(scores, int(sizes.max())), ranked(scores, sizes)
    pools = gathered(shown(scores, sizes))
    for row, mine in enumerate(wanted):
        assert [one for one in first[row].tolist() if one != NOBODY][: len(mine)] == mine
        assert [one for one in order[row].tolist() if one != NOBODY] == mine
        assert [one for one in pools[row].tolist() if one != NOBODY] == sorted(mine)


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.sampled_from(["", "a", "b", "c", "d"]), st.sampled_from([0.2, 0.5, 0.9])), max_size=8),
    st.lists(st.sampled_from("abcde"), unique=True, max_size=4),
    st.lists(st.sampled_from([0.2, 0.5, 0.7]), min_size=4, max_size=4),
    st.integers(1, 6),
)
def test_turns_are_those_of_the_evidence(facts: Any, quotes: Any, quoted: Any, depth: int) -> None:
    """The ranking of turns is what a system makes of kept facts and quotations."""
    facts = sorted(facts, key=lambda one: -one[1])
    told = tuple(RankedFact(text="", score=score, turn_ids=(turn,) if turn else ()) for turn, score in facts)
    said = tuple(RankedTurn(id=turn, score=score) for turn, score in zip(quotes, quoted, strict=False))
    wanted = [turn.id for turn in evidence(told, said)][:depth]
    codes = {turn: code for code, turn in enumerate("abcde")}
    found = turns(
        np.asarray([[codes.get(turn, NOBODY) for turn, _ in facts]] * 2, dtype=np.int64).reshape(2, len(facts)),
        np.asarray([[score for _, score in facts]] * 2).reshape(2, len(facts)),
        np.asarray([codes[turn] for turn in quotes], dtype=np.int64),
        np.asarray(quoted[: len(quotes)]),
        5,
        depth,
    )
    for row in found.tolist():
        assert ["abcde"[one] for one in row if one != NOBODY] == wanted


@settings(max_examples=60)
@given(
    st.lists(st.integers(1, 60), max_size=6),
    st.lists(st.integers(1, 60), max_size=3),
    st.lists(st.tuples(st.integers(0, 200), st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=4),
)
def test_room_is_shared_out_as_for_one(facts: Any, extras: Any, budgets: Any) -> None:
    """Who enters a context under each budget is who enters it alone."""
    columns = np.asarray(budgets)
    costs = np.broadcast_to(np.asarray(facts, dtype=np.int64), (len(budgets), len(facts)))
    entered, chosen = allotted(
        costs, np.ones(costs.shape, dtype=np.bool_), extras, columns[:, 0].astype(int), columns[:, 1], columns[:, 2]
    )
    for row, (budget, hot, warm) in enumerate(budgets):
        alone = allot(facts, extras, budget=budget, hot_ratio=hot, warm_ratio=warm)
        assert entered[row].tolist() == [tier is not None for tier in alone.tiers]
        assert tuple(chosen[row].tolist()) == alone.extras


def test_each_setting_hands_on_as_many_facts_as_it_wants() -> None:
    """An entity hands on its best facts, by score and then by column; settings side by side differ in how many."""
    merit = np.asarray([[0.1, 0.9, 0.9], [0.1, 0.9, 0.9], [0.1, 0.9, 0.9]])
    near = [np.asarray([0, 1, 2])]
    arrived = spread(merit, near, np.ones((3, 1), dtype=np.bool_), np.full((3, 1), 0.4), np.asarray([1, 3, 0]))
    assert (arrived > -np.inf).tolist() == [[False, True, False], [True, True, True], [False, False, False]]
