"""S1, S2: how sure a fact is, how that rises with mentions, and how fast each kind of fact fades."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.errors import ConfigError
from arandu_lab.knowledge import MemoryFact
from arandu_lab.pure.memory_types import DECAYS, curve, decays, retained
from arandu_lab.pure.survival import Weibull
from arandu_lab.pure.trust import VERACITY, first_confidence, mentioned

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
HOW = st.sampled_from(sorted(VERACITY))


def fact(memory_type: str, **other: object) -> MemoryFact:
    given_: dict[str, object] = {"veracity": "stated", "confidence": 1.0, "valid_from": NOW, "recorded_at": NOW}
    return MemoryFact(
        id="a",
        agent_id="w",
        domain="d",
        topic="t",
        content="c",
        memory_type=memory_type,
        proposed_by="x",
        **{**given_, **other},
    )  # type: ignore[arg-type]


def test_worked_values_of_veracity() -> None:
    """A human's word 1.0, an agent's conclusion .7, a tool's output .5, an import .6."""
    assert {how: first_confidence(how) for how in VERACITY} == {
        "stated": 1.0,
        "inferred": 0.7,
        "tool": 0.5,
        "imported": 0.6,
    }
    with pytest.raises(ConfigError, match="did you mean 'inferred'"):
        first_confidence("infered")


@given(st.floats(0.0, 1.0, exclude_max=True), HOW, st.integers(0, 500), st.floats(0.0, 0.99))
def test_confidence_rises_and_stays_below_one(confidence: float, how: str, times: int, share: float) -> None:
    """However often it is said again, and however near to 1 it is, it never falls and never gets there."""
    after = mentioned(confidence, how, times=times, share=share)
    assert confidence <= after < 1.0


@given(st.floats(0.0, 0.99), HOW)
def test_a_mention_takes_a_share_of_what_is_missing(confidence: float, how: str) -> None:
    """One mention takes the same share of the doubt wherever it starts; two are one after the other."""
    after = mentioned(confidence, how, share=0.5)
    assert (1.0 - after) == pytest.approx((1.0 - confidence) * (1.0 - 0.5 * VERACITY[how]))  # type: ignore[index]
    assert mentioned(confidence, how, times=2, share=0.5) == pytest.approx(mentioned(after, how, share=0.5))


@given(st.floats(0.0, 0.9), HOW, HOW)
def test_veracity_sizes_the_step(confidence: float, one: str, other: str) -> None:
    """What is better known rises by more."""
    if VERACITY[one] > VERACITY[other]:  # type: ignore[index]
        assert mentioned(confidence, one) > mentioned(confidence, other)


@pytest.mark.parametrize(
    ("confidence", "share", "times"), [(1.1, 0.2, 1), (float("nan"), 0.2, 1), (0.5, 1.0, 1), (0.5, 0.2, -1)]
)
def test_numbers_outside_their_range_are_refused(confidence: float, share: float, times: int) -> None:
    """A confidence outside 0 to 1, a share of 1, mentions below 0."""
    with pytest.raises(ConfigError):
        mentioned(confidence, "tool", share=share, times=times)


@pytest.mark.parametrize("memory_type", DECAYS)
def test_half_is_left_at_the_half_life(memory_type: str) -> None:
    """S1: of every type, whatever its shape, one half is left at its half-life."""
    then = NOW + timedelta(days=DECAYS[memory_type].half_life)
    assert retained(fact(memory_type), then) == pytest.approx(0.5)


@given(st.floats(0.1, 1000.0), st.floats(0.2, 4.0))
def test_half_is_left_for_every_shape(half_life: float, shape: float) -> None:
    """P3, S1: of a type of one's own too, of any half-life and any shape, one half is left at the half-life."""
    table = decays({"mine": (half_life, shape)})
    assert retained(fact("mine"), NOW + timedelta(days=half_life), table=table) == pytest.approx(0.5, abs=1e-6)


def test_a_commitment_goes_before_a_profile() -> None:
    """After two months a commitment is gone and a profile is hardly touched, as the document says."""
    then = NOW + timedelta(days=60)
    assert retained(fact("commitment"), then) < 0.01
    assert retained(fact("profile"), then) > 0.9


@given(st.integers(0, 50), st.integers(0, 50), st.floats(0.0, 2000.0))
def test_use_slows_fading_and_time_never_restores(recalls: int, more: int, days: float) -> None:
    """What is recalled more is never less there; later is never more; the future is 1."""
    then = NOW + timedelta(days=days)
    less_used, used = fact("event", recall_count=recalls), fact("event", recall_count=recalls + more)
    assert retained(less_used, then) <= retained(used, then) <= 1.0
    assert retained(used, then + timedelta(days=1)) <= retained(used, then)
    assert retained(used, NOW - timedelta(days=1)) == 1.0


def test_a_mention_starts_it_anew() -> None:
    """Fading is counted from the last mention; with no gain for use that is all there is to it."""
    said = NOW + timedelta(days=30)
    again = fact("event", last_mentioned_at=said, mention_count=2)
    assert retained(again, said) == 1.0
    assert retained(again, said + timedelta(days=45), use_gain=0.0) == pytest.approx(0.5)


def test_types_are_configurable_and_checked() -> None:
    """A type can be changed or added; an unknown one, a bad curve and a gain below 0 are the user's errors."""
    assert decays({"event": Weibull(3.0)})["event"] == Weibull(3.0)
    assert decays()["event"] == DECAYS["event"]
    with pytest.raises(ConfigError, match="did you mean 'commitment'"):
        curve("comitment")
    for bad in ((0.0, 1.0), (1.0,), "soon", None):
        with pytest.raises(ConfigError, match="half"):
            decays({"event": bad})  # type: ignore[dict-item]
    with pytest.raises(ConfigError):
        retained(fact("event"), NOW, use_gain=-1.0)
