"""What the memory knows about a turn before any model is asked: names in it, and profiles or facts behind them."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure.names import same_type
from arandu_lab.pure.text import names_in, normal, slug
from arandu_lab.records import Fact, Grounded, KnownEntity, Skipped, Turn
from arandu_lab.units import Count, Tokens

_HEADINGS = r"(?:Known facts|Observed patterns|Relevant conversations)"
_FENCED = re.compile(rf"^[>\s]*{_HEADINGS}:[^\n]*(?:\n[>\s]*-[^\n]*)*", re.MULTILINE)


@stage
async def embed_turn(turn: Turn, lab: Lab) -> Grounded:
    """Embed the message; passages that are rendered memory are set aside and yield no facts (W21)."""
    said, skipped = fence(turn.text)
    vector = (await lab.embed([turn.text]))[0]
    return Grounded(turn=turn, said=said, vector=vector, skipped=skipped)


@stage
def leave_turn(turn: Turn, lab: Lab) -> Grounded:
    """Go on without a vector: the turn is embedded later."""
    said, skipped = fence(turn.text)
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

    The speaker is always among them. Profiles go in first; then facts take turns, the nearest of each entity first,
    until the budget (estimated at four characters a token) is spent.
    """
    aliases = {name: name for name in lab.memory.aliases()}
    found = names_in(grounded.said, aliases, min_chars=entity_min_chars)
    keys = [key for name in found for key in lab.memory.aliases()[name]]
    speaker = lab.memory.aliases().get(normal(grounded.turn.speaker), ())
    keys = list(dict.fromkeys([*(key for key in speaker if same_type("person", key.split(":")[0])), *keys]))
    entities = [entity for key in keys if (entity := lab.memory.entity(key)) is not None]
    room = float(informed_extraction_context_budget_tokens)
    profiles: dict[str, str] = {}
    for entity in entities:
        if entity.profile_text and (cost := _tokens(entity.profile_text)) <= room:
            profiles[entity.key] = entity.profile_text
            room -= cost
    queues = {
        entity.key: _nearest(lab, entity.key, grounded, informed_extraction_topk)
        for entity in entities
        if entity.key not in profiles
    }
    chosen: dict[str, list[Fact]] = {key: [] for key in queues}
    shown: set[str] = set()
    for turn_no in range(informed_extraction_topk):
        for key, queue in queues.items():
            if turn_no < len(queue) and queue[turn_no].id not in shown:
                cost = _tokens(queue[turn_no].text)
                if cost <= room:
                    chosen[key].append(queue[turn_no])
                    shown.add(queue[turn_no].id)
                    room -= cost
    known = tuple(
        KnownEntity(
            key=e.key, name=e.name, type=e.type, profile=profiles.get(e.key), facts=tuple(chosen.get(e.key, ()))
        )
        for e in entities
    )
    lab.log(
        known=[entity.key for entity in known], context_tokens=int(informed_extraction_context_budget_tokens - room)
    )
    return replace(grounded, known=known)


def fence(text: str) -> tuple[str, tuple[Skipped, ...]]:
    """The text without passages in the format of our own rendered context, and what was set aside.

    >>> fence("Oi!\\nKnown facts:\\n- Ana mora em Recife\\nMudei de emprego.")[0]
    'Oi!\\n\\nMudei de emprego.'
    """
    skipped = tuple(
        Skipped(what=found.group(0)[:200], why="rendered memory is not a statement") for found in _FENCED.finditer(text)
    )
    return (_FENCED.sub("", text) if skipped else text), skipped


def speaker_key(speaker: str) -> str:
    """The key of a speaker's entity."""
    return f"person:{slug(speaker)}"


def _nearest(lab: Lab, key: str, grounded: Grounded, k: int) -> list[Fact]:
    live = lab.memory.facts.live(as_of=lab.now)
    positions = [int(p) for p in lab.memory.linked(key) if live[p]]
    matrix = lab.memory.facts.matrix
    if grounded.vector is not None and matrix.shape[1] and positions:
        nearness = matrix[np.asarray(positions)] @ grounded.vector
        positions = [positions[i] for i in np.argsort(-nearness, kind="stable")]
    else:
        positions = positions[::-1]
    return [lab.memory.fact_at(position) for position in positions[:k]]


def _tokens(text: str) -> int:
    return -(-len(text) // 4)
