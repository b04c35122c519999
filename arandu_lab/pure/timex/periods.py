"""Meanings longer than a day: weeks, weekends, months, seasons, years, their parts, and ranges from one to another."""

from __future__ import annotations

from datetime import timedelta

from arandu_lab.pure.timex import calendar
from arandu_lab.pure.timex.calendar import Interval
from arandu_lab.pure.timex.meaning import LAST, THIS, Meaning, Now, Part, Reading, Unit, months_of, span_of, weekday_in


def unit(name: Unit, steps: int) -> Meaning:
    """The calendar unit `steps` after the present one: -1 is last week, 0 this month, +1 next year."""
    return lambda now: _units(now, name, steps, steps)


def units(name: Unit, count: int, sign: int) -> Meaning:
    """The `count` whole units before (-1) or after (+1) the present one: "the last two weeks"."""
    return lambda now: _units(now, name, -count, -1) if sign < 0 else _units(now, name, 1, count)


def the_weekend() -> Meaning:
    """ "The weekend": the present or coming one, or, of something past, the last that has begun."""

    def read(now: Now) -> Reading | None:
        return _units(now, "weekend", *((-1, -1) if now.lean < 0 and now.today.weekday() < 5 else (0, 0)))

    return read


def several(which: int, count: int, unit: Unit) -> Meaning | None:
    """The LAST or NEXT so many units; THIS so many are none."""
    return None if which == THIS else units(unit, count, -1 if which == LAST else 1)


def month(number: int, year: int | None = None) -> Meaning:
    """A month by name; without a year, the present one or the nearest of the lean."""

    def read(now: Now) -> Reading | None:
        if year is not None:
            return months_of(year, number, 1)
        passed = (now.today.month - number) * now.lean > 0
        return months_of(now.today.year + (now.lean if passed else 0), number, 1)

    return read


def named_month(number: int, which: int) -> Meaning:
    """Last, this or next March: this is of the present year, the others the nearest that is not the present month."""

    def read(now: Now) -> Reading | None:
        year, current = now.today.year, now.today.month
        if which == THIS:
            return months_of(year, number, 1)
        if which == LAST:
            return months_of(year if number < current else year - 1, number, 1)
        return months_of(year if number > current else year + 1, number, 1)

    return read


def month_in(number: int, period: Meaning) -> Meaning:
    """A month within a year that is told otherwise: "March of next year", "March two years ago"."""

    def read(now: Now) -> Reading | None:
        span = period(now)
        return months_of(span.first.year, number, 1) if span and span.grain == "year" else None

    return read


def season(name: str, *, year: int | None = None, which: int | None = None, within: Meaning | None = None) -> Meaning:
    """A season: bare (the present one, or the nearest of the lean), of a year, or LAST, THIS or NEXT."""

    def read(now: Now) -> Reading | None:
        def of(number: int) -> Interval | None:
            return calendar.season(name, number, southern=now.southern)

        span = within(now) if within else None
        if within is not None and (span is None or span.grain != "year"):
            return None
        if year is not None or span is not None:
            return span_of(of(year if year is not None else span.first.year if span else 0), "season")
        near = [found for each in range(-2, 3) if (found := of(now.today.year + each))]
        if which is None or which == THIS:
            present = [each for each in near if each[0] <= now.today <= each[1]]
            if present:
                return span_of(present[0], "season")
            if which == THIS:
                return span_of(of(now.today.year), "season")
        ahead = now.lean > 0 if which is None else which != LAST
        if ahead:
            return span_of(next((each for each in near if each[0] > now.today), None), "season")
        return span_of(next((each for each in reversed(near) if each[1] < now.today), None), "season")

    return read


def year(number: int) -> Meaning:
    """A year by number."""
    return lambda now: span_of(calendar.year_span(number), "year")


def decade(tens: int) -> Meaning:
    """ "The 90s", or "the 1890s": ten years; two digits mean the century that speakers mean."""
    first = tens if tens >= 100 else tens + (1900 if tens >= 30 else 2000)
    return lambda now: span_of(calendar.year_span(first, first + 9), "year")


def unit_of(name: Unit, base: Meaning) -> Meaning:
    """The week or weekend that holds a day: "the week of 3 June"."""

    def read(now: Now) -> Reading | None:
        anchor = base(now)
        return _units(Now(anchor.first, now.lean, now.southern), name, 0, 0) if anchor else None

    return read


def unit_steps(name: Unit, steps: int, base: Meaning) -> Meaning:
    """The unit so many after or before the one that holds the base: "the week before Christmas"."""

    def read(now: Now) -> Reading | None:
        anchor = base(now)
        return _units(Now(anchor.first, now.lean, now.southern), name, steps, steps) if anchor else None

    return read


def part(which: Part, period: Meaning) -> Meaning:
    """The early, middle or late part of a period."""

    def read(now: Now) -> Reading | None:
        span = period(now)
        if span is None:
            return None
        first, last = span.first, span.last
        days = (last - first).days
        if span.grain == "day" or days == 0:
            return span
        if span.grain == "week":
            start, length = {"early": (0, 3), "mid": (2, 2), "late": (4, 3)}[which]
            return Reading(first + timedelta(days=start), first + timedelta(days=start + length - 1), "day")
        if span.grain == "year" and first.year == last.year:
            start, length = {"early": (1, 3), "mid": (5, 4), "late": (9, 4)}[which]
            return months_of(first.year, start, length)
        if span.grain == "year":
            start, length = {"early": (0, 4), "mid": (3, 4), "late": (6, 4)}[which]
            return span_of(calendar.year_span(first.year + start, first.year + start + length - 1), "year")
        if days < 3:  # a weekend has an early and a late day, and no middle
            return {"early": Reading(first, first, "day"), "mid": span, "late": Reading(last, last, "day")}[which]
        third = 10 if span.grain == "month" and days <= 31 else (days + 1) // 3
        start = {"early": 0, "mid": third, "late": 2 * third}[which]
        end = days if which == "late" else start + third - 1
        return Reading(first + timedelta(days=start), first + timedelta(days=end), "day")

    return read


def range_of(start: Meaning, end: Meaning) -> Meaning:
    """From one to another; an end that would come first is the next such after the start."""

    def read(now: Now) -> Reading | None:
        begun = start(now)
        ended = begun and end(now)
        if begun and ended and ended.last < begun.first:
            ended = end(Now(begun.first, 1, now.southern))
        if not begun or not ended or ended.last < begun.first:
            return None
        return Reading(begun.first, ended.last, begun.grain if begun.grain == ended.grain else "day")

    return read


def weekdays_range(first: int, last: int, period: Meaning) -> Meaning:
    """ "From Monday to Friday last week": the weekday that opens is the last such before the one that closes."""
    closing = weekday_in(last, period)

    def read(now: Now) -> Reading | None:
        ended = closing(now)
        back = (last - first) % 7
        if ended is None or ended.first.toordinal() <= back:
            return None
        return Reading(ended.first - timedelta(days=back), ended.last, "day")

    return read


def months_range(first: int, last: int, year: Meaning) -> Meaning:
    """ "From March to May 2024": the month that opens is of the year of the month that closes, or of the one before."""

    def read(now: Now) -> Reading | None:
        whole = year(now)
        if whole is None or whole.first.year != whole.last.year:
            return None
        number = whole.first.year
        start, end = calendar.month(number - (first > last), first), calendar.month(number, last)
        return Reading(start[0], end[1], "month") if start and end else None

    return read


def days_range(first: int, day_meaning: Meaning) -> Meaning:
    """ "From 13 to 15 July": the day that opens is of the month of the day that closes."""

    def read(now: Now) -> Reading | None:
        end = day_meaning(now)
        start = end and calendar.day_of(end.first.year, end.first.month, first)
        return Reading(start, end.last, "day") if start and end and start <= end.last else None

    return read


def _units(now: Now, name: Unit, from_step: int, to_step: int) -> Reading | None:
    today = now.today
    match name:
        case "day" | "business":
            first, last = calendar.shift(today, from_step), calendar.shift(today, to_step)
            return Reading(first, last, "day") if first and last else None
        case "week" | "weekend":
            spans = [
                (calendar.week if name == "week" else calendar.weekend)(today, step) for step in (from_step, to_step)
            ]
            return Reading(spans[0][0], spans[1][1], name) if spans[0] and spans[1] else None
        case "month":
            return months_of(today.year, today.month + from_step, to_step - from_step + 1)
        case "quarter":
            start = (today.month - 1) // 3 * 3 + 1 + 3 * from_step
            return months_of(today.year, start, 3 * (to_step - from_step + 1))
        case "season":
            begun, ended = calendar.season_at(today, from_step), calendar.season_at(today, to_step)
            return Reading(begun[0], ended[1], "season") if begun and ended else None
        case "year":
            return span_of(calendar.year_span(today.year + from_step, today.year + to_step), "year")
        case "decade":
            start = today.year // 10 * 10
            return span_of(calendar.year_span(start + 10 * from_step, start + 10 * to_step + 9), "year")


__all__ = [
    "days_range",
    "decade",
    "month",
    "month_in",
    "months_range",
    "named_month",
    "part",
    "range_of",
    "season",
    "several",
    "the_weekend",
    "unit",
    "unit_of",
    "unit_steps",
    "units",
    "year",
]
