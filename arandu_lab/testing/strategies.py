"""Hypothesis strategies made of the library's own types: values of a unit, and values that a unit must refuse."""

from __future__ import annotations

import types
import typing
from typing import Any, Literal

from annotated_types import Ge, Gt, Le, Lt
from hypothesis import strategies as st


def legal(annotation: Any) -> st.SearchStrategy[Any]:
    """Values that the annotation allows."""
    base, marks = _parts(annotation)
    if base is float:
        low, high = _bounds(marks)
        return st.floats(
            low if low is not None else -1e6,
            high if high is not None else 1e6,
            allow_nan=False,
            exclude_min=any(isinstance(m, Gt) for m in marks),
            exclude_max=any(isinstance(m, Lt) for m in marks),
        )
    if base is int:
        low, high = _bounds(marks)
        return st.integers(None if low is None else int(low), None if high is None else int(high))
    if base is bool:
        return st.booleans()
    if base is str:
        return st.text(max_size=20)
    if typing.get_origin(base) is Literal:
        return st.sampled_from(typing.get_args(base))
    if _is_mapping(base):
        key, value = typing.get_args(base)
        return st.dictionaries(legal(key), legal(value), max_size=4)
    if typing.get_origin(base) is tuple:
        return st.lists(legal(typing.get_args(base)[0]), max_size=3).map(tuple)
    if _is_union(base):
        return st.one_of([legal(option) for option in typing.get_args(base)])
    if base is type(None):
        return st.none()
    raise TypeError(f"no values known for {annotation!r}")


def illegal(annotation: Any) -> st.SearchStrategy[Any]:
    """Values that the annotation must refuse: out of range, of a wrong kind, not a number."""
    base, marks = _parts(annotation)
    wrong: list[st.SearchStrategy[Any]] = [st.just(object())]
    low, high = _bounds(marks)
    if base in (int, float):
        wrong += [st.just("5"), st.just(float("nan")), st.just(None)]
        if low is not None:
            wrong.append(st.just(low - 1))
        if high is not None:
            wrong.append(st.just(high + 1))
        if base is int:
            wrong.append(st.just(1.5))
    elif base is bool:
        wrong += [st.just("yes"), st.just(7)]
    elif base is str:
        wrong += [st.integers(), st.none()]
    elif typing.get_origin(base) is Literal:
        wrong.append(st.text(max_size=5).filter(lambda text: text not in typing.get_args(base)))
    elif _is_mapping(base):
        _, value = typing.get_args(base)
        wrong += [st.just([1]), illegal(value).map(lambda bad: {"x": bad})]
    return st.one_of(wrong)


def _parts(annotation: Any) -> tuple[Any, list[Any]]:
    if typing.get_origin(annotation) is typing.Annotated:
        base, *marks = typing.get_args(annotation)
        return base, marks
    return annotation, []


def _bounds(marks: list[Any]) -> tuple[float | None, float | None]:
    low = next((m.ge if isinstance(m, Ge) else m.gt for m in marks if isinstance(m, Ge | Gt)), None)
    high = next((m.le if isinstance(m, Le) else m.lt for m in marks if isinstance(m, Le | Lt)), None)
    return low, high  # type: ignore[return-value]


def _is_mapping(base: Any) -> bool:
    import collections.abc

    return typing.get_origin(base) in (dict, collections.abc.Mapping)


def _is_union(base: Any) -> bool:
    return isinstance(base, types.UnionType) or typing.get_origin(base) is typing.Union
