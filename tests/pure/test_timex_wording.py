"""Claims about sentences put in absolute words on Wednesday 14 February 2024: grain, preposition, clock, part of the day."""

from __future__ import annotations

from datetime import UTC, date, datetime, time

import pytest

from arandu_lab.pure.timex import TimeSpan, absolutise, find_times
from arandu_lab.pure.timex.spans import Language

SAID = datetime(2024, 2, 14, 10, tzinfo=UTC)

ENGLISH = """
We met last weekend. => We met on the weekend of 10 February 2024.
We travelled from Friday to Sunday. => We travelled from 9 February 2024 to 11 February 2024.
We were there last summer. => We were there in the summer of 2023.
We ski next winter. => We ski in the winter of 2024.
They came in the autumn. => They came in the autumn of 2023.
We met at the weekend. => We met on the weekend of 10 February 2024.
We'll meet at the weekend. => We'll meet on the weekend of 17 February 2024.
We stayed from last spring to last autumn. => We stayed from 20 March 2023 to 20 December 2023.
We left last spring. => We left in the spring of 2023.
I'll be away next month. => I'll be away in March 2024.
I work there since last week. => I work there since the week of 5 February 2024.
I lived there until last month. => I lived there until January 2024.
I'll finish by Friday. => I'll finish by 16 February 2024.
Call me before tomorrow. => Call me before 15 February 2024.
Call me after next week. => Call me after the week of 19 February 2024.
I arrived yesterday at 5pm. => I arrived on 13 February 2024 at 17:00.
See you tomorrow at 17:30. => See you on 15 February 2024 at 17:30.
I saw him yesterday morning. => I saw him on the morning of 13 February 2024.
I saw him this afternoon. => I saw him on the afternoon of 14 February 2024.
I saw him last evening. => I saw him on the evening of 13 February 2024.
I saw her tonight at 8. => I saw her on the night of 14 February 2024 at 20:00.
The party is around next Friday. => The party is around 23 February 2024.
I signed up for next week. => I signed up for the week of 19 February 2024.
The meeting of yesterday was long. => The meeting of 13 February 2024 was long.
Last week was hard. => The week of 5 February 2024 was hard.
On last Monday I left. => On 12 February 2024 I left.
I have lived here for two weeks. => I have lived here since the week of 29 January 2024.
I have been here for three months. => I have been here since November 2023.
I love Christmas. => I love Christmas.
We met last Christmas. => We met on 25 December 2023.
My anniversary is on March 3. => My anniversary is on March 3.
My birthday was yesterday. => My birthday was on 13 February 2024.
I moved yesterday. Yesterday I moved. => I moved on 13 February 2024. On 13 February 2024 I moved.
We did it over the last two weeks. => We did it from 29 January 2024 to 11 February 2024.
In the last three months I ran. => From November 2023 to January 2024 I ran.
I go this Friday or next Friday. => I go on 16 February 2024 or on 23 February 2024.
It began two years ago. => It began in 2022.
I'll see you tomorrow at noon. => I'll see you on 15 February 2024 at 12:00.
I woke at 12am today. => I woke on 14 February 2024 at 00:00.
We met at 12:30pm yesterday. => We met on 13 February 2024 at 12:30.
I married in March. => I married in March 2023.
We talk every Friday, and last Friday too. => We talk every Friday, and on 9 February 2024 too.
I moved on 3 March 2019 and in 2020. => I moved on 3 March 2019 and in 2020.
"""
PORTUGUESE = """
Nos vimos no fim de semana passado. => Nos vimos no fim de semana de 10 de fevereiro de 2024.
Estivemos lá no verão passado. => Estivemos lá no verão de 2023.
Vou no próximo inverno. => Vou no inverno de 2024.
Nos vimos no fim de semana. => Nos vimos no fim de semana de 10 de fevereiro de 2024.
Corri entre o inverno passado e a primavera passada. => Corri de 21 de junho de 2023 a 20 de dezembro de 2023.
Viajei na primavera passada. => Viajei na primavera de 2023.
Estudei no outono passado. => Estudei no outono de 2023.
Viajo mês que vem. => Viajo em março de 2024.
Trabalho lá desde a semana passada. => Trabalho lá desde a semana de 5 de fevereiro de 2024.
Morei lá até o mês passado. => Morei lá até janeiro de 2024.
Termino até sexta. => Termino até 16 de fevereiro de 2024.
Ligue antes de amanhã. => Ligue antes de 15 de fevereiro de 2024.
Ligue depois da semana que vem. => Ligue depois da semana de 19 de fevereiro de 2024.
Cheguei ontem às 17h. => Cheguei em 13 de fevereiro de 2024 às 17:00.
Te vejo amanhã às 17h30. => Te vejo em 15 de fevereiro de 2024 às 17:30.
Vi o João ontem de manhã. => Vi o João na manhã de 13 de fevereiro de 2024.
Vi o João hoje à tarde. => Vi o João na tarde de 14 de fevereiro de 2024.
Saí ontem de madrugada. => Saí na madrugada de 13 de fevereiro de 2024.
Fui lá anteontem à noite. => Fui lá na noite de 12 de fevereiro de 2024.
A festa é por volta de sexta que vem. => A festa é por volta de 23 de fevereiro de 2024.
Marquei para semana que vem. => Marquei para a semana de 19 de fevereiro de 2024.
A reunião de ontem foi longa. => A reunião de 13 de fevereiro de 2024 foi longa.
A semana passada foi difícil. => A semana de 5 de fevereiro de 2024 foi difícil.
Moro aqui há duas semanas. => Moro aqui desde a semana de 29 de janeiro de 2024.
Adoro o Natal. => Adoro o Natal.
Nos vimos no Natal passado. => Nos vimos em 25 de dezembro de 2023.
Meu aniversário é em 3 de março. => Meu aniversário é em 3 de março.
Meu aniversário foi ontem. => Meu aniversário foi em 13 de fevereiro de 2024.
Nas últimas duas semanas corri. => De 29 de janeiro de 2024 a 11 de fevereiro de 2024 corri.
Nos últimos três meses corri. => De novembro de 2023 a janeiro de 2024 corri.
Começou há dois anos. => Começou em 2022.
Vou amanhã ao meio-dia. => Vou em 15 de fevereiro de 2024 às 12:00.
Em 1 de março do ano que vem viajo. => Em 1º de março de 2025 viajo.
Daqui a dois dias eu vou. => Em 16 de fevereiro de 2024 eu vou.
Ontem foi bom. => 13 de fevereiro de 2024 foi bom.
"""
SENTENCES = [
    (language, *one.split(" => "))
    for language, table in (("en", ENGLISH), ("pt", PORTUGUESE))
    for one in table.strip().split("\n")
]


@pytest.mark.parametrize(("language", "told", "worded"), SENTENCES)
def test_worded(language: Language, told: str, worded: str) -> None:
    """B: a sentence keeps all but its relative times, which become absolute ones of their own grain and bearing."""
    assert absolutise(told, SAID, language=language) == worded


@pytest.mark.parametrize(
    ("language", "text", "side"),
    [("en", "I left yesterday", "past"), ("en", "I leave tomorrow", "future"), ("en", "I leave today", "present"),
     ("en", "I ran this month", "present"), ("en", "I have run for two weeks", "present"), ("pt", "fui ontem", "past"),
     ("pt", "vou amanhã", "future"), ("pt", "corro neste mês", "present"), ("pt", "corro há duas semanas", "present")],
)  # fmt: skip
def test_side(language: Language, text: str, side: str) -> None:
    """B: a span is past, present or future by whether it lies before, around or after the day of speech."""
    [span] = find_times(text, SAID, language=language)
    assert span.tense == side


@pytest.mark.parametrize(
    ("language", "text", "clock"),
    [("en", "yesterday at 12am", time(0)), ("en", "yesterday at 12pm", time(12)), ("en", "yesterday at 11:59pm", time(23, 59)),
     ("en", "tomorrow at 25", None), ("en", "tomorrow at 8", time(8)), ("en", "tomorrow night at 8", time(20)),
     ("pt", "ontem às 8", time(8)), ("pt", "ontem às 8 da noite", time(20)), ("pt", "amanhã às 23h59", time(23, 59)),
     ("pt", "ontem à meia-noite", time(0)), ("pt", "amanhã às 8 da manhã", time(8))],
)  # fmt: skip
def test_clock(language: Language, text: str, clock: time | None) -> None:
    """B: a clock time is read by its half of the day, midnight is 0 and noon 12; an hour that no clock shows is none."""
    spans = find_times(text, SAID, language=language)
    assert spans[0].clock == clock


@pytest.mark.parametrize(
    ("first", "last", "grain", "iso", "window"),
    [
        (date(2024, 2, 14), date(2024, 2, 14), "day", "2024-02-14", (date(2024, 2, 14), date(2024, 2, 14))),
        (date(2024, 2, 14), date(2024, 2, 14), "week", "2024-W07", (date(2024, 2, 12), date(2024, 2, 18))),
        (date(2024, 12, 30), date(2025, 1, 5), "week", "2025-W01", (date(2024, 12, 30), date(2025, 1, 5))),
        (date(2024, 2, 14), date(2024, 4, 14), "month", "2024-02/2024-04", (date(2024, 2, 1), date(2024, 4, 30))),
        (date(2024, 2, 14), date(2024, 2, 14), "year", "2024", (date(2024, 1, 1), date(2024, 12, 31))),
        (date(2024, 2, 17), date(2024, 2, 18), "weekend", "2024-02-17/2024-02-18", (date(2024, 2, 17), date(2024, 2, 18))),
        (date(9999, 12, 31), date(9999, 12, 31), "week", "9999-W52", (date(9999, 12, 31), date(9999, 12, 31))),
    ],
)  # fmt: skip
def test_written_as_exactly_as_said(first: date, last: date, grain: str, iso: str, window: tuple[date, date]) -> None:
    """B: a span is written in ISO at its grain, and its window is the whole units that it touches."""
    span = TimeSpan("x", 0, 1, first, last, grain, "at", "past")  # type: ignore[arg-type]
    assert (span.iso, span.window) == (iso, window)


@pytest.mark.parametrize(
    ("language", "text", "absolute"),
    [
        ("en", "It is due tomorrow.", "It is due by 15 February 2024."), ("en", "It is due next week.", "It is due by the week of 19 February 2024."),
        ("en", "I need it by tomorrow.", "I need it by 15 February 2024."), ("pt", "É para amanhã.", "É para 15 de fevereiro de 2024."),
        ("pt", "Theo faz seis anos amanhã.", "Theo faz seis anos em 15 de fevereiro de 2024."),
        ("pt", "Viajei de segunda a sexta da semana passada.", "Viajei de 5 de fevereiro de 2024 a 9 de fevereiro de 2024."),
        ("en", "I walked two thousand miles in two thousand.", "I walked two thousand miles in two thousand."),
        ("en", "In two thousand days it ended, and two thousand people came.", "In two thousand days it ended, and two thousand people came."),
    ],
)  # fmt: skip
def test_what_stands_beside_a_date_stays(language: Language, text: str, absolute: str) -> None:
    """B: a deadline is still said to be due, an age is still told, days of a week are those of the week named."""
    assert absolutise(text, SAID, language=language) == absolute
