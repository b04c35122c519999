"""The figures of a blend as tables, and the folder they are written to: the same bytes for the same blend."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from arandu_lab.bench.artifacts import whole
from arandu_lab.bench.blends.fitting import Fitted
from arandu_lab.bench.blends.folds import CUTS
from arandu_lab.bench.cards import Card, count, percent, plain_card
from arandu_lab.bench.statistics import interval
from arandu_lab.blends.blend import USUAL, Blend
from arandu_lab.read.evidence import COLUMNS

PICTURE = "weights"
_MOST = 20
"""Rows of bends and of marks that people are shown; `blend.json` has all."""


def summary(held: pl.DataFrame, parts: Sequence[str] = ("dataset", "category", "evidence")) -> pl.DataFrame:
    """Mean recall over all questions and over each part: ``part of questions R@1 … low high``.

    ``low`` and ``high`` bound R@10: the interval is over conversations, a story in two languages being one (null with one).
    ``evidence`` counts evidence turns, four and more together.
    """
    told = held.with_columns(evidence=_turns())
    rows = [_mean(told, "all", "")]
    for part in parts:
        values = told[part].unique().sort().to_list()
        if len(values) > 1:
            rows += [_mean(told.filter(pl.col(part) == value), part, value) for value in values]
    return pl.DataFrame(rows, infer_schema_length=None)


def weights(blend: Blend) -> pl.DataFrame:
    """The columns that count, heaviest family first: ``family column z rank flag says`` (null: not seen that way)."""
    rows: dict[str, dict[str, object]] = {}
    for term in blend.terms:
        if term.weight:
            family, says = COLUMNS.get(term.column, ("", ""))
            row = rows.setdefault(
                term.column,
                {"family": family, "column": term.column, "z": None, "rank": None, "flag": None, "says": says},
            )
            row[term.kind] = term.weight
    schema = {
        "family": pl.String,
        "column": pl.String,
        "z": pl.Float64,
        "rank": pl.Float64,
        "flag": pl.Float64,
        "says": pl.String,
    }
    frame = pl.DataFrame(list(rows.values()), schema=schema)
    size = pl.sum_horizontal(pl.col(kind).abs().fill_null(0.0) for kind in ("z", "rank", "flag"))
    return frame.with_columns(size=size).sort("size", "column", descending=[True, False]).drop("size")


def bends(blend: Blend) -> pl.DataFrame:
    """What the terms that bend most count for a question that surely wants one turn, and for one that surely wants several.

    ``family column seen one several``, largest difference first; empty for a blend that is straight.
    """
    bent = sorted((term for term in blend.terms if term.bend), key=lambda term: (-abs(term.bend), term.column))
    rows = [
        (COLUMNS.get(term.column, ("",))[0], term.column, term.kind, term.under(0.0), term.under(1.0)) for term in bent
    ]
    schema = {"family": pl.String, "column": pl.String, "seen": pl.String, "one": pl.Float64, "several": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def marks(blend: Blend) -> pl.DataFrame:
    """The marks by which a question is known to want several turns: ``mark weight``, heaviest first; empty without."""
    told = blend.several.weights if blend.several else {}
    rows = sorted(((name, weight) for name, weight in told.items() if weight), key=lambda row: (-abs(row[1]), row[0]))
    return pl.DataFrame(rows, schema={"mark": pl.String, "weight": pl.Float64}, orient="row")


def summary_card(table: pl.DataFrame) -> Card:
    """:func:`summary` as a table for people, shares in percent."""
    shares = dict.fromkeys([name for name in table.columns if name.startswith("R@")] + ["low", "high"], percent)
    return plain_card(table, questions=count, **shares)


def weights_card(blend: Blend) -> Card:
    """:func:`weights` as a table for people."""
    return plain_card(weights(blend), z=_signed, rank=_signed, flag=_signed)


def bends_card(blend: Blend) -> Card:
    """The first rows of :func:`bends` as a table for people."""
    return plain_card(bends(blend).head(_MOST), one=_signed, several=_signed)


def marks_card(blend: Blend) -> Card:
    """The first rows of :func:`marks` as a table for people."""
    return plain_card(marks(blend).head(_MOST), weight=_signed)


def address(fitted: Fitted) -> str:
    """The name of the folder of a report: the blend's, and a hash of all that it says."""
    said = json.dumps([fitted.blend.said(), fitted.plan.row.base], sort_keys=True)
    return f"blend-{fitted.blend.name}-{hashlib.sha256(said.encode()).hexdigest()[:12]}"


def write_report(fitted: Fitted, folder: Path) -> Path:
    """Write ``report.md``, ``held_out.parquet``, the blend and the picture of its weights; the folder."""
    from arandu_lab.viz.theme import save
    from arandu_lab.viz.weights import weights as drawn

    with whole(folder) as fresh:
        fitted.held.write_parquet(fresh / "held_out.parquet")
        fitted.blend.save(fresh / "blend.json")
        save(drawn(weights(fitted.blend), fitted.blend.name).to_dict(), fresh, PICTURE)
        (fresh / "report.md").write_text(report(fitted), encoding="utf-8")
    return folder


def report(fitted: Fitted) -> str:
    """The text of ``report.md``."""
    blend = fitted.blend
    trained = pl.DataFrame(
        [
            {"set": one.set, "questions": one.questions, "weight": one.weight, "sha256": one.digest[:12]}
            for one in blend.trained_on
        ]
    )
    parts = [
        f"# Blend {blend.name}",
        f"Learned from {fitted.taught} questions, as the columns of `{fitted.plan.row.name}` see them; {fitted.silent} had no "
        f"evidence that had been heard. Embedder `{blend.embedder}`, l2 {blend.l2:g}, code {blend.code[:12]}.",
        plain_card(trained, questions=count).markdown(),
        "## Held out",
        "Every question is judged by a blend that saw no question of its conversation (a world in two languages is one). "
        "Shares of the evidence among the k best turns, in percent; *low* and *high* bound R@10, conversations resampled.",
        summary_card(summary(fitted.held)).markdown(),
        "## Weights",
        f"![Weights]({PICTURE}.svg)",
        "*z*: by standard deviations above the mean; *rank*: by place; *flag*: as it is. What is not here counts nothing.",
        weights_card(blend).markdown(),
    ]
    if blend.several:
        parts += [
            "## Bends",
            "What counts for a question that surely wants one turn, and for one that surely wants several; the weights above are "
            f"those of a question that wants several with a chance of {USUAL:.0%}.",
            bends_card(blend).markdown(),
            "By these marks of its words a question is known to want several:",
            marks_card(blend).markdown(),
        ]
    return "\n\n".join(parts) + "\n"


def _mean(held: pl.DataFrame, part: str, of: str) -> dict[str, object]:
    found = interval(held["R@10"].to_numpy(), held["conversation"].to_list(), bounds=(0.0, 1.0))
    means = {f"R@{k}": held[f"R@{k}"].mean() for k in CUTS}
    return {"part": part, "of": str(of), "questions": held.height, **means, "low": found.low, "high": found.high}


def _turns() -> pl.Expr:
    return pl.when(pl.col("evidence") >= 4).then(pl.lit("4+")).otherwise(pl.col("evidence").cast(pl.String))


def _signed(value: float | None) -> str:
    return "" if value is None else f"{value:+.3f}"
