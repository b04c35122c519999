"""What the study of decay says: evidence found by its age, what was replaced before it, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl

from arandu_lab.bench.cards import LANGUAGES, Card, count, measure_format
from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.statistics import Difference, compare, holm, verdict
from arandu_lab.bench.studies.ages import before, firsts, shares, spans
from arandu_lab.bench.studies.costs import Bill
from arandu_lab.bench.studies.plan import languages
from arandu_lab.bench.studies.plans import DecayPlan
from arandu_lab.bench.studies.study import Study, between, signed
from arandu_lab.trace import Usage

HALF_LIFE, WEIGHT, CONFIDENCE = "recency_half_life_days", "recency weight", "confidence_half_life_days"
K = 10


def study_of(
    plan: DecayPlan,
    sets: Sequence[Dataset],
    settings: Sequence[Mapping[str, Any]],
    rows: pl.DataFrame,
    bill: Bill,
    paid: Usage,
) -> Study:
    """The study from what was measured."""
    found: list[str] = []
    tables: dict[str, Card] = {}
    figures: list[dict[str, Any]] = []
    for language, mine in languages(sets).items():
        name = LANGUAGES.get(language, language)
        some = rows.filter(pl.col("language") == language)
        told = _figures(plan, settings, some)
        figures += [{"language": name, **one} for one in told]
        tables[
            f"{name}: evidence among the ten best by its age, and what is over before it ({', '.join(one.name for one in mine)})"
        ] = _card(plan, settings, told)
        found += _sentences(name, told)
    return Study(
        name="decay",
        title="Decay: half-life and weight of recency, half-life of confidence",
        about=(
            f"{plan.model}; {', '.join(one.name for one in sets)}; {len(settings)} settings re-scored over memories written once."
            " Cells: share of the evidence of that age among the ten best turns (*all*: R@10); *RR* of all evidence; *over"
            " first*: of questions whose answer replaced another, the share in which the replaced one ranks before it; the lower"
            " the better. Differences are paired with the default, over conversations."
        ),
        found=tuple(found),
        tables=tables,
        frames={
            "figures": pl.DataFrame(figures, schema=_FIGURES),
            "settings": pl.DataFrame(
                [{key: one[key] for key in ("vary", "half_life", "weight", "confidence")} for one in settings]
            ),
            "turns": rows,
        },
        bill=bill,
        paid=paid,
    )


def _figures(plan: DecayPlan, settings: Sequence[Mapping[str, Any]], rows: pl.DataFrame) -> list[dict[str, Any]]:
    """A row a setting and figure: of each span of age, of all evidence, and of what is over."""
    by_span, over = shares(rows, K), before(rows)
    all_ages = shares(rows.with_columns(pl.lit(-1, dtype=pl.Int64).alias("span")), K)
    names = spans(plan.bins)
    parts: list[tuple[str, int, pl.DataFrame]] = [
        (one, place, by_span.filter(pl.col("span") == place)) for place, one in enumerate(names)
    ]
    parts.append(("all", -1, all_ages))
    parts.append(("RR", -3, firsts(rows)))
    parts.append(
        ("over first", -2, over.with_columns(pl.col("stale_first").alias("value"), pl.lit(0.5).alias("chance")))
    )
    out = []
    for what, span, frame in parts:
        base = frame.filter(pl.col("setting") == 0)
        for place, one in enumerate(settings):
            mine = frame.filter(pl.col("setting") == place)
            difference = None if base.is_empty() or not place else _against(base, mine)
            level = None if difference is None else difference.interval
            out.append(
                {
                    **{key: one[key] for key in _VARIED},
                    "setting": place,
                    "what": what,
                    "span": span,
                    "questions": len(mine),
                    "mean": mine["value"].mean(),
                    "chance": mine["chance"].mean(),
                    "difference": None if level is None else level.mean,
                    "low": None if level is None else level.low,
                    "high": None if level is None else level.high,
                    "wins": None if difference is None else difference.wins,
                    "losses": None if difference is None else difference.losses,
                    "p": None if difference is None else difference.p,
                    "said": "" if difference is None else verdict(difference, falls=what == "over first"),
                }
            )
    return out


def _against(base: pl.DataFrame, mine: pl.DataFrame) -> Difference:
    keys = ("dataset", "conversation", "question", "category")
    sides = [one.select(*keys, pl.lit("it").alias("measure"), "value") for one in (base, mine)]
    return compare(sides[0], sides[1], "it")


def _card(plan: DecayPlan, settings: Sequence[Mapping[str, Any]], told: Sequence[Mapping[str, Any]]) -> Card:
    names = [*spans(plan.bins), "all", "RR", "over first"]
    by = {(one["setting"], one["what"]): one for one in told}
    names = [one for one in names if by[0, one]["questions"]]
    cells: list[tuple[str, ...]] = []
    for place, one in sorted(enumerate(settings), key=lambda pair: _order(pair[1])):
        if one["vary"] == "both":
            continue
        last = by[place, "all"]
        cells.append(
            (
                _label(one),
                *(measure_format(name)(by[place, name]["mean"]) for name in names),
                "" if not place else signed(last["difference"]),
                "" if not place else between(last["low"], last["high"]),
            )
        )
    cells.append(("chance", *(measure_format(name)(by[0, name]["chance"]) for name in names), "", ""))
    cells.append(("questions", *(count(by[0, name]["questions"]) for name in names), "", ""))
    return Card(("setting", *names, "all − default", "95 % interval"), tuple(cells))


def _sentences(name: str, told: Sequence[Mapping[str, Any]]) -> list[str]:
    """What moved furthest, for all evidence and for what is over; each read as one of a family (Holm)."""
    out = []
    for what, word in (("all", "R@10"), ("RR", "RR"), ("over first", "what is over ranking first")):
        mine = [one for one in told if one["what"] == what and one["setting"]]
        known = [one for one in mine if one["difference"] is not None]
        form = measure_format(what)
        if not known:
            out.append(f"{name}: {word}: no question of these sets has any, so nothing is known of it.")
            continue
        falls = what == "over first"
        best = min(known, key=lambda one: (one["difference"] if falls else -one["difference"], one["setting"]))
        worst = max(known, key=lambda one: (one["difference"] if falls else -one["difference"], -one["setting"]))
        adjusted = holm([one["p"] for one in known]) if all(one["p"] is not None for one in known) else None
        default = next(one for one in told if one["what"] == what and not one["setting"])
        sure = sum(p is not None and p <= 0.05 for p in adjusted or ())
        family = (
            f"{sure} of {len(known)} settings stay distinguishable from the default among so many (Holm)"
            if adjusted is not None
            else "one conversation, so nothing is known of others"
        )
        sign = -1 if falls else 1
        ends = [
            _end(said, one, form)
            for said, one, way in (("best", best, sign), ("worst", worst, -sign))
            if way * one["difference"] > 0
        ]
        out.append(
            f"{name}: {word}: default {form(default['mean'])} ({default['questions']} questions);"
            f" {', '.join(ends) or 'no setting moves it'}; {family}. The best of many flatters itself: nothing is claimed of it"
            " here."
        )
    return out


def _end(word: str, one: Mapping[str, Any], form: Callable[[float | None], str]) -> str:
    moved = f"{signed(one['difference'])} [{between(one['low'], one['high'])}]"
    return f"{word} {_label(one)}: {form(one['mean'])} ({moved} points)"


def _label(one: Mapping[str, Any]) -> str:
    match one["vary"]:
        case "default":
            return f"default ({one['half_life']:g} d, {one['weight']:g}, {one['confidence']:g} d)"
        case "both":
            return f"half-life {one['half_life']:g} d, weight {one['weight']:g}"
        case vary if vary == WEIGHT:
            return f"recency weight {one['weight']:g}"
        case vary if vary == CONFIDENCE:
            return f"confidence half-life {one['confidence']:g} d"
    return f"recency half-life {one['half_life']:g} d"


def _order(one: Mapping[str, Any]) -> tuple[int, float, float]:
    place = ("default", HALF_LIFE, WEIGHT, CONFIDENCE, "both").index(one["vary"])
    return place, one["half_life"] if place == 1 else one["weight"] if place == 2 else one["confidence"], 0.0


_VARIED = ("vary", "half_life", "weight", "confidence")
_FIGURES: dict[str, Any] = {
    **dict.fromkeys(("language", "vary"), pl.String),
    **dict.fromkeys(("half_life", "weight", "confidence"), pl.Float64),
    "setting": pl.Int64,
    "what": pl.String,
    **dict.fromkeys(("span", "questions"), pl.Int64),
    **dict.fromkeys(("mean", "chance", "difference", "low", "high"), pl.Float64),
    **dict.fromkeys(("wins", "losses"), pl.Int64),
    "p": pl.Float64,
    "said": pl.String,
}
