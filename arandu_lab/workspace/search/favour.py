"""Stage 7: what is known of the repository that the agent works in counts more; nothing is filtered for it."""

from __future__ import annotations

import numpy as np

from arandu_lab.pipeline import Lab, stage
from arandu_lab.units import Factor
from arandu_lab.workspace.search.found import Ranking, worth


@stage
def favour(ranking: Ranking, lab: Lab, *, home_favour: Factor = 1.5) -> Ranking:
    """Mark the facts of the repository asked for and lift them by ``home_favour``, so that they come within the limit.

    That they are listed first is the work of ``present``.
    """
    table, repo = ranking.table, ranking.asked.request.repo
    facts = ranking.asked.library.facts
    home = np.array(
        [repo is not None and facts[place].repo == repo for place in table["position"].tolist()], dtype=np.bool_
    )
    return ranking.having(table.with_columns(home=home, score=worth(table) * np.where(home, home_favour, 1.0)))
