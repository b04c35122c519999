"""Systems that cannot be told apart on a set: whoever says the same figures twice buries the others."""

from __future__ import annotations

from typing import Any

import polars as pl

from arandu_lab.bench.scorecard import tables
from arandu_lab.bench.scorecard.frames import Frames
from arandu_lab.bench.scorecard.segments import STAGES

Twins = dict[tuple[str, str], str]


def twins(frames: Frames) -> Twins:
    """``(system, dataset)`` -> the system before it whose every figure of quality is the same there, in all its modes."""
    out: Twins = {}
    for dataset, _ in tables.ordered_sets(frames):
        modes: dict[str, list[str]] = {}
        for system, one, _, mode in tables.runs(frames):
            if one == dataset:
                modes.setdefault(system, []).append(mode)
        seen: dict[str, dict[str, Any]] = {}
        for system, some in modes.items():
            mine = {mode: figures(frames, system, dataset, mode) for mode in some}
            same = next((other for other, its in seen.items() if all(its.get(m) == mine[m] for m in some)), None)
            if same is None:
                seen[system] = mine
            else:
                out[system, dataset] = same
    return out


def distinct(frames: Frames, same: Twins) -> dict[str, pl.DataFrame]:
    """The frames without the systems that are told by another."""
    out = dict(frames)
    for system, dataset in same:
        gone = (pl.col("system") == system) & (pl.col("dataset") == dataset)
        out = {name: frame.filter(~gone) for name, frame in out.items()}
    return out


def told(same: Twins) -> str:
    """A line a twin, sets together; empty without any."""
    sets: dict[tuple[str, str], list[str]] = {}
    for (system, dataset), other in same.items():
        sets.setdefault((system, other), []).append(dataset)
    return "\n".join(
        f"* *{system}* over {', '.join(names)}: every figure is the same as of *{other}*, so it is not told again. Its "
        "cost stands under *Cost*."
        for (system, other), names in sets.items()
    )


def figures(frames: Frames, system: str, dataset: str, mode: str) -> tuple[Any, ...]:
    """All that a report says of the quality of a system over a set in a mode."""

    def mine(name: str) -> pl.DataFrame:
        return tables.of(frames[name], system, dataset, mode)

    asked, pieces = mine("questions"), mine("evidence")
    return (
        tuple(tables.stage_number(frames, system, dataset, mode, stage) for stage in STAGES),
        tables.extraction(mine("read"), mine("turns")),
        tables.resolution(mine("mentions")),
        tables.decisions(mine("decisions")),
        tables.store(mine("rows")),
        tables.states(mine("instants")),
        tables.funnel(pieces),
        tables.signals(pieces).rows(),
        asked.select("question", "outcome", "stage", "fact_outcome", "fact_stage", "context_tokens").rows(),
        tables.by_category(asked),
        tables.apart(asked),
        mine("errors").height,
    )
