"""Where the losses are, in plain sentences made from the numbers alone."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from arandu_lab.bench.cards import percent
from arandu_lab.bench.scorecard import tables
from arandu_lab.bench.scorecard.frames import Frames
from arandu_lab.bench.scorecard.segments import STAGES


def reading(frames: Frames) -> Iterator[str]:
    """A line a system over all sets, then a paragraph a set with a line a system."""
    sets = [dataset for dataset, _ in tables.ordered_sets(frames)]
    if len(sets) > 1:
        names = dict.fromkeys(system for dataset in sets for system, _ in tables.systems(frames, dataset))
        whole = [f"* *{system}* {said}" for system in names if (said := _losses(frames, system, sets))]
        yield "**Over all sets**\n\n" + "\n".join(whole)
    for dataset in sets:
        lines = []
        for system, _ in tables.systems(frames, dataset):
            said = _losses(frames, system, [dataset])
            if said:
                more = (
                    _oracle(frames, system, dataset),
                    _given(frames, system, dataset),
                    _apart(frames, system, dataset),
                )
                lines.append(" ".join([f"* *{system}* {said}", *filter(None, more)]))
        if lines:
            yield f"**{dataset}**\n\n" + "\n".join(lines)


def _losses(frames: Frames, system: str, sets: list[str]) -> str:
    """How much is delivered, and where the rest is lost; empty where nothing was asked."""
    lost: dict[str, int] = {}
    total = good = quoted = 0
    for dataset in sets:
        steps = tables.waterfall(tables.of(frames["questions"], system, dataset, "end-to-end"))
        for row in steps.iter_rows(named=True):
            lost[row["stage"]] = lost.get(row["stage"], 0) + row["lost"]
        total += steps["left"][0]
        good += steps["left"][-1]
        quoted += tables.delivered_by(frames, system, dataset, "end-to-end")[1]
    if not total:
        return ""
    how = f", {quoted} of them only because a turn is quoted" if quoted else ""
    said = f"delivers {good} of {total} questions ({percent(good / total)} %){how}"
    worst = sorted(((number, stage) for stage, number in lost.items() if number), key=lambda one: -one[0])
    if not worst:
        return f"{said}. Nothing is lost."
    share = percent(worst[0][0] / (total - good))
    rest = "".join(f", {number} in {stage}" for number, stage in worst[1:4])
    return f"{said}. It loses most in **{worst[0][1]}**: {worst[0][0]} ({share} % of what it loses){rest}."


def _oracle(frames: Frames, system: str, dataset: str) -> str:
    if (system, "oracle") not in tables.systems(frames, dataset, ("oracle",)):
        return ""
    plain, steps = (
        tables.waterfall(tables.of(frames["questions"], system, dataset, mode)) for mode in ("end-to-end", "oracle")
    )
    left, before = steps["left"][-1], plain["left"][-1]
    later = [
        f"{stage} {lost}"
        for stage, lost in steps.sort("lost", descending=True, maintain_order=True).select("stage", "lost").iter_rows()
        if lost
    ]
    rest = f"the later stages alone lose {', '.join(later)}" if later else "the later stages alone lose nothing"
    return f"With extraction answered from the gold it delivers {left} ({left - before:+d}): {rest}."


def _given(frames: Frames, system: str, dataset: str) -> str:
    if (system, "given") not in tables.systems(frames, dataset, ("given",)):
        return ""
    numbers = {stage: tables.stage_number(frames, system, dataset, "given", stage) for stage in STAGES}
    known = sorted(((value, stage) for stage, value in numbers.items() if value is not None), key=lambda one: one[0])
    weak = ", ".join(f"{stage} {percent(value)}" for value, stage in known[:3])
    return f"On gold input its weakest stages are {weak} (percent)." if weak else ""


def _apart(frames: Frames, system: str, dataset: str) -> str:
    asked = tables.of(frames["questions"], system, dataset, "end-to-end").filter(pl.col("kind") == "deletion")
    left = asked.filter(pl.col("outcome") == "not forgotten").height
    return f"Of {asked.height} things to be forgotten it still tells {left}." if asked.height else ""
