"""A run as polars frames: what the Parquet files of a result hold, in a total order, without a single time.

===============  =====================================================================================
questions        a row a question and system: measures, rank of each piece of evidence, ids returned
extraction       a row a stored fact, and a row a gold fact that none matched (systems that extract)
usage            a row a system, conversation and phase (``listen``, ``ask``, stages of ``listen``)
errors           a row an error
times            a row a turn or question; kept apart from the others
===============  =====================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from arandu_lab.bench.artifacts import Step
from arandu_lab.bench.data.model import Conversation, Dataset, Question
from arandu_lab.bench.extraction import EXTRACTION, extraction_rows
from arandu_lab.bench.measures import parse, score
from arandu_lab.bench.plan import Plan
from arandu_lab.bench.replay import Answer, Replay
from arandu_lab.bench.rows import model_of
from arandu_lab.bench.run import Run
from arandu_lab.errors import ConfigError
from arandu_lab.llm.prices import Prices
from arandu_lab.systems.base import Ranked, RankedTurn
from arandu_lab.trace import Usage

FILES = ("questions", "extraction", "usage", "errors")
"""Frames that are the same in every run; ``times`` is not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frames:
    """The frames of one run."""

    questions: pl.DataFrame
    extraction: pl.DataFrame
    usage: pl.DataFrame
    errors: pl.DataFrame
    times: pl.DataFrame


def readable(frames: Mapping[str, pl.DataFrame]) -> Frames:
    """Frames as they were read; columns that older results lack are null.

    Raises:
        ConfigError: a column that no version was without.
    """
    out = dict(frames)
    for name, late in _LATE.items():
        missing = [column for column in late if column not in out[name].columns]
        out[name] = out[name].with_columns(pl.lit(None, late[column]).alias(column) for column in missing)
    for name, columns in (("questions", _QUESTIONS), ("usage", _USAGE)):
        if gone := [column for column in (*HEAD, *columns) if column not in out[name].columns]:
            raise ConfigError(f"{name}.parquet has no column {', '.join(gone)}; it is no result of this laboratory")
    return Frames(**out)


def measures_of(plan: Plan) -> tuple[str, ...]:
    """The measures of a run and the recalls of its curve, each once."""
    return tuple(dict.fromkeys((*plan.measures, *(f"R@{cut}" for cut in plan.curve))))


def frames(run: Run) -> Frames:
    """All frames of a run."""
    measures = measures_of(run.plan)
    questions: list[dict[str, Any]] = []
    extraction: list[dict[str, Any]] = []
    usage: list[dict[str, Any]] = []
    times: list[dict[str, Any]] = []
    for step, done in run.replays:
        conversation = run.datasets[step.dataset][step.conversation]
        head = _head(run, step)
        values = _values(run.datasets[step.dataset], conversation, done, measures, run.plan.depth)
        answers = {one.question: one for one in done.answers}
        for question in conversation.questions:
            answer = answers[question.id]
            questions.append({**head, **_question(question, answer), **values[question.id]})
        extraction += [{**head, **one} for one in extraction_rows(conversation, done)]
        model = model_of(step.row)
        usage += [{**head, **one, "model": model, "would_usd": _would(run.prices, model, one)} for one in _usage(done)]
        times += [{**head, **asdict(one)} for one in done.times]
    measured: dict[str, Any] = {name: pl.Float64 for one in measures for name in (one, f"chance {one}")}
    return Frames(
        questions=pl.DataFrame(questions, schema={**HEAD, **_QUESTIONS, **measured}),
        extraction=pl.DataFrame(extraction, schema={**HEAD, **EXTRACTION}),
        usage=pl.DataFrame(usage, schema={**HEAD, **_USAGE}),
        errors=pl.DataFrame(run.errors, schema=_ERRORS),
        times=pl.DataFrame(times, schema={**HEAD, "phase": pl.String, "item": pl.String, "ms": pl.Float64}),
    )


def _head(run: Run, step: Step) -> dict[str, str]:
    return {
        "run": run.address,
        "dataset": step.dataset,
        "language": step.language,
        "conversation": step.conversation,
        "system": step.row.name,
    }


def _question(question: Question, answer: Answer) -> dict[str, Any]:
    places = {} if answer.returned is None else {one: place for place, one in enumerate(answer.returned, start=1)}
    return {
        "question": question.id,
        "category": question.category,
        "absent": question.absent,
        "asked_at": question.asked_at.isoformat(),
        "heard": answer.heard,
        "error": answer.error,
        "evidence": list(question.evidence),
        "ranks": None if answer.returned is None else [places.get(one) for one in question.evidence],
        "returned": None if answer.returned is None else list(answer.returned),
        "context_tokens": answer.context_tokens,
        "degraded": list(answer.degraded),
        **_counts(answer.usage),
    }


def _values(
    dataset: Dataset, conversation: Conversation, done: Replay, measures: tuple[str, ...], depth: int
) -> dict[str, dict[str, Any]]:
    """Question id -> state, measures and levels of chance."""
    alone = dataset.slice([conversation.id]) if len(dataset) > 1 else dataset
    given = {(conversation.id, one.question): _ranked(one) for one in done.answers}
    out: dict[str, dict[str, Any]] = {one.id: {} for one in conversation.questions}
    for row in score(alone, given, [parse(one) for one in measures], depth=depth).iter_rows(named=True):
        values = out[row["question"]]
        values["state"] = row["state"]
        values[row["measure"]] = row["value"]
        values[f"chance {row['measure']}"] = row["chance"]
    return out


def _ranked(answer: Answer) -> Ranked | None:
    if answer.error is not None:
        return None
    if answer.returned is None:
        return Ranked()
    return Ranked(turns=tuple(RankedTurn(id=one, score=0.0) for one in answer.returned))


def _usage(done: Replay) -> list[dict[str, Any]]:
    asked = Usage()
    for answer in done.answers:
        asked = asked + answer.usage
    rows: list[tuple[str, str | None, int, Usage]] = [
        ("listen", None, done.turns, done.listened),
        ("ask", None, len(done.answers), asked),
    ]
    by_stage: Mapping[str, Usage] = done.by_stage or {}
    rows += [("listen", stage, done.turns, by_stage[stage]) for stage in sorted(by_stage)]
    return [{"phase": phase, "stage": stage, "items": items, **_counts(one)} for phase, stage, items, one in rows]


def _would(prices: Prices, model: str | None, row: Mapping[str, Any]) -> float | None:
    """What the tokens asked would cost cold; what the system itself says where its model is not known."""
    if model is None and row["cost_usd"]:
        return float(row["cost_usd"])
    return prices.cost(model, row["input_tokens"], row["output_tokens"])


def _counts(usage: Usage) -> dict[str, Any]:
    return {
        "calls": usage.calls,
        "tokens_asked": usage.total_tokens,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "calls_billed": usage.billed_calls,
        "tokens_billed": usage.billed_tokens,
        "embedded_texts": usage.embedded_texts,
        "cost_usd": usage.cost_usd,
    }


HEAD: dict[str, Any] = dict.fromkeys(("run", "dataset", "language", "conversation", "system"), pl.String)
_COUNTS: dict[str, Any] = {
    **dict.fromkeys(("calls", "tokens_asked", "input_tokens", "output_tokens"), pl.Int64),
    **dict.fromkeys(("calls_billed", "tokens_billed", "embedded_texts"), pl.Int64),
    "cost_usd": pl.Float64,
}
_QUESTIONS: dict[str, Any] = {
    "question": pl.String,
    "category": pl.String,
    "absent": pl.Boolean,
    "asked_at": pl.String,
    "heard": pl.Int64,
    "error": pl.String,
    "evidence": pl.List(pl.String),
    "ranks": pl.List(pl.Int64),
    "returned": pl.List(pl.String),
    "context_tokens": pl.Int64,
    "degraded": pl.List(pl.String),
    **_COUNTS,
    "state": pl.String,
}
_USAGE: dict[str, Any] = {
    **{"phase": pl.String, "stage": pl.String, "items": pl.Int64},
    **_COUNTS,
    **{"model": pl.String, "would_usd": pl.Float64},
}
_LATE: Mapping[str, Mapping[str, Any]] = {
    "questions": {"input_tokens": pl.Int64, "output_tokens": pl.Int64},
    "usage": {"input_tokens": pl.Int64, "output_tokens": pl.Int64, "model": pl.String, "would_usd": pl.Float64},
}
"""Columns that came after the first results were written."""
_ERRORS: dict[str, Any] = dict.fromkeys(("dataset", "conversation", "system", "phase", "where", "message"), pl.String)
