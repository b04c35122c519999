"""What becomes of a proposed fact: said again, new, in another's place, or behind one that prevails (S2, S3).

Facts are never edited when they are contradicted: the loser is superseded, and a conflict row keeps both sides' evidence.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from arandu_lab.errors import ConfigError
from arandu_lab.knowledge import Disagreed, MemoryConflict, MemoryFact, Sighting, Veracity
from arandu_lab.pure.disagreement import against, disagreement, elsewhere, supplants
from arandu_lab.pure.episodic import ties
from arandu_lab.pure.memory_types import last_said, retained
from arandu_lab.pure.steering import set_apart
from arandu_lab.pure.text import content_words, normal
from arandu_lab.pure.trust import first_confidence, mentioned
from arandu_lab.records import Vector
from arandu_lab.workspace.results import Elsewhere, FactResult
from arandu_lab.workspace.sheet import TIED, Sheet

DELETED = "deleted"
"""How ``retired_why`` begins of a fact that a human deleted."""

WHOLE = 64
"""So many live facts of a topic are compared with a new one whatever their words; more of them, where words are shared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A fact as it is proposed, checked, and embedded where an embedder answered. ``said_at``: when it was said, if not now."""

    domain: str
    repo: str | None
    topic: str
    content: str
    memory_type: str
    veracity: Veracity
    agent: str
    role: str | None = None
    sources: tuple[str, ...] = ()
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    said_at: datetime | None = None
    vector: Vector | None = None


def proposed(sheet: Sheet, said: Proposal, *, instead: MemoryFact | None = None) -> FactResult:
    """Put what a proposal makes of a workspace on the sheet.

    The words of a fact that stands are a mention of it, also where they were to replace another: one statement never stands
    twice, and what lost to a fact is not lost to it twice. What is over already when it is told is kept as the past it is:
    nothing that stands gives way to it.

    Args:
        sheet: The workspace.
        said: What is proposed.
        instead: The fact that it is meant to replace: it gives way whatever prevails.
    """
    created = sheet.opened(said.domain, said.repo)
    topic = sheet.on_topic(said.domain, said.topic)
    same = [one for one in topic if one.repo == said.repo and same_words(one.content, said.content)]
    new = _made(sheet, said)
    standing = next((one for one in same if _covers(one, new, sheet.now)), None)
    if standing is not None and (instead is None or standing.id != instead.id):
        return _again(sheet, standing, said, instead)
    gone = _barred(same)
    if gone is not None and instead is None and said.veracity != "stated":
        return FactResult(outcome="deleted", fact=gone, domain_created=created)
    lost, beaten = _rivals(sheet, new, topic, instead)
    if lost:
        winner = max(lost, key=lambda pair: (_weight(sheet, pair[0]), pair[0].id))[0]
        before = next((one for one in reversed(same) if one.superseded_by == winner.id), None)
        if before is not None and instead is None:
            return replace(_again(sheet, before, said, None), outcome="lost")
        new = replace(new, superseded_by=winner.id, superseded_at=sheet.now)
    losers = [one for one, _ in beaten] if not lost else []
    if instead is not None and all(one.id != instead.id for one in losers):
        losers.append(instead)
    superseded = tuple(replace(one, superseded_by=new.id, superseded_at=sheet.now) for one in losers)
    pairs = [(new, one, why) for one, why in beaten if not lost or (instead is not None and one.id == instead.id)]
    conflicts = tuple(
        conflict(sheet, kept, gave, why, said.agent)
        for kept, gave, why in (*pairs, *((one, new, why) for one, why in lost))
    )
    near = {one.id: one for one in (*topic[-TIED:], *sheet.told_with(new), *losers)}
    sheet.put(new)
    for gave in superseded:
        sheet.put(gave)
    for row in conflicts:
        sheet.put(row)
    tie(sheet, new, near.values(), superseded=[one.id for one in losers])
    return FactResult(
        outcome="lost" if lost else "added",
        fact=new,
        superseded=superseded,
        conflicts=conflicts,
        elsewhere=_others(sheet, new, topic),
        set_apart=set_apart(new),
        domain_created=created,
    )


def contradicted(sheet: Sheet, new: MemoryFact, *, besides: MemoryFact) -> dict[MemoryFact, Disagreed]:
    """What stands under a fact's topic, in its scope, and contradicts it.

    Raises:
        ConfigError: another fact there says it already.
    """
    topic = [one for one in sheet.on_topic(new.domain, new.topic) if one.repo == new.repo and one.id != besides.id]
    for one in topic:
        if one.live_at(sheet.now) and same_words(one.content, new.content):
            raise ConfigError(f"fact {one.id!r} says so under topic {one.topic!r} already; retire one of them")
    found = against(new, _nominated(new, topic, sheet.now), sheet.now) if new.live_at(sheet.now) else ()
    return {one: disagreed.why for one, disagreed in found}


def conflict(sheet: Sheet, kept: MemoryFact, lost: MemoryFact, why: Disagreed, agent: str) -> MemoryConflict:
    """The row of a contradiction, with what stood for each side."""
    return MemoryConflict(
        id=sheet.made(MemoryConflict, kept.id, lost.id),
        agent_id=sheet.workspace,
        domain=kept.domain,
        repo=kept.repo,
        topic=kept.topic,
        kept_id=kept.id,
        lost_id=lost.id,
        why=why,
        proposed_by=agent,
        recorded_at=sheet.now,
        kept_evidence=evidence(sheet, kept),
        lost_evidence=evidence(sheet, lost),
    )


def evidence(sheet: Sheet, fact: MemoryFact) -> tuple[str, ...]:
    """The statement, then the sightings that it cites."""
    cited = (sheet.get(Sighting, one) for one in fact.source_observation_ids)
    return (fact.content, *(one.text for one in cited if one is not None))


def tie(sheet: Sheet, fact: MemoryFact, near: Iterable[MemoryFact], *, superseded: Iterable[str] = ()) -> None:
    """Put the episodic edges of a fact that are not there yet."""
    around = list(near)
    cited = {one for row in (fact, *around) for one in row.source_observation_ids}
    sessions = {one: held for one in sorted(cited) if (held := sheet.session(one)) is not None}
    for edge in ties(fact, around, sessions, superseded=superseded):
        if sheet.get(type(edge), edge.id) is None:
            sheet.put(replace(edge, recorded_at=sheet.now))


def same_words(one: str, other: str) -> bool:
    """Whether two texts say the same in the same words; signs and case do not count, where there are words.

    >>> same_words("Use tabs.", "use tabs"), same_words("🌵", "☀")
    (True, False)
    """
    words = normal(one)
    return normal(other) == words if words else one == other


def _weight(sheet: Sheet, fact: MemoryFact) -> float:
    return fact.confidence * retained(fact, sheet.now, table=sheet.config.table, use_gain=sheet.config.use_gain)


def _covers(fact: MemoryFact, new: MemoryFact, now: datetime) -> bool:
    """Whether a fact of the same words says what a new one would: it stands, or both are of one past."""
    if new.live_at(now):
        return fact.live_at(now)
    return fact.valid_until is not None and fact.valid_until == new.valid_until


def _barred(same: list[MemoryFact]) -> MemoryFact | None:
    """The fact of the same words that a human deleted, unless a human has said them since."""
    for one in reversed(same):
        if (one.retired_why or "").startswith(DELETED):
            return one
        if one.veracity == "stated":
            return None
    return None


def _made(sheet: Sheet, said: Proposal) -> MemoryFact:
    return MemoryFact(
        id=sheet.made(MemoryFact, said.domain, said.repo, said.topic, said.content),
        agent_id=sheet.workspace,
        domain=said.domain,
        repo=said.repo,
        topic=said.topic,
        content=said.content,
        memory_type=said.memory_type,
        veracity=said.veracity,
        confidence=first_confidence(said.veracity),
        proposed_by=said.agent,
        role=said.role,
        valid_from=said.valid_from or sheet.now,
        valid_until=said.valid_until,
        recorded_at=sheet.now,
        last_mentioned_at=said.said_at or sheet.now,
        source_observation_ids=said.sources,
        vector=said.vector,
    )


def _again(sheet: Sheet, fact: MemoryFact, said: Proposal, instead: MemoryFact | None) -> FactResult:
    """A fact that is said again: surer, fresh again, with what the mention cites; the mention's veracity sizes the step.

    Where it was said to replace another, that gives way to it.
    """
    sources = tuple(dict.fromkeys((*fact.source_observation_ids, *said.sources)))
    told = replace(
        fact,
        mention_count=fact.mention_count + 1,
        confidence=mentioned(fact.confidence, said.veracity, share=sheet.config.mention_share),
        last_mentioned_at=max(last_said(fact), said.said_at or sheet.now),
        source_observation_ids=sources,
        valid_until=said.valid_until or fact.valid_until,
        vector=fact.vector if fact.vector is not None else said.vector,
    )
    sheet.put(told)
    gave = () if instead is None else (replace(instead, superseded_by=told.id, superseded_at=sheet.now),)
    found = None if instead is None else disagreement(told.content, instead.content, topic=told.topic)
    conflicts = () if found is None else tuple(conflict(sheet, told, one, found.why, said.agent) for one in gave)
    for row in (*gave, *conflicts):
        sheet.put(row)
    if gave or sources != fact.source_observation_ids:
        tie(sheet, told, (*sheet.told_with(told), *gave), superseded=[one.id for one in gave])
    return FactResult(
        outcome="mentioned",
        fact=told,
        superseded=gave,
        conflicts=conflicts,
        elsewhere=_others(sheet, told, sheet.on_topic(fact.domain, fact.topic)),
        set_apart=set_apart(told),
    )


def _rivals(
    sheet: Sheet, new: MemoryFact, topic: list[MemoryFact], instead: MemoryFact | None
) -> tuple[list[tuple[MemoryFact, Disagreed]], list[tuple[MemoryFact, Disagreed]]]:
    """What the new fact contradicts in its own scope: what prevails over it, and what gives way."""
    lost: list[tuple[MemoryFact, Disagreed]] = []
    beaten: list[tuple[MemoryFact, Disagreed]] = []
    if not new.live_at(sheet.now):
        return lost, beaten
    mine = [one for one in topic if one.repo == new.repo]
    for old, found in against(new, _nominated(new, mine, sheet.now), sheet.now):
        meant = instead is not None and old.id == instead.id
        wins = supplants(new, old, sheet.now, table=sheet.config.table, use_gain=sheet.config.use_gain)
        (beaten if wins or meant else lost).append((old, found.why))
    return lost, beaten


def _others(sheet: Sheet, new: MemoryFact, topic: list[MemoryFact]) -> tuple[Elsewhere, ...]:
    others = _nominated(new, [one for one in topic if one.repo != new.repo], sheet.now)
    return tuple(Elsewhere(fact=old, why=found.why) for old, found in elsewhere(new, others, sheet.now))


def _nominated(new: MemoryFact, facts: list[MemoryFact], now: datetime) -> list[MemoryFact]:
    """Live facts worth comparing: all of a small topic; of a large one the latest, and those that share its words.

    Two statements contradict each other where all but a value is the same, so those of many words share some.
    """
    live = [one for one in facts if one.live_at(now)]
    if len(live) <= WHOLE:
        return live
    mine = set(content_words(new.content))
    early = [one for one in live[:-WHOLE] if akin(mine, set(content_words(one.content)))]
    return [*early, *live[-WHOLE:]]


def akin(one: set[str], other: set[str]) -> bool:
    """Whether two sets of content words are near enough for the statements to contradict each other."""
    least = min(len(one), len(other))
    return least < 3 or 2 * len(one & other) >= least
