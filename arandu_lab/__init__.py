"""A laboratory for the long-term memory of language-model agents.

>>> from arandu_lab import MemoryConfig
>>> MemoryConfig().topk_facts
20
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arandu_lab.bench.experiment import experiment
    from arandu_lab.bench.sweeps.result import Sweep
    from arandu_lab.bench.sweeps.run import sweep
    from arandu_lab.config import MemoryConfig
    from arandu_lab.errors import AranduError, BackendError, ConfigError, DatasetError, Regression
    from arandu_lab.jobs.functions import (
        cluster_user_facts,
        compute_entity_importance,
        compute_vitality,
        consolidate_entity_profiles,
        detect_communities,
        detect_entity_communities,
        refresh_entity_summaries,
        run_consolidation,
        run_memify,
        run_profile_consolidation,
    )
    from arandu_lab.jobs.results import (
        ClusteringResult,
        CommunityDetectionResult,
        ConsolidationResult,
        EntityCommunityResult,
        EntityImportanceResult,
        MemifyResult,
        ProfileConsolidationResult,
        SummaryRefreshResult,
    )
    from arandu_lab.memory import Memory, MemoryClient
    from arandu_lab.pipeline import Lab, Pipeline, group, stage, together
    from arandu_lab.results import RetrieveResult, ScoredFact, TokenUsage, WriteResult

_HOMES = {
    "experiment": "bench.experiment",
    "sweep": "bench.sweeps.run",
    "Sweep": "bench.sweeps.result",
    "MemoryConfig": "config",
    "AranduError": "errors",
    "BackendError": "errors",
    "ConfigError": "errors",
    "DatasetError": "errors",
    "Regression": "errors",
    "cluster_user_facts": "jobs.functions",
    "detect_communities": "jobs.functions",
    "run_consolidation": "jobs.functions",
    "run_profile_consolidation": "jobs.functions",
    "run_memify": "jobs.functions",
    "compute_vitality": "jobs.functions",
    "compute_entity_importance": "jobs.functions",
    "refresh_entity_summaries": "jobs.functions",
    "consolidate_entity_profiles": "jobs.functions",
    "detect_entity_communities": "jobs.functions",
    "ClusteringResult": "jobs.results",
    "CommunityDetectionResult": "jobs.results",
    "ConsolidationResult": "jobs.results",
    "MemifyResult": "jobs.results",
    "EntityImportanceResult": "jobs.results",
    "SummaryRefreshResult": "jobs.results",
    "ProfileConsolidationResult": "jobs.results",
    "EntityCommunityResult": "jobs.results",
    "Memory": "memory",
    "MemoryClient": "memory",
    "Lab": "pipeline",
    "Pipeline": "pipeline",
    "group": "pipeline",
    "stage": "pipeline",
    "together": "pipeline",
    "RetrieveResult": "results",
    "ScoredFact": "results",
    "TokenUsage": "results",
    "WriteResult": "results",
}

__version__ = "0.1.0"
__all__ = [  # noqa: RUF022 - the order of a reader
    "Memory", "MemoryClient", "MemoryConfig",
    "WriteResult", "RetrieveResult", "ScoredFact", "TokenUsage",
    "stage", "group", "together", "Pipeline", "Lab",
    "experiment", "sweep", "Sweep",
    "cluster_user_facts", "detect_communities", "run_consolidation", "run_profile_consolidation", "run_memify",
    "compute_vitality", "compute_entity_importance", "refresh_entity_summaries",
    "consolidate_entity_profiles", "detect_entity_communities",
    "ClusteringResult", "CommunityDetectionResult", "ConsolidationResult", "MemifyResult",
    "EntityImportanceResult", "SummaryRefreshResult", "ProfileConsolidationResult", "EntityCommunityResult",
    "AranduError", "ConfigError", "BackendError", "DatasetError", "Regression",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"arandu_lab has no {name!r}; it has {', '.join(__all__)}")
    return getattr(importlib.import_module(f"arandu_lab.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
