"""Facts as lines in time: when each held, how it ended, what took its place."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import polars as pl

from arandu_lab.viz.theme import GRID, INK, PAPER, SOFT, charted, config

ENDS = {
    "open": ("#0072B2", "holds still"),
    "update": ("#E69F00", "another value came"),
    "stated": ("#009E73", "told as over"),
    "delete": ("#D55E00", "taken back"),
    "correction": ("#CC79A7", "corrected"),
}
"""How a fact ended -> colour and words; another way of ending has the colour of the last."""

ROW, WIDTH, MOST = 26, 640, 60


def lives(facts: pl.DataFrame, *, until: datetime | None = None, title: str = "What held when") -> Any:
    """Each fact as a bar from ``valid_from`` to ``valid_to``, with its words; a dot where the memory learnt it.

    Args:
        facts: As ``memory.facts`` and ``memory.history`` give them (``entity_name text valid_from valid_to recorded_at
            closed_by``), at most 60 are drawn.
        until: where open bars end; 5 % past the last date by default.
        title: Of the picture.

    Returns:
        An altair chart; ``.to_dict()`` is its specification.

    >>> moment = datetime(2025, 3, 1)
    >>> told = {"entity_name": "Ana", "text": "Ana lives in Recife", "valid_from": moment, "valid_to": None,
    ...         "recorded_at": moment, "closed_by": None}
    >>> lives(pl.DataFrame([told]), until=datetime(2025, 9, 1)).to_dict()["width"]
    640
    """
    import altair as alt

    shown = facts.sort("entity_name", "valid_from").head(MOST)
    first, last = _ends(shown)
    edge = until.replace(tzinfo=None) if until is not None else last + (last - first) * 0.05
    bars = [
        {
            "row": place,
            "who": row["entity_name"],
            "text": row["text"],
            "from": _plain(row["valid_from"]).isoformat(),
            "to": (edge if row["valid_to"] is None else _plain(row["valid_to"])).isoformat(),
            "told": _plain(row["recorded_at"]).isoformat(),
            "end": _end(row),
        }
        for place, row in enumerate(shown.iter_rows(named=True))
    ]
    height = ROW * max(len(bars), 1)
    names = {words: colour for colour, words in ENDS.values()}
    met = [words for words in names if any(bar["end"] == words for bar in bars)]
    colour = alt.Color("end:N", title=None).scale(domain=met, range=[names[one] for one in met]).legend(orient="top")
    y = alt.Y("row:O", axis=None)
    span = alt.X("from:T", title=None).scale(domain=[first.isoformat(), edge.isoformat()], nice=False)
    axis = alt.Axis(grid=True, gridColor=GRID, labelFlush=True, tickCount=8, orient="bottom")
    base = charted(bars).encode(y=y)
    bar = base.mark_bar(height=5, cornerRadius=2).encode(x=span.axis(axis), x2="to:T", color=colour)
    dot = base.mark_point(filled=True, size=42, opacity=1, stroke=PAPER, strokeWidth=1).encode(
        x=alt.X("told:T"), color=colour
    )
    middle = first + (edge - first) * 0.55
    said = {"dy": -9, "fontSize": 11.5, "color": INK, "limit": WIDTH}
    early, late = ([bar for bar in bars if (bar["from"] <= middle.isoformat()) is soon] for soon in (True, False))
    words = [
        charted(some).mark_text(align=align, **said).encode(y=y, x=alt.X(f"{at}:T"), text="text:N")
        for some, align, at in ((early, "left", "from"), (late, "right", "to"))
        if some
    ]
    heads = [
        {"row": bar["row"], "who": bar["who"]}
        for place, bar in enumerate(bars)
        if not place or bars[place - 1]["who"] != bar["who"]
    ]
    who = charted(heads).mark_text(align="right", dx=-10, dy=-2, fontWeight=600, fontSize=12, color=SOFT, limit=120)
    return alt.layer(bar, dot, *words, who.encode(y=y, x=alt.value(0), text="who:N")).properties(
        width=WIDTH,
        height=height,
        title=alt.TitleParams(
            title, subtitle="A bar is as long as the fact held; the dot is when the memory learnt it."
        ),
        config=config(),
    )


def _ends(shown: pl.DataFrame) -> tuple[datetime, datetime]:
    moments = [_plain(one) for name in ("valid_from", "valid_to", "recorded_at") for one in shown[name].drop_nulls()]
    if not moments:
        return datetime(1970, 1, 1), datetime(1970, 1, 2)
    return min(moments), max(max(moments), min(moments))


def _plain(moment: datetime) -> datetime:
    return moment.replace(tzinfo=None)


def _end(row: dict[str, Any]) -> str:
    if row["valid_to"] is None:
        return ENDS["open"][1]
    return ENDS.get(row["closed_by"] or "", ENDS["update"])[1]
