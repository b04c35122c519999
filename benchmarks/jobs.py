"""Do background jobs help? The same conversations replayed with jobs off, all on, and one at a time.

    python benchmarks/jobs.py [--sets harbor_en mare_pt …] [--jobs 2] [--into docs/measured.md]

Jobs run at simulated times, at the documents' cadence. Differences are paired with "off", question by question; their
intervals are over conversations. A world also knows what ends unsaid because
something else did (a boss with the job): the second table counts what a memory still tells as current at the end.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
from measured import measured

from arandu_lab import experiment
from arandu_lab.bench import statistics
from arandu_lab.bench.compare import long
from arandu_lab.bench.data.model import Conversation, Dataset
from arandu_lab.bench.data.registry import load
from arandu_lab.jobs.preset import CADENCE, ORDER
from arandu_lab.jobs.schedule import RECOMMENDED, shown
from arandu_lab.systems.arandu import AGENT, Arandu

ROOT = Path(__file__).resolve().parent.parent
SETS = ("harbor_en", "brook_en", "cove_en", "mare_pt", "brook_pt", "cove_pt")
MEASURES = ("R@10", "nDCG@10", "Stale@10")
COSTS = ("Tokens.write", "Calls.write")


def main() -> int:
    """Print both tables, and in words what may be said."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="+", default=list(SETS))
    parser.add_argument("--only", nargs="+", default=list(ORDER), choices=ORDER, help="jobs tried one at a time")
    parser.add_argument("--jobs", type=int, default=2, help="worker processes")
    parser.add_argument("--results", type=Path, default=Path("results"))
    asked = parser.parse_args()
    datasets = [load(name) for name in asked.sets]
    rows = {"off": {"base": "arandu"}, "all": {"base": "arandu", "jobs": RECOMMENDED}}
    rows |= {name: {"base": "arandu", "jobs": f"{name}={shown(CADENCE[name])}"} for name in asked.only}
    found = experiment(
        rows, list(asked.sets), [*MEASURES, *COSTS], baseline="off", jobs=asked.jobs,
        results=asked.results, name="jobs",
    )  # fmt: skip
    for language in ("en", "pt"):
        mine = [one.name for one in datasets if one.language.startswith(language)]
        if mine:
            print(_table(found, mine, list(rows)), end="\n\n")
    print(_ended(datasets))
    return 0


def _table(found: Any, names: Sequence[str], rows: Sequence[str]) -> str:
    """One language: means over its questions, the paired difference in R@10, and what it costs."""
    frames = next(iter(found.sides.values()))
    values = {row: pl.concat([long(frames, name, row, list(MEASURES)) for name in names]) for row in rows}
    costs = found.summary().filter(pl.col("dataset").is_in(list(names)))
    asked = frames.questions.filter(pl.col("dataset").is_in(list(names)))
    heads = ("R@10", "nDCG", "Stale", "context", "tok/turn", "calls")
    lines = [", ".join(names), f"{'jobs':<27}" + "".join(f"{head:>9}" for head in heads) + "   R@10 against off"]
    said: dict[str, list[str]] = {}
    for row in rows:
        means = [values[row].filter(pl.col("measure") == measure)["value"].mean() * 100 for measure in MEASURES]
        context = asked.filter(pl.col("system") == row)["context_tokens"].mean()
        tokens, calls = (costs.filter(pl.col("system") == row)[name].mean() for name in COSTS)
        line = (
            f"{row:<27}" + "".join(f"{mean:>9.1f}" for mean in means) + f"{context:>9.0f}{tokens:>9,.0f}{calls:>9.2f}"
        )
        if row != "off":
            found_by = statistics.compare(values["off"], values[row], "R@10")
            told, verdict = _verdict(found_by.interval.mean, found_by.interval.low, found_by.interval.high)
            line += f"   {told}"
            said.setdefault(verdict, []).append(row)
        lines.append(line.rstrip())
    return "\n".join([*lines, *(f"{verdict}: {', '.join(some)}" for verdict, some in said.items())])


def _verdict(mean: float, low: float | None, high: float | None) -> tuple[str, str]:
    """A difference in points with its interval, and what may be said of it."""
    if low is None or high is None:
        return f"{mean * 100:+.1f}", "one conversation, nothing is known of others"
    told = f"{mean * 100:+.1f} [{low * 100:+.1f}, {high * 100:+.1f}]"
    if low == high == 0:
        return told, "no difference on any question"
    return told, "helps" if low > 0 else "harms" if high < 0 else "does not help as far as can be told"


def _ended(datasets: Sequence[Dataset]) -> str:
    """What ended because something else did, and is still told as current when all has been said."""
    lines = [
        f"{'ended with something else':<28}{'there':>7}{'heard':>7}{'told, off':>11}{'told, jobs':>12}{'wrongly marked':>16}"
    ]
    for dataset in datasets:
        truth = ROOT / "datasets" / "world" / dataset.name / "truth.jsonl"
        if not truth.is_file():
            continue
        lines.append(_line(dataset.name, dataset.conversations[0], truth))
    return "\n".join(lines)


def _line(name: str, talk: Conversation, truth: Path) -> str:
    told = [json.loads(line) for line in truth.read_text(encoding="utf-8").splitlines()]
    turn_of = {one["fact"]: one["turn"] for one in told if one["op"] == "begin"}
    slot_of = {one["fact"]: one["slot"] for one in told if one["op"] == "begin"}
    fallen = {one["fact"] for one in told if one["op"] == "end" and one["why"] == "cascade"}
    ended = {one["fact"] for one in told if one["op"] == "end"}
    off = asyncio.run(_kept(talk, ""))
    on = asyncio.run(_kept(talk, "run_memify=1d"))
    heard = [fact for fact in fallen if turn_of[fact] in off["heard"]]
    still = [sum(turn_of[fact] in one["current"] for fact in heard) for one in (off, on)]
    wrong = sum(
        turn in on["marked"]
        for fact, turn in turn_of.items()
        if fact not in ended and slot_of[fact] in ("boss", "lives_with")
    )
    return f"{name:<28}{len(fallen):>7}{len(heard):>7}{still[0]:>11}{still[1]:>12}{wrong:>16}"


async def _kept(talk: Conversation, jobs: str) -> dict[str, set[str]]:
    """Turns that facts came from at the end: all, those told as current, those marked because a premise is over."""
    system = Arandu(jobs=jobs)
    await system.begin(talk.id)
    try:
        for turn in talk.turns:
            await system.rest(turn.occurred_at)
            await system.listen(turn)
        view = system.memory.store.view(AGENT)
        facts = [view.fact_at(place) for place in range(len(view.facts.ids))]
        turns = system.turn_ids
        bonds = [one for one in facts if one.source_event_id in turns]
        return {
            "heard": {turns[one.source_event_id] for one in bonds},
            "current": {
                turns[one.source_event_id] for one in bonds if one.valid_to is None and one.stale_since is None
            },
            "marked": {turns[one.source_event_id] for one in bonds if one.stale_why == "premise"},
        }
    finally:
        await system.end()


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sys.exit(measured(main))
