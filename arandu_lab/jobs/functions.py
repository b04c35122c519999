"""The jobs as the documents call them, with a memory in the place of the session.

``await cluster_user_facts(memory, "user_123")``, or word for word as documented:
``await cluster_user_facts(session=memory, agent_id="user_123", embedding_provider=…, llm_provider=…, config=…)``. The memory
knows its embedder, its model and its settings; what is given here counts for this call. Each returns a
:class:`~arandu_lab.jobs.results.JobResult` and takes ``now`` and ``dry_run`` too.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast

from arandu_lab.config import MemoryConfig
from arandu_lab.errors import ConfigError
from arandu_lab.jobs.results import (
    ClusteringResult,
    CommunityDetectionResult,
    ConsolidationResult,
    EntityCommunityResult,
    EntityImportanceResult,
    JobResult,
    MemifyResult,
    ProfileConsolidationResult,
    SummaryRefreshResult,
)
from arandu_lab.pure.vitality import vitality
from arandu_lab.records import Fact

if TYPE_CHECKING:
    from arandu_lab.memory.face import Memory


async def cluster_user_facts(
    session: Memory, agent_id: str, embedding_provider: Any = None, llm_provider: Any = None,
    config: MemoryConfig | None = None, *, now: datetime | None = None, dry_run: bool = False,
) -> ClusteringResult:  # fmt: skip
    """Group facts by entity and sum each group up in two or three sentences."""
    found = await _run("cluster_user_facts", session, agent_id, embedding_provider, llm_provider, config, now, dry_run)
    return cast(ClusteringResult, found)


async def detect_communities(
    session: Memory, agent_id: str, embedding_provider: Any = None, llm_provider: Any = None,
    config: MemoryConfig | None = None, *, now: datetime | None = None, dry_run: bool = False,
) -> CommunityDetectionResult:  # fmt: skip
    """Join clusters that are near each other into themes (``community_theme`` observations)."""
    found = await _run("detect_communities", session, agent_id, embedding_provider, llm_provider, config, now, dry_run)
    return cast(CommunityDetectionResult, found)


async def run_consolidation(
    session: Memory, agent_id: str, llm_provider: Any = None, config: MemoryConfig | None = None, *,
    now: datetime | None = None, dry_run: bool = False,
) -> ConsolidationResult:  # fmt: skip
    """Find insights, patterns, contradictions and trends in the last days, and tag turns with emotions (L2)."""
    found = await _run("run_consolidation", session, agent_id, None, llm_provider, config, now, dry_run)
    return cast(ConsolidationResult, found)


async def run_profile_consolidation(
    session: Memory, agent_id: str, llm_provider: Any = None, config: MemoryConfig | None = None, *,
    now: datetime | None = None, dry_run: bool = False,
) -> ConsolidationResult:  # fmt: skip
    """Refresh summaries and the overview of the whole memory (L3)."""
    found = await _run("run_profile_consolidation", session, agent_id, None, llm_provider, config, now, dry_run)
    return cast(ConsolidationResult, found)


async def run_memify(
    session: Memory, agent_id: str, llm_provider: Any = None, embedding_provider: Any = None,
    config: MemoryConfig | None = None, *, now: datetime | None = None, dry_run: bool = False,
) -> MemifyResult:  # fmt: skip
    """Distil episodes into general knowledge, mark what is stale, merge what is said twice."""
    found = await _run("run_memify", session, agent_id, embedding_provider, llm_provider, config, now, dry_run)
    return cast(MemifyResult, found)


async def compute_entity_importance(
    session: Memory, agent_id: str, config: MemoryConfig | None = None, *,
    now: datetime | None = None, dry_run: bool = False,
) -> EntityImportanceResult:  # fmt: skip
    """Score every entity from 0 to 1 by facts, recency, retrievals and edges; no model is asked."""
    found = await _run("compute_entity_importance", session, agent_id, None, None, config, now, dry_run)
    return cast(EntityImportanceResult, found)


async def refresh_entity_summaries(
    session: Memory, agent_id: str, llm_provider: Any = None, config: MemoryConfig | None = None, *,
    now: datetime | None = None, dry_run: bool = False,
) -> SummaryRefreshResult:  # fmt: skip
    """Write summaries that are missing or old, those of important entities first, ten a run."""
    found = await _run("refresh_entity_summaries", session, agent_id, None, llm_provider, config, now, dry_run)
    return cast(SummaryRefreshResult, found)


async def consolidate_entity_profiles(
    session: Memory, agent_id: str, llm_provider: Any = None, config: MemoryConfig | None = None, *,
    now: datetime | None = None, dry_run: bool = False,
) -> ProfileConsolidationResult:  # fmt: skip
    """Rebuild profiles from all facts, those of entities with many facts first, twenty a run."""
    found = await _run("consolidate_entity_profiles", session, agent_id, None, llm_provider, config, now, dry_run)
    return cast(ProfileConsolidationResult, found)


async def detect_entity_communities(
    session: Memory, agent_id: str, config: MemoryConfig | None = None, *,
    now: datetime | None = None, dry_run: bool = False,
) -> EntityCommunityResult:  # fmt: skip
    """Group entities that strong edges connect; no model is asked. ``dict(result)`` is what the documents print."""
    found = await _run("detect_entity_communities", session, agent_id, None, None, config, now, dry_run)
    return cast(EntityCommunityResult, found)


def compute_vitality(fact: Fact, now: datetime | None = None, *, half_life_days: float = 30.0) -> float:
    """How alive a fact is, 0 to 0.90: retrieval .30, recency .25, confidence .20, reinforcement .15 (``pure/vitality.py``).

    Not async, one fact, the wall clock unless ``now`` is given (jobs document). A fact that has ended is 0.

    >>> at = datetime(2025, 1, 1, tzinfo=UTC)
    >>> fact = Fact(id="f", agent_id="a", entity_key="k", entity_name="n", text="t", confidence=1.0, importance=1.0,
    ...             category="unknown", speaker="s", source_event_id="e", valid_from=at, recorded_at=at,
    ...             times_retrieved=10, last_retrieved_at=at, reinforcement_count=5)
    >>> round(compute_vitality(fact, now=at), 2)
    0.9
    """
    moment = now or datetime.now(UTC)
    if moment.tzinfo is None:
        raise ConfigError(f"now={moment!r} has no timezone; give an aware datetime")
    used = max(filter(None, (fact.last_retrieved_at, fact.last_confirmed_at, fact.valid_from)))
    return float(
        vitality(
            fact.times_retrieved,
            max(0.0, (moment - used).total_seconds() / 86_400.0),
            fact.confidence,
            fact.reinforcement_count,
            fact.user_correction_count,
            fact.valid_to is not None,
            half_life_days,
        )
    )


async def _run(
    job: str, memory: Memory, agent_id: str, embedder: Any, llm: Any, config: MemoryConfig | None, now: datetime | None,
    dry_run: bool,
) -> JobResult:  # fmt: skip
    """The job on a memory that differs by the model and the settings given, over the same store."""
    from arandu_lab.embed.open import open_embedder
    from arandu_lab.llm.open import open_minds
    from arandu_lab.memory.face import Memory as Face

    if not isinstance(memory, Face):
        raise ConfigError(f"{job}: session wants a Memory, not {type(memory).__name__}")
    embed = memory.embed
    if embedder is not None and embedder is not embed:
        embed = open_embedder(embedder)
        if (embed.name, embed.dim) != (memory.embed.name, memory.embed.dim):
            raise ConfigError(
                f"{job}: embedder {embed.name!r} (dim {embed.dim}), the store holds vectors of {memory.embed.name!r} "
                f"(dim {memory.embed.dim})"
            )
    placed = memory
    if llm is not None or config is not None or embed is not memory.embed:
        placed = Face(
            memory.store,
            memory.llm if llm is None else open_minds(llm),
            embed,
            config=config or memory.config,
            write=memory.write_pipeline,
            read=memory.read_pipeline,
            clock=memory.clock,
            jobs=memory.own_jobs,
        )
    return await placed.jobs.run(job, agent_id, now=now, dry_run=dry_run)
