"""How good each stage is: alone on gold input, and on what really reached it; a panel a language and system."""

from __future__ import annotations

from typing import Any

import polars as pl

from arandu_lab.viz.labels import spread
from arandu_lab.viz.theme import INK, SOFT, charted, config, style_of

WIDTH, ROW = 420, 40
_MARKS = {
    "given": ("on gold input", "circle", 170, True),
    "end-to-end": ("end to end", "circle", 110, False),
    "oracle": ("extraction from the gold", "diamond", 90, False),
}
"""Mode -> its words, shape, size and whether it is filled."""


def stage_dots(table: pl.DataFrame, titles: dict[str, str]) -> Any:
    """A panel a language and system: a line a stage, a mark a mode.

    Args:
        table: ``language system mode stage value``; stages in order.
        titles: Language -> heading.

    Returns:
        An altair chart.
    """
    import altair as alt

    stages = table["stage"].unique(maintain_order=True).to_list()
    order = [stage for stage in _STAGES if stage in stages]
    panels = []
    for system in table["system"].unique(maintain_order=True):
        for language, title in titles.items():
            mine = table.filter((pl.col("language") == language) & (pl.col("system") == system))
            if not mine.is_empty():
                panels.append(_panel(mine, f"{title}", system, order))
    said = [
        "Filled: the stage alone, on gold input. Hollow: on what reached it end to end.",
        "Diamond: on what reached it when extraction was answered from the gold.",
    ]
    return alt.concat(*panels, columns=2, spacing=40).properties(
        title=alt.TitleParams("Each stage alone, and where it stands", subtitle=said, fontSize=18), config=config()
    )


def _panel(table: pl.DataFrame, title: str, system: str, order: list[str]) -> Any:
    import altair as alt

    colour = style_of([system])[system][0]
    rows = [{**row, "right": f"{100 * row['value']:.0f}"} for row in table.iter_rows(named=True)]
    y = alt.Y("stage:N", title=None).scale(domain=order, padding=0.5)
    y = y.axis(labelFontSize=13, labelColor=INK, labelPadding=10, grid=True, domain=False, ticks=False)
    x = alt.X("value:Q", title="percent of what the stage should do").scale(domain=[0, 1], nice=False)
    x = x.axis(format=".0%", values=[0, 0.25, 0.5, 0.75, 1], grid=True)
    spans = (
        table.group_by("stage", maintain_order=True)
        .agg(pl.col("value").min().alias("low"), pl.col("value").max().alias("high"))
        .sort("stage")
    )
    bars = charted(spans.to_dicts()).mark_rule(strokeWidth=3, opacity=0.25, color=colour)
    layers: list[Any] = [bars.encode(y=y, x=alt.X("low:Q"), x2="high:Q")]
    for mode in ("oracle", "end-to-end", "given"):
        _, shape, size, filled = _MARKS[mode]
        mine = [row for row in rows if row["mode"] == mode]
        marks = charted(mine).mark_point(
            shape=shape,
            size=size,
            filled=filled,
            color=colour,
            fill=colour if filled else "white",
            strokeWidth=2,
            opacity=1,
        )
        layers.append(marks.encode(y=y, x=x))
    words = charted(_numbers(rows)).mark_text(fontSize=11.5, baseline="bottom", dy=-9)
    for bold in (True, False):
        some = words.transform_filter("datum.bold" if bold else "!datum.bold")
        weighed = some.mark_text(fontSize=11.5, baseline="bottom", dy=-9, fontWeight=600 if bold else "normal")
        layers.append(weighed.encode(y=y, x=alt.X("place:Q"), text="right:N", color=alt.value(INK if bold else SOFT)))
    heading = alt.TitleParams(system, subtitle=title, color=colour, subtitleColor=SOFT, fontSize=15, frame="group")
    return alt.layer(*layers).properties(width=WIDTH, height=ROW * len(order), title=heading)


def _numbers(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Numbers above their marks, those of one stage far enough apart; equal ones said once."""
    out = []
    for stage in dict.fromkeys(row["stage"] for row in rows):
        mine: dict[str, dict[str, Any]] = {}
        for row in sorted((row for row in rows if row["stage"] == stage), key=lambda one: one["mode"] != "given"):
            mine.setdefault(row["right"], {**row, "bold": row["mode"] == "given"})
        some = list(mine.values())
        places = spread([row["value"] * WIDTH for row in some], 23.0, 4.0, WIDTH - 2.0)
        out += [{**row, "place": place / WIDTH} for row, place in zip(some, places, strict=True)]
    return out


_STAGES = ("extraction", "dedup", "resolution", "reconciliation", "state", "retrieval", "ranking", "context")
