"""One question as it stands before anything is weighed: what each fact that may answer brings, for any scoring.

The stages up to the signals run for real, once, with the least ``min_similarity`` of the settings. What they nominate with a
higher one is what of it lies at or above, because a nomination keeps the best. So everything behind them can be reckoned for
all settings at once (``rescoring.py``) and comes out as a read alone would have it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np

from arandu_lab.bench.sweeps.judgements import Served, Wanted
from arandu_lab.pipeline import Lab, Node, Pipeline
from arandu_lab.pipeline.lab import View
from arandu_lab.pipeline.node import Run
from arandu_lab.pure import scoring
from arandu_lab.pure.graph import walk
from arandu_lab.pure.rescoring import Floats, Ints, Mask
from arandu_lab.read.found import Candidates, Query, Scoped, Voice
from arandu_lab.read.rows import rows, signals, unweighed
from arandu_lab.read.table import Table
from arandu_lab.records import Fact
from arandu_lab.trace import PipelineTrace, Span, Usage

V = TypeVar("V")


class Looked:
    """What was looked up in a memory, kept until a question sees another one or another moment."""

    def __init__(self) -> None:
        self._at: tuple[Any, ...] = (None,)
        self._hops: dict[Any, dict[str, int]] = {}
        self._view: Any = None
        self._made: dict[Any, Any] = {}

    def hops(self, lab: Lab, plan: Scoped, key: str, most: int, fan_out: int) -> Mapping[str, int]:
        """Where spreading leads from an entity: entity -> hops, at least 1."""
        at = (plan.as_of, plan.query.known_at)
        if lab.memory is not self._at[0] or at != self._at[1:]:
            self._at, self._hops = (lab.memory, *at), {}
        if (key, most, fan_out) not in self._hops:
            reached = walk(
                [key],
                lambda other: lab.memory.edges(other, as_of=plan.as_of, known_at=plan.query.known_at),
                most,
                fan_out=fan_out,
            )
            self._hops[key, most, fan_out] = {one.key: one.hop for one in reached.values() if one.hop}
        return self._hops[key, most, fan_out]

    def once(self, view: View, key: Any, make: Callable[[], V]) -> V:
        """What ``make`` gives, made once for each key in a view."""
        if view is not self._view:
            self._view, self._made = view, {}
        if key not in self._made:
            self._made[key] = make()
        made: V = self._made[key]
        return made


@dataclass(frozen=True, kw_only=True, eq=False)
class Logged:
    """A question with its ``n`` open facts, as columns in the order that breaks ties (time down, id up).

    ``positions`` are their row numbers in the view, ``columns`` the signals that no weight changes, by name, ``age`` days,
    ``counted`` confirmations. ``named`` are those that words or the graph nominate; ``near`` is the cosine of those that
    meaning nominates, ``-inf`` for others. ``found`` is what ``merge`` made, ``degraded`` what failed up to there and
    ``usage`` what it cost.
    """

    lab: Lab
    found: Candidates
    values: Mapping[str, Any]
    positions: Ints
    columns: Mapping[str, Floats]
    age: Floats
    counted: Floats
    named: Mask
    near: Floats
    about: tuple[str, ...]
    degraded: tuple[str, ...]
    usage: Usage
    _turns: Node = field(repr=False)
    looked: Looked = field(repr=False)

    def __len__(self) -> int:
        return len(self.positions)

    def fact(self, column: int) -> Fact:
        """The fact of a column."""
        view, position = self.lab.memory, int(self.positions[column])
        return self.looked.once(view, ("fact", position), lambda: view.fact_at(position))

    def spreading(self, seeds: Sequence[str]) -> tuple[Ints, list[Ints]]:
        """Hops from each seed to each entity that is reached and has open facts (0: not from here), and those facts."""
        most, fan_out = self.values["spreading_activation_hops"], self.values["spreading_max_related_entities"]
        hops = [self.looked.hops(self.lab, self.found.plan, key, most, fan_out) for key in seeds]
        column = np.full(len(self.found.plan.open), len(self), dtype=np.int64)
        column[self.positions] = np.arange(len(self))
        linked = {
            key: np.sort(column[self.lab.memory.linked(key)]) for key in sorted({key for one in hops for key in one})
        }
        near = {key: places[places < len(self)] for key, places in linked.items()}
        held = [key for key, places in near.items() if len(places)]
        table = np.asarray([[one.get(key, 0) for key in held] for one in hops], dtype=np.int64)
        return table.reshape(len(seeds), len(held)), [near[key] for key in held]

    async def quotes(self, min_similarity: float) -> tuple[Table, float]:
        """The turns that are quoted with a least cosine, and the highest one with which they are the same."""
        run = Run(self.lab, {**self.values, "min_similarity": min_similarity}, Span("turns"))
        table = (await self._turns.run(self.found, run)).turns
        held_by_meaning = table.mask("hit") & ~(table["keyword"] > 0.0)
        return table, float(table["semantic"][held_by_meaning].min(initial=np.inf))

    async def judged(self, judge: Node, columns: Ints) -> tuple[Floats, PipelineTrace]:
        """The grade of every fact, shape ``(n + 1,)``, NaN where there is none (the last is nobody's).

        ``judge`` is asked about all of ``columns`` in one question; the trace says whether it failed.
        """
        span = Span("retrieve")
        found = self.found
        places = self.positions[columns]
        table = rows(places, signals(places, found.plan, found.voices, found.weighing, self.lab), self.lab)
        shown = {"topk_facts": max(len(columns), 1), "reranker_pool_factor": 1}
        run = Run(replace(self.lab, log=span), {**self.values, **shown}, span)
        mind = self.lab.llm
        try:
            given = await judge.run(found.having(table), run)
        except Wanted:
            assert isinstance(mind, Served)
            await mind.answer()
            span.children.clear()
            given = await judge.run(found.having(table), run)
        grades = np.full(len(self) + 1, np.nan)
        grades[columns] = given.table["reranker"]
        return grades, PipelineTrace(span)


async def logged(pipeline: Pipeline, query: Query, lab: Lab, values: Mapping[str, Any], looked: Looked) -> Logged:
    """Run the documented pipeline up to its signals; ``values`` holds the least ``min_similarity`` of all settings.

    Raises:
        BackendError: a stage failed for which nothing stands in.
    """
    span = lab.log
    run = Run(lab, values, span)
    plan, expand, retrieval = pipeline.nodes[:3]
    scope, voices, merge, turns = retrieval.parts()
    scoped: Scoped = await scope.run(await expand.run(await plan.run(query, run), run), run)
    heard: tuple[Voice, ...] = await voices.run(scoped, run)
    found: Candidates = await merge.run(heard, run)
    facts = lab.memory.facts
    positions = scoring.in_order(
        np.flatnonzero(scoped.open), np.zeros(len(scoped.open)), times=facts.valid_from, ids=facts.ids
    )
    columns, age, counted = unweighed(positions, scoped, found.voices, lab)
    near = np.full(len(scoped.open), -np.inf)
    for voice in heard:
        if voice.name == "semantic":
            near[voice.positions] = voice.scores[voice.positions]
    named = np.zeros(len(scoped.open), dtype=np.bool_)
    for voice in heard:
        if voice.name != "semantic":
            named[voice.positions] = True
    return Logged(
        lab=lab,
        found=found,
        values=values,
        positions=positions,
        columns=columns,
        age=age,
        counted=counted,
        named=named[positions],
        near=near[positions],
        about=tuple(scoring.picked(facts.entity_keys, facts.entity_codes[positions]).tolist()),
        degraded=PipelineTrace(span).degraded,
        usage=span.usage,
        _turns=turns,
        looked=looked,
    )
