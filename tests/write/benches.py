"""A laboratory bench for one stage: a model with one answer, an embedder of prescribed vectors, and stored rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from arandu_lab.pipeline import Lab
from arandu_lab.pipeline.lab import Answered
from arandu_lab.store.schema import Image
from arandu_lab.store.view import AgentView
from arandu_lab.trace import Span

NOW = datetime(2025, 6, 15, 12, tzinfo=UTC)


class Halved:
    """An embedder of prescribed vectors whose documented scale is half the raw cosine."""

    name, dim = "halved", 3

    def __init__(self, made: Mapping[str, Any] | None = None) -> None:
        self.made, self.asked = dict(made or {}), list[str]()

    async def __call__(self, texts: Sequence[str]) -> list[Any]:
        """What was prescribed, None for the rest."""
        self.asked += texts
        return [self.made.get(text) for text in texts]

    def scale(self, cosine: Any) -> Any:
        """Half of it."""
        return cosine / 2


class Mind:
    """A model that gives one answer, and keeps what it was asked."""

    def __init__(self, value: Any, dropped: tuple[str, ...] = ()) -> None:
        self.value, self.dropped, self.asked = value, dropped, list[tuple[str, dict[str, Any], float]]()

    async def ask(self, task: Any, inputs: Any, *, timeout: float, repeat: int = 0) -> Any:
        """The answer."""
        self.asked.append((task.name, inputs, timeout))
        return Answered(self.value, self.dropped)


def bench(rows: Sequence[Any] = (), *, llm: Any = None, embed: Any = None) -> Lab:
    """A laboratory over stored rows."""
    view = AgentView.of("a", [Image(row, seq=1, born=born) for born, row in enumerate(rows)])
    return Lab(llm=llm, embed=embed or Halved(), memory=view, now=NOW, log=Span("test"))
