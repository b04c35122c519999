"""Columns of the kind of answer: who asks when wants a time, who asks where a place; and marks of a turn as such."""

from __future__ import annotations

import numpy as np

from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure.cues import question_kinds
from arandu_lab.read.evidence.columns import written
from arandu_lab.read.evidence.reel import Reel, reel_of
from arandu_lab.read.found import Candidates, Floats


@stage
def cues(found: Candidates, lab: Lab) -> Candidates:
    """Write whether each turn holds the kind of word that the question asks for, and what it looks like otherwise."""
    reel = reel_of(lab.memory)
    kinds = question_kinds(found.plan.similarity_query)
    marks = reel.marks
    named = (marks["names"] > 0.0).astype(np.float64)
    answers = {
        "when_time": marks["time"] * ("when" in kinds),
        "where_place": np.maximum(marks["place"] * named, 0.5 * named) * ("where" in kinds),
        "who_name": np.maximum(named, marks["kin"]) * ("who" in kinds),
        "many_num": marks["number"] * ("many" in kinds),
        "why_why": marks["reason"] * ("why" in kinds),
        "feel_feel": marks["feeling"] * ("feel" in kinds),
    }
    return written(found, lab, "cues", {**answers, **_looks(reel, int(found.plan.turns.sum()))})


def _looks(reel: Reel, said: int) -> dict[str, Floats]:
    """What turns look like as such, ``said`` of them so far; the last answer is kept."""
    before, known = reel.derived.get("looks", (-1, {}))
    if before == said:
        return dict(known)
    marks, spans = reel.marks, reel.spans
    place = np.arange(len(reel))
    looks = {
        "time": marks["time"],
        "num": marks["number"],
        "cap": marks["names"],
        "qmark": marks["asks"],
        "endq": marks["ends_asking"],
        "prevq": spans.shifted(marks["ends_asking"], -1),
        "nextq": spans.shifted(np.where(place < said, marks["ends_asking"], 0.0), 1),
        "caption": marks["image"],
        "len": np.log1p(marks["words"]),
        "short": (marks["words"] < 8.0).astype(np.float64),
        "i": marks["self"],
        "first": (place - spans.start < 2).astype(np.float64),
        "last": (np.minimum(spans.stop, said) - 1 - place < 2).astype(np.float64),
    }
    reel.derived["looks"] = (said, looks)
    return looks
