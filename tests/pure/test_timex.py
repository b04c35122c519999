"""Claims about time expressions: what they resolve to, what is none, and what holds for every text."""

from __future__ import annotations

import doctest
import importlib
import os
import pkgutil
import time as clock
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arandu_lab.errors import ConfigError
from arandu_lab.pure import timex
from arandu_lab.pure.timex import TimeSpan, absolutise, find_times
from arandu_lab.pure.timex.finding import Direction
from arandu_lab.pure.timex.spans import Language

SAID = datetime(2025, 6, 15, 10, tzinfo=UTC)  # a Sunday
TONGUES: tuple[Language, ...] = ("en", "pt")
LANGUAGES = st.sampled_from(TONGUES)
WORDS = {
    "en": (
        "I we met Ana on in at by since until the a of last next this every two 3 14 3rd May March Friday Sunday sat "
        "week weekend month year ago yesterday tomorrow today summer Christmas 2019 5pm 3/4 morning and from to . , "
        "may day before after first end early night now half couple"
    ).split(),
    "pt": (
        "eu vi Ana na no em de da do às desde até o a última próxima esta toda dois 3 14 1º maio março sexta domingo "
        "semana fim mês ano atrás ontem amanhã hoje verão Natal 2019 17h 3/4 manhã e há faz que vem passada . , dia "
        "antes depois primeira começo noite agora daqui"
    ).split(),
}
SENTENCES = LANGUAGES.flatmap(
    lambda tongue: st.tuples(st.just(tongue), st.lists(st.sampled_from(WORDS[tongue]), max_size=9).map(" ".join))
)
MOMENTS = st.datetimes(
    datetime(1950, 1, 1), datetime(2090, 1, 1), timezones=st.sampled_from([UTC, ZoneInfo("America/Sao_Paulo")])
)


def one(text: str, language: Language = "en", weekday: Direction = "tense") -> TimeSpan:
    """The only span of a text."""
    spans = find_times(text, SAID, language=language, weekday=weekday)
    assert len(spans) == 1, spans
    return spans[0]


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("I moved yesterday", "2025-06-14"),
        ("the day before yesterday", "2025-06-13"),
        ("We talk the day after tomorrow", "2025-06-17"),
        ("three weeks ago", "2025-W21"),
        ("a couple of days ago", "2025-06-13"),
        ("a few months ago", "2025-03"),
        ("half a year ago", "2024-12"),
        ("a fortnight ago", "2025-W22"),
        ("in two years", "2027"),
        ("last Friday", "2025-06-13"),
        ("I saw her on Friday", "2025-06-13"),
        ("I'll see her on Friday", "2025-06-20"),
        ("last week", "2025-W23"),
        ("the week before last", "2025-W22"),
        ("two weekends ago", "2025-05-31/2025-06-01"),
        ("last summer", "2024-06-21/2024-09-22"),
        ("the Sunday before 25 May 2023", "2023-05-21"),
        ("the week of 3 June 2024", "2024-W23"),
        ("from Monday to Wednesday of last week", "2025-06-02/2025-06-04"),
        ("between Monday and Wednesday of last week", "2025-06-02/2025-06-04"),
        ("the last day of March 2024", "2024-03-31"),
        ("the last week of March 2024", "2024-W13"),
        ("the second to last week of March 2024", "2024-W12"),
        ("next day", "2025-06-16"),
        ("next decade", "2030/2039"),
        ("the end of the third quarter of 2023", "2023-08-30/2023-09-30"),
        ("the summer of two years ago", "2023-06-21/2023-09-22"),
        ("Easter of two years ago", "2023-04-09"),
        ("the end of three months ago", "2025-03"),
        ("Labor Day in October 2023", "2024-09-02"),
        ("all week", "2025-W24"),
        ("in the 90s", "1990/1999"),
        ("in the 2010s", "2010/2019"),
        ("the third month of last year", "2024-03"),
        ("the third week of 2024", "2024-W03"),
        ("the second quarter of 2024", "2024-04/2024-06"),
        ("the second quarter", "2025-04/2025-06"),
        ("March 3", "2025-03-03"),
        ("3rd of March", "2025-03-03"),
        ("3/4/2024", "2024-03-04"),
        ("2024-03-09T10:00", "2024-03-09"),
        ("mid-May", "2025-05-11/2025-05-20"),
        ("early 2021", "2021-01/2021-03"),
        ("at the end of the month", "2025-06-21/2025-06-30"),
        ("the first Monday of May", "2025-05-05"),
        ("the last Monday of the month", "2025-06-30"),
        ("Thanksgiving 2024", "2024-11-28"),
        ("last Easter", "2025-04-20"),
        ("from March to May", "2025-03/2025-05"),
        ("all last week", "2025-W23"),
        ("Diwali 2019", "2019-10-27"),
        ("Ramadan 2018", "2018-05-16/2018-06-14"),
    ],
)
def test_english(text: str, iso: str) -> None:
    """An English expression said on Sunday 15 June 2025 names these days."""
    assert one(text).iso == iso


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("ontem", "2025-06-14"),
        ("anteontem", "2025-06-13"),
        ("depois de amanha", "2025-06-17"),
        ("ontem à noite", "2025-06-14"),
        ("hoje de manhã", "2025-06-15"),
        ("Viajei há dois dias", "2025-06-13"),
        ("faz 3 meses que parei", "2025-03"),
        ("cinco dias atrás", "2025-06-10"),
        ("semana passada", "2025-W23"),
        ("mês retrasado", "2025-04"),
        ("ano que vem", "2026"),
        ("sexta passada", "2025-06-13"),
        ("sexta que vem", "2025-06-20"),
        ("Fui ao médico na sexta", "2025-06-13"),
        ("Vou ao médico na sexta", "2025-06-20"),
        ("daqui a duas semanas", "2025-W26"),
        ("dentro de 3 dias", "2025-06-18"),
        ("no fim de semana passado", "2025-06-07/2025-06-08"),
        ("no começo do ano", "2025-01/2025-03"),
        ("dia 14", "2025-06-14"),
        ("dia 14 de março", "2025-03-14"),
        ("3/4/2024", "2024-04-03"),
        ("de março a maio", "2025-03/2025-05"),
        ("nos anos 90", "1990/1999"),
        ("no verão de 2024", "2023-12-21/2024-03-19"),
        ("na Páscoa", "2025-04-20"),
        ("no Carnaval", "2025-03-01/2025-03-04"),
        ("no dia das mães", "2025-05-11"),
        ("12 de setembro de 2014, sexta", "2014-09-12"),
        ("moro aqui há três meses", "2025-03/2025-06"),
        ("o último dia de março de 2024", "2024-03-31"),
        ("durante o mês", "2025-06"),
        ("toda a semana", "2025-W24"),
        ("nos anos 2010", "2010/2019"),
        ("o terceiro mês do ano passado", "2024-03"),
        ("a segunda semana do próximo mês", "2025-W28"),
        ("a terceira semana de 2024", "2024-W03"),
        ("o segundo trimestre de 2024", "2024-04/2024-06"),
        ("o segundo trimestre", "2025-04/2025-06"),
    ],
)
def test_portuguese(text: str, iso: str) -> None:
    """A Portuguese expression said on Sunday 15 June 2025 names these days."""
    assert one(text, "pt").iso == iso


@pytest.mark.parametrize(
    ("text", "language", "relation"),
    [
        ("I have lived here since 2016", "en", "since"),
        ("I'll stay until Friday", "en", "until"),
        ("before March", "en", "before"),
        ("after Christmas", "en", "after"),
        ("I've lived here for three years", "en", "for"),
        ("desde 2016", "pt", "since"),
        ("até março", "pt", "until"),
        ("moro aqui há 3 anos", "pt", "for"),
        ("me mudei há 3 anos", "pt", "at"),
    ],
)
def test_relations(text: str, language: Language, relation: str) -> None:
    """The words before an expression, or its verb, tell how it bears on the sentence."""
    assert one(text, language).relation == relation


@pytest.mark.parametrize(
    ("text", "language", "told"),
    [
        ("I left yesterday at 5pm", "en", time(17)),
        ("See you at 5pm on Friday", "en", time(17)),
        ("tonight at 8", "en", time(20)),
        ("amanhã às 17h30", "pt", time(17, 30)),
        ("ontem", "pt", None),
    ],
)
def test_clock(text: str, language: Language, told: time | None) -> None:
    """A clock time beside the day is kept, and only then."""
    assert one(text, language).clock == told


@pytest.mark.parametrize(
    "text",
    [
        "I may be late", "Just a second", "the second option", "march forward", "We met and he sat in the sun",
        "every Monday", "twice a week", "on Tuesdays", "for ten minutes", "an hour ago", "June is my friend",
        "call 555-1234", "1/2 cup of sugar", "He scored 8/10", "24/7 support", "now", "my boss's car", "I lent him 5",
        "Feb 30", "the fifth Monday of February 2023",
    ],
)  # fmt: skip
def test_no_date_in_english(text: str) -> None:
    """Words that only look like a date, recurrent times, hours and days that do not exist are not found."""
    assert find_times(text, SAID, language="en") == ()


@pytest.mark.parametrize(
    "text",
    [
        "na segunda vez", "um segundo", "quarta geração", "no quarto", "toda sexta", "às sextas", "todo dia",
        "uma vez por semana", "tem 5 anos", "em dez minutos", "comprei um maiô", "moro em Natal", "agora", "bom dia",
        "de segunda a sexta", "31 de fevereiro", "nos anos 85", "nos anos 2015", "durante o dia",
    ],
)  # fmt: skip
def test_no_date_in_portuguese(text: str) -> None:
    """Words that only look like a date, recurrent times, ages and days that do not exist are not found."""
    assert find_times(text, SAID, language="pt") == ()


@pytest.mark.parametrize(
    ("text", "language", "relation", "iso"),
    [
        ("We haven't talked in a few days", "en", "for", "2025-06-12/2025-06-15"),
        ("I'll be back in two weeks", "en", "at", "2025-W26"),
        ("I was there in the last two weeks", "en", "at", "2025-W22/2025-W23"),
        ("volto em dois meses", "pt", "at", "2025-08"),
    ],
)
def test_in_so_long(text: str, language: Language, relation: str, iso: str) -> None:
    """ "In two weeks" looks ahead with a future verb, and back with "haven't"."""
    span = one(text, language)
    assert (span.relation, span.iso) == (relation, iso)


@pytest.mark.parametrize(("text", "language"), [("I wrote it in two weeks", "en"), ("Aprendi em dois meses", "pt")])
def test_how_long_it_took_is_no_date(text: str, language: Language) -> None:
    """ "In two weeks" with a past verb is how long something took, and names no day."""
    assert find_times(text, SAID, language=language) == ()
    assert absolutise(text, SAID, language=language) == text


@pytest.mark.parametrize(
    "text", ["the week before " * 300 + "Christmas", "two days after " * 300 + "Easter", "1 " * 300]
)
def test_nesting_is_bounded(text: str) -> None:
    """A text that nests without end does not break the resolver."""
    find_times(text, SAID, language="en")


def test_direction_is_the_callers() -> None:
    """`weekday` overrides what the verbs say."""
    assert one("I saw her on Friday", weekday="future").first == date(2025, 6, 20)
    assert one("I'll see her on Friday", weekday="past").first == date(2025, 6, 13)


def test_day_is_of_the_speakers_zone() -> None:
    """Near midnight, "today" is the day where the speaker is."""
    instant = datetime(2025, 6, 15, 1, tzinfo=UTC)
    there = instant.astimezone(ZoneInfo("America/Sao_Paulo"))
    assert find_times("hoje", there, language="pt")[0].first == date(2025, 6, 14)
    assert find_times("hoje", instant, language="pt")[0].first == date(2025, 6, 15)


def test_naive_reference_is_refused() -> None:
    """A moment without a zone names no day, and a language without a grammar is said to have none."""
    with pytest.raises(ConfigError, match="time zone"):
        find_times("today", datetime(2025, 6, 15), language="en")
    with pytest.raises(ConfigError, match="known: en, pt"):
        absolutise("heute", SAID, language="de")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="weekday"):
        find_times("today", SAID, language="en", weekday="both")  # type: ignore[arg-type]


def test_accents_and_their_offsets() -> None:
    """Accents are optional, and composed and decomposed letters give the same days and exact offsets."""
    decomposed = "Vi a Ana amanha\u0303, não."
    span = one(decomposed, "pt")
    assert decomposed[span.start : span.end] == span.text == "amanha\u0303"
    assert one("amanha", "pt").first == one("amanhã", "pt").first == span.first


def test_counted_units_keep_their_grain() -> None:
    """ "Two months ago" is counted to the day, and its window is the month."""
    span = one("two months ago")
    assert (span.first, span.grain, span.window) == (date(2025, 4, 15), "month", (date(2025, 4, 1), date(2025, 4, 30)))


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("I moved yesterday.", "en", "I moved on 14 June 2025."),
        ("Yesterday was fun.", "en", "14 June 2025 was fun."),
        ("We met last week", "en", "We met in the week of 2 June 2025"),
        ("I've lived here for three years", "en", "I've lived here since 2022"),
        ("I slept badly last night", "en", "I slept badly on the night of 14 June 2025"),
        ("I run every Monday", "en", "I run every Monday"),
        ("My birthday is March 3rd", "en", "My birthday is March 3rd"),
        ("I was born on 3 March 1990", "en", "I was born on 3 March 1990"),
        ("Casei ano passado", "pt", "Casei em 2024"),
        ("Viajo semana que vem", "pt", "Viajo na semana de 16 de junho de 2025"),
        ("Desde a semana passada corro", "pt", "Desde a semana de 2 de junho de 2025 corro"),
        ("Corro toda sexta", "pt", "Corro toda sexta"),
        ("Saí ontem à noite", "pt", "Saí na noite de 14 de junho de 2025"),
    ],
)
def test_absolutise(text: str, language: Language, expected: str) -> None:
    """Relative times are put in absolute words of their own grain; absolute and recurrent ones stay."""
    assert absolutise(text, SAID, language=language) == expected


@given(st.integers(1, 400), MOMENTS)
def test_days_ago_is_the_reference_less_the_days(count: int, said: datetime) -> None:
    """ "n days ago" and "há n dias" are n days before the reference, and "in n days" n after it."""
    before, after = said.date() - timedelta(days=count), said.date() + timedelta(days=count)
    assert find_times(f"{count} days ago", said, language="en")[0].first == before
    assert find_times(f"há {count} dias", said, language="pt")[0].first == before
    assert find_times(f"in {count} days", said, language="en")[0].last == after


@given(st.sampled_from(range(7)), MOMENTS)
def test_weekday_is_within_a_week(index: int, said: datetime) -> None:
    """A bare weekday is that weekday, one to seven days off, on the side that is asked."""
    name = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"][index]
    past = find_times(name, said, language="en", weekday="past")[0].first
    future = find_times(name, said, language="en", weekday="future")[0].first
    assert past.weekday() == future.weekday() == index
    assert 1 <= (said.date() - past).days <= 7
    assert 1 <= (future - said.date()).days <= 7


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)), LANGUAGES)
def test_written_dates_read_back(day: date, language: Language) -> None:
    """A date that the resolver writes is the date that it reads, whenever it is read."""
    written = absolutise(
        "today" if language == "en" else "hoje", datetime(day.year, day.month, day.day, tzinfo=UTC), language=language
    )
    assert [span.first for span in find_times(written, SAID, language=language)] == [day]


@settings(max_examples=200, deadline=None)
@given(SENTENCES, MOMENTS)
def test_spans_lie_within_the_text_apart(case: tuple[Language, str], said: datetime) -> None:
    """Spans quote the text at their offsets, in order, do not overlap, and do not end before they begin."""
    language, text = case
    spans = find_times(text, said, language=language)
    assert all(text[span.start : span.end] == span.text and span.text for span in spans)
    assert all(left.end <= right.start for left, right in pairwise(spans))
    assert all(span.first <= span.last and span.iso and span.window[0] <= span.first for span in spans)


@settings(max_examples=200, deadline=None)
@given(SENTENCES, MOMENTS)
def test_absolutise_is_idempotent(case: tuple[Language, str], said: datetime) -> None:
    """Putting a sentence in absolute words a second time changes nothing."""
    language, text = case
    once = absolutise(text, said, language=language)
    assert absolutise(once, said, language=language) == once


@settings(max_examples=200, deadline=None)
@given(
    st.text(max_size=60),
    LANGUAGES,
    st.sampled_from([SAID, datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, tzinfo=UTC)]),
)
@example("last week 9999 years ago in 9999 decades, Easter 1000", "en", datetime(1, 1, 1, tzinfo=UTC))
@example("há 9999 anos, semana que vem, último verão", "pt", datetime(9999, 12, 31, tzinfo=UTC))
def test_never_raises(text: str, language: Language, said: datetime) -> None:
    """No text breaks the resolver, at either end of the calendar."""
    find_times(text, said, language=language)
    absolutise(text, said, language=language)


@pytest.mark.skipif(not hasattr(clock, "tzset"), reason="the host's zone cannot be changed here")
def test_host_zone_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Results depend on the reference alone, never on the zone of the machine."""
    text = "yesterday, last week, on Friday at 5pm and in March"
    results = []
    try:
        for zone in ("UTC", "Pacific/Kiritimati", "America/Los_Angeles"):
            monkeypatch.setitem(os.environ, "TZ", zone)
            clock.tzset()
            results.append(find_times(text, SAID, language="en"))
    finally:
        monkeypatch.undo()
        clock.tzset()
    assert results[0] == results[1] == results[2]


def test_examples_in_docstrings_hold() -> None:
    """Every example in the package is true."""
    for module in pkgutil.iter_modules(timex.__path__, timex.__name__ + "."):
        assert doctest.testmod(importlib.import_module(module.name)).failed == 0
    assert doctest.testmod(timex).failed == 0
