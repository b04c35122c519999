"""The folder of a result: written whole, read back without replaying anything.

::

    results/quickstart-1a2b3c4d5e6f/
        report.md  recall.svg .png  tokens.svg .png     for people
        questions.parquet  extraction.parquet  usage.parquet  errors.parquet     every number, recomputable
        made.toml                                       what was run: ``arandu-lab run`` takes it
        times.parquet  times.json                       the only files that differ from run to run
"""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from arandu_lab.bench import provenance
from arandu_lab.bench.artifacts import versions, whole
from arandu_lab.bench.assemblies import told_assembly
from arandu_lab.bench.contexts import keep_steps
from arandu_lab.bench.damage import reading
from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.frames import FILES, Frames, readable
from arandu_lab.bench.plan import Plan, Row, read_plan
from arandu_lab.bench.rows import filled
from arandu_lab.bench.run import Run
from arandu_lab.bench.toml import heading, toml
from arandu_lab.errors import ConfigError, DatasetError, nearest
from arandu_lab.llm.prices import FILE
from arandu_lab.places import local


def write_result(run: Run, frames: Frames, results: Path) -> Path:
    """Write the folder of a run, in the place of one of the same address; its path."""
    from arandu_lab.bench.report import write_report

    folder = results / run.address
    with whole(folder) as fresh:
        for name in (*FILES, "times"):
            getattr(frames, name).write_parquet(fresh / f"{name}.parquet")
        (fresh / "times.json").write_text(json.dumps(_times(frames), indent=1, ensure_ascii=False), encoding="utf-8")
        (fresh / "made.toml").write_text(made_toml(run), encoding="utf-8")
        keep_steps(fresh, ((one.dataset, one.conversation, one.row.name, one.address) for one, _ in run.replays))
        write_report(run, frames, fresh)
    return folder


def made_toml(run: Run) -> str:
    """The filled configuration of a run, with what it was run with. ``jobs`` is left out: it changes no result."""
    plan = run.plan
    tables: dict[str, dict[str, Any]] = {
        "run": {
            "name": plan.name,
            "datasets": plan.datasets,
            "data": plan.data,
            "systems": [row.name for row in plan.rows],
            "measures": (*plan.measures, *plan.costs),
            "curve": plan.curve,
            "depth": plan.depth,
            "seed": plan.seed,
            "coverage": plan.coverage,
            **({"cassette": plan.cassette} if plan.cassette else {}),
            **({"prices": plan.prices or FILE} if run.prices.digest else {}),
            **({"answer": dict(plan.answer)} if plan.answer else {}),
        }
    }
    tables |= rows_made(plan.rows, plan.seed)
    tables |= made_of(run.address, run.code, run.datasets)
    tables["made.prices"] = run.prices.told()
    tables["made.measures"] = dict(provenance.definitions(plan.measures))
    tables |= {heading("made", "stages", row.name): provenance.stages(row, seed=plan.seed) for row in plan.rows}
    return (
        "# What this result was made with, every default filled in. To repeat it:\n"
        f"#     arandu-lab run results/{run.address}/made.toml\n"
        "# A copy without [made] is a configuration of your own.\n\n" + toml(tables)
    )


def rows_made(rows: Iterable[Row], seed: int) -> dict[str, dict[str, Any]]:
    """The tables of systems, every setting filled in."""
    tables: dict[str, dict[str, Any]] = {}
    for row in rows:
        tables[heading("system", row.name)] = {"base": row.base, **filled(row, seed=seed)}
        if row.assembly is not None:
            tables[heading("system", row.name, "assembly")] = told_assembly(row.assembly)
        for part in ("write", "read"):
            for stage, pins in getattr(row, part).items():
                tables[heading("system", row.name, part, stage)] = dict(pins)
    return tables


def made_of(address: str, code: str, datasets: Mapping[str, Dataset]) -> dict[str, dict[str, Any]]:
    """The tables that say what a result was made with: code and its commit, data, overlays, prompts, versions."""
    overlays = {name: str(one.card["overlay"]) for name, one in datasets.items() if "overlay" in one.card}
    commits = provenance.commits()
    return {
        "made": {"address": address, "code": code, "python": platform.python_version()},
        **({"made.git": dict(commits)} if commits else {}),
        "made.datasets": {name: one.digest for name, one in datasets.items()},
        **({"made.overlays": dict(overlays)} if overlays else {}),
        "made.prompts": dict(provenance.prompts()),
        "made.versions": dict(versions()),
    }


def read_result(folder: Path) -> tuple[Plan, Frames]:
    """The plan and the frames of a result.

    Raises:
        ConfigError: no result lies there, or one of another kind.
        DatasetError: half of one, or a damaged one.
    """
    if not (folder / "made.toml").is_file():
        raise ConfigError(f"{folder} is no result: it has no made.toml")
    if (folder / "settings.parquet").is_file():
        raise ConfigError(
            f"{folder} is of a sweep (Sweep.read opens it); wanted is a result of `arandu-lab run` or experiment()"
        )
    if (folder / "evidence.parquet").is_file():
        raise ConfigError(f"{folder} is a scorecard; wanted is a result of `arandu-lab run` or experiment()")
    plan = read_plan(folder / "made.toml")
    with reading(folder):
        parts = {name: pl.read_parquet(folder / f"{name}.parquet") for name in (*FILES, "times")}
    if parts["questions"].is_empty():
        raise DatasetError(f"{folder}: questions.parquet holds no questions, so nothing can be said of it")
    return plan, readable(parts)


def find_result(name: str, results: Path, of: str = "result") -> Path:
    """The folder of a result, by path, address, or the beginning of one.

    Args:
        of: ``result`` (of a run or an experiment) or ``sweep``: only folders of this kind are known by their names.

    Raises:
        ConfigError: none, or several.
    """
    named, results = local(name, of), local(results, "results")
    if (named / "made.toml").is_file():
        return named
    every = sorted(path.parent for path in results.glob("*/made.toml"))
    known = [one.name for one in every if _kind(one) == of]
    found = [one for one in known if one == name] or [one for one in known if one.startswith(name)]
    if not found and (results / name).is_dir() and (results / name) in every:
        return results / name  # of another kind: who reads it says so
    if not found:
        none = f"there is no {of} of any name" if results.is_dir() else "no such folder"
        raise ConfigError(f"no {of} {name!r} in {results}; " + (nearest(name, known) if known else none))
    if len(found) > 1:
        raise ConfigError(f"{of} {name!r} could be {', '.join(found)}")
    return results / found[0]


def _kind(folder: Path) -> str:
    kinds = {"settings": "sweep", "evidence": "scorecard"}
    return next((kind for name, kind in kinds.items() if (folder / f"{name}.parquet").is_file()), "result")


def complete(folder: Path) -> bool:
    """Whether a result lies there that has no errors, so that there is nothing to run again."""
    with reading(folder):
        return (folder / "made.toml").is_file() and pl.read_parquet(folder / "errors.parquet").is_empty()


def _times(frames: Frames) -> dict[str, Any]:
    out: dict[str, Any] = {}
    keys = ["dataset", "system", "phase"]
    table = frames.times.group_by(keys, maintain_order=True).agg(
        pl.col("ms").mean().alias("mean"),
        pl.col("ms").median().alias("median"),
        pl.col("ms").quantile(0.95).alias("p95"),
        (pl.col("ms").sum() / 1000).alias("seconds"),
        pl.len().alias("items"),
    )
    for row in table.iter_rows(named=True):
        place = out.setdefault(row["dataset"], {}).setdefault(row["system"], {})
        what = {"listen": "ms_per_turn", "ask": "ms_per_question", "rest": "ms_per_round_of_jobs"}[row["phase"]]
        place[what] = {name: round(row[name], 3) for name in ("mean", "median", "p95", "seconds", "items")}
    return out
