"""Settings as a tree of the work they share: a stage runs once for all settings that gave it the same and read the same.

What a stage reads is its signature, so the tree comes from the pipelines alone, stages of one's own included. Groups and
pipelines are laid out flat; of what runs side by side (or instead of another) each part is shared by itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from arandu_lab.bench.sweeps.judgements import Wanted
from arandu_lab.bench.sweeps.settled import Settled
from arandu_lab.errors import BackendError
from arandu_lab.pipeline import Lab, Node, Pipeline
from arandu_lab.pipeline.compose import Fallback, Group, Together
from arandu_lab.pipeline.node import Run
from arandu_lab.records import Failure
from arandu_lab.trace import Span

Path = tuple[tuple[int, str], ...]
"""The groups around a node: where in the pipeline each stands, and its name."""


@dataclass(eq=False)
class Branch:
    """A node under the values that it reads, and what comes after it; ``ends``: settings whose pipeline ends here."""

    node: Node
    path: Path
    values: Mapping[str, Any]
    children: list[Branch] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def members(self) -> list[int]:
        """Every setting that passes here."""
        return [*self.ends, *(one for child in self.children for one in child.members())]


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a node made of a value: the value or the error, its spans, and the failures that it stepped around."""

    value: Any = None
    error: BaseException | None = None
    spans: tuple[Span, ...] = ()
    failures: tuple[Failure, ...] = ()


@dataclass(frozen=True, eq=False)
class Passed:
    """A way down the tree up to a branch: what each node on it made."""

    branch: Branch
    outcome: Outcome
    before: Passed | None = None

    def trace(self) -> Span:
        """The spans of the way as a read has them: groups with their steps inside."""
        way: list[Passed] = []
        step: Passed | None = self
        while step is not None:
            way.append(step)
            step = step.before
        root = Span("retrieve")
        groups: dict[Path, Span] = {(): root}
        for one in reversed(way):
            for depth in range(1, len(one.branch.path) + 1):
                path = one.branch.path[:depth]
                if path not in groups:
                    groups[path] = Span(path[-1][1])
                    groups[path[:-1]].children.append(groups[path])
            groups[one.branch.path].children.extend(one.outcome.spans)
        return root

    def degraded(self) -> tuple[str, ...]:
        """Names of the stages that failed and were stepped around, in order, each once."""
        before = self.before.degraded() if self.before else ()
        return tuple(dict.fromkeys((*before, *(failure.stage for failure in self.outcome.failures))))


def grown(settings: Sequence[Settled]) -> list[Branch]:
    """The tree of the read pipelines of these settings; settings are named by their place."""
    laid = [_flat(one.read, ()) for one in settings]
    return _grown(settings, laid, list(range(len(settings))), 0)


def _grown(
    settings: Sequence[Settled], laid: Sequence[list[tuple[Node, Path]]], members: list[int], at: int
) -> list[Branch]:
    found: dict[Any, tuple[Branch, list[int]]] = {}
    for member in members:
        node, path = laid[member][at]
        values = settings[member].values
        branch, mine = found.setdefault((reading(node, values), path), (Branch(node, path, values), []))
        mine.append(member)
    for branch, mine in found.values():
        branch.ends = [one for one in mine if len(laid[one]) == at + 1]
        branch.children = _grown(settings, laid, [one for one in mine if len(laid[one]) > at + 1], at + 1)
    return [branch for branch, _ in found.values()]


def _flat(node: Node, path: Path) -> list[tuple[Node, Path]]:
    if not isinstance(node, Pipeline | Group):
        return [(node, path)]
    return [
        found
        for place, part in enumerate(node.parts())
        for found in _flat(part, (*path, (place, part.name)) if isinstance(part, Group) else path)
    ]


def reading(node: Node, values: Mapping[str, Any]) -> tuple[Any, ...]:
    """A node and the values it reads: equal where its work is equal. 1, 1.0 and True are three values."""
    read = ((name, values[name]) for name in sorted(node.parameters()) if name in values)
    return (node, *((name, _hashed(value), repr(value)) for name, value in read))


def _hashed(value: Any) -> Any:
    try:
        hash(value)
    except TypeError:
        return id(value)
    return value


class Work:
    """The nodes of one question, each run once on each value. ``lab`` is the bench of the question."""

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        self._done: dict[tuple[int, Any], tuple[Any, Outcome]] = {}

    async def run(self, node: Node, value: Any, values: Mapping[str, Any]) -> Outcome:
        """What the node makes of the value. Errors are told in the outcome, but for those that stop everything.

        Raises:
            Wanted: grades are lacking (``judgements.py``).
        """
        if isinstance(node, Together):
            asked = (self._part(part, value, values) for part in node.nodes)
            parts = _or_raised(await asyncio.gather(*asked, return_exceptions=True))
            failed = next((part.error for part in parts if part.error is not None), None)
            made = None if failed is not None else tuple(part.value for part in parts)
            return _joined(parts, made, failed)
        if isinstance(node, Fallback):
            first = await self._part(node.first, value, values)
            if not isinstance(first.error, BackendError):
                return first
            second = await self._part(node.second, value, values)
            around = _failure(first.error)
            return replace(
                second, spans=(*first.spans, *second.spans), failures=(*first.failures, around, *second.failures)
            )
        if isinstance(node, Pipeline | Group):
            steps: list[Outcome] = []
            for part in node.parts():
                steps.append(await self._part(part, value, values))
                value = steps[-1].value
                if steps[-1].error is not None:
                    break
            whole = _joined(steps, value, steps[-1].error)
            if isinstance(node, Group):
                if isinstance(whole.error, BackendError):
                    whole.error.stage = whole.error.stage or node.name
                return replace(whole, spans=(Span(node.name, children=list(whole.spans)),))
            return whole
        span = Span("retrieve")
        try:
            made = await node.run(value, Run(replace(self.lab, log=span), values, span))
        except Wanted:
            raise
        except BaseException as error:  # noqa: BLE001 - a stage's error is the result of the settings that pass here
            return Outcome(error=error, spans=tuple(span.children), failures=_told(span))
        return Outcome(value=made, spans=tuple(span.children), failures=_told(span))

    async def _part(self, node: Node, value: Any, values: Mapping[str, Any]) -> Outcome:
        """A part, shared with whoever gives it the same value. The value is kept beside, so that its id stays its own."""
        key = (id(value), reading(node, values))
        if key not in self._done:
            self._done[key] = (value, await self.run(node, value, values))
        return self._done[key][1]

    def forget(self) -> None:
        """Drop what parts have made: the settings have gone on."""
        self._done.clear()


def _or_raised(parts: Sequence[Outcome | BaseException]) -> list[Outcome]:
    for part in parts:
        if isinstance(part, BaseException):
            raise part
    return [part for part in parts if isinstance(part, Outcome)]


def _joined(parts: Sequence[Outcome], value: Any, error: BaseException | None) -> Outcome:
    return Outcome(
        value=value,
        error=error,
        spans=tuple(span for part in parts for span in part.spans),
        failures=tuple(failure for part in parts for failure in part.failures),
    )


def _failure(error: BackendError) -> Failure:
    return Failure(stage=error.stage, kind=error.kind, backend=error.backend, message=error.message)


def _told(span: Span) -> tuple[Failure, ...]:
    return tuple(one.failure for one in span.walk() if one.failure is not None)
