"""What stages, fall-backs, groups and pipelines have in common."""

from __future__ import annotations

import hashlib
import json
import typing
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.pipeline.lab import Lab
from arandu_lab.records import Failure
from arandu_lab.trace import Span

if TYPE_CHECKING:
    from arandu_lab.pipeline.compose import Fallback, Pipeline


class _Required:
    def __repr__(self) -> str:
        return "required"


@dataclass(frozen=True)
class Param:
    """One configuration value that a stage reads."""

    name: str
    annotation: Any
    default: Any
    stage: str

    required: ClassVar[Any] = _Required()

    def check(self, value: Any) -> Any:
        """The value as the annotation wants it; raises ``ConfigError``."""
        from arandu_lab.pipeline.stage import validate

        return freeze(validate(self.annotation, value, f"stage {self.stage}: {self.name}"))


@dataclass(frozen=True)
class Run:
    """One run of a pipeline: the bench, the settings, the trace."""

    lab: Lab
    settings: Mapping[str, Any]
    span: Span

    @contextmanager
    def step(self, name: str) -> Iterator[tuple[Lab, Run]]:
        """A timed, metered step; a backend's failure inside learns the name of the step it happened in."""
        with self.span.child(name) as span:
            try:
                yield self.lab.at(span), Run(self.lab, self.settings, span)
            except BackendError as error:
                error.stage = error.stage or name
                raise

    def stepped_around(self, error: BackendError) -> None:
        """Leave the mark of a failure that a fall-back answers."""
        failed = next(
            (span for span in self.span.walk() if span.name == error.stage and span.failure is None), self.span
        )
        failed.failure = Failure(stage=error.stage, kind=error.kind, backend=error.backend, message=error.message)


class Node(ABC):
    """A piece of a pipeline. Immutable; equal by content."""

    name: str

    @property
    @abstractmethod
    def accepts(self) -> Any:
        """Type of the value it takes."""

    @property
    @abstractmethod
    def gives(self) -> Any:
        """Type of the value it returns; a TypeVar when it is the type it takes."""

    @abstractmethod
    def parameters(self) -> dict[str, Param]:
        """Configuration it still reads from outside, by name (pinned values are not among it)."""

    @abstractmethod
    async def run(self, value: Any, run: Run) -> Any:
        """Do the work."""

    @abstractmethod
    def fingerprint(self, values: Mapping[str, Any]) -> Any:
        """What identifies it under given settings, JSON-able."""

    @abstractmethod
    def pinned(self) -> dict[str, Any]:
        """Values fixed inside it."""

    @abstractmethod
    def pin(self, values: Mapping[str, Any]) -> Node:
        """The same with values fixed wherever a parameter of that name is read and not fixed yet."""

    def parts(self) -> tuple[Node, ...]:
        """The nodes directly inside it."""
        return ()

    def rebuilt(self, parts: tuple[Node, ...]) -> Node | None:
        """The same kind of node around other parts; None when nothing is left."""
        return self

    def names(self) -> list[str]:
        """Names of all nodes inside, itself first, in order."""
        return [self.name, *(name for part in self.parts() for name in part.names())]

    def __rshift__(self, other: Node) -> Pipeline:
        from arandu_lab.pipeline.compose import chain

        return chain(self, other)

    def otherwise(self, second: Node) -> Fallback:
        """Run ``second`` on the same value when a backend fails in this one (never on a programming error)."""
        from arandu_lab.pipeline.compose import Fallback

        return Fallback(self, second)


def address(fingerprint: Any) -> str:
    """Sixteen hexadecimal digits that stand for a content."""
    text = json.dumps(fingerprint, sort_keys=True, ensure_ascii=False, default=repr)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def meets(gives: Any, accepts: Any) -> bool:
    """Whether a value of the one type may be passed where the other is wanted."""
    if gives == accepts or accepts is Any or gives is Any:
        return True
    if isinstance(gives, TypeVar):  # not known yet: it may turn out to be whatever its bound allows
        return gives.__bound__ is None or meets(gives.__bound__, accepts) or meets(accepts, gives.__bound__)
    if isinstance(accepts, TypeVar):
        return accepts.__bound__ is None or meets(gives, accepts.__bound__)
    if isinstance(gives, type) and isinstance(accepts, type):
        return issubclass(gives, accepts)
    options = typing.get_args(accepts) if _is_union(accepts) else ()
    if options:
        return any(meets(gives, option) for option in options)
    if typing.get_origin(gives) is tuple and typing.get_origin(accepts) is tuple:
        return meets(typing.get_args(gives)[0], typing.get_args(accepts)[0])
    return False


def flows(node: Node, given: Any) -> Any:
    """The type that leaves a node when ``given`` enters; a ``ConfigError`` when it does not fit."""
    if not meets(given, node.accepts):
        raise ConfigError(f"{node.name} takes {type_name(node.accepts)}, not {type_name(given)}")
    return given if isinstance(node.gives, TypeVar) else node.gives


def type_name(annotation: Any) -> str:
    """A type as a reader would say it."""
    return getattr(annotation, "__name__", None) or str(annotation).replace("arandu_lab.", "")


def freeze(value: Any) -> Any:
    """A value that hashes: mappings become ``Frozen``, lists tuples, sets sorted tuples."""
    if isinstance(value, Frozen):
        return value
    if isinstance(value, Mapping):
        return Frozen({key: freeze(inner) for key, inner in value.items()})
    if isinstance(value, list | tuple):
        return tuple(freeze(inner) for inner in value)
    return value


class Frozen(dict[Any, Any]):
    """A mapping that hashes by content and refuses change; prints as a dict.

    >>> Frozen(a=1) == {"a": 1}, hash(Frozen(a=1)) == hash(Frozen(a=1)), Frozen(a=1)
    (True, True, {'a': 1})
    """

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise TypeError("this mapping is frozen; build a new one")

    __setitem__ = __delitem__ = update = pop = popitem = clear = setdefault = __ior__ = _refuse

    def __reduce__(self) -> Any:
        return (Frozen, (dict(self),))


def _is_union(annotation: Any) -> bool:
    import types

    return isinstance(annotation, types.UnionType) or typing.get_origin(annotation) is typing.Union
