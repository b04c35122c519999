"""What lies in the store: frozen rows. ``records`` gives them again beside what flows through a write; import from there.

``valid_*`` is when something holds in the world, ``recorded_at`` and ``invalidated_at`` when this memory learned it and
stopped believing it. Vectors are unit-length ``float32`` arrays and take no part in comparison. Times are aware datetimes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

Vector: TypeAlias = NDArray[np.float32]
ClosedBy: TypeAlias = Literal[
    "update", "delete", "correction", "late", "edge", "merge", "stated", "premise", "duplicate"
]
"""What ended a version; ``stated``: its end was told with it; ``premise``: a job found what it was concluded from over."""

Granularity: TypeAlias = Literal["day", "month", "year"]
"""How exactly a date was told. A week or a weekend is told by its days."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A turn as it was said: immutable but for what is learned about it later (emotion, vector).

    ``vector`` is None until an embedder has seen the text (``Memory.repair`` embeds what lacks one).
    """

    id: str
    agent_id: str
    text: str
    speaker: str
    occurred_at: datetime
    recorded_at: datetime
    session_id: str | None = None
    emotion: str | None = None
    emotion_intensity: float | None = None
    energy: Literal["low", "medium", "high"] | None = None
    vector: Vector | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One version of one statement about one entity.

    It holds in the half-open interval ``[valid_from, valid_to)``; the memory believed so in
    ``[recorded_at, invalidated_at)``. ``closed_by`` says what ended it (``stated``: the end was told with it, and
    may lie ahead; ``invalidated_at`` is None then). ``supersedes_fact_id`` names the version before.

    ``granularity`` is how exactly the dates were told: ``day``, ``month`` or ``year``, None where nobody told one and
    ``valid_from`` is the moment of the turn. ``ends_before`` are the ends it was believed to have until
    ``invalidated_at``, oldest first: ``known/end/why`` with ISO moments, joined by blanks (``versions.ends``).

    ``premise_ids`` are the facts it rests on: what a job distilled it from, or found that it depends on. A stale fact
    (``stale_since``) is kept and left out of answers about now: its vitality has sunk, or a premise of it is over.
    """

    id: str
    agent_id: str
    entity_key: str
    entity_name: str
    text: str
    confidence: float
    importance: float
    category: str
    speaker: str
    source_event_id: str
    valid_from: datetime
    recorded_at: datetime
    valid_to: datetime | None = None
    invalidated_at: datetime | None = None
    closed_by: ClosedBy | None = None
    supersedes_fact_id: str | None = None
    granularity: Granularity | None = None
    ends_before: str | None = None
    event_time: str | None = None
    source_context: str | None = None
    last_confirmed_at: datetime | None = None
    reinforcement_count: int = 0
    user_correction_count: int = 0
    times_retrieved: int = 0
    last_retrieved_at: datetime | None = None
    premise_ids: tuple[str, ...] = ()
    stale_since: datetime | None = None
    stale_why: Literal["vitality", "premise"] | None = None
    vector: Vector | None = field(default=None, compare=False, repr=False)

    @property
    def fact_text(self) -> str:
        """The text, under the name the documents print."""
        return self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """Somebody or something that facts are about. ``key`` is ``type:slug``, unique within an agent."""

    key: str
    agent_id: str
    name: str
    type: str
    recorded_at: datetime
    profile_text: str | None = None
    profile_at: datetime | None = None
    summary_text: str | None = None
    summary_at: datetime | None = None
    importance: float = 0.5
    vector: Vector | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    """A name under which an entity is known; the first entity to take a folded name keeps it.

    Two entities may share a name in truth (two Anas): then both rows exist and the name is ambiguous.
    """

    folded: str
    agent_id: str
    entity_key: str
    name: str
    recorded_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A fact mentions an entity; ``primary`` when the fact is about it."""

    fact_id: str
    agent_id: str
    entity_key: str
    primary: bool
    recorded_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Relationship:
    """One version of a directed edge. It stands while one of ``evidence_fact_ids`` stands."""

    id: str
    agent_id: str
    source_key: str
    target_key: str
    rel_type: str
    strength: float
    evidence_fact_ids: tuple[str, ...]
    valid_from: datetime
    recorded_at: datetime
    valid_to: datetime | None = None
    invalidated_at: datetime | None = None
    last_confirmed_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """Facts that belong together, as a job grouped and summed them up.

    ``details`` is free JSON text for what only its own job reads.
    """

    id: str
    agent_id: str
    label: str
    summary: str
    fact_ids: tuple[str, ...]
    recorded_at: datetime
    entity_key: str | None = None
    invalidated_at: datetime | None = None
    details: str | None = None
    vector: Vector | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What a job concluded from facts (a community, insight, pattern, contradiction, trend, directive), with evidence.

    ``details`` is free JSON text for what only its own job reads.
    """

    id: str
    agent_id: str
    kind: str
    text: str
    confidence: float
    evidence_ids: tuple[str, ...]
    recorded_at: datetime
    invalidated_at: datetime | None = None
    details: str | None = None
    vector: Vector | None = field(default=None, compare=False, repr=False)


Row: TypeAlias = Event | Fact | Entity | Alias | Link | Relationship | Cluster | Observation
