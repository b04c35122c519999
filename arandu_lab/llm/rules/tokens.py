"""Words and marks of a text with their places."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from arandu_lab.pure.text import fold

_TOKEN = re.compile(
    r"\d+(?:[.,:/h]\d+)*(?:st|nd|rd|th|ª|º|h|am|pm|kg|km|%)?\b"
    r"|[^\W\d_]+(?:[-'’&.](?=[^\W\d_])[^\W\d_]+)*\d*"
    r"|\w+|\.{2,}|[^\w\s]"
)
_APOSTROPHE = str.maketrans({"’": "'", "´": "'", "`": "'"})


@dataclass(frozen=True)
class Token:
    """One word or mark: as written, in lower case, without accents, and where it stands."""

    text: str
    start: int
    end: int

    @cached_property
    def low(self) -> str:
        """Lower case, straight apostrophes."""
        return self.text.casefold().translate(_APOSTROPHE)

    @cached_property
    def bare(self) -> str:
        """Lower case without accents."""
        return fold(self.low)

    @cached_property
    def word(self) -> bool:
        """A word, not a number or mark."""
        return self.text[:1].isalpha()

    @cached_property
    def capital(self) -> bool:
        """Begins with an upper-case letter."""
        return self.text[:1].isupper()


@lru_cache(maxsize=512)
def tokenize(text: str) -> tuple[Token, ...]:
    """The tokens of a text; a possessive ``'s`` stands alone.

    >>> [token.text for token in tokenize("Ana's dog, Thor, is 3.")]
    ['Ana', "'s", 'dog', ',', 'Thor', ',', 'is', '3', '.']
    """
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        word = match[0]
        if len(word) > 2 and word[-1] in "sS" and word[-2] in "'’":
            found.append(Token(word[:-2], start, end - 2))
            found.append(Token(word[-2:], end - 2, end))
        elif len(word) > 2 and word[-1] in ".-'’&":
            found.append(Token(word[:-1], start, end - 1))
        else:
            found.append(Token(word, start, end))
    return tuple(found)
