"""What a sweep found: a table, the best setting with what is left of it elsewhere, effects, questions, a picture, a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from arandu_lab.bench.measures import parse
from arandu_lab.bench.rows import told
from arandu_lab.bench.sweeps.best import Best, best_of
from arandu_lab.bench.sweeps.costs import Estimate
from arandu_lab.bench.sweeps.design import Design, Halving
from arandu_lab.bench.sweeps.effects import Moved, adjusted, exact, moved, verdict
from arandu_lab.bench.sweeps.effects import effects as effects_of
from arandu_lab.bench.sweeps.split import HOW
from arandu_lab.errors import ConfigError, nearest
from arandu_lab.trace import Usage

TRAINING, HELD_OUT = "training", "held out"


@dataclass(frozen=True, kw_only=True, repr=False)
class Sweep:
    """A finished sweep.

    Attributes:
        points: Every setting with a value for each of ``names``; the first is the default, the row as it stands.
        answers: A row a setting (``point``) and question: ``part dataset conversation question category absent error
            context_tokens calls tokens cost_usd degraded state``, then the measures and their levels of chance.
        written: A row a setting and conversation: turns heard, calls, tokens and money that writing it asked.
        finalists: Points that were asked every training question (all of them but in a halving).
        paid: What this run really paid; ``estimate`` is what it said before.
        errors: ``what where message`` of everything that failed; its answers are null.
    """

    name: str
    address: str
    system: str
    names: tuple[str, ...]
    points: tuple[Mapping[str, Any], ...]
    in_design: bool
    design: Design
    measures: tuple[str, ...]
    answers: pl.DataFrame
    written: pl.DataFrame
    finalists: tuple[int, ...]
    split: str
    paid: Usage
    estimate: Estimate
    errors: pl.DataFrame
    folder: Path | None = None
    _made: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def read(cls, name: str | Path, results: str | Path = "results") -> Sweep:
        """A sweep that was written: of a folder, an address or its beginning, or a URL. Nothing is asked again.

        Raises:
            ConfigError: no sweep lies there, or several begin so.
            DatasetError: half of one, or a damaged one.
            BackendError: the store away does not answer.
        """
        from arandu_lab.bench.sweeps.stored import read_sweep

        return read_sweep(name, results)

    def table(self, measure: str | None = None) -> pl.DataFrame:
        """A row a setting and measure, over the training questions that have an answer to find.

        Columns: ``point default``, the names with their values, ``measure mean chance``, ``difference low high p_holm verdict``
        (paired with the default; the interval, 95 % over conversations, is of that comparison alone, the word stands among all
        of the measure), ``wins losses questions failed`` (a win is what is better), and what it cost:
        ``tokens_write calls_write`` (asked cold, all training conversations, as the provider counted),
        ``tokens_read calls_read`` (all training questions, as if each setting had asked alone: counted by the model's
        tokenizer, since a judgement is asked once for all settings), ``context_tokens`` (mean a question), and
        ``cost_usd``, of what the provider counted.

        Raises:
            ConfigError: a measure that the sweep does not have.
        """
        wanted = self.measures if measure is None else (self._known(measure),)
        costs = self._costs()
        rows = [row | costs[row["point"]] for one in wanted for row in self._rows(one)]
        schema: dict[str, Any] = {"point": pl.Int64, "default": pl.Boolean, **self._columns(), **_TABLE}
        return pl.DataFrame(rows, schema=schema)

    def best(self, measure: str | None = None) -> Best:
        """The setting with the best training mean, and its difference to the default on the held-out questions.

        Ties go to the default, then to fewer tokens of context, then to the order of settings.

        Raises:
            ConfigError: nothing was held out, or a measure that the sweep does not have.
        """
        name = self._known(measure or self.measures[0])
        if self.answers.filter(pl.col("part") == HELD_OUT).is_empty():
            raise ConfigError(f"the best of {len(self.points)} settings cannot be told from the luckiest: {HOW}")
        point = self.chosen(name)
        frames = {part: (self._long(0, name, part), self._long(point, name, part)) for part in (TRAINING, HELD_OUT)}
        return best_of(
            name,
            self.points[point],
            among=len(self.points),
            is_default=point == 0,
            training=frames[TRAINING],
            held_out=frames[HELD_OUT],
            split=self.split,
        )

    def chosen(self, measure: str) -> int:
        """The point that is best on the training questions; ties as in :meth:`best`."""
        values, _, _ = self.matrix(measure)
        falls = parse(measure).falls
        costs = self._costs()

        def rank(point: int) -> tuple[float, bool, float, int]:
            column = values[:, point]
            mean = float(np.nanmean(column)) if not np.isnan(column).all() else float("inf") if falls else -float("inf")
            context = costs[point]["context_tokens"]
            return round(mean if falls else -mean, 12), point != 0, float("inf") if context is None else context, point

        return min(self.finalists, key=rank)

    def effects(self, measure: str | None = None) -> pl.DataFrame:
        """What each name does and what two do to each other: :func:`arandu_lab.bench.sweeps.effects.effects`.

        Raises:
            ConfigError: a halving, whose settings were not all asked the same questions; or too little to compare.
        """
        if isinstance(self.design, Halving):
            raise ConfigError("a halving asks its settings different questions, so it has no effects; sweep a grid")
        name = self._known(measure or self.measures[0])
        values, clusters, _ = self.matrix(name)
        first = 0 if self.in_design else 1
        falls = parse(name).falls
        found = effects_of(self.points[first:], values[:, first:], clusters, default=self.points[0], falls=falls)
        return found.select(pl.lit(name).alias("measure"), pl.all())

    def per_question(self, measure: str | None = None) -> pl.DataFrame:
        """A row a training question: its value under the default, the best and worst it got, and how many settings change it.

        Columns: ``dataset conversation question category default best worst changed chance``. Questions that no setting
        changes say nothing about the sweep.
        """
        name = self._known(measure or self.measures[0])
        values, _, keys = self.matrix(name)
        with np.errstate(invalid="ignore"):
            same = np.isclose(values, values[:, [0]], rtol=0, atol=1e-12) | np.isnan(values) | np.isnan(values[:, [0]])
        known = np.where(np.isnan(values).all(axis=1, keepdims=True), 0.0, values)
        some = ~np.isnan(values).all(axis=1)
        falls = parse(name).falls
        top, low = np.nanmax(known, axis=1), np.nanmin(known, axis=1)
        return keys.with_columns(
            pl.Series("default", values[:, 0]).fill_nan(None),
            pl.Series("best", np.where(some, low if falls else top, np.nan)).fill_nan(None),
            pl.Series("worst", np.where(some, top if falls else low, np.nan)).fill_nan(None),
            pl.Series("changed", (~same).sum(axis=1)),
        ).select("dataset", "conversation", "question", "category", "default", "best", "worst", "changed", "chance")

    def plot(self, measure: str | None = None) -> Any:
        """A picture (altair): one name a line, two a map, more their effects; all measures unless one is named."""
        from arandu_lab.viz.sweep import sweep_picture

        return sweep_picture(self, self.measures if measure is None else (self._known(measure),))

    def to_markdown(self) -> str:
        """The report as Markdown."""
        from arandu_lab.bench.sweeps.page import markdown

        return markdown(self)

    def to_html(self) -> str:
        """The report as one file of HTML, the picture inside."""
        from arandu_lab.bench.sweeps.page import html

        return html(self)

    def __repr__(self) -> str:
        names = ", ".join(self.names)
        return (
            f"<sweep {self.name}: {self.system}, {len(self.points)} settings of {names}; {self.folder or self.address}>"
        )

    def _repr_html_(self) -> str:
        from arandu_lab.bench.sweeps.page import inside

        return inside(self)

    def matrix(self, measure: str, part: str = TRAINING) -> tuple[NDArray[np.float64], tuple[str, ...], pl.DataFrame]:
        """Values of shape ``(questions, points)`` (nan: none), the conversation of each question, and its keys.

        Conversations of one id are one, whatever the dataset: a story told in two languages shares its luck.
        Only questions that have an answer to find, and that some point was asked.
        """
        if (measure, part) in self._made:
            found: tuple[NDArray[np.float64], tuple[str, ...], pl.DataFrame] = self._made[measure, part]
            return found
        mine = self.answers.filter((pl.col("part") == part) & ~pl.col("absent"))
        keys = mine.group_by("dataset", "conversation", "question", "category", maintain_order=True).agg(
            pl.col(f"chance {measure}").first().alias("chance")
        )
        order = ["dataset", "conversation", "question", "category"]
        places = mine.select(*order, "point", measure).join(
            keys.select(*order).with_row_index("row"), on=order, how="left", maintain_order="left"
        )
        values = np.full((len(keys), len(self.points)), np.nan)
        values[places["row"].to_numpy(), places["point"].to_numpy()] = (
            places[measure].cast(pl.Float64).fill_null(float("nan")).to_numpy()
        )
        clusters = tuple(keys["conversation"].to_list())
        self._made[measure, part] = (values, clusters, keys)
        return values, clusters, keys

    def _rows(self, measure: str) -> list[dict[str, Any]]:
        values, clusters, keys = self.matrix(measure)
        chances = keys["chance"].cast(pl.Float64).fill_null(float("nan")).to_numpy()
        failed = dict(
            self.answers.filter((pl.col("part") == TRAINING) & pl.col("error").is_not_null())
            .group_by("point").len().iter_rows()
        )  # fmt: skip
        falls = parse(measure).falls
        found = [self._against(values[:, point], values[:, 0], clusters) for point in range(len(self.points))]
        known_p = iter(adjusted([one for one in found if one is not None]))
        rows = []
        for point, setting in enumerate(self.points):
            column = values[:, point]
            known = ~np.isnan(column)
            row: dict[str, Any] = {
                "point": point,
                "default": point == 0,
                **{name: self._cell(name, setting[name]) for name in self.names},
                "measure": measure,
                "mean": float(column[known].mean()) if known.any() else None,
                "chance": _mean(chances[known]),
                "questions": int(known.sum()),
                "failed": int(failed.get(point, 0)),
            }
            one = found[point]
            rows.append(row if one is None else row | _told(one, next(known_p), falls=falls))
        return rows

    def _against(
        self, column: NDArray[np.float64], default: NDArray[np.float64], clusters: Sequence[str]
    ) -> Moved | None:
        by = exact(column - default, np.abs(column) + np.abs(default))
        both = ~np.isnan(by)
        if not both.any():
            return None
        return moved(by[both], [one for one, good in zip(clusters, both, strict=True) if good])

    def _costs(self) -> list[dict[str, Any]]:
        if "costs" in self._made:
            found: list[dict[str, Any]] = self._made["costs"]
            return found
        read = self.answers.filter(pl.col("part") == TRAINING).group_by("point").agg(
            pl.col("tokens").sum().alias("tokens_read"), pl.col("calls").sum().cast(pl.Int64).alias("calls_read"),
            pl.col("context_tokens").mean(), pl.col("cost_usd").sum().alias("usd"),
        )  # fmt: skip
        write = self.written.filter(pl.col("part") == TRAINING).group_by("point").agg(
            pl.col("tokens").sum().alias("tokens_write"), pl.col("calls").sum().alias("calls_write"),
            pl.col("cost_usd").sum().alias("usd_write"),
        )  # fmt: skip
        both = {
            row["point"]: row for row in read.join(write, on="point", how="full", coalesce=True).iter_rows(named=True)
        }
        out = []
        for point in range(len(self.points)):
            row = both.get(point, {})
            usd = (row.get("usd") or 0.0) + (row.get("usd_write") or 0.0)
            names = ("tokens_write", "calls_write", "tokens_read", "calls_read", "context_tokens")
            out.append({name: row.get(name) for name in names} | {"cost_usd": usd if row else None})
        self._made["costs"] = out
        return out

    def _long(self, point: int, measure: str, part: str) -> pl.DataFrame:
        mine = self.answers.filter((pl.col("point") == point) & (pl.col("part") == part) & ~pl.col("absent"))
        return mine.select(
            pl.lit("").alias("dataset"),  # so that a conversation is one in all its datasets
            "conversation",
            (pl.col("dataset") + "/" + pl.col("question")).alias("question"),
            "category",
            pl.lit(measure).alias("measure"),
            pl.col(measure).alias("value"),
        )

    def _columns(self) -> dict[str, Any]:
        """The type of each name's column: numbers and truth values as they are, anything else as text."""
        if "columns" not in self._made:
            kinds = {name: {type(one[name]) for one in self.points} for name in self.names}
            plain = {frozenset({bool}): pl.Boolean, frozenset({int}): pl.Int64}
            self._made["columns"] = {
                name: plain.get(frozenset(found), pl.Float64 if found <= {int, float} else pl.String)
                for name, found in kinds.items()
            }
        columns: dict[str, Any] = self._made["columns"]
        return columns

    def _cell(self, name: str, value: Any) -> Any:
        kind = self._columns()[name]
        if kind != pl.String:
            return float(value) if kind == pl.Float64 else value
        return value if isinstance(value, str) else told(value)

    def _known(self, measure: str) -> str:
        if str(measure) not in self.measures:
            raise ConfigError(f"measure {str(measure)!r} was not swept; {nearest(str(measure), self.measures)}")
        return str(measure)


def _told(found: Moved, p: float | None, *, falls: bool) -> dict[str, Any]:
    one = found.interval
    return {
        "difference": one.mean,
        "low": one.low,
        "high": one.high,
        "p_holm": p,
        "verdict": verdict(found, p, falls=falls),
        "wins": found.down if falls else found.up,
        "losses": found.up if falls else found.down,
    }


def _mean(values: NDArray[np.float64]) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None


_TABLE: dict[str, Any] = {
    "measure": pl.String,
    **dict.fromkeys(("mean", "chance", "difference", "low", "high", "p_holm"), pl.Float64),
    "verdict": pl.String,
    **dict.fromkeys(("wins", "losses", "questions", "failed"), pl.Int64),
    **dict.fromkeys(("tokens_write", "calls_write", "tokens_read", "calls_read"), pl.Int64),
    **dict.fromkeys(("context_tokens", "cost_usd"), pl.Float64),
}
