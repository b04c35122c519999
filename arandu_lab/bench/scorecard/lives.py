"""When each gold fact held, and since when that could be known: the truth that stores are measured against.

A world brings its truth as operations (``truth.jsonl``); for a set without one they follow from the decisions of its
gold. A fact *holds* at ``as_of`` as far as was *told* by ``known_at``: an end that was told later is not in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

from arandu_lab.bench.data.model import Conversation, GoldFact
from arandu_lab.bench.world.truth import Ended, Line, load_both
from arandu_lab.errors import DatasetError


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """That a fact ended: the day from which it does not hold, the moment it was told, and why."""

    until: date
    told_at: datetime
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """One fact over time. ``derived``: it follows from others and no turn says it."""

    fact: str
    since: date
    told_at: datetime
    ends: tuple[End, ...] = ()
    derived: bool = False

    def ended(self, known_at: datetime) -> End | None:
        """The last end that was told by a moment."""
        told = [end for end in self.ends if end.told_at <= known_at]
        return told[-1] if told else None

    def holds(self, as_of: datetime, known_at: datetime) -> bool:
        """Whether it holds on the day of ``as_of``, as far as was told by ``known_at``."""
        if self.told_at > known_at or as_of.date() < self.since:
            return False
        end = self.ended(known_at)
        return end is None or as_of.date() < end.until


def lives_of(conversation: Conversation, operations: Iterable[Mapping[str, Any]] | None = None) -> dict[str, Life]:
    """Fact id -> life, by operations, or by the gold where there are none.

    Raises:
        DatasetError: an operation that is no operation, or ends what never began.
    """
    lives: dict[str, Life] = {}
    for one in _told(conversation) if operations is None else operations:
        try:
            told_at = datetime.fromisoformat(one["told_at"])
            if one["op"] == "begin":
                lives[one["fact"]] = Life(
                    fact=one["fact"],
                    since=date.fromisoformat(one["from"]),
                    told_at=told_at,
                    derived=bool(one.get("premises")),
                )
            else:
                before = lives[one["fact"]]
                end = End(until=date.fromisoformat(one["until"]), told_at=told_at, why=one["why"])
                lives[one["fact"]] = replace(before, ends=(*before.ends, end))
        except (KeyError, ValueError) as error:
            raise DatasetError(f"truth of {conversation.id}: {dict(one)}: {type(error).__name__} {error}") from None
    return lives


def read_operations(folder: Path) -> list[dict[str, Any]] | None:
    """The lines of a world's ``truth.jsonl``, read strictly; None where a set has none.

    Raises:
        DatasetError: as :func:`arandu_lab.bench.world.truth.load_both`.
    """
    truth, _ = load_both(folder)
    return None if truth is None else [_operation(line) for line in truth]


def _operation(line: Line) -> dict[str, Any]:
    told = {"fact": line.fact, "turn": line.turn, "told_at": line.told_at.isoformat()}
    if isinstance(line, Ended):
        return {"op": "end", "until": line.until.isoformat(), "why": line.why, **told}
    return {"op": "begin", "from": line.since.isoformat(), "premises": list(line.premises), **told}


def roots_of(conversation: Conversation) -> dict[str, str]:
    """Gold fact id -> its root, the fact that it is about: itself (ADD, UPDATE), or what it repeats or ends."""
    facts = {fact.id: fact for fact in _facts(conversation)}
    out: dict[str, str] = {}
    for fact_id, one in facts.items():
        passed = {fact_id}
        while one.decision in ("NOOP", "DELETE") and one.of in facts and one.of not in passed:
            passed.add(one.of)
            one = facts[one.of]
        out[fact_id] = one.id
    return out


def _facts(conversation: Conversation) -> list[GoldFact]:
    gold = conversation.gold or {}
    return [fact for turn in conversation.turns if turn.id in gold for fact in gold[turn.id].facts]


def _told(conversation: Conversation) -> list[dict[str, Any]]:
    """The operations that the decisions of a gold amount to."""
    gold, roots = conversation.gold or {}, roots_of(conversation)
    known = {fact.id: fact for fact in _facts(conversation)}
    out: list[dict[str, Any]] = []
    for turn in conversation.turns:
        facts: Sequence[GoldFact] = gold[turn.id].facts if turn.id in gold else ()
        told = {"turn": turn.id, "told_at": turn.occurred_at.isoformat()}
        for fact in facts:
            if fact.decision in ("UPDATE", "DELETE") and fact.of in roots:
                since = known[roots[fact.of]].valid_from
                until, why = max(since, fact.valid_from).isoformat(), fact.decision.lower()
                out.append({"op": "end", "fact": roots[fact.of], "until": until, "why": why, **told})
            if fact.decision in ("ADD", "UPDATE"):
                out.append(
                    {"op": "begin", "fact": fact.id, "from": fact.valid_from.isoformat(), "premises": [], **told}
                )
                if fact.valid_to is not None:
                    until = fact.valid_to.isoformat()
                    out.append({"op": "end", "fact": fact.id, "until": until, "why": "update", **told})
    return out
