"""Informed against blind extraction: does seeing what is known make a message read better, and what does it cost?

(a) *Teacher-forced*: each message is read by both, as dry runs on one memory, which then hears the informed one (or the
blind one: ``teacher``). (b) *Free-running*: each lives with a memory that it wrote itself, and is asked the questions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.place import place_of
from arandu_lab.bench.studies.costs import Bill, Cost, allowance, bill_of, rest, said_of_cap, swept_cost
from arandu_lab.bench.studies.extraction_told import PAIR, study_of
from arandu_lab.bench.studies.forced import ARMS, forced
from arandu_lab.bench.studies.freely import free, free_cost
from arandu_lab.bench.studies.plan import StudyPlan, planned
from arandu_lab.bench.studies.plans import ExtractionPlan
from arandu_lab.bench.studies.rehearsal import rehearsed
from arandu_lab.bench.studies.sets import shortened
from arandu_lab.bench.studies.study import Study
from arandu_lab.bench.sweeps.purse import opened
from arandu_lab.bench.sweeps.watching import watching
from arandu_lab.errors import ConfigError
from arandu_lab.llm.prices import read_prices
from arandu_lab.trace import Usage

RESULTS = Path("results")
GRID: Mapping[str, Sequence[Any]] = {"enable_informed_extraction": [True, False]}


def study_extraction(dataset: Any, *, results: str | Path = RESULTS, progress: Any = None, **options: Any) -> Study:
    """Do the study over datasets (names, or ``Dataset`` objects). ``options`` are fields of :class:`ExtractionPlan`.

    Raises:
        ConfigError: an unknown option or wrong value, or the cap.
        DatasetError: data that break their format.
    """
    plan, datasets = planned(ExtractionPlan, dataset, options)
    return extraction_done(plan, datasets, results=results, progress=progress)


def extraction_cost(plan: ExtractionPlan, datasets: Mapping[str, Dataset], *, results: str | Path = RESULTS) -> Bill:
    """What it would cost: from the first messages of each conversation, read by the offline rules."""
    place_of(results)
    sets = _sets(plan, datasets)
    total, turns = Usage(), 0
    for dataset in sets:
        for conversation in dataset:
            turns += len(conversation.turns)
            for arm in ARMS:
                total = total + rehearsed(plan, dataset, conversation, ARMS[arm])
    parts = [
        Cost(
            what="teacher-forced",
            work=f"{turns:,} messages read twice (the commit asks nothing new)",
            calls=total.calls,
            input_tokens=total.input_tokens,
            output_tokens=total.output_tokens,
        )
    ]
    if plan.free:
        parts.append(
            swept_cost("free-running", "two memories a conversation", free_cost(plan, sets, GRID, results=results))
        )
    return bill_of(parts, plan.model, plan.priced_as)


def extraction_done(
    plan: ExtractionPlan, datasets: Mapping[str, Dataset], *, results: str | Path = RESULTS, progress: Any = None
) -> Study:
    """Do a plan. Raises as :func:`study_extraction`."""
    bill, sets, prices = extraction_cost(plan, datasets, results=results), _sets(plan, datasets), read_prices()
    bill.within(plan.most)
    paid, frames = Usage(), []
    with watching(progress, "informed against blind") as told:
        for dataset in sets:
            for conversation in dataset:
                llm, purse = opened(
                    plan.model, place_of(results), allowance=allowance(plan.most, plan.model, paid, prices)
                )
                try:
                    frames.append(
                        forced(
                            plan.row(), dataset, conversation, teacher=plan.teacher, llm=llm, seed=plan.seed, told=told
                        )
                    )
                except ConfigError as error:
                    raise said_of_cap(purse, plan.most, paid, error) from None
                paid = paid + purse.paid
    messages = pl.concat(frames)
    freed = None
    if plan.free:
        cap = rest(plan.most, plan.model, paid, prices)
        freed = free(plan, sets, GRID, PAIR, name="study-extraction", results=results, cap=cap, progress=progress)
        paid = paid + freed.swept.paid
    return study_of(plan, sets, messages, freed, bill, paid)


def _sets(plan: StudyPlan, datasets: Mapping[str, Dataset]) -> list[Dataset]:
    return [shortened(one, turns=plan.turns, questions=plan.questions) for one in datasets.values()]
