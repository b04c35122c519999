"""The words of a question and how many of them each row of a column holds. For facts and turns alike."""

from __future__ import annotations

import numpy as np

from arandu_lab.pipeline.lab import Column, Mask
from arandu_lab.pure import scoring
from arandu_lab.pure.text import STOP, content_words, words
from arandu_lab.read.found import Floats, Plan


def query_words(plan: Plan, most: int) -> tuple[str, ...]:
    """The distinct content words, in order; words of names always count, even "Will" and "Vai". 0: no limit."""
    named = {word for name in plan.names for word in name.split()}
    content = {word for word in content_words(plan.similarity_query) if word not in STOP}
    found = tuple(dict.fromkeys(word for word in words(plan.similarity_query) if word in content or word in named))
    return found[:most] if most else found


def matches(asked: tuple[str, ...], column: Column, open_rows: Mask, method: str) -> Floats:
    """A score in [0, 1] for every row: the fraction of the words found, or BM25 divided by its maximum."""
    size = len(open_rows)
    total = np.zeros(size)
    if method == "fraction":
        for word in asked:
            total[column.matching(word)[0]] += 1.0
        return np.asarray(scoring.fraction(total, len(asked)))
    count = int(open_rows.sum())
    average = float(column.lengths[open_rows].mean()) if count else 1.0
    for word in asked:
        places, often = column.matching(word)
        frequency = int(open_rows[places].sum())
        total[places] += scoring.bm25(often, column.lengths[places], average, frequency, count)
    most = float(total[open_rows].max()) if count else 0.0
    return np.minimum(total / most, 1.0) if most > 0.0 else np.zeros(size)
