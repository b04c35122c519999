"""A unit of work on its way: the rows of a workspace as they would be after it. Nothing here writes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar, cast

from arandu_lab.errors import ConfigError, nearest
from arandu_lab.knowledge import AccessGrant, Domain, Knowledge, MemoryFact, Sighting, domain_key
from arandu_lab.pure.grants import Held, first_grant, permissions
from arandu_lab.pure.ids import derive
from arandu_lab.pure.text import normal
from arandu_lab.workspace.settings import WorkspaceConfig
from arandu_lab.workspace.topics import Topics

if TYPE_CHECKING:
    from arandu_lab.store.view import AgentView

K = TypeVar("K", bound=Knowledge)

TIED = 32
"""How many of the latest facts of a sighting, a session or a topic a new fact may be tied to."""


class Sheet:
    """What one operation reads and puts: rows of the newest view, under those that it has put already."""

    def __init__(self, view: AgentView, config: WorkspaceConfig, now: datetime) -> None:
        self.view, self.config, self.now = view, config, now
        self.workspace = view.agent_id
        self._put: dict[type[Any], dict[str, Knowledge]] = {}
        self._topics = Topics.of(view)
        self._fresh: dict[str, MemoryFact] = {}

    @property
    def rows(self) -> list[Knowledge]:
        """What was put, newest images."""
        return [row for held in self._put.values() for row in held.values()]

    def get(self, kind: type[K], row_id: str) -> K | None:
        """A row by id, as it stands on this sheet."""
        held = self._put.get(kind, {}).get(row_id)
        return cast(K, held) if held is not None else self.view.shelf(kind).get(row_id)

    def need(self, kind: type[K], what: str, row_id: object) -> K:
        """A row by id.

        Raises:
            ConfigError: there is none; says the nearest that there is.
        """
        found = self.get(kind, row_id) if isinstance(row_id, str) else None
        if found is None:
            known = [row.id for row in self.all(kind)]
            hint = nearest(row_id, known) if known else "there is none yet"
            raise ConfigError(f"workspace {self.workspace!r} has no {what} {row_id!r}; {hint}")
        return found

    def all(self, kind: type[K]) -> Iterator[K]:
        """Every row of a kind in order of arrival."""
        held = dict(self._put.get(kind, {}))
        for row in self.view.shelf(kind):
            yield cast(K, held.pop(row.id, row))
        yield from (cast(K, row) for row in held.values())

    def put(self, row: Knowledge) -> None:
        """Put a row, or another image of one."""
        self._put.setdefault(type(row), {})[row.id] = row
        if isinstance(row, MemoryFact):
            if self.view.shelf(MemoryFact).get(row.id) is None:
                self._fresh[row.id] = row
            else:
                self._topics.add(row, {one: self.session(one) for one in row.source_observation_ids})

    def made(self, kind: type[Knowledge], *parts: str | int | None) -> str:
        """A new id: it says the workspace, how many rows of the kind there were, and what it is of."""
        fresh = sum(1 for one in self._put.get(kind, {}) if self.view.shelf(kind).get(one) is None)
        return derive(kind.__name__, self.workspace, len(self.view.shelf(kind)) + fresh, *parts)

    # ------------------------------------------------------------ facts

    def on_topic(self, domain: str, topic: str) -> list[MemoryFact]:
        """Facts of a topic of a domain in every scope, in order of arrival."""
        wanted = normal(topic)
        found = [self.get(MemoryFact, one) for one in self._topics.of_topic(domain, topic)]
        more = [self.get(MemoryFact, one.id) for one in self._fresh.values()]
        return [one for one in (*found, *more) if one and one.domain == domain and normal(one.topic) == wanted]

    def told_with(self, fact: MemoryFact) -> list[MemoryFact]:
        """The latest facts that share a sighting or a session with one."""
        sessions = {one for one in map(self.session, fact.source_observation_ids) if one}
        ids = self._topics.of_sightings(fact.source_observation_ids, sessions, TIED)
        found = [self.get(MemoryFact, one) for one in ids]
        mine = set(fact.source_observation_ids)
        more = [
            self.get(MemoryFact, one.id)
            for one in self._fresh.values()
            if not mine.isdisjoint(one.source_observation_ids)
            or any(self.session(cited) in sessions for cited in one.source_observation_ids)
        ]
        return [one for one in (*found, *more) if one is not None]

    def session(self, sighting_id: str) -> str | None:
        """The session of a sighting."""
        seen = self.get(Sighting, sighting_id)
        return None if seen is None else seen.session_id

    # ------------------------------------------------------------ domains and grants

    def domain(self, name: str, repo: str | None) -> Domain | None:
        """A domain by name and scope."""
        return next((one for one in self.all(Domain) if (one.name, one.repo) == (name, repo)), None)

    def opened(self, name: str, repo: str | None) -> bool:
        """See that there is such a domain; a new one gives write to all roles (S4). Whether it is new."""
        if self.domain(name, repo) is not None:
            return False
        made = Domain(
            id=derive("domain", self.workspace, domain_key(name, repo)),
            agent_id=self.workspace,
            name=name,
            repo=repo,
            recorded_at=self.now,
        )
        self.put(made)
        if self.grant("*", made.key) is None:
            self.put(first_grant(made))
        return True

    def grant(self, role: str, key: str) -> AccessGrant | None:
        """The row of a role on a domain (its full key), revoked or not."""
        return next((one for one in self.all(AccessGrant) if (one.role, one.domain) == (role, key)), None)

    @property
    def held(self) -> Held:
        """The grants in force."""
        return permissions(self.all(AccessGrant))
