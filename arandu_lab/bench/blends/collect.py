"""Judged questions from a replay: a system hears a conversation, and at each question its columns are kept.

The system is any whose read pipeline ranks by ``learned``; a tap stands in its place, so no blend is needed to train one.
What one conversation gave is kept under its address, as replays are (:mod:`arandu_lab.bench.artifacts`): settings, data,
conversation, and the code that makes columns (blends are no part of it), so learning again costs no replay.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from arandu_lab.bench import pool
from arandu_lab.bench.artifacts import READERS, own_source, sources, whole
from arandu_lab.bench.data.model import Conversation, Dataset, Question
from arandu_lab.bench.plan import Row
from arandu_lab.bench.rows import changed, open_row
from arandu_lab.bench.rows import told as canonical
from arandu_lab.blends.judged import Judged
from arandu_lab.errors import ConfigError, DatasetError
from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure.ranking import Mask
from arandu_lab.read.evidence import columns_of, open_of
from arandu_lab.read.evidence.asked import marks_of
from arandu_lab.read.evidence.reel import reel_of
from arandu_lab.read.found import Candidates
from arandu_lab.systems.arandu import Arandu

AFTER = ("blends/", "pure/ranking.py", "read/evidence/learned.py", "read/evidence/follow.py")
"""Code that works on columns once they are made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathering:
    """One system over one conversation, and where its judged questions are kept."""

    row: Row
    dataset: str
    language: str
    conversation: str
    address: str

    @property
    def label(self) -> str:
        """``tuned-turns × harbor_en``; the conversation too where its name differs from the dataset's."""
        where = self.dataset if self.conversation == self.dataset else f"{self.dataset}/{self.conversation}"
        return f"{self.row.name} × {where}"


def collect(
    row: Row,
    datasets: Sequence[Dataset],
    store: Path,
    *,
    jobs: int = 1,
    force: bool = False,
    moved: Callable[[int, int], None] | None = None,
) -> list[Judged]:
    """Every question of the datasets that has evidence, judged; from ``store`` where it is known.

    Args:
        row: The system; its read pipeline holds ``learned``.
        store: Where collected columns are kept, by address.
        jobs: Worker processes.
        force: Replay everything.
        moved: Told how many turns and questions are done, and how many there are.

    Raises:
        ConfigError: a system without ``learned``.
        DatasetError: no question has evidence.
        BackendError: a turn or question failed; nothing of its conversation is kept, for a hole would teach wrongly.
    """
    code = code_of_columns()
    known = {one.name: one for one in datasets}
    gatherings = [_gathering(row, one, conversation, code) for one in datasets for conversation in one]
    missing = [one for one in gatherings if force or not (store / one.address / _FILE).is_file()]
    total = {one.address: _size(known[one.dataset][one.conversation]) for one in missing}
    done = dict.fromkeys(total, 0)

    def moves(one: Gathering, so_far: int) -> None:
        done[one.address] = so_far
        if moved:
            moved(sum(done.values()), sum(total.values()))

    for gathering, (judged, times) in pool.results(missing, gathered, known, jobs=jobs, moves=moves):
        keep(store / gathering.address, judged, times)
        moves(gathering, total[gathering.address])
    found = [one for gathering in gatherings for one in kept(store / gathering.address)]
    if not found:
        raise DatasetError(f"{', '.join(known)}: no question has evidence, so there is nothing to learn from")
    return found


def code_of_columns() -> str:
    """The sha256 of the code that makes columns: the package without what only reads them, and this file."""
    package = Path(__file__).parents[2]
    mine = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
    return hashlib.sha256((sources(package, (*READERS, *AFTER)) + mine).encode()).hexdigest()


def gathered(
    one: Gathering, datasets: Mapping[str, Dataset], tick: Callable[[int], None] | None = None
) -> tuple[list[Judged], list[float]]:
    """Hear one conversation and judge its questions at their dates; and the milliseconds that each question took.

    Raises:
        ConfigError: the system does not rank by ``learned``.
        BackendError: as :func:`collect`.
    """
    conversation = datasets[one.dataset][one.conversation]
    with tempfile.TemporaryDirectory(prefix="arandu-lab-", ignore_cleanup_errors=True) as folder:
        system = open_row(one.row, conversation, language=one.language, seed=0, path=Path(folder) / "memory")
        if not isinstance(system, Arandu) or "learned" not in system.assembly.read.names():
            raise ConfigError(
                f"{one.row.base} does not rank by `learned`, so it has no columns; tuned and tuned-turns do"
            )
        read = system.assembly.read.replace("learned", keep_columns())
        listener = _Listener(system)
        system.assembly = replace(system.assembly, read=read)
        return asyncio.run(listener.judged(one, conversation, tick))


@stage
def keep_columns(found: Candidates, lab: Lab) -> Candidates:
    """Keep the columns of evidence for whoever listens, in the place of what would rank by them."""
    heard = _HEARING.get()
    if heard is not None:
        heard.update(
            columns=columns_of(found),
            open=open_of(found, lab),
            ids=tuple(lab.memory.events.ids),
            marks=marks_of(found, lab),
            session=reel_of(lab.memory).spans.number,
        )
    return found


@contextmanager
def _listening() -> Iterator[dict[str, Any]]:
    heard: dict[str, Any] = {}
    token = _HEARING.set(heard)
    try:
        yield heard
    finally:
        _HEARING.reset(token)


_HEARING: ContextVar[dict[str, Any] | None] = ContextVar("columns", default=None)


class _Listener:
    """A system in a conversation, and what its columns said so far."""

    def __init__(self, system: Arandu) -> None:
        self.system = system
        self.found: list[Judged] = []
        self.times: list[float] = []

    async def judged(
        self, one: Gathering, conversation: Conversation, tick: Callable[[int], None] | None
    ) -> tuple[list[Judged], list[float]]:
        waiting = sorted((q for q in conversation.questions if q.evidence and not q.absent), key=lambda q: q.asked_at)
        done, heard = 0, 0
        await self.system.begin(conversation.id)
        try:
            for turn in (*conversation.turns, None):
                while waiting and (turn is None or waiting[0].asked_at < turn.occurred_at):
                    await self._ask(one, waiting.pop(0), heard)
                    done += 1
                    if tick:
                        tick(done)
                if turn is not None:
                    await self.system.listen(turn)
                    heard, done = heard + 1, done + 1
                    if tick:
                        tick(done)
        finally:
            await self.system.end()
        return self._whole(), self.times

    async def _ask(self, one: Gathering, question: Question, heard: int) -> None:
        began = time.perf_counter()
        with _listening() as kept:
            await self.system.ask(question.text, now=question.asked_at, k=1)
        self.times.append((time.perf_counter() - began) * 1000.0)
        turns = [self.system.turn_ids.get(event, "") for event in kept.get("ids", ())]
        evidence = set(question.evidence)
        relevant: Mask = np.asarray([turn in evidence for turn in turns], dtype=np.bool_)
        self.found.append(
            Judged(
                dataset=one.dataset,
                conversation=one.conversation,
                question=question.id,
                category=question.category,
                language=one.language,
                columns={name: values.astype(np.float32) for name, values in kept.get("columns", {}).items()},
                relevant=relevant,
                open=np.asarray(kept.get("open", ()), dtype=np.bool_),
                missing=len(evidence) - int(relevant.sum()),
                marks=kept.get("marks", {}),
                session=np.asarray(kept.get("session", ()), dtype=np.int32),
            )
        )

    def _whole(self) -> list[Judged]:
        """What was found; a question for which nothing was looked up (it was taken for a greeting) has found nothing."""
        names = next((one.columns for one in self.found if one.columns), {})
        nothing = {name: np.zeros(0, dtype=np.float32) for name in names}
        return [one if one.columns else replace(one, columns=nothing) for one in self.found]


def keep(folder: Path, judged: Sequence[Judged], times: Sequence[float] = ()) -> None:
    """Write judged questions of one conversation so that they are there whole or not at all; times apart."""
    names = list(judged[0].columns) if judged else []
    sizes = [len(one.relevant) for one in judged]
    frame = pl.DataFrame(
        {
            "question": np.repeat(np.arange(len(judged)), sizes).astype(np.int32),
            **{part: np.concatenate([np.zeros(0), *(_part(one, part) for one in judged)]) for part in _PARTS},
            **{name: np.concatenate([one.columns[name] for one in judged]).astype(np.float32) for name in names},
        }
    )
    said = [{name: getattr(one, name) for name in _SAID} | {"turns": len(one.relevant)} for one in judged]
    with whole(folder) as fresh:
        frame.write_parquet(fresh / _FILE, compression="zstd")
        (fresh / "questions.json").write_text(json.dumps(said, ensure_ascii=False, indent=1), encoding="utf-8")
        (fresh / "times.json").write_text(json.dumps([round(one, 3) for one in times]), encoding="utf-8")


def _part(one: Judged, part: str) -> np.ndarray[tuple[int], np.dtype[Any]]:
    values: np.ndarray[tuple[int], np.dtype[Any]] = getattr(one, part)
    return values if len(values) == len(one.relevant) else np.zeros(len(one.relevant), dtype=values.dtype)


def kept(folder: Path) -> list[Judged]:
    """The judged questions kept there. Raises OSError: there are none."""
    frame = pl.read_parquet(folder / _FILE)
    said = json.loads((folder / "questions.json").read_text(encoding="utf-8"))
    times = json.loads((folder / "times.json").read_text(encoding="utf-8"))
    names = [name for name in frame.columns if name not in ("question", *_PARTS)]
    parts = {name: frame[name].to_numpy() for name in (*names, *_PARTS)}
    out, start = [], 0
    for place, one in enumerate(said):
        stop = start + one.pop("turns")
        out.append(
            Judged(
                **one,
                columns={name: parts[name][start:stop] for name in names},
                relevant=parts["relevant"][start:stop].astype(np.bool_),
                open=parts["open"][start:stop].astype(np.bool_),
                session=parts["session"][start:stop].astype(np.int32),
                ms=times[place] if place < len(times) else 0.0,
            )
        )
        start = stop
    return out


def _gathering(row: Row, dataset: Dataset, conversation: Conversation, code: str) -> Gathering:
    said = {
        "base": row.base,
        "options": changed(row),
        "write": row.write,
        "read": row.read,
        "own": own_source(row),
        "data": dataset.digest,
        "conversation": conversation.id,
        "language": dataset.language,
        "code": code,
    }
    address = "columns-" + hashlib.sha256(canonical(said).encode()).hexdigest()[:12]
    language = dataset.language.split("-")[0]
    return Gathering(row=row, dataset=dataset.name, language=language, conversation=conversation.id, address=address)


def _size(conversation: Conversation) -> int:
    return len(conversation.turns) + sum(bool(q.evidence) and not q.absent for q in conversation.questions)


_FILE = "columns.parquet"
_PARTS = ("relevant", "open", "session")
_SAID = ("dataset", "conversation", "question", "category", "language", "missing", "marks")
