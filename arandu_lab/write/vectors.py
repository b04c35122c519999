"""Vectors of new facts: asked for once, wherever a later stage needs them first."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from arandu_lab.pipeline import Lab, stage
from arandu_lab.records import Extraction

X = TypeVar("X", bound=Extraction)


@stage
async def embed_facts(extraction: X, lab: Lab) -> X:
    """Embed the facts that have no vector yet, in one batch."""
    missing = [position for position, fact in enumerate(extraction.facts) if fact.vector is None]
    if not missing:
        return extraction
    vectors = await lab.embed([extraction.facts[position].text for position in missing])
    facts = list(extraction.facts)
    for position, vector in zip(missing, vectors, strict=True):
        facts[position] = replace(facts[position], vector=vector)
    return replace(extraction, facts=tuple(facts))


@stage
def leave_unembedded(extraction: X, lab: Lab) -> X:
    """Go on without vectors: words decide, and the facts are embedded later."""
    return extraction
