"""Versions of facts and edges: closing, reinforcing, and when an edge has lost its ground. Rows in, rows out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

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


def cascade(
    ended: Iterable[str], edges: Iterable[Relationship], fact: Callable[[str], Fact | None], at: datetime
) -> tuple[tuple[Relationship, ...], tuple[tuple[Fact, Fact], ...]]:
    """What falls when facts have ended: edges that lost their ground, their mirror facts, and so on until all stands.

    ``fact`` gives a fact as it is after the ends; ``at`` closes what an end without a date takes along. Returns the
    fallen edges and the mirror facts they took along, (before, after).
    """
    standing = {edge.id: edge for edge in edges if edge.valid_to is None}
    gone, fallen, mirrors = set(ended), [], dict[str, tuple[Fact, Fact]]()

    def now(fact_id: str) -> Fact | None:
        return mirrors[fact_id][1] if fact_id in mirrors else fact(fact_id)

    while gone:
        further: set[str] = set()
        for edge in list(standing.values()):
            lost = [one for i in edge.evidence_fact_ids if i in gone and (one := now(i)) is not None]
            if not lost or stands(edge, now):
                continue
            moment = max(one.valid_to or at for one in lost)
            fallen.append(fall(standing.pop(edge.id), moment))
            for fact_id in edge.evidence_fact_ids:
                mirror = now(fact_id)
                if mirror is not None and mirror.valid_to is None:
                    mirrors[fact_id] = (mirror, closed(mirror, moment, "edge"))
                    further.add(fact_id)
        gone = further
    return tuple(fallen), tuple(mirrors.values())


V = TypeVar("V", Fact, Relationship)


def as_known(version: V, known_at: datetime | None) -> V:
    """The version as the memory knew it at a moment: an end that it learned later is not in it.

    ``known_at`` None is now: the version as it is.
    """
    later = version.invalidated_at
    if known_at is None or later is None or later <= known_at or version.recorded_at == later:
        return version
    if isinstance(version, Fact):
        return replace(version, valid_to=None, invalidated_at=None, closed_by=None)
    return replace(version, valid_to=None, invalidated_at=None)


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
