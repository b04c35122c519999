"""Feasts of the Jewish and Islamic calendars, by calendar arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date

from arandu_lab.pure.timex import calendar
from arandu_lab.pure.timex.calendar import Interval

Feast = Callable[[int], Interval | None]

#: Day numbers (`date.toordinal`) of the day before 1 Tishri of year 1, and of 1 Muharram of year 1 (civil epoch).
_HEBREW_EPOCH = -1373427
_ISLAMIC_EPOCH = 227015


def new_year(hebrew: int) -> int:
    """The day number of Rosh Hashanah of a Hebrew year.

    >>> date.fromordinal(new_year(5779))
    datetime.date(2018, 9, 10)
    """
    return _HEBREW_EPOCH + _elapsed(hebrew) + _delay(hebrew)


def hebrew(month: int, day: int, length: int = 1, shift: int = 0) -> Feast:
    """A Hebrew month (1 is Nisan, 7 Tishri) and day; the evening before counts, as in almanacs, through `shift`."""

    def rule(year: int) -> Interval | None:
        hebrew_year = year + (3761 if month in (7, 8, 9) else 3760)
        start = new_year(hebrew_year) if month >= 7 else new_year(hebrew_year + 1)
        offsets = _lengths(hebrew_year)
        first = start + (sum(offsets[: month - 7]) if month >= 7 else -sum(_SPRING[month - 1 :])) + day - 1 + shift
        return _span(first, length)

    return rule


def islamic(month: int, day: int, length: int | None = 1) -> Feast:
    """An Islamic month and day in the tabular calendar; without a length, the whole month.

    A Gregorian year may hold two of one feast: the first is meant.
    """

    def rule(year: int) -> Interval | None:
        guess = (year - 622) * 33 // 32
        for islamic_year in range(guess - 1, guess + 3):
            first = _islamic_day(islamic_year, month, day)
            size = _islamic_day(islamic_year, month + 1, 1) - first if length is None else length
            span = _span(first, size)
            if span and span[0].year == year:
                return span
        return None

    return rule


def _islamic_day(year: int, month: int, day: int) -> int:
    return _ISLAMIC_EPOCH + 354 * (year - 1) + (3 + 11 * year) // 30 + 29 * (month - 1) + month // 2 + day - 1


def _elapsed(year: int) -> int:
    months = (235 * year - 234) // 19
    parts = 12084 + 13753 * months
    days = 29 * months + parts // 25920
    return days + 1 if 3 * (days + 1) % 7 < 3 else days


def _delay(year: int) -> int:
    before, here, after = _elapsed(year - 1), _elapsed(year), _elapsed(year + 1)
    return 2 if after - here == 356 else 1 if here - before == 382 else 0


#: Lengths of Nisan to Elul, which never vary, and of the months from Tishri in a Hebrew year, which do.
_SPRING = (30, 29, 30, 29, 30, 29)


def _lengths(year: int) -> tuple[int, ...]:
    days = new_year(year + 1) - new_year(year)
    leap = days > 380
    spare = days % 10  # 3: deficient, 4: regular, 5: complete
    return (30, 30 if spare == 5 else 29, 29 if spare == 3 else 30, 29, 30, *((30, 29) if leap else (29,)))


def _span(first: int, length: int) -> Interval | None:
    begun = date.fromordinal(first) if 1 <= first <= date.max.toordinal() else None
    ended = begun and calendar.shift(begun, length - 1)
    return (begun, ended) if begun and ended else None


NAMES: Mapping[str, Feast] = {}
