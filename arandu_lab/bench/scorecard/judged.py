"""What was judged of a step, kept beside its dossiers, so that a scorecard of known steps is read and not judged again.

::

    .steps/1a2b3c4d5e6f/
        all.json  times.json              what was recorded
        judged-5e6f7a8b9c0d/              its frames, by the digest of the code that judged them
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from arandu_lab.bench.artifacts import whole
from arandu_lab.bench.scorecard.columns import SCHEMAS

KEPT = tuple(name for name in SCHEMAS if name != "times")
"""Frames that are kept: all but the times, which are a recording's own."""


def judged_before(step: Path, code: str) -> dict[str, pl.DataFrame] | None:
    """The frames of a step as this code judged them before; None where it did not, or where they are not whole."""
    folder = _place(step, code)
    try:
        found = {name: pl.read_parquet(folder / f"{name}.parquet") for name in KEPT}
    except (OSError, pl.exceptions.PolarsError):
        return None
    return found if all(dict(found[name].schema) == SCHEMAS[name] for name in KEPT) else None


def keep_judged(step: Path, code: str, frames: Mapping[str, pl.DataFrame]) -> None:
    """Keep the frames of a step whose dossiers are kept, in the place of what other code made of them."""
    if not step.is_dir():
        return
    for old in step.glob("judged-*"):
        shutil.rmtree(old)
    with whole(_place(step, code)) as fresh:
        for name in KEPT:
            frames[name].write_parquet(fresh / f"{name}.parquet")


def joined(parts: Sequence[Mapping[str, pl.DataFrame]]) -> dict[str, pl.DataFrame]:
    """The frames of several steps one below the other, in one piece each."""
    empty = {name: pl.DataFrame(schema=schema) for name, schema in SCHEMAS.items()}
    return {name: pl.concat([empty[name], *(part[name] for part in parts)], rechunk=True) for name in SCHEMAS}


def _place(step: Path, code: str) -> Path:
    return step / f"judged-{code[:12]}"
