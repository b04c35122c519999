"""Facts that were told with an end: when they hold, and which attribute "lived in Recife until 2019" is an episode of."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from arandu_lab.pure.attributes import Claim, alike, claim
from arandu_lab.records import NewFact

_PAST = tuple(
    (re.compile(rf"\b(?:{past})\b", re.IGNORECASE), present)
    for past, present in (
        (r"(?:lived|was living|resided) in", "lives in"),
        (r"(?:worked|was working) (?=at|for)", "works "),
        (r"(?:studied|was studying) (?=at)", "studies "),
        ("(?:was|used to be) (?=married|engaged|the boss)", "is "),
        ("dated|was dating", "is dating"),
        ("morou|morava|residiu|residia|viveu|vivia", "mora"),
        ("trabalhou|trabalhava", "trabalha"),
        ("estudou|estudava", "estuda"),
        ("foi|era (?=casad|noiv|chefe)", "é "),
        ("namorou|namorava", "namora"),
    )
)


def held(fact: NewFact, said_at: datetime) -> tuple[datetime, datetime | None]:
    """From when to when a new fact holds, half open; no end: it holds on.

    Where only an end was told, and it is past, no more is known than that it held in the last day, month or year told.

    >>> from datetime import UTC
    >>> said = datetime(2025, 6, 15, tzinfo=UTC)
    >>> until_2019 = NewFact(subject="Ana", text="Ana lived in Recife until 2019", confidence=1.0, category="unknown",
    ...                      importance=0.5, valid_to=datetime(2020, 1, 1, tzinfo=UTC), granularity="year")
    >>> [moment.year for moment in held(until_2019, said)]
    [2019, 2020]
    """
    since, until = fact.valid_from or said_at, fact.valid_to
    if until is None or since < until:
        return since, until
    last = (until - timedelta(microseconds=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    if fact.granularity in ("month", "year"):
        last = last.replace(day=1)
    return (last.replace(month=1) if fact.granularity == "year" else last), until


def over(fact: NewFact, said_at: datetime) -> bool:
    """Whether a fact was told as one that had ended."""
    return fact.valid_to is not None and fact.valid_to <= said_at


def state(text: str, about: str) -> Claim | None:
    """What a statement of now or of then claims of somebody: that she lived in Recife is an episode of her home.

    >>> state("Ana morou em Recife até 2019", "Ana").attribute, state("Ana worked at Acme", "Ana").attribute
    ('home', 'employer')
    """
    found = claim(text, about)
    if found is not None and (found.single or found.ended or found.negative):
        return found
    for past, present in _PAST:
        told, times = past.subn(present, text, count=1)
        if times:
            read = claim(told, about)
            return read if read is not None and read.single else found
    return found


def same_attribute(new: str, old: str, about: str) -> bool:
    """Whether both statements give somebody a value of what one has once at a time.

    >>> same_attribute("Ana lived in Recife", "Ana mora em Natal", "Ana"), same_attribute("Ana sang", "Ana danced", "Ana")
    (True, False)
    """
    one, other = state(new, about), state(old, about)
    if one is None or other is None or one.attribute != other.attribute or not one.single:
        return False
    return not (one.ended or one.negative or other.ended or other.negative)


def another_value(new: str, old: str, about: str) -> bool:
    """Whether the two values are not the same: an episode beside what holds, and not the end of it.

    >>> another_value("Ana lived in Recife", "Ana lives in Recife", "Ana")
    False
    """
    one, other = state(new, about), state(old, about)
    return one is not None and other is not None and same_attribute(new, old, about) and not alike(one, other)
