"""A question answered from a context by a model, and by nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from arandu_lab.llm import tasks
from arandu_lab.llm.open import open_minds
from arandu_lab.pure.answers import abstains
from arandu_lab.trace import Span, Usage
from arandu_lab.units import Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """An answer. ``text`` is empty where the model says that the context does not hold it (``known`` False)."""

    text: str
    known: bool
    usage: Usage

    @property
    def abstained(self) -> bool:
        """Whether nothing was answered: said so, or in words such as "I don't know"."""
        return not self.known or abstains(self.text)


class Answerer:
    """Answers questions from contexts; ``llm`` is a model string, a backend, or models by role (``answer``).

    >>> import asyncio
    >>> from datetime import UTC
    >>> said = Answerer("offline/rules").answer(
    ...     "Onde a Ana mora?", "Known facts:\\n- Ana mora em Recife", datetime(2025, 1, 1, tzinfo=UTC), language="pt")
    >>> asyncio.run(said).text
    'Recife'
    """

    def __init__(self, llm: Any = "offline/rules", *, timeout: Seconds = 60.0) -> None:
        self.minds = open_minds(llm)
        self.name = self.minds.names["answer"]
        self.timeout = timeout

    async def answer(
        self, question: str, context: str, now: datetime, *, language: str = "en", span: Span | None = None
    ) -> Said:
        """The answer that the context holds to a question put at ``now``; usage goes to ``span`` too, failures included.

        Raises:
            BackendError: the model gave no answer that can be read.
        """
        own = span or Span("answer")
        inputs = {"question": question, "asked_at": now.isoformat(), "context": context, "language": language}
        found = await self.minds.metered(own).ask(tasks.answer(), inputs, timeout=self.timeout)
        text = (found.value.answer or "").strip()
        return Said(text=text if found.value.known else "", known=found.value.known and bool(text), usage=own.usage)
