"""Rows of a workspace for trials of a store: one of each kind, and random ones."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np

from arandu_lab.knowledge import (
    AccessGrant,
    Domain,
    EpisodicEdge,
    HotItem,
    Knowledge,
    MemoryConflict,
    MemoryFact,
    MemoryPolicy,
    Sighting,
    WorkingMemory,
)

KINDS = (
    *(Domain, MemoryFact, MemoryPolicy, WorkingMemory, Sighting, HotItem, AccessGrant, MemoryConflict),
    EpisodicEdge,
)
"""Every kind of row of ``arandu_lab.knowledge``, in the order of their tables."""


def knowledge_of(agent: str, word: str, at: datetime, *, number: str = "", dim: int = 0) -> list[Knowledge]:
    """One row of every kind that holds ``word``; ids do not depend on the workspace."""
    vector = np.full(dim, 0.25, dtype=np.float32) if dim else None
    said = f"canário {word}"
    return [
        Domain(id=f"d{number}", agent_id=agent, name=word, repo="api", recorded_at=at),
        MemoryFact(
            id=f"m{number}",
            agent_id=agent,
            domain=word,
            topic=word,
            content=said,
            memory_type="convention",
            veracity="tool",
            confidence=0.5,
            proposed_by=word,
            valid_from=at,
            recorded_at=at,
            source_observation_ids=("s",),
            last_mentioned_at=at,
            vector=vector,
        ),
        MemoryPolicy(
            id=f"p{number}",
            agent_id=agent,
            domain=word,
            rule=said,
            proposed_by="a",
            recorded_at=at,
            active=False,
            source_fact_ids=("m",),
        ),
        WorkingMemory(id=f"w{number}", agent_id=agent, agent=word, text=said, recorded_at=at, updated_at=at),
        Sighting(id=f"s{number}", agent_id=agent, agent=word, text=said, occurred_at=at, recorded_at=at),
        HotItem(id=f"h{number}", agent_id=agent, agent=word, session_id="s", text=said, recorded_at=at),
        AccessGrant(id=f"g{number}", agent_id=agent, role="*", domain=word, permission="none", recorded_at=at),
        MemoryConflict(
            id=f"c{number}",
            agent_id=agent,
            domain=word,
            topic=word,
            kept_id="m",
            lost_id="n",
            why="value",
            proposed_by="a",
            recorded_at=at,
            kept_evidence=(said, word),
        ),
        EpisodicEdge(
            id=f"e{number}", agent_id=agent, source_id="m", target_id=word, kind="topic", weight=0.5, recorded_at=at
        ),
    ]


def told(row: Knowledge) -> str:
    """The field of a row of ``knowledge_of`` in which the word stands."""
    match row:
        case Domain():
            return row.name
        case MemoryFact() | MemoryPolicy() | MemoryConflict() | AccessGrant():
            return row.domain
        case WorkingMemory() | Sighting() | HotItem():
            return row.agent
        case EpisodicEdge():
            return row.target_id


def random_knowledge(agent: str, rng: random.Random, at: datetime, dim: int) -> list[Knowledge]:
    """A few rows, new ones or other images of old ones; some with a vector, and times with other offsets."""
    number = str(rng.randrange(5))
    rows = knowledge_of(agent, rng.choice(("Iara", "小林", "D'Ávila 🌵\0")), at, number=number)
    chosen = rng.sample(rows, rng.randrange(1, len(rows) + 1))
    made = []
    for row in chosen:
        if isinstance(row, MemoryFact):
            vector = np.array([rng.gauss(0, 1) for _ in range(dim)], dtype=np.float32) if rng.random() < 0.6 else None
            row = replace(row, confidence=rng.random(), vector=vector, valid_until=at + timedelta(days=1))
        made.append(row)
    return made
