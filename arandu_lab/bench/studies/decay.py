"""Decay: what the half-lives of recency and confidence, and the weight of recency, do to evidence by its age, and to what is over.

Each conversation is written once; every setting is re-scored over it. Recency should help what is new against what it
replaced, and costs what is old and still true: the table shows both, side by side.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.place import place_of
from arandu_lab.bench.studies.ages import spans, turn_rows
from arandu_lab.bench.studies.costs import Bill, allowance, bill_of, said_of_cap, swept_cost
from arandu_lab.bench.studies.decay_told import CONFIDENCE, HALF_LIFE, WEIGHT, study_of
from arandu_lab.bench.studies.plan import planned
from arandu_lab.bench.studies.plans import DecayPlan
from arandu_lab.bench.studies.sets import shortened
from arandu_lab.bench.studies.study import Study
from arandu_lab.bench.sweeps.ingested import ingest
from arandu_lab.bench.sweeps.judgements import Judgements
from arandu_lab.bench.sweeps.purse import filed, opened
from arandu_lab.bench.sweeps.reading import read_settings
from arandu_lab.bench.sweeps.run import estimate
from arandu_lab.bench.sweeps.watching import watching
from arandu_lab.config import MemoryConfig
from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.llm.prices import FREE, read_prices
from arandu_lab.trace import Usage

RESULTS = Path("results")


def study_decay(dataset: Any, *, results: str | Path = RESULTS, progress: Any = None, **options: Any) -> Study:
    """Do the study over datasets (names, or ``Dataset`` objects). ``options`` are fields of :class:`DecayPlan`.

    Raises:
        ConfigError: an unknown option or wrong value, or the cap.
        DatasetError: data that break their format.
        BackendError: a memory could not be written.
    """
    plan, datasets = planned(DecayPlan, dataset, options)
    return decay_done(plan, datasets, results=results, progress=progress)


def decay_cost(plan: DecayPlan, datasets: Mapping[str, Dataset], *, results: str | Path = RESULTS) -> Bill:
    """What it would cost: each memory written once, each pair of a question and a fact graded once."""
    sets = _sets(plan, datasets)
    told = estimate(
        plan.row(), {HALF_LIFE: [14.0, 365.0]}, sets, depth=plan.depth, seed=plan.seed, jobs=plan.jobs, results=results
    )
    return bill_of([swept_cost("decay", f"{len(settings_of(plan))} settings", told)], plan.model, plan.priced_as)


def decay_done(
    plan: DecayPlan, datasets: Mapping[str, Dataset], *, results: str | Path = RESULTS, progress: Any = None
) -> Study:
    """Do a plan. Raises as :func:`study_decay`."""
    spans(plan.bins)
    bill, sets, prices = decay_cost(plan, datasets, results=results), _sets(plan, datasets), read_prices()
    bill.within(plan.most)
    settings, paid, frames = settings_of(plan), Usage(), []
    row, here = plan.row(), place_of(results)
    book = None if plan.model == FREE else Judgements(here / "judgements" / f"{filed(plan.model)}.jsonl")
    with watching(progress, "decay") as told:
        for dataset in sets:
            for conversation in dataset:
                llm, purse = opened(plan.model, here, allowance=allowance(plan.most, plan.model, paid, prices))
                language, turns, asked = (
                    dataset.language.split("-")[0],
                    len(conversation.turns),
                    len(conversation.questions),
                )
                try:
                    made = ingest(
                        row,
                        conversation,
                        dataset=dataset.name,
                        language=language,
                        seed=plan.seed,
                        results=here,
                        llm=llm,
                        tick=lambda done, of=turns: told(done, of, "writing"),  # type: ignore[misc]
                    )
                    if made.errors:
                        first = made.errors[0]
                        raise BackendError(
                            f"{dataset.name}: {first.where}: {first.message}", kind="unavailable", backend=plan.model
                        )
                    answers = read_settings(
                        made,
                        conversation,
                        row,
                        [dict(one["setting"]) for one in settings],
                        depth=plan.depth,
                        language=language,
                        seed=plan.seed,
                        llm=llm,
                        judgements=book,
                        tick=lambda done, of=asked: told(done, of, "reading"),  # type: ignore[misc]
                    )
                except ConfigError as error:
                    raise said_of_cap(purse, plan.most, paid, error) from None
                paid = paid + purse.paid
                frames.append(turn_rows(dataset, conversation, answers, plan.bins))
    return study_of(plan, sets, settings, pl.concat(frames), bill, paid)


def settings_of(plan: DecayPlan) -> list[dict[str, Any]]:
    """The settings in order: ``vary`` (which of the three is varied; ``both``), ``half_life weight confidence`` and the
    ``setting`` itself. The first is the default."""
    base = MemoryConfig(**plan.settings)
    weights = dict(base.score_weights)
    usual = (base.recency_half_life_days, weights.get("recency", 0.0), base.confidence_half_life_days)
    rows = [("default", *usual)]
    rows += [(HALF_LIFE, one, *usual[1:]) for one in plan.half_lives if one != usual[0]]
    rows += [(WEIGHT, usual[0], one, usual[2]) for one in plan.weights if one != usual[1]]
    rows += [(CONFIDENCE, *usual[:2], one) for one in plan.confidences if one != usual[2]]
    if plan.both:
        rows += [
            ("both", half, weight, usual[2])
            for half in plan.half_lives
            for weight in plan.weights
            if half != usual[0] and weight != usual[1]
        ]
    return [
        {
            "vary": vary,
            "half_life": half,
            "weight": weight,
            "confidence": confidence,
            "setting": {
                HALF_LIFE: half,
                "score_weights": {**weights, "recency": weight},
                CONFIDENCE: confidence,
            }
            if vary != "default"
            else {},
        }
        for vary, half, weight, confidence in rows
    ]


def _sets(plan: DecayPlan, datasets: Mapping[str, Dataset]) -> list[Dataset]:
    return [shortened(one, turns=plan.turns, questions=plan.questions) for one in datasets.values()]
