"""The tables: their columns come from the records' own fields, so a record and its table never disagree.

Beside a record's fields every projection has ``id`` (the declared primary key: a hash of agent and natural key),
``seq`` (the unit that wrote this image), ``born`` (order of first arrival), ``offsets`` (UTC offsets in which times
were said, where they are not 0) and, for texts, ``search_terms``. ``vector`` lies in a column named ``emb``.
"""

from __future__ import annotations

import dataclasses
import hashlib
import types
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from arandu_lab.knowledge import (
    AccessGrant,
    Domain,
    EpisodicEdge,
    HotItem,
    MemoryConflict,
    MemoryFact,
    MemoryPolicy,
    Sighting,
    WorkingMemory,
)
from arandu_lab.records import Alias, Cluster, Entity, Event, Fact, Link, Observation, Relationship, Row
from arandu_lab.store.columns import event_terms, fact_terms
from arandu_lab.store.times import micros, moment, offset

if TYPE_CHECKING:
    import pyarrow as pa

VERSION = 1
"""Version of the layout; a store of another version is refused at open."""

PROJECTIONS = (
    "events",
    "facts",
    "entities",
    "aliases",
    "fact_entity_links",
    "relationships",
    "clusters",
    "meta_observations",
)
"""The tables that the journal is projected into, in the order in which a unit's rows are applied."""

KNOWLEDGE = (
    "domains",
    "memory_facts",
    "memory_policies",
    "working_memories",
    "sightings",
    "hot_items",
    "access_grants",
    "memory_conflicts",
    "episodic_edges",
)
"""Projections of what a workspace knows; each is made with its first row, so that a store without such rows has none."""

PROJECTED = (*PROJECTIONS, *KNOWLEDGE)

TABLES = ("journal", "journal_archive", *PROJECTIONS)
"""The tables that every store has, beside ``meta``."""

RECORDS: dict[str, type[Any]] = dict(
    zip(
        PROJECTED,
        (
            *(Event, Fact, Entity, Alias, Link, Relationship, Cluster, Observation),
            *(Domain, MemoryFact, MemoryPolicy, WorkingMemory, Sighting, HotItem, AccessGrant, MemoryConflict),
            EpisodicEdge,
        ),
        strict=True,
    )
)
_TABLE = {record: table for table, record in RECORDS.items()}
RANK = {record: rank for rank, record in enumerate(_TABLE)}
"""Place of a record's table in the order of application: what others name comes first."""
_RENAMED = {
    ("events", "id"): "event_id",
    ("facts", "id"): "fact_id",
    ("entities", "key"): "entity_key",
    ("relationships", "id"): "relationship_id",
    ("clusters", "id"): "cluster_id",
    ("meta_observations", "id"): "observation_id",
    ("domains", "id"): "domain_id",
    ("memory_facts", "id"): "memory_fact_id",
    ("memory_policies", "id"): "memory_policy_id",
    ("working_memories", "id"): "working_memory_id",
    ("sightings", "id"): "sighting_id",
    ("hot_items", "id"): "hot_item_id",
    ("access_grants", "id"): "access_grant_id",
    ("memory_conflicts", "id"): "memory_conflict_id",
    ("episodic_edges", "id"): "episodic_edge_id",
}
_PRIMARY = {"lance-schema:unenforced-primary-key": "true"}


class Image(NamedTuple):
    """A row as a unit left it: the unit's ``seq``, the row's order of first arrival, its words where they are known."""

    row: Row
    seq: int
    born: int
    words: Sequence[str] | None = None


def table_of(row: Row) -> str:
    """The projection a row lies in."""
    return _TABLE[type(row)]


def row_key(row: Row) -> tuple[str, str]:
    """Table and natural key of a row, unique within its agent."""
    match row:
        case Entity():
            return "entities", row.key
        case Alias():
            return "aliases", f"{len(row.folded)}:{row.folded}{row.entity_key}"
        case Link():
            return "fact_entity_links", f"{len(row.fact_id)}:{row.fact_id}{row.entity_key}"
        case _:
            return _TABLE[type(row)], row.id


def primary(agent_id: str, key: str) -> str:
    """The stored primary key: 32 hex digits over agent and natural key."""
    whole = f"{len(agent_id)}:{agent_id}{key}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(whole, digest_size=16).hexdigest()


def stored_key(row: Row) -> tuple[str, str]:
    """Table and primary key of a row, unique within the store."""
    table, key = row_key(row)
    return table, primary(row.agent_id, key)


def fields(record: type[Any]) -> tuple[tuple[str, str], ...]:
    """Name and kind (``text number whole flag time list vector``) of each field of a record."""
    return _FIELDS[record]


@cache
def schema(table: str, dim: int) -> pa.Schema:
    """The arrow schema of a table; ``dim`` is the width of its vectors (0: none are kept)."""
    import pyarrow as pa

    stamp = pa.timestamp("us", tz="UTC")
    head = [
        pa.field("id", pa.string(), nullable=False, metadata=_PRIMARY),
        pa.field("seq", pa.int64(), nullable=False),
    ]
    if table not in RECORDS:
        return pa.schema(
            [
                *head,
                pa.field("unit_id", pa.string(), nullable=False),
                pa.field("kind", pa.string(), nullable=False),
                pa.field("agent_id", pa.string(), nullable=False),
                pa.field("recorded_at", stamp, nullable=False),
                pa.field("payload", pa.large_binary(), nullable=False),
            ]
        )
    kinds = {
        "text": pa.string(),
        "number": pa.float64(),
        "whole": pa.int64(),
        "flag": pa.bool_(),
        "time": stamp,
        "list": pa.list_(pa.string()),
        "vector": pa.list_(pa.float32(), max(dim, 1)),
    }
    own = [pa.field(column(table, name), kinds[kind]) for name, kind in fields(RECORDS[table])]
    tail = [pa.field("born", pa.int64(), nullable=False), pa.field("offsets", pa.string())]
    if table in _TERMS:
        tail.append(pa.field("search_terms", pa.string()))
    return pa.schema([*head, *own, *tail])


def column(table: str, name: str) -> str:
    """The column a record's field lies in."""
    return "emb" if name == "vector" else _RENAMED.get((table, name), name)


def to_arrow(table: str, images: Iterable[Image], dim: int) -> pa.Table:
    """Row images as an arrow table of the projection's schema."""
    import pyarrow as pa

    images = list(images)
    columns: dict[str, list[Any]] = {
        "id": [primary(image.row.agent_id, row_key(image.row)[1]) for image in images],
        "seq": [image.seq for image in images],
        "born": [image.born for image in images],
        "offsets": [_offsets(image.row) for image in images],
    }
    for name, kind in fields(RECORDS[table]):
        values = [getattr(image.row, name) for image in images]
        if kind == "time":
            values = [None if value is None else micros(value) for value in values]
        elif kind == "list":
            values = [list(value) for value in values]
        columns[column(table, name)] = values
    if table in _TERMS:
        columns["search_terms"] = [" ".join(_TERMS[table](image.row)) for image in images]
    wanted = schema(table, dim)
    return pa.table([pa.array(columns[field.name], type=field.type) for field in wanted], schema=wanted)


def from_arrow(table: str, found: pa.Table) -> Iterator[Image]:
    """The row images of an arrow table, in its order."""
    import numpy as np
    import pyarrow as pa

    record = RECORDS[table]
    size = len(found)
    lists: list[list[Any]] = []
    for name, kind in fields(record):
        nothing: list[Any] = [() if kind == "list" else None] * size
        if column(table, name) not in found.column_names:  # a table of before this field was kept
            lists.append(nothing)
            continue
        values = found.column(column(table, name)).combine_chunks()
        if values.null_count == size:
            lists.append(nothing)
        elif kind == "time":
            lists.append(_list(values.cast(pa.int64())))
        elif kind == "vector":
            flat = np.asarray(values.flatten().to_numpy(zero_copy_only=False), dtype=np.float32)
            vectors = iter(flat.reshape(size - values.null_count, values.type.list_size))
            there = _list(values.is_valid()) if values.null_count else [True] * size
            lists.append([next(vectors) if valid else None for valid in there])
        elif kind == "list":
            lists.append([tuple(value or ()) for value in _list(values)] if len(values.flatten()) else nothing)
        else:
            lists.append(_list(values))
    offsets = _list(found.column("offsets").combine_chunks())
    shifted = [(place, _shifts(east)) for place, east in enumerate(offsets) if east is not None]
    seqs, borns = (_list(found.column(name).combine_chunks()) for name in ("seq", "born"))
    words: list[Any] = [None] * size
    if table in _TERMS:
        said = _list(found.column("search_terms").combine_chunks())
        words = [None if text is None else text.split() for text in said]
    times = {name: values for (name, kind), values in zip(fields(record), lists, strict=True) if kind == "time"}
    moments = {at: moment(at) for at in set().union(*times.values()) if at is not None}
    rows = [object.__new__(record) for _ in range(size)]
    for (name, kind), values in zip(fields(record), lists, strict=True):
        told = values
        if kind == "time":
            told = list(map(moments.get, values))  # None stays None
            for place, shifts in shifted:
                if name in shifts and values[place] is not None:
                    told[place] = moment(values[place], shifts[name])
        deque(map(getattr(record, name).__set__, rows, told), maxlen=0)  # column by column: many times as fast
    return map(Image, rows, seqs, borns, words)


_TERMS: dict[str, Callable[[Any], list[str]]] = {"events": event_terms, "facts": fact_terms}


def _kind(name: str, hint: Any) -> str:
    if name == "vector":
        return "vector"
    if get_origin(hint) in (Union, types.UnionType):
        hint = next(arg for arg in get_args(hint) if arg is not type(None))
    if get_origin(hint) is tuple:
        return "list"
    if get_origin(hint) is Literal:
        return "text"
    return {str: "text", float: "number", int: "whole", bool: "flag", datetime: "time"}[hint]


def _read_fields(record: type[Any]) -> tuple[tuple[str, str], ...]:
    hints = get_type_hints(record)
    return tuple((field.name, _kind(field.name, hints[field.name])) for field in dataclasses.fields(record))


_FIELDS = {record: _read_fields(record) for record in RECORDS.values()}


def _offsets(row: Row) -> str | None:
    """``field=seconds`` of every time that was not said in UTC, joined by blanks."""
    said = [
        f"{name}={offset(value)}"
        for name, kind in fields(type(row))
        if kind == "time" and (value := getattr(row, name)) is not None and offset(value)
    ]
    return " ".join(said) or None


@cache
def _shifts(offsets: str | None) -> dict[str, int]:
    return {name: int(east) for name, _, east in (part.partition("=") for part in (offsets or "").split())}


def _list(values: pa.Array) -> list[Any]:
    """Python values of an arrow array, by way of polars (several times faster than ``to_pylist``)."""
    import polars as pl

    found = pl.from_arrow(values)
    return found.to_list() if isinstance(found, pl.Series) else values.to_pylist()
