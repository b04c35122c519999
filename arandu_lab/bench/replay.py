"""A conversation as it happened: every turn in order of time, every question when the clock passes it.

A question sees the turns said by its ``asked_at`` and no other, because no other has been said to the system yet. What
a backend does not deliver is an error in its place, a null, and the replay goes on: failure never looks like an empty
answer. Times are kept apart from all else, so that the rest is the same in every run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arandu_lab.bench.data.model import Conversation, Question
from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.pure.budget import estimate_tokens
from arandu_lab.systems.base import DatedTurn, System
from arandu_lab.trace import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back for a question. ``returned`` None: the system does not rank, or failed (``error``).

    ``heard`` counts the turns heard before; ``context_tokens`` estimates what a reader would be shown.
    """

    question: str
    heard: int
    returned: tuple[str, ...] | None = None
    context_tokens: int | None = None
    usage: Usage = field(default_factory=Usage)
    degraded: tuple[str, ...] = ()
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Error:
    """A turn or question that failed; ``where`` is its id."""

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
        ConfigError: the system names a turn that it has not heard.
        BackendError: the system could not begin.
    """
    done = Replay()
    waiting = sorted(conversation.questions, key=lambda one: one.asked_at)
    heard: set[str] = set()
    await system.begin(conversation.id)
    try:
        for turn in conversation.turns:
            while waiting and waiting[0].asked_at < turn.occurred_at:
                await _put(system, waiting.pop(0), heard, depth, done, tick)
            await _tell(system, turn, heard, done, tick)
        for question in waiting:
            await _put(system, question, heard, depth, done, tick)
        await _look_inside(system, done)
    finally:
        await system.end()
    order = {question.id: place for place, question in enumerate(conversation.questions)}
    done.answers.sort(key=lambda one: order[one.question])
    return done


async def _tell(
    system: System, turn: DatedTurn, heard: set[str], done: Replay, tick: Callable[[int], None] | None
) -> None:
    began = time.perf_counter()
    try:
        usage = await system.listen(turn)
    except BackendError as error:
        done.errors.append(Error(phase="listen", where=turn.id, message=str(error)))
    else:
        done.listened = done.listened + usage
    done.times.append(Timed(phase="listen", item=turn.id, ms=(time.perf_counter() - began) * 1000.0))
    heard.add(turn.id)
    done.turns += 1
    if tick:
        tick(done.turns + len(done.answers))


async def _put(
    system: System,
    question: Question,
    heard: set[str],
    depth: int,
    done: Replay,
    tick: Callable[[int], None] | None,
) -> None:
    began = time.perf_counter()
    try:
        ranked = await system.ask(question.text, now=question.asked_at, k=depth)
    except BackendError as error:
        done.errors.append(Error(phase="ask", where=question.id, message=str(error)))
        answer = Answer(question=question.id, heard=len(heard), error=str(error))
    else:
        turns = ranked.evidence()
        returned = None if turns is None else tuple(dict.fromkeys(turn.id for turn in turns))
        if strange := next((one for one in returned or () if one not in heard), None):
            raise ConfigError(
                f"{system.name}: question {question.id} at {question.asked_at.isoformat()} was answered with turn"
                f" {strange!r}, which had not been said"
            )
        answer = Answer(
            question=question.id,
            heard=len(heard),
            returned=returned,
            context_tokens=estimate_tokens(ranked.context),
            usage=ranked.usage,
            degraded=tuple(ranked.degraded),
        )
    done.times.append(Timed(phase="ask", item=question.id, ms=(time.perf_counter() - began) * 1000.0))
    done.answers.append(answer)
    if tick:
        tick(done.turns + len(done.answers))


async def _look_inside(system: Any, done: Replay) -> None:
    """What a system that extracts facts can tell beyond the protocol."""
    if hasattr(system, "extracted"):
        stored: Sequence[Any] = await system.extracted()
        done.extracted = [(str(turn), str(subject), str(text), str(action)) for turn, subject, text, action in stored]
    if hasattr(system, "live"):
        done.live = [(str(subject), str(text)) for subject, text in await system.live()]
    by_stage = getattr(system, "usage_by_stage", None)
    done.by_stage = by_stage() if callable(by_stage) else by_stage
