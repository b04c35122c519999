"""What a run will be able to see, said before it starts: from an earlier result on the same data."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from arandu_lab.bench import statistics
from arandu_lab.bench.damage import reading
from arandu_lab.bench.data.model import Dataset
from arandu_lab.errors import DatasetError

_KEYS = ["dataset", "conversation", "question", "category"]


def foreseen(datasets: Mapping[str, Dataset], measure: str, results: Path, *, systems: Sequence[str] = ()) -> list[str]:
    """A sentence a dataset that has been run before: which differences of ``measure`` the run will miss.

    The pilot is the result under ``results`` (a kept baseline among them) that holds the same bytes of data and most of
    ``systems``. Every pair of its first system with another gives a least effect; the least and the greatest of them are told,
    because systems that are alike differ on few questions and systems that are not on many. A run of one system compares
    nothing.

    >>> foreseen({}, "R@10", Path("nowhere"))
    []
    """
    out: list[str] = []
    for name, dataset in datasets.items() if len(systems) != 1 else ():
        if (found := _pilot(name, dataset.digest, measure, results, systems)) is not None:
            out += _told(name, measure, *found, systems)
    return out


def _pilot(
    name: str, digest: str, measure: str, results: Path, systems: Sequence[str]
) -> tuple[str, pl.DataFrame] | None:
    """The name of a result and its questions of a dataset."""
    fitting = []
    for file in sorted([*results.glob("*/made.toml"), *results.glob("baselines/*/made.toml")]):
        try:
            said: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        place, made = file.parent / "questions.parquet", said.get("made", {})
        rows = said.get("run", {}).get("systems", [])
        if made.get("datasets", {}).get(name) == digest and len(rows) > 1 and place.is_file():
            fitting.append((-len(set(rows) & set(systems)), -len(rows), file.parent.name, place))
    for *_, folder, place in sorted(fitting):
        try:
            with reading(place.parent):
                frame = pl.read_parquet(place)
        except DatasetError:  # whoever asks for that result is told; this one only looks for a likeness
            continue
        if {measure, "absent", "system", *_KEYS} <= set(frame.columns):
            return folder, frame.filter((pl.col("dataset") == name) & ~pl.col("absent"))
    return None


def _told(name: str, measure: str, folder: str, frame: pl.DataFrame, systems: Sequence[str]) -> list[str]:
    known = frame.drop_nulls(measure)["system"].unique(maintain_order=True).to_list()
    rows = [one for one in known if one in systems] if len(set(known) & set(systems)) > 1 else known
    if len(rows) < 2:
        return []
    sides = {
        one: frame.filter(pl.col("system") == one)
        .select(*_KEYS, pl.col(measure).alias("value"))
        .with_columns(pl.lit(measure).alias("measure"))
        for one in rows
    }
    found = []
    for other in rows[1:]:
        least = statistics.detectable(sides[rows[0]], sides[other], measure)
        if least.effect is not None:
            found.append((least.effect, other, least))
    if not found:
        return []
    low, high = min(found, key=lambda one: one[0]), max(found, key=lambda one: one[0])
    span = f"{100 * low[0]:.1f} points (as between {rows[0]} and {low[1]})"
    if high[1] != low[1]:
        span = f"{100 * low[0]:.1f} to {100 * high[0]:.1f} points (as between {rows[0]} and {low[1]}, or {high[1]})"
    missed = f"missed more than {100 * (1 - low[2].power):.0f} times in 100 (alpha {low[2].alpha:g}; from {folder})"
    units = low[2].units
    if low[2].unit == "conversation":
        return [f"{name}: with {units} conversations a difference of {measure} under {span} will be {missed}"]
    return [
        f"{name}: one conversation, which tells nothing of others; were only questions like its own meant, with {units} of them "
        f"a difference of {measure} under {span} would be {missed}"
    ]
