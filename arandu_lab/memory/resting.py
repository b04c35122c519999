"""What jobs left in a memory: marks, clusters, observations, directives; and the jobs themselves."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from arandu_lab.errors import ConfigError
from arandu_lab.memory.arguments import aware
from arandu_lab.pipeline import Node

if TYPE_CHECKING:
    import polars as pl

    from arandu_lab.jobs.face import Jobs
    from arandu_lab.store import Store


class Resting:
    """What ``Memory`` does while nobody speaks, and what came of it."""

    store: Store
    llm: Any
    own_jobs: Mapping[str, Node] | None

    @property
    def jobs(self) -> Jobs:
        """The background jobs: ``await memory.jobs.cycle(agent_id)``."""
        from arandu_lab.jobs.face import Jobs

        return Jobs(self, self.own_jobs)  # type: ignore[arg-type]

    def stale(self, agent_id: str) -> pl.DataFrame:
        """Facts that are marked: ``stale_why`` is ``vitality`` (nobody used it) or ``premise`` (what it rests on is over).

        One row a fact, with ``premises``, the words of what it rests on, and ``over``, those of them that have ended.
        """
        import polars as pl

        from arandu_lab.frames import facts_frame

        view = self.store.view(agent_id)
        marked = [view.fact_at(int(place)) for place in view.facts.stale.nonzero()[0]]
        marked = [fact for fact in marked if fact.valid_to is None]
        rests = [[one for i in fact.premise_ids if (one := view.fact(i)) is not None] for fact in marked]
        return facts_frame(marked).with_columns(
            pl.Series("premises", [[one.text for one in some] for some in rests], dtype=pl.List(pl.String)),
            pl.Series("over", [[one.text for one in some if one.valid_to] for some in rests], dtype=pl.List(pl.String)),
        )

    def observations(self, agent_id: str, *, known_at: datetime | None = None) -> pl.DataFrame:
        """What jobs concluded and have not withdrawn: ``kind text confidence evidence``, the words of the evidence beside."""
        import polars as pl

        from arandu_lab.records import MARK

        view, known_at = self.store.view(agent_id), aware("known_at", known_at)
        rows = [
            {
                "kind": one.kind,
                "text": one.text,
                "confidence": one.confidence,
                "evidence": [
                    said.text for i in one.evidence_ids if (said := view.fact(i) or view.event(i)) is not None
                ],
                "recorded_at": one.recorded_at,
                "id": one.id,
            }
            for one in view.observations()
            if one.kind != MARK and _known(one.recorded_at, one.invalidated_at, known_at)
        ]
        schema: dict[str, Any] = {
            "kind": pl.String,
            "text": pl.String,
            "confidence": pl.Float64,
            "evidence": pl.List(pl.String),
            "recorded_at": pl.Datetime("us", "UTC"),
            "id": pl.String,
        }
        return pl.DataFrame(rows, schema=schema)

    def clusters(self, agent_id: str) -> pl.DataFrame:
        """Clusters that stand: ``label summary entity_key facts``, the words of their facts beside."""
        import polars as pl

        view = self.store.view(agent_id)
        rows = [
            {
                "label": one.label,
                "summary": one.summary,
                "entity_key": one.entity_key,
                "facts": [said.text for i in one.fact_ids if (said := view.fact(i)) is not None],
                "id": one.id,
            }
            for one in view.clusters()
            if one.invalidated_at is None
        ]
        schema: dict[str, Any] = dict.fromkeys(("label", "summary", "entity_key", "id"), pl.String)
        schema["facts"] = pl.List(pl.String)
        return pl.DataFrame(rows, schema=schema).select("label", "summary", "entity_key", "facts", "id")

    def directives(self, agent_id: str, *, max_tokens: int = 300) -> str:
        """How the agent is to behave, as consolidation found it asked for: a block of at most ``max_tokens``, or "".

        The surest first, each whole or not at all. Tokens are counted as a context's are (R14).

        >>> from arandu_lab import Memory
        >>> with Memory.open("memory://", embedder="hashing") as memory:
        ...     memory.directives("nobody")
        ''
        """
        from arandu_lab.llm.tokens import counter
        from arandu_lab.read.render import one_line

        if isinstance(max_tokens, bool) or not isinstance(max_tokens, int) or max_tokens < 1:
            raise ConfigError(f"max_tokens={max_tokens!r}; a whole number of tokens, 1 or more")
        tokens_of = counter(self.llm)
        standing = [
            one
            for one in self.store.view(agent_id).observations()
            if one.kind == "directive" and one.invalidated_at is None
        ]
        lines = ["Directives:"]
        for one in sorted(standing, key=lambda one: (-one.confidence, one.id)):
            line = f"- {one_line(one.text)}"
            if tokens_of("\n".join([*lines, line])) <= max_tokens:
                lines.append(line)
        return "\n".join(lines) if len(lines) > 1 else ""


def _known(recorded: datetime, gone: datetime | None, known_at: datetime | None) -> bool:
    if known_at is None:
        return gone is None
    return recorded <= known_at and (gone is None or gone > known_at)
