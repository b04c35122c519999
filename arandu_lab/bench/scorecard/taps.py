"""Stages that let a value by and keep it for whoever listens: how a recording looks between the stages of a write.

A tap is a value like any stage; what it heard goes to the collector of the context it runs in, and nowhere where
there is none. So a tapped pipeline does what the plain one does.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal, TypeVar

from arandu_lab.bench.scorecard.segments import segments
from arandu_lab.pipeline import Lab, Node, Pipeline, stage

X = TypeVar("X")
_HEARING: ContextVar[dict[str, Any] | None] = ContextVar("hearing", default=None)


@stage
def overhear(
    value: X,
    lab: Lab,
    *,
    passed: Literal["extraction", "dedup", "resolution", "reconciliation", "state"] = "extraction",
) -> X:
    """Keep what leaves a stage of the card for whoever listens, and pass it on as it is."""
    heard = _HEARING.get()
    if heard is not None:
        heard[passed] = value
    return value


@contextmanager
def listening() -> Iterator[dict[str, Any]]:
    """Within, what the taps hear of one write: stage of the card -> what left it (of the last draft)."""
    heard: dict[str, Any] = {}
    token = _HEARING.set(heard)
    try:
        yield heard
    finally:
        _HEARING.reset(token)


def tapped(write: Pipeline) -> Pipeline:
    """The write pipeline with a tap behind each stage of the card.

    >>> from arandu_lab.presets import write
    >>> tapped(write()).names().count("overhear")
    5
    """
    nodes: list[Node] = []
    for passed, inside in segments(write).items():
        if inside:
            nodes += [*inside, overhear(passed=passed)]
    return Pipeline(tuple(nodes), write.name)
