"""Answering over a result that is kept: questions, contexts and gold are read, models are asked, no memory is.

::

    results/quickstart-1a2b3c4d5e6f/answers/0a1b2c3d/     scores.parquet  trial.parquet  report.md  made.toml
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import polars as pl

from arandu_lab.bench.answering.answerer import Answerer, Said
from arandu_lab.bench.answering.judging import Judge
from arandu_lab.bench.answering.scores import FRAME, AnswerScores
from arandu_lab.bench.answering.trial import trial
from arandu_lab.bench.artifacts import versions, whole
from arandu_lab.bench.contexts import kept_contexts, kept_steps
from arandu_lab.bench.data.model import Dataset, Question
from arandu_lab.bench.made import find_result, read_result
from arandu_lab.bench.run import Run, load_datasets
from arandu_lab.bench.toml import toml
from arandu_lab.errors import BackendError, ConfigError, nearest
from arandu_lab.llm import tasks
from arandu_lab.llm.cassette import Cassette
from arandu_lab.llm.mind import Minds
from arandu_lab.pipeline.waiting import waited
from arandu_lab.pure.answers import overlap
from arandu_lab.trace import Span, Usage
from arandu_lab.units import Positive, Seconds


def answered(
    result: Any,
    *,
    llm: Any = "offline/rules",
    judge: Any = None,
    repeats: Positive = 1,
    cassette: Cassette | None = None,
    systems: Sequence[str] | None = None,
    datasets: Mapping[str, Dataset] | None = None,
    results: str | Path = "results",
    tried: int = 20,
    jobs: Positive = 4,
    timeout: Seconds = 60.0,
    keep: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> AnswerScores:
    """Answer the questions of a result from the contexts that its systems showed, and score the answers.

    Args:
        result: A folder, an address or the beginning of one, a ``Run``, or what has a ``folder`` (an experiment).
        llm: Who answers: a model string, a backend, or models by role (``answer``).
        judge: Who judges; None: by words only.
        repeats: Askings of the judge per answer, an odd number; the majority decides.
        cassette: What both models are seen through, so that the same again is asked and not billed.
        systems: Only these rows.
        datasets: The datasets by name, where the result was made of objects that no file names.
        results: Where results, and their steps, lie.
        tried: Questions on which the judge is tried with known answers before; 0: it is not.
        jobs: Questions that are asked at the same time.
        timeout: Seconds for one answer or verdict.
        keep: Write the scores into the result's folder.
        progress: Told how many answers of how many are done.

    Raises:
        ConfigError: no such result or system, or contexts that were not kept.
        DatasetError: the data are not those of the result.
    """
    answerer = Answerer(_through(cassette, llm), timeout=timeout)
    judging = None if judge is None else Judge(_through(cassette, judge), repeats=repeats, timeout=timeout)
    items, folder = _items(result, Path(results), systems, datasets)
    scores = waited(_scored(items, answerer, judging, tried, jobs, progress))
    return scores if folder is None or not keep else _kept(scores, folder, repeats)


def _through(cassette: Cassette | None, models: Any) -> Any:
    """Models, or models by role, as a cassette shows them; ``Minds`` are taken as they are."""
    if cassette is None or isinstance(models, Minds):
        return models
    if isinstance(models, Mapping):
        return {role: cassette.before(one) for role, one in models.items()}
    return cassette.before(models)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Item:
    """A question, where it stands, and what its system showed; ``failed``: it showed nothing, and why."""

    head: Mapping[str, str]
    question: Question
    context: str | None
    failed: str


def _items(
    result: Any, results: Path, systems: Sequence[str] | None, datasets: Mapping[str, Dataset] | None
) -> tuple[list[_Item], Path | None]:
    run = result if isinstance(result, Run) else getattr(result, "run", None)
    if isinstance(run, Run):
        steps = [(one.dataset, one.conversation, one.row.name, one.address) for one, _ in run.replays]
        errors = {(one.dataset, one.row.name, a.question): a.error for one, done in run.replays for a in done.answers}
        plan, found, store = run.plan, datasets or run.datasets, results / ".steps"
        folder: Path | None = results / run.address
        folder = folder if folder and folder.is_dir() else None
    else:
        folder = find_result(str(getattr(result, "folder", result)), results)
        plan, frames = read_result(folder)
        told = frames.questions.select("dataset", "system", "question", "error").rows()
        errors = {(dataset, system, question): error for dataset, system, question, error in told}
        found, store, steps = datasets or load_datasets(plan), folder.parent / ".steps", kept_steps(folder)
    names = [row.name for row in plan.rows]
    for name in systems or ():
        if name not in names:
            raise ConfigError(f"system {name!r} is no row of this result; {nearest(name, names)}")
    items = []
    for dataset, conversation, system, address in steps:
        if systems and system not in systems:
            continue
        contexts = kept_contexts(store / address)
        tongue = found[dataset].language.split("-")[0]
        head = {"dataset": dataset, "language": tongue, "conversation": conversation, "system": system}
        for question in found[dataset][conversation].questions:
            why = errors.get((dataset, system, question.id)) or "its context is not kept"
            items.append(_Item(head=head, question=question, context=contexts.get(question.id), failed=why))
    return items, folder


async def _scored(
    items: Sequence[_Item], answerer: Answerer, judge: Judge | None, tried: int, jobs: int, progress: Any
) -> AnswerScores:
    """The trial of the judge first, then every question."""
    put = {(one.head["dataset"], one.question.id): (one.question, one.head["language"]) for one in items}
    tested = None if judge is None or not tried else await trial(judge, list(put.values()), size=tried)
    gate, done = asyncio.Semaphore(jobs), 0

    async def one(item: _Item) -> dict[str, Any]:
        nonlocal done
        async with gate:
            row = await _row(item, answerer, judge)
        done += 1
        if progress:
            progress(done, len(items))
        return row

    rows = await asyncio.gather(*map(one, items))
    return AnswerScores(
        frame=pl.DataFrame(rows, schema=FRAME), model=answerer.name, judge=judge.name if judge else None, trial=tested
    )


async def _row(item: _Item, answerer: Answerer, judge: Judge | None) -> dict[str, Any]:
    question, span = item.question, Span("answering")
    gold = question.answer if question.answer and question.answer.strip() else None
    row: dict[str, Any] = {**item.head, "question": question.id, "category": question.category}
    row |= {"absent": question.absent, "gold": gold, "state": "errored", "error": f"the system failed: {item.failed}"}
    if item.context is not None:
        try:
            said = await answerer.answer(
                question.text, item.context, question.asked_at, language=item.head["language"], span=span
            )
        except BackendError as error:
            row["error"] = f"no answer: {error}"
        else:
            row |= _by_words(said, question, gold, item.head["language"])
            if judge is not None and row["state"] == "scored":
                row |= await _judged(judge, question, said, gold, item.head["language"], span)
    return row | _counts(span.usage)


def _by_words(said: Said, question: Question, gold: str | None, language: str) -> dict[str, Any]:
    """Recall and F1; of an absent question, whether it was left unanswered."""
    row: dict[str, Any] = {"answer": said.text, "abstained": said.abstained, "state": "scored", "error": None}
    if question.absent:
        return row | dict.fromkeys(("recall", "f1"), float(said.abstained))
    if gold is None:
        return row | {"state": "ungraded"}
    found = overlap("" if said.abstained else said.text, gold, language)
    return row | {"recall": found.recall, "f1": found.f1}


async def _judged(
    judge: Judge, question: Question, said: Said, gold: str | None, language: str, span: Span
) -> dict[str, Any]:
    text = said.text or {"pt": "Não sei.", "en": "I don't know."}.get(language, "I don't know.")
    found = await judge.judge(
        question.text, text, question.asked_at, gold=[gold] if gold else [], absent=question.absent,
        wrong_answer=question.wrong_answer, language=language, span=span,
    )  # fmt: skip
    return {"verdict": found.verdict, "votes": list(found.votes), "state": found.state, "error": found.error}


def _counts(usage: Usage) -> dict[str, Any]:
    return {
        "calls": usage.calls,
        "tokens": usage.total_tokens,
        "calls_billed": usage.billed_calls,
        "tokens_billed": usage.billed_tokens,
        "cost_usd": usage.cost_usd,
    }


def _kept(scores: AnswerScores, folder: Path, repeats: int) -> AnswerScores:
    """Write the scores beside the result; their address is made of who answered, who judged, and the prompts."""
    made: dict[str, Any] = {
        "result": folder.name,
        "model": scores.model,
        "judge": scores.judge or "",
        "repeats": repeats,
    }
    for task in (tasks.answer(), tasks.verdict()):
        made[f"prompt_{task.name}"] = sha256(task.instructions.encode()).hexdigest()
    address = sha256(repr(sorted(made.items())).encode()).hexdigest()[:12]
    with whole(folder / "answers" / address) as fresh:
        scores.frame.write_parquet(fresh / "scores.parquet")
        if scores.trial:
            scores.trial.frame.write_parquet(fresh / "trial.parquet")
        (fresh / "report.md").write_text(scores.to_markdown(), encoding="utf-8")
        (fresh / "made.toml").write_text(toml({"answers": made, "made.versions": dict(versions())}), encoding="utf-8")
    return replace(scores, folder=folder / "answers" / address)
