"""What a sweep is going to cost, said before it starts, and a cap that it stops at before it is passed.

>>> str(cap_of("2.50 USD")), str(cap_of("200k tokens"))
('2.50 USD', '200,000 tokens')
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from arandu_lab.bench.cards import dollars
from arandu_lab.bench.sweeps.purse import unpriced
from arandu_lab.errors import ConfigError
from arandu_lab.llm.prices import Prices
from arandu_lab.trace import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Cap:
    """The most that may be paid: US dollars or billed tokens, one of the two."""

    usd: float | None = None
    tokens: int | None = None

    def __post_init__(self) -> None:
        given = [one for one in (self.usd, self.tokens) if one is not None]
        if len(given) != 1 or not given[0] > 0:
            raise ConfigError(f"cap usd={self.usd!r}, tokens={self.tokens!r}; {_HOW}")

    def __str__(self) -> str:
        return f"{dollars(self.usd)} USD" if self.usd is not None else f"{self.tokens:,} tokens"

    @property
    def most(self) -> float:
        """The number."""
        return float(self.usd if self.usd is not None else self.tokens or 0)

    def spent(self, paid: Usage, prices: Prices, model: str) -> float:
        """What of it was paid. Raises ``ConfigError`` where dollars are capped and nobody states the model's price."""
        if self.tokens is not None:
            return float(paid.billed_tokens)
        cost = prices.cost(model, paid.input_tokens, paid.output_tokens)
        if cost is None:
            raise ConfigError(unpriced(model))
        return cost


def cap_of(given: Any) -> Cap | None:
    """A cap from words, or itself.

    Raises:
        ConfigError: a number without its unit, or anything else.
    """
    if given is None or isinstance(given, Cap):
        return given
    found = (
        re.fullmatch(r"\s*(\$?)\s*([\d_,]*\.?\d+)\s*([kM]?)\s*([A-Za-z]*)\s*", given)
        if isinstance(given, str)
        else None
    )
    if found is None:
        raise ConfigError(f"cap = {given!r}; {_HOW}")
    dollar, number, thousands, unit = found.groups()
    value = float(number.replace(",", "").replace("_", "")) * {"": 1, "k": 1_000, "M": 1_000_000}[thousands]
    if dollar or unit.upper() == "USD":
        return Cap(usd=value)
    if unit.lower() in ("tokens", "token", "tok"):
        return Cap(tokens=round(value))
    raise ConfigError(f"cap = {given!r}; {_HOW}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What is left to do and what it will ask; what is kept already is not among it.

    ``tokens`` and ``calls`` are of the models: of writing, from a rehearsal of each conversation's first turns by the
    offline rules; of judging, counted pair by pair where the memory is written already (``judged``), else from the
    largest pools that the settings can show. ``usd`` is None where nobody states the model's price.
    """

    settings: int
    questions: int
    ingests: int
    ingests_kept: int
    turns: int
    batches: int
    batches_kept: int
    reads: int
    pairs: int
    pairs_known: int
    calls: int
    input_tokens: int
    output_tokens: int
    usd: float | None
    model: str
    judged: bool

    @property
    def tokens(self) -> int:
        """In and out."""
        return self.input_tokens + self.output_tokens

    def rows(self) -> list[tuple[str, str]]:
        """What is said of it, a line each."""
        about = "" if self.judged or not self.pairs else ", at most"
        known = f", {self.pairs_known:,} of them known" if self.pairs_known else ""
        price = "free" if self.usd == 0 else "price not known" if self.usd is None else f"about {self.usd:,.2f} USD"
        return [
            ("settings", f"{self.settings:,} (the default among them)"),
            (
                "to write",
                f"{_many(self.ingests, 'memory', 'memories')} of {_many(self.turns, 'turn')}; {self.ingests_kept} kept",
            ),
            (
                "to read",
                f"{self.reads:,} answers to {self.questions:,} questions; {self.batches_kept} of {self.batches} batches kept",
            ),
            ("to judge", f"{_many(self.pairs, 'pair')} of a question and a fact{about}{known}"),
            ("models", f"{self.model}: {_many(self.calls, 'call')}, about {self.tokens:,} tokens, {price}"),
        ]

    def __str__(self) -> str:
        wide = max(len(name) for name, _ in self.rows())
        return "\n".join(f"{name:<{wide}}  {said}" for name, said in self.rows())

    def _repr_html_(self) -> str:
        cells = "".join(
            f"<tr><th style='text-align:left'>{a}</th><td style='text-align:left'>{b}</td></tr>" for a, b in self.rows()
        )
        return f"<table>{cells}</table>"


_HOW = 'wants a number with its unit: "2.50 USD" or "200k tokens"'


def _many(count: int, one: str, several: str = "") -> str:
    return f"{count:,} {one if count == 1 else several or one + 's'}"
