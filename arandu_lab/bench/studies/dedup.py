"""The dedup threshold: facts lost against duplicates kept, per language, and what it changes that words confirm.

Three readings of each set, the first as recorded once from the memory itself: what the model *extracts* of each message;
the *gold* facts of each message; and all gold facts of a conversation *as one message*, where repetitions are known. For
each, every threshold is reckoned from the same cosines and asks nothing. Then the whole write side is run at thresholds that
behave differently, and at other gates of reconciliation, through a cassette.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from arandu_lab.bench.cards import LANGUAGES
from arandu_lab.bench.data.model import Conversation, Dataset
from arandu_lab.bench.place import place_of
from arandu_lab.bench.scorecard.taps import listening, tapped
from arandu_lab.bench.studies.costs import Bill, Cost, allowance, bill_of, rest, said_of_cap, swept_cost
from arandu_lab.bench.studies.dedup_told import GATE, NAME, READINGS, default_of, study_of
from arandu_lab.bench.studies.dropping import Dropped, Message, dropped, gold_pieces, identified, message
from arandu_lab.bench.studies.freely import Free, free, free_cost
from arandu_lab.bench.studies.plan import planned
from arandu_lab.bench.studies.plans import DedupPlan
from arandu_lab.bench.studies.rehearsal import rehearsed
from arandu_lab.bench.studies.sets import shortened
from arandu_lab.bench.studies.study import Study
from arandu_lab.bench.sweeps.ingested import memory_of
from arandu_lab.bench.sweeps.purse import opened
from arandu_lab.bench.sweeps.watching import Told, watching
from arandu_lab.bench.workers import finished
from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.llm.prices import read_prices
from arandu_lab.systems.arandu import Arandu
from arandu_lab.trace import Usage

RESULTS = Path("results")


def study_dedup(dataset: Any, *, results: str | Path = RESULTS, progress: Any = None, **options: Any) -> Study:
    """Do the study over datasets with gold (names, or ``Dataset`` objects). ``options`` are fields of :class:`DedupPlan`.

    Raises:
        ConfigError: an unknown option or wrong value, a set without gold, or the cap.
        DatasetError: data that break their format.
    """
    plan, datasets = planned(DedupPlan, dataset, options)
    return dedup_done(plan, datasets, results=results, progress=progress)


def dedup_cost(plan: DedupPlan, datasets: Mapping[str, Dataset], *, results: str | Path = RESULTS) -> Bill:
    """What it would cost, at most: every threshold that is written counted, though those that drop the same are one."""
    place_of(results)
    sets = _sets(plan, datasets)
    total = Usage()
    for dataset in sets:
        for conversation in dataset:
            total = total + rehearsed(plan, dataset, conversation)
    turns = sum(len(one.turns) for dataset in sets for one in dataset)
    parts = [
        Cost(what="recording", work=f"{turns:,} messages written once", calls=total.calls, input_tokens=total.input_tokens,
             output_tokens=total.output_tokens)
    ]  # fmt: skip
    for name, values in ((NAME, plan.written), (GATE, plan.gates)):
        if values:
            told = free_cost(plan, sets, {name: values}, results=results)
            parts.append(swept_cost(name, f"{told.settings} settings", told))
    return bill_of(parts, plan.model, plan.priced_as)


def dedup_done(
    plan: DedupPlan, datasets: Mapping[str, Dataset], *, results: str | Path = RESULTS, progress: Any = None
) -> Study:
    """Do a plan. Raises as :func:`study_dedup`."""
    bill, sets, prices = dedup_cost(plan, datasets, results=results), _sets(plan, datasets), read_prices()
    bill.within(plan.most)
    paid = Usage()
    read: dict[tuple[str, str], list[Message]] = {}
    with watching(progress, "dedup threshold") as told:
        for dataset in sets:
            for conversation in dataset:
                llm, purse = opened(
                    plan.model, place_of(results), allowance=allowance(plan.most, plan.model, paid, prices)
                )
                try:
                    found = _messages(plan, dataset, conversation, llm, told)
                except ConfigError as error:
                    raise said_of_cap(purse, plan.most, paid, error) from None
                paid = paid + purse.paid
                for reading, messages in found.items():
                    read.setdefault((dataset.name, reading), []).extend(messages)
    curves = _curves(plan, sets, read)
    wholes: dict[str, Free] = {}
    for name, values in ((NAME, _different(plan, sets, read)), (GATE, plan.gates)):
        if values:
            default = default_of(plan, name)
            ordered = [default, *(one for one in values if one != default)]
            wholes[name] = free(
                plan,
                sets,
                {name: ordered},
                [f"{one:g}" for one in ordered],
                name=f"study-dedup-{'threshold' if name == NAME else 'gate'}",
                results=results,
                cap=rest(plan.most, plan.model, paid, prices),
                progress=progress,
            )
            paid = paid + wholes[name].swept.paid
    return study_of(plan, sets, read, curves, wholes, bill, paid)


def _messages(
    plan: DedupPlan, dataset: Dataset, conversation: Conversation, llm: Any, told: Told
) -> dict[str, list[Message]]:
    language = dataset.language.split("-")[0]
    system = memory_of(plan.row(), conversation, language=language, seed=plan.seed, llm=llm)
    system.assembly = replace(system.assembly, write=tapped(system.assembly.write))
    system.path = "memory://"
    extracted, embed = finished(_heard(system, conversation, told))
    sessions = conversation.session_of()
    pieces = {
        "extracted": [
            (turn, sessions[turn], facts, *identified(conversation, turn, facts)) for turn, facts in extracted if facts
        ],
        "gold": gold_pieces(conversation, whole=False),
        "as one message": gold_pieces(conversation, whole=True),
    }
    out: dict[str, list[Message]] = {}
    for reading, some in pieces.items():
        for turn, session, facts, same, kinds in some:
            vectors = np.asarray(finished(_embedded(embed, [text for _, text in facts])), dtype=np.float32)
            out.setdefault(reading, []).append(message(turn, session, facts, same, kinds, vectors, embed.scale))
    return out


async def _embedded(embed: Any, texts: list[str]) -> Any:
    return await embed(texts)


async def _heard(
    system: Arandu, conversation: Conversation, told: Told
) -> tuple[list[tuple[str, list[tuple[str, str]]]], Any]:
    """(subject, text) of what was extracted of each turn, before dedup; and the embedder that the memory uses."""
    out = []
    await system.begin(conversation.id)
    try:
        for place, turn in enumerate(conversation.turns):
            with listening() as heard:
                try:
                    await system.listen(turn)
                except BackendError:
                    continue  # nothing was read of it: it is no message of the study
            read = heard.get("extraction")
            out.append((turn.id, [(one.subject, one.text) for one in read.facts] if read is not None else []))
            told(place + 1, len(conversation.turns), "recording what is extracted")
        return out, system.memory.embed
    finally:
        await system.end()


def _curves(plan: DedupPlan, sets: Sequence[Dataset], read: Mapping[tuple[str, str], list[Message]]) -> pl.DataFrame:
    """A row a set, reading, threshold and rule (whether words are asked)."""
    rows = []
    for dataset in sets:
        for reading in READINGS:
            messages = read.get((dataset.name, reading), [])
            for asked in (True, False):
                for threshold in plan.thresholds:
                    done = [dropped(one, threshold, asked=asked) for one in messages]
                    rows.append(
                        {
                            "language": LANGUAGES.get(dataset.language.split("-")[0], dataset.language),
                            "dataset": dataset.name,
                            "reading": reading,
                            "words": asked,
                            "threshold": threshold,
                            "facts": sum(len(one.texts) for one in messages),
                            "lost": sum(len(one.lost) for one in done),
                            "lost_updates": sum(one.lost.count("UPDATE") for one in done),
                            "left": sum(one.left for one in done),
                            "right": sum(one.right for one in done),
                            "extra": sum(one.extra for one in done),
                        }
                    )
    return pl.DataFrame(rows, schema=_CURVES)


def _different(plan: DedupPlan, sets: Sequence[Dataset], read: Mapping[tuple[str, str], list[Message]]) -> list[float]:
    """Of the thresholds to be written, those that would drop something else than the default of what was extracted.

    A memory written under another threshold is the same as long as nothing else is dropped, and so is what is extracted next.
    """
    default = default_of(plan, NAME)
    messages = [one for dataset in sets for one in read.get((dataset.name, "extracted"), [])]

    def does(threshold: float) -> list[Dropped]:
        return [dropped(one, threshold, asked=True) for one in messages]

    usual = does(default)
    return [one for one in plan.written if one != default and does(one) != usual]


def _sets(plan: DedupPlan, datasets: Mapping[str, Dataset]) -> list[Dataset]:
    for one in datasets.values():
        if any(conversation.gold is None for conversation in one):
            raise ConfigError(
                f"{one.name} has no gold: which facts a threshold loses is not known; take harbor_en, mare_pt or a world"
            )
    return [shortened(one, turns=plan.turns, questions=plan.questions) for one in datasets.values()]


_CURVES: dict[str, Any] = {
    **dict.fromkeys(("language", "dataset", "reading"), pl.String),
    "words": pl.Boolean,
    "threshold": pl.Float64,
    **dict.fromkeys(("facts", "lost", "lost_updates", "left", "right", "extra"), pl.Int64),
}
