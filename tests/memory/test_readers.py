"""A handle that only reads answers of the newest state, whichever process wrote it, and of one state in each answer."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from forgetful import T0

from arandu_lab import Memory, MemoryConfig
from arandu_lab.embed.calibration import Calibration
from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.records import (
    Alias,
    Cluster,
    Entity,
    Event,
    Fact,
    Link,
    NewEntity,
    Observation,
    Relationship,
    Row,
    Turn,
)
from arandu_lab.store import indexes
from arandu_lab.store.tables import TRIES, Tables

NOW = T0 + timedelta(days=60)
ASKED = "Where does Ana live? Onde mora a Ana?"

READ: dict[str, Callable[[Memory, Path], Any]] = {
    "backlog": lambda one, _: one.backlog("x"),
    "clusters": lambda one, _: one.clusters("x"),
    "digest": lambda one, _: one.digest("x"),
    "directives": lambda one, _: one.directives("x"),
    "draft": lambda one, _: len(asyncio.run(one.draft(_turn())).rows) and asyncio.run(one.draft(_turn())).rows[-1],
    "entities": lambda one, _: one.entities("x"),
    "events": lambda one, _: one.events("x"),
    "export": lambda one, place: one.export("x", place / "out.jsonl", overwrite=True).digest,
    "facts": lambda one, _: one.facts("x"),
    "fork": lambda one, _: _forked(one),
    "history": lambda one, _: one.history("x"),
    "jobs": lambda one, _: asyncio.run(one.jobs.cycle("x", now=NOW, dry_run=True, only=["compute_entity_importance"])).results[0].changed,
    "lab": lambda one, _: one.lab("x", NOW, _span()).memory.sequence,
    "narrowed": lambda one, _: sorted(map(repr, asyncio.run(one.narrowed("x", ASKED, NOW, _span())).memory.rows())),
    "observations": lambda one, _: one.observations("x"),
    "relationships": lambda one, _: one.relationships("x"),
    "retrieve": lambda one, _: (lambda said: (said.context, said.frame))(asyncio.run(one.retrieve("x", ASKED, now=NOW))),
    "search": lambda one, _: asyncio.run(one.search(ASKED, limit=50)),
    "stale": lambda one, _: one.stale("x"),
    "units": lambda one, _: one.units("x"),
    "why": lambda one, _: (lambda said: (said.rank, said.score, said.checks))(asyncio.run(one.why("x", ASKED, "f0", now=NOW))),
    "why_not": lambda one, _: asyncio.run(one.why_not("x", ASKED, "s0", now=NOW)).checks,
}  # fmt: skip
"""Every method that only looks."""

TRIED: dict[str, Callable[[Memory, Path], Any]] = {
    "forget": lambda one, _: one.forget("x", everything=True, dry_run=True).removed,
    "merge": lambda one, _: one.merge("x", "person:ana", "city:c0", dry_run=True).put,
    "split": lambda one, _: one.split("x", "person:ana", into=NewEntity(name="Bia", type="person"), names=["Nana"], dry_run=True).put,
    "undo": lambda one, _: _undone(one),
    "write": lambda one, _: asyncio.run(one.write("x", "Ana lives in Town0.", "Bob", occurred_at=NOW, dry_run=True)).facts_added,
}  # fmt: skip
"""Every method that tells what it would write."""

WRITTEN = {"close", "commit", "correct", "import_", "index", "open", "rebuild", "recalibrate", "repair"}
"""Methods that write, and nothing else."""

SAME = {"merge", "split", "write", "draft", "why_not", "jobs"}
"""Methods whose answer need not be another after more was told."""


WORDLESS = {"digest", "fork", "jobs", "lab", "relationships", "units"}
"""Methods whose answer is made of no words that were said."""


def _turn() -> Turn:
    return Turn(agent_id="x", text="Ana lives in Town0.", speaker="Bob", occurred_at=NOW, event_id="e-draft")


def _span() -> Any:
    from arandu_lab.trace import Span

    return Span("test")


def _forked(memory: Memory) -> str:
    with memory.fork() as copy:
        return copy.digest("x")


def _undone(memory: Memory) -> Any:
    try:
        return memory.undo("x", "unit0", dry_run=True).put
    except ConfigError as refused:
        return str(refused)


def opened(place: Path, **more: Any) -> Memory:
    config = MemoryConfig(auto_reinforce=False)
    return Memory.open(place, embedder="hashing", config=config, clock=lambda: NOW, **more)


def tell(memory: Memory, number: int) -> None:
    """One unit of work that touches every table: where Ana lives now, and what was concluded of it."""
    at, n = T0 + timedelta(days=number), number
    vector = asyncio.run(memory.embed([f"Ana lives in Town{n}"]))[0]

    def fact(of: str, text: str, **more: Any) -> Fact:
        return Fact(
            id=of, agent_id="x", entity_key="person:ana", entity_name="Ana", text=text, confidence=0.9, importance=0.5,
            category="location", speaker="Ana", source_event_id=f"e{n}", valid_from=at, recorded_at=at, vector=vector, **more,
        )  # fmt: skip

    rows: list[Row] = [
        Event(
            id=f"e{n}",
            agent_id="x",
            text=f"I live in Town{n}.",
            speaker="Ana",
            occurred_at=at,
            recorded_at=at,
            vector=vector,
        ),
        fact(f"f{n}", f"Ana lives in Town{n}"),
        fact(f"s{n}", f"Ana has lived in Town{n}", stale_since=at, stale_why="vitality"),
        Entity(key="person:ana", agent_id="x", name="Ana", type="person", recorded_at=T0, profile_text=f"in Town{n}"),
        Entity(key=f"city:c{n}", agent_id="x", name=f"Town{n}", type="city", recorded_at=at),
        Alias(folded="nana", agent_id="x", entity_key="person:ana", name="Nana", recorded_at=T0),
        *(
            Link(fact_id=one, agent_id="x", entity_key="person:ana", primary=True, recorded_at=at)
            for one in (f"f{n}", f"s{n}")
        ),
        Relationship(
            id=f"r{n}",
            agent_id="x",
            source_key="person:ana",
            target_key=f"city:c{n}",
            rel_type="lives_in",
            strength=0.9,
            evidence_fact_ids=(f"f{n}",),
            valid_from=at,
            recorded_at=at,
        ),
        Cluster(id=f"k{n}", agent_id="x", label=f"Town{n}", summary="home", fact_ids=(f"f{n}",), recorded_at=at),
        Observation(
            id=f"o{n}",
            agent_id="x",
            kind="directive",
            text=f"Speak of Town{n}.",
            confidence=0.9,
            evidence_ids=(f"f{n}",),
            recorded_at=at,
        ),
    ]
    if n:
        rows.append(fact(f"f{n - 1}", f"Ana lives in Town{n - 1}", valid_to=at, invalidated_at=at, closed_by="update"))
    memory.store.append("job", "x", rows, unit_id=f"unit{n}", recorded_at=at)


def said(answer: Any) -> Any:
    """An answer as something to compare."""
    if isinstance(answer, tuple):
        return tuple(map(said, answer))
    return answer.rows() if hasattr(answer, "rows") else repr(answer)


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Memory]:
    with opened(tmp_path / "s") as memory:
        tell(memory, 0)
        yield memory


def test_every_method_is_known_here() -> None:
    """Every public method of a memory either looks, tries, or writes: a new one is entered in one of the lists above."""
    methods = {name for name in dir(Memory) if not name.startswith("_")}
    assert methods == {*READ, *TRIED, *WRITTEN}


@pytest.mark.parametrize("name", [*READ, *TRIED])
def test_a_reader_answers_of_the_newest_state(name: str, writer: Memory, tmp_path: Path) -> None:
    """A handle that answered before another wrote answers afterwards as the writer does, journal and tables alike."""
    ask = {**READ, **TRIED}[name]
    with opened(tmp_path / "s", read_only=True) as reader:
        before = said(ask(reader, tmp_path))
        for number, settle in ((1, int), (2, writer.store.flush), (3, int)):
            tell(writer, number)
            settle()
            assert said(ask(reader, tmp_path)) == (now := said(ask(writer, tmp_path)))
        assert name in SAME or now != before, "the answer does not change: the test proves nothing"


@pytest.mark.parametrize("name", [*READ, *TRIED])
def test_an_answer_is_of_one_state(name: str, writer: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever another writes while a reader is at an answer, the answer is that of the state before, or of that after."""
    ask = {**READ, **TRIED}[name]
    place, told = tmp_path / "s", 0
    steps, until = [0], [0]

    def watched(plain: Callable[..., Any]) -> Callable[..., Any]:
        def step(tables: Tables, *given: Any, **named: Any) -> Any:
            if tables is reader.store._tables:
                steps[0] += 1
                if steps[0] == until[0]:
                    pool.submit(write).result()
            return plain(tables, *given, **named)

        return step

    def write() -> None:
        tell(writer, told)
        writer.store.flush()

    with opened(place, read_only=True) as reader, ThreadPoolExecutor(1) as pool:
        before, answers = said(ask(reader, tmp_path)), list[bool]()
        for touched in ("select", "mark", "handle"):
            monkeypatch.setattr(Tables, touched, watched(getattr(Tables, touched)))
        while steps[0] >= until[0]:
            steps[0], until[0], told = 0, until[0] + 1 + until[0] // 3, told + 1
            found, after = said(ask(reader, tmp_path)), said(ask(writer, tmp_path))
            answers.append(found in (before, after))
            before = after
        assert all(answers), answers
        assert len(answers) > 1, "nothing was written meanwhile: the test proves nothing"


FORGETS = """
import sys
from arandu_lab import Memory
with Memory.open(sys.argv[1], embedder="hashing") as memory:
    done = memory.forget("x", everything=True)
    assert done.scan.proven and done.clean
"""


def test_what_another_process_forgot_is_in_no_answer(tmp_path: Path) -> None:
    """Once the certificate is there, no reading method of a handle that was open before says a forgotten word."""
    with opened(tmp_path / "s") as memory:
        tell(memory, 7)
    asked = {name: ask for name, ask in READ.items() if name not in ("draft", "export", "why", "why_not")}
    with opened(tmp_path / "s", read_only=True) as reader:
        for name, ask in asked.items():
            assert "Town7" in repr(said(ask(reader, tmp_path))) or name in WORDLESS
        subprocess.run([sys.executable, "-c", FORGETS, str(tmp_path / "s")], check=True)
        for ask in asked.values():
            assert "Town7" not in repr(said(ask(reader, tmp_path)))
        assert all("Town7" not in repr(row) for row in reader.store.view("x").rows())


def test_a_reader_bars_what_another_forgot(writer: Memory, tmp_path: Path) -> None:
    """A dry run of a reader knows the tombstones that another handle has set since."""
    with opened(tmp_path / "s", read_only=True) as reader:
        tried = asyncio.run(reader.write("x", "I live in Town0.", "Ana", occurred_at=T0, dry_run=True))
        assert not [one for one in tried.skipped if one.why == "forgotten"]
        writer.forget("x", event="e0")
        tried = asyncio.run(reader.write("x", "I live in Town0.", "Ana", occurred_at=T0, dry_run=True))
        assert [one.why for one in tried.skipped] == ["forgotten"]


@pytest.mark.parametrize(
    ("times", "message"), [(TRIES - 1, "Not found: facts.lance"), (TRIES, "Not found: x"), (1, "torn")]
)
def test_a_file_that_goes_while_it_is_read_is_no_fault(
    writer: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int, message: str
) -> None:
    """Forgetting leaves no old version: a reader in the middle of one begins anew, a few times; other faults are told at once."""
    real, left = indexes.nearest, [times]

    def nearest(*given: Any, **named: Any) -> Any:
        if left[0]:
            left[0] -= 1
            raise BackendError(message, kind="store", backend="lancedb")
        return real(*given, **named)

    with opened(tmp_path / "s", read_only=True) as reader:
        wanted = asyncio.run(reader.search(ASKED)).to_dicts()
        monkeypatch.setattr(indexes, "nearest", nearest)
        if times < TRIES and message != "torn":
            assert asyncio.run(reader.search(ASKED)).to_dicts() == wanted
        else:
            with pytest.raises(BackendError, match=message):
                asyncio.run(reader.search(ASKED))


def test_a_reader_reads_with_the_calibration_of_now(writer: Memory, tmp_path: Path) -> None:
    """Another handle changes the scale of cosines: a reader scores with it from then on."""
    with opened(tmp_path / "s", read_only=True) as reader:
        before = asyncio.run(reader.search(ASKED))["semantic"].to_list()
        writer.recalibrate(Calibration(knots=((0.0, 0.0), (0.5, 0.2))))
        now = asyncio.run(reader.search(ASKED))["semantic"].to_list()
        with opened(tmp_path / "s", read_only=True) as fresh:
            assert now == asyncio.run(fresh.search(ASKED))["semantic"].to_list() != before


def test_a_reader_beside_a_writer_that_forgets(writer: Memory, tmp_path: Path) -> None:
    """While another writes, forgets and rebuilds, a reader always has an answer, and never half a unit."""
    over = False

    def read() -> int:
        answers = 0
        with opened(tmp_path / "s", read_only=True) as reader:
            while not over or answers < 3:
                view = reader.store.view("x")
                assert {one[1:] for one in view.facts.ids if one[0] == "s"} == {one[1:] for one in view.events.ids}
                asyncio.run(reader.search(ASKED))
                asyncio.run(reader.retrieve("x", ASKED, now=NOW))
                reader.units("x")
                answers += 1
        return answers

    def read_anew() -> int:
        answers = 0
        while not over or answers < 3:
            with opened(tmp_path / "s", read_only=True) as reader:
                asyncio.run(reader.retrieve("x", ASKED, now=NOW))
                reader.history("x")
                answers += 1
        return answers

    with ThreadPoolExecutor(2) as pool:
        readers = [pool.submit(read), pool.submit(read_anew)]
        try:
            for number in range(1, 9):
                tell(writer, number)
                if number % 2:
                    writer.forget("x", event=f"e{number - 1}")
                if number % 4 == 0:
                    writer.rebuild()
        finally:
            over = True
        assert all(one.result() >= 3 for one in readers)
