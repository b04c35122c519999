"""What each message costs: tokens asked, a bar a message, a colour a stage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from arandu_lab.results import WriteResult
from arandu_lab.viz.theme import GRID, INK, SPARE, charted, config

STEPS: Mapping[str, tuple[str, str]] = {
    "extraction": ("#0072B2", "extraction"),
    "resolve": ("#56B4E9", "who is meant"),
    "reconcile": ("#E69F00", "new or known"),
    "judge": ("#CC79A7", "judging"),
}
"""Step of a trace -> colour and words."""


def spent(results: Mapping[str, WriteResult]) -> pl.DataFrame:
    """``place message stage calls tokens``: what each step of each write asked of models, from results with a trace.

    ``results`` maps what a row is called (the message, shortened) to what ``write(…, verbose=True)`` returned.
    """
    rows = [
        {
            "place": place,
            "message": name,
            "stage": step.name,
            "calls": step.usage.calls,
            "tokens": step.usage.total_tokens,
        }
        for place, (name, result) in enumerate(results.items(), 1)
        for step in (result.pipeline.steps if result.pipeline is not None else ())
    ]
    schema: dict[str, Any] = {
        "place": pl.Int64,
        "message": pl.String,
        "stage": pl.String,
        "calls": pl.Int64,
        "tokens": pl.Int64,
    }
    return pl.DataFrame(rows, schema=schema)


def bill(table: pl.DataFrame, *, title: str = "What each message costs") -> Any:
    """A bar a message, as long as the tokens it asks for, parted by stage; stages that ask nothing are not shown.

    Args:
        table: As :func:`spent` makes it.
        title: Of the picture.

    Returns:
        An altair chart; ``.to_dict()`` is its specification.

    >>> told = {"place": 1, "message": "Hi", "stage": "extraction", "calls": 1, "tokens": 900}
    >>> bill(pl.DataFrame([told])).to_dict()["title"]["subtitle"]
    '1 messages, 1 calls, 900 tokens asked.'
    """
    import altair as alt

    asked = table.filter(pl.col("tokens") > 0)
    stages = _ordered(asked["stage"].unique().to_list())
    totals = table.group_by("place", "message", maintain_order=True).agg(pl.col("tokens", "calls").sum())
    names = [f"{place} · {_short(said)}" for place, said in totals.select("place", "message").rows()]
    by_place = dict(zip(totals["place"].to_list(), names, strict=True))
    bars = [
        {"message": by_place[row["place"]], "tokens": row["tokens"], "stage": words, "order": place}
        for row in asked.iter_rows(named=True)
        for place, (stage, _, words) in enumerate(stages)
        if stage == row["stage"]
    ]
    ends = [
        {"message": name, "tokens": tokens, "said": f"{tokens:,}  ({calls} call{'s' * (calls != 1)})"}
        for name, tokens, calls in zip(names, totals["tokens"], totals["calls"], strict=True)
    ]
    y = alt.Y("message:N", sort=names, title=None).axis(labelLimit=330, ticks=False, domain=False, labelColor=INK)
    colour = alt.Color("stage:N", title=None).scale(domain=[one[2] for one in stages], range=[one[1] for one in stages])
    x = alt.X("tokens:Q", title="tokens").axis(grid=True, gridColor=GRID, tickCount=6)
    drawn = (
        charted(bars)
        .mark_bar(height=13)
        .encode(y=y, x=x.stack("zero"), color=colour.legend(orient="top"), order="order:Q")
    )
    words = (
        charted(ends).mark_text(align="left", dx=6, color=INK, fontSize=11.5).encode(y=y, x="tokens:Q", text="said:N")
    )
    said = f"{len(names)} messages, {totals['calls'].sum()} calls, {totals['tokens'].sum():,} tokens asked."
    return alt.layer(drawn, words).properties(
        width=430, height=24 * max(len(names), 1), title=alt.TitleParams(title, subtitle=said), config=config()
    )


def _ordered(stages: Iterable[str]) -> list[tuple[str, str, str]]:
    """Stage, colour and words: those of the box in their order, others by name."""
    found = set(stages)
    known = [(stage, *STEPS[stage]) for stage in STEPS if stage in found]
    return known + [(stage, SPARE[place % len(SPARE)], stage) for place, stage in enumerate(sorted(found - set(STEPS)))]


def _short(said: str, most: int = 46) -> str:
    return said if len(said) <= most else said[: most - 1].rstrip() + "…"
