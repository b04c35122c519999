"""Retrieving while somebody writes: whole units only, nothing old, and no table is touched."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from arandu_lab import Memory
from arandu_lab.records import Entity, Fact, Link, Row
from arandu_lab.results import RetrieveResult

AGENT = "a"
NOW = datetime(2026, 3, 1, tzinfo=UTC)
ASKED = "Where was Ana seen?"
PLAIN = {"enable_reranker": False, "auto_reinforce": False, "min_score": 0.0}
TASKS, UNITS = 8, 12


def twins(number: int, vector: Any) -> list[Row]:
    """Two facts that come together, and the end of one that came before."""
    rows: list[Row] = [Entity(key="person:ana", agent_id=AGENT, name="Ana", type="person", recorded_at=NOW)]
    for half in (0, 1):
        since = NOW - timedelta(days=30 - number)
        over = NOW - timedelta(hours=1) if half and number % 3 == 0 else None
        made = Fact(
            id=f"f{number:02d}{half}",
            agent_id=AGENT,
            entity_key="person:ana",
            entity_name="Ana",
            text=f"Ana was seen at {number} {half}",
            confidence=0.9,
            importance=0.5,
            category="routine_activity",
            speaker="x",
            source_event_id="e",
            valid_from=since,
            recorded_at=since,
            valid_to=over,
            invalidated_at=over,
            vector=vector,
        )
        rows += [made, Link(fact_id=made.id, agent_id=AGENT, entity_key="person:ana", primary=True, recorded_at=NOW)]
    return rows


def answer(result: RetrieveResult) -> Any:
    """What an answer says, without its times."""
    return result.context, [(fact.id, fact.score) for fact in result.facts], result.frame.rows()


async def asked(memory: Memory) -> Any:
    """The answer of the newest view, and that view's sequence; no other task runs between the two."""
    sequence = memory.store.view(AGENT).sequence
    return sequence, answer(await memory.retrieve(AGENT, ASKED, now=NOW, config_overrides=PLAIN))


async def test_eight_tasks_beside_a_writer_see_whole_units() -> None:
    """Each answer equals that of a memory that stopped at some unit, not before the last one acknowledged."""
    with Memory.open("memory://", embedder="hashing") as still, Memory.open("memory://", embedder="hashing") as memory:
        vector = (await memory.embed([ASKED]))[0]
        frozen = [(await asked(still))[1]]
        for number in range(UNITS):
            still.store.append("edit", AGENT, twins(number, vector), unit_id=f"u{number}", recorded_at=NOW)
            frozen.append((await asked(still))[1])
        assert len({context for context, *_ in frozen}) > UNITS / 2
        seen: list[tuple[int, int, Any]] = []

        async def read() -> None:
            while len(seen) < 10_000 and memory.store.view(AGENT).sequence < UNITS:
                least, found = await asked(memory)
                seen.append((least, memory.store.view(AGENT).sequence, found))
                await asyncio.sleep(0)

        async def write() -> None:
            for number in range(UNITS):
                rows = twins(number, vector)
                await asyncio.to_thread(memory.store.append, "edit", AGENT, rows, unit_id=f"u{number}", recorded_at=NOW)
                await asyncio.sleep(0.002)

        await asyncio.gather(write(), *(read() for _ in range(TASKS)))
    assert len({least for least, *_ in seen}) > 2
    for least, most, found in seen:
        assert found in frozen[least : most + 1]


async def test_a_view_kept_across_writes_answers_as_it_did() -> None:
    """A frozen view gives the arrays and words that it gave before, whatever is added or ended since."""
    with Memory.open("memory://", embedder="hashing") as memory:
        vector = (await memory.embed([ASKED]))[0]
        memory.store.append("edit", AGENT, twins(1, vector), unit_id="u", recorded_at=NOW)
        view = memory.store.view(AGENT)
        before = [
            view.facts.matrix.copy(),
            view.facts.live(as_of=NOW),
            view.facts.matching("ana"),
            list(view.facts.ids),
        ]
        again = twins(1, vector)
        for number in range(2, 40):
            memory.store.append("edit", AGENT, [*again, *twins(number, vector)], unit_id=f"u{number}", recorded_at=NOW)
        after = [view.facts.matrix, view.facts.live(as_of=NOW), view.facts.matching("ana"), list(view.facts.ids)]
        for one, other in zip(before, after, strict=True):
            np.testing.assert_array_equal(one, other)


async def test_the_hot_path_touches_no_table(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once an agent is loaded, an answer comes from memory: every table of the store raises, and nothing notices."""
    with Memory.open(tmp_path / "m", embedder="hashing") as memory:
        vector = (await memory.embed([ASKED]))[0]
        memory.store.append("edit", AGENT, twins(1, vector), unit_id="u", recorded_at=NOW)
        wanted = await asked(memory)

        class Broken:
            def __getattr__(self, name: str) -> Any:
                raise AssertionError(f"{name} of a table, on the hot path")

        with monkeypatch.context() as patch:
            for name in memory.store._tables._handles:
                patch.setitem(memory.store._tables._handles, name, Broken())
            assert await asked(memory) == wanted
            with pytest.raises(AssertionError, match="hot path"):
                memory.store._tables.meta()
