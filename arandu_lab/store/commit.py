"""What a unit must fulfil before it may enter the journal, and how it is made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import get_args

import numpy as np

from arandu_lab.errors import BackendError, ConfigError, nearest
from arandu_lab.records import Fact, Link, Row
from arandu_lab.store.journal import Unit, UnitKind, cleaned, sound
from arandu_lab.store.schema import fields, row_key, stored_key, table_of
from arandu_lab.store.view import AgentView


def drafted(
    kind: UnitKind, agent_id: str, rows: Iterable[Row], removed: Iterable[Row], unit_id: str, dim: int
) -> tuple[list[Row], list[Row]]:
    """Rows and removals of a unit, cleaned and checked; of two images of one row the last stays.

    Raises:
        ConfigError: an unknown kind, a row of another agent, a naive time, a vector of another width or not finite.
    """
    images = {row_key(row): row for row in map(cleaned, rows)}
    gone = [cleaned(row) for row in removed]
    _checked(kind, agent_id, unit_id, list(images.values()), gone, dim)
    return list(images.values()), gone


def made(
    kind: UnitKind,
    view: AgentView,
    rows: Sequence[Row],
    removed: Sequence[Row],
    *,
    seq: int,
    unit_id: str,
    recorded_at: datetime,
    note: str | None,
    births: Mapping[tuple[str, str], int] | None = None,
) -> Unit:
    """The unit that follows a view. Rows keep the birth they have; new ones are born by ``seq`` and place (20 bits).

    ``births`` (by ``row_key``) says otherwise: a row that comes back, or takes another's place, keeps that place.

    Raises:
        ConfigError: a link to a fact that is neither here nor in the unit.
    """
    _links_hold(view, rows)
    given = births or {}
    known = (given.get(row_key(row), view.born(row)) for row in rows)
    return Unit(
        id=unit_id,
        seq=seq,
        kind=kind,
        agent_id=view.agent_id,
        recorded_at=recorded_at,
        rows=tuple(rows),
        born=tuple((seq << 20) | place if born is None else born for place, born in enumerate(known)),
        removed=tuple(stored_key(row) for row in removed),
        note=note,
    )


class Moved(BackendError):  # noqa: N818 - it says what happened, and is caught to try again
    """The agent's journal is not where the writer thought: draft again from the newest view."""

    def __init__(self, agent_id: str, expected: int, found: int) -> None:
        super().__init__(
            f"agent {agent_id[:80]!r} is at sequence {found}, the unit expects {expected}",
            kind="store",
            backend="journal",
        )
        self.agent_id, self.expected, self.found = agent_id, expected, found

    def __reduce__(self) -> tuple[object, ...]:
        return (Moved, (self.agent_id, self.expected, self.found))


def agent_named(agent_id: str) -> str:
    """The agent id itself, refused when it names nobody."""
    if not isinstance(agent_id, str) or not agent_id:
        raise ConfigError(f"agent_id {agent_id!r}; a text that is not empty is needed: no read or write spans agents")
    if not sound(agent_id):
        raise ConfigError(f"agent_id {agent_id!r} holds half a surrogate pair")
    return agent_id


def _checked(kind: str, agent_id: str, unit_id: str, rows: Sequence[Row], removed: Sequence[Row], dim: int) -> None:
    if kind not in get_args(UnitKind):
        raise ConfigError(f"unit kind {kind!r}; {nearest(kind, get_args(UnitKind))}")
    if not unit_id or not sound(unit_id):
        raise ConfigError(f"unit id {unit_id!r}; a text that is not empty and holds no half surrogate pair")
    for row in (*rows, *removed):
        if row.agent_id != agent_id:
            raise ConfigError(f"{table_of(row)}: a row of agent {row.agent_id!r} in a unit of agent {agent_id!r}")
        for name, form in fields(type(row)):
            value = getattr(row, name)
            if value is None:
                continue
            if form == "time" and value.tzinfo is None:
                raise ConfigError(f"{table_of(row)}.{name}: {value!r} has no timezone")
            if form == "vector" and (np.shape(value) != (dim,) or not np.isfinite(value).all()):
                raise ConfigError(
                    f"{table_of(row)}.{name}: a vector of shape {np.shape(value)}; this store takes finite ({dim},)"
                )


def _links_hold(view: AgentView, rows: Sequence[Row]) -> None:
    fresh = {row.id for row in rows if isinstance(row, Fact)}
    for row in rows:
        if isinstance(row, Link) and row.fact_id not in fresh and view.fact_position(row.fact_id) is None:
            raise ConfigError(
                f"a link of {row.entity_key!r} names fact {row.fact_id!r}, which agent {row.agent_id!r} lacks"
            )
