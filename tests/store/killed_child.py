"""A writer that is killed: appends random units for ever and acknowledges each on its standard output.

Run as ``python killed_child.py``; waits for one line ``path round seed``, so that the import of LanceDB lies before it.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import arandu_lab.store.store as module
import lancedb  # noqa: F401 - imported before the parent's clock starts
from arandu_lab.store import Store, tables
from plain import AGENTS, DIM, START, Plain

module.PROJECT_EVERY = 5
tables.COMPACT_AT = 6





def main() -> None:
    """Append until killed."""
    print("ready", flush=True)
    path, turn, seed = sys.stdin.readline().rstrip("\n").split("\t")
    rng = random.Random(int(seed))
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
