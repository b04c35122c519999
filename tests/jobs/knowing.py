"""Facts put into a memory as they are, and memify run over them: what the tests of memify share."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime
from typing import Any

from at_rest import AGENT, T0, Bench

from arandu_lab.llm.scripted import Scripted
from arandu_lab.records import Alias, Changes, Entity, Event, Fact, Link, Row

QUIET = {"distil": {"facts": []}, "premises": {"rests": []}}


def scripted(**by_task: Any) -> Scripted:
    """A model that finds nothing in either question, but for what is given."""
    return Scripted(by_task={**QUIET, **by_task})


def fact(fact_id: str, text: str, at: datetime = T0, who: str = "Ana", **more: Any) -> Fact:
    """A fact told by its own subject, in a turn of its own."""
    return Fact(
        id=fact_id,
        agent_id=AGENT,
        entity_key=f"person:{who.lower()}",
        entity_name=who,
        text=text,
        confidence=more.pop("confidence", 0.9),
        importance=more.pop("importance", 0.5),
        category=more.pop("category", "routine_activity"),
        speaker=who,
        source_event_id=f"e{fact_id}",
        valid_from=at,
        recorded_at=at,
        last_confirmed_at=more.pop("last_confirmed_at", at),
        **more,
    )


def put(bench: Bench, *facts: Fact, more: tuple[Row, ...] = ()) -> None:
    """Store facts with their turns, entities, names, links and vectors."""
    vectors = asyncio.run(bench.memory.embed([one.text for one in facts]))
    rows: dict[Any, Row] = {}
    for one, vector in zip(facts, vectors, strict=True):
        key, name = one.entity_key, one.entity_name
        rows["entity", key] = Entity(key=key, agent_id=AGENT, name=name, type="person", recorded_at=T0)
        rows["alias", key] = Alias(folded=name.lower(), agent_id=AGENT, entity_key=key, name=name, recorded_at=T0)
        rows["event", one.source_event_id] = Event(
            id=one.source_event_id, agent_id=AGENT, text=f"({one.text})", speaker=one.speaker,
            occurred_at=one.valid_from, recorded_at=one.recorded_at,
        )  # fmt: skip
        rows["fact", one.id] = one if one.vector is not None else replace(one, vector=vector)
        rows["link", one.id] = Link(fact_id=one.id, agent_id=AGENT, entity_key=key, primary=True, recorded_at=T0)
    unit = f"write:e{bench.memory.store.view(AGENT).sequence}"
    bench.memory.commit(Changes(agent_id=AGENT, rows=(*rows.values(), *more)), unit_id=unit)


def stored(bench: Bench, fact_id: str) -> Fact:
    """A fact as it is now."""
    found = bench.memory.store.view(AGENT).fact(fact_id)
    assert found is not None
    return found


def everything(bench: Bench) -> dict[str, Fact]:
    """All facts by id, closed ones too."""
    return {row.id: row for row in bench.memory.store.view(AGENT).rows() if isinstance(row, Fact)}
