"""Informed extraction: one question with what is known in view."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from arandu_lab.llm import tasks
from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure.chunks import Chars
from arandu_lab.records import Extraction, Grounded
from arandu_lab.units import Count, Positive, Seconds, Share
from arandu_lab.write import answers
from arandu_lab.write.parts import ask_each, parts
from arandu_lab.write.roles import attributed


@stage
async def informed(
    grounded: Grounded,
    lab: Lab,
    *,
    extraction_timeout_sec: Seconds,
    importance_values: Mapping[str, Share],
    confidence_values: Mapping[str, Share],
    chunk_max_chars: Chars,
    chunk_context_chars: Count,
    chunk_concurrency: Positive,
    profile_language: str,
    timezone: str,
) -> Extraction:
    """Ask for entities, facts, relations, profiles and emotion in one answer (write document, stage 1).

    A message of which nothing is left to read (blank, or rendered memory only) is not asked about. One that is longer
    than ``chunk_max_chars`` is asked about in parts, ``chunk_concurrency`` at a time, and the answers are joined; a part
    that failed is in ``skipped`` (C12).
    """
    if not grounded.said.strip():
        return answers.unread(grounded)
    pieces = parts(grounded, chunk_max_chars=chunk_max_chars, chunk_context_chars=chunk_context_chars)
    read = await ask_each(
        lab,
        tasks.extract(),
        pieces,
        lambda number: answers.prompt_inputs(
            grounded, timezone=timezone, profile_language=profile_language, part=pieces[number]
        ),
        timeout=extraction_timeout_sec,
        at_once=chunk_concurrency,
    )
    said = [answered.value for _, answered in read.answered]
    named = answers.named_by(grounded.turn.speaker, ((chunk, one.value.entities) for chunk, one in read.answered))
    entities, doubled = answers.read_entities(item for item, _ in named)
    names = answers.canonical_names(entities)
    facts, dropped = answers.read_facts(
        [item for answer in said for item in answer.facts],
        grounded,
        names,
        importance_values=importance_values,
        confidence_values=confidence_values,
        timezone=timezone,
    )
    hinted = answers.hinted_relations(named, names)
    relations, looped = answers.read_relations((item for answer in said for item in answer.relations), names, hinted)
    lab.log(entities=len(entities), facts=len(facts), relations=len(relations), relation_retry_triggered=False)
    refused = answers.refused(why for _, answered in read.answered for why in answered.dropped)
    extraction = replace(
        answers.unread(grounded),
        skipped=(*grounded.skipped, *read.skipped, *refused, *doubled, *dropped, *looped),
        entities=entities,
        facts=facts,
        relations=relations,
        profiles=answers.read_profiles((answer.updated_profiles for answer in said), names),
        emotion=answers.read_emotion(answer.emotion for answer in said),
        mode="informed",
    )
    return attributed(extraction, confidence_values)
