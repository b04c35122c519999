"""A turn as sentences for an embedder: what one sentence says is not drowned by what stands beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

MOST_SENTENCES = 40
"""Sentences of one text. A pasted page would cost a write hundreds of embeddings, and some sentence of it comes near to any
question: the best of many is high by chance."""

MOST_CHARACTERS = 400
"""Characters of one sentence, some 70 words. The vector of a longer one says as little as that of the whole turn; with
``MOST_SENTENCES`` it bounds what a write embeds."""

LEAST_WORDS = 3
"""Words below which a piece is none by itself ("Wow!", "e.g.", "Dr.")."""

_IMAGE = re.compile(r"\[image:([^\[\]]*)\]")
_END = re.compile(r"(?<=[.!?…]) | - |; ")


def sentences(text: str, *, most: int = MOST_SENTENCES, longest: int = MOST_CHARACTERS) -> tuple[str, ...]:
    """The sentences of a text in order, blanks evened; the caption of an image (``[image: …]``) is one of its own.

    A sentence ends with a line, at a blank behind ``.``, ``!``, ``?`` or ``…``, at a lone dash and at a semicolon (these two
    are dropped). A piece of fewer than three words goes with the one behind it, the last with the one before. Nothing else
    is lost of a text of at most ``most`` sentences; of a longer one the rest is left out. Work is linear in the text.

    Args:
        most: Sentences at most, 1 or more.
        longest: Characters of one, 1 or more; a longer one is cut at a blank if it has any.

    >>> sentences("Wow! I went to the lake. It was cold; we swam all the same [image: a dog in a boat]")
    ('Wow! I went to the lake.', 'It was cold', 'we swam all the same', 'a dog in a boat')
    >>> sentences("Moro em Recife. Sim!"), sentences(" ")
    (('Moro em Recife. Sim!',), ())
    """
    out: list[str] = []
    for place, part in enumerate(_IMAGE.split(text)):
        whole = [" ".join(part.split())] if place % 2 else _joined(_pieces(part))
        for sentence in whole:
            out += _cut(sentence, longest)
        if len(out) >= most:
            break
    return tuple(out[:most])


def _pieces(text: str) -> Iterator[str]:
    """What stands between two ends, never empty."""
    for line in text.splitlines():
        for piece in _END.split(" ".join(line.split())):
            if said := piece.strip():
                yield said


def _joined(pieces: Iterable[str]) -> list[str]:
    """Short pieces with the one behind them, the last with the one before."""
    groups: list[list[str]] = []
    words = LEAST_WORDS
    for piece in pieces:
        if words < LEAST_WORDS:
            groups[-1].append(piece)
        else:
            groups.append([piece])
            words = 0
        words += len(piece.split())
    if len(groups) > 1 and words < LEAST_WORDS:
        last = groups.pop()
        groups[-1] += last
    return [" ".join(group) for group in groups]


def _cut(sentence: str, longest: int) -> Iterator[str]:
    """A sentence in parts of at most ``longest`` characters."""
    start = 0
    while len(sentence) - start > longest:
        blank = sentence.rfind(" ", start + 1, start + longest + 1)
        end = blank if blank > 0 else start + longest
        yield sentence[start:end]
        start = end + (blank > 0)
    if start < len(sentence):
        yield sentence[start:]
