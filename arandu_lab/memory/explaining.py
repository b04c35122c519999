"""Asking a memory why it recalled a fact, or why it did not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from arandu_lab.errors import ConfigError, nearest
from arandu_lab.memory.arguments import aware, listed, required
from arandu_lab.trace import Span

if TYPE_CHECKING:
    from arandu_lab.config import MemoryConfig
    from arandu_lab.memory.explanations import Why, WhyNot
    from arandu_lab.memory.rereading import Rereading, Seen
    from arandu_lab.pipeline import Lab, Pipeline
    from arandu_lab.records import Fact


class Explaining:
    """What ``Memory`` says about its own answers. Nothing is written, and no retrieval is counted."""

    read_pipeline: Pipeline
    clock: Callable[[], datetime]

    if TYPE_CHECKING:

        def lab(self, agent_id: str, now: datetime, span: Span) -> Lab: ...
        def _settings(self, overrides: Mapping[str, Any] | None) -> tuple[MemoryConfig, dict[str, Any]]: ...

    async def why(
        self,
        agent_id: str,
        query: str,
        fact_id: str,
        *,
        entity_keys: Sequence[str] | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        now: datetime | None = None,
        config_overrides: Mapping[str, Any] | None = None,
    ) -> Why:
        """Why a fact is in the context of a question: each check with its margin, and the answer without each signal.

        The arguments are those of ``retrieve``. Of a fact that is lost it says where, as ``why_not`` does, and no more.

        Raises:
            ConfigError: the agent has no such fact, or as ``retrieve``.
        """
        from arandu_lab.memory.explanations import Why
        from arandu_lab.memory.leaving_out import left_out

        bench, position, fact = self._asked(
            agent_id, query, fact_id, entity_keys, as_of, known_at, now, config_overrides
        )
        seen = await bench.read()
        said = _said(seen, position, fact)
        recalled = all(check.passed for check in said["checks"])
        without = await left_out(bench, seen, position, fact) if recalled else ()
        return Why(query=query, fact=fact, **said, left_out=without, runs=bench.runs, usage=bench.usage)

    async def why_not(
        self,
        agent_id: str,
        query: str,
        fact_id: str,
        *,
        entity_keys: Sequence[str] | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        now: datetime | None = None,
        config_overrides: Mapping[str, Any] | None = None,
    ) -> WhyNot:
        """Why a fact is not in the context of a question: stage, threshold and margin, and what would have recalled it.

        The arguments are those of ``retrieve``. The reads that look for a change put each question to a model once; a changed
        pool is a new question (``usage`` says what it cost). Of a fact that is recalled it shows the checks and no change.

        Raises:
            ConfigError: the agent has no such fact, or as ``retrieve``.
        """
        from arandu_lab.memory.explanations import WhyNot
        from arandu_lab.memory.remedies import Remedies

        bench, position, fact = self._asked(
            agent_id, query, fact_id, entity_keys, as_of, known_at, now, config_overrides
        )
        said = _said(await bench.read(), position, fact)
        lost = next((check for check in said["checks"] if not check.passed), None)
        if lost is None:
            return WhyNot(query=query, fact=fact, **said, runs=bench.runs, usage=bench.usage)
        search = Remedies(bench, position, fact, lost)
        changes = await search.search()
        return WhyNot(
            query=query,
            fact=fact,
            **said,
            changes=changes,
            then=None if changes else search.then,
            beyond=None if changes else search.beyond,
            complete=search.complete,
            runs=bench.runs,
            usage=bench.usage,
        )

    def _asked(
        self,
        agent_id: str,
        query: str,
        fact_id: str,
        entity_keys: Sequence[str] | None,
        as_of: datetime | None,
        known_at: datetime | None,
        now: datetime | None,
        overrides: Mapping[str, Any] | None,
    ) -> tuple[Rereading, int, Fact]:
        """The bench of an explanation, and where the fact stands in its view."""
        from arandu_lab.memory.rereading import Rereading
        from arandu_lab.read.found import Query

        config, values = self._settings(overrides)
        required(agent_id=agent_id, fact_id=fact_id)
        if entity_keys is not None:
            listed(entity_keys=entity_keys)
        if not isinstance(query, str):
            raise ConfigError(f"query wants text, not {type(query).__name__}")
        lab = self.lab(agent_id, aware("now", now) or self.clock(), Span("explain"))
        known = list(lab.memory.facts.ids)
        if fact_id not in known:
            said = nearest(fact_id, known) if known else "it has none"
            raise ConfigError(f"agent {agent_id!r} has no fact {fact_id!r}; {said}")
        position = known.index(fact_id)
        question = Query(
            agent_id=agent_id,
            text=query,
            as_of=aware("as_of", as_of),
            known_at=aware("known_at", known_at),
            entity_keys=tuple(entity_keys) if entity_keys is not None else None,
        )
        bench = Rereading(lab, question, self.read_pipeline, config, values)
        return bench, position, lab.memory.fact_at(position)


def _said(seen: Seen, position: int, fact: Fact) -> dict[str, Any]:
    """What one read says of a fact, by the names of ``Explained``."""
    from arandu_lab.memory.checking import checks

    row = seen.row(fact.id) or {}
    return {
        "checks": checks(seen, position),
        "rank": row.get("rank"),
        "score": row.get("score", row.get("formula")),
        "tier": row.get("tier"),
        "degraded": seen.degraded,
    }
