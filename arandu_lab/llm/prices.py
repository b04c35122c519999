"""What tokens would have cost: litellm's table of the installed version, and a file of one's own that goes before it.

::

    # prices.toml: US dollars a million tokens, as of a day
    date = "2026-11-30"
    [models."openai/gpt-4.1-mini"]
    input  = 0.40
    output = 1.60

A price that nobody states is unknown (None), never 0. ``offline/rules`` costs nothing by definition. Prices are flat: tiers
by length and discounts for cached prompts are left out. Nothing is fetched; litellm itself is not imported.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any

from arandu_lab.errors import ConfigError, nearest
from arandu_lab.places import local

FREE = "offline/rules"
FILE = "prices.toml"
_TABLE = "model_prices_and_context_window_backup.json"
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars a token, and who says so."""

    input: float
    output: float
    source: str

    def of(self, input_tokens: int, output_tokens: int) -> float:
        """US dollars for so many tokens.

        >>> Price(4e-07, 1.6e-06, "").of(1_000_000, 500_000)
        1.2
        """
        return round(input_tokens * self.input + output_tokens * self.output, 12)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """A dated table of prices.

    Attributes:
        own: Prices of one's own, which go first; ``date`` is their day, ``digest`` the sha256 of their file.
    """

    own: Mapping[str, Price] = field(default_factory=dict)
    date: str = ""
    digest: str = ""

    def price(self, model: str) -> Price | None:
        """The price of a model by its litellm string; None where nobody states it.

        >>> Prices().price("offline/rules"), Prices().price("nobody/knows")
        (Price(input=0.0, output=0.0, source='by definition'), None)
        """
        if model == FREE:
            return Price(0.0, 0.0, "by definition")
        if model in self.own:
            return self.own[model]
        table = litellm_table()
        provider, _, plain = model.partition("/")
        found = table.get(model)
        if found is None and plain and (other := table.get(plain)) and other.get("litellm_provider") == provider:
            found = other
        sides = [(found or {}).get(f"{side}_cost_per_token") for side in ("input", "output")]
        if not all(isinstance(one, int | float) for one in sides):
            return None
        return Price(float(sides[0] or 0), float(sides[1] or 0), litellm_version())

    def cost(self, model: str | None, input_tokens: int, output_tokens: int) -> float | None:
        """US dollars for tokens of a model; 0 for no tokens, None where the price is not known."""
        if not input_tokens and not output_tokens:
            return 0.0
        price = None if model is None else self.price(model)
        return None if price is None else price.of(input_tokens, output_tokens)

    def told(self) -> dict[str, str]:
        """What a result writes down of the table: who states it and since when."""
        out = {"table": litellm_version(), "sha256": _digest()}
        return out | ({"own": self.date, "own_sha256": self.digest} if self.digest else {})


def read_prices(path: str | Path = "") -> Prices:
    """The table with a file of one's own before it; no path: ``prices.toml`` where the command runs, if there is one.

    Raises:
        ConfigError: no such file, an unknown key, or a price that is no number of at least 0.
    """
    place = local(path or FILE, "prices")
    if not path and not place.is_file():
        return Prices()
    try:
        raw = place.read_bytes()
        read = prices_of(tomllib.loads(raw.decode("utf-8-sig")))
    except OSError as error:
        raise ConfigError(f"{place}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{place}: not TOML: {error}") from None
    except ConfigError as error:
        raise ConfigError(f"{place}: {error}") from None
    return Prices(own=read.own, date=read.date, digest=hashlib.sha256(raw).hexdigest())


def prices_of(data: Mapping[str, Any]) -> Prices:
    """The prices in a parsed file.

    Raises:
        ConfigError: as :func:`read_prices`.

    >>> prices_of({"date": "2026-11-30", "models": {"a/b": {"input": 1, "output": 2, "cached": 3}}})
    Traceback (most recent call last):
    ...
    arandu_lab.errors.ConfigError: [models."a/b"] unknown key 'cached'; known: input, output
    """
    for key in data:
        if key not in ("date", "models"):
            raise ConfigError(f"unknown key {key!r}; {nearest(key, ('date', 'models'))}")
    day = data.get("date")
    try:
        day = day.isoformat() if isinstance(day, date) else date.fromisoformat(day or "").isoformat()
    except (TypeError, ValueError):
        raise ConfigError(f'date = {day!r}; wants the day of the prices, such as date = "2026-11-30"') from None
    models = data.get("models", {})
    if not isinstance(models, Mapping) or not models:
        raise ConfigError('no prices; wants tables such as [models."openai/gpt-4.1-mini"] with input and output')
    own = {}
    for name, table in models.items():
        where = f'[models."{name}"]'
        if not isinstance(table, Mapping):
            raise ConfigError(f"{where} = {table!r}; wants input and output, in US dollars a million tokens")
        for key in table:
            if key not in ("input", "output"):
                raise ConfigError(f"{where} unknown key {key!r}; {nearest(key, ('input', 'output'))}")
        sides = [table.get(side) for side in ("input", "output")]
        for side, value in zip(("input", "output"), sides, strict=True):
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
                raise ConfigError(f"{where} {side} = {value!r}; wants US dollars a million tokens, at least 0")
        own[str(name)] = Price(sides[0] / _MILLION, sides[1] / _MILLION, f"{FILE} of {day}")  # type: ignore[operator]
    return Prices(own=own, date=day)


@lru_cache(maxsize=1)
def litellm_table() -> Mapping[str, Mapping[str, Any]]:
    """litellm's own table, read from its package."""
    place = _place()
    if place is None:
        return {}
    table: Mapping[str, Mapping[str, Any]] = json.loads(place.read_text(encoding="utf-8"))
    return table


@lru_cache(maxsize=1)
def litellm_version() -> str:
    """Whose table it is and when it was put there, such as ``litellm 1.80.0 (installed 2026-11-30)``."""
    place = _place()
    if place is None:
        return "none"
    day = datetime.fromtimestamp(place.stat().st_mtime, UTC).date()
    return f"litellm {metadata.version('litellm')} (installed {day.isoformat()})"


@lru_cache(maxsize=1)
def _digest() -> str:
    place = _place()
    return "" if place is None else hashlib.sha256(place.read_bytes()).hexdigest()


def _place() -> Path | None:
    spec = importlib.util.find_spec("litellm")
    if spec is None or spec.origin is None:
        return None
    found = Path(spec.origin).parent / _TABLE
    return found if found.is_file() else None
