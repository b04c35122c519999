"""A message as sentences, without what is no statement of the speaker: rendered memory, quotes of code, links."""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from arandu_lab.llm.rules.code import without_code

MAX_CHARS = 2_000_000
"""What is read of one message: all of any that a person writes (work is linear in it)."""
MAX_WORDS = 120
"""Words and marks of one piece; a longer sentence is cut where it joins its parts."""

_HEADER = re.compile(
    r"^\W*(?:known facts|observed patterns|relevant conversations|relevant memories|recalled memories|memory context|entity profiles|"
    r"fatos conhecidos|padr[õo]es observados|conversas relevantes|mem[óo]rias relevantes|retrieved context|directives|diretivas)\b"
    r"[^\n]{0,40}:?\W*$",
    re.IGNORECASE,
)
_INLINE = re.compile(
    r"(?:known facts|relevant conversations|observed patterns|fatos conhecidos|conversas relevantes)\s*:", re.IGNORECASE
)
_TAG = re.compile(
    r"</?(?:memory|memories|context|recalled|system|known_facts|instructions?)[^>\n]{0,80}>", re.IGNORECASE
)
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_LINK = re.compile(r"(?:https?://|www\.)\S+|[^\s@]{1,64}@[^\s@]{1,200}\.\w+")
_BLANKS = re.compile(r"[^\S\n]{2,}")
_LINES = re.compile(r"\n\s+")
_END = re.compile(
    r"(?<![.!?…])[.!?…]++[\"'”’)\]*]*+(?=\s|$)|\n+|(?<=[\w)])\s*;\s+|\s+[—–]\s+|\s+--+\s+|,?\s+(?:e|and),?\s+(?:aliás|por sinal|by the way|on top of that|besides),\s+|(?<=\w):\)|[\U0001F300-\U0001FAFF☀-➿️]+"
)
_ABBREVIATION = re.compile(
    r"\b(?:dr|dra|mr|mrs|ms|sr|sra|prof|st|av|vs|etc|e\.g|i\.e|no|nº|jr|inc|co|[A-Z])\.$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A stretch of a message between two ends; ``question`` when it ends in a question mark."""

    text: str
    question: bool
    exclaimed: bool = False
    broken: str = ""
    rest: bool = False
    """Whether it is a later piece of a sentence that was too long to read at once."""
    tagged: bool = False
    """Whether it was told to be confirmed: ``…, isn't he?``"""


def without_memory(text: str) -> str:
    """The message without blocks that are themselves rendered memory, code or tagged context (faults D1).

    >>> without_memory("Known facts:\\n- Ana lives in Recife\\n\\nI moved to Natal.").strip()
    'I moved to Natal.'
    """
    text = without_code(_FENCE.sub("\n", text[:MAX_CHARS].replace("\0", " ").replace("\r", "\n")))
    lines: list[str] = []
    inside = tagged = False
    for line in text.split("\n"):
        opened = _TAG.search(line)
        if opened:
            closing = opened[0].startswith("</")
            tagged = not closing and "</" not in line[opened.end() :]
            inside = False
            tail = line[_last_tag(line) :] if not tagged else ""
            lines.append(tail)
            continue
        if tagged:
            continue
        if _HEADER.match(line.strip()) and line.strip():
            inside = True
            continue
        if inside:
            stripped = line.strip()
            if stripped.startswith(("-", "*", "•", "[", "(")) or re.match(r"\d+[.)]", stripped):
                continue
            if stripped:
                inside = False
            else:
                continue
        found = _INLINE.search(line)
        lines.append(line[: found.start()] if found else line)
    return "\n".join(lines)


def _last_tag(line: str) -> int:
    return max((match.end() for match in _TAG.finditer(line)), default=0)


def split(text: str) -> list[Sentence]:
    """The sentences of a message, links blanked out.

    >>> [(s.text, s.question) for s in split("I live in Recife. And you? Dr. Lima knows!")]
    [('I live in Recife', False), ('And you', True), ('Dr. Lima knows', False)]
    """
    text = _LINES.sub("\n", _BLANKS.sub(" ", _LINK.sub(" ", text)))
    found: list[Sentence] = []
    at = 0
    for match in _END.finditer(text):
        if (
            match[0].startswith(".")
            and len(match[0]) == 1
            and _ABBREVIATION.search(text[max(0, match.start() - 8) : match.start() + 1])
        ):
            continue
        _add(found, text[at : match.start()], match[0])
        at = match.end()
    _add(found, text[at:], "")
    return found


def _add(found: list[Sentence], text: str, end: str) -> None:
    text = text.strip(_EDGE)
    if any(char.isalnum() for char in text):
        pieces = [text] if len(text) <= MAX_WORDS else list(_pieces(text))
        for index, piece in enumerate(pieces):
            found.append(Sentence(piece, "?" in end, "!" in end, end.strip(), bool(index)))
    elif found and "?" in end:
        last = found.pop()
        found.append(Sentence(last.text, True, last.exclaimed, end, last.rest))


_EDGE = " \t\n-–—*•\"“”'‘>#_~|"
_WORD = re.compile(r"\w{1,40}|[^\w\s]")
_JOINT = frozenset("and but so because while then or e mas então porque enquanto aí daí ou".split())
_OPENS = frozenset("i we he she they my our his her eu nós ele ela eles elas meu minha nosso nossa a gente".split())


def _pieces(text: str) -> Iterator[str]:
    """A sentence in pieces of at most ``MAX_WORDS`` words and marks, cut as late as the best joint allows: before a
    new subject, at a comma with a conjunction, at either, at a blank.
    """
    words = list(_WORD.finditer(text))
    first = 0
    while len(words) - first > MAX_WORDS:
        low = [word[0].casefold() for word in words[first : first + MAX_WORDS + 2]]
        cut = max(range(MAX_WORDS // 2, MAX_WORDS), key=lambda at, low=low: (_joint(low, at), at))  # type: ignore[misc]
        start = words[first + cut].start()
        piece = text[words[first].start() : start].strip(_EDGE + ",;:")
        if any(char.isalnum() for char in piece):
            yield piece
        first += cut + (low[cut] in (",", ";"))
    rest = text[words[first].start() :].strip(_EDGE + ",;:") if first < len(words) else ""
    if any(char.isalnum() for char in rest):
        yield rest


def _joint(low: list[str], at: int) -> int:
    """How good a place to cut is before the word at ``at``."""
    comma, joins = low[at] in (",", ";", ":"), low[at] in _JOINT
    after = at + comma
    after += low[after] in _JOINT
    return 3 * ((comma or joins) and low[after] in _OPENS) + 2 * comma + joins + (comma and low[at + 1] in _JOINT)
