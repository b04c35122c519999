"""A model that cannot be asked, said before anything is paid: a provider that nobody knows, a first asking that fails."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from arandu_lab.errors import BackendError, ConfigError, nearest
from arandu_lab.llm.prices import litellm_table

_OURS = ("offline", "gguf", "gguf:")
_NEVER = re.compile(r"(AuthenticationError|PermissionDeniedError|NotFoundError|BadRequestError):")


def check_models(*specs: Any) -> None:
    """Refuse a name whose provider litellm does not know, before litellm is imported (which takes seconds).

    What is no name passes, and so does every name where litellm is imported already and may know more than its files say.

    Raises:
        ConfigError: with the nearest provider.

    >>> check_models("openai/gpt-4.1-mini", {"judge": "offline/rules"}, None)
    """
    for name in (one for spec in specs for one in _names(spec)):
        provider, slash, _ = name.partition("/")
        known = () if "litellm" in sys.modules or not slash or provider in _OURS else providers()
        if known and provider not in known and name not in litellm_table() and f'"{name}"' not in _text("constants.py"):
            close = nearest(provider, known)
            hint = (
                close if close.startswith("did you mean") else "wanted e.g. 'openai/gpt-4.1-mini', 'ollama_chat/llama3'"
            )
            raise ConfigError(
                f"model {name!r}: litellm knows no provider {provider!r}; {hint}; without a network 'offline/rules'"
            )


def named(spec: Any) -> bool:
    """Whether a model was given by its name, so that nobody but its provider knows whether it is there."""
    return bool(list(_names(spec)))


def dead(error: BackendError | None) -> bool:
    """Whether a failure says that no asking can succeed: nobody answers, no key, no such model."""
    return error is not None and (
        error.kind == "unavailable" or (error.kind == "refused" and _NEVER.match(error.message) is not None)
    )


@lru_cache(maxsize=1)
def providers() -> tuple[str, ...]:
    """The providers of the installed litellm, read from its files; empty where they are not as expected."""
    found = re.search(r"^class LlmProviders\b.*?(?=^\S)", _text("types/utils.py").partition("\n")[2], re.M | re.S)
    listed = re.findall(r"""= ["']([^"']+)["']""", found[0]) if found else []
    if not listed:
        return ()
    more = json.loads(_text("llms/openai_like/providers.json") or "{}")
    return tuple(sorted({*listed, *more, *(name.partition("/")[0] for name in litellm_table() if "/" in name)}))


def _names(spec: Any) -> Iterator[str]:
    if isinstance(spec, str):
        yield spec
    elif isinstance(spec, Mapping):
        yield from (one for one in spec.values() if isinstance(one, str))


def _text(name: str) -> str:
    spec = importlib.util.find_spec("litellm")
    place = None if spec is None or spec.origin is None else Path(spec.origin).parent / name
    return place.read_text(encoding="utf-8") if place is not None and place.is_file() else ""
