"""Versions of facts and edges: closing, reinforcing, and when an edge has lost its ground. Rows in, rows out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from arandu_lab.records import MIRROR, UNSTAMPED, Changes, ClosedBy, Fact, Relationship, Row


def closed(fact: Fact, at: datetime, why: ClosedBy) -> Fact:
    """The fact closed at a moment of valid time; never before it began."""
    return replace(fact, valid_to=max(at, fact.valid_from), invalidated_at=UNSTAMPED, closed_by=why)


def confirmed(fact: Fact, at: datetime) -> Fact:
    """The fact heard once more. A closed fact is not revived by it."""
    latest = max(at, fact.last_confirmed_at or fact.valid_from)
    return replace(fact, reinforcement_count=fact.reinforcement_count + 1, last_confirmed_at=latest)


def reinforced(edge: Relationship, evidence: tuple[str, ...], gain: float, at: datetime) -> Relationship:
    """The edge heard once more: stronger by ``gain`` up to 1, resting on more.

    >>> from datetime import UTC
    >>> now = datetime(2025, 1, 1, tzinfo=UTC)
    >>> e = Relationship(id="e", agent_id="a", source_key="s", target_key="t", rel_type="r", strength=0.95,
    ...                  evidence_fact_ids=("f",), valid_from=now, recorded_at=now)
    >>> reinforced(e, ("g", "f"), 0.1, now).strength, reinforced(e, ("g", "f"), 0.1, now).evidence_fact_ids
    (1.0, ('f', 'g'))
    """
    return replace(
        edge,
        strength=min(1.0, edge.strength + gain),
        evidence_fact_ids=tuple(dict.fromkeys((*edge.evidence_fact_ids, *evidence))),
        last_confirmed_at=max(at, edge.last_confirmed_at or edge.valid_from),
    )


def stands(edge: Relationship, fact: Callable[[str], Fact | None]) -> bool:
    """Whether an edge still has ground: an open fact that states it; a mirror counts only where no fact ever did."""
    evidence = [found for fact_id in edge.evidence_fact_ids if (found := fact(fact_id)) is not None]
    stated = [one for one in evidence if one.source_context != MIRROR]
    return any(one.valid_to is None for one in (stated or evidence))


def fall(edge: Relationship, at: datetime) -> Relationship:
    """The edge closed at a moment of valid time."""
    return replace(edge, valid_to=max(at, edge.valid_from), invalidated_at=UNSTAMPED)


def stamped(changes: Changes, moment: datetime) -> Changes:
    """The changes with the moment of recording written wherever a draft left it open."""

    def row(image: Row) -> Row:
        marks = {name: moment for name in ("recorded_at", "invalidated_at") if getattr(image, name, None) == UNSTAMPED}
        return replace(image, **marks) if marks else image  # type: ignore[arg-type]

    rows = tuple(row(image) for image in changes.rows)
    decided = tuple(
        replace(one, fact=row(one.fact), before=one.before and row(one.before))  # type: ignore[arg-type]
        for one in changes.decided
    )
    return replace(changes, rows=rows, decided=decided)
