"""Whether an answer is right, by a model: CORRECT, INCORRECT, or neither, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.llm import tasks
from arandu_lab.llm.open import open_minds
from arandu_lab.llm.verdicts import Verdict
from arandu_lab.trace import Span
from arandu_lab.units import Positive, Seconds

State = Literal["scored", "unparsable", "errored"]
"""``unparsable``: the judge answered and said neither; ``errored``: no answer came. Neither is ever counted as wrong."""

_NO_VERDICT = frozenset({"malformed", "empty", "refused"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """``verdict`` is None unless ``state`` is ``scored``. ``votes`` are those of each asking, None where none came.

    ``error`` says why there is none, ``cause`` is the failure itself.
    """

    verdict: Verdict | None
    state: State
    votes: tuple[Verdict | None, ...]
    error: str | None = None
    cause: BackendError | None = field(default=None, repr=False, compare=False)


class Judge:
    """A judge of answers; asked ``repeats`` times (an odd number), the majority of all askings decides.

    A question whose answer was never said (``absent``) is judged as an abstention, whatever its id looks like (R5).

    >>> import asyncio
    >>> from datetime import UTC
    >>> at = datetime(2025, 1, 1, tzinfo=UTC)
    >>> asyncio.run(Judge("offline/rules").judge("Where does Ana live?", "In Olinda.", at, gold=["Recife"]))
    Judged(verdict='INCORRECT', state='scored', votes=('INCORRECT',), error=None)
    """

    def __init__(self, llm: Any = "offline/rules", *, repeats: Positive = 1, timeout: Seconds = 60.0) -> None:
        if repeats < 1 or repeats % 2 == 0:
            raise ConfigError(f"repeats={repeats}: wants an odd number, at least 1, so that there is a majority")
        self.minds = open_minds(llm)
        self.name = self.minds.names["judge"]
        self.repeats, self.timeout = repeats, timeout

    async def judge(
        self,
        question: str,
        answer: str,
        now: datetime,
        *,
        gold: Sequence[str] = (),
        absent: bool = False,
        wrong_answer: str | None = None,
        language: str = "en",
        span: Span | None = None,
    ) -> Judged:
        """The verdict on an answer to a question put at ``now``; usage goes to ``span``. A failure is told, not raised.

        Raises:
            ConfigError: neither gold answers nor ``absent``.
        """
        if not gold and not absent:
            raise ConfigError(
                f"question {question!r} has no gold answer and is not absent; there is nothing to judge by"
            )
        inputs: dict[str, Any] = {"question": question, "asked_at": now.isoformat(), "answer": answer}
        inputs["language"] = language
        if absent:
            inputs |= {"absent": True} | ({"wrong_answer": wrong_answer} if wrong_answer else {})
        else:
            inputs["gold"] = list(gold)
        minds = self.minds.metered(span or Span("judge"))
        votes: list[Verdict | None] = []
        failures: list[BackendError] = []
        for repeat in range(self.repeats):
            try:
                votes.append(
                    (await minds.ask(tasks.verdict(), inputs, timeout=self.timeout, repeat=repeat)).value.verdict
                )
            except BackendError as error:
                votes.append(None)
                failures.append(error)
        return _decided(tuple(votes), failures)


def _decided(votes: tuple[Verdict | None, ...], failures: Sequence[BackendError]) -> Judged:
    """More than half of all askings, or nothing."""
    for verdict, number in Counter(vote for vote in votes if vote is not None).items():
        if 2 * number > len(votes):
            return Judged(verdict=verdict, state="scored", votes=votes)
    outage = next((error for error in failures if error.kind not in _NO_VERDICT), None)
    error = outage or failures[0]
    return Judged(verdict=None, state="errored" if outage else "unparsable", votes=votes, error=str(error), cause=error)
