"""The picture of informed against blind extraction: what is won in quality beside what is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from arandu_lab.viz.theme import INK, SOFT, charted, config

BLUE, ORANGE, GREY = "#0072B2", "#D55E00", "#9aa5b1"


def extraction_picture(frames: Mapping[str, pl.DataFrame]) -> Any:
    """Left, informed minus blind in quality, with intervals; right, what a message asks of a model under each."""
    import altair as alt

    figures = frames["figures"]
    quality = figures.filter(pl.col("what").is_in(["precision", "recall", "R@10"])).drop_nulls("difference")
    rows = [
        {
            "row": f"{one['what']} of facts" if one["what"] != "R@10" else "R@10 of turns",
            "way": one["way"],
            "set": one["dataset"],
            "x": 100 * one["difference"],
            "low": 100 * (one["low"] if one["low"] is not None else one["difference"]),
            "high": 100 * (one["high"] if one["high"] is not None else one["difference"]),
            "colour": _sure(one["low"], one["high"]),
            "hollow": one["low"] is None,
        }
        for one in quality.iter_rows(named=True)
    ]
    price = [
        {"set": one["dataset"], "x": one[arm], "arm": arm, "y": one["what"].split(" ")[0]}
        for one in figures.filter(pl.col("what").is_in(["tokens a message"])).iter_rows(named=True)
        for arm in ("blind", "informed")
    ]
    sets = figures["dataset"].unique(maintain_order=True).to_list()
    far = max([1.0, *(abs(one[end]) for one in rows for end in ("low", "high"))]) * 1.05
    most = max([1.0, *(one["x"] for one in price)]) * 1.18
    lines = []
    for place, name in enumerate(sets):
        last = place == len(sets) - 1
        mine = [one | {"label": f"{one['row']}, {one['way']}"} for one in rows if one["set"] == name]
        both = [one for one in price if one["set"] == name]
        order = [one["label"] for one in mine]
        base = charted(mine).encode(
            y=alt.Y("label:N", sort=order, title=None).axis(labelLimit=260, labelColor=INK),
            color=alt.Color("colour:N", scale=None, legend=None),
        )
        x = alt.X("x:Q", title="informed − blind, points" if last else None).scale(domain=[-far, far], nice=False)
        zero = charted([{"x": 0}]).mark_rule(color=SOFT).encode(x="x:Q")
        left = alt.layer(
            zero,
            base.mark_rule(strokeWidth=2.5).encode(x=alt.X("low:Q"), x2="high:Q"),
            base.mark_point(filled=True, size=85, opacity=1).encode(
                x=x.axis(labels=last, ticks=last, tickCount=6, grid=True)
            ),
        ).properties(width=330, height=max(48, 26 * len(order)), title=_name(name))
        lines.append(alt.hconcat(left, _price(both, most, last=last, height=max(48, 26 * len(order))), spacing=46))
    return alt.vconcat(*lines, spacing=14).properties(
        title=alt.TitleParams(
            "Informed against blind extraction: quality and price",
            subtitle=[
                "Left: the paired difference with its 95 % interval. Blue: informed is better; orange: blind is; grey: not"
                " distinguishable",
                "(a point without a line: one conversation, so nothing is known of others). Right: tokens that a message asks.",
            ],
            fontSize=18,
        ),
        config=config(),
    )


def _price(both: Sequence[Mapping[str, Any]], most: float, *, last: bool, height: int) -> Any:
    import altair as alt

    rows = [{**one, "colour": BLUE if one["arm"] == "informed" else ORANGE, "text": f"{one['x']:,.0f}"} for one in both]
    base = charted(rows).encode(
        y=alt.Y("arm:N", title=None, sort=["informed", "blind"]).axis(labelColor=INK),
        x=alt.X("x:Q", title="tokens a message" if last else None)
        .scale(domain=[0, most], nice=False)
        .axis(labels=last, ticks=last, tickCount=4, grid=True, format=",d"),
    )
    bars = base.mark_bar(size=15).encode(color=alt.Color("colour:N", scale=None, legend=None))
    texts = base.mark_text(align="left", dx=5, color=INK).encode(text="text:N")
    return alt.layer(bars, texts).properties(width=230, height=height)


def _sure(low: float | None, high: float | None) -> str:
    if low is None or high is None or low <= 0 <= high:
        return GREY
    return BLUE if low > 0 else ORANGE


def _name(name: str) -> Any:
    import altair as alt

    return alt.TitleParams(name, color=INK, fontSize=13.5, offset=6)
