"""An access log: who used which fact when, and until when somebody looked; and the gaps between uses that it holds.

One row a use. Kinds: ``told`` (stated, or stated again), ``asked`` (a question needed it), ``retrieved`` (a memory returned
it, at a ``rank`` where one is known). A fact is watched from its first row to its ``until``: the end of the conversation, or
the moment at which it was told to be over, because what is over leaves for that reason and not by being forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import polars as pl

from arandu_lab.errors import ConfigError, nearest

KINDS = ("told", "asked", "retrieved")
MOMENT = pl.Datetime("us", "UTC")
SCHEMA: Mapping[str, Any] = {
    "agent": pl.String,
    "subject": pl.String,
    "fact_id": pl.String,
    "at": MOMENT,
    "kind": pl.String,
    "until": MOMENT,
    "rank": pl.Int64,
    "times": pl.Int64,
    "confidence": pl.Float64,
}
"""Columns of a log. ``times`` is how many uses a row stands for: above 1, only the last of them has a date."""

NEEDED = ("agent", "fact_id", "at", "kind", "until")
FACT = ("agent", "fact_id")
_DAY = 86_400e6


def access_log(rows: pl.DataFrame | Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    """A log in order of agent, fact and time, with every column of :data:`SCHEMA`.

    Args:
        rows: A frame or mappings with at least ``agent fact_id at kind until``; moments with an offset. ``subject`` is the
            agent where it is missing, ``times`` 1, ``confidence`` 1.

    Raises:
        ConfigError: a column that is missing, a moment without an offset, an unknown kind, a null where none may be, a use
            after the end of watching, a fact watched until two moments, or one whose first row is not its telling.

    >>> from datetime import datetime, UTC
    >>> day = lambda n: datetime(2025, 1, n, tzinfo=UTC)
    >>> access_log([{"agent": "a", "fact_id": "f", "at": day(1), "kind": "told", "until": day(9)}])["times"].to_list()
    [1]
    """
    given = rows if isinstance(rows, pl.DataFrame) else pl.DataFrame(list(rows), infer_schema_length=None)
    for name in NEEDED:
        if name not in given.columns:
            raise ConfigError(f"access log without a column {name!r}; it has {', '.join(given.columns) or 'none'}")
    for name in ("at", "until"):
        kind = given.schema[name]
        if not isinstance(kind, pl.Datetime) or kind.time_zone is None:
            raise ConfigError(f"access log: {name} is {kind}; wants moments with an offset")
    usual = {"subject": pl.col("agent"), "rank": pl.lit(None), "times": pl.lit(1), "confidence": pl.lit(1.0)}
    more = [one.alias(name) for name, one in usual.items() if name not in given.columns]
    moments = [pl.col(name).dt.convert_time_zone("UTC") for name in ("at", "until")]
    full = given.with_columns(*more, *moments).select(pl.col(name).cast(kind) for name, kind in SCHEMA.items())
    _check(full)
    return full.sort(*FACT, "at", _order(), maintain_order=True)


def gaps(log: pl.DataFrame, *, uses: Sequence[str] = ("told", "asked"), apart: float = 1.0) -> pl.DataFrame:
    """The days from each use to the next, or to the end of watching where none came (``seen`` False).

    Args:
        log: Of :func:`access_log`.
        uses: Kinds that count as a use.
        apart: Days; uses nearer than that are one sitting, and the gap begins after the last of them. Gaps shorter than
            that are left out, so what is fitted is told to begin there.

    Returns:
        ``agent subject fact_id start days seen``, ``days >= apart`` and above 0. A gap that ends in a row which stands
        for several uses is left out: the date of the first of them is not known.

    Raises:
        ConfigError: an unknown kind, ``apart`` below 0, or no use at all.
    """
    for one in uses:
        if one not in KINDS:
            raise ConfigError(f"use {one!r}; {nearest(one, KINDS)}")
    if not apart >= 0:
        raise ConfigError(f"apart={apart}; wants days, 0 or more")
    taken = log.filter(pl.col("kind").is_in(list(uses)))
    if taken.is_empty():
        raise ConfigError(f"no use of kind {', '.join(uses)} in a log of {len(log)} rows")
    ahead = pl.col("at").shift(-1).over(FACT)
    days = (pl.coalesce(ahead, "until") - pl.col("at")).dt.total_microseconds() / _DAY
    return (
        taken.with_columns(days.alias("days"), ahead.is_not_null().alias("seen"))
        .filter((pl.col("times").shift(-1).over(FACT) == 1) | ~pl.col("seen"))
        .filter((pl.col("days") >= apart) & (pl.col("days") > 0))
        .select("agent", "subject", "fact_id", pl.col("at").alias("start"), "days", "seen")
    )


def watched(log: pl.DataFrame) -> pl.DataFrame:
    """A row a fact: ``agent subject fact_id told until confidence``, told first at ``told``."""
    return log.group_by(FACT, maintain_order=True).agg(
        pl.col("subject").first(),
        pl.col("at").first().alias("told"),
        pl.col("until").first(),
        pl.col("confidence").first(),
    )


def _order() -> pl.Expr:
    """Of rows of one moment, the telling first and what a memory returned last."""
    return pl.col("kind").replace_strict({one: place for place, one in enumerate(KINDS)}, return_dtype=pl.Int64)


def _check(log: pl.DataFrame) -> None:
    for name in ("agent", "subject", "fact_id", "at", "kind", "until", "times", "confidence"):
        if number := log[name].null_count():
            raise ConfigError(f"access log: {number} of {len(log)} rows have no {name}")
    for kind in log["kind"].unique().sort():
        if kind not in KINDS:
            raise ConfigError(f"access log: kind {kind!r}; {nearest(kind, KINDS)}")
    if log.is_empty():
        raise ConfigError("access log without rows; nothing was told")
    late = log.filter(pl.col("at") > pl.col("until"))
    if not late.is_empty():
        where = f"{late['agent'][0]}/{late['fact_id'][0]}"
        raise ConfigError(
            f"access log: {where} is used at {late['at'][0]}, after {late['until'][0]}, when nobody looked"
        )
    ends = log.group_by(FACT).agg(pl.col("until").n_unique()).filter(pl.col("until") > 1)
    if not ends.is_empty():
        raise ConfigError(f"access log: {ends['agent'][0]}/{ends['fact_id'][0]} is watched until several moments")
    first = log.sort(*FACT, "at", _order()).group_by(FACT, maintain_order=True).first().filter(pl.col("kind") != "told")
    if not first.is_empty():
        where = f"{first['agent'][0]}/{first['fact_id'][0]}"
        raise ConfigError(
            f"access log: {where} is {first['kind'][0]} before it is told; its first row wants kind 'told'"
        )
