"""Blind extraction, the fall-back: who is named, then what is said and how they relate, side by side."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from arandu_lab.llm import tasks
from arandu_lab.pipeline import Lab, stage
from arandu_lab.records import Extraction, Grounded, Skipped
from arandu_lab.units import Seconds, Share
from arandu_lab.write import answers


@stage
async def blind(
    grounded: Grounded,
    lab: Lab,
    *,
    extraction_timeout_sec: Seconds,
    importance_values: Mapping[str, Share],
    confidence_values: Mapping[str, Share],
    profile_language: str,
    timezone: str,
) -> Extraction:
    """Three questions, the last two concurrent; relations are asked once more when two entities have none (W4).

    It gets the date, the categories and the known context like informed extraction, and no profiles come of it.
    """
    if not grounded.said.strip():
        return Extraction(
            turn=grounded.turn, said="", vector=grounded.vector, known=grounded.known, skipped=grounded.skipped
        )
    inputs = answers.prompt_inputs(grounded, timezone=timezone, profile_language=profile_language)
    scanned = await lab.llm.ask(tasks.entities(), inputs, timeout=extraction_timeout_sec)
    entities = answers.read_entities(scanned.value.entities)
    inputs["entities"] = [{"name": e.name, "type": e.type, "aliases": list(e.aliases)} for e in entities]
    stated, related = await asyncio.gather(
        lab.llm.ask(tasks.facts(), inputs, timeout=extraction_timeout_sec),
        lab.llm.ask(tasks.relations(), inputs, timeout=extraction_timeout_sec),
    )
    retry = not related.value.relations and len(entities) >= 2
    if retry:
        related = await lab.llm.ask(tasks.relations(), inputs, timeout=extraction_timeout_sec, repeat=1)
    names = answers.canonical_names(entities)
    facts, dropped = answers.read_facts(
        stated.value.facts,
        grounded,
        names,
        importance_values=importance_values,
        confidence_values=confidence_values,
        timezone=timezone,
    )
    relations, looped = answers.read_relations(related.value.relations, names)
    refused = (*scanned.dropped, *stated.dropped, *related.dropped)
    lab.log(entities=len(entities), facts=len(facts), relations=len(relations), relation_retry_triggered=retry)
    return Extraction(
        turn=grounded.turn,
        said=grounded.said,
        vector=grounded.vector,
        known=grounded.known,
        skipped=(
            *grounded.skipped,
            *(Skipped(what="item of the answer", why=why) for why in refused),
            *dropped,
            *looped,
        ),
        entities=entities,
        facts=facts,
        relations=relations,
        emotion=answers.read_emotion(scanned.value.emotion),
        mode="blind",
    )
