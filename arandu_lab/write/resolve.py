"""Entity resolution: exact names, likeness, one batched question, and a key for every name (write document, stage 2)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np

from arandu_lab.llm import tasks
from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure import names
from arandu_lab.pure.text import normal, slug
from arandu_lab.records import Entity, Extraction, Resolution, Resolved
from arandu_lab.units import Cosine, Positive, Seconds
from arandu_lab.write.ground import speaker_key


@stage
def match_names(extraction: Extraction, lab: Lab, *, relationship_terms: Literal["speaker", "role"]) -> Resolution:
    """Resolve what needs no likeness: the speaker, relationship words, known names and aliases, prefixes of persons.

    Names of one message resolve among themselves first (W16): "Clara" beside a new "Clara Rezende" is she.
    """
    known, speaker = _known(lab), extraction.turn.speaker
    home = _speaker_home(lab, speaker)
    mentions = _mentions(extraction)
    resolved = []
    for name, (kind, aliases) in mentions.items():
        found = names.match(
            name, kind, speaker_key=home, speaker=speaker, known=known, relationship_terms=relationship_terms
        )
        for alias in aliases:
            if found.how != "pending":
                break
            other = names.match(
                alias, kind, speaker_key=home, speaker=speaker, known=known, relationship_terms=relationship_terms
            )
            if other.how in ("exact", "prefix"):
                found = replace(found, key=other.key, type=other.type, how=other.how, candidates=())
        resolved.append(replace(found, name=name, aliases=aliases))
    return _resolution(extraction, _within_batch(resolved))


@stage
async def embed_names(resolution: Resolution, lab: Lab) -> Resolution:
    """Embed the names that are still pending."""
    pending = [r for r in resolution.resolved if r.how == "pending"]
    vectors = dict(
        zip((r.name for r in pending), await lab.embed([r.name for r in pending]) if pending else (), strict=True)
    )
    return replace(
        resolution,
        resolved=tuple(replace(r, vector=vectors[r.name]) if r.name in vectors else r for r in resolution.resolved),
    )


@stage
def leave_names(resolution: Resolution, lab: Lab) -> Resolution:
    """Go on without vectors: string likeness stands in for cosines."""
    return resolution


@stage
def compare_names(
    resolution: Resolution, lab: Lab, *, fuzzy_threshold: Cosine, fuzzy_floor: Cosine, fuzzy_candidates: Positive
) -> Resolution:
    """Compare pending names with known entities of the same type: resolve, keep candidates, or call them new."""
    entities = lab.memory.entities()

    def scored(pending: Resolved) -> list[tuple[str, float]]:
        out = []
        for entity in entities:
            if names.same_type(pending.type, entity.type) and not names.vetoed(
                normal(pending.name), normal(entity.name)
            ):
                out.append((entity.key, _nearness(pending, entity, lab)))
        return out

    resolved = tuple(
        names.bands(
            r,
            [] if r.candidates else scored(r),
            fuzzy_threshold=fuzzy_threshold,
            fuzzy_floor=fuzzy_floor,
            fuzzy_candidates=fuzzy_candidates,
        )
        if r.how == "pending"
        else r
        for r in resolution.resolved
    )
    return replace(resolution, resolved=resolved)


@stage
async def ask_names(resolution: Resolution, lab: Lab, *, extraction_timeout_sec: Seconds) -> Resolution:
    """Put all ambiguous names to the model in one question, candidates by index with what is known of them."""
    pending = [position for position, r in enumerate(resolution.resolved) if r.how == "pending"]
    if not pending:
        return resolution
    inputs = {
        "message": resolution.said,
        "speaker": resolution.turn.speaker,
        "mentions": [
            {
                "i": number,
                "name": resolution.resolved[position].name,
                "type": resolution.resolved[position].type,
                "candidates": [_shown(lab, i, key) for i, key in enumerate(resolution.resolved[position].candidates)],
            }
            for number, position in enumerate(pending)
        ],
    }
    answered = await lab.llm.ask(tasks.resolve(), inputs, timeout=extraction_timeout_sec)
    choices = {choice.i: choice.candidate for choice in answered.value.choices}
    resolved = list(resolution.resolved)
    for number, position in enumerate(pending):
        resolved[position] = names.settle(resolved[position], choices.get(number))
    lab.log(asked=[r.name for r in (resolution.resolved[p] for p in pending)])
    return replace(resolution, resolved=tuple(resolved))


@stage
def leave_undecided(resolution: Resolution, lab: Lab) -> Resolution:
    """Nobody was asked: likely names become new entities, names that several bear stay ambiguous."""
    return replace(
        resolution,
        resolved=tuple(names.settle(r, None) if r.how == "pending" else r for r in resolution.resolved),
    )


@stage
def assign_keys(resolution: Resolution, lab: Lab) -> Resolution:
    """Give every name a key: new entities get theirs, ambiguous ones share ``ambiguous:<name>``."""
    taken: dict[str, object] = {entity.key: entity for entity in lab.memory.entities()}
    here: dict[tuple[str, str], str] = {}
    resolved = []
    for r in resolution.resolved:
        key = r.key
        if r.how == "ambiguous":
            key = f"ambiguous:{slug(r.name)}"
        elif r.how in ("new", "pending"):
            same = (normal(r.name) or r.name, r.type)
            if same not in here:
                here[same] = names.new_key(r.type, r.name, taken)
                taken[here[same]] = r
            key, r = here[same], replace(r, how="new")
        resolved.append(replace(r, key=key))
    by_name = {normal(r.name): r.key for r in resolved}
    settled = tuple(
        replace(r, key=by_name.get(r.candidates[0])) if r.how == "batch" and r.candidates else r for r in resolved
    )
    lab.log(resolved={r.name: f"{r.key} ({r.how})" for r in settled})
    return replace(resolution, resolved=settled)


def _known(lab: Lab) -> names.Known:
    return names.Known(lab.memory.aliases(), {entity.key: entity for entity in lab.memory.entities()})


def _speaker_home(lab: Lab, speaker: str) -> str:
    held = [key for key in lab.memory.aliases().get(normal(speaker), ()) if key.startswith("person:")]
    return held[0] if len(held) == 1 else speaker_key(speaker)


def _mentions(extraction: Extraction) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Every name of the extraction, in order: name -> (type, aliases). The speaker is always one."""
    out: dict[str, tuple[str, tuple[str, ...]]] = {}
    seen: set[str] = set()

    def add(name: str, kind: str, aliases: tuple[str, ...] = ()) -> None:
        folded = normal(name) or name
        if folded not in seen:
            seen.add(folded)
            out[name] = (kind, aliases)

    for entity in extraction.entities:
        add(entity.name, entity.type, entity.aliases)
    add(extraction.turn.speaker, "person")
    for fact in extraction.facts:
        add(fact.subject, "concept")
    for relation in extraction.relations:
        add(relation.source, "concept")
        add(relation.target, "concept")
    return out


def _within_batch(resolved: list[Resolved]) -> tuple[Resolved, ...]:
    """A pending person whose name begins exactly one other person's name of the message is that person."""
    out = []
    for r in resolved:
        bare = normal(r.name)
        longer = [
            other
            for other in resolved
            if other is not r
            and other.type == "person"
            and normal(other.name).startswith(bare + " ")
            and not names.vetoed(bare, normal(other.name))
        ]
        if r.how == "pending" and not r.candidates and names.same_type(r.type, "person") and len(longer) == 1:
            r = replace(r, how="batch", type="person", key=longer[0].key, candidates=(normal(longer[0].name),))
        out.append(r)
    return tuple(out)


def _resolution(extraction: Extraction, resolved: tuple[Resolved, ...]) -> Resolution:
    return Resolution(
        **{name: getattr(extraction, name) for name in Extraction.__dataclass_fields__}, resolved=resolved
    )


def _nearness(pending: Resolved, entity: Entity, lab: Lab) -> float:
    if pending.vector is None or entity.vector is None:
        return names.likeness(normal(pending.name), normal(entity.name))
    return float(lab.embed.scale(float(np.dot(pending.vector, entity.vector))))


def _shown(lab: Lab, index: int, key: str) -> dict[str, Any]:
    entity = lab.memory.entity(key)
    live = lab.memory.facts.live(as_of=lab.now)
    positions = [int(p) for p in lab.memory.linked(key) if live[p]][-4:]
    context = [lab.memory.fact_at(position).text for position in positions]
    if entity is not None and entity.profile_text:
        context.insert(0, entity.profile_text)
    return {
        "i": index,
        "name": entity.name if entity else key,
        "type": entity.type if entity else "",
        "context": context,
    }
