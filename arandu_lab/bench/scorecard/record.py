"""A recording: one system hears one conversation, is asked at the dates, and is looked into at every stage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from arandu_lab.bench.plan import Row
from arandu_lab.bench.replay import Replay, replay
from arandu_lab.bench.rows import BESIDE, filled, is_memory, open_row
from arandu_lab.bench.scorecard.book import Book, open_book
from arandu_lab.bench.scorecard.dossier import Asked, Cost, Dossier, Heard
from arandu_lab.bench.scorecard.oracle import answered_by, oracle
from arandu_lab.bench.scorecard.watched import Watched, context_tokens
from arandu_lab.errors import ConfigError, nearest
from arandu_lab.presets import Assembly
from arandu_lab.systems.arandu import Arandu
from arandu_lab.systems.base import DatedTurn, Ranked, System
from arandu_lab.systems.open import open_system
from arandu_lab.trace import Usage

MODES = ("end-to-end", "oracle")

_OWN_WAY = frozenset({"begin", "listen", "ask", "end"})
"""What an instance does in its own way where it carries one of them."""


async def record(
    made: Row | Assembly | System,
    book: Book | str | Path,
    *,
    mode: Literal["end-to-end", "oracle"] = "end-to-end",
    tick: Callable[[int], None] | None = None,
    depth: int = 20,
    seed: int = 0,
    llm: Any = "offline/rules",
    embedder: Any = None,
) -> Dossier:
    """All that a system did with the conversation of a set, stage by stage.

    Args:
        made: A row of a plan, an assembly (``arandu`` with these pipelines), or a system with an empty memory. What is
            neither ``arandu`` nor a row of it (a class made of it, say) is recorded from outside: no stages, no rows.
        book: The set, by book, name or path.
        mode: ``oracle`` puts the gold in the place of the model that extracts, and leaves all else.
        tick: Told after each turn and question how many of both are done.
        depth: How many results a system that is no memory is asked for.
        seed: Of rows that draw.
        llm, embedder: Of an assembly; a row says its own.

    Raises:
        ConfigError: a mode or row that cannot be meant, or ``oracle`` for a system that cannot be looked into.
    """
    if mode not in MODES:
        raise ConfigError(f"mode {mode!r}; {nearest(mode, MODES)}")
    known = book if isinstance(book, Book) else open_book(book)
    system = opened(made, known, seed=seed, llm=llm, embedder=embedder)
    if isinstance(system, Watched):
        if mode == "oracle":
            system.llm = answered_by(oracle(known), system.llm)
        done = await replay(system, known.conversation, depth=depth, tick=tick)
        return _looked_into(system, known, done, mode)
    if mode == "oracle":
        why = "which is not looked into" if isinstance(system, Arandu) else "which extracts nothing"
        raise ConfigError(f"mode 'oracle' for {system.name}, {why}; accepted: 'end-to-end'")
    heeded = _Heeded(system)
    done = await replay(heeded, known.conversation, depth=depth, tick=tick)
    spent = done.listened
    cost = Cost(
        stage="listen",
        calls=spent.calls,
        input_tokens=spent.input_tokens,
        output_tokens=spent.output_tokens,
        embedded_texts=spent.embedded_texts,
    )
    return Dossier(
        system=system.name,
        dataset=known.name,
        mode=mode,
        asked=_asked(known, done, heeded.asked),
        costs=(cost, _answered(done)),
        times=_phases(done),
        errors=(*_errors(done), *_degraded(done)),
    )


def opened(
    made: Row | Assembly | System, book: Book, *, seed: int = 0, llm: Any = "offline/rules", embedder: Any = None
) -> System:
    """The system with an empty memory; ``arandu`` itself can be looked into (``Watched``).

    Any other system, one made of ``arandu`` included, is left as it is: what it does in its own way is not replaced.
    """
    if isinstance(made, Assembly):
        return Watched("arandu", book=book, assembly=made, llm=llm, embedder=embedder)
    if isinstance(made, Row) and made.assembly is not None:
        made = open_row(made, book.conversation, language=book.language, seed=seed, path=Path())
    elif isinstance(made, Row) and is_memory(made.base):
        said = filled(made)
        beside = {name: said[name] for name in BESIDE}
        config = {name: value for name, value in made.options.items() if name not in BESIDE}
        setup = {"config": config, "write": made.write, "read": made.read}
        made = open_system(made.base, name=made.name, setup=setup, **beside)
    elif isinstance(made, Row):
        system = open_row(made, book.conversation, language=book.language, seed=seed, path=Path())
        system.name = made.name
        return system
    return _watched(made, book)


def _watched(system: System, book: Book) -> System:
    if type(system) is not Arandu or _OWN_WAY & vars(system).keys():
        return system
    return Watched(
        system.name,
        book=book,
        assembly=system.assembly,
        llm=system.llm,
        embedder=system.embedder,
        template=system.template,
        calibration=system.calibration,
    )


def _looked_into(system: Watched, book: Book, done: Replay, mode: Literal["end-to-end", "oracle"]) -> Dossier:
    heard = {one.turn: one for one in system.heard}
    for error in done.errors:
        if error.phase == "listen" and (error.where not in heard or heard[error.where].error is None):
            heard[error.where] = Heard(turn=error.where, error=error.message)
    return Dossier(
        system=system.name,
        dataset=book.name,
        mode=mode,
        heard=tuple(heard.get(turn.id, Heard(turn=turn.id, error="not heard")) for turn in book.conversation.turns),
        rows=system.rows,
        states=system.states,
        asked=_asked(book, done, system.asked),
        costs=system.costs(),
        times=dict(system.times),
        errors=(*_errors(done), *system.notes),
    )


class _Heeded:
    """Any system, with what it ranked and showed for each question."""

    def __init__(self, system: System) -> None:
        self.system, self.name = system, system.name
        self.asked: dict[tuple[str, datetime], Asked] = {}

    async def begin(self, conversation_id: str) -> None:
        await self.system.begin(conversation_id)

    async def listen(self, turn: DatedTurn) -> Usage:
        return await self.system.listen(turn)

    async def ask(self, question: str, *, now: datetime, k: int) -> Ranked:
        ranked = await self.system.ask(question, now=now, k=k)
        turns = tuple(dict.fromkeys(one.id for one in ranked.evidence() or ()))
        tokens = context_tokens(ranked.context)
        self.asked[question, now] = Asked(question=question, turns=turns, context=ranked.context, context_tokens=tokens)
        return ranked

    async def end(self) -> None:
        await self.system.end()


def _asked(book: Book, done: Replay, seen: dict[tuple[str, datetime], Asked]) -> tuple[Asked, ...]:
    """Every question, as it was answered or why it was not."""
    errors = {answer.question: answer.error for answer in done.answers}
    out = []
    for question in book.conversation.questions:
        error = errors.get(question.id, "not asked")
        found = seen.get((question.text, question.asked_at))
        if error is not None or found is None:
            out.append(Asked(question=question.id, error=error or "not asked"))
        else:
            out.append(replace(found, question=question.id))
    return tuple(out)


def _answered(done: Replay) -> Cost:
    spent = sum((answer.usage for answer in done.answers), Usage())
    return Cost(
        stage="ask",
        calls=spent.calls,
        input_tokens=spent.input_tokens,
        output_tokens=spent.output_tokens,
        embedded_texts=spent.embedded_texts,
    )


def _phases(done: Replay) -> dict[str, float]:
    out: dict[str, float] = {}
    for timed in done.times:
        out[timed.phase] = out.get(timed.phase, 0.0) + timed.ms
    return out


def _errors(done: Replay) -> tuple[str, ...]:
    return tuple(f"{error.phase} {error.where}: {error.message}" for error in done.errors)


def _degraded(done: Replay) -> tuple[str, ...]:
    """Stages that a system says it stepped around, where nobody saw why."""
    return tuple(f"ask {one.question}: stepped around: {stage}" for one in done.answers for stage in one.degraded)
