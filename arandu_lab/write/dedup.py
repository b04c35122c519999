"""Near-duplicates inside one message."""

from __future__ import annotations

from dataclasses import replace

from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure.decide import duplicates
from arandu_lab.records import Extraction, Skipped
from arandu_lab.units import Cosine


@stage
def drop_duplicates(extraction: Extraction, lab: Lab, *, semantic_dedup_threshold: Cosine) -> Extraction:
    """Keep the first of facts that say the same of one subject; cosine nominates, words confirm (W11, B5)."""
    doubles = duplicates(extraction.facts, lab.embed.scale, threshold=semantic_dedup_threshold)
    if not doubles:
        return extraction
    skipped = tuple(
        Skipped(
            what=extraction.facts[later].text,
            why=f"near-duplicate ({cosine:.3f}) of {extraction.facts[earlier].text!r}",
        )
        for later, (earlier, cosine) in doubles.items()
    )
    lab.log(duplicates=len(doubles))
    kept = tuple(fact for position, fact in enumerate(extraction.facts) if position not in doubles)
    return replace(extraction, facts=kept, skipped=(*extraction.skipped, *skipped))
