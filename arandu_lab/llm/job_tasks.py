"""The questions that background jobs put to a model (role ``job``): inputs, instructions, schema of the answer.

Built like ``arandu_lab.llm.tasks``: one JSON block of data, instructions apart. ``language`` is the language of what is
written, ``english`` unless told otherwise (W19), whatever the facts are in. ``since`` and ``at`` are ISO dates. Inputs by task:

``cluster``      name, type, topic?, facts [{i, text, since}], language
``theme``        clusters [{i, label, summary}], language
``consolidate``  since, until, events [{i, speaker, text, at}], facts [{i, subject, text, since}],
                 known [{i, kind, text}], language
``emotions``     events [{i, speaker, text}]
``distil``       name, type, facts [{i, text, since, times}], known [{i, text}], language; ``times``: how often it was said
``summary``      name, type, facts [{i, text, since}], language
``profile``      name, type, profile? (the one so far), facts [{i, text, since}], language
``premises``     name, type, facts [{i, text, since}]
``overview``     entities [{name, type, summary}] (most important first), language

A text that is null means "nothing to say"; whoever asked keeps what there was.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from arandu_lab.llm.tasks import Answer, EmotionItem, Said
from arandu_lab.pipeline.lab import Task

Kind = Literal["insight", "pattern", "contradiction", "trend", "directive"]
LABEL_LENGTH = 80
_SURE = {"explicit": 0.95, "strong": 0.8, "high": 0.8, "medium": 0.6, "weak": 0.6, "low": 0.4, "speculation": 0.4}


def _lower(value: Any) -> Any:
    return value.strip().lower() if isinstance(value, str) else value


def _sure(value: Any) -> Any:
    """A confidence by word as its number."""
    return _SURE.get(value.strip().lower(), value) if isinstance(value, str) else value


def _short(value: Any) -> Any:
    """A label of at most ``LABEL_LENGTH`` characters, cut between words."""
    if not isinstance(value, str) or len(value.strip()) <= LABEL_LENGTH:
        return value
    cut = value.strip()[: LABEL_LENGTH + 1]
    return (cut.rpartition(" ")[0] or cut[:LABEL_LENGTH]).rstrip(" ,;:-–—")


Label = Annotated[str, BeforeValidator(_short), Field(min_length=1, max_length=LABEL_LENGTH)]
Confidence = Annotated[float, BeforeValidator(_sure), Field(ge=0.0, le=1.0)]


class ClusterAnswer(Answer):
    """A name for facts that belong together, and what they say in two or three sentences."""

    label: Label | None = None
    summary: Said | None = None


class ThemeAnswer(Answer):
    """What several clusters have in common."""

    label: Label | None = None
    summary: Said | None = None


class ObservationItem(Answer):
    """``facts`` and ``events`` are the indices of the evidence, each in its own list."""

    kind: Annotated[Kind, BeforeValidator(_lower)]
    text: Said
    confidence: Confidence = 0.6
    facts: list[int] = Field(default_factory=list)
    events: list[int] = Field(default_factory=list)


class ConsolidateAnswer(Answer):
    """What events and facts show only together; an empty list where they show nothing."""

    observations: list[ObservationItem] = Field(default_factory=list)


class FeltItem(EmotionItem):
    """The emotion of event ``i``."""

    i: int


class EmotionsAnswer(Answer):
    """One emotion per event."""

    emotions: list[FeltItem] = Field(default_factory=list)


class DistilledItem(Answer):
    """``{"text": "Ana regularly goes to Python meetups", "kind": "semantic", "premises": [0, 2, 5], "confidence": 0.75}``"""

    text: Said
    kind: Annotated[Literal["semantic", "procedural"], BeforeValidator(_lower)] = "semantic"
    premises: list[int] = Field(default_factory=list)
    confidence: Confidence = 0.6


class DistilAnswer(Answer):
    """General knowledge that follows from episodes; an empty list where none follows."""

    facts: list[DistilledItem] = Field(default_factory=list)


class SummaryAnswer(Answer):
    """An entity in two or three sentences."""

    summary: Said | None = None


class ProfileAnswer(Answer):
    """An entity in all its relevant aspects."""

    profile: Said | None = None


class RestItem(Answer):
    """Fact ``i`` holds only while the facts ``on`` hold."""

    i: int
    on: list[int] = Field(default_factory=list)


class PremisesAnswer(Answer):
    """Which facts rest on which others; facts that stand alone are left out."""

    rests: list[RestItem] = Field(default_factory=list)


class OverviewAnswer(Answer):
    """What the memory knows, in a few sentences."""

    overview: Said | None = None


@cache
def _instructions(name: str) -> str:
    return (resources.files("arandu_lab.llm") / "prompts" / f"{name}.md").read_text(encoding="utf-8").strip()


@cache
def cluster() -> Task[ClusterAnswer]:
    """A label and a summary for facts that belong together."""
    return Task("cluster", "job", ClusterAnswer, _instructions("cluster"))


@cache
def theme() -> Task[ThemeAnswer]:
    """What a community of clusters has in common."""
    return Task("theme", "job", ThemeAnswer, _instructions("theme"))


@cache
def consolidate() -> Task[ConsolidateAnswer]:
    """Insights, patterns, contradictions, trends and directives in a window of time."""
    return Task("consolidate", "job", ConsolidateAnswer, _instructions("consolidate"), items="observations")


@cache
def emotions() -> Task[EmotionsAnswer]:
    """How each event sounds."""
    return Task("emotions", "job", EmotionsAnswer, _instructions("emotions"), items="emotions")


@cache
def distil() -> Task[DistilAnswer]:
    """From episodes to general knowledge, with premises."""
    return Task("distil", "job", DistilAnswer, _instructions("distil"), items="facts")


@cache
def summary() -> Task[SummaryAnswer]:
    """An entity in two or three sentences."""
    return Task("summary", "job", SummaryAnswer, _instructions("summary"))


@cache
def profile() -> Task[ProfileAnswer]:
    """The comprehensive profile of an entity, from all its facts."""
    return Task("profile", "job", ProfileAnswer, _instructions("profile"))


@cache
def premises() -> Task[PremisesAnswer]:
    """Which facts of an entity hold only while others hold."""
    return Task("premises", "job", PremisesAnswer, _instructions("premises"), items="rests")


@cache
def overview() -> Task[OverviewAnswer]:
    """What the memory knows, from the summaries of its entities."""
    return Task("overview", "job", OverviewAnswer, _instructions("overview"))
