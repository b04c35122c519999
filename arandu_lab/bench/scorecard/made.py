"""The folder of a scorecard: written whole, the same bytes for the same run apart from its times.

::

    results/scorecard-1a2b3c4d5e6f/
        report.md  waterfall.svg .png  stages.svg .png  confusion.svg .png     for people
        read turns mentions decisions rows instants evidence questions costs errors (.parquet)    every number
        made.toml                                                              what was run
        times.parquet  times.json                                              the only files that differ
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import polars as pl

from arandu_lab.bench.artifacts import own_source, whole
from arandu_lab.bench.made import made_of, rows_made
from arandu_lab.bench.rows import changed, told
from arandu_lab.bench.scorecard.columns import SCHEMAS
from arandu_lab.bench.scorecard.plan import Plan, read_plan
from arandu_lab.bench.scorecard.run import Card
from arandu_lab.bench.toml import toml
from arandu_lab.errors import ConfigError


def write_scorecard(card: Card, results: Path) -> Path:
    """Write the folder of a scorecard, in the place of one of the same address; its path."""
    from arandu_lab.bench.scorecard.report import write_report

    folder = results / card.address
    with whole(folder) as fresh:
        for name in SCHEMAS:
            card.frames[name].write_parquet(fresh / f"{name}.parquet")
        (fresh / "times.json").write_text(json.dumps(_times(card), indent=1, ensure_ascii=False), encoding="utf-8")
        (fresh / "made.toml").write_text(made_toml(card), encoding="utf-8")
        write_report(card, fresh, before=folder if _same(card, folder) else None)
    return folder


def _same(card: Card, folder: Path) -> bool:
    """Whether a scorecard of this address lies there already and was made of the same frames, times apart."""
    if not (folder / "report.md").is_file():
        return False
    try:
        return all(
            pl.read_parquet(folder / f"{name}.parquet").equals(card.frames[name]) for name in SCHEMAS if name != "times"
        )
    except (OSError, pl.exceptions.PolarsError):
        return False


def read_scorecard(folder: Path) -> tuple[Plan, dict[str, pl.DataFrame]]:
    """The plan and the frames of a scorecard.

    Raises:
        ConfigError: none lies there.
    """
    if not (folder / "made.toml").is_file() or not (folder / "evidence.parquet").is_file():
        raise ConfigError(f"{folder} is no scorecard: it has no made.toml, or no evidence.parquet")
    return read_plan(folder / "made.toml"), {name: pl.read_parquet(folder / f"{name}.parquet") for name in SCHEMAS}


def address(card: Card) -> str:
    """The plan's name and the hash of all that the scorecard is made of."""
    plan, default = card.plan, Plan(name="", datasets=(), rows=())
    said: dict[str, Any] = {
        "scorecard": [
            {"name": row.name, "base": row.base, "options": changed(row, seed=plan.seed), "own": own_source(row)}
            | {"write": row.write, "read": row.read, "modes": plan.modes(row)}
            for row in plan.rows
        ],
        "data": {name: one.digest for name, one in card.datasets.items()},
        "code": card.code,
    }
    for name in ("depth", "seed", "coverage", "examples"):
        if (value := getattr(plan, name)) != getattr(default, name):
            said[name] = value
    return f"{plan.name}-{hashlib.sha256(told(said).encode()).hexdigest()[:12]}"


def made_toml(card: Card) -> str:
    """The filled configuration of a scorecard, with what it was made with. ``jobs`` is left out: it changes nothing."""
    plan = card.plan
    head = {name: getattr(plan, name) for name in ("name", "datasets", "data")}
    head |= {"systems": [row.name for row in plan.rows]}
    head |= {name: getattr(plan, name) for name in ("oracle", "given", "depth", "seed", "coverage", "examples")}
    tables: dict[str, dict[str, Any]] = {"scorecard": head}
    tables |= rows_made(plan.rows, plan.seed)
    tables |= made_of(card.address, card.code, card.datasets)
    return (
        "# What this scorecard was made with, every default filled in. To repeat it:\n"
        f"#     arandu-lab scorecard results/{card.address}/made.toml\n"
        "# A copy without [made] is a configuration of your own.\n\n" + toml(tables)
    )


def _times(card: Card) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for step, done in card.done:
        place = out.setdefault(step.dataset, {}).setdefault(step.row.name, {}).setdefault(step.mode, {})
        place["seconds"] = round(done.seconds, 3)
        for part, times in done.times.items():
            if times:
                place[f"ms, {part}"] = {stage: round(ms, 3) for stage, ms in times.items()}
    return out
