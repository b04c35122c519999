"""Long texts in parts that a model can read: cut where the text itself parts, not a character lost (C12).

Parts end, in this order of preference, before a line of a transcript, at a blank line, before a list item or after a
closing bracket at the end of a line, at a line's end, at a sentence's end, at a comma, at a blank, and only then anywhere
(never before an accent or inside a joined emoji).
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Le

from arandu_lab.pure.text import normal
from arandu_lab.pure.transcripts import Voice, spoken

Chars = Annotated[int, Ge(200), Le(1_000_000)]
"""The size of a part in characters, 200 or more."""

_CUTS = (
    re.compile(r"\n[ \t\r]*\n\s*"),
    re.compile(r"\n(?=(?:[-*•]|#{1,6}|\d{1,3}[.)])[ \t])|[}\]],?[ \t\r]*\n"),
    re.compile(r"\n"),
    re.compile(
        r"(?:(?<=\w\w)(?<!\b[DSMJdsmj]r)(?<!\b(?:Ms|St|vs|Av))(?<!\b(?:[DS]ra|Mrs|etc))(?<!\bProf)\.|[!?…])[.!?…]*[\"'”’)\]]*\s+|[。！？]+"
    ),
    re.compile(r"[}\]],\s*|[;,]\s+"),
    re.compile(r"\s+"),
)
_BLANK = re.compile(r"\s+")
_BEGINS = re.compile(r"[.!?…][\"'”’)\]]*\s+|\n\s*")
_JOINERS = frozenset("\u200d\ufe0e\ufe0f") | {chr(code) for code in range(0x1F3FB, 0x1F400)}
_CLUSTER = 32


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a text from ``start``, and what was said just ``before`` it.

    ``speaker`` is whose words it begins with where it begins inside a line of a transcript, else None (the author's).
    ``voices`` are those whose lines stand in it, in order; empty where the text is no transcript.
    """

    text: str
    start: int
    before: str = ""
    speaker: str | None = None
    voices: tuple[str, ...] = ()

    @property
    def end(self) -> int:
        """The place in the text at which it ends."""
        return self.start + len(self.text)


def chunks(text: str, *, size: int, context: int = 0) -> tuple[Chunk, ...]:
    """The text in parts of at most ``size`` characters, each with up to ``context`` characters of what came before.

    Joined, the parts are the text; a text within ``size`` is one part. Work is linear in the text.

    >>> [c.text for c in chunks("Ana mora em Recife. Beto mora em Natal. Eles se conhecem.", size=42)]
    ['Ana mora em Recife. Beto mora em Natal. ', 'Eles se conhecem.']
    >>> chunks("Ana mora em Recife. Ela é enfermeira.", size=25, context=20)[1].before
    'Ana mora em Recife. '

    Raises:
        ValueError: a ``size`` below one.
    """
    if size < 1:
        raise ValueError(f"size={size}: a part has at least one character")
    lines = spoken(text)
    starts = [line.start for line in lines]
    out: list[Chunk] = []
    at = 0
    while at < len(text) or not out:
        end = len(text) if len(text) - at <= size else _cut(text, at, size, starts)
        first = bisect_right(starts, at) - 1
        inside = first >= 0 and starts[first] < at
        out.append(
            Chunk(
                text=text[at:end],
                start=at,
                before=_before(text, at, context),
                speaker=lines[first].speaker if inside else None,
                voices=_voices(lines[max(first, 0) : bisect_right(starts, end - 1)]) if lines else (),
            )
        )
        at = end
    return tuple(out)


def excerpt(text: str, names: Iterable[str], *, size: int) -> str:
    """The text; of one longer than ``size``, the first parts of it that hold one of the folded names, within ``size``.

    >>> excerpt("Sim. " * 50 + "Vi a Ana. " + "Tchau. " * 50, ["ana"], size=60)
    'Vi a Ana. '
    """
    if len(text) <= size:
        return text
    wanted = [f" {name} " for name in names if name]
    parts = chunks(text, size=max(1, size // 4))
    named = [part.text for part in parts if any(name in f" {normal(part.text)} " for name in wanted)]
    out = ""
    for part in named or [part.text for part in parts]:
        if len(out) + len(part) > size:
            break
        out += part
    return out


def _cut(text: str, at: int, size: int, starts: Sequence[int]) -> int:
    """Where the part that begins at ``at`` ends: at the best place in the last three fifths of its room."""
    low, high = at + max(1, size * 2 // 5), at + size
    place = bisect_right(starts, high) - 1
    if place >= 0 and starts[place] >= low:
        return starts[place]
    for pattern in _CUTS:
        last = 0
        for found in pattern.finditer(text, max(at, low - 1), high):
            last = found.end()
        if last:
            return last
    end = high
    while end > low and high - end < _CLUSTER and _joined(text, end):
        end -= 1
    return end if not _joined(text, end) else high


def _joined(text: str, place: int) -> bool:
    """Whether what stands at a place belongs to the character before it."""
    char = text[place]
    return (
        char in _JOINERS
        or text[place - 1] == "\u200d"
        or unicodedata.category(char)[0] == "M"
        or (char == "\n" and text[place - 1] == "\r")
    )


def _before(text: str, at: int, context: int) -> str:
    """The end of what comes before a place, from the beginning of a sentence or line, or at least of a word."""
    start = max(0, at - context)
    if start == 0 or start == at:
        return text[start:at]
    found = _BEGINS.search(text, start, at)
    if found is not None and found.end() < at:
        return text[found.end() : at]
    blank = _BLANK.search(text, start, at)
    return text[blank.end() : at] if blank is not None and blank.end() < at else text[start:at]


def _voices(lines: Sequence[Voice]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line.speaker for line in lines))
