"""How long a thousand settings of the scoring take over all questions of LoCoMo, and how long they would take one by one.

    python benchmarks/rescoring.py --data locomo4.json [--settings 1000] [--jobs 2] [--sample 4] [--results results]
                                   [--into docs/measured.md]

Each conversation is written once, by ``arandu`` with the offline model, and kept under ``--results``; that is not counted.
Then settings are drawn (weights, half-life, pattern boost, least cosine, weight and veto of the judge, least score, number
of facts) and all rankings are reckoned at once, a process for each conversation, ``--jobs`` at a time. A ``--sample`` of the
settings is read one by one by the stages themselves, in one process; every ranking must be the same. The ratio compares
processor time, so that it holds on a machine that others use too.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from measured import measured
from threadpoolctl import threadpool_limits

from arandu_lab.bench.data.locomo import load_locomo
from arandu_lab.bench.data.model import Conversation
from arandu_lab.bench.plan import Row
from arandu_lab.bench.replay import Answer
from arandu_lab.bench.sweeps.ingested import Ingested, ingest
from arandu_lab.bench.sweeps.reading import answer_of
from arandu_lab.bench.sweeps.rescoring import rescore
from arandu_lab.bench.sweeps.settled import Settled, settled
from arandu_lab.bench.sweeps.walk import Moment, Walk, open_walk
from arandu_lab.pipeline.node import Run
from arandu_lab.trace import PipelineTrace, Span

ROW = Row(name="arandu", base="arandu")
MEASURES = ("R@5", "R@10", "hit@10", "all@10", "nDCG@10", "RR")
DEPTH = 20
SIGNALS = "semantic keyword graph recency importance confidence".split()


def drawn(number: int, seed: int = 0) -> list[dict[str, Any]]:
    """The documented settings, and others drawn at random around them."""
    chance = np.random.default_rng(seed)
    found: list[dict[str, Any]] = [{}]
    while len(found) < number:
        some = [name for name in SIGNALS if name == "semantic" or chance.random() < 0.6]
        found.append(
            {
                "score_weights": {name: float(chance.random()) for name in some},
                "recency_half_life_days": float(np.exp(chance.uniform(0.0, 6.0))),
                "pattern_boost_max": float(chance.uniform(0.0, 0.3)),
                "min_similarity": float(chance.uniform(0.0, 0.5)),
                "reranker_weight": float(chance.random()),
                "min_reranker_score": float(chance.uniform(0.0, 0.5)),
                "min_score": float(chance.uniform(0.0, 0.3)),
                "topk_facts": int(chance.integers(5, 41)),
            }
        )
    return found[:number]


def reckoned(kept: Ingested, conversation: Conversation, settings: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """All settings over one conversation: seconds, measures and rankings."""
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clock, spent = time.perf_counter(), time.process_time()
        walk = open_walk(kept, conversation, ROW)
        found = rescore(walk, settings, depth=DEPTH)
        values = found.values(MEASURES)
        took = {"seconds": time.perf_counter() - clock, "cpu": time.process_time() - spent}
    return {**took, "values": values, "returned": found.returned, "peak": _peak()}


def naively(kept: Ingested, conversation: Conversation, settings: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Settings one by one over one conversation: processor seconds and answers. A first read is not counted."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        walk = open_walk(kept, conversation, ROW)
        chosen = [settled(walk.assembly, one) for one in settings]
        asyncio.run(_read(walk, chosen[0], next(iter(walk))))
        spent = time.process_time()
        answers = [asyncio.run(_answers(walk, one)) for one in chosen]
    return {"cpu": time.process_time() - spent, "answers": answers}


async def _answers(walk: Walk, chosen: Settled) -> dict[int, Answer]:
    return {moment.place: await _read(walk, chosen, moment) for moment in walk}


async def _read(walk: Walk, chosen: Settled, moment: Moment) -> Answer:
    span = Span("retrieve")
    found = await chosen.read.run(walk.query(moment), Run(walk.lab(moment, span), chosen.values, span))
    ids = walk.ingested.turn_ids
    degraded = PipelineTrace(span).degraded
    return answer_of(found, moment, by=walk.name, turn_ids=ids, depth=DEPTH, usage=span.usage, degraded=degraded)


def differing(found: Mapping[str, Any], alone: Mapping[str, Any], conversation: Conversation) -> int:
    """Rankings that are not the same."""
    turns = [turn.id for turn in conversation.turns]
    return sum(
        tuple(turns[one] for one in found["returned"][number, place] if one >= 0) != answer.returned
        for number, answers in enumerate(alone["answers"])
        for place, answer in answers.items()
    )


def _peak() -> float:
    """The most memory that this process has held, in MB."""
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def main() -> int:
    """Print sizes, seconds, the ratio, and the measures of the documented and of the best setting."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="a LoCoMo file")
    parser.add_argument("--settings", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sample", type=int, default=4, help="settings that are read one by one too")
    parser.add_argument("--results", type=Path, default=Path("results"))
    asked = parser.parse_args()
    talks = list(load_locomo(asked.data))
    settings = drawn(asked.settings)
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        kept = []
        for talk in talks:
            print(f"{talk.id}: writing {len(talk.turns)} turns, or reading them back", file=sys.stderr, flush=True)
            kept.append(ingest(ROW, talk, dataset="locomo", language="en", results=asked.results))
    clock = time.perf_counter()
    work = (delayed(reckoned)(one, talk, settings) for one, talk in zip(kept, talks, strict=True))
    found = Parallel(n_jobs=asked.jobs, batch_size=1, pre_dispatch="all")(work)
    wall = time.perf_counter() - clock
    with threadpool_limits(1):
        sample = settings[: max(1, asked.sample)]
        alone = [naively(one, talk, sample) for one, talk in zip(kept, talks, strict=True)]
    wrong = sum(differing(one, other, talk) for one, other, talk in zip(found, alone, talks, strict=True))
    cpu, naive = sum(one["cpu"] for one in found), sum(one["cpu"] for one in alone) / len(sample)
    questions = sum(len(talk.questions) for talk in talks)
    print(
        f"{len(talks)} conversations, {questions} questions, {len(settings):,} settings, arandu with the offline judge"
    )
    print(f"all settings at once       {wall:10.1f} s on {asked.jobs} processes, {cpu:.1f} s of processor time")
    print(f"one setting by the stages  {naive:10.1f} s of processor time (mean of {len(sample)}), so all of them")
    print(
        f"                           {naive * len(settings):10,.0f} s: {naive * len(settings) / cpu:,.0f} times as much"
    )
    print(f"rankings that differ       {wrong:10d} of {len(sample) * questions:,} compared")
    print(f"most memory of a process   {max(one['peak'] for one in found):10,.0f} MB")
    graded = np.concatenate([one["values"] for one in found], axis=1)
    asked_about = np.concatenate([[q.category != "adversarial" for q in talk.questions] for talk in talks])
    for name, mask in (("categories 1 to 4", asked_about), ("all categories", np.ones(questions, dtype=bool))):
        means = np.nanmean(graded[:, mask], axis=1)
        best = int(means[:, MEASURES.index("R@10")].argmax())
        print(f"\n{name:<26}" + "".join(f"{measure:>9}" for measure in MEASURES))
        for label, row in (("documented", 0), (f"best R@10 (setting {best})", best)):
            print(f"{label:<26}" + "".join(f"{value:>9.4f}" for value in means[row]))
    print("\nThe best of many settings on the questions it was chosen by is no estimate of how good it is on others.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(measured(main))
