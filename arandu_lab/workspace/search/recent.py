"""The temporal voice: facts of the time that a query names, or else what was said lately."""

from __future__ import annotations

import numpy as np

from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure import scoring
from arandu_lab.units import Days, Positive
from arandu_lab.workspace.search.found import Asked, Spoken, nominated, silence
from arandu_lab.workspace.search.library import micros


@stage
def recent(asked: Asked, lab: Lab, *, recent_days: Days = 30.0, recent_limit: Positive = 30) -> Spoken:
    """Nominate at most ``recent_limit`` open facts, the last said first; nothing older than ``recent_days`` is recent.

    The score is 1 now and one half at ``recent_days``. Where the query names a past period and something was said in it,
    that is nominated in their place, with 1.
    """
    library = asked.library
    age = np.maximum(scoring.days(micros(library.now), library.said), 0.0)
    scores = np.asarray(scoring.recency(age, recent_days), dtype=np.float64)
    among, named_time = asked.open & (age <= recent_days), False
    if asked.period is not None:
        first, last = (micros(moment) for moment in asked.period)
        within = (library.said >= first) & (library.said < last)
        if named_time := bool((asked.open & within).any()):
            scores, among = within.astype(np.float64), asked.open & within
    if not among.any():
        return silence(asked, "temporal", f"nothing was said in {recent_days:g} days")
    named = nominated(scores, among, library.place, recent_limit)
    lab.log(temporal=int(named.sum()), period=named_time)
    return Spoken(asked=asked, voice="temporal", scores=scores, named=named)
