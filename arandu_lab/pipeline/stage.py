"""A stage is a function: before the star is data, after the star is configuration.

Its keyword-only parameters are the configuration it reads, under the flat names of ``MemoryConfig``; nothing else of
the configuration reaches it. A parameter without a default takes its value from ``MemoryConfig``; one with a default
is the stage's own and becomes an override of every pipeline that holds the stage. Calling the stage pins values::

    blend()                         # every value from the configuration
    blend(reranker_weight=0.5)      # one value fixed here, whatever the configuration says
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from arandu_lab.errors import ConfigError, nearest
from arandu_lab.pipeline.node import Node, Param, Run, freeze, type_name
from arandu_lab.pipeline.registry import REGISTRY

F = Callable[..., Any]


class Definition:
    """What ``@stage`` makes of a function: call it for a ``Stage``; the function itself is ``.function``."""

    def __init__(self, function: F) -> None:
        signature = inspect.signature(function)
        self.function = function
        self.name = function.__name__
        self.doc = inspect.getdoc(function) or ""
        self.asynchronous = inspect.iscoroutinefunction(function)
        self.module = function.__module__
        positional = [p for p in signature.parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
        if len(positional) != 2 or positional[1].name != "lab":
            raise ConfigError(f"stage {self.name}: its data are (value, lab), then a star; found {signature}")
        self._data = positional[0].name
        self._signature = signature
        self.__doc__ = self.doc
        self.__name__ = self.name
        self.__qualname__ = self.name
        self.__module__ = self.module
        self.__wrapped__ = function

    @cached_property
    def hints(self) -> dict[str, Any]:
        """The resolved annotations."""
        return typing.get_type_hints(self.function, include_extras=True)

    @property
    def accepts(self) -> Any:
        """Type of the value it takes."""
        return self.hints[self._data]

    @property
    def gives(self) -> Any:
        """Type of the value it returns."""
        return self.hints["return"]

    @cached_property
    def parameters(self) -> dict[str, Param]:
        """Its configuration: name -> annotation, default (``Param.required`` when ``MemoryConfig`` holds it)."""
        found = {}
        for p in self._signature.parameters.values():
            if p.kind is p.KEYWORD_ONLY:
                default = Param.required if p.default is p.empty else p.default
                found[p.name] = Param(p.name, self.hints.get(p.name, Any), default, self.name)
        return found

    def __call__(self, **pins: Any) -> Stage:
        return Stage(self.name, self._checked(pins))

    def _checked(self, pins: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
        for name in pins:
            if name not in self.parameters:
                raise ConfigError(f"stage {self.name} has no parameter {name!r}; {nearest(name, self.parameters)}")
        return tuple((name, self.parameters[name].check(pins[name])) for name in sorted(pins))

    def __repr__(self) -> str:
        return f"<stage {self.name}{self._signature}>"

    def __reduce__(self) -> Any:
        return (REGISTRY.stage, (self.name, self.module))


_T = TypeVar("_T", bound=F)


def stage(function: F) -> Definition:
    """Make a function a stage and register it by name.

    >>> from arandu_lab.units import Share
    >>> @stage
    ... def dim(value: float, lab: object, *, floor: Share = 0.5) -> float:
    ...     "Never below the floor."
    ...     return max(value, floor)
    >>> dim(floor=0.25), dim() == dim(), dim(floor=2)
    Traceback (most recent call last):
    ...
    arandu_lab.errors.ConfigError: stage dim: floor=2: Input should be less than or equal to 1
    >>> dim(floor=0.25)
    dim(floor=0.25)
    """
    definition = Definition(function)
    REGISTRY.add(definition.name, definition)
    return definition


@dataclass(frozen=True)
class Stage(Node):
    """A stage with its pinned values: a value that compares, hashes, pickles and rebuilds from its repr."""

    name: str
    pins: tuple[tuple[str, Any], ...] = ()
    label: str = field(default="", compare=False)

    @property
    def definition(self) -> Definition:
        """The function behind it."""
        found = REGISTRY.stage(self.name)
        assert isinstance(found, Definition)
        return found

    @property
    def accepts(self) -> Any:
        return self.definition.accepts

    @property
    def gives(self) -> Any:
        return self.definition.gives

    def parameters(self) -> dict[str, Param]:
        pinned = dict(self.pins)
        return {name: param for name, param in self.definition.parameters.items() if name not in pinned}

    def pinned(self) -> dict[str, Any]:
        return dict(self.pins)

    def pin(self, values: Mapping[str, Any]) -> Stage:
        mine = {name: value for name, value in values.items() if name in self.definition.parameters}
        return self.definition(**{**mine, **dict(self.pins)}) if mine else self

    def settings(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The keyword arguments of a run: pinned values, then the configuration's, then the stage's own defaults."""
        chosen = dict(self.pins)
        for name, param in self.parameters().items():
            if name in values:
                chosen[name] = values[name]
            elif param.default is not Param.required:
                chosen[name] = param.default
            else:
                raise ConfigError(f"stage {self.name} reads {name!r}, which the configuration lacks; give it a default")
        return chosen

    async def run(self, value: Any, run: Run) -> Any:
        with run.step(self.name) as (lab, _):
            result = self.definition.function(value, lab, **self.settings(run.settings))
            made = await result if self.definition.asynchronous else result
            if made is None:
                raise ConfigError(f"stage {self.name} returned nothing; it promises {type_name(self.gives)}")
            return made

    def fingerprint(self, values: Mapping[str, Any]) -> Any:
        return [self.name, {name: freeze(value) for name, value in self.settings(values).items()}]

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(f'{name}={value!r}' for name, value in self.pins)})"


def validate(annotation: Any, value: Any, where: str) -> Any:
    """The value as its annotation wants it, or a ``ConfigError`` that says where and why."""
    try:
        return TypeAdapter(annotation).validate_python(value, strict=not isinstance(value, int | dict | list | tuple))
    except ValidationError as error:
        raise ConfigError(f"{where}={value!r}: {error.errors()[0]['msg']}") from None
