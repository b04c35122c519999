"""How a context's tokens are shared out."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from arandu_lab.pure.budget import allot, estimate_tokens

costs = st.lists(st.integers(1, 120), max_size=25)
ratio = st.floats(0.0, 1.0)


@settings(deadline=None)
@given(costs, costs, st.integers(0, 1500), ratio, ratio)
def test_budget_holds_but_for_one_fact(facts, extras, budget, hot, warm):
    """Nothing but the one guaranteed fact ever exceeds the budget, and ``used`` is what entered."""
    share = allot(facts, extras, budget=budget, hot_ratio=hot, warm_ratio=warm)
    entered = [cost for cost, tier in zip(facts, share.tiers, strict=True) if tier]
    beside = [cost for cost, fits in zip(extras, share.extras, strict=True) if fits]
    assert share.used == sum(entered) + sum(beside)
    assert share.used <= max(budget, facts[0] if facts else 0)
    assert not facts or share.tiers[0] == "hot"


@settings(deadline=None)
@given(costs, costs, st.integers(0, 1500), ratio, ratio)
def test_tiers_are_shares(facts, extras, budget, hot, warm):
    """Hot facts fit the hot share, hot and warm together theirs (but for the one guaranteed fact)."""
    share = allot(facts, extras, budget=budget, hot_ratio=hot, warm_ratio=warm)
    of = {
        tier: sum(cost for cost, given in zip(facts, share.tiers, strict=True) if given == tier)
        for tier in ("hot", "warm", "cold")
    }
    first = facts[0] if facts else 0
    assert of["hot"] <= max(budget * hot, first)
    assert of["hot"] + of["warm"] <= max(budget * min(1.0, hot + warm), first) + 1e-9


@settings(deadline=None)
@given(costs, costs, st.integers(0, 1500), ratio, ratio)
def test_nothing_waits_while_there_is_room(facts, extras, budget, hot, warm):
    """A fact is left out only when it does not fit what is left in the end."""
    share = allot(facts, extras, budget=budget, hot_ratio=hot, warm_ratio=warm)
    for cost, tier in zip(facts, share.tiers, strict=True):
        assert tier is not None or share.used + cost > budget


@settings(deadline=None)
@given(costs, st.integers(0, 3000))
def test_room_for_all_means_all(facts, spare):
    """A budget that holds everything leaves nothing out."""
    share = allot(facts, [], budget=sum(facts) + spare, hot_ratio=0.5, warm_ratio=0.3)
    assert all(share.tiers)


@settings(deadline=None)
@given(st.text(max_size=200), st.text(max_size=200))
def test_estimate_adds_up(one, other):
    """Counting pieces never counts less than counting the whole."""
    assert estimate_tokens(one) + estimate_tokens(other) >= estimate_tokens(one + other)


def test_shares_are_filled_to_the_brim():
    """A line that fills its share exactly is in it; one token more is in the next, and beyond the budget nowhere."""

    def tiers(*costs: int) -> tuple[str | None, ...]:
        return allot(costs, [], budget=100, hot_ratio=0.5, warm_ratio=0.3).tiers

    assert tiers(25, 25, 30, 20) == ("hot", "hot", "warm", "cold")
    assert tiers(25, 26, 29, 20) == ("hot", "warm", "warm", "cold")
    assert tiers(25, 25, 31, 19) == ("hot", "hot", "cold", "warm")
    assert tiers(25, 25, 30, 21) == ("hot", "hot", "warm", None)
    assert allot([50, 50], [], budget=100, hot_ratio=1.5, warm_ratio=0.5).tiers == ("hot", "hot")
    assert allot([50, 50, 1], [], budget=100, hot_ratio=0.5, warm_ratio=0.9).tiers == ("hot", "warm", None)


def test_a_long_line_makes_way():
    """A line too long for the room that is left takes nothing from the shorter ones after it."""
    found = allot([30, 90, 20, 39], [60, 10, 1], budget=100, hot_ratio=0.5, warm_ratio=0.1)
    assert (found.tiers, found.extras, found.used) == (("hot", None, "hot", "cold"), (False, True, True), 100)
    assert allot([30], [70, 1], budget=100, hot_ratio=0.5, warm_ratio=0.1).extras == (True, False)
    assert allot([30], [71, 70], budget=100, hot_ratio=0.5, warm_ratio=0.1).extras == (False, True)
