"""The tables of a scorecard's report as Markdown, one function a section."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import polars as pl

from arandu_lab.bench.cards import GAP, Card, count, percent, third
from arandu_lab.bench.scorecard import tables
from arandu_lab.bench.scorecard.frames import Frames
from arandu_lab.bench.scorecard.reading_score import CUTS, SIGNALS
from arandu_lab.bench.scorecard.segments import STAGES

Form = Callable[[Any], str]
MODES = ("end-to-end", "oracle", "given")
WHOLE = ("end-to-end", "oracle")


def summary(frames: Frames) -> str:
    """A row a system, set and mode: the number of every stage, and what was delivered."""
    table = tables.card(frames)
    heads = ("system", "set", "mode", *STAGES, "delivered", "of", "forgotten", "ctx tok")
    cells = [
        (
            *(row["system"], row["dataset"], row["mode"]),
            *(percent(row[stage]) for stage in STAGES),
            *(
                percent(row["delivered"]),
                count(row["questions"]),
                percent(row["forgotten"]),
                count(row["context_tokens"]),
            ),
        )
        for row in table.iter_rows(named=True)
    ]
    return _card(heads, cells)


def losses(frames: Frames, *, facts: bool = False) -> str:
    """A row a system, set and mode, a column a fate and stage: how many questions were lost so; ``facts``: by facts alone."""
    runs = [run for run in _runs(frames, WHOLE) if not facts or tables.remembers(frames, *run)]
    counts = [
        {
            (row["stage"], row["outcome"]): row["count"]
            for row in tables.losses(tables.of(frames["questions"], *run), facts=facts).iter_rows(named=True)
        }
        for run in runs
    ]
    fates = sorted({one for some in counts for one in some}, key=lambda one: (STAGES.index(one[0]), one[1]))
    if not fates:
        return "No question was lost."
    cells = [
        (*run, *(count(some.get(fate)) for fate in fates), count(sum(some.values())))
        for run, some in zip(runs, counts, strict=True)
    ]
    return _card(("system", "set", "mode", *(f"{outcome} ({stage})" for stage, outcome in fates), "lost"), cells)


def examples(frames: Frames, most: int) -> Iterator[str]:
    """Of each system and set end to end, some lost questions: one of each kind of loss, the most frequent first, then seconds."""
    for system, dataset, mode in _runs(frames, ("end-to-end",)):
        lost = tables.of(frames["questions"], system, dataset, mode, "all").filter(
            (pl.col("kind") == "answerable") & pl.col("stage").is_not_null()
        )
        if lost.is_empty() or not most:
            continue
        kind = ("outcome", "stage")
        counted = lost.with_columns(
            pl.int_range(pl.len()).over(kind).alias("again"), pl.len().over(kind).alias("often")
        )
        some = counted.filter(pl.col("again") < _SUCH).sort(
            "again", "often", *kind, descending=[False, True, False, False], maintain_order=True
        )
        yield f"### {system} over {dataset}: {min(most, some.height)} of {lost.height} lost questions"
        yield "\n".join(_example(row) for row in some.head(most).iter_rows(named=True))


def _example(row: dict[str, Any]) -> str:
    """What was asked, what was said, and what happened instead."""
    said = f" Said: “{_short(row['turn'] + ' ' + row['said'])}”." if row["said"] else ""
    asked = _short(f"{row['question']}: {row['text']}")
    return (
        f"* {asked} → {row['answer'] or GAP}.{said} **{row['outcome']}** ({row['stage']}, {row['often']} such): "
        f"{_short(row['happened'])}"
    )


def categories(frames: Frames) -> str:
    """Share of questions delivered, by category."""
    columns = _runs(frames, WHOLE)
    found = [tables.by_category(tables.of(frames["questions"], *one)) for one in columns]
    names = list(dict.fromkeys(name for one in found for name in sorted(one)))
    if not names:
        return "No question has an answer."
    cells = [
        (_named(run), *(_of(*one[name]) if name in one else GAP for name in names))
        for run, one in zip(columns, found, strict=True)
    ]
    return _card(("delivered", *names), cells)


def apart(frames: Frames) -> str:
    """Questions without an answer, on lines of their own."""
    cells = []
    for system, dataset, mode in _runs(frames, WHOLE):
        one = tables.apart(tables.of(frames["questions"], system, dataset, mode))
        by = ", ".join(f"{stage} {number}" for stage, number in one["stages"].items()) or GAP
        share = percent(one["forgotten"] / one["deletion"]) if one["deletion"] else GAP
        cells.append(
            (
                *(system, dataset, mode, count(one["never_said"]), count(one["context_tokens"])),
                *(count(one["deletion"]), share, count(one["not_forgotten"]), by),
            )
        )
    heads = (
        "system",
        "set",
        "mode",
        "never said",
        "ctx tok",
        "to be forgotten",
        "forgotten %",
        "not forgotten",
        "by stage",
    )
    return (
        "Apart from all figures above. *never said*: there is nothing to find, so no stage can lose it; *ctx tok* is what "
        "a reader is shown all the same. *not forgotten*: what was to be forgotten, or a turn that says it, stands in the "
        "context.\n\n" + _card(heads, cells)
    )


def given(frames: Frames) -> str:
    """The number of each stage on gold input beside the one end to end (of what reached it)."""
    cells = []
    for system, dataset, _ in _runs(frames, ("given",)):
        for stage in STAGES:
            sides = [tables.stage_number(frames, system, dataset, mode, stage) for mode in MODES]
            cells.append((system, dataset, stage, percent(sides[2]), percent(sides[0]), percent(sides[1])))
    return _GIVEN + _card(("system", "set", "stage", "gold input", "end to end", "oracle"), cells)


def oracle(frames: Frames) -> str:
    """What the later stages lose alone: questions lost by each stage, end to end and with the gold read."""
    cells = []
    for system, dataset, _ in _runs(frames, ("oracle",)):
        for mode in WHOLE:
            steps = tables.waterfall(tables.of(frames["questions"], system, dataset, mode))
            lost = dict(steps.select("stage", "lost").iter_rows())
            left = dict(steps.select("stage", "left").iter_rows())
            cells.append(
                (
                    system,
                    dataset,
                    mode,
                    count(left["questions"]),
                    *(count(lost[s]) for s in STAGES),
                    count(left["delivered"]),
                )
            )
    return _card(("system", "set", "mode", "questions", *STAGES, "delivered"), cells)


def extraction(frames: Frames) -> str:
    """What was read: facts, exact facts, names, relations, dates, categories, false memories; and what dedup kept."""
    forms: list[tuple[str, str, Form]] = [
        *((f"fact {short}", name, percent) for short, name in _PRF),
        *((f"exact {short}", f"exact_{name}", percent) for short, name in _PRF),
        *((f"name {short}", f"entity_{name}", percent) for short, name in _PRF),
        *((f"rel {short}", f"relation_{name}", percent) for short, name in _PRF),
        ("dates", "dates", percent),
        ("dated", "dated", count),
        ("category", "category", percent),
        ("false mem", "false_memory", percent),
        ("facts/100", "false_facts", count),
    ]

    def numbers(system: str, dataset: str, mode: str) -> tables.Numbers:
        one = tables.extraction(
            tables.of(frames["read"], system, dataset, mode), tables.of(frames["turns"], system, dataset, mode, "all")
        )
        return one if one["f1"] is not None else {}

    return _numbers(frames, MODES, forms, numbers)


def resolution(frames: Frames) -> str:
    """Whether names of one entity share a key, and the worst of who was merged or split."""
    forms: list[tuple[str, str, Form]] = [
        *((f"B3 {short}", f"b3_{name}", percent) for short, name in _PRF),
        *((f"pair {short}", f"pair_{name}", percent) for short, name in _PRF),
        ("over", "over", percent),
        ("under", "under", percent),
        ("coverage", "coverage", percent),
        ("names", "mentions", count),
        ("merged", "merged", _listed),
        ("split", "split", _listed),
    ]

    def numbers(system: str, dataset: str, mode: str) -> tables.Numbers:
        one = tables.resolution(tables.of(frames["mentions"], system, dataset, mode))
        return one if one["mentions"] else {}

    return _numbers(frames, MODES, forms, numbers)


def reconciliation(frames: Frames) -> str:
    """What was decided, and what it left in the store."""
    forms: list[tuple[str, str, Form]] = [
        ("reached", "reached", count),
        ("of", "gold", count),
        ("accuracy", "accuracy", percent),
        ("target", "target", percent),
        ("both, macro", "macro", percent),
        ("missed update", "missed_update", percent),
        ("false close", "false_close", percent),
        ("stale", "stale", percent),
        ("by cascade", "stale_cascade", percent),
        ("rows", "rows", count),
        ("live", "live", count),
    ]

    def numbers(system: str, dataset: str, mode: str) -> tables.Numbers:
        one = tables.decisions(tables.of(frames["decisions"], system, dataset, mode))
        rows = tables.of(frames["rows"], system, dataset, mode)
        return {**one, **(tables.store(rows) if rows.height else {})} if one["gold"] else {}

    return _numbers(frames, MODES, forms, numbers)


def state(frames: Frames) -> str:
    """What was held to be true at the sampled instants."""
    names = (
        "live",
        "true",
        "right",
        "missing",
        "stale",
        "by_cascade",
        "duplicate",
        "invented",
        "misfiled",
        "misdated",
        "mirrors",
        "notes",
        "derived",
    )
    forms: list[tuple[str, str, Form]] = [
        ("instants", "instants", count),
        *((short, name, percent) for short, name in _PRF),
        *((name.replace("_", " "), name, count) for name in names),
    ]

    def numbers(system: str, dataset: str, mode: str) -> tables.Numbers:
        one = tables.states(tables.of(frames["instants"], system, dataset, mode))
        return one if one["instants"] else {}

    return _numbers(frames, MODES, forms, numbers)


def signals(frames: Frames) -> str:
    """Where each signal ranks the first evidence, and whether current values come before earlier ones."""
    cells = []
    for system, dataset, mode in _runs(frames, WHOLE):
        pieces = tables.of(frames["evidence"], system, dataset, mode, "all")
        if pieces["row_fate"].is_null().all():
            continue
        first = tables.of(frames["questions"], system, dataset, mode, "all")["current_first"].drop_nulls()
        table = {row["signal"]: row for row in tables.signals(pieces).iter_rows(named=True)}
        final = table["final order"]
        cells.append(
            (
                *(system, dataset, mode, *(third(table[signal]["mrr"]) for signal in SIGNALS)),
                *(percent(final[f"R@{cut}"]) for cut in CUTS),
                count(final["n"]),
                f"{percent(tables.mean(first))} of {first.len()}" if first.len() else GAP,
            )
        )
    heads = (
        "system",
        "set",
        "mode",
        *(f"{one} MRR" for one in SIGNALS),
        *(f"R@{cut}" for cut in CUTS),
        "n",
        "current first",
    )
    return _card(heads, cells) if cells else "No system here keeps facts."


def context(frames: Frames) -> str:
    """What reaches the reader: of the pieces that each reading stage got, those that it passed on; and tokens."""
    cells = []
    for system, dataset, mode in _runs(frames, WHOLE):
        pieces = tables.of(frames["evidence"], system, dataset, mode, "all")
        one = tables.funnel(pieces)
        facts, quoted = tables.delivered_by(frames, system, dataset, mode)
        asked = tables.of(frames["questions"], system, dataset, mode, "all")
        whole = tables.mean(pieces["fate"] == "delivered")
        cells.append(
            (
                *(system, dataset, mode),
                *(
                    f"{percent(one[s])} of {one[f'n_{s}']}" if one[s] is not None else GAP
                    for s in ("retrieval", "ranking", "context")
                ),
                *(percent(whole), count(facts), count(quoted), count(tables.mean(asked["context_tokens"]))),
            )
        )
    heads = (
        "system",
        "set",
        "mode",
        "retrieved",
        "kept",
        "in the context",
        "pieces delivered",
        "as facts",
        "by a quoted turn",
        "ctx tok",
    )
    return _card(heads, cells)


def cost(frames: Frames) -> str:
    """Calls and tokens over the whole replay, and the tokens of each stage; quality never without it."""
    cells = []
    for system, dataset, mode in _runs(frames, WHOLE):
        mine = tables.of(frames["costs"], system, dataset, mode)
        tokens = mine.with_columns((pl.col("input_tokens") + pl.col("output_tokens")).alias("tokens"))
        by_stage = dict(tokens.select("stage", "tokens").iter_rows())
        cells.append(
            (
                *(system, dataset, mode, count(int(mine["calls"].sum())), count(int(tokens["tokens"].sum()))),
                *(count(by_stage.get(stage) or None) for stage in STAGES),
                count(int(mine["embedded_texts"].sum())),
            )
        )
    heads = ("system", "set", "mode", "calls", "tokens", *STAGES, "texts embedded")
    return "Tokens in and out, caches not considered; by stage, the tokens of its models.\n\n" + _card(heads, cells)


def _numbers(
    frames: Frames,
    modes: Sequence[str],
    forms: list[tuple[str, str, Form]],
    of: Callable[[str, str, str], tables.Numbers],
) -> str:
    cells = []
    for run in _runs(frames, modes):
        if one := of(*run):
            cells.append((*run, *(form(one.get(name)) for _, name, form in forms)))
    return (
        _card(("system", "set", "mode", *(head for head, _, _ in forms)), cells)
        if cells
        else "No system here has this stage."
    )


def _runs(frames: Frames, modes: Sequence[str]) -> list[tuple[str, str, str]]:
    return [(system, dataset, mode) for system, dataset, _, mode in tables.runs(frames) if mode in modes]


def _named(run: tuple[str, str, str]) -> str:
    system, dataset, mode = run
    return f"{system} × {dataset}" + ("" if mode == "end-to-end" else f", {mode}")


def _card(heads: Iterable[str], cells: Sequence[Sequence[str]]) -> str:
    return Card(tuple(heads), tuple(map(tuple, cells))).markdown()


def _of(good: int, total: int) -> str:
    return f"{percent(good / total)} ({good}/{total})"


def _short(text: str) -> str:
    said = " ".join(text.split())
    return said if len(said) <= _LONG else said[: _LONG - 1].rstrip() + "…"


def _listed(found: dict[str, list[str]] | None) -> str:
    if not found:
        return GAP
    some = [f"{key}: {', '.join(names[:3])}{' …' if len(names) > 3 else ''}" for key, names in list(found.items())[:2]]
    return "; ".join(some) + (f" and {len(found) - 2} more" if len(found) > 2 else "")


_GIVEN = (
    "The stage alone, given gold by the stage before; beside it the same number of what really reached it. The two are not "
    "of the same questions: end to end a reading stage is asked only for facts that were read and stored, often the plain "
    "ones, on gold input for every fact there is, among all that are true. So *retrieval* may be lower on gold input.\n\n"
)
_LONG, _SUCH = 180, 3
_PRF = (("P", "precision"), ("R", "recall"), ("F1", "f1"))
