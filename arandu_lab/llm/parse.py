"""From a model's text to an answer: every shape that models send, and one bad item never discards its neighbours.

The ladder, first rung that holds: strict JSON; the first balanced JSON value in prose or code fences that looks like an
answer; what stands before the cut of an answer cut off; json-repair. Then each field, and each item of a list,
is validated alone. Pure: no model, no clock.

* An item with an index ``i`` is a decision: one wrong field drops it whole. Any other item loses a wrong optional
  field alone, which takes its default. Both are said in ``dropped``.
* No answer looks like an empty one: where nothing at all could be used, ``BackendError`` is raised.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, TypeVar, get_args, get_origin

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from arandu_lab.errors import BackendError
from arandu_lab.llm.backend import wellformed
from arandu_lab.llm.scan import candidates, repaired, strict
from arandu_lab.pipeline.lab import Answered

A = TypeVar("A", bound=BaseModel)

LIMIT = 200_000
"""Characters of an answer that are read; what lies beyond counts as cut off."""

_MISSING = object()
_THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)


def parse(text: str, answer: type[A], *, items: str = "", backend: str = "", stage: str = "") -> Answered[A]:
    """Read ``text`` as ``answer``; ``items`` names the list field that a bare JSON list stands for.

    >>> from arandu_lab.llm.tasks import JudgeAnswer
    >>> parse('Here: ```json [{"i": 0, "grade": 0.9}, {"i": 1, "grade": 7}]```', JudgeAnswer, items="grades")
    Answered(value=JudgeAnswer(grades=[GradeItem(i=0, grade=0.9)]), dropped=('grades[1].grade: Input should be less \
than or equal to 1',))

    Raises:
        BackendError: ``empty`` for a blank text, ``malformed`` where nothing of it can be used.
    """
    if not text.strip():
        raise BackendError("the answer is an empty text", kind="empty", backend=backend, stage=stage)
    notes: list[str] = []
    if len(text) > LIMIT:
        notes.append(f"answer: {len(text) - LIMIT} characters beyond the first {LIMIT} were not read")
        text = text[:LIMIT]
    found = _read(text, answer, items, notes)
    values, usable = ({}, False) if found is None else _fields(found, answer, notes)
    if not usable:
        said = text.strip()[:160]
        wanted = ", ".join(answer.model_fields)
        why = f"; {notes[0]}" if notes else ""
        raise BackendError(
            f"nothing usable for {answer.__name__} ({wanted}) in {said!r}{why}",
            kind="malformed",
            backend=backend,
            stage=stage,
        )
    return Answered(answer.model_construct(**values), tuple(notes))


# ---------------------------------------------------------------- finding the JSON value


def _read(text: str, answer: type[BaseModel], items: str, notes: list[str]) -> dict[str, Any] | None:
    """The first reading of the text, as an object with at least one field of the answer.

    Objects that bring further fields are joined to it; one that repeats a field is a repetition and ends the reading.
    """
    whole = strict(text)
    if whole is not None and (fitted := _fit(whole, answer, items)) is not None:
        return _clean(fitted, notes)
    found: dict[str, Any] = {}
    loose: list[Any] = []
    empty: dict[str, Any] | None = None
    for candidate in candidates(_THOUGHT.sub(" ", text)):
        value = strict(candidate.text)
        if value is None:
            value = repaired(candidate.text)
        fitted = _fit(value, answer, items)
        if fitted is None or not any(fitted.values()):
            empty = empty or fitted
            continue
        if isinstance(value, dict) and items and _is_item(value, answer.model_fields[items]):
            loose.append(value)
            continue
        if found.keys() & fitted.keys():
            break
        found.update(fitted)
        if candidate.lost:
            notes.append(f"answer: cut off; {candidate.lost} characters of unfinished items were left out")
            break
    if not found and loose:
        found = {items: loose}
    return _clean(found, notes) if found else empty


def _fit(value: Any, answer: type[BaseModel], items: str, depth: int = 0) -> dict[str, Any] | None:
    """``value`` as an object of the answer's fields, unwrapped where it hides one level deep; None if it is not one."""
    fields = answer.model_fields
    if isinstance(value, str) and depth < 2:
        inner = strict(value)
        return _fit(inner, answer, items, depth + 1) if isinstance(inner, dict | list) else None
    if isinstance(value, list):
        objects = [entry for entry in value if isinstance(entry, dict)]
        wholes = [entry for entry in objects if any(name in fields for name in entry)]
        if wholes and len(wholes) == len(objects):
            return _joined(wholes)
        if not items or (value and not any(_is_item(entry, fields[items]) for entry in objects)):
            return None
        return {items: value}
    if not isinstance(value, dict):
        return None
    known = {name: value[name] for name in fields if name in value}
    if known:
        return known
    if items and _is_item(value, fields[items]):
        return {items: [value]}
    if depth < 2 and "inputs" not in value:
        inside = list(value.values()) if len(value) == 1 else [value.get("arguments", value.get("parameters"))]
        if inside[0] is not None and isinstance(inside[0], dict | list | str):
            return _fit(inside[0], answer, items, depth + 1)
    return None


def _joined(objects: list[dict[str, Any]]) -> dict[str, Any]:
    """Several objects as one: lists are concatenated, of anything else the first is kept."""
    joined: dict[str, Any] = {}
    for entry in objects:
        for name, value in entry.items():
            if isinstance(value, list) and isinstance(joined.get(name), list):
                joined[name] = joined[name] + value
            else:
                joined.setdefault(name, value)
    return joined


def _is_item(value: Mapping[str, Any], field: FieldInfo) -> bool:
    item = _item_model(field)
    return item is not None and all(name in value for name, inner in item.model_fields.items() if inner.is_required())


def _clean(value: dict[str, Any], notes: list[str]) -> dict[str, Any]:
    """The value with every string well-formed; what was replaced is counted."""
    replaced = 0

    def walk(part: Any) -> Any:
        nonlocal replaced
        if isinstance(part, str):
            fixed = wellformed(part)
            replaced += fixed != part and "\ufffd" in fixed
            return fixed
        if isinstance(part, list):
            return [walk(entry) for entry in part]
        if isinstance(part, dict):
            return {walk(key) if isinstance(key, str) else str(key): walk(entry) for key, entry in part.items()}
        return part

    cleaned: dict[str, Any] = walk(value)
    if replaced:
        notes.append(f"answer: lone surrogates replaced in {replaced} texts")
    return cleaned


# ---------------------------------------------------------------- field by field, item by item


def _fields(found: dict[str, Any], answer: type[BaseModel], notes: list[str]) -> tuple[dict[str, Any], bool]:
    """Validated values of the fields, and whether anything of the answer was usable."""
    values: dict[str, Any] = {}
    kept = emptied = 0
    before = len(notes)
    for name, field in answer.model_fields.items():
        raw = found.get(name, _MISSING)
        value = _field(name, raw, field, notes) if raw is not _MISSING and raw is not None else _MISSING
        if value is _MISSING:
            values[name] = field.get_default(call_default_factory=True)
            emptied += raw is None
        else:
            values[name] = value
            kept += bool(value)
            emptied += not value
    return values, bool(kept or (emptied and len(notes) == before))


def _field(name: str, raw: Any, field: FieldInfo, notes: list[str]) -> Any:
    origin, arguments = get_origin(field.annotation), get_args(field.annotation)
    if origin is list:
        if isinstance(raw, dict):
            raw = [raw] if _is_item(raw, field) else list(raw.values())
        if not isinstance(raw, list):
            notes.append(f"{name}: {type(raw).__name__} where a list was asked for")
            return _MISSING
        return list(_items(raw, name, arguments[0], notes))
    if origin is dict:
        if not isinstance(raw, dict):
            notes.append(f"{name}: {type(raw).__name__} where an object was asked for")
            return _MISSING
        pairs = {key: next(_items([value], name, arguments[1], notes, key), _MISSING) for key, value in raw.items()}
        return {key: value for key, value in pairs.items() if value is not _MISSING}
    model = next((part for part in arguments if isinstance(part, type) and issubclass(part, BaseModel)), None)
    return next(_items([raw], name, model or field.annotation, notes, ""), _MISSING)


def _items(raw: list[Any], name: str, kind: Any, notes: list[str], key: str | None = None) -> Iterator[Any]:
    """The entries that hold as ``kind``; of the others, what was wrong goes to ``notes``."""
    adapter = _adapter(kind)
    for index, entry in enumerate(raw):
        place = f"{name}[{index if key is None else repr(key)}]" if key != "" else name
        try:
            yield adapter.validate_python(entry)
        except ValidationError as error:
            notes.extend(_said(error, place))
            mended = _without_wrong_options(entry, kind, error)
            if mended is not None:
                try:
                    yield adapter.validate_python(mended)
                except ValidationError as again:
                    notes.extend(_said(again, place))


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _without_wrong_options(entry: Any, kind: Any, error: ValidationError) -> dict[str, Any] | None:
    """The entry without its invalid optional fields; None where that cannot or must not save it."""
    if not (isinstance(entry, dict) and isinstance(kind, type) and issubclass(kind, BaseModel)):
        return None
    wrong = {str(part["loc"][0]) for part in error.errors() if part["loc"]}
    fields = kind.model_fields
    if not wrong or "i" in fields or any(name not in fields or fields[name].is_required() for name in wrong):
        return None
    return {name: value for name, value in entry.items() if name not in wrong}


def _said(error: ValidationError, place: str) -> list[str]:
    return [".".join([place, *map(str, part["loc"])]) + f": {part['msg']}" for part in error.errors()]


def _item_model(field: FieldInfo) -> type[BaseModel] | None:
    arguments = get_args(field.annotation)
    if get_origin(field.annotation) is list and isinstance(arguments[0], type) and issubclass(arguments[0], BaseModel):
        return arguments[0]
    return None
