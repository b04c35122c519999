"""A result with its contexts, made without replaying anything."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arandu_lab.bench.contexts import keep_contexts
from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.plan import Plan, Row
from arandu_lab.bench.replay import Answer, Replay
from arandu_lab.bench.run import Run, planned

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def result(tmp_path: Path) -> Callable[..., Run]:
    """A run of the row ``mine`` whose contexts say where each person lives; a context of None is a failed question."""

    def make(data: Dataset, contexts: dict[str, str | None] | None = None) -> Run:
        plan = Plan(name="towns", datasets=(data.name,), rows=(Row(name="mine", base="bm25"),))
        run = planned(plan, {data.name: data})
        shown = {
            one.id: f"Known facts:\n- {one.text[11:-6]} lives in {one.answer}"
            for one in data.conversations[0].questions
        }
        shown |= contexts or {}
        answers = [
            Answer(question=key, heard=1, context=said, error=None if said is not None else "no answer within 5 s")
            for key, said in shown.items()
        ]
        ((step, _),) = run.replays
        keep_contexts(tmp_path / "results" / ".steps" / step.address, answers)
        run.replays = [(step, Replay(answers=answers))]
        return run

    return make
