"""The dedup threshold: facts lost against repetitions kept, per language, with words confirming and without.

    python benchmarks/study_dedup.py [--estimate] [--quick] [--model M] [--cap "2 USD"] [--into docs/measured.md]

Cells are *facts lost / repetitions kept* at a threshold, ``*`` the default. *extracted*: what the model reads of each message;
*gold*: each message read without a fault; *as one message*: all that a conversation tells in one long message.

Its settings are in ``configs/study_dedup.toml``; report, frames and picture come to lie in ``results/studies/dedup/``.
What was done is kept: the same command goes on from there, and asks a model nothing twice (``results/cassettes``).
"""

from __future__ import annotations

import sys

from measured import measured

from arandu_lab.bench.studies.command import command


def main() -> int:
    """Do the study and print its report."""
    return command("dedup", __doc__ or "")


if __name__ == "__main__":
    sys.exit(measured(main))
