"""What a search looks at: the facts of one workspace with their words, vectors and ties, at one moment. No disk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from arandu_lab.errors import ConfigError
from arandu_lab.knowledge import AccessGrant, EpisodicEdge, MemoryFact, Sighting
from arandu_lab.pure.episodic import Adjacency, adjacency
from arandu_lab.pure.grants import Held, allows, effective, permissions
from arandu_lab.pure.memory_types import last_said
from arandu_lab.pure.preamble import terms
from arandu_lab.pure.text import normal

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Positions = NDArray[np.int64]


class Shelves(Protocol):
    """A view that gives out its rows by kind."""

    def shelf(self, kind: type[Any], /) -> Iterable[Any]:
        """The rows of a kind."""
        ...


@dataclass(frozen=True, kw_only=True)
class Library:
    """The rows of one workspace, and the moment of the search. Arrays have one entry per fact, ``n`` in all.

    Facts stand in the order of their ids, whatever order they came in, so that no order of arrival shows in a result.
    """

    now: datetime
    facts: tuple[MemoryFact, ...] = ()
    edges: tuple[EpisodicEdge, ...] = field(default=(), repr=False)
    sightings: tuple[Sighting, ...] = field(default=(), repr=False)
    grants: tuple[AccessGrant, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        if self.now.tzinfo is None:
            raise ConfigError(f"now={self.now!r} has no timezone; give an aware datetime")
        for name in ("facts", "edges", "sightings", "grants"):
            rows = {row.id: row for row in getattr(self, name)}
            object.__setattr__(self, name, tuple(rows[key] for key in sorted(rows)))
        owners = sorted({fact.agent_id for fact in self.facts})
        if len(owners) > 1:
            raise ConfigError(f"facts of the workspaces {', '.join(owners)}; a library holds one")

    @classmethod
    def of(cls, view: Shelves, now: datetime) -> Library:
        """What a view of a workspace holds, at a moment."""
        return cls(
            now=now,
            facts=tuple(view.shelf(MemoryFact)),
            edges=tuple(view.shelf(EpisodicEdge)),
            sightings=tuple(view.shelf(Sighting)),
            grants=tuple(view.shelf(AccessGrant)),
        )

    def at(self, now: datetime) -> Library:
        """The same rows at another moment; what was reckoned of them is kept."""
        made = replace(self, now=now)
        made.__dict__.update({name: held for name, held in vars(self).items() if name in _TIMELESS})
        return made

    def __len__(self) -> int:
        return len(self.facts)

    # ------------------------------------------------------------ who may answer

    @cached_property
    def told(self) -> Mask:
        """Which were recorded by now."""
        return self._recorded <= micros(self.now)

    @cached_property
    def live(self) -> Mask:
        """Which are told, and neither superseded, retired nor run out by now; ends that came later do not show."""
        return self.told & (self._over > micros(self.now))

    @cached_property
    def _recorded(self) -> Positions:
        return np.array([micros(fact.recorded_at) for fact in self.facts], dtype=np.int64)

    @cached_property
    def _over(self) -> Positions:
        return np.array([_end(fact) for fact in self.facts], dtype=np.int64)

    def seen(self, role: str | None) -> Mask:
        """Which a role may find: all but those of domains where it is granted ``none``. None: a role without grants."""
        keys = {fact.domain_key for fact in self.facts}
        shown = {key for key in keys if allows(effective(self.held, role, key), "search_memory")}
        return np.array([fact.domain_key in shown for fact in self.facts], dtype=np.bool_)

    @cached_property
    def held(self) -> Held:
        """The grants in force."""
        return permissions(self.grants)

    # ------------------------------------------------------------ words

    @cached_property
    def lengths(self) -> Floats:
        """Number of terms of each fact."""
        return np.array([sum(count.values()) for count in self._counts], dtype=np.float64)

    def matching(self, term: str) -> tuple[Positions, Floats]:
        """Positions of the facts whose topic or words hold a term, and how often."""
        return self._postings.get(term, _NOWHERE)

    @cached_property
    def _counts(self) -> tuple[Counter[str], ...]:
        return tuple(Counter(terms(f"{fact.topic} {fact.content}")) for fact in self.facts)

    @cached_property
    def _postings(self) -> dict[str, tuple[Positions, Floats]]:
        found: dict[str, tuple[list[int], list[int]]] = {}
        for position, count in enumerate(self._counts):
            for term, often in count.items():
                where, times = found.setdefault(term, ([], []))
                where.append(position)
                times.append(often)
        return {term: (np.array(where), np.array(times, dtype=np.float64)) for term, (where, times) in found.items()}

    def shared_words(self, positions: Positions) -> Floats:
        """How alike facts are in their terms (Jaccard), shape ``(k, k)``."""
        bags = [frozenset(self._counts[place]) for place in positions]
        alike = np.eye(len(bags))
        for one, bag in enumerate(bags):
            for other in range(one):
                both = len(bag & bags[other])
                alike[one, other] = alike[other, one] = both / len(bag | bags[other]) if both else 0.0
        return alike

    # ------------------------------------------------------------ meaning

    @cached_property
    def matrix(self) -> NDArray[np.float32]:
        """Unit rows, shape ``(n, dim)``; zero without a vector, or with one of another size than most."""
        sizes = Counter(len(fact.vector) for fact in self.facts if fact.vector is not None)
        dim = max(sizes, key=lambda size: (sizes[size], size), default=0)
        made = np.zeros((len(self.facts), dim), dtype=np.float32)
        for place, fact in enumerate(self.facts):
            if fact.vector is not None and len(fact.vector) == dim:
                made[place] = fact.vector
        return made

    # ------------------------------------------------------------ time and ties

    @cached_property
    def said(self) -> Positions:
        """When each was last said, microseconds since 1970 UTC."""
        return np.array([micros(last_said(fact)) for fact in self.facts], dtype=np.int64)

    @cached_property
    def place(self) -> Positions:
        """The place of each in the order that settles ties: last said first, then by id."""
        order = np.lexsort((np.arange(len(self.facts)), -self.said))
        placed = np.empty(len(order), dtype=np.int64)
        placed[order] = np.arange(len(order))
        return placed

    @cached_property
    def positions(self) -> Mapping[str, int]:
        """Id -> position."""
        return {fact.id: place for place, fact in enumerate(self.facts)}

    @cached_property
    def graph(self) -> Adjacency:
        """The ties of facts, both ways."""
        return adjacency(self.edges)

    @cached_property
    def subjects(self) -> Mapping[tuple[str, str], tuple[int, ...]]:
        """Domain (without scope) and topic -> positions."""
        found: dict[tuple[str, str], list[int]] = {}
        for place, fact in enumerate(self.facts):
            found.setdefault((fact.domain, normal(fact.topic)), []).append(place)
        return {key: tuple(places) for key, places in found.items()}

    @cached_property
    def observed(self) -> Mapping[str, Sighting]:
        """Id -> sighting."""
        return {sighting.id: sighting for sighting in self.sightings}


def micros(moment: datetime) -> int:
    """Microseconds since 1970 UTC."""
    return (moment - _EPOCH) // _MICROSECOND


def _end(fact: MemoryFact) -> int:
    """The first moment at which a fact is superseded, retired or has run out."""
    replaced = (fact.superseded_at or fact.recorded_at) if fact.superseded_by is not None else None
    ends = [micros(moment) for moment in (replaced, fact.retired_at, fact.valid_until) if moment is not None]
    return min(ends, default=_NEVER)


_NEVER = np.iinfo(np.int64).max
_TIMELESS = frozenset(
    {
        *("held", "lengths", "matrix", "said", "place", "positions", "graph", "subjects", "observed"),
        *("_recorded", "_over", "_counts", "_postings"),
    }
)
_NOWHERE: tuple[Positions, Floats] = (np.zeros(0, dtype=np.int64), np.zeros(0))
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
