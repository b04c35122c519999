"""The columns of a scorecard's frames, in order, with their types."""

from __future__ import annotations

from typing import Any

import polars as pl

HEAD: dict[str, Any] = dict.fromkeys(("system", "dataset", "language", "mode", "part"), pl.String)


def _texts(*names: str) -> dict[str, Any]:
    return dict.fromkeys(names, pl.String)


def _counts(*names: str) -> dict[str, Any]:
    return dict.fromkeys(names, pl.Int64)


def _truths(*names: str) -> dict[str, Any]:
    return dict.fromkeys(names, pl.Boolean)


def _lists(*names: str) -> dict[str, Any]:
    return dict.fromkeys(names, pl.List(pl.String))


SCHEMAS: dict[str, dict[str, Any]] = {
    "read": {
        **HEAD,
        **_texts("what", "turn", "kind", "subject", "text", "gold", "slot", "decision"),
        **_truths("exact", "dates", "category"),
    },
    "turns": {
        **HEAD,
        **_texts("turn"),
        **_counts("gold_facts", "read", "distinct", "distinct_kept", "repeats", "repeats_kept", "passed"),
        **_texts("error"),
    },
    "mentions": {**HEAD, **_texts("turn", "entity", "mention"), **_truths("speaker", "named"), **_texts("key", "how")},
    "decisions": {
        **HEAD,
        **_texts("turn", "gold", "slot", "text", "decision", "of"),
        **_truths("reached"),
        **_texts("action", "why", "target"),
        **_truths("target_right", "right", "target_live"),
    },
    "rows": {
        **HEAD,
        **_texts("fact_id", "key", "name", "text", "turn", "gold", "root"),
        **_truths("note", "live", "held", "cascade"),
        **_texts("closed_by"),
        **_truths("false_close"),
    },
    "instants": {
        **HEAD,
        **_texts("at"),
        **_counts(
            "live",
            "true",
            "derived",
            "right",
            "duplicate",
            "stale",
            "by_cascade",
            "invented",
            "misfiled",
            "misdated",
            "notes",
            "mirrors",
            "missing",
        ),
        **_lists("missing_ids", "stale_ids"),
    },
    "evidence": {
        **HEAD,
        **_texts("question", "category"),
        **_counts("need"),
        **_lists("facts", "turns", "rows"),
        **_texts("fate", "stage", "detail", "row_fate"),
        **_counts("turn_rank", "rank", "place", "semantic", "keyword", "graph", "formula", "score"),
    },
    "questions": {
        **HEAD,
        **_texts("question", "category", "kind", "asked_at", "text", "answer", "wrong_answer"),
        **_texts("outcome", "stage", "fact_outcome", "fact_stage", "happened", "turn", "said"),
        **_counts("needs", "delivered", "candidates"),
        **_truths("current_first"),
        **_counts("context_tokens"),
        **_texts("error"),
    },
    "costs": {**HEAD, **_texts("stage"), **_counts("calls", "input_tokens", "output_tokens", "embedded_texts")},
    "errors": {**HEAD, **_texts("message")},
    "times": {**HEAD, **_texts("stage"), "ms": pl.Float64},
}
"""Frame -> column -> type."""
