"""Profiles of entities from all their facts: the authority over what a write only seeds (jobs document, sleep-time 3; W19)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from arandu_lab.jobs.flow import Asked, Snapshot, Worked, ask_each, left, usable
from arandu_lab.jobs.refreshing import Due, Picked, picked, waiting
from arandu_lab.llm import job_tasks
from arandu_lab.pipeline import Lab, Node, stage
from arandu_lab.records import Entity
from arandu_lab.units import Count, Days, Seconds


def job() -> Node:
    """``consolidate_entity_profiles``."""
    return pick_profiles() >> ask_profiles() >> keep_profiles()


@dataclass(frozen=True, slots=True, kw_only=True)
class Profiled(Picked):
    """What a model said of each entity that is due, in their order."""

    answers: tuple[Asked, ...] = ()


@stage
def pick_profiles(
    snapshot: Snapshot, lab: Lab, *, summary_refresh_interval_days: Days, profile_batch: Count, profile_max_facts: Count
) -> Picked:
    """Entities without a profile, or with one that is old and overtaken; those with most facts first."""
    found = picked(
        snapshot,
        lab,
        written=_profile,
        urgent=lambda entity, facts: (-facts, entity.key),
        interval_days=summary_refresh_interval_days,
        batch=profile_batch,
        most_facts=profile_max_facts,
    )
    lab.log(due=len(found.due), waiting=found.waiting)
    return found


@stage
async def ask_profiles(due: Picked, lab: Lab, *, profile_language: str, job_timeout_sec: Seconds) -> Profiled:
    """One question for each entity that is due; the profile it has is shown beside its facts."""
    inputs = [_inputs(one, profile_language) for one in due.due]
    answers = await ask_each(lab, job_tasks.profile(), inputs, timeout=job_timeout_sec)
    return Profiled(agent_id=due.agent_id, due=due.due, over=due.over, waiting=due.waiting, answers=answers)


@stage
def keep_profiles(asked: Profiled, lab: Lab) -> Worked:
    """Write down what was answered; what was not answered stays as it was. A profile of nothing that holds is taken away."""
    rows, skipped = [], []
    for one, answer in zip(asked.due, asked.answers, strict=True):
        text, why = usable(None if answer.answer is None else answer.answer.profile)
        if not text:
            skipped.append(left(f"profile of {one.entity.name}", answer.why or why))
        else:
            rows.append(replace(one.entity, profile_text=text, profile_at=lab.now))
    counts = (("profiles_consolidated", len(rows)), ("profiles_skipped", len(skipped)))
    gone = tuple(replace(entity, profile_text=None, profile_at=None) for entity in asked.over)
    idle = None if asked.due or gone else "every profile is up to date"
    return Worked(
        agent_id=asked.agent_id,
        rows=(*rows, *gone),
        skipped=(*skipped, *waiting(asked, "profiles")),
        counts=counts,
        idle=idle,
    )


def _inputs(due: Due, language: str) -> dict[str, object]:
    shown = due.shown(language)
    return {**shown, "profile": due.entity.profile_text} if due.entity.profile_text else shown


def _profile(entity: Entity) -> tuple[str | None, datetime | None]:
    return entity.profile_text, entity.profile_at
