"""A workspace in memory with a clock that a test moves; tests of this folder may import what they share."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from arandu_lab.workspace.face import Workspace

sys.path.insert(0, str(Path(__file__).parent))

START = datetime(2025, 3, 1, 9, tzinfo=UTC)


class Clock:
    """Moves a second with each look, and as far as a test says."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now

    def pass_(self, **time: float) -> None:
        self.now += timedelta(**time)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def workspace(clock: Clock) -> Iterator[Workspace]:
    with Workspace.open("memory://", workspace="acme", embedder="hashing", clock=clock) as opened:
        yield opened


@pytest.fixture
def bare(clock: Clock) -> Iterator[Workspace]:
    """Without an embedder."""
    with Workspace.open("memory://", workspace="acme", embedder="none", clock=clock) as opened:
        yield opened
