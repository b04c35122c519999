"""Taking a unit of work back: every field it changed returns to what it was, and nothing else moves.

Later changes to other fields stay. What later units built on this one stands in the way and is told, never overwritten.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeAlias

import numpy as np

from arandu_lab.pure.text import names_in
from arandu_lab.records import Alias, Cluster, Entity, Fact, Link, Observation, Relationship, Row

Key: TypeAlias = Hashable
Placed: TypeAlias = tuple[Row, int]
"""A row and its place in the order of arrival."""

_PASSING = frozenset({"times_retrieved", "last_retrieved_at", "vector"})
"""Fields that reading and repairing move; a row that changed in these alone was not built on."""


@dataclass(slots=True)
class Undoing:
    """What takes a unit back: rows put with their places, rows gone; or what stands in the way.

    ``blocked`` has a line for each obstacle, ``keys`` the rows concerned.
    """

    put: list[Placed] = field(default_factory=list)
    removed: list[Row] = field(default_factory=list)
    blocked: list[str] = field(default_factory=list)
    keys: set[Key] = field(default_factory=set)


def undone(
    before: Mapping[Key, Placed | None],
    after: Mapping[Key, Placed | None],
    now: Mapping[Key, Placed],
    *,
    since: int,
) -> Undoing:
    """The way back from ``after`` to ``before``, over what stands ``now``.

    ``before`` and ``after`` hold the rows that the unit touched, as they were on either side of it (None: not there);
    ``now`` holds every row of the agent; those with a place after ``since`` came later than the unit.
    """
    plan = Undoing()
    for key, was in before.items():
        _row(key, was, after[key], now.get(key), plan)
    if not plan.blocked:
        _dangling(plan, before, now, since)
    return plan


def _row(key: Key, was: Placed | None, left: Placed | None, held: Placed | None, plan: Undoing) -> None:
    if left is None:
        if held is not None:
            _block(plan, key, f"{_told(held[0])} was made anew")
        elif was is not None:
            plan.put.append(was)
        return
    if held is None:
        _block(plan, key, f"{_told(left[0])} is no more")
        return
    if was is None:
        if any(name not in _PASSING for name in _changed(left[0], held[0])):
            _block(plan, key, f"{_told(held[0])} changed since")
        else:
            plan.removed.append(held[0])
        return
    mine = _changed(was[0], left[0])
    since = [name for name in mine if name in _changed(left[0], held[0])]
    if since or (was[1] != left[1] and held[1] != left[1]):
        _block(plan, key, f"{_told(held[0])} changed since ({', '.join(since) or 'its place'})")
    elif mine or was[1] != left[1]:
        back = replace(held[0], **{name: getattr(was[0], name) for name in mine})
        plan.put.append((back, was[1] if was[1] != left[1] else held[1]))


def _dangling(plan: Undoing, touched: Iterable[Key], now: Mapping[Key, Placed], since: int) -> None:
    """Later rows that name a row which is to go, or that came by a name which is to go."""
    facts = {row.id for row in plan.removed if isinstance(row, Fact)}
    entities = {row.key for row in plan.removed if isinstance(row, Entity)}
    names: dict[str, dict[str, str]] = {}
    for row in plan.removed:
        if isinstance(row, Alias) and row.entity_key not in entities:
            names.setdefault(row.entity_key, {})[row.folded] = row.name
    known = set(touched)
    for key, (row, born) in now.items():
        if key in known:
            continue
        built = [word for word in names_used(row) if word in facts or word in entities]
        if built:
            _block(plan, key, f"{_told(row)} came since and rests on it")
        elif isinstance(row, Fact) and born > since and names.get(row.entity_key):
            said = names_in(row.text, names[row.entity_key], min_chars=1)
            if said:
                _block(plan, key, f"the fact {row.text!r} came since, by the name {said[0]!r}")


def names_used(row: Row) -> Sequence[str]:
    """Ids of facts and keys of entities that a row names."""
    match row:
        case Fact():
            return (row.entity_key, row.supersedes_fact_id or "", *row.premise_ids)
        case Link():
            return (row.fact_id, row.entity_key)
        case Alias():
            return (row.entity_key,)
        case Relationship():
            return (row.source_key, row.target_key, *row.evidence_fact_ids)
        case Cluster():
            return (row.entity_key or "", *row.fact_ids)
        case Observation():
            return row.evidence_ids
        case _:
            return ()


def _changed(one: Row, other: Row) -> list[str]:
    """Names of the fields in which two images of a row differ."""
    return [f.name for f in fields(one) if not _same(getattr(one, f.name), getattr(other, f.name))]


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return one is not None and other is not None and np.array_equal(one, other)
    return bool(one == other)


def _block(plan: Undoing, key: Key, why: str) -> None:
    plan.blocked.append(why)
    plan.keys.add(key)


def _told(row: Row) -> str:
    match row:
        case Fact():
            return f"the fact {row.text!r}"
        case Entity():
            return f"the entity {row.key!r}"
        case Alias():
            return f"the name {row.name!r} of {row.entity_key!r}"
        case Link():
            return f"the link of fact {row.fact_id!r} to {row.entity_key!r}"
        case Relationship():
            return f"the edge {row.source_key} {row.rel_type} {row.target_key}"
        case Cluster():
            return f"the cluster {row.label!r}"
        case Observation():
            return f"the {row.kind.replace('_', ' ')} {row.text!r}"
        case _:
            return f"{type(row).__name__.lower()} {row.id!r}"
