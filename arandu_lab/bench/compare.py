"""Two results side by side: paired differences on the same questions, and what each cost.

Systems of one name are compared; where no name is shared and each result has one system, those two are.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from arandu_lab.bench import statistics, tables
from arandu_lab.bench.frames import Frames
from arandu_lab.bench.plan import Plan
from arandu_lab.errors import ConfigError

_KEYS = ["dataset", "conversation", "question", "category"]


def compared(before: tuple[Plan, Frames], after: tuple[Plan, Frames]) -> pl.DataFrame:
    """``dataset system measure before after difference low high wins losses sign_flip tokens_before tokens_after``.

    Raises:
        ConfigError: other data on one side, or no system in common.
    """
    data = [dict(plan.made.get("datasets", {})) for plan, _ in (before, after)]
    if data[0] != data[1]:
        differing = sorted(name for name in {*data[0], *data[1]} if data[0].get(name) != data[1].get(name))
        raise ConfigError(
            f"the results are of different data ({', '.join(differing)}): their questions are not the same, so their "
            "figures cannot be compared"
        )
    measures = [one for one in before[0].measures if one in after[0].measures]
    rows: list[dict[str, Any]] = []
    for dataset in data[0]:
        for system, other in _couples(before[0], after[0]):
            sides = ((before[1], system), (after[1], other))
            one, two = (_long(frames, dataset, name, measures) for frames, name in sides)
            tokens = [_tokens(frames, dataset, name) for frames, name in sides]
            name = system if system == other else f"{system} → {other}"
            rows += [
                {"dataset": dataset, "system": name, "measure": measure}
                | _difference(one, two, measure)
                | {"tokens_before": tokens[0], "tokens_after": tokens[1]}
                for measure in measures
            ]
    return pl.DataFrame(rows, schema=_SCHEMA)


def _couples(before: Plan, after: Plan) -> list[tuple[str, str]]:
    names = [[row.name for row in plan.rows] for plan in (before, after)]
    shared = [(name, name) for name in names[0] if name in names[1]]
    if not shared and len(names[0]) == len(names[1]) == 1:
        return [(names[0][0], names[1][0])]
    if not shared:
        raise ConfigError(f"no system in common: {', '.join(names[0])} and {', '.join(names[1])}")
    return shared


def _long(frames: Frames, dataset: str, system: str, measures: list[str]) -> pl.DataFrame:
    mine = tables.headline(frames.questions)
    mine = mine.filter((pl.col("dataset") == dataset) & (pl.col("system") == system))
    return mine.unpivot(measures, index=_KEYS, variable_name="measure", value_name="value")


def _difference(before: pl.DataFrame, after: pl.DataFrame, measure: str) -> dict[str, Any]:
    means = [frame.filter(pl.col("measure") == measure)["value"].mean() for frame in (before, after)]
    out: dict[str, Any] = {"before": means[0], "after": means[1]}
    if None in means:
        return out
    found = statistics.compare(before, after, measure)
    return out | {
        "difference": found.interval.mean,
        "low": found.interval.low,
        "high": found.interval.high,
        "wins": found.wins,
        "losses": found.losses,
        "sign_flip": found.sign_flip,
    }


def _tokens(frames: Frames, dataset: str, system: str) -> int:
    mine = frames.usage.filter(pl.col("stage").is_null())
    return int(mine.filter((pl.col("dataset") == dataset) & (pl.col("system") == system))["tokens_asked"].sum())


_SCHEMA: dict[str, Any] = {
    **dict.fromkeys(("dataset", "system", "measure"), pl.String),
    **dict.fromkeys(("before", "after", "difference", "low", "high"), pl.Float64),
    **dict.fromkeys(("wins", "losses"), pl.Int64),
    "sign_flip": pl.Float64,
    **dict.fromkeys(("tokens_before", "tokens_after"), pl.Int64),
}
