"""What the study of dedup says: losses and repetitions by threshold, and what whole memories came to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from arandu_lab.bench.cards import LANGUAGES, Card, milliseconds, percent
from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.studies.costs import Bill
from arandu_lab.bench.studies.dropping import Message
from arandu_lab.bench.studies.freely import Free
from arandu_lab.bench.studies.plan import languages
from arandu_lab.bench.studies.plans import DedupPlan
from arandu_lab.bench.studies.study import Study, signed
from arandu_lab.trace import Usage

NAME, GATE = "semantic_dedup_threshold", "reconcile_gate"
READINGS = ("extracted", "gold", "as one message")


def study_of(
    plan: DedupPlan,
    sets: Sequence[Dataset],
    read: Mapping[tuple[str, str], list[Message]],
    curves: pl.DataFrame,
    wholes: Mapping[str, Free],
    bill: Bill,
    paid: Usage,
) -> Study:
    """The study from what was measured."""
    tables: dict[str, Card] = {}
    found: list[str] = []
    for language, mine in languages(sets).items():
        name = LANGUAGES.get(language, language)
        some = curves.filter(pl.col("dataset").is_in([one.name for one in mine]))
        tables[f"{name}: facts lost / repetitions kept, by threshold ({', '.join(one.name for one in mine)})"] = _card(
            plan, some
        )
        found += _sentences(name, plan, some)
    for setting, done in wholes.items():
        tables[f"Whole write side, {setting}: what was stored and found"] = _whole_card(sets, done)
    if NAME not in wholes and plan.written:
        found.append(
            f"Written at {', '.join(f'{one:g}' for one in plan.written)}, every memory would be the same: none of these"
            " thresholds drops anything else of what was extracted than the default, so none was written."
        )
    return Study(
        name="dedup",
        title="Dedup threshold: facts lost against duplicates kept",
        about=(
            f"{plan.model}, {plan.embedder}; {', '.join(one.name for one in sets)}. A fact is lost when nothing kept says it any"
            " more. With words: cosine nominates, words confirm (as shipped); without: the cosine alone."
        ),
        found=tuple(found),
        tables=tables,
        frames={"curves": curves, **{f"memories_{name}": one.memories for name, one in wholes.items()}},
        bill=bill,
        paid=paid,
    )


def _card(plan: DedupPlan, some: pl.DataFrame) -> Card:
    default = default_of(plan, NAME)
    shown = sorted(
        {*(one for one in plan.thresholds if round(one * 20, 6) % 2 == 0), *plan.written, default} & {*plan.thresholds}
    )
    cells = []
    for reading in READINGS:
        for asked in (True, False):
            mine = some.filter((pl.col("reading") == reading) & (pl.col("words") == asked))
            by = {
                row["threshold"]: row
                for row in mine.group_by("threshold").agg(pl.col("facts", "lost", "left").sum()).iter_rows(named=True)
            }
            facts = next(iter(by.values()))["facts"] if by else 0
            cells.append(
                (
                    reading,
                    "yes" if asked else "no",
                    f"{facts:,}",
                    *(f"{by[one]['lost']} / {by[one]['left']}" for one in shown),
                )
            )
    head = ("facts of", "words", "facts", *(f"{one:g}{'*' if one == default else ''}" for one in shown))
    return Card(head, tuple(cells))


def _sentences(name: str, plan: DedupPlan, some: pl.DataFrame) -> list[str]:
    """What the default does with and without words, on each reading."""
    default = default_of(plan, NAME)
    near = min(plan.thresholds, key=lambda one: abs(one - default))
    out = []
    for reading in READINGS:
        mine = some.filter((pl.col("reading") == reading) & (pl.col("threshold") == near))
        sides = [
            mine.filter(pl.col("words") == asked).select(pl.col("facts", "lost", "lost_updates", "left").sum())
            for asked in (True, False)
        ]
        if mine.is_empty() or not sides[0]["facts"][0]:
            continue
        (facts, lost, updates, left), (_, bare, bare_updates, bare_left) = (side.row(0) for side in sides)
        out.append(
            f"{name}, {reading}, at {near:g}: of {facts:,} facts {lost} lost ({updates} of them news of a change) and {left}"
            f" repetitions kept; without words {bare} lost ({bare_updates} news) and {bare_left} kept."
        )
    return out


def _whole_card(sets: Sequence[Dataset], done: Free) -> Card:
    from arandu_lab.bench.studies.paired import share

    swept = done.swept
    labels = done.memories["arm"].unique(maintain_order=True).to_list()
    cells = []
    for dataset in sets:
        messages = done.messages.filter(pl.col("dataset") == dataset.name)
        for place, label in enumerate(labels):
            mine = done.memories.filter((pl.col("dataset") == dataset.name) & (pl.col("arm") == label))
            if mine.is_empty():
                continue
            arms = (label, labels[0])
            both = [share(what, messages, *columns, arms=arms) for what, columns in _SHARES.items()]
            mean = swept.answers.filter(
                (pl.col("dataset") == dataset.name) & (pl.col("point") == place) & ~pl.col("absent")
            )["R@10"].mean()
            turns = int(mine["turns"].sum())
            cells.append(
                (
                    dataset.name,
                    f"{label}{' (default)' if not place else ''}",
                    f"{mine['facts'].sum():,}",
                    f"{mine['live'].sum():,}",
                    f"{mine['duplicates'].sum():,}",
                    *(percent(one.first) for one in both),
                    "" if not place else signed(both[1].difference.interval.mean) if both[1].difference else "–",
                    percent(mean if isinstance(mean, float) else None),
                    f"{mine['calls'].sum() / turns:.2f}",
                    f"{mine['tokens'].sum() / turns:,.0f}",
                    milliseconds(float((mine["ms"] * mine["turns"]).sum()) / turns),
                )
            )
    head = ("set", "value", "stored", "live", "dup", "P", "R", "R − default", "R@10", "calls/msg", "tok/msg", "ms/msg")
    return Card(head, tuple(cells))


def default_of(plan: DedupPlan, name: str) -> float:
    """What a setting is where the study does not vary it."""
    from arandu_lab.config import MemoryConfig

    return float(plan.settings.get(name, getattr(MemoryConfig(), name)))


_COUNTED = ["facts", "lost", "lost_updates", "left"]
_SHARES: Mapping[str, tuple[str, str]] = {"precision": ("right", "facts"), "recall": ("kept", "due")}
