"""``python -m arandu_lab.cli``."""

from arandu_lab.cli import main

main()
