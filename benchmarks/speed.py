"""How fast a memory reads and writes, as ratios to a plain numpy matrix-vector product in the same run.

    python benchmarks/speed.py [--sizes 1000 10000] [--rounds 40]

For each number of facts of one agent: ``retrieve`` with three signals and spreading and without reranker, the
embedding of the query counted apart; ``write`` with a scripted model that answers at once and hashed vectors; and the
product of the fact matrix with one vector plus the twenty best. Rounds are interleaved, so that a noisy machine is
noisy for all; figures are medians, and the ratio is the figure to compare.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from arandu_lab import Memory
from arandu_lab.llm.scripted import Scripted
from arandu_lab.records import Alias, Entity, Fact, Link, Relationship, Row

AGENT, DIM, PEOPLE = "bench", 512, 50
T0 = datetime(2024, 1, 1, tzinfo=UTC)
TOPICS = "music food work travel family health school sport books garden cinema money weather dogs cats rivers".split()
VERBS = "likes visits studies paints repairs plants cooks reads sells buys".split()


def filled(memory: Memory, facts: int, rng: np.random.Generator, size: int = PEOPLE) -> None:
    """Put an agent of ``size`` people with so many facts and a ring of friends into the store, in units of 500."""
    people = [f"person:p{n}" for n in range(size)]
    rows: list[Row] = []
    for n, key in enumerate(people):
        rows.append(Entity(key=key, agent_id=AGENT, name=f"Pessoa{n}", type="person", recorded_at=T0))
        rows.append(Alias(folded=f"pessoa{n}", agent_id=AGENT, entity_key=key, name=f"Pessoa{n}", recorded_at=T0))
    for n in range(facts):
        vector = rng.standard_normal(DIM).astype(np.float32)
        key = people[n % size]
        since = T0 + timedelta(hours=n % 8000)
        text = f"Pessoa{n % size} {VERBS[n % len(VERBS)]} {TOPICS[n % len(TOPICS)]} number {n}"
        fact_id = f"fact{n}"
        rows.append(
            Fact(
                id=fact_id,
                agent_id=AGENT,
                entity_key=key,
                entity_name=f"Pessoa{n % size}",
                text=text,
                confidence=0.95,
                importance=0.5,
                category="routine_activity",
                speaker="x",
                source_event_id="e",
                valid_from=since,
                recorded_at=T0,
                vector=vector / np.linalg.norm(vector),
            )
        )
        rows.append(Link(fact_id=fact_id, agent_id=AGENT, entity_key=key, primary=True, recorded_at=T0))
    for n, key in enumerate(people if size > 1 else ()):
        rows.append(
            Relationship(
                id=f"edge{n}",
                agent_id=AGENT,
                source_key=key,
                target_key=people[(n + 1) % size],
                rel_type="friend_of",
                strength=0.8,
                evidence_fact_ids=(f"fact{n}",),
                valid_from=T0,
                recorded_at=T0,
            )
        )
    for start in range(0, len(rows), 1000):
        memory.store.append("edit", AGENT, rows[start : start + 1000], unit_id=f"load{start}", recorded_at=T0)
    memory.store.flush()


async def measure(size: int, rounds: int) -> dict[str, float]:
    """Median milliseconds of each operation on an agent with ``size`` facts."""
    rng = np.random.default_rng(size)
    model = Scripted(by_task={"extract": _answer, "reconcile": {"verdicts": []}, "judge": {"grades": []}})
    with tempfile.TemporaryDirectory() as folder, Memory.open(folder, llm=model) as memory:
        filled(memory, size, rng)
        matrix = np.ascontiguousarray(memory.store.view(AGENT).facts.matrix)
        vector = matrix[0]
        overrides = {"enable_reranker": False, "auto_reinforce": False}
        times: dict[str, list[float]] = {"product": [], "embed": [], "retrieve": [], "write": []}
        for number in range(rounds + 3):
            query = f"What does Pessoa{number % PEOPLE} like about {TOPICS[number % len(TOPICS)]} {number}?"
            kept = number >= 3

            def note(name: str, ms: float, kept: bool = kept) -> None:
                if kept:
                    times[name].append(ms)

            note("product", _timed(lambda: np.argpartition(-(matrix @ vector), 20)[:20]))
            began = time.perf_counter()
            await memory.embed([query])
            note("embed", (time.perf_counter() - began) * 1000)
            began = time.perf_counter()
            result = await memory.retrieve(AGENT, query, now=T0 + timedelta(days=300), config_overrides=overrides)
            note("retrieve", (time.perf_counter() - began) * 1000)
            assert result.total_candidates
            began = time.perf_counter()
            written = await memory.write(
                AGENT,
                f"Pessoa{number} said hello {number}",
                "Pessoa1",
                occurred_at=T0 + timedelta(days=300, minutes=number),
            )
            note("write", (time.perf_counter() - began) * 1000)
            assert written.success, written.error
    return {name: statistics.median(values) for name, values in times.items()}


def _answer(_: Any) -> dict[str, Any]:
    return {
        "entities": [{"name": "Pessoa1", "type": "person"}],
        "facts": [{"subject": "Pessoa1", "text": f"Pessoa1 greeted somebody at {time.perf_counter_ns()}"}],
    }


def _timed(action: Callable[[], object]) -> float:
    began = time.perf_counter()
    action()
    return (time.perf_counter() - began) * 1000


def main() -> None:
    """Measure and print one table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10_000])
    parser.add_argument("--rounds", type=int, default=40)
    given = parser.parse_args()
    threadpool_limits(1)  # as the library does: on a busy machine two threads wait for each other
    heads = ("facts", "product ms", "embed ms", "retrieve ms", "x product", "write ms", "x product")
    print(" ".join(f"{head:>{width}}" for head, width in zip(heads, (8, 11, 9, 12, 10, 9, 10), strict=True)))
    for size in given.sizes:
        t = asyncio.run(measure(size, given.rounds))
        retrieve = t["retrieve"]
        print(
            f"{size:>8} {t['product']:>11.3f} {t['embed']:>9.2f} {retrieve:>12.2f} {retrieve / t['product']:>10.1f} "
            f"{t['write']:>9.2f} {t['write'] / t['product']:>10.1f}",
            flush=True,
        )
    print("retrieve holds no embedding of the query: it was embedded just before and is remembered")


if __name__ == "__main__":
    main()
