"""Where questions are lost: from all of them, stage by stage, down to those whose evidence reaches the context."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import polars as pl

from arandu_lab.viz.theme import INK, SOFT, charted, config, style_of

WIDTH, SCALE, ROW = 268, 176, 23
WRITE = ("extraction", "dedup", "resolution", "reconciliation", "state")
BAD, WORSE, ALL = "#E69F00", "#D55E00", "#d5dae0"
"""Losses in reading, losses in writing, and all that was asked."""


def waterfalls(falls: pl.DataFrame, titles: dict[str, str]) -> Any:
    """A row of panels a language, a panel a system and mode.

    Args:
        falls: ``language system mode stage lost left quoted``; the stages in order, ``questions`` first,
            ``delivered`` last; ``lost`` null where the system has no such stage, which then shows nothing; ``quoted``
            is how many of the delivered needed a quoted turn.
        titles: Language -> heading.

    Returns:
        An altair chart.
    """
    import altair as alt

    rows = by_language(falls, titles, _panel, offset=16, spacing=4, bounds="flush")
    return alt.vconcat(*rows, spacing=34).properties(
        title=alt.TitleParams(
            "Where questions are lost",
            subtitle=[
                "Questions that have an answer, and the stage that lost it first.",
                "Dark: lost while listening; light: lost while answering.",
                "Delivered: the evidence stands in the context; pale where only a quoted turn brings it.",
            ],
            fontSize=18,
        ),
        config=config(),
    )


def by_language(
    table: pl.DataFrame, titles: dict[str, str], panel: Callable[..., Any], *, offset: int, **row: Any
) -> list[Any]:
    """A row of panels a language that the table has, a panel a system and mode; ``panel`` draws one."""
    import altair as alt

    rows = []
    for language, title in titles.items():
        mine = table.filter(pl.col("language") == language)
        if mine.is_empty():
            continue
        panels = [
            panel(mine.filter((pl.col("system") == system) & (pl.col("mode") == mode)), system, mode, first=not place)
            for place, (system, mode) in enumerate(together(mine.select("system", "mode").iter_rows()))
        ]
        heading = alt.TitleParams(title, color=INK, fontSize=15, offset=offset)
        rows.append(alt.hconcat(*panels, **row).properties(title=heading))
    return rows


def together(keys: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Systems with their modes, each once, those of a system side by side in the order of first mention.

    >>> together([("a", "x"), ("b", "x"), ("a", "y")])
    [('a', 'x'), ('a', 'y'), ('b', 'x')]
    """
    once = list(dict.fromkeys(keys))
    order = {system: place for place, system in reversed(list(enumerate(system for system, _ in once)))}
    return sorted(once, key=lambda one: order[one[0]])


def _panel(fall: pl.DataFrame, system: str, mode: str, *, first: bool) -> Any:
    """One waterfall, drawn in pixels; the first of a row has the names of the stages to its left."""
    import altair as alt

    total, colour = fall["left"][0], style_of([system])[system][0]
    bars: list[dict[str, Any]] = []
    words: list[dict[str, Any]] = []
    links: list[dict[str, Any]] = []
    for place, row in enumerate(fall.iter_rows(named=True)):
        stage, lost, left = row["stage"], row["lost"], row["left"]
        middle, end = ROW * (place + 0.5), stage in ("questions", "delivered")
        if end:
            sure = left - row["quoted"]
            bars.append(_bar(middle, 0, sure, total, ALL if stage == "questions" else colour, 1.0))
            bars.append(_bar(middle, sure, left, total, colour, 0.38))
        elif lost is not None:
            bars.append(_bar(middle, left, left + lost, total, WORSE if stage in WRITE else BAD, 1.0))
        if first:
            words.append({"y": middle, "x": -10, "text": stage, "ink": INK, "bold": end, "left": True})
        if place + 1 < fall.height:
            links.append({"x": SCALE * left / total, "y": middle, "y2": middle + ROW})
        if lost is None:
            continue
        share = f"{100 * (left if end else lost) / total:.0f} %"
        said = (
            f"{left}" if stage == "questions" else f"{left} · {share}" if end else f"−{lost} · {share}" if lost else "0"
        )
        ink = INK if end or lost else "#a9b2bc"
        words.append(
            {
                "y": middle,
                "x": SCALE * (left if end else left + lost) / total + 6,
                "text": said,
                "ink": ink,
                "bold": end,
            }
        )
    x, y = alt.X("x:Q", scale=None, axis=None), alt.Y("y:Q", scale=None, axis=None)
    ink = alt.Color("ink:N", scale=None, legend=None)
    layers: list[Any] = [
        charted(links).mark_rule(stroke="#b9c1ca", strokeWidth=1).encode(x=x, y=y, y2="y2:Q"),
        charted([bar for bar in bars if bar["x2"] > bar["x"]])
        .mark_rect(cornerRadius=1.5)
        .encode(x=x, x2="x2:Q", y=y, y2="y2:Q", color=ink, opacity=alt.Opacity("faint:Q", scale=None, legend=None)),
    ]
    for bold in (True, False):
        for align in ("left", "right"):
            some = [one for one in words if one["bold"] is bold and ("left" in one) is (align == "right")]
            if some:
                text = charted(some).mark_text(
                    align=align, baseline="middle", fontWeight=600 if bold else "normal"
                )  # fmt: skip
                layers.append(text.encode(x=x, y=y, text="text:N", color=ink))
    said = {"end-to-end": "end to end", "oracle": "extraction from the gold"}.get(mode, mode)
    heading = alt.TitleParams(
        system, subtitle=said, color=colour, subtitleColor=SOFT, fontSize=14, offset=8, anchor="start", frame="group"
    )
    return alt.layer(*layers).properties(width=WIDTH, height=ROW * fall.height, title=heading)


def _bar(middle: float, start: int, end: int, total: int, ink: str, faint: float) -> dict[str, Any]:
    half = ROW * 0.36
    scale = SCALE / total
    return {"y": middle - half, "y2": middle + half, "x": scale * start, "x2": scale * end, "ink": ink, "faint": faint}
