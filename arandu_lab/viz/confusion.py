"""What was decided about facts, for each decision that the gold wants: four by five, a panel a system and mode."""

from __future__ import annotations

from typing import Any

import polars as pl

from arandu_lab.viz.theme import INK, SOFT, charted, config
from arandu_lab.viz.waterfall import by_language

CELL = 54
WANTED, DECIDED = ("ADD", "UPDATE", "NOOP", "DELETE"), ("ADD", "UPDATE", "NOOP", "DELETE", "none")
_SAID = {"end-to-end": "end to end", "oracle": "extraction from the gold", "given": "on gold input"}


def confusions(table: pl.DataFrame, titles: dict[str, str]) -> Any:
    """A row of panels a language.

    Args:
        table: ``language system mode decision action count share``.
        titles: Language -> heading.

    Returns:
        An altair chart.
    """
    import altair as alt

    rows = by_language(table, titles, _panel, offset=14, spacing=26)
    return alt.vconcat(*rows, spacing=34).properties(
        title=alt.TitleParams(
            "What was decided, for each decision of the gold",
            subtitle=[
                "Rows: what should have been decided; columns: what was (none: the fact never came to be decided about).",
                "Shades and percentages are of the row; a frame marks what is right.",
            ],
            fontSize=18,
        ),
        config=config(),
    )


def _panel(table: pl.DataFrame, system: str, mode: str, *, first: bool) -> Any:
    import altair as alt

    cells = [
        {
            **row,
            "right": row["decision"] == row["action"],
            "number": f"{row['count']}" if row["count"] else "·",
            "percent": f"{100 * row['share']:.0f} %" if row["count"] else "",
            "ink": "white" if (row["share"] or 0) > 0.55 else INK if row["count"] else "#b3bbc4",
            "fill": row["share"] or 0.0,
        }
        for row in table.iter_rows(named=True)
    ]
    y = alt.Y("decision:N", title="gold" if first else None).scale(domain=WANTED, paddingInner=0.06)
    y = y.axis(labels=first, labelColor=INK, domain=False, ticks=False, titlePadding=12)
    x = alt.X("action:N", title="decided").scale(domain=DECIDED, paddingInner=0.06)
    x = x.axis(orient="bottom", labelAngle=0, labelColor=INK, domain=False, ticks=False)
    base = charted(cells).encode(x=x, y=y)
    shade = alt.Color("fill:Q", legend=None).scale(domain=[0, 1], range=["#f3f6f9", "#0b5c93"])
    boxes = base.mark_rect(cornerRadius=3).encode(color=shade)
    frames = base.transform_filter("datum.right").mark_rect(
        cornerRadius=3, filled=False, stroke="#D55E00", strokeWidth=2
    )
    ink = alt.Color("ink:N", scale=None, legend=None)
    numbers = base.mark_text(fontSize=14, fontWeight=600, dy=-5).encode(text="number:N", color=ink)
    shares = base.mark_text(fontSize=10.5, dy=11).encode(text="percent:N", color=ink)
    heading = alt.TitleParams(
        system, subtitle=_SAID.get(mode, mode), subtitleColor=SOFT, fontSize=14, offset=8, frame="group"
    )
    panel = alt.layer(boxes, frames, numbers, shares).resolve_scale(color="independent")
    return panel.properties(width=CELL * len(DECIDED), height=CELL * len(WANTED) * 0.82, title=heading)
