"""`absolutise`: a sentence with its relative times in words that do not depend on when it was said."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from arandu_lab.pure.timex import calendar, en_words, pt_words, tense
from arandu_lab.pure.timex.finding import Match, check, direction_of, matches, span_of_match, taken
from arandu_lab.pure.timex.folding import Folded, fold
from arandu_lab.pure.timex.meaning import Now
from arandu_lab.pure.timex.spans import Language, TimeSpan


def absolutise(text: str, reference: datetime, *, language: Language, ahead: bool = False) -> str:
    """`text` with each relative time expression put in absolute words; absolute and recurrent ones stay as they are.

    A name that no verb places leans back, or ahead if `ahead`, as in `find_times`.

    >>> from datetime import timezone
    >>> said = datetime(2025, 6, 15, 10, tzinfo=timezone.utc)
    >>> absolutise("I moved yesterday, and my sister comes next month.", said, language="en")
    'I moved on 14 June 2025, and my sister comes in July 2025.'
    >>> absolutise("Eu me mudei ontem. Corro toda sexta.", said, language="pt")
    'Eu me mudei em 14 de junho de 2025. Corro toda sexta.'
    """
    check(reference, language)
    folded = fold(text)
    pieces: list[str] = []
    at = 0
    for match in matches(folded, language):
        now = Now(reference.date(), direction_of(folded, match, language, ahead=ahead), language == "pt")
        reading = match.meaning(now)
        if reading is None or taken(folded, match, language) or _fixed(match, now) or _annual(folded, match, language):
            continue
        span = span_of_match(text, folded, match, reading, now.today)
        words = _worded(span, folded, match, language)
        pieces += [text[at : span.start], words[0].upper() + words[1:] if _opens(text, span) else words]
        at = span.end
    return "".join([*pieces, text[at:]])


def _fixed(match: Match, now: Now) -> bool:
    """Whether the expression means the same days whenever it is said."""
    elsewhere = [Now(day, lean, now.southern) for day in (date(1911, 2, 3), date(2187, 11, 20)) for lean in (-1, 1)]
    readings = {(reading.first, reading.last) if reading else None for reading in map(match.meaning, [now, *elsewhere])}
    return len(readings) == 1


def _annual(folded: Folded, match: Match, language: Language) -> bool:
    """Whether the expression tells a day of every year: a feast as such ("I love Christmas"), a birthday."""
    said = folded.text[match.start : match.end]
    if re.fullmatch(rf"(?:[oa] )?(?:{_FEASTS[language]})", said):
        return True
    near = folded.text[slice(*tense.clause(folded.text, match.start, match.end))]
    yearless = re.search(_MONTH[language], said) and re.search(r"\d", said) and not re.search(r"\d{4}", said)
    return bool(yearless and _BIRTHDAY.search(near))


def _opens(text: str, span: TimeSpan) -> bool:
    return span.text[0].isupper() and re.search(r"(?:^|[.!?\n])\W*$", text[: span.start]) is not None


def _worded(span: TimeSpan, folded: Folded, match: Match, language: Language) -> str:
    voice = _VOICES[language]
    said = folded.text[match.start : match.end]
    after = folded.text[match.end :]
    clock = voice.clock.format(span.clock.strftime("%H:%M")) if span.clock else ""
    if span.relation == "for":
        return voice.join("since", voice.noun(span, span.first)) + clock
    if span.relation in ("since", "before"):
        return voice.join(span.relation, voice.noun(span, span.first)) + clock
    if span.relation in ("until", "after"):
        relation = "by" if re.match(r"by|due|no later", said) else span.relation
        due = "due " if re.match(r"due\b", said) else ""
        return due + voice.join(relation, voice.noun(span, span.last)) + clock
    first, last = voice.noun(span, span.first), voice.noun(span, span.last)
    if first != last:
        return voice.span.format(first=first, last=last) + clock
    if part := _part(said, voice):
        return voice.part.format(voice.parts[part], first) + clock
    if voice.subject.match(after) and not voice.led.match(said):
        return first + clock
    kept = next((relation for relation, pattern in voice.kept.items() if pattern.match(said)), _AT[span.grain])
    return voice.join(kept, first) + clock


def _part(said: str, voice: _Voice) -> str | None:
    found = re.search(rf"(?<!a)(?:{'|'.join(voice.parts)})", said)
    return found[0] if found else None


_BIRTHDAY = re.compile(r"\b(?:birthday|b-day|bday|anniversary|born|aniversario|nasc\w+)\b")
_FEASTS = {"en": en_words.LEXICONS["feast"].pattern, "pt": pt_words.LEXICONS["feast"].pattern}
_MONTH = {"en": en_words.LEXICONS["month"].pattern, "pt": pt_words.LEXICONS["month"].pattern}
_AT = {"day": "on", "week": "in", "weekend": "on", "month": "in", "season": "in", "year": "in"}


# -- the two languages -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Voice:
    noun: Callable[[TimeSpan, date], str]  # "14 June 2025", "the week of 9 June 2025"
    join: Callable[[str, str], str]  # a preposition with a noun
    span: str
    clock: str
    part: str
    parts: dict[str, str]
    kept: dict[str, re.Pattern[str]]  # prepositions of the original that survive
    led: re.Pattern[str]
    subject: re.Pattern[str]  # what follows when the expression is the subject, not an adverb


def _english_noun(span: TimeSpan, day: date) -> str:
    match span.grain:
        case "week" if _one_week(span):
            return f"the week of {_english_day(_monday(day))}"
        case "weekend" if (span.last - span.first).days <= 1:
            return f"the weekend of {_english_day(span.first)}"
        case "season" if (span.last - span.first).days < 100:
            return "the {} of {}".format(*_season(span.first, southern=False))
        case "month":
            return f"{_EN_MONTHS[day.month - 1]} {day.year}"
        case "year":
            return f"{day.year}"
        case _:
            return _english_day(day)


def _portuguese_noun(span: TimeSpan, day: date) -> str:
    match span.grain:
        case "week" if _one_week(span):
            return f"a semana de {_portuguese_day(_monday(day))}"
        case "weekend" if (span.last - span.first).days <= 1:
            return f"o fim de semana de {_portuguese_day(span.first)}"
        case "season" if (span.last - span.first).days < 100:
            name, year = _season(span.first, southern=True)
            return f"{_PT_SEASONS[name]} de {year}"
        case "month":
            return f"{_PT_MONTHS[day.month - 1]} de {day.year}"
        case "year":
            return f"{day.year}"
        case _:
            return _portuguese_day(day)


def _one_week(span: TimeSpan) -> bool:
    return _monday(span.first) == _monday(span.last) or span.relation == "for"


def _english_join(relation: str, noun: str) -> str:
    return f"{relation} {noun}"


def _portuguese_join(relation: str, noun: str) -> str:
    word = {
        "on": "em",
        "in": "em",
        "since": "desde",
        "until": "até",
        "by": "até",
        "before": "antes de",
        "after": "depois de",
    }
    joint = f"{word.get(relation, relation)} {noun}"
    for apart, joined in (("em a ", "na "), ("em o ", "no "), ("de a ", "da "), ("de o ", "do ")):
        joint = re.sub(rf"\b{apart}", joined, joint, count=1)
    return joint


def _english_day(day: date) -> str:
    return f"{day.day} {_EN_MONTHS[day.month - 1]} {day.year}"


def _portuguese_day(day: date) -> str:
    return f"{day.day}{'º' if day.day == 1 else ''} de {_PT_MONTHS[day.month - 1]} de {day.year}"


def _monday(day: date) -> date:
    return day - timedelta(days=min(day.weekday(), day.toordinal() - 1))


def _season(first: date, *, southern: bool) -> tuple[str, int]:
    index = calendar.TURNS.index((first.month, first.day))
    name = (calendar.SOUTHERN if southern else calendar.NORTHERN)[index]
    return name, first.year + 1 if southern and index == 3 else first.year


_EN_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_PT_MONTHS = (
    "janeiro",
    "fevereiro",
    "março",
    "abril",
    "maio",
    "junho",
    "julho",
    "agosto",
    "setembro",
    "outubro",
    "novembro",
    "dezembro",
)
_PT_SEASONS = {"spring": "a primavera", "summer": "o verão", "autumn": "o outono", "winter": "o inverno"}

_VOICES: dict[str, _Voice] = {
    "en": _Voice(
        noun=_english_noun,
        join=_english_join,
        span="from {first} to {last}",
        clock=" at {}",
        part="on the {} of {}",
        parts={
            "morning": "morning",
            "afternoon": "afternoon",
            "evening": "evening",
            "night": "night",
            "tonite": "night",
        },
        kept={"around": re.compile("around|about"), "for": re.compile("for "), "of": re.compile("of ")},
        led=re.compile(r"(?:on|in|at|during|over|around|about|for)\b"),
        subject=re.compile(r"'s|\s+(?:was|is|were|will|has|had|would|might|could|should|works?|sounds?)\b"),
    ),
    "pt": _Voice(
        noun=_portuguese_noun,
        join=_portuguese_join,
        span="de {first} a {last}",
        clock=" às {}",
        part="na {} de {}",
        parts={"manha": "manhã", "tarde": "tarde", "noite": "noite", "madrugada": "madrugada"},
        kept={
            "para": re.compile(r"para |pr[oa] "),
            "por volta de": re.compile("por volta"),
            "de": re.compile(r"d[eoa] "),
        },
        led=re.compile(r"(?:em|n[oa]s?|d[eoa]|para|pr[oa]|durante)\b"),
        subject=re.compile(r"\s+(?:foi|era|sera|esta|estava|teve|tem|vai ser)\b"),
    ),
}
