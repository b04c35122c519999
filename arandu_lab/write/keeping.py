"""Keeping a turn as it was said: nothing is extracted, so nothing is decided."""

from __future__ import annotations

from dataclasses import replace

from arandu_lab.pipeline import Lab, stage
from arandu_lab.records import UNSTAMPED, Changes, Event, Grounded


@stage
def keep_turn(grounded: Grounded, lab: Lab) -> Changes:
    """Write down the event and its vector, and nothing else: a memory of turns alone."""
    turn = grounded.turn
    held = lab.memory.event(turn.event_id)
    event = held or Event(
        id=turn.event_id,
        agent_id=turn.agent_id,
        text=turn.text,
        speaker=turn.speaker,
        occurred_at=turn.occurred_at,
        recorded_at=UNSTAMPED,
        session_id=turn.session_id,
    )
    vector = event.vector if grounded.vector is None else grounded.vector
    return Changes(agent_id=turn.agent_id, rows=(replace(event, vector=vector),), skipped=grounded.skipped)
