"""The part of ``speed.py`` about the tuned read: what a question costs in a conversation, its embedding included.

A conversation is written turn by turn with ``tuned-turns`` and asked in the same process; then the store is opened anew and
asked again. No question is put twice before it is counted, so none of its texts is known to the embedder.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from arandu_lab import Memory
from arandu_lab.bench.data.model import Conversation
from arandu_lab.presets import tuned_turns
from arandu_lab.systems.base import worded

AGENT, MOST, WARM_UP = "bench", 150, 3
TARGET = 25.0
"""Milliseconds that a question may take, at the median and for nine in ten."""


async def tuned(conversation: Conversation) -> dict[str, float]:
    """Figures of one conversation, in milliseconds of processor time over all threads; ``clock`` by the clock."""
    questions = [(one.text, one.asked_at) for one in conversation.questions][:MOST]
    with tempfile.TemporaryDirectory() as folder:
        with _opened(Path(folder)) as memory:
            await memory.embed(["the model is loaded"])
            began = time.process_time()
            for turn in conversation.turns:
                written = await memory.write(
                    AGENT,
                    worded(turn, "text+caption"),
                    turn.told_by(),
                    occurred_at=turn.occurred_at,
                    session_id=turn.session_id,
                )
                assert written.success, written.error
            write = _ms(began) / len(conversation.turns)
            embed, spent, clock = [], [], []
            for text, at in questions:
                began, wall = time.process_time(), time.perf_counter()
                await memory.retrieve(AGENT, text, now=at)
                spent.append(_ms(began))
                clock.append(_ms(wall, time.perf_counter))
            matrix = np.ascontiguousarray(memory.store.view(AGENT).events.matrix)
            memory.embed.forget()
            for text, _ in questions:
                began = time.process_time()
                await memory.embed([text])
                embed.append(_ms(began))
        with _opened(Path(folder)) as memory:
            await memory.embed(["the model is loaded"])
            began = time.process_time()
            await memory.retrieve(AGENT, questions[0][0], now=questions[0][1])
            opened = _ms(began)
    warm = spent[WARM_UP:]
    return {
        "turns": len(conversation.turns),
        "questions": len(warm),
        "write": write,
        "opened": opened,
        "first": spent[0],
        "median": statistics.median(warm),
        "nine": float(np.quantile(warm, 0.9)),
        "most": max(warm),
        "embed": statistics.median(embed),
        "product": _product(matrix),
        "clock": statistics.median(clock[WARM_UP:]),
    }


def table(found: Sequence[tuple[str, dict[str, float]]]) -> str:
    """The figures, a conversation a line."""
    heads = "turns write opened first median 9of10 most embed product xproduct clock".split()
    lines = [f"{'tuned read':<14}" + " ".join(f"{head:>8}" for head in heads)]
    for name, one in found:
        values = [one[key] for key in ("write", "opened", "first", "median", "nine", "most", "embed", "product")]
        values += [one["median"] / one["product"], one["clock"]]
        cells = " ".join(f"{v:>8,.0f}" if v >= 100 else f"{v:>8.2f}" for v in values)
        lines.append(f"{name:<14}{one['turns']:>8,.0f} {cells}")
    said = (
        "milliseconds of processor time, the question's embedding included; first: in the process that wrote the turns;"
    )
    return "\n".join([*lines, f"{said}\nopened: the first after opening the store; most: of all others"])


def targets(found: Sequence[tuple[str, dict[str, float]]]) -> list[tuple[str, str, bool]]:
    """What was wanted, what came, and whether it holds."""
    return [
        (
            f"tuned read of {name} under {TARGET:.0f} ms, median and 9 of 10",
            f"{one['median']:.1f}, {one['nine']:.1f} ms",
            max(one["median"], one["nine"]) <= TARGET,
        )
        for name, one in found
    ]


def _opened(folder: Path) -> Memory:
    chosen = tuned_turns(auto_reinforce=False)
    return Memory.open(folder, llm="offline/rules", config=chosen.config, write=chosen.write, read=chosen.read)


def _product(matrix: np.ndarray, rounds: int = 200) -> float:
    """One product of the turns' matrix with a vector and the twenty best, the mean of many."""
    began = time.process_time()
    for row in range(rounds):
        np.argpartition(-(matrix @ matrix[row % len(matrix)]), 20)[:20]
    return _ms(began) / rounds


def _ms(began: float, clock: Callable[[], float] = time.process_time) -> float:
    return (clock() - began) * 1000.0
