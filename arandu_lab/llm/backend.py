"""The seam to a model: two messages go in, one text with its token counts comes out.

A backend knows nothing of tasks, retries, deadlines or parsing; ``arandu_lab.llm.mind`` does. It either returns a
``Completion`` or raises ``BackendError``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from pydantic import BaseModel

from arandu_lab.errors import BackendError, FailureKind

Finish = Literal["stop", "length", "refused"]
"""Why the text ends: said all, ran into ``max_tokens``, or the provider's filter stepped in."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt; ``role`` is ``system`` or ``user``."""

    role: Literal["system", "user"]
    content: str


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model said, and what it took.

    ``cost_usd`` is None where no price is known. ``cached`` marks an answer that cost nothing this time. ``notes`` says
    what the backend had to change to get it (a parameter dropped, a schema not enforced).
    """

    text: str
    input_tokens: int
    output_tokens: int
    model: str
    cost_usd: float | None = None
    cached: bool = False
    finish: Finish = "stop"
    notes: tuple[str, ...] = ()


@runtime_checkable
class Backend(Protocol):
    """A model behind a name.

    A backend may also have ``parameters: Mapping[str, Any]``, what changes its answers besides the messages; a
    recording is keyed by them.
    """

    name: str

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: type[BaseModel] | None,
        max_tokens: int | None,
        repeat: int = 0,
    ) -> Completion:
        """Answer ``messages``, constrained to ``schema`` where the model can be.

        ``repeat`` tells one asking of the same messages from the next; only recordings and scripts look at it.

        Raises:
            BackendError: no text came; ``kind`` says how it failed.
        """
        ...


class ThrottledError(BackendError):
    """A backend that asks for patience: ``retry_after`` in seconds, None where it did not say."""

    def __init__(
        self, message: str, *, kind: FailureKind, backend: str, stage: str = "", retry_after: float | None = None
    ) -> None:
        super().__init__(message, kind=kind, backend=backend, stage=stage)
        self.retry_after = retry_after


def estimate(text: str) -> int:
    """Tokens of a text where no tokenizer is at hand: one for every four characters, rounded up.

    >>> estimate(""), estimate("four"), estimate("fives")
    (0, 1, 2)
    """
    return math.ceil(len(text) / 4)


def wellformed(text: str) -> str:
    """The text with surrogate pairs joined and lone surrogates replaced by U+FFFD, so that it can be stored as UTF-8.

    >>> wellformed("a\\ud83d\\ude00b") == "a😀b", wellformed("a\\ud83d") == "a\\ufffd"
    (True, True)
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
