"""Settings that write, each in a memory of its own that lives with what it wrote (free-running), and asked afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from arandu_lab.bench.data.model import Conversation, Dataset
from arandu_lab.bench.extraction import extraction_rows
from arandu_lab.bench.place import place_of
from arandu_lab.bench.replay import Replay
from arandu_lab.bench.studies.plan import StudyPlan
from arandu_lab.bench.sweeps.costs import Cap, Estimate
from arandu_lab.bench.sweeps.ingested import Ingested, ingest_address, kept_ingest
from arandu_lab.bench.sweeps.purse import opened
from arandu_lab.bench.sweeps.result import Sweep
from arandu_lab.bench.sweeps.run import estimate, sweep

MEASURES = ("R@10", "nDCG@10", "RR")


@dataclass(frozen=True, kw_only=True)
class Free:
    """What came of it.

    Attributes:
        swept: The sweep: what a reader is given, paired with the default.
        messages: A row a message and setting, as of :func:`arandu_lab.bench.studies.forced.forced`, ``arm`` being the
            label of the setting; what was spent is known of whole conversations only.
        memories: A row a conversation and setting: ``dataset conversation arm turns facts live duplicates calls tokens
            input_tokens output_tokens ms`` (a turn). ``facts`` were stored, ``live`` hold at the end.
    """

    swept: Sweep
    messages: pl.DataFrame
    memories: pl.DataFrame


def free(
    plan: StudyPlan,
    datasets: Sequence[Dataset],
    grid: Mapping[str, Sequence[Any]],
    labels: Sequence[str],
    *,
    name: str,
    results: str | Path,
    cap: Cap | None = None,
    progress: Any = None,
) -> Free:
    """Write every conversation under every value of one setting, ask its questions, and look at what was stored.

    Args:
        grid: One name with its values, the default first.
        labels: What the values are called.

    Raises:
        ConfigError: a setting that is wrong, or the cap was reached.
    """
    ((setting, values),) = grid.items()
    swept = sweep(**_call(plan, datasets, grid), name=name, results=results, cap=cap, progress=progress)
    here = place_of(results)
    llm, _ = opened(plan.model, here)
    messages: list[dict[str, Any]] = []
    memories: list[dict[str, Any]] = []
    for dataset in datasets:
        for conversation in dataset:
            for value, label in zip(values, labels, strict=True):
                address = ingest_address(
                    plan.row(),
                    conversation,
                    language=dataset.language.split("-")[0],
                    seed=plan.seed,
                    setting={setting: value},
                    llm=llm,
                )
                made = kept_ingest(here / "ingested" / address)
                if made is not None:
                    head = {"dataset": dataset.name, "conversation": conversation.id, "arm": label}
                    messages += [{**head, **one} for one in _messages(conversation, made)]
                    memories.append({**head, **_memory(conversation, made)})
    return Free(
        swept=swept,
        messages=pl.DataFrame(messages, schema=_MESSAGES),
        memories=pl.DataFrame(memories, schema=_MEMORIES),
    )


def free_cost(
    plan: StudyPlan, datasets: Sequence[Dataset], grid: Mapping[str, Sequence[Any]], *, results: str | Path
) -> Estimate:
    """What :func:`free` would ask. Raises as it."""
    return estimate(**_call(plan, datasets, grid), results=results)


def _call(plan: StudyPlan, datasets: Sequence[Dataset], grid: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    return {
        "system": plan.row(),
        "grid": {name: list(values) for name, values in grid.items()},
        "dataset": list(datasets),
        "measures": MEASURES,
        "depth": plan.depth,
        "seed": plan.seed,
        "jobs": plan.jobs,
    }


def _messages(conversation: Conversation, made: Ingested) -> list[dict[str, Any]]:
    gold = conversation.gold is not None
    counts: dict[str, dict[str, int | None]] = {
        turn.id: {"facts": 0, **dict.fromkeys(("right", "due", "kept"), 0 if gold else None)}
        for turn in conversation.turns
    }
    for row in extraction_rows(conversation, Replay(extracted=list(made.extracted or ()), live=[])):
        mine = counts[row["turn"]]
        stored, due = row["kind"] == "stored", bool(row["due"])
        for name, add in (
            ("facts", stored), ("right", stored and row["gold"] is not None), ("due", due), ("kept", stored and due)
        ):  # fmt: skip
            mine[name] = (mine[name] or 0) + add
    if not gold:
        for turn, _, _, action in made.extracted or ():
            counts[turn]["facts"] = (counts[turn]["facts"] or 0) + (action in ("ADD", "UPDATE"))
    sessions = conversation.session_of()
    return [{"session": sessions[turn], "turn": turn, **one, "error": None} for turn, one in counts.items()]


def _memory(conversation: Conversation, made: Ingested) -> dict[str, Any]:
    kinds = [row["kind"] for row in extraction_rows(conversation, Replay(live=list(made.live or ())))]
    usage, times = made.listened, [one.ms for one in made.times if one.phase == "listen"]
    return {
        "turns": len(conversation.turns),
        "facts": sum(action in ("ADD", "UPDATE") for *_, action in made.extracted or ()),
        "live": len(kinds),
        "duplicates": kinds.count("duplicate"),
        "calls": usage.calls,
        "tokens": usage.total_tokens,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "ms": sum(times) / len(times) if times else None,
    }


_MESSAGES: dict[str, Any] = {
    **dict.fromkeys(("dataset", "conversation", "arm", "session", "turn"), pl.String),
    **dict.fromkeys(("facts", "right", "due", "kept"), pl.Int64),
    "error": pl.String,
}
_MEMORIES: dict[str, Any] = {
    **dict.fromkeys(("dataset", "conversation", "arm"), pl.String),
    **dict.fromkeys(
        ("turns", "facts", "live", "duplicates", "calls", "tokens", "input_tokens", "output_tokens"), pl.Int64
    ),
    "ms": pl.Float64,
}
