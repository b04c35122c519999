"""What a blend listens to: a bar a column, to the right where it raises a turn and to the left where it lowers it."""

from __future__ import annotations

from typing import Any

import polars as pl

from arandu_lab.viz.theme import INK, charted, config

SEEN = {
    "z": ("#0072B2", "distance from the mean"),
    "rank": ("#56B4E9", "place"),
    "flag": ("#E69F00", "flag, as it is"),
}
ROW, WIDTH = 18, 460


def weights(table: pl.DataFrame, name: str) -> Any:
    """The columns that count, heaviest first, in the order given.

    Args:
        table: ``family column z rank flag``, null where a column is not seen that way.
        name: Of the blend.

    Returns:
        An altair chart; ``.to_dict()`` is its specification.
    """
    import altair as alt

    labels = [
        f"{family} · {column}" if family else column for family, column in table.select("family", "column").rows()
    ]
    bars = [
        {"label": label, "seen": words, "place": place, "weight": row[kind]}
        for label, row in zip(labels, table.iter_rows(named=True), strict=True)
        for place, (kind, (_, words)) in enumerate(SEEN.items())
        if row[kind]
    ]
    y = alt.Y("label:N", sort=labels, title=None).axis(labelLimit=260, ticks=False, domain=False, labelColor=INK)
    x = alt.X("weight:Q", title="weight, stacked").axis(grid=True, tickCount=8)
    said = [words for _, words in SEEN.values()]
    colour = alt.Color("seen:N", title=None).scale(domain=said, range=[colour for colour, _ in SEEN.values()])
    chart = charted(bars).encode(y=y, x=x.stack("zero"), color=colour.legend(orient="top"), order=alt.Order("place:Q"))
    zero = charted([{"x": 0}]).mark_rule(color=INK, strokeWidth=1).encode(x="x:Q")
    return alt.layer(chart.mark_bar(height=ROW - 6), zero).properties(
        width=WIDTH,
        height=ROW * max(len(labels), 1),
        title=alt.TitleParams(
            f"What the blend {name} listens to",
            subtitle="Right raises a turn, left lowers it. Columns that count nothing are not shown.",
        ),
        config=config(),
    )
