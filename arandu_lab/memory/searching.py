"""Searching where one agent's view does not reach: over many agents, and in an agent that is too large for memory."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, get_args

from arandu_lab.errors import BackendError, ConfigError, nearest
from arandu_lab.memory.arguments import aware, listed, whole
from arandu_lab.memory.scale import in_force
from arandu_lab.pipeline import Lab
from arandu_lab.pure import planning
from arandu_lab.pure.text import STOP, content_words
from arandu_lab.trace import Span

if TYPE_CHECKING:
    from collections.abc import Callable

    import polars as pl

    from arandu_lab.pipeline.lab import View
    from arandu_lab.store import Store

Kind = Literal["facts", "turns"]


class Searching:
    """What ``Memory`` finds through LanceDB instead of an agent's view."""

    store: Store
    llm: Any
    embed: Any
    clock: Callable[[], datetime]

    async def search(
        self,
        query: str,
        *,
        agents: Sequence[str] | None = None,
        kind: Kind = "facts",
        limit: int = 20,
        as_of: datetime | None = None,
        exact: bool = False,
    ) -> pl.DataFrame:
        """Facts or turns of many agents near a query, best first: reciprocal rank fusion of meaning and words.

        A search for people who run a laboratory, not for an agent: ``retrieve`` never sees another agent.

        Args:
            agents: these alone, each of whom the store has heard; every agent of the store by default.
            as_of: what held at this moment; now by default.
            limit: how many rows, at least 1.
            exact: look at every row, past the index of vectors (see ``index``).

        Returns:
            ``rank score semantic keyword agent_id id subject text since``, one row a hit. ``semantic`` is the cosine on
            the documented scale, ``keyword`` the share of the query's content words, ``score`` the fusion of both ranks.

        Raises:
            ConfigError: an unknown kind, no agents, an agent that the store never heard of, or a limit below 1.
            BackendError: the embedder failed.
        """
        import numpy as np
        import polars as pl

        from arandu_lab.pure.fusion import reciprocal_rank_fusion
        from arandu_lab.store.times import micros

        if kind not in get_args(Kind):
            raise ConfigError(f"kind {kind!r}; {nearest(kind, get_args(Kind))}")
        if not isinstance(query, str):
            raise ConfigError(f"query wants text, not {type(query).__name__}")
        whole(1, limit=limit)
        if agents is not None:
            listed(agents=agents)
            if not agents:
                raise ConfigError("agents=[] names nobody; None is every agent of the store")
            known = set(self.store.agents())
            if strange := next((one for one in agents if one not in known), None):
                hint = nearest(strange, known) if known else "nobody has written yet"
                raise ConfigError(f"agents names {strange!r}, of whom this store never heard; {hint}")
        at = aware("as_of", as_of) or self.clock()
        self.embed = in_force(self.embed, self.store)
        vector = (await self.embed.metered(Span("search"))([query]))[0] if query.strip() else None
        table = {"facts": "facts", "turns": "events"}[kind]
        hits = self.store.wide.search(
            table, vector=vector, words=_words(query), agents=agents, at=micros(at), limit=limit, exact=exact
        )
        hits.sort(key=lambda hit: (hit.row.agent_id, hit.row.id))
        cosines = np.array([np.nan if hit.cosine is None else hit.cosine for hit in hits], dtype=np.float64)
        semantic = np.clip(np.asarray(self.embed.scale(np.round(cosines, 6)), dtype=np.float64), 0.0, 1.0)
        keyword = np.array([hit.shared for hit in hits], dtype=np.float64)
        score = reciprocal_rank_fusion([np.nan_to_num(semantic), keyword]) if hits else keyword
        rows = [hit.row for hit in hits]
        frame = pl.DataFrame(
            {
                "score": score,
                "semantic": pl.Series(semantic).fill_nan(None),
                "keyword": keyword,
                "agent_id": [row.agent_id for row in rows],
                "id": [row.id for row in rows],
                "subject": [getattr(row, "entity_name", None) or getattr(row, "speaker", None) for row in rows],
                "text": [row.text for row in rows],
                "since": [getattr(row, "valid_from", None) or getattr(row, "occurred_at", None) for row in rows],
            },
            schema_overrides=dict.fromkeys(("agent_id", "id", "subject", "text"), pl.String)
            | {"since": pl.Datetime("us", "UTC")},
        )
        ranked = frame.sort(
            ["score", "semantic", "agent_id", "id"], descending=[True, True, False, False], nulls_last=True
        )
        return ranked.head(limit).with_row_index("rank", offset=1)

    def index(self) -> dict[str, tuple[str, ...]]:
        """Make or renew LanceDB's indexes of facts and turns, for ``search`` and for agents too large for memory.

        Returns the indexed columns per table. Vectors are indexed from 5,000 rows up; below, a search reads them all.
        Without indexes everything is found all the same, row by row.
        """
        return self.store.index()

    async def narrowed(self, agent_id: str, query: str, now: datetime, span: Span) -> Lab:
        """The bench for a question to an agent too large for memory: its view is the part near the question."""
        self.embed = in_force(self.embed, self.store)

        def named(view: View) -> list[str]:
            found = planning.names(query, view.aliases(), view.directory, min_chars=1)
            return [key for name in found for key in name.keys]

        with span.child("narrow") as near:
            try:
                vector = (await self.embed.metered(near)([query]))[0] if query.strip() else None
            except BackendError:  # words and names go on alone; the stage that asks again says so in the result
                vector = None
            view = self.store.wide.narrow(agent_id, vector=vector, words=_words(query), named=named)
            near(facts=len(view.facts), turns=len(view.events))
        return Lab(llm=self.llm, embed=self.embed, memory=view, now=now, log=span)


def _words(query: str) -> list[str]:
    return [word for word in dict.fromkeys(content_words(query)) if word not in STOP]
