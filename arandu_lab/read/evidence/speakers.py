"""Columns of who speaks: the named speaker's own turns answer best what is asked of him."""

from __future__ import annotations

import numpy as np

from arandu_lab.pipeline import Lab, stage
from arandu_lab.read.evidence.asked import asked
from arandu_lab.read.evidence.columns import written
from arandu_lab.read.found import Candidates


@stage
def speakers(found: Candidates, lab: Lab) -> Candidates:
    """Write whether the question names the speaker of a turn, alone or among others. A first name will do."""
    question = asked(found, lab)
    named, reel = question.named, question.reel
    mine = named[reel.speaker].astype(np.float64) if len(reel) else np.zeros(0)
    count = int(named.sum())
    return written(
        found,
        lab,
        "speakers",
        {
            "spk_one": mine * (count == 1),
            "spk_other": (1.0 - mine) * (count == 1),
            "spk_any": mine * (count >= 2),
        },
    )
