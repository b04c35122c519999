"""A writer that is killed: appends random units for ever and acknowledges each on its standard output.

Run as ``python killed_child.py``. For each line ``path round seed`` it forks one writer (before it has touched LanceDB
itself: importing it costs seconds, forking nothing), says its process id, and says ``dead`` when it has been killed.
"""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path
from typing import NoReturn

sys.path.insert(0, str(Path(__file__).parent))

import lancedb  # noqa: F401 - imported once, for every writer

import arandu_lab.store.store as module
from arandu_lab.store import Store, tables
from arandu_lab.testing.plain import AGENTS, DIM, START, Plain

module.PROJECT_EVERY = 5
tables.COMPACT_AT = 6


def main() -> None:
    """Fork a writer per line."""
    for line in sys.stdin:
        path, turn, seed = line.rstrip("\n").split("\t")
        writer = os.fork()
        if not writer:
            write(path, turn, random.Random(int(seed)))
        print(f"pid {writer}", flush=True)
        os.waitpid(writer, 0)
        print("\ndead", flush=True)


def write(path: str, turn: str, rng: random.Random) -> NoReturn:
    """Append until killed."""
    store = Store.open(path, embedder_name="test", embedder_dim=DIM)
    plain = {}
    for agent in AGENTS:
        view = store.view(agent)
        plain[agent] = Plain(agent, sequence=view.sequence, prefix=f"{turn}.")
        plain[agent].apply(list(view.rows()), [], view.sequence)
    number = 0
    while True:
        agent = rng.choice(AGENTS)
        rows, removed = plain[agent].unit(rng)
        unit_id = f"{turn}.{number}"
        number += 1
        seq = store.append("write", agent, rows, unit_id=unit_id, recorded_at=START, removed=removed)
        plain[agent].apply(rows, removed, seq)
        print(f"{AGENTS.index(agent)}\t{unit_id}\t{seq}\t{len(rows)}\t{len(removed)}", flush=True)


if __name__ == "__main__":
    main()
