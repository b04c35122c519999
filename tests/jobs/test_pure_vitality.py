"""Vitality: the document's numbers, and laws that hold for every fact (J5, J6)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from arandu_lab.pure import vitality as vital
from arandu_lab.records import Fact

NOW = datetime(2025, 6, 1, tzinfo=UTC)
DAY = timedelta(days=1)
WHAT = ("times_retrieved", "days_since_used", "confidence", "reinforcement", "corrections")

counts = st.integers(0, 200)
facts = st.fixed_dictionaries(
    {
        "times_retrieved": counts,
        "days_since_used": st.floats(0.0, 4000.0),
        "confidence": st.floats(0.0, 1.0),
        "reinforcement": st.integers(0, 20),
        "corrections": st.integers(0, 10),
        "closed": st.just(False),
    }
)


def fact(**more: Any) -> Fact:
    return Fact(
        **{
            "id": "f", "agent_id": "a", "entity_key": "person:ana", "entity_name": "Ana", "text": "Ana likes tea",
            "confidence": 1.0, "importance": 0.5, "category": "unknown", "speaker": "s", "source_event_id": "e",
            "valid_from": NOW, "recorded_at": NOW,
        }
        | more
    )  # fmt: skip


@pytest.mark.parametrize(
    ("times", "days", "confidence", "reinforcement", "corrections", "closed", "value"),
    [
        (10, 0.0, 1.0, 5, 0, False, 0.90),  # the ceiling: .30 + .25 + .20 + .15
        (10_000, 0.0, 1.0, 500, 0, False, 0.90),  # and nothing lies above it
        (10, 0.0, 1.0, 5, 0, True, 0.0),  # superseded
        (10, 0.0, 1.0, 5, 1, False, 0.72),  # .8 a correction
        (10, 0.0, 1.0, 5, 3, False, 0.90 * 0.512),
        (0, 30.0, 0.0, 0, 0, False, 0.125),  # half of recency at the half-life
        (0, 60.0, 0.0, 0, 0, False, 0.0625),
        (10, np.inf, 0.0, 0, 0, False, 0.30),
        (0, np.inf, 0.5, 0, 0, False, 0.10),
        (0, np.inf, 0.0, 2, 0, False, 0.06),
        (0, np.inf, 0.0, 0, 0, False, 0.0),
    ],
)
def test_documented_values(times, days, confidence, reinforcement, corrections, closed, value) -> None:
    """The weights, the ceiling .90, 0 for what is superseded and .8 a correction come out as documented."""
    assert vital.vitality(times, days, confidence, reinforcement, corrections, closed) == pytest.approx(
        value, abs=1e-12
    )


@given(facts)
def test_between_nothing_and_the_ceiling(what) -> None:
    """Vitality lies in 0 to .90 for every fact, and a closed one has none."""
    assert 0.0 <= vital.vitality(**what) <= vital.CEILING
    assert vital.vitality(**{**what, "closed": True}) == 0.0


@given(facts, st.sampled_from(WHAT), st.integers(1, 50))
def test_monotone(what, name, more) -> None:
    """More retrievals, confidence and confirmations never lower it; more age and corrections never raise it."""
    step = more / 50 if name == "confidence" else more
    raised = {**what, name: min(what[name] + step, 1.0) if name == "confidence" else what[name] + step}
    before, after = vital.vitality(**what), vital.vitality(**raised)
    assert after <= before + 1e-12 if name in ("days_since_used", "corrections") else after >= before - 1e-12


@given(facts)
def test_each_correction_leaves_four_fifths(what) -> None:
    """One correction more multiplies by .8, however many there were."""
    once = vital.vitality(**{**what, "corrections": what["corrections"] + 1})
    assert once == pytest.approx(0.8 * vital.vitality(**what), abs=1e-12)


@given(st.lists(facts, min_size=1, max_size=8))
def test_an_array_is_its_facts(many) -> None:
    """A column gives each fact the number it has alone (powers of numpy differ in the last digit with an array's length)."""
    columns = {name: np.array([one[name] for one in many]) for name in (*WHAT, "closed")}
    assert vital.vitality(**columns).tolist() == pytest.approx([vital.vitality(**one) for one in many], rel=1e-12)


@given(facts, st.floats(0.0, 1.0), st.floats(0.0, 1.0), st.floats(0.01, 1.0))
def test_stale(what, threshold, importance, keep) -> None:
    """What is at the threshold or above is not stale; what is important enough never is; nothing below both escapes."""
    alive = vital.vitality(**what)
    assert vital.stale(alive, importance, threshold, keep) == (alive < threshold and importance < keep)
    assert not vital.stale(alive, keep, threshold, keep)
    assert not vital.stale(threshold, 0.0, threshold, keep)


@given(facts, st.floats(0.0, 1.0))
def test_a_mark_goes_when_vitality_returns(what, threshold) -> None:
    """There is no hysteresis: a fact that is stale and is used again is stale only if its new number says so (J5)."""
    assume(vital.stale(vital.vitality(**what), 0.0, threshold, 1.0))
    again = vital.vitality(**{**what, "days_since_used": 0.0, "times_retrieved": what["times_retrieved"] + 10})
    assert vital.stale(again, 0.0, threshold, 1.0) == (again < threshold)


def test_used_is_the_latest() -> None:
    """Recalled, confirmed, begun or said: the latest counts, so what was mentioned lately is kept."""
    old = fact(valid_from=NOW - 400 * DAY)
    assert vital.used_at(old) == NOW - 400 * DAY
    assert vital.used_at(old, NOW - 3 * DAY) == NOW - 3 * DAY
    assert vital.used_at(fact(valid_from=NOW - 400 * DAY, last_confirmed_at=NOW - 2 * DAY)) == NOW - 2 * DAY
    recalled = fact(last_retrieved_at=NOW - DAY, last_confirmed_at=NOW - 9 * DAY, valid_from=NOW - 99 * DAY)
    assert vital.used_at(recalled) == NOW - DAY


def test_of_facts() -> None:
    """Facts of a store: an end that lies ahead leaves a fact alive, an end that came does not; what is yet to begin is new."""
    rows = [
        fact(times_retrieved=10, reinforcement_count=5),
        fact(times_retrieved=10, reinforcement_count=5, user_correction_count=1),
        fact(valid_from=NOW - 30 * DAY, valid_to=NOW, closed_by="update"),
        fact(valid_from=NOW - 30 * DAY, valid_to=NOW + DAY, closed_by="stated"),
        fact(valid_from=NOW + 30 * DAY),
        fact(valid_from=NOW - 30 * DAY),
        fact(valid_from=NOW - 3000 * DAY, source_event_id="told"),
    ]
    found = vital.of_facts(rows, NOW, said_at={"told": NOW})
    assert found == pytest.approx([0.90, 0.72, 0.0, 0.325, 0.45, 0.325, 0.45])
    assert vital.of_facts([], NOW).shape == (0,)
