"""What the study of extraction says: figures in pairs with their intervals, the price beside them, a sentence a set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from arandu_lab.bench.cards import Card, dollars, milliseconds, percent
from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.studies.costs import Bill
from arandu_lab.bench.studies.freely import MEASURES, Free
from arandu_lab.bench.studies.paired import Paired, mean, share
from arandu_lab.bench.studies.plans import ExtractionPlan
from arandu_lab.bench.studies.study import Study, between, signed
from arandu_lab.llm.prices import FREE
from arandu_lab.trace import Usage

PAIR = ("informed", "blind")
ALL = "all sets"


def study_of(
    plan: ExtractionPlan, sets: Sequence[Dataset], messages: pl.DataFrame, freed: Free | None, bill: Bill, paid: Usage
) -> Study:
    """The study from what was measured."""
    found: list[str] = []
    figures: list[dict[str, Any]] = []
    tables: dict[str, Card] = {}
    for dataset in sets:
        mine = messages.filter(pl.col("dataset") == dataset.name)
        rows = _figures(mine, bill)
        figures += [{"dataset": dataset.name, "way": "teacher-forced", **_flat(one, falls)} for one, falls, _ in rows]
        tables[f"{dataset.name}, teacher-forced: {rows[0][0].messages:,} messages"] = _card(rows)
        found.append(_sentence(dataset.name, rows, bill))
        failed = mine.filter(pl.col("error").is_not_null())
        if not failed.is_empty():
            found.append(f"{dataset.name}: {failed.height} readings failed and are left out: {failed['error'][0]}")
        fallen = mine.filter((pl.col("arm") == "informed") & (pl.col("mode") == "blind")).height
        if fallen:
            found.append(f"{dataset.name}: {fallen} informed readings failed and fell back to the blind way")
    if messages["conversation"].n_unique() > 1:
        rows = _figures(messages, bill)
        figures += [{"dataset": ALL, "way": "teacher-forced", **_flat(one, falls)} for one, falls, _ in rows]
        tables[f"{ALL}, teacher-forced: {rows[0][0].messages:,} messages of {rows[0][0].clusters}"] = _card(rows)
        found.append(_sentence(ALL, rows, bill))
    if freed is not None:
        card, rows_free = _free_card(sets, freed)
        figures += rows_free
        tables["Free-running: each with the memory that it wrote"] = card
    frames = {
        "figures": pl.DataFrame(figures, schema=_FIGURES),
        "messages": messages,
        **({} if freed is None else {"free_messages": freed.messages, "memories": freed.memories}),
    }
    return Study(
        name="extraction",
        title="Informed against blind extraction",
        about=(
            f"{plan.model}; {', '.join(one.name for one in sets)}. Teacher-forced: both read each message on the same memory"
            f" (dry runs, in turns first); it then hears the {plan.teacher} one. Intervals: 95 %, over conversations, or over"
            " sessions where there is one conversation (then nothing is known of others)."
        ),
        found=tuple(found),
        tables=tables,
        frames=frames,
        bill=bill,
        paid=paid,
    )


def _figures(mine: pl.DataFrame, bill: Bill) -> list[tuple[Paired, bool, str]]:
    """(figure, whether less is better, its kind), in the order of the table."""
    known = mine.with_columns(
        (pl.col("input_tokens") + pl.col("output_tokens")).alias("tokens"),
        pl.struct("input_tokens", "output_tokens")
        .map_elements(
            lambda one: bill.prices.cost(_priced(bill), one["input_tokens"], one["output_tokens"]),
            return_dtype=pl.Float64,
        )
        .alias("usd"),
    )
    rows = [
        (share("precision", known, "right", "facts", arms=PAIR), False, "share"),
        (share("recall", known, "kept", "due", arms=PAIR), False, "share"),
        (mean("facts a message", known, "facts", arms=PAIR), False, "count"),
        (mean("duplicates a message", known, "duplicates", arms=PAIR), True, "count"),
        (mean("calls a message", known, "calls", arms=PAIR), True, "count"),
        (mean("tokens a message", known, "tokens", arms=PAIR), True, "tokens"),
        (mean("USD a message", known, "usd", arms=PAIR), True, "usd"),
        (mean("ms a message", known, "ms", arms=PAIR), True, "ms"),
    ]
    return [one for one in rows if one[0].messages]


def _card(rows: Sequence[tuple[Paired, bool, str]]) -> Card:
    cells = []
    for one, falls, kind in rows:
        form, scale, unit = _KINDS[kind]
        d = one.difference
        digits = {"share": ".1f", "tokens": ",.0f", "usd": ".6f"}.get(kind, ".2f")
        said = one.said(falls=falls, scale=scale, unit=unit) if kind == "share" else _plainly(one, falls)
        cells.append(
            (
                one.what,
                form(one.first),
                form(one.second),
                "–" if d is None else signed(d.interval.mean, digits, scale=scale),
                "–" if d is None else between(d.interval.low, d.interval.high, digits, scale=scale),
                said,
            )
        )
    return Card(("", "informed", "blind", "informed − blind", "95 % interval", "so informed is"), tuple(cells))


def _sentence(name: str, rows: Sequence[tuple[Paired, bool, str]], bill: Bill) -> str:
    by = {one.what: one for one, _, _ in rows}
    tokens, calls = by["tokens a message"], by["calls a message"]
    quality = [by[one] for one in ("precision", "recall") if one in by and by[one].difference is not None]
    words = []
    alike, room = True, 0.0
    for one in quality:
        assert one.difference is not None
        level = one.difference.interval
        alike = alike and not level.excludes_zero
        room = max(room, *(abs(one) for one in (level.low, level.high) if one is not None), abs(level.mean))
        words.append(f"{one.what} {signed(level.mean)} points [{between(level.low, level.high)}]")
    price = _price(by.get("USD a message"), bill)
    cost = (
        f"{_ratio(tokens)} of the tokens and {_ratio(calls)} of the calls of blind"
        f" ({tokens.first:,.0f} against {tokens.second:,.0f} tokens a message{price})"
    )
    if not quality:
        return f"{name}: without gold nothing is known of quality; informed asks {cost}."
    over = quality[0].clusters
    if all(one.difference is not None and not one.difference.wins and not one.difference.losses for one in quality):
        return (
            f"{name}: informed and blind are right and wrong about the same on all {quality[0].messages:,} messages (over {over}),"
            f" as W4 wants them equivalent; informed asks {cost}."
        )
    if alike:
        return (
            f"{name}: no difference in quality between informed and blind can be shown (informed − blind: {'; '.join(words)};"
            f" over {over}; so a difference of up to {100 * room:.1f} points is not ruled out). W4 wants them equivalent; informed"
            f" asks {cost}."
        )
    return (
        f"{name}: the two differ in quality (informed − blind: {'; '.join(words)}; over {over}); informed asks {cost}."
    )


def _price(usd: Paired | None, bill: Bill) -> str:
    if usd is None or usd.first is None or usd.second is None:
        return ""
    return f"; {1000 * usd.first:.3f} against {1000 * usd.second:.3f} USD a thousand messages at the price of {_priced(bill)}"


def _free_card(sets: Sequence[Dataset], freed: Free) -> tuple[Card, list[dict[str, Any]]]:
    cells, rows = [], []
    for dataset in sets:
        messages = freed.messages.filter(pl.col("dataset") == dataset.name)
        both = {
            "P": share("precision", messages, "right", "facts", arms=PAIR),
            "R": share("recall", messages, "kept", "due", arms=PAIR),
        }
        memories = freed.memories.filter(pl.col("dataset") == dataset.name)
        means = _asked(freed, dataset.name)
        for place, arm in enumerate(PAIR):
            one = memories.filter(pl.col("arm") == arm)
            if one.is_empty():
                continue
            turns = int(one["turns"].sum())
            cells.append(
                (
                    dataset.name,
                    arm,
                    *(percent(each.second if place else each.first) for each in both.values()),
                    f"{one['facts'].sum():,}",
                    f"{one['duplicates'].sum():,}",
                    *(percent(means.get((measure, place))) for measure in MEASURES),
                    f"{one['calls'].sum() / turns:.2f}",
                    f"{one['tokens'].sum() / turns:,.0f}",
                    milliseconds(float((one["ms"] * one["turns"]).sum()) / turns),
                )
            )
        for name, (low, high) in {one.what: _ends(one) for one in both.values()}.items():
            each = both["P" if name == "precision" else "R"]
            rows.append(
                {"dataset": dataset.name, "way": "free-running", **_flat(each, False), "low": low, "high": high}
            )
        rows += _asked_rows(freed, dataset.name)
    head = ("set", "arm", "P", "R", "stored", "dup", *MEASURES, "calls/msg", "tok/msg", "ms/msg")
    return Card(head, tuple(cells)), rows


def _asked(freed: Free, dataset: str) -> dict[tuple[str, int], float | None]:
    """(measure, point) -> its mean over a dataset's questions; point 0 is informed."""
    mine = freed.swept.answers.filter((pl.col("dataset") == dataset) & ~pl.col("absent"))
    found: dict[tuple[str, int], float | None] = {}
    for (point,), part in mine.group_by("point"):
        for measure in MEASURES:
            found[measure, int(str(point))] = part[measure].mean()  # type: ignore[assignment]
    return found


def _asked_rows(freed: Free, dataset: str) -> list[dict[str, Any]]:
    from arandu_lab.bench.statistics import compare

    mine = freed.swept.answers.filter((pl.col("dataset") == dataset) & ~pl.col("absent"))
    keys = ("dataset", "conversation", "question", "category")
    out = []
    for measure in MEASURES:
        sides = [
            mine.filter(pl.col("point") == point).select(
                *keys, pl.lit(measure).alias("measure"), pl.col(measure).alias("value")
            )
            for point in (0, 1)
        ]
        first, second = (side["value"].mean() for side in sides)
        if first is None or second is None:
            continue
        one = compare(sides[1], sides[0], measure).interval
        out.append(
            {"dataset": dataset, "way": "free-running", "what": measure, "informed": first, "blind": second,
             "difference": one.mean, "low": one.low, "high": one.high, "falls": False}
        )  # fmt: skip
    return out


def _flat(one: Paired, falls: bool) -> dict[str, Any]:
    low, high = _ends(one)
    mean_ = None if one.difference is None else one.difference.interval.mean
    return {"what": one.what, "informed": one.first, "blind": one.second, "difference": mean_, "low": low, "high": high,
            "falls": falls}  # fmt: skip


def _ends(one: Paired) -> tuple[float | None, float | None]:
    return (None, None) if one.difference is None else (one.difference.interval.low, one.difference.interval.high)


def _plainly(one: Paired, falls: bool) -> str:
    """More, fewer or neither, for figures that are no quality."""
    if one.difference is None:
        return "nothing to compare"
    d = one.difference
    if not d.wins and not d.losses:
        return "the same throughout"
    if d.interval.low is None:
        return "of this one session; no interval"
    if not d.interval.excludes_zero:
        return "not distinguishable"
    word = "higher" if d.interval.mean > 0 else "lower"
    return f"{word}{f', {_ratio(one)} of blind' if one.second else ''}"


def _ratio(one: Paired) -> str:
    return "–" if not one.second or one.first is None else f"{100 * one.first / one.second:.0f} %"


def _priced(bill: Bill) -> str:
    return bill.priced_as if bill.model == FREE and bill.priced_as else bill.model


_KINDS: Mapping[str, tuple[Any, float, str]] = {
    "share": (percent, 100.0, "points"),
    "count": (lambda one: "–" if one is None else f"{one:.2f}", 1.0, "a message"),
    "tokens": (lambda one: "–" if one is None else f"{one:,.0f}", 1.0, "tokens"),
    "usd": (dollars, 1.0, "USD"),
    "ms": (milliseconds, 1.0, "ms"),
}
_FIGURES: dict[str, Any] = {
    **dict.fromkeys(("dataset", "way", "what"), pl.String),
    **dict.fromkeys(("informed", "blind", "difference", "low", "high"), pl.Float64),
    "falls": pl.Boolean,
}
