"""Pictures of thresholds: where cosines lie, what a dedup threshold merges and loses, what a gate costs and misses.

A relation has one colour and one name everywhere. The documented .50 and .85 are thin lines; what is recommended is a
strong one. Where words check what a cosine nominates the line is whole, and dashed where the cosine decides alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from arandu_lab.viz.labels import spread
from arandu_lab.viz.theme import INK, SOFT, charted, config

COLOURS = {
    "duplicate": "#009E73",
    "update": "#0072B2",
    "negation": "#D55E00",
    "attribute": "#E69F00",
    "near": "#CC79A7",
    "unrelated": "#8a96a3",
}
SAID = {
    "facts": {
        "duplicate": "says it again",
        "update": "replaces it",
        "negation": "takes it back",
        "attribute": "another thing",
        "unrelated": "unrelated",
    },
    "stsb": {"duplicate": "same statement", "near": "in between", "unrelated": "unrelated"},
    "taosmd": {"update": "replaces it"},
}
KINDS = {"facts": "facts of our sets", "stsb": "STS-B sentences", "taosmd": "taosmd"}
SHADES = ("#a9c9e6", "#7fb2da", "#559aca", "#2f7fb8", "#17609c", "#0a3d73")
ROW, WIDTH, HEIGHT = 46, 372, 250
FAINT = "#a9b4be"
WIDE, HALF = (-0.2, 1.05), (0.5, 1.0)


def ridges(heights: pl.DataFrame, shares: pl.DataFrame, marks: Sequence[float], titles: dict[str, str]) -> Any:
    """Where the cosines of each relation lie; a column a language, a block a kind of pairs.

    Args:
        heights: ``kind language relation at height``.
        shares: ``kind language relation pairs at_50 at_85``.
        marks: Thresholds drawn strong, those that are recommended.
        titles: Language -> heading; ``""`` -> what the picture is of.
    """
    import altair as alt

    kinds = [kind for kind in KINDS if kind in heights["kind"].unique().to_list() and kind != "taosmd"]
    blocks = []
    for kind in kinds:
        mine = heights.filter(kind=kind)
        codes = sorted(mine["language"].unique())
        panels = [
            _ridge(mine.filter(language=code), shares.filter(kind=kind, language=code), kind, marks, titles[code])
            for code in codes
        ]
        blocks.append(alt.hconcat(*panels, spacing=64))
    subtitle = "Dotted: the documented .50 and .85. Strong: the recommended gate. Right: share of pairs at .50 and .85 or above."
    return _whole(alt.vconcat(*blocks, spacing=34), f"Where cosines lie · {titles['']}", subtitle)


def merging(merged: pl.DataFrame, mark: float | None, titles: dict[str, str]) -> Any:
    """Precision and recall of merging, over the threshold, with the word checks and by the cosine alone.

    Args:
        merged: ``kind language words threshold precision recall``, of one scale.
        mark: The recommended threshold.
    """
    import altair as alt

    kinds = [kind for kind in ("facts", "stsb") if kind in merged["kind"].unique().to_list()]
    blocks = []
    for kind in kinds:
        rows = merged.filter((pl.col("kind") == kind) & (pl.col("threshold") >= 0.5))
        long = rows.unpivot(
            ["precision", "recall"], index=["language", "words", "threshold"], variable_name="what", value_name="share"
        ).drop_nulls("share")
        long = long.with_columns(
            pl.col("what").replace_strict({"precision": "#0072B2", "recall": "#E69F00"}).alias("colour")
        )
        panels = [
            _curves(
                long.filter(language=code), mark, f"{titles[code]}, {KINDS[kind]}", "share of merges, of duplicates"
            )
            for code in sorted(long["language"].unique())
        ]
        blocks.append(alt.hconcat(*panels, spacing=64))
    subtitle = "Whole lines: the cosine nominates and words may refuse. Dashed: the cosine decides alone."
    return _whole(alt.vconcat(*blocks, spacing=34), f"Precision and recall of “the same fact” · {titles['']}", subtitle)


def losses(shares: pl.DataFrame, mark: float | None, titles: dict[str, str]) -> Any:
    """The share of facts lost to a dedup threshold, by what they are to the fact that they are merged into.

    Args:
        shares: ``kind language relation words threshold share``, of one scale.
    """
    import altair as alt

    rows = shares.filter(
        (pl.col("relation") != "duplicate") & (pl.col("threshold") >= 0.5) & (pl.col("kind") != "taosmd")
    )
    kinds = [kind for kind in ("facts", "stsb") if kind in rows["kind"].unique().to_list()]
    blocks = []
    for kind in kinds:
        mine = rows.filter(kind=kind).with_columns(
            pl.col("relation").replace_strict(COLOURS).alias("colour"),
            pl.col("relation").replace_strict(SAID[kind], default=None).alias("what"),
        )
        panels = [
            _curves(
                mine.filter(language=code),
                mark,
                f"{titles[code]}, {KINDS[kind]}",
                "lost, of pairs of the kind",
                left=True,
            )
            for code in sorted(mine["language"].unique())
        ]
        blocks.append(alt.hconcat(*panels, spacing=64))
    subtitle = (
        "Facts that are not the same and would be merged. Whole lines: words may refuse. Dashed: the cosine alone."
    )
    return _whole(alt.vconcat(*blocks, spacing=34), f"Lost facts, by dedup threshold · {titles['']}", subtitle)


def gates(table: pl.DataFrame, mark: float, titles: dict[str, str]) -> Any:
    """What a gate misses against what it costs, a line a size of the store; and its cost by the size, a line a gate.

    Args:
        table: ``language stored gate calls missed``, of one scale.
        mark: The recommended gate.
    """
    import altair as alt

    codes = sorted(table["language"].unique())
    above = alt.hconcat(*(_trade(table.filter(language=code), mark, titles[code]) for code in codes), spacing=70)
    below = alt.hconcat(*(_by_size(table.filter(language=code), mark) for code in codes), spacing=70)
    subtitle = (
        "Cost: the chance that a fact which replaces nothing asks a model all the same. "
        "Missed: repetitions, updates and denials below the gate."
    )
    return _whole(alt.vconcat(above, below, spacing=30), f"The gate of reconciliation · {titles['']}", subtitle)


def _ridge(heights: pl.DataFrame, shares: pl.DataFrame, kind: str, marks: Sequence[float], title: str) -> Any:
    import altair as alt

    known = [name for name in SAID[kind] if name in heights["relation"].unique().to_list()]
    tall = float(heights["height"].max() or 1.0)  # type: ignore[arg-type]
    size = ROW * len(known) + 26
    layers = [
        _upright((0.5, 0.85), FAINT, 1.0, [2, 3], WIDE),
        *([_upright(marks, INK, 1.5, [], WIDE)] if marks else []),
    ]
    x = alt.X("at:Q", title="cosine").scale(domain=WIDE, nice=False)
    x = x.axis(values=[0, 0.25, 0.5, 0.85, 1], format=".2~f", grid=False)
    scale = alt.Scale(domain=[0, size], nice=False)
    words = []
    for place, name in enumerate(known):
        foot = ROW * (len(known) - place - 1) + 3
        data = [
            {"at": at, "low": foot, "high": foot + 1.5 * ROW * (height / tall) ** 0.7}
            for at, height in heights.filter(pl.col("relation") == name, pl.col("at") <= 1.0)
            .select("at", "height")
            .iter_rows()
        ]
        base = charted(data)
        fill = base.mark_area(color=COLOURS[name], opacity=0.4, line=False).encode(
            x=x, y=alt.Y("low:Q", axis=None, scale=scale), y2="high:Q"
        )
        edge = base.mark_line(color=COLOURS[name], strokeWidth=1.7).encode(
            x=x, y=alt.Y("high:Q", axis=None, scale=scale)
        )
        layers += [fill, edge]
        row = shares.filter(relation=name).to_dicts()[0]
        said = {"name": SAID[kind][name], "pairs": f"{row['pairs']} pairs", "low": foot + ROW * 0.36}
        words.append(said | {"half": _percent(row["at_50"]), "high": _percent(row["at_85"]), "colour": COLOURS[name]})
    texts = charted(words).encode(
        y=alt.Y("low:Q", axis=None, scale=scale), color=alt.Color("colour:N", scale=None, legend=None)
    )
    for place, field, weight, shift, faint in (
        *((-10, "name", 600, -7, False), (-10, "pairs", 400, 8, True)),
        *((WIDTH + 50, "half", 400, 0, False), (WIDTH + 100, "high", 600, 0, False)),
    ):
        mark = texts.mark_text(
            align="right", baseline="middle", fontWeight=weight, dy=shift, fontSize=11 if faint else 12.5
        )
        mark = mark.encode(x=alt.value(place), text=f"{field}:N")
        layers.append(mark.encode(color=alt.value(SOFT)) if faint else mark)
    if marks:
        named = charted([{"at": one, "said": f"gate {_short(one)}"} for one in marks])
        layers.append(
            named.mark_text(align="right", baseline="top", dx=-4, color=INK, fontSize=11.5, fontWeight=600).encode(
                x=alt.X("at:Q").scale(domain=WIDE, nice=False), y=alt.value(-2), text="said:N"
            )
        )
    for place, said_ in ((WIDTH + 50, "≥ .50"), (WIDTH + 100, "≥ .85")):
        head = charted([{"said": said_}]).mark_text(align="right", color=SOFT, fontSize=11.5)
        layers.append(head.encode(x=alt.value(place), y=alt.value(2), text="said:N"))
    heading = alt.TitleParams(f"{title}, {KINDS[kind]}", color=INK, frame="group")
    return alt.layer(*layers).properties(width=WIDTH, height=size, title=heading)


def _curves(rows: pl.DataFrame, mark: float | None, title: str, y_title: str, *, left: bool = False) -> Any:
    """Lines over the threshold, each with its name at one end; ``rows``: ``what colour words threshold share``."""
    import altair as alt

    top = min(1.0, max(0.05, float(rows["share"].max() or 0.0)))  # type: ignore[arg-type]
    top = 1.0 if top > 0.8 else top * 1.05
    x = alt.X("threshold:Q", title="dedup threshold").scale(domain=HALF, nice=False)
    x = x.axis(values=[0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 1.0], format=".2~f", grid=False, labelFlush=False)
    y = alt.Y("share:Q", title=y_title).scale(domain=[0, top], nice=False)
    y = y.axis(format=".0%", tickCount=5, orient="right" if left else "left")
    base = charted(rows.to_dicts()).encode(
        x=x, y=y, color=alt.Color("colour:N", scale=None, legend=None), detail="what:N"
    )
    alone = base.transform_filter("!datum.words").mark_line(strokeWidth=1.7, strokeDash=[5, 3], opacity=0.75)
    whole = base.transform_filter("datum.words").mark_line(strokeWidth=2.8)
    end = pl.col("threshold").min() if left else pl.col("threshold").max()
    ends = rows.filter(~pl.col("words") if left else pl.col("words"))
    ends = ends.filter(pl.col("threshold") == end.over("what")).sort("what")
    pixels = [HEIGHT * (1 - share / top) for share in ends["share"]]
    places = spread(pixels, 17, 8, HEIGHT - 8)
    data = [
        {
            "name": row["what"],
            "colour": row["colour"],
            "share": row["share"],
            "threshold": row["threshold"],
            "place": place,
        }
        for row, place in zip(ends.to_dicts(), places, strict=True)
    ]
    names = charted(data).encode(color=alt.Color("colour:N", scale=None, legend=None))
    text = names.mark_text(align="right" if left else "left", baseline="middle", fontWeight=600).encode(
        x=alt.value(-20 if left else WIDTH + 20), y=alt.Y("place:Q", scale=None, axis=None), text="name:N"
    )
    rule = names.mark_rule(strokeWidth=1, opacity=0.6).encode(
        x=alt.value(-16 if left else WIDTH + 4), x2=alt.value(-4 if left else WIDTH + 16), y=y, y2="to:Q"
    )
    rule = rule.transform_calculate(to=f"{top} * (1 - datum.place / {HEIGHT})")
    lines = [_upright([0.85], FAINT, 1.0, [2, 3], HALF), *([_upright([mark], INK, 1.4, [], HALF)] if mark else [])]
    text = text.transform_calculate(to="0")
    layers = alt.layer(alt.layer(*lines, alone, whole, rule), text).resolve_scale(y="independent")
    return layers.properties(width=WIDTH, height=HEIGHT, title=alt.TitleParams(title, color=INK, frame="group"))


def _trade(rows: pl.DataFrame, mark: float, title: str) -> Any:
    """Missed against called: a line a size; the gates are levels, since what is missed does not depend on the size."""
    import altair as alt

    missed = dict(
        rows.unique("gate", keep="first", maintain_order=True).sort("gate").select("gate", "missed").iter_rows()
    )
    top = 0.64
    shown = rows.filter((pl.col("missed") <= top - 0.04) & (pl.col("calls") < 0.99999))
    sizes = sorted(rows["stored"].unique())
    shades = dict(zip(sizes, SHADES[-len(sizes) :], strict=True))
    shown = shown.with_columns(pl.col("stored").replace_strict(shades, return_dtype=pl.String).alias("colour"))
    x = alt.X("calls:Q", title="model calls, of facts that replace nothing").scale(domain=[0, 1], nice=False)
    x = x.axis(format=".0%", tickCount=6, grid=False, labelFlush=False)
    y = alt.Y("missed:Q", title="missed, of what is about a stored fact").scale(domain=[0, top], nice=False)
    y = y.axis(format=".0%", tickCount=6, grid=False)
    levels = [
        {"missed": missed[gate], "gate": gate, "strong": gate == mark}
        for gate in sorted({*(0.4, 0.5, 0.6, 0.7), mark})
        if gate in missed and missed[gate] <= top
    ]
    places = spread([HEIGHT * (1 - one["missed"] / top) for one in levels], 15, 6, HEIGHT - 6)
    for one, place in zip(levels, places, strict=True):
        one |= {"place": top * (1 - place / HEIGHT), "said": f"gate {one['gate']:.3f}".rstrip("0").replace("0.", ".")}
    gate = charted(levels).encode(y=y)
    flat = gate.mark_rule(color=FAINT, strokeDash=[2, 3]).transform_filter("!datum.strong")
    strong = gate.mark_rule(color=INK, strokeWidth=1.4).transform_filter("datum.strong")
    said = gate.mark_text(align="left", baseline="middle", fontSize=11.5).encode(
        x=alt.value(WIDTH + 8),
        y=alt.Y("place:Q"),
        text="said:N",
        color=alt.condition("datum.strong", alt.value(INK), alt.value(SOFT)),
    )
    base = charted(shown.sort("stored", "gate").to_dicts())
    line = base.mark_line(strokeWidth=2.4).encode(
        x=x, y=y, order="gate:Q", detail="stored:N", color=alt.Color("colour:N", scale=None, legend=None)
    )
    tops = [one for one in (shown.filter(stored=size).sort("gate").tail(1).to_dicts() for size in sizes) if one]
    xs = spread([WIDTH * one[0]["calls"] for one in tops], 36, 6, WIDTH)
    ends = [
        {"px": px, "missed": one[0]["missed"], "colour": one[0]["colour"], "said": f"{one[0]['stored']}"}
        for one, px in zip(tops, xs, strict=True)
    ]
    size = charted(ends).mark_text(baseline="bottom", fontWeight=600, dy=-3)
    size = size.encode(
        x=alt.X("at:Q"), y=y, text="said:N", color=alt.Color("colour:N", scale=None, legend=None)
    ).transform_calculate(at=f"datum.px / {WIDTH}")
    heading = alt.TitleParams(title, subtitle="a line a number of stored facts", color=INK, frame="group")
    return alt.layer(flat, strong, line, said, size).properties(width=WIDTH, height=HEIGHT, title=heading)


def _by_size(rows: pl.DataFrame, mark: float) -> Any:
    import altair as alt

    gates = sorted({0.3, 0.4, 0.5, 0.6, 0.7, 0.8, mark})
    mine = rows.filter(pl.col("gate").is_in(gates)).sort("gate", "stored")
    light = dict(zip([gate for gate in gates if gate != mark], SHADES, strict=False))
    mine = mine.with_columns(
        pl.col("gate").replace_strict({**light, mark: INK}, return_dtype=pl.String).alias("colour"),
        pl.when(pl.col("gate") == mark).then(3.2).otherwise(2.0).alias("wide"),
    )
    sizes = sorted(mine["stored"].unique())
    x = alt.X("stored:Q", title="stored facts of the subject").scale(type="log", domain=[1, sizes[-1]], nice=False)
    x = x.axis(values=sizes, format="d", grid=False, labelFlush=False)
    y = alt.Y("calls:Q", title="model calls").scale(domain=[0, 1], nice=False).axis(format=".0%", tickCount=5)
    colour = alt.Color("colour:N", scale=None, legend=None)
    base = charted(mine.to_dicts()).encode(x=x, y=y, color=colour, detail="gate:N")
    ends = mine.filter(pl.col("stored") == sizes[-1]).to_dicts()
    places = spread([HEIGHT * (1 - one["calls"]) for one in ends], 15, 6, HEIGHT - 6)
    for one, place in zip(ends, places, strict=True):
        one |= {"place": 1 - place / HEIGHT, "said": f"gate {one['gate']:.3f}".rstrip("0").replace("0.", ".")}
    names = charted(ends).encode(color=colour)
    text = names.mark_text(align="left", baseline="middle", fontSize=11.5, fontWeight=600)
    text = text.encode(x=alt.value(WIDTH + 20), y=alt.Y("place:Q"), text="said:N")
    rule = names.mark_rule(strokeWidth=1, opacity=0.7)
    rule = rule.encode(x=alt.value(WIDTH + 5), x2=alt.value(WIDTH + 16), y="calls:Q", y2="place:Q")
    line = base.mark_line().encode(strokeWidth=alt.StrokeWidth("wide:Q", scale=None, legend=None))
    return alt.layer(line, base.mark_point(filled=True, size=34, opacity=1), rule, text).properties(
        width=WIDTH, height=HEIGHT
    )


def _upright(at: Sequence[float], colour: str, width: float, dash: list[float], domain: tuple[float, float]) -> Any:
    """Vertical lines at cosines, over the whole height."""
    import altair as alt

    data = charted([{"at": one} for one in dict.fromkeys(at)])
    return data.mark_rule(color=colour, strokeWidth=width, strokeDash=dash).encode(
        x=alt.X("at:Q").scale(domain=domain, nice=False)
    )


def _whole(chart: Any, title: str, subtitle: str) -> Any:
    import altair as alt

    return chart.properties(title=alt.TitleParams(title, subtitle=subtitle, fontSize=18), config=config())


def _short(cosine: float) -> str:
    return f"{cosine:.3f}".rstrip("0").rstrip(".").removeprefix("0")


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share == 0.0 or share >= 0.0995 else f"{100 * share:.1f} %"
