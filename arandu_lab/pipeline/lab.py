"""What a stage may touch: five fields, each seen through the stage's own meter.

``Mind``, ``Embed`` and ``View`` are the seams to the outside world; ``llm``, ``embed`` and ``store`` implement them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from arandu_lab.pure.planning import Directory
from arandu_lab.records import Cluster, Entity, Event, Fact, Observation, Relationship, Vector
from arandu_lab.trace import Span

A = TypeVar("A", bound=BaseModel)
Positions = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Task(Generic[A]):
    """A question that can be put to a model: its name, its instructions, the schema of its answer.

    ``role`` picks the model (``extract resolve reconcile judge job answer``). ``items`` names the list field that a
    bare JSON list stands for. An ``answer`` with a classmethod ``from_text`` reads a model's text by itself, more strictly.
    """

    name: str
    role: str
    answer: type[A]
    instructions: str
    items: str = ""


@dataclass(frozen=True, slots=True)
class Answered(Generic[A]):
    """A model's answer after repair and validation item by item; ``dropped`` says which items were refused and why."""

    value: A
    dropped: tuple[str, ...] = ()


class Mind(Protocol):
    """Models by role."""

    async def ask(self, task: Task[A], inputs: Mapping[str, Any], *, timeout: float, repeat: int = 0) -> Answered[A]:
        """Put ``task`` with ``inputs`` (JSON-able) to the model of its role; ``timeout`` in seconds, over all attempts.

        ``repeat`` numbers the times that the same question is put on purpose, so that a recording keeps each answer.

        Raises:
            BackendError: no usable answer came; ``kind`` says how it failed.
        """
        ...


class Embed(Protocol):
    """An embedding model: unit vectors, and the map from its cosines to the documented scale."""

    name: str
    dim: int

    async def __call__(self, texts: Sequence[str]) -> list[Vector | None]:
        """One unit vector of shape ``(dim,)`` per text; None for a text with nothing in it.

        Raises:
            BackendError: the model failed.
        """
        ...

    def scale(self, cosine: Any) -> Any:
        """Raw cosines (float or array) on the documented scale, where .20, .50 and .85 mean what they say."""
        ...


class Column(Protocol):
    """One searchable table of an agent, as aligned arrays of ``n`` rows; a position is a row number."""

    @property
    def ids(self) -> Sequence[str]:
        """Row ids."""
        ...

    @property
    def texts(self) -> Sequence[str]:
        """Texts as stored."""
        ...

    @property
    def matrix(self) -> NDArray[np.float32]:
        """Shape ``(n, dim)``, unit rows; a row without a vector is zero. Shape ``(n, 0)`` while nothing is embedded."""
        ...

    @property
    def lengths(self) -> NDArray[np.float64]:
        """Number of terms of each text, shape ``(n,)``."""
        ...

    def matching(self, term: str) -> tuple[Positions, NDArray[np.float64]]:
        """Positions whose folded text holds the term, and how often."""
        ...


class FactColumn(Column, Protocol):
    """The facts of an agent, all versions. Times are microseconds since 1970 UTC; arrays have shape ``(n,)``."""

    @property
    def confidence(self) -> NDArray[np.float64]:
        """Confidence as stored, 0 to 1."""
        ...

    @property
    def importance(self) -> NDArray[np.float64]:
        """Importance as stored, 0 to 1."""
        ...

    @property
    def valid_from(self) -> NDArray[np.int64]:
        """Since when each holds."""
        ...

    @property
    def last_confirmed(self) -> NDArray[np.int64]:
        """When each was last heard."""
        ...

    @property
    def reinforcement(self) -> NDArray[np.int64]:
        """How often each was heard again."""
        ...

    @property
    def entity(self) -> Sequence[str]:
        """Key of the entity each is about."""
        ...

    @property
    def recounted(self) -> Mask:
        """Which were told with an end that had passed by then: statements about the past, that no moment makes stale."""
        ...

    @property
    def entity_codes(self) -> Positions:
        """Where in ``entity_keys`` the entity of each stands."""
        ...

    @property
    def entity_keys(self) -> Sequence[str]:
        """Keys of the entities that facts are about, each once."""
        ...

    @property
    def stale(self) -> Mask:
        """Which are marked as stale: kept, and left out of answers about now."""
        ...

    @property
    def retrieved(self) -> NDArray[np.int64]:
        """How often each entered a context."""
        ...

    @property
    def last_retrieved(self) -> NDArray[np.int64]:
        """When each last entered a context; ``valid_from`` where none ever did."""
        ...

    @property
    def corrections(self) -> NDArray[np.int64]:
        """How often the user corrected what each says."""
        ...

    def live(self, *, as_of: datetime, known_at: datetime | None = None) -> Mask:
        """Which rows held at ``as_of``, as this memory knew at ``known_at`` (None: as it knows now)."""
        ...

    def touching(self, first: datetime, last: datetime, *, known_at: datetime | None = None) -> Mask:
        """Which rows held at some moment from ``first`` to before ``last``."""
        ...


class EventColumn(Column, Protocol):
    """The turns of an agent in order of time."""

    @property
    def occurred_at(self) -> NDArray[np.int64]:
        """When each was said, shape ``(n,)``."""
        ...


class View(Protocol):
    """One agent's memory, read-only, at one moment of its journal. No call of it touches the disk.

    Everything here is of ``agent_id`` alone: this class is the one place where isolation is enforced.
    """

    @property
    def agent_id(self) -> str:
        """Whose memory this is."""
        ...

    @property
    def sequence(self) -> int:
        """Number of the newest unit of work in it."""
        ...

    @property
    def facts(self) -> FactColumn:
        """All fact versions as arrays."""
        ...

    @property
    def events(self) -> EventColumn:
        """All turns as arrays."""
        ...

    def fact(self, fact_id: str) -> Fact | None:
        """A fact version by id."""
        ...

    def fact_at(self, position: int) -> Fact:
        """The fact at a position of ``facts``."""
        ...

    def fact_position(self, fact_id: str) -> int | None:
        """Where a fact version stands in ``facts``."""
        ...

    def event(self, event_id: str) -> Event | None:
        """A turn by id."""
        ...

    def event_at(self, position: int) -> Event:
        """The turn at a position of ``events``."""
        ...

    def history(self, fact_id: str) -> tuple[Fact, ...]:
        """The chain of versions a fact belongs to, oldest first."""
        ...

    def resting_on(self, fact_id: str) -> tuple[Fact, ...]:
        """The facts that have this one among their premises, in order of arrival."""
        ...

    def clusters(self) -> tuple[Cluster, ...]:
        """Clusters of jobs in order of first record, dissolved ones too."""
        ...

    def observations(self) -> tuple[Observation, ...]:
        """What jobs concluded, in order of first record, what was withdrawn too."""
        ...

    def entity(self, key: str) -> Entity | None:
        """An entity by key."""
        ...

    def entities(self) -> tuple[Entity, ...]:
        """All entities, in order of first record."""
        ...

    @property
    def directory(self) -> Directory:
        """The names of all entities, ready to be found in a text."""
        ...

    def aliases(self) -> Mapping[str, tuple[str, ...]]:
        """Folded name -> keys of the entities known by it, the first taker first."""
        ...

    def linked(self, entity_key: str) -> Positions:
        """Positions of the facts (all versions) that mention an entity, ascending."""
        ...

    def keys_of(self, fact_id: str) -> tuple[str, ...]:
        """Keys of the entities a fact mentions, the primary one first."""
        ...

    def edges(
        self, entity_key: str | None = None, *, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> tuple[Relationship, ...]:
        """Edges that touch an entity (all edges when None). ``as_of`` None: every version, closed ones too."""
        ...


@dataclass(frozen=True, slots=True)
class Lab:
    """The laboratory bench in front of a stage.

    ``now`` is the turn's ``occurred_at`` in a write and the moment of the question in a read; no stage sees the wall
    clock. ``log(key=value)`` writes into the stage's span.
    """

    llm: Mind
    embed: Embed
    memory: View
    now: datetime
    log: Span

    def at(self, span: Span) -> Lab:
        """The same bench seen through another meter."""
        llm, embed = self.llm, self.embed
        return replace(
            self,
            llm=llm.metered(span) if hasattr(llm, "metered") else llm,
            embed=embed.metered(span) if hasattr(embed, "metered") else embed,
            log=span,
        )
