"""What an agent's journal holds, read whole: for undoing, forgetting and carrying away. Nothing here writes."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from arandu_lab.records import Row
from arandu_lab.store import segments, sql
from arandu_lab.store.commit import agent_named
from arandu_lab.store.journal import Unit, UnitKind, pack, without_vector
from arandu_lab.store.times import EPOCH
from arandu_lab.store.view import AgentView

if TYPE_CHECKING:
    from arandu_lab.store.store import Store


def units(store: Store, agent_id: str, kind: UnitKind | None = None) -> list[Unit]:
    """The agent's units of work (of one kind, or all) in order of ``seq``."""
    kinds = "" if kind is None else sql.of_kind(kind)
    with store.still():
        mine = sql.both(sql.of_agent(agent_named(agent_id)), sql.up_to(store.view(agent_id).sequence))
        return list(segments.read(store._tables, store.dim, sql.both(mine, kinds)))


def digest(view: AgentView, *, vectors: bool = True) -> str:
    """32 hex digits over every row of a view, all fields and the order of arrival; ``vectors`` False leaves them out.

    Two memories with the same digest answer every question alike.
    """
    rows = tuple(view.rows() if vectors else map(bare, view.rows()))
    whole = Unit(
        id="", seq=0, kind="job", agent_id=view.agent_id, recorded_at=EPOCH, rows=rows, born=tuple(range(len(rows)))
    )
    return hashlib.blake2b(pack(whole), digest_size=16).hexdigest()


def bare(row: Row) -> Row:
    """The row without its vector."""
    return without_vector(row)
