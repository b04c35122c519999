"""Pictures of a memory: facts as lines in time, and what each message costs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import polars as pl
import pytest

from arandu_lab import Memory
from arandu_lab.viz.bill import bill, spent
from arandu_lab.viz.lives import ENDS, lives

START = datetime(2025, 1, 1, tzinfo=UTC)
SAID = (
    ("I live in São Paulo.", 0),
    ("I lived in Natal from March to May 2023.", 10),
    ("Yesterday I moved to Recife!", 90),
    ("My sister Carolina lives in Porto Alegre.", 120),
)


@pytest.fixture
async def told() -> Any:
    """A memory, and what each write returned."""
    memory = Memory.open("memory://", embedder="hashing", clock=lambda: START)
    results = {}
    for text, days in SAID:
        at = START + timedelta(days=days)
        memory.clock = lambda at=at: at
        results[text] = await memory.write("a", text, "Rafael", occurred_at=at, verbose=True)
    return memory, results


def drawn(spec: dict[str, Any]) -> list[dict[str, Any]]:
    """All rows that a specification draws."""
    return [row for rows in spec["datasets"].values() for row in rows]


async def test_a_bar_is_as_long_as_its_fact_held(told: Any) -> None:
    """Every version has one bar from where it began to where it ended, an open one to the edge, and says how it ended."""
    memory, _ = told
    facts, edge = memory.history("a"), START + timedelta(days=200)
    bars = {row["text"]: row for row in drawn(lives(facts, until=edge).to_dict()) if "from" in row}
    assert bars.keys() == set(facts["text"])
    for row in facts.iter_rows(named=True):
        end = edge if row["valid_to"] is None else row["valid_to"]
        assert bars[row["text"]]["from"] == row["valid_from"].replace(tzinfo=None).isoformat()
        assert bars[row["text"]]["to"] == end.replace(tzinfo=None).isoformat()
    ended = {text: bar["end"] for text, bar in bars.items()}
    assert ended["Rafael lives in São Paulo"] == ENDS["update"][1]
    assert ended["Rafael lives in Recife"] == ENDS["open"][1]
    assert ENDS["stated"][1] in ended.values()


async def test_every_name_stands_once(told: Any) -> None:
    """Facts stand by whom they are about, each name once, and an empty memory is an empty picture."""
    memory, _ = told
    heads = [row["who"] for row in drawn(lives(memory.history("a")).to_dict()) if row.keys() == {"row", "who"}]
    assert sorted(heads) == sorted(set(memory.history("a")["entity_name"]))
    lives(memory.history("nobody")).to_dict()


async def test_a_bill_adds_up(told: Any) -> None:
    """The bars of a message add up to its tokens, as its result has them; a dry run has the same bill as the write."""
    memory, results = told
    table = spent(results)
    for name, result in results.items():
        assert table.filter(message=name)["tokens"].sum() == result.tokens_used.total_tokens
        assert table.filter(message=name)["calls"].sum() == result.usage.calls
    rows = [row for row in drawn(bill(table).to_dict()) if "stage" in row]
    assert sum(row["tokens"] for row in rows) == table["tokens"].sum()
    text = "I love green tea."
    dry = await memory.write("a", text, "Rafael", occurred_at=memory.clock(), dry_run=True, verbose=True)
    wet = await memory.write("a", text, "Rafael", occurred_at=memory.clock(), verbose=True)
    assert spent({text: dry}).equals(spent({text: wet}))
    assert spent({}).height == 0
    bill(spent({"nothing": dry}).filter(pl.col("tokens") < 0)).to_dict()
