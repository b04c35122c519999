"""Meanings: what a time expression says before it is known when it was said.

A `Meaning` is a function of the moment of speech (`Now`) to a `Reading`, or to None when there is no such day. The
grammars of the languages build meanings with the functions here; nothing here knows a word of any language.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from arandu_lab.pure.timex import calendar
from arandu_lab.pure.timex.calendar import Grain, Interval

Unit = Literal["day", "business", "week", "weekend", "month", "quarter", "season", "year", "decade"]
Part = Literal["early", "mid", "late"]
Feast = Callable[[int], Interval | None]

HALF: Mapping[Unit, tuple[int, Unit]] = {"year": (6, "month"), "month": (15, "day"), "decade": (5, "year")}

LAST, THIS, NEXT, COMING = -1, 0, 1, 2  # COMING: the soonest, where NEXT may skip the present week


@dataclass(frozen=True, slots=True)
class Now:
    """The moment of speech: its day, where an undirected name leans (-1 back, +1 ahead), and the hemisphere."""

    today: date
    lean: int
    southern: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """The days that an expression names, and how exactly."""

    first: date
    last: date
    grain: Grain
    relation: Literal["for"] | None = None


Meaning = Callable[[Now], Reading | None]


def nothing(now: Now) -> Reading | None:
    """The meaning of what looks like a date and is none ("every Monday")."""
    return None


# -- days ------------------------------------------------------------------------------------------------------------


def day(offset: int) -> Meaning:
    """So many days from today."""
    return lambda now: _day(calendar.shift(now.today, offset))


def counted(counts: Sequence[tuple[int, Unit]], sign: int, base: Meaning | None = None) -> Meaning:
    """So many days, weeks, months or years before (-1) or after (+1) the base, which is today unless given."""

    def read(now: Now) -> Reading | None:
        start = base(now) if base else Reading(now.today, now.today, "day")
        if start is None:
            return None
        found: date | None = start.first if sign < 0 or start.grain != "day" else start.last
        for count, unit in sorted(counts, key=lambda pair: pair[1] not in ("year", "month", "decade")):
            found = found and _step(found, sign * count, unit)
        if base or len(counts) > 1:
            return _day(found)
        return _day(found, _GRAIN[counts[0][1]])

    return read


def counts(told: Sequence[tuple[int, Unit]], sign: int, base: Meaning | None = None) -> Meaning | None:
    """`counted`, for units that can be counted in days; weekends cannot."""
    return None if any(unit in ("weekend", "season") for _, unit in told) else counted(told, sign, base)


def and_half(count: int, unit: Unit, sign: int) -> Meaning | None:
    """So many units and a half."""
    return counted([(count, unit), HALF[unit]], sign) if unit in HALF else None


def lasting(counts: Sequence[tuple[int, Unit]]) -> Meaning:
    """For so long up to today."""

    def read(now: Now) -> Reading | None:
        start = counted(counts, -1)(now)
        return replace(start, last=now.today, relation="for") if start else None

    return read


def weekday(name: int, which: int | None = None) -> Meaning:
    """A day of the week: the bare name follows the lean; `which` is LAST, THIS, NEXT or COMING."""

    def read(now: Now) -> Reading | None:
        today = now.today
        if which is None or which in (LAST, COMING):
            return _day(calendar.weekday_from(today, name, now.lean if which is None else 1 if which == COMING else -1))
        if which == NEXT:
            return _day(calendar.shift(today, 7 - today.weekday() + name))
        ahead = name - today.weekday()
        return _day(calendar.shift(today, ahead if ahead >= 0 or now.lean < 0 else ahead + 7))

    return read


def weekday_steps(name: int, steps: int, base: Meaning | None = None) -> Meaning:
    """The |steps|-th such weekday after or before the base, which is today unless given."""

    def read(now: Now) -> Reading | None:
        anchor = base(now) if base else Reading(now.today, now.today, "day")
        return anchor and _day(calendar.weekday_from(anchor.last if steps > 0 else anchor.first, name, steps))

    return read


def nearest_weekday(name: int, base: Meaning) -> Meaning:
    """The such weekday nearest to the base."""

    def read(now: Now) -> Reading | None:
        anchor = base(now)
        from_day = calendar.shift(anchor.first, -4) if anchor else None
        return _day(from_day and calendar.weekday_from(from_day, name, 1))

    return read


def weekday_in(name: int, period: Meaning) -> Meaning:
    """The weekday of a week: "Friday next week"."""

    def read(now: Now) -> Reading | None:
        span = period(now)
        return _day(calendar.nth_weekday((span.first, span.last), 1, name)) if span and span.grain == "week" else None

    return read


def nth_weekday_in(nth: int, name: int, period: Meaning) -> Meaning:
    """The n-th such weekday of a longer period; a negative n counts from its end."""

    def read(now: Now) -> Reading | None:
        span = period(now)
        return span and _day(calendar.nth_weekday((span.first, span.last), nth, name))

    return read


def nth_in(nth: int, unit: Unit, period: Meaning) -> Meaning:
    """The n-th day, week, month or quarter of a longer period; a negative n counts from its end."""

    def read(now: Now) -> Reading | None:
        span = period(now)
        if span is None:
            return None
        first, last = span.first, span.last
        if unit == "day":
            found = calendar.shift(first if nth > 0 else last, nth - 1 if nth > 0 else nth + 1)
            return _day(found) if found and first <= found <= last else None
        if unit == "week":  # a week belongs to the month or year that has its Thursday
            thursday = calendar.nth_weekday((first, last), nth, calendar.THURSDAY)
            return span_of(calendar.week(thursday), "week") if thursday else None
        size = {"month": 1, "quarter": 3}.get(unit)
        if size is None:
            return None
        months = (last.year - first.year) * 12 + last.month - first.month + 1
        start = first.month + (size * (nth - 1) if nth > 0 else months + size * nth)
        return months_of(first.year, start, size) if first.month <= start < first.month + months else None

    return read


def month_day(number: int, dom: int, year: int | None = None, name: int | None = None) -> Meaning:
    """A day of a month. Without a year it follows the lean; a weekday name beside it picks among the two nearest."""

    def read(now: Now) -> Reading | None:
        if year is not None:
            return _day(calendar.day_of(year, number, dom))
        years = range(now.today.year, now.today.year + 9 * now.lean, now.lean)
        days = [found for each in years if (found := calendar.day_of(each, number, dom))]
        ahead = [each for each in days if (each - now.today).days * now.lean >= 0][:2]
        return _day(next((each for each in ahead if each.weekday() == name), ahead[0] if ahead else None))

    return read


def day_of_month(dom: int, name: int | None = None) -> Meaning:
    """ "The 14th": in the nearest month of the lean; with a weekday name, where the two agree, this month first."""

    def read(now: Now) -> Reading | None:
        today = now.today
        here = calendar.day_of(today.year, today.month, dom)
        if name is not None and here and here.weekday() == name:
            return _day(here)
        for step in range(13):
            span = calendar.month(today.year, today.month + step * now.lean)
            found = span and calendar.day_of(span[0].year, span[0].month, dom)
            if found and (found - today).days * now.lean >= 0 and name in (None, found.weekday()):
                return _day(found)
        return None

    return read


def dom_in(dom: int, period: Meaning) -> Meaning:
    """ "The 20th of next month"."""

    def read(now: Now) -> Reading | None:
        span = period(now)
        return _day(calendar.day_of(span.first.year, span.first.month, dom)) if span and span.grain == "month" else None

    return read


def day_in_other_year(base: Meaning, years: int) -> Meaning:
    """The same day so many years on: "yesterday last year"."""

    def read(now: Now) -> Reading | None:
        found = base(now)
        return found and _day(calendar.shift_months(found.first, 12 * years))

    return read


# -- feasts ----------------------------------------------------------------------------------------------------------


def feast(rule: Feast, *, year: int | None = None, which: int | None = None, within: Meaning | None = None) -> Meaning:
    """A feast: bare (by the lean), of a year, LAST, THIS or NEXT, or within or following a period or a day."""

    def read(now: Now) -> Reading | None:
        if year is not None:
            return _feast(rule(year))
        if within is not None:
            span = within(now)
            if span is None or span.grain == "year":
                return span and _feast(rule(span.first.year))
            return _feast_from(rule, span.first.replace(day=1), 1)
        if which == THIS:
            return _feast(rule(now.today.year))
        if which is not None:
            return _feast_from(rule, now.today, -1 if which == LAST else 1, strict=True)
        return _feast_from(rule, now.today, now.lean)

    return read


def nearest_feast(rule: Feast, base: Meaning, nth: int = 1) -> Meaning:
    """The n-th nearest occurrence of a feast to a day."""

    def read(now: Now) -> Reading | None:
        anchor = base(now)
        if anchor is None:
            return None
        near = [found for each in range(-nth - 1, nth + 2) if (found := rule(anchor.first.year + each))]
        near.sort(key=lambda span: abs((span[0] - anchor.first).days))
        return _feast(near[nth - 1]) if nth <= len(near) else None

    return read


def _feast_from(rule: Feast, anchor: date, lean: int, *, strict: bool = False) -> Reading | None:
    for step in range(-1, 4):
        found = rule(anchor.year + step * lean)
        if found and ((found[0] - anchor).days if lean > 0 else (anchor - found[1]).days) >= int(strict):
            return _feast(found)
        if found and not strict and found[0] <= anchor <= found[1]:
            return _feast(found)
    return None


def _feast(span: Interval | None) -> Reading | None:
    return span_of(span, "day")


# -- shared ----------------------------------------------------------------------------------------------------------

_GRAIN: dict[Unit, Grain] = {
    "day": "day",
    "business": "day",
    "week": "week",
    "weekend": "weekend",
    "month": "month",
    "quarter": "month",
    "season": "season",
    "year": "year",
    "decade": "year",
}


def _step(start: date, count: int, unit: Unit) -> date | None:
    match unit:
        case "day":
            return calendar.shift(start, count)
        case "business":
            return _business(start, count)
        case "week":
            return calendar.shift(start, 7 * count)
        case "month" | "quarter" | "year" | "decade":
            return calendar.shift_months(start, count * {"month": 1, "quarter": 3, "year": 12, "decade": 120}[unit])
        case _:
            return None


def _business(start: date, count: int) -> date | None:
    found: date | None = start
    for _ in range(abs(count)):
        found = found and calendar.shift(found, 1 if count > 0 else -1)
        while found and found.weekday() > calendar.FRIDAY:
            found = calendar.shift(found, 1 if count > 0 else -1)
    return found


def _day(found: date | None, grain: Grain = "day") -> Reading | None:
    return Reading(found, found, grain) if found else None


def span_of(span: Interval | None, grain: Grain) -> Reading | None:
    return Reading(span[0], span[1], grain) if span else None


def months_of(year: int, number: int, count: int) -> Reading | None:
    first, last = calendar.month(year, number), calendar.month(year, number + count - 1)
    return Reading(first[0], last[1], "month") if first and last else None
