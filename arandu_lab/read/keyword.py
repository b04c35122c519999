"""Signal 2: facts that hold the very words of the question (names, terms, abbreviations)."""

from __future__ import annotations

from typing import Literal

import numpy as np

from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure import scoring
from arandu_lab.read.found import Scoped, Voice
from arandu_lab.read.terms import matches, query_words
from arandu_lab.units import Count, Positive


@stage
def keyword(
    plan: Scoped,
    lab: Lab,
    *,
    keyword_max_words: Count,
    keyword_method: Literal["fraction", "bm25"],
    signal_limit: Positive = 200,
) -> Voice:
    """Nominate open facts that hold at least one content word. Words are folded and whole; names are never stemmed."""
    facts = lab.memory.facts
    asked = query_words(plan, keyword_max_words)
    scores = matches(asked, facts, plan.open, keyword_method)
    hits = np.flatnonzero(plan.open & (scores > 0.0))
    positions = scoring.best(hits, scores, signal_limit, times=facts.valid_from, ids=facts.ids)
    lab.log(keywords=asked, keyword_hits=len(hits), keyword_nominated=len(positions))
    return Voice(plan=plan, name="keyword", scores=scores, positions=positions)
