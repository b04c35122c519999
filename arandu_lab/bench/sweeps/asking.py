"""What each setting's own question to the judge takes in tokens, though all were judged in one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from arandu_lab.bench.sweeps.judgements import Served, answer_tokens, asked_tokens
from arandu_lab.bench.sweeps.logged import Logged
from arandu_lab.llm import tasks
from arandu_lab.llm.mind import messages
from arandu_lab.pure.rescoring import NOBODY, Floats, Ints


def judge_usage(log: Logged, pools: Ints, grades: Floats) -> tuple[Ints, Ints]:
    """Tokens in and out of the question that each setting alone would put, 0 where it has nobody to ask about.

    Args:
        pools: the facts that each setting shows, a setting a row: columns of ``log``, ``NOBODY`` for none.
        grades: the grade of every fact, shape ``(n + 1,)``; NaN where there is none.

    An offline judge counts characters, which add up; for another one each pool's own text is counted.
    """
    model = log.lab.llm.model if isinstance(log.lab.llm, Served) else ""
    shown = np.sort(np.where(pools == NOBODY, len(log), pools), axis=1)
    if not shown.size:
        return np.zeros(len(pools), dtype=np.int64), np.zeros(len(pools), dtype=np.int64)
    held = np.unique(shown[shown < len(log)])
    if model.startswith("offline/") and not np.isnan(grades[held]).any():
        return _by_characters(log, shown, grades, held)
    rows, which = np.unique(shown, axis=0, return_inverse=True)
    counted = np.asarray([_counted(log, row[row < len(log)].tolist(), grades, model) for row in rows], dtype=np.int64)
    asked: Ints = counted[which.reshape(-1)]
    return asked[:, 0], asked[:, 1]


def _by_characters(log: Logged, shown: Ints, grades: Floats, held: Ints) -> tuple[Ints, Ints]:
    """One token for every four characters of the whole prompt, and of the whole answer."""
    asking, answering = np.zeros(len(log) + 1, dtype=np.int64), np.zeros(len(log) + 1, dtype=np.int64)
    for column, grade in zip(held.tolist(), grades[held].tolist(), strict=True):
        asking[column] = _length(log, column) - 1  # the figure of its place is counted below
        answering[column] = _FRAME + len(repr(grade)) - 1
    many = (shown < len(log)).sum(axis=1)
    figures = np.cumsum([0, *(len(str(place)) for place in range(shown.shape[1]))])
    between = figures[many] + 2 * np.maximum(many - 1, 0)
    bare = sum(len(one.content) for one in messages(tasks.judge(), _inputs(log, [])))
    empty = len(_dumped({"grades": []}))
    asked = bare + asking[shown].sum(axis=1) + between
    answered = empty + answering[shown].sum(axis=1) + between
    return tuple(np.where(many > 0, -(-length // 4), 0) for length in (asked, answered))  # type: ignore[return-value]


def _length(log: Logged, column: int) -> int:
    """Characters of a fact as the judge is shown it."""
    key = ("asking", int(log.positions[column]))
    return log.looked.once(log.lab.memory, key, lambda: len(_dumped(_fact(log, column, 0))))


def _counted(log: Logged, columns: Sequence[int], grades: Floats, model: str) -> tuple[int, int]:
    if not columns:
        return 0, 0
    times, ids = log.lab.memory.facts.valid_from, log.lab.memory.facts.ids
    places = {column: int(log.positions[column]) for column in columns}
    order = sorted(columns, key=lambda one: (int(times[places[one]]), ids[places[one]], places[one]))
    given = [(place, float(grades[column])) for place, column in enumerate(order)]
    answer = [{"grade": grade, "i": place} for place, grade in given if not np.isnan(grade)]
    facts = [_fact(log, column, place) for place, column in enumerate(order)]
    return asked_tokens(tasks.judge(), _inputs(log, facts), model), answer_tokens(answer, model)


def _fact(log: Logged, column: int, place: int) -> dict[str, Any]:
    """A fact as the judge is shown it."""
    fact = log.fact(column)
    return {"i": place, "text": fact.text, "since": fact.valid_from.date().isoformat()}


def _inputs(log: Logged, facts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    plan = log.found.plan
    return {"query": plan.query.text, "asked_at": plan.as_of.isoformat(), "facts": list(facts)}


def _dumped(said: Any) -> str:
    return json.dumps(said, ensure_ascii=False, sort_keys=True)


_FRAME = len(_dumped({"grade": 0.5, "i": 0})) - len(repr(0.5))
"""Characters of a grade beside its figure (which ``json`` writes as ``repr`` does)."""
