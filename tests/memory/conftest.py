"""Memories on disk or in memory with one clock for all."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arandu_lab import Memory
from arandu_lab.llm.scripted import Scripted

sys.path.insert(0, str(Path(__file__).parent))
from forgetful import Clock, answers

Open = Callable[..., Memory]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """Opens memories (with a name: on disk) with one clock for all, and closes them."""
    made: list[Memory] = []
    clock = Clock()

    def make(name: str | None = None, **more: Any) -> Memory:
        llm = more.pop("llm", None) or Scripted(by_task={"extract": answers, "reconcile": {"verdicts": []}})
        path = "memory://" if name is None else tmp_path / name
        memory = Memory.open(path, llm=llm, embedder="hashing", clock=more.pop("clock", clock), **more)
        made.append(memory)
        return memory

    yield make
    for memory in made:
        if not memory.store._closed:
            memory.close()
