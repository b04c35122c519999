"""A small world to read from: rows in a real view, a model and an embedder that do as they are told."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from arandu_lab.config import MemoryConfig, settings
from arandu_lab.embed.scripted import ScriptedEmbedder
from arandu_lab.llm.backend import Message
from arandu_lab.llm.mind import Minds, Patience
from arandu_lab.llm.scripted import Scripted, read_block
from arandu_lab.pipeline import Lab, Pipeline
from arandu_lab.pure.text import fold
from arandu_lab.read.found import Query, Rendered
from arandu_lab.read.preset import reading
from arandu_lab.records import Alias, Entity, Event, Fact, Link, Relationship
from arandu_lab.store.schema import Image
from arandu_lab.store.view import AgentView
from arandu_lab.trace import PipelineTrace, Span

NOW = datetime(2026, 3, 30, 12, tzinfo=UTC)


class Told:
    """An embedder that gives each text the cosine with one question that it is told; texts share nothing else."""

    name = "told"

    def __init__(self, query: str, cosines: dict[str, float]) -> None:
        self.cosines = {**cosines, query: 1.0}
        self.dim = len(self.cosines) + 1
        self.places = {text: place + 1 for place, text in enumerate(self.cosines)}

    async def __call__(self, given: Sequence[str]) -> list[Any]:
        """One unit vector a text; None for a text it was not told about."""
        return [self.vector(text) if text in self.cosines else None for text in given]

    def vector(self, text: str) -> Any:
        """``cosine * question + the rest of its own``."""
        made = np.zeros(self.dim, dtype=np.float32)
        made[0] = self.cosines[text]
        made[self.places[text]] = np.sqrt(max(0.0, 1.0 - self.cosines[text] ** 2))
        return made

    def scale(self, cosine: Any) -> Any:
        """As it is."""
        return cosine


class World:
    """Everything one agent remembers, and the means to ask about it."""

    now = NOW

    def __init__(self, cosines: dict[tuple[str, str], float] | None = None, agent_id: str = "agent") -> None:
        self.agent_id = agent_id
        self.embed: Any = ScriptedEmbedder(cosines or {})
        self.grades: dict[str, float] | None = None
        self.model: Any = None
        self.rows: list[Any] = []
        self.facts: list[Fact] = []
        self.events: list[Event] = []

    def entity(self, key: str, name: str, *aliases: str, importance: float = 0.5) -> str:
        """An entity with its names."""
        kind = key.partition(":")[0]
        self.rows.append(
            Entity(key=key, agent_id=self.agent_id, name=name, type=kind, recorded_at=NOW, importance=importance)
        )
        for alias in aliases:
            self.rows.append(
                Alias(folded=fold(alias), agent_id=self.agent_id, entity_key=key, name=alias, recorded_at=NOW)
            )
        return key

    def fact(self, text: str, key: str, *links: str, days: float = 0.0, id: str = "", **more: Any) -> str:
        """A fact said ``days`` ago about ``key``, mentioning ``links`` too."""
        begun = NOW - timedelta(days=days)
        fact = Fact(
            **{
                "id": id or f"f{len(self.facts):03d}",
                "agent_id": self.agent_id,
                "entity_key": key,
                "entity_name": key.partition(":")[2].replace("_", " ").title(),
                "text": text,
                "confidence": 0.95,
                "importance": 0.5,
                "category": "routine_activity",
                "speaker": "User",
                "source_event_id": "e",
                "valid_from": begun,
                "recorded_at": begun,
                **more,
            }
        )
        self.facts.append(fact)
        for place, linked in enumerate((key, *links)):
            self.rows.append(
                Link(
                    fact_id=fact.id,
                    agent_id=self.agent_id,
                    entity_key=linked,
                    primary=place == 0,
                    recorded_at=fact.recorded_at,
                )
            )
        return fact.id

    def edge(
        self, source: str, target: str, rel: str = "knows", *, strength: float = 0.8, days: float = 0.0, **more: Any
    ) -> None:
        """An edge that has stood for ``days``."""
        begun = NOW - timedelta(days=days)
        self.rows.append(
            Relationship(
                id=f"r{len(self.rows)}",
                agent_id=self.agent_id,
                source_key=source,
                target_key=target,
                rel_type=rel,
                strength=strength,
                evidence_fact_ids=(),
                valid_from=begun,
                recorded_at=begun,
                **more,
            )
        )

    def turn(self, text: str, *, days: float = 0.0, id: str = "", **more: Any) -> str:
        """A turn said ``days`` ago."""
        at = NOW - timedelta(days=days)
        event = Event(
            **{
                "id": id or f"e{len(self.events):03d}",
                "agent_id": self.agent_id,
                "text": text,
                "speaker": "User",
                "occurred_at": at,
                "recorded_at": at,
                **more,
            }
        )
        self.events.append(event)
        return event.id

    async def view(self, shuffle: int | None = None) -> AgentView:
        """The view over all of it, embedded; ``shuffle`` seeds another order of insertion."""
        embed = self.embed if isinstance(self.embed, ScriptedEmbedder | Told) else ScriptedEmbedder()
        vectors = await embed([row.text for row in (*self.facts, *self.events)])
        held = [replace(row, vector=v) for row, v in zip((*self.facts, *self.events), vectors, strict=True)]
        rows = [*self.rows, *held]
        if shuffle is not None:
            random.Random(shuffle).shuffle(rows)
        return AgentView.of(self.agent_id, [Image(row, seq=1, born=born) for born, row in enumerate(rows)])

    def mind(self) -> Minds:
        """The model: ``self.model``, or one that grades by text with ``self.grades`` (1.0 where nothing is said)."""
        model = self.model or Scripted(by_task={"judge": self._grade})
        return Minds(model, patience=Patience(retries=0))

    def _grade(self, messages: list[Message]) -> dict[str, Any]:
        _, inputs = read_block(messages)
        grades = self.grades or {}
        return {"grades": [{"i": fact["i"], "grade": grades.get(fact["text"], 1.0)} for fact in inputs["facts"]]}

    async def ask(
        self,
        text: str,
        *,
        pipeline: Pipeline | None = None,
        shuffle: int | None = None,
        query: Any = None,
        **overrides: Any,
    ) -> tuple[Rendered, PipelineTrace]:
        """Run the documented read pipeline on a question."""
        chosen = pipeline or reading()
        view = await self.view(shuffle)
        lab = Lab(llm=self.mind(), embed=self.embed, memory=view, now=NOW, log=Span("test"))
        _, values = settings(MemoryConfig(), (chosen,), overrides, strict=True)
        question = Query(**{"agent_id": self.agent_id, "text": text, **(query or {})})
        return await chosen(question, lab, values)


@pytest.fixture
def world() -> type[World]:
    """The class to build worlds with."""
    return World


def texts(world: World, found: Rendered) -> list[str]:
    """Texts of the kept facts, best first."""
    by_id = {fact.id: fact.text for fact in world.facts}
    return [by_id[row] for row in found.frame.filter(found.frame["kept"])["fact_id"].to_list()]


@pytest.fixture(name="texts")
def _texts() -> Any:
    """Texts of the kept facts of a result."""
    return texts


@pytest.fixture
def told() -> type[Told]:
    """The embedder that is told cosines."""
    return Told
