"""Vectors of distilled facts, asked for in one batch."""

from __future__ import annotations

from dataclasses import replace

from arandu_lab.jobs.flow import Worked
from arandu_lab.pipeline import Lab, stage
from arandu_lab.records import Fact


@stage
async def embed_distilled(worked: Worked, lab: Lab) -> Worked:
    """Embed the new facts of the unit that have no vector yet."""
    missing = {
        place: row.text
        for place, row in enumerate(worked.rows)
        if isinstance(row, Fact) and row.vector is None and lab.memory.fact(row.id) is None
    }
    if not missing:
        return worked
    vectors = dict(zip(missing, await lab.embed(list(missing.values())), strict=True))
    rows = tuple(
        replace(row, vector=vectors[place]) if place in vectors and isinstance(row, Fact) else row
        for place, row in enumerate(worked.rows)
    )
    return replace(worked, rows=rows)


@stage
def leave_distilled(worked: Worked, lab: Lab) -> Worked:
    """Go on without vectors: ``Memory.repair`` embeds later."""
    return worked
