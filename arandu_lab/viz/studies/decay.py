"""The picture of decay: evidence by its age, and what was replaced."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from arandu_lab.viz.theme import INK, SOFT, charted, config

BLUE, ORANGE, GREY = "#0072B2", "#D55E00", "#9aa5b1"


def decay_picture(frames: Mapping[str, pl.DataFrame]) -> Any:
    """Left, evidence found over its age, a line a half-life; right, what a half-life does to all evidence and to what is over."""
    import altair as alt

    figures = frames["figures"]
    names = figures["language"].unique(maintain_order=True).to_list()
    lines = [
        alt.hconcat(
            _by_age(figures.filter(pl.col("language") == name), name, last=place == len(names) - 1),
            _trade(figures.filter(pl.col("language") == name), last=place == len(names) - 1),
            spacing=90,
        ).resolve_scale(color="independent")
        for place, name in enumerate(names)
    ]
    return alt.vconcat(*lines, spacing=22).properties(
        title=alt.TitleParams(
            "Decay: evidence by its age, and what was replaced",
            subtitle=[
                "Left: evidence among the ten best turns, by its age; from pale (short half-life of recency) to dark (long)."
                " Dotted: chance.",
                "Right: over the half-life, R@10 and RR of all evidence, and in how many questions what was replaced ranks before"
                " the answer (↓: lower is better). Ringed: the default.",
            ],
            fontSize=18,
        ),
        config=config(),
    )


def _by_age(mine: pl.DataFrame, name: str, *, last: bool) -> Any:
    import altair as alt

    some = mine.filter(
        (pl.col("span") >= 0)
        & pl.col("vary").is_in(["default", "recency_half_life_days"])
        & pl.col("mean").is_not_null()
    ).sort("span", "half_life")
    lives = some["half_life"].unique().sort().to_list()
    order = some["what"].unique(maintain_order=True).to_list()
    questions = dict(some.filter(pl.col("setting") == 0).select("what", "questions").iter_rows())
    rows = [
        {
            "x": one["what"],
            "y": one["mean"],
            "life": f"{one['half_life']:g} d",
            "colour": _shade(lives.index(one["half_life"]), len(lives)),
            "default": one["setting"] == 0,
            "end": one["what"] == order[-1],
        }
        for one in some.iter_rows(named=True)
    ]
    floor = [
        {"x": one["what"], "y": one["chance"], "n": f"{questions[one['what']]} questions"}
        for one in some.filter(pl.col("setting") == 0).iter_rows(named=True)
    ]
    x = alt.X("x:O", sort=order, title="age of the evidence" if last else None).axis(labelAngle=0, labelColor=INK)
    y = alt.Y("y:Q", title="found among ten").scale(domain=[0, 1]).axis(format="~%", values=[0, 0.25, 0.5, 0.75, 1])
    base = charted(rows).encode(x=x, y=y, color=alt.Color("colour:N", scale=None, legend=None), detail="life:N")
    usual = base.transform_filter("datum.default")
    chance = charted(floor).encode(x=x, y=y)
    counts = (
        charted([{**one, "y": 0.03} for one in floor]).encode(x=x, y=y, text="n:N").mark_text(color=SOFT, fontSize=10.5)
    )
    ends = sorted(
        (one for one in rows if one["end"] and one["life"] in (f"{lives[0]:g} d", f"{lives[-1]:g} d")),
        key=lambda one: one["y"],
    )
    named = [
        charted([one])
        .mark_text(align="left", dx=9, dy=dy)
        .encode(x=x, y=y, text="life:N", color=alt.value(one["colour"]))
        for one, dy in zip(ends, (6, -6), strict=False)
    ]
    return alt.layer(
        *named,
        chance.mark_line(color=GREY, strokeDash=[2, 3]),
        base.mark_line(strokeWidth=2),
        base.mark_point(filled=True, size=40, opacity=1),
        usual.mark_point(filled=False, size=120, color=INK, strokeWidth=1.8, opacity=1).encode(color=alt.value(INK)),
        counts,
    ).properties(width=430, height=210, title=alt.TitleParams(name, color=INK))


def _trade(mine: pl.DataFrame, *, last: bool) -> Any:
    import altair as alt

    some = mine.filter(
        pl.col("what").is_in(list(_LINES)) & pl.col("vary").is_in(["default", "recency_half_life_days"])
    ).drop_nulls("mean")
    rows = [
        {
            "x": one["half_life"],
            "y": one["mean"],
            "colour": _LINES[one["what"]][0],
            "name": _LINES[one["what"]][1],
            "default": one["setting"] == 0,
        }
        for one in some.iter_rows(named=True)
    ]
    lives = sorted({one["x"] for one in rows})
    base = charted(rows).encode(
        x=alt.X("x:Q", title="half-life of recency, days" if last else None)
        .scale(type="log", nice=False, domain=[lives[0] * 0.8, lives[-1] * 1.25] if lives else [1, 10])
        .axis(values=lives, labelExpr="format(datum.value, '~g')", grid=False, labelOverlap=True),
        y=alt.Y("y:Q", title=None).scale(domain=[0, 1]).axis(format="~%", values=[0, 0.25, 0.5, 0.75, 1]),
        color=alt.Color("colour:N", scale=None, legend=None),
        detail="name:N",
    )
    named: list[Any] = []
    lowest = 0.0
    for one in sorted((one for one in rows if one["x"] == lives[-1]), key=lambda one: one["y"]):
        lowest = max(one["y"], lowest)  # labels that would cover each other move up
        label = charted([{**one, "y": lowest}]).mark_text(align="left", dx=9)
        named.append(label.encode(x="x:Q", y="y:Q", text="name:N", color=alt.value(one["colour"])))
        lowest += 0.085
    rings = base.transform_filter("datum.default").mark_point(filled=False, size=120, strokeWidth=1.8, opacity=1)
    return alt.layer(
        base.mark_line(strokeWidth=2.5),
        base.mark_point(filled=True, size=45, opacity=1),
        rings.encode(color=alt.value(INK)),
        *named,
    ).properties(width=250, height=210)


def _shade(place: int, many: int) -> str:
    """From pale to dark blue."""
    share = place / max(1, many - 1)
    low, high = (0x9E, 0xC9, 0xE8), (0x08, 0x2A, 0x54)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(low, high, strict=True))


_LINES = {"all": (BLUE, "R@10"), "RR": (SOFT, "RR"), "over first": (ORANGE, "replaced ranks first ↓")}
"""Figure -> colour and name of its line."""
