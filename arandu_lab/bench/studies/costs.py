"""What a study is going to cost, said before it starts; and what is left of a cap between its parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arandu_lab.bench.sweeps.costs import Cap, Estimate
from arandu_lab.bench.sweeps.purse import Allowance, Purse, unpriced
from arandu_lab.errors import ConfigError
from arandu_lab.llm.prices import FREE, Prices, read_prices
from arandu_lab.trace import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Calls and tokens of one part of a study, before it is done. ``what`` names the part, ``work`` says what it does."""

    what: str
    work: str
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    @property
    def tokens(self) -> int:
        """In and out."""
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Bill:
    """The costs of all parts at the price of a model; ``priced_as`` is another model whose price is told beside it."""

    parts: tuple[Cost, ...]
    model: str
    priced_as: str
    prices: Prices

    @property
    def calls(self) -> int:
        """Of all parts."""
        return sum(one.calls for one in self.parts)

    @property
    def tokens(self) -> int:
        """Of all parts, in and out."""
        return sum(one.tokens for one in self.parts)

    @property
    def usd(self) -> float | None:
        """At the model's price; None where nobody states it."""
        return self._at(self.model)

    def lines(self) -> list[str]:
        """The estimate in words, a line a part and one for all."""
        wide = max(len(one.what) for one in self.parts)
        out = [
            f"{one.what:<{wide}}  {one.work}: {one.calls:,} calls, about {one.tokens:,} tokens" for one in self.parts
        ]
        price = "free" if self.usd == 0 else "price not known" if self.usd is None else f"about {self.usd:,.2f} USD"
        out.append(
            f"{'in all':<{wide}}  {self.calls:,} calls of {self.model}, about {self.tokens:,} tokens, {price};"
            " what is kept already costs nothing again"
        )
        if self.priced_as and self.priced_as != self.model:
            other = self._at(self.priced_as)
            said = "is not known" if other is None else f"this would be about {other:,.2f} USD"
            source = self.prices.price(self.priced_as)
            out.append(
                f"{'':<{wide}}  at the price of {self.priced_as} {said}" + (f" ({source.source})" if source else "")
            )
        return out

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def within(self, cap: Cap | None) -> None:
        """Refuse what would pass the cap by the estimate already. What costs nothing never does.

        Raises:
            ConfigError: it would; nothing was asked.
        """
        if cap is None or self.model == FREE or not self.tokens:
            return
        if cap.usd is not None and self.usd is None:
            raise ConfigError(unpriced(self.model))
        expected = float(self.tokens if self.usd is None or cap.tokens is not None else self.usd)
        if expected > cap.most:
            told = f"{self.tokens:,} tokens" + ("" if self.usd is None else f" or {self.usd:,.2f} USD")
            raise ConfigError(
                f"the cap is {cap}, the estimate {told} if no answer is kept already; nothing was asked."
                " Give a higher cap, or fewer turns"
            )

    def _at(self, model: str) -> float | None:
        sides = [sum(getattr(one, side) for one in self.parts) for side in ("input_tokens", "output_tokens")]
        return self.prices.cost(model, *sides)


def bill_of(parts: Sequence[Cost], model: str, priced_as: str) -> Bill:
    """The bill at today's table of prices."""
    return Bill(parts=tuple(parts), model=model, priced_as=priced_as, prices=read_prices())


def swept_cost(what: str, work: str, estimate: Estimate) -> Cost:
    """The part of a study that a sweep does, by the sweep's own estimate."""
    return Cost(
        what=what,
        work=f"{work}; {estimate.ingests} memories of {estimate.turns:,} turns to write, {estimate.pairs:,} pairs to judge",
        calls=estimate.calls,
        input_tokens=estimate.input_tokens,
        output_tokens=estimate.output_tokens,
    )


def allowance(cap: Cap | None, model: str, spent: Usage, prices: Prices) -> Allowance | None:
    """What a part may still pay; None without a cap, or with a model that costs nothing.

    Raises:
        ConfigError: nothing is left.
    """
    left = rest(cap, model, spent, prices)
    return None if left is None or model == FREE else Allowance(left=left.most, usd=left.usd is not None, prices=prices)


def rest(cap: Cap | None, model: str, spent: Usage, prices: Prices) -> Cap | None:
    """The cap less what was paid. Raises ``ConfigError`` where nothing is left."""
    if cap is None or model == FREE:
        return cap
    left = cap.most - cap.spent(spent, prices, model)
    if left <= 0:
        raise ConfigError(stopped(cap, spent))
    return Cap(usd=left) if cap.usd is not None else Cap(tokens=max(1, int(left)))


def stopped(cap: Cap | None, paid: Usage) -> str:
    """What to say where a cap stopped a study."""
    return (
        f"stopped before the cap of {cap} was passed: {paid.billed_tokens:,} tokens in {paid.billed_calls:,} calls paid."
        " The answers are kept in the cassette, and the same study with a higher cap goes on from there"
    )


def said_of_cap(purse: Purse, cap: Cap | None, before: Usage, error: ConfigError) -> ConfigError:
    """The error to raise where a purse may have refused: about the cap if it did. ``before`` was paid by earlier parts."""
    return ConfigError(stopped(cap, before + purse.paid)) if purse.passed else error
