"""Plain values as TOML (Python reads TOML and does not write it), and files of TOML read with their name in every error."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from arandu_lab.errors import ConfigError
from arandu_lab.places import local

T = TypeVar("T")


def read_toml(path: str | Path, meaning: Callable[[Mapping[str, Any]], T]) -> T:
    """What a file means.

    Raises:
        ConfigError: no such file, not TOML, or what ``meaning`` refuses; each with the file's name.
    """
    place = local(path)
    try:
        data = tomllib.loads(place.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{place}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{place}: not TOML: {error}") from None
    try:
        return meaning(data)
    except ConfigError as error:
        raise ConfigError(f"{place}: {error}") from None


def toml(tables: Mapping[str, Mapping[str, Any]]) -> str:
    """Tables by dotted heading, in the order given; a mapping among the values becomes an inline table.

    Raises:
        ConfigError: a value that TOML has no word for.

    >>> print(toml({"run": {"ks": [1, 2], "name": "a"}, heading("system", "x y"): {"w": {"semantic": 0.7}}}), end="")
    [run]
    ks = [1, 2]
    name = "a"
    <BLANKLINE>
    [system."x y"]
    w = {semantic = 0.7}
    """
    parts = [
        f"[{head}]\n" + "".join(f"{key_of(key)} = {value(one)}\n" for key, one in table.items())
        for head, table in tables.items()
    ]
    return "\n".join(parts)


def heading(*parts: str) -> str:
    """A dotted heading, each part quoted where it must be.

    >>> heading("system", "bm25 (text)")
    'system."bm25 (text)"'
    """
    return ".".join(map(key_of, parts))


def key_of(name: str) -> str:
    """A key, quoted where it must be."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else value(name)


def value(one: Any) -> str:
    """One value.

    >>> value({"a": True, "b": ["x\\n", 1.0]}), value(1e-9)
    ('{a = true, b = ["x\\\\n", 1.0]}', '1e-09')
    """
    match one:
        case bool():
            return "true" if one else "false"
        case str():
            return json.dumps(one, ensure_ascii=False).replace("\x7f", "\\u007f")
        case int() | float():
            return repr(one)
        case Mapping():
            return "{" + ", ".join(f"{key_of(str(key))} = {value(inner)}" for key, inner in one.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(map(value, one)) + "]"
    raise ConfigError(f"{one!r} ({type(one).__name__}) cannot be written as TOML")
