"""Any model litellm knows. litellm is imported when a ``LiteLLM`` is built, with its local price table: no network.

* The answer is constrained as far as the model can be: JSON schema, else JSON object, else by the prompt alone. What
  was not enforced stands in ``Completion.notes``.
* A parameter that a provider rejects is left out, and stays out for this backend's life; that stands there too.
* Deadlines and retries are ``Minds``'; litellm's own are switched off.
"""

from __future__ import annotations

import importlib
import os
import re
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.llm.backend import Completion, Finish, Message, estimate
from arandu_lab.llm.litellm_errors import translated

_SECRET = re.compile(r"key|token$|secret|header|credential", re.IGNORECASE)
_COMPLAINT = re.compile(
    r"support|not permitted|not allowed|unrecognized|unexpected|unknown|invalid|extra|deprecated|only the default",
    re.IGNORECASE,
)
_NEVER_DROPPED = {"model", "messages", "num_retries", "api_key", "api_base", "mock_response"}


def load() -> Any:
    """The litellm module, imported without touching the network, its notices and schema warnings silenced."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    library: Any = importlib.import_module("litellm")
    library.suppress_debug_info = True
    warnings.filterwarnings("ignore", message=r".*`ReadOnly` qualifier.*", category=UserWarning)
    return library


class LiteLLM:
    """A model by its litellm string, e.g. ``LiteLLM("openai/gpt-4.1-mini", temperature=0.0)``.

    ``parameters`` go to every call as they are; temperature is 0 unless said otherwise.

    Raises:
        ConfigError: litellm knows no provider for the string.
    """

    def __init__(self, model: str, **parameters: Any) -> None:
        self.name = model
        self._library = load()
        if model.startswith(("offline/", "gguf/")):
            from arandu_lab.llm.providers import register_offline

            register_offline()
        self._parameters: dict[str, Any] = {"temperature": 0.0, **parameters}
        self._dropped: dict[str, str] = {}
        self._format = self._probe()

    @property
    def parameters(self) -> Mapping[str, Any]:
        """What was asked to go to every call, without keys and headers."""
        return {name: value for name, value in self._parameters.items() if not _SECRET.search(name)}

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: type[BaseModel] | None,
        max_tokens: int | None,
        repeat: int = 0,
    ) -> Completion:
        """One completion; a rejected parameter is left out and the call made again.

        Raises:
            BackendError: the provider failed; ``ThrottledError`` where it said when to come back.
        """
        while True:
            request = self._request(messages, schema, max_tokens)
            try:
                response = await self._library.acompletion(**request)
            except Exception as error:  # a foreign library may raise anything: it is left out, or leaves as ours
                if self._without(error, request):
                    continue
                raise translated(error, self.name) from error
            return self._completion(response, messages, schema)

    # ------------------------------------------------------------ the request

    def _probe(self) -> str:
        """The strongest response format of the model: ``json_schema``, ``json_object`` or ``none``."""
        library = self._library
        try:
            library.get_llm_provider(self.name)
        except library.exceptions.BadRequestError as error:
            raise ConfigError(
                f"model {self.name!r}: litellm knows no such provider; wanted e.g. 'openai/gpt-4.1-mini',"
                " 'ollama_chat/llama3', 'offline/rules' or 'gguf:/path/model.gguf'"
            ) from error
        if self.name.startswith("gguf/") or library.supports_response_schema(self.name):
            return "json_schema"
        supported = library.get_supported_openai_params(self.name) or []
        return "json_object" if "response_format" in supported else "none"

    def _request(
        self, messages: Sequence[Message], schema: type[BaseModel] | None, max_tokens: int | None
    ) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self.name,
            "messages": [{"role": message.role, "content": message.content} for message in messages],
            "num_retries": 0,
            **self._parameters,
        }
        if max_tokens is not None:
            renamed = self._dropped.get("max_tokens") == "max_completion_tokens"
            request.setdefault("max_completion_tokens" if renamed else "max_tokens", max_tokens)
        if schema is not None and self._format != "none":
            request.setdefault("response_format", _response_format(self._format, schema))
        return {name: value for name, value in request.items() if name not in self._dropped}

    def _without(self, error: Exception, request: Mapping[str, Any]) -> bool:
        """Whether ``error`` rejects a parameter; if so it is left out from now on."""
        rejections = (self._library.exceptions.BadRequestError, self._library.exceptions.UnprocessableEntityError)
        said = str(error)
        if not isinstance(error, rejections) or not _COMPLAINT.search(said):
            return False
        for name in sorted(set(request) - _NEVER_DROPPED):
            if name == "response_format" and re.search(r"response_format|json_schema|json_object", said):
                self._format = "json_object" if self._format == "json_schema" else "none"
                return True
            if re.search(rf"\b{re.escape(name)}\b", said):
                instead = "max_completion_tokens"
                self._dropped[name] = instead if name == "max_tokens" and instead in said else "left out"
                return True
        return False

    # ------------------------------------------------------------ the response

    def _completion(self, response: Any, messages: Sequence[Message], schema: type[BaseModel] | None) -> Completion:
        choices = getattr(response, "choices", None)
        if not choices:
            raise BackendError("a response without choices", kind="empty", backend=self.name)
        message = choices[0].message
        refusal = getattr(message, "refusal", None)
        calls = getattr(message, "tool_calls", None)
        text = message.content or (calls[0].function.arguments if calls else None) or refusal or ""
        reason = str(getattr(choices[0], "finish_reason", "") or "")
        finish: Finish = "length" if reason == "length" else "stop"
        if refusal or reason == "content_filter":
            finish = "refused"
        usage = getattr(response, "usage", None)
        asked = getattr(usage, "prompt_tokens", None)
        said = getattr(usage, "completion_tokens", None)
        return Completion(
            text,
            estimate("".join(part.content for part in messages)) if asked is None else int(asked),
            estimate(text) if said is None else int(said),
            model=self.name,
            cost_usd=self._cost(response),
            finish=finish,
            notes=self._notes(schema),
        )

    def _cost(self, response: Any) -> float | None:
        try:
            return float(self._library.completion_cost(completion_response=response))
        except Exception:  # noqa: BLE001 - litellm raises a bare Exception for a model without a price
            return None

    def _notes(self, schema: type[BaseModel] | None) -> tuple[str, ...]:
        notes = [f"parameter {name}: {how}" for name, how in sorted(self._dropped.items())]
        if schema is not None and self._format != "json_schema":
            notes.append(f"schema not enforced ({self._format})")
        return tuple(notes)


def _response_format(form: str, schema: type[BaseModel]) -> dict[str, Any]:
    if form == "json_object":
        return {"type": "json_object"}
    return {
        "type": "json_schema",
        "json_schema": {"name": schema.__name__, "schema": schema.model_json_schema(), "strict": False},
    }
