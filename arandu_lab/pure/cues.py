"""What kind of answer a question wants, and which turns look as if they held one. English and Portuguese, folded words.

The patterns of both languages apply to every question; the words of a turn are looked up in its own language ("do" is a
verb here and a place there).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, TypeAlias

from arandu_lab.pure import cues_en, cues_pt
from arandu_lab.pure.stems import LANGUAGES, Language
from arandu_lab.pure.text import STOP, fold, words

Kind: TypeAlias = Literal["when", "where", "who", "many", "why", "feel", "would", "yesno", "plural"]
Cue: TypeAlias = Literal["time", "number", "place", "kin", "reason", "feeling", "self"]


def question_kinds(text: str) -> frozenset[Kind]:
    """What a question asks for: a moment, a place, a person, a number, a reason, a feeling, a guess, yes or no, several
    things (``plural``). A question may be of several kinds, or of none.

    >>> sorted(question_kinds("When did Ana visit the museums?")), sorted(question_kinds("Onde a Ana mora?"))
    (['when'], ['where'])
    >>> sorted(question_kinds("Quais hobbies a Ana tem?")), sorted(question_kinds("What activities does Ana do?"))
    (['plural'], ['plural'])
    """
    folded, found = fold(text), words(text)
    kinds: set[Kind] = {kind for kind, pattern in _QUESTIONS.items() if pattern.search(folded)}
    if found and found[0] in _AUXILIARY:
        kinds.add("yesno")
    return frozenset(kinds)


def cues(text: str, language: Language) -> frozenset[Cue]:
    """Which kinds of words a turn holds: of time, number, place (a preposition of place), kin, reason, feeling, and of the
    speaker's own person (``self``).

    >>> sorted(cues("Ontem fui ao dentista com a minha mãe", "pt"))
    ['kin', 'place', 'self', 'time']
    >>> sorted(cues("We moved there in 2019 because of work", "en"))
    ['number', 'place', 'reason', 'self', 'time']
    """
    held = frozenset(words(text))
    found: set[Cue] = {cue for cue, table in _CUES[language].items() if not held.isdisjoint(table)}
    if _YEAR.search(text):
        found.add("time")
    if _DIGIT.search(text):
        found.add("number")
    return frozenset(found)


def month_numbers(text: str) -> frozenset[int]:
    """Months that a text names, 1 to 12. The English "may" counts only with a capital ("in May", not "she may").

    >>> sorted(month_numbers("in May or June")), sorted(month_numbers("she may come em março"))
    ([5, 6], [3])
    """
    found = {_MONTHS[word] for word in words(text) if word in _MONTHS and word not in ("may", "march")}
    if re.search(r"\bMay\b", text):
        found.add(5)
    if re.search(r"\bMarch\b", text) or "in march" in fold(text):
        found.add(3)
    return frozenset(found)


@lru_cache(maxsize=1)
def asking_words() -> frozenset[str]:
    """Words that a question has because it is one (what, did, qual ...), beside the function words of both languages."""
    return STOP | frozenset(cues_en.ASKING) | frozenset(cues_pt.ASKING)


def first_person(language: Language) -> str:
    """The pronoun that a speaker uses of himself.

    >>> first_person("en"), first_person("pt")
    ('I', 'eu')
    """
    return "eu" if language == "pt" else "I"


def _tables(language: Language) -> dict[Cue, frozenset[str]]:
    table = cues_pt if language == "pt" else cues_en
    return {
        "time": frozenset(table.TIME) | (frozenset(table.MONTHS) - {"may", "march"}),
        "number": frozenset(table.NUMBER),
        "place": frozenset(table.PLACE),
        "kin": frozenset(table.KIN),
        "reason": frozenset(table.REASON),
        "feeling": frozenset(table.FEELING),
        "self": frozenset(table.SELF),
    }


_KINDS: tuple[Kind, ...] = ("when", "where", "who", "many", "why", "feel", "would", "plural")
_QUESTIONS: dict[Kind, re.Pattern[str]] = {
    kind: re.compile("|".join((*cues_en.QUESTIONS[kind], *cues_pt.QUESTIONS[kind]))) for kind in _KINDS
}
_AUXILIARY = frozenset(cues_en.AUXILIARY) | frozenset(cues_pt.AUXILIARY)
_CUES: dict[Language, dict[Cue, frozenset[str]]] = {language: _tables(language) for language in LANGUAGES}
_MONTHS = {name: number for table in (cues_en, cues_pt) for number, name in enumerate(table.MONTHS, 1)}
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_DIGIT = re.compile(r"\d")
