"""Differences of two arms over the same messages, with intervals over conversations (over sessions where there is one)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from arandu_lab.bench.statistics import Difference, compare, verdict

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """A figure of two arms and their paired difference. ``clusters`` says what the interval is over.

    ``first`` and ``second`` are the arms' figures; ``difference`` is first minus second; None where there is nothing to
    compare (no gold, or no message that both read).
    """

    what: str
    first: float | None
    second: float | None
    difference: Difference | None
    messages: int
    clusters: str

    def said(self, *, falls: bool = False, scale: float = 100.0, unit: str = "points") -> str:
        """The difference in words."""
        if self.difference is None:
            return "nothing to compare"
        if not self.difference.wins and not self.difference.losses:
            return f"no difference: the same on all {self.messages:,} messages"
        return verdict(self.difference, falls=falls, scale=scale, unit=unit)


def share(what: str, frame: pl.DataFrame, part: str, whole: str, *, arms: tuple[str, str]) -> Paired:
    """A share of counts over all messages (of all facts stored, those that are right) under both arms.

    The interval is of the difference of the two pooled shares, each linearised (what a message adds to it), so that a
    message with many facts counts as many.

    Args:
        frame: As :func:`arandu_lab.bench.studies.forced.forced` gives it, of one dataset.
        part: The column counted; ``whole`` the one that it is a share of.
        arms: The difference is the first minus the second.
    """
    both, clusters, over = _both(frame, (part, whole), arms)
    if both.is_empty():
        return Paired(what=what, first=None, second=None, difference=None, messages=0, clusters=over)
    hits, of = (_column(both, f"{column} {arms[0]}") for column in (part, whole))
    other_hits, other_of = (_column(both, f"{column} {arms[1]}") for column in (part, whole))
    first, second = _pooled(hits, of), _pooled(other_hits, other_of)
    if first is None or second is None:
        return Paired(what=what, first=first, second=second, difference=None, messages=len(both), clusters=over)
    found = _compared(_linear(other_hits, other_of, second), _linear(hits, of, first), clusters)
    middle = (first + second) / 2
    gain = (hits - middle * of) - (other_hits - middle * other_of)
    same = (hits == other_hits) & (of == other_of)
    up, down = int((~same & (gain > 0)).sum()), int((~same & (gain < 0)).sum())
    found = replace(found, wins=up, losses=down, ties=len(both) - up - down)
    return Paired(what=what, first=first, second=second, difference=found, messages=len(both), clusters=over)


def mean(what: str, frame: pl.DataFrame, column: str, *, arms: tuple[str, str]) -> Paired:
    """A mean a message under both arms. Arguments as in :func:`share`."""
    both, clusters, over = _both(frame, (column,), arms)
    if both.is_empty():
        return Paired(what=what, first=None, second=None, difference=None, messages=0, clusters=over)
    first, second = (_column(both, f"{column} {arm}") for arm in arms)
    return Paired(
        what=what,
        first=float(first.mean()),
        second=float(second.mean()),
        difference=_compared(second, first, clusters),
        messages=len(both),
        clusters=over,
    )


def _both(frame: pl.DataFrame, columns: Sequence[str], arms: tuple[str, str]) -> tuple[pl.DataFrame, list[str], str]:
    """The messages that both arms read, their clusters, and what these are called.

    A story told in two languages, two datasets with one conversation id, is one cluster: it shares its luck.
    """
    keys = ["dataset", "conversation", "session", "turn"]
    sides = [
        frame.filter((pl.col("arm") == arm) & pl.col("error").is_null())
        .drop_nulls(list(columns))
        .select(*keys, *(pl.col(one).alias(f"{one} {arm}") for one in columns))
        for arm in arms
    ]
    both = sides[0].join(sides[1], on=keys, how="inner", maintain_order="left")
    number = both["conversation"].n_unique()
    if number > 1:
        return both, both["conversation"].to_list(), f"{number} conversations"
    sessions = both["session"].n_unique()
    return both, both["session"].to_list(), f"{sessions} session{'' if sessions == 1 else 's'} of one conversation"


def _column(frame: pl.DataFrame, name: str) -> Floats:
    return frame[name].to_numpy().astype(np.float64)


def _pooled(hits: Floats, of: Floats) -> float | None:
    return float(hits.sum() / of.sum()) if of.sum() else None


def _linear(hits: Floats, of: Floats, share_: float) -> Floats:
    """What each message adds to a pooled share: values whose mean is the share and whose spread is its own."""
    return np.asarray(share_ + (hits - share_ * of) / of.mean())


def _compared(before: Floats, after: Floats, clusters: Sequence[str]) -> Difference:
    def frame(values: Floats) -> pl.DataFrame:
        head: dict[str, Any] = {"dataset": "", "category": "", "measure": "it"}
        return pl.DataFrame(
            {"conversation": clusters, "question": [str(n) for n in range(len(values))], "value": values}
        ).with_columns(**{name: pl.lit(one) for name, one in head.items()})

    return compare(frame(before), frame(after), "it")
