"""The answers of ``extract``, ``entities``, ``facts`` and ``relations``, put together from one reading of the
message.
"""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from arandu_lab.llm.rules import bonds, emotion, entities, inference, movers, moves, profile, relations, times, verdict
from arandu_lab.llm.rules.clauses import Clause, Level, Subject
from arandu_lab.llm.rules.deaths import died
from arandu_lab.llm.rules.echoes import without_echo
from arandu_lab.llm.rules.language import Language
from arandu_lab.llm.rules.reading import Reading, read
from arandu_lab.llm.rules.settled import announces, says_as_much, settled
from arandu_lab.llm.rules.slots import Slot, category, detect_slot
from arandu_lab.llm.rules.speakers import by_name
from arandu_lab.llm.rules.stated import Stated
from arandu_lab.llm.rules.transcripts import by_voice
from arandu_lab.llm.rules.worth import worth
from arandu_lab.pure.text import fold, normal


@dataclass(frozen=True, slots=True)
class Found:
    """A fact with what it was found by."""

    subject: str
    text: str
    slot: Slot
    category: str
    confidence: str
    valid_from: str | None = None
    event_time: str | None = None
    type: str = "person"
    also: str = ""
    valid_to: str | None = None


def facts_of(reading: Reading, inputs: Mapping[str, Any]) -> list[Found]:
    """Every fact of the message, in order, each once."""
    said = times.reference(inputs.get("sent_at"))
    language = reading.language
    out: list[Found] = []
    bonds_told, told = settled(reading.bonds, reading.stated)
    for bond in bonds_told:
        subject, text = bonds.sentence(bond, language)
        slot = detect_slot(text, language)
        out.append(Found(subject, text, slot, category(slot, text, language), bond.level, type="person"))
    here = _last_place(reading)
    covered = []
    partner = movers.beloved(reading.bonds, reading.discourse.speaker)
    for clause, sentence in reading.clauses:
        along = movers.company(clause, sentence.text, partner, language)
        if along and movers.is_move(clause, language):
            out += _moved_together(clause, along, language, said)
            continue
        mine = [one for one in told if one[1] is sentence and one[0].start < clause.end and clause.start < one[0].end]
        if mine and not (says_as_much(clause, mine, language) or died(clause)):
            continue
        if not mine and announces(clause, sentence, told, language):
            continue
        covered += [one[0] for one in mine if fold(one[0].value) in fold(clause.predicate)]
        out += _facts(clause, language, said, here)
    for one, _, text, level in told:
        if one not in covered:
            out.append(_of_construction(one, text, level, language, said))
    for extra in reading.inferred:
        out.append(_inferred(extra, language, said))
    seen: set[str] = set()
    unique = []
    for fact in out:
        key = normal(fact.text)
        if key not in seen and len(fact.text) < 1500:
            seen.add(key)
            unique.append(fact)
    return _new_first(without_echo(unique))


def _of_construction(one: Stated, text: str, level: Level | None, language: Language, said: datetime | None) -> Found:
    """The fact of a construction, dated by the times of its sentence up to the next statement."""
    start, end = one.start, min(len(text), one.end + 40)
    dates = times.dated(text[start:end], said, language, dates_event=one.slot in ("plan", "event"), lasting=True)
    slot = Slot(one.slot, one.value, one.ended, one.ended)
    kind = category(slot, one.text, language)
    sure: Level = level or "explicit"
    return Found(
        one.subject, one.text, slot, kind, sure, dates.valid_from, dates.event_time, one.type, valid_to=dates.valid_to
    )


def _moved_together(clause: Clause, along: list[str], language: Language, said: datetime | None) -> list[Found]:
    """A home of their own for each who moved, and the move itself once, as it was told."""
    plain = movers.alone(clause, language)
    each = [plain, *(replace(plain, subject=Subject("person", name, name)) for name in along)]
    homes = [one for mine in each for one in _facts(mine, language, said) if one.slot.name == "lives_in"]
    return homes + [one for one in _facts(clause, language, said) if one.slot.name != "lives_in"]


def _last_place(reading: Reading) -> tuple[str, str]:
    """(name, type) of the one place or firm of the message, if there is just one."""
    found = {(mention.name, mention.type) for mention in reading.mentions if mention.type in ("place", "organization")}
    return next(iter(found)) if len(found) == 1 else ("", "")


def _new_first(found: list[Found]) -> list[Found]:
    """What somebody does now before what they left for it, so that the new job replaces the old one."""
    last = {fact.subject: at for at, fact in enumerate(found) if fact.slot.name == "works_at" and not fact.slot.ended}
    for index, fact in enumerate(found):
        if fact.slot.name != "works_at" or not fact.slot.ended or last.get(fact.subject, 0) <= index:
            continue
        later = next(
            (
                place
                for place in range(index + 1, len(found))
                if found[place].slot.name == "works_at"
                and not found[place].slot.ended
                and found[place].subject == fact.subject
            ),
            None,
        )
        if later is not None:
            return [*found[:index], found[later], fact, *found[index + 1 : later], *found[later + 1 :]]
    return found


_LA = re.compile(r"^(?P<verb>(?:ainda |já )?(?:mora|moram|vive|trabalha|estuda)) lá\b")
_THERE = re.compile(r"^(?P<verb>(?:still |now )?(?:lives|live|works|studies)) there\b")


def _there(clause: Clause, here: tuple[str, str], language: Language) -> Clause:
    """``mora lá``, ``works there``: the place that the message named last."""
    match = (_LA if language == "pt" else _THERE).match(clause.predicate) if here[0] else None
    if match is None:
        return clause
    place, works = here[0], "trabalh" in clause.predicate or "work" in clause.predicate or "stud" in clause.predicate
    preposition = "em" if language == "pt" else "at" if works else "in"
    return replace(clause, predicate=f"{match['verb']} {preposition} {place}{clause.predicate[match.end() :]}")


_DATED = frozenset("other owns health ex_partner pet lives_in works_at hobby habit child spouse".split())
"""Slots whose time may be that of something that happened."""


def _facts(clause: Clause, language: Language, said: Any, here: tuple[str, str] = ("", "")) -> list[Found]:
    clause = _there(clause, here, language)
    slot = detect_slot(clause.text, language)
    if not worth(clause, slot, language):
        return []
    planned = slot.name in ("plan", "event", "birthday")
    past = slot.name in _DATED
    dates = times.dated(
        clause.text,
        said,
        language,
        dates_event=planned or past,
        lasting=True,
        future=_ahead(clause.predicate, language),
    )
    if slot.name == "other" and dates.event_time and _is_past(clause.predicate, language):
        slot = Slot("event", "", slot.negated, slot.ended)
    if (
        slot.name in ("works_at", "lives_in", "hobby", "habit", "owns", "spouse")
        and dates.valid_from
        and not slot.ended
    ):
        dates = times.Dates(dates.text, dates.valid_from, None, dates.valid_to)
    level = clause.level
    text = _tidy(dates.text, clause.subject.text)
    resolved = detect_slot(text, language)
    value = resolved.value if slot.value and resolved.name in (slot.name, "lives_in") else slot.value
    slot = Slot(slot.name, value, slot.negated, slot.ended)
    home = moves.home_after(clause.subject.text, text[len(clause.subject.text) + 1 :], language)
    if home:
        return _moved(clause, home, text, dates, language, said)
    kind = category(slot, text, language)
    told = Found(clause.subject.entity, text, slot, kind, level, dates.valid_from, dates.event_time)
    end = None if planned else dates.valid_to
    out = [replace(told, type=clause.subject.type, also=clause.subject.also, valid_to=end)]
    if slot.name == "works_at":
        out += _role(clause, text, language, dates)
    out += [_inferred(extra, language, None) for extra in inference.secondary(clause, slot, language)]
    return out


def _moved(
    clause: Clause, home: str, text: str, dates: times.Dates, language: Language, said: datetime | None
) -> list[Found]:
    """A move as the state it leaves and, where it is dated, the event that it was.

    *Last week*, *last month* date the event only: the state is told of from now, lest it seem older than an earlier one.
    """
    subject = clause.subject
    slot = detect_slot(home, language)
    exact = dates.valid_from if dates.valid_from and not _recent(dates.valid_from, text, said) else None
    out = [
        Found(subject.entity, home, slot, "relationship_change", clause.level, exact, None, subject.type, subject.also)
    ]
    if normal(text) != normal(home) and (
        dates.valid_from or dates.event_time or len(text.split()) > len(home.split()) + 2
    ):
        happened = dates.event_time or dates.valid_from
        event = Slot("event", slot.value)
        out.append(
            Found(
                subject.entity,
                text,
                event,
                "relationship_change",
                clause.level,
                dates.valid_from,
                happened,
                subject.type,
            )
        )
    return out


def _recent(since: str, text: str, said: datetime | None) -> bool:
    """A time vaguer than a day that has hardly passed."""
    if said is None or (len(since) > 7 and not _COARSE.search(text)):
        return False
    month = int(since[5:7]) if len(since) >= 7 else 1
    return (said.year - int(since[:4])) * 12 + said.month - month <= (1 if len(since) >= 7 else said.month)


_COARSE = re.compile(r"\b(?:week(?:end)? of|semana de|fim de semana)\b")


def _inferred(extra: inference.Inferred, language: Language, said: Any) -> Found:
    coming = bool(_SET_FOR.search(extra.text))
    dates = times.dated(extra.text, said, language, dates_event=coming, lasting=True, future=coming)
    slot = Slot("plan") if coming else detect_slot(extra.text, language)
    return Found(
        extra.subject,
        dates.text,
        slot,
        category(slot, extra.text, language),
        extra.level,
        dates.valid_from,
        dates.event_time,
    )


_SET_FOR = re.compile(r" is set for | está marcada para ")


_AS = {
    "en": re.compile(
        r"\bas (?:a|an|the) (?P<role>[\w' -]+?)(?: at| for| in| with| since|$|,)|\b(?:is|was) (?:a|an|the) (?P<role2>[\w' -]+?) (?:at|for|with) ",
        re.IGNORECASE,
    ),
    "pt": re.compile(
        r"\bcomo (?P<role>[\w' -]+?)(?: na| no| em| da| do| desde|$|,)|\b(?:é|era) (?P<role2>[\w' -]+?) (?:na|no|da|do) [A-ZÀ-Ý]"
    ),
}


def _role(clause: Clause, text: str, language: Language, dates: times.Dates) -> list[Found]:
    """``works at Acme as a nurse`` says the role too."""
    match = _AS[language].search(text)
    role = match and (match["role"] or match["role2"])
    if not role or len(role.split()) > 6:
        return []
    subject = clause.subject.text
    article = ("an " if role[0].lower() in "aeiou" else "a ") if language == "en" else ""
    said = f"{subject} {'is' if language == 'en' else 'é'} {article}{role}"
    slot = Slot("has_role", role)
    return [
        Found(
            clause.subject.entity,
            said,
            slot,
            "biographical_milestone",
            clause.level,
            dates.valid_from,
            valid_to=dates.valid_to,
        )
    ]


_PAST_EN = re.compile(
    r"^(?:\w+ly |also |not |never )?(?:(?:was|were|had|did)\b|\w+ed\b|(?:went|got|made|took|saw|came|found|gave|told|felt|became|left|met|spent|"
    r"grew|won|taught|bought|sent|built|fell|sold|spoke|drove|broke|chose|ate|drank|sang|swam|flew|wore|drew|forgot|slept|caught|"
    r"rode|lost|paid|ran|began|kept|heard|held|brought|wrote|tore|threw|woke|read|cut|hit|quit|put)\b)"
)
_PAST_PT = re.compile(
    r"^(?:não |se |já |também )*\w+(?:ou|eu|iu|aram|eram|iram|foi|fez|teve|disse|veio|quis|pôs|trouxe)\b|^(?:não |se |já )*(?:foi|fez|teve|veio|deu|pôs|viu)\b"
)


def _is_past(predicate: str, language: Language) -> bool:
    return bool((_PAST_EN if language == "en" else _PAST_PT).match(predicate))


_BACK = re.compile(
    r"\b(?:ago|last|yesterday|since|for|this morning|used to|been|every|há|faz \w+ (?:anos|meses|semanas|dias)|desde|passad[oa]|ontem|"
    r"anteontem|tod[oa]s?)\b"
)
_SET = re.compile(
    r"\b(?:has|have) (?:set|booked|scheduled|moved|postponed|rescheduled|planned)\b|\b(?:marcou|remarcou|agendou|reservou|adiou)\b"
)


def _ahead(predicate: str, language: Language) -> bool:
    """Present or planned, with nothing that looks back."""
    if _SET.search(predicate):
        return True
    return not _is_past(predicate, language) and not _BACK.search(predicate)


def _tidy(text: str, subject: str) -> str:
    if text.startswith(subject + " "):  # a name may be a mark: "-"
        return f"{subject} {_tidy(text[len(subject) + 1 :], '')}"
    text = re.sub(r"\s+([,.;:!?])", r"\1", " ".join(text.split()))
    return text.strip(" ,;:-–—")


# answers ------------------------------------------------------------------------------------------------------------


@by_voice
@by_name
def extract(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """All that the message states, in one answer."""
    reading = read(inputs)
    found = facts_of(reading, inputs)
    named = entities.listed(reading, found)
    return {
        "entities": named,
        "facts": _fact_items(found, inputs),
        "relations": relations.listed(reading, found, named),
        "updated_profiles": profile.updated(found, named, inputs),
        "emotion": emotion.detect(str(inputs.get("message") or ""), reading.language),
    }


@by_voice
@by_name
def entities_only(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Who and what the message names."""
    reading = read(inputs)
    return {
        "entities": entities.listed(reading, facts_of(reading, inputs)),
        "emotion": emotion.detect(str(inputs.get("message") or ""), reading.language),
    }


@by_voice
@by_name
def facts_only(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """What the message states."""
    reading = read(inputs)
    return {"facts": _fact_items(facts_of(reading, inputs), inputs)}


@by_voice
@by_name
def relations_only(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """How those it names are connected."""
    reading = read(inputs)
    found = facts_of(reading, inputs)
    return {"relations": relations.listed(reading, found, entities.listed(reading, found))}


def _fact_items(found: list[Found], inputs: Mapping[str, Any]) -> list[dict[str, Any]]:
    shown = verdict.shown_facts(inputs)
    out = []
    for fact in found:
        action, known = "NEW", None
        decided = verdict.decide(fact.subject, fact.text, shown) if shown else verdict.Decision("ADD")
        if decided.action in ("UPDATE", "DELETE") and decided.known is not None:
            action, known = "UPDATE", decided.known
        out.append(
            {
                "subject": fact.subject,
                "text": fact.text,
                "action": action,
                "known": known,
                "importance_category": fact.category,
                "confidence": fact.confidence,
                "valid_from": fact.valid_from,
                "valid_to": fact.valid_to,
                "event_time": fact.event_time,
            }
        )
    return out
