"""Folding: lower case without accents, with the way back to the offsets of the original."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text; `origins[i]` is where its i-th character stood, and `origins[len(text)]` the end.

    `written` is the text as it was written, letter for letter: `written[i]` is what `text[i]` was.
    """

    text: str
    origins: tuple[int, ...]
    written: str


def fold(text: str) -> Folded:
    """Lower case, no accents, plain apostrophes and spaces; combining marks go, so that offsets are mapped.

    Only "ô" keeps its accent: no time word has it, and "maiô" is no month.

    >>> fold("Amanhã").text, fold("e\\u0301 já").text
    ('amanha', 'e ja')
    """
    kept: list[str] = []
    origins: list[int] = []
    for index, char in enumerate(text):
        if char in _PLAIN:
            kept.append(_PLAIN[char])
            origins.append(index)
        elif not unicodedata.combining(char):
            base = unicodedata.normalize("NFD", char)[0].lower()
            kept.append(base if len(base) == 1 else char)
            origins.append(index)
    return Folded("".join(kept), (*origins, len(text)), "".join(text[origin] for origin in origins))


_PLAIN = {
    "\u2019": "'",
    "\u2018": "'",
    "\u02bc": "'",
    "\u00a0": " ",
    "\u202f": " ",
    "º": "º",
    "ª": "ª",
    "ô": "ô",
    "Ô": "ô",
    "\u2010": "-",
    "\u2011": "-",
}
