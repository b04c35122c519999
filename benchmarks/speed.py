"""How fast a memory reads and writes, as ratios to a plain numpy matrix-vector product in the same run.

    python benchmarks/speed.py [--sizes 1000 10000 100000] [--rounds 30] [--tuned harbor_en FILE] [--json FILE]
                               [--into docs/measured.md]

For each number of facts of one agent: the product of the fact matrix with one vector plus the twenty best; ``retrieve``
with three signals and spreading and without reranker, the embedding of the query counted apart; ``append``, the
acknowledgement of a unit of work; ``write`` with a scripted model that answers at once; opening the store and loading
the agent, and the first question after it; and the memory that a loaded fact takes. All sizes are measured in turns,
round by round, so that a noisy machine is noisy for all. Product and retrieve are compared by processor time, because a
busy machine stretches the clock of whichever takes longer, and so is loading; the clock stands beside. Figures are medians
(of loads the best), ratios are what to compare, and each target is printed with pass or miss.

Then the tuned read (``tuned_read.py``): conversations of the datasets named by ``--tuned`` (a name, or a file such as
``locomo/locomo4.json``, of which the longest conversation is taken), what a question costs there.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import statistics
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import tuned_read
from measured import measured
from threadpoolctl import threadpool_limits

from arandu_lab import Memory
from arandu_lab.bench.data.registry import load
from arandu_lab.llm.scripted import Scripted
from arandu_lab.records import Alias, Entity, Fact, Link, Relationship, Row

AGENT, DIM, PEOPLE = "bench", 512, 50
T0 = datetime(2024, 1, 1, tzinfo=UTC)
TOPICS = "music food work travel family health school sport books garden cinema money weather dogs cats rivers".split()
VERBS = "likes visits studies paints repairs plants cooks reads sells buys".split()


def filled(memory: Memory, facts: int, rng: np.random.Generator, size: int = PEOPLE) -> None:
    """Put an agent of ``size`` people with so many facts and a ring of friends into the store, in units of 2,500."""
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
    for start in range(0, len(rows), 5000):
        memory.store.append("edit", AGENT, rows[start : start + 5000], unit_id=f"load{start}", recorded_at=T0)
    memory.store.flush()


NOW = T0 + timedelta(days=300)
PLAIN = {"enable_reranker": False, "auto_reinforce": False}
TASKS, WARM_UP = 8, 3


class Agent:
    """An open store with one agent of ``size`` facts, and what was measured on it, in milliseconds."""

    def __init__(self, folder: Path, size: int) -> None:
        self.folder, self.size = folder, size
        self.times: dict[str, list[float]] = {}
        with self.opened() as memory:
            filled(memory, size, np.random.default_rng(size))
        self.bytes_per_fact, self.stated_per_fact = self._weight()
        for _ in range(3 if size <= 10_000 else 1):
            self._load()
        self.memory = self.opened()
        self.matrix = np.ascontiguousarray(self.memory.store.view(AGENT).facts.matrix)

    def opened(self) -> Memory:
        """The memory, opened anew."""
        model = Scripted(by_task={"extract": _answer, "reconcile": {"verdicts": []}, "judge": {"grades": []}})
        return Memory.open(self.folder, llm=model)

    async def round(self, number: int) -> None:
        """Each operation once."""
        query = f"What does Pessoa{number % PEOPLE} like about {TOPICS[number % len(TOPICS)]} {number}?"
        kept = number >= WARM_UP
        vector = self.matrix[number]
        began = time.thread_time()
        np.argpartition(-(self.matrix @ vector), 20)[:20]
        self._note("product", _since(began, time.thread_time), kept)
        began = time.perf_counter()
        await self.memory.embed([query])
        self._note("embed", _since(began), kept)
        began, clock = time.thread_time(), time.perf_counter()
        result = await self.memory.retrieve(AGENT, query, now=NOW, config_overrides=PLAIN)
        self._note("retrieve", _since(began, time.thread_time), kept)
        self._note("wall", _since(clock), kept)
        assert result.total_candidates
        rows = pair(f"a{number}", f"Pessoa1 was seen at {number}")
        began = time.perf_counter()
        self.memory.store.append("edit", AGENT, rows, unit_id=f"ack{number}", recorded_at=T0)
        self._note("append", _since(began), kept)
        began = time.perf_counter()
        written = await self.memory.write(
            AGENT, f"Pessoa{number} said hello {number}", "Pessoa1", occurred_at=NOW + timedelta(minutes=number)
        )
        self._note("write", _since(began), kept)
        assert written.success, written.error

    def figures(self) -> dict[str, float]:
        """Medians in milliseconds (of loads the best), and bytes a fact."""
        best = {name: min(values) for name, values in self.times.items() if name in ("load", "load_cpu", "first")}
        middle = {name: statistics.median(values) for name, values in self.times.items()}
        return {"facts": self.size, **middle, **best, "bytes": self.bytes_per_fact, "stated": self.stated_per_fact}

    def _note(self, name: str, ms: float, kept: bool = True) -> None:
        if kept:
            self.times.setdefault(name, []).append(ms)

    def _load(self) -> None:
        gc.collect()
        began, spent = time.perf_counter(), time.process_time()
        with self.opened() as memory:
            memory.store.view(AGENT)
            self._note("load", _since(began))
            self._note("load_cpu", _since(spent, time.process_time))
            query = "What does Pessoa7 like about music?"
            asyncio.run(_embedded(memory, query))
            began = time.perf_counter()
            asyncio.run(memory.retrieve(AGENT, query, now=NOW, config_overrides=PLAIN))
            self._note("first", _since(began))

    def _weight(self) -> tuple[float, float]:
        """Bytes a fact that a loaded agent holds, measured (``tracemalloc``), and as ``view.nbytes`` states them."""
        with self.opened() as memory:
            gc.collect()
            tracemalloc.start()
            before = tracemalloc.get_traced_memory()[0]
            view = memory.store.view(AGENT)
            gc.collect()
            held = tracemalloc.get_traced_memory()[0] - before
            tracemalloc.stop()
            return held / self.size, view.nbytes / self.size


def pair(name: str, text: str) -> list[Row]:
    """A fact and its link."""
    made = Fact(
        id=name,
        agent_id=AGENT,
        entity_key="person:p1",
        entity_name="Pessoa1",
        text=text,
        confidence=0.95,
        importance=0.5,
        category="routine_activity",
        speaker="x",
        source_event_id="e",
        valid_from=T0,
        recorded_at=T0,
        vector=np.full(DIM, DIM**-0.5, dtype=np.float32),
    )
    return [made, Link(fact_id=name, agent_id=AGENT, entity_key="person:p1", primary=True, recorded_at=T0)]


async def side_by_side(agent: Agent, units: int = 40) -> dict[str, Any]:
    """Eight tasks that retrieve while one appends units of two facts: stale, torn, and retrieves a second.

    Stale: a unit acknowledged before the question is not in the view that answers it. Torn: one fact of a unit is there
    and its twin is not.
    """
    memory, acknowledged, done, seen = agent.memory, 0, False, {"retrieves": 0, "stale": 0, "torn": 0}

    async def read() -> None:
        while not done:
            least = acknowledged
            view = memory.store.view(AGENT)
            twins = [(view.fact(f"one{unit}") is None, view.fact(f"two{unit}") is None) for unit in range(units)]
            seen["torn"] += any(one != two for one, two in twins)
            seen["stale"] += any(one for one, _ in twins[:least])
            result = await memory.retrieve(AGENT, "Where was Pessoa1 seen?", now=NOW, config_overrides=PLAIN)
            rows = result.frame.filter(result.frame["text"].str.contains("twin"))["text"].to_list()
            seen["torn"] += len(rows) > 0 and view.sequence < least
            seen["retrieves"] += 1
            await asyncio.sleep(0)

    tasks = [asyncio.create_task(read()) for _ in range(TASKS)]
    began = time.perf_counter()
    for unit in range(units):
        rows = [*pair(f"one{unit}", f"Pessoa1 twin {unit}"), *pair(f"two{unit}", f"Pessoa1 twin again {unit}")]
        await asyncio.to_thread(memory.store.append, "edit", AGENT, rows, unit_id=f"twins{unit}", recorded_at=T0)
        acknowledged = unit + 1
        await asyncio.sleep(0)
    done = True
    await asyncio.gather(*tasks)
    return {**seen, "per_second": seen["retrieves"] / (time.perf_counter() - began)}


def targets(found: list[dict[str, float]], beside: dict[str, Any]) -> list[tuple[str, str, bool]]:
    """What was wanted, what came, and whether it holds."""
    rows: list[tuple[str, str, bool]] = []
    first, last = found[0], found[-1]
    for one in found:
        if one["facts"] == 10_000:
            times = one["retrieve"] / one["product"]
            said = f"{one['retrieve']:.2f} ms, {times:.1f} x product"
            rows.append(("retrieve at 10,000: within 8 x product or 3 ms", said, times <= 8 or one["retrieve"] <= 3))
            loaded = f"{one['load_cpu']:.0f} ms of processor time ({one['load']:.0f} by the clock)"
            rows.append(("load of 10,000 under 500 ms", loaded, one["load_cpu"] < 500))
    if len(found) > 1:
        grown, bound = (last[name] / first[name] for name in ("retrieve", "product"))
        sizes = f"{first['facts']:,.0f} to {last['facts']:,.0f}"
        rows.append(
            (f"retrieve grows no faster than the product, {sizes}", f"{grown:.1f} x / {bound:.1f} x", grown <= bound)
        )
        ratio = last["append"] / first["append"]
        rows.append((f"acknowledgement within 1.3 x, {sizes}", f"{ratio:.2f} x", ratio <= 1.3))
    wrong = beside["stale"] + beside["torn"]
    said = f"{beside['retrieves']} retrieves, {beside['per_second']:.0f} a second, {wrong} wrong"
    return [*rows, (f"{TASKS} tasks retrieve while one writes: nothing stale or torn", said, not wrong)]


async def timed(agents: list[Agent], rounds: int) -> dict[str, Any]:
    """All rounds on all agents in turns, then eight tasks beside a writer on the smallest."""
    for number in range(rounds + WARM_UP):
        for agent in agents:
            await agent.round(number)
    return await side_by_side(agents[0])


async def _embedded(memory: Memory, text: str) -> None:
    await memory.embed([text])


def _answer(_: Any) -> dict[str, Any]:
    return {
        "entities": [{"name": "Pessoa1", "type": "person"}],
        "facts": [{"subject": "Pessoa1", "text": f"Pessoa1 greeted somebody at {time.perf_counter_ns()}"}],
    }


def _since(began: float, clock: Callable[[], float] = time.perf_counter) -> float:
    return (clock() - began) * 1000


def main() -> int:
    """Measure, print the tables and the targets."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="*", default=[1000, 10_000, 100_000])
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--tuned", nargs="*", default=["harbor_en"], metavar="DATASET")
    parser.add_argument("--json", type=Path, default=None)
    given = parser.parse_args()
    threadpool_limits(1)  # as the library does: on a busy machine two threads wait for each other
    found, beside, judged = [], {}, []
    if given.sizes:
        with tempfile.TemporaryDirectory() as folder:
            agents = [Agent(Path(folder) / str(size), size) for size in sorted(given.sizes)]
            beside = asyncio.run(timed(agents, given.rounds))
            found = [agent.figures() for agent in agents]
            for agent in agents:
                agent.memory.close()
        print(table(found))
        judged += targets(found, beside)
    asked = []
    for name in given.tuned:
        longest = max(load(name), key=lambda one: len(one.turns))
        asked.append((longest.id, asyncio.run(tuned_read.tuned(longest))))
    if asked:
        print(("\n" if found else "") + tuned_read.table(asked) + "\n")
        judged += tuned_read.targets(asked)
    for wanted, came, holds in judged:
        print(f"{'pass' if holds else 'miss'}  {wanted}: {came}")
    if given.json is not None:
        held = [{"target": wanted, "came": came, "holds": holds} for wanted, came, holds in judged]
        told = {"figures": found, "targets": held, "beside": beside, "tuned": dict(asked)}
        given.json.write_text(json.dumps(told, indent=1))
    return 0


def table(found: list[dict[str, float]]) -> str:
    """The figures of all sizes, one a line."""
    heads = "facts product embed retrieve xproduct wall append write load loadcpu first bytes/fact stated".split()
    lines = [" ".join(f"{head:>10}" for head in heads)]
    for one in found:
        values = [one[name] for name in ("product", "embed", "retrieve")] + [one["retrieve"] / one["product"]]
        values += [one[name] for name in ("wall", "append", "write", "load", "load_cpu", "first", "bytes", "stated")]
        lines.append(
            f"{one['facts']:>10,.0f} " + " ".join(f"{v:>10,.0f}" if v >= 100 else f"{v:>10.2f}" for v in values)
        )
    said = "milliseconds; product and retrieve (its query is embedded before) of processor time, wall by the clock"
    return "\n".join([*lines, said])


if __name__ == "__main__":
    sys.exit(measured(main))
