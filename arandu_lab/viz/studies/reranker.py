"""The picture of the reranker's weight and veto: a map a language, and whose evidence the veto removes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from arandu_lab.viz.theme import INK, SOFT, charted, config

BLUE, ORANGE = "#0072B2", "#D55E00"


def reranker_picture(frames: Mapping[str, pl.DataFrame]) -> Any:
    """A map of weight by veto a language, coloured by the difference to the default; beneath, what the veto does alone."""
    import altair as alt

    grid, vetoed = frames["grid"], frames["vetoed"]
    least = min(vetoed["weight"].to_list())
    vetoed = vetoed.filter(pl.col("weight") == least)
    names = grid["language"].unique(maintain_order=True).to_list()
    widest = max([0.01, *(abs(one) for one in grid["difference"].drop_nulls())])
    most = max([1, *vetoed["lost"].to_list(), *vetoed["gained"].to_list()])
    columns = [
        alt.vconcat(
            _map(grid.filter(pl.col("language") == name), name, widest),
            _losses(vetoed.filter(pl.col("language") == name), most, first=not place),
            spacing=26,
        )
        for place, name in enumerate(names)
    ]
    measure = grid["measure"][0]
    return (
        alt.hconcat(*columns, spacing=44)
        .resolve_scale(color="independent")
        .properties(
            title=alt.TitleParams(
                f"Reranker: {measure} by weight and veto",
                subtitle=[
                    "Above: the mean on the training part, coloured by its paired difference to the default (framed): blue better,"
                    " orange worse;",
                    "bold where the 95 % interval leaves 0 out. Below: the veto alone"
                    f" (weight {least:g}): questions whose evidence it removes (orange) or lets in (blue).",
                ],
                fontSize=18,
            ),
            config=config(),
        )
    )


def _map(grid: pl.DataFrame, name: str, widest: float) -> Any:
    import altair as alt

    rows = [
        {
            "x": f"{one['min_reranker_score']:g}",
            "y": f"{one['reranker_weight']:g}",
            "text": f"{100 * one['mean']:.1f}",
            "difference": one["difference"] or 0.0,
            "default": one["default"],
            "sure": one["low"] is not None and (one["low"] > 0 or one["high"] < 0),
        }
        for one in grid.iter_rows(named=True)
        if one["mean"] is not None
    ]
    xs = [f"{one:g}" for one in grid["min_reranker_score"].unique().sort().to_list()]
    ys = [f"{one:g}" for one in grid["reranker_weight"].unique().sort(descending=True).to_list()]
    base = charted(rows).encode(
        x=alt.X("x:O", title="veto: grades below it are out", sort=xs).axis(labelAngle=0, domain=False, ticks=False),
        y=alt.Y("y:O", title="weight of the grade", sort=ys).axis(domain=False, ticks=False),
    )
    colour = alt.Color("difference:Q", legend=None).scale(
        domain=[-widest, 0, widest], range=[ORANGE, "#f7f7f5", BLUE], interpolate="lab"
    )
    ink = alt.condition(f"abs(datum.difference) > {0.62 * widest}", alt.value("white"), alt.value(INK))
    texts = [
        base.transform_filter(f"{'' if sure else '!'}datum.sure")
        .mark_text(fontSize=13, fontWeight="bold" if sure else "normal")
        .encode(text="text:N", color=ink)
        for sure in (True, False)
    ]
    frame = base.transform_filter("datum.default").mark_rect(filled=False, stroke=INK, strokeWidth=2.5)
    cells = base.mark_rect(stroke="white", strokeWidth=2).encode(color=colour)
    return alt.layer(cells, *texts, frame).properties(
        width=58 * len(xs), height=40 * len(ys), title=alt.TitleParams(name, color=INK)
    )


def _losses(vetoed: pl.DataFrame, most: int, *, first: bool) -> Any:
    import altair as alt

    order = [f"{one:g}" for one in vetoed["veto"].to_list()]
    rows = [
        {"x": f"{one['veto']:g}", "y": sign * one[what], "colour": colour, "text": str(one[what]) if one[what] else ""}
        for one in vetoed.iter_rows(named=True)
        for what, sign, colour in (("gained", 1, BLUE), ("lost", -1, ORANGE))
    ]
    base = charted(rows).encode(
        x=alt.X("x:O", title="veto", sort=order).axis(labelAngle=0),
        y=alt.Y("y:Q", title="questions" if first else None)
        .scale(domain=[-1.5 * most, 1.2 * most], nice=False)
        .axis(labels=False, grid=False),
    )
    bars = base.mark_bar(size=26).encode(color=alt.Color("colour:N", scale=None, legend=None))
    texts = [
        base.transform_filter(f"datum.y {sign} 0").mark_text(dy=dy, color=INK).encode(text="text:N")
        for sign, dy in ((">", -8), ("<", 9))
    ]
    zero = charted([{"y": 0}]).mark_rule(color=SOFT).encode(y="y:Q")
    return alt.layer(bars, zero, *texts).properties(width=58 * len(order), height=110)
