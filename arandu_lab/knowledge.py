"""What lies in a workspace memory: frozen rows beside those of ``rows``. ``agent_id`` is the id of the workspace.

A *domain* is of the whole workspace (``architecture``) or of one repository (``repo:api/architecture``): the same name
in two scopes is two stores. Texts are as they were said, times are aware datetimes, vectors are unit-length ``float32``
arrays that take no part in comparison. A row is never deleted by an operation of an agent: it is superseded or retired.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

from arandu_lab.rows import Vector

Permission: TypeAlias = Literal["none", "read", "write"]
"""What a role may do in a domain."""

Veracity: TypeAlias = Literal["stated", "inferred", "tool", "imported"]
"""How a fact came to be known: a human said so, an agent concluded it, a tool gave it out, it was imported."""

EdgeKind: TypeAlias = Literal["observation", "session", "topic", "supersedes"]
"""What ties two facts: one sighting, one session, one topic of one domain, or that one took the other's place."""

Disagreed: TypeAlias = Literal["polarity", "value", "number", "date", "opposite"]
"""How two statements contradict each other."""

ANY_ROLE = "*"
"""The role of a grant that holds for every role without a grant of its own."""


def domain_key(name: str, repo: str | None) -> str:
    """The full key of a domain.

    >>> domain_key("architecture", None), domain_key("architecture", "api")
    ('architecture', 'repo:api/architecture')
    """
    return name if repo is None else f"repo:{repo}/{name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Domain:
    """A group of facts and policies, and what grants are written on. A new one gives write to all roles."""

    id: str
    agent_id: str
    name: str
    recorded_at: datetime
    repo: str | None = None

    @property
    def key(self) -> str:
        """``architecture`` or ``repo:api/architecture``."""
        return domain_key(self.name, self.repo)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFact:
    """A piece of knowledge of a domain, under a short label (``topic``).

    ``memory_type`` names its curve of forgetting, ``veracity`` how it came to be known. ``confidence`` is 0 to 1.
    ``mention_count`` counts every time it was said, the first one too; ``recall_count`` every time a search gave it out.
    It holds from ``valid_from`` to before ``valid_until`` (None: no end is known). ``superseded_by`` names the fact that
    took its place. ``retired_at`` and ``retired_why`` say when and why it was taken out by hand or by consolidation.
    """

    id: str
    agent_id: str
    domain: str
    topic: str
    content: str
    memory_type: str
    veracity: Veracity
    confidence: float
    proposed_by: str
    valid_from: datetime
    recorded_at: datetime
    repo: str | None = None
    role: str | None = None
    source_observation_ids: tuple[str, ...] = ()
    superseded_by: str | None = None
    superseded_at: datetime | None = None
    valid_until: datetime | None = None
    mention_count: int = 1
    recall_count: int = 0
    last_mentioned_at: datetime | None = None
    last_recalled_at: datetime | None = None
    retired_at: datetime | None = None
    retired_why: str | None = None
    vector: Vector | None = field(default=None, compare=False, repr=False)

    @property
    def domain_key(self) -> str:
        """The full key of its domain."""
        return domain_key(self.domain, self.repo)

    def live_at(self, moment: datetime) -> bool:
        """Whether it is neither superseded nor retired, and has not run out at that moment."""
        over = self.valid_until is not None and self.valid_until <= moment
        return self.superseded_by is None and self.retired_at is None and not over


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPolicy:
    """A rule drawn from facts. ``required_role`` says whom it is meant for and keeps it from nobody."""

    id: str
    agent_id: str
    domain: str
    rule: str
    proposed_by: str
    recorded_at: datetime
    repo: str | None = None
    active: bool = True
    required_role: str | None = None
    source_fact_ids: tuple[str, ...] = ()
    superseded_by: str | None = None
    superseded_at: datetime | None = None
    retired_at: datetime | None = None

    @property
    def domain_key(self) -> str:
        """The full key of its domain."""
        return domain_key(self.domain, self.repo)

    @property
    def in_force(self) -> bool:
        """Whether it is active, and neither superseded nor retired."""
        return self.active and self.superseded_by is None and self.retired_at is None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingMemory:
    """The private pad of one agent, word for word."""

    id: str
    agent_id: str
    agent: str
    text: str
    recorded_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """Something an agent saw or was told, as it was: what facts cite in ``source_observation_ids``."""

    id: str
    agent_id: str
    agent: str
    text: str
    occurred_at: datetime
    recorded_at: datetime
    session_id: str | None = None
    speaker: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HotItem:
    """An item of the hot tier of a session; ``promoted_to`` names the fact that consolidation made of it.

    ``dropped_at`` is when consolidation let go of it without making a fact.
    """

    id: str
    agent_id: str
    agent: str
    session_id: str
    text: str
    recorded_at: datetime
    domain: str | None = None
    repo: str | None = None
    topic: str | None = None
    promoted_to: str | None = None
    dropped_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessGrant:
    """What a role may do in a domain, given by its full key. Role ``*`` stands for all roles without a grant of their own."""

    id: str
    agent_id: str
    role: str
    domain: str
    permission: Permission
    recorded_at: datetime
    revoked_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryConflict:
    """Two facts of one domain and topic that contradict each other: which was kept, and what stood for each side.

    Evidence is texts, the statement first, then the sightings it cites.
    """

    id: str
    agent_id: str
    domain: str
    topic: str
    kept_id: str
    lost_id: str
    why: Disagreed
    proposed_by: str
    recorded_at: datetime
    repo: str | None = None
    kept_evidence: tuple[str, ...] = ()
    lost_evidence: tuple[str, ...] = ()

    @property
    def domain_key(self) -> str:
        """The full key of the domain."""
        return domain_key(self.domain, self.repo)


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodicEdge:
    """A tie of two facts, walked both ways; ``source_id`` came later. ``weight`` is above 0 and at most 1."""

    id: str
    agent_id: str
    source_id: str
    target_id: str
    kind: EdgeKind
    weight: float
    recorded_at: datetime


Knowledge: TypeAlias = (
    Domain
    | MemoryFact
    | MemoryPolicy
    | WorkingMemory
    | Sighting
    | HotItem
    | AccessGrant
    | MemoryConflict
    | EpisodicEdge
)
