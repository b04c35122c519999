"""Vectors of what a job concluded, asked for in one batch."""

from __future__ import annotations

from dataclasses import replace

from arandu_lab.jobs.flow import Worked
from arandu_lab.pipeline import Lab, stage
from arandu_lab.records import MARK, Cluster, Observation, Row


@stage
async def embed_concluded(worked: Worked, lab: Lab) -> Worked:
    """Embed the clusters and observations that have no vector yet; what is withdrawn or shown to nobody needs none."""
    missing = {place: words for place, row in enumerate(worked.rows) if (words := _words(row))}
    if not missing:
        return worked
    vectors = dict(zip(missing, await lab.embed(list(missing.values())), strict=True))
    rows = tuple(
        replace(row, vector=vectors[place]) if place in vectors and isinstance(row, Cluster | Observation) else row
        for place, row in enumerate(worked.rows)
    )
    return replace(worked, rows=rows)


@stage
def leave_concluded(worked: Worked, lab: Lab) -> Worked:
    """Go on without vectors: ``Memory.repair`` embeds later."""
    return worked


def _words(row: Row) -> str:
    """What of a row is embedded; empty for one that needs no vector."""
    match row:
        case Cluster(vector=None, invalidated_at=None):
            return ". ".join(part for part in (row.label, row.summary) if part.strip())
        case Observation(vector=None, invalidated_at=None) if row.kind != MARK:
            return row.text
        case _:
            return ""
