"""Stage 2 of reading, as one step of the trace: three signals side by side, merged, and the turns beside them."""

from __future__ import annotations

from arandu_lab.pipeline import Pipeline, group, together
from arandu_lab.read.graph import graph
from arandu_lab.read.keyword import keyword
from arandu_lab.read.merge import merge
from arandu_lab.read.scope import scope
from arandu_lab.read.semantic import semantic, silent
from arandu_lab.read.turns import turns


@group
def retrieval() -> Pipeline:
    """Open the rows that may answer, ask every signal about them, merge what they nominate, and find the turns."""
    return scope() >> together(semantic().otherwise(silent()), keyword(), graph()) >> merge() >> turns()
