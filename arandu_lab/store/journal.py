"""Units of work: what one append to the journal carries, as bytes and back.

A payload is ``b"AR1\\n"``, the length of a JSON header (4 bytes, little endian), the header, and the vectors of all
rows as raw ``float32``. The header names each record type's fields once and lists absolute row images; times are
microseconds (with the offset in seconds where it is not 0). Nothing is compressed, so that a scan for a word finds what
is there.
"""

from __future__ import annotations

import dataclasses
import json
import struct
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias, cast

import numpy as np

from arandu_lab.errors import BackendError
from arandu_lab.knowledge import MemoryFact
from arandu_lab.records import Cluster, Entity, Event, Fact, Observation, Row
from arandu_lab.store.schema import RECORDS, fields
from arandu_lab.store.times import micros, moment, offset

UnitKind: TypeAlias = Literal["turn", "write", "job", "edit", "forget"]

_MAGIC = b"AR1\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One commit: row images in place of what stood there, and the (table, primary key) of rows that are no more.

    ``born`` holds each row's order of first arrival (same length as ``rows``). ``note`` is free text for the audit.
    """

    id: str
    seq: int
    kind: UnitKind
    agent_id: str
    recorded_at: datetime
    rows: tuple[Row, ...] = ()
    born: tuple[int, ...] = ()
    removed: tuple[tuple[str, str], ...] = ()
    note: str | None = None


def pack(unit: Unit) -> bytes:
    """The payload of a unit; lone surrogates become U+FFFD, all other text is kept as it is."""
    vectors: list[bytes] = []
    header = {
        "fields": {
            record.__name__: [name for name, _ in fields(record)]
            for record in dict.fromkeys(type(row) for row in unit.rows)
        },
        "rows": [
            [type(row).__name__, born, *_values(row, vectors)] for row, born in zip(unit.rows, unit.born, strict=True)
        ],
        "removed": unit.removed,
        "width": len(vectors[0]) // 4 if vectors else 0,
        "note": unit.note,
        "east": offset(unit.recorded_at),
    }
    try:
        text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        text = clean(json.dumps(header, ensure_ascii=False, separators=(",", ":"))).encode()
    return b"".join([_MAGIC, struct.pack("<I", len(text)), text, *vectors])


def unpack(payload: bytes, *, seq: int, unit_id: str, kind: str, agent_id: str, recorded_at: int, dim: int) -> Unit:
    """A unit from its payload and its journal columns (``recorded_at`` in microseconds).

    Vectors of another width than ``dim`` are left out: they belong to an embedder that the store has left behind.

    Raises:
        BackendError: the payload is damaged.
    """
    if payload[:4] != _MAGIC or len(payload) < 8:
        raise BackendError(
            f"journal unit {unit_id!r} (seq {seq}) has a damaged payload", kind="store", backend="journal"
        )
    (length,) = struct.unpack("<I", payload[4:8])
    try:
        header = json.loads(payload[8 : 8 + length])
    except ValueError as fault:
        raise BackendError(f"journal unit {unit_id!r} (seq {seq}): {fault}", kind="store", backend="journal") from fault
    width = header["width"]
    matrix = np.frombuffer(payload, dtype="<f4", offset=8 + length)
    vectors = matrix.reshape(-1, width) if width == dim and width else None
    names = header["fields"]
    rows = [_row(values, names, vectors, agent_id) for values in header["rows"]]
    return Unit(
        id=unit_id,
        seq=seq,
        kind=cast(UnitKind, kind),
        agent_id=agent_id,
        recorded_at=moment(recorded_at, header["east"]),
        rows=tuple(rows),
        born=tuple(values[1] for values in header["rows"]),
        removed=tuple((table, key) for table, key in header["removed"]),
        note=header["note"],
    )


def clean(text: str) -> str:
    """The text with every lone surrogate replaced by U+FFFD.

    >>> clean("a" + chr(0xD83D) + "b") == "a" + chr(0xFFFD) + "b"
    True
    """
    return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)


def cleaned(row: Row) -> Row:
    """The row with lone surrogates replaced in every text; the same object when there are none."""
    changed: dict[str, Any] = {}
    for name, form in fields(type(row)):
        value = getattr(row, name)
        if form == "text" and value is not None and not sound(value):
            changed[name] = clean(value)
        elif form == "list" and not all(sound(part) for part in value):
            changed[name] = tuple(clean(part) for part in value)
    return dataclasses.replace(row, **changed) if changed else row


def without_vector(row: Row) -> Row:
    """The row without its vector, if its kind has one."""
    if isinstance(row, Event | Fact | Entity | Cluster | Observation | MemoryFact) and row.vector is not None:
        return dataclasses.replace(row, vector=None)
    return row


def sound(text: str) -> bool:
    """Whether the text can be encoded: it holds no half surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _values(row: Row, vectors: list[bytes]) -> list[Any]:
    values: list[Any] = []
    for name, form in fields(type(row)):
        value = getattr(row, name)
        if value is None or name == "agent_id":
            values.append(None)
        elif form == "time":
            values.append([micros(value), offset(value)] if offset(value) else micros(value))
        elif form == "vector":
            values.append(len(vectors))
            vectors.append(np.ascontiguousarray(value, dtype="<f4").tobytes())
        else:
            values.append(value)
    return values


def _row(values: list[Any], names: dict[str, list[str]], vectors: Any, agent_id: str) -> Row:
    record = _RECORD[values[0]]
    forms = dict(fields(record))
    made: dict[str, Any] = {}
    for name, value in zip(names[values[0]], values[2:], strict=True):
        form = forms.get(name)
        if form is None:
            continue
        if value is None:
            made[name] = None
        elif form == "time":
            made[name] = moment(*value) if isinstance(value, list) else moment(value)
        elif form == "vector":
            made[name] = None if vectors is None else vectors[value]
        elif form == "list":
            made[name] = tuple(value)
        else:
            made[name] = value
    made["agent_id"] = agent_id
    return cast(Row, record(**made))


_RECORD = {record.__name__: record for record in RECORDS.values()}
