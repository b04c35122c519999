"""Summaries of entities, two or three sentences each, the important ones first (jobs document, sleep-time compute 2)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from arandu_lab.jobs.flow import Asked, Snapshot, Worked, ask_each, left, usable
from arandu_lab.jobs.refreshing import Picked, picked, waiting
from arandu_lab.llm import job_tasks
from arandu_lab.pipeline import Lab, Node, stage
from arandu_lab.records import Entity, Skipped
from arandu_lab.units import Count, Days, Seconds


def job() -> Node:
    """``refresh_entity_summaries``."""
    return pick_summaries() >> ask_summaries() >> keep_summaries()


@dataclass(frozen=True, slots=True, kw_only=True)
class Summed(Picked):
    """What a model said of each entity that is due, in their order."""

    answers: tuple[Asked, ...] = ()


@stage
def pick_summaries(
    snapshot: Snapshot, lab: Lab, *, summary_refresh_interval_days: Days, summary_batch: Count, profile_max_facts: Count
) -> Picked:
    """Entities without a summary, or with one that is ``summary_refresh_interval_days`` old and overtaken."""
    found = picked(
        snapshot,
        lab,
        written=_summary,
        urgent=lambda entity, _: (-entity.importance, entity.key),
        interval_days=summary_refresh_interval_days,
        batch=summary_batch,
        most_facts=profile_max_facts,
    )
    lab.log(due=len(found.due), waiting=found.waiting)
    return found


@stage
async def ask_summaries(due: Picked, lab: Lab, *, profile_language: str, job_timeout_sec: Seconds) -> Summed:
    """One question for each entity that is due."""
    inputs = [one.shown(profile_language) for one in due.due]
    answers = await ask_each(lab, job_tasks.summary(), inputs, timeout=job_timeout_sec)
    return Summed(agent_id=due.agent_id, due=due.due, over=due.over, waiting=due.waiting, answers=answers)


@stage
def keep_summaries(asked: Summed, lab: Lab) -> Worked:
    """Write down what was answered; what was not answered stays as it was. A summary of nothing that holds is taken away."""
    rows, skipped = summed(asked, lab)
    counts = (("summaries_refreshed", len(rows)), ("summaries_skipped", len(skipped)))
    gone = tuple(replace(entity, summary_text=None, summary_at=None) for entity in asked.over)
    idle = None if asked.due or gone else "every summary is up to date"
    return Worked(
        agent_id=asked.agent_id,
        rows=(*rows, *gone),
        skipped=(*skipped, *waiting(asked, "summaries")),
        counts=counts,
        idle=idle,
    )


def summed(asked: Summed, lab: Lab) -> tuple[tuple[Entity, ...], tuple[Skipped, ...]]:
    """The entities with their new summaries, and what was left."""
    rows, skipped = [], []
    for one, answer in zip(asked.due, asked.answers, strict=True):
        text, why = usable(None if answer.answer is None else answer.answer.summary)
        if not text:
            skipped.append(left(f"summary of {one.entity.name}", answer.why or why))
        else:
            rows.append(replace(one.entity, summary_text=text, summary_at=lab.now))
    return tuple(rows), tuple(skipped)


def _summary(entity: Entity) -> tuple[str | None, datetime | None]:
    return entity.summary_text, entity.summary_at
