"""From the frames of a scorecard to its pictures: one panel a language, the sets of a language taken together."""

from __future__ import annotations

import shutil
from pathlib import Path

import polars as pl

from arandu_lab.bench.cards import LANGUAGES
from arandu_lab.bench.scorecard import tables
from arandu_lab.bench.scorecard.frames import Frames
from arandu_lab.bench.scorecard.segments import STAGES

_OF_TURNS = ("retrieval", "context")
_ORDER = {"end-to-end": 0, "oracle": 1, "given": 2}


def draw(frames: Frames, folder: Path, *, before: Path | None = None) -> set[str]:
    """Write ``waterfall``, ``stages`` and ``confusion`` as SVG and PNG, each where there is something in it; their names.

    ``before``: a folder with pictures of the same frames by the same code, which are copied.
    """
    from arandu_lab.viz.confusion import confusions
    from arandu_lab.viz.stages import stage_dots
    from arandu_lab.viz.theme import save
    from arandu_lab.viz.waterfall import waterfalls

    drawn: set[str] = set()
    names = titles(frames)
    for name, table, picture in (
        ("waterfall", falls(frames), waterfalls),
        ("stages", dots(frames), stage_dots),
        ("confusion", matrices(frames), confusions),
    ):
        if table.is_empty():
            continue
        known = [before / f"{name}.{kind}" for kind in ("svg", "png")] if before else []
        if known and all(path.is_file() for path in known):
            for path in known:
                shutil.copyfile(path, folder / path.name)
        else:
            save(picture(table, names).to_dict(), folder, name)
        drawn.add(name)
    return drawn


def titles(frames: Frames) -> dict[str, str]:
    """Language -> heading: its name and its sets."""
    out: dict[str, list[str]] = {}
    for dataset, language in tables.ordered_sets(frames):
        out.setdefault(language, []).append(dataset)
    return {language: f"{LANGUAGES.get(language, language)}: {', '.join(sets)}" for language, sets in out.items()}


def falls(frames: Frames) -> pl.DataFrame:
    """``language system mode stage lost left quoted`` summed over the sets of a language.

    ``lost`` is null where a system has no such stage: one that keeps turns retrieves them and fills a context, no more.
    """
    parts = []
    for system, dataset, language, mode in tables.runs(frames):
        asked = tables.of(frames["questions"], system, dataset, mode)
        table = tables.waterfall(asked)
        if mode == "given" or not table["left"][0]:
            continue
        if not tables.remembers(frames, system, dataset, mode):
            has = pl.col("stage").is_in(["questions", *_OF_TURNS, "delivered"])
            table = table.with_columns(pl.when(has).then("lost").alias("lost"))
        _, quoted = tables.delivered_by(frames, system, dataset, mode)
        parts.append(
            table.filter(pl.col("stage") != "failed").select(
                pl.lit(language).alias("language"),
                pl.lit(system).alias("system"),
                pl.lit(mode).alias("mode"),
                "stage",
                "lost",
                "left",
                pl.when(pl.col("stage") == "delivered").then(quoted).otherwise(0).alias("quoted"),
            )
        )
    if not parts:
        return pl.DataFrame(schema=dict.fromkeys(("language", "system", "mode", "stage"), pl.String))
    keys = ["language", "system", "mode", "stage"]
    lost = pl.when(pl.col("lost").is_not_null().any()).then(pl.col("lost").sum()).alias("lost")
    return pl.concat(parts).group_by(keys, maintain_order=True).agg(lost, pl.col("left", "quoted").sum())


def dots(frames: Frames) -> pl.DataFrame:
    """``language system mode stage value``: the mean over the sets of a language, of systems that were given gold."""
    both = {system for system, _, _, mode in tables.runs(frames) if mode == "given"}
    lines = [
        {
            "language": language,
            "system": system,
            "mode": mode,
            "stage": stage,
            "value": tables.stage_number(frames, system, dataset, mode, stage),
        }
        for system, dataset, language, mode in tables.runs(frames)
        if system in both
        for stage in STAGES
    ]
    schema = {**dict.fromkeys(("language", "system", "mode", "stage"), pl.String), "value": pl.Float64}
    table = pl.DataFrame(lines, schema=schema).drop_nulls("value")
    keys = ["language", "system", "mode", "stage"]
    return table.group_by(keys, maintain_order=True).agg(pl.col("value").sum() / pl.len())


def matrices(frames: Frames) -> pl.DataFrame:
    """``language system mode decision action count share`` of systems that decide; on gold input where they were given it."""
    lines = []
    made = frames["decisions"]
    keys = list(dict.fromkeys(made.select("language", "system", "mode").iter_rows()))
    for language, system, mode in sorted(keys, key=lambda one: _ORDER[one[2]]):
        mine = made.filter((pl.col("language") == language) & (pl.col("system") == system) & (pl.col("mode") == mode))
        head = (pl.lit(language).alias("language"), pl.lit(system).alias("system"), pl.lit(mode).alias("mode"))
        lines.append(tables.confusion(mine).with_columns(head))
    return pl.concat(lines) if lines else pl.DataFrame(schema={"language": pl.String})
