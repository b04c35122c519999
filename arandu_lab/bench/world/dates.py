"""Stated dates: what is said of a day or a month in each language, and the date that is meant, by construction."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from arandu_lab.bench.world.lexicon import Lang

MONTHS: dict[Lang, tuple[str, ...]] = {
    "en": ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December"),
    "pt": ("janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro",
           "novembro", "dezembro"),
}  # fmt: skip
WEEKDAYS: dict[Lang, tuple[str, ...]] = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "pt": ("segunda", "terça", "quarta", "quinta", "sexta", "sábado", "domingo"),
}
NUMBERS: dict[Lang, tuple[str, ...]] = {
    "en": ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    "pt": ("zero", "uma", "duas", "três", "quatro", "cinco", "seis", "sete", "oito", "nove", "dez"),
}


@dataclass(frozen=True, slots=True)
class When:
    """A date as somebody says it on a day. ``first`` is the day meant, or the first of the month meant.

    ``manner``: ``near`` (yesterday, tomorrow), ``weekday``, ``days``, ``weeks``, ``day`` (3 March), ``full`` (with its
    year), ``month``, ``month_year``, ``next_month``. ``steps`` is the number of days or weeks, negative in the past.
    """

    manner: str
    first: date
    steps: int = 0

    @property
    def by_month(self) -> bool:
        """Whether a month is meant and no day."""
        return self.manner in ("month", "month_year", "next_month")

    @property
    def event_time(self) -> str:
        """``2024-03-09``, or ``2024-03`` where a month is meant.

        >>> When("month", date(2024, 3, 1)).event_time
        '2024-03'
        """
        return self.first.isoformat()[: 7 if self.by_month else 10]

    def spoken(self, lang: Lang) -> str:
        """The phrase with its preposition, as it is said on the day of telling.

        >>> When("weeks", date(2024, 3, 1), -2).spoken("pt"), When("weekday", date(2024, 3, 1), -3).spoken("en")
        ('há duas semanas', 'on Friday')
        """
        return _english(self) if lang == "en" else _portuguese(self)

    def bare(self, lang: Lang) -> str:
        """The date written out, without a preposition: the answer to "when".

        >>> When("weeks", date(2024, 3, 1), -2).bare("pt"), When("month", date(2024, 3, 1)).bare("en")
        ('1º de março de 2024', 'March 2024')
        """
        return month_year(self.first, lang) if self.by_month else full_day(self.first, lang)

    def dated(self, lang: Lang) -> str:
        """The date written out with its preposition.

        >>> When("near", date(2024, 3, 1), -1).dated("en"), When("month", date(2024, 3, 1)).dated("pt")
        ('on 1 March 2024', 'em março de 2024')
        """
        if lang == "pt":
            return f"em {self.bare('pt')}"
        return f"{'in' if self.by_month else 'on'} {self.bare('en')}"


def full_day(day: date, lang: Lang) -> str:
    """``3 March 2024``, ``3 de março de 2024``."""
    month = MONTHS[lang][day.month - 1]
    return f"{day.day} {month} {day.year}" if lang == "en" else f"{ordinal(day.day)} de {month} de {day.year}"


def month_year(day: date, lang: Lang) -> str:
    """``March 2024``, ``março de 2024``."""
    month = MONTHS[lang][day.month - 1]
    return f"{month} {day.year}" if lang == "en" else f"{month} de {day.year}"


def past(rng: Random, today: date, earliest: date) -> When | None:
    """A stated day before today and not before ``earliest``; None if there is no such day.

    Months are only meant whole: one that began on or after ``earliest`` and is over.
    """
    room = (today - earliest).days
    if room < 1:
        return None
    roll = rng.random()
    if roll < 0.2:
        back = rng.randint(1, 2)
        return _ago("near", today, back) if back <= room else None
    if roll < 0.4 and room >= 3:
        return _ago("weekday", today, rng.randint(3, min(6, room)))
    if roll < 0.55 and room >= 3:
        return _ago("days", today, rng.randint(3, min(6, room)))
    if roll < 0.7 and room >= 7:
        weeks = rng.randint(1, min(6, room // 7))
        return When("weeks", today - timedelta(days=7 * weeks), -weeks)
    if roll < 0.85 or room < 62:
        back = rng.randint(1, min(room, 280))
        return _ago("day", today, back)
    back = rng.randint(31, min(room, 700))
    day = today - timedelta(days=back)
    if roll < 0.93:
        return When("full", day)
    first = day.replace(day=1)
    if first < earliest or _next_month(first) > today:
        return When("full", day)
    recent = (today.year - first.year) * 12 + today.month - first.month
    return When("month" if recent <= 9 else "month_year", first)


def future(rng: Random, today: date) -> When:
    """A stated day or month after today, within a year."""
    roll = rng.random()
    if roll < 0.1:
        return When("near", today + timedelta(days=1), 1)
    if roll < 0.3:
        days = rng.randint(2, 6)
        return When("weekday", today + timedelta(days=days), days)
    if roll < 0.4:
        days = rng.randint(3, 9)
        return When("days", today + timedelta(days=days), days)
    if roll < 0.55:
        weeks = rng.randint(2, 8)
        return When("weeks", today + timedelta(days=7 * weeks), weeks)
    if roll < 0.8:
        return When("day", today + timedelta(days=rng.randint(7, 240)))
    first = _next_month(today)
    if roll < 0.88:
        return When("next_month", first)
    for _ in range(rng.randint(1, 8)):
        first = _next_month(first)
    return When("month", first)


def month_within(rng: Random, first: date, end: date) -> date | None:
    """The first day of a month that lies whole in ``[first, end)``, or None."""
    start = first if first.day == 1 else _next_month(first)
    count = (end.year - start.year) * 12 + end.month - start.month
    if count < 1:
        return None
    step = rng.randrange(count)
    months = start.year * 12 + start.month - 1 + step
    return date(months // 12, months % 12 + 1, 1)


def _ago(manner: str, today: date, days: int) -> When:
    return When(manner, today - timedelta(days=days), -days)


def _next_month(day: date) -> date:
    return date(day.year + day.month // 12, day.month % 12 + 1, 1)


def next_month(day: date) -> date:
    """The first day of the month after.

    >>> next_month(date(2024, 12, 9)).isoformat()
    '2025-01-01'
    """
    return _next_month(day)


def _english(when: When) -> str:
    steps, day = when.steps, when.first
    month = MONTHS["en"][day.month - 1]
    match when.manner:
        case "near":
            return {-2: "the day before yesterday", -1: "yesterday", 1: "tomorrow"}[steps]
        case "weekday":
            return f"on {WEEKDAYS['en'][day.weekday()]}"
        case "days" | "weeks" as unit:
            count = abs(steps)
            noun = unit if count > 1 else unit[:-1]
            said = f"{'a' if count == 1 else NUMBERS['en'][count]} {noun}"
            return f"{said} ago" if steps < 0 else f"in {said}"
        case "day":
            return f"on {day.day} {month}" if day.day % 2 else f"on {month} {day.day}"
        case "full":
            return f"on {day.day} {month} {day.year}"
        case "month":
            return f"in {month}"
        case "month_year":
            return f"in {month} {day.year}"
    return "next month"


def _portuguese(when: When) -> str:
    steps, day = when.steps, when.first
    month = MONTHS["pt"][day.month - 1]
    match when.manner:
        case "near":
            return {-2: "anteontem", -1: "ontem", 1: "amanhã"}[steps]
        case "weekday":
            return f"{'no' if day.weekday() > 4 else 'na'} {WEEKDAYS['pt'][day.weekday()]}"
        case "days" | "weeks" as unit:
            count = abs(steps)
            number = {1: "um", 2: "dois"}.get(count, NUMBERS["pt"][count]) if unit == "days" else NUMBERS["pt"][count]
            noun = "dia" if unit == "days" else "semana"
            said = f"{number} {noun}{'s' if count > 1 else ''}"
            return f"há {said}" if steps < 0 else f"daqui a {said}"
        case "day":
            return f"em {ordinal(day.day)} de {month}" if day.day % 2 else f"no dia {day.day} de {month}"
        case "full":
            return f"em {ordinal(day.day)} de {month} de {day.year}"
        case "month":
            return f"em {month}"
        case "month_year":
            return f"em {month} de {day.year}"
    return "no mês que vem"


def ordinal(day: int) -> str:
    """A day of the month in Portuguese: the first is ``1º``."""
    return "1º" if day == 1 else str(day)
