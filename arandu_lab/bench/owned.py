"""Stages and systems of one's own: what a result depends on of their source, and how a worker process gets them.

A module of the user's counts by its whole file, and by the files of the user's modules that it imports, wherever in the
file it does so. What was defined in ``__main__`` (a notebook, a script) counts by its own source, and by what of
``__main__`` it uses: so a cell that only draws is no part of an address. Installed packages and the standard library are
not the user's.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import inspect
import io
import pickle
import site
import sys
import sysconfig
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import cloudpickle

from arandu_lab.pipeline.compose import GroupDefinition
from arandu_lab.pipeline.node import Node
from arandu_lab.pipeline.registry import REGISTRY
from arandu_lab.pipeline.stage import Definition

OURS, MAIN = "arandu_lab", "__main__"


def owned(*nodes: Node) -> tuple[Any, ...]:
    """The definitions of all stages and groups in some nodes that are not of the box, each once, by name.

    >>> from arandu_lab.presets import arandu
    >>> owned(arandu().write, arandu().read)
    ()
    """
    known = set(REGISTRY.names())
    names = sorted({name for node in nodes for name in node.names()} & known)
    found = [REGISTRY.stage(name) for name in names]
    return tuple(one for one in found if one.module.partition(".")[0] != OURS)


def source_digest(things: Iterable[Any]) -> str | None:
    """The sha256 of the source of some definitions, functions or classes, and of what of the user's they use.

    None for nothing at all. The order does not matter, nor where the files lie.
    """
    reading = _Reading()
    for thing in things:
        reading.thing(thing, root=True)
    if not reading.read:
        return None
    total = hashlib.sha256()
    for name in sorted(reading.read):
        total.update(name.encode() + b"\0" + reading.read[name].encode("utf-8", "surrogatepass") + b"\0")
    return total.hexdigest()


def packed(value: Any) -> bytes:
    """A value as bytes for another process, with whatever was defined in ``__main__`` inside (cloudpickle)."""
    file = io.BytesIO()
    _Packing(file).dump(value)
    return file.getvalue()


def unpacked(data: bytes) -> Any:
    """What was :func:`packed`; definitions among it are registered on the way."""
    return pickle.loads(data)


class _Packing(cloudpickle.Pickler):  # type: ignore[misc]
    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, Definition) and obj.module == MAIN:
            return _defined, (obj.function, obj.hints)
        if isinstance(obj, GroupDefinition) and obj.module == MAIN:
            return _grouped, (obj.build,)
        return super().reducer_override(obj)


def _defined(function: Callable[..., Any], hints: dict[str, Any]) -> Definition:
    made = Definition(function)
    made.__dict__["hints"] = hints
    REGISTRY.add(made.name, made)
    return made


def _grouped(build: Callable[[], Node]) -> GroupDefinition:
    made = GroupDefinition(build)
    REGISTRY.add(made.name, made)
    return made


class _Reading:
    """Sources by name, as they are come upon."""

    def __init__(self) -> None:
        self.read: dict[str, str] = {}
        self.roots: set[str] = set()

    def thing(self, thing: Any, *, root: bool = False) -> None:
        """A definition, function, class, module or value that something of the user's uses."""
        if isinstance(thing, ModuleType):
            self.module(thing.__name__)
            return
        thing = _behind(thing)
        if not isinstance(thing, FunctionType | type):
            self.thing(type(thing))
            return
        module = str(thing.__module__)
        if module != MAIN:
            if root:
                self.roots.add(module.partition(".")[0])
            self.module(module)
            return
        name = f"{MAIN}:{thing.__qualname__}"
        if name in self.read:
            return
        self.read[name] = ""
        self.read[name] = _source(thing)
        for word, value in _used(thing):
            if isinstance(value, ModuleType) or callable(_behind(value)):
                self.thing(value)
            else:
                self.read[f"{MAIN}={word}"] = _plain(value)

    def module(self, name: str) -> None:
        """The file of a module, and those it imports, if it is the user's."""
        top = name.partition(".")[0]
        if name in self.read or top == OURS or top in sys.builtin_module_names or top in sys.stdlib_module_names:
            return
        file = _file(name)
        if file is None or (_installed(file) and top not in self.roots):
            return
        text = file.read_text(encoding="utf-8", errors="replace")
        self.read[name] = text
        for other in _imports(text, name, package=file.name == "__init__.py"):
            self.module(other)


def _behind(thing: Any) -> Any:
    """The function of a definition or a decorated function, the thing itself otherwise."""
    if isinstance(thing, GroupDefinition):
        return thing.build
    if isinstance(thing, Definition):
        return thing.function
    return inspect.unwrap(thing) if callable(thing) else thing


def _source(thing: Any) -> str:
    try:
        return textwrap.dedent(inspect.getsource(thing))
    except (OSError, TypeError):  # typed into a console: no file has it
        return "\n".join(f"{code.co_code.hex()} {_constants(code)} {code.co_names}" for code in _codes(thing))


def _used(thing: Any) -> Iterator[tuple[str, Any]]:
    """Name and value of the globals that the code of a function or class uses, of closures, of defaults."""
    functions = [thing] if isinstance(thing, FunctionType) else [one for one in vars(thing).values() if _function(one)]
    for function in functions:
        function = _function(function) or function
        words = {word for code in _nested(function.__code__) for word in code.co_names}
        yield from ((word, function.__globals__[word]) for word in sorted(words & function.__globals__.keys()))
        for word, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            try:
                yield word, cell.cell_contents
            except ValueError:  # not filled yet
                continue
        defaults = {**(function.__kwdefaults__ or {}), **dict(enumerate(function.__defaults__ or ()))}
        yield from ((f"{function.__qualname__}.{word}", value) for word, value in defaults.items())
    if isinstance(thing, type):
        yield from ((base.__name__, base) for base in thing.__bases__)


def _function(one: Any) -> FunctionType | None:
    found = getattr(one, "__func__", getattr(one, "fget", one))
    found = inspect.unwrap(found) if callable(found) else found
    return found if isinstance(found, FunctionType) else None


def _codes(thing: Any) -> list[CodeType]:
    functions = [thing] if isinstance(thing, FunctionType) else [_function(one) for one in vars(thing).values()]
    return [code for function in functions if function is not None for code in _nested(function.__code__)]


def _nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _nested(inner)


def _constants(code: CodeType) -> list[str]:
    return [repr(one) for one in code.co_consts if not isinstance(one, CodeType)]


def _plain(value: Any) -> str:
    """A value as text: plain ones as they are written, others by their type and content."""
    if isinstance(value, str | bytes | int | float | complex | None):
        return repr(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(sorted(f"{_plain(key)}: {_plain(one)}" for key, one in value.items())) + "}"
    if isinstance(value, set | frozenset):
        return "{" + ", ".join(sorted(map(_plain, value))) + "}"
    if isinstance(value, list | tuple):
        return f"{type(value).__name__}({', '.join(map(_plain, value))})"
    name = f"{type(value).__module__}.{type(value).__qualname__}"
    try:
        return f"{name} {hashlib.sha256(packed(value)).hexdigest()}"
    except Exception:  # noqa: BLE001 - what cannot be packed (an open file) has no content to tell
        return name


def _file(name: str) -> Path | None:
    module = sys.modules.get(name)
    place = getattr(module, "__file__", None)
    if place is None and module is None:
        top = name.partition(".")[0]
        if top != name and (found := _file(top)) is not None and _installed(found):
            return None
        try:
            spec = importlib.util.find_spec(name)
        except (ImportError, ValueError, AttributeError):
            return None
        place = spec.origin if spec is not None and spec.has_location else None
    path = None if place is None else Path(place)
    return path if path is not None and path.suffix == ".py" and path.is_file() else None


def _installed(file: Path) -> bool:
    places = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    places |= {*site.getsitepackages(), site.getusersitepackages()}
    return any(file.is_relative_to(place) for place in places if place)


def _imports(text: str, name: str, *, package: bool) -> Iterator[str]:
    """The modules that a file imports, wherever in it; ``from a import b`` may mean ``a`` and ``a.b``."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = name.split(".")
                parts = parts[: len(parts) - node.level + package]
                base = ".".join([*parts, *([base] if base else [])])
            if base:
                yield base
                yield from (f"{base}.{one.name}" for one in node.names if one.name != "*")
