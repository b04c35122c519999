"""Taking in a whole agent from elsewhere: its units become units of this store in one append, or none does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from arandu_lab.errors import ConfigError
from arandu_lab.store import projections, segments
from arandu_lab.store.commit import agent_named, drafted
from arandu_lab.store.journal import Unit
from arandu_lab.store.view import AgentView

if TYPE_CHECKING:
    from arandu_lab.store.store import Store


def replayed(agent_id: str, units: Sequence[Unit]) -> AgentView:
    """The view that these units leave."""
    view = AgentView.of(agent_id)
    for unit in units:
        view = view.advance(unit)
    return view


def take_in(store: Store, agent_id: str, units: Sequence[Unit]) -> int:
    """Append an agent's units, renumbered after this store's last one, and bring the tables up; how many there were.

    Rows keep their order of arrival, all times stay as they are.

    Raises:
        ConfigError: the agent has units here already, or a row cannot be stored.
        BackendError: the disk failed.
    """
    store._writable()
    for unit in units:
        drafted(unit.kind, agent_named(agent_id), unit.rows, (), unit.id, store.dim)
    with store._projecting, store._lock:
        if here := len(store._desk(agent_id).units):
            raise ConfigError(
                f"agent {agent_id!r} is in {store.path} already ({here} units of work); two memories are not mixed: "
                "take it into a store that does not know this agent"
            )
        store._project_locked()
        numbers = {unit.seq: store._desks.seq + place for place, unit in enumerate(units, start=1)}
        mine = [_numbered(unit, numbers) for unit in units]
        if not mine:
            return 0
        store._tables.append(segments.COLD, segments._rows(mine))
        store._tables.persist(segments.COLD)
        store._desks.seq = mine[-1].seq
        for start in range(0, len(mine), projections.GROUP):
            projections.apply(store._tables, mine[start : start + projections.GROUP], store.dim)
        store._desks.drop(agent_id)
    return len(mine)


def _numbered(unit: Unit, numbers: dict[int, int]) -> Unit:
    """The unit under its new number; a row's birth is the number of a unit and a place in it (20 bits)."""
    born = tuple((numbers[birth >> 20] << 20) | (birth & 0xFFFFF) for birth in unit.born)
    return replace(unit, seq=numbers[unit.seq], born=born)
