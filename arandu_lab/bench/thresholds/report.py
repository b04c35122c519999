"""``report.md`` of the threshold lab, its pictures and its frames: the same bytes for the same findings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import polars as pl

from arandu_lab.bench.artifacts import versions, whole
from arandu_lab.bench.cards import GAP, LANGUAGES, count, percent, plain_card
from arandu_lab.bench.thresholds import tables
from arandu_lab.bench.thresholds.reading import paragraphs
from arandu_lab.bench.thresholds.run import FRAMES, Findings

PICTURES = {
    "distributions": "Where cosines lie, by relation and language",
    "merging": "Precision and recall of merging, over the dedup threshold",
    "losses": "Lost facts, over the dedup threshold",
    "gate": "The gate: missed updates against model calls, by size of the store",
}


def write_findings(found: Findings, folder: Path) -> Path:
    """Write the folder of findings, in the place of one of the same address; its path.

    ``report.md``, pictures as SVG and PNG, a parquet file a frame, ``calibration.json`` (as ``Calibration.load`` reads
    it) and ``made.json`` (what it was made with).
    """
    with whole(folder) as fresh:
        for name in FRAMES:
            getattr(found, name).write_parquet(fresh / f"{name}.parquet")
        found.calibration.save(fresh / "calibration.json")
        (fresh / "made.json").write_text(json.dumps(_made(found), indent=1) + "\n", encoding="utf-8")
        drawn = _draw(found, fresh)
        (fresh / "report.md").write_text(report(found, drawn), encoding="utf-8")
    return folder


def report(found: Findings, pictures: Sequence[str] = ()) -> str:
    """The text of ``report.md``, with the pictures of these names."""
    parts = [f"# Thresholds of {found.embedder}", *paragraphs(found)]
    for name in pictures:
        parts += [f"![{PICTURES[name]}]({name}.svg)"]
    parts += [
        "## What is recommended",
        "Chosen on all pairs of a language; *all*: the stricter of the languages. The columns from *merged* on are judged "
        "on held out folds: chosen on the other folds, counted on this one. *low*, *high*: the span of the thresholds that "
        "the folds chose. *reached* false: no threshold does what was asked, and this is the best there is.",
        _choices(found),
        "## What .85 merges",
        "Duplicates and all other pairs of a kind. *words*: whether the word checks may refuse what the cosine nominates. "
        "Precision depends on the mix of pairs; the share of lost facts does not.",
        _merges(found),
        "## What passes .50, and what .85 takes for the same",
        "Quantiles of the cosine, and the shares at .50 and at .85 or above. *apart 85*: of the pairs at .85, the share that "
        "words keep apart.",
        _distributions(found),
        "## What a gate costs",
        "The chance that a fact which replaces nothing asks a model, by the number of stored facts of its subject: its own "
        "and those of others said of it, without putting back, facts of other slots only.",
        _gates(found),
        "The sets as they were told: the share of facts that ask, the share that ought to, and of these the share missed.",
        plain_card(found.told_costs, calls=percent, needed=percent, missed=percent, gate=_cut).markdown(),
    ]
    if "recommended" in found.scales:
        parts += [
            "## The calibration",
            f"`calibration.json` carries quantiles of {found.embedder} to those of {found.reference} on the same pairs. The "
            "table says how far each scale is from the documented one; *held out* maps every fold by the other folds.",
            _carried(found),
        ]
    parts += [
        "## Pairs",
        plain_card(found.sources).markdown(),
        _said_of_pairs(found),
        "## How to repeat it",
        _repeat(found),
    ]
    return "\n\n".join(parts) + "\n"


def charts(found: Findings) -> dict[str, Any]:
    """The pictures of findings as altair charts: ``distributions merging losses``, and ``gate`` where there are stores."""
    from arandu_lab.viz import thresholds as viz

    scale = found.in_force
    titles = {"": f"{found.embedder}{', shipped calibration' if scale == 'shipped' else ''}", **LANGUAGES}
    for code in found.pairs["language"].unique():
        titles.setdefault(code, code)
    best = dict(found.choices.filter(scale=scale, language="all").select("what", "threshold").iter_rows())
    shares = found.distributions.filter(scale=scale)
    drawn: dict[str, Any] = {
        "distributions": viz.ridges(tables.ridges(found.pairs, scale), shares, [best["gate"]], titles)
    }
    drawn["merging"] = viz.merging(found.merged.filter(scale=scale), best["dedup"], titles)
    drawn["losses"] = viz.losses(found.shares.filter(scale=scale), best["dedup"], titles)
    if not found.gates.is_empty():
        drawn["gate"] = viz.gates(found.gates.filter(scale=scale), best["gate"], titles)
    return drawn


def _draw(found: Findings, folder: Path) -> list[str]:
    from arandu_lab.viz.theme import save

    drawn = charts(found)
    for name, chart in drawn.items():
        save(chart.to_dict(), folder, name)
    return list(drawn)


def _choices(found: Findings) -> str:
    forms = dict.fromkeys(("target", "precision", "recall", "lost", "reach", "unrelated"), percent)
    cuts = dict.fromkeys(("threshold", "low", "high"), _cut)
    table = found.choices.with_columns(pl.col("reached").replace_strict({True: "yes", False: "no"}))
    return plain_card(table, **forms, **cuts, merged=count).markdown()


def _merges(found: Findings) -> str:
    table = found.merged.filter((pl.col("threshold") == 0.85) & (pl.col("duplicates") > 0))
    table = table.with_columns(pl.col("words").replace_strict({True: "checked", False: "not"}))
    return plain_card(table.drop("threshold"), precision=percent, recall=percent, lost_share=percent).markdown()


def _distributions(found: Findings) -> str:
    forms = dict.fromkeys(("q05", "q25", "q50", "q75", "q95"), _cut)
    return plain_card(found.distributions, **forms, at_50=percent, at_85=percent, apart_85=percent).markdown()


def _gates(found: Findings) -> str:
    if found.gates.is_empty():
        return "No set with gold, so no stores."
    rows = []
    for scale in found.scales:
        best = found.choices.filter(scale=scale, what="gate", language="all")["threshold"][0]
        for language in found.gates["language"].unique(maintain_order=True):
            for gate in sorted({0.5, best}):
                mine = found.gates.filter(scale=scale, language=language, gate=gate)
                costs = {f"n={n}": share for n, share in mine.select("stored", "calls").iter_rows()}
                missed = mine["missed"][0] if mine.height else None
                rows.append({"scale": scale, "language": language, "gate": gate, **costs, "missed": missed})
    table = pl.DataFrame(rows, infer_schema_length=None)
    forms = {name: percent for name in table.columns if name.startswith("n=") or name == "missed"}
    return plain_card(table, **forms, gate=_cut).markdown()


def _carried(found: Findings) -> str:
    columns = [name for name in found.carried.columns if name not in ("language", "relation", "quantile")]
    table = found.carried.with_columns(pl.col("quantile").cast(pl.String))
    return plain_card(table, **dict.fromkeys(columns, _cut)).markdown()


def _said_of_pairs(found: Findings) -> str:
    said = (
        "Facts of our sets: a NOOP in other words and what it repeats (*duplicate*), an UPDATE and what it replaces, a DELETE "
        "and what it takes back (*negation*), two live facts of one subject in different slots (*attribute*), facts of two "
        "subjects in different slots (*unrelated*); at most 300 of a kind and set, drawn with a fixed seed. A fold holds whole "
        "subjects. STS-B: *duplicate* from score 4.5 up, *unrelated* up to 1, *near* between; a fold holds whole clusters of "
        "sentences. STS-B and taosmd judge; nothing is chosen on them while there are facts of our own."
    )
    if found.absent:
        said += "\n\nNot there, and left out: " + "; ".join(found.absent) + "."
    return said


def _repeat(found: Findings) -> str:
    digests = "\n".join(f"* `{name}` sha256 `{one}`" for name, one in found.digests.items())
    return f"`made.json` holds targets, versions and digests; no file here holds a time.\n\n{digests}"


def _made(found: Findings) -> dict[str, Any]:
    return {
        "embedder": found.embedder,
        "reference": found.reference,
        "scales": found.scales,
        "in_force": found.in_force,
        "targets": asdict(found.targets),
        "data": found.digests,
        "absent": found.absent,
        "versions": versions(),
    }


def _cut(value: float | None) -> str:
    """A cosine with three digits."""
    return GAP if value is None else f"{value:.3f}"
