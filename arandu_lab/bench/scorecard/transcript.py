"""From what flows through the pipelines to the plain records of a dossier."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from arandu_lab.bench.scorecard.dossier import Candidate, Heard, Made, Named, ReadFact, Row
from arandu_lab.pure import ids
from arandu_lab.pure.text import normal
from arandu_lab.read.found import SIGNALS
from arandu_lab.read.render import TURNS, one_line
from arandu_lab.records import (
    Changes,
    Event,
    Extraction,
    Fact,
    NewFact,
    Reconciliation,
    Resolution,
    Resolved,
    Skipped,
)


def read_fact(fact: NewFact) -> ReadFact:
    """A fact as a stage stated it."""
    return ReadFact(
        subject=fact.subject,
        text=fact.text,
        category=fact.category,
        confidence=fact.confidence,
        valid_from=None if fact.valid_from is None else fact.valid_from.date().isoformat(),
        event_time=fact.event_time,
        context=fact.source_context,
    )


def read_facts(facts: Iterable[NewFact]) -> tuple[ReadFact, ...]:
    """Facts as a stage stated them."""
    return tuple(map(read_fact, facts))


def entities(read: Extraction) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Name, type and further names of whom extraction named."""
    return tuple((one.name, one.type, one.aliases) for one in read.entities)


def relations(read: Extraction) -> tuple[tuple[str, str, str], ...]:
    """Source, type and target of what extraction related."""
    return tuple((one.source, one.type, one.target) for one in read.relations)


def kept(before: Extraction, after: Extraction) -> tuple[int, ...]:
    """Positions of the facts that are still there after a stage: the same ones, else the first of the same words.

    A fact that the stage passes on more often than it was handed stands there as often.
    """
    every = list(enumerate(before.facts))
    left = list(every)
    out: list[int] = []
    for fact in after.facts:
        same = _same(fact, left)
        same = _same(fact, every) if same is None else same
        if same is not None:
            out.append(same)
            left = [(place, one) for place, one in left if place != same]
    return tuple(out)


def _same(fact: NewFact, among: list[tuple[int, NewFact]]) -> int | None:
    exact = next((place for place, one in among if one == fact), None)
    said = normal(fact.text)
    return exact if exact is not None else next((place for place, one in among if normal(one.text) == said), None)


def named(resolved: Iterable[Resolved]) -> tuple[Named, ...]:
    """Names and whom they were taken for."""
    return tuple(
        Named(name=one.name, key=one.key, how=one.how, aliases=one.aliases, candidates=one.candidates)
        for one in resolved
    )


def made(resolution: Resolution, changes: Changes | None) -> tuple[Made, ...]:
    """What was decided about each fact, and the row that was newly written for it."""
    event = resolution.turn.event_id
    written = {row.id for row in changes.rows if isinstance(row, Fact)} if changes else set()
    done = {one.fact.id: one for one in changes.decided if one.action in ("ADD", "UPDATE")} if changes else {}
    decisions = resolution.decisions if isinstance(resolution, Reconciliation) else ()
    out = []
    for position in range(len(resolution.facts)):
        row = ids.fact_id(event, position)
        decision = decisions[position] if position < len(decisions) else None
        if decision is not None:
            action, target, why = str(decision.action), decision.target_id, decision.why
        elif row in done:
            before = done[row].before
            action, target, why = str(done[row].action), before.id if before else None, done[row].why
        else:
            action, target, why = "ADD", None, "silence"
        fact_id = row if row in written else None
        out.append(Made(position=position, action=action, target_id=target, why=why, fact_id=fact_id))
    return tuple(out)


def skipped(what: Iterable[Skipped]) -> tuple[tuple[str, str], ...]:
    """What was not stored, and why."""
    return tuple((one.what, one.why) for one in what)


def heard(turn: str, passed: Mapping[str, Any], *, error: str | None = None) -> Heard:
    """One turn, by what left each stage of the card (see ``taps.listening``); of a failed one, as far as it came."""
    read = passed.get("extraction", passed.get("dedup"))
    if not isinstance(read, Extraction):
        return Heard(turn=turn, error=error)
    deduped: Extraction = passed.get("dedup", read)
    resolution = passed.get("resolution")
    reconciled = passed.get("reconciliation", resolution)
    changes = passed.get("state")
    notes = changes if isinstance(changes, Changes) else reconciled or deduped
    return Heard(
        turn=turn,
        facts=read_facts(read.facts),
        entities=entities(read),
        relations=relations(read),
        kept=kept(read, deduped),
        stated=read_facts(reconciled.facts) if isinstance(reconciled, Extraction) else (),
        resolved=named(resolution.resolved) if isinstance(resolution, Resolution) else (),
        made=made(reconciled, changes) if isinstance(reconciled, Resolution) else (),
        skipped=skipped(notes.skipped),
        error=error,
    )


def row(fact: Fact, turns: Mapping[str, str]) -> Row:
    """A version of the store; ``turns`` leads from events to turns."""
    ends = None if fact.valid_to is None else fact.valid_to.isoformat()
    return Row(
        fact_id=fact.id,
        key=fact.entity_key,
        name=fact.entity_name,
        text=fact.text,
        turn=turns.get(fact.source_event_id),
        valid_from=fact.valid_from.isoformat(),
        valid_to=ends,
        recorded_at=fact.recorded_at.isoformat(),
        invalidated_at=None if fact.invalidated_at is None else fact.invalidated_at.isoformat(),
        supersedes=fact.supersedes_fact_id,
        closed_by=fact.closed_by,
        context=fact.source_context,
    )


_SCORES = (*SIGNALS, "confidence_raw", "formula", "reranker", "score")


def candidates(frame: pl.DataFrame, *, only: Iterable[str] | None = None) -> tuple[Candidate, ...]:
    """The candidates of a frame in its order (of the whole frame, where ``only`` some are written down).

    ``budget`` is said of what was kept and found no room in the context.
    """
    wanted = None if only is None else frozenset(only)
    shown = [name for name in _SCORES if name in frame.columns]
    out = []
    for rank, one in enumerate(frame.iter_rows(named=True), start=1):
        if wanted is not None and one["fact_id"] not in wanted:
            continue
        lost = one.get("lost")
        if lost is None and "tier" in one and one.get("kept", True) and one["tier"] is None:
            lost = "budget"
        scores = {name: round(float(one[name]), 6) for name in shown if one[name] is not None}
        out.append(Candidate(fact_id=one["fact_id"], rank=rank, lost=lost, scores=scores))
    return tuple(out)


def found_turns(events: Iterable[Event], turns: Mapping[str, str]) -> tuple[str, ...]:
    """Ids of the turns that a retrieval found, best first."""
    return tuple(turns[event.id] for event in events if event.id in turns)


def quoted(context: str, events: Iterable[Event], turns: Mapping[str, str]) -> tuple[str, ...]:
    """Ids of those turns that stand in the context, whole or cut short, in order of the events."""
    _, _, section = context.partition(f"{TURNS}\n") if TURNS in context.splitlines() else ("", "", "")
    lines = [line for line in section.splitlines() if line.startswith("- (")]
    out = []
    for event in events:
        head, said = f"- ({event.occurred_at.date().isoformat()}) ", one_line(event.text)
        for line in lines:
            body = line[len(head) :]
            if line.startswith(head) and body and said.startswith(body.removesuffix("...")):
                lines.remove(line)
                out.append(event.id)
                break
    return tuple(turns[event] for event in out if event in turns)
