"""Pipelines of one's own as text: what a result writes down of them, and how a file gives them back.

::

    [system.mine.assembly]
    write   = "ground() >> extraction() >> resolve() >> mirror() >> reconcile() >> upsert()"
    read    = "plan() >> retrieval() >> my_stage(floor=0.2) >> cut() >> render()"
    modules = ["my_stages"]               # imported first; where my_stage is defined

A text is read as stages put together and nothing else: names of stages with values, ``>>``, ``.otherwise(…)``,
``together(…)`` and ``grouped(…)``.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from arandu_lab.errors import ConfigError, nearest

if TYPE_CHECKING:
    from arandu_lab.presets import Assembly

KEYS = ("write", "read", "modules")


def told_assembly(assembly: Assembly) -> dict[str, Any]:
    """The table of an assembly: its pipelines as text, and the modules that define its own stages."""
    from arandu_lab.bench.owned import owned

    modules = sorted({one.module for one in owned(assembly.write, assembly.read)})
    return {"write": repr(assembly.write), "read": repr(assembly.read), **({"modules": modules} if modules else {})}


def read_assembly(table: Mapping[str, Any]) -> Assembly:
    """The assembly of a table; a pipeline that it does not give is the documented one.

    Raises:
        ConfigError: an unknown key or stage, a module that cannot be imported, or a text that is no pipeline.

    >>> read_assembly({"read": "plan() >> retrieval() >> cut(topk_facts=3) >> render()"}).read
    plan() >> retrieval() >> cut(topk_facts=3) >> render()
    """
    from arandu_lab.config import MemoryConfig
    from arandu_lab.presets import Assembly, read, write

    for key, value in table.items():
        if key not in KEYS:
            raise ConfigError(f"assembly: unknown key {key!r}; {nearest(key, KEYS)}")
        if key == "modules":
            if not isinstance(value, list | tuple) or not all(isinstance(one, str) and one for one in value):
                raise ConfigError(f"assembly: modules = {value!r}; wants a list of names")
        elif not isinstance(value, str):
            raise ConfigError(f"assembly: {key} = {value!r}; wants a pipeline as text")
    for name in table.get("modules", ()):
        _import(name)
    made = {which: _pipeline(which, table[which]) for which in ("write", "read") if which in table}
    return Assembly(MemoryConfig(), made.get("write") or write(), made.get("read") or read())


def _import(name: str) -> None:
    from arandu_lab.bench.owned import MAIN

    if name == MAIN:
        raise ConfigError(
            "assembly: a stage of its was defined in a notebook or script and is in no file; "
            "put it into a module of your own and name that in `modules`"
        )
    try:
        importlib.import_module(name)
    except ImportError as error:
        raise ConfigError(
            f"assembly: module {name!r}: {error}; modules are looked for in the current folder and on PYTHONPATH"
        ) from None


def _pipeline(which: str, text: str) -> Any:
    from arandu_lab.presets import as_pipeline

    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        raise ConfigError(f"assembly: {which} = {text!r}: {error.msg}") from None
    try:
        return as_pipeline(_node(tree))
    except ConfigError as error:
        raise ConfigError(f"assembly: {which}: {error}") from None


def _node(tree: ast.expr) -> Any:
    from arandu_lab.pipeline.compose import grouped, together
    from arandu_lab.pipeline.registry import REGISTRY

    match tree:
        case ast.BinOp(left=left, op=ast.RShift(), right=right):
            return _node(left) >> _node(right)
        case ast.Call(func=ast.Attribute(value=first, attr="otherwise"), args=[second], keywords=[]):
            return _node(first).otherwise(_node(second))
        case ast.Call(func=ast.Name(id="together"), args=parts, keywords=[]):
            return together(*map(_node, parts))
        case ast.Call(func=ast.Name(id="grouped"), args=[ast.Constant(value=str(name)), inside], keywords=[]):
            return grouped(name, _node(inside))
        case ast.Call(func=ast.Name(id=name), args=[], keywords=pins):
            return REGISTRY.stage(name)(**{_word(pin): _value(pin.value) for pin in pins})
    raise ConfigError(f"{ast.unparse(tree)!r} is no stage; wants name(setting=value), >>, .otherwise(…) or together(…)")


def _word(pin: ast.keyword) -> str:
    if pin.arg is None:
        raise ConfigError(f"**{ast.unparse(pin.value)!r}; wants settings by name")
    return pin.arg


def _value(tree: ast.expr) -> Any:
    try:
        return ast.literal_eval(tree)
    except ValueError:
        raise ConfigError(f"{ast.unparse(tree)!r}; wants a plain value") from None
