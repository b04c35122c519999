"""A baseline: a result without its pictures, its page and its single times, small enough to be committed."""

from __future__ import annotations

import shutil
from pathlib import Path

import polars as pl

from arandu_lab.bench.artifacts import whole
from arandu_lab.bench.frames import FILES, Frames
from arandu_lab.bench.made import read_result


def write_baseline(result: str | Path, folder: str | Path) -> Path:
    """Keep a result as a baseline, in the place of one that was there; its path. It can be read as any result.

    Times are kept as the median of each system, conversation and phase: what a ratio to a control needs.

    Raises:
        ConfigError: no result lies there.
    """
    source, place = Path(result), Path(folder)
    _, frames = read_result(source)
    with whole(place) as fresh:
        for name in FILES:
            getattr(frames, name).write_parquet(fresh / f"{name}.parquet", compression_level=19)
        medians(frames).write_parquet(fresh / "times.parquet", compression_level=19)
        shutil.copyfile(source / "made.toml", fresh / "made.toml")
    return place


def medians(frames: Frames) -> pl.DataFrame:
    """The frame of times with one row a system, conversation and phase: ``item`` counts them, ``ms`` is their median."""
    keys = ["run", "dataset", "language", "conversation", "system", "phase"]
    return (
        frames.times.group_by(keys, maintain_order=True)
        .agg(pl.len().cast(pl.String).alias("item"), pl.col("ms").median())
        .select(*keys, "item", "ms")
    )
