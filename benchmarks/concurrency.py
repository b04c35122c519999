"""Many tasks at once on a few agents, and the same operations one after the other: is it the same memory?

    python benchmarks/concurrency.py [--operations 1000] [--seed 7] [--tasks 24] [--rounds 6]

Tasks share a list of operations (write, dry run, the same turn again, a turn whose model fails, retrieve, correct, merge,
split, undo, forget, fork) on five agents, of which one is hot; they give way inside every call of a model. Each unit that
is committed has its number in the journal, and what commits nothing is put behind the last unit it could see (a retrieve:
and a fork: the last unit when it began). In that order the operations are done again, one after the other, in a new store.

*same* means, for every agent: equal digests over all fields, vectors and the order of arrival of every row. The clock
stands still in both runs, so moments of recording count too. Two fields count apart: ``times_retrieved`` and
``last_retrieved_at`` are written down in batches, so at which unit they arrive is not an operation's own. Every operation's
outcome (what it decided, found, moved, removed, or why it was refused) is compared as well, and every fork with the state
at its place, apart from turns that were recorded and not yet read.

Then two processes take turns at one store, many tasks each, and the lease is counted. Numbers but times and waits repeat.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import multiprocessing
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

from measured import measured
from operations import AGENTS, T0, TALK, Act, Done, aimed, done, event_of, opened, planned, state

from arandu_lab import Memory
from arandu_lab.memory.tombstones import FORGOTTEN
from arandu_lab.store.ledger import units

Told = Callable[[str], None]


@dataclass(slots=True)
class Report:
    """What a comparison found. Times in seconds."""

    operations: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    units: int = 0
    seconds: float = 0.0
    serial_seconds: float = 0.0
    digest: str = ""
    serial_digest: str = ""
    differences: list[str] = field(default_factory=list)


async def together(memory: Memory, acts: Sequence[Act], tasks: int, told: Told | None = None) -> list[Done]:
    """Every operation, taken up by so many tasks at once; in the order in which they ended."""
    waiting, ended = deque(acts), list[Done]()
    names: dict[int, str] = {}
    made: dict[str, list[int]] = {}

    async def work() -> None:
        while waiting:
            act = waiting.popleft()
            target = aimed(memory, act, made)
            result = await done(memory, act, target, names)
            _noted(result, names, made)
            ended.append(result)
            if told is not None and len(ended) % 100 == 0:
                told(f"{len(ended)} of {len(acts)} operations")
            await asyncio.sleep(0)

    await asyncio.gather(*(work() for _ in range(tasks)))
    return ended


async def serially(memory: Memory, order: Sequence[Done], told: Told | None = None) -> list[Done]:
    """The same operations on the same targets, one after the other."""
    names: dict[int, str] = {}
    again = []
    for number, before in enumerate(order):
        result = await done(memory, before.act, before.target, names)
        _noted(result, names, {})
        again.append(result)
        if told is not None and number % 100 == 99:
            told(f"{number + 1} of {len(order)} one after the other")
    return again


def serial_order(memory: Memory, ended: Sequence[Done]) -> list[Done]:
    """The operations as the journal orders them; what committed nothing comes behind the last unit that it saw.

    A write whose turn was forgotten between recording and reading is two operations there: ``record``, and the rest.
    """
    seqs = {(agent, unit.id): unit.seq for agent in AGENTS for unit in units(memory.store, agent)}
    placed: list[tuple[tuple[int, bool, int], Done]] = []
    for number, one in enumerate(ended):
        turn = seqs.get((one.act.agent, f"turn:{event_of(one.act).id}"), 0)
        if one.act.kind in ("write", "again") and one.unit is None and FORGOTTEN in one.outcome and turn > one.began:
            placed.append(((turn, False, -1), Done(replace(one.act, kind="record"), True, "recorded")))
        own = one.unit is not None
        placed.append(((seqs[one.act.agent, one.unit] if one.unit else one.seen, not own, number), one))
    return [one for _, one in sorted(placed, key=lambda item: item[0])]


def compared(operations: int, seed: int, tasks: int, folder: Path, told: Told | None = None) -> Report:
    """Run the operations at once and one after the other, each in a store of its own under ``folder``; compare."""
    report = Report()
    acts = planned(operations, seed)
    with opened(folder / "at_once") as memory, opened(folder / "serial") as other:
        began = time.perf_counter()
        ended = asyncio.run(together(memory, acts, tasks, told))
        report.seconds = time.perf_counter() - began
        order = serial_order(memory, ended)
        began = time.perf_counter()
        again = asyncio.run(serially(other, order, told))
        report.serial_seconds = time.perf_counter() - began
        for before, after in zip(order, again, strict=True):
            if before.outcome != after.outcome:
                act = before.act
                where = f"operation {act.number} ({act.kind}, {act.agent}, {act.text!r} on {before.target!r})"
                report.differences.append(f"{where}:\n  {before.outcome}\n  {after.outcome}")
        for agent in AGENTS:
            if state(memory, agent) != state(other, agent):
                report.differences.append(f"agent {agent}: another state")
        report.differences += [f"at once: {line}" for line in memory.store.verify()]
        report.differences += [f"serial: {line}" for line in other.store.verify()]
        report.digest, report.serial_digest = (_all(one) for one in (memory, other))
        report.operations = Counter(one.act.kind for one in ended if one.outcome != "idle")
        report.refused = sum(one.outcome.startswith("refused") for one in ended)
        report.units = len(memory.store.frame("journal"))
    return report


def _all(memory: Memory) -> str:
    return hashlib.blake2b("".join(state(memory, agent) for agent in AGENTS).encode(), digest_size=16).hexdigest()


def _noted(result: Done, names: dict[int, str], made: dict[str, list[int]]) -> None:
    if result.unit is not None and result.act.kind in ("merge", "split", "undo", "correct"):
        names[result.act.number] = result.unit
        made.setdefault(result.act.agent, []).append(result.act.number)


def turns(path: str, who: str, rounds: int, tasks: int) -> list[float]:
    """One of two processes: open, say the sentences of ``TALK`` by many tasks at once, close; seconds of each wait."""
    waits = []
    for number in range(rounds):
        with opened(path, lease_timeout=120.0) as memory:
            lease = memory.store._lease
            waits.append(lease.waited if lease is not None else 0.0)
            asyncio.run(_talk(memory, who, number, tasks))
    return waits


async def _talk(memory: Memory, who: str, number: int, tasks: int) -> None:
    async def say(task: int) -> None:
        at = T0 + timedelta(days=number, minutes=task, seconds=len(who))
        told = await memory.write("hot", TALK[(number + task) % len(TALK)], who, occurred_at=at)
        assert told.success, told.error

    await asyncio.gather(*(say(task) for task in range(tasks)))


def taking_turns(path: Path, rounds: int, tasks: int) -> dict[str, list[float]]:
    """Two processes at one store; the waits of each."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(2) as pool:
        asked = {who: pool.apply_async(turns, (str(path), who, rounds, tasks)) for who in ("Rafael", "Mar")}
        return {who: one.get() for who, one in asked.items()}


def main() -> int:
    """Print both parts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--operations", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--tasks", type=int, default=24, help="tasks at once")
    parser.add_argument("--rounds", type=int, default=6, help="how often each of two processes opens the store")
    asked = parser.parse_args()

    def told(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory() as folder:
        report = compared(asked.operations, asked.seed, asked.tasks, Path(folder), told)
        waits = taking_turns(Path(folder) / "two", asked.rounds, asked.tasks)
        with opened(Path(folder) / "two") as memory:
            events, facts = memory.events("hot").height, memory.facts("hot")
            heard = int(facts["reinforcement_count"].sum()) + facts.height
            faults = memory.store.verify()
    kinds = ", ".join(f"{count} {kind}" for kind, count in report.operations.most_common())
    print(f"{asked.operations} operations by {asked.tasks} tasks on {len(AGENTS)} agents, seed {asked.seed}: {kinds}")
    print(f"refused {report.refused}, units {report.units}, outcomes or rows that differ {len(report.differences)}")
    print(
        f"digest at once {report.digest}, serial {report.serial_digest}, equal {report.digest == report.serial_digest}"
    )
    at_once, serial = (asked.operations / one for one in (report.seconds, report.serial_seconds))
    print(
        f"at once {report.seconds:.1f} s, {at_once:.0f} operations/s; serial {report.serial_seconds:.1f} s, {serial:.0f}"
    )
    print(f"ratio of operations/s, at once to serial: {at_once / serial:.2f}")
    said = 2 * asked.rounds * asked.tasks
    every = [wait for one in waits.values() for wait in one]
    print(
        f"two processes: {said} turns said, {events} stored, {heard} statements in {facts.height} facts, {len(faults)} faults"
    )
    late = [wait for wait in every if wait > 0.01]
    print(f"waits on the lease: {len(late)} of {len(every)} openings, the longest {max(every):.2f} s")
    for line in (*report.differences[:20], *faults):
        print(line)
    return 1 if report.differences or faults or events != said else 0


if __name__ == "__main__":
    sys.exit(measured(main))
