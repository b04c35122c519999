"""The dates of a fact: its text made absolute, since when and until when it holds, and for when it is planned or was."""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from arandu_lab.llm.rules.language import Language

_HINT = re.compile(
    r"\d|\b(?:yesterday|today|tonight|tomorrow|ago|last|next|this (?:morning|week|month|year|weekend|afternoon|evening|summer|winter|spring|fall|autumn)|"
    r"monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|"
    r"december|weekend|christmas|easter|new year|halloween|thanksgiving|since|(?:day|night) before|days?|weeks?|months?|years?|summer|winter|spring|"
    r"autumn|fall|ontem|hoje|amanhã|anteontem|passad[oa]|próxim[oa]|que vem|segunda|terça|quarta|quinta|sexta|sábado|domingo|janeiro|fevereiro|março|"
    r"abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|natal|páscoa|carnaval|réveillon|há|faz|desde|dias?|semanas?|mês|meses|anos?|"
    r"verão|inverno|primavera|outono|feriado)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Dates:
    """A fact's text with absolute dates, and the dates that go with it (ISO, as exact as the words).

    ``valid_to`` is the last day, month or year told; ``event_time`` is ``start/end`` where a plan lasts.
    """

    text: str
    valid_from: str | None = None
    event_time: str | None = None
    valid_to: str | None = None


def reference(sent_at: object) -> datetime | None:
    """The moment of the message, or None where it is not given."""
    try:
        found = datetime.fromisoformat(str(sent_at))
    except ValueError:
        return None
    return found if found.tzinfo else None


def dated(
    text: str, said: datetime | None, language: Language, *, dates_event: bool, lasting: bool, future: bool = False
) -> Dates:
    """Resolve the times of a fact. ``dates_event``: its time is when something happens; ``lasting``: since when it
    holds.

    ``future``: the verb is in the present, so a date without a year is the coming one. "From March to May" and "until
    2019" give an end, unless they tell of what is to be done by then.
    """
    if said is None or not _HINT.search(text):
        return Dates(text)
    from arandu_lab.pure import timex

    text, kept = _masked(text, language)
    spans = timex.find_times(text, said, language=language, ahead=future)
    if not spans:
        return Dates(_unmasked(text, kept))
    absolute = timex.absolutise(text, said, language=language, ahead=future)
    valid = event = end = None
    today = said.date()
    for span in spans:
        moment = "week" not in span.grain and "weekend" not in span.grain
        iso = span.iso.split("/")[0] if moment and "W" not in span.iso else span.first.isoformat()
        if (
            span.first <= today
            and valid is None
            and (
                span.relation == "since"
                or (span.relation == "for" and span.tense != "future")
                or (span.tense == "past" and span.relation == "at")
            )
        ):
            valid = iso
        if span.relation == "at" and event is None:
            event = iso
        if moment and end is None and not _DUE.search(text):
            whole = span.iso.split("/")
            if _UNTIL.match(span.text) and span.relation == "until":
                end = whole[-1]
            elif len(whole) == 2 and _RANGE[language].match(span.text):
                begins = span.first <= today and (valid in (None, iso))
                valid, end = (iso, whole[1]) if begins else (valid, None)
                event = "/".join(whole) if span.first > today and event == iso else event
    absolute = _unmasked(absolute, kept)
    return Dates(
        absolute, valid if lasting or dates_event else None, event if dates_event else None, end if lasting else None
    )


def interval_last(text: str, language: Language) -> str:
    """The sentence with an interval that opens it put at its end, where the rest of the rules look for it.

    >>> interval_last("De março a maio de 2024, morei em Recife.", "pt")
    'morei em Recife de março a maio de 2024.'
    >>> interval_last("Between 2015 and 2018 I lived in Recife", "en"), interval_last("Between us, I am tired", "en")
    ('I lived in Recife between 2015 and 2018', 'Between us, I am tired')
    """
    found = _OPENING[language].match(text)
    if found is None or re.search(r"[.!?;…].*\w", text):
        return text
    words, said = text[found.end() :], found["told"]
    end = re.search(r"[.!?…\s]*$", words)
    close = end.start() if end else len(words)
    return f"{words[:close]} {said[0].lower()}{said[1:]}{words[close:]}"


_MONTHS = {
    "en": "january|february|march|april|may|june|july|august|september|october|november|december",
    "pt": "janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro",
}
_YEAR = {"en": r"(?:,? (?:of )?(?:\d{4}|last year|this year))", "pt": r"(?: de \d{4}| do ano passado| deste ano)"}
_POINT = {
    "en": rf"(?:(?:{_MONTHS['en']})(?: \d{{1,2}})?{_YEAR['en']}?|\d{{1,2}} (?:{_MONTHS['en']}){_YEAR['en']}?|\d{{4}})",
    "pt": rf"(?:(?:dia )?(?:\d{{1,2}}º?(?: de (?:{_MONTHS['pt']}){_YEAR['pt']}?)?|(?:{_MONTHS['pt']}){_YEAR['pt']}?)|\d{{4}})",
}
_OPENING = {
    "en": re.compile(
        rf"(?P<told>(?:from {_POINT['en']} (?:to|until|till|through)|between {_POINT['en']} and|until|till|since) {_POINT['en']}),? (?=(?:I|we|he|she|they|my)\b|(?-i:[A-Z]))",
        re.IGNORECASE,
    ),
    "pt": re.compile(
        rf"(?P<told>(?:(?:de|desde) {_POINT['pt']} (?:a|até)|entre {_POINT['pt']} e|até|desde) {_POINT['pt']})(?:, (?=\w)| (?=(?!e |ou |a |até )\w))",
        re.IGNORECASE,
    ),
}
_UNTIL = re.compile(r"(?:up )?(?:until|till|til)\b|through\b|at[eé]\b", re.IGNORECASE)
_RANGE = {
    "en": re.compile(
        r"(?:(?:from|since)\b.*\b(?:to|until|till|through|thru)\b|between\b.*\band\b|(?:from )?\d{4} ?[-–—] ?\d{2,4}$)",
        re.IGNORECASE,
    ),
    "pt": re.compile(
        r"(?:(?:de|do|da|desde|a partir)\b.*(?<!\w)(?:a|ao|à|até)\b|entre\b.* e\b|(?:de )?\d{4} ?[-–—] ?\d{2,4}$)",
        re.IGNORECASE,
    ),
}
_DUE = re.compile(
    r"\b(?:must|has to|have to|needs? to|should|due|deadline|submit|deliver|finish|tem que|tem de|precisa|deve|deveria|prazo|entregar|terminar)\b",
    re.IGNORECASE,
)
"""Something to be done: "until Friday" is its day, not the end of what holds."""


_KEEP = {
    "en": re.compile(
        r"(?<=\bhis )last (?:year|day|week|shift)\b|(?<=\bher )last (?:year|day|week|shift)\b|(?<=\btheir )last (?:year|day|week|shift)\b|(?<='s )last (?:year|day|week|shift)\b|\b(?:Sat|Sun|Mar|May|April|June|August|Summer|Friday) (?!\d)[A-Z][a-z]+\b"
    ),
    "pt": re.compile(
        r"\b(?:Dom|Seg|Sex|Mar|Set|Abril|Domingo) [A-ZÀ-Ý][a-zà-ÿ]+\b|(?<=[A-Za-zÀ-ÿ] )(?:faz|fez|completa|completou) \d{1,3} anos\b(?! (?:que|de namoro|de casad))"
    ),
}


def _masked(text: str, language: Language) -> tuple[str, list[str]]:
    """Names that look like dates (*Dom Vital*) and ages (*faz 6 anos*) put aside."""
    kept: list[str] = []

    def put(match: re.Match[str]) -> str:
        if _DATED.search(match[0].split()[-1]):
            return match[0]
        kept.append(match[0])
        return f"\ue000{chr(0xE100 + len(kept) - 1)}"

    return _KEEP[language].sub(put, text), kept


def _unmasked(text: str, kept: list[str]) -> str:
    for index, word in enumerate(kept):
        text = text.replace(f"\ue000{chr(0xE100 + index)}", word)
    return text


_DATED = re.compile(
    r"^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day$|^(?:January|February|March|April|May|June|July|August|September|October|November|December|Santa|Santo|Day)$"
)
