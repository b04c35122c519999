"""Records as tidy polars frames, one row each, for notebooks and reports. Vectors stay in the store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

import polars as pl

from arandu_lab.pipeline.lab import View
from arandu_lab.records import Event, Fact, Relationship, Row

_MOMENT = pl.Datetime("us", "UTC")
_FIRST = {
    Fact: ("entity_name", "text", "valid_from", "valid_to", "confidence", "importance", "category"),
    Event: ("occurred_at", "speaker", "text", "emotion", "emotion_intensity", "energy", "session_id"),
    Relationship: ("source_key", "rel_type", "target_key", "strength", "valid_from", "valid_to"),
}


def facts_frame(facts: Iterable[Fact]) -> pl.DataFrame:
    """Facts, what people read first."""
    return _frame(Fact, list(facts))


def events_frame(events: Iterable[Event]) -> pl.DataFrame:
    """Turns, what people read first."""
    return _frame(Event, list(events))


def edges_frame(edges: Iterable[Relationship]) -> pl.DataFrame:
    """Edges, what people read first."""
    return _frame(Relationship, list(edges))


def entities_frame(view: View, now: datetime) -> pl.DataFrame:
    """Entities with their names and how many open facts mention them."""
    names: dict[str, list[str]] = {}
    for folded, keys in view.aliases().items():
        for key in keys:
            names.setdefault(key, []).append(folded)
    live = view.facts.live(as_of=now)
    rows = [
        {
            "key": entity.key,
            "name": entity.name,
            "type": entity.type,
            "aliases": names.get(entity.key, []),
            "facts": int(live[view.linked(entity.key)].sum()),
            "importance": entity.importance,
            "profile_text": entity.profile_text,
            "summary_text": entity.summary_text,
        }
        for entity in view.entities()
    ]
    schema: dict[str, Any] = {
        "key": pl.String,
        "name": pl.String,
        "type": pl.String,
        "aliases": pl.List(pl.String),
        "facts": pl.Int64,
        "importance": pl.Float64,
        "profile_text": pl.String,
        "summary_text": pl.String,
    }
    return pl.DataFrame(rows, schema=schema)


def _frame(kind: type[Any], records: Sequence[Row]) -> pl.DataFrame:
    types = {f.name: _polars(str(f.type)) for f in fields(kind) if f.name not in ("vector", "agent_id")}
    frame = pl.DataFrame(
        {name: [_plain(getattr(record, name)) for record in records] for name in types}, schema=types, strict=False
    )
    first = [name for name in _FIRST[kind] if name in frame.columns]
    return frame.select(*first, *(name for name in frame.columns if name not in first))


def _plain(value: Any) -> Any:
    """A value as polars takes it: every moment in UTC, whatever offset it was given with."""
    return value.astimezone(UTC) if isinstance(value, datetime) else value


def _polars(annotation: str) -> Any:
    if annotation.startswith("datetime"):
        return _MOMENT
    if annotation.startswith("float"):
        return pl.Float64
    if annotation.startswith("int"):
        return pl.Int64
    if annotation.startswith("tuple"):
        return pl.List(pl.String)
    return pl.String
