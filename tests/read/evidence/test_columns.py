"""Laws of the columns: what was said when decides, not the order of writing, nor what came later, nor who else remembers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arandu_lab.errors import ConfigError
from arandu_lab.read.evidence import COLUMNS, FAMILIES
from arandu_lab.read.evidence.columns import written
from arandu_lab.read.evidence.reel import MARKS, reel_of
from arandu_lab.read.evidence.spans import Spans
from arandu_lab.read.preset import reading_tuned
from arandu_lab.store.journal import Unit
from arandu_lab.store.view import AgentView

NOW = datetime(2026, 3, 30, 12, tzinfo=UTC)
QUESTIONS = ("When did Ana paint in March?", "Onde a Bia pintou?", "What does Ana like?", "Quais livros?")
LINES = st.lists(
    st.sampled_from(
        (
            "Ana: I painted the lake yesterday with my sister.",
            "Bia: Que lindo! Você pintou em Recife?",
            "Ana: Yes, I love painting. What about you?",
            "Bia: Eu comprei dois livros de pintura.",
            "Ana: ok",
            "--",
            "Carla: We went to São Paulo in 2019 [image: a lake]",
            "Ana: because I wanted to!!! 🎨",
        )
    ),
    min_size=1,
    max_size=9,
)


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=LINES, seed=st.integers(0, 99), question=st.sampled_from(QUESTIONS))
async def test_order_of_insertion_does_not_show(lines, seed, question, talk, columns):
    """Turns that reach the store in another order have the same columns."""
    w = talk(*lines)
    assert await columns(w, question, shuffle=seed) == await columns(w, question)


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=LINES, later=LINES, question=st.sampled_from(QUESTIONS))
async def test_what_is_said_later_does_not_leak(lines, later, question, talk, columns):
    """A question about a moment has the same columns whether or not turns were said after it: no rarity, no mean length,
    no speaker, no session end of theirs shows."""
    before = talk(*lines)
    both = talk(*lines)
    if not before.events:
        return
    last = before.events[-1].occurred_at
    for place, line in enumerate(one for one in later if one != "--"):
        speaker, _, text = line.partition(": ")
        both.turn(text, speaker=speaker, session_id="s0", days=20.0 - place / 1440.0)
    query = {"as_of": last + timedelta(seconds=30)}
    assert await columns(both, question, query=query) == await columns(before, question, query=query)


async def test_what_was_not_known_yet_does_not_leak(talk, columns):
    """As known at a moment, a turn recorded later is closed and counts in no statistic, though it was said before."""
    lines = ("Ana: I painted a lake", "Bia: A lake! Which lake?")
    plain, late = talk(*lines), talk(*lines)
    said = plain.events[0].occurred_at - timedelta(hours=1)
    late.turn("lake lake lake", speaker="Ana", session_id="s-1", id="late", occurred_at=said, recorded_at=NOW)
    query = {"known_at": NOW - timedelta(days=1)}
    assert await columns(late, "Which lake did Ana paint?", query=query) == await columns(
        plain, "Which lake did Ana paint?", query=query
    )


async def test_another_agent_does_not_show(talk, columns):
    """Whatever another agent heard between two turns, an agent's columns stay as they are."""
    mine = talk("Ana: I painted a lake", "Bia: Nice")
    alone = await columns(mine, "What did Ana paint?")
    other = talk("Zoe: Ana painted a castle, a lake, a lake", "Zoe: lake")
    await columns(other, "What did Ana paint?")
    assert await columns(mine, "What did Ana paint?") == alone


async def test_every_stage_writes_the_columns_of_its_family(talk, columns):
    """All columns that are announced are written, each by its own stage, and none besides."""
    found = await columns(talk("Ana: I painted a lake"), "What did Ana paint?")
    assert set(found) == set(COLUMNS)
    names = reading_tuned().names()
    assert all(family in names for family in FAMILIES)


async def test_no_turn_no_columns_no_error(world, columns):
    """A memory without a turn has columns without a row."""
    found = await columns(world(), "What did Ana paint?")
    assert set(found) == set(COLUMNS)
    assert not any(found.values())


def test_a_family_writes_what_it_says():
    """A stage that writes other columns than its family announces is refused."""
    with pytest.raises(ConfigError, match="says it writes"):
        written(None, None, "speakers", {"spk_one": np.zeros(1)})  # type: ignore[arg-type]


async def test_a_reel_that_grew_is_one_made_at_once(talk):
    """Turn by turn or all at once: the same arrays; an older view keeps seeing its own turns only."""
    w = talk("Ana: I painted a lake", "Bia: Eu moro em Recife", "--", "Ana: Nice! Where?")
    whole = reel_of(await w.view())
    grown = AgentView.of(w.agent_id)
    views = []
    for seq, event in enumerate(w.events, 1):
        grown = grown.advance(_unit(w, event, seq))
        assert len(reel_of(grown)) == seq
        views.append(grown)
    one = reel_of(grown)
    words = ("token", "exact", "fresh", "row", "sentence", "sentence_row", "member", "member_row")
    for name in ("at", "speaker", "language", "size", *words):
        assert np.array_equal(getattr(one, name), getattr(whole, name)), name
    assert all(np.array_equal(one.marks[name], whole.marks[name]) for name in MARKS)
    assert np.array_equal(one.spans.number, whole.spans.number)
    assert [len(reel_of(view)) for view in views] == [1, 2, 3]
    assert len(reel_of(views[0]).token) == whole.row.tolist().count(0)
    assert len(reel_of(views[0]).sentence) == whole.sentence_row.tolist().count(0)
    assert len(reel_of(views[0]).member) == whole.member_row.tolist().count(0) > 0


async def test_growing_reads_only_what_is_new(talk, monkeypatch):
    """A question after one more turn reads that turn and no other."""
    w = talk(*(f"Ana: lake number {number}" for number in range(6)))
    view = AgentView.of(w.agent_id)
    read: list[int] = []
    plain = AgentView.event_at
    monkeypatch.setattr(AgentView, "event_at", lambda self, place: read.append(place) or plain(self, place))
    for seq, event in enumerate(w.events, 1):
        view = view.advance(_unit(w, event, seq))
        reel_of(view)
        reel_of(view)
    assert read == [0, 1, 2, 3, 4, 5]


async def test_a_late_turn_takes_its_place_in_time(talk):
    """A turn that arrives late stands where it was said, as if it had come in time."""
    w = talk("Ana: I painted a lake", "Bia: Which one?", "Ana: The big one")
    view = AgentView.of(w.agent_id)
    for seq, place in enumerate((0, 2, 1), 1):
        view = view.advance(_unit(w, w.events[place], seq))
    in_time = reel_of(await w.view())
    assert np.array_equal(reel_of(view).at, in_time.at)
    assert reel_of(view).marks["ends_asking"].tolist() == [0.0, 1.0, 0.0]


def _unit(w, event, seq):
    return Unit(
        seq=seq,
        id=f"u{seq}",
        agent_id=w.agent_id,
        kind="turn",
        recorded_at=event.recorded_at,
        rows=(event,),
        born=(seq << 20,),
    )


@given(st.lists(st.integers(0, 1), min_size=1, max_size=12), st.integers(0, 3), st.integers(0, 3))
def test_windows_are_sums_of_what_lies_around_in_the_session(steps, before, after):
    """A window's sum is that of the turns from ``before`` to ``after`` that share the session."""
    number = np.cumsum(steps)
    values = np.arange(1.0, len(number) + 1.0)
    spans = Spans.of(number)
    for place in range(len(number)):
        around = range(max(0, place - before), min(len(number), place + after + 1))
        assert spans.window(values, before, after)[place] == sum(
            values[other] for other in around if number[other] == number[place]
        )
    assert spans.best(values).tolist() == [max(values[number == one]) for one in number]
    assert spans.shifted(values, 1).tolist() == [
        values[place + 1] if place + 1 < len(number) and number[place + 1] == number[place] else 0.0
        for place in range(len(number))
    ]
