"""The dates of a model's fact: read at the grain they were told, and checked against what the message can mean.

A deterministic resolver reads the message at its own moment in its speaker's zone. Where the message holds one relative
expression, no length of time beside it, and a model's date is of its grain, near it, and not a day it can mean, the
expression wins, in the fact's words too; a date that may come from elsewhere (another grain, years away, counted back by
"for six weeks", said in the text shown before) is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import pairwise
from typing import Literal, cast

from arandu_lab.llm.tasks import FactItem
from arandu_lab.pure.text import guess_language
from arandu_lab.pure.timex import TimeSpan, absolutise, find_times
from arandu_lab.records import Granularity, Skipped

_ISO = re.compile(r"^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?:T.*)?$")
_NEAR = {"day": timedelta(days=62), "month": timedelta(days=731), "year": timedelta(days=1827)}
"""How far a wrongly resolved date lies from the right one, at most, by grain."""
_LENGTH = re.compile(
    r"\b(?:days?|weeks?|fortnights?|months?|years?|dias?|semanas?|quinzenas?|m[eê]s(?:es)?|anos?)\b", re.IGNORECASE
)
"""Words that may count a date from another: "for six weeks as of yesterday"."""


@dataclass(frozen=True, slots=True)
class Told:
    """The dates of one fact. ``valid_to`` is the first moment after the last day told; ``event_time`` ISO text."""

    valid_from: datetime | None = None
    valid_to: datetime | None = None
    granularity: Granularity | None = None
    event_time: str | None = None


@dataclass(frozen=True, slots=True)
class _Day:
    """An ISO date of day, month or year grain as the days it covers."""

    first: date
    last: date
    grain: Granularity


def told(item: FactItem, said_at: datetime) -> tuple[Told, tuple[Skipped, ...]]:
    """The dates of an item as moments in the speaker's zone.

    What begins today begins at its moment (``valid_from`` None); what begins later is a plan: it is valid from when it
    was said and keeps its date or dates in ``event_time``. An end before the beginning is dropped, and says so.

    >>> from datetime import timezone
    >>> said = datetime(2025, 6, 15, 12, tzinfo=timezone.utc)
    >>> lived = FactItem(subject="Ana", text="Ana lived in Recife", valid_from="2024-03", valid_to="2024-05")
    >>> dates, _ = told(lived, said)
    >>> dates.valid_from.date().isoformat(), dates.valid_to.date().isoformat(), dates.granularity
    ('2024-03-01', '2024-06-01', 'month')
    >>> told(FactItem(subject="Ana", text="Ana will move", valid_from="2026"), said)[0].event_time
    '2026'
    """
    begun, end = _read(item.valid_from), _read(item.valid_to)
    event = item.event_time.strip() if item.event_time and _interval(item.event_time) else None
    skipped: list[Skipped] = []
    if begun is not None and end is not None and end.last < begun.first:
        skipped.append(
            Skipped(what=item.text, why=f"its end {item.valid_to} is before its beginning {item.valid_from}")
        )
        end = None
    today = said_at.date()
    ahead = (begun is not None and begun.first > today) or (begun is None and _ahead(event, today))
    if ahead:
        start = event.split("/")[0] if event else str(item.valid_from).strip()
        if end is not None and "/" not in (event or "") and end.last > date.fromisoformat(_first(start)):
            event = f"{start}/{str(item.valid_to).strip()}"
        return Told(event_time=event or start), tuple(skipped)
    grains = [one.grain for one in (begun, end) if one is not None]
    return Told(
        valid_from=_midnight(begun.first, said_at) if begun is not None and begun.first < today else None,
        valid_to=None if end is None else _midnight(end.last + timedelta(days=1), said_at),
        granularity=max(grains, key=("day", "month", "year").index) if grains else None,
        event_time=event,
    ), tuple(skipped)


def checked(
    items: Sequence[FactItem], message: str, said_at: datetime, shown: Sequence[str] = ()
) -> tuple[tuple[FactItem, ...], tuple[Skipped, ...]]:
    """The items with dates that the message cannot mean put right, and what was put right.

    ``shown`` are other texts that the model saw: a date that one of them tells stays.

    >>> from datetime import timezone
    >>> said = datetime(2025, 6, 15, 12, tzinfo=timezone.utc)
    >>> wrong = FactItem(subject="Ana", text="Ana moved on June 13, 2025", valid_from="2025-06-13")
    >>> [right], _ = checked([wrong], "I moved yesterday.", said)
    >>> right.valid_from, right.text
    ('2025-06-14', 'Ana moved on 14 June 2025')
    """
    if not any(item.valid_from or item.event_time for item in items):
        return tuple(items), ()
    language = cast(Literal["en", "pt"], guess_language(message))
    leans: list[tuple[TimeSpan, ...]] = [
        find_times(message, said_at, language=language, weekday=lean) for lean in ("tense", "past", "future")
    ]
    meant = [span for spans in leans for span in spans]
    sure = leans[0][0] if len({(span.start, span.iso) for span in meant}) == 1 and leans[0] else None
    words = "" if sure is None else absolutise(sure.text, said_at, language=language)
    if sure is None or words == sure.text or (sure.first != sure.last and sure.grain == "day"):
        return tuple(items), ()
    if _LENGTH.search(message[: sure.start] + " " + message[sure.end :]):
        return tuple(items), ()
    elsewhere = [span for text in shown for span in find_times(text, said_at, language=language)]
    out, skipped = [], []
    for item in items:
        right = item
        for name in ("valid_from", "event_time"):
            stated = _read(getattr(item, name))
            if stated is None or not _mistaken(stated, sure) or any(_meets(stated, span) for span in elsewhere):
                continue
            iso = sure.first.isoformat() if sure.grain in ("week", "weekend", "season") else sure.iso.split("/")[0]
            wrong = [s for s in find_times(item.text, said_at, language=language) if _meets(stated, s)]
            text = _said_instead(item.text, wrong[0], words) if wrong else right.text
            right = right.model_copy(update={name: iso, "text": text})
            skipped.append(
                Skipped(what=f"{name} {getattr(item, name)} of {item.text!r}", why=f"{sure.text!r} is {iso}")
            )
        out.append(right)
    return tuple(out), tuple(skipped)


def _said_instead(text: str, wrong: TimeSpan, words: str) -> str:
    """The text with other words for an expression, and a capital still where it began the text with one."""
    first = words[:1].upper() if wrong.start == 0 and wrong.text[:1].isupper() else words[:1]
    return text[: wrong.start] + first + words[1:] + text[wrong.end :]


def _mistaken(stated: _Day, span: TimeSpan) -> bool:
    """Whether a date is one that an expression of its grain was wrongly taken for."""
    grain = "day" if span.grain in ("week", "weekend") else span.grain
    if grain != stated.grain or _meets(stated, span):
        return False
    return abs(stated.first - span.first) <= _NEAR[stated.grain]


def _meets(stated: _Day, span: TimeSpan) -> bool:
    first, last = span.window
    return first <= stated.last and stated.first <= last


def _ahead(event: str | None, today: date) -> bool:
    return event is not None and date.fromisoformat(_first(event.split("/")[0])) > today


def _first(iso: str) -> str:
    found = _read(iso)
    assert found is not None
    return found.first.isoformat()


def _midnight(day: date, said_at: datetime) -> datetime:
    return datetime.combine(day, time(), tzinfo=said_at.tzinfo)


def _interval(text: str) -> bool:
    """Whether a text is an ISO date, or two with a slash between, in order."""
    parts = [_read(part) for part in text.split("/")]
    days = [part for part in parts if part is not None]
    return len(days) == len(parts) <= 2 and all(a.first <= b.first for a, b in pairwise(days))


def _read(text: str | None) -> _Day | None:
    """The days of an ISO date of day, month or year grain; None for what is no date (nor a year that a zone could carry
    over the edge of the calendar).
    """
    found = _ISO.match(text.strip()) if text else None
    if found is None or not "0001" < found[1] < "9999":
        return None
    try:
        first = date(int(found[1]), int(found[2] or 1), int(found[3] or 1))
    except ValueError:
        return None
    if found[3]:
        return _Day(first, first, "day")
    following = date(first.year + (not found[2] or first.month == 12), first.month % 12 + 1 if found[2] else 1, 1)
    return _Day(first, following - timedelta(days=1), "month" if found[2] else "year")
