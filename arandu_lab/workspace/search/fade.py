"""Stage 6: what time has left of each candidate, by the curve of its memory type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import numpy as np
from annotated_types import Gt, Le

from arandu_lab.pipeline import Frozen, Lab, stage
from arandu_lab.pure.memory_types import USE_GAIN, decays, retained
from arandu_lab.units import Days, Factor
from arandu_lab.workspace.search.found import Ranking

Curves = Mapping[str, tuple[Days, Annotated[float, Gt(0.0), Le(100.0)]]]
"""Memory type -> half-life in days and shape: changes to the table of ``pure/memory_types``."""

UNCHANGED: Curves = Frozen()


@stage
def fade(ranking: Ranking, lab: Lab, *, memory_types: Curves = UNCHANGED, use_gain: Factor = USE_GAIN) -> Ranking:
    """Scale each candidate by its Weibull decay since it was last said: one half at the half-life for every shape (S1).

    Raises:
        ConfigError: a fact of a memory type that has no curve.
    """
    table, library = ranking.table, ranking.asked.library
    curves = decays(memory_types)
    decay = np.array(
        [
            retained(library.facts[place], library.now, table=curves, use_gain=use_gain)
            for place in table["position"].tolist()
        ],
        dtype=np.float64,
    )
    return ranking.having(table.with_columns(decay=decay, faded=table["fused"] * decay))
