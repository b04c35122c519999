"""What the resolver returns: a stretch of text and the civil days that it names."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, time
from typing import Literal

from arandu_lab.pure.timex import calendar
from arandu_lab.pure.timex.calendar import Grain

Relation = Literal["at", "since", "until", "for", "before", "after"]
Tense = Literal["past", "future", "present"]
Language = Literal["en", "pt"]


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """A time expression in a sentence, resolved to civil days in the speaker's zone.

    A count of weeks, months or years ("two years ago") is counted to the very day, in `first` and `last`, but its
    `grain` stays the unit that was counted: `iso` and `window` are then only as exact as the words were.
    """

    text: str
    start: int
    end: int
    first: date
    last: date
    grain: Grain
    relation: Relation
    tense: Tense
    clock: time | None = None

    @property
    def iso(self) -> str:
        """The span in ISO 8601, as exact as its grain: a day, week, month or year, or an interval of two of them.

        >>> TimeSpan("last week", 0, 9, date(2024, 3, 4), date(2024, 3, 10), "week", "at", "past").iso
        '2024-W10'
        """
        if self.grain in ("season", "weekend"):
            return f"{self.first.isoformat()}/{self.last.isoformat()}"
        first, last = _iso(self.first, self.grain), _iso(self.last, self.grain)
        return first if first == last else f"{first}/{last}"

    @property
    def window(self) -> tuple[date, date]:
        """The whole weeks, months or years that the span touches: the days that its words may mean.

        >>> TimeSpan("a month ago", 0, 11, date(2024, 2, 7), date(2024, 2, 7), "month", "at", "past").window
        (datetime.date(2024, 2, 1), datetime.date(2024, 2, 29))
        """
        first, last = _around(self.first, self.grain), _around(self.last, self.grain)
        return (first[0] if first else self.first, last[1] if last else self.last)


def _iso(day: date, grain: Grain) -> str:
    match grain:
        case "week":
            year, week, _ = day.isocalendar()
            return f"{year:04d}-W{week:02d}"
        case "month":
            return f"{day.year:04d}-{day.month:02d}"
        case "year":
            return f"{day.year:04d}"
        case _:
            return day.isoformat()


def _around(day: date, grain: Grain) -> calendar.Interval | None:
    match grain:
        case "week":
            return calendar.week(day)
        case "month":
            return calendar.month(day.year, day.month)
        case "year":
            return calendar.year_span(day.year)
        case _:
            return None
