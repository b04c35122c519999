"""A memory whose model states one fact per sentence, and what the tests of forgetting do with it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from arandu_lab import Memory
from arandu_lab.llm.scripted import read_block
from arandu_lab.records import MIRROR, Changes, Entity, Fact, Relationship

T0 = datetime(2025, 1, 1, 12, tzinfo=UTC)
SECRET = "O cofre da Íris abre com ZQX-4417"
PLAIN = "Íris mora em Belém"


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = T0 + timedelta(days=30)

    def __call__(self) -> datetime:
        return self.now


def answers(messages: Any) -> dict[str, Any]:
    """One fact per sentence of the message; "A is the boss of B" is a relation too."""
    _, said = read_block(messages)
    facts, entities, relations = [], {}, []
    for part in said["message"].split(". "):
        text = part.strip(" .")
        named = sorted((text.index(one), one) for one in ("Íris", "Otto", "Bob") if one in text)
        name = named[0][1] if named else "Bob"
        entities[name] = {"name": name, "type": "person"}
        facts.append({"subject": name, "text": text})
        if " manages " in text:
            other = text.split(" manages ")[1]
            entities[other] = {"name": other, "type": "person"}
            relations.append({"source": name, "type": "manages", "target": other})
    return {"entities": list(entities.values()), "facts": facts, "relations": relations}


def bytes_hold(path: str, word: str) -> list[str]:
    """Files whose raw bytes hold a word."""
    return [str(one) for one in Path(path).rglob("*") if one.is_file() and word.encode() in one.read_bytes()]


async def told(memory: Memory, text: str, day: int = 0, agent: str = "a", speaker: str = "Bob") -> Any:
    return await memory.write(agent, text, speaker, occurred_at=T0 + timedelta(days=day))


def fact_of(memory: Memory, text: str, agent: str = "a") -> str:
    frame = memory.facts(agent)
    return str(frame.filter(frame["text"] == text)["id"][0])


def seeded(memory: Memory, agent: str = "a") -> None:
    """An edge with a stated fact and a mirror, a version chain, and a confirmation by a second turn."""

    def fact(fact_id: str, text: str, **more: Any) -> Fact:
        return Fact(
            id=fact_id, agent_id=agent, entity_key="person:otto", entity_name="Otto", text=text, confidence=0.9,
            importance=0.5, category="c", speaker="Bob", source_event_id="e1", valid_from=T0, recorded_at=T0, **more,
        )  # fmt: skip

    edge = Relationship(
        id="r1", agent_id=agent, source_key="person:otto", target_key="place:natal", rel_type="lives_in", strength=0.8,
        evidence_fact_ids=("s", "m"), valid_from=T0, recorded_at=T0,
    )  # fmt: skip
    rows = (
        Entity(key="person:otto", agent_id=agent, name="Otto", type="person", recorded_at=T0),
        Entity(key="place:natal", agent_id=agent, name="Natal", type="place", recorded_at=T0),
        fact("s", "Otto has a flat by the sea in Natal"),
        fact("m", "Otto lives in Natal", source_context=MIRROR),
        fact("v1", "Otto drinks mate"),
        fact("v2", "Otto drinks coffee", supersedes_fact_id="v1"),
        fact("v3", "Otto drinks tea", supersedes_fact_id="v2"),
        edge,
    )
    memory.commit(Changes(agent_id=agent, rows=rows), unit_id="write:e1")
