"""From a turn to a committed unit of work: record, draft, commit, and draft again if somebody else was faster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from arandu_lab.errors import BackendError
from arandu_lab.memory import upkeep
from arandu_lab.memory.tombstones import FORGOTTEN, tombstones
from arandu_lab.pipeline import Node, Pipeline
from arandu_lab.pipeline.node import Run
from arandu_lab.pure import versions
from arandu_lab.records import Action, Changes, Event, Extraction, Fact, Failure, Resolution, Skipped, Turn
from arandu_lab.results import WriteResult
from arandu_lab.trace import PipelineTrace, Span

if TYPE_CHECKING:
    from arandu_lab.memory.face import Memory

_ATTEMPTS = 64  # whoever moved the journal made progress; a draft gives up only in a storm


async def write_turn(
    memory: Memory, turn: Turn, pipeline: Pipeline, values: Mapping[str, Any], *, dry_run: bool
) -> WriteResult:
    """Record the turn, run the pipeline over it, commit what it drafted; a backend's failure is told in the result.

    Turns of one agent are taken up one after the other, so that each sees what the one before decided. ``event_id`` is
    None when the store itself refused the turn: then it is not recorded.
    """
    trace = PipelineTrace(Span("write"))
    recorded = dry_run
    try:
        async with memory.store.serial(turn.agent_id):
            with memory.store.still():
                if tombstones(memory.store, turn.agent_id).turn(turn):
                    return _forgotten(turn, dry_run)
                if not dry_run:
                    _record(memory, turn)
                    recorded = True
            if not dry_run and memory.store.has(turn.agent_id, f"write:{turn.event_id}"):
                again = Skipped(what=turn.text, why="this turn was written before")
                return WriteResult(event_id=turn.event_id, skipped=(again,))
            changes = await _draft_and_commit(memory, turn, pipeline, values, trace, dry_run)
            if changes is None:
                return _forgotten(turn, dry_run)
            if not dry_run:
                await upkeep.mend(memory, turn.agent_id, changes)
        if not dry_run:
            await _listen(memory, turn, trace)
    except BackendError as error:
        failure = Failure(stage=error.stage, kind=error.kind, backend=error.backend, message=error.message)
        stopped = (error.stage,) if error.stage and error.stage not in trace.degraded else ()
        return WriteResult(
            event_id=turn.event_id if recorded else None,
            usage=trace.root.usage,
            success=False,
            error=str(error),
            degraded=(*trace.degraded, *stopped),
            failures=(*trace.failures, failure),
            pipeline=trace,
        )

    def facts(action: Action) -> tuple[Fact, ...]:
        return tuple(one.fact for one in changes.decided if one.action == action)

    return WriteResult(
        event_id=turn.event_id,
        facts_added=facts("ADD"),
        facts_updated=facts("UPDATE"),
        facts_unchanged=facts("NOOP"),
        facts_deleted=facts("DELETE"),
        entities_resolved=changes.resolved,
        usage=trace.root.usage,
        degraded=trace.degraded,
        failures=trace.failures,
        skipped=changes.skipped,
        decided=changes.decided,
        mode=changes.mode,
        pipeline=trace,
    )


async def _listen(memory: Memory, turn: Turn, trace: PipelineTrace) -> None:
    """Where questions look at single words or sentences, embed the new ones now, so that none waits; a failure loses nothing."""
    from arandu_lab.read.evidence.hearing import HEARD, hear

    stages = HEARD.intersection(memory.read_pipeline.names())
    if not stages:
        return
    with trace.root.child("hear") as span:
        try:
            await hear(memory.lab(turn.agent_id, turn.occurred_at, span).at(span), stages)
        except BackendError:
            span(words=0, sentences=0)  # the first question embeds them


def _record(memory: Memory, turn: Turn) -> None:
    """The event, in the journal before any model or embedder is asked (W6)."""
    moment = memory.clock()
    event = Event(
        id=turn.event_id,
        agent_id=turn.agent_id,
        text=turn.text,
        speaker=turn.speaker,
        occurred_at=turn.occurred_at,
        recorded_at=moment,
        session_id=turn.session_id,
    )
    memory.store.append("turn", turn.agent_id, [event], unit_id=f"turn:{turn.event_id}", recorded_at=moment)


async def _draft_and_commit(
    memory: Memory,
    turn: Turn,
    pipeline: Pipeline,
    values: Mapping[str, Any],
    trace: PipelineTrace,
    dry_run: bool,
) -> Changes | None:
    """Draft and commit; if the journal moved meanwhile, draft again from resolution (W25), a dry run likewise.

    None: the turn was forgotten while it was being read. Tombstones are looked at after the view is taken: what is
    forgotten later moves the journal.
    """
    from arandu_lab.store import Moved

    names = [node.name for node in pipeline.nodes]
    split = names.index("resolve") if "resolve" in names else 0
    read: Any = turn
    lab = memory.lab(turn.agent_id, turn.occurred_at, trace.root)
    read = await through(memory, pipeline.nodes[:split], turn, read, Run(lab, values, trace.root))
    for attempt in range(1, _ATTEMPTS + 1):
        lab = memory.lab(turn.agent_id, turn.occurred_at, trace.root)
        if tombstones(memory.store, turn.agent_id).turn(turn):
            return None
        drafted = await through(memory, pipeline.nodes[split:], turn, read, Run(lab, values, trace.root))
        changes = versions.stamped(drafted, memory.clock())
        if dry_run and (attempt == _ATTEMPTS or memory.store.view(turn.agent_id).sequence == lab.memory.sequence):
            return changes
        if dry_run:
            continue
        try:
            memory.commit(changes, unit_id=f"write:{turn.event_id}", expects=lab.memory.sequence)
        except Moved:
            if attempt == _ATTEMPTS:
                raise
            memory.store.refresh()
        else:
            return changes
    raise AssertionError("unreachable")


async def through(memory: Memory, nodes: Sequence[Node], turn: Turn, read: Any, run: Run) -> Any:
    """What flows, through these nodes one by one; of an extraction only what was not forgotten goes on."""
    for node in (None, *nodes):
        if node is not None:
            read = await node.run(read, run)
        if isinstance(read, Extraction) and not isinstance(read, Resolution):
            barred = tombstones(memory.store, turn.agent_id)
            read = barred.sifted(read, run.lab.memory.aliases())
    return read


def _forgotten(turn: Turn, dry_run: bool) -> WriteResult:
    again = Skipped(what=turn.text, why=FORGOTTEN)
    return WriteResult(event_id=None, skipped=(again,), dry_run=dry_run)
