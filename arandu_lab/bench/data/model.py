"""One shape for every dataset: conversations of dated turns, questions with evidence, and gold where somebody wrote it.

Everything is frozen. A loader that changes what a file says leaves a :class:`Repair`; nothing is mended in silence.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from html import escape
from typing import Any

import polars as pl

from arandu_lab.errors import ConfigError, nearest
from arandu_lab.systems.base import DatedTurn

__all__ = [
    "Conversation",
    "Dataset",
    "DatedTurn",
    "GoldEntity",
    "GoldFact",
    "GoldRelation",
    "GoldTurn",
    "NamedEntity",
    "Question",
    "Repair",
    "Session",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A sitting: turns said in one go. ``occurred_at`` is when it began."""

    id: str
    occurred_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question put at ``asked_at``; ``evidence`` are ids of the turns that answer it, in order of time.

    ``answer`` None: there is none to give. ``absent``: the right reaction is to say that it was never said;
    ``wrong_answer`` is then what a careless reader would say, where the dataset gives it. ``evidence_sessions`` may
    name sessions without a turn in ``evidence`` (datasets that cite sessions only). ``facts`` are the gold facts that
    answer, ``stale`` earlier ones that must not come before them, where the dataset says it.
    """

    id: str
    text: str
    asked_at: datetime
    answer: str | None
    evidence: tuple[str, ...]
    evidence_sessions: tuple[str, ...]
    category: str
    absent: bool = False
    wrong_answer: str | None = None
    facts: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedEntity:
    """Somebody or something the conversation is about, and the other names it goes by."""

    name: str
    type: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldFact:
    """A fact that a turn states. ``decision``: what it does to fact ``of``. ``event_time``: a (partial) ISO date.

    ``valid_to``: the day it ended, where it was over when it was told.
    """

    id: str
    subject: str
    text: str
    slot: str
    value: str
    category: str
    confidence: str
    valid_from: date
    event_time: str | None
    decision: str
    of: str | None
    valid_to: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldEntity:
    """An entity that a turn names, with the words that name it."""

    name: str
    type: str
    mention: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldRelation:
    """A directed relation that a turn states, between canonical names."""

    source: str
    type: str
    target: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldTurn:
    """All that one turn states; empty tuples where it states nothing."""

    facts: tuple[GoldFact, ...] = ()
    entities: tuple[GoldEntity, ...] = ()
    relations: tuple[GoldRelation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """Turns in order of time, questions about them, and gold by turn id (None where nobody wrote any)."""

    id: str
    sessions: tuple[Session, ...]
    turns: tuple[DatedTurn, ...]
    questions: tuple[Question, ...]
    entities: tuple[NamedEntity, ...] = ()
    gold: Mapping[str, GoldTurn] | None = None

    def session_of(self) -> dict[str, str]:
        """Turn id -> session id."""
        return {turn.id: turn.session_id for turn in self.turns}


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """A place where the loader's data is not what the file says. ``where`` is a question or turn of a conversation."""

    where: str
    before: str
    after: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """A named set of conversations. ``digest`` is the sha256 of what was read; ``card`` says where it comes from."""

    name: str
    language: str
    title: str
    licence: str
    conversations: tuple[Conversation, ...]
    digest: str
    repairs: tuple[Repair, ...] = ()
    card: Mapping[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.conversations)

    def __iter__(self) -> Iterator[Conversation]:
        return iter(self.conversations)

    def __getitem__(self, conversation_id: str) -> Conversation:
        """A conversation by id.

        Raises:
            ConfigError: there is none of that id.
        """
        for conversation in self.conversations:
            if conversation.id == conversation_id:
                return conversation
        raise ConfigError(
            f"conversation {conversation_id!r} of {self.name}; {nearest(conversation_id, (c.id for c in self))}"
        )

    def slice(
        self,
        conversations: int | Sequence[str] | None = None,
        questions: int | None = None,
        categories: Collection[str] | None = None,
    ) -> Dataset:
        """A smaller dataset: some conversations, and of each the first ``questions`` questions of some categories.

        Turns are never cut, so that evidence and its distractors stay. The name says what was taken and the digest is
        derived from it, so that results of a slice are never taken for results of the whole.

        Args:
            conversations: The first so many, or ids; None for all.
            questions: At most so many a conversation; None for all.
            categories: Only these; None for all.

        Raises:
            ConfigError: an unknown id or category, or a number below 1.
        """
        known = {question.category for conversation in self for question in conversation.questions}
        for category in sorted(set(categories or ()) - known):
            raise ConfigError(f"category {category!r} of {self.name}; {nearest(category, known)}")
        for number in (conversations, questions):
            if isinstance(number, int) and number < 1:
                raise ConfigError(f"a slice of {number}; at least 1")
        if conversations is None or isinstance(conversations, int):
            taken = self.conversations[:conversations]
        else:
            taken = tuple(self[conversation_id] for conversation_id in conversations)
        kept = []
        for one in taken:
            fitting = tuple(q for q in one.questions if not categories or q.category in categories)
            kept.append(replace(one, questions=fitting[:questions]))
        said = [
            "" if conversations is None else ",".join(one.id for one in taken),
            "" if questions is None else f"{questions}q",
            ",".join(sorted(categories or ())),
        ]
        what = ";".join(part for part in said if part)
        if not what:
            return self
        named = {f"{one.id}/" for one in taken}
        return replace(
            self,
            name=f"{self.name}[{what}]",
            conversations=tuple(kept),
            digest=hashlib.sha256(f"{self.digest}[{what}]".encode()).hexdigest(),
            repairs=tuple(repair for repair in self.repairs if any(repair.where.startswith(part) for part in named)),
        )

    def table(self) -> pl.DataFrame:
        """One row a conversation: sessions, turns, questions, questions with evidence, first and last turn."""
        rows = [
            {
                "conversation": one.id,
                "sessions": len(one.sessions),
                "turns": len(one.turns),
                "questions": len(one.questions),
                "with_evidence": sum(bool(q.evidence) for q in one.questions),
                "gold_facts": sum(len(turn.facts) for turn in one.gold.values()) if one.gold is not None else None,
                "first": one.turns[0].occurred_at.date() if one.turns else None,
                "last": one.turns[-1].occurred_at.date() if one.turns else None,
            }
            for one in self
        ]
        return pl.DataFrame(rows, schema=_TABLE)

    def questions(self) -> pl.DataFrame:
        """One row a question, evidence as a list column."""
        rows = [
            {
                "conversation": one.id,
                "question": q.id,
                "category": q.category,
                "text": q.text,
                "answer": q.answer,
                "absent": q.absent,
                "asked_at": q.asked_at.isoformat(),
                "evidence": list(q.evidence),
                "evidence_sessions": list(q.evidence_sessions),
            }
            for one in self
            for q in one.questions
        ]
        return pl.DataFrame(rows, schema=_QUESTIONS)

    def _repr_html_(self) -> str:
        counts = self.questions().group_by("category").len().sort("category").rows()
        said = ", ".join(f"{category} {number}" for category, number in counts)
        return (
            f"<p><b>{escape(self.name)}</b> {escape(self.title)} ({escape(self.language)}; {escape(self.licence)}); "
            f"{len(self.repairs)} repairs; sha256 {self.digest[:12]}<br>{escape(said)}</p>{self.table()._repr_html_()}"
        )


_TABLE: dict[str, Any] = {
    "conversation": pl.String,
    "sessions": pl.Int64,
    "turns": pl.Int64,
    "questions": pl.Int64,
    "with_evidence": pl.Int64,
    "gold_facts": pl.Int64,
    "first": pl.Date,
    "last": pl.Date,
}
_QUESTIONS: dict[str, Any] = {
    "conversation": pl.String,
    "question": pl.String,
    "category": pl.String,
    "text": pl.String,
    "answer": pl.String,
    "absent": pl.Boolean,
    "asked_at": pl.String,
    "evidence": pl.List(pl.String),
    "evidence_sessions": pl.List(pl.String),
}
