"""The profile consolidation: summaries of entities made anew, and over them one view of the whole memory (jobs document, L3)."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from arandu_lab.jobs.embedding import embed_concluded, leave_concluded
from arandu_lab.jobs.flow import Worked, about, details, digest, digest_of, left, usable
from arandu_lab.jobs.summaries import ask_summaries, keep_summaries, pick_summaries
from arandu_lab.llm import job_tasks
from arandu_lab.pipeline import Lab, Node, stage
from arandu_lab.pure import ids
from arandu_lab.records import UNSTAMPED, Entity, Observation
from arandu_lab.units import Positive, Seconds

KIND = "profile_overview"


def job() -> Node:
    """``run_profile_consolidation``."""
    return (
        pick_summaries(summary_refresh_interval_days=_AT_ONCE)
        >> ask_summaries()
        >> keep_summaries()
        >> ask_overview()
        >> keep_overview()
        >> embed_concluded().otherwise(leave_concluded())
    )


_AT_ONCE = 1e-6
"""Days: an overview is made of summaries that nothing has overtaken, however young they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overviewed(Worked):
    """``told`` are the entities that the overview is of, the most important first; ``made_from`` says what it was made from.

    ``overview`` is what the model said; None where it was not asked (``asked``) or had nothing to say.
    """

    told: tuple[Entity, ...] = ()
    made_from: str = ""
    asked: bool = False
    overview: str | None = None


@stage
async def ask_overview(
    worked: Worked, lab: Lab, *, profile_language: str, job_timeout_sec: Seconds, overview_entities: Positive = 12
) -> Overviewed:
    """Ask for the view over the ``overview_entities`` most important entities with a summary, as it is after this run.

    No call where the overview that stands was made from the same summaries.

    Raises:
        BackendError: no usable answer; then the whole job changes nothing.
    """
    new = {row.key: row for row in worked.rows if isinstance(row, Entity)}
    entities = [new.get(one.key, one) for one in lab.memory.entities()]
    told = sorted((one for one in entities if one.summary_text), key=lambda one: (-one.importance, one.key))
    told = told[:overview_entities]
    shown = [{"name": one.name, "type": one.type, "summary": one.summary_text} for one in told]
    made_from = digest(sorted((one.key, one.summary_text) for one in told), profile_language)
    parts: dict[str, Any] = {one.name: getattr(worked, one.name) for one in fields(worked)}
    parts |= {"told": tuple(told), "made_from": made_from}
    before = _standing(lab)
    if not told or (before is not None and digest_of(before) == made_from):
        return Overviewed(**parts)
    inputs = {"entities": shown, "language": profile_language}
    answer = await lab.llm.ask(job_tasks.overview(), inputs, timeout=job_timeout_sec)
    return Overviewed(**parts, asked=True, overview=answer.value.overview)


@stage
def keep_overview(found: Overviewed, lab: Lab, *, profile_max_facts: Positive) -> Worked:
    """Put the overview down as an observation, with the facts that hold about its entities as evidence.

    Where nothing was asked, or the model had nothing to say, it stays as it was; over no summaries at all it is withdrawn.
    """
    before = _standing(lab)
    rows: tuple[Observation, ...] = ()
    skipped, (text, why) = found.skipped, usable(found.overview)
    if not found.told:
        rows = () if before is None else (replace(before, invalidated_at=UNSTAMPED),)
    elif text:
        rows = (_row(found, text, lab, profile_max_facts),)
    elif found.asked:
        skipped = (*skipped, left("the overview", why))
    counts = (
        *found.counts,
        ("observations_created", sum(row.invalidated_at is None for row in rows) if before is None else 0),
        ("observations_reinforced", sum(row.invalidated_at is None for row in rows) if before is not None else 0),
    )
    idle = None
    if not rows and not found.asked and found.idle is not None:
        idle = "no entity has a summary yet" if not found.told else "summaries and overview are up to date"
    return Worked(agent_id=found.agent_id, rows=(*found.rows, *rows), skipped=skipped, counts=counts, idle=idle)


def _standing(lab: Lab) -> Observation | None:
    return next((one for one in lab.memory.observations() if one.kind == KIND and one.invalidated_at is None), None)


def _row(found: Overviewed, text: str, lab: Lab, most_facts: int) -> Observation:
    before = next((one for one in lab.memory.observations() if one.kind == KIND), None)
    evidence = dict.fromkeys(fact.id for entity in found.told for fact in about(lab, entity, most=most_facts))
    return Observation(
        id=ids.derive(KIND, found.agent_id) if before is None else before.id,
        agent_id=found.agent_id,
        kind=KIND,
        text=text,
        confidence=0.9,
        evidence_ids=tuple(evidence),
        recorded_at=UNSTAMPED,
        details=details(found.made_from),
    )
