"""Which entities are due for a new summary or profile: those without one, and those whose old one has been overtaken.

What is not due is left out before the limit is applied, so that every entity gets its turn (J7). Beside the documented age
there must be news: a text whose facts are as they were when it was written is not written again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from arandu_lab.jobs.flow import Snapshot, about, left, shown
from arandu_lab.pipeline import Lab
from arandu_lab.pipeline.lab import Positions
from arandu_lab.records import Entity, Fact, Skipped


@dataclass(frozen=True, slots=True)
class Due:
    """An entity whose text is to be written, with what is known of it now, best first."""

    entity: Entity
    facts: tuple[Fact, ...]

    def shown(self, language: str) -> dict[str, Any]:
        """The inputs of its question."""
        return {"name": self.entity.name, "type": self.entity.type, "facts": shown(self.facts), "language": language}


@dataclass(frozen=True, slots=True, kw_only=True)
class Picked(Snapshot):
    """Entities that are due, the most urgent first; ``over``: those whose text tells of nothing that still holds."""

    due: tuple[Due, ...] = ()
    over: tuple[Entity, ...] = ()
    waiting: int = 0


def picked(
    snapshot: Snapshot,
    lab: Lab,
    *,
    written: Callable[[Entity], tuple[str | None, datetime | None]],
    urgent: Callable[[Entity, int], tuple[Any, ...]],
    interval_days: float,
    batch: int,
    most_facts: int,
) -> Picked:
    """Choose at most ``batch`` entities.

    Args:
        written: text and moment of what an entity has now.
        urgent: the sort key of an entity with so many facts; the smallest goes first.
        interval_days: younger texts stay.
        most_facts: how many facts are shown of one entity.
    """
    memory = lab.memory
    held = memory.facts.live(as_of=lab.now) & ~memory.facts.stale
    chosen: list[tuple[tuple[Any, ...], Entity]] = []
    over: list[Entity] = []
    for entity in memory.entities():
        text, at = written(entity)
        linked = memory.linked(entity.key)
        mine = linked[held[linked]]
        if not len(mine):
            if text is not None and len(linked):
                over.append(entity)
            continue
        late = at is not None and lab.now - at >= timedelta(days=interval_days)
        if text is None or at is None or at > lab.now or (late and _news(lab, linked, at)):
            chosen.append((urgent(entity, len(mine)), entity))
    chosen.sort(key=lambda one: one[0])
    due = tuple(Due(entity, tuple(about(lab, entity, most=most_facts))) for _, entity in chosen[:batch])
    return Picked(agent_id=snapshot.agent_id, due=due, over=tuple(over), waiting=max(0, len(chosen) - batch))


def waiting(found: Picked, what: str) -> tuple[Skipped, ...]:
    """The entities that are due and did not fit into this run, as a line of what was left."""
    return (left(f"{what} of {found.waiting} entities", "they wait for the next run"),) if found.waiting else ()


def _news(lab: Lab, positions: Positions, since: datetime) -> bool:
    """Whether a fact of these was told, heard again or ended since then."""
    facts = (lab.memory.fact_at(int(place)) for place in positions)
    return any(_touched(fact, since) for fact in facts)


def _touched(fact: Fact, since: datetime) -> bool:
    ended = fact.invalidated_at or (fact.valid_to if fact.closed_by == "stated" else None)
    return any(moment is not None and moment >= since for moment in (fact.recorded_at, fact.last_confirmed_at, ended))
