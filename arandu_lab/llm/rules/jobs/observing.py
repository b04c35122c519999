"""What events and facts show only together: patterns, contradictions, trends, what is shared, and how to answer whom.

The texts name neither counts nor dates that grow with the next event, so that a second look finds nothing new.
"""

# ruff: noqa: E501  (examples read better on long lines)

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Any

from arandu_lab.llm.rules.jobs.activities import Amount, activities, amounts, name
from arandu_lab.llm.rules.jobs.directives import directives
from arandu_lab.llm.rules.jobs.given import (
    Given,
    day,
    facts,
    index,
    items,
    moment,
    string,
    tongue,
)
from arandu_lab.llm.rules.jobs.telling import listed
from arandu_lab.llm.rules.language import Language
from arandu_lab.pure.assistants import is_assistant
from arandu_lab.pure.attributes import Claim, claim
from arandu_lab.pure.contradictions import contradictions
from arandu_lab.pure.steering import commanding
from arandu_lab.pure.text import fold, normal, words
from arandu_lab.records import Fact

LEAST_DATES = 3


@dataclass(frozen=True, slots=True)
class Heard:
    """Something said or known of somebody on a day: an event (``event`` True) or a fact, by its index."""

    who: str
    text: str
    at: str
    i: int
    event: bool


def consolidate(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The answer of the ``consolidate`` task: contradictions first, then directives, patterns, trends, insights.

    >>> facts = [{"i": 0, "subject": "Rui", "text": "Rui lives in Recife"}, {"i": 1, "subject": "Rui", "text": "Rui lives in Natal"}]
    >>> consolidate({"facts": facts})["observations"][0]["text"]
    'Rui: "Rui lives in Natal" and "Rui lives in Recife" cannot both hold.'
    """
    language = tongue(inputs)
    known = facts(inputs)
    events = _events(inputs)
    heard = events + [Heard(line.subject, line.text, line.since, line.i, False) for line in known if line.subject]
    found = [
        *_contradictions(known, language),
        *_directives(events),
        *_patterns(heard, language),
        *_trends(heard, language),
        *_shared(known, language),
    ]
    before = {(str(item.get("kind")), normal(string(item.get("text"), 600))) for item in items(inputs, "known")}
    return {"observations": [one for one in found if (one["kind"], normal(one["text"])) not in before]}


def _events(inputs: Mapping[str, Any]) -> list[Heard]:
    """The events that people wrote, oldest first; what reads like an order to a model is left out."""
    found = []
    for item in items(inputs, "events"):
        i, text, speaker = index(item), string(item.get("text"), 2000), string(item.get("speaker"), 60)
        if i is None or not words(text) or not words(speaker) or is_assistant(speaker):
            continue
        if not commanding(text) and not commanding(speaker):
            found.append(Heard(speaker, text, day(item.get("at")), i, True))
    return sorted(found, key=lambda one: (one.at, one.who, one.text, one.i))


def _observation(kind: str, text: str, confidence: float, evidence: Iterable[Heard | Given]) -> dict[str, Any]:
    known: set[int] = set()
    said: set[int] = set()
    for one in evidence:
        (said if isinstance(one, Heard) and one.event else known).add(one.i)
    return {"kind": kind, "text": text, "confidence": confidence, "facts": sorted(known), "events": sorted(said)}


# ------------------------------------------------------------ contradictions


def _contradictions(known: Sequence[Given], language: Language) -> list[dict[str, Any]]:
    """What ``arandu_lab.pure.contradictions`` finds in the facts as shown, all of them open."""
    told = [line for line in known if line.subject]
    rows = [
        Fact(
            id=f"{place:06d}", agent_id="", entity_key=fold(line.subject), entity_name=line.subject, text=line.text,
            confidence=1.0, importance=0.5, category="", speaker="", source_event_id="",
            valid_from=(began := moment(line.since)), recorded_at=began,
        )
        for place, line in enumerate(told)
    ]  # fmt: skip
    out = []
    for pair in contradictions(rows):
        both = told[int(pair.earlier.id)], told[int(pair.later.id)]
        text = _CONFLICT[language].format(both[0].subject, both[0].text, both[1].text)
        out.append(_observation("contradiction", text, 0.9, both))
    return out


# ------------------------------------------------------------ directives, patterns, trends


def _directives(events: Sequence[Heard]) -> list[dict[str, Any]]:
    """How speakers ask to be answered; a message that calls another speaker by name is not for the assistant."""
    speakers = {fold(event.who) for event in events}
    found: dict[str, list[Heard]] = {}
    for event in events:
        if (speakers - {fold(event.who)}) & set(words(event.text)):
            continue
        for order in directives(event.text, event.who):
            found.setdefault(order, []).append(event)
    return [_observation("directive", order, 0.8, evidence) for order, evidence in sorted(found.items())]


def _patterns(heard: Sequence[Heard], language: Language) -> list[dict[str, Any]]:
    """The same activity on at least three dates, of one person; on one weekday where all of them are."""
    out = []
    for (who, row), lines in sorted(_spoken(heard).items()):
        dates = sorted({line.at for line in lines if line.at})
        if len(dates) < LEAST_DATES:
            continue
        weekdays = {date.fromisoformat(at).weekday() for at in dates}
        what = name(row, language)
        if len(weekdays) == 1:
            text = _WEEKLY[language].format(who, what, _WEEKDAYS[language][weekdays.pop()])
        else:
            text = _OFTEN[language].format(who, what)
        out.append(_observation("pattern", text, min(0.9, 0.5 + 0.05 * len(dates)), lines))
    return out


def _trends(heard: Sequence[Heard], language: Language) -> list[dict[str, Any]]:
    """Amounts of one activity and unit that only rise, or only fall, over at least three dates."""
    out = []
    for (who, row), lines in sorted(_spoken(heard).items()):
        series: dict[str, dict[str, tuple[Amount, Heard]]] = {}
        for line in lines:
            for amount in amounts(line.text):
                series.setdefault(amount.unit, {}).setdefault(line.at, (amount, line))
        for points in (series[unit] for unit in sorted(series)):
            told = [points[at] for at in sorted(points) if at]
            values = [amount.value for amount, _ in told]
            steps = list(pairwise(values))
            up, down = all(a < b for a, b in steps), all(a > b for a, b in steps)
            if len(told) >= LEAST_DATES and (up or down):
                text = _TREND[language][up].format(who, name(row, language), told[0][0].told, told[-1][0].told)
                out.append(_observation("trend", text, 0.7, [line for _, line in told]))
    return out


def _spoken(heard: Sequence[Heard]) -> dict[tuple[str, int], list[Heard]]:
    """Who speaks of which activity, or is said to do it."""
    found: dict[tuple[str, int], list[Heard]] = {}
    for line in heard:
        for row in activities(line.text):
            found.setdefault((line.who, row), []).append(line)
    return found


# ------------------------------------------------------------ insights


def _shared(known: Sequence[Given], language: Language) -> list[dict[str, Any]]:
    """What at least two people have in common: the same value of the same attribute, by name or in the same words."""
    found: dict[tuple[str, str], list[tuple[Given, Claim]]] = {}
    for line in known:
        read = claim(line.text, line.subject) if line.subject else None
        if read is not None and read.attribute in _COMMON and read.value and not read.negative and not read.ended:
            found.setdefault((read.attribute, normal(read.value)), []).append((line, read))
    out = []
    for (attribute, _), lines in sorted(found.items()):
        people = list(dict.fromkeys(sorted(line.subject for line, _ in lines)))
        if len(people) < 2:
            continue
        value = _written(*min(lines, key=lambda one: (one[0].since, one[0].text)))
        text = _COMMON[attribute][language == "pt"].format(listed(people, language), value)
        text = text.replace(" all ", " both ", 1) if len(people) == 2 and language == "en" else text
        out.append(_observation("insight", text, 0.8, [line for line, _ in lines]))
    return out


def _written(line: Given, read: Claim) -> str:
    """The value as the fact writes it."""
    place = fold(line.text).find(read.value)
    return (
        line.text[place : place + len(read.value)]
        if place >= 0 and len(fold(line.text)) == len(line.text)
        else read.value
    )


_CONFLICT = {"en": '{}: "{}" and "{}" cannot both hold.', "pt": '{}: "{}" e "{}" não podem valer ao mesmo tempo.'}
_OFTEN = {"en": "{} speaks of {} again and again.", "pt": "{} volta sempre ao assunto: {}."}
_WEEKLY = {"en": "{} speaks of {} on {}.", "pt": "{} fala de {} {}."}
_WEEKDAYS: dict[Language, tuple[str, ...]] = {
    "en": ("Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays"),
    "pt": ("às segundas", "às terças", "às quartas", "às quintas", "às sextas", "aos sábados", "aos domingos"),
}
_TREND = {
    "en": ("{0}: {1} goes down, from {2} to {3}.", "{0}: {1} goes up, from {2} to {3}."),
    "pt": ("{0}: {1} em queda, de {2} a {3}.", "{0}: {1} em alta, de {2} a {3}."),
}
_COMMON = {
    "employer": ("{} all work at {}.", "{} trabalham em {}."),
    "school": ("{} all study at {}.", "{} estudam em {}."),
    "study": ("{} all study {}.", "{} estudam {}."),
    "home": ("{} all live in {}.", "{} moram em {}."),
    "origin": ("{} are all from {}.", "{} são de {}."),
    "language": ("{} all speak {}.", "{} falam {}."),
    "member": ("{} are all members of {}.", "{} fazem parte de {}."),
    "project": ("{} all work on {}.", "{} trabalham no projeto {}."),
    "allergy": ("{} are all allergic to {}.", "{} têm alergia a {}."),
    "likes": ("{} all like {}.", "{} gostam de {}."),
    "dislikes": ("{} all dislike {}.", "{} não gostam de {}."),
    "hobby": ("{} have the same hobby: {}.", "{} têm o mesmo passatempo: {}."),
}
