"""Decay: half-lives of recency and confidence and the weight of recency, over the age of the evidence.

    python benchmarks/study_decay.py [--estimate] [--quick] [--model M] [--cap "2 USD"] [--into docs/measured.md]

Cells are the share of the evidence of that age among the ten best turns; *over first*: of questions whose answer replaced
another, the share in which the replaced one ranks before it.

Its settings are in ``configs/study_decay.toml``; report, frames and picture come to lie in ``results/studies/decay/``.
What was done is kept: the same command goes on from there, and asks a model nothing twice (``results/cassettes``).
"""

from __future__ import annotations

import sys

from measured import measured

from arandu_lab.bench.studies.command import command


def main() -> int:
    """Do the study and print its report."""
    return command("decay", __doc__ or "")


if __name__ == "__main__":
    sys.exit(measured(main))
