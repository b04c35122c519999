"""Looking into a memory: facts, histories, entities, edges and turns, each as a polars frame."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from arandu_lab.errors import ConfigError
from arandu_lab.memory.arguments import aware
from arandu_lab.pure import versions

if TYPE_CHECKING:
    import polars as pl

    from arandu_lab.store import Store


class Shelves:
    """What ``Memory`` shows without asking any model."""

    store: Store
    clock: Callable[[], datetime]

    def facts(self, agent_id: str, *, as_of: datetime | None = None, known_at: datetime | None = None) -> pl.DataFrame:
        """Facts that hold at ``as_of`` (now by default) as believed at ``known_at``, one row each."""
        from arandu_lab.frames import facts_frame

        view = self.store.view(agent_id)
        live = view.facts.live(as_of=aware("as_of", as_of) or self.clock(), known_at=aware("known_at", known_at))
        return facts_frame(versions.as_known(view.fact_at(int(place)), known_at) for place in live.nonzero()[0])

    def history(self, agent_id: str, fact_id: str | None = None) -> pl.DataFrame:
        """All versions of a fact, oldest first; without an id every version of every fact, as they arrived."""
        from arandu_lab.frames import facts_frame

        view = self.store.view(agent_id)
        if fact_id is None:
            return facts_frame(view.fact_at(place) for place in range(len(view.facts.ids)))
        if view.fact(fact_id) is None:
            raise ConfigError(f"agent {agent_id!r} has no fact {fact_id!r}")
        return facts_frame(list(view.history(fact_id)))

    def entities(self, agent_id: str) -> pl.DataFrame:
        """Entities with their aliases and number of open facts."""
        from arandu_lab.frames import entities_frame

        return entities_frame(self.store.view(agent_id), self.clock())

    def relationships(
        self, agent_id: str, *, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> pl.DataFrame:
        """Edges that stand at ``as_of`` (now by default)."""
        from arandu_lab.frames import edges_frame

        view = self.store.view(agent_id)
        moment = aware("as_of", as_of) or self.clock()
        edges = view.edges(as_of=moment, known_at=aware("known_at", known_at))
        return edges_frame(versions.as_known(edge, known_at) for edge in edges)

    def events(self, agent_id: str) -> pl.DataFrame:
        """Every turn, in order of time."""
        from arandu_lab.frames import events_frame

        view = self.store.view(agent_id)
        return events_frame([view.event_at(position) for position in range(len(view.events.ids))])
