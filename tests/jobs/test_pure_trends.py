"""Trends of mood and energy: labels of both languages, laws of direction, and how often chance is taken for a trend."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.llm.rules.emotion import detect
from arandu_lab.pure.trends import LEAST, by_speaker, trend, valence
from arandu_lab.records import Event

NOW = datetime(2025, 1, 1, tzinfo=UTC)
values = st.lists(st.floats(-1.0, 1.0), min_size=LEAST, max_size=30)


def moments(n: int) -> list[datetime]:
    return [NOW + timedelta(days=day) for day in range(n)]


def event(
    day: int, label: str | None, intensity: float | None = 0.8, speaker: str = "Ana", energy: str | None = "low"
) -> Event:
    at = NOW + timedelta(days=day)
    return Event(
        id=f"{speaker}{day}", agent_id="a", text="t", speaker=speaker, occurred_at=at, recorded_at=at, emotion=label,
        emotion_intensity=intensity, energy=energy,
    )  # fmt: skip


@given(values)
def test_backwards_is_the_other_way(line) -> None:
    """Read backwards, and with pleasure and pain exchanged, a trend turns; both together leave it as it was."""
    there = trend(moments(len(line)), line)
    turn = {"rising": "falling", "falling": "rising", "steady": "steady"}
    assert trend(moments(len(line)), line[::-1]).direction == turn[there.direction]
    assert trend(moments(len(line)), [-value for value in line]).direction == turn[there.direction]
    assert trend(moments(len(line)), [-value for value in line[::-1]]).change == pytest.approx(there.change)


@given(values, st.randoms(use_true_random=False))
def test_order_of_reading_never_shows(line, chance) -> None:
    """Readings are put in the order of their moments; no number in between changes anything."""
    told = list(zip(moments(len(line)), line, strict=True))
    mixed = [*chance.sample(told, len(told)), (NOW, float("nan"))]
    assert trend([moment for moment, _ in mixed], [value for _, value in mixed]) == trend(moments(len(line)), line)


@given(values)
def test_a_direction_has_a_step(line) -> None:
    """What rises ends higher than it began by the step, what is said is counted, and a constant is steady."""
    there = trend(moments(len(line)), line)
    assert there.change == pytest.approx(there.after - there.before)
    assert there.n == len(line)
    assert (there.since, there.until) == (moments(len(line))[0], moments(len(line))[-1])
    assert there.direction == "steady" or abs(there.change) >= 0.25
    assert there.direction == "steady" or (there.direction == "rising") == (there.change > 0)
    assert trend(moments(len(line)), [line[0]] * len(line)).direction == "steady"


@pytest.mark.parametrize("n", [6, 12, 40, 1500])
def test_a_rise_is_seen(n) -> None:
    """From sadness to joy is a rise, whatever the number of readings, and under some noise."""
    noise = np.random.default_rng(n).normal(scale=0.1 if n > 6 else 0.0, size=n)
    assert trend(moments(n), np.linspace(-0.7, 0.7, n) + noise).direction == "rising"


def test_small_and_even_steps() -> None:
    """A rise that nobody would notice is steady, however even; half neutral and then half joy is a rise, ties and all."""
    assert trend(moments(20), np.linspace(0.0, 0.2, 20)).direction == "steady"
    assert trend(moments(8), [0.0] * 4 + [0.8] * 4).direction == "rising"


def test_chance_is_seldom_a_trend() -> None:
    """Of a thousand shuffled lines fewer than one in twelve shows a direction."""
    rng = np.random.default_rng(11)
    lines = [trend(moments(12), rng.uniform(-1.0, 1.0, 12)) for _ in range(1000)]
    assert 0 < sum(line.direction != "steady" for line in lines) < 83


def test_too_little_says_nothing() -> None:
    """Five readings are none; a label that nobody knows, or none at all, is no reading and not a neutral one."""
    labels = ["sadness", "sadness", "fear", "hope", "joy"]
    assert by_speaker([event(day, label) for day, label in enumerate(labels)]) == {}
    unknown = [event(9, "zugzwang"), event(10, None), event(11, None)]
    assert by_speaker([*(event(day, label) for day, label in enumerate(labels)), *unknown]) == {}
    assert by_speaker([*(event(day, label) for day, label in enumerate(labels)), event(5, "joy")])["Ana"].n == 6


@pytest.mark.parametrize(
    "labels",
    [
        ["sadness", "fear", "tiredness", "neutral", "hope", "joy"],
        ["tristeza", "Medo", "cansaço", "neutro", "esperança", "alegria"],
    ],
)
def test_each_speaker_for_himself(labels) -> None:
    """The document's "her mood is getting better": Ana's mood rises, Bruno's falls, and each is told by name."""
    events = [event(day, label) for day, label in enumerate(labels)]
    events += [event(day, label, speaker="Bruno") for day, label in enumerate(reversed(labels))]
    found = by_speaker(events)
    assert {name: line.direction for name, line in found.items()} == {"Ana": "rising", "Bruno": "falling"}


def test_energy() -> None:
    """Energy is read apart from mood: the same labels with more and more energy."""
    levels = ["low", "low", "medium", "medium", "high", "high"]
    events = [event(day, "neutral", energy=level) for day, level in enumerate(levels)]
    assert by_speaker(events, "energy")["Ana"].direction == "rising"
    assert by_speaker(events)["Ana"].direction == "steady"
    assert by_speaker([event(day, "neutral", energy=None) for day in range(9)], "energy") == {}


@pytest.mark.parametrize(
    ("said", "language", "pleasant"),
    [("I'm so happy!!!", "en", True), ("Estou muito triste hoje", "pt", False), ("I am scared and worried", "en", False),
     ("Obrigada!", "pt", True), ("Que nojo", "pt", False), ("Estou cansada", "pt", False), ("fingers crossed, hopefully", "en", True)],
)  # fmt: skip
def test_the_table_knows_what_extraction_says(said, language, pleasant) -> None:
    """Labels as extraction gives them have a valence of the right sign."""
    assert (valence(detect(said, language)["label"]) > 0) is pleasant
