"""A process that runs one cycle of jobs over a store and is killed meanwhile: ``python killed_cycle.py PATH ISO-MOMENT``."""

from __future__ import annotations

import asyncio
import sys
from datetime import datetime

from echoing import echo

from arandu_lab import Memory


def main(path: str, moment: str) -> None:
    at = datetime.fromisoformat(moment)
    with Memory.open(path, llm=echo(delay=0.02), embedder="hashing", clock=lambda: at) as memory:
        print("begun", flush=True)
        asyncio.run(memory.jobs.cycle("a", now=at, tick=lambda job: print(job, flush=True)))
        print("done", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
