"""`find_times`: the time expressions of a sentence, resolved against the moment of speech."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import lru_cache
from typing import Literal

from arandu_lab.errors import ConfigError
from arandu_lab.pure.timex import en, en_words, pt, pt_words, tense
from arandu_lab.pure.timex.folding import Folded, fold
from arandu_lab.pure.timex.grammar import Grammar
from arandu_lab.pure.timex.meaning import Meaning, Now, Reading
from arandu_lab.pure.timex.spans import Language, Relation, Tense, TimeSpan

Direction = Literal["past", "future", "tense"]


def find_times(
    text: str, reference: datetime, *, language: Language, weekday: Direction = "tense", ahead: bool = False
) -> tuple[TimeSpan, ...]:
    """The time expressions of `text`, in order, none overlapping, with the civil days that they name.

    `reference` is when the text was said; it must know its zone, and days are those of that zone. `weekday` tells
    which way an undirected name leans ("Friday", "March 3", "Christmas"): "past", "future", or as the verbs of the
    sentence have it; where none of them tells, it leans back, or ahead if `ahead`. Recurrent expressions ("every
    Monday") name no day and are not found.

    >>> from datetime import timezone
    >>> said = datetime(2025, 6, 15, 10, tzinfo=timezone.utc)
    >>> [(span.text, span.iso) for span in find_times("We met last week, I moved in 2016.", said, language="en")]
    [('last week', '2025-W23'), ('in 2016', '2016')]
    >>> [(span.text, span.iso) for span in find_times("Vou na sexta, às 17h.", said, language="pt")]
    [('na sexta, às 17h', '2025-06-20')]
    """
    check(reference, language)
    if weekday not in ("past", "future", "tense"):
        raise ConfigError(f"weekday {weekday!r}; known: past, future, tense")
    folded = fold(text)
    spans = []
    for match in matches(folded, language):
        if weekday == "tense":
            if taken(folded, match, language):
                continue
            direction = direction_of(folded, match, language, ahead=ahead)
        else:
            direction = 1 if weekday == "future" else -1
        reading = match.meaning(Now(reference.date(), direction, language == "pt"))
        if reading is not None:
            spans.append(span_of_match(text, folded, match, reading, reference.date()))
    return tuple(spans)


def direction_of(folded: Folded, match: Match, language: Language, *, ahead: bool) -> int:
    """Which way the sentence makes the match lean; a deadline with no verb to place it leans ahead."""
    lean = tense.lean(folded.text, match.start, match.end, language, folded.written)
    return lean or (1 if ahead or match.relation == "until" else -1)


def taken(folded: Folded, match: Match, language: Language) -> bool:
    """Whether "in two weeks" is how long something took: its verb is past ("I wrote it in two weeks")."""
    said = folded.text[match.start : match.end]
    if match.relation == "for" or not _TAKEN.fullmatch(said):
        return False
    return tense.lean(folded.text, match.start, match.end, language, folded.written) < 0


_TAKEN = re.compile(
    r"(?:(?:with)?in|em|dentro de)\s+(?!the |this |last |past |next |coming |ultim|proxim).*"
    r"(?:days?|weeks?|months?|years?|dias?|semanas?|mes(?:es)?|anos?)"
)


@dataclass(frozen=True, slots=True)
class Match:
    """A time expression in a folded text, not yet resolved."""

    start: int
    end: int
    relation: Relation
    meaning: Meaning
    clock: time | None = None


def check(reference: datetime, language: str) -> None:
    """Refuse a reference without a zone and a language without a grammar."""
    if reference.tzinfo is None or reference.utcoffset() is None:
        raise ConfigError(f"reference {reference!r} has no time zone; accepted: a timezone-aware datetime")
    if language not in _TONGUES:
        raise ConfigError(f"language {language!r}; known: {', '.join(_TONGUES)}")


def matches(folded: Folded, language: Language) -> list[Match]:
    """The leftmost longest readings of a folded text."""
    tongue = _tongue(language)
    text = folded.text
    hints, hint = [stem.start() for stem in tongue.hint.finditer(text)], 0
    reader = tongue.grammar.reader(text)
    whole = (len(text) - len(text.lstrip(" \t\n\"'(¿¡")), len(text.rstrip(" \t\n.,;:!?)\"'")))
    found: list[Match] = []
    at = 0
    while (word := _WORD.search(text, at)) is not None:
        best: Match | None = None
        while hint < len(hints) and hints[hint] < word.start():
            hint += 1
        if hint == len(hints):
            break
        if hints[hint] > word.start() + _REACH:
            at = word.end()
            continue
        for relation, company, start, clock in tongue.openings(text, word.start()):
            for parse in reader.parses("top", start):
                span = (word.start(), parse.end)
                alone = span[0] <= whole[0] and span[1] >= whole[1]
                if parse.weak and not (company or alone):
                    continue
                if best is None or parse.end > best.end:
                    best = Match(*span, relation, parse.meaning, clock)
                break
        lasting = reader.parses("lasting", word.start())
        if lasting and tense.lasts(text, word.start(), lasting[0].end, language):
            best = Match(word.start(), lasting[0].end, "for", lasting[0].meaning)
        if best is not None and tongue.refused(text, best.start, best.end):
            best = None
        if best is not None:
            found.append(tongue.with_clock(text, best))
        at = found[-1].end if best else word.end()
    return found


# -- one language ----------------------------------------------------------------------------------------------------

_WORD = re.compile(r"(?<![\w@#$€/.-])['\w]+")
#: Within how many characters from its start an expression has the stem of a time word.
_REACH = 40
_TONGUES = {"en": (en.grammar, en_words), "pt": (pt.grammar, pt_words)}
_RELATIONS: tuple[Relation, ...] = ("since", "until", "before", "after", "at")


@dataclass(frozen=True, slots=True)
class _Tongue:
    grammar: Grammar[Meaning]
    hint: re.Pattern[str]
    prepositions: tuple[tuple[Relation, re.Pattern[str]], ...]
    company: re.Pattern[str]
    refusal: re.Pattern[str]
    namesake: re.Pattern[str]
    clock: re.Pattern[str]
    lead: re.Pattern[str]
    named_clock: tuple[tuple[re.Pattern[str], int], ...]
    day_part: re.Pattern[str]
    portuguese: bool

    def openings(self, text: str, at: int) -> list[tuple[Relation, bool, int, time | None]]:
        """Where an expression may begin: here, or after a preposition, a part of the day or a clock time."""
        found: list[tuple[Relation, bool, int, time | None]] = [("at", False, at, None)]
        for relation, pattern in self.prepositions:
            if match := pattern.match(text, at):
                found.append((relation, self.company.match(text, at) is not None, match.end(), None))
        if match := self.lead.match(text, at):
            found.append(("at", True, match.end(), _time(match, match[0]) if match["hour"] else None))
        return found

    def refused(self, text: str, start: int, end: int) -> bool:
        """Whether it is no time expression after all: by what follows ("segunda vez"), as a name, by who turns it."""
        if self.refusal.match(text, end) or self.namesake.match(text, start):
            return True
        return self.portuguese and tense.turned(text, start, end)

    def with_clock(self, text: str, match: Match) -> Match:
        """The match with the part of the day and the clock time that follow it."""
        end, clock = match.end, match.clock
        for _ in range(2):
            if part := self.day_part.match(text, end):
                end = part.end()
            if clock is None and (hour := self.clock.match(text, end)):
                clock = _time(hour, text[match.start : end] + text[hour.end() : hour.end() + 20])
                end = hour.end() if clock else end
        for pattern, hours in self.named_clock:
            if clock is None and (named := pattern.match(text, end)):
                clock, end = time(hours), named.end()
        while text[end - 1] == "." and text[end - 3 : end] != ".m.":
            end -= 1
        return Match(match.start, end, match.relation, match.meaning, clock)


@lru_cache(maxsize=2)
def _tongue(language: Language) -> _Tongue:
    grammar, words = _TONGUES[language]
    return _Tongue(
        grammar(),
        re.compile(rf"{words.HINT}|{words.LEXICONS['feast'].pattern}"),
        tuple((relation, _flexible(rf"(?:{words.PREPOSITIONS[relation]}) ")) for relation in _RELATIONS),
        _flexible(words.COMPANY.pattern),
        _flexible(words.REFUSAL),
        _flexible(words.NAMESAKE),
        _flexible(words.CLOCK),
        _flexible(words.LEAD),
        tuple((_flexible(rf",? (?:{pattern})\b"), hour) for pattern, hour in words.NAMED_CLOCK.items()),
        _flexible(words.DAY_PART),
        language == "pt",
    )


def _flexible(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace(" ", r"\s+"))


def _time(match: re.Match[str], around: str) -> time | None:
    hour, minute, half = (
        int(match["hour"]),
        int(match["minute"] or 0),
        (match["half"] or "").replace(".", "").replace(" ", ""),
    )
    told = match["minute"] or match["half"] or re.search(r"\bat\b|@|\bas\b", match[0])
    late = half in ("p", "pm") or re.search(_LATE, around + match[0])
    if hour > 23 or not told:
        return None
    if late and hour < 12:
        hour += 12
    if half in ("a", "am") and hour == 12:
        hour = 0
    return time(hour, minute)


_LATE = r"\b(?:evening|night|tonight|afternoon|tarde|noite)\b"


def span_of_match(text: str, folded: Folded, match: Match, reading: Reading, today: date) -> TimeSpan:
    """The public span of a resolved match, with offsets into the original text."""
    start, end = folded.origins[match.start], folded.origins[match.end - 1] + 1
    while end < len(text) and end < folded.origins[match.end]:
        end += 1  # the combining marks of the last letter
    side: Tense = "past" if reading.last < today else "future" if reading.first > today else "present"
    relation: Relation = reading.relation or match.relation
    if relation == "for":
        side = "present"
    return TimeSpan(
        text[start:end], start, end, reading.first, reading.last, reading.grain, relation, side, match.clock
    )
