"""What a consolidation looks at: the turns and facts of the last days, and which of them nobody has looked at yet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import timedelta
from typing import Any

import numpy as np

from arandu_lab.jobs.flow import Snapshot, left, live_facts
from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure import ids
from arandu_lab.records import MARK, UNSTAMPED, Event, Fact, Observation, Skipped
from arandu_lab.store.times import micros
from arandu_lab.units import Count, Days, Positive

_JOB = "run_consolidation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Window(Snapshot):
    """Turns and facts since ``since``, oldest first. ``held`` are all facts that hold now and are not stale.

    ``fresh`` are the shown turns that no run has looked at, ``seen`` those of the window that one has. ``idle`` says why the
    model is not asked.
    """

    since: str
    events: tuple[Event, ...] = ()
    facts: tuple[Fact, ...] = ()
    held: tuple[Fact, ...] = ()
    fresh: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    idle: str | None = None
    skipped: tuple[Skipped, ...] = ()

    def parts(self) -> dict[str, Any]:
        """Every field by name, to make the next record from."""
        return {one.name: getattr(self, one.name) for one in fields(self)}


@stage
def open_window(
    snapshot: Snapshot,
    lab: Lab,
    *,
    consolidation_lookback_days: Days,
    consolidation_min_events: Count,
    most_events: Positive = 200,
    most_window_facts: Positive = 200,
) -> Window:
    """The last ``consolidation_lookback_days``: idle with fewer than ``consolidation_min_events`` turns that are new.

    At most ``most_events`` turns are shown, new ones before known ones and of the new ones the oldest; the others wait for
    the next run. Of the facts that were told or heard again in the window, the newest are shown.
    """
    memory = lab.memory
    since = lab.now - timedelta(days=consolidation_lookback_days)
    first, last = np.searchsorted(memory.events.occurred_at, [micros(since), micros(lab.now) + 1])
    turns = [memory.event_at(place) for place in range(int(first), int(last))]
    mark = marked(memory.observations())
    known = frozenset(mark.evidence_ids) if mark is not None else frozenset[str]()
    new = [turn for turn in turns if turn.id not in known]
    old = [turn for turn in turns if turn.id in known]
    held = live_facts(lab)
    skipped: tuple[Skipped, ...] = ()
    idle: str | None = None
    if len(new) < max(1, consolidation_min_events):
        idle = (
            f"{len(new) or 'no'} new event{'' if len(new) == 1 else 's'}; {max(1, consolidation_min_events)} are wanted"
        )
        chosen: list[Event] = []
    else:
        chosen = [*new[:most_events], *old[len(old) - max(0, most_events - len(new)) :]]
        if len(new) > most_events:
            skipped = (left(f"{len(new) - most_events} new events", f"{most_events} a run; they wait for the next"),)
    told = {turn.id for turn in turns}
    heard = [fact for fact in held if idle is None and _within(fact, told, since.timestamp(), lab.now.timestamp())]
    heard.sort(key=lambda fact: (-_heard(fact), fact.id))
    lab.log(events=len(turns), new_events=len(new), facts=len(heard))
    return Window(
        agent_id=snapshot.agent_id,
        since=since.date().isoformat(),
        events=tuple(sorted(chosen, key=lambda turn: (turn.occurred_at, turn.id))),
        facts=tuple(reversed(heard[:most_window_facts])),
        held=tuple(held),
        fresh=tuple(turn.id for turn in chosen if turn.id not in known),
        seen=tuple(turn.id for turn in old),
        idle=idle,
        skipped=skipped,
    )


def marked(observations: Iterable[Observation]) -> Observation | None:
    """The mark of the last run: its evidence are the turns that were looked at."""
    return next((one for one in observations if one.kind == MARK and one.text == _JOB), None)


def mark(window: Window, before: Observation | None) -> Observation:
    """The mark that a run leaves behind: of the turns of its window, those that it or a run before has looked at."""
    return Observation(
        id=ids.derive(MARK, _JOB, window.agent_id) if before is None else before.id,
        agent_id=window.agent_id,
        kind=MARK,
        text=_JOB,
        confidence=1.0,
        evidence_ids=(*window.seen, *window.fresh),
        recorded_at=UNSTAMPED if before is None else before.recorded_at,
        vector=None if before is None else before.vector,
    )


def _heard(fact: Fact) -> float:
    return (fact.last_confirmed_at or fact.valid_from).timestamp()


def _within(fact: Fact, turns: set[str], since: float, until: float) -> bool:
    return fact.source_event_id in turns or since < _heard(fact) <= until
