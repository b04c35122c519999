"""Turns and facts put straight into a memory, and a model that says of them what a test wants: for tests of consolidation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from at_rest import AGENT, Bench

from arandu_lab.llm.open import open_minds
from arandu_lab.llm.scripted import Scripted, read_block
from arandu_lab.pure import ids
from arandu_lab.records import Alias, Entity, Event, Fact, Link, Observation, Row

RUNS = (("Ana", "Went for a run before work"), ("Ana", "Another run this morning"), ("Ana", "corri 8 km hoje cedo"))
PATTERN = {"kind": "pattern", "text": "Ana goes running in the morning.", "confidence": 0.5, "events": [0, 1, 2]}


def hear(bench: Bench, *said: tuple[str, str], hours: float = 1.0) -> list[str]:
    """Turns as they were said, of which nothing was read; their ids."""
    rows = []
    for speaker, text in said:
        event = ids.event_id(AGENT, None, bench.now, speaker, text)
        rows.append(
            Event(id=event, agent_id=AGENT, text=text, speaker=speaker, occurred_at=bench.now, recorded_at=bench.now)
        )
        bench.now += timedelta(hours=hours)
    bench.memory.store.append("write", AGENT, rows, unit_id=f"heard:{rows[0].id}", recorded_at=bench.now)
    return [row.id for row in rows]


def know(bench: Bench, name: str, *texts: str) -> list[str]:
    """Facts of one entity that hold from now on; their ids."""
    key = f"person:{name.lower()}"
    rows: list[Row] = [
        Entity(key=key, agent_id=AGENT, name=name, type="person", recorded_at=bench.now),
        Alias(folded=name.lower(), agent_id=AGENT, entity_key=key, name=name, recorded_at=bench.now),
    ]
    for text, vector in zip(texts, bench.do(bench.memory.embed(list(texts))), strict=True):
        fact = Fact(
            id=ids.derive("known", text),
            agent_id=AGENT,
            entity_key=key,
            entity_name=name,
            text=text,
            confidence=0.9,
            importance=0.5,
            category="unknown",
            speaker=name,
            source_event_id="elsewhere",
            valid_from=bench.now,
            recorded_at=bench.now,
            vector=vector,
        )
        rows += [
            fact,
            Link(fact_id=fact.id, agent_id=AGENT, entity_key=fact.entity_key, primary=True, recorded_at=bench.now),
        ]
        bench.now += timedelta(minutes=1)
    bench.memory.store.append("write", AGENT, rows, unit_id=f"known:{texts}", recorded_at=bench.now)
    return [row.id for row in rows if isinstance(row, Fact)]


def model(
    bench: Bench,
    observations: Sequence[Mapping[str, Any]] | Callable[[Mapping[str, Any]], Any] = (),
    emotions: Callable[[int], Mapping[str, Any]] | Any = None,
    **more: Any,
) -> Scripted:
    """Gives the memory a model that observes this; ``emotions`` says how turn ``i`` sounds, or is the whole answer."""

    def felt(messages: Any) -> Any:
        events = read_block(messages)[1]["events"]
        if emotions is not None and not callable(emotions):
            return emotions
        say = emotions or (lambda i: {"label": "neutral", "intensity": 0.2, "energy": "low"})
        return {"emotions": [{"i": one["i"], **say(one["i"])} for one in events]}

    def observed(messages: Any) -> Any:
        if callable(observations):
            return observations(read_block(messages)[1])
        return {"observations": [dict(one) for one in observations]}

    scripted = Scripted(by_task={"emotions": felt, "consolidate": observed, **more})
    bench.memory.llm = open_minds(scripted)
    return scripted


def standing(bench: Bench, kind: str | None = None) -> list[Observation]:
    """Observations that stand, of one kind or of all that are shown."""
    rows = bench.memory.store.view(AGENT).observations()
    return [row for row in rows if row.invalidated_at is None and row.kind == (kind or row.kind) and row.kind != "seen"]


def everything(bench: Bench) -> list[Any]:
    """Every row, as it is, in one order."""
    return sorted(map(repr, bench.memory.store.view(AGENT).rows()))
