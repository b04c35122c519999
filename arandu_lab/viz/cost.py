"""Quality against tokens: what a reader is shown for a question, and what the models of the memory are asked."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, log10
from typing import Any

import polars as pl

from arandu_lab.viz.labels import beside
from arandu_lab.viz.theme import INK, charted, config, strong, style_of

WIDTH, HEIGHT, NEAR = 400, 300, 7.0
_SHORT = (
    "datum.value >= 1e6 ? format(datum.value / 1e6, '~g') + 'M' : "
    "datum.value >= 1e3 ? format(datum.value / 1e3, '~g') + 'k' : format(datum.value, '~g')"
)


def quality_by_tokens(tables: Mapping[str, pl.DataFrame], titles: Mapping[str, str], measure: str) -> Any:
    """A column of panels a dataset, a row a kind of token.

    Args:
        tables: Dataset -> main table; ``context_tokens`` is a mean a question, ``tokens_asked`` a total.
        titles: Dataset -> heading.
        measure: The column that is the quality.

    Returns:
        An altair chart.
    """
    import altair as alt

    kinds = (
        ("context_tokens", "tokens of context shown to a reader, a question"),
        ("tokens_asked", "tokens asked of the memory's own models, whole run"),
    )
    values = [one for table in tables.values() for one in table[measure].drop_nulls().to_list()]
    top = min(1.04, max(values, default=0.9) + 0.1)
    rows = [
        alt.concat(
            *(_panel(tables[name], titles[name] if not place else "", measure, column, words, top) for name in titles),
            columns=2,
            spacing=44,
        )
        for place, (column, words) in enumerate(kinds)
    ]
    return alt.vconcat(*rows, spacing=30).properties(
        title=alt.TitleParams(
            f"{measure} against tokens",
            subtitle="Up and to the left is better. Tokens are estimated at four characters each for contexts.",
            fontSize=18,
        ),
        config=config(),
    )


def _panel(table: pl.DataFrame, title: str, measure: str, column: str, words: str, top: float) -> Any:
    import altair as alt

    known = table.filter(pl.col(measure).is_not_null() & pl.col(column).is_not_null()).to_dicts()
    styles = style_of([row["system"] for row in known])
    most = max((row[column] for row in known), default=1) or 1
    logarithmic = column == "tokens_asked"
    last = 10.0 ** ceil(log10(most * 1.6 + 1)) if logarithmic else most * 1.22
    places = [(_x(row[column], last, logarithmic), HEIGHT * (1 - row[measure] / top)) for row in known]
    named = _together(places, [row["system"] for row in known])
    labels = beside([places[one] for one in named], list(named.values()), WIDTH, HEIGHT)
    beside_of = dict(zip(named, labels, strict=True))
    data = []
    for one in reversed(range(len(known))):
        (x, y), (dx, dy, align) = places[one], beside_of.get(one, (0.0, 0.0, "none"))
        colour, shape = styles[known[one]["system"]]
        data.append(
            {
                "value": known[one][column],
                "quality": known[one][measure],
                "name": named.get(one, ""),
                "colour": colour,
                "shape": shape,
                "size": 150 if strong(known[one]["system"]) else 85,
                "align": align,
                "px": x + dx,
                "py": y + dy,
                "far": abs(dx) > 15,
                "ex": x + dx * 0.9,
                "x0": x + dx * 0.35,
                "y0": y + dy * 0.25,
            }
        )
    if logarithmic:
        scale: dict[str, Any] = {"type": "symlog", "constant": 100, "domain": [0, last], "nice": False}
        ticks: dict[str, Any] = {"values": [0, *(10**n for n in range(3, int(log10(last)) + 1))], "labelExpr": _SHORT}
    else:
        scale, ticks = {"domain": [0, last], "nice": False}, {"tickCount": 6, "labelExpr": _SHORT}
    x = alt.X("value:Q", title=words).scale(**scale).axis(grid=True, labelFlush=False, **ticks)
    y = alt.Y("quality:Q", title=measure).scale(domain=[0, top]).axis(format=".0%", values=[0, 0.2, 0.4, 0.6, 0.8, 1])
    base = charted(data).encode(color=alt.Color("colour:N", scale=None, legend=None))
    dots = base.mark_point(filled=True, opacity=1, stroke="white", strokeWidth=1).encode(
        x=x,
        y=y,
        shape=alt.Shape("shape:N", scale=None, legend=None),
        size=alt.Size("size:Q", scale=None, legend=None),
    )
    texts = [
        base.transform_filter(f"datum.align === '{align}'")
        .mark_text(align=align, baseline="middle")
        .encode(x=alt.X("px:Q", scale=None), y=alt.Y("py:Q", scale=None), text="name:N")
        for align in sorted({align for _, _, align in labels})
    ]
    leaders = base.transform_filter("datum.far").mark_rule(strokeWidth=1, opacity=0.7)
    leaders = leaders.encode(x=alt.X("x0:Q", scale=None), x2="ex:Q", y=alt.Y("y0:Q", scale=None), y2="py:Q")
    panel = alt.layer(leaders, dots, *texts).resolve_scale(x="independent", y="independent")
    panel = panel.properties(width=WIDTH, height=HEIGHT)
    return panel.properties(title=alt.TitleParams(title, color=INK)) if title else panel


def _together(places: list[tuple[float, float]], names: list[str]) -> dict[int, str]:
    """First point of each heap -> its names; points that cover each other share one label, ``=`` if they are equal."""
    heaps: dict[int, str] = {}
    for one, (x, y) in enumerate(places):
        near = [i for i in heaps if abs(places[i][0] - x) < NEAR and abs(places[i][1] - y) < NEAR]
        if near:
            same = max(abs(places[near[0]][0] - x), abs(places[near[0]][1] - y)) < 1e-6
            heaps[near[0]] += f"{' =' if same else ','} {names[one]}"
        else:
            heaps[one] = names[one]
    return heaps


def _x(value: float, last: float, logarithmic: bool) -> float:
    """Pixels of a value on its axis; symlog with Vega's formula."""
    if not logarithmic:
        return WIDTH * value / last
    return WIDTH * log10(1 + value / 100) / log10(1 + last / 100)
