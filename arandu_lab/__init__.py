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
    "AranduError", "ConfigError", "BackendError", "DatasetError", "Regression",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"arandu_lab has no {name!r}; it has {', '.join(__all__)}")
    return getattr(importlib.import_module(f"arandu_lab.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
