"""Rows of a workspace as tidy polars frames, one row each. Vectors stay in the store."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

import polars as pl

from arandu_lab.knowledge import Knowledge
from arandu_lab.store.schema import fields as kinds_of


def frame(kind: type[Knowledge], rows: Iterable[Knowledge]) -> pl.DataFrame:
    """Rows of one kind, in their order, with ``domain_key`` where they are of a domain."""
    held = list(rows)
    types = {name: _TYPES[form] for name, form in kinds_of(kind) if name not in ("vector", "agent_id")}
    columns: dict[str, list[Any]] = {name: [_plain(getattr(row, name)) for row in held] for name in types}
    if "repo" in types and hasattr(kind, "domain_key"):
        types["domain_key"] = pl.String
        columns["domain_key"] = [getattr(row, "domain_key") for row in held]  # noqa: B009
    assert {one.name for one in fields(kind)} >= types.keys() - {"domain_key"}
    return pl.DataFrame(columns, schema=types)


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    return value.astimezone(UTC) if isinstance(value, datetime) else value


_TYPES: dict[str, Any] = {
    "text": pl.String,
    "number": pl.Float64,
    "whole": pl.Int64,
    "flag": pl.Boolean,
    "time": pl.Datetime("us", "UTC"),
    "list": pl.List(pl.String),
}
