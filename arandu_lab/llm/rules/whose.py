"""Whom a fact tells of: its subject, or something of the subject's (a relative, a pet, a firm) that it opens with."""

from __future__ import annotations

import re
from functools import lru_cache

from arandu_lab.llm.rules import lexicon_en
from arandu_lab.llm.rules.kinship import tie
from arandu_lab.llm.rules.slots import detect_slot
from arandu_lab.pure.text import fold

_POSSESSED_EN = re.compile(r"^(?:[^\W\d_][\w.&-]*[ ,]+){0,6}?[^\W\d_][\w.&-]*['’]s? (?=\w)")
_NAME = r"[A-ZÀ-Ý][\w.&'’-]*(?: [A-ZÀ-Ý][\w.&'’-]*)*"
_POSSESSED_PT = re.compile(rf"^(?:[OA]s? )?(?P<noun>[^\W\d_][\w -]{{1,60}}?) d[aeo]s? {_NAME} ")
_OF = re.compile(r" d[aeo]s? ")


@lru_cache(maxsize=4096)
def whose(text: str, subject: str, attribute: str) -> str:
    """What a statement of an attribute is about: empty for its subject, else the words for what is the subject's.

    The attribute is the subject's own where the noun that opens the statement names it (``Ana's brother is Rui``), and
    that noun's where it stands in the predicate (``Ana's brother lives in Natal``).

    >>> whose("Ana lives in Recife", "Ana", "lives_in"), whose("Ana's brother is Rui", "Ana", "sibling")
    ('', '')
    >>> whose("Ana's brother lives in Natal", "Ana", "lives_in"), whose("A mãe de Ana mora em Natal", "Ana", "lives_in")
    ('brother', 'mãe')
    >>> whose("Ana's mother's brother is Rui", "Ana", "sibling"), whose("Ana's firm is based in Natal", "Ana", "lives_in")
    ("mother's brother", 'firm')
    >>> whose("Ana's mother lives in Natal", "mother", "lives_in"), whose("A casa de Ana fica em Natal", "Ana", "lives_in")
    ('', '')
    """
    thing, predicate = opening(text)
    if not thing or fold(subject) in fold(thing).split():
        return ""
    slot, ties = detect_slot(text), _ties(thing)
    named = slot.name == attribute and (attribute in ties or (not ties and 0 < slot.at < predicate))
    return "" if named and not nested(thing) else thing


def of_relative(thing: str) -> bool:
    """Whether the words name a relative, a friend, a boss or a pet, or what is theirs."""
    return bool(_ties(thing))


def _ties(thing: str) -> set[str]:
    return {tied for word in re.findall(r"[\w-]+", thing) if (tied := tie(word))}


def opening(text: str) -> tuple[str, int]:
    """The words for what somebody has that a statement opens with, and where its predicate begins."""
    if found := _POSSESSED_EN.match(text):
        words = list(re.finditer(r"[\w'’-]+", text[found.end() : found.end() + 80]))
        for word in words[1:]:
            if _finite(word[0].casefold()):
                return text[found.end() : found.end() + word.start()].strip(), found.end() + word.start()
        return text[found.end() :].strip(), len(text)
    if (found := _POSSESSED_PT.match(text)) and found["noun"][0].islower():
        return found["noun"], found.end()
    return "", 0


def _finite(word: str) -> bool:
    return word in lexicon_en.AUX or any(kind in ("third", "past") for _, kind in lexicon_en.forms().get(word, ()))


def nested(thing: str) -> bool:
    """Whether it is something of a thing's or person's: ``mother's brother``, ``irmão da mãe``."""
    return "'s " in thing.replace("’", "'") or bool(_OF.search(thing))
