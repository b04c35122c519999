"""Carrying an agent's memory away and taking it in elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from arandu_lab import ConfigError, Memory
from arandu_lab.embed.calibration import Calibration
from arandu_lab.embed.scripted import ScriptedEmbedder
from arandu_lab.errors import DatasetError

RECIFE = ZoneInfo("America/Recife")
T0 = datetime(2025, 3, 1, 0, 10, tzinfo=RECIFE)


class Clock:
    """A clock that a test moves."""

    now = datetime(2025, 6, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
async def full() -> Any:
    """A memory with turns, versions, a correction, a merge, a forgotten turn, and another agent's unit in between."""
    clock = Clock()
    with Memory.open("memory://", embedder="hashing", clock=clock) as memory:
        await memory.write("a", "I live in Recife.", "Rafael", occurred_at=T0)
        for day in range(4):
            await memory.write("b", f"Moro em Natal {day}.", "Íris", occurred_at=T0 + timedelta(days=day))
        await memory.write("a", "Eu trabalho na Acme.", "Rafael", occurred_at=T0 + timedelta(days=1), session_id="s")
        clock.now += timedelta(days=10)
        await memory.write("a", "I moved to Olinda.", "Rafael", occurred_at=T0 + timedelta(days=40))
        fact = memory.facts("a").row(0, named=True)
        await memory.correct("a", fact["id"], "Rafael mora em Jaboatão")
        keys = memory.entities("a")["key"].to_list()
        memory.merge("a", keys[0], keys[1])
        gone = await memory.write("a", "My PIN is 4417.", "Rafael", occurred_at=T0 + timedelta(days=41))
        memory.forget("a", event=gone.event_id)
        yield memory


@pytest.fixture
def empty() -> Iterator[Memory]:
    """A memory of nobody, with the same embedder."""
    with Memory.open("memory://", embedder="hashing", clock=Clock()) as memory:
        yield memory


async def test_the_round_trip_is_exact(full: Memory, empty: Memory, tmp_path: Path) -> None:
    """E13, Q1: after export and import the digests are equal, with vectors, histories, both times and the offsets they were said in."""
    out = full.export("a", tmp_path / "a.jsonl")
    taken = empty.import_(out.path)
    assert taken.digest == out.digest == full.digest("a") == empty.digest("a")
    assert (taken.units, taken.rows, taken.unembedded) == (out.units, out.rows, 0)
    view, other = full.store.view("a"), empty.store.view("a")
    assert list(other.rows()) == list(view.rows())
    assert max(born >> 20 for _, born in other.images()) <= other.sequence, "what comes next comes after"
    assert [view.event_at(0).occurred_at.isoformat(), view.event_at(0).recorded_at] == [
        other.event_at(0).occurred_at.isoformat(),
        other.event_at(0).recorded_at,
    ]
    assert other.event_at(0).occurred_at.utcoffset() == timedelta(hours=-3)
    for fact in view.facts.ids:
        assert empty.history("a", fact).equals(full.history("a", fact))
    known = datetime(2025, 6, 2, tzinfo=UTC)
    assert empty.facts("a", known_at=known).equals(full.facts("a", known_at=known))
    assert empty.store.verify() == []
    empty.rebuild()
    assert empty.digest("a") == out.digest
    assert (await empty.retrieve("a", "Where does Rafael live?", now=known)).context == (
        await full.retrieve("a", "Where does Rafael live?", now=known)
    ).context


async def test_what_can_be_undone_there_can_be_undone_here(full: Memory, empty: Memory, tmp_path: Path) -> None:
    """E13, B10, J6: units, undoings, backlogs and tombstones travel; the same turn is not read twice, the forgotten one never."""
    empty.import_(full.export("a", tmp_path / "a.jsonl").path)
    assert empty.units("a").equals(full.units("a"))
    unit = full.units("a").filter(full.units("a")["kind"] == "merge")["id"][0]
    for memory in (full, empty):
        memory.undo("a", unit)
    assert empty.digest("a") == full.digest("a")
    again = await empty.write("a", "I live in Recife.", "Rafael", occurred_at=T0)
    assert [one.why for one in again.skipped] == ["this turn was written before"]
    barred = await empty.write("a", "My PIN is 4417.", "Rafael", occurred_at=T0 + timedelta(days=2))
    assert [one.why for one in barred.skipped] == ["forgotten"]


async def test_an_import_survives_reopening_beside_others(full: Memory, tmp_path: Path) -> None:
    """E13, J9: taken into a store on disk that has agents of its own: they are untouched, and it reopens complete."""
    out = full.export("a", tmp_path / "a.jsonl")
    with Memory.open(tmp_path / "m", embedder="hashing", clock=Clock()) as memory:
        await memory.write("c", "I live in Natal.", "Ana", occurred_at=T0)
        other = memory.digest("c")
        memory.import_(out.path)
        await memory.write("a", "Adoro tapioca.", "Rafael", occurred_at=T0 + timedelta(days=60))
        assert memory.digest("c") == other
        assert memory.store.verify() == []
        now = memory.digest("a")
    with Memory.open(tmp_path / "m", embedder="hashing", clock=Clock()) as memory:
        assert (memory.digest("a"), memory.digest("c")) == (now, other)
        assert memory.store.verify() == []


async def test_another_embedder_leaves_vectors_behind(full: Memory, tmp_path: Path) -> None:
    """M1, E13: into another embedder come the words and not the vectors; it says so, and ``repair`` embeds every row anew."""
    out = full.export("a", tmp_path / "a.jsonl")
    with Memory.open("memory://", embedder=ScriptedEmbedder(hash_dim=32), clock=Clock()) as memory:
        taken = memory.import_(out.path)
        assert taken.unembedded > 0
        assert "repair" in str(taken)
        assert memory.digest("a", vectors=False) == full.digest("a", vectors=False)
        assert all(getattr(row, "vector", None) is None for row in memory.store.view("a").rows())
        assert await memory.repair("a") == taken.unembedded
        view = memory.store.view("a")
        assert view.fact_at(0).vector is not None
        assert memory.digest("a", vectors=False) == full.digest("a", vectors=False)


async def test_an_agent_comes_under_another_name(full: Memory, empty: Memory, tmp_path: Path) -> None:
    """E13, J9: taken in as "c" beside "a": no id is shared, histories and units are whole, and named back it is "a" byte by byte."""
    out = full.export("a", tmp_path / "a.jsonl")
    at = full.digest("a")
    taken = full.import_(out.path, agent_id="c")
    assert (taken.agent_id, taken.units, taken.rows) == ("c", out.units, out.rows)
    assert full.digest("a") == at
    mine, other = full.store.view("a"), full.store.view("c")
    for kind in (mine.facts.ids, mine.events.ids):
        assert not {*kind} & {*other.facts.ids, *other.events.ids}
    assert [row["text"] for row in full.facts("c").iter_rows(named=True)] == full.facts("a")["text"].to_list()
    for one, two in zip(mine.facts.ids, other.facts.ids, strict=True):
        assert full.history("c", two)["text"].to_list() == full.history("a", one)["text"].to_list()
    assert {fact.source_event_id for fact in map(other.fact_at, range(len(other.facts.ids)))} <= {*other.events.ids}
    assert full.units("c")["what"].to_list() == full.units("a")["what"].to_list()
    assert full.store.verify() == []
    full.rebuild()
    back = empty.import_(full.export("c", tmp_path / "c.jsonl").path, agent_id="a")
    assert back.digest == empty.digest("a") == at
    assert empty.units("a").equals(full.units("a"))


async def test_under_another_name_old_turns_are_known_and_forgotten_ones_stay_so(full: Memory, tmp_path: Path) -> None:
    """W22, J6: a renamed agent knows the turns it has read, undoes what it merged, and keeps its tombstones."""
    full.import_(full.export("a", tmp_path / "a.jsonl").path, agent_id="c")
    again = await full.write("c", "I live in Recife.", "Rafael", occurred_at=T0)
    assert [one.why for one in again.skipped] == ["this turn was written before"]
    barred = await full.write("c", "My PIN is 4417.", "Rafael", occurred_at=T0 + timedelta(days=2))
    assert [one.why for one in barred.skipped] == ["forgotten"]
    unit = full.units("c").filter(full.units("c")["kind"] == "merge")["id"][0]
    for agent in ("a", "c"):
        full.undo(agent, full.units(agent).filter(full.units(agent)["kind"] == "merge")["id"][0])
    assert unit not in full.units("a")["id"].to_list()
    assert full.entities("c")["key"].to_list() == full.entities("a")["key"].to_list()
    for bad in ("", "b"):
        with pytest.raises(ConfigError, match="agent"):
            full.import_(tmp_path / "a.jsonl", agent_id=bad)


async def test_an_agent_is_not_mixed_with_itself(full: Memory, tmp_path: Path) -> None:
    """J9: importing an agent where it is known is refused, and changes nothing."""
    out = full.export("a", tmp_path / "a.jsonl")
    at = full.digest("a")
    with pytest.raises(ConfigError, match="already"):
        full.import_(out.path)
    assert full.digest("a") == at


def test_what_cannot_be_exported_is_told(tmp_path: Path) -> None:
    """J7: an unknown agent, a file that is there, and a folder that is not, are the user's to mend."""
    with Memory.open("memory://", embedder="hashing") as memory:
        with pytest.raises(ConfigError, match="unknown here"):
            memory.export("nobody", tmp_path / "x")
        assert not (tmp_path / "x").exists()
        with pytest.raises(ConfigError, match="nowhere"):
            memory.import_(tmp_path / "nowhere")


async def test_an_export_never_overwrites_by_accident(full: Memory, tmp_path: Path) -> None:
    """J11: a file that stands is kept unless ``overwrite`` says otherwise, and no half file is ever left."""
    path = tmp_path / "a.jsonl"
    path.write_text("mine")
    with pytest.raises(ConfigError, match="overwrite"):
        full.export("a", path)
    assert path.read_text() == "mine"
    full.export("a", path, overwrite=True)
    with pytest.raises(ConfigError, match="cannot be written"):
        full.export("a", tmp_path / "no" / "a.jsonl")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.jsonl"]


def changed(lines: list[str], number: int, **more: Any) -> list[str]:
    return [json.dumps({**json.loads(line), **more}) if n == number else line for n, line in enumerate(lines)]


@pytest.mark.parametrize(
    ("damage", "kind", "says"),
    [
        (lambda lines: [], DatasetError, ":1: no JSON"),
        (lambda lines: ["[]"], DatasetError, "wants an object"),
        (lambda lines: ["{}"], DatasetError, "no exported memory"),
        (lambda lines: lines[:-1], DatasetError, "cut short"),
        (lambda lines: lines[:-2] + lines[-1:], DatasetError, "SHA-256"),
        (lambda lines: [line.replace("Recife", "Olinda") for line in lines], DatasetError, "SHA-256"),
        (lambda lines: changed(lines, 0, version=2), ConfigError, "version 2"),
        (lambda lines: changed(lines, 0, format="other"), DatasetError, ":1: no exported memory"),
        (lambda lines: [*lines[:2], "{", *lines[2:]], DatasetError, "SHA-256"),
    ],
)
async def test_a_broken_file_is_refused_whole(
    full: Memory, empty: Memory, tmp_path: Path, damage: Any, kind: type[Exception], says: str
) -> None:
    """E13, J5: a cut, edited or newer file is refused by name and line, and nothing of it is taken in."""
    path = full.export("a", tmp_path / "a.jsonl").path
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("".join(f"{line}\n" for line in damage(lines)), encoding="utf-8")
    with pytest.raises(kind, match=says):
        empty.import_(path)
    assert empty.store.agents() == ()


async def test_the_calibration_travels(tmp_path: Path) -> None:
    """M5: an empty store takes the scale of the file; a store that decided on another scale refuses it."""
    steep = Calibration(((0.2, 0.0), (0.8, 0.5)), source="a test")
    with Memory.open("memory://", embedder="hashing", calibration=steep) as memory:
        await memory.write("a", "I live in Recife.", "Rafael", occurred_at=T0)
        path = memory.export("a", tmp_path / "a.jsonl").path
    with Memory.open("memory://", embedder="hashing") as memory:
        memory.import_(path)
        assert float(memory.embed.scale(0.8)) == 0.5
    with Memory.open("memory://", embedder="hashing") as memory:
        await memory.write("c", "I live in Natal.", "Ana", occurred_at=T0)
        with pytest.raises(ConfigError, match="recalibrate"):
            memory.import_(path)
