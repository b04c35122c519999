"""The words of the write pipeline that stand for several stages."""

from __future__ import annotations

from arandu_lab.pipeline import Node, group, together
from arandu_lab.write.blind import join_readings, leave_unrelated, relate_entities, scan_entities, state_facts
from arandu_lab.write.dedup import drop_duplicates
from arandu_lab.write.ground import embed_turn, leave_turn, recall_known
from arandu_lab.write.informed import informed
from arandu_lab.write.mirror import mirror_facts
from arandu_lab.write.reconcile import ask_verdicts, leave_unanswered, settle, triage
from arandu_lab.write.resolve import (
    ask_names,
    assign_keys,
    compare_names,
    embed_names,
    leave_names,
    leave_undecided,
    match_names,
)
from arandu_lab.write.roles import keep_statements
from arandu_lab.write.upsert import upsert
from arandu_lab.write.vectors import embed_facts, leave_unembedded


@group
def ground() -> Node:
    """Hear the turn and load what is known of the entities it names."""
    return embed_turn().otherwise(leave_turn()) >> recall_known()


@group
def blind() -> Node:
    """Three questions, the last two side by side: who is named, what is said, how they relate."""
    return scan_entities() >> together(state_facts(), relate_entities().otherwise(leave_unrelated())) >> join_readings()


@group
def extraction() -> Node:
    """Ground the turn and read it: informed, or blind where the informed answer fails."""
    return ground() >> informed().otherwise(blind())


@group
def semantic_dedup() -> Node:
    """Embed the new facts and drop near-duplicates among them."""
    return embed_facts().otherwise(leave_unembedded()) >> drop_duplicates()


@group
def resolve() -> Node:
    """Find or make the entity behind every name."""
    return (
        match_names()
        >> embed_names().otherwise(leave_names())
        >> compare_names()
        >> ask_names().otherwise(leave_undecided())
        >> assign_keys()
    )


@group
def mirror() -> Node:
    """Give unsupported relations a fact."""
    return mirror_facts()


@group
def reconcile() -> Node:
    """Decide ADD, UPDATE, NOOP or DELETE for every new fact."""
    return (
        embed_facts().otherwise(leave_unembedded())
        >> triage()
        >> ask_verdicts().otherwise(leave_unanswered())
        >> settle()
        >> keep_statements()
    )


def write_pipeline() -> Node:
    """The documented write pipeline.

    >>> write_pipeline()
    extraction() >> semantic_dedup() >> resolve() >> mirror() >> reconcile() >> upsert()
    """
    return extraction() >> semantic_dedup() >> resolve() >> mirror() >> reconcile() >> upsert()
