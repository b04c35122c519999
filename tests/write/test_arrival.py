"""W8, W17: the order in which dated statements arrive changes neither the facts nor the edges of any moment."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import permutations
from typing import Any

import pytest

from arandu_lab import Memory

TOLD = {
    "en": ((2, "I live in Natal."), (5, "I live in Recife."), (9, "I live in Lisbon.")),
    "pt": ((2, "Trabalho na Vale."), (5, "Trabalho na Petrobras."), (9, "Trabalho na Embraer.")),
    "of another": ((2, "Bruno mora em Natal."), (6, "Bruno mora em Recife.")),
    "tied": ((2, "I am married to Bruno."), (6, "I am married to Carlos.")),
}


def moment(month: int, day: int = 1) -> datetime:
    return datetime(2025, month, day, tzinfo=UTC)


async def seen(told: tuple[tuple[int, str], ...]) -> tuple[list[list[list[Any]]], list[object]]:
    """What facts and edges hold in the middle of each month, and what was skipped, where Ana says it in this order."""
    memory = Memory.open("memory://", embedder="hashing")
    skipped: list[object] = []
    for month, text in told:
        skipped += (await memory.write("a", text, "Ana", occurred_at=moment(month))).skipped
    held = [
        [
            sorted(memory.facts("a", as_of=moment(month, 15))["text"].to_list()),
            sorted(row[:3] for row in memory.relationships("a", as_of=moment(month, 15)).rows()),
        ]
        for month in range(1, 13)
    ]
    memory.close()
    return held, skipped


@pytest.mark.parametrize("name", TOLD)
async def test_the_order_of_arrival_shows_nowhere(name: str) -> None:
    """At each moment there is the edge of the fact that holds then, whichever was told first; and nothing was refused."""
    told = TOLD[name]
    wanted, _ = await seen(told)
    assert [len(facts) == len(edges) == (month >= 2) for month, (facts, edges) in enumerate(wanted, 1)] == [True] * 12
    for order in permutations(told):
        assert await seen(order) == (wanted, [])


async def test_a_stay_and_a_home_in_either_order() -> None:
    """W8: a home told after the stay that interrupts it is an edge before and after it, as when it was told first."""
    stay, home = (8, "I lived in Recife from March 2025 to May 2025."), (1, "I live in Natal.")
    assert (await seen((stay, home)))[0] == (await seen((home, stay)))[0]
