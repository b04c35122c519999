"""What each signal is worth to a fact that was recalled: the same question with one of them left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from arandu_lab.errors import ConfigError
from arandu_lab.memory.checking import checks, writer
from arandu_lab.memory.explanations import LeftOut
from arandu_lab.memory.rereading import Rereading, Seen
from arandu_lab.records import Fact

WEIGHED = ("recency", "importance", "confidence")
"""Signals that every candidate has: they are left out by the weight 0. All others go with their stage."""


async def left_out(bench: Rereading, seen: Seen, position: int, fact: Fact) -> tuple[LeftOut, ...]:
    """One read per signal that takes part. A stage is left out as ``Pipeline.without`` does: what stands in for it stays."""
    before: Mapping[str, Any] = seen.row(fact.id) or {}
    out = []
    for signal, changed in _ablations(bench, seen):
        after = await bench.read(**changed)
        row = after.row(fact.id)
        last = checks(after, position)[-1]
        out.append(
            LeftOut(
                signal=signal,
                value=before.get(signal),
                recalled=after.recalled(fact.id),
                rank=row["rank"] if row else None,
                score=row.get("score", row["formula"]) if row else None,
                lost=None if last.passed else f"{last.stage} ({last.reason})",
            )
        )
    return tuple(out)


def _ablations(bench: Rereading, seen: Seen) -> Iterator[tuple[str, dict[str, Any]]]:
    table, values, free = seen.found.table, bench.values, bench.parameters
    stages = {voice.name: passage.stage for passage, voice in seen.voices if voice.heard}
    if "spread" in bench.standing.names():
        stages["spread"] = "spread"
    if "reranker" in table and (table["reranker"] == table["reranker"]).any():
        stages["reranker"] = writer(seen, "reranker")
    for signal, stage in stages.items():
        try:
            yield signal, {"pipeline": bench.pipeline.without(stage)}
        except ConfigError:
            continue  # nothing would be left to answer with
    weights = values.get("score_weights", {})
    for signal in WEIGHED:
        if weights.get(signal) and "score_weights" in free:
            yield signal, {"score_weights": {**weights, signal: 0.0}}
    if values.get("pattern_boost_max") and "pattern_boost_max" in free:
        yield "pattern", {"pattern_boost_max": 0.0}
