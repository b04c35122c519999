"""What a store promises beyond reading back what was written."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.store import Store
from arandu_lab.testing.plain import DIM, START
from arandu_lab.testing.store_rows import rows_of, said
from arandu_lab.testing.stores import STORE_CLAIMS, check_store

WRITER = """
import sys
from arandu_lab.store import Store
from arandu_lab.records import Event
from arandu_lab.testing.plain import START, DIM
with Store.open(sys.argv[1], embedder_name="test", embedder_dim=DIM, lease_timeout=60.0) as store:
    print("open", flush=True)
    for number in range(int(sys.argv[3])):
        event = Event(id=f"{sys.argv[2]}{number}", agent_id="ana", text="t", speaker="s", occurred_at=START,
                      recorded_at=START)
        store.append("turn", "ana", [event], unit_id=event.id, recorded_at=START)
    if sys.argv[2] == "hold":
        sys.stdin.read()
"""


@pytest.fixture(params=["disk", "memory"])
def kind(request: pytest.FixtureRequest) -> str:
    """A store on disk, and one in memory."""
    return str(request.param)


FACTORIES = {
    "disk": (lambda path: Store.open(path, embedder_name="test", embedder_dim=DIM), True),
    "memory": (lambda path: Store.open("memory://", embedder_name="test", embedder_dim=DIM), False),
}


def held(kind: str, name: str) -> None:
    """One claim of ``arandu_lab.testing.check_store`` holds of our store."""
    factory, reopens = FACTORIES[kind]
    assert check_store(factory, reopens=reopens, only=[name]).claims == (name,)


def test_no_agent_sees_another(kind: str) -> None:
    """K1, K2, K3: with the same ids everywhere, every read path of every hostile agent id finds its own row only."""
    held(kind, "isolated")


def test_nobody_is_refused(kind: str) -> None:
    """J1, K1: an agent id that names nobody is an error in every call that takes one, never "everybody"."""
    held(kind, "nobody")


def test_a_unit_of_one_agent_holds_no_row_of_another(kind: str) -> None:
    """K3: a row that belongs to somebody else is refused and nothing of its unit is stored."""
    held(kind, "foreign")


def test_any_text_survives(kind: str) -> None:
    """C2, B14: NUL, RTL, NFD, emoji and quotes come back byte for byte; half a surrogate pair becomes U+FFFD."""
    held(kind, "texts")


def test_times_keep_their_offset(kind: str) -> None:
    """E2, E6, E13: an instant said at -03:00 is the same instant and still at -03:00 after reopening."""
    held(kind, "times")


def test_units_count_once(kind: str) -> None:
    """I1, I4: the same unit id again changes nothing and answers the old number, hot and after reloading."""
    held(kind, "once")


def test_a_stale_draft_is_told(kind: str) -> None:
    """I1, I2: a unit drafted against an older sequence of its agent is refused; other agents do not matter."""
    held(kind, "moved")


def test_what_cannot_be_stored_is_refused_before_the_journal(kind: str) -> None:
    """C2, E17, M1: a row that would poison a table later is refused at once, and the store goes on."""
    held(kind, "poison")


def test_forgetting_leaves_no_byte(kind: str) -> None:
    """J2, J6, J10: a forgotten text is in no view, table, journal unit or byte of the directory, and stays away."""
    held(kind, "forgotten")


def test_random_units_are_read_back(kind: str) -> None:
    """I6, I7: after random units, rebuilt and reopened, views agree with the rows in plain Python."""
    held(kind, "replayed")


def test_every_claim_is_held() -> None:
    """Each claim of ``check_store`` has a test above."""
    assert {claim.name for claim in STORE_CLAIMS} == set(
        re.findall(r'held\(kind, "(\w+)"\)', Path(__file__).read_text("utf-8"))
    )


def test_another_embedder_is_told_what_to_do(tmp_path: Path) -> None:
    """M1: reopening under another model or width is a clear error; adopting drops the old vectors only."""
    path = tmp_path / "s"
    with Store.open(path, embedder_name="test", embedder_dim=DIM) as store:
        store.append("write", "ana", rows_of("ana", "w"), unit_id="u", recorded_at=START)
        with pytest.raises(ConfigError, match="'test'"):
            Store.open(path, embedder_name="other", embedder_dim=DIM)
    for name, dim in (("other", DIM), ("test", 8)):
        with pytest.raises(ConfigError, match=r"Store\.adopt"):
            Store.open(path, embedder_name=name, embedder_dim=dim)
    Store.adopt(path, embedder_name="other", embedder_dim=8)
    with Store.open(path, embedder_name="other", embedder_dim=8) as store:
        (fact,) = [store.view("ana").fact_at(0)]
        assert fact.vector is None
        assert fact == rows_of("ana", "w")[1]
        store.append(
            "edit", "ana", [replace(fact, vector=np.ones(8, dtype=np.float32))], unit_id="v", recorded_at=START
        )
        assert store.verify() == []


def test_a_planted_difference_is_found(store: Store) -> None:
    """I7: verify names the row of a table that does not say what the journal says; rebuild heals it."""
    store.append("write", "ana", rows_of("ana", "w"), unit_id="u", recorded_at=START)
    store.flush()
    assert store.verify() == []
    store._tables._handles["facts"].update(where="fact_id = 'f'", values={"text": "planted"})
    store._tables._handles["entities"].delete("true")
    found = store.verify()
    assert len(found) == 2
    assert any("planted" in line for line in found)
    assert any("not in the table" in line for line in found)
    store.rebuild()
    assert store.verify() == []


def test_forgetting_interrupted_is_finished_at_opening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """I7, J6: a crash after the forget unit is in the journal leaves text behind only until the next opening."""
    path = tmp_path / "s"
    store = Store.open(path, embedder_name="test", embedder_dim=DIM)
    rows = rows_of("ana", "ZQX4417")
    store.append("write", "ana", rows, unit_id="u", recorded_at=START)

    def crash(*_: object) -> None:
        raise BackendError("the power went", kind="store", backend="test")

    with monkeypatch.context() as broken:
        broken.setattr("arandu_lab.store.forget.erase", crash)
        with pytest.raises(BackendError, match="power"):
            store.forget("ana", rows, unit_id="gone", recorded_at=START)
    assert list(store.view("ana").facts.ids) == []
    store.close()
    assert _bytes_hold(path, b"ZQX4417")
    with Store.open(path, embedder_name="test", embedder_dim=DIM) as store:
        assert not _bytes_hold(path, b"ZQX4417")
        assert store.verify() == []


@pytest.mark.parametrize("arrived", [False, True])
def test_an_append_that_fails_is_asked_again(store: Store, monkeypatch: pytest.MonkeyPatch, arrived: bool) -> None:
    """C11, I3: after a disk error the same unit id tells whether it had arrived; nothing is lost, nothing is twice."""
    from arandu_lab.store import segments

    record = segments.record
    store.append("turn", "ana", [said("ana", 1)], unit_id="1", recorded_at=START)

    def fail(tables: Any, unit: Any) -> None:
        if arrived:
            record(tables, unit)
        raise BackendError("disk full", kind="store", backend="test")

    with monkeypatch.context() as broken:
        broken.setattr(segments, "record", fail)
        with pytest.raises(BackendError, match="disk full"):
            store.append("turn", "ana", [said("ana", 2)], unit_id="2", recorded_at=START)
    assert len(store.view("ana").events) == (2 if arrived else 1)
    assert store.append("turn", "ana", [said("ana", 2)], unit_id="2", recorded_at=START) == 2
    assert store.append("turn", "ana", [said("ana", 3)], unit_id="3", recorded_at=START) == 3
    assert list(store.view("ana").events.ids) == ["e1", "e2", "e3"]
    assert store.frame("journal")["seq"].to_list() == [1, 2, 3]


def test_a_second_process_waits_and_is_told(tmp_path: Path) -> None:
    """C10, I3: while one process writes, another queues for the lease; at its deadline it learns who holds it."""
    path = tmp_path / "s"
    with _writer(path, "hold", 3) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        with pytest.raises(BackendError, match=f"process {holder.pid} on") as told:
            Store.open(path, embedder_name="test", embedder_dim=DIM, lease_timeout=0.2)
        assert told.value.kind == "lease"
        with Store.open(path, embedder_name="test", embedder_dim=DIM, read_only=True) as reader:
            while len(reader.view("ana").events) < 3:
                reader.refresh()
            with pytest.raises(ConfigError, match="read_only"):
                reader.append("turn", "ana", [], unit_id="u", recorded_at=START)
        holder.kill()
    with Store.open(path, embedder_name="test", embedder_dim=DIM, lease_timeout=5.0) as store:
        assert len(store.view("ana").events) == 3


def test_two_processes_lose_nothing(tmp_path: Path) -> None:
    """I3, I4: two processes write 40 units each to one agent of one store; all 80 are there, in one order."""
    path = tmp_path / "s"
    with _writer(path, "a", 40) as one, _writer(path, "b", 40) as two:
        assert (one.wait(), two.wait()) == (0, 0)
    with Store.open(path, embedder_name="test", embedder_dim=DIM) as store:
        assert sorted(store.view("ana").events.ids) == sorted(f"{who}{n}" for who in "ab" for n in range(40))
        assert store.frame("journal")["seq"].to_list() == list(range(1, 81))
        assert store.verify() == []


def test_a_reader_follows_a_writer(tmp_path: Path) -> None:
    """E10, N3: a reader opened before sees new units after refresh, projected or not, and a kept view does not move."""
    with Store.open(tmp_path / "s", embedder_name="test", embedder_dim=DIM) as writer:
        writer.append("turn", "ana", [said("ana", 1)], unit_id="1", recorded_at=START)
        with Store.open(tmp_path / "s", embedder_name="test", embedder_dim=DIM, read_only=True) as reader:
            before = reader.view("ana")
            writer.append("turn", "ana", [said("ana", 2)], unit_id="2", recorded_at=START)
            writer.flush()
            writer.append("turn", "ana", [said("ana", 3)], unit_id="3", recorded_at=START)
            assert reader.refresh() == 2
            assert (len(before.events), len(reader.view("ana").events)) == (1, 3)
            assert reader.frame("events")["event_id"].to_list() == ["e1", "e2", "e3"]
            assert reader.verify() == []


def test_one_process_shares_its_writer(tmp_path: Path) -> None:
    """K3: opening a path again in the process that writes it gives the same store, which closes with its last user."""
    one = Store.open(tmp_path / "s", embedder_name="test", embedder_dim=DIM)
    two = Store.open(tmp_path / "x" / ".." / "s", embedder_name="test", embedder_dim=DIM)
    assert one is two
    one.close()
    two.append("turn", "ana", [said("ana", 1)], unit_id="1", recorded_at=START)
    two.close()
    with pytest.raises(ConfigError, match="closed"):
        two.view("ana")


@pytest.mark.parametrize("memory", [False, True])
def test_a_fork_goes_its_own_way(tmp_path: Path, memory: bool) -> None:
    """W22: a fork holds all that was there, projected or not; neither sees what the other writes later."""
    source = Store.open("memory://" if memory else tmp_path / "s", embedder_name="test", embedder_dim=DIM)
    source.append("write", "ana", rows_of("ana", "w"), unit_id="u", recorded_at=START)
    for target in ("memory://", tmp_path / "copy"):
        with source.fork(target) as copy:
            assert list(copy.view("ana").rows()) == list(source.view("ana").rows())
            copy.append("turn", "ana", [said("ana", 2)], unit_id="v", recorded_at=START)
            assert (copy.view("ana").sequence, source.view("ana").sequence) == (2, 1)
            assert copy.verify() == source.verify() == []
    with pytest.raises(ConfigError, match="not empty"):
        source.fork(tmp_path / "copy")
    source.close()


async def test_one_agent_is_serial_and_others_are_not(store: Store) -> None:
    """I1, I5, W25: read, wait, write inside ``serial`` loses nothing; another agent is not kept waiting."""

    async def add(agent: str) -> None:
        async with store.serial(agent):
            view = store.view(agent)
            await asyncio.sleep(0)
            number = len(view.events)
            event = said(agent, number)
            store.append("turn", agent, [event], unit_id=event.id, recorded_at=START, expects=view.sequence)

    async with store.serial("carla"):
        await asyncio.gather(*(add(agent) for agent in ("ana", "bia") * 8))
    assert [len(store.view(agent).events) for agent in ("ana", "bia")] == [8, 8]


def test_views_give_way_by_bytes(tmp_path: Path) -> None:
    """More agents than fit are read correctly, one after the other, and few are kept."""
    with Store.open(tmp_path / "s", embedder_name="test", embedder_dim=DIM, view_bytes=1_000_000) as store:
        for round_ in range(3):
            for number in range(12):
                agent = f"a{number}"
                store.append("turn", agent, [said(agent, round_)], unit_id=str(round_), recorded_at=START)
        assert len(store._desks) < 6
        assert all(len(store.view(f"a{number}").events) == 3 for number in range(12))


def test_a_broken_manifest_is_set_aside(tmp_path: Path) -> None:
    """I3: a newest manifest of length zero (a power cut) is quarantined, and the journal gives the rest back."""
    path = tmp_path / "s"
    with Store.open(path, embedder_name="test", embedder_dim=DIM, durability="power") as store:
        store.append("write", "ana", rows_of("ana", "w"), unit_id="u", recorded_at=START)
    (path / "facts.lance" / "data" / ".tmpXYZ").write_bytes(b"half")
    newest = min((path / "clusters.lance" / "_versions").glob("*.manifest"))
    newest.with_name(f"{int(newest.stem) - 1}.manifest").write_bytes(b"")
    with Store.open(path, embedder_name="test", embedder_dim=DIM) as store:
        assert store.verify() == []
        assert store.view("ana").fact("f") is not None
    assert not list(path.rglob(".tmp*"))


def test_importing_the_store_leaves_lancedb_asleep() -> None:
    """``import arandu_lab.store`` loads neither lancedb nor pyarrow."""
    script = "import sys, arandu_lab.store; print([m for m in ('lancedb', 'pyarrow', 'polars') if m in sys.modules])"
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert json.loads(told.stdout.replace("'", '"')) == []


def _writer(path: Path, name: str, units: int) -> subprocess.Popen[str]:
    here = str(Path(__file__).parent)
    script = f"import sys; sys.path.insert(0, {here!r})\n{WRITER}"
    command = [sys.executable, "-c", script, str(path), name, str(units)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _bytes_hold(path: Path, word: bytes) -> bool:
    return any(word in file.read_bytes() for file in path.rglob("*") if file.is_file())
