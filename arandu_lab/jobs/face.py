"""``memory.jobs``: run one job, or the recommended cycle, or see in a dry run what they would change."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from arandu_lab.config import MemoryConfig, settings
from arandu_lab.errors import ConfigError, nearest
from arandu_lab.jobs.flow import Snapshot, Worked
from arandu_lab.jobs.preset import ORDER, jobs
from arandu_lab.jobs.results import CycleResult, JobResult
from arandu_lab.jobs.running import run_job
from arandu_lab.memory.arguments import aware, required
from arandu_lab.pipeline import Node, Pipeline

if TYPE_CHECKING:
    from arandu_lab.memory.face import Memory


class Jobs:
    """The background jobs of a memory.

    ``own`` are jobs of one's own: a name and a pipeline from ``Snapshot`` to ``Worked``; under the name of a job in the box
    it takes its place. They run after those of the box.

    >>> import asyncio
    >>> from arandu_lab import Memory
    >>> with Memory.open("memory://", embedder="hashing") as memory:
    ...     print(asyncio.run(memory.jobs.run("compute_entity_importance", "nobody")))
    compute_entity_importance: no entities yet; changed 0 rows
    """

    def __init__(self, memory: Memory, own: Mapping[str, Node] | None = None) -> None:
        self.memory = memory
        self.pipelines: dict[str, Pipeline] = {**jobs(), **checked(own)}

    @property
    def names(self) -> tuple[str, ...]:
        """Every job, in the order of a cycle."""
        return tuple(self.pipelines)

    async def run(
        self,
        job: str,
        agent_id: str,
        *,
        now: datetime | None = None,
        config_overrides: Mapping[str, Any] | None = None,
        dry_run: bool = False,
    ) -> JobResult:
        """Run one job over an agent's memory and commit what it changes, in one append.

        A job that fails changes nothing and says so (``success``, ``error``). A second run without news changes nothing.

        Args:
            now: the moment at which it runs; the clock by default. A replay gives the simulated one.
            config_overrides: settings for this run alone.
            dry_run: say what would change, and change nothing.

        Raises:
            ConfigError: an unknown job or agent, or a setting of a wrong type or range.
        """
        required(agent_id=agent_id)
        pipeline = self._named(job)
        values = self._values([pipeline], config_overrides)
        at = aware("now", now) or self.memory.clock()
        self._count(agent_id)
        return await run_job(self.memory, job, pipeline, agent_id, at=at, values=values, dry_run=dry_run)

    async def cycle(
        self,
        agent_id: str,
        *,
        only: Sequence[str] | None = None,
        without: Sequence[str] = (),
        now: datetime | None = None,
        config_overrides: Mapping[str, Any] | None = None,
        dry_run: bool = False,
        tick: Callable[[str], None] | None = None,
    ) -> CycleResult:
        """Run the jobs in the recommended order: importance first, contradictions before anything is merged.

        A dry run does it on a copy that is thrown away, so each job sees what those before it would have left. A backend that
        fails fails its job alone; a fault in a job of one's own is raised, and what the jobs before it did stays done.

        Args:
            only: these jobs alone, in the order of the cycle whatever order they are given in.
            without: all but these.
            tick: told the name of each job before it begins.
        """
        required(agent_id=agent_id)
        for given in (only, without):
            if isinstance(given, str):
                raise ConfigError(f"only and without want lists of jobs, not the text {given!r}")
        for name in (*(only or ()), *without):
            self._named(name)
        chosen = [name for name in self.names if name not in without and (only is None or name in only)]
        values = self._values([self.pipelines[name] for name in chosen], config_overrides)
        at = aware("now", now) or self.memory.clock()
        self._count(agent_id)
        place = self.memory.fork() if dry_run and len(chosen) > 1 else self.memory
        done: list[JobResult] = []
        try:
            for name in chosen:
                if tick is not None:
                    tick(name)
                dry = dry_run and place is self.memory
                one = await run_job(place, name, self.pipelines[name], agent_id, at=at, values=values, dry_run=dry)
                done.append(one if one.dry_run == dry_run else _dry(one))
        finally:
            if place is not self.memory:
                place.close()
        return CycleResult(results=tuple(done))

    def _named(self, job: str) -> Pipeline:
        if job not in self.pipelines:
            raise ConfigError(f"unknown job {job!r}; {nearest(job, self.pipelines)}")
        return self.pipelines[job]

    def _values(self, pipelines: Iterable[Pipeline], overrides: Mapping[str, Any] | None) -> dict[str, Any]:
        if overrides is not None and not isinstance(overrides, Mapping):
            raise ConfigError(f"config_overrides wants a mapping of settings, not {type(overrides).__name__}")
        read = {name for pipeline in pipelines for name in pipeline.parameters()}
        unread = [name for name in overrides or {} if name in MemoryConfig.model_fields and name not in read]
        for name in unread:
            warnings.warn(f"{name!r} is read by none of these jobs", stacklevel=4)
        self.memory.config.replaced(**{name: (overrides or {})[name] for name in unread})  # a wrong value is refused
        kept = {name: value for name, value in (overrides or {}).items() if name not in unread}
        return settings(self.memory.config, tuple(pipelines), kept, stacklevel=5)[1]

    def _count(self, agent_id: str) -> None:
        """Write down what was retrieved until now: jobs go by it."""
        if not self.memory.store.read_only and agent_id in self.memory.retrieved.pending:
            self.memory.retrieved.write_down(self.memory)

    def __repr__(self) -> str:
        return f"<jobs {', '.join(self.names)}>"


def checked(own: Mapping[str, Node] | None) -> dict[str, Pipeline]:
    """Jobs of one's own as pipelines, by name.

    Raises:
        ConfigError: no mapping of names to pipelines from ``Snapshot`` to ``Worked``.
    """
    if not isinstance(own or {}, Mapping):
        raise ConfigError(f"jobs wants a mapping of names to pipelines, not {type(own).__name__}")
    return {name: _job(name, node) for name, node in (own or {}).items()}


def _job(name: str, node: Node) -> Pipeline:
    if not isinstance(name, str) or not name.strip() or not isinstance(node, Node):
        raise ConfigError(f"job {name!r}: wants a name and a stage or pipeline, not {type(node).__name__}")
    pipeline = node if isinstance(node, Pipeline) else Pipeline((node,))
    if pipeline.accepts is not Snapshot or not (
        isinstance(pipeline.gives, type) and issubclass(pipeline.gives, Worked)
    ):
        raise ConfigError(
            f"job {name!r}: wants a pipeline from Snapshot to Worked, not {pipeline.accepts} to {pipeline.gives}"
        )
    return pipeline


def _dry(result: JobResult) -> JobResult:
    from dataclasses import replace

    return replace(result, dry_run=True)


__all__ = ["ORDER", "Jobs"]
