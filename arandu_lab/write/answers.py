"""From a model's answer to records: categories to importance, levels to confidence, dates to moments, aliases to names.

What cannot be kept is returned as ``Skipped`` with its reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from arandu_lab.llm.tasks import EmotionItem, EntityItem, FactItem, RelationItem
from arandu_lab.pure.names import split_hint
from arandu_lab.pure.relations import IDENTITY, relation_type
from arandu_lab.pure.text import normal
from arandu_lab.records import Emotion, Grounded, NewEntity, NewFact, NewRelation, Skipped, Turn

_DATE = re.compile(r"^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?:T.*)?$")


def local_time(turn: Turn, timezone: str) -> datetime:
    """The moment of a turn in its speaker's zone: its own offset, or the configured zone when it came in UTC."""
    zone: tzinfo | None = turn.occurred_at.tzinfo
    return turn.occurred_at.astimezone(ZoneInfo(timezone)) if zone in (None, UTC) else turn.occurred_at


def prompt_inputs(grounded: Grounded, *, timezone: str, profile_language: str) -> dict[str, Any]:
    """What every extraction question shows: the message, who and when, and what is known. Facts go by index."""
    turn, shown = grounded.turn, []
    index = 0
    for known in grounded.known:
        entry: dict[str, Any] = {"name": known.name, "type": known.type}
        if known.profile:
            entry["profile"] = known.profile
        if known.facts:
            entry["facts"] = []
            for fact in known.facts:
                entry["facts"].append({"i": index, "text": fact.text, "since": fact.valid_from.date().isoformat()})
                index += 1
        shown.append(entry)
    when = local_time(turn, timezone)
    return {
        "message": grounded.said,
        "speaker": turn.speaker,
        "sent_at": when.isoformat(),
        "sent_on": f"This message was sent on {when:%A}, {when:%B} {when.day}, {when.year}",
        "recent_messages": list(turn.recent_messages),
        "known": shown,
        "profile_language": profile_language,
    }


def read_entities(items: Iterable[EntityItem]) -> tuple[NewEntity, ...]:
    """Entities with hints stripped ("Carol (namorada do Rafael)") and names of one entity joined."""
    out: dict[str, NewEntity] = {}
    for item in items:
        name, hint = split_hint(item.name)
        aliases = [alias for alias in item.aliases if normal(alias) and normal(alias) != normal(name)]
        kind = "person" if hint else item.type
        key = normal(name)
        if not key:
            key = name
        held = out.get(key)
        merged = (*(held.aliases if held else ()), *aliases)
        unique = tuple({normal(alias): alias for alias in reversed(merged)}.values())[::-1]
        out[key] = NewEntity(name=name, type=held.type if held else kind, aliases=unique)
    return tuple(out.values())


def read_facts(
    items: Sequence[FactItem],
    grounded: Grounded,
    names: Mapping[str, str],
    *,
    importance_values: Mapping[str, float],
    confidence_values: Mapping[str, float],
    timezone: str,
) -> tuple[tuple[NewFact, ...], tuple[Skipped, ...]]:
    """Facts under canonical names; a fact said twice under one subject (punctuation apart) is kept once."""
    shown = [fact for known in grounded.known for fact in known.facts]
    when = local_time(grounded.turn, timezone)
    seen: set[tuple[str, str]] = set()
    facts, skipped = [], []
    for item in items:
        subject = canonical(split_hint(item.subject)[0], names)
        key = (normal(subject), normal(item.text))
        if not key[1]:
            skipped.append(Skipped(what=item.text, why="fact without words"))
            continue
        if key in seen:
            skipped.append(Skipped(what=item.text, why="repeated in the answer"))
            continue
        seen.add(key)
        hinted = item.action == "UPDATE" and item.known is not None and 0 <= item.known < len(shown)
        since = moment(item.valid_from, when)
        facts.append(
            NewFact(
                subject=subject,
                text=item.text,
                confidence=confidence_values.get(item.confidence, 0.95),
                category=item.importance_category if item.importance_category in importance_values else "unknown",
                importance=importance_values.get(item.importance_category, 0.5),
                hint=item.action,
                hint_fact_id=shown[item.known].id if hinted and item.known is not None else None,
                valid_from=since,
                event_time=item.event_time if item.event_time and _DATE.match(item.event_time) else None,
            )
        )
    return tuple(facts), tuple(skipped)


def read_relations(
    items: Iterable[RelationItem], names: Mapping[str, str]
) -> tuple[tuple[NewRelation, ...], tuple[Skipped, ...]]:
    """Edges under canonical names and types, each once; edges from an entity to itself and identities are dropped."""
    out: dict[tuple[str, str, str], NewRelation] = {}
    skipped = []
    for item in items:
        source, target = (canonical(split_hint(name)[0], names) for name in (item.source, item.target))
        kind = relation_type(item.type)
        if normal(source) == normal(target) or kind in IDENTITY:
            skipped.append(Skipped(what=f"{item.source} {item.type} {item.target}", why="an entity related to itself"))
            continue
        out.setdefault((normal(source), kind, normal(target)), NewRelation(source=source, type=kind, target=target))
    return tuple(out.values()), tuple(skipped)


def read_emotion(item: EmotionItem | None) -> Emotion | None:
    """The emotion, if one was given."""
    return None if item is None else Emotion(label=item.label, intensity=item.intensity, energy=item.energy)


def canonical_names(entities: Iterable[NewEntity]) -> dict[str, str]:
    """Folded name or alias -> canonical name; canonical names win over aliases."""
    found = list(entities)
    names = {normal(alias): entity.name for entity in reversed(found) for alias in entity.aliases}
    return names | {normal(entity.name): entity.name for entity in found}


def canonical(name: str, names: Mapping[str, str]) -> str:
    """The canonical name of a name, itself if it has none."""
    return names.get(normal(name), name)


def moment(date: str | None, said_at: datetime) -> datetime | None:
    """A stated past date as the first moment of it in the speaker's zone; None for today, for plans and for nonsense.

    >>> from datetime import timezone
    >>> said = datetime(2025, 6, 15, 12, tzinfo=timezone.utc)
    >>> moment("2025-06-14", said).isoformat(), moment("2016", said).year, moment("2025-06-15", said), moment("2026", said)
    ('2025-06-14T00:00:00+00:00', 2016, None, None)
    """
    found = _DATE.match(date.strip()) if date else None
    if found is None:
        return None
    year, month, day = int(found[1]), int(found[2] or 1), int(found[3] or 1)
    try:
        first = datetime(year, month, day, tzinfo=said_at.tzinfo)
    except ValueError:
        return None
    return first if first.date() < said_at.date() else None
