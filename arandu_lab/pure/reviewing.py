"""Review of what rests on premises: which facts are in doubt, which stand after all, and on what they rest from now on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime

from arandu_lab.pure.text import normal
from arandu_lab.records import Fact

DISTILLED = "distilled"
"""``source_context`` of facts that a job concluded from others."""

LEAST = 2
"""Premises that a distilled fact needs."""


def reviewed(
    facts: Iterable[Fact], fact: Callable[[str], Fact | None], at: datetime, heirs: Iterable[Fact] = ()
) -> tuple[Fact, ...]:
    """Facts whose mark or premises are to change, as they are to be, in their order.

    A told fact is in doubt when one premise is over, or in doubt itself; a distilled one when fewer than two stand. A
    premise is over when news ended it; for a told fact also when an end that was told with it has passed (an episode that
    a distilled fact was made from has always passed). What was heard again after its premise had ended needs it no more.
    A marked fact stays marked while it is in doubt. What stands loses its mark, and the premises that are over.

    Args:
        facts: those that hold at ``at``, the marked ones too.
        fact: any fact by id; None for one that is not known (any more).
        at: the moment of the review; a fresh mark dates from it.
        heirs: facts that hold at ``at``; one with the same words about the same entity takes the place of a premise that
            is over, because it goes on as another version.

    >>> from datetime import UTC
    >>> may, june = datetime(2025, 5, 1, tzinfo=UTC), datetime(2025, 6, 1, tzinfo=UTC)
    >>> job = Fact(id="j", agent_id="a", entity_key="k", entity_name="Ana", text="Ana works at Vertix", confidence=1.0,
    ...            importance=0.9, category="unknown", speaker="Ana", source_event_id="e", valid_from=may, recorded_at=may,
    ...            valid_to=june, closed_by="stated")
    >>> boss = replace(job, id="b", text="Ana reports to Rui", premise_ids=("j",), valid_to=None, closed_by=None)
    >>> [one.stale_why for one in reviewed([boss], {"j": job}.get, june)]
    ['premise']
    >>> reviewed([boss], {"j": job}.get, may)
    ()
    """
    going_on = {(one.entity_key, normal(one.text)): one.id for one in heirs}
    resting = [one for one in facts if one.premise_ids]
    grounds = {one.id: _grounds(one, fact, at, going_on) for one in resting}
    doubts = _doubts(resting, grounds, fact, at)
    out = []
    for one in resting:
        known = grounds[one.id]
        if one.id in doubts:
            why = one.stale_why != "premise"
            after = replace(one, stale_since=one.stale_since or at, stale_why="premise") if why else one
            after = replace(after, premise_ids=known) if known and _standing(one, fact, at, known) else after
        else:
            left = tuple(i for i in known if not over(one, fact(i), at))
            freed = one.stale_why == "premise" and bool(left)
            after = replace(one, premise_ids=left or one.premise_ids)
            after = replace(after, stale_since=None, stale_why=None) if freed else after
        if after != one:
            out.append(after)
    return tuple(out)


def over(resting: Fact, premise: Fact | None, at: datetime) -> bool:
    """Whether a premise no longer bears a fact: it is not known any more, or has ended in a way that matters to the fact."""
    if premise is None:
        return True
    if premise.valid_to is None or (premise.closed_by == "stated" and resting.source_context == DISTILLED):
        return False
    return premise.closed_by != "stated" or premise.valid_to <= at


def _grounds(
    one: Fact, fact: Callable[[str], Fact | None], at: datetime, going_on: dict[tuple[str, str], str]
) -> tuple[str, ...]:
    """The premises of a fact, each that goes on under another id by that id."""
    found: dict[str, None] = {}
    for premise_id in one.premise_ids:
        premise = fact(premise_id)
        heir = None
        if premise is not None and over(one, premise, at):
            heir = going_on.get((premise.entity_key, normal(premise.text)))
        found[premise_id if heir in (None, one.id) else str(heir)] = None
    return tuple(found)


def _doubts(
    resting: list[Fact], grounds: dict[str, tuple[str, ...]], fact: Callable[[str], Fact | None], at: datetime
) -> set[str]:
    """The least set of doubts that explains itself: a circle of facts that rest on each other is no reason for doubt."""
    doubts: set[str] = set()
    marked = {one.id: one.stale_since for one in resting}
    before = -1
    while before != (before := len(doubts)):
        for one in resting:
            if one.id in doubts:
                continue
            lost = [i for i in grounds[one.id] if i in doubts or over(one, fact(i), at)]
            missed = [i for i in lost if not _heard_since(one, fact(i), marked.get(i) if i in doubts else None)]
            if one.source_context == DISTILLED:
                in_doubt = bool(missed) and len(grounds[one.id]) - len(lost) < LEAST
            else:
                in_doubt = any(fact(i) is not None for i in missed)
            if in_doubt:
                doubts.add(one.id)
    return doubts


def _heard_since(one: Fact, premise: Fact | None, doubted_at: datetime | None) -> bool:
    """Whether a fact that is not marked was heard again after its premise had ended, or had come into doubt."""
    if one.stale_why == "premise" or not one.reinforcement_count or premise is None or one.last_confirmed_at is None:
        return False
    ended = doubted_at if premise.valid_to is None else premise.valid_to
    return ended is not None and one.last_confirmed_at >= ended


def _standing(one: Fact, fact: Callable[[str], Fact | None], at: datetime, known: tuple[str, ...]) -> bool:
    """Whether some of the premises are others than before and stand: then they are written down although doubt remains."""
    return known != one.premise_ids and any(not over(one, fact(i), at) for i in known)
