"""A conversation as it happened: every turn in order of time, every question when the clock passes it.

A question sees the turns said by its ``asked_at`` and no other, because no other has been said to the system yet. What
a backend does not deliver is an error in its place, a null, and the replay goes on: failure never looks like an empty
answer. A system that breaks (raises anything else) answers nothing: every question is a null with that reason, and the
turns it did not hear are lost. One that breaks after the last question has answered all the same. Times are kept apart
from all else, so that the rest is the same in every run.
"""

from __future__ import annotations

import asyncio
import math
import time
import traceback
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from arandu_lab.bench.data.model import Conversation, Question
from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.pure.budget import estimate_tokens
from arandu_lab.systems.base import DatedTurn, Ranked, System
from arandu_lab.trace import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back for a question. ``returned`` None: the system does not rank, or failed (``error``).

    ``heard`` counts the turns heard before; ``context_tokens`` estimates what a reader would be shown. ``context`` is that
    text while it is in memory; a kept replay has it in ``contexts.json`` (:mod:`arandu_lab.bench.contexts`).
    """

    question: str
    heard: int
    returned: tuple[str, ...] | None = None
    context_tokens: int | None = None
    usage: Usage = field(default_factory=Usage)
    degraded: tuple[str, ...] = ()
    error: str | None = None
    context: str | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Error:
    """A turn or question that failed; ``where`` is its id. Phases: ``open begin rest listen ask inside end``."""

    phase: str
    where: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """How long one turn or question took."""

    phase: str
    item: str
    ms: float


@dataclass(slots=True)
class Replay:
    """All that one system did with one conversation."""

    answers: list[Answer] = field(default_factory=list)
    listened: Usage = field(default_factory=Usage)
    by_stage: Mapping[str, Usage] | None = None
    extracted: list[tuple[str, str, str, str]] | None = None
    live: list[tuple[str, str]] | None = None
    errors: list[Error] = field(default_factory=list)
    times: list[Timed] = field(default_factory=list)
    turns: int = 0


async def replay(
    system: System, conversation: Conversation, *, depth: int, tick: Callable[[int], None] | None = None
) -> Replay:
    """Let the system hear the conversation, and ask each question at its date.

    Args:
        system: With an empty memory.
        depth: How many results are asked for.
        tick: Told after each turn and question how many of both are done.

    Raises:
        ConfigError: the system names a turn that it has not heard, or says itself that it is used wrongly.
    """
    talk = _Talk(system, depth, tick)
    done, waiting = talk.done, sorted(conversation.questions, key=lambda one: one.asked_at)
    talk.at = ("begin", conversation.id)
    try:
        await system.begin(conversation.id)
    except BaseException as error:  # noqa: BLE001 - whatever a system raises is its result; fault() lets the rest by
        return broken(conversation, done, *talk.at, fault(error))
    try:
        for turn in conversation.turns:
            while waiting and waiting[0].asked_at < turn.occurred_at:
                await talk.put(waiting.pop(0))
            await talk.tell(turn)
        for question in waiting:
            await talk.put(question)
    except BaseException as error:  # noqa: BLE001 - as above
        broken(conversation, done, *talk.at, fault(error))
    else:
        await _after("inside", lambda: _look_inside(system, done), conversation, done)
    finally:
        await _after("end", system.end, conversation, done)
    order = {question.id: place for place, question in enumerate(conversation.questions)}
    done.answers.sort(key=lambda one: order[one.question])
    return done


def broken(conversation: Conversation, done: Replay, phase: str, where: str, message: str) -> Replay:
    """The replay of a system that broke there: no answer, for this reason; what it did not hear is lost, turn by turn."""
    heard, asked = done.turns, {one.question: one.heard for one in done.answers}
    done.answers = [
        Answer(question=one.id, heard=asked.get(one.id, heard), error=message) for one in conversation.questions
    ]
    done.errors.append(Error(phase=phase, where=where, message=message))
    rest = conversation.turns[heard + (phase == "listen") :]
    done.errors += [Error(phase="listen", where=turn.id, message=f"not heard after: {message}") for turn in rest]
    done.turns = len(conversation.turns)
    return done


def fault(error: BaseException) -> str:
    """A line about an error of a system, with its place.

    Raises:
        BaseException: ``error`` itself where it is no result: Ctrl-C, a cancellation from outside, a ConfigError.
    """
    if isinstance(error, ConfigError | KeyboardInterrupt | GeneratorExit) or _cancelled(error):
        raise error
    frames = traceback.extract_tb(error.__traceback__)
    at = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {one_line(error)}{at}"


def one_line(said: object) -> str:
    """A message without line breaks.

    >>> one_line("boom\\n  twice")
    'boom twice'
    """
    return " ".join(str(said).split())


def _cancelled(error: BaseException) -> bool:
    if not isinstance(error, asyncio.CancelledError):
        return False
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


class _Talk:
    """A system in a conversation, and what came of it so far; ``at`` is the phase and place it is in."""

    def __init__(self, system: System, depth: int, tick: Callable[[int], None] | None) -> None:
        self.system, self.depth, self.tick = system, depth, tick
        self.done = Replay()
        self.heard: set[str] = set()
        self.at = ("", "")

    async def rest(self, where: str, now: datetime) -> None:
        """Let the system do what it does by itself, if it does anything, up to a moment."""
        rest = getattr(self.system, "rest", None)
        if rest is None:
            return
        began, self.at = time.perf_counter(), ("rest", where)
        try:
            spent = await rest(now)
            if spent is None:
                return
            self.done.listened = self.done.listened + spent
        except BackendError as error:
            self.done.errors.append(Error(phase="rest", where=where, message=one_line(error)))
        self.done.times.append(Timed(phase="rest", item=where, ms=(time.perf_counter() - began) * 1000.0))

    async def tell(self, turn: DatedTurn) -> None:
        await self.rest(turn.id, turn.occurred_at)
        done, began = self.done, time.perf_counter()
        self.at = ("listen", turn.id)
        try:
            done.listened = done.listened + await self.system.listen(turn)
        except BackendError as error:
            done.errors.append(Error(phase="listen", where=turn.id, message=one_line(error)))
        done.times.append(Timed(phase="listen", item=turn.id, ms=(time.perf_counter() - began) * 1000.0))
        self.heard.add(turn.id)
        done.turns += 1
        self._moved()

    async def put(self, question: Question) -> None:
        await self.rest(question.id, question.asked_at)
        done, began = self.done, time.perf_counter()
        self.at = ("ask", question.id)
        try:
            ranked = await self.system.ask(question.text, now=question.asked_at, k=self.depth)
            answer = answered(question, ranked, heard=self.heard, by=self.system.name)
        except BackendError as error:
            done.errors.append(Error(phase="ask", where=question.id, message=one_line(error)))
            answer = Answer(question=question.id, heard=len(self.heard), error=one_line(error))
        done.times.append(Timed(phase="ask", item=question.id, ms=(time.perf_counter() - began) * 1000.0))
        done.answers.append(answer)
        self._moved()

    def _moved(self) -> None:
        if self.tick:
            self.tick(self.done.turns + len(self.done.answers))


def answered(question: Question, ranked: Any, *, heard: Collection[str], by: str) -> Answer:
    """What a ranking comes to as an answer; ``heard`` are the ids of the turns heard before, ``by`` is whose it is.

    Raises:
        TypeError: it is no ``Ranked``.
        BackendError: a score is no number.
        ConfigError: it names a turn that was not heard.
    """
    _check(ranked)
    turns = ranked.evidence()
    returned = None if turns is None else tuple(dict.fromkeys(turn.id for turn in turns))
    if strange := next((one for one in returned or () if one not in heard), None):
        raise ConfigError(
            f"{by}: question {question.id} at {question.asked_at.isoformat()} was answered with turn"
            f" {strange!r}, which had not been said"
        )
    return Answer(
        question=question.id,
        heard=len(heard),
        returned=returned,
        context_tokens=estimate_tokens(ranked.context),
        context=ranked.context,
        usage=ranked.usage,
        degraded=tuple(ranked.degraded),
    )


def _check(ranked: Any) -> None:
    if not isinstance(ranked, Ranked):
        raise TypeError(f"ask returned {type(ranked).__name__}, wants a Ranked")
    scores: list[Any] = [one.score for part in (ranked.turns, ranked.facts) for one in part or ()]
    for score in scores:
        try:
            good = not math.isnan(score)
        except TypeError:
            good = False
        if not good:
            said = f"a score of {score!r} is no number to rank by"
            raise BackendError(said, kind="malformed", backend="ranking")


async def _after(phase: str, act: Callable[[], Any], conversation: Conversation, done: Replay) -> None:
    """What comes after the last question: an error of it costs no answer."""
    try:
        await act()
    except ConfigError as error:
        done.errors.append(Error(phase=phase, where=conversation.id, message=one_line(error)))
    except BaseException as error:  # noqa: BLE001 - as above
        done.errors.append(Error(phase=phase, where=conversation.id, message=fault(error)))


async def _look_inside(system: Any, done: Replay) -> None:
    """What a system that extracts facts can tell beyond the protocol."""
    if hasattr(system, "extracted"):
        stored: Sequence[Any] = await system.extracted()
        done.extracted = [(str(turn), str(subject), str(text), str(action)) for turn, subject, text, action in stored]
    if hasattr(system, "live"):
        done.live = [(str(subject), str(text)) for subject, text in await system.live()]
    by_stage = getattr(system, "usage_by_stage", None)
    done.by_stage = by_stage() if callable(by_stage) else by_stage
