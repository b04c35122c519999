"""A long message is read in parts: one question each, some at a time, and what one part lost does not touch the others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from arandu_lab.errors import BackendError
from arandu_lab.pipeline import Lab
from arandu_lab.pipeline.lab import Answered, Task
from arandu_lab.pure.chunks import Chunk, chunks
from arandu_lab.records import Failure, Grounded, Skipped

A = TypeVar("A", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Read(Generic[A]):
    """The parts of a message that were answered, in order, and what is to be told of those that were not."""

    answered: tuple[tuple[Chunk, Answered[A]], ...]
    skipped: tuple[Skipped, ...]


def parts(grounded: Grounded, *, chunk_max_chars: int, chunk_context_chars: int) -> tuple[Chunk, ...]:
    """The parts of what was said that hold anything but blanks; one, the whole, for a message within the size."""
    found = chunks(grounded.said, size=chunk_max_chars, context=chunk_context_chars)
    return tuple(chunk for chunk in found if chunk.text.strip())


async def ask_each(
    lab: Lab,
    task: Task[A],
    pieces: Sequence[Chunk],
    inputs: Callable[[int], dict[str, Any]],
    *,
    timeout: float,
    at_once: int,
    unread: str = "was not read",
    repeat: int = 0,
) -> Read[A]:
    """Put the task with ``inputs(number)`` for every part, ``at_once`` at a time; each has its own ``timeout`` seconds.

    A part whose question failed is told in ``skipped`` with its text, its place and the failure, which also marks the
    span as degraded.

    Raises:
        BackendError: no part was answered; the first part's failure.
    """
    gate = asyncio.Semaphore(at_once)

    async def one(number: int) -> Answered[A] | BackendError:
        async with gate:
            try:
                return await lab.llm.ask(task, inputs(number), timeout=timeout, repeat=repeat)
            except BackendError as error:
                return error

    waiting = [asyncio.ensure_future(one(number)) for number in range(len(pieces))]
    try:
        said = await asyncio.gather(*waiting)
    finally:
        for task_ in waiting:
            task_.cancel()
    answered = tuple((chunk, got) for chunk, got in zip(pieces, said, strict=True) if isinstance(got, Answered))
    failed = [(number, got) for number, got in enumerate(said) if isinstance(got, BackendError)]
    if failed and not answered:
        raise failed[0][1]
    skipped = []
    for number, error in failed:
        with lab.log.child(lab.log.name) as span:
            span.failure = Failure(stage=lab.log.name, kind=error.kind, backend=error.backend, message=error.message)
        chunk = pieces[number]
        place = f"part {number + 1} of {len(pieces)} (characters {chunk.start} to {chunk.end})"
        skipped.append(Skipped(what=chunk.text, why=f"{place} {unread}: {error.kind}: {error.message}"))
    if len(pieces) > 1:
        lab.log(parts=len(pieces), parts_failed=len(failed))
    return Read(answered, tuple(skipped))
