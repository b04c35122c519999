"""Fusion: arandu's signals and the workspace's voices in one pipeline; how to make one ranking of them.

    python benchmarks/study_fusion.py [--sets harbor_en mare_pt …] [--jobs 2] [--into docs/measured.md]

Each conversation is heard once by a documented memory. Every question is read once up to ``spread``, without a gate on
likeness, so that all live facts are candidates; then ``polyphony`` lets the workspace's voices speak about the same
facts, and each arm (signals x fusion) makes its own ranking of the same table. Evidence is the turns that facts came from;
turns that are quoted take no part. Differences are paired with the documented sum, question by question; intervals are over
conversations, a story told in two languages being one, and p is Holm's over the arms. A set is one conversation, so of its
arms only the order is told.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal

import numpy as np
import polars as pl
from measured import measured

from arandu_lab.bench import statistics
from arandu_lab.bench.data.model import Question
from arandu_lab.bench.data.registry import load
from arandu_lab.bench.measures.value import parse
from arandu_lab.bench.statistics.family import holm
from arandu_lab.bench.statistics.words import verdict
from arandu_lab.config import settings
from arandu_lab.knowledge import EpisodicEdge, MemoryFact
from arandu_lab.pipeline import Lab, Pipeline, stage
from arandu_lab.pipeline.lab import View
from arandu_lab.pipeline.node import Run
from arandu_lab.pure import intents
from arandu_lab.pure.episodic import ties
from arandu_lab.pure.fusion import by_max, reciprocal_rank_fusion
from arandu_lab.pure.memory_types import retained
from arandu_lab.read.found import Candidates, Query, in_order
from arandu_lab.read.mmr import mmr
from arandu_lab.read.stages import expand_query, plan, retrieval, spread
from arandu_lab.systems.arandu import AGENT, Arandu
from arandu_lab.trace import Span
from arandu_lab.workspace.categories import placed
from arandu_lab.workspace.search.episodic import episodic
from arandu_lab.workspace.search.found import Request, Spoken, nominated
from arandu_lab.workspace.search.library import Library
from arandu_lab.workspace.search.stages import classify, gather, recent, wording

SETS = ("harbor_en", "mare_pt", "brook_en", "brook_pt", "cove_en", "cove_pt")
MEASURES = ("R@10", "nDCG@10")
SIGNALS = {
    "arandu": {"semantic": 0.70, "recency": 0.20, "importance": 0.10, "keyword": 0.0, "graph": 0.0},
    "workspace": {"semantic": 0.40, "episodic": 0.25, "lexical": 0.20, "temporal": 0.15},
}
"""Where a signal is from, and what it weighs in a sum: the documented weights, and those of the default intent."""
SIGNALS["both"] = {
    name: sum(SIGNALS[one].get(name, 0.0) for one in ("arandu", "workspace")) / 2
    for name in {**SIGNALS["arandu"], **SIGNALS["workspace"]}
}
VOICE = {"keyword": "lexical", "graph": "graph", "episodic": "graph", "recency": "temporal"}
"""Which voice of ``pure/intents`` a signal counts as; the others bear its name, and importance has .10 for every intent."""
BASE = "arandu sum"


@stage
def polyphony(found: Candidates, lab: Lab) -> Candidates:
    """Let the workspace's voices speak about the candidates: columns ``lexical temporal episodic decay``."""
    table, library = found.table, library_of(lab.memory, found.plan.as_of)
    places = np.array([library.positions[one] for one in table["fact_id"]], dtype=np.int64)
    request = Request(query=found.plan.query.text, library=library)
    asked = classify.function(request, lab, timezone="UTC")
    candidates = np.isin(np.arange(len(library)), places)
    asked = replace(asked, open=candidates, walked=np.ones(len(library), dtype=np.bool_))
    near = np.full(len(library), np.nan)
    near[places] = table["semantic"]
    meant = Spoken(asked=asked, voice="semantic", scores=near, named=nominated(near, candidates, library.place, 100))
    voices = gather.function((wording.function(asked, lab), recent.function(asked, lab), meant), lab)
    voices = episodic.function(voices, lab)
    columns = {}
    for voice, name in (("lexical", "lexical"), ("temporal", "temporal"), ("graph", "episodic")):
        one = voices.spoken[voice]
        columns[name] = np.where(one.named, one.scores, np.nan)[places]
    decay = [retained(library.facts[place], found.plan.as_of) for place in places.tolist()]
    return found.having(table.with_columns(**columns, decay=np.array(decay, dtype=np.float64)))


@stage
def mixed(
    found: Candidates, lab: Lab, *, signals: Literal["arandu", "workspace", "both"],
    fusion: Literal["sum", "rrf", "intent"], decay: bool = False,
) -> Candidates:  # fmt: skip
    """Make ``score`` of signals: their weighted sum, their ranks, or their ranks weighed by the intent of the question."""
    table, weights = found.table, SIGNALS[signals]
    graph = np.maximum(table["graph"], table["spread"])
    told = {name: graph if name == "graph" else table[name] for name in weights}
    heard = {name: np.where(values > 0.0, values, np.nan) for name, values in told.items() if (values > 0.0).any()}
    if not len(table) or not heard:
        score = np.zeros(len(table))
    elif fusion == "sum":
        own = {"lexical", "temporal", "episodic"}
        parts = [weights[name] * np.nan_to_num(by_max(v) if name in own else v) for name, v in sorted(heard.items())]
        score = np.sum(parts, axis=0)
    else:
        shares = _shares(found.plan.query.text, heard) if fusion == "intent" else [1.0] * len(heard)
        place = np.empty(len(table))
        place[np.lexsort((table["fact_id"], -table["occurred_at"].astype(np.int64)))] = np.arange(len(table))
        ranked = reciprocal_rank_fusion(list(heard.values()), weights=shares, tie=place)
        score = np.nan_to_num(ranked) * 61.0 / sum(shares)
    score = score * table["decay"] if decay else score
    return found.having(table.with_columns(score=score, veto_margin=np.full(len(table), np.nan)))


def arms() -> dict[str, Pipeline]:
    """What is compared, by name: from ``polyphony`` to a score."""
    made: dict[str, Pipeline] = {}
    for signals in SIGNALS:
        plain = {fusion: mixed(signals=signals, fusion=fusion) for fusion in ("sum", "rrf", "intent")}
        made |= {f"{signals} {fusion}": Pipeline((node,)) for fusion, node in plain.items()}
        faded = mixed(signals=signals, fusion="intent", decay=True)
        made[f"{signals} intent+decay"] = Pipeline((faded,))
        made[f"{signals} intent+mmr"] = plain["intent"] >> mmr()
        made[f"{signals} intent+decay+mmr"] = faded >> mmr()
    return made


def library_of(view: View, now: datetime) -> Library:
    """The facts of an arandu memory as a workspace's: by category, topic is the entity, ties from turns and sessions."""
    kept: dict[str, Any] = view.kept.setdefault("study/fusion", {"facts": {}, "edges": [], "sessions": {}})  # type: ignore[attr-defined]
    facts: dict[str, MemoryFact] = kept["facts"]
    edges: list[EpisodicEdge] = kept["edges"]
    for place in range(len(facts), len(view.facts.ids)):
        fact = view.fact_at(place)
        domain, kind = placed(fact.category)
        event = view.event(fact.source_event_id)
        if event is not None and event.session_id:
            kept["sessions"][event.id] = event.session_id
        new = MemoryFact(
            id=fact.id, agent_id=AGENT, domain=domain, topic=fact.entity_name, content=fact.text, memory_type=kind,
            veracity="stated", confidence=fact.confidence, proposed_by=fact.speaker or AGENT, valid_from=fact.valid_from,
            recorded_at=fact.recorded_at, source_observation_ids=(fact.source_event_id,),
            last_mentioned_at=fact.last_confirmed_at or fact.recorded_at,
        )  # fmt: skip
        over = [fact.supersedes_fact_id] if fact.supersedes_fact_id else []
        edges += ties(new, facts.values(), kept["sessions"], superseded=over)
        facts[fact.id] = new
    if kept.get("counted") != len(facts):
        kept["counted"], kept["library"] = len(facts), Library(now=now, facts=tuple(facts.values()), edges=tuple(edges))
    library: Library = kept["library"].at(now)
    return library


def heard(name: str) -> list[dict[str, Any]]:
    """A row a question, arm and measure of one set."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return asyncio.run(_heard(name))


async def _heard(name: str) -> list[dict[str, Any]]:
    dataset, rows = load(name), []
    for talk in dataset:
        system = Arandu(sessions=True)
        waiting = sorted((q for q in talk.questions if q.evidence), key=lambda one: one.asked_at)
        await system.begin(talk.id)
        try:
            for turn in [*talk.turns, None]:
                while waiting and (turn is None or waiting[0].asked_at < turn.occurred_at):
                    question = waiting.pop(0)
                    for arm, ranked in (await rankings(system, question)).items():
                        rows += [
                            {"dataset": name, "conversation": talk.id, "question": question.id, "category": question.category,
                             "arm": arm, "measure": measure, "value": parse(measure)(ranked, question.evidence)}
                            for measure in MEASURES
                        ]  # fmt: skip
                if turn is not None:
                    await system.listen(turn)
        finally:
            await system.end()
    return rows


async def rankings(system: Arandu, question: Question) -> dict[str, list[str]]:
    """Turns best first, for each arm."""
    memory, prefix, chosen = system.memory, plan() >> expand_query() >> retrieval() >> spread() >> polyphony(), arms()
    wide = {"min_similarity": 0.0, "signal_limit": 100_000}
    _, values = settings(memory.config, (prefix, *chosen.values()), wide)
    run = Run(memory.lab(AGENT, question.asked_at, Span("study")), {**values, "min_score": 0.0}, Span("study"))
    found = await prefix.run(Query(agent_id=AGENT, text=question.text), run)
    out = {}
    for arm, pipeline in chosen.items():
        table = in_order((await pipeline.run(found, run)).table, "score")
        if "mmr_rank" in table:
            table = table.take(np.argsort(table["mmr_rank"], kind="stable"))
        events = [run.lab.memory.fact_at(place).source_event_id for place in table["position"].tolist()]
        out[arm] = list(dict.fromkeys(system.turn_ids[one] for one in events if one in system.turn_ids))
    return out


def main() -> int:
    """Print the tables, and in words what may be said."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="+", default=list(SETS))
    parser.add_argument("--jobs", type=int, default=2, help="worker processes")
    asked = parser.parse_args()
    with ProcessPoolExecutor(max_workers=asked.jobs) as pool:
        rows = [row for part in pool.map(heard, asked.sets) for row in part]
    frame = pl.DataFrame(rows)
    print(_means(frame, asked.sets))
    print("\n" + "\n".join(_by_set(frame, asked.sets)))
    print("\n" + "\n".join(_by_step(frame)))
    print("\n" + "\n".join(_by_category(frame)))
    return 0


def _means(frame: pl.DataFrame, sets: Sequence[str]) -> str:
    """R@10 and nDCG@10 of each arm on each set, and over all questions; the best of a column has a star."""
    columns = [(measure, name) for measure in MEASURES for name in (*sets, "all")]
    values = {
        (measure, name, arm): _mean(frame, measure, arm, None if name == "all" else name)
        for measure, name in columns
        for arm in arms()
    }
    lines = []
    for measure in MEASURES:
        lines.append(f"{measure:<26}" + "".join(f"{name:>11}" for name in (*sets, "all")))
        for arm in arms():
            best = {name: max(values[measure, name, one] for one in arms()) for name in (*sets, "all")}
            cells = [
                f"{values[measure, name, arm]:>10.1f}{'*' if values[measure, name, arm] == best[name] else ' '}"
                for name in (*sets, "all")
            ]
            lines.append(f"{arm:<26}" + "".join(cells))
        lines.append("")
    return "\n".join(lines).rstrip()


def _mean(frame: pl.DataFrame, measure: str, arm: str, name: str | None) -> float:
    mine = frame.filter((pl.col("measure") == measure) & (pl.col("arm") == arm))
    mine = mine if name is None else mine.filter(pl.col("dataset") == name)
    return round(float(mine["value"].mean()) * 100, 1)  # type: ignore[arg-type]


def _by_set(frame: pl.DataFrame, sets: Sequence[str]) -> Iterable[str]:
    """Each set: the best arm, and what may be said of it against the documented sum."""
    for measure in MEASURES:
        for name in (*sets, "all"):
            mine = frame if name == "all" else frame.filter(pl.col("dataset") == name)
            yield f"{measure}, {name}: " + _said(mine, measure)


def _by_step(frame: pl.DataFrame) -> Iterable[str]:
    """Over all sets: what each step does to the arm before it."""
    steps = (("rrf", "sum"), ("intent", "rrf"), ("intent+decay", "intent"), ("intent+mmr", "intent"))
    for measure in MEASURES:
        found = {}
        for signals in SIGNALS:
            for after, before in steps:
                sides = [_arm(frame, f"{signals} {one}") for one in (before, after)]
                found[f"{signals}: {after} against {before}"] = statistics.compare(*sides, measure)
        for (name, one), p in zip(found.items(), holm([one.p for one in found.values()]), strict=True):
            yield f"{measure}, {name}: {verdict(one, p=p)}"


def _by_category(frame: pl.DataFrame) -> Iterable[str]:
    """Each category, over all sets that have it."""
    for category in frame["category"].unique(maintain_order=True).sort():
        mine = frame.filter(pl.col("category") == category)
        number = mine["question"].n_unique() if mine["dataset"].n_unique() == 1 else len(
            mine.select("dataset", "question").unique()
        )  # fmt: skip
        yield f"{category} ({number} questions): " + _said(mine, "R@10")


def _said(frame: pl.DataFrame, measure: str) -> str:
    """The arm with the highest mean, and in words whether it is better than the base."""
    means: Mapping[str, float] = {arm: _mean(frame, measure, arm, None) for arm in arms()}
    best = max(means, key=lambda arm: (means[arm], arm == BASE))
    if best == BASE:
        return f"the documented sum is highest ({means[BASE]:.1f}); no arm is above it"
    sides = {arm: _arm(frame, arm) for arm in arms()}
    found = {arm: statistics.compare(sides[BASE], sides[arm], measure) for arm in arms() if arm != BASE}
    adjusted = dict(zip(found, holm([one.p for one in found.values()]), strict=True))
    said = verdict(found[best], p=adjusted[best])
    return f"highest is {best} ({means[best]:.1f}); against the documented sum ({means[BASE]:.1f}) {said}"


def _arm(frame: pl.DataFrame, arm: str) -> pl.DataFrame:
    """The values of an arm, the sets put together, so that the tellings of a story are one conversation."""
    question = (pl.col("dataset") + "/" + pl.col("question")).alias("question")
    return frame.filter(pl.col("arm") == arm).drop("arm").with_columns(question, pl.lit("").alias("dataset"))


def _shares(query: str, names: Iterable[str]) -> list[float]:
    """What each signal weighs by the intent of the question; signals of one voice share its weight."""
    weights = intents.weights(intents.classify(query).intent)
    voices = [VOICE.get(name, name) for name in names]
    return [
        0.10 if voice == "importance" else weights[voice] / voices.count(voice)  # type: ignore[index]
        for voice in voices
    ]


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sys.exit(measured(main))
