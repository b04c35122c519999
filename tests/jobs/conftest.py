"""Memories to work on while nobody speaks."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from arandu_lab.llm.open import open_minds

sys.path.insert(0, str(Path(__file__).parent))
from at_rest import TOLD, Bench


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench()
    yield made
    made.memory.close()


@pytest.fixture
def told(bench: Bench) -> Bench:
    """A memory that has heard three turns."""
    bench.tell(*TOLD)
    return bench


@pytest.fixture
def make() -> Iterator[Callable[..., Bench]]:
    """Memories with a model of one's own, closed in the end."""
    made: list[Bench] = []

    def bench(llm: Any = "offline/rules", turns: Sequence[tuple[str, str]] = ()) -> Bench:
        one = Bench()
        one.tell(*turns)
        one.memory.llm = open_minds(llm)
        made.append(one)
        return one

    yield bench
    for one in made:
        one.memory.close()
