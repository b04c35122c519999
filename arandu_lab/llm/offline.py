"""The offline model: rules instead of a network, the same bytes for the same prompt, English and Portuguese."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from arandu_lab.errors import BackendError
from arandu_lab.llm.backend import Completion, Message, estimate
from arandu_lab.llm.scripted import read_block


class OfflineRules:
    """``offline/rules``: reads the JSON block of the user message and answers by rules. No key, no network, no cost.

    Tokens are counted by ``estimate``, one for every four characters.

    >>> OfflineRules().name
    'offline/rules'
    """

    name = "offline/rules"

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: type[BaseModel] | None,
        max_tokens: int | None,
        repeat: int = 0,
    ) -> Completion:
        """The rules' answer as JSON text.

        Raises:
            BackendError: ``refused`` where the user message holds no block of a known task.
        """
        text = answer_text(messages)
        asked = estimate("".join(message.content for message in messages))
        return Completion(text, asked, estimate(text), model=self.name, cost_usd=0.0)


def answer_text(messages: Sequence[Message]) -> str:
    """The bytes that both the direct backend and the litellm provider answer.

    Raises:
        BackendError: ``refused`` where there is no JSON block to read.
    """
    task, inputs = read_block(messages)
    if not task:
        raise BackendError(
            'the user message holds no JSON block {"task": …, "inputs": …}', kind="refused", backend=OfflineRules.name
        )
    answer: Mapping[str, Any] = _rules(task, inputs)
    return json.dumps(answer, ensure_ascii=False, sort_keys=True)


def _rules(task: str, inputs: dict[str, Any]) -> Mapping[str, Any]:
    from arandu_lab.llm import rules  # imported when first asked: its word tables take a moment

    return rules.answer(task, inputs)
