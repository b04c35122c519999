"""The questions the pipelines put to a model: inputs, instructions, schema of the answer.

The user message of every prompt is one JSON block ``{"task": name, "inputs": {...}}``; the system message holds the
instructions and nothing of the conversation. So any model reads data as data, and the offline rules read the same
prompt as everybody else. Inputs by task:

``extract``    message, speaker, sent_at (ISO 8601 with offset), sent_on (words), recent_messages [str],
               known [{name, type, profile?, facts? [{i, text, since}]}], profile_language
``entities``   message, speaker, sent_at, sent_on, recent_messages, known
               (from ``extract`` to ``relations`` also transcript_of [str], where the message is a pasted conversation)
``facts``      as ``entities``, and entities [{name, type, aliases}]
``relations``  as ``facts``
``resolve``    message, speaker, mentions [{i, name, type, candidates [{i, name, type, context [str]}]}]
``reconcile``  message, speaker, sent_at, items [{i, subject, fact, since, until?, known [{i, text, since}]}]
``judge``      query, asked_at, facts [{i, text, since}]
``answer``     question, asked_at, context (the text that a memory shows), language (``en``, ``pt``)
``verdict``    question, asked_at, answer, language; gold [str] (any of them is right), or absent true and perhaps
               wrong_answer: the right reaction is to say that it is not known
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from arandu_lab.llm.verdicts import verdict_of
from arandu_lab.pipeline.lab import Task

Category = str
Level = Literal["explicit", "strong", "weak", "speculation"]
_LEVELS = {0.95: "explicit", 0.80: "strong", 0.60: "weak", 0.40: "speculation"}


def _level(value: Any) -> Any:
    """A level by name, or the nearest level of a number."""
    if isinstance(value, int | float) and not isinstance(value, bool) and 0.0 <= value <= 1.0:
        return _LEVELS[min(_LEVELS, key=lambda known: abs(known - value))]
    return value.strip().lower() if isinstance(value, str) else value


def _lower(value: Any) -> Any:
    return value.strip().lower() if isinstance(value, str) else value


def _upper(value: Any) -> Any:
    return value.strip().upper() if isinstance(value, str) else value


Said = Annotated[str, Field(min_length=1, max_length=4000)]


class Answer(BaseModel):
    """Base of answers and their items: unknown fields are ignored, known ones are checked."""

    model_config = ConfigDict(extra="ignore", frozen=True, str_strip_whitespace=True)


class EntityItem(Answer):
    """``{"name": "Guilherme Maturana", "type": "person", "aliases": ["Guili"]}``"""

    name: Said
    type: Annotated[str, BeforeValidator(_lower), Field(min_length=1, max_length=60)] = "concept"
    aliases: list[Said] = Field(default_factory=list)


class FactItem(Answer):
    """``known`` is the index of the shown fact that an UPDATE replaces. ``valid_from``, ``valid_to`` and ``event_time`` are
    ISO dates of day, month or year grain: since when it holds, the last day, month or year in which it held, and for
    when it is planned or was dated (``start/end`` of what lasts).
    """

    subject: Said
    text: Said
    action: Annotated[Literal["NEW", "UPDATE"], BeforeValidator(_upper)] = "NEW"
    known: int | None = None
    importance_category: str = "routine_activity"
    confidence: Annotated[Level, BeforeValidator(_level)] = "explicit"
    valid_from: str | None = None
    valid_to: str | None = None
    event_time: str | None = None


class RelationItem(Answer):
    """``{"source": "Clara Rezende", "type": "works_at", "target": "Orion Tech"}``"""

    source: Said
    type: Said
    target: Said


class EmotionItem(Answer):
    """``{"label": "joy", "intensity": 0.7, "energy": "high"}``; labels are free words in lower case."""

    label: Annotated[str, BeforeValidator(_lower), Field(min_length=1, max_length=40)]
    intensity: Annotated[float, Field(ge=0.0, le=1.0)] = 0.5
    energy: Annotated[Literal["low", "medium", "high"], BeforeValidator(_lower)] = "medium"


class ExtractAnswer(Answer):
    """All that a message states, in one answer."""

    entities: list[EntityItem] = Field(default_factory=list)
    facts: list[FactItem] = Field(default_factory=list)
    relations: list[RelationItem] = Field(default_factory=list)
    updated_profiles: dict[str, str] = Field(default_factory=dict)
    emotion: EmotionItem | None = None


class EntitiesAnswer(Answer):
    """Who and what a message names."""

    entities: list[EntityItem] = Field(default_factory=list)
    emotion: EmotionItem | None = None


class FactsAnswer(Answer):
    """What a message states about the entities."""

    facts: list[FactItem] = Field(default_factory=list)


class RelationsAnswer(Answer):
    """How the entities are connected."""

    relations: list[RelationItem] = Field(default_factory=list)


class ChoiceItem(Answer):
    """For mention ``i``: the index of the candidate it is, or null for none of them."""

    i: int
    candidate: int | None = None


class ResolveAnswer(Answer):
    """One choice per mention."""

    choices: list[ChoiceItem] = Field(default_factory=list)


class VerdictItem(Answer):
    """For item ``i``: the action, and the index of the known fact it concerns (null for ADD)."""

    i: int
    action: Annotated[Literal["ADD", "UPDATE", "NOOP", "DELETE"], BeforeValidator(_upper)]
    known: int | None = None


class ReconcileAnswer(Answer):
    """One verdict per item."""

    verdicts: list[VerdictItem] = Field(default_factory=list)


class GradeItem(Answer):
    """For fact ``i``: how relevant it is to the query, 0 to 1."""

    i: int
    grade: Annotated[float, Field(ge=0.0, le=1.0)]


class JudgeAnswer(Answer):
    """One grade per fact."""

    grades: list[GradeItem] = Field(default_factory=list)


class GivenAnswer(Answer):
    """``{"answer": "in Recife", "known": true}``; null and false where the context does not hold it."""

    answer: Annotated[str, Field(max_length=4000)] | None = None
    known: bool


class GivenVerdict(Answer):
    """``{"verdict": "INCORRECT"}``, read strictly from any text by ``arandu_lab.llm.verdicts``."""

    verdict: Literal["CORRECT", "INCORRECT"]

    @classmethod
    def from_text(cls, text: str) -> GivenVerdict:
        """The verdict in a model's answer.

        Raises:
            BackendError: there is none, there are two, or it is doubtful.
        """
        return cls(verdict=verdict_of(text))


@cache
def _instructions(name: str) -> str:
    return (resources.files("arandu_lab.llm") / "prompts" / f"{name}.md").read_text(encoding="utf-8").strip()


@cache
def extract() -> Task[ExtractAnswer]:
    """Informed extraction: everything in one answer."""
    return Task("extract", "extract", ExtractAnswer, _instructions("extract"), items="facts")


@cache
def entities() -> Task[EntitiesAnswer]:
    """The first question of blind extraction."""
    return Task("entities", "extract", EntitiesAnswer, _instructions("entities"), items="entities")


@cache
def facts() -> Task[FactsAnswer]:
    """The second question of blind extraction, asked together with ``relations``."""
    return Task("facts", "extract", FactsAnswer, _instructions("facts"), items="facts")


@cache
def relations() -> Task[RelationsAnswer]:
    """The third question of blind extraction."""
    return Task("relations", "extract", RelationsAnswer, _instructions("relations"), items="relations")


@cache
def resolve() -> Task[ResolveAnswer]:
    """Which known entity an ambiguous name stands for."""
    return Task("resolve", "resolve", ResolveAnswer, _instructions("resolve"), items="choices")


@cache
def reconcile() -> Task[ReconcileAnswer]:
    """What becomes of new facts beside what is known."""
    return Task("reconcile", "reconcile", ReconcileAnswer, _instructions("reconcile"), items="verdicts")


@cache
def judge() -> Task[JudgeAnswer]:
    """How relevant each fact is to a query."""
    return Task("judge", "judge", JudgeAnswer, _instructions("judge"), items="grades")


@cache
def answer() -> Task[GivenAnswer]:
    """What a context answers to a question."""
    return Task("answer", "answer", GivenAnswer, _instructions("answer"))


@cache
def verdict() -> Task[GivenVerdict]:
    """Whether an answer to a question is right."""
    return Task("verdict", "judge", GivenVerdict, _instructions("verdict"))
