"""Claims about the words of time: every month, weekday, season, count and ordinal, long and short, in both languages."""

from __future__ import annotations

from datetime import UTC, date, datetime, time

import pytest

from arandu_lab.pure.timex import find_times
from arandu_lab.pure.timex.spans import Language

SAID = datetime(2024, 2, 14, 10, tzinfo=UTC)
MONTHS: dict[Language, str] = {
    "en": "january|jan february|feb march|mar april|apr may june|jun july|jul august|aug september|sep|sept october|oct november|nov december|dec",
    "pt": "janeiro|jan fevereiro|fev março|mar abril|abr maio|mai junho|jun julho|jul agosto|ago setembro|set outubro|out novembro|nov dezembro",
}
WEEKDAYS: dict[Language, str] = {
    "en": "monday|mon tuesday|tue|tues wednesday|wed thursday|thu|thurs friday|fri saturday|sat sunday|sun",
    "pt": "segunda-feira|segunda|seg terça-feira|terça|ter quarta-feira|quarta|qua quinta-feira|quinta|qui sexta-feira|sexta|sex sábado|sáb domingo|dom",
}
COUNTS: dict[Language, str] = {
    "en": "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty",
    "pt": "um dois três quatro cinco seis sete oito nove dez onze doze treze quatorze|catorze quinze dezesseis|dezasseis "
    "dezessete|dezassete dezoito dezenove|dezanove vinte",
}  # fmt: skip
TENS: dict[Language, str] = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "pt": "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
}
RANKS: dict[Language, str] = {
    "en": "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth "
    "seventeenth eighteenth nineteenth twentieth",
    "pt": "primeiro segundo terceiro quarto quinto sexto sétimo oitavo nono décimo",
}
CLEAR: dict[Language, str] = {
    "en": "January February July September October November December",
    "pt": "Janeiro Fevereiro Março Abril Maio Junho Julho Agosto Setembro Outubro Novembro Dezembro",
}


def words(table: dict[Language, str], *, first: int = 1, step: int = 1) -> list[tuple[Language, str, int]]:
    """(language, word, number) of a table, variants parted by a bar."""
    return [
        (language, word, first + step * place)
        for language, row in table.items()
        for place, variants in enumerate(row.split())
        for word in variants.split("|")
    ]


def first(text: str, language: Language, weekday: str = "past") -> date:
    """The first day of the only span of a text."""
    [span] = find_times(text, SAID, language=language, weekday=weekday)  # type: ignore[arg-type]
    return span.first


@pytest.mark.parametrize(("language", "word", "number"), words(MONTHS))
def test_months(language: Language, word: str, number: int) -> None:
    """B: a month by its name or its short form, with a day and a year, and with a year alone."""
    day, joint = (f"9 {word} 2021", "in") if language == "en" else (f"9 de {word} de 2021", "em")
    assert first(day, language) == date(2021, number, 9)
    assert first(f"{joint} {word} {'de ' if language == 'pt' else ''}2021", language) == date(2021, number, 1)


@pytest.mark.parametrize(
    ("language", "word"), [(language, word) for language, row in CLEAR.items() for word in row.split()]
)
def test_clear_months(language: Language, word: str) -> None:
    """B: a month whose name is nothing else needs no preposition, and is the last such month in a statement of the past."""
    number = {one: number for _, one, number in words({language: MONTHS[language]})}[word.lower()]
    found = first(f"{word} was good" if language == "en" else f"{word} foi bom", language, "tense")
    assert found == date(2024 if number <= 2 else 2023, number, 1)


@pytest.mark.parametrize(("language", "word", "number"), words(WEEKDAYS, first=0))
def test_weekdays(language: Language, word: str, number: int) -> None:
    """B: a weekday by its name or short form is that day of the week before, or, ahead, of the seven days that come."""
    text = f"on {word}" if language == "en" else f"na {word}" if number < 5 else f"no {word}"
    back, ahead = first(text, language), first(text, language, "future")
    assert (back.weekday(), (back - SAID.date()).days) == (number, (number - 2) % 7 - 7)
    assert (ahead.weekday(), (ahead - SAID.date()).days) == (number, (number - 3) % 7 + 1)


@pytest.mark.parametrize(("language", "word", "number"), [*words(COUNTS), *words(TENS, first=20, step=10)])
def test_counts(language: Language, word: str, number: int) -> None:
    """B: so many days ago, told by a word, are so many days."""
    text = f"{word} days ago" if language == "en" else f"há {word} dias"
    assert (SAID.date() - first(text, language)).days == number


@pytest.mark.parametrize(("language", "word", "number"), words(RANKS))
def test_ranks(language: Language, word: str, number: int) -> None:
    """B: a day of a month told by its rank is that day; so is one of the twenties and thirties."""
    text = f"the {word} of January 2023" if language == "en" else f"{word} de janeiro de 2023"
    if language == "en" or number == 1:
        assert first(text, language).day == number
    if number < 10 and language == "en":
        assert first(f"the twenty-{word} of January 2023", "en").day == 20 + number
    if language == "pt":
        assert first(f"{word} dia de janeiro de 2023", "pt").day == number


@pytest.mark.parametrize(
    ("language", "text", "days"),
    [("en", "a couple of days ago", 2), ("en", "a few days ago", 3), ("en", "a day ago", 1), ("en", "a decade ago", 3652),
     ("pt", "há um par de dias", 2), ("pt", "há alguns dias", 3), ("pt", "há uns poucos dias", 3), ("pt", "há uma década", 3652)],
)  # fmt: skip
def test_loose_counts(language: Language, text: str, days: int) -> None:
    """B: a couple is two, a few are three."""
    assert (SAID.date() - first(text, language)).days == days


@pytest.mark.parametrize(
    ("language", "word", "month"),
    [("en", "spring", 3), ("en", "summer", 6), ("en", "autumn", 9), ("en", "fall", 9), ("en", "winter", 12),
     ("pt", "primavera", 9), ("pt", "verão", 12), ("pt", "outono", 3), ("pt", "inverno", 6)],
)  # fmt: skip
def test_seasons(language: Language, word: str, month: int) -> None:
    """B: a season begins in its month, north of the equator in English and south of it in Portuguese."""
    assert first(f"in the {word} of 2022" if language == "en" else f"na {word} de 2022", language).month == month


@pytest.mark.parametrize("quarter", [1, 2, 3, 4])
def test_quarters(quarter: int) -> None:
    """B: Q1 to Q4 begin in January, April, July and October."""
    assert first(f"Q{quarter} 2023", "en") == date(2023, 3 * quarter - 2, 1)
    assert first(f"2023 Q{quarter}", "en") == date(2023, 3 * quarter - 2, 1)


def test_named_hours() -> None:
    """B: noon is 12 and midnight 0, in both languages."""
    texts: list[tuple[str, Language, int]] = [
        ("yesterday at noon", "en", 12), ("yesterday at midnight", "en", 0), ("ontem ao meio-dia", "pt", 12), ("ontem à meia-noite", "pt", 0)
    ]  # fmt: skip
    for text, language, hour in texts:
        [span] = find_times(text, SAID, language=language)
        assert span.clock == time(hour)
