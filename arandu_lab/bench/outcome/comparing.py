"""Every system of an experiment against one of them, on the same questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from arandu_lab.bench import statistics
from arandu_lab.bench.compare import left_out, long, paired, paired_columns, paired_means, unpaired_why
from arandu_lab.bench.frames import Frames
from arandu_lab.bench.measures import costs_of
from arandu_lab.bench.plan import Plan

_COSTS = {"Tokens": "tokens", "Calls": "calls"}


def against(plan: Plan, sides: Mapping[str, Frames], datasets: Sequence[str], baseline: str) -> pl.DataFrame:
    """One row a dataset, gold, system and measure: both means, the paired difference, what may be said, both costs.

    Columns ``dataset relevance system baseline measure before after difference low high wins ties losses sign_flip p
    p_holm unpaired``, ``tokens`` ``calls`` ``context`` each ``_before`` and ``_after``, ``verdict``. ``before`` is the
    baseline's, over the questions that both have a value for. ``p_holm`` reckons with all comparisons of the dataset; of
    a measure where less is better a win is a fall.
    """
    out: list[dict[str, Any]] = []
    others = [row.name for row in plan.rows if row.name != baseline]
    for dataset in datasets:
        for relevance, frames in sides.items():
            costs = {row["system"]: row for row in _costs(frames, dataset).iter_rows(named=True)}
            base = long(frames, dataset, baseline, list(plan.measures))
            rows, found = [], []
            for system in others:
                mine = long(frames, dataset, system, list(plan.measures))
                for measure in plan.measures:
                    rows.append(
                        {"dataset": dataset, "relevance": relevance, "system": system, "baseline": baseline}
                        | {"measure": measure, **paired_means(base, mine, measure), **_beside(costs, baseline, system)}
                    )
                    found.append(paired(base, mine, measure))
            adjusted = statistics.holm([None if one is None else one[0].p for one in found])
            for row, one, p in zip(rows, found, adjusted, strict=True):
                both = {name: (frames, row[name]) for name in ("baseline", "system")}
                if one is None:
                    out.append(row | {"verdict": unpaired_why(dataset, row["measure"], **both)})
                else:
                    out.append(row | paired_columns(row["measure"], *one, p, left_out(dataset, one, **both)))
    return pl.DataFrame(out, schema=_SCHEMA)


def _costs(frames: Frames, dataset: str) -> pl.DataFrame:
    context = frames.questions.group_by("dataset", "system").agg(pl.col("context_tokens").mean().alias("context"))
    counted = costs_of(frames, list(_COSTS)).rename(_COSTS)
    return counted.join(context, on=["dataset", "system"], how="left").filter(pl.col("dataset") == dataset)


def _beside(costs: Mapping[str, Mapping[str, Any]], before: str, after: str) -> dict[str, Any]:
    return {
        f"{name}_{word}": costs.get(system, {}).get(name)
        for name in (*_COSTS.values(), "context")
        for word, system in (("before", before), ("after", after))
    }


_SCHEMA: dict[str, Any] = {
    **dict.fromkeys(("dataset", "relevance", "system", "baseline", "measure"), pl.String),
    **dict.fromkeys(("before", "after", "difference", "low", "high"), pl.Float64),
    **dict.fromkeys(("wins", "ties", "losses"), pl.Int64),
    **dict.fromkeys(("sign_flip", "p", "p_holm"), pl.Float64),
    "unpaired": pl.Int64,
    **{f"{name}_{word}": pl.Float64 for name in (*_COSTS.values(), "context") for word in ("before", "after")},
    "verdict": pl.String,
}
