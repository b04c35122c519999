"""What was found of decay: curves with intervals, which tells most, and whether their chances are what happens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from textwrap import fill
from typing import Any

import polars as pl

from arandu_lab.bench.cards import GAP, Card, count, percent, third
from arandu_lab.bench.studies.study import WIDE, plain

FRAMES = ("parameters", "comparison", "observed", "drawn", "bins", "scores")


@dataclass(frozen=True, kw_only=True)
class Decay:
    """Fitted curves of an access log, and their calibration.

    Attributes:
        title: What was fitted, in a line.
        found: What may be said, a sentence each.
        parameters: ``curve parameter value low high``; the parameter ``half`` is the days until half are used again.
        comparison: ``curve k likelihood aic behind held_out worse low high``, the best on held-out gaps first.
        observed: ``days share``: the share of facts not used again by then, without a curve (Kaplan and Meier).
        drawn: ``curve days share low high``: the curves over the days that were watched.
        bins: ``predictor bin n predicted observed low high``: chance of reuse within ``horizon`` days, held out.
        scores: ``predictor error brier auc auc_low auc_high``.
        horizon: Days.
        half_life: Days, of the documented recency in vitality.
    """

    title: str
    found: tuple[str, ...]
    parameters: pl.DataFrame = field(repr=False)
    comparison: pl.DataFrame = field(repr=False)
    observed: pl.DataFrame = field(repr=False)
    drawn: pl.DataFrame = field(repr=False)
    bins: pl.DataFrame = field(repr=False)
    scores: pl.DataFrame = field(repr=False)
    horizon: float
    half_life: float

    @property
    def best(self) -> str:
        """The curve that tells most of held-out gaps; others may not be told apart from it."""
        return str(self.comparison["curve"][0])

    def values(self, curve: str) -> Mapping[str, float]:
        """The fitted parameters of a curve, ``half`` among them."""
        return dict(self.parameters.filter(curve=curve).select("parameter", "value").iter_rows())

    def text(self) -> str:
        """Tables and sentences as plain text, lines of at most 130 characters."""
        parts = [self.title, *plain(_curves(self.parameters, self.comparison)), ""]
        parts += [f"Reuse within {self.horizon:g} days: predicted chance against what happened, held out"]
        parts += [*plain(_scores(self.scores)), ""]
        return "\n".join([*parts, *(fill(one, WIDE, subsequent_indent="  ") for one in self.found)])

    def to_markdown(self) -> str:
        """The report as Markdown, without the pictures."""
        parts = [f"# {self.title}", *(f"* {one}" for one in self.found)]
        parts += ["## Curves", _curves(self.parameters, self.comparison).markdown()]
        parts += [f"## Reuse within {self.horizon:g} days", _scores(self.scores).markdown()]
        return "\n\n".join(parts) + "\n"

    def plot(self) -> Any:
        """The picture: curves over what was observed, and predicted against observed reuse (altair)."""
        from arandu_lab.viz.decay import decay_picture
        from arandu_lab.viz.theme import shown

        return shown(decay_picture(self))

    def keep(self, folder: str | Path) -> Path:
        """Write ``report.md``, the frames and the picture into ``folder``, in the place of an earlier one; that folder."""
        from arandu_lab.bench.artifacts import whole
        from arandu_lab.viz.theme import save

        with whole(Path(folder)) as fresh:
            (fresh / "report.md").write_text(self.to_markdown(), encoding="utf-8")
            for name in FRAMES:
                getattr(self, name).write_parquet(fresh / f"{name}.parquet")
            save(self.plot().to_dict(), fresh, "decay")
        return Path(folder)

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.text())}</pre>"


def _curves(parameters: pl.DataFrame, compared: pl.DataFrame) -> Card:
    head = (
        "curve",
        "half used again",
        "between",
        "its other number",
        "between",
        "AIC behind",
        "held out",
        "worse",
        "between",
    )
    cells = []
    for row in compared.iter_rows(named=True):
        mine = {one["parameter"]: one for one in parameters.filter(curve=row["curve"]).iter_rows(named=True)}
        half = mine["half"]
        name = next((one for one in ("shape", "exponent") if one in mine), None)
        other = (GAP, GAP) if name is None else (f"{name} {mine[name]['value']:.2f}", _between(mine[name], ".2f"))
        worse = (third(row["worse"]), GAP if row["low"] is None else f"{row['low']:.3f} to {row['high']:.3f}")
        cells.append(
            (row["curve"], f"{days_told(half['value'])} d", _between(half, "d"), *other, f"{row['behind']:,.1f}",
             third(row["held_out"]), *worse)
        )  # fmt: skip
    return Card(head, tuple(cells))


def _scores(scores: pl.DataFrame) -> Card:
    cells = [
        (
            row["predictor"],
            percent(row["error"]),
            third(row["brier"]),
            third(row["auc"]),
            GAP if row["auc_low"] is None else f"{row['auc_low']:.3f} to {row['auc_high']:.3f}",
        )
        for row in scores.iter_rows(named=True)
    ]
    return Card(("predictor", "off by (points)", "Brier", "AUC", "between"), tuple(cells))


def days_told(days: float) -> str:
    """Days with the digits that matter.

    >>> days_told(3.14159), days_told(31.4159), days_told(31415.9)
    ('3.1', '31', '31,416')
    """
    return f"{days:.1f}" if days < 10 else count(days) if days < 1e6 else f"{days:.0e}"


def _between(row: Mapping[str, Any], form: str) -> str:
    if row["low"] is None:
        return GAP
    if form == "d":
        return f"{days_told(row['low'])} to {days_told(row['high'])}"
    return f"{row['low']:{form}} to {row['high']:{form}}"
