"""What a write costs: calls and tokens of each stage, and whether the prompt grows with the store.

    python benchmarks/cost.py [--sets harbor_en mare_pt brook_en brook_pt] [--sizes 10 100 1000 10000] [--into docs/measured.md]

First, every turn of each set is written by ``arandu`` with the offline model at its date: calls and tokens a turn, by
stage (H2, H3), and beside them what showing the whole conversation with every question would cost (H6). Then one agent is
filled with facts of the speaker, a fresh store for each size, and the same ten messages of his are written: tokens of the
prompts by size, as a ratio to the smallest (H4).
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
from measured import measured
from speed import AGENT, T0, TOPICS, filled
from threadpoolctl import threadpool_limits

from arandu_lab import Memory
from arandu_lab.bench.data.registry import load
from arandu_lab.llm.scripted import Scripted
from arandu_lab.pure.budget import estimate_tokens
from arandu_lab.systems.open import open_system
from arandu_lab.trace import Usage

STAGES = ("extraction", "resolve", "reconcile")


async def written(name: str) -> dict[str, Any]:
    """Calls and tokens of every turn of a set, by stage; tokens of its transcript."""
    [conversation] = load(name)
    with tempfile.TemporaryDirectory() as folder:
        system: Any = open_system("arandu", path=str(Path(folder) / "memory"))
        await system.begin(conversation.id)
        total = Usage()
        for turn in conversation.turns:
            total = total + await system.listen(turn)
        stages = dict(system.usage_by_stage)
        context = 0
        asked = conversation.questions[:: max(1, len(conversation.questions) // 20)]
        for question in asked:
            context += estimate_tokens((await system.ask(question.text, now=question.asked_at, k=10)).context)
        await system.end()
    transcript = sum(estimate_tokens(f"{turn.speaker}: {turn.text}") for turn in conversation.turns)
    return {
        "turns": len(conversation.turns),
        "total": total,
        "stages": stages,
        "context": context / len(asked),
        "transcript": transcript,
    }


async def grown(size: int) -> Usage:
    """What ten messages cost in a store of ``size`` facts, with a model that says little."""
    answer = {
        "entities": [{"name": "Pessoa0", "type": "person", "aliases": []}],
        "facts": [{"subject": "Pessoa0", "text": "Pessoa0 likes music", "importance_category": "stable_preference"}],
    }
    model = Scripted(by_task={"extract": answer, "reconcile": {"verdicts": []}, "resolve": {"choices": []}})
    total = Usage()
    with tempfile.TemporaryDirectory() as folder, Memory.open(folder, llm=model) as memory:
        filled(memory, size, np.random.default_rng(size), 1)
        for number in range(10):
            result = await memory.write(
                AGENT,
                f"I talked about {TOPICS[number]} again",
                "Pessoa0",
                occurred_at=T0 + timedelta(days=400, minutes=number),
                dry_run=True,
            )
            assert result.success, result.error
            total = total + result.usage
    return total


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="*", default=["harbor_en", "mare_pt", "brook_en", "brook_pt"])
    parser.add_argument("--sizes", nargs="*", type=int, default=[10, 100, 1000, 10000])
    chosen = parser.parse_args()
    with threadpool_limits(1):
        if chosen.sets:
            heads = [f"{stage:>12}" for stage in STAGES]
            print(
                f"calls a turn       {'all':>6}{''.join(heads)}   tokens a turn  context a question  whole conversation"
            )
        for name in chosen.sets:
            found = asyncio.run(written(name))
            turns, total, stages = found["turns"], found["total"], found["stages"]
            cells = "".join(f"{stages.get(stage, Usage()).calls / turns:12.2f}" for stage in STAGES)
            print(
                f"{name:<18}{total.calls / turns:7.2f}{cells}{total.total_tokens / turns:16,.0f}"
                f"{found['context']:20,.0f}{found['transcript']:20,}"
            )
        if chosen.sizes:
            print("\nfacts stored   input tokens of ten writes   ratio")
        first = None
        for size in chosen.sizes:
            tokens = asyncio.run(grown(size)).input_tokens
            first = first or tokens
            print(f"{size:>12,}{tokens:>29,}{tokens / first:>8.3f}")


if __name__ == "__main__":
    sys.exit(measured(main))
