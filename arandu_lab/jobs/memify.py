"""From single facts to lasting knowledge (jobs document, memify; J5, J6)."""

from __future__ import annotations

from arandu_lab.jobs.distilling import ask_distilled, conclude, strengthen_edges
from arandu_lab.jobs.drafted import start_draft
from arandu_lab.jobs.premises import ask_premises, review, take_premises
from arandu_lab.jobs.repeated import drop_repeated, merge_repeated
from arandu_lab.jobs.vectors import embed_distilled, leave_distilled
from arandu_lab.jobs.vitality import weigh
from arandu_lab.pipeline import Pipeline


def job() -> Pipeline:
    """``run_memify``: review what rests on premises, merge what is said twice, ask for premises and for what follows from
    episodes, and weigh everything in the end.

    The order makes it a fixed point: nothing is merged, or comes into doubt, after it was shown to a model, and vitality
    counts what was merged. So a second run without news asks nothing and writes nothing (A11), unless the first left entities
    to it (``premises_batch``, ``distil_batch``).
    """
    return (
        start_draft()
        >> review()
        >> merge_repeated()
        >> ask_premises()
        >> take_premises()
        >> ask_distilled()
        >> conclude()
        >> embed_distilled().otherwise(leave_distilled())
        >> drop_repeated()
        >> strengthen_edges()
        >> weigh()
    )
