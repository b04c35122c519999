"""Whether two values are the same inside, arrays and frames too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np


def differs(one: Any, other: Any, at: str = "") -> str:
    """The place where two values first differ, empty where they are the same.

    Records are compared field by field, those left out of ``==`` too.

    >>> differs({"a": np.array([1, 2])}, {"a": np.array([1, 3])}), differs((1, "x"), (1, "x"))
    ("['a']", '')
    """
    here = at or "the value"
    if one is other:
        return ""
    if type(one) is not type(other):
        return here
    if isinstance(one, np.ndarray):
        return "" if _same_array(one, other) else here
    if isinstance(one, Mapping):
        if list(one) != list(other):
            return here
        return _first((f"{at}[{key!r}]", one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        if len(one) != len(other):
            return here
        return _first((f"{at}[{place}]", *pair) for place, pair in enumerate(zip(one, other, strict=True)))
    if hasattr(one, "equals"):
        return "" if one.equals(other) else here
    if names := _inside(one):
        return _first((f"{at}.{name}", getattr(one, name, None), getattr(other, name, None)) for name in names)
    return "" if one == other or (one != one and other != other) else here


def _first(pairs: Iterable[tuple[str, Any, Any]]) -> str:
    return next((found for at, one, other in pairs if (found := differs(one, other, at))), "")


def _inside(value: Any) -> tuple[str, ...]:
    """Names of what a record or a plain object holds; none where ``==`` is to judge."""
    if is_dataclass(value) and not isinstance(value, type):
        return tuple(part.name for part in fields(value))
    if _compares(type(value)) or isinstance(value, type) or callable(value):
        return ()
    slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    return (*slots, *getattr(value, "__dict__", ()))


def _compares(kind: type) -> bool:
    """Whether a class says what equality is."""
    return any("__eq__" in vars(one) for one in kind.__mro__ if one is not object)


def _same_array(one: Any, other: Any) -> bool:
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    if one.dtype == object:
        return not differs(one.tolist(), other.tolist())
    return bool(np.array_equal(one, other, equal_nan=one.dtype.kind in "fcmM"))
