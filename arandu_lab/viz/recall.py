"""Recall against the number of results looked at: a line a system, its name at the end; chance as a dotted floor."""

from __future__ import annotations

from typing import Any

import polars as pl

from arandu_lab.viz.labels import spread
from arandu_lab.viz.theme import INK, SOFT, charted, config, strong, style_of

WIDTH, HEIGHT, GAP = 400, 340, 16.5


def recall_curves(points: pl.DataFrame, titles: dict[str, str]) -> Any:
    """A panel a dataset; the systems named first are drawn on top.

    Args:
        points: ``dataset system k recall``, as :func:`arandu_lab.bench.tables.curve` gives them.
        titles: Dataset -> heading.

    Returns:
        An altair chart; ``.to_dict()`` is its specification.
    """
    import altair as alt

    top = min(1.0, (int(points["recall"].max() * 10) + 1) / 10) if points.height else 1.0  # type: ignore[operator,arg-type]
    panels = [_panel(points.filter(pl.col("dataset") == name), titles[name], top) for name in titles]
    return alt.concat(*panels, columns=2, spacing=36).properties(
        title=alt.TitleParams(
            "Recall of the evidence, by number of results",
            subtitle="Mean share of a question's evidence among its k best results. Chance: turns in random order.",
            fontSize=18,
        ),
        config=config(),
    )


def _panel(points: pl.DataFrame, title: str, top: float) -> Any:
    import altair as alt

    names = points["system"].unique(maintain_order=True).to_list()
    styles = style_of(names)
    rows = points.with_columns(
        pl.col("system").replace_strict({n: styles[n][0] for n in names}).alias("colour"),
        pl.col("system").replace_strict({n: styles[n][1] for n in names}).alias("shape"),
        pl.col("system").replace_strict({n: strong(n) for n in names}).alias("strong"),
    )
    cuts = sorted(points["k"].unique())
    x = alt.X("k:Q", title="k, results looked at").scale(type="log", domain=[cuts[0], cuts[-1]], nice=False)
    x = x.axis(values=cuts, format="d", grid=False, labelFlush=False)
    y = alt.Y("recall:Q", title="R@k").scale(domain=[0, top]).axis(format=".0%", tickCount=6)
    colour = alt.Color("colour:N", scale=None, legend=None)
    base = charted(rows.reverse().to_dicts()).encode(x=x, y=y, color=colour, detail="system:N")
    floor = base.transform_filter("datum.system === 'chance'").mark_line(strokeDash=[2, 4], strokeWidth=1.8)
    light = base.transform_filter("!datum.strong && datum.system !== 'chance'").mark_line(strokeWidth=1.8, opacity=0.85)
    heavy = base.transform_filter("datum.strong").mark_line(strokeWidth=3.2)
    dots = base.transform_filter("datum.system !== 'chance'").mark_point(filled=True, size=46, opacity=1)
    dots = dots.encode(shape=alt.Shape("shape:N", scale=None, legend=None))
    words = _names(rows, top)
    ends = charted(words).encode(y=alt.Y("place:Q").scale(domain=[0, top]))
    text = ends.mark_text(align="left", baseline="middle").encode(
        x=alt.value(WIDTH + 22), text="name:N", color=alt.Color("ink:N", scale=None, legend=None)
    )
    rules = ends.mark_rule(strokeWidth=1, opacity=0.7).encode(
        x=alt.value(WIDTH + 5), x2=alt.value(WIDTH + 18), y=alt.Y("recall:Q"), y2="place:Q", color=colour
    )
    heading = alt.TitleParams(title, color=INK)
    return alt.layer(floor, light, heavy, dots, rules, text).properties(width=WIDTH, height=HEIGHT, title=heading)


def _names(rows: pl.DataFrame, top: float) -> list[dict[str, Any]]:
    """Names at the right end; lines that end in the very same place share one."""
    last = rows.filter(pl.col("k") == pl.col("k").max()).to_dicts()
    ends: dict[float, list[dict[str, Any]]] = {}
    for row in last:
        ends.setdefault(round(row["recall"], 9), []).append(row)
    pixels = [HEIGHT * (1 - recall / top) for recall in ends]
    places = spread(pixels, GAP, GAP / 2, HEIGHT - GAP / 2)
    return [
        {
            "name": " = ".join(row["system"] for row in group),
            "ink": SOFT if group[0]["system"] == "chance" else group[0]["colour"],
            "colour": group[0]["colour"],
            "recall": recall,
            "place": top * (1 - place / HEIGHT),
        }
        for (recall, group), place in zip(ends.items(), places, strict=True)
    ]
