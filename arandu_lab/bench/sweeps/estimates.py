"""What a sweep would cost, before it starts: counted where it can be, rehearsed for nothing where it cannot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import ceil
from typing import Any

from arandu_lab.bench.data.model import Conversation, Dataset
from arandu_lab.bench.replay import replay
from arandu_lab.bench.sweeps.costs import Estimate
from arandu_lab.bench.sweeps.course import Course, Keys, language_of, rounds
from arandu_lab.bench.sweeps.ingested import kept_ingest, memory_of
from arandu_lab.bench.sweeps.judgements import Judgements
from arandu_lab.bench.sweeps.purse import filed
from arandu_lab.bench.sweeps.reading import estimate as judging
from arandu_lab.bench.workers import finished
from arandu_lab.llm.prices import FREE
from arandu_lab.trace import Usage

REHEARSED = 12
"""Turns of each dataset that are written with the offline rules, in memory, to see what a turn asks."""

PAIR, QUESTION, GRADE = 30, 350, 12
"""Tokens of a fact shown to the judge, of the rest of its prompt, and of a grade: for memories that are not written yet."""


def estimated(course: Course) -> Estimate:
    """The estimate of a whole course. Nothing is asked of a model that costs anything."""
    parts = _parts(course)
    writings: dict[str, Any] = {}
    readings: dict[str, Any] = {}
    for keys, points in parts:
        writings |= course.writings(keys, points)
        readings |= {one.address: one for one in course.readings(keys, points)}
    missing = {name: one for name, one in writings.items() if not course.shelf.holds(f"ingested/{name}")}
    todo = [one for one in readings.values() if not course.shelf.holds(one.name)]
    usage = Usage()
    per_turn: dict[str, dict[str, float]] = {}
    for one in missing.values():
        if one.dataset not in per_turn:
            dataset = course.datasets[one.dataset]
            per_turn[one.dataset] = _rehearsed(course, dataset, dataset[one.conversation.id])
        usage = usage + _times(per_turn[one.dataset], len(one.conversation.turns))
    judged = _judged(course, todo, missing)
    total = usage + judged[1]
    return Estimate(
        settings=len(course.points),
        questions=len({key for keys, _ in parts for key in keys}),
        ingests=len(missing),
        ingests_kept=len(writings) - len(missing),
        turns=sum(len(one.conversation.turns) for one in missing.values()),
        batches=len(readings),
        batches_kept=len(readings) - len(todo),
        reads=sum(len(one.settings) * len(one.conversation.questions) for one in todo),
        pairs=judged[0][0],
        pairs_known=judged[0][1],
        calls=total.calls,
        input_tokens=total.input_tokens,
        output_tokens=total.output_tokens,
        usd=course.prices.cost(course.model, total.input_tokens, total.output_tokens),
        model=course.model,
        judged=judged[0][2],
    )


def _parts(course: Course) -> list[tuple[Keys, list[int]]]:
    """Questions and the points that are asked them; which points win is not known yet, so the first ones stand for them."""
    everyone = list(range(len(course.points)))
    asked: list[tuple[Keys, list[int]]] = []
    left = everyone
    for keys in rounds(course):
        asked.append((keys, left))
        left = left[: max(1, ceil(len(left) * getattr(course.plan.design, "keep", 1.0)))]
    if course.split.held_out:
        asked.append((course.split.held_out, everyone[: 1 + len(course.plan.measures)]))
    return asked


def _judged(course: Course, todo: Iterable[Any], missing: Any) -> tuple[tuple[int, int, bool], Usage]:
    """((pairs, of them known, whether counted), what judging asks)."""
    pairs, known, counted, usage = 0, 0, True, Usage()
    place = course.shelf.here / "judgements" / f"{filed(course.model)}.jsonl"
    book = None
    for one in todo:
        chosen = [course.chosen[point] for point in one.points]
        if not any("judge" in way.read.names() for way in chosen):
            continue
        kept = None
        if course.model != FREE and one.written.removeprefix("ingested/") not in missing:
            folder = course.shelf.fetch(one.written)
            kept = None if folder is None else kept_ingest(folder)
        if kept is not None:
            book = Judgements(place) if book is None else book
            found = judging(
                kept, one.conversation, one.row, one.settings, language=one.language, seed=one.seed, judgements=book
            )
            pairs, known = pairs + found.pairs, known + found.known
            usage = usage + Usage(calls=found.calls, input_tokens=found.input_tokens, output_tokens=found.output_tokens)
            continue
        counted = False
        pools = [way.values["topk_facts"] * way.values.get("reranker_pool_factor", 1) for way in chosen]
        pool, asked = int(max(pools)), len(one.conversation.questions)
        pairs += pool * asked
        one_question = {"calls": 1, "input_tokens": QUESTION + PAIR * pool, "output_tokens": GRADE * pool}
        usage = usage + _times(one_question, asked)
    return (pairs, known, counted), usage


def _rehearsed(course: Course, dataset: Dataset, conversation: Conversation) -> dict[str, float]:
    """What a turn asks, from the first ones: calls and tokens."""
    some = replace(conversation, turns=conversation.turns[:REHEARSED], questions=())
    row = replace(course.plan.row, options={**course.plan.row.options, "llm": FREE})
    system = memory_of(row, some, language=language_of(dataset), seed=course.plan.seed)
    system.path = "memory://"
    heard = finished(replay(system, some, depth=1)).listened
    turns = max(1, len(some.turns))
    names = ("calls", "input_tokens", "output_tokens")
    return {name: getattr(heard, name) / turns for name in names}


def _times(usage: Mapping[str, float], number: int) -> Usage:
    """The usage of so many turns or questions like this one."""
    return Usage(**{name: ceil(each * number) for name, each in usage.items()})
