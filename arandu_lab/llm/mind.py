"""Models by role: one ask is messages, deadline, retries, parsing, and an exact account of what it took.

* The deadline of ``ask`` holds over everything: every attempt and every wait between attempts.
* A backend that is throttled or unavailable is asked again after a wait with jitter, or after what its Retry-After
  says; a wait that would pass the deadline is not begun, and the failure says what really happened.
* An answer that cannot be read is asked for once more. Every attempt counts as a call, and its tokens count where the
  backend told them: an attempt that never answered has none to count.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Awaitable, Callable, Mapping
from copy import copy
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import BaseModel
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt, stop_before_delay

from arandu_lab.errors import AranduError, BackendError, ConfigError, nearest
from arandu_lab.llm.backend import Backend, Completion, Message, ThrottledError, wellformed
from arandu_lab.llm.parse import parse
from arandu_lab.llm.tokens import token_counter
from arandu_lab.pipeline.lab import Answered, Task
from arandu_lab.trace import Span, Usage

A = TypeVar("A", bound=BaseModel)

ROLES = ("extract", "resolve", "reconcile", "judge", "job", "answer")
"""The roles a model can be given, as ``Task.role`` names them."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How often and how long to wait for a backend that is throttled or unavailable.

    Waits grow as ``base * 2 ** n`` seconds up to ``cap``, of which a random share between one half and all is waited.
    ``sleep`` and ``draw`` (a number between 0 and 1) can be replaced in tests.
    """

    retries: int = 4
    base: float = 0.5
    cap: float = 20.0
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    draw: Callable[[], float] = field(default=random.random)

    def wait(self, attempt: int, error: BaseException | None) -> float:
        """Seconds to wait after attempt number ``attempt`` (from 1) failed with ``error``.

        >>> Patience(base=1.0, draw=lambda: 1.0).wait(3, None)
        4.0
        """
        told = error.retry_after if isinstance(error, ThrottledError) else None
        if told is not None:
            return max(0.0, told)
        return float(min(self.cap, self.base * 2.0 ** (attempt - 1))) * (0.5 + self.draw() / 2.0)


class Minds:
    """Models by role, one default for the rest; implements ``arandu_lab.pipeline.lab.Mind``.

    >>> from arandu_lab.llm.scripted import Scripted
    >>> from arandu_lab.llm import tasks
    >>> mind = Minds(Scripted([{"grades": [{"i": 0, "grade": 1.0}]}]))
    >>> asyncio.run(mind.ask(tasks.judge(), {"query": "?", "facts": []}, timeout=1.0)).value
    JudgeAnswer(grades=[GradeItem(i=0, grade=1.0)])
    """

    def __init__(
        self,
        default: Backend,
        roles: Mapping[str, Backend] | None = None,
        *,
        patience: Patience | None = None,
        malformed_retries: int = 1,
        max_tokens: int | None = 4096,
    ) -> None:
        for role in roles or {}:
            if role not in ROLES:
                raise ConfigError(f"role {role!r}; {nearest(role, ROLES)}")
        self.default = default
        self.roles = dict(roles or {})
        self.patience = patience or Patience()
        self.malformed_retries = malformed_retries
        self.max_tokens = max_tokens
        self._span: Span | None = None

    def backend(self, role: str) -> Backend:
        """The backend that answers for a role."""
        return self.roles.get(role, self.default)

    @property
    def names(self) -> dict[str, str]:
        """Role -> name of its backend, every role."""
        return {role: self.backend(role).name for role in ROLES}

    def count_tokens(self, text: str, role: str = "answer") -> int:
        """Tokens of a text for the model of a role: by its own tokenizer where that is at hand, else the estimate."""
        return token_counter(self.backend(role).name)(text)

    def metered(self, span: Span) -> Minds:
        """The same models, spending and logging into ``span``."""
        other = copy(self)
        other._span = span
        return other

    async def ask(self, task: Task[A], inputs: Mapping[str, Any], *, timeout: float, repeat: int = 0) -> Answered[A]:
        """Put ``task`` with ``inputs`` (JSON-able) to the model of its role, within ``timeout`` seconds in all.

        ``repeat`` tells a deliberate second asking of the same question from the first, so that a recording keeps both.

        Raises:
            BackendError: no usable answer came; ``kind`` says how it failed.
        """
        backend = self.backend(task.role)
        try:
            return await asyncio.wait_for(self._answer(backend, task, inputs, timeout, repeat), timeout)
        except TimeoutError:
            raise BackendError(
                f"{task.name}: no answer within {timeout:g} s", kind="timeout", backend=backend.name
            ) from None

    async def _answer(
        self, backend: Backend, task: Task[A], inputs: Mapping[str, Any], timeout: float, repeat: int
    ) -> Answered[A]:
        until = asyncio.get_running_loop().time() + timeout
        complaint = ""
        for attempt in range(self.malformed_retries + 1):
            number = repeat * (self.malformed_retries + 1) + attempt
            left = until - asyncio.get_running_loop().time()
            completion = await self._complete(backend, task, messages(task, inputs, complaint), left, number)
            try:
                return self._read(completion, task, backend)
            except BackendError as error:
                if error.kind not in {"malformed", "empty"} or attempt == self.malformed_retries:
                    raise
                complaint = error.message
                self._log(f"{task.name}: {error.kind}: asked again")
        raise AssertionError("the loop above returns or raises")

    async def _complete(
        self, backend: Backend, task: Task[A], prompt: list[Message], left: float, repeat: int
    ) -> Completion:
        """One completion, through throttling and outages."""

        async def once() -> Completion:
            try:
                completion = await backend.complete(
                    prompt, schema=task.answer, max_tokens=self.max_tokens, repeat=repeat
                )
            except (AranduError, asyncio.CancelledError):
                self._spend(Usage(calls=1))
                raise
            except OSError as error:  # a foreign backend's line broke; a bug in it comes out as itself
                self._spend(Usage(calls=1))
                said = f"{type(error).__name__}: {error}"
                raise BackendError(said, kind="unavailable", backend=backend.name) from error
            self._spend(_usage(completion))
            return completion

        def before_sleep(state: RetryCallState) -> None:
            error = state.outcome.exception() if state.outcome else None
            kind = error.kind if isinstance(error, BackendError) else "unavailable"
            self._log(f"{task.name}: {kind}: waited {state.upcoming_sleep:.2f} s")

        patience = self.patience
        return await AsyncRetrying(
            retry=retry_if_exception(_passing),
            wait=lambda state: patience.wait(
                state.attempt_number, state.outcome.exception() if state.outcome else None
            ),
            stop=stop_after_attempt(patience.retries + 1) | stop_before_delay(max(left, 0.0)),
            sleep=patience.sleep,
            before_sleep=before_sleep,
            reraise=True,
        )(once)

    def _read(self, completion: Completion, task: Task[A], backend: Backend) -> Answered[A]:
        for note in completion.notes:
            self._log(f"{task.name}: {note}")
        if completion.finish == "refused":
            said = completion.text.strip()[:160]
            raise BackendError(f"{task.name}: the provider refused: {said!r}", kind="refused", backend=backend.name)
        if (reads := getattr(task.answer, "from_text", None)) is not None:
            return Answered(reads(completion.text))
        answered = parse(completion.text, task.answer, items=task.items, backend=backend.name)
        if answered.dropped and self._span is not None:
            self._span(dropped=[*self._span.own.get("dropped", []), *answered.dropped])
        return answered

    def _spend(self, usage: Usage) -> None:
        if self._span is not None:
            self._span.spend(usage)

    def _log(self, note: str) -> None:
        if self._span is not None:
            self._span(backend_notes=[*self._span.own.get("backend_notes", []), note])


def messages(task: Task[Any], inputs: Mapping[str, Any], complaint: str = "") -> list[Message]:
    """The two messages of a prompt: the instructions, and the inputs as one JSON block.

    ``complaint`` says why the last answer could not be read.
    """
    system = task.instructions
    if complaint:
        system += (
            "\n\nYour previous answer could not be read. Answer again with exactly one JSON object of the shape above:"
            " no prose, no code fence, nothing cut off."
        )
    block = json.dumps({"task": task.name, "inputs": dict(inputs)}, ensure_ascii=False, sort_keys=True)
    return [Message("system", wellformed(system)), Message("user", wellformed(block))]


def _passing(error: BaseException) -> bool:
    """Whether a failure may pass by itself."""
    return isinstance(error, BackendError) and error.kind in {"rate_limit", "unavailable"}


def _usage(completion: Completion) -> Usage:
    """One call: asked always, billed unless it came from a recording. The price is that of a cold call."""
    tokens = completion.input_tokens + completion.output_tokens
    return Usage(
        calls=1,
        input_tokens=completion.input_tokens,
        output_tokens=completion.output_tokens,
        billed_calls=0 if completion.cached else 1,
        billed_tokens=0 if completion.cached else tokens,
        cost_usd=completion.cost_usd or 0.0,
    )
