"""A sentence in capitals read as if it were not: its words small, its names as they are known or as their place tells."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from arandu_lab.llm.rules import gazetteer, lexicon_en, lexicon_pt
from arandu_lab.llm.rules.kinds import KIN, dwells, employs
from arandu_lab.llm.rules.language import Language
from arandu_lab.llm.rules.names import is_first_name
from arandu_lab.llm.rules.tokens import Token, tokenize
from arandu_lab.pure.text import STOP

_LONGEST = 5
_LINKS = frozenset("de da do dos das of the and e".split())
_CALLING = frozenset("called named nicknamed chamado chamada chama".split())
_PETS = lexicon_en.PETS | lexicon_pt.PETS


def quiet(text: str, names: Mapping[str, str], language: Language) -> str:
    """The sentence without its capitals where it is written in them; ``names`` spells known names, by folded name.

    >>> quiet("MY DOG REX DIED IN NEW YORK", {}, "en"), quiet("EU TRABALHO NA UFPE COM A ANA", {"ufpe": "UFPE"}, "pt")
    ('My dog Rex died in New York', 'Eu trabalho na UFPE com a Ana')
    >>> quiet("The NASA and IBM", {}, "en"), quiet("UFPE", {}, "pt")
    ('The NASA and IBM', 'UFPE')
    """
    tokens = tokenize(text)
    if not _shouted(tokens):
        return text
    out, done, at, named = "", 0, 0, False
    while at < len(tokens):
        goes_on = named and text[done : tokens[at].start] == " "
        size, name, named = _name(tokens, at, names, language, goes_on=goes_on)
        out += text[done : tokens[at].start] + (name if at else name[0].upper() + name[1:])
        at += size
        done = tokens[at - 1].end
    return out + text[done:]


def _shouted(tokens: Sequence[Token]) -> bool:
    """Whether most of the words are in capitals; of two or three, all, and one of them a word of the language."""
    words = [token for token in tokens if token.word and len(token.text) > 1]
    loud = sum(token.text.isupper() for token in words)
    if len(words) > 3:
        return loud > 0.6 * len(words)
    return 1 < len(words) == loud and any(_heard(token) for token in words)


def _name(
    tokens: Sequence[Token], at: int, names: Mapping[str, str], language: Language, *, goes_on: bool
) -> tuple[int, str, bool]:
    """How many tokens are one name or word, how they are spelt, and whether as a name; ``goes_on``: right after a name."""
    for size in range(min(_LONGEST, len(tokens) - at), 0, -1):
        run = tokens[at : at + size]
        words = " ".join(token.bare for token in run)
        if words in names and (size > 1 or len(words) > 2):
            return size, names[words], True
        if words in gazetteer.PLACES and (words not in gazetteer.WEAK_PLACES or dwells(tokens, at, language)):
            return size, " ".join(token.low if token.low in _LINKS else _capital(token.low) for token in run), True
    token = tokens[at]
    if not (token.word and token.text.isupper()):
        return 1, token.text, False
    named = token.low == "i" or _namely(tokens, at, language) or (goes_on and _surname(token))
    return 1, _capital(token.low) if named else token.low, named and token.low != "i"


def _namely(tokens: Sequence[Token], at: int, language: Language) -> bool:
    """Whether a word is somebody's first name, or stands where a name does and is no word of either language."""
    token, before = tokens[at], tokens[at - 1].low if at else ""
    if _heard(token):
        return False
    if is_first_name(token.bare) or before in _CALLING or before in KIN or before in _PETS:
        return True
    return dwells(tokens, at, language) or employs(tokens, at)


def _surname(token: Token) -> bool:
    """Whether a word after a first name may go on with it: none of either language, nor formed as a verb is."""
    return not _heard(token) and len(token.text) > 2 and not _VERBLIKE.search(token.bare)


_VERBLIKE = re.compile(r"(?:ei|ou|eu|iu|ando|endo|indo|ing|ed)$")


def _heard(token: Token) -> bool:
    """Whether a word is one of either language, as far as the lexicons know."""
    return any(word in words for words in _WORDS for word in (token.low, token.bare)) or (
        token.low in lexicon_en.forms() or token.low in lexicon_pt.forms()
    )


_WORDS = (
    STOP, KIN, _PETS, lexicon_en.COMMON, lexicon_pt.COMMON, lexicon_en.ROLES, lexicon_pt.ROLES, lexicon_en.EVENTS,
    lexicon_pt.EVENTS, lexicon_en.OWNED, lexicon_pt.OWNED, lexicon_en.AUX,
)  # fmt: skip


def _capital(word: str) -> str:
    """A name's first letters large: ``o'brien``, ``ana-lu``."""
    return re.sub(r"(?:^|(?<=[-'’]))\w(?=\w)", lambda found: found[0].upper(), word)
