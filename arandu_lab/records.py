"""The nouns: frozen records that flow through the pipelines and lie in the store. Times are aware datetimes.

The rows of the store stand in ``arandu_lab.rows`` and are given from here too; what flows through a write stands below.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal, TypeAlias

from arandu_lab.errors import FailureKind
from arandu_lab.knowledge import Knowledge
from arandu_lab.rows import (
    Alias,
    ClosedBy,
    Cluster,
    Entity,
    Event,
    Fact,
    Granularity,
    Link,
    Observation,
    Relationship,
    Vector,
)
from arandu_lab.rows import Row as Remembered

__all__ = [
    "MARK",
    "MIRROR",
    "UNSTAMPED",
    "Action",
    "Alias",
    "Ask",
    "Changes",
    "ClosedBy",
    "Cluster",
    "Decided",
    "Decision",
    "Emotion",
    "Entity",
    "Event",
    "Extraction",
    "Fact",
    "Failure",
    "Granularity",
    "Grounded",
    "KnownEntity",
    "Link",
    "Neighbour",
    "NewEntity",
    "NewFact",
    "NewRelation",
    "Observation",
    "Reconciliation",
    "Relationship",
    "Resolution",
    "Resolved",
    "Row",
    "Skipped",
    "Turn",
    "Vector",
    "Verdict",
]

Row: TypeAlias = Remembered | Knowledge
"""What a store keeps: rows of a conversation's memory (``rows``) and of a workspace's (``knowledge``)."""

Action: TypeAlias = Literal["ADD", "UPDATE", "NOOP", "DELETE"]

MIRROR = "inferred_from_relation"
"""``source_context`` of mirror facts."""

MARK = "seen"
"""Kind of the observations by which a job knows what it has looked at; they are shown to nobody."""

UNSTAMPED = datetime.min.replace(tzinfo=UTC)
"""Stands in drafts for the moment of recording, which is known only when ``Memory`` commits."""


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

    ``valid_from`` None means "from when it was said"; ``valid_to`` is an end that was told, the first moment after it.
    ``granularity`` is how exactly the two were told, None where neither was. ``vector`` is None until embedded.
    """

    subject: str
    text: str
    confidence: float
    category: str
    importance: float
    hint: Literal["NEW", "UPDATE"] = "NEW"
    hint_fact_id: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    granularity: Granularity | None = None
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

    def borrowed(self, end: Resolved) -> bool:
        """Whether a relationship word stands for the speaker (W15): what is said of that relative is not theirs (G1)."""
        return end.how == "relationship_term" and any(
            one.how == "speaker" and one.key == end.key for one in self.resolved
        )


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
