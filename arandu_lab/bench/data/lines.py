"""The lines of our own sets, as ``datasets/README.md`` prints them. A field more or less is an error."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field

Slot: TypeAlias = Literal[
    "lives_in", "from", "works_at", "has_role", "studies_at", "studies", "member_of", "partner", "spouse", "ex_partner",
    "lives_with", "child", "parent", "sibling", "friend", "relative", "colleague", "boss", "pet", "owns", "likes",
    "dislikes", "diet", "allergy", "health", "hobby", "habit", "language", "birthday", "age", "name", "plan", "event",
    "project", "opinion", "other",
]  # fmt: skip
FactCategory: TypeAlias = Literal[
    "biographical_milestone", "relationship_change", "stable_preference", "specific_event", "routine_activity",
    "conversational",
]  # fmt: skip
EntityType: TypeAlias = Literal["person", "organization", "place", "pet", "product", "project", "event", "concept"]
RelationType: TypeAlias = Literal[
    "lives_in", "from", "works_at", "studies_at", "member_of", "partner_of", "spouse_of", "ex_partner_of", "child_of",
    "parent_of", "sibling_of", "friend_of", "relative_of", "colleague_of", "reports_to", "has_pet", "owns", "works_on",
    "teaches", "treats",
]  # fmt: skip
QuestionCategory: TypeAlias = Literal[
    "single", "multi", "temporal", "open", "update", "negation", "absent",
    "state", "history", "change", "cascade", "deletion",
]  # fmt: skip


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("is blank")
    return text


def _partial_date(text: str) -> str:
    """``2024``, ``2024-03`` or ``2024-03-09``."""
    if not re.fullmatch(r"\d{4}(-\d{2}(-\d{2})?)?", text):
        raise ValueError("is no date like 2024, 2024-03 or 2024-03-09")
    date.fromisoformat(text + "-01-01"[len(text) - 4 :] if len(text) < 10 else text)
    return text


Text: TypeAlias = Annotated[str, AfterValidator(_not_blank)]
PartialDate: TypeAlias = Annotated[str, AfterValidator(_partial_date)]
TurnId: TypeAlias = Annotated[str, Field(pattern=r"^s\d{2,}t\d{2,}$")]
FactId: TypeAlias = Annotated[str, Field(pattern=r"^f\d{3,}$")]
TruthId: TypeAlias = Annotated[str, Field(pattern=r"^[fd]\d{3,}$")]


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class SetHead(_Line):
    """``set.toml``. ``speakers``: the names that the chat shows, or a table from those to entities. ``gold``: whether facts are
    annotated; a set without judges retrieval alone. ``story``: what is told, for sets that tell one thing in several languages."""

    model_config = ConfigDict(extra="forbid", strict=False, frozen=True)

    name: Text
    language: Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Za-z]+)?$")]
    title: Text
    description: Text
    licence: Text
    timezone: Text
    speakers: dict[str, str] | tuple[Text, ...]
    gold: bool = True
    story: Text | None = None

    def cast(self) -> dict[str, str | None]:
        """Shown name -> entity, None where the set does not say."""
        return dict(self.speakers) if isinstance(self.speakers, dict) else dict.fromkeys(self.speakers)


class EntityLine(_Line):
    """``entities.jsonl``."""

    name: Text
    type: EntityType
    aliases: tuple[Text, ...]


class TurnLine(_Line):
    """``turns.jsonl``."""

    id: TurnId
    session: Annotated[str, Field(pattern=r"^s\d{2,}$")]
    occurred_at: AwareDatetime
    speaker: Text
    text: Text


class FactLine(_Line):
    """A fact of ``gold.jsonl``; ``valid_to`` only where it was over when it was told."""

    id: FactId
    subject: Text
    text: Text
    slot: Slot
    value: Text
    category: FactCategory
    confidence: Literal["explicit", "strong", "weak", "speculation"]
    valid_from: date
    valid_to: date | None = None
    event_time: PartialDate | None
    decision: Literal["ADD", "UPDATE", "NOOP", "DELETE"]
    of: FactId | None


class MentionLine(_Line):
    """An entity of ``gold.jsonl``."""

    name: Text
    type: EntityType
    mention: Text


class RelationLine(_Line):
    """A relation of ``gold.jsonl``."""

    source: Text
    type: RelationType
    target: Text


class GoldLine(_Line):
    """``gold.jsonl``."""

    turn: TurnId
    facts: tuple[FactLine, ...]
    entities: tuple[MentionLine, ...]
    relations: tuple[RelationLine, ...]


class QuestionLine(_Line):
    """``questions.jsonl``. ``facts`` are the gold facts that answer, ``stale`` earlier ones that must not come first."""

    id: Text
    asked_at: AwareDatetime
    question: Text
    answer: Text | None
    evidence: tuple[TurnId, ...]
    category: QuestionCategory
    wrong_answer: Text | None = None
    facts: tuple[TruthId, ...] = ()
    stale: tuple[TruthId, ...] = ()
