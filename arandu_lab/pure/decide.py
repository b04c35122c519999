"""What becomes of a new fact: pure decisions between asking and committing (write document, stage 3; W7-W12).

``triage`` says at once what can be said without a model and asks for the rest; ``settle`` turns verdicts into
decisions. Silence is Add. One bad verdict touches one fact. No stored fact gets two heirs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import numpy as np

from arandu_lab.pure.attributes import claim, matches, may_match
from arandu_lab.pure.compare import differences, takes_back
from arandu_lab.pure.episodes import another_value, held, over, state
from arandu_lab.pure.text import ident, normal
from arandu_lab.records import Action, Ask, Decision, Fact, Neighbour, NewFact, Vector, Verdict


def duplicates(
    facts: Sequence[NewFact], scale: Callable[[Any], Any], *, threshold: float
) -> dict[int, tuple[int, float]]:
    """Facts of one message that say again what an earlier one of the same subject says: position -> (earlier, cosine).

    Identical words (folded) need no vector. Otherwise the cosine nominates at ``threshold`` or above, and
    ``differences`` may refuse. The first occurrence is kept. ``scale`` maps arrays of cosines too.
    """
    out: dict[int, tuple[int, float]] = {}
    kept: dict[str, list[int]] = {}
    said = [normal(fact.text) for fact in facts]
    for later, fact in enumerate(facts):
        before = kept.setdefault(ident(fact.subject), [])
        same = next((earlier for earlier in before if said[earlier] == said[later]), None)
        if same is not None:
            out[later] = (same, 1.0)
            continue
        for earlier, cosine in _alike(fact, [(e, facts[e].vector) for e in before], scale, threshold):
            if not differences(facts[earlier].text, fact.text, subject=fact.subject):
                out[later] = (earlier, cosine)
                break
        else:
            before.append(later)
    return out


def _alike(
    fact: NewFact, others: Sequence[tuple[int, Vector | None]], scale: Callable[[Any], Any], threshold: float
) -> list[tuple[int, float]]:
    embedded = [(place, vector) for place, vector in others if vector is not None]
    if fact.vector is None or not embedded:
        return []
    cosines = np.atleast_1d(scale(np.stack([vector for _, vector in embedded]) @ fact.vector))
    return [(place, float(cosine)) for (place, _), cosine in zip(embedded, cosines, strict=True) if cosine >= threshold]


def triage(
    position: int,
    fact: NewFact,
    said_at: datetime,
    neighbours: Sequence[Neighbour],
    closed: Sequence[Fact],
    *,
    reconcile_gate: float,
) -> Decision | Ask:
    """Decide a fact without a model, or ask.

    ``neighbours`` are the nearest open facts of its entity, nearest first; ``closed`` its closed ones. Identical words
    confirm (W12); words that were taken back after ``said_at`` stay taken back (D3), and words that had been replaced
    by something newer confirm what was, not what is; a neighbour at the gate or above asks, and one that ``bears_on`` the
    fact whatever its cosine; else the fact is new.
    """
    words = normal(fact.text)
    for neighbour in neighbours:
        if normal(neighbour.fact.text) == words:
            return Decision(action="NOOP", target_id=neighbour.fact.id, why="identical")
    same = [old for old in closed if normal(old.text) == words]
    for old in same:
        if _taken_back(old, said_at):
            return Decision(action="NOOP", target_id=old.id, why="tombstone")
    for old in same:
        if _replaced(old, fact, said_at):
            return Decision(action="NOOP", target_id=old.id, why="past")
    near = tuple(n for n in neighbours if n.cosine >= reconcile_gate or bears_on(fact, n.fact.text, n.fact.entity_name))
    return Ask(position=position, neighbours=near) if near else Decision(action="ADD", why="fresh")


def bears_on(fact: NewFact, stored: str, name: str = "") -> bool:
    """Whether a stored statement is to be asked about whatever its cosine: it states what the fact states, and one has
    that once at a time (where one lives, works, studies), or the fact says that it is over.

    ``name`` is what the stored fact's entity is called. It only asks: what becomes of the two is not said here (A22).
    """
    about = f"{fact.subject} {name}"
    mine = claim(fact.text, about) if fact.valid_to is None else state(fact.text, about)
    if mine is None or not (mine.single or mine.ended) or not may_match(mine, stored):
        return False
    return matches(mine, claim(stored, about))


def settle(ask: Ask, verdict: Verdict | None, fact: NewFact, said_at: datetime) -> Decision:
    """Turn a verdict into a decision; no verdict is Add, an index that was not shown is Add (W10).

    An UPDATE or DELETE by older news (from before what it would replace) becomes an ADD that is closed from birth (W8), and
    so does an UPDATE by another value that was told with its end and is over; told of the same value, the end ends it. A
    DELETE by a fact that itself states something is an UPDATE: the new statement is kept in the place of the old (A2).
    """
    if verdict is None:
        return Decision(action="ADD", why="silence")
    if verdict.action == "ADD":
        return Decision(action="ADD", why="verdict")
    if verdict.index is None or not 0 <= verdict.index < len(ask.neighbours):
        return Decision(action="ADD", why="verdict_invalid")
    target = ask.neighbours[verdict.index].fact
    restated = verdict.action == "DELETE" and not takes_back(fact.text)
    action: Action = "UPDATE" if restated else verdict.action
    if action == "UPDATE" and _past(fact, said_at, target):
        return Decision(action="ADD", target_id=target.id, why="late")
    if action == "DELETE" and said_at < target.valid_from:
        return Decision(action="ADD", target_id=target.id, why="late")
    return Decision(action=action, target_id=target.id, why="restated" if restated else "verdict")


def one_heir(decisions: Sequence[Decision | None]) -> tuple[Decision | None, ...]:
    """Within one unit, a stored fact is replaced or closed once; a later claim on it becomes an Add (or, for NOOP, stays).

    >>> a = Decision(action="UPDATE", target_id="f", why="verdict")
    >>> [d.action + ":" + d.why for d in one_heir([a, a, Decision(action="NOOP", target_id="f", why="verdict")])]
    ['UPDATE:verdict', 'ADD:heir', 'ADD:heir']
    """
    taken: set[str] = set()
    out: list[Decision | None] = []
    for decision in decisions:
        if decision is not None and decision.target_id in taken and decision.action in ("UPDATE", "DELETE", "NOOP"):
            decision = Decision(action="ADD", why="heir")
        if decision is not None and decision.action in ("UPDATE", "DELETE") and decision.target_id is not None:
            taken.add(decision.target_id)
        out.append(decision)
    return tuple(out)


def lexical_likeness(first: str, second: str) -> float:
    """Share of words in common, 0 to 1, for when no embedder answers."""
    a, b = set(normal(first).split()), set(normal(second).split())
    return len(a & b) / len(a | b) if a | b else 0.0


def _older(fact: NewFact, said_at: datetime, target: Fact) -> bool:
    """Whether a fact holds from before another one. A day that was stated is no earlier than a moment of that day."""
    since, _ = held(fact, said_at)
    if fact.valid_from is None and fact.valid_to is None:
        return since < target.valid_from
    return since < target.valid_from and since.date() != target.valid_from.astimezone(since.tzinfo).date()


def _past(fact: NewFact, said_at: datetime, target: Fact) -> bool:
    """Whether a fact is news about the past of what it would replace."""
    if not over(fact, said_at):
        return _older(fact, said_at, target)
    assert fact.valid_to is not None
    return fact.valid_to <= target.valid_from or another_value(
        fact.text, target.text, f"{fact.subject} {target.entity_name}"
    )


def _replaced(old: Fact, fact: NewFact, said_at: datetime) -> bool:
    """Whether words repeat what something newer replaced: they speak of when it held, or were said no later than it was.

    The second matters where the heir told a date before the old words were said: then the old fact held at no time.
    """
    if old.closed_by not in ("update", "late", "stated") or old.valid_to is None:
        return False
    since, _ = held(fact, said_at)
    return since < old.valid_to or (old.last_confirmed_at is not None and said_at <= old.last_confirmed_at)


def _taken_back(fact: Fact, said_at: datetime) -> bool:
    if fact.closed_by == "delete" and fact.valid_to is not None:
        return said_at <= fact.valid_to
    return fact.closed_by == "correction" and fact.invalidated_at is not None and said_at <= fact.invalidated_at
