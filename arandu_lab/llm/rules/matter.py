"""What a sentence speaks of besides its subject, its dates and its light verbs: families of words, names, days."""

# ruff: noqa: E501  (tables of words read better on long lines)

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from arandu_lab.llm.rules import families, kinship
from arandu_lab.llm.rules.stems import stem
from arandu_lab.pure.text import content_words, fold

_MONTHS = "january february march april may june july august september october november december janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro monday tuesday wednesday thursday friday saturday sunday".split()
_LIGHT = frozenset(
    families.family(fold(word))
    for word in """get got have has had take took make made go went do did be being been start started begin began stop stopped quit give gave up still again continue keep kept now
    new old first last one two three four five six seven eight nine ten long time back after before since until about around probably maybe perhaps apparently
    começar começou parar parou deixar deixou fazer faz fez ficar ficou passar passou virar virou ter tem teve vai ir foi estar está novo nova velho velha primeiro primeira
    último última depois antes desde até cerca talvez provavelmente ainda continua agora mês ano semana dia""".split()
)


@dataclass(frozen=True, slots=True)
class Matter:
    """Families of content words, folded names, and days (``4 march``), of one sentence; none of its subject's."""

    words: frozenset[str]
    names: frozenset[str]
    days: frozenset[str]


@lru_cache(maxsize=8192)
def matter(text: str, subject: str) -> Matter:
    """What a sentence speaks of.

    >>> sorted(matter("Ana's knee operation is on 4 March 2024", "Ana").days)
    ['4-3']
    >>> matter("Ana plans a trip to Oslo", "Ana").names
    frozenset({'oslo'})
    """
    own = set(re.findall(r"\w+", fold(subject)))
    said = [word for word in content_words(text[:1200]) if word not in own and not word.isdigit() and len(word) > 2]
    found = frozenset(families.family(word) for word in said if stem(word) not in kinship.DATE_STEMS)
    names = frozenset(
        fold(word)
        for word in re.findall(r"(?<=[\w,;:’'] )[A-ZÀ-Ý][\w-]{2,}", text)
        if fold(word) not in own and fold(word) not in _DATES
    )
    return Matter(found - _LIGHT, names, days(text))


def shared(one: Matter, two: Matter) -> frozenset[str]:
    """Families that both speak of; long words meet by how they begin (``diretor``, ``direção``)."""
    common = set(one.words & two.words)
    begun = {word[:6] for word in two.words if len(word) >= 6 and word[0] != "="}
    common |= {word for word in one.words if len(word) >= 6 and word[:6] in begun}
    cut = {part for word in two.words for part in _cuts(word)}
    common |= {word for word in one.words if word in cut or _cuts(word) & two.words}
    return frozenset(common)


def _cuts(word: str) -> set[str]:
    """A stem and the same without its last letter or two (``ensai`` is ``ensa`` of another form); a family as it is."""
    if word[0] == "=":
        return {word}
    return {word, *(word[:-cut] for cut in (1, 2) if len(word) - cut >= 4)}


_DATES = frozenset(fold(word) for word in _MONTHS)
_NUMBER = {fold(name): number % 12 + 1 for number, name in enumerate(_MONTHS[:24])}
_DAY = re.compile(
    rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th|o|º)? (?:de |of )?(?P<m>{'|'.join(_NUMBER)})\b|\b(?P<m2>{'|'.join(_NUMBER)}) (?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\b"
)


@lru_cache(maxsize=8192)
def days(text: str) -> frozenset[str]:
    """Days of a year that a sentence names, as ``day-month``."""
    return frozenset(
        f"{int(found['d'] or found['d2'])}-{_NUMBER[found['m'] or found['m2']]}" for found in _DAY.finditer(fold(text))
    )
