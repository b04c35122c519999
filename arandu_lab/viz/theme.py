"""One look for every picture: quiet axes, Okabe and Ito's colours, a colour and a shape for each system for good.

The colours stay apart for the common kinds of colour blindness, and no picture relies on colour alone: every line and
point has its name beside it. Our systems are drawn strong, controls lighter, chance as a dotted floor.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

INK, SOFT, GRID, PAPER = "#1f2933", "#66717d", "#e7eaee", "#ffffff"
FONT = "DejaVu Sans, Verdana, sans-serif"

STYLES: dict[str, tuple[str, str]] = {
    "arandu": ("#0072B2", "circle"),
    "arandu-blind": ("#56B4E9", "circle"),
    "verbatim": ("#CC79A7", "diamond"),
    "fused": ("#D55E00", "square"),
    "dense": ("#009E73", "triangle-up"),
    "bm25": ("#E69F00", "triangle-down"),
    "recency": ("#8c7b6b", "cross"),
    "random": ("#9aa5b1", "cross"),
    "chance": ("#9aa5b1", "cross"),
    "full_context": ("#4b5563", "square"),
    "oracle": ("#111827", "diamond"),
}
"""System -> colour and shape. Others take the next of :data:`SPARE` in order of name."""

SPARE = ("#882255", "#117733", "#999933", "#332288", "#AA4499", "#44AA99", "#661100", "#6699CC")
_ALTAIR_REFUSES = 5_000
"""Rows from which altair wants to be asked."""

STRONG = ("arandu", "workspace")


def style_of(names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Colour and shape of each system, always the same for a name of the box.

    >>> style_of(["bm25", "mine"])
    {'bm25': ('#E69F00', 'triangle-down'), 'mine': ('#882255', 'circle')}
    """
    out: dict[str, tuple[str, str]] = {}
    strangers = [name for name in sorted(set(names)) if name not in STYLES]
    for name in names:
        out[name] = STYLES.get(name) or (SPARE[strangers.index(name) % len(SPARE)], "circle")
    return out


def strong(name: str) -> bool:
    """Whether a line is drawn in full weight: systems of ours and of the user, not controls nor their variants.

    >>> strong("arandu-wide"), strong("mine"), strong("bm25-text"), strong("bm25(text)")
    (True, True, False, False)
    """
    return name.startswith(STRONG) or re.split(r"[-(]", name)[0] not in STYLES


def config() -> dict[str, Any]:
    """The Vega-Lite configuration."""
    text = {"labelFont": FONT, "titleFont": FONT, "labelColor": SOFT, "titleColor": INK}
    return {
        "background": PAPER,
        "font": FONT,
        "padding": 16,
        "view": {"stroke": None},
        "axis": {
            **text,
            "labelFontSize": 12,
            "titleFontSize": 13,
            "titleFontWeight": "normal",
            "titlePadding": 10,
            "gridColor": GRID,
            "domainColor": "#c3cad2",
            "tickColor": "#c3cad2",
            "labelPadding": 5,
        },
        "axisY": {"domain": False, "ticks": False},
        "axisX": {"grid": False},
        "title": {
            "font": FONT,
            "fontSize": 15,
            "fontWeight": 600,
            "color": INK,
            "subtitleFont": FONT,
            "subtitleFontSize": 12.5,
            "subtitleColor": SOFT,
            "subtitlePadding": 5,
            "anchor": "start",
            "offset": 14,
        },
        "text": {"font": FONT, "fontSize": 12.5},
    }


def charted(rows: Sequence[Mapping[str, Any]]) -> Any:
    """A chart of some rows. They go in as a frame: altair copies and checks plain lists again with every chart around them."""
    import altair as alt
    import polars as pl

    if len(rows) > _ALTAIR_REFUSES:
        alt.data_transformers.disable_max_rows()
    return alt.Chart(pl.DataFrame(list(rows), infer_schema_length=None))


def shown(chart: Any) -> Any:
    """The chart, which a notebook then shows as a picture of its own: no browser's library is fetched.

    Unless somebody chose another renderer of altair's before.
    """
    import altair as alt

    if alt.renderers.active in ("", "default", "html"):
        alt.renderers.enable("svg")
    return chart


def save(spec: dict[str, Any], folder: Path, name: str, *, scale: float = 2.0) -> list[str]:
    """Write ``name.svg`` and ``name.png``; the names of the files. The same picture gives the same bytes."""
    import vl_convert

    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.svg").write_text(vl_convert.vegalite_to_svg(spec), encoding="utf-8")
    (folder / f"{name}.png").write_bytes(vl_convert.vegalite_to_png(spec, scale=scale))
    return [f"{name}.svg", f"{name}.png"]
