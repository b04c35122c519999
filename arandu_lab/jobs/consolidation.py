"""Consolidation: what the last days show when they are taken together (jobs document, L2; J4, A11, A12, A19).

The order is part of the contract: contradictions first, by rule and over all that holds; then how turns sound; then one
question for insights, patterns, contradictions, trends and directives; then the moods. Two questions at most, and if one of
them fails nothing is changed.
"""

from __future__ import annotations

from dataclasses import replace

from arandu_lab.jobs.contradicting import note_contradictions
from arandu_lab.jobs.directives import opposed
from arandu_lab.jobs.embedding import embed_concluded, leave_concluded
from arandu_lab.jobs.feeling import ask_feelings
from arandu_lab.jobs.flow import Worked, left
from arandu_lab.jobs.moods import note_moods
from arandu_lab.jobs.patterns import Proposed, ask_patterns, embed_proposals, leave_proposals
from arandu_lab.jobs.reinforcing import fresh, known, reinforced
from arandu_lab.jobs.window import mark, marked, open_window
from arandu_lab.pipeline import Lab, Node, stage
from arandu_lab.pipeline.lab import View
from arandu_lab.records import UNSTAMPED, Observation, Skipped
from arandu_lab.units import Cosine, Share


def job() -> Node:
    """``run_consolidation``."""
    return (
        open_window()
        >> note_contradictions()
        >> ask_feelings()
        >> ask_patterns()
        >> note_moods()
        >> embed_proposals().otherwise(leave_proposals())
        >> keep_observations()
        >> embed_concluded().otherwise(leave_concluded())
    )


@stage
def keep_observations(
    found: Proposed, lab: Lab, *, semantic_dedup_threshold: Cosine, reinforcement_gain: Share = 0.2
) -> Worked:
    """Hold what was proposed against what is known: reinforce, or add; then put down what has been looked at.

    A directive that forbids what an earlier one asked for, or the other way round, takes its place if it was said later.
    """
    memory = lab.memory
    stored = memory.observations()
    rows = {row.id: row for row in (*stored, *found.withdrawn, *found.noted)}
    skipped: list[Skipped] = []
    for proposal in found.proposals:
        before = known(proposal, rows.values(), lab.embed.scale, semantic_dedup_threshold)
        if before is not None:
            after = reinforced(before, proposal, reinforcement_gain)
        else:
            after = fresh(proposal, found.agent_id)
        if after == before:
            continue
        if after.kind == "directive":
            against = [row for row in rows.values() if _against(row, after)]
            later = next((row for row in against if _said(row, memory) >= _said(after, memory)), None)
            if later is not None:
                skipped.append(left(f"directive: {after.text[:80]}", f"overtaken by {later.text[:80]!r}"))
                continue
            rows.update((row.id, replace(row, invalidated_at=UNSTAMPED)) for row in against)
        rows[after.id] = after
    old = {row.id: row for row in stored}
    changed = [row for row in rows.values() if old.get(row.id) != row]
    created = [row for row in changed if row.invalidated_at is None and _new(row, old.get(row.id))]
    reinforced_rows = [row for row in changed if row.invalidated_at is None and not _new(row, old.get(row.id))]
    idle = found.idle if not changed else None
    counts = (
        ("events_processed", len(found.fresh)),
        ("observations_created", len(created)),
        ("observations_reinforced", len(reinforced_rows)),
        ("events_tagged", len(found.tagged)),
    )
    seen = () if found.idle is not None else (mark(found, marked(stored)),)
    return Worked(
        agent_id=found.agent_id,
        rows=(*found.tagged, *changed, *seen),
        skipped=(*found.skipped, *skipped),
        counts=counts,
        idle=idle,
    )


def _new(row: Observation, before: Observation | None) -> bool:
    return before is None or before.invalidated_at is not None


def _against(row: Observation, directive: Observation) -> bool:
    standing = row.kind == "directive" and row.invalidated_at is None and row.id != directive.id
    return standing and opposed(row.text, directive.text)


def _said(row: Observation, memory: View) -> float:
    """When what a directive rests on was last said, in seconds since 1970."""
    return max((event.occurred_at.timestamp() for event in map(memory.event, row.evidence_ids) if event), default=0.0)
