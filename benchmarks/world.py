"""How fast a world is made, and in how much memory: both languages, on one core.

    python benchmarks/world.py [--turns 10000 100000]

Memory is the peak of the process, the words and the interpreter included; each size runs in a process of its own.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time


def main() -> int:
    """Print a row for each size."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("--turns", type=int, nargs="+", default=[10_000, 100_000], help="sizes of worlds")
    options.add_argument("--one", type=int, help=argparse.SUPPRESS)
    asked = options.parse_args()
    if asked.one:
        print(row(asked.one))
        return 0
    print(f"{'turns':>8}{'seconds':>10}{'turns/s':>10}{'ms/turn/lang':>14}{'peak MiB':>10}{'on disk MiB':>13}")
    for turns in asked.turns:
        subprocess.run([sys.executable, __file__, "--one", str(turns)], check=True)
    return 0


def row(turns: int) -> str:
    """Make one world and measure it."""
    from arandu_lab.bench.world import WorldConfig, make

    with tempfile.TemporaryDirectory() as out:
        began = time.perf_counter()
        folders = make(WorldConfig(turns=turns, people=20, years=10, questions=max(60, turns // 50), instants=120), out)
        spent = time.perf_counter() - began
        size = sum(path.stat().st_size for folder in folders for path in folder.iterdir())
    unit = 1 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    rates = f"{turns / spent:>10.0f}{spent / turns * 1000 / len(folders):>14.3f}"
    return f"{turns:>8}{spent:>10.1f}{rates}{peak / 2**20:>10.1f}{size / 2**20:>13.1f}"


if __name__ == "__main__":
    sys.exit(main())
