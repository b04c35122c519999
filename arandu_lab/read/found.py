"""What flows through a read: frozen records, each saying what is known by then.

``Query -> Plan -> Scoped -> Voice, Voice, Voice -> Candidates -> Rendered``

The candidates lie in one polars frame. Every column has one writer and nothing is overwritten, so explanation is
``select``:

==============  =====================================================================================================
written by      columns
==============  =====================================================================================================
``rows``        ``fact_id position entity_key occurred_at semantic keyword graph spread recency importance
                confidence confidence_raw pattern formula`` (in ``read/rows.py``, called by ``merge`` and ``spread``)
``judge``       ``pooled`` (was it shown to the model), ``reranker`` (the grade; null: none given)
``blend``       ``score``, ``veto_margin`` (grade minus the veto; null: not graded)
``cut``         ``kept``, ``lost`` (``pool vetoed min_score topk``; null when kept), ``margin`` (below 0: by how much)
``render``      ``tier`` (``hot warm cold``; null: not in the context)
==============  =====================================================================================================

Scores are in [0, 1] but for ``formula`` and ``score``, which a pattern boost or weights above 1 may lift higher. A null
``semantic`` means that nobody could tell (no vector), never zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from arandu_lab.errors import ConfigError
from arandu_lab.pipeline.lab import Mask, Positions
from arandu_lab.records import Vector

SIGNALS = ("semantic", "keyword", "graph", "recency", "importance", "confidence", "pattern", "spread")
"""The columns that ``fact.scores`` shows beside ``formula`` and ``reranker``."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question to one agent's memory.

    ``as_of`` None is the lab's now; ``known_at`` None is what the memory knows today. ``entity_keys`` None asks about
    everybody; given, only facts that mention one of them may answer, whichever signal finds them.
    """

    agent_id: str
    text: str
    as_of: datetime | None = None
    known_at: datetime | None = None
    entity_keys: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        for name, moment in (("as_of", self.as_of), ("known_at", self.known_at)):
            if moment is not None and moment.tzinfo is None:
                raise ConfigError(f"{name}={moment!r} has no timezone; give an aware datetime")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to look for. ``names`` are the words of the question that name the ``deterministic`` entities.

    ``historical``: asked about another moment than now, or another state of knowledge; then what is not versioned
    (confirmations, entity importance, observations) takes no part.
    """

    query: Query
    as_of: datetime
    strategy: Literal["skip", "multi_signal"] = "multi_signal"
    reason: str = "deterministic"
    similarity_query: str = ""
    pattern_queries: tuple[str, ...] = ()
    broad_query: bool = False
    historical: bool = False
    names: tuple[str, ...] = ()
    deterministic: tuple[str, ...] = ()
    expansion: tuple[str, ...] = ()

    @property
    def entity_keys(self) -> tuple[str, ...]:
        """Every entity the question is about, whichever source found it."""
        return tuple(dict.fromkeys((*self.deterministic, *self.expansion)))

    @property
    def now_us(self) -> int:
        """``as_of`` in microseconds."""
        return micros(self.as_of)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoped(Plan):
    """A plan with the rows that may answer it. Masks and ``confidence`` (decayed) have one entry per row.

    ``live``: held at ``as_of``; ``within``: mentions an entity asked for; ``confident``: at or above the least
    confidence. ``open`` is all three.
    """

    live: Mask = field(compare=False, repr=False)
    within: Mask = field(compare=False, repr=False)
    confident: Mask = field(compare=False, repr=False)
    open: Mask = field(compare=False, repr=False)
    turns: Mask = field(compare=False, repr=False)
    confidence: Floats = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """One signal: a score for every row (NaN: cannot tell), and the rows it nominates, best first."""

    plan: Scoped
    name: str
    scores: Floats = field(compare=False, repr=False)
    positions: Positions = field(compare=False, repr=False)
    vector: Vector | None = field(default=None, compare=False, repr=False)
    heard: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighing:
    """How the formula score is made: once for all candidates, whoever brings them."""

    score_weights: Mapping[str, float]
    recency_half_life_days: float
    pattern_boost_max: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """The facts that may answer, best first, one row each; and the turns that match (``read/turns.py``)."""

    plan: Scoped
    voices: Mapping[str, Floats] = field(compare=False, repr=False)
    vector: Vector | None = field(compare=False, repr=False)
    weighing: Weighing
    frame: pl.DataFrame = field(compare=False, repr=False)
    events: pl.DataFrame = field(compare=False, repr=False)
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered(Candidates):
    """Candidates with the text that a model will read. ``token_count`` is in tokens as ``render`` counts them."""

    context: str
    token_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A kept fact: where it stands in the view, its score, and what the score is made of."""

    fact_id: str
    position: int
    score: float
    scores: dict[str, float]
    tier: str | None = None


def kept(found: Candidates) -> tuple[Scored, ...]:
    """The facts that ``cut`` kept, best first; grades and cosines that nobody gave are left out of ``scores``."""
    rows = found.frame.filter(pl.col("kept")) if "kept" in found.frame.columns else found.frame
    shown = [name for name in (*SIGNALS, "formula", "reranker") if name in rows.columns]
    return tuple(
        Scored(
            fact_id=row["fact_id"],
            position=row["position"],
            score=row.get("score", row["formula"]),
            scores={name: row[name] for name in shown if row[name] is not None},
            tier=row.get("tier"),
        )
        for row in rows.iter_rows(named=True)
    )


def losses(found: Candidates) -> pl.DataFrame:
    """Why each candidate that is not in the context is not: ``fact_id, lost, margin`` (``budget`` for want of room)."""
    columns = found.frame.columns
    lost, margin = pl.col("lost"), pl.col("margin")
    if "tier" in columns:
        lost = pl.when(pl.col("kept") & pl.col("tier").is_null()).then(pl.lit("budget")).otherwise(lost)
    return found.frame.select("fact_id", lost=lost, margin=margin).filter(pl.col("lost").is_not_null())


def in_order(frame: pl.DataFrame, score: str) -> pl.DataFrame:
    """The total order of every ranking: score down (null last), time down, id up."""
    return frame.sort([score, "occurred_at", "fact_id"], descending=[True, True, False], nulls_last=True)


def micros(moment: datetime) -> int:
    """Microseconds since 1970 UTC."""
    return (moment - _EPOCH) // _MICROSECOND


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
