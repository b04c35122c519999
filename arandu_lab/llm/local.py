"""A GGUF file as the model, through xllamacpp (extra ``local``): no key, no network, one thread."""

from __future__ import annotations

import asyncio
import importlib
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from arandu_lab.errors import BackendError, ConfigError, FailureKind
from arandu_lab.llm.backend import Completion, Finish, Message, estimate

_SLOW = {"maxLength", "minLength", "default", "title", "description"}
_MOST_ITEMS = 24


class Gguf:
    """A local model by the path of its GGUF file; loaded when first asked, one request at a time.

    ``context`` is the window in tokens, prompt and answer together. A request whose deadline passed keeps computing
    until it is done: the next one waits for it.

    Raises:
        ConfigError: there is no such file.
    """

    def __init__(self, path: str | Path, *, context: int = 8192, threads: int = 1, temperature: float = 0.0) -> None:
        self.path = Path(path).expanduser()
        if not self.path.is_file():
            raise ConfigError(f"model 'gguf:{path}': no such file")
        self.name = f"gguf:{self.path.name}"
        self.parameters: Mapping[str, Any] = {"temperature": temperature, "context": context}
        self._context = context
        self._threads = threads
        self._temperature = temperature
        self._lock = threading.Lock()
        self._server: Any = None

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: type[BaseModel] | None,
        max_tokens: int | None,
        repeat: int = 0,
    ) -> Completion:
        """One completion, constrained to the schema by grammar.

        Raises:
            BackendError: ``refused`` where the prompt exceeds the context, ``unavailable`` where the model failed.
            ConfigError: xllamacpp is not installed.
        """
        plain = schema.model_json_schema() if schema else None
        return await asyncio.to_thread(self.complete_now, messages, plain, max_tokens, repeat)

    def complete_now(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None, max_tokens: int | None, repeat: int
    ) -> Completion:
        """As ``complete``, blocking; ``schema`` is a JSON schema."""
        request: dict[str, Any] = {
            "messages": [{"role": message.role, "content": message.content} for message in messages],
            "temperature": self._temperature,
            "seed": repeat,
        }
        if max_tokens is not None:
            request["max_tokens"] = max_tokens
        if schema is not None:
            form = {"name": "answer", "schema": lean(schema)}
            request["response_format"] = {"type": "json_schema", "json_schema": form}
        with self._lock:
            server = self._loaded()
            try:
                response: dict[str, Any] = server.handle_chat_completions(request)
            except Exception as error:  # the engine may raise anything; it leaves as our own error
                raise BackendError(f"{type(error).__name__}: {error}", kind="unavailable", backend=self.name) from error
        return self._completion(response, messages)

    def _completion(self, response: Mapping[str, Any], messages: Sequence[Message]) -> Completion:
        if "error" in response:
            told = response["error"]
            kind: FailureKind = "refused" if 400 <= int(told.get("code", 500)) < 500 else "unavailable"
            raise BackendError(str(told.get("message", told)), kind=kind, backend=self.name)
        choice = response["choices"][0]
        text = choice["message"].get("content") or ""
        usage = response.get("usage", {})
        finish: Finish = "length" if choice.get("finish_reason") == "length" else "stop"
        asked = usage.get("prompt_tokens", estimate("".join(message.content for message in messages)))
        said = usage.get("completion_tokens", estimate(text))
        return Completion(text, int(asked), int(said), model=self.name, cost_usd=0.0, finish=finish)

    def _loaded(self) -> Any:
        if self._server is None:
            try:
                engine = importlib.import_module("xllamacpp")
            except ImportError as error:
                raise ConfigError(
                    f"model {self.name!r} needs xllamacpp: pip install 'arandu-lab[local]'"
                    " (or pip install xllamacpp==2026.10.11549)"
                ) from error
            settings = engine.CommonParams()
            settings.model.path = str(self.path)
            settings.n_ctx = self._context
            settings.n_parallel = 1
            settings.cpuparams.n_threads = self._threads
            settings.cpuparams_batch.n_threads = self._threads
            settings.verbosity = -1
            try:
                self._server = engine.Server(settings)
            except Exception as error:  # the engine may raise anything on a file that is no model
                raise BackendError(
                    f"cannot load {self.path}: {error}", kind="unavailable", backend=self.name
                ) from error
        return self._server


def lean(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema that a grammar can carry: no lengths of strings (ten times slower), lists bounded, every field said.

    >>> lean({"properties": {"a": {"type": "string", "maxLength": 9}}, "type": "object"})
    {'properties': {'a': {'type': 'string'}}, 'type': 'object', 'required': ['a']}
    """
    thinned: dict[str, Any] = _thin(schema)
    if "properties" in thinned:
        thinned["required"] = list(thinned["properties"])
    return thinned


def _thin(part: Any, *, names: bool = False) -> Any:
    if isinstance(part, list):
        return [_thin(entry) for entry in part]
    if not isinstance(part, Mapping):
        return part
    kept = {
        key: _thin(value, names=key in {"properties", "$defs"})
        for key, value in part.items()
        if names or key not in _SLOW
    }
    if not names and kept.get("type") == "array":
        kept.setdefault("maxItems", _MOST_ITEMS)
    return kept
