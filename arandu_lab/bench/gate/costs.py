"""What a run costs against the baseline: tokens and calls as counted, time as a ratio to a control."""

from __future__ import annotations

import numpy as np
import polars as pl

from arandu_lab.bench import statistics
from arandu_lab.bench.frames import Frames
from arandu_lab.bench.gate.baseline import medians
from arandu_lab.bench.gate.tolerance import Tolerance
from arandu_lab.bench.gate.verdict import Finding
from arandu_lab.bench.plan import Plan
from arandu_lab.errors import ConfigError, nearest

CONTROLS = ("dense", "fused", "verbatim")
"""Systems that embed every turn and ask no model: what the same machine needs for the same texts."""
_SHORT = 50.0
"""Milliseconds: what took less on either side is not timed."""
_SMALL = 0.2
"""A system that takes less than this share of its control's time, then and now, is not timed either: it is all overhead."""
_COUNTS = {"tokens": "tokens_asked", "calls": "calls"}


def cost_findings(
    dataset: str, system: str, before: Frames, after: Frames, drawn: bool, limits: Tolerance
) -> list[Finding]:
    """Tokens asked and calls of a system, by conversation; ``drawn``: there are conversations enough for an interval."""
    out = []
    for kind, column in _COUNTS.items():
        sides = [_by_conversation(frames, dataset, system, column) for frames in (before, after)]
        both = sides[0].join(sides[1], on="conversation", suffix="_now").sort("conversation")
        one, two = float(both["value"].sum()), float(both["value_now"].sum())
        if one == two == 0:
            continue
        growth = two / one - 1 if one else float("inf")
        low = high = p = None
        if drawn and one:
            grown = (both["value_now"] - both["value"]).to_numpy() / (one / both.height)
            found = statistics.interval(grown, both["conversation"].to_list(), level=limits.level)
            low, high = found.low, found.high
            p = statistics.student(grown, both["conversation"].to_list()) if grown.any() else None
        limit = getattr(limits, kind)
        figure = column.replace("_", " ")
        out.append(_finding(dataset, system, kind, figure, one, two, growth, low, high, both.height, p, limit))
    return out


def time_findings(
    plan: Plan, before: Frames, after: Frames, control: str | None, limits: Tolerance
) -> tuple[list[Finding], list[str]]:
    """The time of every system over that of a control in the same run, and what there is to say of it.

    Raises:
        ConfigError: no system of the control's name in both runs.
    """
    names = [row.name for row in plan.rows]
    if control is not None and control not in names:
        raise ConfigError(f"control {control!r} is no system of the baseline; {nearest(control, names)}")
    bases = {row.base: row.name for row in plan.rows}
    chosen = control or next((bases[one] for one in CONTROLS if one in bases), None)
    if chosen is None:
        return [], [f"time was not judged: none of {', '.join(CONTROLS)} is in the run (control= names another)"]
    sides = [_seconds(frames, chosen) for frames in (before, after)]
    both = sides[0].join(sides[1], on=["dataset", "system", "conversation"], suffix="_now", maintain_order="left")
    out, short = [], 0
    for (dataset, system), mine in both.group_by(["dataset", "system"], maintain_order=True):
        totals = [float(mine[name].sum()) for name in ("ms", "control", "ms_now", "control_now")]
        if min(totals) < _SHORT:
            short += 1
            continue
        one, two = totals[0] / totals[1], totals[2] / totals[3]
        if max(one, two) < _SMALL:
            short += 1
            continue
        growth, low, high, p = two / one - 1, None, None, None
        if mine.height > 2:
            logs = np.log((mine["ms_now"] / mine["control_now"]).to_numpy() / (mine["ms"] / mine["control"]).to_numpy())
            found = statistics.interval(logs, mine["conversation"].to_list(), level=limits.level)
            assert found.low is not None
            assert found.high is not None
            low, high = float(np.expm1(found.low)), float(np.expm1(found.high))
            p = statistics.student(logs, mine["conversation"].to_list()) if logs.any() else None
        figure = f"time over {chosen}'s"
        out.append(
            _finding(
                str(dataset), str(system), "time", figure, one, two, growth, low, high, mine.height, p, limits.time
            )
        )
    return out, _said(short, chosen)


def _said(short: int, control: str) -> list[str]:
    if not short:
        return []
    return [f"time was not judged {short} times: under {_SHORT:.0f} ms, or under {_SMALL:.0%} of the time of {control}"]


def _finding(
    dataset: str,
    system: str,
    kind: str,
    figure: str,
    before: float,
    after: float,
    change: float,
    low: float | None,
    high: float | None,
    conversations: int,
    p: float | None,
    limit: float,
) -> Finding:
    over = f"over {conversations} conversations"
    return Finding(
        dataset=dataset,
        system=system,
        kind=kind,
        figure=figure,
        before=before,
        after=after,
        change=change,
        low=low,
        high=high,
        over=over,
        p=p,
        limit=limit,
    )


def _by_conversation(frames: Frames, dataset: str, system: str, column: str) -> pl.DataFrame:
    mine = frames.usage.filter(
        (pl.col("dataset") == dataset) & (pl.col("system") == system) & pl.col("stage").is_null()
    )
    return mine.group_by("conversation", maintain_order=True).agg(pl.col(column).sum().alias("value"))


def _seconds(frames: Frames, control: str) -> pl.DataFrame:
    """``dataset system conversation ms control``: the median of each phase times its items, and the control's beside."""
    keys = ["dataset", "system", "conversation", "phase"]
    items = frames.usage.filter(pl.col("stage").is_null()).select(*keys, "items")
    each = medians(frames).select(*keys, "ms").join(items, on=keys, maintain_order="left")
    total = each.group_by(keys[:3], maintain_order=True).agg((pl.col("ms") * pl.col("items")).sum().alias("ms"))
    beside = total.filter(pl.col("system") == control).select("dataset", "conversation", pl.col("ms").alias("control"))
    joined = total.filter(pl.col("system") != control).join(
        beside, on=["dataset", "conversation"], maintain_order="left"
    )
    return joined.filter((pl.col("ms") > 0) & (pl.col("control") > 0))
