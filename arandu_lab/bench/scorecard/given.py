"""Each stage alone on gold input: what a stage does when nothing before it went wrong.

One gold memory hears the conversation. Before a turn is written into it, every write stage of the system is run on the
gold of the stage before; at a question, every read stage is run on the reference of the stage before. So a fault in one
stage shows in the dossier of that stage, and in no other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from arandu_lab.bench.plan import Row
from arandu_lab.bench.scorecard.book import Book, open_book
from arandu_lab.bench.scorecard.dossier import Dossier
from arandu_lab.bench.scorecard.record import opened
from arandu_lab.bench.scorecard.segments import STAGES, Stage
from arandu_lab.bench.scorecard.watched import Watched
from arandu_lab.bench.scorecard.workbench import Workbench
from arandu_lab.errors import ConfigError, nearest
from arandu_lab.presets import Assembly
from arandu_lab.systems.base import System


async def given(
    made: Row | Assembly | System,
    book: Book | str | Path,
    *,
    stages: Collection[Stage] = STAGES,
    tick: Callable[[int], None] | None = None,
    llm: Any = "offline/rules",
    embedder: Any = None,
) -> dict[Stage, Dossier]:
    """Stage of the card -> what the system's stage did with gold before it, in order of the card (of ``stages`` alone).

    In a dossier stands what its stage made and the gold that it was given; ``ids`` leads from gold facts to the rows of
    the gold memory (of the system's own where the stage is ``state``). Arguments as ``record``.

    Raises:
        ConfigError: the system has no stages, or one of ``stages`` is none.
    """
    for stage in stages:
        if stage not in STAGES:
            raise ConfigError(f"stage {stage!r}; {nearest(str(stage), STAGES)}")
    known = book if isinstance(book, Book) else open_book(book)
    system = opened(made, known, llm=llm, embedder=embedder)
    if not isinstance(system, Watched):
        raise ConfigError(f"mode 'given' for {system.name}, which has no stages; accepted: systems that are a memory")
    done, waiting = 0, sorted(known.conversation.questions, key=lambda one: one.asked_at)
    beside = {"llm": system.llm, "embedder": system.embedder, "calibration": system.calibration}
    with Workbench(system.name, known, system.plain, frozenset(stages), **beside) as bench:
        for turn in known.conversation.turns:
            while waiting and waiting[0].asked_at < turn.occurred_at:
                await bench.ask(waiting.pop(0))
                done = _moved(tick, done)
            await bench.tell(turn)
            done = _moved(tick, done)
        for question in waiting:
            await bench.ask(question)
            done = _moved(tick, done)
        return {stage: bench.dossier(stage) for stage in STAGES if stage in stages}


def _moved(tick: Callable[[int], None] | None, done: int) -> int:
    if tick:
        tick(done + 1)
    return done + 1
