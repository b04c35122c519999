"""Words and marks of a text with their places."""

from __future__ import annotations

import re
from functools import lru_cache

from arandu_lab.pure.text import fold

_TOKEN = re.compile(
    r"\d+(?:[.,:/h]\d+)*(?:st|nd|rd|th|ª|º|h|am|pm|kg|km|%)?\b"
    r"|[^\W\d_]+(?:[-'’&.](?=[^\W\d_])[^\W\d_]+)*\d*"
    r"|\w+|\.{2,}|[^\w\s]"
)
_APOSTROPHE = str.maketrans({"’": "'", "´": "'", "`": "'"})


class Token:
    """One word or mark: as written, in lower case, without accents, and where it stands.

    ``low`` has straight apostrophes, ``bare`` no accents; ``word`` is neither a number nor a mark; ``capital`` begins
    with an upper-case letter.
    """

    __slots__ = ("bare", "capital", "end", "low", "start", "text", "word")

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text, self.start, self.end = text, start, end
        self.low = text.casefold().translate(_APOSTROPHE)
        self.bare = self.low if self.low.isascii() else fold(self.low)
        self.word = text[:1].isalpha()
        self.capital = text[:1].isupper()

    def __repr__(self) -> str:
        return f"Token({self.text!r}, {self.start}, {self.end})"


@lru_cache(maxsize=2048)
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
