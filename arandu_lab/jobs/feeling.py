"""How the turns of a window sound: one question for all that nobody has tagged (jobs document, consolidation L2)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from arandu_lab.jobs.contradicting import Clashing
from arandu_lab.jobs.flow import left
from arandu_lab.llm import job_tasks
from arandu_lab.pipeline import Lab, stage
from arandu_lab.records import Event
from arandu_lab.units import Positive, Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Felt(Clashing):
    """``tagged`` are turns that have been given an emotion."""

    tagged: tuple[Event, ...] = ()

    @property
    def sounding(self) -> tuple[Event, ...]:
        """The turns of the window as they sound now."""
        new = {event.id: event for event in self.tagged}
        return tuple(new.get(event.id, event) for event in self.events)


@stage
async def ask_feelings(found: Clashing, lab: Lab, *, job_timeout_sec: Seconds, most_chars: Positive = 600) -> Felt:
    """Ask for the emotion of every turn of the window that has none, in one batch; of a turn, ``most_chars`` are shown.

    A turn that the answer leaves out stays untagged, and is asked for again beside the next new ones.
    """
    asked = [event for event in found.events if event.emotion is None]
    if not asked:
        return Felt(**found.parts())
    shown = [{"i": i, "speaker": one.speaker, "text": one.text[:most_chars]} for i, one in enumerate(asked)]
    answer = await lab.llm.ask(job_tasks.emotions(), {"events": shown}, timeout=job_timeout_sec)
    skipped = [left("an emotion", why) for why in answer.dropped]
    tagged: dict[int, Event] = {}
    for item in answer.value.emotions:
        if not 0 <= item.i < len(asked):
            skipped.append(left(f"the emotion of event {item.i}", f"{len(asked)} events were shown"))
        elif not _LABEL.fullmatch(item.label):
            skipped.append(left(f"the emotion of event {item.i}", f"{item.label!r} is no word for one"))
        elif item.i not in tagged:
            tagged[item.i] = replace(
                asked[item.i], emotion=item.label, emotion_intensity=item.intensity, energy=item.energy
            )
    silent = len(asked) - len(tagged)
    if silent:
        skipped.append(left(f"{silent} event{'' if silent == 1 else 's'} without an emotion", "the model named none"))
    rows = tuple(tagged[i] for i in sorted(tagged))
    return Felt(**{**found.parts(), "skipped": (*found.skipped, *skipped)}, tagged=rows)


_LABEL = re.compile(r"[^\W\d_]+(?:[ -][^\W\d_]+)?")
