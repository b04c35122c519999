"""Two ways of reading each message, on one and the same memory: both as dry runs, then the memory hears one of them.

So a difference between the two is of reading this message, and of nothing that either did before (teacher forcing). The
arms take turns in going first, because the second finds embeddings warm.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import polars as pl

from arandu_lab.bench.data.model import Conversation, Dataset, DatedTurn
from arandu_lab.bench.extraction import extraction_rows, names, saying
from arandu_lab.bench.plan import Row
from arandu_lab.bench.replay import Replay
from arandu_lab.bench.sweeps.ingested import memory_of
from arandu_lab.bench.sweeps.settled import applied
from arandu_lab.bench.workers import finished
from arandu_lab.results import WriteResult
from arandu_lab.systems.arandu import AGENT, Arandu
from arandu_lab.systems.base import worded

ARMS: Mapping[str, Mapping[str, Any]] = {
    "informed": {"enable_informed_extraction": True},
    "blind": {"enable_informed_extraction": False},
}
"""Name of an arm -> the settings of it."""

Told = Callable[[int, int, str], None]
Heard = list[tuple[str, str, str, str]]


def forced(
    row: Row, dataset: Dataset, conversation: Conversation, *, teacher: str, llm: Any, seed: int, told: Told
) -> pl.DataFrame:
    """Every message of a conversation read by every arm.

    Args:
        teacher: The arm whose writing the memory takes.
        llm: The model behind the row's name; a cassette around it, so that the teacher's second reading is not paid for.
        told: Hears ``(done, of, what)``.

    Returns:
        A row a message and arm: ``dataset conversation session turn arm mode``, then ``facts`` stored, ``right`` of them
        said by the gold, ``due`` gold facts and ``kept`` of them (null without gold), ``duplicates`` of what the memory
        or the message had said, ``calls input_tokens output_tokens ms``, and ``error``; all figures of a failed reading
        are null.

    Raises:
        ConfigError: settings that are wrong, or a model that may not be asked.
    """
    language = dataset.language.split("-")[0]
    system = memory_of(row, conversation, language=language, seed=seed, llm=llm)
    system.assembly = applied(system.assembly, ARMS[teacher])
    system.path = "memory://"
    rows, extracted = finished(_heard(system, conversation, told))
    scores = {arm: _scored(conversation, heard) for arm, heard in extracted.items()}
    for one in rows:
        one["dataset"] = dataset.name
        if conversation.gold is not None and one["error"] is None:
            one |= scores[one["arm"]].get(one["turn"], dict.fromkeys(("right", "due", "kept"), 0))
    return pl.DataFrame(rows, schema=_SCHEMA)


async def _heard(
    system: Arandu, conversation: Conversation, told: Told
) -> tuple[list[dict[str, Any]], dict[str, Heard]]:
    rows: list[dict[str, Any]] = []
    extracted: dict[str, Heard] = {arm: [] for arm in ARMS}
    table = names(conversation, ())
    recent: list[str] = []
    await system.begin(conversation.id)
    try:
        for place, turn in enumerate(conversation.turns):
            said = worded(turn, system.template)
            live = {saying(subject, text, table) for subject, text in await system.live()}
            order = list(ARMS) if place % 2 == 0 else list(ARMS)[::-1]
            for arm in order:
                result = await system.memory.write(
                    AGENT,
                    said,
                    turn.told_by(),
                    recent_messages=tuple(recent[-_RECENT:]),
                    occurred_at=turn.occurred_at,
                    session_id=turn.session_id if system.sessions else f"{turn.session_id}/{turn.id}",
                    config_overrides=ARMS[arm],
                    dry_run=True,
                )
                facts = [(one.fact.entity_name, one.fact.text, one.action) for one in result.decided]
                extracted[arm] += [(turn.id, *one) for one in facts if one[2] != "NOOP"]
                rows.append(_row(conversation, turn, arm, result, live, table))
            await system.listen(turn)
            recent.append(f"{turn.told_by()}: {said}")
            told(place + 1, len(conversation.turns), "reading each message twice")
    finally:
        await system.end()
    return rows, extracted


def _row(
    conversation: Conversation,
    turn: DatedTurn,
    arm: str,
    result: WriteResult,
    live: set[Any],
    table: Mapping[str, str],
) -> dict[str, Any]:
    head = {
        "conversation": conversation.id,
        "session": turn.session_id,
        "turn": turn.id,
        "arm": arm,
        "mode": result.mode,
    }
    if not result.success:
        return {**head, "error": result.error or "failed"}
    seen, twice, facts = set(live), 0, 0
    for one in result.decided:
        if one.action not in ("ADD", "UPDATE"):
            continue
        key = saying(one.fact.entity_name, one.fact.text, table)
        twice, facts = twice + (key in seen), facts + 1
        seen.add(key)
    usage = result.usage
    return {
        **head,
        "facts": facts,
        "duplicates": twice,
        "calls": usage.calls,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "ms": result.duration_ms,
        "error": None,
    }


def _scored(conversation: Conversation, extracted: Heard) -> dict[str, dict[str, int]]:
    """Turn -> how many stored facts are right, how many were due, how many of the due were kept."""
    out: dict[str, dict[str, int]] = {}
    for row in extraction_rows(conversation, Replay(extracted=extracted, live=[])):
        if row["kind"] not in ("stored", "missed"):
            continue
        mine = out.setdefault(row["turn"], dict.fromkeys(("right", "due", "kept"), 0))
        stored = row["kind"] == "stored"
        mine["right"] += stored and row["gold"] is not None
        mine["due"] += bool(row["due"])
        mine["kept"] += stored and bool(row["due"])
    return out


_RECENT = 5
_SCHEMA: dict[str, Any] = {
    **dict.fromkeys(("dataset", "conversation", "session", "turn", "arm", "mode"), pl.String),
    **dict.fromkeys(("facts", "right", "due", "kept", "duplicates"), pl.Int64),
    **dict.fromkeys(("calls", "input_tokens", "output_tokens"), pl.Int64),
    "ms": pl.Float64,
    "error": pl.String,
}
