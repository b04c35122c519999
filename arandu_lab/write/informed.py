"""Informed extraction: one question with what is known in view."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from arandu_lab.llm import tasks
from arandu_lab.pipeline import Lab, stage
from arandu_lab.records import Extraction, Grounded
from arandu_lab.units import Seconds, Share
from arandu_lab.write import answers


@stage
async def informed(
    grounded: Grounded,
    lab: Lab,
    *,
    extraction_timeout_sec: Seconds,
    importance_values: Mapping[str, Share],
    confidence_values: Mapping[str, Share],
    profile_language: str,
    timezone: str,
) -> Extraction:
    """Ask for entities, facts, relations, profiles and emotion in one answer (write document, stage 1).

    A message of which nothing is left to read (blank, or rendered memory only) is not asked about.
    """
    if not grounded.said.strip():
        return answers.unread(grounded)
    inputs = answers.prompt_inputs(grounded, timezone=timezone, profile_language=profile_language)
    answered = await lab.llm.ask(tasks.extract(), inputs, timeout=extraction_timeout_sec)
    answer = answered.value
    entities, doubled = answers.read_entities(answer.entities)
    names = answers.canonical_names(entities)
    facts, dropped = answers.read_facts(
        answer.facts,
        grounded,
        names,
        importance_values=importance_values,
        confidence_values=confidence_values,
        timezone=timezone,
    )
    hinted = answers.hinted_relations(answer.entities, names, grounded.turn.speaker)
    relations, looped = answers.read_relations(answer.relations, names, hinted)
    lab.log(entities=len(entities), facts=len(facts), relations=len(relations), relation_retry_triggered=False)
    return replace(
        answers.unread(grounded),
        skipped=(*grounded.skipped, *answers.refused(answered.dropped), *doubled, *dropped, *looped),
        entities=entities,
        facts=facts,
        relations=relations,
        profiles=tuple((answers.canonical(name, names), text) for name, text in answer.updated_profiles.items()),
        emotion=answers.read_emotion(answer.emotion),
        mode="informed",
    )
