"""Feasts of the Jewish, Islamic and Indian calendars, computed: by cycle, by new moon, by lunar day."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from functools import lru_cache

from arandu_lab.pure.timex import calendar, sky
from arandu_lab.pure.timex.calendar import FRIDAY, MONDAY, SATURDAY, SUNDAY, Interval

Feast = Callable[[int], Interval | None]

# -- the Jewish calendar ---------------------------------------------------------------------------------------------

#: The day number (`date.toordinal`) of the day before 1 Tishri of year 1.
_HEBREW_EPOCH = -1373427
#: Lengths of Nisan to Elul, which never vary.
_SPRING = (30, 29, 30, 29, 30, 29)


def hebrew(month: int, day: int, length: int = 1, moves: Mapping[int, int] | None = None) -> Feast:
    """A feast by Hebrew month (1 is Nisan, 7 Tishri) and day, from its evening on, which is the day before.

    `moves` puts off a feast that would fall on some weekday. Days below 1 count back into Adar.

    >>> hebrew(7, 10)(2018)
    (datetime.date(2018, 9, 18), datetime.date(2018, 9, 18))
    """

    def rule(year: int) -> Interval | None:
        hebrew_year = year + (3761 if month in (7, 8, 9) else 3760)
        if month >= 7:
            first = new_year(hebrew_year) + sum(_from_tishri(hebrew_year)[: month - 7])
        else:
            first = new_year(hebrew_year + 1) - sum(_SPRING[month - 1 :])
        found = first + day - 1
        found += (moves or {}).get((found - 1) % 7, 0)
        return _span(found - 1, length)

    return rule


def new_year(hebrew_year: int) -> int:
    """The day number of Rosh Hashanah.

    >>> date.fromordinal(new_year(5779))
    datetime.date(2018, 9, 10)
    """
    before, here, after = (_elapsed(hebrew_year + step) for step in (-1, 0, 1))
    delay = 2 if after - here == 356 else 1 if here - before == 382 else 0
    return _HEBREW_EPOCH + here + delay


def _elapsed(year: int) -> int:
    months = (235 * year - 234) // 19
    days = 29 * months + (12084 + 13753 * months) // 25920
    return days + 1 if 3 * (days + 1) % 7 < 3 else days


def _from_tishri(year: int) -> tuple[int, ...]:
    spare = (new_year(year + 1) - new_year(year)) % 10  # 3: deficient, 4: regular, 5: complete
    return (30, 30 if spare == 5 else 29, 29 if spare == 3 else 30, 29, 30)


# -- the Islamic calendar --------------------------------------------------------------------------------------------

_ISLAMIC_EPOCH = 227015
_MECCAN_SUNSET = 15.4 / 24


def islamic(month: int, day: int, length: int | None = 1) -> Feast:
    """A feast by Islamic month and day; without a length, to the end of the month.

    A month begins on the day after its new moon, or the second after when the moon is new after sunset in Mecca. Of
    two feasts in one civil year the first is meant.

    >>> islamic(10, 1)(2018)
    (datetime.date(2018, 6, 15), datetime.date(2018, 6, 15))
    """

    def rule(year: int) -> Interval | None:
        for islamic_year in range((year - 622) * 33 // 32 - 1, (year - 622) * 33 // 32 + 3):
            first = _islamic_month(islamic_year, month) + day - 1
            size = _islamic_month(islamic_year, month + 1) - first if length is None else length
            span = _span(first, size)
            if span and span[0].year == year:
                return span
        return None

    return rule


def _islamic_month(year: int, month: int) -> int:
    tabular = _ISLAMIC_EPOCH + 354 * (year - 1) + (3 + 11 * year) // 30 + 29 * (month - 1) + month // 2
    number = round((tabular - 1.2 - 730125.76) / sky.MONTH)
    return int(sky.new_moon(number) - _MECCAN_SUNSET + 1) + 1


def _last_friday_of_ramadan(year: int) -> Interval | None:
    month = islamic(9, 1, None)(year)
    found = month and calendar.nth_weekday(month, -1, FRIDAY)
    return (found, found) if found else None


# -- the Indian calendars --------------------------------------------------------------------------------------------

_INDIA = 5.5 / 24
SUNRISE, NOON, AFTERNOON, DUSK, MIDNIGHT = 6.3 / 24, 12.3 / 24, 14.5 / 24, 18.8 / 24, 23.99 / 24


def lunar(month: int, tithi: int, hour: float = SUNRISE, offset: int = 0, length: int = 1) -> Feast:
    """A feast by lunar month (1 is Chaitra, months ending at new moon) and lunar day (1-30) prevailing at an hour.

    >>> lunar(7, 30, DUSK)(2019)
    (datetime.date(2019, 10, 27), datetime.date(2019, 10, 27))
    """

    def rule(year: int) -> Interval | None:
        start = _indian_month(year, month)
        if start is None:
            return None
        expected = int(start + sky.MONTH * (tithi - 1) / 30)
        for first in range(expected - 2, expected + 4):  # the first day on which that lunar day has come by the hour
            instant = first + hour - _INDIA
            phase = sky.phase(instant)
            turns = round((instant - start) / sky.MONTH - phase / 360)
            if phase + 360 * turns >= 12 * (tithi - 1):
                return _span(first + offset, length)
        return None

    return rule


def solar(sign: int, offset: int = 0) -> Feast:
    """The day on which the sun enters a sidereal sign (0 is Mesha), as kept in India."""

    def rule(year: int) -> Interval | None:
        guess = calendar.day_of(year, 4, 14)
        if guess is None:
            return None
        day = guess.toordinal() + round(sign * 30.44) - (366 if sign >= 9 else 0)
        for first in range(day - 4, day + 5):
            if (_sidereal(first + DUSK - _INDIA) - 30 * sign + 180) % 360 - 180 >= 0:
                return _span(first + offset, 1)
        return None

    return rule


def _sidereal(instant: float) -> float:
    return (sky.sun(instant) - 23.853 - (instant - 730120.5) / 26140) % 360


@lru_cache(maxsize=256)
def _indian_month(year: int, month: int) -> float | None:
    """The new moon that begins a lunar month: the latter of two, for a leap month comes first and has no feasts."""
    wanted = (month - 2) % 12  # the sign in which the sun stands when the month begins
    civil = calendar.day_of(year, 1, 1)
    if civil is None:
        return None
    middle = sky.lunation_at(civil.toordinal() + (2.6 + month - 1 if month < 10 else month - 9.6) * 30.44)
    starts = [sky.new_moon(middle + step) for step in range(-2, 4)]
    return next((start for start in reversed(starts) if int(_sidereal(start) // 30) == wanted), None)


# -- the Chinese calendar --------------------------------------------------------------------------------------------


def chinese_new_year(year: int) -> Interval | None:
    """The first day, in Beijing, of the month in which the sun comes to 330 degrees: its last new moon until that day's end.

    >>> chinese_new_year(2014), chinese_new_year(2023)  # two new moons between 21 January and 20 February 2023
    ((datetime.date(2014, 1, 31), datetime.date(2014, 1, 31)), (datetime.date(2023, 1, 22), datetime.date(2023, 1, 22)))
    """
    middle = calendar.day_of(year, 2, 19)
    if middle is None:
        return None
    beijing = 8 / 24
    ends = (middle.toordinal() + step - beijing for step in range(-10, 12))
    rain = next((end for end in ends if (sky.sun(end) - 330 + 180) % 360 - 180 >= 0), None)
    return _span(int(sky.new_moon(sky.lunation_at(rain)) + beijing), 1) if rain else None


# -- shared ----------------------------------------------------------------------------------------------------------


def _span(first: int, length: int) -> Interval | None:
    begun = date.fromordinal(first) if 1 <= first <= date.max.toordinal() else None
    ended = begun and calendar.shift(begun, length - 1)
    return (begun, ended) if begun and ended else None


_AL = r"(?: al| ul| el)"
NAMES: Mapping[str, Feast] = {
    r"rosh ha-?shann?ah?": hebrew(7, 1, 3),
    r"yom kipp?ur": hebrew(7, 10),
    r"(?:sukkot|sukkos|succot|succos|feast of (?:tabernacles|booths))": hebrew(7, 15, 9),
    r"shemini atzeret": hebrew(7, 22),
    r"simchat torah|simchas torah": hebrew(7, 23),
    r"c?hann?ukk?ah?": hebrew(9, 25, 8),
    r"tu bi?'?shvat": hebrew(11, 15),
    r"purim": hebrew(1, 14 - 29),
    r"shushan purim": hebrew(1, 15 - 29),
    r"passover|pesach": hebrew(1, 15, 9),
    r"yom ha-?'?shoah|holocaust remembrance day": hebrew(1, 27, moves={FRIDAY: -1, SUNDAY: 1}),
    r"yom ha-?'?atzma'?ut": hebrew(2, 5, moves={FRIDAY: -1, SATURDAY: -2, MONDAY: 1}),
    r"lag b'?a'?omer": hebrew(2, 18),
    r"shavu'?ot|shavuos|feast of weeks": hebrew(3, 6, 3),
    r"tisha b'?av": hebrew(5, 9, moves={SATURDAY: 1}),
    r"(?:chinese|lunar) new years?(?: day)?": chinese_new_year,
    r"(?:islamic|muslim|hijri|arabic) new year": islamic(1, 1),
    r"(?:the )?(?:day of )?'?ashura": islamic(1, 10),
    rf"mawlid(?:{_AL} nabawi)?|(?:the )?prophet(?: muhammad)?'s birthday": islamic(3, 12),
    r"isra (?:and|&) mi'?raj|(?:the )?night journey": islamic(7, 27),
    r"ramad[ah]a?n|ramzan": islamic(9, 1, None),
    rf"laylat{_AL} [kq]adr|night of (?:power|destiny)": islamic(9, 27),
    rf"jamat{_AL} vida|jumu'?atul wida": _last_friday_of_ramadan,
    rf"eid{_AL} fitr|feast of breaking the fast": islamic(10, 1),
    rf"eid{_AL} adha|(?:feast of (?:the )?sacrifice|sacrifice feast)|bakr ?eid": islamic(12, 10),
    r"(?:y?ugadi|yugadi|samvatsaradi|gudi padwa|chaitra sukh?ladi)": lunar(1, 1),
    r"rama? navami": lunar(1, 9, NOON),
    r"(?:mahavira?|mahaveer) (?:jayanti|janma kalyanak)": lunar(1, 13),
    r"hanuman jayanti": lunar(1, 15),
    r"vesak|vaisakha|buddha (?:purnima|day|jayanti)": lunar(2, 15, DUSK),
    r"ratha? ?(?:yatra|jatra)": lunar(4, 2),
    r"guru purnima": lunar(4, 15),
    r"(?:raksha|rakhi) ?bandhan|rakhi": lunar(5, 15),
    r"(?:krishna )?janmashtami|gokulashtami": lunar(5, 23, MIDNIGHT),
    r"(?:ganesh(?:a)?|vinayaka) chathurthi|(?:ganesh(?:a)?|vinayaka) chaturthi": lunar(6, 4, NOON),
    r"navarat(?:h)?ri|durga puja": lunar(7, 1, DUSK, length=10),
    r"dussehra|vijayadashami|dasara": lunar(7, 10, AFTERNOON),
    r"(?:maharishi )?valmiki jayanti|pargat diwas|sharad purnima": lunar(7, 15),
    r"karva chauth": lunar(7, 19, DUSK),
    r"dhanteras|dhanatrayodashi": lunar(7, 28, DUSK),
    r"(?:kali|roop|choti|narak) (?:chaudas|chaturdashi|diwali)|choti diwali": lunar(7, 29, DUSK),
    r"diwali|deepavali|lakshmi puja": lunar(7, 30, DUSK),
    r"govardhan puja|annakut": lunar(8, 1),
    r"(?:bhai|bhau) (?:dooj|beej|duj)": lunar(8, 2, NOON),
    r"chhath(?: puja| parv)?|surya shashthi|dala (?:chhath|puja)": lunar(8, 6),
    r"guru nanak (?:jayanti|gurpurab)|gurpurab": lunar(8, 15),
    r"guru go[bv]ind singh (?:jayanti|gurpurab|birthday)": lunar(10, 7),
    r"(?:vasant|basant) panchami|saraswati (?:puja|jayanti)": lunar(11, 5),
    r"guru ravidass? (?:jayanti|birthday)": lunar(11, 15),
    r"maha ?shivaratri": lunar(11, 29, MIDNIGHT),
    r"holika dahan|(?:chhoti|choti) holi": lunar(12, 15, DUSK),
    r"holi|dhuleti|phagwah": lunar(12, 15, DUSK, offset=1),
    r"(?:bhogi|bogi)(?: pandigai)?": solar(9, -1),
    r"(?:thai )?pongal|makara? sankranti?|maghi|lohri": solar(9),
    r"(?:mattu) pongal": solar(9, 1),
    r"kaa?num pongal|kanni pongal": solar(9, 2),
    r"vais?akhi|vasakhi|baisakhi|mesha sankranti": solar(0),
    r"rabindra(?:nath)? jayanti": solar(0, 25),
}
