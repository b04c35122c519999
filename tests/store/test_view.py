"""Views: frozen for readers, cheap for the writer, and the truth about time."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from arandu_lab.records import Event, Fact, Link, Row
from arandu_lab.store import AgentView
from arandu_lab.store.journal import Unit
from arandu_lab.store.schema import row_key, stored_key
from arandu_lab.testing.plain import DIM, START, Plain


def unit(view: AgentView, rows: list[Row], removed: list[Row] | None = None) -> Unit:
    """The unit that a store would make of these rows."""
    seq = view.sequence + 1
    images = list({row_key(row): row for row in rows}.values())
    births = [view.born(row) for row in images]
    return Unit(
        id=f"u{seq}",
        seq=seq,
        kind="write",
        agent_id=view.agent_id,
        recorded_at=START,
        rows=tuple(images),
        born=tuple((seq << 20) | place if born is None else born for place, born in enumerate(births)),
        removed=tuple(stored_key(row) for row in removed or []),
    )


def fact(number: int, **changes: object) -> Fact:
    """A fact of agent ``ana``."""
    made = Fact(
        id=f"f{number}",
        agent_id="ana",
        entity_key="person:iara",
        entity_name="Iara",
        text=f"Iara cria abelhas número {number}",
        confidence=0.9,
        importance=0.5,
        category="c",
        speaker="Iara",
        source_event_id="e",
        valid_from=START,
        recorded_at=START,
        vector=np.full(DIM, 0.25, dtype=np.float32),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(8))
def test_a_kept_view_never_changes(seed: int) -> None:
    """I5: whatever is written later, a view kept across it (looked at before or not) says what it said."""
    rng = random.Random(seed)
    plain, view = Plain("ana"), AgentView.of("ana")
    kept = []
    for _ in range(40):
        rows, removed = plain.unit(rng)
        if rng.random() < 0.4:
            shown = view.facts.matrix if rng.random() < 0.5 else None
            kept.append((Plain("ana", dict(plain.rows), plain.sequence), view, shown, view.events.matrix))
        step = unit(view, rows, removed)
        view = view.advance(step)
        plain.apply(rows, removed, step.seq)
    plain.agree(view, rng)
    for before, old, *_ in kept:
        before.agree(old, random.Random(0))


def test_a_chunk_boundary_is_no_boundary() -> None:
    """Rows beyond the first chunk are found, replaced and frozen like those before it."""
    view = AgentView.of("ana")
    view = view.advance(unit(view, [fact(number) for number in range(2500)]))
    before = view
    changed = [fact(number, reinforcement_count=7) for number in (0, 1023, 1024, 2499)]
    view = view.advance(unit(view, list(changed)))
    assert view.facts.reinforcement.sum() == 28
    assert before.facts.reinforcement.sum() == 0
    assert before.fact("f1024") == fact(1024)
    assert view.fact_at(1024).reinforcement_count == 7


def test_the_rule_of_time() -> None:
    """E8, E10: half-open intervals; as known before the closing the row is open; an empty interval is never live."""
    day = timedelta(days=1)
    closed = fact(1, valid_to=START + 10 * day, invalidated_at=START + 20 * day, closed_by="update")
    planned = fact(2, valid_to=START + 5 * day)
    empty = fact(3, valid_to=START)
    view = AgentView.of("ana")
    view = view.advance(unit(view, [closed, planned, empty]))

    def live(as_of: float, known_at: float | None = None) -> list[bool]:
        known = None if known_at is None else START + known_at * day
        return view.facts.live(as_of=START + as_of * day, known_at=known).tolist()

    assert live(-1) == [False, False, False]
    assert live(0) == [True, True, False]
    assert live(4.999) == [True, True, False]
    assert live(5) == [True, False, False]
    assert live(10) == [False, False, False]
    assert live(15, known_at=19.9) == [True, False, False]
    assert live(15, known_at=20) == [False, False, False]
    assert live(1, known_at=-0.1) == [False, False, False]


def test_a_write_does_not_grow_with_the_memory() -> None:
    """H7: one more fact (and one closing) in 30,000 costs about what it costs in 300."""

    def cost(size: int) -> float:
        view = AgentView.of("ana")
        view = view.advance(unit(view, [fact(number) for number in range(size)]))
        spent = []
        for number in range(size, size + 40):
            closing = fact(number - size, valid_to=START, invalidated_at=START)
            link = Link(fact_id=f"f{number}", agent_id="ana", entity_key="k", primary=True, recorded_at=START)
            step = unit(view, [fact(number), link, closing])
            begun = time.perf_counter()
            view = view.advance(step)
            spent.append(time.perf_counter() - begun)
        return sorted(spent)[len(spent) // 2]

    assert cost(30_000) < 8 * cost(300)


def test_late_turns_take_their_place_in_time() -> None:
    """E15: a turn that arrives late stands where it was said, with its vector and its words."""
    view = AgentView.of("ana")
    for number in (3, 1, 2):
        said = Event(
            id=f"e{number}",
            agent_id="ana",
            text=f"palavra{number}",
            speaker="Iara",
            occurred_at=START + timedelta(days=number),
            recorded_at=START,
            vector=np.full(DIM, number, dtype=np.float32),
        )
        view = view.advance(unit(view, [said]))
    assert list(view.events.ids) == ["e1", "e2", "e3"]
    assert view.events.matrix[:, 0].tolist() == [1, 2, 3]
    assert view.events.matching("palavra3")[0].tolist() == [2]
    assert view.event_at(0).id == "e1"
