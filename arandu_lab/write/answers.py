"""From a model's answer to records: categories to importance, levels to confidence, dates to moments, aliases to names.

What cannot be kept is returned as ``Skipped`` with its reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from arandu_lab.llm.tasks import EmotionItem, EntityItem, FactItem, RelationItem
from arandu_lab.pure.chunks import Chunk
from arandu_lab.pure.names import is_vague, same_type, split_hint
from arandu_lab.pure.relations import IDENTITY, relation_type
from arandu_lab.pure.text import ident, normal
from arandu_lab.records import Emotion, Extraction, Fact, Grounded, NewEntity, NewFact, NewRelation, Skipped, Turn
from arandu_lab.write.dating import checked, told


def local_time(turn: Turn, timezone: str) -> datetime:
    """The moment of a turn in its speaker's zone: its own offset, or the configured zone when it came in UTC."""
    return turn.occurred_at.astimezone(ZoneInfo(timezone)) if turn.occurred_at.tzname() == "UTC" else turn.occurred_at


def prompt_inputs(
    grounded: Grounded, *, timezone: str, profile_language: str, part: Chunk | None = None
) -> dict[str, Any]:
    """What every extraction question shows: the message, who and when, and what is known. Facts go by index.

    Of a ``part`` of a message: its text, whose words it begins with, and what came before it as the last of the recent
    messages. A transcript has one key more, ``transcript_of``: the names that stand in front of the lines.
    """
    turn, shown = grounded.turn, []
    when = local_time(turn, timezone)
    index = 0
    for known in grounded.known:
        entry: dict[str, Any] = {"name": known.name, "type": known.type}
        if known.profile:
            entry["profile"] = known.profile
        if known.facts:
            entry["facts"] = []
            for fact in known.facts:
                entry["facts"].append({"i": index, "text": fact.text, "since": since(fact, when.tzinfo)})
                index += 1
        shown.append(entry)
    recent = list(turn.recent_messages)
    if part is not None and part.before:
        recent.append(part.before if part.voices else f"{turn.speaker}: {part.before}")
    inputs: dict[str, Any] = {
        "message": grounded.said if part is None else part.text,
        "speaker": turn.speaker if part is None or part.speaker is None else part.speaker,
        "sent_at": when.isoformat(),
        "sent_on": f"This message was sent on {when:%A}, {when:%B} {when.day}, {when.year}",
        "recent_messages": recent,
        "known": shown,
        "profile_language": profile_language,
    }
    if part is not None and part.voices:
        inputs["transcript_of"] = list(part.voices)
    return inputs


def unread(grounded: Grounded) -> Extraction:
    """A grounded turn of which nothing has been read."""
    return Extraction(**{name: getattr(grounded, name) for name in Grounded.__dataclass_fields__})


def since(fact: Fact, zone: tzinfo | None) -> str:
    """The day from which a fact holds, as the speaker's calendar has it."""
    return fact.valid_from.astimezone(zone).date().isoformat()


def read_entities(items: Iterable[EntityItem]) -> tuple[tuple[NewEntity, ...], tuple[Skipped, ...]]:
    """Entities with what stands in brackets taken off ("Carol (namorada do Rafael)" is a person, "Chico (Francisco)"
    has two names); one name is one entity, and where it came with two types the first that says something holds.
    """
    out: dict[str, NewEntity] = {}
    owners: dict[str, NewEntity] = {}
    skipped = []
    for item in items:
        name, hint = split_hint(item.name)
        kind = "person" if hint and hint.role else item.type
        key = ident(name)
        held = out.get(key)
        if held and not same_type(held.type, kind):
            skipped.append(Skipped(what=f"{name} ({kind})", why=f"named in the same message as {held.type}"))
            continue
        named = (*(held.aliases if held else ()), *item.aliases, *((hint.text,) if hint and hint.alias else ()))
        aliases: dict[str, str] = {}
        for alias in named:
            if normal(alias) and normal(alias) != key:
                aliases.setdefault(normal(alias), alias)
        type = held.type if held and not (is_vague(held.type) and not is_vague(kind)) else kind
        out[key] = NewEntity(name=held.name if held else name, type=type, aliases=tuple(aliases.values()))
        if hint and hint.owner:
            owners.setdefault(ident(hint.owner), NewEntity(name=hint.owner, type="person"))
    known = {ident(alias) for entity in out.values() for alias in (entity.name, *entity.aliases)}
    out |= {key: owner for key, owner in owners.items() if key not in known}
    return tuple(out.values()), tuple(skipped)


def read_facts(
    items: Sequence[FactItem],
    grounded: Grounded,
    names: Mapping[str, str],
    *,
    importance_values: Mapping[str, float],
    confidence_values: Mapping[str, float],
    timezone: str,
) -> tuple[tuple[NewFact, ...], tuple[Skipped, ...]]:
    """Facts under canonical names; a fact said twice under one subject (punctuation apart) is kept once.

    Dates that the message cannot mean are put right, and what was put right is said (``write.dating``).
    """
    shown = [fact for known in grounded.known for fact in known.facts]
    when = local_time(grounded.turn, timezone)
    seen: set[tuple[str, str]] = set()
    facts: list[NewFact] = []
    others = (*grounded.turn.recent_messages, *(fact.text for fact in shown))
    items, corrected = checked(items, grounded.said, when, others)
    skipped = list(corrected)
    for item in items:
        subject = canonical(split_hint(item.subject)[0], names)
        key = (ident(subject), normal(item.text))
        if not key[1]:
            skipped.append(Skipped(what=item.text, why="fact without words"))
            continue
        if key in seen:
            skipped.append(Skipped(what=item.text, why="repeated in the answer"))
            continue
        seen.add(key)
        dates, refusals = told(item, when)
        skipped += refusals
        hinted = item.action == "UPDATE" and item.known is not None and 0 <= item.known < len(shown)
        facts.append(
            NewFact(
                subject=subject,
                text=item.text,
                confidence=confidence_values.get(item.confidence, 0.95),
                category=item.importance_category if item.importance_category in importance_values else "unknown",
                importance=importance_values.get(item.importance_category, 0.5),
                hint=item.action,
                hint_fact_id=shown[item.known].id if hinted and item.known is not None else None,
                valid_from=dates.valid_from,
                valid_to=dates.valid_to,
                granularity=dates.granularity,
                event_time=dates.event_time,
            )
        )
    return tuple(facts), tuple(skipped)


def read_relations(
    items: Iterable[RelationItem], names: Mapping[str, str], hinted: Iterable[NewRelation] = ()
) -> tuple[tuple[NewRelation, ...], tuple[Skipped, ...]]:
    """Edges under canonical names and types, each once; edges from an entity to itself and identities are dropped.

    A ``hinted`` edge counts where the answer ties the two in no other way (W24).
    """
    out: dict[tuple[str, str, str], NewRelation] = {}
    skipped = []
    for item in items:
        source, target = (canonical(split_hint(name)[0], names) for name in (item.source, item.target))
        kind = relation_type(item.type)
        if ident(source) == ident(target) or kind in IDENTITY:
            skipped.append(Skipped(what=f"{item.source} {item.type} {item.target}", why="an entity related to itself"))
            continue
        out.setdefault((ident(source), kind, ident(target)), NewRelation(source=source, type=kind, target=target))
    tied = {frozenset((source, target)) for source, _, target in out}
    further = [one for one in hinted if frozenset((ident(one.source), ident(one.target))) not in tied]
    return (*out.values(), *further), tuple(skipped)


def named_by(
    author: str, read: Iterable[tuple[Chunk, Iterable[EntityItem]]]
) -> tuple[tuple[EntityItem, str | None], ...]:
    """The entities of the parts of a message, each with who speaks there: None where several do."""
    out: list[tuple[EntityItem, str | None]] = []
    for chunk, items in read:
        who = author if not chunk.voices else chunk.speaker if chunk.voices == (chunk.speaker,) else None
        out += [(item, who) for item in items]
    return tuple(out)


def hinted_relations(
    items: Iterable[tuple[EntityItem, str | None]], names: Mapping[str, str]
) -> tuple[NewRelation, ...]:
    """The ties that brackets behind names tell: "Carol (namorada do Rafael)", "Bia (my sister)".

    Each entity comes with the speaker whose sister "my sister" is, or None where several speak.
    """
    out: dict[tuple[str, str], NewRelation] = {}
    for item, speaker in items:
        name, hint = split_hint(item.name)
        owner = hint.owner or speaker if hint is not None and hint.role is not None and hint.owner != "" else None
        if hint is None or owner is None:
            continue
        source, target = canonical(name, names), canonical(owner, names)
        if ident(source) != ident(target):
            edge = NewRelation(source=source, type=relation_type(f"{hint.role}_of"), target=target)
            out.setdefault((ident(source), ident(target)), edge)
    return tuple(out.values())


def refused(dropped: Iterable[str]) -> tuple[Skipped, ...]:
    """Items of an answer that did not hold."""
    return tuple(Skipped(what="item of the answer", why=why) for why in dropped)


def read_emotion(items: Iterable[EmotionItem | None]) -> Emotion | None:
    """The emotion, if one was given; of several parts of a message the strongest, the first of equals, none before neutral.

    >>> read_emotion([EmotionItem(label="neutral", intensity=0.9), None, EmotionItem(label="joy", intensity=0.3)]).label
    'joy'
    """
    given = [item for item in items if item is not None]
    if not given:
        return None
    item = max(given, key=lambda one: (one.label != "neutral", one.intensity))
    return Emotion(label=item.label, intensity=item.intensity, energy=item.energy)


def read_profiles(parts: Iterable[Mapping[str, str]], names: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Profiles under canonical names, each entity's once: what different parts of a message say of it, one after another."""
    out: dict[str, tuple[str, list[str]]] = {}
    for profiles in parts:
        for name, text in profiles.items():
            called = canonical(name, names)
            said = out.setdefault(ident(called), (called, []))[1]
            if text.strip() and not any(text.strip() in other for other in said):
                said.append(text.strip())
    return tuple((called, " ".join(said)) for called, said in out.values() if said)


def canonical_names(entities: Iterable[NewEntity]) -> dict[str, str]:
    """Folded name or alias -> canonical name; canonical names win over aliases."""
    found = list(entities)
    names = {ident(alias): entity.name for entity in reversed(found) for alias in entity.aliases}
    return names | {ident(entity.name): entity.name for entity in found}


def canonical(name: str, names: Mapping[str, str]) -> str:
    """The canonical name of a name, itself if it has none."""
    return names.get(ident(name), name)
