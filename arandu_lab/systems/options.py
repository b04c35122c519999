"""Whether options fit what a constructor says it takes, before it is called: ``k1 = "x"`` is refused by name."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, get_type_hints

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.errors import PydanticUserError
from pydantic_core import PydanticSerializationError, to_json

from arandu_lab.errors import ConfigError


def check_options(make: Callable[..., Any], options: Mapping[str, Any]) -> None:
    """Compare options with the annotations of a constructor. What has none, or one of a foreign kind, is let by.

    Nothing is converted: text is no number, a truth value is no number either. A whole number does for a real one, and
    a list, as TOML writes it, for a tuple or a set.

    Raises:
        ConfigError: an option of another type, or a number that is none.

    >>> def made(*, k1: float = 1.5, words: tuple[str, ...] = ()): ...
    >>> check_options(made, {"k1": 2, "words": ["a"]})
    >>> check_options(made, {"k1": "x"})
    Traceback (most recent call last):
    ...
    arandu_lab.errors.ConfigError: k1 = 'x'; input should be a valid number
    """
    adapters = _adapters(make)
    for name, value in options.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise ConfigError(f"{name} = {value!r}; wants a number")
        if name in adapters:
            _check(name, value, adapters[name])


def _check(name: str, value: Any, adapter: TypeAdapter[Any]) -> None:
    try:
        adapter.validate_python(value, strict=True)
    except ValidationError as failed:
        if isinstance(value, list | dict):
            try:
                adapter.validate_json(to_json(value), strict=True)
            except (ValidationError, PydanticSerializationError):
                pass
            else:
                return
        said = failed.errors()[0]["msg"]
        raise ConfigError(f"{name} = {value!r}; {said[:1].lower()}{said[1:]}") from None


@lru_cache(maxsize=256)
def _adapters(make: Callable[..., Any]) -> dict[str, TypeAdapter[Any]]:
    """An adapter for each parameter whose annotation can be read and checked; one that cannot spoils no other."""
    try:
        parameters = inspect.signature(make).parameters
    except (TypeError, ValueError):
        return {}
    within = getattr(inspect.unwrap(make.__init__ if inspect.isclass(make) else make), "__globals__", {})
    out = {}
    for name, parameter in parameters.items():
        if parameter.annotation is parameter.empty:
            continue
        try:
            alone = SimpleNamespace(__annotations__={name: parameter.annotation})
            out[name] = TypeAdapter(get_type_hints(alone, within)[name], config=ConfigDict(strict=True))
        except (NameError, TypeError, AttributeError, SyntaxError, PydanticUserError):
            continue
    return out
