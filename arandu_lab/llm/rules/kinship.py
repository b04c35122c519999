"""Small questions about words that verdicts and relevance ask of both languages."""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from arandu_lab.llm.rules import lexicon_en, lexicon_pt
from arandu_lab.llm.rules.stems import stem
from arandu_lab.pure.text import fold

_FAVOURITE = re.compile(
    r"\bfavou?rite ([\w ]{2,30}?) (?:is|are|was)\b|\b([\w]{2,30}) (?:favorit|preferid)[oa]s?\b|is [\w' ]*'s favou?rite ([\w ]{2,30})",
    re.IGNORECASE,
)

DATE_STEMS = frozenset(
    stem(fold(word))
    for word in (
        "january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday "
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro segunda terça quarta quinta sexta sábado domingo "
        "morning afternoon evening night manhã tarde noite dia day week semana year ano month mês"
    ).split()
)


def tie(word: str) -> str:
    """The attribute that a word for a relative, friend, boss or pet names; empty for any other word.

    >>> tie("Irmã"), tie("boss"), tie("gato"), tie("house")
    ('sibling', 'boss', 'pet', '')
    """
    key = fold(word)
    pet = "pet" if key in lexicon_en.PETS or key in lexicon_pt.PETS else ""
    return lexicon_en.KIN.get(key) or lexicon_pt.KIN.get(key) or pet


def favourite(text: str) -> str:
    """What sort of favourite a sentence states: ``cor``, ``color``; empty when none.

    >>> favourite("Ana's favorite color is green"), favourite("A cor preferida de Ana é verde")
    ('color', 'cor')
    """
    match = _FAVOURITE.search(text)
    return next((fold(group).strip() for group in match.groups() if group), "") if match else ""


@cache
def event_stems() -> frozenset[str]:
    """Stems of nouns that name events, in both languages."""
    return frozenset(stem(fold(word)) for word in lexicon_en.EVENTS | lexicon_pt.EVENTS)


@dataclass(frozen=True, slots=True)
class Relative:
    """Whose statement a sentence is where it opens with a relative or pet: the word, folded, and the gender it is told with.

    ``gender`` is ``f`` or ``m`` where accent, article or possessive tells it; English words tell it themselves.
    ``which`` are the words that tell one of a kind from another: ``older``, ``materna``.
    """

    word: str = ""
    gender: str = ""
    which: frozenset[str] = frozenset()

    def may_be(self, other: Relative) -> bool:
        """Whether two may be one person: the same word, and nothing that tells them apart.

        >>> head_relative("O avô de Ana canta").may_be(head_relative("A avó de Ana canta"))
        False
        """
        return (
            self.word == other.word
            and {self.gender, other.gender} != {"f", "m"}
            and (not self.which or not other.which or self.which == other.which)
        )


def head_relative(text: str) -> Relative:
    """The relative or pet that a sentence opens with: ``O irmão de Rafael odeia coentro`` is of his *irmao*.

    >>> [head_relative(text).word for text in ("Rafael's aunt likes purple", "A cor preferida da tia de Rafael é roxo", "Ana é tia de Lia")]
    ['aunt', 'tia', '']
    >>> head_relative("Minha avo mora em Natal")
    Relative(word='avo', gender='f', which=frozenset())
    """
    match = re.match(r"^[\w .]{1,60}?['’]s ((?:[\w-]+ ){1,3})", text)
    if match:
        words = match[1].split()
        at = next((at for at, word in enumerate(words) if tie(word)), -1)
        return Relative(fold(words[at]), "", _which(words[:at])) if at >= 0 else Relative()
    before = _PREDICATE.split(text, maxsplit=1)[0]
    words = re.findall(r"[\w-]+", before)[:9]
    for at, word in enumerate(words):
        end = next((end for end in range(at + 1, len(words)) if fold(words[end]) not in _WHICH), len(words))
        ahead = fold(words[at - 1]) if at else ""
        if tie(word) and (fold(" ".join(words[end : end + 1])) in _OF or ahead in _MINE):
            return Relative(fold(word), _gender(word, ahead), _which(words[at + 1 : end]))
    return Relative()


def _gender(word: str, ahead: str) -> str:
    """Of a Portuguese relative: what its last letter's accent tells (``avô``, ``avó``), else the word before it."""
    low = word.casefold()
    if low.endswith(("ó", "ô")):
        return "f" if low.endswith("ó") else "m"
    return "f" if ahead in _FEMININE else "m" if ahead in _MASCULINE else ""


def _which(words: Sequence[str]) -> frozenset[str]:
    return frozenset(fold(word) for word in words) & _WHICH - {"mais"}


_PREDICATE = re.compile(r"(?<!\w)(?:é|são|era|foi|está|tem|teve|mora|gosta|odeia|trabalha|vai|se)(?!\w)")
_OF = frozenset("de da do dos das".split())
_MINE = frozenset("minha meu my".split())
_FEMININE = frozenset("a da na pela minha sua nossa tua uma".split())
_MASCULINE = frozenset("o do no pelo ao meu seu nosso teu um".split())
_WHICH = frozenset(
    "older elder oldest eldest younger youngest middle first second maternal paternal big little step half former new old "
    "mais velho velha novo nova cacula materno materna paterno paterna primeiro primeira segundo segunda".split()
)
