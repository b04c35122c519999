"""A small memory to work on while nobody speaks: what the tests of jobs share."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any

from arandu_lab import Memory
from arandu_lab.config import settings
from arandu_lab.jobs.results import JobResult
from arandu_lab.jobs.running import run_job
from arandu_lab.pipeline import Node, Pipeline

T0 = datetime(2025, 3, 3, 12, tzinfo=UTC)
AGENT = "a"

TOLD = (
    ("Rafael", "I live in Recife with my wife Ana."),
    ("Ana", "Eu trabalho no Hospital da Luz e adoro maracatu."),
    ("Rafael", "My boss is Carla. I work at Orion Tech."),
)


class Bench:
    """A memory, its clock, and a way to run one job that does not need the others."""

    def __init__(self, llm: Any = "offline/rules") -> None:
        self.now = T0
        self.llm = llm
        self.memory = Memory.open("memory://", llm=llm, embedder="hashing", clock=lambda: self.now)

    def tell(self, *said: tuple[str, str], hours: float = 1.0) -> None:
        """Turns, an hour apart."""
        for speaker, text in said:
            result = asyncio.run(self.memory.write(AGENT, text, speaker, occurred_at=self.now))
            assert result.success, result.error
            self.now += timedelta(hours=hours)

    def run(self, job: Node | str, *, dry_run: bool = False, **overrides: Any) -> JobResult:
        """One job, by name or as a node."""
        if isinstance(job, str):
            return asyncio.run(self.memory.jobs.run(job, AGENT, dry_run=dry_run, config_overrides=overrides or None))
        pipeline = job if isinstance(job, Pipeline) else Pipeline((job,))
        values = settings(self.memory.config, (pipeline,), overrides)[1]
        return asyncio.run(run_job(self.memory, job.name, pipeline, AGENT, at=self.now, values=values, dry_run=dry_run))

    def wait(self, **time: float) -> None:
        """Let time pass."""
        self.now += timedelta(**time)

    def ask(self, question: str, **given: Any) -> Any:
        """Retrieve now."""
        return asyncio.run(self.memory.retrieve(AGENT, question, **given))

    def do(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Wait for a coroutine."""
        return asyncio.run(work)
