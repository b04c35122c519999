"""What ``experiment`` gives back: frames to reckon with, tables and a picture to look at, a page to send."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from arandu_lab.bench import statistics, tables
from arandu_lab.bench.frames import Frames
from arandu_lab.bench.outcome import page, views
from arandu_lab.bench.outcome.comparing import against
from arandu_lab.bench.overlay import Overlay
from arandu_lab.bench.plan import Plan
from arandu_lab.errors import ConfigError, nearest


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Experiment:
    """A run, seen. The first look shows the summary; every method gives a frame (polars), text or a chart.

    Attributes:
        plan: What was run.
        frames: Every number, by the gold as it was given.
        corrected: The same by the gold as corrected, where corrections were laid over it.
        titles: Dataset -> how it is called.
        notes: What a reader has to know beside the figures: corrections not applied, errors, what was paid.
        baseline: The system that the others are compared to.
        folder: Where the result lies.
        overlays: The corrections by dataset; answers from this result are scored by them too.
    """

    plan: Plan
    frames: Frames
    titles: Mapping[str, str]
    baseline: str
    folder: Path
    corrected: Frames | None = None
    notes: tuple[str, ...] = ()
    overlays: Mapping[str, Overlay] = field(default_factory=dict)

    @property
    def sides(self) -> dict[str, Frames]:
        """``as given`` and, where there are corrections, ``as corrected``."""
        return {views.GIVEN: self.frames} | ({views.CORRECTED: self.corrected} if self.corrected else {})

    def summary(self) -> pl.DataFrame:
        """A row a dataset and system, and one of chance: quality, counts, costs.

        Columns ``dataset relevance system``, the measures, ``n asked errored``, tokens, calls, US dollars, milliseconds,
        and the costs that were asked for.
        """
        return self._summary

    def per_question(self) -> pl.DataFrame:
        """A row a question, system and measure: ``value chance state error``, tokens, calls, milliseconds."""
        return views.per_question(self.plan, self.sides)

    def by_category(self) -> pl.DataFrame:
        """A row a category, system and measure: ``mean chance n asked errored`` and costs a question."""
        return views.by_category(self.plan, self.sides)

    def by_conversation(self) -> pl.DataFrame:
        """A row a conversation, system and measure: ``mean chance n asked errored``, costs a question and a turn."""
        return views.by_conversation(self.plan, self.sides)

    def compare(self, baseline: str | None = None) -> pl.DataFrame:
        """Every system against one of them, paired by question, with what may be said in words.

        Raises:
            ConfigError: no system of that name.
        """
        names = [row.name for row in self.plan.rows]
        chosen = baseline or self.baseline
        if chosen not in names:
            raise ConfigError(f"baseline {chosen!r} is no system of this experiment; {nearest(chosen, names)}")
        return against(self.plan, self.sides, list(self.titles), chosen)

    def usage(self) -> pl.DataFrame:
        """A row a system and phase: asked, billed by this run, would have cost at dated prices, seconds."""
        return views.usage(self.frames, list(self.titles))

    def plot(self, measure: str | None = None) -> Any:
        """A picture (altair): the measure with its interval over conversations, chance, and tokens.

        Raises:
            ConfigError: a measure that was not asked for.
        """
        from arandu_lab.viz.experiment import outcome
        from arandu_lab.viz.theme import shown

        chosen = measure or page.quality(self.plan)
        if chosen not in self.plan.measures:
            raise ConfigError(f"measure {chosen!r}; {nearest(chosen, self.plan.measures)}")
        points = self._points(chosen)
        said = ["Dotted: chance, turns in random order."]
        if points["low"].is_null().all():
            said.append("One conversation, so no interval.")
        else:
            said[0] = "Bars: 95 % over conversations. " + said[0]
        if self.corrected:
            said.append("Ring and brackets: by the corrected gold.")
        return shown(outcome(points, self.titles, chosen, note=" ".join(said)))

    def to_markdown(self) -> str:
        """Every table as Markdown."""
        return page.markdown(self.plan.name, self._sections(), self.notes)

    def to_html(self, path: str | Path | None = None) -> str:
        """One HTML page with everything in it, pictures too; written to ``path`` if one is given."""
        import vl_convert

        svg = vl_convert.vegalite_to_svg(self.plot().to_dict())
        text = page.html(self.plan.name, self._sections(), self.notes, [svg])
        if path is not None:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            Path(path).write_text(text, encoding="utf-8")
        return text

    def __repr__(self) -> str:
        names = ", ".join(row.name for row in self.plan.rows)
        return f"<experiment {self.plan.name}: {names} over {', '.join(self.titles)}; {self.folder}>"

    def __str__(self) -> str:
        """What ``print`` shows: the tables, what may be said of the differences, and what has to be known beside them."""
        quality = page.quality(self.plan)
        out = [repr(self)[1:-1]]
        for dataset, title in self.titles.items():
            for words, card in page.main_cards(self.summary(), self.plan, dataset):
                out.append("\n".join([f"{title}{', ' if words else ''}{words}", *card.lines()]))
        if len(self.plan.rows) > 1:
            told = self.compare().filter(pl.col("measure") == quality)
            several = len(self.titles) > 1 or self.corrected is not None
            said = [f"{quality} against {self.baseline}:"]
            for row in told.iter_rows(named=True):
                where = f" ({row['dataset']}, gold {row['relevance']})" if several else ""
                said.append(f"  {row['system']}{where}: {row['verdict']}")
            out.append("\n".join(said))
        return "\n\n".join([*out, *self.notes])

    def _repr_html_(self) -> str:
        lines = list(map(page.paragraph, self.notes))
        for dataset, title in self.titles.items():
            lines += [
                page.heading(title),
                *(page.table(card) for _, card in page.main_cards(self.summary(), self.plan, dataset)),
            ]
        if len(self.plan.rows) > 1:
            told = self.compare().filter(pl.col("measure") == page.quality(self.plan))
            lines += [
                page.paragraph(f"{page.quality(self.plan)} against {self.baseline}"),
                page.table(page.compared_card(told)),
            ]
        return "".join(lines)

    @cached_property
    def _summary(self) -> pl.DataFrame:
        return views.summary(self.plan, self.sides, list(self.titles))

    def _sections(self) -> list[tuple[str, str, Any]]:
        compared = self.compare() if len(self.plan.rows) > 1 else None
        return page.sections(self.plan, self.summary(), compared, self.by_category(), self.usage(), self.titles)

    def _points(self, measure: str) -> pl.DataFrame:
        rows = []
        whole = self.summary().filter(pl.col("system") != tables.CHANCE)
        for row in whole.filter(pl.col("relevance") == views.GIVEN).iter_rows(named=True):
            asked = tables.headline(self.frames.questions).filter(
                (pl.col("dataset") == row["dataset"]) & (pl.col("system") == row["system"])
            )
            known = asked.drop_nulls(measure)
            found = None
            if not known.is_empty():
                found = statistics.interval(known[measure].to_numpy(), known["conversation"].to_list(), bounds=(0, 1))
            other = whole.filter(
                (pl.col("relevance") == views.CORRECTED)
                & (pl.col("dataset") == row["dataset"])
                & (pl.col("system") == row["system"])
            )
            rows.append(
                {name: row[name] for name in ("dataset", "system", "context_tokens", "tokens_asked")}
                | {"mean": row[measure], "chance": asked[f"chance {measure}"].mean()}
                | {"low": found and found.low, "high": found and found.high}
                | {"corrected": other[measure].first() if other.height else None}
            )
        return pl.DataFrame(rows, schema=_POINTS)


_POINTS: dict[str, Any] = {
    **dict.fromkeys(("dataset", "system"), pl.String),
    **dict.fromkeys(("mean", "low", "high", "corrected", "chance", "context_tokens"), pl.Float64),
    "tokens_asked": pl.Int64,
}
