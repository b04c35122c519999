"""Asking for the columns of evidence: the tuned pipeline up to the blend, over a small world."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import numpy as np
import pytest

from arandu_lab.pipeline import Lab, Pipeline, stage
from arandu_lab.read.evidence import columns_of, open_of
from arandu_lab.read.found import Candidates
from arandu_lab.read.preset import reading_tuned

SEEN: list[dict[str, Any]] = []
NOBODY_CAN_TELL = float("nan")
"""One and the same NaN, so that columns in which nobody can tell are equal."""


@stage
def evidence_tap(found: Candidates, lab: Lab) -> Candidates:
    """Hand out what was written."""
    SEEN.append({"columns": columns_of(found), "open": open_of(found, lab), "ids": list(lab.memory.events.ids)})
    return found


def tapped(*left_out: str) -> Pipeline:
    """The tuned read pipeline with a tap in the place of the blend."""
    pipeline = reading_tuned()
    for name in left_out:
        pipeline = pipeline.without(name)
    return pipeline.replace("learned", evidence_tap())


@pytest.fixture
def tap() -> Pipeline:
    """The tuned read pipeline with a tap in the place of the blend."""
    return tapped()


Ask = Callable[..., Awaitable[dict[str, dict[str, float]]]]


@pytest.fixture
def columns() -> Ask:
    """``await columns(world, question)``: column -> turn id -> value, of open turns; NaN is ``NOBODY_CAN_TELL``."""

    async def ask(w: Any, text: str, **more: Any) -> dict[str, dict[str, float]]:
        SEEN.clear()
        await w.ask(text, pipeline=tapped(), **more)
        seen = SEEN.pop()
        places = np.flatnonzero(seen["open"]).tolist()
        return {
            name: {seen["ids"][place]: known(float(values[place])) for place in places}
            for name, values in seen["columns"].items()
        }

    return ask


def known(value: float) -> float:
    return value if value == value else NOBODY_CAN_TELL


@pytest.fixture
def talk(world: Any) -> Callable[..., Any]:
    """``talk("Ana: I paint", "Bia: Nice", gap=...)``: a world of turns a minute apart, the last one just before now.

    A line "--" begins another session, a day later. Ids are ``e000`` onwards.
    """

    def make(*lines: str, days: float = 40.0) -> Any:
        w = world()
        session, at = 0, days
        for line in lines:
            if line == "--":
                session, at = session + 1, at - 1.0
                continue
            speaker, _, text = line.partition(": ")
            w.turn(text, days=at, speaker=speaker, session_id=f"s{session}")
            at -= 1.0 / 1440.0
        return w

    return make
