"""What a system costs, as values beside the measures of quality: from what was counted and timed, never mixed into it.

``Tokens`` are what the models of a memory were asked, in and out, caches not considered; ``Calls`` how often; ``Seconds``
the time of listening and asking on the machine that ran it. Bare they are of the whole dataset; ``.write`` is a turn that
was listened to, ``.read`` a question that was asked. Controls ask no model, so theirs are 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast, get_args

import polars as pl

from arandu_lab.errors import ConfigError, nearest

if TYPE_CHECKING:
    from arandu_lab.bench.frames import Frames

Kind: TypeAlias = Literal["Tokens", "Calls", "Seconds"]
Side: TypeAlias = Literal["write", "read"]
_KEYS = ["dataset", "system"]
_PHASE = {"write": "listen", "read": "ask"}
_COLUMN = {"Tokens": "tokens_asked", "Calls": "calls"}


@dataclass(frozen=True, slots=True)
class Cost:
    """What is counted, and a turn, a question or the whole of it.

    >>> str(Tokens.write), str(Calls), eval(repr(Seconds.read)) == Seconds.read
    ('Tokens.write', 'Calls', True)
    """

    name: Kind
    side: Side | None = None

    @property
    def write(self) -> Cost:
        """The mean a turn."""
        return replace(self, side="write")

    @property
    def read(self) -> Cost:
        """The mean a question."""
        return replace(self, side="read")

    def __str__(self) -> str:
        return self.name if self.side is None else f"{self.name}.{self.side}"


Tokens, Calls, Seconds = Cost("Tokens"), Cost("Calls"), Cost("Seconds")


def is_cost(name: str | Any) -> bool:
    """Whether this names a cost rather than a measure of quality.

    >>> is_cost("Tokens.write"), is_cost("R@10")
    (True, False)
    """
    return isinstance(name, Cost) or (isinstance(name, str) and name.partition(".")[0] in get_args(Kind))


def parse_cost(text: str | Cost) -> Cost:
    """A cost by its exact name.

    Raises:
        ConfigError: none of that name.

    >>> parse_cost("Calls.read")
    Cost(name='Calls', side='read')
    """
    if isinstance(text, Cost):
        return text
    known = [name + side for name in get_args(Kind) for side in ("", ".write", ".read")]
    if text not in known:
        raise ConfigError(f"measure {text!r}; {nearest(text, known)}")
    name, _, side = text.partition(".")
    return Cost(cast("Kind", name), cast("Side", side) if side else None)


def costs_of(frames: Frames, costs: Iterable[str | Cost], by: Iterable[str] = ()) -> pl.DataFrame:
    """``dataset system``, the columns of ``by`` (``conversation``), and a column a cost.

    Null where nothing was heard or asked, so that there is nothing to divide by.
    """
    keys = [*_KEYS, *by]
    out = frames.usage.select(keys).unique(maintain_order=True)
    for cost in map(parse_cost, costs):
        if cost.name == "Seconds":
            counted = frames.times.select(
                *keys, "phase", (pl.col("ms") / 1000).alias("amount"), pl.lit(1).alias("items")
            )
        else:
            whole = frames.usage.filter(pl.col("stage").is_null())
            counted = whole.select(*keys, "phase", pl.col(_COLUMN[cost.name]).alias("amount"), "items")
        if cost.side is not None:
            counted = counted.filter(pl.col("phase") == _PHASE[cost.side])
        total = counted.group_by(keys).agg(pl.col("amount").sum().cast(pl.Float64), pl.col("items").sum())
        share = pl.when(pl.col("items") > 0).then(pl.col("amount") / pl.col("items")) if cost.side else pl.col("amount")
        out = out.join(total.select(*keys, share.alias(str(cost))), on=keys, how="left", maintain_order="left")
    return out
