"""Turns that are recorded and were never read, and how to finish them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arandu_lab.config import settings
from arandu_lab.memory.upkeep import repair
from arandu_lab.memory.writing import write_turn
from arandu_lab.presets import assembled
from arandu_lab.records import Event, Turn

if TYPE_CHECKING:
    from arandu_lab.memory.face import Memory

_ATTEMPTS = 8


def backlog(memory: Memory, agent_id: str) -> list[Event]:
    """Turns without a unit of work of their own, in order of time: a model failed, or the process ended in between."""
    with memory.store.still():
        view = memory.store.view(agent_id)
        events = [view.event_at(place) for place in range(len(view.events.ids))]
        return [event for event in events if not memory.store.has(agent_id, f"write:{event.id}")]


async def finish(memory: Memory, agent_id: str) -> int:
    """Embed rows without a vector, then read the turns of the backlog; the number of rows and turns that were mended."""
    from arandu_lab.store import Moved

    mended = 0
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            mended += await repair(memory, agent_id)
            break
        except Moved:
            if attempt == _ATTEMPTS:
                raise
    pipelines = (memory.write_pipeline, memory.read_pipeline)
    config, values = settings(memory.config, pipelines)
    for event in backlog(memory, agent_id):
        turn = Turn(
            agent_id=agent_id,
            text=event.text,
            speaker=event.speaker,
            occurred_at=event.occurred_at,
            event_id=event.id,
            session_id=event.session_id,
        )
        result = await write_turn(memory, turn, assembled(memory.write_pipeline, config), values, dry_run=False)
        mended += result.success
    return mended
