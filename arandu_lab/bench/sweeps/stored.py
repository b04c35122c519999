"""A sweep in its folder, so that it can be opened again without asking anything: ``sweep.json`` and three frames.

::

    Sweep.read("results/sweep-1a2b3c4d5e6f").best()         # also "sweep-1a2b", or "s3://bucket/results/sweep-1a2b3c4d5e6f"
"""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import polars as pl

from arandu_lab.bench.damage import reading
from arandu_lab.bench.made import find_result
from arandu_lab.bench.sweeps.costs import Estimate
from arandu_lab.bench.sweeps.design import design_of, design_told
from arandu_lab.bench.sweeps.remote import Shelf
from arandu_lab.bench.sweeps.result import Sweep
from arandu_lab.errors import ConfigError, DatasetError
from arandu_lab.places import local
from arandu_lab.trace import Usage

FRAMES = ("answers", "written", "errors")
_FILE = "sweep.json"


def keep_sweep(swept: Sweep, folder: Path) -> None:
    """Write what :func:`read_sweep` reads into a folder that is being made."""
    said = {name: getattr(swept, name) for name in _PLAIN} | {
        "points": [dict(one) for one in swept.points],
        "design": design_told(swept.design),
        "paid": asdict(swept.paid),
        "estimate": asdict(swept.estimate),
    }
    (folder / _FILE).write_text(json.dumps(said, ensure_ascii=False, indent=1, default=list), encoding="utf-8")
    for name in FRAMES:
        getattr(swept, name).write_parquet(folder / f"{name}.parquet")


def read_sweep(name: str | Path, results: str | Path = "results") -> Sweep:
    """The sweep of a folder, as it was when it was written: nothing is asked or measured again.

    Args:
        name: A folder, the address of one or its beginning, or a URL such as ``s3://bucket/results/ADDRESS``.
        results: Where addresses lie.

    Raises:
        ConfigError: no sweep lies there, a result of another kind, or several begin so.
        DatasetError: half of one, or a damaged one.
        BackendError: the store away does not answer.
    """
    folder = _away(str(name)) if "://" in str(name) else find_result(str(name), local(results, "results"), of="sweep")
    if not (folder / "settings.parquet").is_file():
        raise ConfigError(f"{folder} is of no sweep; wanted is the folder that sweep() or `arandu-lab sweep` wrote")
    if not (folder / _FILE).is_file():
        raise DatasetError(
            f"{folder}: written before sweeps could be read back (no {_FILE}); the same sweep again writes it, and what was"
            " answered is taken from what is kept"
        )
    with reading(folder):
        said = json.loads((folder / _FILE).read_text(encoding="utf-8"))
        parts = {one: pl.read_parquet(folder / f"{one}.parquet") for one in FRAMES}
        plain: dict[str, Any] = {one: tuple(said[one]) if isinstance(said[one], list) else said[one] for one in _PLAIN}
        made = Sweep(
            **plain,
            points=tuple(said["points"]),
            design=design_of(said["design"]),
            paid=Usage(**said["paid"]),
            estimate=Estimate(**said["estimate"]),
            answers=parts["answers"],
            written=parts["written"],
            errors=parts["errors"],
            folder=folder,
        )
        _whole(made)
    return made


def _whole(made: Sweep) -> None:
    """Refuse parts that are not of one sweep; called where damage is told."""
    if made.answers.is_empty():
        raise ValueError("answers.parquet holds no answers")
    missing = [one for one in made.measures if {one, f"chance {one}"} - set(made.answers.columns)]
    if missing:
        raise ValueError(f"answers.parquet has no column {missing[0]!r}")
    strange = set(made.answers["point"].unique()) - set(range(len(made.points)))
    if strange or any(set(one) != set(made.names) for one in made.points):
        raise ValueError(f"{_FILE} and answers.parquet are of different settings")


def _away(name: str) -> Path:
    place, _, address = name.rstrip("/").rpartition("/")
    folder = Shelf(place).fetch(address)
    if folder is None:
        raise ConfigError(f"no sweep {address!r} in {place}")
    return folder


_PLAIN: tuple[str, ...] = tuple(
    one.name
    for one in fields(Sweep)
    if one.name not in ("points", "design", "paid", "estimate", *FRAMES, "folder", "_made")
)
