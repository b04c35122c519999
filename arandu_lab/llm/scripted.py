"""A model that says what a test tells it to say, counts its tokens, and fails on demand."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from pydantic import BaseModel

from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.llm.backend import Completion, Message, estimate
from arandu_lab.llm.faults import Fault, fail

__all__ = ["Call", "Reply", "Scripted", "fail"]


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer with its token counts given; None counts by ``estimate``."""

    value: Any
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    cached: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """One call as the model saw it; ``inputs`` is the JSON block of the user message."""

    task: str
    inputs: dict[str, Any]
    messages: tuple[Message, ...]
    schema: str
    max_tokens: int | None
    repeat: int


Answer: TypeAlias = (
    Mapping[str, Any] | list[Any] | str | BaseModel | BaseException | Fault | Reply | Callable[[Sequence[Message]], Any]
)


class Scripted:
    """Answers from a list, in order, or from one queue for each task; in ``calls``, what was asked.

    An answer is a mapping or list (sent as JSON), a string (sent as it is), a pydantic model, a callable from the
    messages to an answer, an exception (raised), ``fail(kind)``, or a ``Reply`` with token counts. In ``by_task`` a
    list is a queue and anything else is said forever; ``default`` answers what has no queue. A script that has run out
    raises ``BackendError(kind="exhausted")``.

    >>> model = Scripted(by_task={"judge": {"grades": []}, "extract": [fail("timeout"), {"facts": []}]})
    >>> model.calls
    []
    """

    def __init__(
        self,
        answers: Iterable[Answer] = (),
        *,
        by_task: Mapping[str, Answer | Sequence[Answer]] | None = None,
        default: Answer | None = None,
        delay: float = 0.0,
        name: str = "scripted",
    ) -> None:
        self.name = name
        self.delay = delay
        self.calls: list[Call] = []
        self._default = default
        self._queue: deque[Answer] = deque(answers)
        self._queues: dict[str, deque[Answer]] = {}
        self._constant: dict[str, Any] = {}
        if self._queue and by_task:
            raise ConfigError("a script goes by sequence or by task, not both")
        for task, script in (by_task or {}).items():
            if isinstance(script, list | tuple):
                self._queues[task] = deque(script)
            else:
                self._constant[task] = script
        self._given = {task: len(queue) for task, queue in self._queues.items()}
        self._length = len(self._queue)

    @property
    def remaining(self) -> int:
        """How many queued answers have not been said."""
        return len(self._queue) + sum(len(queue) for queue in self._queues.values())

    def asked(self, task: str) -> list[Call]:
        """The calls of one task, in order."""
        return [call for call in self.calls if call.task == task]

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: type[BaseModel] | None,
        max_tokens: int | None,
        repeat: int = 0,
    ) -> Completion:
        """The next answer of the script.

        Raises:
            BackendError: the script says so, or has run out (``exhausted``).
        """
        task, inputs = read_block(messages)
        name = schema.__name__ if schema else ""
        self.calls.append(Call(task, inputs, tuple(messages), name, max_tokens, repeat))
        answer = self._next(task)
        if self.delay:
            await asyncio.sleep(self.delay)
        return await self._said(answer, messages, Reply(None))

    def _next(self, task: str) -> Answer:
        if task in self._queues:
            queue, given, where = self._queues[task], self._given[task], f"the queue of {task!r}"
        elif task in self._constant:
            constant: Answer = self._constant[task]
            return constant
        else:
            queue, given, where = self._queue, self._length, "the script"
        if queue:
            return queue.popleft()
        if self._default is not None:
            return self._default
        raise BackendError(
            f"{task}: {where} has {given} answers and this asks for number {given + 1} (call {len(self.calls)} in all)",
            kind="exhausted",
            backend=self.name,
        )

    async def _said(self, answer: Any, messages: Sequence[Message], reply: Reply) -> Completion:
        if isinstance(answer, Reply):
            return await self._said(answer.value, messages, answer)
        if isinstance(answer, Fault):
            task, inputs = read_block(messages)
            return await self._said(await answer.answer(task, inputs, self.name), messages, reply)
        if isinstance(answer, BaseException):
            raise answer
        if isinstance(answer, Completion):
            return replace(answer, model=answer.model or self.name)
        if callable(answer):
            return await self._said(answer(messages), messages, reply)
        text = _text(answer)
        asked = estimate("".join(message.content for message in messages))
        return Completion(
            text,
            asked if reply.input_tokens is None else reply.input_tokens,
            estimate(text) if reply.output_tokens is None else reply.output_tokens,
            model=self.name,
            cost_usd=reply.cost_usd,
            cached=reply.cached,
        )


def read_block(messages: Sequence[Message]) -> tuple[str, dict[str, Any]]:
    """The task and the inputs of the JSON block in the user message; ``("", {})`` where there is none.

    >>> read_block([Message("user", '{"task": "judge", "inputs": {"query": "?"}}')])
    ('judge', {'query': '?'})
    """
    for message in messages:
        if message.role == "user":
            try:
                block = json.loads(message.content)
            except ValueError:
                continue
            if isinstance(block, dict):
                return str(block.get("task", "")), dict(block.get("inputs") or {})
    return "", {}


def _text(answer: Any) -> str:
    if isinstance(answer, str):
        return answer
    if isinstance(answer, BaseModel):
        return answer.model_dump_json()
    return json.dumps(answer, ensure_ascii=False)
