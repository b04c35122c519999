"""What the memory knows about a turn before any model is asked: names in it, and profiles or facts behind them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure.assistants import own_name
from arandu_lab.pure.liveness import sign_of_life
from arandu_lab.pure.names import same_type
from arandu_lab.pure.preamble import without_preamble
from arandu_lab.pure.text import ident, names_in, slug
from arandu_lab.records import Entity, Fact, Grounded, KnownEntity, Skipped, Turn
from arandu_lab.units import Count, Tokens

_HEADINGS = r"(?:Known facts|Observed patterns|Relevant conversations)"
_FENCED = re.compile(
    rf"^[>\t #*_]*+{_HEADINGS}:[*_\t ]*+(?=\n|\Z|[-•])[^\n]*(?:(?:\n[>\t ]*+)++[-*•][^\n]*)*",
    re.MULTILINE | re.IGNORECASE,
)


@stage
async def embed_turn(turn: Turn, lab: Lab) -> Grounded:
    """Embed the message; rendered memory (W21) and signs of life (D4) are set aside and yield no facts."""
    said, skipped = heard(turn.text)
    vector = (await lab.embed([turn.text]))[0]
    return Grounded(turn=turn, said=said, vector=vector, skipped=skipped)


@stage
def leave_turn(turn: Turn, lab: Lab) -> Grounded:
    """Go on without a vector: the turn is embedded later."""
    said, skipped = heard(turn.text)
    return Grounded(turn=turn, said=said, skipped=skipped)


@stage
def recall_known(
    grounded: Grounded,
    lab: Lab,
    *,
    informed_extraction_topk: Count,
    informed_extraction_context_budget_tokens: Tokens,
    entity_min_chars: Count,
) -> Grounded:
    """Find known entities by name (word boundaries, accents folded) and load a profile, or the nearest facts.

    The speaker is always among them, and first. Each entity gets its profile or its nearest fact, the shortest first so
    that most get one; then facts take turns (of an entity with a profile those that are newer than it) until the budget
    (estimated at four characters a token, as the prompt writes them) is spent. An entity whose very name no longer fits
    is left out.
    """
    aliases = lab.memory.aliases()
    named = [key for keys in names_in(grounded.said, aliases, min_chars=entity_min_chars) for key in keys]
    speaker = [
        key for key in aliases.get(ident(own_name(grounded.turn.speaker)), ()) if same_type("person", key.split(":")[0])
    ]
    room = float(informed_extraction_context_budget_tokens)
    entities: list[Entity] = []
    for key in dict.fromkeys([*speaker, *named]):
        entity = lab.memory.entity(key)
        if entity is not None and (cost := _tokens(name=entity.name, type=entity.type, facts=[])) <= room:
            entities.append(entity)
            room -= cost
    queues = {entity.key: _nearest(lab, entity, grounded, informed_extraction_topk) for entity in entities}
    opening = []
    for place, entity in enumerate(entities):
        if entity.profile_text:
            opening.append((_tokens(profile=entity.profile_text), place))
        elif queues[entity.key]:
            opening.append((_fact_tokens(queues[entity.key][0]), place))
    profiles: dict[str, str] = {}
    chosen: dict[str, list[Fact]] = {key: [] for key in queues}
    shown: set[str] = set()

    def show(key: str, fact: Fact) -> None:
        nonlocal room
        if fact.id not in shown and (cost := _fact_tokens(fact)) <= room:
            chosen[key].append(fact)
            shown.add(fact.id)
            room -= cost

    for cost, place in sorted(opening):
        entity = entities[place]
        if not entity.profile_text:
            show(entity.key, queues[entity.key][0])
        elif cost <= room:
            profiles[entity.key] = entity.profile_text
            room -= cost
    for turn_no in range(informed_extraction_topk):
        for key, queue in queues.items():
            if turn_no < len(queue):
                show(key, queue[turn_no])
    known = tuple(
        KnownEntity(key=e.key, name=e.name, type=e.type, profile=profiles.get(e.key), facts=tuple(chosen[e.key]))
        for e in entities
    )
    lab.log(
        known=[entity.key for entity in known], context_tokens=int(informed_extraction_context_budget_tokens - room)
    )
    return replace(grounded, known=known)


def heard(text: str) -> tuple[str, tuple[Skipped, ...]]:
    """What of a message may state something, and what was set aside: all of a sign of life, else what :func:`fence` takes.

    >>> heard("heartbeat 12:00")
    ('', (Skipped(what='heartbeat 12:00', why='a sign of life states nothing'),))
    """
    if sign_of_life(text):
        return "", (Skipped(what=text[:200], why="a sign of life states nothing"),)
    return fence(text)


def fence(text: str) -> tuple[str, tuple[Skipped, ...]]:
    """The text without passages in the format of our own context or of a workspace's preamble, and what was set aside.

    >>> fence("Oi!\\nKnown facts:\\n- Ana mora em Recife\\nMudei de emprego.")[0]
    'Oi!\\n\\nMudei de emprego.'
    """
    rest, passages = without_preamble(text)
    passages += tuple(found.group(0) for found in _FENCED.finditer(rest))
    if not passages:
        return text, ()
    rest = _FENCED.sub("", rest)
    skipped = tuple(Skipped(what=one[:200], why="rendered memory is not a statement") for one in passages)
    return (rest if rest.strip("> \t\n") else ""), skipped


def speaker_key(speaker: str) -> str:
    """The key of a speaker's entity."""
    return f"person:{slug(own_name(speaker))}"


def _nearest(lab: Lab, entity: Entity, grounded: Grounded, k: int) -> list[Fact]:
    """The open facts nearest to the message; of an entity with a profile only what was heard after it was written."""
    live = lab.memory.facts.live(as_of=lab.now)
    positions = [int(p) for p in lab.memory.linked(entity.key) if live[p]]
    if entity.profile_text and entity.profile_at is not None:
        heard = lab.memory.facts.last_confirmed
        written = micros(entity.profile_at)
        positions = [p for p in positions if heard[p] > written]
    matrix = lab.memory.facts.matrix
    if grounded.vector is not None and matrix.shape[1] and positions:
        nearness = matrix[np.asarray(positions)] @ grounded.vector
        positions = [positions[i] for i in np.argsort(-nearness, kind="stable")]
    else:
        positions = positions[::-1]
    return [lab.memory.fact_at(position) for position in positions[:k]]


def _fact_tokens(fact: Fact) -> float:
    return _tokens(i=100, text=fact.text, since="2025-06-15")


def _tokens(**entry: Any) -> float:
    return len(json.dumps(entry, ensure_ascii=False)) / 4


def micros(moment: datetime) -> int:
    """Microseconds since 1970 UTC, as the view keeps times."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
