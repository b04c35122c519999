"""The jobs in the box, by name, in the order in which a cycle runs them, and how often the documents would have it."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from datetime import timedelta
from functools import cache
from types import MappingProxyType

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
from arandu_lab.pipeline import Pipeline

RESULTS: Mapping[str, type[JobResult]] = {
    "compute_entity_importance": EntityImportanceResult,
    "refresh_entity_summaries": SummaryRefreshResult,
    "consolidate_entity_profiles": ProfileConsolidationResult,
    "cluster_user_facts": ClusteringResult,
    "run_consolidation": ConsolidationResult,
    "run_memify": MemifyResult,
    "detect_communities": CommunityDetectionResult,
    "detect_entity_communities": EntityCommunityResult,
    "run_profile_consolidation": ConsolidationResult,
}
"""Name of a job -> what it returns, in the recommended order: importance first, because summaries are made in its order;
contradictions (``run_consolidation``) before anything is merged (``run_memify``)."""

ORDER = tuple(RESULTS)

CADENCE: Mapping[str, timedelta] = {
    "compute_entity_importance": timedelta(hours=4),
    "refresh_entity_summaries": timedelta(hours=4),
    "consolidate_entity_profiles": timedelta(hours=4),
    "cluster_user_facts": timedelta(hours=8),
    "run_consolidation": timedelta(hours=8),
    "run_memify": timedelta(days=1),
    "detect_communities": timedelta(days=1),
    "detect_entity_communities": timedelta(days=1),
    "run_profile_consolidation": timedelta(days=7),
}
"""The recommended cadence (jobs document); the profile consolidation runs less often than the consolidation."""

_HOMES: Mapping[str, str] = {
    "compute_entity_importance": "importance",
    "refresh_entity_summaries": "summaries",
    "consolidate_entity_profiles": "profiles",
    "cluster_user_facts": "clustering",
    "run_consolidation": "consolidation",
    "run_memify": "memify",
    "detect_communities": "communities",
    "detect_entity_communities": "connecting",
    "run_profile_consolidation": "overview",
}


@cache
def jobs() -> Mapping[str, Pipeline]:
    """Every job in the box, by name, in the recommended order. Each stands in a file of its own and ends in ``job()``."""
    made: dict[str, Pipeline] = {}
    for name in ORDER:
        node = importlib.import_module(f"arandu_lab.jobs.{_HOMES[name]}").job()
        made[name] = node if isinstance(node, Pipeline) else Pipeline((node,))
    return MappingProxyType(made)
