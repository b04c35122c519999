"""What a line of context adds to a fact: the dates that were told with it, where its own words do not say them."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from arandu_lab.pure.text import fold, guess_language
from arandu_lab.pure.versions import stated_end
from arandu_lab.records import Fact, Granularity

_MONTHS = (
    "january|janeiro february|fevereiro march|marco april|abril may|maio june|junho july|julho august|agosto "
    "september|setembro october|outubro november|novembro december|dezembro"
).split()
_WIDTH = {"day": 10, "month": 7, "year": 4}


def dated(fact: Fact) -> str:
    """The text of a fact with its told interval, or the date that it plans, at the grain told.

    A date that nobody told (the moment of the turn) is no date of the fact and is not shown.

    >>> from datetime import UTC
    >>> may = datetime(2024, 6, 1, tzinfo=UTC)
    >>> lived = Fact(id="f", agent_id="a", entity_key="k", entity_name="Ana", text="Ana morou em Recife", confidence=1.0,
    ...              importance=1.0, category="unknown", speaker="s", source_event_id="e", recorded_at=may,
    ...              valid_from=datetime(2024, 3, 1, tzinfo=UTC), valid_to=may, closed_by="stated", granularity="month")
    >>> dated(lived)
    'Ana morou em Recife (2024-03 a 2024-05)'
    """
    first, last, grain = _told(fact)
    if grain is None or all(_says(fact.text, day, grain) for day in (first, last) if day is not None):
        return fact.text
    to, since, until = ("a", "desde", "até") if guess_language(fact.text) == "pt" else ("to", "since", "until")
    begun, ended = (None if day is None else day.isoformat()[: _WIDTH[grain]] for day in (first, last))
    if begun == ended:
        return f"{fact.text} ({begun})"
    if begun and ended:
        return f"{fact.text} ({begun} {to} {ended})"
    return f"{fact.text} ({since} {begun})" if begun else f"{fact.text} ({until} {ended})"


def _told(fact: Fact) -> tuple[date | None, date | None, Granularity | None]:
    """First and last day told, and their grain; of a plan those of what is planned."""
    if fact.event_time:
        parts = fact.event_time.split("/")
        grain: Granularity = "day" if len(parts[0]) >= 10 else "month" if len(parts[0]) >= 7 else "year"
        try:
            days = [date.fromisoformat((part + "-01-01")[:10]) for part in parts]
        except ValueError:  # free text of another system's making
            return None, None, None
        return days[0], days[-1], grain
    if fact.granularity is None:
        return None, None, None
    end = stated_end(fact)
    last = None if end is None else (end - timedelta(microseconds=1)).date()
    return (fact.valid_from.date() if _opens(fact.valid_from, fact.granularity) else None), last, fact.granularity


def _opens(moment: datetime, grain: Granularity) -> bool:
    """Whether a moment is the first of a day, month or year: the beginning was told, and is not that of the turn."""
    day = moment.date()
    whole = (moment.hour, moment.minute, moment.second, moment.microsecond) == (0, 0, 0, 0)
    return whole and (grain == "day" or day.day == 1) and (grain != "year" or day.month == 1)


def _says(text: str, day: date, grain: Granularity) -> bool:
    """Whether words tell a date: its year, and its month and day as far as its grain goes."""
    folded = fold(text)
    if not re.search(rf"\b{day.year}\b", folded):
        return False
    month = rf"\b(?:{_MONTHS[day.month - 1]})\b|\b{day.year}-{day.month:02d}\b|\b0?{day.month}/"
    if grain != "year" and not re.search(month, folded):
        return False
    return grain != "day" or bool(re.search(rf"\b0?{day.day}(?!\d)", folded))
