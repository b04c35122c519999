"""What writing a conversation would ask, from its first turns read by the offline rules in memory: nothing is paid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import ceil
from typing import Any

from arandu_lab.bench.data.model import Conversation, Dataset
from arandu_lab.bench.replay import replay
from arandu_lab.bench.studies.plan import StudyPlan
from arandu_lab.bench.sweeps.estimates import REHEARSED
from arandu_lab.bench.sweeps.ingested import memory_of
from arandu_lab.bench.sweeps.settled import applied
from arandu_lab.bench.workers import finished
from arandu_lab.llm.prices import FREE
from arandu_lab.trace import Usage


def rehearsed(
    plan: StudyPlan, dataset: Dataset, conversation: Conversation, setting: Mapping[str, Any] | None = None
) -> Usage:
    """Calls and tokens of the whole conversation under a setting, estimated."""
    some = replace(conversation, turns=conversation.turns[:REHEARSED], questions=())
    row = plan.row()
    row = replace(row, options={**row.options, "llm": FREE})
    system = memory_of(row, some, language=dataset.language.split("-")[0], seed=plan.seed)
    system.assembly, system.path = applied(system.assembly, setting), "memory://"
    heard = finished(replay(system, some, depth=1)).listened
    times = len(conversation.turns) / max(1, len(some.turns))
    names = ("calls", "input_tokens", "output_tokens")
    return Usage(**{name: ceil(getattr(heard, name) * times) for name in names})
