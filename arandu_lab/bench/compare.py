"""Two results side by side: paired differences on the same questions, and what each cost.

Systems of one name are compared; where no name is shared and each result has one system, those two are. Results that are
not alike in what they measured are refused, with what would make them so.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import polars as pl

from arandu_lab.bench import statistics, tables
from arandu_lab.bench.frames import Frames
from arandu_lab.bench.measures import parse
from arandu_lab.bench.plan import Plan
from arandu_lab.errors import ConfigError

Found: TypeAlias = tuple[statistics.Difference, statistics.Detectable]
_KEYS = ["dataset", "conversation", "question", "category"]


def compared(before: tuple[Plan, Frames], after: tuple[Plan, Frames]) -> pl.DataFrame:
    """One row a dataset, system and measure: both means, their paired difference, and what may be said of it.

    Columns ``dataset system measure before after difference low high wins ties losses sign_flip p p_holm unpaired
    design_effect tokens_before tokens_after verdict``. Both means are over the questions that both have a value for;
    ``unpaired`` counts those that one has alone, and the verdict tells them and what failed. ``p_holm`` reckons with all
    comparisons of the dataset. Where less is better (``Stale``), a win is a fall.

    Raises:
        ConfigError: results that are not alike (:func:`unlike`), or no system or measure in common.
    """
    if why := unlike(before[0], after[0]):
        raise ConfigError(f"the results cannot be compared: {'; '.join(why)}")
    measures = [one for one in before[0].measures if one in after[0].measures]
    out = []
    for dataset in dict(before[0].made.get("datasets", {})):
        rows: list[dict[str, Any]] = []
        found: list[Found | None] = []
        whys: list[str] = []
        for system, other in couples(before[0], after[0]):
            sides = ((before[1], system), (after[1], other))
            one, two = (long(frames, dataset, name, measures) for frames, name in sides)
            tokens = [_tokens(frames, dataset, name) for frames, name in sides]
            for measure in measures:
                name = system if system == other else f"{system} → {other}"
                rows.append(
                    {"dataset": dataset, "system": name, "measure": measure, **paired_means(one, two, measure)}
                    | {"tokens_before": tokens[0], "tokens_after": tokens[1]}
                )
                found.append(paired(one, two, measure))
                both = {"before": sides[0], "after": sides[1]}
                whys.append(
                    unpaired_why(dataset, measure, **both)
                    if found[-1] is None
                    else left_out(dataset, found[-1], **both)
                )
        adjusted = statistics.holm([None if one is None else one[0].p for one in found])
        for row, each, said, p in zip(rows, found, whys, adjusted, strict=True):
            out.append({**row, **({"verdict": said} if each is None else _said(row["measure"], each, p, said))})
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
    return _of(frames, dataset, system).unpivot(measures, index=_KEYS, variable_name="measure", value_name="value")


def paired(before: pl.DataFrame, after: pl.DataFrame, measure: str) -> Found | None:
    """The paired difference and what could have been seen; None where no question has a value on both sides."""
    if statistics.pairs(before, after, measure)["difference"].drop_nulls().is_empty():
        return None
    return statistics.compare(before, after, measure), statistics.detectable(before, after, measure)


def paired_means(before: pl.DataFrame, after: pl.DataFrame, measure: str) -> dict[str, Any]:
    """Over the questions that both have a value for; where there are none, over those that each has."""
    both = statistics.pairs(before, after, measure)
    kept = both.drop_nulls("difference")
    return {name: (both if kept.is_empty() else kept)[name].mean() for name in ("before", "after")}


def _said(measure: str, found: Found, p: float | None, missing: str) -> dict[str, Any]:
    difference, least = found
    told = paired_columns(measure, difference, least, p, missing)
    return told | {"design_effect": difference.design.effect if difference.design else None}


def left_out(dataset: str, found: Found, **sides: tuple[Frames, str]) -> str:
    """Which questions a paired difference is not over, and what failed on each side; empty where it is over all."""
    said = []
    if many := found[0].unpaired:
        said.append(f"{many} question{'' if many == 1 else 's'} with a value on one side only")
    for word, (frames, system) in sides.items():
        mine = _of(frames, dataset, system)
        failed = mine.filter(pl.col("error").is_not_null())
        if failed.height:
            said.append(f"{word}: {failed.height} of {mine.height} failed, the first with: {failed['error'][0]}")
    return f"left out: {'; '.join(said)}" if said else ""


def unpaired_why(dataset: str, measure: str, **sides: tuple[Frames, str]) -> str:
    """Why no question has a value of a measure on both sides, each (frames, system) under the word it is called by."""
    said = []
    for word, (frames, system) in sides.items():
        mine = _of(frames, dataset, system)
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
    measure: str, found: statistics.Difference, least: statistics.Detectable | None, p: float | None, missing: str
) -> dict[str, Any]:
    """What every table tells of a paired difference; a win is what is better, also where less is (``falls``).

    ``missing`` is what it is not over (:func:`left_out`).
    """
    falls = parse(measure).falls
    said = statistics.verdict(found, least=least, p=p, falls=falls)
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
        "unpaired": found.unpaired,
        "verdict": f"{said}; {missing}" if missing else said,
    }


def _of(frames: Frames, dataset: str, system: str) -> pl.DataFrame:
    return tables.headline(frames.questions).filter((pl.col("dataset") == dataset) & (pl.col("system") == system))


def _tokens(frames: Frames, dataset: str, system: str) -> int:
    mine = frames.usage.filter(pl.col("stage").is_null())
    return int(mine.filter((pl.col("dataset") == dataset) & (pl.col("system") == system))["tokens_asked"].sum())


_SCHEMA: dict[str, Any] = {
    **dict.fromkeys(("dataset", "system", "measure"), pl.String),
    **dict.fromkeys(("before", "after", "difference", "low", "high"), pl.Float64),
    **dict.fromkeys(("wins", "ties", "losses"), pl.Int64),
    **dict.fromkeys(("sign_flip", "p", "p_holm"), pl.Float64),
    "unpaired": pl.Int64,
    "design_effect": pl.Float64,
    **dict.fromkeys(("tokens_before", "tokens_after"), pl.Int64),
    "verdict": pl.String,
}
