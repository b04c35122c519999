"""One job from a view to a commit: draft, and if the journal moved meanwhile see whether that touches what was drafted."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from arandu_lab.errors import BackendError
from arandu_lab.jobs.flow import Snapshot, Worked
from arandu_lab.jobs.preset import RESULTS
from arandu_lab.jobs.results import Changed, JobResult
from arandu_lab.memory.tombstones import tombstones
from arandu_lab.pipeline import Pipeline
from arandu_lab.pipeline.lab import View
from arandu_lab.pipeline.node import Run
from arandu_lab.pure import versions
from arandu_lab.pure.standing import doubted
from arandu_lab.records import (
    MARK,
    Cluster,
    Entity,
    Event,
    Fact,
    Failure,
    Observation,
    Relationship,
    Row,
)
from arandu_lab.trace import PipelineTrace, Span

if TYPE_CHECKING:
    from arandu_lab.memory.face import Memory

_ATTEMPTS = 8


async def run_job(
    memory: Memory,
    job: str,
    pipeline: Pipeline,
    agent_id: str,
    *,
    at: datetime,
    values: Mapping[str, Any],
    dry_run: bool,
) -> JobResult:
    """Draft what the job would change and commit it in one append; a backend's failure changes nothing and is told.

    A draft stands on what it read. When the journal has moved by the time of the commit, it is committed all the same if
    no row of it, and no fact or turn that it cites, has changed since; else it is drafted again.
    """
    from arandu_lab.store import Moved

    began = time.perf_counter()
    trace = PipelineTrace(Span(job))
    result = RESULTS.get(job, JobResult)
    worked, before = Worked(agent_id=agent_id), tuple[Row | None, ...]()
    try:
        for attempt in range(1, _ATTEMPTS + 1):
            lab = memory.lab(agent_id, at, trace.root)
            worked = await pipeline.run(Snapshot(agent_id=agent_id), Run(lab, values, trace.root))
            rows, barred = tombstones(memory.store, agent_id).spared(worked.rows)
            worked = replace(worked, rows=rows, skipped=(*worked.skipped, *barred))
            worked = _settled(worked, lab.memory, at)
            before = befores(worked.rows, lab.memory)
            stamped = versions.stamped(worked, memory.clock())
            if dry_run or not worked.rows:
                break
            try:
                with memory.store.still():
                    now = memory.store.view(agent_id)
                    if now.sequence != lab.memory.sequence and not _still_stands(worked.rows, before, lab.memory, now):
                        raise Moved(agent_id, lab.memory.sequence, now.sequence)
                    memory.commit(stamped, unit_id=f"{job}:{now.sequence}", kind="job", expects=now.sequence)
                break
            except Moved:
                if attempt == _ATTEMPTS:
                    raise
                memory.store.refresh()
    except BackendError as error:
        failure = Failure(stage=error.stage, kind=error.kind, backend=error.backend, message=error.message)
        return result(
            job=job,
            agent_id=agent_id,
            at=at,
            success=False,
            error=str(error),
            degraded=tuple(dict.fromkeys((*trace.degraded, *([error.stage] if error.stage else [])))),
            failures=(*trace.failures, failure),
            usage=trace.root.usage,
            duration_ms=_since(began),
            dry_run=dry_run,
            pipeline=trace,
        )
    told = tuple(
        Changed(after=after, before=old)
        for after, old in zip(versions.stamped(worked, memory.clock()).rows, before, strict=True)
        if not (isinstance(after, Observation) and after.kind == MARK)
    )
    return result(
        job=job,
        agent_id=agent_id,
        at=at,
        counts=worked.counts,
        changed=told,
        idle=worked.idle,
        degraded=trace.degraded,
        failures=trace.failures,
        left=worked.skipped,
        usage=trace.root.usage,
        duration_ms=_since(began),
        dry_run=dry_run,
        pipeline=trace,
    )


def befores(rows: Iterable[Row], view: View) -> tuple[Row | None, ...]:
    """The image that each row has in a view; None where it is not there."""
    every: tuple[Relationship | Cluster | Observation, ...] = (*view.edges(), *view.clusters(), *view.observations())
    held: dict[tuple[type[Row], str], Row] = {(type(one), one.id): one for one in every}

    def image(row: Row) -> Row | None:
        match row:
            case Fact():
                return view.fact(row.id)
            case Event():
                return view.event(row.id)
            case Entity():
                return view.entity(row.key)
            case Relationship() | Cluster() | Observation():
                return held.get((type(row), row.id))
            case _:  # names and mentions are written by writes, and the rows of a workspace by its own operations
                return None

    return tuple(map(image, rows))


def _settled(worked: Worked, view: View, at: datetime) -> Worked:
    """The unit without rows that change nothing, and with the doubts that its ends raise."""
    rows = tuple(row for row, old in zip(worked.rows, befores(worked.rows, view), strict=True) if not _same(row, old))
    doubts = doubted(rows, view.fact, view.resting_on, at)
    mine = {one.id for one in doubts}
    rows = (*(row for row in rows if not (isinstance(row, Fact) and row.id in mine)), *doubts)
    return replace(worked, rows=rows)


def _same(row: Row, before: Row | None) -> bool:
    """Whether an image changes nothing, the vector included."""
    if before is None or row != before:
        return False
    old, new = getattr(before, "vector", None), getattr(row, "vector", None)
    return new is None or (old is not None and bool((old == new).all()))


def _still_stands(rows: tuple[Row, ...], before: tuple[Row | None, ...], was: View, now: View) -> bool:
    """Whether nothing that a draft changes or cites has changed between two views."""
    if befores(rows, now) != before:
        return False
    cited = {one for row in rows for one in _cites(row)}
    told = [row.key for row, old in zip(rows, before, strict=True) if isinstance(row, Entity) and _tells(row, old)]
    linked = all(_known_of(key, was) == _known_of(key, now) for key in told)
    return linked and all(was.fact(one) == now.fact(one) and was.event(one) == now.event(one) for one in cited)


def _tells(row: Entity, before: Row | None) -> bool:
    """Whether a draft gives an entity another summary or profile: then it stands on every fact that mentions it."""
    old = (None, None) if not isinstance(before, Entity) else (before.summary_text, before.profile_text)
    return (row.summary_text, row.profile_text) != old


def _known_of(key: str, view: View) -> dict[str, Fact]:
    facts = (view.fact_at(int(place)) for place in view.linked(key))
    return {fact.id: fact for fact in facts}


def _cites(row: Row) -> tuple[str, ...]:
    match row:
        case Fact():
            return row.premise_ids
        case Cluster():
            return row.fact_ids
        case Observation():
            return row.evidence_ids
        case _:
            return ()


def _since(began: float) -> float:
    return (time.perf_counter() - began) * 1000.0
