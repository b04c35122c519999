"""Civil-calendar arithmetic: weeks, months, n-th weekdays, seasons, and the feasts that move.

Everything here is a total function of its arguments over the years that `datetime.date` can hold; a day that does
not exist (30 February, a fifth Sunday that never comes) is `None`, never an exception.
"""

from __future__ import annotations

import calendar as civil
from datetime import date, timedelta
from typing import Literal

Grain = Literal["day", "week", "weekend", "month", "season", "year"]
Interval = tuple[date, date]

MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY = range(7)

#: (month, day) on which each quarter of the astronomical year begins, in order.
TURNS = ((3, 20), (6, 21), (9, 23), (12, 21))
NORTHERN = ("spring", "summer", "autumn", "winter")
SOUTHERN = ("autumn", "winter", "spring", "summer")


def day_of(year: int, month: int, day: int) -> date | None:
    """The civil day, or None when there is no such day.

    >>> day_of(2024, 2, 29), day_of(2023, 2, 29)
    (datetime.date(2024, 2, 29), None)
    """
    try:
        return date(year, month, day)
    except (ValueError, OverflowError):
        return None


def shift(day: date, days: int) -> date | None:
    """`day` moved by a number of days, or None beyond the calendar."""
    try:
        return day + timedelta(days=days)
    except OverflowError:
        return None


def shift_months(day: date, months: int) -> date | None:
    """`day` moved by whole months, held back to the month's last day.

    >>> shift_months(date(2024, 3, 31), -1)
    datetime.date(2024, 2, 29)
    """
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not 1 <= year <= 9999:
        return None
    return date(year, month + 1, min(day.day, civil.monthrange(year, month + 1)[1]))


def week(day: date, weeks: int = 0) -> Interval | None:
    """Monday to Sunday of the week `weeks` after that of `day`."""
    monday = shift(day, 7 * weeks - day.weekday())
    sunday = shift(monday, 6) if monday else None
    return (monday, sunday) if monday and sunday else None


def weekend(day: date, weeks: int = 0) -> Interval | None:
    """Saturday and Sunday of the week `weeks` after that of `day`."""
    found = week(day, weeks)
    return (found[1] - timedelta(days=1), found[1]) if found else None


def month(year: int, number: int) -> Interval | None:
    """First and last day of a month; `number` may run past 12 or below 1."""
    carry, index = divmod(number - 1, 12)
    year += carry
    if not 1 <= year <= 9999:
        return None
    return date(year, index + 1, 1), date(year, index + 1, civil.monthrange(year, index + 1)[1])


def year_span(first: int, last: int | None = None) -> Interval | None:
    """1 January of `first` to 31 December of `last`."""
    last = first if last is None else last
    return (date(first, 1, 1), date(last, 12, 31)) if 1 <= first <= last <= 9999 else None


def season(name: str, year: int, *, southern: bool) -> Interval | None:
    """The season called `name` that belongs to `year`.

    A season that crosses the new year belongs, in the north, to the year in which it begins (winter 2024 begins in
    December 2024), and in the south to the year in which it ends (verão de 2024 ends in March 2024).

    >>> season("summer", 2024, southern=True)
    (datetime.date(2023, 12, 21), datetime.date(2024, 3, 19))
    """
    index = (SOUTHERN if southern else NORTHERN).index(name)
    start_year = year - 1 if southern and index == 3 else year
    end_year, following = (start_year + 1, 0) if index == 3 else (start_year, index + 1)
    first, after = day_of(start_year, *TURNS[index]), day_of(end_year, *TURNS[following])
    return (first, after - timedelta(days=1)) if first and after else None


def season_at(day: date, seasons: int = 0) -> Interval | None:
    """The quarter of the astronomical year `seasons` after the one that holds `day`."""
    index = day.year * 4 + sum((day.month, day.day) >= turn for turn in TURNS) - 1 + seasons
    first = day_of(index // 4, *TURNS[index % 4])
    after = day_of((index + 1) // 4, *TURNS[(index + 1) % 4])
    return (first, after - timedelta(days=1)) if first and after else None


def nth_weekday(span: Interval, nth: int, weekday: int) -> date | None:
    """The n-th such weekday within the span; a negative n counts from the end.

    >>> nth_weekday((date(2024, 5, 1), date(2024, 5, 31)), -1, MONDAY)
    datetime.date(2024, 5, 27)
    """
    first, last = span
    if nth > 0:
        found = shift(first, (weekday - first.weekday()) % 7 + 7 * (nth - 1))
    else:
        found = shift(last, -((last.weekday() - weekday) % 7) + 7 * (nth + 1))
    return found if found and first <= found <= last else None


def weekday_from(day: date, weekday: int, steps: int) -> date | None:
    """The |steps|-th such weekday strictly after (steps > 0) or before (steps < 0) the day.

    >>> weekday_from(date(2024, 3, 4), MONDAY, 1), weekday_from(date(2024, 3, 4), MONDAY, -1)
    (datetime.date(2024, 3, 11), datetime.date(2024, 2, 26))
    """
    if steps > 0:
        return shift(day, (weekday - day.weekday() - 1) % 7 + 1 + 7 * (steps - 1))
    return shift(day, -((day.weekday() - weekday - 1) % 7 + 1) + 7 * (steps + 1))


def easter(year: int) -> date | None:
    """Western Easter Sunday (the anonymous Gregorian computus).

    >>> easter(2024)
    datetime.date(2024, 3, 31)
    """
    golden, century, rest = year % 19, year // 100, year % 100
    leaps, offset = divmod(century, 4)
    lean = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - leaps - lean + 15) % 30
    quarter, remainder = divmod(rest, 4)
    weekday = (32 + 2 * offset + 2 * quarter - epact - remainder) % 7
    correction = (golden + 11 * epact + 22 * weekday) // 451
    number, index = divmod(epact + weekday - 7 * correction + 114, 31)
    return day_of(year, number, index + 1)


def orthodox_easter(year: int) -> date | None:
    """Eastern Easter Sunday as a Gregorian day (Meeus's Julian computus, valid from 1900 to 2099).

    >>> orthodox_easter(2018)
    datetime.date(2018, 4, 8)
    """
    epact = (19 * (year % 19) + 15) % 30
    weekday = (2 * (year % 4) + 4 * (year % 7) - epact + 34) % 7
    number, index = divmod(epact + weekday + 114, 31)
    julian = day_of(year, number, index + 1)
    return shift(julian, year // 100 - year // 400 - 2) if julian else None
