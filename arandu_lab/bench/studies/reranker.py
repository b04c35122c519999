"""The reranker's weight and veto: what a model's grades win, and which evidence the veto throws away, per language.

A grid of both is re-scored over memories that are written once. The best setting of each language is chosen on one part of
its conversations (of the questions, in time, where there is one) and judged on the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from arandu_lab.bench.cards import LANGUAGES, Card, count, measure_format
from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.studies.costs import Bill, bill_of, rest, swept_cost
from arandu_lab.bench.studies.plan import languages, planned
from arandu_lab.bench.studies.plans import RerankerPlan
from arandu_lab.bench.studies.sets import shortened
from arandu_lab.bench.studies.study import Study, between, signed
from arandu_lab.bench.sweeps.result import Sweep
from arandu_lab.bench.sweeps.run import estimate, sweep
from arandu_lab.llm.prices import read_prices
from arandu_lab.trace import Usage

RESULTS = Path("results")
WEIGHT, VETO = "reranker_weight", "min_reranker_score"


def study_reranker(dataset: Any, *, results: str | Path = RESULTS, progress: Any = None, **options: Any) -> Study:
    """Do the study over datasets (names, or ``Dataset`` objects). ``options`` are fields of :class:`RerankerPlan`.

    Raises:
        ConfigError: an unknown option or wrong value, or the cap.
        DatasetError: data that break their format.
    """
    plan, datasets = planned(RerankerPlan, dataset, options)
    return reranker_done(plan, datasets, results=results, progress=progress)


def reranker_cost(plan: RerankerPlan, datasets: Mapping[str, Dataset], *, results: str | Path = RESULTS) -> Bill:
    """What it would cost: each memory written once, each pair of a question and a fact graded once."""
    parts = []
    for language, sets in _sets(plan, datasets).items():
        told = estimate(**_call(plan, sets), results=results)
        name = LANGUAGES.get(language, language)
        parts.append(swept_cost(name, f"{told.settings} settings, {told.questions} questions", told))
    return bill_of(parts, plan.model, plan.priced_as)


def reranker_done(
    plan: RerankerPlan, datasets: Mapping[str, Dataset], *, results: str | Path = RESULTS, progress: Any = None
) -> Study:
    """Do a plan. Raises as :func:`study_reranker`."""
    bill, prices = reranker_cost(plan, datasets, results=results), read_prices()
    bill.within(plan.most)
    paid, tables, found = Usage(), dict[str, Card](), list[str]()
    grids: list[pl.DataFrame] = []
    vetoes: list[pl.DataFrame] = []
    for language, sets in _sets(plan, datasets).items():
        name = LANGUAGES.get(language, language)
        cap = rest(plan.most, plan.model, paid, prices)
        swept = sweep(**_call(plan, sets), name="study-reranker", results=results, cap=cap, progress=progress)
        off = _unjudged(plan, sets, results)
        paid = paid + swept.paid
        grid = swept.table(plan.measure)
        usual, least = _default(swept, WEIGHT), min(plan.weights)
        lost = _vetoed(swept, plan, usual)
        alone = _vetoed(swept, plan, least)
        tables[f"{name}: {plan.measure} by weight and veto, training part"] = _grid_card(grid, plan)
        tables[f"{name}: what the veto does at weight {usual:g}, the default"] = _veto_card(lost, plan)
        if least != usual:
            tables[f"{name}: what the veto does at weight {least:g}"] = _veto_card(alone, plan)
        found += _sentences(name, swept, off, lost, plan)
        grids.append(grid.with_columns(pl.lit(name).alias("language")))
        vetoes += [
            one.with_columns(pl.lit(name).alias("language")) for one in ([lost, alone] if least != usual else [lost])
        ]
    return Study(
        name="reranker",
        title="Reranker: weight and veto",
        about=(
            f"{plan.model}; {', '.join(datasets)}; weight {_span(plan.weights)} by veto {_span(plan.vetoes)}, re-scored over"
            f" memories written once. Figures on the training part; {plan.hold_out:.0%} of each language judge what was chosen."
        ),
        found=tuple(found),
        tables=tables,
        frames={"grid": pl.concat(grids), "vetoed": pl.concat(vetoes)},
        bill=bill,
        paid=paid,
    )


def _call(plan: RerankerPlan, sets: Sequence[Dataset]) -> dict[str, Any]:
    measures = list(dict.fromkeys((plan.measure, "nDCG@10", "RR")))
    return {
        "system": plan.row(),
        "grid": {WEIGHT: list(plan.weights), VETO: list(plan.vetoes)},
        "dataset": list(sets),
        "measures": measures,
        "hold_out": plan.hold_out,
        "depth": plan.depth,
        "seed": plan.seed,
        "jobs": plan.jobs,
    }


def _unjudged(plan: RerankerPlan, sets: Sequence[Dataset], results: str | Path) -> dict[str, Any]:
    """The same questions without a reranker: its mean, and its paired difference to the default. No model is asked."""
    call = {**_call(plan, sets), "grid": {"enable_reranker": [True, False]}}
    swept = sweep(**call, name="study-reranker-off", results=results, progress=False)
    return swept.table(plan.measure).row(1, named=True)


def _vetoed(swept: Sweep, plan: RerankerPlan, weight: float) -> pl.DataFrame:
    """Per veto at a weight: the questions that gain and lose against no veto, mean tokens, and the difference."""
    from arandu_lab.bench.statistics import interval

    values, clusters, _ = swept.matrix(plan.measure)
    mine = {one[VETO]: point for point, one in enumerate(swept.points) if one[WEIGHT] == weight}
    first = mine[min(mine)]
    context = dict(swept.table(plan.measure).select("point", "context_tokens").iter_rows())
    rows = []
    for veto, point in sorted(mine.items()):
        moved = values[:, point] - values[:, first]
        good = moved == moved
        one = interval(moved[good], [cluster for cluster, kept in zip(clusters, good, strict=True) if kept])
        rows.append(
            {
                "weight": weight,
                "veto": float(veto),
                "gained": int((moved > 0).sum()),
                "lost": int((moved < 0).sum()),
                "difference": one.mean,
                "low": one.low,
                "high": one.high,
                "questions": int(good.sum()),
                "context_tokens": context[point],
                "default": veto == _default(swept, VETO),
            }
        )
    return pl.DataFrame(rows, schema=_VETOED)


def _grid_card(grid: pl.DataFrame, plan: RerankerPlan) -> Card:
    form = measure_format(plan.measure)
    vetoes = grid[VETO].unique().sort().to_list()
    cells = []
    for weight in grid[WEIGHT].unique().sort().to_list():
        row = {one[VETO]: one for one in grid.filter(pl.col(WEIGHT) == weight).iter_rows(named=True)}
        cells.append((f"{weight:g}", *(_cell(row.get(veto), form) for veto in vetoes)))
    return Card(("weight \\ veto", *(f"{veto:g}" for veto in vetoes)), tuple(cells))


def _cell(row: Mapping[str, Any] | None, form: Any) -> str:
    """A mean; * where its difference to the default leaves 0 out, and the default in brackets."""
    if row is None:
        return "–"
    if row["default"]:
        return f"[{form(row['mean'])}]"
    sure = row["low"] is not None and (row["low"] > 0 or row["high"] < 0)
    return f"{form(row['mean'])}{'*' if sure else ' '}"


def _veto_card(lost: pl.DataFrame, plan: RerankerPlan) -> Card:
    cells = [
        (
            f"{row['veto']:g}{' (default)' if row['default'] else ''}",
            count(row["questions"]),
            count(row["gained"]),
            count(row["lost"]),
            signed(row["difference"]),
            between(row["low"], row["high"]),
            count(row["context_tokens"]),
        )
        for row in lost.iter_rows(named=True)
    ]
    return Card(
        ("veto", "questions", "gain", "lose", f"{plan.measure} − no veto", "95 % interval", "ctx tok"), tuple(cells)
    )


def _sentences(name: str, swept: Sweep, off: Mapping[str, Any], lost: pl.DataFrame, plan: RerankerPlan) -> list[str]:
    form = measure_format(plan.measure)
    best = swept.best(plan.measure)
    chosen = ", ".join(f"{key} {value:g}" for key, value in best.setting.items())
    default = next(row for row in swept.table(plan.measure).iter_rows(named=True) if row["default"])
    out = [
        f"{name}: best of {best.among} settings on the training part: {chosen} ({form(best.training)}, default"
        f" {form(best.training_default)}, chance {form(default['chance'])}); held out: {form(best.held_out)}, default"
        f" {form(best.held_out_default)}: {best.said}. {swept.split[0].upper()}{swept.split[1:]}."
    ]
    if off["mean"] is not None:
        out.append(
            f"{name}: without a reranker {plan.measure} is {form(off['mean'])}, {signed(off['difference'])} points to the default"
            f" [{between(off['low'], off['high'])}]: {off['verdict']}."
        )
    mine = lost.filter("default")
    if not lost["gained"].sum() and not lost["lost"].sum():
        out.append(
            f"{name}: at weight {lost['weight'][0]:g} no veto up to {max(plan.vetoes):g} changes {plan.measure} of any question:"
            " by the weight alone, what it removes ends below min_score or behind the ten best."
        )
    elif not mine.is_empty():
        row = mine.row(0, named=True)
        out.append(
            f"{name}: the default veto ({row['veto']:g}) costs {row['lost']} of {row['questions']} questions evidence and gives"
            f" {row['gained']} some ({signed(row['difference'])} points [{between(row['low'], row['high'])}])."
        )
    return out


def _default(swept: Sweep, name: str) -> float:
    return float(swept.points[0][name])


def _span(values: Sequence[float]) -> str:
    return f"{min(values):g} to {max(values):g}" if len(values) > 1 else f"{values[0]:g}"


def _sets(plan: RerankerPlan, datasets: Mapping[str, Dataset]) -> dict[str, list[Dataset]]:
    some = [shortened(one, turns=plan.turns, questions=plan.questions) for one in datasets.values()]
    return languages(some)


_VETOED: dict[str, Any] = {
    **dict.fromkeys(("weight", "veto"), pl.Float64),
    **dict.fromkeys(("gained", "lost"), pl.Int64),
    **dict.fromkeys(("difference", "low", "high"), pl.Float64),
    "questions": pl.Int64,
    "context_tokens": pl.Float64,
    "default": pl.Boolean,
}
