"""How many tokens a text has: by the model's own tokenizer where litellm brings it along, else the stated estimate."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from arandu_lab.pure.budget import estimate_tokens

Counter = Callable[[str], int]

_OURS = ("offline/", "gguf", "scripted", "st:")
"""Beginnings of names that litellm has no tokenizer for."""

_BUNDLED = ("cl100k_base", "o200k_base", "o200k_harmony")
"""Encodings whose tables lie in litellm's package, so that nothing is fetched."""


def counter(mind: Any) -> Counter:
    """What counts the tokens of a context: the mind's ``count_tokens``, or the estimate where it has none.

    >>> counter(object())("four and four")
    4
    """
    found: Counter = getattr(mind, "count_tokens", estimate_tokens)
    return found


@lru_cache(maxsize=64)
def token_counter(model: str) -> Counter:
    """The counter of a model by its litellm name. It goes by the name alone, so a recording counts like the model.

    A tokenizer is loaded at the first count, from this machine. Text that looks like a control token is plain text.

    >>> token_counter("offline/rules")("four and four"), token_counter("ollama_chat/llama3")("four and four")
    (4, 4)
    """
    if model.startswith(_OURS) or (
        "/" not in model and not model.startswith(("gpt", "o1", "o3", "o4", "claude", "ft:"))
    ):
        return estimate_tokens
    from arandu_lab.llm.litellm import load

    library = load()
    plain = model.partition("/")[2] if model.startswith(("openai/", "azure/", "anthropic/", "deepseek/")) else model
    if not _local(library, plain):
        return estimate_tokens
    return lambda text: int(library.token_counter(model=plain, text=text)) if text else 0


def _local(library: Any, model: str) -> bool:
    """Whether litellm holds the very tokenizer of a model in its package."""
    if library.utils.huggingface_tokenizer_kind(model) in ("anthropic", "deepseek"):
        return True
    from tiktoken.model import encoding_name_for_model

    try:
        return encoding_name_for_model(model) in _BUNDLED
    except KeyError:
        return False
