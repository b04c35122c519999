"""What flows through a read: frozen records, each saying what is known by then.

``Query -> Plan -> Scoped -> Voice, Voice, Voice -> Candidates -> Rendered``

The candidates lie in one table (``read/table.py``), which is seen as a polars frame. Every column has one writer and
nothing is overwritten, so explanation is ``select``:

==============  =====================================================================================================
written by      columns
==============  =====================================================================================================
``rows``        ``fact_id position entity_key occurred_at semantic keyword graph spread recency importance
                confidence confidence_raw pattern formula`` (in ``read/rows.py``, called by ``merge`` and ``spread``)
``judge``       ``pooled`` (was it shown to the model), ``reranker`` (the grade; null: none given); ``cross_encoder`` too
``blend``       ``score``, ``veto_margin`` (grade minus the veto; null: not graded)
``mmr``         ``mmr`` (the value it was chosen with), ``mmr_rank`` (from 1; null: takes no part)
``cut``         ``kept``, ``lost`` (``pool vetoed min_score topk``; null when kept), ``margin`` (below 0: by how much)
``render``      ``tier`` (``hot warm cold``; null: not in the context)
==============  =====================================================================================================

Scores are in [0, 1] but for ``formula`` and ``score``, which a pattern boost or weights above 1 may lift higher. A null
``semantic`` means that nobody could tell (no vector), never zero.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from arandu_lab.errors import ConfigError
from arandu_lab.pipeline.lab import Mask, Positions, View
from arandu_lab.pure import scoring
from arandu_lab.read.table import Framed, Table, tabled, texts
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
    (confirmations, entity importance, observations) takes no part. ``period``: the past time that the question itself
    names, first moment and first moment after it (``read/evidence/period.py``).
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
    period: tuple[datetime, datetime] | None = None

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


@dataclass(frozen=True, kw_only=True)
class Candidates:
    """The facts that may answer, best first, one row each; and the turns that match (``read/turns.py``).

    ``frame`` and ``events`` are polars frames, made at the first look; ``dataclasses.replace(found, frame=...)`` puts a
    changed one in its place. Stages of the box work on ``table`` and ``turns``, the same as numpy columns. ``evidence``
    holds what is known about every turn of the view (``read/evidence``), empty where no stage asks.
    """

    plan: Scoped
    voices: Mapping[str, Floats] = field(compare=False, repr=False)
    vector: Vector | None = field(compare=False, repr=False)
    weighing: Weighing
    frame: Framed = field(default=Framed(), compare=False, repr=False)
    events: Framed = field(default=Framed(), compare=False, repr=False)
    left_out: tuple[str, ...] = ()
    evidence: Table = field(default_factory=lambda: Table({}), compare=False, repr=False)

    @property
    def table(self) -> Table:
        """The facts, as columns."""
        return tabled(self, "frame")

    @property
    def turns(self) -> Table:
        """The turns, as columns."""
        return tabled(self, "events")

    def having(
        self, table: Table | None = None, *, turns: Table | None = None, evidence: Table | None = None
    ) -> Candidates:
        """The same with another table of facts, of turns, or of columns about turns."""
        made = copy.copy(self)
        if table is not None:
            Candidates.__dict__["frame"].__set__(made, table)
        if turns is not None:
            Candidates.__dict__["events"].__set__(made, turns)
        if evidence is not None:
            object.__setattr__(made, "evidence", evidence)
        return made

    def parts(self) -> dict[str, Any]:
        """What it was made of, for a record that knows more: its fields by name, tables as tables."""
        mine = {part.name: vars(self)[part.name] for part in fields(self) if part.name not in ("frame", "events")}
        return {**mine, "frame": self.table, "events": self.turns}


@dataclass(frozen=True, kw_only=True)
class Rendered(Candidates):
    """Candidates with the text that a model will read. ``token_count`` is in tokens as ``render`` counts them."""

    context: str
    token_count: int


NO_TURNS = Table(
    {
        "event_id": texts([]),
        "position": np.zeros(0, dtype=np.int64),
        "occurred_at": np.zeros(0, dtype="datetime64[us]"),
        "semantic": np.zeros(0),
        "keyword": np.zeros(0),
        "score": np.zeros(0),
        "hit": np.zeros(0, dtype=np.bool_),
    }
)
"""Columns of ``Candidates.events``; the stage ``turns`` fills them."""


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
    rows = found.table
    rows = rows.filter(rows.mask("kept")) if "kept" in rows else rows
    shown = [name for name in (*SIGNALS, "formula", "reranker") if name in rows]
    return tuple(
        Scored(
            fact_id=row["fact_id"],
            position=row["position"],
            score=row.get("score", row["formula"]),
            scores={name: row[name] for name in shown if row[name] is not None},
            tier=row.get("tier"),
        )
        for row in rows.rows()
    )


def ungraded(table: Table) -> Table:
    """The table as ``judge`` leaves it when nobody is asked: all would have been shown, nobody was graded."""
    return table.with_columns(pooled=np.ones(len(table), dtype=np.bool_), reranker=np.full(len(table), np.nan))


def told(found: Candidates, view: View) -> Table:
    """The table of facts with their words beside their ids."""
    table = found.table
    if "text" in table:
        return table
    words = scoring.picked(view.facts.texts, table["position"])
    order = dict.fromkeys([*table.names[:1], "text", *table.names[1:]])
    return table.with_columns(text=words).select(*order)


def losses(found: Candidates) -> pl.DataFrame:
    """Why each candidate that is not in the context is not: ``fact_id, lost, margin`` (``budget`` for want of room)."""
    columns = found.frame.columns
    lost, margin = pl.col("lost"), pl.col("margin")
    if "tier" in columns:
        lost = pl.when(pl.col("kept") & pl.col("tier").is_null()).then(pl.lit("budget")).otherwise(lost)
    return found.frame.select("fact_id", lost=lost, margin=margin).filter(pl.col("lost").is_not_null())


def in_order(table: Table, score: str) -> Table:
    """The total order of every ranking: score down (null last), time down, id up."""
    times = table["occurred_at"].astype(np.int64)
    return table.take(
        scoring.in_order(np.arange(len(table)), table[score], times=times, ids=table["fact_id"])  # type: ignore[arg-type]
    )


def micros(moment: datetime) -> int:
    """Microseconds since 1970 UTC."""
    return (moment - _EPOCH) // _MICROSECOND


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
