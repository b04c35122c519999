"""Blind extraction, the fall-back: who is named, then what is said and how they relate, side by side (W4).

It gets the date, the categories and the known context like informed extraction, and no profiles come of it. Who is
named and what is said must be answered; where only the relations fail, the facts are kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from arandu_lab.llm import tasks
from arandu_lab.pipeline import Lab, stage
from arandu_lab.records import Extraction, Grounded
from arandu_lab.units import Seconds, Share
from arandu_lab.write import answers


@stage
async def scan_entities(
    grounded: Grounded, lab: Lab, *, extraction_timeout_sec: Seconds, profile_language: str, timezone: str
) -> Extraction:
    """Ask who and what the message names, and how it sounds."""
    if not grounded.said.strip():
        return answers.unread(grounded)
    inputs = answers.prompt_inputs(grounded, timezone=timezone, profile_language=profile_language)
    scanned = await lab.llm.ask(tasks.entities(), inputs, timeout=extraction_timeout_sec)
    entities, doubled = answers.read_entities(scanned.value.entities)
    names = answers.canonical_names(entities)
    lab.log(entities=len(entities))
    return replace(
        answers.unread(grounded),
        skipped=(*grounded.skipped, *answers.refused(scanned.dropped), *doubled),
        entities=entities,
        relations=answers.hinted_relations(scanned.value.entities, names, grounded.turn.speaker),
        emotion=answers.read_emotion(scanned.value.emotion),
        mode="blind",
    )


@stage
async def state_facts(
    scanned: Extraction,
    lab: Lab,
    *,
    extraction_timeout_sec: Seconds,
    importance_values: Mapping[str, Share],
    confidence_values: Mapping[str, Share],
    profile_language: str,
    timezone: str,
) -> Extraction:
    """Ask what the message states about the entities."""
    if not scanned.said.strip():
        return scanned
    inputs = _inputs(scanned, timezone=timezone, profile_language=profile_language)
    stated = await lab.llm.ask(tasks.facts(), inputs, timeout=extraction_timeout_sec)
    facts, dropped = answers.read_facts(
        stated.value.facts,
        scanned,
        answers.canonical_names(scanned.entities),
        importance_values=importance_values,
        confidence_values=confidence_values,
        timezone=timezone,
    )
    lab.log(facts=len(facts))
    return replace(scanned, facts=facts, skipped=(*scanned.skipped, *answers.refused(stated.dropped), *dropped))


@stage
async def relate_entities(
    scanned: Extraction, lab: Lab, *, extraction_timeout_sec: Seconds, profile_language: str, timezone: str
) -> Extraction:
    """Ask how the entities are connected, and once more when there are two of them and no relation.

    In ``skipped`` is what this stage alone skipped.
    """
    if not scanned.said.strip():
        return scanned
    inputs = _inputs(scanned, timezone=timezone, profile_language=profile_language)
    related = await lab.llm.ask(tasks.relations(), inputs, timeout=extraction_timeout_sec)
    retry = not related.value.relations and len(scanned.entities) >= 2
    lab.log(relation_retry_triggered=retry)
    if retry:
        related = await lab.llm.ask(tasks.relations(), inputs, timeout=extraction_timeout_sec)
    names = answers.canonical_names(scanned.entities)
    relations, looped = answers.read_relations(related.value.relations, names, scanned.relations)
    lab.log(relations=len(relations))
    return replace(scanned, relations=relations, skipped=(*answers.refused(related.dropped), *looped))


@stage
def leave_unrelated(scanned: Extraction, lab: Lab) -> Extraction:
    """Go on without the relations of the message but those that names themselves tell."""
    return replace(scanned, skipped=())


@stage
def join_readings(readings: tuple[Extraction, ...], lab: Lab) -> Extraction:
    """The facts of the one reading and the relations of the other."""
    stated, related = readings
    if stated.mode == "none":
        return stated
    return replace(stated, relations=related.relations, skipped=(*stated.skipped, *related.skipped))


def _inputs(scanned: Extraction, *, timezone: str, profile_language: str) -> dict[str, Any]:
    inputs = answers.prompt_inputs(scanned, timezone=timezone, profile_language=profile_language)
    return inputs | {
        "entities": [{"name": e.name, "type": e.type, "aliases": list(e.aliases)} for e in scanned.entities]
    }
