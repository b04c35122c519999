"""Columns of what stands around a turn: its neighbours' scores, the question it answers, the best of its session."""

from __future__ import annotations

import numpy as np

from arandu_lab.pipeline import Lab, stage
from arandu_lab.read.evidence.columns import written
from arandu_lab.read.evidence.reel import reel_of
from arandu_lab.read.found import Candidates, Floats


@stage
def neighbours(found: Candidates, lab: Lab) -> Candidates:
    """Write the scores of neighbours in the same session; a turn that answers one's question is credited with its words.

    An answer is a turn whose predecessor, by another speaker, ends in a question mark.
    """
    reel, evidence = reel_of(lab.memory), found.evidence
    spans, n = reel.spans, len(reel)
    words = evidence.get("bm", np.zeros(n))
    meaning = _known(evidence.get("d_decl", np.zeros(n)))
    mixed = evidence.get("mix", words)
    asks = spans.shifted(reel.marks["ends_asking"], -1) > 0.0
    voice = reel.speaker.astype(np.float64)
    answers = asks & (spans.shifted(voice, -1) != voice)
    before, meant = spans.shifted(words, -1), spans.shifted(meaning, -1)
    columns: dict[str, Floats] = {
        "bm@-2": spans.shifted(words, -2),
        "bm@-1": before,
        "bm@+1": spans.shifted(words, 1),
        "bm@+2": spans.shifted(words, 2),
        "d@-1": meant,
        "d@+1": spans.shifted(meaning, 1),
        "reply": np.where(answers, before, 0.0),
        "d_reply": np.where(answers, meant, 0.0),
        "s_bm": spans.best(words),
        "s_d": spans.best(meaning),
        "s_mix": spans.best(mixed),
    }
    return written(found, lab, "neighbours", columns)


def _known(values: Floats) -> Floats:
    """Nobody can tell counts as nothing in common."""
    return np.nan_to_num(values, nan=0.0)
