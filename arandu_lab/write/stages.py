"""Everything the write pipeline registers."""

from arandu_lab.write.blind import join_readings, leave_unrelated, relate_entities, scan_entities, state_facts
from arandu_lab.write.dedup import drop_duplicates
from arandu_lab.write.ground import embed_turn, leave_turn, recall_known
from arandu_lab.write.groups import (
    blind,
    extraction,
    ground,
    mirror,
    reconcile,
    resolve,
    semantic_dedup,
    write_pipeline,
)
from arandu_lab.write.informed import informed
from arandu_lab.write.keeping import keep_turn
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

__all__ = [
    "ask_names",
    "ask_verdicts",
    "assign_keys",
    "blind",
    "compare_names",
    "drop_duplicates",
    "embed_facts",
    "embed_names",
    "embed_turn",
    "extraction",
    "ground",
    "informed",
    "join_readings",
    "keep_statements",
    "keep_turn",
    "leave_names",
    "leave_turn",
    "leave_unanswered",
    "leave_undecided",
    "leave_unembedded",
    "leave_unrelated",
    "match_names",
    "mirror",
    "mirror_facts",
    "recall_known",
    "reconcile",
    "relate_entities",
    "resolve",
    "scan_entities",
    "semantic_dedup",
    "settle",
    "state_facts",
    "triage",
    "upsert",
    "write_pipeline",
]
