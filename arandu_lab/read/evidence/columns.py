"""The columns of the evidence, once: name, family (the stage that writes it), and what it says of a turn.

A column has one entry per turn of the view, in order of time; closed turns (said after the question, or not known yet)
hold 0 and take no part in any statistic. *Signals* are compared within a question (``pure/ranking.py``); *flags* are
used as they are. A NaN means that nobody could tell (no vector).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import numpy as np

from arandu_lab.errors import ConfigError
from arandu_lab.pipeline import Lab
from arandu_lab.pipeline.lab import Mask
from arandu_lab.read.found import Candidates, Floats
from arandu_lab.read.table import Table

COLUMNS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        name: (family, doc)
        for family, columns in {
            "lexical": {
                "bm": "BM25 of the turn's stems",
                "bm1": "BM25 of the turn with one neighbour on each side",
                "bm3": "with three on each side",
                "bms": "BM25 of the session",
                "bi": "BM25 of pairs of neighbouring stems",
                "coo": "BM25 of words that stand near the question's words more often than chance",
                "cov": "share of the question's idf that the turn holds",
                "cov1": "that the turn and its neighbours hold",
                "rare": "idf of the rarest word found",
                "nmatch": "how many words were found",
            },
            "dense": {
                "d_text": "cosine of question and turn",
                "d_pair": "mean with the turn before",
                "d_w1": "mean with one neighbour on each side",
                "d_w3": "mean with three on each side",
                "d_decl": "cosine of the question without question words",
                "d_declw1": "the same, mean with the neighbours",
                "d_first": "cosine of the question as the named speaker would say it (I, eu)",
                "d_firstw1": "the same, mean with the neighbours",
            },
            "sentences": {
                "s_text": "best cosine of the question with a sentence of the turn",
                "s_decl": "of the question without question words",
                "s_decl@-1": "s_decl of the turn before",
                "s_decl@+1": "s_decl of the turn after",
                "s_first": "of the question as the named speaker would say it (I, eu)",
                "s_first@-1": "s_first of the turn before",
                "s_first@+1": "s_first of the turn after",
                "ss_decl": "best s_decl of the session",
                "ss_first": "best s_first of the session",
            },
            "hubs": {
                "hub": "cosine of the turn with the mean of all turns: near everything, so near any question",
            },
            "softmatch": {
                "ms": "nearest words, mean over the question's words by rarity",
                "mss": "the same, far words counting nothing",
                "ms1": "nearest words of the turn and its neighbours",
                "mss1": "the same, far words counting nothing",
            },
            "hyponyms": {
                "hyp": "the most telling member of a class that the question names",
                "hyp3": "the three most telling ones together",
                "hyp1": "hyp, mean with one neighbour on each side",
                "hyp_own": "hyp of turns of whom the question names, or of all turns where it names nobody",
            },
            "feedback": {
                "mix": "plain sum of lexical and dense",
                "prf": "BM25 of the best words of the first turns by mix",
                "d_prf": "cosine to the first turns by mix",
            },
            "neighbours": {
                "bm@-2": "bm of the turn two before",
                "bm@-1": "bm of the turn before",
                "bm@+1": "bm of the turn after",
                "bm@+2": "bm of the turn two after",
                "d@-1": "d_decl of the turn before",
                "d@+1": "d_decl of the turn after",
                "reply": "bm of the turn before where it asks and this one answers",
                "d_reply": "d_decl of the turn before where it asks and this one answers",
                "s_bm": "best bm of the session",
                "s_d": "best d_decl of the session",
                "s_mix": "best mix of the session",
            },
            "votes": {
                "v_sem": "best cosine of a fact told in this turn",
                "v_key": "best keyword score of a fact told in this turn",
                "v_formula": "best formula score of a fact told in this turn",
            },
            "speakers": {
                "spk_one": "the question names one speaker, who says this",
                "spk_other": "the question names one speaker, another says this",
                "spk_any": "the question names several speakers, one of whom says this",
            },
            "dates": {
                "month": "said in the month (and year) that the question names",
                "month_no": "the question names a month, this was said in another",
                "month_next": "said in the month after",
                "day": "said on the day that the question names",
                "year": "said in the year that the question names",
            },
            "cues": {
                "when_time": "asks when, and a word of time is here",
                "where_place": "asks where, and a name or a preposition of place is here",
                "who_name": "asks who, and a name or a word of kin is here",
                "many_num": "asks how many, and a number is here",
                "why_why": "asks why, and a reason is here",
                "feel_feel": "asks how one feels, and a feeling is here",
                "time": "a word of time",
                "num": "a number",
                "cap": "names, up to three, of three",
                "qmark": "holds a question",
                "endq": "ends in a question",
                "prevq": "the turn before ends in a question",
                "nextq": "the turn after ends in a question",
                "caption": "an image was sent along",
                "len": "log of the number of words",
                "short": "fewer than eight words",
                "i": "the speaker's own person",
                "first": "one of the first two of its session",
                "last": "one of the last two of its session, as far as it was said",
            },
        }.items()
        for name, doc in columns.items()
    }
)
"""Name -> family, and what it says."""

FAMILIES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        family: tuple(name for name, (one, _) in COLUMNS.items() if one == family)
        for family in dict.fromkeys(family for family, _ in COLUMNS.values())
    }
)
"""Stage -> the columns it writes."""

FLAGS = frozenset(name for family in ("speakers", "dates", "cues") for name in FAMILIES[family])
"""Columns that are used as they are; all others are signals."""


def columns_of(found: Candidates) -> dict[str, Floats]:
    """The columns written so far, each of shape ``(n,)`` over all turns of the view."""
    evidence = found.evidence
    return {name: evidence[name] for name in evidence.names if name in COLUMNS}


def open_of(found: Candidates, lab: Lab) -> Mask:
    """Which turns may answer, shape ``(n,)``: said by ``as_of``, known at ``known_at``, about an entity asked for."""
    from arandu_lab.read.turns import allowed

    if "open" in found.evidence:
        return found.evidence.mask("open")
    mask = found.plan.turns
    if found.plan.query.known_at is None and found.plan.query.entity_keys is None:
        return mask
    held = np.zeros(len(mask), dtype=np.bool_)
    held[list(allowed(np.flatnonzero(mask).tolist(), found.plan, lab))] = True
    return held


def written(found: Candidates, lab: Lab, family: str, columns: Mapping[str, Floats]) -> Candidates:
    """The candidates with further columns of evidence, closed turns at 0, rounded so that no last bit decides.

    Raises:
        ConfigError: a family that writes other columns than it says.
    """
    if tuple(columns) != FAMILIES[family]:
        raise ConfigError(f"{family} says it writes {FAMILIES[family]}, and wrote {tuple(columns)}")
    mask = open_of(found, lab)
    before = found.evidence if "open" in found.evidence else Table({"open": mask})
    return found.having(
        evidence=before.with_columns(**dict(zip(columns, settled(columns.values(), mask), strict=True)))
    )


def unknown(found: Candidates, lab: Lab, family: str) -> Candidates:
    """The candidates with the columns of a family of which nobody can tell anything."""
    size = len(lab.memory.events.ids)
    return written(found, lab, family, {name: np.full(size, np.nan) for name in FAMILIES[family]})


def settled(columns: Iterable[Floats], mask: Mask) -> Floats:
    """Columns as they are kept, shape ``(k, n)``: rounded to six digits, closed rows 0.

    >>> settled([np.array([0.12345678, 2.0])], np.array([True, False])).tolist()
    [[0.123457, 0.0]]
    """
    lines = np.array(list(columns), dtype=np.float64)
    np.round(lines, 6, out=lines)
    if not mask.all():
        lines[:, ~mask] = 0.0
    return lines
