"""Two results side by side: paired differences on the same questions, and what each cost.

Systems of one name are compared; where no name is shared and each result has one system, those two are. Results that are
not alike in what they measured are refused, with what would make them so.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from arandu_lab.bench import statistics, tables
from arandu_lab.bench.frames import Frames
from arandu_lab.bench.measures import parse
from arandu_lab.bench.plan import Plan
from arandu_lab.errors import ConfigError

_KEYS = ["dataset", "conversation", "question", "category"]


def compared(before: tuple[Plan, Frames], after: tuple[Plan, Frames]) -> pl.DataFrame:
    """One row a dataset, system and measure: both means, their paired difference, and what may be said of it.

    Columns ``dataset system measure before after difference low high wins ties losses sign_flip p p_holm design_effect
    tokens_before tokens_after verdict``. ``p_holm`` reckons with all comparisons of the dataset. Where less is better
    (``Stale``), a win is a fall.

    Raises:
        ConfigError: results that are not alike (:func:`unlike`), or no system or measure in common.
    """
    if why := unlike(before[0], after[0]):
        raise ConfigError(f"the results cannot be compared: {'; '.join(why)}")
    measures = [one for one in before[0].measures if one in after[0].measures]
    out = []
    for dataset in dict(before[0].made.get("datasets", {})):
        rows: list[dict[str, Any]] = []
        found: list[tuple[statistics.Difference | None, statistics.Detectable | None]] = []
        whys: list[str] = []
        for system, other in couples(before[0], after[0]):
            sides = ((before[1], system), (after[1], other))
            one, two = (long(frames, dataset, name, measures) for frames, name in sides)
            tokens = [_tokens(frames, dataset, name) for frames, name in sides]
            for measure in measures:
                means = [frame.filter(pl.col("measure") == measure)["value"].mean() for frame in (one, two)]
                name = system if system == other else f"{system} → {other}"
                rows.append(
                    {"dataset": dataset, "system": name, "measure": measure, "before": means[0], "after": means[1]}
                    | {"tokens_before": tokens[0], "tokens_after": tokens[1]}
                )
                paired = not statistics.pairs(one, two, measure)["difference"].drop_nulls().is_empty()
                found.append(
                    (statistics.compare(one, two, measure), statistics.detectable(one, two, measure))
                    if paired
                    else (None, None)
                )
                whys.append("" if paired else unpaired_why(dataset, measure, before=sides[0], after=sides[1]))
        adjusted = statistics.holm([None if one is None else one.p for one, _ in found])
        out += [
            {**row, **(_said(row["measure"], *both, p) if not why else {"verdict": why})}
            for row, both, why, p in zip(rows, found, whys, adjusted, strict=True)
        ]
    return pl.DataFrame(out, schema=_SCHEMA)


def unlike(before: Plan, after: Plan) -> tuple[str, ...]:
    """Why the figures of two results are of different things, and what would make them alike; empty where they are not.

    They are alike where data, overlays of corrections, definitions of measures, depth and seed are the same. Systems,
    their settings and code may differ: that is what is compared. What an older result does not say is not held against it.
    """
    out = []
    overlays, data, means = (
        [dict(plan.made.get(name, {})) for plan in (before, after)] for name in ("overlays", "datasets", "measures")
    )
    if overlays[0] != overlays[1]:
        said = [", ".join(f"{one}" for one in sorted(side.values())) or "none" for side in overlays]
        out.append(f"other corrections of the gold ({said[0]}, then {said[1]}); lay the same overlay over both")
    elif data[0] != data[1]:
        names = sorted(name for name in {*data[0], *data[1]} if data[0].get(name) != data[1].get(name))
        out.append(
            f"they are of different data ({', '.join(names)}), so their questions are not the same; run both on one set "
            "of files"
        )
    shared = [name for name in means[0] if name in means[1]]
    if other := [name for name in shared if means[0][name] != means[1][name]]:
        out.append(f"{', '.join(other)} had another definition then; run the older one again with the code of now")
    if not set(before.measures) & set(after.measures):
        out.append(
            f"no measure in common ({', '.join(before.measures)}, then {', '.join(after.measures)}); name one in both"
        )
    for name, why in (("depth", "rankings end at other places"), ("seed", "chance fell otherwise")):
        one, two = getattr(before, name), getattr(after, name)
        if one != two:
            out.append(f"{name} = {one}, then {two}, so {why}; run one of them again with {name} = {one}")
    return tuple(out)


def couples(before: Plan, after: Plan) -> list[tuple[str, str]]:
    """The systems to be compared: those of one name, or the only ones.

    Raises:
        ConfigError: none in common.
    """
    names = [[row.name for row in plan.rows] for plan in (before, after)]
    shared = [(name, name) for name in names[0] if name in names[1]]
    if not shared and len(names[0]) == len(names[1]) == 1:
        return [(names[0][0], names[1][0])]
    if not shared:
        raise ConfigError(f"no system in common: {', '.join(names[0])} and {', '.join(names[1])}")
    return shared


def long(frames: Frames, dataset: str, system: str, measures: list[str]) -> pl.DataFrame:
    """The headline of a system as :func:`arandu_lab.bench.statistics.compare` takes it: a row a question and measure."""
    mine = tables.headline(frames.questions)
    mine = mine.filter((pl.col("dataset") == dataset) & (pl.col("system") == system))
    return mine.unpivot(measures, index=_KEYS, variable_name="measure", value_name="value")


def _said(
    measure: str, found: statistics.Difference | None, least: statistics.Detectable | None, p: float | None
) -> dict[str, Any]:
    assert found is not None
    told = paired_columns(measure, found, least, p)
    return told | {"design_effect": found.design.effect if found.design else None}


def unpaired_why(dataset: str, measure: str, **sides: tuple[Frames, str]) -> str:
    """Why no question has a value of a measure on both sides, each (frames, system) under the word it is called by."""
    said = []
    for word, (frames, system) in sides.items():
        mine = tables.headline(frames.questions).filter((pl.col("dataset") == dataset) & (pl.col("system") == system))
        failed = mine.filter(pl.col("error").is_not_null())
        if mine.is_empty():
            said.append(f"{word}: {system} was asked no question of {dataset} that has an answer")
        elif mine[measure].is_not_null().any():
            continue
        elif failed.height:
            many = "every question" if failed.height == mine.height else f"{failed.height} of {mine.height} questions"
            said.append(f"{word}: {many} failed, the first with: {failed['error'][0]}")
        elif parse(measure).falls and (mine["state"] != "unranked").all():
            said.append(f"{word}: the data do not say what was over, which {measure} needs")
        else:
            said.append(f"{word}: {system} ranks nothing that {measure} could be told from")
    return "nothing to compare; " + ("; ".join(said) or "questions with a value on one side have none on the other")


def paired_columns(
    measure: str, found: statistics.Difference, least: statistics.Detectable | None, p: float | None
) -> dict[str, Any]:
    """What every table tells of a paired difference; a win is what is better, also where less is (``falls``)."""
    falls = parse(measure).falls
    wins, losses = (found.losses, found.wins) if falls else (found.wins, found.losses)
    return {
        "difference": found.interval.mean,
        "low": found.interval.low,
        "high": found.interval.high,
        "wins": wins,
        "ties": found.ties,
        "losses": losses,
        "sign_flip": found.sign_flip,
        "p": found.p,
        "p_holm": p,
        "verdict": statistics.verdict(found, least=least, p=p, falls=falls),
    }


def _tokens(frames: Frames, dataset: str, system: str) -> int:
    mine = frames.usage.filter(pl.col("stage").is_null())
    return int(mine.filter((pl.col("dataset") == dataset) & (pl.col("system") == system))["tokens_asked"].sum())


_SCHEMA: dict[str, Any] = {
    **dict.fromkeys(("dataset", "system", "measure"), pl.String),
    **dict.fromkeys(("before", "after", "difference", "low", "high"), pl.Float64),
    **dict.fromkeys(("wins", "ties", "losses"), pl.Int64),
    **dict.fromkeys(("sign_flip", "p", "p_holm", "design_effect"), pl.Float64),
    **dict.fromkeys(("tokens_before", "tokens_after"), pl.Int64),
    "verdict": pl.String,
}
