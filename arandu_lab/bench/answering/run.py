"""Answering over a result that is kept: questions, contexts and gold are read, models are asked, no memory is.

::

    results/quickstart-1a2b3c4d5e6f/answers/0a1b2c3d/     scores.parquet  corrected.parquet  trial.parquet  report.md  made.toml
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
from arandu_lab.bench.answering.judging import Judge, Judged
from arandu_lab.bench.answering.models import check_models, dead, named
from arandu_lab.bench.answering.scores import FRAME, AnswerScores
from arandu_lab.bench.answering.trial import trial
from arandu_lab.bench.artifacts import versions, whole
from arandu_lab.bench.contexts import kept_contexts, kept_steps
from arandu_lab.bench.data.model import Dataset, Question
from arandu_lab.bench.made import find_result, read_result
from arandu_lab.bench.overlay import Overlay, fitting, overlays_of
from arandu_lab.bench.run import Run, load_datasets
from arandu_lab.bench.toml import toml
from arandu_lab.errors import BackendError, ConfigError, nearest
from arandu_lab.llm import tasks
from arandu_lab.llm.cassette import Cassette
from arandu_lab.llm.mind import Minds
from arandu_lab.pipeline.waiting import waited
from arandu_lab.places import local
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
    relevance: Any = None,
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
        relevance: Corrections of the gold: a path or an ``Overlay``; those of an experiment by default. Both figures are
            given; a judge is asked again only where the correction changes what it is shown.
        results: Where results, and their steps, lie.
        tried: Questions on which the judge is tried with known answers before; 0: it is not.
        jobs: Questions that are asked at the same time.
        timeout: Seconds for one answer or verdict.
        keep: Write the scores into the result's folder.
        progress: Told how many answers of how many are done.

    Raises:
        ConfigError: no such result, system or provider of models, or contexts that were not kept.
        DatasetError: the data are not those of the result, or corrections break their format.
        BackendError: a model given by its name cannot be asked at all: the first asking of it says so, and no other is made.
    """
    check_models(llm, judge)
    items, folder, overlays, notes = _items(result, local(results, "results"), systems, datasets, relevance)
    answerer = Answerer(_through(cassette, llm), timeout=timeout)
    judging = None if judge is None else Judge(_through(cassette, judge), repeats=repeats, timeout=timeout)
    scores = waited(_scored(items, answerer, judging, tried, jobs, progress, (named(llm), named(judge))))
    scores = replace(scores, notes=notes) if overlays else replace(scores, notes=notes, corrected=None)
    return scores if folder is None or not keep else _kept(scores, folder, repeats, overlays)


def _through(cassette: Cassette | None, models: Any) -> Any:
    """Models, or models by role, as a cassette shows them; ``Minds`` are taken as they are."""
    if cassette is None or isinstance(models, Minds):
        return models
    if isinstance(models, Mapping):
        return {role: cassette.before(one) for role, one in models.items()}
    return cassette.before(models)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Item:
    """A question, where it stands, and what its system showed; ``failed``: it showed nothing, and why.

    ``corrected`` is the question by the corrected gold, the same where nothing corrects it.
    """

    head: Mapping[str, str]
    question: Question
    corrected: Question
    context: str | None
    failed: str


def _items(
    result: Any,
    results: Path,
    systems: Sequence[str] | None,
    datasets: Mapping[str, Dataset] | None,
    relevance: Any,
) -> tuple[list[_Item], Path | None, Mapping[str, Overlay], tuple[str, ...]]:
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
    given = overlays_of(found, relevance) or dict(getattr(result, "overlays", {}))
    overlays, notes = fitting(given, found)
    items = []
    for dataset, conversation, system, address in steps:
        if systems and system not in systems:
            continue
        contexts = kept_contexts(store / address)
        tongue = found[dataset].language.split("-")[0]
        head = {"dataset": dataset, "language": tongue, "conversation": conversation, "system": system}
        for question in found[dataset][conversation].questions:
            why = errors.get((dataset, system, question.id)) or "its context is not kept"
            corrected = question
            if dataset in overlays:
                corrected = overlays[dataset].changes.get((conversation, question.id), question)
            context = contexts.get(question.id)
            items.append(_Item(head=head, question=question, corrected=corrected, context=context, failed=why))
    return items, folder, overlays, tuple(notes)


async def _scored(
    items: Sequence[_Item],
    answerer: Answerer,
    judge: Judge | None,
    tried: int,
    jobs: int,
    progress: Any,
    strict: tuple[bool, bool],
) -> AnswerScores:
    """One question first, which tells whether the models are there; then the trial of the judge, then every other one.

    ``strict``: whether the answerer and the judge are such that a dead one ends it all.
    """
    gate, done, scored = asyncio.Semaphore(jobs), 0, dict[int, _Row]()

    async def one(place: int, strict: tuple[bool, bool] = (False, False)) -> None:
        nonlocal done
        async with gate:
            scored[place] = await _row(items[place], answerer, judge, strict)
        done += 1
        if progress:
            progress(done, len(items))

    first = _first(items, judge is not None)
    if first is not None:
        await one(first, strict)
    put = {(one.head["dataset"], one.question.id): (one.question, one.head["language"]) for one in items}
    tested = None if judge is None or not tried else await trial(judge, list(put.values()), size=tried)
    await asyncio.gather(*(one(place) for place in range(len(items)) if place != first))
    rows = [scored[place] for place in range(len(items))]
    return AnswerScores(
        frame=pl.DataFrame([row.given for row in rows], schema=FRAME),
        corrected=pl.DataFrame([row.corrected for row in rows], schema=FRAME),
        model=answerer.name,
        judge=judge.name if judge else None,
        trial=tested,
        again=sum((row.again for row in rows), Usage()),
    )


def _first(items: Sequence[_Item], judged: bool) -> int | None:
    """A question that every model will be asked; one that only the answerer is, where there is no such."""
    shown = [place for place, one in enumerate(items) if one.context is not None]
    both = (place for place in shown if items[place].question.absent or _gold(items[place].question))
    return next(both, None) if judged else next(iter(shown), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """The row by either gold, and what a judge asked for the second time took."""

    given: dict[str, Any]
    corrected: dict[str, Any]
    again: Usage


async def _row(item: _Item, answerer: Answerer, judge: Judge | None, strict: tuple[bool, bool]) -> _Row:
    """Raises ``BackendError`` where a model that is taken strictly is dead."""
    span = Span("answering")
    language = item.head["language"]
    told: Said | str = f"the system failed: {item.failed}"
    if item.context is not None:
        question = item.question
        try:
            told = await answerer.answer(question.text, item.context, question.asked_at, language=language, span=span)
        except BackendError as error:
            if strict[0] and dead(error):
                raise
            told = f"no answer: {error}"
    used = span.usage
    given = await _graded(item.head, item.question, told, judge, used, strict[1])
    if item.corrected == item.question:
        return _Row(given=given[0], corrected=given[0], again=Usage())
    if _shown(item.corrected) == _shown(item.question):
        names = ("category", "absent", "gold")
        same = {name: value for name, value in _head(item.head, item.corrected).items() if name in names}
        return _Row(given=given[0], corrected=given[0] | same, again=Usage())
    again = await _graded(item.head, item.corrected, told, judge, used, False)
    return _Row(given=given[0], corrected=again[0], again=again[1])


async def _graded(
    head: Mapping[str, str], question: Question, told: Said | str, judge: Judge | None, used: Usage, strict: bool
) -> tuple[dict[str, Any], Usage]:
    """The row of an answer (or of why there is none) by the gold of a question, and what the judge took."""
    row = _head(head, question)
    span = Span("judging")
    if isinstance(told, str):
        row["error"] = told
    else:
        row |= _by_words(told, question, _gold(question), head["language"])
        if judge is not None and row["state"] == "scored":
            found = await _judged(judge, question, told, head["language"], span)
            if strict and found.cause is not None and dead(found.cause):
                raise found.cause
            row |= {"verdict": found.verdict, "votes": list(found.votes), "state": found.state, "error": found.error}
    return row | _counts(used + span.usage), span.usage


def _head(head: Mapping[str, str], question: Question) -> dict[str, Any]:
    """A row before anything is known of its answer."""
    said = {"question": question.id, "category": question.category, "absent": question.absent}
    return {**head, **said, "gold": _gold(question), "state": "errored"}


def _gold(question: Question) -> str | None:
    return question.answer if question.answer and question.answer.strip() else None


def _shown(question: Question) -> tuple[Any, ...]:
    """What grading looks at."""
    return question.text, question.asked_at, question.absent, question.wrong_answer, _gold(question)


def _by_words(said: Said, question: Question, gold: str | None, language: str) -> dict[str, Any]:
    """Recall and F1; of an absent question, whether it was left unanswered."""
    row: dict[str, Any] = {"answer": said.text, "abstained": said.abstained, "state": "scored", "error": None}
    if question.absent:
        return row | dict.fromkeys(("recall", "f1"), float(said.abstained))
    if gold is None:
        return row | {"state": "ungraded"}
    found = overlap("" if said.abstained else said.text, gold, language)
    return row | {"recall": found.recall, "f1": found.f1}


async def _judged(judge: Judge, question: Question, said: Said, language: str, span: Span) -> Judged:
    text = said.text or {"pt": "Não sei.", "en": "I don't know."}.get(language, "I don't know.")
    gold = _gold(question)
    return await judge.judge(
        question.text, text, question.asked_at, gold=[gold] if gold else [], absent=question.absent,
        wrong_answer=question.wrong_answer, language=language, span=span,
    )  # fmt: skip


def _counts(usage: Usage) -> dict[str, Any]:
    return {
        "calls": usage.calls,
        "tokens": usage.total_tokens,
        "calls_billed": usage.billed_calls,
        "tokens_billed": usage.billed_tokens,
        "cost_usd": usage.cost_usd,
    }


def _kept(scores: AnswerScores, folder: Path, repeats: int, overlays: Mapping[str, Overlay]) -> AnswerScores:
    """Write the scores beside the result; their address is made of who answered, who judged, prompts and corrections."""
    made: dict[str, Any] = {
        "result": folder.name,
        "model": scores.model,
        "judge": scores.judge or "",
        "repeats": repeats,
    }
    for task in (tasks.answer(), tasks.verdict()):
        made[f"prompt_{task.name}"] = sha256(task.instructions.encode()).hexdigest()
    made |= {f"overlay_{name}": one.digest for name, one in overlays.items()}
    address = sha256(repr(sorted(made.items())).encode()).hexdigest()[:12]
    with whole(folder / "answers" / address) as fresh:
        scores.frame.write_parquet(fresh / "scores.parquet")
        if scores.corrected is not None:
            scores.corrected.write_parquet(fresh / "corrected.parquet")
        if scores.trial:
            scores.trial.frame.write_parquet(fresh / "trial.parquet")
        (fresh / "report.md").write_text(scores.to_markdown(), encoding="utf-8")
        (fresh / "made.toml").write_text(toml({"answers": made, "made.versions": dict(versions())}), encoding="utf-8")
    return replace(scores, folder=folder / "answers" / address)
