"""Memories of grouped facts: the document's example, an embedder of topics, runs of the two jobs that group."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from arandu_lab import Memory
from arandu_lab.config import MemoryConfig, settings
from arandu_lab.jobs import clustering, communities
from arandu_lab.jobs.results import ClusteringResult, CommunityDetectionResult
from arandu_lab.jobs.running import run_job
from arandu_lab.llm.offline import OfflineRules
from arandu_lab.records import Alias, Cluster, Entity, Fact, Link

NOW = datetime(2025, 6, 30, 12, tzinfo=UTC)
AGENT = "user_123"

TWELVE = (
    ("Fernanda", "Fernanda works at Orion Tech"),
    ("Fernanda", "Fernanda graduated from Unicamp"),
    ("Fernanda", "Fernanda built the data pipeline"),
    ("Bruno", "Bruno works at Orion Tech"),
    ("Bruno", "Bruno developed the ML model"),
    ("Bruno", "Bruno runs marathons"),
    ("Marcos", "Marcos lives in Porto Alegre"),
    ("Marcos", "Marcos is a product manager"),
    ("Marcos", "Marcos is married to Carolina"),
    ("Marcos", "Marcos likes jazz"),
    ("Carolina", "Carolina lives in Porto Alegre"),
    ("Carolina", "Carolina teaches mathematics"),
)
"""The document's example: before clustering, twelve facts of four people, without any grouping."""


class Topical:
    """An embedder of a few topics: a text's vector is the share of each topic among its words."""

    name, dim = "topical", 4
    topics = ("orion pipeline ml model engineer", "porto alegre married carolina", "unicamp marathons jazz mathematics")

    async def __call__(self, texts: Any) -> list[Any]:
        return [self.vector(text) for text in texts]

    def vector(self, text: str) -> Any:
        """Shape ``(4,)``; the last place stands for no topic at all."""
        words = [word.strip(".,:;?!").lower() for word in text.split()]
        counts = [sum(word in topic.split() for word in words) for topic in self.topics]
        found = np.array([*counts, 0 if any(counts) else 1], dtype=np.float32)
        return found / np.linalg.norm(found)

    def scale(self, cosine: Any) -> Any:
        """As it is."""
        return cosine


def opened(llm: Any = None, embedder: Any = None, **settings_: Any) -> Memory:
    """A memory in RAM whose clock stands at ``NOW``."""
    return Memory.open(
        "memory://",
        llm=llm or OfflineRules(),
        embedder=embedder or "hashing",
        config=MemoryConfig(**settings_),
        clock=lambda: NOW,
    )


async def told(memory: Memory, facts: Any, *, kind: str = "person", days: float = 10.0) -> list[Fact]:
    """Put facts (name, text) into the memory, an hour apart; entities, names, links and vectors with them."""
    vectors = await memory.embed([text for _, text in facts])
    rows: list[Any] = []
    made = []
    start = len(memory.store.view(AGENT).facts.ids)
    for place, ((name, text), vector) in enumerate(zip(facts, vectors, strict=True), start=start):
        key = f"{kind}:{name.lower().replace(' ', '_')}"
        at = NOW - timedelta(days=days) + timedelta(hours=place)
        rows.append(Entity(key=key, agent_id=AGENT, name=name, type=kind, recorded_at=at))
        rows.append(Alias(folded=name.lower(), agent_id=AGENT, entity_key=key, name=name, recorded_at=at))
        fact = Fact(
            id=f"f{place:02d}", agent_id=AGENT, entity_key=key, entity_name=name, text=text, confidence=0.9, importance=0.5,
            category="unknown", speaker="User", source_event_id="e", valid_from=at, recorded_at=at, vector=vector,
        )  # fmt: skip
        made.append(fact)
        rows += [fact, Link(fact_id=fact.id, agent_id=AGENT, entity_key=key, primary=True, recorded_at=at)]
        if "Orion Tech" in text:
            org = "organization:orion_tech"
            rows.append(Entity(key=org, agent_id=AGENT, name="Orion Tech", type="organization", recorded_at=at))
            rows.append(Alias(folded="orion tech", agent_id=AGENT, entity_key=org, name="Orion Tech", recorded_at=at))
            rows.append(Link(fact_id=fact.id, agent_id=AGENT, entity_key=org, primary=False, recorded_at=at))
    memory.store.append("edit", AGENT, rows, unit_id=f"told{start}", recorded_at=NOW)
    return made


def put(memory: Memory, *rows: Any) -> None:
    """Commit rows as they are."""
    memory.store.append("edit", AGENT, list(rows), unit_id=f"put{memory.store.view(AGENT).sequence}", recorded_at=NOW)


async def cluster(memory: Memory, **asked: Any) -> ClusteringResult:
    """One run of the job."""
    return await _run(memory, "cluster_user_facts", clustering.job(), **asked)


async def join(memory: Memory, **asked: Any) -> CommunityDetectionResult:
    """One run of ``detect_communities``."""
    return await _run(memory, "detect_communities", communities.job(), **asked)


async def _run(
    memory: Memory, name: str, pipeline: Any, *, dry_run: bool = False, now: datetime = NOW, **overrides: Any
) -> Any:
    values = settings(memory.config, (pipeline,), overrides)[1]
    return await run_job(memory, name, pipeline, AGENT, at=now, values=values, dry_run=dry_run)


def standing(memory: Memory) -> dict[str, Cluster]:
    """Clusters that stand, by the name of their entity."""
    return {
        str(one.entity_key).partition(":")[2]: one
        for one in memory.store.view(AGENT).clusters()
        if not one.invalidated_at
    }


def members(memory: Memory) -> dict[str, list[str]]:
    """Texts of the facts of each cluster, in order."""
    view = memory.store.view(AGENT)
    return {name: [view.fact(i).text for i in one.fact_ids] for name, one in standing(memory).items()}
