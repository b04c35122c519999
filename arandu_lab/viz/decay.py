"""Decay as pictures: how long facts rest, whether the chances are what happens, and what each policy hides for what it frees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from arandu_lab.viz.labels import spread
from arandu_lab.viz.theme import GRID, INK, PAPER, SOFT, charted, config

if TYPE_CHECKING:
    from arandu_lab.bench.decay.result import Decay

PANEL = (400, 300)
WIDE = (520, 360)
COLOURS = {
    "exponential": ("#0072B2", [1, 0]),
    "weibull": ("#D55E00", [7, 3]),
    "power": ("#009E73", [2, 2]),
    "vitality": ("#CC79A7", [1, 0]),
    "recency": ("#8c7b6b", [4, 2, 1, 2]),
}
"""Curve or score -> its colour and its dashes."""

POLICIES = {
    "context": ("#0072B2", [1, 0]),
    "every": ("#56B4E9", [7, 3]),
    "spaced": ("#009E73", [2, 2]),
    "none": ("#9aa5b1", [1, 0]),
    "recency": ("#8c7b6b", [4, 2, 1, 2]),
}
_GAP = 16.0
_OTHER = ("#882255", [1, 0])


def decay_picture(found: Decay) -> Any:
    """Two panels: the share of facts not used again over days, with curves; and predicted against observed reuse.

    Returns:
        An altair chart; ``.to_dict()`` is its specification.
    """
    import altair as alt

    horizon = f"{found.horizon:g} days"
    return alt.hconcat(_rest(found), _calibration(found), spacing=70).properties(
        title=alt.TitleParams(
            "How long facts rest between uses, and whether that can be foretold",
            subtitle=[
                "Left, grey steps: what was observed, without a curve; the band is the 95 % interval of the best curve.",
                f"Right: chance of reuse within {horizon}, agents that had no say in the fit; on the line it is what happens.",
            ],
            fontSize=18,
        ),
        config=config(),
    )


def hidden_picture(curve: pl.DataFrame) -> Any:
    """A line a policy: the share of needs that meet a hidden fact over the share of facts freed; dotted: chance.

    Args:
        curve: ``policy threshold freed missed low high chance``, as :class:`arandu_lab.bench.decay.Reinforcement` has it.
    """
    import altair as alt

    names = curve["policy"].unique(maintain_order=True).to_list()
    rows = curve.sort("policy", "threshold").unique(["policy", "freed"], keep="first", maintain_order=True)
    x = alt.X("freed:Q", title="share of the facts that is freed").scale(domain=[0, 1], nice=False)
    y = alt.Y("missed:Q", title="share of the needs that meet a hidden fact").scale(domain=[0, 1], nice=False)
    x, y = x.axis(format=".0%", tickCount=5, grid=True, gridColor=GRID), y.axis(format=".0%", tickCount=5)
    usual = rows.filter(policy="context" if "context" in names else names[0])
    equal = charted(usual.select("freed", pl.col("chance").alias("missed")).to_dicts())
    layers = [equal.mark_line(color=INK, strokeDash=[2, 3], strokeWidth=1.2).encode(x=x, y=y)]
    band = usual.drop_nulls("low")
    if not band.is_empty():
        colour = POLICIES.get(str(band["policy"][0]), _OTHER)[0]
        layers.append(
            charted(band.to_dicts()).mark_area(color=colour, opacity=0.13).encode(x=x, y="low:Q", y2="high:Q")
        )
    for name in names:
        colour, dashes = POLICIES.get(name, _OTHER)
        line = charted(rows.filter(policy=name).sort("freed", "missed").to_dicts())
        strong = 3.0 if name == "context" else 2.0
        layers.append(line.mark_line(color=colour, strokeDash=dashes, strokeWidth=strong).encode(x=x, y=y))
    layers += _names(rows, names)
    return alt.layer(*layers).properties(
        width=WIDE[0],
        height=WIDE[1],
        title=alt.TitleParams(
            "What forgetting hides, by what counts as a use",
            subtitle=[
                "Along a line the threshold rises below which facts are stale. Lower is better.",
                "Dotted: needs of any fact, by chance. Band: 95 % interval of the documented policy (context).",
            ],
            fontSize=18,
        ),
        config=config(),
    )


def _names(rows: pl.DataFrame, names: list[str]) -> list[Any]:
    """The name of each line at its own place along the way, on a light ground."""
    import altair as alt

    places = []
    for name in names:
        mine = rows.filter(policy=name).sort("freed")
        at = 0.6
        places.append((name, at, float(np.interp(at, mine["freed"].to_numpy(), mine["missed"].to_numpy()))))
    tops = spread([WIDE[1] * (1 - one[2]) for one in places], _GAP, 0, WIDE[1])
    out = []
    for (name, at, missed), top in zip(places, tops, strict=True):
        colour = POLICIES.get(name, _OTHER)[0]
        lead = [
            {"x": WIDE[0] * at, "y": WIDE[1] * (1 - missed)},
            {"x": WIDE[0] * 0.80, "y": min(top + 90, WIDE[1] - 8)},
        ]
        line = charted(lead).mark_line(color=colour, strokeWidth=0.7)
        out.append(line.encode(x=alt.X("x:Q", scale=None), y=alt.Y("y:Q", scale=None)))
        text = charted([{"name": name}]).mark_text(
            align="left", dx=5, color=colour, fontWeight=600 if name == "context" else "normal"
        )
        out.append(text.encode(x=alt.value(lead[1]["x"]), y=alt.value(lead[1]["y"]), text="name:N"))
    return out


def _rest(found: Decay) -> Any:
    import altair as alt

    first, last = float(found.drawn["days"].min()), float(found.drawn["days"].max())  # type: ignore[arg-type]
    x = alt.X("days:Q", title="days since the last use").scale(type="log", domain=[first, last], nice=False)
    x = x.axis(values=[one for one in (1, 3, 10, 30, 100, 300, 1000, 3000) if first <= one <= last], format="~g")
    y = alt.Y("share:Q", title="facts not used again").scale(domain=[0, 1], nice=False).axis(format=".0%", tickCount=5)
    seen = found.observed.filter(pl.col("days") <= last).to_dicts()
    band = found.drawn.filter(curve=found.best).drop_nulls("low").to_dicts()
    layers = [
        charted(seen).mark_line(color="#8b95a1", strokeWidth=4, opacity=0.55, interpolate="step-after").encode(x=x, y=y)
    ]
    if band:
        area = charted(band).mark_area(color=COLOURS[found.best][0], opacity=0.15)
        layers.insert(0, area.encode(x=x, y=alt.Y("low:Q").scale(domain=[0, 1]), y2="high:Q"))
    order = found.comparison["curve"].to_list()
    for name in order:
        colour, dashes = COLOURS[name]
        wide = 2.6 if name == found.best else 1.7
        line = charted(found.drawn.filter(curve=name).to_dicts())
        layers.append(line.mark_line(color=colour, strokeDash=dashes, strokeWidth=wide).encode(x=x, y=y))
    ends = [found.drawn.filter(curve=name)["share"][-1] for name in order]
    tops = spread([PANEL[1] * (1 - one) for one in ends], _GAP, 6, PANEL[1] - 6)
    for name, top in zip(order, tops, strict=True):
        bold = 600 if name == found.best else "normal"
        text = charted([{"name": name}]).mark_text(align="left", dx=6, color=COLOURS[name][0], fontWeight=bold)
        layers.append(text.encode(x=alt.value(PANEL[0]), y=alt.value(top), text="name:N"))
    return alt.layer(*layers).properties(width=PANEL[0], height=PANEL[1])


def _calibration(found: Decay) -> Any:
    import altair as alt

    names = [found.best, "vitality", "recency"]
    shown = found.bins.filter(pl.col("predictor").is_in(names))
    top = min(1.0, float(max(shown["predicted"].max(), shown["high"].max())) * 1.05)  # type: ignore[type-var,arg-type]
    x = alt.X("predicted:Q", title="predicted chance").scale(domain=[0, top], nice=False)
    y = alt.Y("observed:Q", title="observed share").scale(domain=[0, top], nice=False)
    x, y = x.axis(format=".0%", tickCount=5, grid=True, gridColor=GRID), y.axis(format=".0%", tickCount=5)
    equal = charted([{"predicted": 0.0, "observed": 0.0}, {"predicted": top, "observed": top}])
    layers = [equal.mark_line(color=SOFT, strokeDash=[2, 3], strokeWidth=1).encode(x=x, y=y)]
    shapes = ("circle", "diamond", "square")
    for name, shape in zip(names, shapes, strict=True):
        colour = COLOURS[name][0]
        mine = charted(shown.filter(predictor=name).sort("predicted").to_dicts())
        layers.append(mine.mark_line(color=colour, strokeWidth=1, opacity=0.6).encode(x=x, y=y))
        layers.append(mine.mark_rule(color=colour, strokeWidth=1.2, opacity=0.6).encode(x=x, y="low:Q", y2="high:Q"))
        mark = mine.mark_point(shape=shape, filled=True, size=70, color=colour, opacity=1, stroke=PAPER, strokeWidth=1)
        layers.append(mark.encode(x=x, y=y))
    for place, (name, shape) in enumerate(zip(names, shapes, strict=True)):
        key = charted([{"name": name}])
        off = 12.0 + 18.0 * place
        point = key.mark_point(shape=shape, filled=True, size=70, color=COLOURS[name][0], opacity=1)
        layers.append(point.encode(x=alt.value(14), y=alt.value(off)))
        text = key.mark_text(align="left", dx=10, color=INK)
        layers.append(text.encode(x=alt.value(14), y=alt.value(off), text="name:N"))
    return alt.layer(*layers).properties(width=PANEL[1], height=PANEL[1])
