"""The picture of the dedup threshold: facts lost and repetitions kept, with words confirming and without."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from arandu_lab.viz.theme import INK, SOFT, charted, config

BLUE, ORANGE = "#0072B2", "#D55E00"


def dedup_picture(frames: Mapping[str, pl.DataFrame]) -> Any:
    """Facts lost over the threshold, with words and without, and repetitions kept: a row a language, a column a reading."""
    import altair as alt

    curves = frames["curves"].group_by("language", "reading", "words", "threshold", maintain_order=True).agg(
        pl.col("facts", "lost", "left").sum()
    )  # fmt: skip
    readings = {"extracted": "extracted", "gold": "gold", "as one message": "gold as one message"}
    lines = []
    top = max(0.6, *(curves["lost"] / curves["facts"].clip(1)).to_list())
    names = curves["language"].unique(maintain_order=True).to_list()
    for place, name in enumerate(names):
        panels = []
        for column, (reading, title) in enumerate(readings.items()):
            mine = curves.filter((pl.col("language") == name) & (pl.col("reading") == reading))
            panels.append(_curve(mine, f"{name}, {title}", top=top, first=not column, last=place == len(names) - 1))
        lines.append(alt.hconcat(*panels, spacing=30))
    return alt.vconcat(*lines, spacing=22).properties(
        title=alt.TitleParams(
            "Dedup: what a threshold loses, and what it lets through",
            subtitle=[
                "Facts lost with words confirming (blue) and by the cosine alone (orange); repetitions kept, with words (grey,"
                " dashed).",
                "Shares of the facts (their number in brackets), square-root scale. Dotted: the default. Left: what the model"
                " extracts of each message;",
                "middle: the gold facts of each message; right: all gold facts of a conversation as one long message.",
            ],
            fontSize=18,
        ),
        config=config(),
    )


def _curve(mine: pl.DataFrame, title: str, *, top: float, first: bool, last: bool) -> Any:
    import altair as alt

    facts = max(1, int(mine.item(0, "facts")))
    rows = [
        {"x": one["threshold"], "y": one[what] / facts, "colour": colour, "dash": what == "left", "name": words}
        for one in mine.iter_rows(named=True)
        for what, asked, colour, words in (
            ("lost", True, BLUE, "lost, with words"),
            ("lost", False, ORANGE, "lost, cosine alone"),
            ("left", True, SOFT, "repetitions kept"),
        )
        if one["words"] == asked
    ]
    base = charted(rows).encode(
        x=alt.X("x:Q", title="threshold" if last else None).scale(zero=False, nice=False).axis(tickCount=6),
        y=alt.Y("y:Q", title="share of facts" if first else None)
        .scale(type="sqrt", domain=[0, top], nice=False)
        .axis(values=[0, 0.01, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8], format="~%", labels=first),
        color=alt.Color("colour:N", scale=None, legend=None),
        detail="name:N",
    )
    solid = base.transform_filter("!datum.dash").mark_line(strokeWidth=2.5)
    dashed = base.transform_filter("datum.dash").mark_line(strokeWidth=2, strokeDash=[5, 4])
    rule = charted([{"x": 0.85}]).mark_rule(color=SOFT, strokeDash=[2, 3]).encode(x="x:Q")
    count = f"{title} ({facts:,})"
    return alt.layer(rule, dashed, solid).properties(
        width=245, height=150, title=alt.TitleParams(count, fontSize=12.5, color=INK)
    )
