"""An experiment at a glance: quality with its interval and the level of chance, and beside it what it costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from arandu_lab.viz.theme import INK, SOFT, config, strong, style_of

WIDTH, SMALL, STEP = 380, 150, 27
_COSTS = (("context_tokens", "tokens shown, a question"), ("tokens_asked", "tokens asked, whole run"))


def outcome(points: pl.DataFrame, titles: Mapping[str, str], measure: str, *, note: str = "") -> Any:
    """A row of panels a dataset: the measure of each system, tokens of context, tokens asked.

    Args:
        points: ``dataset system mean low high corrected chance context_tokens tokens_asked``; ``low`` and ``high`` null
            where there is one conversation, ``corrected`` null where no corrections were laid over the gold.
        titles: Dataset -> heading.
        measure: What ``mean`` is, for the axis.
        note: Said under the title.

    Returns:
        An altair chart; a notebook shows it, ``.save`` and :func:`arandu_lab.viz.theme.save` write it.
    """
    import altair as alt

    ranks = measure.startswith(("nDCG", "RR"))
    highest = max((one for name in ("mean", "high", "corrected") for one in points[name].drop_nulls()), default=1.0)
    top = min(1.0, max(0.1, highest * 1.12))
    rows = []
    for dataset, title in titles.items():
        mine = points.filter(pl.col("dataset") == dataset)
        parts = (_quality(mine, title, measure, top, ranks=ranks), *(_cost(mine, *one) for one in _COSTS))
        rows.append(alt.hconcat(*parts, spacing=24))
    return alt.vconcat(*rows, spacing=26).properties(
        title=alt.TitleParams(f"{measure}, and what it costs", subtitle=note.splitlines() or [""], fontSize=18),
        config=config(),
    )


def _quality(points: pl.DataFrame, title: str, words: str, top: float, *, ranks: bool) -> Any:
    import altair as alt

    rows = _drawn(points, ranks=ranks)
    order = [row["system"] for row in rows]
    y = alt.Y("system:N", sort=order, title=None).axis(
        labelLimit=190, labelFontSize=12.5, labelColor=INK, domain=False, ticks=False, labelPadding=9
    )
    scale = alt.Scale(domain=[0, top], nice=False)
    x = alt.X("mean:Q", title=words, scale=scale).axis(format=".2f" if ranks else ".0%", tickCount=6, grid=True)
    base = alt.Chart(alt.Data(values=rows)).encode(y=y, color=alt.Color("colour:N", scale=None, legend=None))
    floor = (
        alt.Chart(alt.Data(values=[{"chance": points["chance"].drop_nulls().first()}]))
        .mark_rule(strokeDash=[2, 4], strokeWidth=1.6, color=SOFT)
        .encode(x=alt.X("chance:Q", scale=scale))
    )
    range_ = base.transform_filter("isValid(datum.low)").mark_rule(strokeWidth=2.4, opacity=0.55)
    range_ = range_.encode(x=alt.X("low:Q", scale=scale), x2="high:Q")
    dots = base.transform_filter("isValid(datum.mean)").mark_point(
        filled=True, opacity=1, stroke="white", strokeWidth=1
    )
    dots = dots.encode(
        x=x,
        shape=alt.Shape("shape:N", scale=None, legend=None),
        size=alt.Size("size:Q", scale=None, legend=None),
    )
    other = base.transform_filter("isValid(datum.corrected)").mark_point(
        filled=False, size=95, strokeWidth=1.8, opacity=1
    )
    other = other.encode(x=alt.X("corrected:Q", scale=scale))
    texts = base.mark_text(align="left", baseline="middle", fontSize=11.5)
    texts = texts.encode(x=alt.value(WIDTH + 8), text="said:N")
    return alt.layer(floor, range_, other, dots, texts).properties(
        width=WIDTH, height=STEP * len(rows), title=alt.TitleParams(title, color=INK)
    )


def _cost(points: pl.DataFrame, name: str, words: str) -> Any:
    import altair as alt

    rows = _drawn(points.with_columns(amount=pl.col(name).cast(pl.Float64)), ranks=False)
    most = max((row["amount"] or 0.0 for row in rows), default=0.0) or 1.0
    for row in rows:
        row["label"] = "–" if row["amount"] is None else f"{row['amount']:,.0f}"
    y = alt.Y("system:N", sort=[row["system"] for row in rows], title=None, axis=None)
    x = alt.X("amount:Q", title=words).scale(domain=[0, most * 1.02], nice=False)
    x = x.axis(labels=False, ticks=False, grid=False)
    base = alt.Chart(alt.Data(values=rows)).encode(y=y)
    bars = base.mark_bar(height=9, opacity=0.75, cornerRadiusEnd=2)
    bars = bars.encode(x=x, color=alt.Color("colour:N", scale=None, legend=None))
    texts = base.mark_text(align="left", baseline="middle", dx=5, fontSize=11.5, color=INK)
    texts = texts.encode(x=alt.X("amount:Q"), text="label:N").transform_calculate(amount="datum.amount || 0")
    return alt.layer(bars, texts).properties(width=SMALL, height=STEP * len(rows))


def _drawn(points: pl.DataFrame, *, ranks: bool) -> list[dict[str, Any]]:
    rows = points.to_dicts()
    styles = style_of([row["system"] for row in rows])
    for row in rows:
        row["colour"], row["shape"] = styles[row["system"]]
        row["size"] = 150 if strong(row["system"]) else 90
        row["said"] = _number(row["mean"], ranks=ranks)
        if row["corrected"] is not None:
            row["said"] += f" ({_number(row['corrected'], ranks=ranks)})"
    return rows


def _number(value: float | None, *, ranks: bool) -> str:
    return "–" if value is None else f"{value:.3f}" if ranks else f"{100 * value:.1f}"
