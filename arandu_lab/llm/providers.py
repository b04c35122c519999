"""Our offline models as litellm providers: ``offline/rules`` and ``gguf//path.gguf`` work wherever litellm does."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from arandu_lab.llm.backend import Message, estimate
from arandu_lab.llm.litellm import load
from arandu_lab.llm.local import Gguf
from arandu_lab.llm.offline import answer_text


def register_offline() -> None:
    """Make litellm know the providers ``offline`` and ``gguf``; calling it again changes nothing.

    ``litellm.acompletion(model="offline/rules", messages=…)`` then answers the bytes of ``OfflineRules``.
    """
    library = load()
    known = {entry["provider"] for entry in library.custom_provider_map}
    for provider, answer in (("offline", _rules), ("gguf", _gguf)):
        if provider not in known:
            library.custom_provider_map = [
                *library.custom_provider_map,
                {"provider": provider, "custom_handler": _handler(library, answer)},
            ]


def _handler(library: Any, answer: Any) -> Any:
    """A litellm handler around ``answer(model, messages, options) -> (text, tokens in, tokens out, finish)``."""

    def filled(response: Any, model: str, found: tuple[str, int, int, str]) -> Any:
        text, asked, said, finish = found
        response.choices[0].message.content = text
        response.choices[0].finish_reason = finish
        response.model = model
        response.usage = library.Usage(prompt_tokens=asked, completion_tokens=said, total_tokens=asked + said)
        return response

    def completion(self: Any, *args: Any, **given: Any) -> Any:
        found = answer(given["model"], _messages(given["messages"]), given.get("optional_params") or {})
        return filled(given["model_response"], given["model"], found)

    async def acompletion(self: Any, *args: Any, **given: Any) -> Any:
        options = given.get("optional_params") or {}
        found = await asyncio.to_thread(answer, given["model"], _messages(given["messages"]), options)
        return filled(given["model_response"], given["model"], found)

    return type("Arandu", (library.CustomLLM,), {"completion": completion, "acompletion": acompletion})()


def _messages(raw: Sequence[Any]) -> list[Message]:
    return [Message("system" if part["role"] == "system" else "user", str(part["content"])) for part in raw]


def _rules(model: str, messages: list[Message], options: dict[str, Any]) -> tuple[str, int, int, str]:
    text = answer_text(messages)
    return text, estimate("".join(message.content for message in messages)), estimate(text), "stop"


_OPENED: dict[str, Gguf] = {}


def _gguf(model: str, messages: list[Message], options: dict[str, Any]) -> tuple[str, int, int, str]:
    backend = _OPENED.setdefault(model, Gguf(model))
    form = options.get("response_format") or {}
    schema = form.get("json_schema", {}).get("schema") if isinstance(form, dict) else None
    done = backend.complete_now(messages, schema, options.get("max_tokens"), 0)
    return done.text, done.input_tokens, done.output_tokens, "length" if done.finish == "length" else "stop"
