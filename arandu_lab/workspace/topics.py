"""Which facts a new one may touch, found without walking through all: by topic, sighting and session. Grows with the view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arandu_lab.knowledge import MemoryFact, Sighting
from arandu_lab.pure.text import normal

if TYPE_CHECKING:
    from arandu_lab.store.view import AgentView

_KEPT = "workspace/topics"


class Topics:
    """Ids of facts in order of arrival: it may name too many, never too few; whoever asks looks at the rows."""

    def __init__(self) -> None:
        self._of_topic: dict[tuple[str, str], list[str]] = {}
        self._of_sighting: dict[str, list[str]] = {}
        self._of_session: dict[str, list[str]] = {}
        self._read = 0

    @classmethod
    def of(cls, view: AgentView) -> Topics:
        """The index that lies beside the rows of a view, brought up to it."""
        held = view.kept.get(_KEPT)
        topics = held if isinstance(held, cls) else view.kept.setdefault(_KEPT, cls())
        shelf = view.shelf(MemoryFact)
        for place in range(topics._read, len(shelf)):
            topics.add(shelf.at(place), {one: _session(view, one) for one in shelf.at(place).source_observation_ids})
        topics._read = max(topics._read, len(shelf))
        return topics

    def add(self, fact: MemoryFact, sessions: dict[str, str | None]) -> None:
        """Take in a fact, or what it cites now."""
        _put(self._of_topic, (fact.domain, normal(fact.topic)), fact.id)
        for one in fact.source_observation_ids:
            _put(self._of_sighting, one, fact.id)
            if session := sessions.get(one):
                _put(self._of_session, session, fact.id)

    def of_topic(self, domain: str, topic: str) -> list[str]:
        """Facts of a topic of a domain by its name, in all scopes."""
        return self._of_topic.get((domain, normal(topic)), [])

    def of_sightings(self, sightings: tuple[str, ...], sessions: set[str], limit: int) -> list[str]:
        """The latest facts that cite one of these sightings, or another of these sessions: ``limit`` for each."""
        found: list[str] = []
        for one in sightings:
            found += self._of_sighting.get(one, [])[-limit:]
        for session in sorted(sessions):
            found += self._of_session.get(session, [])[-limit:]
        return list(dict.fromkeys(found))


def _put(index: dict[tuple[str, str], list[str]] | dict[str, list[str]], key: object, one: str) -> None:
    held: list[str] = index.setdefault(key, [])  # type: ignore[arg-type]
    if one not in held[-64:]:
        held.append(one)


def _session(view: AgentView, sighting_id: str) -> str | None:
    seen = view.shelf(Sighting).get(sighting_id)
    return None if seen is None else seen.session_id
