"""Columns of class words: a question asks for instruments, countries or ways to relax, and a turn tells of one.

What belongs to what stands in a lexicon that is written beside the code (:mod:`arandu_lab.lexica`), so it costs neither model nor
vector. In a conversation of both languages a question finds the turns of its own; where no function word tells which that is
("Instruments?"), it is that of the newest turn, or the other one if only there the question names a class.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from arandu_lab.lexica import lexicon
from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure.stems import LANGUAGES, Language
from arandu_lab.pure.text import leaning
from arandu_lab.read.evidence.asked import Asked, asked
from arandu_lab.read.evidence.columns import written
from arandu_lab.read.evidence.spans import Ints
from arandu_lab.read.found import Candidates, Floats
from arandu_lab.units import Share

Wanted = tuple[tuple[float, frozenset[int]], ...]
"""For each class how telling it is, and the numbers of its members."""

LEAST = 2
"""Open turns that may say a member however few there are."""

BEST = 3
"""Members of a turn that count together."""


@stage
def hyponyms(found: Candidates, lab: Lab, *, hyponym_spread: Share = 0.05) -> Candidates:
    """Write how telling the members are that a turn says of a class that the question names.

    A member counts the log of its rarity among the open turns times that of the class among all that is in the lexicon; one that
    more than ``hyponym_spread`` of the open turns say counts nothing. Of several classes the best counts.
    """
    question = asked(found, lab)
    reel, size = question.reel, len(question.reel)
    best, three = np.zeros(size), np.zeros(size)
    language, wanted = _wanted(question)
    if wanted and len(reel.member):
        members, rows = _said(question, language)
        holds = np.bincount(members, minlength=1).astype(np.float64)
        often = max(hyponym_spread * question.opened.count, LEAST)
        rarity = np.where(holds <= often, np.log(1.0 + question.opened.count / np.maximum(holds, 1.0)), 0.0)
        for telling, held in wanted:
            one, some = _best(members, rows, telling * rarity * _of(held, len(rarity)), size)
            best, three = np.maximum(best, one), np.maximum(three, some)
    named = question.named
    mine = named[reel.speaker] if named.any() else np.ones(size, dtype=np.bool_)
    return written(
        found,
        lab,
        "hyponyms",
        {"hyp": best, "hyp3": three, "hyp1": reel.spans.window(best, 1, 1) / 3.0, "hyp_own": best * mine},
    )


def _wanted(question: Asked) -> tuple[Language, Wanted]:
    """The language of a question, of those that open turns have, and how telling its classes are, with their members."""
    lean = leaning(question.text)
    newest = question.reel.tongue(question.open)
    if lean:
        ahead: tuple[Language, ...] = ("pt" if lean > 0 else "en",)
    else:
        spoken = {LANGUAGES[at] for at in np.unique(question.reel.language[question.open])}
        ahead = (newest, *sorted(spoken - {newest}))
    for language in ahead:
        if wanted := lexicon(language).wanted(question.text):
            return language, wanted
    return ahead[0], ()


def _said(question: Asked, language: Language) -> tuple[Ints, Ints]:
    """What open turns of a language say that some class holds, and where; made once for all questions of a moment."""
    key = ("hyponyms", language)
    if key not in question.opened.derived:
        reel = question.reel
        here = question.open[reel.member_row] & (reel.language[reel.member_row] == LANGUAGES.index(language))
        question.opened.derived[key] = (reel.member[here], reel.member_row[here])
    found: tuple[Ints, Ints] = question.opened.derived[key]
    return found


def _of(held: Iterable[int], size: int) -> Floats:
    """1 for the members of a class that anybody said, 0 for the others, shape ``(size,)``."""
    numbers = np.fromiter(held, dtype=np.int64)
    out = np.zeros(size)
    out[numbers[numbers < size]] = 1.0
    return out


def _best(members: Ints, rows: Ints, worth: Floats, size: int) -> tuple[Floats, Floats]:
    """For each turn the worth of its best member, and of its ``BEST`` best together, shape ``(size,)``."""
    told = np.flatnonzero(worth[members] > 0.0)
    value, row = worth[members[told]], rows[told]
    order = np.lexsort((-value, row))
    value, row = value[order], row[order]
    start = np.flatnonzero(np.diff(row, prepend=-1))
    place = np.arange(len(row)) - np.repeat(start, np.diff([*start, len(row)]))
    one, some = np.zeros(size), np.zeros(size)
    one[row[place == 0]] = value[place == 0]
    np.add.at(some, row[place < BEST], value[place < BEST])
    return one, some
