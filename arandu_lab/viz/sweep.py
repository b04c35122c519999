"""A sweep as a picture: one name is a line with its interval, two are a map, more are their effects.

The band and the colours are of the *paired difference to the default*, over conversations: means of two settings may look
alike while every conversation prefers one, and the other way round. The default is marked in each.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from arandu_lab.bench.sweeps.effects import called, short
from arandu_lab.errors import ConfigError
from arandu_lab.viz.theme import GRID, INK, SOFT, STYLES, config

if TYPE_CHECKING:
    from arandu_lab.bench.sweeps.result import Sweep

LINE = (560, 190)
CELL = (74, 44)
BAR = (300, 25)
MOST = 14
"""Effects that are drawn; the others are smaller."""

BLUE, ORANGE = STYLES["arandu"][0], STYLES["fused"][0]
_TOKENS = (
    "datum.value >= 1e6 ? format(datum.value / 1e6, '~g') + 'M' : "
    "datum.value >= 1e3 ? format(datum.value / 1e3, '~g') + 'k' : format(datum.value, '~g')"
)


_PLAIN = "format(datum.value, '.6~g')"


def sweep_picture(swept: Sweep, measures: Sequence[str]) -> Any:
    """The picture that fits a sweep, a panel a measure that has any value (``Stale@10`` has none where nothing is annotated).

    Returns:
        An altair chart; ``.to_dict()`` is its specification.
    """
    measures = [one for one in measures if swept.answers[one].is_not_null().any()]
    moving = [name for name in swept.names if len({str(one[name]) for one in swept.points}) > 1]
    if len(moving) == 1:
        return line(swept, moving[0], measures)
    levels = [len({str(one[name]) for one in swept.points}) for name in moving]
    if len(moving) == 2 and max(levels) <= 12 and math.prod(levels) <= 2 * len(swept.points):
        return heat_map(swept, (moving[0], moving[1]), measures)
    try:
        title = f"{swept.system}: what each setting does, and what two do to each other"
        return effect_bars({one: swept.effects(one) for one in measures}, title)
    except ConfigError:  # a halving: its settings were not asked the same questions
        return ranking(swept, measures)


def line(swept: Sweep, name: str, measures: Sequence[str]) -> Any:
    """Quality over the values of one name, a panel a measure, and what a reader is shown for it at the bottom."""
    import altair as alt

    tables = {one: swept.table(one).sort(name) for one in measures[:3]}
    last = next(reversed(tables))
    panels = [_line_panel(table, name, one) for one, table in tables.items()]
    return alt.vconcat(*panels, _context(tables[last], name), spacing=14).properties(
        title=alt.TitleParams(
            f"{swept.system}: {name}",
            subtitle=[
                "Band: 95 % interval of the paired difference to the default, over conversations.",
                "Where it holds the level of the default (dashed), nothing is shown to be better or worse.",
            ],
            fontSize=18,
        ),
        config=config(),
    )


def heat_map(swept: Sweep, names: tuple[str, str], measures: Sequence[str]) -> Any:
    """Every pair of values of two names, coloured by the difference to the default: a panel a measure."""
    import altair as alt

    panels = [_map_panel(swept.table(one), names, one) for one in measures[:3]]
    default = ", ".join(f"{name} {short(swept.points[0][name])}" for name in names)
    framed = "Framed: the default." if swept.in_design else f"The default ({default}) is no cell of this grid."
    return (
        alt.hconcat(*panels, spacing=40)
        .resolve_scale(color="independent")
        .properties(
            title=alt.TitleParams(
                f"{swept.system}: {names[0]} and {names[1]}",
                subtitle=[
                    "Each cell: the mean, and its paired difference to the default (blue better, orange worse).",
                    f"Bold: the 95 % interval over conversations leaves 0 out, among all cells too (Holm). {framed}",
                ],
                fontSize=18,
            ),
            config=config(),
        )
    )


def effect_bars(effects: dict[str, pl.DataFrame], title: str) -> Any:
    """The largest effects with their intervals: a row an effect, a panel a measure."""
    sizes: dict[str, float] = {}
    for frame in effects.values():
        for name, estimate in frame.drop_nulls("estimate").select("effect", "estimate").iter_rows():
            sizes[name] = max(sizes.get(name, 0.0), abs(estimate))
    words = "From the default. Disc: a setting alone. Diamond: two together. ≡: mixed with another effect."
    return _bars(effects, sorted(sizes, key=lambda name: -sizes[name]), title, words)


def _bars(effects: dict[str, pl.DataFrame], names: Sequence[str], title: str, words: str) -> Any:
    import altair as alt

    shown, order = list(effects.items())[:3], list(names[:MOST])
    panels = [_effect_panel(frame, measure, order, first=not place) for place, (measure, frame) in enumerate(shown)]
    left_out = f" {len(names) - MOST} more are left out." if len(names) > MOST else ""
    return alt.hconcat(*panels, spacing=18).properties(
        title=alt.TitleParams(
            title,
            subtitle=[
                "Points (hundredths) gained by the change; 95 % interval of each alone, over conversations. Grey: not called.",
                f"{words}{left_out}",
            ],
            fontSize=18,
        ),
        config=config(),
    )


def ranking(swept: Sweep, measures: Sequence[str]) -> Any:
    """The best settings of a halving, the default among them, with the interval of their difference to it."""
    frames = {}
    for one in measures:
        table = swept.table(one).filter(pl.col("point").is_in(list(swept.finalists)))
        words = [", ".join(f"{name} {short(row[name])}" for name in swept.names) for row in table.iter_rows(named=True)]
        frames[one] = table.with_columns(
            pl.Series("effect", words),
            pl.lit("main").alias("kind"),
            pl.col("difference").alias("estimate"),
            pl.lit(None, dtype=pl.String).alias("mixed_with"),
        ).filter(~pl.col("default"))
    first = frames[measures[0]].sort("mean", descending=True, nulls_last=True)
    title = f"{swept.system}: the settings that were asked everything, against the default"
    return _bars(frames, first["effect"].to_list(), title, f"Best {measures[0]} first.")


def _line_panel(table: pl.DataFrame, name: str, measure: str) -> Any:
    import altair as alt

    numeric = table[name].dtype.is_numeric()
    level = table.filter(pl.col("default"))["mean"][0] or 0.0
    rows = [
        {
            "x": row[name] if numeric else short(row[name]),
            "mean": row["mean"],
            "low": None if row["low"] is None else level + row["low"],
            "high": None if row["high"] is None else level + row["high"],
            "default": row["default"],
        }
        for row in table.iter_rows(named=True)
        if row["mean"] is not None
    ]
    shown = [one[key] for one in rows for key in ("mean", "low", "high") if one[key] is not None]
    low, high = min(shown), max(shown)
    room = max(0.015, (high - low) * 0.22)
    chance = table.filter(pl.col("default"))["chance"][0]
    near = chance is not None and low - chance < 0.6 * (high - low)
    domain = [max(0.0, min(low, chance if near else low) - room), min(1.0, high + room)]
    form = ".1%" if domain[1] - domain[0] < 0.08 else ".0%"
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=_x(table, name, labels=False),
        y=alt.Y("mean:Q", title=measure).scale(domain=domain, nice=False).axis(format=form, tickCount=5),
    )
    bottom = alt.Y("low:Q", title=measure).scale(domain=domain, nice=False, zero=False)
    dashed = alt.Chart(alt.Data(values=[{"mean": level}])).mark_rule(strokeDash=[6, 4], color=SOFT).encode(y="mean:Q")
    ring = base.transform_filter("datum.default")
    layers = [
        dashed,
        base.mark_area(opacity=0.16, color=BLUE).encode(y=bottom, y2="high:Q")
        if numeric
        else base.mark_rule(color=BLUE, opacity=0.5, strokeWidth=3).encode(y=bottom, y2="high:Q"),
        *([base.mark_line(color=BLUE, strokeWidth=3)] if numeric else []),
        base.mark_point(filled=True, size=75, color=BLUE, opacity=1),
        ring.mark_point(size=260, color=INK, strokeWidth=2, opacity=1),
        ring.mark_text(dy=-20, color=INK, text="default"),
    ]
    if near:
        dotted = alt.Chart(alt.Data(values=[{"mean": chance, "text": "chance"}])).encode(y="mean:Q")
        layers += [
            dotted.mark_rule(strokeDash=[2, 4], color=SOFT),
            dotted.mark_text(align="right", dy=-8, dx=-4, color=SOFT).encode(text="text:N", x=alt.value(LINE[0])),
        ]
    said = "" if near or chance is None else f"chance: {100 * chance:.1f} %, below this picture"
    heading = alt.TitleParams(measure, color=INK, offset=6, subtitle=said or alt.Undefined)
    return alt.layer(*layers).properties(width=LINE[0], height=LINE[1], title=heading)


def _context(table: pl.DataFrame, name: str) -> Any:
    """Tokens that a reader is shown, over the values of a name."""
    import altair as alt

    numeric = table[name].dtype.is_numeric()
    rows = [
        {"x": row[name] if numeric else short(row[name]), "context": row["context_tokens"]}
        for row in table.iter_rows(named=True)
        if row["context_tokens"] is not None
    ]
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=_x(table, name, labels=True),
        y=alt.Y("context:Q", title=["tokens", "of context"]).scale(zero=True).axis(tickCount=3, labelExpr=_TOKENS),
    )
    parts = [base.mark_line(color=SOFT, strokeWidth=2)] if numeric else [base.mark_bar(color=GRID, size=40)]
    dots = base.mark_point(filled=True, size=45, color=SOFT, opacity=1)
    return alt.layer(*parts, dots).properties(width=LINE[0], height=64)


def _x(table: pl.DataFrame, name: str, *, labels: bool) -> Any:
    import altair as alt

    title = name if labels else None
    if not table[name].dtype.is_numeric():
        order = list(dict.fromkeys(short(one) for one in table[name].to_list()))
        return alt.X("x:O", title=title, sort=order).axis(labels=labels, ticks=labels, labelAngle=0, grid=False)
    values = sorted(set(table[name].to_list()))
    x = alt.X("x:Q", title=title).scale(zero=False, padding=16, nice=False)
    ticks = {"values": values} if len(values) <= 9 else {"tickCount": 8}
    return x.axis(labels=labels, ticks=labels, grid=False, labelFlush=False, labelExpr=_PLAIN, **ticks)


def _map_panel(table: pl.DataFrame, names: tuple[str, str], measure: str) -> Any:
    import altair as alt

    across, down = names
    rows = [
        {
            "x": short(row[across]),
            "y": short(row[down]),
            "text": f"{100 * row['mean']:.1f}",
            "more": "default" if row["default"] else f"{100 * (row['difference'] or 0.0):+.1f}".replace("-", "−"),
            "difference": row["difference"] or 0.0,
            "sure": called(row["verdict"]),
            "default": row["default"],
        }
        for row in table.iter_rows(named=True)
        if row["mean"] is not None
    ]
    widest = max([0.01, *(abs(one["difference"]) for one in rows)])
    xs = [short(one) for one in table[across].unique().sort().to_list()]
    ys = [short(one) for one in table[down].unique().sort(descending=True).to_list()]
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X("x:O", title=across, sort=xs).axis(labelAngle=0, domain=False, ticks=False),
        y=alt.Y("y:O", title=down, sort=ys).axis(domain=False, ticks=False),
    )
    colour = alt.Color("difference:Q", legend=None).scale(
        domain=[-widest, 0, widest], range=[ORANGE, "#f7f7f5", BLUE], interpolate="lab"
    )
    cells = base.mark_rect(stroke="white", strokeWidth=2).encode(color=colour)
    dark = f"abs(datum.difference) > {0.62 * widest}"
    ink = alt.condition(dark, alt.value("white"), alt.value(INK))
    faint = alt.condition(dark, alt.value("white"), alt.value(SOFT))
    sure = base.transform_filter("datum.sure").mark_text(dy=-7, fontSize=14, fontWeight="bold")
    unsure = base.transform_filter("!datum.sure").mark_text(dy=-7, fontSize=14)
    parts = [one.encode(text="text:N", color=ink) for one in (sure, unsure)]
    more = base.mark_text(dy=11, fontSize=11).encode(text="more:N", color=faint)
    frame = base.transform_filter("datum.default").mark_rect(filled=False, stroke=INK, strokeWidth=2.5)
    return alt.layer(cells, *parts, more, frame).properties(
        width=CELL[0] * len(xs), height=CELL[1] * len(ys), title=alt.TitleParams(measure, color=INK, offset=10)
    )


def _effect_panel(frame: pl.DataFrame, measure: str, order: Sequence[str], *, first: bool) -> Any:
    import altair as alt

    rows = [
        {
            "effect": row["effect"] + (" ≡" if row["mixed_with"] else ""),
            "estimate": 100 * row["estimate"],
            "low": None if row["low"] is None else 100 * row["low"],
            "high": None if row["high"] is None else 100 * row["high"],
            "colour": (BLUE if row["estimate"] > 0 else ORANGE) if called(row["verdict"]) else "#9aa5b1",
            "shape": "diamond" if row["kind"] == "interaction" else "circle",
            "place": order.index(row["effect"]),
        }
        for row in frame.drop_nulls("estimate").iter_rows(named=True)
        if row["effect"] in order
    ]
    ends = [abs(one[key]) for one in rows for key in ("estimate", "low", "high") if one[key] is not None]
    far = max([0.5, *ends]) * 1.08
    y = alt.Y("effect:N", sort=alt.EncodingSortField("place"), title=None)
    y = y.axis(labelLimit=420, grid=True, gridColor=GRID, labelColor=INK, labels=first)
    base = alt.Chart(alt.Data(values=rows)).encode(y=y, color=alt.Color("colour:N", scale=None, legend=None))
    x = alt.X("estimate:Q", title="points").scale(domain=[-far, far], nice=False).axis(tickCount=5, grid=False)
    zero = alt.Chart(alt.Data(values=[{"estimate": 0}])).mark_rule(color=SOFT, strokeWidth=1).encode(x="estimate:Q")
    whiskers = base.mark_rule(strokeWidth=2.5, opacity=0.75).encode(x=alt.X("low:Q"), x2="high:Q")
    dots = base.mark_point(filled=True, size=90, opacity=1).encode(
        x=x, shape=alt.Shape("shape:N", scale=None, legend=None)
    )
    return alt.layer(zero, whiskers, dots).properties(
        width=BAR[0], height=BAR[1] * max(1, len(order)), title=alt.TitleParams(measure, color=INK, offset=8)
    )
