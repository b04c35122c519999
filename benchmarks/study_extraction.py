"""Informed against blind extraction: quality and price, message by message on one memory, and free-running.

    python benchmarks/study_extraction.py [--estimate] [--quick] [--model M] [--cap "2 USD"] [--into docs/measured.md]

*Teacher-forced*: both read each message as dry runs on the same memory, which then hears the informed one; the difference is
paired. *Free-running*: each lives with the memory that it wrote, and is asked the questions.

Its settings are in ``configs/study_extraction.toml``; report, frames and picture come to lie in ``results/studies/extraction/``.
What was done is kept: the same command goes on from there, and asks a model nothing twice (``results/cassettes``).
"""

from __future__ import annotations

import sys

from measured import measured

from arandu_lab.bench.studies.command import command


def main() -> int:
    """Do the study and print its report."""
    return command("extraction", __doc__ or "")


if __name__ == "__main__":
    sys.exit(measured(main))
