"""Columns of the facts that were told in a turn: facts and their source turns are one pool."""

from __future__ import annotations

import numpy as np

from arandu_lab.pipeline import Lab, stage
from arandu_lab.read.evidence.columns import written
from arandu_lab.read.evidence.reel import reel_of
from arandu_lab.read.evidence.spans import Ints
from arandu_lab.read.found import Candidates

_VOTES = {"v_sem": "semantic", "v_key": "keyword", "v_formula": "formula"}


@stage
def votes(found: Candidates, lab: Lab) -> Candidates:
    """Write the best scores of the candidate facts that each turn is the source of; 0 for a turn that told none."""
    reel = reel_of(lab.memory)
    table = found.table
    sources = source_turns(found, lab)
    known = np.flatnonzero(sources >= 0)
    columns = {}
    for name, signal in _VOTES.items():
        best = np.zeros(len(reel))
        if len(known):
            np.maximum.at(best, sources[known], np.nan_to_num(table[signal][known], nan=0.0))
        columns[name] = best
    return written(found, lab, "votes", columns)


def source_turns(found: Candidates, lab: Lab) -> Ints:
    """The place of the turn that each candidate fact was told in; -1 where it is not in the view."""
    places, n = reel_of(lab.memory).places, len(lab.memory.events.ids)
    told = [lab.memory.fact_at(place).source_event_id for place in found.table["position"].tolist()]
    found_at = [places.get(event, -1) for event in told]
    return np.asarray([place if place < n else -1 for place in found_at], dtype=np.int64)
