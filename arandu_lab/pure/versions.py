"""Versions of facts and edges: closing, reinforcing, and when an edge has lost its ground. Rows in, rows out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from typing import TypeVar, cast

from arandu_lab.records import MIRROR, UNSTAMPED, Changes, ClosedBy, Fact, Relationship, Row


def closed(fact: Fact, at: datetime, why: ClosedBy) -> Fact:
    """The fact closed at a moment of valid time; never before it began.

    An end that it had before (told with it, or learned from other news) stays in ``ends_before``; ``-`` for when it was
    known is the moment of recording.
    """
    before = fact.ends_before
    if fact.valid_to is not None and (fact.closed_by == "stated" or fact.invalidated_at not in (None, UNSTAMPED)):
        known = "-" if fact.invalidated_at is None else fact.invalidated_at.isoformat()
        told = f"{known}/{fact.valid_to.isoformat()}/{fact.closed_by}"
        before = f"{before} {told}" if before else told
    return replace(fact, valid_to=max(at, fact.valid_from), invalidated_at=UNSTAMPED, closed_by=why, ends_before=before)


def ends(fact: Fact) -> tuple[tuple[datetime, datetime, ClosedBy], ...]:
    """The ends that a version was believed to have, oldest first, without the one it has now: known since, end, why.

    >>> from datetime import UTC
    >>> jan, may = datetime(2024, 1, 1, tzinfo=UTC), datetime(2024, 5, 1, tzinfo=UTC)
    >>> told = Fact(id="f", agent_id="a", entity_key="k", entity_name="n", text="t", confidence=1.0, importance=1.0,
    ...             category="unknown", speaker="s", source_event_id="e", valid_from=jan, recorded_at=may, valid_to=may,
    ...             closed_by="stated")
    >>> [(end.month, why) for _, end, why in ends(closed(told, jan, "late"))]
    [(5, 'stated')]
    """
    out: list[tuple[datetime, datetime, ClosedBy]] = []
    for entry in (fact.ends_before or "").split():
        known, end, why = entry.split("/")
        since = fact.recorded_at if known == "-" else datetime.fromisoformat(known)
        out.append((since, datetime.fromisoformat(end), cast(ClosedBy, why)))
    return tuple(out)


def stated_end(fact: Fact) -> datetime | None:
    """The end that was told with a version, whatever ended it before."""
    if fact.closed_by == "stated":
        return fact.valid_to
    return next((end for _, end, why in ends(fact) if why == "stated"), None)


def is_open(fact: Fact, at: datetime) -> bool:
    """Whether nothing has ended a version at a moment: an end that was told and lies ahead has ended nothing (E10)."""
    return fact.valid_to is None or (fact.closed_by == "stated" and fact.valid_to > at)


def bears(fact: Fact) -> bool:
    """Whether nothing ended a fact, or it was told with its end."""
    return fact.valid_to is None or fact.closed_by == "stated"


def held(fact: Fact) -> bool:
    """Whether an edge may rest on a fact for as long as it held: on news that came late too, where it held for a time."""
    return bears(fact) or (fact.closed_by == "late" and fact.valid_to is not None and fact.valid_from < fact.valid_to)


def confirmed(fact: Fact, at: datetime) -> Fact:
    """The fact heard once more. A closed fact is not revived by it; a stale one is stale no longer."""
    latest = max(at, fact.last_confirmed_at or fact.valid_from)
    heard = fact.reinforcement_count + 1
    return replace(fact, reinforcement_count=heard, last_confirmed_at=latest, stale_since=None, stale_why=None)


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

    ``fact`` gives a fact as it is after the ends; ``at`` closes what an end without a date takes along. An edge stands on
    until the last end that was told of its evidence. Returns the fallen edges and the mirror facts they took along,
    (before, after).
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
            told = [
                end
                for i in edge.evidence_fact_ids
                if (one := now(i)) and one.closed_by == "stated" and (end := one.valid_to)
            ]
            moment = max([*(one.valid_to or at for one in lost), *told])
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
        for place, (known, end, why) in reversed(list(enumerate(ends(version)))):
            if known <= known_at:
                before = " ".join((version.ends_before or "").split()[:place]) or None
                learned = None if why == "stated" else known
                return replace(version, valid_to=end, invalidated_at=learned, closed_by=why, ends_before=before)
        return replace(version, valid_to=None, invalidated_at=None, closed_by=None, ends_before=None)
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
