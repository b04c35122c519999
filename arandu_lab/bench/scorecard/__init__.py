"""The scorecard: what every stage of a memory loses, alone and in its place, and which stage lost each question."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arandu_lab.bench.scorecard.run import Watcher


def scorecard(
    config_path: str | Path,
    out: Path,
    jobs: int | None = None,
    force: bool = False,
    watcher: Watcher | None = None,
) -> Path:
    """Record, judge and write the scorecard of a file; its folder. See :func:`arandu_lab.bench.scorecard.run.scorecard`."""
    from arandu_lab.bench.scorecard import run

    return run.scorecard(config_path, out, jobs, force, watcher)
