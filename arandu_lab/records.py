"""The nouns: frozen records that flow through the pipelines and lie in the store. Times are aware datetimes.

``valid_*`` is when something holds in the world, ``recorded_at`` and ``invalidated_at`` when this memory learned it and
stopped believing it. Vectors are unit-length ``float32`` arrays and take no part in comparison.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from arandu_lab.errors import FailureKind

Vector: TypeAlias = NDArray[np.float32]
Action: TypeAlias = Literal["ADD", "UPDATE", "NOOP", "DELETE"]
ClosedBy: TypeAlias = Literal["update", "delete", "correction", "late", "edge", "merge"]

MIRROR = "inferred_from_relation"
"""``source_context`` of mirror facts."""

UNSTAMPED = datetime.min.replace(tzinfo=UTC)
"""Stands in drafts for the moment of recording, which is known only when ``Memory`` commits."""


# ---------------------------------------------------------------- what lies in the store


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
    ``[recorded_at, invalidated_at)``. ``closed_by`` says what ended it. ``supersedes_fact_id``
    names the version before.
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
    event_time: str | None = None
    source_context: str | None = None
    last_confirmed_at: datetime | None = None
    reinforcement_count: int = 0
    user_correction_count: int = 0
    times_retrieved: int = 0
    last_retrieved_at: datetime | None = None
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
    """Facts that belong together, as a job grouped and summed them up."""

    id: str
    agent_id: str
    label: str
    summary: str
    fact_ids: tuple[str, ...]
    recorded_at: datetime
    entity_key: str | None = None
    invalidated_at: datetime | None = None
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


# ---------------------------------------------------------------- what flows through a write


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message as it reaches the memory. ``event_id`` is derived from agent, session, time, speaker and text."""

    agent_id: str
    text: str
    speaker: str
    occurred_at: datetime
    event_id: str
    session_id: str | None = None
    recent_messages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownEntity:
    """What the memory already says about an entity that a turn names: a profile, or its nearest facts."""

    key: str
    name: str
    type: str
    profile: str | None = None
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEntity:
    """An entity as a model named it: canonical name, free type in lower case, other names in the turn."""

    name: str
    type: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFact:
    """A fact as a model stated it, before anything is decided. ``hint`` is the model's NEW or UPDATE.

    ``valid_from`` None means "from when it was said". ``vector`` is None until embedded.
    """

    subject: str
    text: str
    confidence: float
    category: str
    importance: float
    hint: Literal["NEW", "UPDATE"] = "NEW"
    hint_fact_id: str | None = None
    valid_from: datetime | None = None
    event_time: str | None = None
    source_context: str | None = None
    vector: Vector | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRelation:
    """An edge as a model named it; ``evidence`` are stored facts that already say it."""

    source: str
    type: str
    target: str
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Emotion:
    """How the turn sounds: a label, its intensity (0 to 1) and the energy of the speaker."""

    label: str
    intensity: float
    energy: Literal["low", "medium", "high"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """Something that was not stored, and why: nothing is dropped in silence."""

    what: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounded:
    """A turn with what the memory knows about the entities it names.

    ``said`` is the text that may yield facts: the turn without passages that are themselves rendered memory.
    """

    turn: Turn
    said: str = ""
    vector: Vector | None = field(default=None, compare=False, repr=False)
    known: tuple[KnownEntity, ...] = ()
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction(Grounded):
    """What a model read in the turn."""

    entities: tuple[NewEntity, ...] = ()
    facts: tuple[NewFact, ...] = ()
    relations: tuple[NewRelation, ...] = ()
    profiles: tuple[tuple[str, str], ...] = ()
    emotion: Emotion | None = None
    mode: Literal["informed", "blind", "none"] = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """A mention and the entity it stands for. ``how`` names the rule that decided.

    ``key`` None means undecided so far: ``candidates`` are the keys it may be.
    """

    name: str
    type: str
    key: str | None
    how: Literal[
        "exact", "speaker", "relationship_term", "prefix", "fuzzy", "model", "batch", "new", "ambiguous", "pending"
    ]
    score: float = 1.0
    candidates: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    vector: Vector | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution(Extraction):
    """An extraction whose every name (canonical or alias, folded) has an entity."""

    resolved: tuple[Resolved, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A stored fact near a new one, with their cosine on the documented scale."""

    fact: Fact
    cosine: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What becomes of one new fact, and why.

    ``target_id`` is the stored fact that UPDATE replaces, NOOP confirms, DELETE closes. ``why`` is one word for the
    trace (``fresh``, ``identical``, ``verdict``, ``silence``, ``verdict_invalid``, ``late``, ``tombstone``).
    """

    action: Action
    target_id: str | None = None
    why: str = "fresh"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A new fact that only a model can settle, with the neighbours it is shown (by index, never by id)."""

    position: int
    neighbours: tuple[Neighbour, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A model's answer to one ``Ask``: an action and the index of the neighbour it concerns."""

    action: Action
    index: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconciliation(Resolution):
    """A resolution with one decision per fact (same order); a fact without one is added (silence is Add)."""

    decisions: tuple[Decision | None, ...] = ()
    asks: tuple[Ask, ...] = ()
    verdicts: tuple[Verdict | None, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """One line of a ``WriteResult``: an action on a fact, the row after it, and the row before when it changed."""

    action: Action
    fact: Fact
    before: Fact | None = None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """A unit of work: absolute images of every row it touches, and what to report. Only ``Memory`` commits it."""

    agent_id: str
    rows: tuple[Row, ...] = ()
    decided: tuple[Decided, ...] = ()
    resolved: tuple[Resolved, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    mode: str = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A backend that failed and was stepped around: the stage, how it failed, and the words it left."""

    stage: str
    kind: FailureKind
    backend: str
    message: str
