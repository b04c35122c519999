"""How long the command line takes to say ``--help``, against a bare interpreter on the same machine in the same run.

python benchmarks/startup.py
"""

from __future__ import annotations

import subprocess
import sys
import time

ROUNDS = 7


def best(*command: str) -> float:
    """The least seconds of several starts: what the machine can do when it is left alone."""
    taken = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        taken.append(time.perf_counter() - began)
    return min(taken)


def main() -> None:
    """Print both times and their ratio; the floor is half a second."""
    bare = best(sys.executable, "-c", "pass")
    helped = best(sys.executable, "-m", "arandu_lab.cli", "--help")
    print(f"python -c pass       {bare:6.3f} s")
    verdict = "within" if helped < 0.5 else "ABOVE"
    print(f"arandu-lab --help    {helped:6.3f} s   {helped / bare:4.1f}×   {verdict} 0.5 s")


if __name__ == "__main__":
    main()
