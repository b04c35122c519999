"""Rows for trials of a store, and names of agents that a careless store would trip over."""

from __future__ import annotations

import numpy as np

from arandu_lab.records import Alias, Cluster, Entity, Event, Fact, Link, Observation, Relationship, Row
from arandu_lab.testing.knowledge_rows import knowledge_of
from arandu_lab.testing.plain import DIM, START

HOSTILE = (
    "x' OR '1'='1",
    "'; DROP TABLE facts; --",
    '"',
    "`",
    "a\0b",
    "a",
    "🌵",
    "\u202eאבג",
    "../../x",
    "%",
    "_",
    "\\",
    "a\nb",
    "x" * 10_000,
    " ",
    "José",
    "Jose\u0301",
)


def rows_of(agent: str, word: str, dim: int = DIM) -> list[Row]:
    """One row in every table, all with the same ids whoever the agent is."""
    made = Fact(
        id="f",
        agent_id=agent,
        entity_key="k",
        entity_name="Iara",
        text=f"canário {word}",
        confidence=0.5,
        importance=0.5,
        category="c",
        speaker="s",
        source_event_id="e",
        valid_from=START,
        recorded_at=START,
        premise_ids=("g",),
        stale_since=START,
        stale_why="premise",
        vector=np.full(dim, 0.25, dtype=np.float32),
    )
    return [
        Event(id="e", agent_id=agent, text=f"canário {word}", speaker="s", occurred_at=START, recorded_at=START),
        made,
        Entity(key="k", agent_id=agent, name=word, type="person", recorded_at=START),
        Alias(folded="iara", agent_id=agent, entity_key="k", name=word, recorded_at=START),
        Link(fact_id="f", agent_id=agent, entity_key="k", primary=True, recorded_at=START),
        Relationship(
            id="r",
            agent_id=agent,
            source_key="k",
            target_key="k",
            rel_type=word,
            strength=0.5,
            evidence_fact_ids=("f",),
            valid_from=START,
            recorded_at=START,
        ),
        Cluster(
            id="c",
            agent_id=agent,
            label=word,
            summary=f"canário {word}",
            fact_ids=("f",),
            recorded_at=START,
            entity_key="k",
            details='{"digest": "0"}',
        ),
        Observation(
            id="o",
            agent_id=agent,
            kind="insight",
            text=f"canário {word}",
            confidence=0.5,
            evidence_ids=("f", "e"),
            recorded_at=START,
            details='{"digest": "0"}',
        ),
        *knowledge_of(agent, word, START, dim=dim),
    ]


def said(agent: str, number: int, text: str = "t") -> Event:
    """A turn."""
    return Event(
        id=f"e{number}", agent_id=agent, text=text, speaker="s", occurred_at=START, recorded_at=START, vector=None
    )
