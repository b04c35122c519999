"""Entity resolution: exact names, likeness, one batched question, and a key for every name (write document, stage 2)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np

from arandu_lab.llm import tasks
from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure import names
from arandu_lab.pure.assistants import own_name
from arandu_lab.pure.chunks import Chars, excerpt
from arandu_lab.pure.text import ident, slug
from arandu_lab.records import Extraction, Resolution, Resolved, Skipped
from arandu_lab.units import Cosine, Positive, Seconds
from arandu_lab.write import answers
from arandu_lab.write.ground import speaker_key

_AMBIGUOUS = "ambiguous:"
"""Type of the keys that stand for a name whose bearer nobody decided."""


@stage
def match_names(
    extraction: Extraction,
    lab: Lab,
    *,
    relationship_terms: Literal["speaker", "role"],
    nicknames: Literal["off", "ask", "resolve"],
) -> Resolution:
    """Resolve what needs no likeness: the speaker, relationship words, known names and aliases, prefixes of persons.

    With ``nicknames`` short forms count as well: "Beto" is the only Roberto that is known, or a candidate (W14).

    Names of one message resolve among themselves first (W16): "Clara" beside a new "Clara Rezende" is she.
    """
    known, speaker = _known(lab), extraction.turn.speaker
    home = _speaker_home(lab, speaker)

    def match(name: str, kind: str) -> Resolved:
        return names.match(
            name,
            kind,
            speaker_key=home,
            speaker=speaker,
            known=known,
            relationship_terms=relationship_terms,
            nicknames=nicknames,
        )

    resolved = []
    for name, (kind, aliases) in _mentions(extraction).items():
        found = match(name, kind)
        if found.how == "pending" and not found.candidates:
            found = _by_alias(found, [match(alias, kind) for alias in aliases])
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
    entities = [entity for entity in lab.memory.entities() if not entity.key.startswith(_AMBIGUOUS)]
    vectors = [(place, entity.vector) for place, entity in enumerate(entities) if entity.vector is not None]
    rows = [place for place, _ in vectors]
    matrix = np.stack([vector for _, vector in vectors]) if rows else np.zeros((0, 0))

    def scored(pending: Resolved) -> list[tuple[str, float]]:
        bare = ident(pending.name)
        near = np.full(len(entities), np.nan)
        if pending.vector is not None and rows:
            near[rows] = lab.embed.scale(matrix @ pending.vector)
        out = []
        for entity, cosine in zip(entities, near.tolist(), strict=True):
            if cosine < fuzzy_floor or not names.same_type(pending.type, entity.type):
                continue
            name = ident(entity.name)
            if cosine != cosine:  # no cosine: one of the two has no vector
                cosine = names.likeness(bare, name, floor=fuzzy_floor)
            if cosine >= fuzzy_floor and not names.vetoed(bare, name):
                out.append((entity.key, cosine))
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
async def ask_names(
    resolution: Resolution, lab: Lab, *, extraction_timeout_sec: Seconds, chunk_max_chars: Chars
) -> Resolution:
    """Put all ambiguous names to the model in one question, candidates by index with what is known of them.

    Of a message longer than ``chunk_max_chars`` the passages that hold the names are shown.
    """
    pending = [position for position, r in enumerate(resolution.resolved) if r.how == "pending"]
    if not pending:
        return resolution
    inputs = {
        "message": excerpt(
            resolution.said, [ident(resolution.resolved[position].name) for position in pending], size=chunk_max_chars
        ),
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
    choices = {choice.i: choice.candidate for choice in reversed(answered.value.choices)}
    resolved = list(resolution.resolved)
    skipped = list(answers.refused(answered.dropped))
    for number, position in enumerate(pending):
        asked, choice = resolved[position], choices.get(number)
        if choice is not None and not 0 <= choice < len(asked.candidates):
            skipped.append(Skipped(what=f"candidate {choice} for {asked.name!r}", why="no such candidate was shown"))
        resolved[position] = names.settle(asked, choice)
    lab.log(asked=[resolution.resolved[position].name for position in pending])
    return replace(resolution, resolved=tuple(resolved), skipped=(*resolution.skipped, *skipped))


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
            key = f"{_AMBIGUOUS}{slug(r.name)}"
        elif r.how in ("new", "pending"):
            same = (ident(r.name), r.type)
            if same not in here:
                here[same] = names.new_key(r.type, r.name, taken)
                taken[here[same]] = r
            key, r = here[same], replace(r, how="new")
        resolved.append(replace(r, key=key))
    by_name = {ident(r.name): r.key for r in resolved}
    settled = tuple(
        replace(r, key=by_name.get(r.candidates[0])) if r.how == "batch" and r.candidates else r for r in resolved
    )
    lab.log(resolved={r.name: f"{r.key} ({r.how})" for r in settled})
    return replace(resolution, resolved=settled)


def _known(lab: Lab) -> names.Known:
    return names.Known(lab.memory.aliases(), {entity.key: entity for entity in lab.memory.entities()})


def _speaker_home(lab: Lab, speaker: str) -> str:
    held = [key for key in lab.memory.aliases().get(ident(own_name(speaker)), ()) if key.startswith("person:")]
    return held[0] if len(held) == 1 else speaker_key(speaker)


def _mentions(extraction: Extraction) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Every name of the extraction, in order: name -> (type, aliases). The speaker is always one."""
    out: dict[str, tuple[str, tuple[str, ...]]] = {}
    seen: set[str] = set()

    def add(name: str, kind: str, aliases: tuple[str, ...] = ()) -> None:
        folded = ident(name)
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


def _by_alias(pending: Resolved, aliases: list[Resolved]) -> Resolved:
    """The entity that its other names in the message lead to; several of them stay candidates (W14)."""
    led = {str(found.key): found for found in aliases if found.how in ("exact", "prefix", "speaker")}
    if len(led) == 1:
        (found,) = led.values()
        how = found.how if found.how == "prefix" else "exact"
        return replace(pending, key=found.key, type=found.type, how=how)
    return replace(pending, candidates=tuple(led))


def _within_batch(resolved: list[Resolved]) -> tuple[Resolved, ...]:
    """A name that is another's alias in the message, or a person's name that begins exactly one other's, is that one.

    It wins over a prefix of a stored name, not over an exact one.
    """
    bearers: dict[str, list[Resolved]] = {}
    longer: dict[str, list[Resolved]] = {}
    for other in resolved:
        for alias in other.aliases:
            bearers.setdefault(ident(alias), []).append(other)
        if names.kind(other.type) == "person":
            parts = ident(other.name).split(" ")
            for size in range(1, len(parts)):
                longer.setdefault(" ".join(parts[:size]), []).append(other)
    homes: dict[str, str] = {}

    def end(name: str) -> str:
        while name in homes:
            name = homes[name]
        return name

    for r in resolved:
        if r.how not in ("pending", "prefix"):
            continue
        bare = ident(r.name)
        one = [other for other in bearers.get(bare, ()) if other is not r and names.same_type(r.type, other.type)]
        if not one and names.same_type(r.type, "person"):
            one = [other for other in longer.get(bare, ()) if not names.vetoed(bare, ident(other.name))]
        if len(one) == 1 and end(ident(one[0].name)) != bare:
            homes[bare] = ident(one[0].name)
    by_name = {ident(r.name): r for r in resolved}

    def moved(r: Resolved) -> Resolved:
        bare = ident(r.name)
        if bare not in homes:
            return r
        home = by_name[end(bare)]
        return replace(r, how="batch", type=home.type, key=home.key, candidates=(ident(home.name),))

    return tuple(moved(r) for r in resolved)


def _resolution(extraction: Extraction, resolved: tuple[Resolved, ...]) -> Resolution:
    return Resolution(
        **{name: getattr(extraction, name) for name in Extraction.__dataclass_fields__}, resolved=resolved
    )


def _shown(lab: Lab, index: int, key: str) -> dict[str, Any]:
    entity = lab.memory.entity(key)
    live = lab.memory.facts.live(as_of=lab.now)
    positions = [int(p) for p in lab.memory.linked(key) if live[p]][-4:]
    context = [lab.memory.fact_at(position).text for position in positions]
    if entity is not None and entity.profile_text:
        context.insert(0, entity.profile_text)
    return {
        "i": index,
        "name": entity.name if entity else "",
        "type": entity.type if entity else "",
        "context": context,
    }
