"""Reading without a whole view: rows of many agents at once, and of one agent as much as a question needs.

Indexes nominate; what is returned is weighed by the stored vectors and words themselves. Rows come from the tables, then
from the tail of the journal that the tables do not hold yet, so what is written is found at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from arandu_lab.records import Event, Fact, Link, Vector
from arandu_lab.store import indexes, segments, sql
from arandu_lab.store.columns import event_terms, fact_numbers, fact_terms
from arandu_lab.store.commit import agent_named
from arandu_lab.store.desks import Desks
from arandu_lab.store.projections import Fold
from arandu_lab.store.schema import PROJECTIONS, Image, stored_key, to_arrow
from arandu_lab.store.tables import Tables
from arandu_lab.store.times import micros
from arandu_lab.store.view import AgentView

if TYPE_CHECKING:
    import polars as pl

Text = Fact | Event

SMALL = tuple(table for table in PROJECTIONS if table not in (*indexes.SEARCHED, "fact_entity_links"))
"""Tables that a narrow view holds whole: names, edges, clusters."""

SPARE = 200
"""Rows that an index is asked for at least: its order of equals is its own."""

NEAR, WORDY, LINKED = 1_500, 500, 2_000
"""Facts and turns that a narrow view takes by meaning, by words, and by the entities that a question names."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A row that a search found: its raw ``cosine`` in [-1, 1] (None: no vector), and the share of the words it holds."""

    row: Text
    cosine: float | None
    shared: float


class Wide:
    """A store's rows beyond the views in memory. Each call sees one moment of the store."""

    def __init__(self, tables: Tables, desks: Desks, lock: AbstractContextManager[Any], dim: int) -> None:
        self._tables, self._desks, self._lock, self._dim = tables, desks, lock, dim

    def heavy(self, agent_id: str) -> bool:
        """Whether an agent that nobody has loaded would take more memory than all views may."""
        with self._lock:
            return self._desks.heavy(agent_named(agent_id))

    def search(
        self,
        table: str,
        *,
        vector: Vector | None,
        words: Sequence[str],
        agents: Sequence[str] | None,
        at: int,
        limit: int,
        exact: bool = False,
    ) -> list[Hit]:
        """The ``limit`` nearest rows and the ``limit`` that share most words, of some agents or of all (None), in no order.

        ``at`` (microseconds): facts that may answer a question about that moment; of turns, those said by then.
        """
        with self._lock:
            return self._desks.steadily(
                lambda watermark: self._search(watermark, table, vector, words, agents, at, limit, exact)
            )[1]

    def _search(
        self,
        watermark: int,
        table: str,
        vector: Vector | None,
        words: Sequence[str],
        agents: Sequence[str] | None,
        at: int,
        limit: int,
        exact: bool,
    ) -> list[Hit]:
        mark, fold = self._tables.mark(*segments.BOTH), Fold.of(self._desks.tail(watermark, None))
        changed = {*fold.images[table], *fold.removed[table]}
        spare = max(4 * limit, SPARE) + len(changed)
        mine = "" if agents is None else sql.of_agents(agents)
        where = sql.both(mine, sql.standing(at) if table == "facts" else sql.said_by(at))
        parts: list[Iterable[Image]] = []
        if vector is not None:
            parts.append(list(indexes.nearest(self._tables, table, vector, where, spare, exact=exact)))
        parts.append(list(indexes.matching(self._tables, table, words, where, spare)))
        if self._tables.mark(*segments.BOTH) != mark:  # what came while the tables were read may be in them already
            fold = Fold.of(self._desks.tail(watermark, None))
            changed = {*fold.images[table], *fold.removed[table]}
        parts.insert(0, fold.images[table].values())
        found: dict[str, Hit] = {}
        for place, part in enumerate(parts):
            for image in part:
                row, key = image.row, stored_key(image.row)[1]
                known = agents is None or row.agent_id in agents
                if isinstance(row, Text) and known and _stands(row, at) and not (place and key in changed):
                    found[key] = Hit(row, _cosine(row, vector), _shared(row, words))
        near = sorted(
            (hit for hit in found.values() if hit.cosine is not None), key=lambda hit: (-(hit.cosine or 0), hit.row.id)
        )
        wordy = sorted((hit for hit in found.values() if hit.shared), key=lambda hit: (-hit.shared, hit.row.id))
        return list({stored_key(hit.row): hit for hit in (*near[:limit], *wordy[:limit])}.values())

    def narrow(
        self,
        agent_id: str,
        *,
        vector: Vector | None,
        words: Sequence[str],
        named: Callable[[AgentView], Iterable[str]],
    ) -> AgentView:
        """What one agent remembers that is near a question: its names and edges whole, of facts and turns the likely ones.

        ``named`` is given a view of names and edges alone, and says which entities the question names.
        """
        mine = sql.of_agent(agent_id)

        def read(watermark: int) -> AgentView:
            small = [image for table in (*SMALL, *self._tables.made()) for image in self._tables.images(table, mine)]
            keys = list(named(AgentView.of(agent_id, small)))
            chosen: dict[tuple[str, str], Image] = {}
            links: list[Image] = []
            if keys:
                links = list(self._tables.images("fact_entity_links", sql.both(mine, sql.among("entity_key", keys))))
            ids = sorted({image.row.fact_id for image in links if isinstance(image.row, Link)}, reverse=True)[:LINKED]
            parts: list[Iterable[Image]] = []
            if ids:
                parts.append(self._tables.images("facts", sql.both(mine, sql.among("fact_id", ids))))
            for table in indexes.SEARCHED:
                if vector is not None:
                    parts.append(indexes.nearest(self._tables, table, vector, mine, NEAR))
                parts.append(indexes.matching(self._tables, table, words, mine, WORDY))
            for part in parts:
                chosen.update({stored_key(image.row): image for image in part})
            facts = sorted(image.row.id for image in chosen.values() if isinstance(image.row, Fact))
            if facts:
                links = list(self._tables.images("fact_entity_links", sql.both(mine, sql.among("fact_id", facts))))
            held = [image for image in (*small, *chosen.values(), *links) if image.seq <= watermark]
            view = AgentView.of(agent_id, sorted(held, key=lambda image: image.born), watermark)
            for unit in self._desks.tail(watermark, agent_id):
                view = view.advance(unit)
            return view

        with self._lock:
            return self._desks.steadily(read)[1]

    def frame(self, table: str, agent_id: str | None) -> pl.DataFrame:
        """All rows of a table, of one agent or of all (None), those in the tail included."""
        import polars as pl

        where = "" if agent_id is None else sql.of_agent(agent_id)
        with self._lock:
            if table == "journal":
                return pl.DataFrame(pl.from_arrow(segments.select(self._tables, where)))
            _, (found, fold) = self._desks.steadily(
                lambda watermark: (self._tables.select(table, where), Fold.of(self._desks.tail(watermark, agent_id)))
            )
        fresh = pl.DataFrame(pl.from_arrow(to_arrow(table, fold.images[table].values(), self._dim)))
        over = pl.Series("id", [*fold.images[table], *fold.removed[table]], dtype=pl.String)
        kept = pl.DataFrame(pl.from_arrow(found)).filter(~pl.col("id").is_in(over.implode()))
        return pl.concat([kept, fresh.select(kept.columns)]).sort("agent_id", "born", "id")


def _cosine(row: Text, vector: Vector | None) -> float | None:
    if row.vector is None or vector is None:
        return None
    return float(np.asarray(row.vector, dtype=np.float64) @ np.asarray(vector, dtype=np.float64))


def _shared(row: object, words: Sequence[str]) -> float:
    """The share of the words that a row holds."""
    if not words or not isinstance(row, Text):
        return 0.0
    held = fact_terms(row) if isinstance(row, Fact) else event_terms(row)
    return len(set(words).intersection(held)) / len(set(words))


def _stands(row: Text, at: int) -> bool:
    """The rule of ``read/scope.py`` for one row: it held then, had been said by then, or tells of what is over."""
    if isinstance(row, Event):
        return micros(row.occurred_at) <= at
    if row.stale_since is not None and micros(row.stale_since) <= at:
        return False
    (begins, ends, _, _, _, _, over, *_), _ = fact_numbers(row, 0)
    return begins <= at and (at < ends or bool(over))
