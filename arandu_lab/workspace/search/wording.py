"""The lexical voice: facts that hold the words of the query, by BM25 over stems. No embedder is asked."""

from __future__ import annotations

import numpy as np

from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure import scoring
from arandu_lab.pure.stems import LANGUAGES, stem
from arandu_lab.pure.text import content_words
from arandu_lab.units import Positive
from arandu_lab.workspace.search.found import Asked, Spoken, nominated, silence


@stage
def wording(asked: Asked, lab: Lab, *, voice_limit: Positive = 100) -> Spoken:
    """Nominate open facts that share a word with the query in topic or content, at most ``voice_limit``; the best has 1.

    Statistics are those of the facts that may answer, so a closed domain does not show in them. A word of the query is
    looked for in its English and its Portuguese stem: the language of three words is a guess.
    """
    library = asked.library
    asked_words = dict.fromkeys(content_words(asked.request.query))
    count = int(asked.open.sum())
    if not count:
        return silence(asked, "lexical", "no fact may answer")
    average = float(library.lengths[asked.open].mean()) or 1.0
    total = np.zeros(len(library))
    for term in dict.fromkeys(stem(word, language) for word in asked_words for language in LANGUAGES):
        places, often = library.matching(term)
        frequency = int(asked.open[places].sum())
        if frequency:
            total[places] += scoring.bm25(often, library.lengths[places], average, frequency, count)
    most = float(total[asked.open].max())
    if most <= 0.0:
        return silence(asked, "lexical", "no fact holds a word of the query")
    scores = np.minimum(total / most, 1.0)
    named = nominated(scores, asked.open & (scores > 0.0), library.place, voice_limit)
    lab.log(lexical=int(named.sum()))
    return Spoken(asked=asked, voice="lexical", scores=scores, named=named)
