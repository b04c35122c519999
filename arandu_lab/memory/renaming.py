"""An agent under another name: every id is moved with it, so that two copies in one store share none, and nothing else is.

An id is 24 digits derived from what it names. A turn's is derived anew, so that the same turn written again is known. Any
other id is moved by the difference of the two names: there and back gives the old id, and by way of a third name gives the
same as straight. Ids that were not derived (a user's own) stay: keys are unique within an agent only. Keys of rows that were
removed are hashes with the agent in them: they are moved where the row is known, and else they bar nothing but themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from arandu_lab.knowledge import Knowledge
from arandu_lab.pure import ids
from arandu_lab.records import Alias, Cluster, Entity, Event, Fact, Link, Observation, Relationship, Row
from arandu_lab.store.journal import Unit
from arandu_lab.store.schema import stored_key

_DERIVED = re.compile(r"(?<![0-9a-f])[0-9a-f]{24}(?![0-9a-f])")


def renamed(units: Sequence[Unit], old: str, new: str) -> list[Unit]:
    """The units of ``old`` as those of ``new``, in the same order."""
    if old == new:
        return list(units)
    turns = {row.id: _turn(row, old, new) for unit in units for row in unit.rows if isinstance(row, Event)}

    def mapped(one: str) -> str:
        return turns.get(one) or moved(one, old, new)

    keys: dict[tuple[str, str], tuple[str, str]] = {}
    done: list[Unit] = []
    for unit in units:
        rows = tuple(_row(row, new, mapped) for row in unit.rows)
        keys.update(zip(map(stored_key, unit.rows), map(stored_key, rows), strict=True))
        done.append(
            replace(
                unit,
                id=_said(unit.id, mapped),
                agent_id=new,
                rows=rows,
                removed=tuple(keys.get(one, one) for one in unit.removed),
                note=unit.note and _said(unit.note, mapped),
            )
        )
    return done


def moved(one: str, old: str, new: str) -> str:
    """A derived id of ``old`` as one of ``new``; any other as it is.

    >>> there = moved("0123456789abcdef01234567", "a", "b")
    >>> there != "0123456789abcdef01234567", moved(there, "b", "a"), moved("mine", "a", "b")
    (True, '0123456789abcdef01234567', 'mine')
    """
    if not _DERIVED.fullmatch(one):
        return one
    by = int(ids.derive("agent", old), 16) ^ int(ids.derive("agent", new), 16)
    return f"{int(one, 16) ^ by:024x}"


def _turn(event: Event, old: str, new: str) -> str:
    def derived(agent_id: str) -> str:
        return ids.event_id(agent_id, event.session_id, event.occurred_at, event.speaker, event.text)

    return derived(new) if event.id == derived(old) else moved(event.id, old, new)


def _row(row: Row, agent_id: str, mapped: Callable[[str], str]) -> Row:
    def every(several: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(mapped, several))

    match row:
        case Event():
            return replace(row, agent_id=agent_id, id=mapped(row.id))
        case Fact():
            before = row.supersedes_fact_id
            return replace(
                row,
                agent_id=agent_id,
                id=mapped(row.id),
                source_event_id=mapped(row.source_event_id),
                supersedes_fact_id=None if before is None else mapped(before),
                premise_ids=every(row.premise_ids),
            )
        case Link():
            return replace(row, agent_id=agent_id, fact_id=mapped(row.fact_id))
        case Relationship():
            return replace(row, agent_id=agent_id, id=mapped(row.id), evidence_fact_ids=every(row.evidence_fact_ids))
        case Cluster():
            details = row.details and _said(row.details, mapped)
            facts = every(row.fact_ids)
            return replace(row, agent_id=agent_id, id=mapped(row.id), fact_ids=facts, details=details)
        case Observation():
            details = row.details and _said(row.details, mapped)
            evidence = every(row.evidence_ids)
            return replace(row, agent_id=agent_id, id=mapped(row.id), evidence_ids=evidence, details=details)
        case Entity() | Alias():
            return replace(row, agent_id=agent_id)
        case _:
            return _known(row, agent_id, mapped)


def _known(row: Knowledge, agent_id: str, mapped: Callable[[str], str]) -> Knowledge:
    """A row of a workspace with every id in it moved."""
    ids_of = {name: getattr(row, name) for name in ("id", *_CITES) if hasattr(row, name)}
    changed: dict[str, Any] = {
        name: tuple(map(mapped, held)) if isinstance(held, tuple) else held and mapped(held)
        for name, held in ids_of.items()
    }
    return replace(row, agent_id=agent_id, **changed)


_CITES = (
    *("source_observation_ids", "source_fact_ids", "superseded_by", "promoted_to"),
    *("kept_id", "lost_id", "source_id", "target_id"),
)
"""Fields of a workspace's rows that name other rows."""


def _said(text: str, mapped: Callable[[str], str]) -> str:
    """A text with the ids in it moved; hashes of other lengths are none."""
    return _DERIVED.sub(lambda found: mapped(found.group()), text)
