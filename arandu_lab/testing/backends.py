"""``check_llm``: a model held to what every backend of the box is held to. It is asked some twenty times.

>>> from arandu_lab.llm.offline import OfflineRules
>>> check_llm(OfflineRules(), repeatable=True)
offline/rules holds 9 claims: named, completion, tasks, plain, hostile, together, cancelled, accounted, repeatable
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, get_args

from arandu_lab.errors import BackendError
from arandu_lab.llm import tasks
from arandu_lab.llm.backend import Completion, Finish, Message
from arandu_lab.llm.mind import Minds, messages
from arandu_lab.llm.open import open_backend
from arandu_lab.testing.claims import Claim, Held, Passed, hold_all, wrong
from arandu_lab.testing.stages import chosen
from arandu_lab.trace import Span

TASKS: tuple[Any, ...] = (
    *(tasks.extract, tasks.entities, tasks.facts, tasks.relations),
    *(tasks.resolve, tasks.reconcile, tasks.judge, tasks.answer, tasks.verdict),
)
QUESTION: dict[str, Any] = {
    "query": "Onde o Marcos mora?",
    "asked_at": "2024-05-02T12:00:00+00:00",
    "facts": [{"i": 0, "text": "Marcos mora em Recife"}],
}


def check_llm(
    backend: Any, *, timeout: float = 60.0, repeatable: bool = False, only: Iterable[str] | None = None
) -> Held:
    """Hold a backend to its claims.

    Args:
        backend: A model string, or an object with ``name`` and ``complete``.
        timeout: Seconds that one question may take.
        repeatable: It also claims to answer the same prompt with the same words (rules, recordings, temperature 0).
        only: Names of the claims to try; all by default.

    Raises:
        Broken: the first claim that does not hold, with what to do.
    """
    on = OnTrial(open_backend(backend), timeout, repeatable)
    return hold_all(chosen(LLM_CLAIMS, only), str(on.backend.name), on)


@dataclass(frozen=True)
class OnTrial:
    """A backend, how long it may take, and whether it says that it repeats itself."""

    backend: Any
    timeout: float = 60.0
    repeatable: bool = False

    async def ask(self, prompt: list[Message], **given: Any) -> Any:
        """One completion, within the time."""
        asked = {"schema": tasks.JudgeAnswer, "max_tokens": 500, **given}
        return await asyncio.wait_for(self.backend.complete(prompt, **asked), self.timeout)


def _prompt() -> list[Message]:
    return messages(tasks.judge(), QUESTION)


def _named(on: OnTrial) -> None:
    if not (isinstance(on.backend.name, str) and on.backend.name):
        wrong(f"its name is {on.backend.name!r}")


async def _completion(on: OnTrial) -> None:
    _whole(await on.ask(_prompt()))


def _whole(found: Any) -> None:
    if not isinstance(found, Completion):
        wrong(f"complete gave a {type(found).__name__}")
    if not isinstance(found.text, str) or not found.text.strip():
        wrong(f"its text is {found.text!r}")
    for name in ("input_tokens", "output_tokens"):
        count = getattr(found, name)
        if not isinstance(count, int) or isinstance(count, bool) or count < 1:
            wrong(f"{name} is {count!r}")
    if found.finish not in get_args(Finish):
        wrong(f"finish is {found.finish!r}, not one of {', '.join(get_args(Finish))}")
    if found.cost_usd is not None and not found.cost_usd >= 0.0:
        wrong(f"cost_usd is {found.cost_usd!r}")


async def _tasks(on: OnTrial) -> None:
    for build in TASKS:
        task: Any = build()
        try:
            await Minds(on.backend, malformed_retries=0).ask(task, _example(task.instructions), timeout=on.timeout)
        except BackendError as error:
            wrong(f"the example of the task {task.name!r}: {error}")


def _example(instructions: str) -> dict[str, Any]:
    """The inputs of the first example of a prompt."""
    for line in instructions.splitlines():
        if line.startswith('{"task"'):
            return dict(json.loads(line)["inputs"])
    raise AssertionError("every prompt has an example")


async def _plain(on: OnTrial) -> None:
    _whole(await on.ask(_prompt(), schema=None, max_tokens=None))
    _whole(await on.ask(_prompt(), repeat=1))


async def _hostile(on: OnTrial) -> None:
    for name, text in (("NUL", "a\0b"), ("half an emoji", "oi \ud83d"), ("20,000 characters", "x " * 10_000)):
        for prompt in (messages(tasks.judge(), {**QUESTION, "query": text}), [Message("user", text)]):
            try:
                found = await on.ask(prompt)
            except BackendError:
                continue
            if not isinstance(found, Completion):
                wrong(f"{name} gave a {type(found).__name__}")


async def _together(on: OnTrial) -> None:
    for found in await asyncio.gather(*(on.ask(_prompt(), repeat=number) for number in range(4))):
        _whole(found)
    _whole(await asyncio.to_thread(lambda: asyncio.run(on.ask(_prompt()))))


async def _cancelled(on: OnTrial) -> None:
    asked = asyncio.ensure_future(on.backend.complete(_prompt(), schema=tasks.JudgeAnswer, max_tokens=500))
    await asyncio.sleep(0)
    asked.cancel()
    try:
        await asked
    except asyncio.CancelledError:
        pass
    except BaseException as error:  # noqa: BLE001 - what came in the place of the cancellation is what is told
        wrong(f"a cancelled call raised {type(error).__name__}: {error}")
    _whole(await on.ask(_prompt()))


async def _accounted(on: OnTrial) -> None:
    span = Span("check")
    await Minds(on.backend).metered(span).ask(tasks.judge(), QUESTION, timeout=on.timeout)
    used = span.usage
    if used.calls < 1 or used.input_tokens < 1 or used.output_tokens < 1:
        wrong(f"a question was accounted as {used}")


async def _repeatable(on: OnTrial) -> None:
    if not on.repeatable:
        raise Passed("it does not claim to repeat itself")
    one, other = await on.ask(_prompt()), await on.ask(_prompt())
    if one.text != other.text:
        wrong(f"one prompt was answered {one.text[:80]!r} and {other.text[:80]!r}")


LLM_CLAIMS: tuple[Claim, ...] = (
    Claim("named", "A backend has a name, which stands in results and keys recordings.", "Give it name: str.", _named),
    Claim("completion", "H2: an answer is a Completion with a text, counted tokens, a known finish, and a price or None.",
          "Return arandu_lab.llm.backend.Completion; count tokens with estimate where the model does not tell.", _completion),
    Claim("tasks", "The examples of all prompts are answered so that the answer can be read.",
          "Constrain the model to the schema it is given, or choose a model that keeps to JSON.", _tasks),
    Claim("plain", "A question without schema and limit, and with a repeat number, is answered too.",
          "Take schema=None, max_tokens=None and repeat=n as keywords.", _plain),
    Claim("hostile", "C2, L1: whatever stands in a message, there is a Completion or a BackendError, and nothing else.",
          "Turn the errors of your client into BackendError with a kind, and send text through wellformed.", _hostile),
    Claim("together", "Questions at once, and from several event loops, are all answered.",
          "Keep no client, lock or session that belongs to one event loop.", _together),
    Claim("cancelled", "H1: a call that is cancelled ends as cancelled, and the next one is answered.",
          "Let asyncio.CancelledError pass; clean up in finally.", _cancelled),
    Claim("accounted", "H2: calls and tokens stand in the account of the span that asked.",
          "Fill input_tokens and output_tokens of each Completion.", _accounted),
    Claim("repeatable", "O2: the same prompt is answered with the same words.",
          "Fix seed and temperature, or do not claim it.", _repeatable),
)  # fmt: skip
"""What a backend promises."""
