"""What forgetting takes away, looks through and leaves, and whether its cost follows what is forgotten.

    python benchmarks/deletion.py [--sets harbor_en mare_pt] [--sizes 100 10000] [--turns 60]

Each kind of forgetting (a fact, a turn, an entity, an agent) on a store that ``arandu`` filled from our own sets with the
offline model: rows gone by table, what the scan went through, what it found (0), and whether it found the word that must be
there (the positive control); then the same scan after ``rebuild()``. Then export and import, also under another name, by
digest. Last the seconds of forgetting one fact among few and among many, as a ratio (H7): the rows and journal units that are
touched are the same, while a file is rewritten and a store scanned as a whole. The exit code is 1 where a figure is not right.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from measured import measured
from speed import AGENT, filled
from threadpoolctl import threadpool_limits

from arandu_lab import Memory
from arandu_lab.bench.data.registry import load
from arandu_lab.memory.forgetting import Certificate
from arandu_lab.records import Event, Fact
from arandu_lab.store.residue import scan

KINDS = ("fact_id", "event", "entity", "everything")


async def told(memory: Memory, name: str, turns: int) -> None:
    """The first turns of a set, written at their dates."""
    [conversation] = load(name)
    for turn in conversation.turns[:turns]:
        await memory.write("a", turn.text, turn.speaker, occurred_at=turn.occurred_at)
    memory.store.flush()


def target(memory: Memory, kind: str) -> dict[str, Any]:
    """What to forget: the fact, turn or entity in the middle of what there is."""
    view = memory.store.view("a")
    match kind:
        case "fact_id":
            return {kind: view.facts.ids[len(view.facts.ids) // 2]}
        case "event":
            return {kind: view.event_at(len(view.events.ids) // 2).id}
        case "entity":
            known = memory.entities("a").sort("facts", "key")["key"].to_list()
            return {kind: known[len(known) // 2]}
        case _:
            return {kind: True}


async def forgetting(name: str, turns: int) -> list[dict[str, Any]]:
    """One row a kind, each on its own copy of the same store."""
    rows = []
    with tempfile.TemporaryDirectory() as folder, Memory.open(Path(folder) / "m") as memory:
        await told(memory, name, turns)
        for kind in KINDS:
            with memory.fork(Path(folder) / kind) as copy:
                texts = [row.text for row in copy.store.view("a").rows() if isinstance(row, Event | Fact)]
                began = time.perf_counter()
                done = copy.forget("a", **target(copy, kind))
                seconds = time.perf_counter() - began
                standing = _standing(copy)
                gone = [text for text in texts if text not in standing]
                copy.rebuild()
                after = scan(copy.store, gone, agent_id="a", proof=done.unit_id)
                rows.append({"set": name, "kind": kind, "done": done, "s": seconds, "after": after, "gone": len(gone)})
    return rows


def _standing(memory: Memory) -> str:
    return "\n".join(row.text for row in memory.store.view("a").rows() if isinstance(row, Event | Fact))


async def carried(name: str, turns: int) -> tuple[str, str, str]:
    """Digests of an agent, of what was taken in from its export, and of that again after a journey under another name."""
    with tempfile.TemporaryDirectory() as folder:
        there, back = Path(folder) / "there", Path(folder) / "back"
        with Memory.open("memory://") as one, Memory.open("memory://") as two, Memory.open("memory://") as three:
            await told(one, name, turns)
            one.export("a", there)
            two.import_(there)
            two.import_(there, agent_id="another")
            two.export("another", back)
            three.import_(back, agent_id="a")
            return one.digest("a"), two.digest("a"), three.digest("a")


def grown(size: int) -> tuple[float, Certificate]:
    """Seconds of forgetting one fact among so many, and its certificate."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory.open(folder, clock=lambda: datetime(2025, 1, 1, tzinfo=UTC)) as memory,
    ):
        filled(memory, size, np.random.default_rng(size))
        began = time.perf_counter()
        done = memory.forget(AGENT, fact_id=f"fact{size // 2}")
        return time.perf_counter() - began, done


def main() -> int:
    """Measure and print; 1 where a figure is not right."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="+", default=["harbor_en", "mare_pt"])
    parser.add_argument("--sizes", nargs="+", type=int, default=[100, 10_000])
    parser.add_argument("--turns", type=int, default=60, help="Turns of each set.")
    given = parser.parse_args()
    right = True
    with threadpool_limits(1):
        print("set        forgot      texts  versions  files      bytes  residue  control  after rebuild  rows gone")
        for name in given.sets:
            for row in asyncio.run(forgetting(name, given.turns)):
                done, after = row["done"], row["after"]
                assert done.scan is not None
                gone = ", ".join(f"{count} {table}" for table, count in sorted(done.removed.items()))
                again = f"{len(after.found)} of {row['gone']}"
                right &= done.clean and after.clean and done.scan.texts > 0
                print(
                    f"{name:10} {row['kind']:10} {done.scan.texts:6} {done.scan.versions:9} {done.scan.files:6}"
                    f" {done.scan.bytes:10,} {len(done.residue):8} {'found' if done.scan.proven else 'BLIND':>8}"
                    f" {again:>14}  {gone}"
                )
        for name in given.sets:
            one, two, three = asyncio.run(carried(name, given.turns))
            right &= one == two == three
            said = "equal" if one == two == three else "DIFFERENT"
            print(f"export and import of {name}: {said} ({one}; under another name and back: {three})")
        first: float | None = None
        for size in given.sizes:
            seconds, done = grown(size)
            first = seconds if first is None else first
            right &= done.clean
            print(
                f"one fact among {size:,}: {sum(done.removed.values())} rows gone, {sum(done.rewritten.values())} rewritten, "
                f"{seconds:.2f} s, {seconds / first:.1f} times the first, {size / given.sizes[0]:.0f} times the facts"
            )
    return int(not right)


if __name__ == "__main__":
    sys.exit(measured(main))
