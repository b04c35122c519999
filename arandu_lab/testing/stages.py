"""``check_stage``: a stage held to what every stage of the box is held to, whoever wrote it and wherever.

>>> import numpy as np
>>> from arandu_lab import Lab, stage
>>> from arandu_lab.read.found import Candidates
>>> from arandu_lab.units import Positive
>>> @stage
... def first_rows(found: Candidates, lab: Lab, *, first_rows_kept: Positive = 5) -> Candidates:
...     "Keep the first rows."
...     return found.having(found.table.take(np.arange(min(first_rows_kept, len(found.table)))))
>>> check_stage(first_rows, only=("sentence", "ranges", "sweep", "edits"))
first_rows holds 4 claims: sentence, ranges, sweep, edits
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from arandu_lab.errors import ConfigError, nearest
from arandu_lab.pipeline import Stage
from arandu_lab.pipeline.compose import GroupDefinition
from arandu_lab.pipeline.lab import Lab
from arandu_lab.pipeline.stage import Definition
from arandu_lab.testing.claims import Claim, Held, hold_all, hypothesis_needed
from arandu_lab.testing.stages_on_paper import ON_PAPER
from arandu_lab.testing.stages_running import RUNNING
from arandu_lab.testing.trial import Trial

STAGE_CLAIMS: tuple[Claim, ...] = (*ON_PAPER, *RUNNING)
"""What a stage promises: first what can be seen without running it, then what its runs show."""


def check_stage(
    definition: Any, *, example: Any = None, lab: Lab | None = None, only: Iterable[str] | None = None
) -> Held:
    """Hold a stage (or a group) to its claims.

    Args:
        definition: What ``@stage`` or ``@group`` made, or one with pinned values.
        example: A value for it to work on; by default something that flows between the stages of the box, of the type
            it takes (a stage that takes a type of your own needs one).
        lab: The bench it stands at then; by default that of the example.
        only: Names of the claims to try; all by default.

    Raises:
        Broken: the first claim that does not hold, with what to do.
        ConfigError: no stage, no claim of a name, or hypothesis is not installed.
    """
    hypothesis_needed("check_stage")
    found = definition.definition if isinstance(definition, Stage) else definition
    if not isinstance(found, Definition | GroupDefinition):
        raise ConfigError(f"check_stage wants what @stage or @group made, not {type(definition).__name__}")
    return hold_all(chosen(STAGE_CLAIMS, only), found.name, Trial(found, definition, example, lab))


def chosen(claims: Iterable[Claim], only: Iterable[str] | None) -> list[Claim]:
    """The claims of these names, in their own order.

    Raises:
        ConfigError: a name that is none.
    """
    every = list(claims)
    names = [one.name for one in every]
    wanted = names if only is None else list(only)
    for name in wanted:
        if name not in names:
            raise ConfigError(f"no claim {name!r}; {nearest(name, names)}")
    return [one for one in every if one.name in wanted]
