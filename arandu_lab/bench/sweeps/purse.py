"""What a step of a sweep asks of a model: through a cassette, counted, and stopped before what is left would be passed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from arandu_lab.errors import ConfigError
from arandu_lab.llm.backend import Backend, Completion, Message
from arandu_lab.llm.cassette import Cassette, checked
from arandu_lab.llm.open import open_backend
from arandu_lab.llm.prices import FREE, Prices
from arandu_lab.llm.tokens import token_counter
from arandu_lab.trace import Usage

OVER = "the cap would be passed"
_ANSWER = 1024
"""Tokens set aside for an answer: more than the documented tasks give."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """The most that one step may pay; in US dollars, or in tokens."""

    left: float
    usd: bool
    prices: Prices


class Purse:
    """A backend that counts what is really asked of it (:attr:`paid`), and asks nothing that its allowance may not cover.

    Raises:
        ConfigError: at :meth:`complete`: the question does not fit in what is left (:attr:`passed` is then set), or dollars
            are counted and nobody states the model's price. Nothing was asked.
    """

    def __init__(self, inner: Backend, allowance: Allowance | None = None) -> None:
        self.inner, self.name = inner, inner.name
        self.parameters: Mapping[str, Any] = getattr(inner, "parameters", {})
        self.allowance = allowance
        self.left = float("inf") if allowance is None else allowance.left
        self.passed = False
        self.paid = Usage()

    async def complete(
        self, messages: Sequence[Message], *, schema: type[BaseModel] | None, max_tokens: int | None, repeat: int = 0
    ) -> Completion:
        """The answer of ``inner``."""
        most = 0.0
        if self.allowance is not None:
            asked = sum(token_counter(self.name)(one.content) for one in messages)
            most = self._cost(asked, min(max_tokens or _ANSWER, _ANSWER))
            if most > self.left:
                self.passed = True
                raise ConfigError(OVER)
            self.left -= (
                most  # set aside while it is asked: two questions side by side must not both take the last of it
            )
        done = await self.inner.complete(messages, schema=schema, max_tokens=max_tokens, repeat=repeat)
        self.left += most - self._cost(done.input_tokens, done.output_tokens)
        self.paid = self.paid + Usage(
            calls=1,
            input_tokens=done.input_tokens,
            output_tokens=done.output_tokens,
            billed_calls=1,
            billed_tokens=done.input_tokens + done.output_tokens,
            cost_usd=done.cost_usd or 0.0,
        )
        return done

    def _cost(self, input_tokens: int, output_tokens: int) -> float:
        if self.allowance is None:
            return 0.0
        if not self.allowance.usd:
            return float(input_tokens + output_tokens)
        cost = self.allowance.prices.cost(self.name, input_tokens, output_tokens)
        if cost is None:
            raise ConfigError(unpriced(self.name))
        return cost


def opened(
    model: str, folder: Path, *, replay: str | None = None, allowance: Allowance | None = None
) -> tuple[Backend, Purse]:
    """The model of a step as its stages see it, and the purse beneath.

    Args:
        folder: Where cassettes lie that are not named by their path.
        replay: A mode of :class:`Cassette`, or the path of one. None: a model that costs anything is replayed from a
            cassette of its own, so that no question is paid for twice.

    Raises:
        ConfigError: no such mode, or a replay-only of a cassette that is not there.
    """
    purse = Purse(open_backend(model), allowance)
    if replay is None and model == FREE:
        return purse, purse
    modes = ("record", "replay", "replay-only")
    by_path = replay is not None and replay not in modes and ("/" in replay or replay.endswith(".jsonl"))
    path = replay if by_path and replay else str(folder / "cassettes" / f"{filed(model)}.jsonl")
    mode = "replay" if by_path or replay is None else checked(replay)
    return Cassette(path=path, mode=mode).before(purse), purse


def filed(model: str) -> str:
    """A model as a name of a file.

    >>> filed("openai/gpt-4.1-mini")
    'openai-gpt-4.1-mini'
    """
    return re.sub(r"[^\w.-]+", "-", model).strip("-") or "model"


def unpriced(model: str) -> str:
    """What to say of a model without a price under a cap in US dollars."""
    return f"a cap in US dollars, and nobody states the price of {model!r}: give it in prices.toml, or cap tokens"
