"""What an operation of a workspace returns: the rows after it, and what it did to others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from arandu_lab.errors import ConfigError
from arandu_lab.knowledge import (
    AccessGrant,
    Disagreed,
    HotItem,
    MemoryConflict,
    MemoryFact,
    MemoryPolicy,
    Sighting,
    WorkingMemory,
)
from arandu_lab.records import Failure

FactOutcome: TypeAlias = Literal["added", "mentioned", "lost", "deleted"]
"""A new fact stands; a known one was said again; the new one was stored as superseded, because what it contradicts
prevails; a human deleted these words, so nothing was stored."""


class InsufficientMemoryPermission(ConfigError):  # noqa: N818 - the name of the document
    """A policy was to be written by a role that may not write in its domain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """A live fact of the same domain and topic in another scope that says otherwise: both stay (S3)."""

    fact: MemoryFact
    why: Disagreed


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FactResult:
    """What became of a proposed fact.

    ``superseded`` are facts as they are now that gave way. ``failures`` says how the embedder failed: the fact is stored
    without a vector then, and ``repair`` gives it one. ``set_apart`` are the words that make an order of a fact of low
    veracity: searches flag it, no preamble shows it, and no policy can be drawn from it (``pure/steering``).
    """

    outcome: FactOutcome
    fact: MemoryFact
    superseded: tuple[MemoryFact, ...] = ()
    conflicts: tuple[MemoryConflict, ...] = ()
    elsewhere: tuple[Elsewhere, ...] = ()
    set_apart: str | None = None
    domain_created: bool = False
    failures: tuple[Failure, ...] = ()
    dry_run: bool = False

    def __repr__(self) -> str:
        said = [
            f"{self.outcome}: {self.fact.content[:100]!r} in {self.fact.domain_key}, confidence {self.fact.confidence:.2f}"
        ]
        said += [f"in the place of {one.content[:100]!r}" for one in self.superseded]
        said += [f"conflict: {one.why}" for one in self.conflicts]
        said += [f"{len(self.elsewhere)} elsewhere say otherwise"] if self.elsewhere else []
        said += [f"set apart: {self.set_apart!r}"] if self.set_apart else []
        said += [f"without a vector ({one.kind})" for one in self.failures]
        return f"<{'; '.join(said)}{'; dry run' if self.dry_run else ''}>"


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyResult:
    """What became of a proposed policy: ``added``, or ``known`` where the same rule is in force already."""

    outcome: Literal["added", "known"]
    policy: MemoryPolicy
    superseded: tuple[MemoryPolicy, ...] = ()
    domain_created: bool = False
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """An item of the hot tier; ``known`` where the session holds the same words already."""

    outcome: Literal["added", "known"]
    item: HotItem
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """A sighting, to be cited by facts. ``notes`` is the pad after it, None where the pad was not touched."""

    sighting: Sighting
    notes: WorkingMemory | None = None
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """The pad after an update."""

    notes: WorkingMemory
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """Facts that said nearly the same: the one that is kept, and those whose place it took."""

    kept: MemoryFact
    gone: tuple[MemoryFact, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidated:
    """What consolidation did. ``dropped`` are hot items without a word in them; ``pruned`` facts had run out."""

    promoted: tuple[FactResult, ...] = ()
    dropped: tuple[HotItem, ...] = ()
    merged: tuple[Merged, ...] = ()
    pruned: tuple[MemoryFact, ...] = ()
    failures: tuple[Failure, ...] = ()
    dry_run: bool = False

    @property
    def idle(self) -> bool:
        """Nothing was left to do."""
        return not (self.promoted or self.dropped or self.merged or self.pruned)


@dataclass(frozen=True, slots=True, kw_only=True)
class Harmonized:
    """Beliefs of different agents that contradicted each other: a conflict for each, and the facts that gave way.

    ``elsewhere`` are pairs of one domain and topic in different scopes that contradict each other, and both stay.
    """

    conflicts: tuple[MemoryConflict, ...] = ()
    superseded: tuple[MemoryFact, ...] = ()
    elsewhere: tuple[tuple[MemoryFact, MemoryFact], ...] = ()
    dry_run: bool = False

    @property
    def idle(self) -> bool:
        """Nothing was left to do."""
        return not self.conflicts


@dataclass(frozen=True, slots=True, kw_only=True)
class Harvested:
    """What became of a meeting's decisions, in their order."""

    decisions: tuple[FactResult, ...] = ()
    sightings: tuple[Sighting, ...] = ()
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Granted:
    """A grant, and what it was before (None: there was none, which means read)."""

    grant: AccessGrant
    before: AccessGrant | None = None
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """A row before and after somebody corrected it by hand. A fact with other words is a new row in the old one's place;
    ``superseded`` are the other facts that it contradicts, and that gave way to it.
    """

    before: MemoryFact | MemoryPolicy
    after: MemoryFact | MemoryPolicy
    superseded: tuple[MemoryFact, ...] = ()
    conflicts: tuple[MemoryConflict, ...] = ()
    failures: tuple[Failure, ...] = ()
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFact:
    """A fact that a lexical search found, and its BM25 score.

    ``disputed_by`` are facts of other scopes that say otherwise; ``set_apart`` is as in ``FactResult``.
    """

    fact: MemoryFact
    score: float
    disputed_by: tuple[Elsewhere, ...] = ()
    set_apart: str | None = None
