"""Putting nodes together: one after another, one instead of another, side by side, several under one name.

>>> from arandu_lab.pipeline.stage import stage
>>> @stage
... def add(value: int, lab: object, *, step: int = 1) -> int:
...     "Add a step."
...     return value + step
>>> @stage
... def double(value: int, lab: object) -> int:
...     "Twice."
...     return 2 * value
>>> p = add() >> double()
>>> p, p.without("add"), p.replace("double", add(step=5)), p.after("add", double())
(add() >> double(), double(), add() >> add(step=5), add() >> double() >> double())
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import GenericAlias
from typing import Any, TypeVar

from arandu_lab.errors import BackendError, ConfigError, nearest
from arandu_lab.pipeline.lab import Lab
from arandu_lab.pipeline.node import Frozen, Node, Param, Run, address, flows, freeze, type_name
from arandu_lab.pipeline.registry import REGISTRY
from arandu_lab.trace import PipelineTrace, Span


@dataclass(frozen=True)
class _Inner(Node):
    """A node made of nodes."""

    def parameters(self) -> dict[str, Param]:
        found: dict[str, Param] = {}
        for part in self.parts():
            for name, param in part.parameters().items():
                found.setdefault(name, param)
        return found

    def pinned(self) -> dict[str, Any]:
        return {name: value for part in self.parts() for name, value in part.pinned().items()}

    def pin(self, values: Mapping[str, Any]) -> Node:
        rebuilt = self.rebuilt(tuple(part.pin(values) for part in self.parts()))
        assert rebuilt is not None
        return rebuilt


@dataclass(frozen=True)
class Pipeline(_Inner):
    """Nodes one after another. The types of neighbours meet, or it cannot be built."""

    nodes: tuple[Node, ...]
    name: str = "pipeline"

    def __post_init__(self) -> None:
        if not self.nodes:
            raise ConfigError("a pipeline of nothing")
        current = self.accepts
        for before, node in zip((None, *self.nodes), self.nodes, strict=False):
            try:
                current = flows(node, current)
            except ConfigError as error:
                raise ConfigError(f"{before.name if before else 'start'} >> {node.name}: {error}") from None

    @property
    def accepts(self) -> Any:
        """The first definite type wanted, past nodes that pass on whatever type they get."""
        for node in self.nodes:
            if not isinstance(node.accepts, TypeVar):
                return node.accepts
            if not isinstance(node.gives, TypeVar):
                break
        return self.nodes[0].accepts

    @property
    def gives(self) -> Any:
        current = self.accepts
        for node in self.nodes:
            current = flows(node, current)
        return current

    def parts(self) -> tuple[Node, ...]:
        return self.nodes

    def rebuilt(self, parts: tuple[Node, ...]) -> Node | None:
        return Pipeline(parts, self.name) if parts else None

    async def run(self, value: Any, run: Run) -> Any:
        for node in self.nodes:
            value = await node.run(value, run)
        return value

    async def __call__(self, value: Any, lab: Lab, settings: Mapping[str, Any]) -> tuple[Any, PipelineTrace]:
        """Run from the start: the result and the trace."""
        root = Span("pipeline")
        result = await self.run(value, Run(lab, settings, root))
        return result, PipelineTrace(root)

    def fingerprint(self, values: Mapping[str, Any]) -> Any:
        return [node.fingerprint(values) for node in self.nodes]

    def prefixes(self, values: Mapping[str, Any] | None = None) -> tuple[str, ...]:
        """The address of the work up to and including each node: two settings that share it share the work."""
        chosen = _filled(self, values)
        prints = [node.fingerprint(chosen) for node in self.nodes]
        return tuple(address(prints[: end + 1]) for end in range(len(prints)))

    def without(self, name: str) -> Pipeline:
        """An ablation: the same without every node of that name; what would have stood in for it stays."""
        return _edited(self, name, lambda node: ())

    def replace(self, name: str, other: Node) -> Pipeline:
        """Another node in the place of a named one."""
        return _edited(self, name, lambda node: (other,))

    def after(self, name: str, other: Node) -> Pipeline:
        """One node more, behind a named one."""
        return _edited(self, name, lambda node: (node, other), whole=True)

    def before(self, name: str, other: Node) -> Pipeline:
        """One node more, ahead of a named one."""
        return _edited(self, name, lambda node: (other, node), whole=True)

    def __repr__(self) -> str:
        return " >> ".join(f"({node!r})" if isinstance(node, Pipeline) else repr(node) for node in self.nodes)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{number}</td><td style='text-align:left'><code>{node!r}</code></td>"
            f"<td>{type_name(node.accepts)}</td><td>{type_name(node.gives)}</td>"
            f"<td style='text-align:left'>{', '.join(node.parameters())}</td></tr>"
            for number, node in enumerate(self.nodes, 1)
        )
        return f"<table><tr><th></th><th>node</th><th>takes</th><th>gives</th><th>reads</th></tr>{rows}</table>"


@dataclass(frozen=True)
class Fallback(_Inner):
    """``first``, or ``second`` on the same value when a backend fails in it; the trace says so."""

    first: Node
    second: Node

    def __post_init__(self) -> None:
        flows(self.second, self.first.accepts)

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name of the first."""
        return self.first.name

    @property
    def accepts(self) -> Any:
        return self.first.accepts

    @property
    def gives(self) -> Any:
        return self.first.gives

    def parts(self) -> tuple[Node, ...]:
        return (self.first, self.second)

    def names(self) -> list[str]:
        return [*self.first.names(), *self.second.names()]

    def rebuilt(self, parts: tuple[Node, ...]) -> Node | None:
        if len(parts) == 2:
            return Fallback(parts[0], parts[1])
        return parts[0] if parts else None

    async def run(self, value: Any, run: Run) -> Any:
        try:
            return await self.first.run(value, run)
        except BackendError as error:
            run.stepped_around(error)
        return await self.second.run(value, run)

    def fingerprint(self, values: Mapping[str, Any]) -> Any:
        return {"try": self.first.fingerprint(values), "otherwise": self.second.fingerprint(values)}

    def __repr__(self) -> str:
        first = f"({self.first!r})" if isinstance(self.first, Pipeline) else repr(self.first)
        return f"{first}.otherwise({self.second!r})"


@dataclass(frozen=True)
class Together(_Inner):
    """Nodes side by side on the same value; the result is a tuple in the order they were given, whoever is first."""

    nodes: tuple[Node, ...]
    name: str = "together"

    @property
    def accepts(self) -> Any:
        return self.nodes[0].accepts

    @property
    def gives(self) -> Any:
        return GenericAlias(tuple, (self.nodes[0].gives, ...))

    def parts(self) -> tuple[Node, ...]:
        return self.nodes

    def rebuilt(self, parts: tuple[Node, ...]) -> Node | None:
        return Together(parts) if parts else None

    async def run(self, value: Any, run: Run) -> Any:
        import asyncio

        outcomes = await asyncio.gather(*(node.run(value, run) for node in self.nodes), return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, BaseException):
                raise outcome
        return tuple(outcomes)

    def fingerprint(self, values: Mapping[str, Any]) -> Any:
        return {"together": [node.fingerprint(values) for node in self.nodes]}

    def __repr__(self) -> str:
        return f"together({', '.join(map(repr, self.nodes))})"


def together(*nodes: Node) -> Together:
    """Run nodes concurrently on the same value."""
    if not nodes:
        raise ConfigError("together() of nothing")
    for node in nodes[1:]:
        flows(node, nodes[0].accepts)
    return Together(nodes)


@dataclass(frozen=True)
class Group(_Inner):
    """Several nodes under one name: one step of the trace, one word of the pipeline."""

    name: str
    inside: Pipeline
    pins: Frozen = field(default_factory=Frozen)
    edited: bool = False

    @property
    def accepts(self) -> Any:
        return self.inside.accepts

    @property
    def gives(self) -> Any:
        return self.inside.gives

    def parts(self) -> tuple[Node, ...]:
        return self.inside.nodes

    def rebuilt(self, parts: tuple[Node, ...]) -> Node | None:
        if not parts:
            return None
        inside = Pipeline(parts)
        return Group(self.name, inside, self.pins, edited=self.edited or inside != self.inside)

    def pin(self, values: Mapping[str, Any]) -> Node:
        mine = {name: value for name, value in values.items() if name in self.parameters()}
        if not mine:
            return self
        inside = self.inside.pin(mine)
        assert isinstance(inside, Pipeline)
        return Group(self.name, inside, Frozen({**self.pins, **mine}), self.edited)

    async def run(self, value: Any, run: Run) -> Any:
        with run.step(self.name) as (_, inner):
            return await self.inside.run(value, inner)

    def fingerprint(self, values: Mapping[str, Any]) -> Any:
        return self.inside.fingerprint(values)

    def __repr__(self) -> str:
        if self.edited:
            return f"grouped({self.name!r}, {self.inside!r})"
        return f"{self.name}({', '.join(f'{name}={value!r}' for name, value in sorted(self.pins.items()))})"


class GroupDefinition:
    """What ``@group`` makes of a function that returns a pipeline: call it for a ``Group``, with pins if wanted."""

    def __init__(self, build: Callable[[], Node]) -> None:
        self.build = build
        self.name = build.__name__
        self.module = build.__module__
        self.__doc__ = inspect.getdoc(build)
        self.doc = self.__doc__ or ""
        self.__name__ = self.__qualname__ = self.name
        self.__module__ = self.module

    def __call__(self, **pins: Any) -> Group:
        made = Group(self.name, _pipeline(self.build()))
        params = made.parameters()
        for name in pins:
            if name not in params:
                raise ConfigError(f"{self.name} has no parameter {name!r}; {nearest(name, params)}")
        pinned = made.pin({name: params[name].check(value) for name, value in pins.items()})
        assert isinstance(pinned, Group)
        return pinned

    def __repr__(self) -> str:
        return f"<group {self.name}>"

    def __reduce__(self) -> Any:
        return (REGISTRY.stage, (self.name, self.module))


def group(build: Callable[[], Node]) -> GroupDefinition:
    """Make a function that returns nodes a word of the algebra: ``resolve()`` stands for its whole chain."""
    definition = GroupDefinition(build)
    REGISTRY.add(definition.name, definition)
    return definition


def grouped(name: str, inside: Node) -> Group:
    """A group made on the spot; what a group prints as once a part of it was changed."""
    return Group(name, _pipeline(inside), edited=True)


def chain(first: Node, second: Node) -> Pipeline:
    """One after the other, flat."""
    return Pipeline((*_flat(first), *_flat(second)))


def _flat(node: Node) -> tuple[Node, ...]:
    return node.nodes if isinstance(node, Pipeline) else (node,)


def _pipeline(node: Node) -> Pipeline:
    return node if isinstance(node, Pipeline) else Pipeline((node,))


def _edited(
    pipeline: Pipeline, name: str, change: Callable[[Node], tuple[Node, ...]], *, whole: bool = False
) -> Pipeline:
    """Change every node of a name. ``whole``: a node with a fall-back is taken together with it."""
    if name not in pipeline.names():
        raise ConfigError(f"the pipeline has no {name!r}; {nearest(name, pipeline.names())}")

    def walk(node: Node) -> tuple[Node, ...]:
        if node.name == name and not isinstance(node, Pipeline) and (whole or not isinstance(node, Fallback)):
            return change(node)
        parts = node.parts()
        if not parts or name not in node.names():
            return (node,)
        rebuilt = node.rebuilt(tuple(new for part in parts for new in walk(part)))
        return () if rebuilt is None else (rebuilt,)

    left = tuple(new for node in pipeline.nodes for new in walk(node))
    if not left:
        raise ConfigError(f"without {name!r} nothing is left")
    return Pipeline(tuple(flat for node in left for flat in _flat(node)), pipeline.name)


def _filled(node: Node, values: Mapping[str, Any] | None) -> dict[str, Any]:
    """Settings for every parameter a node reads: given ones, the configuration's defaults, the stages' own."""
    defaults = {name: freeze(value) for name, value in REGISTRY.defaults().items()}
    own = {n: p.default for n, p in node.parameters().items() if p.default is not Param.required}
    return {**own, **defaults, **{name: freeze(value) for name, value in (values or {}).items()}}
