"""The hub column: turns that lie near everything said are near any question, and tell nothing of this one.

Some points of a high-dimensional space are among the nearest of very many others (hubs: Radovanović, Nanopoulos and Ivanović,
2010). Nearness to the centre of what was said is the cheap sign of one; a blend may hold it against a turn, never for it.
"""

from __future__ import annotations

import numpy as np

from arandu_lab.pipeline import Lab, stage
from arandu_lab.pipeline.lab import Mask
from arandu_lab.read.evidence.asked import asked
from arandu_lab.read.evidence.columns import written
from arandu_lab.read.found import Candidates, Floats
from arandu_lab.records import Vector


@stage
def hubs(found: Candidates, lab: Lab) -> Candidates:
    """Write the cosine of each open turn with the mean of all open turns; NaN for a turn without a vector."""
    opened = asked(found, lab).opened
    held = opened.held(lab.memory)
    known, hub = opened.derived.get("hubs", (None, None))
    if known is not held:
        hub = centrality(lab.memory.events.matrix, held.mask)
        opened.derived["hubs"] = (held, hub)
    return written(found, lab, "hubs", {"hub": hub})


def centrality(matrix: Vector, held: Mask) -> Floats:
    """The cosine of each row with the mean of the rows of ``held``, shape ``(n,)``; NaN outside.

    Args:
        matrix: Rows of length 1, shape ``(n, dim)``.
        held: Which rows count, ``(n,)``.

    >>> centrality(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]), np.array([True, True, False])).round(3).tolist()
    [0.707, 0.707, nan]
    """
    out = np.full(len(held), np.nan)
    if held.any():
        rows = np.asarray(matrix[held], dtype=np.float64)
        centre = rows.mean(axis=0)
        out[held] = np.round(rows @ centre / max(float(np.linalg.norm(centre)), 1e-9), 6)
    return out
