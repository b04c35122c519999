"""The reranker's weight and veto: what the grades win, and whose evidence the veto throws away, per language.

    python benchmarks/study_reranker.py [--estimate] [--quick] [--model M] [--cap "2 USD"] [--into docs/measured.md]

The grid is re-scored over memories written once. The best setting is chosen on one part of the conversations and judged on
the other; ``*`` marks a difference to the default whose interval leaves 0 out, brackets the default.

Its settings are in ``configs/study_reranker.toml``; report, frames and picture come to lie in ``results/studies/reranker/``.
What was done is kept: the same command goes on from there, and asks a model nothing twice (``results/cassettes``).
"""

from __future__ import annotations

import sys

from measured import measured

from arandu_lab.bench.studies.command import command


def main() -> int:
    """Do the study and print its report."""
    return command("reranker", __doc__ or "")


if __name__ == "__main__":
    sys.exit(measured(main))
