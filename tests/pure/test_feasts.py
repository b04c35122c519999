"""Claims about feasts: on which civil days they fell or will fall, as almanacs have it, in English and in Portuguese."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.pure.timex import calendar, eastern, find_times
from arandu_lab.pure.timex.calendar import FRIDAY, SUNDAY, WEDNESDAY, Interval
from arandu_lab.pure.timex.feasts import from_easter, nth, working
from arandu_lab.pure.timex.spans import Language

SAID = datetime(2025, 6, 15, 10, tzinfo=UTC)


def told(name: str, year: int, language: Language) -> str:
    """Days of the only span of "name year": one day, or first/last."""
    [span] = find_times(f"{name} {'de ' if language == 'pt' else ''}{year}", SAID, language=language)
    return str(span.first) if span.first == span.last else f"{span.first}/{span.last}"


def days(spans: dict[int, Interval | None]) -> list[str]:
    """First days as text, in the order of the years."""
    return [str(span[0]) for _, span in sorted(spans.items()) if span]


IN_2024 = """
christmas: 12-25 | christmas eve: 12-24 | boxing day: 12-26 | new year's eve: 12-31 | new year's day: 01-01
valentine's day: 02-14 | saint patrick's day: 03-17 | april fools' day: 04-01 | groundhog day: 02-02 | earth day: 04-22
the ides of march: 03-15 | cinco de mayo: 05-05 | independence day: 07-04 | juneteenth: 06-19 | bastille day: 07-14
halloween: 10-31 | all saints' day: 11-01 | all souls' day: 11-02 | guy fawkes night: 11-05 | veterans day: 11-11
anzac day: 04-25 | australia day: 01-26 | canada day: 07-01 | three kings' day: 01-06 | women's day: 03-08 | pi day: 03-14
martin luther king day: 01-15 | presidents' day: 02-19 | mother's day: 05-12 | memorial day: 05-27 | father's day: 06-16
labor day: 09-02 | columbus day: 10-14 | thanksgiving: 11-28 | black friday: 11-29 | cyber monday: 12-02
giving tuesday: 12-03 | boss's day: 10-16 | election day: 11-05 | king's day: 04-27 | military spouse day: 05-10
mardi gras: 02-13 | shrove monday: 02-12 | ash wednesday: 02-14 | palm sunday: 03-24 | maundy thursday: 03-28
good friday: 03-29 | holy saturday: 03-30 | easter: 03-31 | easter monday: 04-01 | ascension day: 05-09
pentecost: 05-19 | whit monday: 05-20 | trinity sunday: 05-26 | corpus christi: 05-30
orthodox easter: 05-05 | orthodox easter monday: 05-06 | orthodox good friday: 05-03 | orthodox palm sunday: 04-28
clean monday: 03-18 | lazarus saturday: 04-27 | orthodox pentecost: 06-23
yom kippur: 10-11 | shemini atzeret: 10-23 | simchat torah: 10-24 | purim: 03-23 | shushan purim: 03-24
yom hashoah: 05-05 | yom haatzmaut: 05-13 | lag baomer: 05-25 | tisha bav: 08-12 | tu bishvat: 01-24
islamic new year: 07-07 | ashura: 07-16 | mawlid: 09-15 | laylat al qadr: 04-06
jamat ul vida: 04-05 | eid al fitr: 04-10 | eid al adha: 06-16
chinese new year: 02-10 | ugadi: 04-09 | rama navami: 04-17 | mahavir jayanti: 04-21 | hanuman jayanti: 04-23
vesak: 05-23 | rath yatra: 07-07 | guru purnima: 07-21 | raksha bandhan: 08-19 | janmashtami: 08-26
ganesh chaturthi: 09-07 | dussehra: 10-12 | sharad purnima: 10-17 | karva chauth: 10-20 | dhanteras: 10-29
diwali: 10-31 | govardhan puja: 11-02 | bhai dooj: 11-03 | chhath puja: 11-07
vasant panchami: 02-14 | guru ravidas jayanti: 02-24 | maha shivaratri: 03-08 | holika dahan: 03-24 | holi: 03-25
bhogi: 01-14 | pongal: 01-15 | mattu pongal: 01-16 | kaanum pongal: 01-17
"""
LONG_2024 = {
    "holy week": "2024-03-24/2024-03-30",
    "great lent": "2024-03-18/2024-04-26",
    "rosh hashanah": "2024-10-02/2024-10-04",
    "sukkot": "2024-10-16/2024-10-24",
    "hanukkah": "2024-12-25/2025-01-01",
    "passover": "2024-04-22/2024-04-30",
    "shavuot": "2024-06-11/2024-06-13",
    "ramadan": "2024-03-11/2024-04-09",
    "navaratri": "2024-10-03/2024-10-12",
}
EM_2024 = """
véspera de natal: 12-24 | natal: 12-25 | virada do ano: 12-31 | réveillon: 12-31 | dia da confraternização universal: 01-01
dia de reis: 01-06 | dia da mulher: 03-08 | dia da mentira: 04-01 | tiradentes: 04-21 | descobrimento do brasil: 04-22
dia da liberdade: 04-25 | dia do trabalho: 05-01 | dia dos namorados: 06-12 | são joão: 06-24 | dia de santo antônio: 06-13
dia da independência: 09-07 | dia das crianças: 10-12 | dia dos professores: 10-15 | dia das bruxas: 10-31
todos os santos: 11-01 | finados: 11-02 | proclamação da república: 11-15 | dia da consciência negra: 11-20
dia das mães: 05-12 | dia dos pais: 08-11 | dia de ação de graças: 11-28 | black friday: 11-29
segunda-feira de carnaval: 02-12 | terça-feira gorda: 02-13 | quarta-feira de cinzas: 02-14 | domingo de ramos: 03-24
quinta-feira santa: 03-28 | sexta-feira santa: 03-29 | sábado de aleluia: 03-30 | páscoa: 03-31 | pentecostes: 05-19
corpus christi: 05-30
"""
LONGOS_2024 = {
    "carnaval": "2024-02-10/2024-02-13",
    "quaresma": "2024-02-14/2024-03-30",
    "semana santa": "2024-03-24/2024-03-30",
}


def pairs(table: str) -> list[tuple[str, str]]:
    """(name, day) of a table in text."""
    return [(name, f"2024-{day}") for each in table.split("\n") for one in each.split("|") if ":" in one
            for name, day in [one.strip().split(": ")]]  # fmt: skip


@pytest.mark.parametrize(("name", "day"), [*pairs(IN_2024), *LONG_2024.items()])
def test_feasts_of_2024_in_english(name: str, day: str) -> None:
    """B: a feast with its year is the day (or days) that the almanac of 2024 has; Jewish ones begin in the evening before."""
    assert told(name, 2024, "en") == day


@pytest.mark.parametrize(("name", "day"), [*pairs(EM_2024), *LONGOS_2024.items()])
def test_feasts_of_2024_in_portuguese(name: str, day: str) -> None:
    """B: so have Portuguese names, by the Brazilian almanac (Mother's Day in May, Father's Day in August)."""
    assert told(name, 2024, "pt") == day


@pytest.mark.parametrize(
    ("name", "first", "years"),
    [
        ("easter", 1999, "04-04 04-23 04-15 03-31 04-20 04-11 03-27 04-16 04-08 03-23 04-12 04-04 04-24 04-08 03-31 04-20 04-05"),
        ("orthodox easter", 2008, "04-27 04-19 04-04 04-24 04-15 05-05 04-20 04-12 05-01 04-16 04-08 04-28 04-19 05-02 04-24"),
        ("rosh hashanah", 2015, "09-13 10-02 09-20 09-09 09-29 09-18 09-06 09-25 09-15 10-02 09-22 09-11 10-01"),
        ("hanukkah", 2014, "12-16 12-06 12-24 12-12 12-02 12-22 12-10 11-28 12-18 12-07 12-25"),
        ("tu bishvat", 2017, "02-10 01-30 01-20 02-09 01-27 01-16 02-05 01-24 02-12"),
        ("passover", 2016, "04-22 04-10 03-30 04-19 04-08 03-27 04-15 04-05 04-22 04-12"),
        ("yom hashoah", 2020, "04-20 04-07 04-27 04-17 05-05 04-23"),
        ("yom haatzmaut", 2018, "04-18 05-08 04-28 04-14 05-04 04-25 05-13 04-30"),
        ("tisha bav", 2015, "07-25 08-13 07-31 07-21 08-10 07-29 07-17 08-06 07-26 08-12"),
        ("ramadan", 2018, "05-16 05-06 04-24 04-13 04-02 03-23 03-11 03-01"),
        ("eid al fitr", 2018, "06-15 06-04 05-24 05-13 05-02 04-21 04-10 03-30"),
        ("eid al adha", 2018, "08-21 08-11 07-31 07-20 07-09 06-28 06-16 06-06"),
        ("islamic new year", 2018, "09-11 08-31 08-20 08-09 07-30 07-19 07-07 06-26"),
        ("chinese new year", 2014, "01-31 02-19 02-08 01-28 02-16 02-05 01-25 02-12 02-01 01-22 02-10 01-29 02-17"),
        ("diwali", 2015, "11-11 10-30 10-19 11-07 10-27 11-14 11-04 10-24 11-12 10-31 10-20"),
        ("holi", 2017, "03-13 03-02 03-21 03-10 03-29 03-18"),
        ("guru nanak jayanti", 2022, "11-08 11-27"),
        ("vaisakhi", 2021, "04-14 04-14 04-14"),
        ("rabindra jayanti", 2021, "05-09 05-09 05-09"),
        ("isra and miraj", 2025, "01-27"),
        ("maha shivaratri", 2018, "02-13 03-04 02-21 03-11 03-01 02-18 03-08 02-26"),
        ("dussehra", 2023, "10-24 10-12 10-02"),
        ("ganesh chaturthi", 2017, "08-25 09-13 09-02 08-22 09-10 08-31 09-19 09-07 08-27"),
        ("ugadi", 2020, "03-25 04-13 04-02 03-22 04-09 03-30"),
        ("guru purnima", 2022, "07-13 07-03 07-21 07-10"),
        ("pongal", 2021, "01-14 01-14 01-15 01-15 01-14"),
        ("boss's day", 2020, "10-16 10-15 10-17 10-16 10-16"),
        ("king's day", 2012, "04-30 04-30 04-26 04-27 04-27 04-27"),
        ("king's day", 2006, "04-29"),
    ],
)  # fmt: skip
def test_feasts_that_move(name: str, first: int, years: str) -> None:
    """B: a feast that moves is where it was, year after year from ``first``."""
    found = [told(name, first + step, "en").partition("/")[0][5:] for step in range(len(years.split()))]
    assert " ".join(found) == years


@pytest.mark.parametrize(
    ("year", "day"),
    [(1818, "03-22"), (1943, "04-25"), (1954, "04-18"), (1981, "04-19"), (2038, "04-25"), (2049, "04-18"), (2076, "04-19"),
     (1609, "04-19"), (1685, "04-22"), (1761, "03-22"), (1886, "04-25"), (2285, "03-22"), (2100, "03-28"), (2200, "04-06")],
)  # fmt: skip
def test_easter_of_other_centuries(year: int, day: str) -> None:
    """B: the earliest and latest Easters, those that the rule holds back by a week, and those after a missing leap day."""
    assert str(calendar.easter(year)) == f"{year}-{day}"


@given(st.integers(1583, 4099))
def test_easter_is_a_sunday_in_its_bounds(year: int) -> None:
    """B: Easter is a Sunday from 22 March to 25 April, in every year of the Gregorian calendar."""
    found = calendar.easter(year)
    assert found is not None
    assert found.weekday() == SUNDAY
    assert (3, 22) <= (found.month, found.day) <= (4, 25)


@given(st.integers(1900, 2099))
def test_orthodox_easter_is_never_before_the_western(year: int) -> None:
    """B: the eastern Easter is a Sunday, the same as the western or one, four or five weeks after it."""
    west, east = calendar.easter(year), calendar.orthodox_easter(year)
    assert west is not None
    assert east is not None
    assert (east - west).days // 7 in (0, 1, 4, 5)
    assert east.weekday() == SUNDAY


@given(st.integers(5000, 6500))
def test_jewish_years(year: int) -> None:
    """B: a Jewish year never begins on a Sunday, Wednesday or Friday, and has one of six lengths."""
    begun = eastern.new_year(year)
    assert date.fromordinal(begun).weekday() not in (SUNDAY, WEDNESDAY, FRIDAY)
    assert eastern.new_year(year + 1) - begun in (353, 354, 355, 383, 384, 385)


@pytest.mark.parametrize(
    ("year", "day"), [(5745, "1984-09-27"), (5766, "2005-10-04"), (5789, "2028-09-21"), (5708, "1947-09-15")]
)
def test_jewish_years_put_off(year: int, day: str) -> None:
    """B: years that the length of their neighbours puts off by one day or two."""
    assert str(date.fromordinal(eastern.new_year(year))) == day


@given(st.integers(1900, 2150))
def test_jewish_feasts_keep_their_distance(year: int) -> None:
    """B: the first day of Passover is 163 days before the new year, and Tisha b'Av lies within the same months."""
    passover, new_year = eastern.hebrew(1, 15)(year), eastern.hebrew(7, 1)(year)
    assert passover is not None
    assert new_year is not None
    assert (new_year[0] - passover[0]).days == 163


@given(st.integers(1930, 2060))
def test_islamic_months(year: int) -> None:
    """B: Ramadan has 29 or 30 days and Eid is the day after it; a feast is in the civil year that was asked for."""
    month, feast = eastern.islamic(9, 1, None)(year), eastern.islamic(10, 1)(year)
    assert month is not None
    assert feast is not None
    assert month[0].year == feast[0].year == year
    assert (month[1] - month[0]).days + 1 in (29, 30)
    assert (feast[0] - month[1]).days == 1 or feast[0] < month[0]


def test_two_ramadans_in_one_year() -> None:
    """B: of the two Ramadans of 2030 the first is meant; what no year holds is none."""
    assert days({2030: eastern.islamic(9, 1, None)(2030)}) == ["2030-01-05"]
    assert eastern.islamic(9, 1)(12000) is None


@pytest.mark.parametrize("year", [0, 10000])
def test_no_such_year(year: int) -> None:
    """B: beyond the calendar there is no feast, and no error."""
    rules = [from_easter(0), nth(1, 0, 1), working(from_easter(0)), eastern.lunar(7, 30), eastern.solar(0)]
    assert [rule(year) for rule in [*rules, eastern.chinese_new_year]] == [None] * 6


@given(st.integers(1950, 2050))
def test_indian_feasts_of_one_month(year: int) -> None:
    """B: Holi is the day after Holika Dahan, Diwali comes 19 to 21 days after Dussehra, and the sun's feasts stay in mid-month."""
    named = {name: rule(year) for name, rule in eastern.NAMES.items()}
    first = {name: span[0] for name, span in named.items() if span}
    fire, colours = first["holika dahan|(?:chhoti|choti) holi"], first["holi|dhuleti|phagwah"]
    assert colours - fire == timedelta(days=1)
    lights, victory = first["diwali|deepavali|lakshmi puja"], first["dussehra|vijayadashami|dasara"]
    assert 18 <= (lights - victory).days <= 21
    assert (1, 13) <= (first["(?:thai )?pongal|makara? sankranti?|maghi|lohri"].month, first[
        "(?:thai )?pongal|makara? sankranti?|maghi|lohri"].day) <= (1, 16)  # fmt: skip
