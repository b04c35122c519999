"""Ids are derived from what they name, so that a replay gives the same ids and committing twice changes nothing."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime


def derive(*parts: str | int | None) -> str:
    """Twenty-four hexadecimal digits for a sequence of parts; no two sequences share one by concatenation.

    >>> derive("a", "bc") != derive("ab", "c"), len(derive("x", 1, None))
    (True, 24)
    """
    digest = hashlib.sha256()
    for part in parts:
        text = ("n" if part is None else f"{type(part).__name__[0]}{part}").encode("utf-8", "surrogatepass")
        digest.update(len(text).to_bytes(8, "big"))
        digest.update(text)
    return digest.hexdigest()[:24]


def event_id(agent_id: str, session_id: str | None, occurred_at: datetime, speaker: str, text: str) -> str:
    """The id of a turn: the same words by the same speaker at the same instant are the same turn."""
    return derive("event", agent_id, session_id, occurred_at.astimezone(UTC).isoformat(), speaker, text)


def fact_id(event: str, ordinal: int) -> str:
    """The id of the ``ordinal``-th fact of a turn."""
    return derive("fact", event, ordinal)


def edge_id(event: str, source: str, rel_type: str, target: str) -> str:
    """The id of the version of an edge that a turn opens."""
    return derive("edge", event, source, rel_type, target)
