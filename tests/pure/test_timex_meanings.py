"""Claims about what expressions mean on Wednesday 14 February 2024: leaning back, and (after "or") leaning ahead."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.pure.timex import calendar, find_times
from arandu_lab.pure.timex.spans import Language

SAID = datetime(2024, 2, 14, 10, tzinfo=UTC)
DAYS = st.dates(date(1900, 1, 1), date(2100, 12, 31))

ENGLISH = """
in 3 business days: 2024-02-19 | 5 business days ago: 2024-02-07 | in 1 business day: 2024-02-15
two quarters ago: 2023-08 | a decade ago: 2014 | in two decades: 2044 | half a decade ago: 2019 | half a year ago: 2023-08
last decade: 2010/2019 | this decade: 2020/2029 | the last two decades: 2000/2019 | half a month ago: 2024-01-30
a year and a half ago: 2022-08-14 | two years and three months ago: 2021-11-14 | a fortnight ago: 2024-W05
in a fortnight: 2024-W09 | 3 days after Easter: 2023-04-12 or 2024-04-03 | a month after 31 January 2024: 2024-02-29
the day before Christmas: 2023-12-24 or 2024-12-24 | two weeks before Christmas: 2023-12-11 or 2024-12-11
yesterday last year: 2023-02-13 | this day last year: 2023-02-14 | the day after Thanksgiving 2023: 2023-11-24
Friday week: 2024-02-23 | Monday after next: 2024-02-26 | Monday before last: 2024-02-05 | three Fridays ago: 2024-01-26
two Mondays from now: 2024-02-26 | the second Friday after Easter: 2023-04-21 or 2024-04-12
the Monday before Christmas: 2023-12-18 or 2024-12-23 | the nearest Monday to 4 July 2024: 2024-07-01
the nearest Monday to 5 July 2024: 2024-07-08 | Friday next week: 2024-02-23 | Sunday last week: 2024-02-11
the third Friday of March: 2023-03-17 or 2024-03-15 | the last Friday of 2023: 2023-12-29
the second last Friday of March: 2023-03-24 or 2024-03-22 | third Friday: 2024-02-16
the 30th: 2024-01-30 or 2024-03-30 | the 10th: 2024-02-10 or 2024-03-10 | Friday the 13th: 2023-10-13 or 2024-09-13
Monday the 3rd: 2023-07-03 or 2024-06-03 | March 3: 2023-03-03 or 2024-03-03 | February 10: 2024-02-10 or 2025-02-10
Feb 29: 2020-02-29 or 2024-02-29 | the 20th of next month: 2024-03-20 | the last day of the month: 2024-02-29
the second last day of May: 2023-05-30 or 2024-05-30 | the first day of next month: 2024-03-01
this weekend: 2024-02-17/2024-02-18 | next weekend: 2024-02-24/2024-02-25 | last weekend: 2024-02-10/2024-02-11
weekend before last: 2024-02-03/2024-02-04 | the weekend before Christmas: 2023-12-23/2023-12-24 or 2024-12-21/2024-12-22
the week after Easter: 2023-W15 or 2024-W14 | the week of 1 May 2024: 2024-W18 | the last 2 weekends: 2024-02-03/2024-02-11
the weekend of 4 May 2024: 2024-05-04/2024-05-05 | week after next: 2024-W09 | month before last: 2023-12
the last three months: 2023-11/2024-01 | the next three months: 2024-03/2024-05 | the past 2 weeks: 2024-W05/2024-W06
March: 2023-03 or 2024-03 | last March: 2023-03 | next March: 2024-03 | this February: 2024-02 | last February: 2023-02
next February: 2025-02 | March of next year: 2025-03 | March last year: 2023-03
summer: 2023-06-21/2023-09-22 or 2024-06-21/2024-09-22 | spring: 2023-03-20/2023-06-20 or 2024-03-20/2024-06-20
last summer: 2023-06-21/2023-09-22 | this summer: 2024-06-21/2024-09-22 | next summer: 2024-06-21/2024-09-22
winter 2023: 2023-12-21/2024-03-19 | last winter: 2022-12-21/2023-03-19 | next winter: 2024-12-21/2025-03-19
this winter: 2023-12-21/2024-03-19 | summer of last year: 2023-06-21/2023-09-22
the 60s: 1960/1969 | the 1890s: 1890/1899 | the thirties: 1930/1939 | the last week of 2023: 2023-W52
the first week of March: 2023-W09 or 2024-W10 | the first quarter of 2024: 2024-01/2024-03
the last quarter of last year: 2023-10/2023-12 | Q3 2023: 2023-07/2023-09 | 2023 Q4: 2023-10/2023-12
third quarter: 2024-07/2024-09 | the first month of 2023: 2023-01 | the last month of 2023: 2023-12
the beginning of last week: 2024-02-05/2024-02-07 | the middle of last week: 2024-02-07/2024-02-08
the end of last week: 2024-02-09/2024-02-11 | the beginning of 2023: 2023-01/2023-03 | mid 2023: 2023-05/2023-08
late 2023: 2023-09/2023-12 | the end of the decade: 2026/2029 | the beginning of the decade: 2020/2023
the middle of the decade: 2023/2026 | early March: 2023-03-01/2023-03-10 or 2024-03-01/2024-03-10
mid-March: 2023-03-11/2023-03-20 or 2024-03-11/2024-03-20 | late March: 2023-03-21/2023-03-31 or 2024-03-21/2024-03-31
mid-February 2024: 2024-02-11/2024-02-20 | late summer 2023: 2023-08-22/2023-09-22 | early summer 2023: 2023-06-21/2023-07-21
late last weekend: 2024-02-11 | early last weekend: 2024-02-10 | end of the year: 2024-09/2024-12
eom: 2024-02-21/2024-02-29 | bom: 2024-02-01/2024-02-10 | boy: 2024-01/2024-03 | eoy: 2024-09/2024-12
from Monday to Friday: 2024-02-12/2024-02-16 or 2024-02-19/2024-02-23
from Friday until Monday: 2024-02-09/2024-02-12 or 2024-02-16/2024-02-19
from Monday to Friday last week: 2024-02-05/2024-02-09 | Tuesday through Thursday next week: 2024-02-20/2024-02-22
from Friday to Monday of next week: 2024-02-16/2024-02-19
in two thousand: 2000 | in two thousand and one: 2001 | since two thousand: 2000 | in nineteen ninety: 1990
from 3 March to 5 April: 2023-03-03/2023-04-05 or 2024-03-03/2024-04-05 | from 2019 to 2021: 2019/2021
from December to February 2024: 2023-12/2024-02 | between March and May 2023: 2023-03/2023-05
from 13 to 15 July 2023: 2023-07-13/2023-07-15 | March 13-15 2023: 2023-03-13/2023-03-15
Easter: 2023-04-09 or 2024-03-31 | last Easter: 2023-04-09 | next Easter: 2024-03-31 | this Easter: 2024-03-31
Christmas: 2023-12-25 or 2024-12-25 | next Christmas: 2024-12-25 | last Christmas: 2023-12-25
the nearest Easter to 1 July 2024: 2024-03-31 | the second nearest Easter to 1 July 2024: 2025-04-20
Easter last year: 2023-04-09 | Thanksgiving in two years: 2026-11-26 | mardi gras: 2024-02-13 or 2025-03-04
valentine's day: 2024-02-14 | next valentine's day: 2025-02-14 | last valentine's day: 2023-02-14
2/29: 2020-02-29 or 2024-02-29 | 3-4-2024: 2024-03-04 | 3.4.2024: 2024-03-04 | 2024-03: 2024-03 | 3/2024: 2024-03
the week before last: 2024-W05 | all last year: 2023 | the whole of last month: 2024-01 | the rest of the week: 2024-W07
"""
PORTUGUESE = """
de segunda a sexta da semana passada: 2024-02-05/2024-02-09 | de segunda a sexta da semana que vem: 2024-02-19/2024-02-23
de terça a quinta desta semana: 2024-02-13/2024-02-15 | entre terça e quinta da semana passada: 2024-02-06/2024-02-08
de sexta a segunda da próxima semana: 2024-02-16/2024-02-19 | em dois mil: 2000 | em dois mil e um: 2001
em 3 dias úteis: 2024-02-19 | há 5 dias úteis: 2024-02-07 | trimestre passado: 2023-10/2023-12
próximo trimestre: 2024-04/2024-06 | este trimestre: 2024-01/2024-03 | há uma década: 2014 | década passada: 2010/2019
há meio ano: 2023-08 | há um ano e meio: 2022-08-14 | há dois anos e três meses: 2021-11-14
3 dias depois da Páscoa: 2023-04-12 or 2024-04-03 | na véspera de Natal: 2023-12-24 or 2024-12-24
duas semanas antes do Natal: 2023-12-11 or 2024-12-11 | sexta da semana que vem: 2024-02-23
a terceira sexta de março: 2023-03-17 or 2024-03-15 | a última sexta de 2023: 2023-12-29
dia 30: 2024-01-30 or 2024-03-30 | dia 10: 2024-02-10 or 2024-03-10 | sexta dia 15: 2023-12-15 or 2024-03-15
29 de fevereiro: 2020-02-29 or 2024-02-29 | dia 20 do mês que vem: 2024-03-20 | último dia do mês: 2024-02-29
neste fim de semana: 2024-02-17/2024-02-18 | próximo fim de semana: 2024-02-24/2024-02-25
fim de semana passado: 2024-02-10/2024-02-11 | fim de semana retrasado: 2024-02-03/2024-02-04 | semana retrasada: 2024-W05
os próximos três meses: 2024-03/2024-05 | nas últimas 2 semanas: 2024-W05/2024-W06
março: 2023-03 or 2024-03 | março passado: 2023-03 | março que vem: 2024-03 | em março do ano passado: 2023-03
no verão: 2023-12-21/2024-03-19 | verão passado: 2022-12-21/2023-03-19 | próximo verão: 2024-12-21/2025-03-19
no verão de 2023: 2022-12-21/2023-03-19 | no inverno de 2023: 2023-06-21/2023-09-22
inverno passado: 2023-06-21/2023-09-22 | próximo inverno: 2024-06-21/2024-09-22
nos anos 60: 1960/1969 | na década de 1890: 1890/1899 | na primeira semana de março: 2023-W09 or 2024-W10
primeiro trimestre de 2024: 2024-01/2024-03 | no começo da semana passada: 2024-02-05/2024-02-07
no meio da semana passada: 2024-02-07/2024-02-08 | no fim da semana passada: 2024-02-09/2024-02-11
no início de 2023: 2023-01/2023-03 | em meados de 2023: 2023-05/2023-08 | no fim de 2023: 2023-09/2023-12
no fim do mês: 2024-02-21/2024-02-29 | no começo do mês: 2024-02-01/2024-02-10
meados de março: 2023-03-11/2023-03-20 or 2024-03-11/2024-03-20
de 3 de março a 5 de abril: 2023-03-03/2023-04-05 or 2024-03-03/2024-04-05 | entre março e maio de 2023: 2023-03/2023-05
de 13 a 15 de julho de 2023: 2023-07-13/2023-07-15 | de 2019 a 2021: 2019/2021 | na última Páscoa: 2023-04-09
na próxima Páscoa: 2024-03-31 | no Natal: 2023-12-25 or 2024-12-25 | na Páscoa do ano passado: 2023-04-09
no Carnaval: 2024-02-10/2024-02-13 or 2025-03-01/2025-03-04 | ano retrasado: 2022 | mês retrasado: 2023-12
29/2: 2020-02-29 or 2024-02-29 | 03/2024: 2024-03 | daqui a 15 dias: 2024-02-29 | daqui a um mês: 2024-03
de sexta a domingo: 2024-02-09/2024-02-11 or 2024-02-16/2024-02-18
entre quinta e sábado: 2024-02-08/2024-02-10 or 2024-02-15/2024-02-17
do dia 3 ao dia 5: 2024-02-03/2024-02-05 or 2024-03-03/2024-03-05
há um mês: 2024-01 | antes de ontem: 2024-02-12 | trasanteontem: 2024-02-11
"""
CLAIMS = [
    (language, text.strip(), back, ahead or back)
    for language, table in (("en", ENGLISH), ("pt", PORTUGUESE))
    for one in table.replace("\n", "|").split("|")
    if one.strip()
    for text, _, days in [one.rpartition(": ")]
    for back, _, ahead in [days.strip().partition(" or ")]
]


@pytest.mark.parametrize(("language", "text", "back", "ahead"), CLAIMS)
def test_meanings(language: Language, text: str, back: str, ahead: str) -> None:
    """B: the whole expression is one span, of these days, whichever way an undirected name leans."""
    for direction, iso in (("past", back), ("future", ahead)):
        [span] = find_times(text, SAID, language=language, weekday=direction)  # type: ignore[arg-type]
        assert (span.text.removeprefix("the "), span.iso) == (text.removeprefix("the "), iso)


@pytest.mark.parametrize(
    ("language", "text", "iso"),
    [
        ("en", "in nineteen seventy eight", "1978"), ("en", "in two thousand and eighteen", "2018"), ("en", "in '98", "1998"),
        ("en", "in '07", "2007"), ("en", "in '50", "1950"), ("en", "in '49", "2049"), ("en", "in nineteen oh five", "1905"),
        ("en", "in nineteen hundred", "1900"), ("en", "in twenty nineteen", "2019"), ("en", "in eighteen ninety", "1890"),
        ("en", "the thirty-first of March", "2023-03-31"), ("en", "the twenty-first of May 2023", "2023-05-21"),
        ("en", "March the third", "2023-03-03"), ("en", "the twentieth of May", "2023-05-20"),
        ("en", "twenty-three days ago", "2024-01-22"), ("en", "ninety-nine days ago", "2023-11-07"),
        ("en", "nineteen weeks ago", "2023-W40"), ("en", "3/4/98", "1998-03-04"), ("en", "31/12/2023", "2023-12-31"),
        ("en", "12/31/2023", "2023-12-31"), ("pt", "12/31/2023", "2023-12-31"), ("pt", "31/12/2023", "2023-12-31"),
        ("pt", "em mil novecentos e noventa e oito", "1998"), ("pt", "em dois mil e dezoito", "2018"),
        ("pt", "em dois mil", "2000"), ("pt", "em '98", "1998"), ("pt", "em mil e novecentos", "1900"),
        ("pt", "trinta e um de março", "2023-03-31"), ("pt", "vigésimo primeiro dia de maio", "2023-05-21"),
        ("pt", "primeiro de maio", "2023-05-01"), ("pt", "vinte e três de maio", "2023-05-23"),
        ("pt", "há vinte e três dias", "2024-01-22"), ("pt", "há noventa e nove dias", "2023-11-07"),
        ("pt", "há dezenove semanas", "2023-W40"), ("pt", "3/4/98", "1998-04-03"), ("pt", "dia 31", "2024-01-31"),
        ("pt", "dia 1º", "2024-02-01"), ("pt", "há um dia", "2024-02-13"), ("pt", "há uma semana", "2024-W06"),
    ],
)  # fmt: skip
def test_numbers_in_words(language: Language, text: str, iso: str) -> None:
    """B: counts, ordinals, days and years in words or in figures, of two digits or four, are the numbers that they say."""
    [span] = find_times(text, SAID, language=language, weekday="past")
    assert (span.text, span.iso) == (text, iso)


@pytest.mark.parametrize(
    ("language", "text"), [("en", "32 May"), ("en", "31 April 2023"), ("pt", "32 de maio"), ("pt", "31/4/2023")]
)
def test_no_such_day(language: Language, text: str) -> None:
    """B: a day that the month does not have is not found as a day."""
    assert not [span for span in find_times(text, SAID, language=language) if span.grain == "day"]


# -- civil arithmetic --------------------------------------------------------------------------------------------------


@given(DAYS, st.integers(-60, 60))
def test_weeks(day: date, weeks: int) -> None:
    """B: a week is Monday to Sunday, so many times seven days on; its weekend is its end; and the calendar has an end."""
    first, last = calendar.week(day, weeks) or (day, day)
    assert (first.weekday(), (last - first).days) == (0, 6)
    assert first <= day + timedelta(days=7 * weeks) <= last
    assert calendar.weekend(day, weeks) == (last - timedelta(days=1), last)
    assert calendar.week(date.max, 1) is None
    assert calendar.weekend(date.min, -1) is None


@given(st.integers(1, 9999), st.integers(-30, 30))
def test_months(year: int, number: int) -> None:
    """B: a month runs from its first day to the day before the next month's first, also counted past a year's end."""
    here, following = calendar.month(year, number), calendar.month(year, number + 1)
    assert here is None or (here[0].day == 1 and (here[0].year - year) * 12 + here[0].month == number)
    assert not (here and following) or (following[0] - here[1]).days == 1
    assert (here is None) == (not 1 <= year + (number - 1) // 12 <= 9999)


@given(DAYS, st.integers(-30, 30))
def test_months_on(day: date, months: int) -> None:
    """B: so many months on is the same day, or the last of a shorter month; back again is never later."""
    found = calendar.shift_months(day, months)
    assert found is not None
    assert (found.year - day.year) * 12 + found.month - day.month == months
    assert found.day == day.day or (found.day < day.day and (found + timedelta(days=1)).day == 1)
    assert calendar.shift_months(date(9999, 12, 1), 1) is calendar.shift_months(date(1, 1, 1), -1) is None
    assert calendar.shift_months(date(9999, 11, 1), 1) == date(9999, 12, 1)
    assert calendar.shift_months(date(1, 2, 1), -1) == date(1, 1, 1)


@given(DAYS, st.integers(0, 6), st.integers(1, 6))
def test_nth_weekdays(day: date, weekday: int, nth: int) -> None:
    """B: the n-th such weekday of a month, from either end, is the n-th of those that a walk over the month finds."""
    span = calendar.month(day.year, day.month)
    assert span is not None
    all_days = [span[0] + timedelta(days=step) for step in range((span[1] - span[0]).days + 1)]
    such = [each for each in all_days if each.weekday() == weekday]
    assert calendar.nth_weekday(span, nth, weekday) == (such[nth - 1] if nth <= len(such) else None)
    assert calendar.nth_weekday(span, -nth, weekday) == (such[-nth] if nth <= len(such) else None)


@given(DAYS, st.integers(0, 6), st.integers(1, 4))
def test_weekdays_from(day: date, weekday: int, steps: int) -> None:
    """B: the n-th such weekday strictly after a day, and strictly before it, by a walk."""
    ahead = [found for step in range(1, 40) if (found := day + timedelta(days=step)).weekday() == weekday]
    back = [found for step in range(1, 40) if (found := day - timedelta(days=step)).weekday() == weekday]
    assert calendar.weekday_from(day, weekday, steps) == ahead[steps - 1]
    assert calendar.weekday_from(day, weekday, -steps) == back[steps - 1]


@given(DAYS, st.integers(-6, 6))
def test_seasons(day: date, seasons: int) -> None:
    """B: the seasons follow each other without a gap, four to a year, and the present one holds the day."""
    here, following = calendar.season_at(day, seasons), calendar.season_at(day, seasons + 1)
    assert here is not None
    assert following is not None
    assert (following[0] - here[1]).days == 1
    assert seasons != 0 or here[0] <= day <= here[1]
    assert (here[0].month, here[0].day) in calendar.TURNS


@given(st.integers(1900, 2100), st.booleans())
def test_seasons_by_name(year: int, southern: bool) -> None:
    """B: southern spring, summer, autumn and winter are the northern ones half a year off; each belongs to its year."""
    spans = {name: calendar.season(name, year, southern=southern) for name in calendar.NORTHERN}
    first = {name: span[0] for name, span in spans.items() if span}
    north = {"spring": (year, 3), "summer": (year, 6), "autumn": (year, 9), "winter": (year, 12)}
    south = {"spring": (year, 9), "summer": (year - 1, 12), "autumn": (year, 3), "winter": (year, 6)}
    assert {name: (day.year, day.month) for name, day in first.items()} == (south if southern else north)
    assert all(span == calendar.season_at(span[0]) for span in spans.values() if span)


@pytest.mark.parametrize(("first", "last", "known"), [(1, None, True), (9999, None, True), (0, None, False), (10000, None, False),
                                                      (2000, 2001, True), (2001, 2000, False), (9998, 10000, False)])  # fmt: skip
def test_years(first: int, last: int | None, known: bool) -> None:
    """B: years from 1 to 9999, in order, are spans from a New Year's Day to a New Year's Eve; others are none."""
    found = calendar.year_span(first, last)
    assert found == ((date(first, 1, 1), date(last or first, 12, 31)) if known else None)
