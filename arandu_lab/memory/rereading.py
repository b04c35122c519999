"""One question to one moment of a memory, read as often as an explanation wants, with every stage's output kept.

All reads see the same view and the same clock, and a question to a model or an embedder is put once: whatever differs
between two reads comes from what was changed between them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from arandu_lab.config import MemoryConfig
from arandu_lab.errors import BackendError
from arandu_lab.pipeline import Lab, Node, Pipeline
from arandu_lab.pipeline.lab import Answered, Task
from arandu_lab.pipeline.node import Param, Run, freeze
from arandu_lab.pipeline.stage import Stage
from arandu_lab.presets import assembled
from arandu_lab.read.found import Candidates, Plan, Query, Rendered, Scoped, Voice
from arandu_lab.trace import PipelineTrace, Span, Usage

V = TypeVar("V")

_FLAGS = frozenset(name for name in MemoryConfig.model_fields if name.startswith("enable_"))
"""Settings that choose the assembly of a pipeline."""

_DOCUMENTED: dict[type[Plan], str] = {Plan: "plan", Scoped: "scope"}


class Rereading:
    """The bench of an explanation. ``runs`` counts reads, ``usage`` adds up what they really asked."""

    def __init__(
        self, lab: Lab, question: Query, pipeline: Pipeline, config: MemoryConfig, values: Mapping[str, Any]
    ) -> None:
        answers: dict[Any, Any] = {}
        self.lab = replace(lab, llm=_Asked(lab.llm, answers), embed=_Embedded(lab.embed, answers))
        self.question, self.pipeline, self.config, self.values = question, pipeline, config, dict(values)
        self.runs = 0
        self.usage = Usage()
        self._first: tuple[_Step, ...] = ()

    @property
    def standing(self) -> Pipeline:
        """The pipeline as its flags assemble it."""
        return assembled(self.pipeline, self.config)

    @property
    def parameters(self) -> dict[str, Param]:
        """What the assembled pipeline still reads from outside, by name."""
        return self.standing.parameters()

    async def read(self, *, pipeline: Pipeline | None = None, question: Query | None = None, **changes: Any) -> Seen:
        """Read once, with another pipeline, question or values in the place of its own.

        Work that the change does not touch is taken from the first read.
        """
        self.runs += 1
        flags = {name: changes[name] for name in changes if name in _FLAGS}
        chosen = assembled(pipeline or self.pipeline, self.config.replaced(**flags) if flags else self.config)
        values = {**self.values, **{name: freeze(value) for name, value in changes.items()}}
        steps: list[_Step] = []
        if question is None:
            for step, node in zip(self._first, chosen.nodes, strict=False):
                if step.node != node or not step.reads.isdisjoint(changes):
                    break
                steps.append(step)
        for node in chosen.nodes[len(steps) :]:
            value = steps[-1].value if steps else question or self.question
            steps.append(await self._step(node, value, values))
        if self.runs == 1:
            self._first = tuple(steps)
        degraded = dict.fromkeys(name for step in steps for name in step.degraded)
        return Seen(steps[-1].value, tuple(one for step in steps for one in step.passages), self.lab, tuple(degraded))

    async def _step(self, node: Node, value: Any, values: Mapping[str, Any]) -> _Step:
        book: list[Passage] = []
        span = Span("retrieve")
        try:
            made = await _kept(node, book).run(value, Run(replace(self.lab, log=span), values, span))
        finally:
            self.usage = self.usage + span.usage
        return _Step(node, frozenset(node.parameters()), made, tuple(book), PipelineTrace(span).degraded)


@dataclass(frozen=True, slots=True)
class _Step:
    """One node of the pipeline as it ran: the settings it reads, what left it, and what passed inside."""

    node: Node
    reads: frozenset[str]
    value: Any
    passages: tuple[Passage, ...]
    degraded: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """What left a stage, and the settings it worked with."""

    stage: str
    value: Any
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Seen:
    """A finished read and what passed between its stages, in the order it did."""

    found: Rendered
    passages: tuple[Passage, ...]
    lab: Lab
    degraded: tuple[str, ...]

    @property
    def plan(self) -> Scoped:
        """What was looked for, and which rows could answer."""
        return self.found.plan

    @property
    def voices(self) -> tuple[tuple[Passage, Voice], ...]:
        """The signals, each with the stage it came from."""
        return tuple((one, one.value) for one in self.passages if isinstance(one.value, Voice))

    @property
    def candidates(self) -> tuple[tuple[Passage, Candidates], ...]:
        """The table of candidates behind each stage that made or changed it."""
        return tuple((one, one.value) for one in self.passages if isinstance(one.value, Candidates))

    def stage_of(self, kind: type[Plan]) -> str:
        """The first stage that gave exactly this kind of value; its documented name where none did."""
        return next((one.stage for one in self.passages if type(one.value) is kind), _DOCUMENTED[kind])

    def read_by(self, setting: str) -> tuple[str, Any]:
        """The last stage that worked with a setting, and the value it had there; ``("", None)`` where none did."""
        for one in reversed(self.passages):
            if setting in one.settings:
                return one.stage, one.settings[setting]
        return "", None

    def row(self, fact_id: str) -> dict[str, Any] | None:
        """A fact's row in the last table, with its ``rank`` (from 1); None where it is no candidate."""
        place = place_of(self.found, fact_id)
        if place is None:
            return None
        frame = self.found.table.take(_one(place))
        return {**next(frame.rows()), "rank": place + 1}

    def recalled(self, fact_id: str) -> bool:
        """Whether a fact is in the context (or kept, where nothing renders tiers)."""
        row = self.row(fact_id)
        if row is None:
            return False
        return row["tier"] is not None if "tier" in row else bool(row.get("kept", True))


def place_of(found: Candidates, fact_id: str) -> int | None:
    """Where a fact stands in a table of candidates, from 0."""
    ids: list[str] = found.table["fact_id"].tolist()
    return ids.index(fact_id) if fact_id in ids else None


@dataclass(frozen=True)
class _Kept(Node):
    """A stage whose results are put down in a book as they leave it."""

    inner: Stage
    book: list[Passage] = field(compare=False, repr=False)

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.inner.name

    @property
    def accepts(self) -> Any:
        return self.inner.accepts

    @property
    def gives(self) -> Any:
        return self.inner.gives

    def parameters(self) -> dict[str, Param]:
        return self.inner.parameters()

    def pinned(self) -> dict[str, Any]:
        return self.inner.pinned()

    def pin(self, values: Mapping[str, Any]) -> Node:
        return _Kept(self.inner.pin(values), self.book)

    def fingerprint(self, values: Mapping[str, Any]) -> Any:
        return self.inner.fingerprint(values)

    async def run(self, value: Any, run: Run) -> Any:
        made = await self.inner.run(value, run)
        self.book.append(Passage(self.inner.name, made, self.inner.settings(run.settings)))
        return made


def _kept(node: Node, book: list[Passage]) -> Node:
    """The same node with every stage in it watched."""
    if isinstance(node, Stage):
        return _Kept(node, book)
    rebuilt = node.rebuilt(tuple(_kept(part, book) for part in node.parts()))
    assert rebuilt is not None
    return rebuilt


@dataclass(frozen=True)
class _Asked:
    """Models that are asked each question once; a failure is an answer too, so that all reads meet the same one."""

    inner: Any
    answers: dict[Any, Any]

    def metered(self, span: Span) -> _Asked:
        return _Asked(_metered(self.inner, span), self.answers)

    async def ask(
        self, task: Task[Any], inputs: Mapping[str, Any], *, timeout: float, repeat: int = 0
    ) -> Answered[Any]:
        asked = (task.name, json.dumps(dict(inputs), sort_keys=True, ensure_ascii=False, default=repr), repeat)
        if asked not in self.answers:
            try:
                self.answers[asked] = await self.inner.ask(task, inputs, timeout=timeout, repeat=repeat)
            except BackendError as error:
                self.answers[asked] = error
        return _told(self.answers[asked])

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


@dataclass(frozen=True)
class _Embedded:
    """An embedder that is asked each list of texts once."""

    inner: Any
    answers: dict[Any, Any]

    def metered(self, span: Span) -> _Embedded:
        return _Embedded(_metered(self.inner, span), self.answers)

    async def __call__(self, texts: Sequence[str]) -> Any:
        asked = ("embed", tuple(texts))
        if asked not in self.answers:
            try:
                self.answers[asked] = await self.inner(texts)
            except BackendError as error:
                self.answers[asked] = error
        return _told(self.answers[asked])

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


def _metered(inner: Any, span: Span) -> Any:
    return inner.metered(span) if hasattr(inner, "metered") else inner


def _told(answer: V | BackendError) -> V:
    if isinstance(answer, BackendError):
        raise BackendError(answer.message, kind=answer.kind, backend=answer.backend)
    return answer


def _one(place: int) -> Any:
    import numpy as np

    return np.asarray([place], dtype=np.int64)
