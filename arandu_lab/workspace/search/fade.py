"""Stage 6: what time has left of each candidate, by the curve of its memory type."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from arandu_lab.errors import ConfigError
from arandu_lab.pipeline import Frozen, Lab, stage
from arandu_lab.pure.memory_types import USE_GAIN, decays, retained
from arandu_lab.units import Days, Factor
from arandu_lab.workspace.search.found import Ranking

Curves = Mapping[str, tuple[Days, ...]]
"""Memory type -> two numbers, half-life in days and shape: changes to the table of ``pure/memory_types``."""

UNCHANGED: Curves = Frozen()


@stage
def fade(ranking: Ranking, lab: Lab, *, memory_types: Curves = UNCHANGED, use_gain: Factor = USE_GAIN) -> Ranking:
    """Scale each candidate by its Weibull decay since it was last said: one half at the half-life for every shape (S1).

    Raises:
        ConfigError: a fact of a memory type that has no curve, or a curve that is not two numbers.
    """
    table, library = ranking.table, ranking.asked.library
    curves = decays({kind: _pair(kind, told) for kind, told in memory_types.items()})
    decay = np.array(
        [
            retained(library.facts[place], library.now, table=curves, use_gain=use_gain)
            for place in table["position"].tolist()
        ],
        dtype=np.float64,
    )
    return ranking.having(table.with_columns(decay=decay, faded=table["fused"] * decay))


def _pair(kind: str, told: tuple[float, ...]) -> tuple[float, float]:
    if len(told) != 2:
        raise ConfigError(f"memory type {kind!r}: {told!r}; wants half-life in days and shape")
    return told[0], told[1]
