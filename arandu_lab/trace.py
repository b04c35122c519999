"""Spans and usage: what ran, how long it took, what it cost, and what it chose to say.

``asked`` is what a configuration costs cold (every answer paid for); ``billed`` is what this run paid, caches
considered. Compare configurations by the first.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from arandu_lab.records import Failure


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Counts of calls and tokens; adds up.

    >>> Usage(calls=1, input_tokens=10, output_tokens=2) + Usage(calls=1, input_tokens=5)
    Usage(calls=2, input_tokens=15, output_tokens=2, billed_calls=0, billed_tokens=0, embedded_texts=0, cost_usd=0.0)
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    billed_calls: int = 0
    billed_tokens: int = 0
    embedded_texts: int = 0
    cost_usd: float = 0.0

    @property
    def total_tokens(self) -> int:
        """Tokens asked, in and out."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            billed_calls=self.billed_calls + other.billed_calls,
            billed_tokens=self.billed_tokens + other.billed_tokens,
            embedded_texts=self.embedded_texts + other.embedded_texts,
            cost_usd=self.cost_usd + other.cost_usd,
        )


@dataclass(slots=True)
class Span:
    """One stage, or one group of stages, as it ran. ``data`` holds what the stage logged, children's included."""

    name: str
    duration_ms: float = 0.0
    own: dict[str, Any] = field(default_factory=dict)
    spent: Usage = field(default_factory=Usage)
    children: list[Span] = field(default_factory=list)
    failure: Failure | None = None

    def __call__(self, **data: Any) -> None:
        """Log values under names: ``lab.log(relation_retry_triggered=True)``."""
        self.own.update(data)

    @property
    def data(self) -> dict[str, Any]:
        """What was logged here and below; the nearer wins."""
        merged: dict[str, Any] = {}
        for child in self.children:
            merged.update(child.data)
        merged.update(self.own)
        return merged

    @property
    def usage(self) -> Usage:
        """What was spent here and below."""
        total = self.spent
        for child in self.children:
            total = total + child.usage
        return total

    def spend(self, usage: Usage) -> None:
        """Add to what this span itself has spent."""
        self.spent = self.spent + usage

    @contextmanager
    def child(self, name: str) -> Iterator[Span]:
        """A span inside this one, timed."""
        span = Span(name)
        self.children.append(span)
        began = time.perf_counter()
        try:
            yield span
        finally:
            span.duration_ms = (time.perf_counter() - began) * 1000.0

    def walk(self) -> Iterator[Span]:
        """This span and all below, in the order they began."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(slots=True)
class PipelineTrace:
    """A whole run: ``steps`` are the top-level spans in order."""

    root: Span

    @property
    def steps(self) -> list[Span]:
        """The top-level steps, e.g. ``steps[0].name == "extraction"``."""
        return self.root.children

    def find(self, name: str) -> Span | None:
        """The first span of that name, at any depth."""
        return next((span for span in self.root.walk() if span.name == name), None)

    @property
    def failures(self) -> tuple[Failure, ...]:
        """Backends that failed and were stepped around, in order."""
        return tuple(span.failure for span in self.root.walk() if span.failure is not None)

    @property
    def degraded(self) -> tuple[str, ...]:
        """Names of the stages that failed, in order, each once."""
        return tuple(dict.fromkeys(failure.stage for failure in self.failures))

    def _repr_html_(self) -> str:
        rows = []

        def line(span: Span, depth: int) -> None:
            said = ", ".join(f"{key}={value!r}" for key, value in span.own.items())
            mark = f"<b>{span.failure.kind}</b> " if span.failure else ""
            rows.append(
                f"<tr><td style='text-align:left;padding-left:{depth + 0.3}em'>{span.name}</td>"
                f"<td>{span.duration_ms:.2f}</td><td>{span.usage.calls}</td><td>{span.usage.total_tokens}</td>"
                f"<td style='text-align:left'>{mark}{_escape(said)}</td></tr>"
            )
            for child in span.children:
                line(child, depth + 1)

        for step in self.steps:
            line(step, 0)
        head = "<tr><th>step</th><th>ms</th><th>calls</th><th>tokens</th><th>said</th></tr>"
        return f"<table>{head}{''.join(rows)}</table>"


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")[:400]
