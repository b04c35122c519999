"""Blind extraction, the fall-back: who is named, then what is said and how they relate, side by side (W4).

It gets the date, the categories and the known context like informed extraction, and no profiles come of it. Who is
named and what is said must be answered; where only the relations fail, the facts are kept. A long message is asked about
in the same parts as by informed extraction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from arandu_lab.llm import tasks
from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure.chunks import Chars, Chunk
from arandu_lab.pure.text import ident, normal
from arandu_lab.records import Extraction, Grounded, NewEntity
from arandu_lab.units import Count, Positive, Seconds, Share
from arandu_lab.write import answers
from arandu_lab.write.parts import ask_each, parts
from arandu_lab.write.roles import attributed


@stage
async def scan_entities(
    grounded: Grounded,
    lab: Lab,
    *,
    extraction_timeout_sec: Seconds,
    chunk_max_chars: Chars,
    chunk_context_chars: Count,
    chunk_concurrency: Positive,
    profile_language: str,
    timezone: str,
) -> Extraction:
    """Ask who and what the message names, and how it sounds."""
    if not grounded.said.strip():
        return answers.unread(grounded)
    pieces = parts(grounded, chunk_max_chars=chunk_max_chars, chunk_context_chars=chunk_context_chars)
    read = await ask_each(
        lab,
        tasks.entities(),
        pieces,
        lambda number: answers.prompt_inputs(
            grounded, timezone=timezone, profile_language=profile_language, part=pieces[number]
        ),
        timeout=extraction_timeout_sec,
        at_once=chunk_concurrency,
        unread="was not searched for names",
    )
    named = answers.named_by(grounded.turn.speaker, ((chunk, one.value.entities) for chunk, one in read.answered))
    entities, doubled = answers.read_entities(item for item, _ in named)
    lab.log(entities=len(entities))
    refused = answers.refused(why for _, answered in read.answered for why in answered.dropped)
    return replace(
        answers.unread(grounded),
        skipped=(*grounded.skipped, *read.skipped, *refused, *doubled),
        entities=entities,
        relations=answers.hinted_relations(named, answers.canonical_names(entities)),
        emotion=answers.read_emotion(answered.value.emotion for _, answered in read.answered),
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
    chunk_max_chars: Chars,
    chunk_context_chars: Count,
    chunk_concurrency: Positive,
    profile_language: str,
    timezone: str,
) -> Extraction:
    """Ask what the message states about the entities."""
    if not scanned.said.strip():
        return scanned
    pieces = parts(scanned, chunk_max_chars=chunk_max_chars, chunk_context_chars=chunk_context_chars)
    prompts = _prompts(scanned, pieces, timezone=timezone, profile_language=profile_language)
    read = await ask_each(
        lab,
        tasks.facts(),
        pieces,
        prompts.__getitem__,
        timeout=extraction_timeout_sec,
        at_once=chunk_concurrency,
        unread="was not searched for facts",
    )
    facts, dropped = answers.read_facts(
        [item for _, answered in read.answered for item in answered.value.facts],
        scanned,
        answers.canonical_names(scanned.entities),
        importance_values=importance_values,
        confidence_values=confidence_values,
        timezone=timezone,
    )
    lab.log(facts=len(facts))
    refused = answers.refused(why for _, answered in read.answered for why in answered.dropped)
    return replace(scanned, facts=facts, skipped=(*scanned.skipped, *read.skipped, *refused, *dropped))


@stage
async def relate_entities(
    scanned: Extraction,
    lab: Lab,
    *,
    extraction_timeout_sec: Seconds,
    chunk_max_chars: Chars,
    chunk_context_chars: Count,
    chunk_concurrency: Positive,
    profile_language: str,
    timezone: str,
) -> Extraction:
    """Ask how the entities are connected, and once more of each part that has two of them and no relation.

    In ``skipped`` is what this stage alone skipped.
    """
    if not scanned.said.strip():
        return scanned
    pieces = parts(scanned, chunk_max_chars=chunk_max_chars, chunk_context_chars=chunk_context_chars)
    prompts = _prompts(scanned, pieces, timezone=timezone, profile_language=profile_language)
    places = {piece.start: number for number, piece in enumerate(pieces)}
    read = await ask_each(
        lab,
        tasks.relations(),
        pieces,
        prompts.__getitem__,
        timeout=extraction_timeout_sec,
        at_once=chunk_concurrency,
        unread="was not searched for relations",
    )
    bare = [
        chunk
        for chunk, answered in read.answered
        if not answered.value.relations and len(prompts[places[chunk.start]]["entities"]) >= 2
    ]
    lab.log(relation_retry_triggered=bool(bare))
    found = {chunk.start: answered for chunk, answered in read.answered}
    skipped = read.skipped
    if bare:
        again = await ask_each(
            lab,
            tasks.relations(),
            bare,
            lambda number: prompts[places[bare[number].start]],
            timeout=extraction_timeout_sec,
            at_once=chunk_concurrency,
            unread="was not searched again for relations",
            repeat=1,
        )
        found |= {chunk.start: answered for chunk, answered in again.answered}
        skipped = (*skipped, *again.skipped)
    names = answers.canonical_names(scanned.entities)
    told = [found[start] for start in sorted(found)]
    relations, looped = answers.read_relations(
        (item for answered in told for item in answered.value.relations), names, scanned.relations
    )
    lab.log(relations=len(relations))
    refused = answers.refused(why for answered in told for why in answered.dropped)
    return replace(scanned, relations=relations, skipped=(*skipped, *refused, *looped))


@stage
def leave_unrelated(scanned: Extraction, lab: Lab) -> Extraction:
    """Go on without the relations of the message but those that names themselves tell."""
    return replace(scanned, skipped=())


@stage
def join_readings(readings: tuple[Extraction, ...], lab: Lab, *, confidence_values: Mapping[str, Share]) -> Extraction:
    """The facts of the one reading and the relations of the other; of an assistant's turn, marked as such."""
    stated, related = readings
    if stated.mode == "none":
        return stated
    joined = replace(stated, relations=related.relations, skipped=(*stated.skipped, *related.skipped))
    return attributed(joined, confidence_values)


def _prompts(
    scanned: Extraction, pieces: Sequence[Chunk], *, timezone: str, profile_language: str
) -> list[dict[str, Any]]:
    """The inputs of each part; of a message in several parts, the entities that it or what came before it names."""
    out = []
    for piece in pieces:
        inputs = answers.prompt_inputs(scanned, timezone=timezone, profile_language=profile_language, part=piece)
        said = f" {normal(piece.before)} {normal(piece.text)} "
        here = [
            {"name": e.name, "type": e.type, "aliases": list(e.aliases)}
            for e in scanned.entities
            if len(pieces) == 1 or _named(e, said, scanned.turn.speaker)
        ]
        out.append(inputs | {"entities": here})
    return out


def _named(entity: NewEntity, said: str, speaker: str) -> bool:
    if ident(entity.name) == ident(speaker):
        return True
    return any(not normal(name) or f" {normal(name)} " in said for name in (entity.name, *entity.aliases))
