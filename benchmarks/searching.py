"""How much of an exact answer a search through LanceDB's indexes keeps, and what it costs.

    python benchmarks/searching.py [--large 50000] [--small 100 500] [--queries 60] [--into FILE]

A store of one large agent and many small ones (``--small``: how many, and their facts), vectors in topics as texts have them.
Printed for a search over all agents, over one small and over the large one: the share of the twenty best of an exact search
that the indexed one finds, and milliseconds. Then for questions to the large agent, read by the part near each question
(``view_bytes``) instead of from its whole view: the share of the twenty best facts, and milliseconds. The exit code is 1 where a
share is under .98.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from measured import measured
from numpy.typing import NDArray

from arandu_lab import Memory
from arandu_lab.records import Alias, Entity, Fact, Link, Row

DIM, TOPICS, WANTED = 256, 400, 0.98
T0 = datetime(2024, 1, 1, tzinfo=UTC)
NOW = T0 + timedelta(days=900)
THINGS = "guitar bicycle garden camera kitchen piano novel boat telescope kite loom violin".split()


class Topical:
    """Vectors around ``TOPICS`` centres, chosen by the third word of a text; the same text, the same vector."""

    name, dim, instant = "topical", DIM, True

    def __init__(self) -> None:
        chance = np.random.default_rng(0)
        self.centres = chance.standard_normal((TOPICS, DIM)).astype(np.float32)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape ``(len(texts), dim)``."""
        rows = [self.centres[int(text.split()[2])] + self._noise(text) for text in texts]
        made = np.stack(rows)
        return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), dtype=np.float32)

    def _noise(self, text: str) -> NDArray[np.float32]:
        seed = int.from_bytes(text.encode()[-8:].rjust(8, b"0"), "little") % 2**32
        return np.random.default_rng(seed).standard_normal(DIM).astype(np.float32) * np.float32(0.8)


def filled(memory: Memory, agent: str, facts: int, embed: Topical, seed: int) -> None:
    """An agent of so many facts, twenty a person, in units of 2,500."""
    chance = np.random.default_rng(seed)
    people = range(max(1, facts // 20))
    rows: list[Row] = []
    for one in people:
        rows.append(Entity(key=f"person:p{one}", agent_id=agent, name=f"Pessoa{one}", type="person", recorded_at=T0))
        rows.append(
            Alias(
                folded=f"pessoa{one}", agent_id=agent, entity_key=f"person:p{one}", name=f"Pessoa{one}", recorded_at=T0
            )
        )
    owners = chance.integers(len(people), size=facts).tolist()
    texts = [
        f"Pessoa{owner} keeps {chance.integers(TOPICS)} {THINGS[chance.integers(12)]} {seed}-{n}"
        for n, owner in enumerate(owners)
    ]
    for n, (owner, text, vector) in enumerate(zip(owners, texts, embed.encode(texts), strict=True)):
        rows.append(
            Fact(
                id=f"{agent}-{n}",
                agent_id=agent,
                entity_key=f"person:p{owner}",
                entity_name=f"Pessoa{owner}",
                text=text,
                confidence=0.95,
                importance=0.5,
                category="routine_activity",
                speaker="x",
                source_event_id="e",
                valid_from=T0 + timedelta(hours=n % 8000),
                recorded_at=T0,
                vector=vector,
            )
        )
        rows.append(
            Link(fact_id=f"{agent}-{n}", agent_id=agent, entity_key=f"person:p{owner}", primary=True, recorded_at=T0)
        )
    for start in range(0, len(rows), 5000):
        memory.store.append("edit", agent, rows[start : start + 5000], unit_id=f"{agent}-{start}", recorded_at=T0)


async def timed(call: Callable[[], Awaitable[Any]]) -> tuple[Any, float]:
    """What a call gives, and its milliseconds."""
    began = time.perf_counter()
    found = await call()
    return found, (time.perf_counter() - began) * 1000.0


async def searched(memory: Memory, agents: list[str] | None, queries: list[str]) -> tuple[float, float, float]:
    """Share of an exact search's twenty best by meaning that the indexed one finds; its median ms, and the exact one's."""
    shares, quick, slow = [], [], []
    for query in queries:
        one, took = await timed(lambda query=query: memory.search(query, agents=agents))  # type: ignore[misc]
        other, full = await timed(lambda query=query: memory.search(query, agents=agents, exact=True))  # type: ignore[misc]
        shares.append(len(set(one["id"]) & set(other["id"])) / max(1, len(other)))
        quick.append(took)
        slow.append(full)
    return float(np.mean(shares)), float(np.median(quick)), float(np.median(slow))


async def by_parts(path: Path, agent: str, queries: list[str]) -> tuple[float, float, float]:
    """The same of the twenty facts that ``retrieve`` finds, read by parts and from the whole view."""
    asked: dict[str, Any] = {"now": NOW, "config_overrides": {"topk_facts": 20, "enable_reranker": False}}
    found: list[list[set[str]]] = []
    times: list[float] = []
    for budget in (1 << 20, 1 << 32):
        with Memory.open(str(path), embedder=Topical(), read_only=True, view_bytes=budget) as memory:
            await memory.retrieve(agent, queries[0], **asked)
            seen = [await timed(lambda query=query: memory.retrieve(agent, query, **asked)) for query in queries]  # type: ignore[misc]
        found.append([{fact.id for fact in result.facts} for result, _ in seen])
        times.append(float(np.median([took for _, took in seen])))
    shares = [len(one & other) / max(1, len(other)) for one, other in zip(*found, strict=True)]
    return float(np.mean(shares)), times[0], times[1]


def main() -> int:
    """Measure and print; 1 where an index loses too much."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--large", type=int, default=50_000)
    parser.add_argument("--small", type=int, nargs=2, default=[100, 500], metavar=("AGENTS", "FACTS"))
    parser.add_argument("--queries", type=int, default=60)
    given = parser.parse_args()
    embed, chance = Topical(), np.random.default_rng(7)
    queries = [f"Who keeps {chance.integers(TOPICS)} {THINGS[chance.integers(12)]} q{n}" for n in range(given.queries)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store"
        with Memory.open(str(path), embedder=embed, clock=lambda: NOW) as memory:
            filled(memory, "large", given.large, embed, 0)
            for number in range(given.small[0]):
                filled(memory, f"small{number}", given.small[1], embed, number + 1)
            memory.store.flush()
            began = time.perf_counter()
            memory.index()
            built = time.perf_counter() - began
            asked = {"every agent": None, "one small agent": ["small3"], "the large agent": ["large"]}
            rows = [(name, asyncio.run(searched(memory, agents, queries))) for name, agents in asked.items()]
        rows.append(("retrieve, large agent by parts", asyncio.run(by_parts(path, "large", queries))))
    total = given.large + given.small[0] * given.small[1]
    print(f"{total:,} facts of {given.small[0] + 1} agents, {given.queries} questions; indexes made in {built:.1f} s")
    print(f"{'search over':32}{'kept of 20':>12}{'ms':>9}{'exact ms':>10}")
    for name, (share, quick, slow) in rows:
        print(f"{name:32}{share:>12.4f}{quick:>9.1f}{slow:>10.1f}")
    return int(any(share < WANTED for _, (share, *_) in rows))


if __name__ == "__main__":
    sys.exit(measured(main))
