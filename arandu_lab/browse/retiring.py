"""Taking a fact out of what holds now, by hand: closed at this moment, on record, and undone like any edit."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from arandu_lab.errors import ConfigError
from arandu_lab.pure import ids, versions
from arandu_lab.pure.standing import doubted

if TYPE_CHECKING:
    from arandu_lab.memory import Memory
    from arandu_lab.records import Row


def retire(memory: Memory, agent_id: str, fact_id: str, *, by: str) -> str:
    """Close a fact now; the id of the unit, which ``Memory.undo`` takes.

    Edges that rested on it alone fall, and what was concluded from it is marked for review, as when it is corrected.

    Raises:
        ConfigError: no such open fact.
    """
    with memory.store.still():
        view, moment = memory.store.view(agent_id), memory.clock()
        old = view.fact(fact_id)
        if old is None or not versions.is_open(old, moment):
            raise ConfigError(f"agent {agent_id!r} has no open fact {fact_id!r} to retire")
        gone = replace(versions.closed(old, moment, "delete"), invalidated_at=moment)
        fallen, mirrors = versions.cascade(
            [gone.id], view.edges(), lambda one: gone if one == gone.id else view.fact(one), moment
        )
        edges = [replace(edge, invalidated_at=moment) for edge in fallen]
        mirrored = [replace(mirror, invalidated_at=moment) for _, mirror in mirrors]
        doubts = doubted([gone, *mirrored], view.fact, view.resting_on, moment)
        rows: list[Row] = [gone, *edges, *mirrored, *doubts]
        unit = f"retire:{ids.derive('retire', agent_id, fact_id, view.sequence)}"
        note = json.dumps({"op": "retire", "by": by})
        memory.store.append("edit", agent_id, rows, unit_id=unit, recorded_at=moment, expects=view.sequence, note=note)
    return unit
