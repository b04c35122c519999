"""What a store promises beyond reading back what was written."""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
from dataclasses import replace
from datetime import timedelta, timezone
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from plain import DIM, START, Plain

from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.records import Alias, Entity, Event, Fact, Link, Relationship, Row
from arandu_lab.store import Moved, Store
from arandu_lab.store.schema import PROJECTIONS

WRITER = """
import sys
from arandu_lab.store import Store
from arandu_lab.records import Event
from plain import START, DIM
with Store.open(sys.argv[1], embedder_name="test", embedder_dim=DIM, lease_timeout=60.0) as store:
    print("open", flush=True)
    for number in range(int(sys.argv[3])):
        event = Event(id=f"{sys.argv[2]}{number}", agent_id="ana", text="t", speaker="s", occurred_at=START,
                      recorded_at=START)
        store.append("turn", "ana", [event], unit_id=event.id, recorded_at=START)
    if sys.argv[2] == "hold":
        sys.stdin.read()
"""

HOSTILE = (
    "x' OR '1'='1",
    "'; DROP TABLE facts; --",
    '"',
    "`",
    "a\0b",
    "a",
    "🌵",
    "\u202eאבג",
    "../../x",
    "%",
    "_",
    "\\",
    "a\nb",
    "x" * 10_000,
    " ",
    "José",
    "Jose\u0301",
)


def rows_of(agent: str, word: str) -> list[Row]:
    """One row in every table an agent's reads touch, all with the same ids whoever the agent is."""
    made = Fact(
        id="f",
        agent_id=agent,
        entity_key="k",
        entity_name="Iara",
        text=f"canário {word}",
        confidence=0.5,
        importance=0.5,
        category="c",
        speaker="s",
        source_event_id="e",
        valid_from=START,
        recorded_at=START,
        vector=np.full(DIM, 0.25, dtype=np.float32),
    )
    return [
        Event(id="e", agent_id=agent, text=f"canário {word}", speaker="s", occurred_at=START, recorded_at=START),
        made,
        Entity(key="k", agent_id=agent, name=word, type="person", recorded_at=START),
        Alias(folded="iara", agent_id=agent, entity_key="k", name=word, recorded_at=START),
        Link(fact_id="f", agent_id=agent, entity_key="k", primary=True, recorded_at=START),
        Relationship(
            id="r",
            agent_id=agent,
            source_key="k",
            target_key="k",
            rel_type=word,
            strength=0.5,
            evidence_fact_ids=("f",),
            valid_from=START,
            recorded_at=START,
        ),
    ]


def said(agent: str, number: int, text: str = "t") -> Event:
    """A turn."""
    return Event(
        id=f"e{number}", agent_id=agent, text=text, speaker="s", occurred_at=START, recorded_at=START, vector=None
    )


@pytest.mark.parametrize("reload", [False, True])
def test_no_agent_sees_another(tmp_path: Path, reload: bool) -> None:
    """K1, K2, K3: with the same ids everywhere, every read path of every hostile agent id finds its own row only."""
    store = Store.open(tmp_path / "s", embedder_name="test", embedder_dim=DIM)
    for place, agent in enumerate(HOSTILE):
        store.append("write", agent, rows_of(agent, f"w{place}"), unit_id="same", recorded_at=START)
    if reload:
        store.flush()
        store._desks.clear()
    for place, agent in enumerate(HOSTILE):
        word, view = f"w{place}", store.view(agent)
        assert [list(view.facts.texts), list(view.events.texts)] == [[f"canário {word}"]] * 2
        assert view.facts.matching(word)[0].tolist() == [0] == view.events.matching(word)[0].tolist()
        assert not any(len(view.facts.matching(f"w{other}")[0]) for other in range(len(HOSTILE)) if other != place)
        assert view.fact("f").agent_id == agent == view.event("e").agent_id  # type: ignore[union-attr]
        assert view.fact_at(0) == view.history("f")[0]
        assert view.event_at(0).text == f"canário {word}"
        assert [entity.name for entity in view.entities()] == [word] == [view.entity("k").name]  # type: ignore[union-attr]
        assert view.aliases() == {"iara": ("k",)}
        assert [edge.rel_type for edge in view.edges("k")] == [word]
        assert view.linked("k").tolist() == [0]
        assert view.keys_of("f") == ("k",)
        for table in PROJECTIONS[:6]:
            assert store.frame(table, agent)["agent_id"].to_list() == [agent]
        assert store.frame("journal", agent)["agent_id"].to_list() == [agent]
    assert store.agents() == tuple(sorted(HOSTILE))
    assert store.frame("facts").height == len(HOSTILE)
    assert store.view("nobody").facts.ids == []
    assert store.verify() == []
    store.close()


@pytest.mark.parametrize("agent", ["", None, 7, "a\ud800"])
def test_nobody_is_refused(store: Store, agent: Any) -> None:
    """J1, K1: an agent id that names nobody is an error in every call that takes one, never "everybody"."""
    for call in (
        lambda: store.view(agent),
        lambda: store.append("turn", agent, [], unit_id="u", recorded_at=START),
        lambda: store.forget(agent, [], unit_id="u", recorded_at=START),
    ):
        with pytest.raises(ConfigError, match="agent_id"):
            call()
    if agent is not None:
        with pytest.raises(ConfigError, match="agent_id"):
            store.frame("facts", agent)


def test_a_unit_of_one_agent_holds_no_row_of_another(store: Store) -> None:
    """K3: a row that belongs to somebody else is refused and nothing of its unit is stored."""
    with pytest.raises(ConfigError, match="'bia'"):
        store.append("write", "ana", [said("ana", 1), said("bia", 2)], unit_id="u", recorded_at=START)
    assert store.view("ana").sequence == 0
    assert store.frame("journal").height == 0


def test_any_text_survives(tmp_path: Path) -> None:
    """C2, B14: NUL, RTL, NFD, emoji and quotes come back byte for byte; half a surrogate pair becomes U+FFFD."""
    texts = ["a\0b", "\u202eאב", "Jose\u0301", "José", "🌵'\"", "", "x" * 100_000, "cut \ud83d here"]
    with Store.open(tmp_path / "s", embedder_name="test", embedder_dim=DIM) as store:
        rows = [said("ana", place, text) for place, text in enumerate(texts)]
        store.append("turn", "ana", rows, unit_id="u", recorded_at=START)
        hot = list(store.view("ana").events.texts)
    with Store.open(tmp_path / "s", embedder_name="test", embedder_dim=DIM) as store:
        cold = list(store.view("ana").events.texts)
        assert store.verify() == []
    assert hot == cold == [*texts[:-1], "cut \ufffd here"]


def test_times_keep_their_offset(tmp_path: Path) -> None:
    """E2, E6, E13: an instant said at -03:00 is the same instant and still at -03:00 after reopening."""
    late = (START + timedelta(minutes=10)).astimezone(timezone(timedelta(hours=-3)))
    with Store.open(tmp_path / "s", embedder_name="test", embedder_dim=DIM) as store:
        store.append("turn", "ana", [replace(said("ana", 1), occurred_at=late)], unit_id="u", recorded_at=late)
    with Store.open(tmp_path / "s", embedder_name="test", embedder_dim=DIM) as store:
        event = store.view("ana").event("e1")
        assert event is not None
        assert event.occurred_at.isoformat() == late.isoformat()


def test_units_count_once(store: Store) -> None:
    """I1, I4: the same unit id again changes nothing and answers the old number, hot and after reloading."""
    first = store.append("turn", "ana", [said("ana", 1)], unit_id="u", recorded_at=START)
    for _ in range(2):
        assert store.append("turn", "ana", [said("ana", 2)], unit_id="u", recorded_at=START, expects=99) == first
        store.flush()
        store._desks.clear()
    assert list(store.view("ana").events.ids) == ["e1"]
    assert store.frame("journal").height == 1


def test_a_stale_draft_is_told(store: Store) -> None:
    """I1, I2: a unit drafted against an older sequence of its agent is refused; other agents do not matter."""
    seq = store.append("turn", "ana", [said("ana", 1)], unit_id="u1", recorded_at=START, expects=0)
    store.append("turn", "bia", [said("bia", 1)], unit_id="u1", recorded_at=START, expects=0)
    with pytest.raises(Moved) as told:
        store.append("turn", "ana", [said("ana", 2)], unit_id="u2", recorded_at=START, expects=0)
    assert (told.value.kind, told.value.found) == ("store", seq)
    assert store.append("turn", "ana", [said("ana", 2)], unit_id="u2", recorded_at=START, expects=seq) > seq


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (replace(said("ana", 1), vector=np.zeros(DIM + 1, dtype=np.float32)), r"shape \(17,\)"),
        (replace(said("ana", 1), vector=np.full(DIM, np.nan, dtype=np.float32)), "finite"),
        (replace(said("ana", 1), occurred_at=START.replace(tzinfo=None)), "timezone"),
        (Link(fact_id="nowhere", agent_id="ana", entity_key="k", primary=True, recorded_at=START), "nowhere"),
    ],
)
def test_what_cannot_be_stored_is_refused_before_the_journal(store: Store, row: Row, words: str) -> None:
    """C2, E17, M1: a row that would poison a table later is refused at once, and the store goes on."""
    with pytest.raises(ConfigError, match=words):
        store.append("write", "ana", [row], unit_id="u", recorded_at=START)
    store.append("turn", "ana", [said("ana", 2)], unit_id="u", recorded_at=START)
    assert store.verify() == []


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


def test_forgetting_leaves_no_byte(tmp_path: Path) -> None:
    """J2, J6, J10: a forgotten text is in no view, table, journal unit or byte of the directory, and stays away."""
    path = tmp_path / "s"
    store = Store.open(path, embedder_name="test", embedder_dim=DIM)
    rows = rows_of("ana", "ZQX4417")
    store.append("write", "ana", rows, unit_id="u", recorded_at=START)
    store.append("write", "ana", [said("ana", 9, "fica WKB2201")], unit_id="v", recorded_at=START)
    store.flush()
    assert _bytes_hold(path, b"ZQX4417")
    store.forget("ana", rows, unit_id="gone", recorded_at=START)
    assert not _bytes_hold(path, b"ZQX4417")
    assert _bytes_hold(path, b"WKB2201")
    for _ in range(2):
        view = store.view("ana")
        assert (list(view.facts.ids), list(view.events.ids), view.entities()) == ([], ["e9"], ())
        assert len(view.facts.matching("zqx4417")[0]) == len(view.linked("k")) == len(view.aliases()) == 0
        assert store.verify() == []
        assert store.rebuild() == 3
        store._desks.clear()
    assert store.frame("journal")["kind"].to_list() == ["write", "write", "forget"]
    store.close()


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


def test_random_units_survive_in_memory() -> None:
    """The same promises hold for ``memory://``: rebuild, reload and verify agree with the model."""
    rng = random.Random(3)
    plain = Plain("ana")
    with Store.open("memory://", embedder_name="test", embedder_dim=DIM) as store:
        for number in range(80):
            rows, removed = plain.unit(rng)
            seq = store.append("write", "ana", rows, unit_id=str(number), recorded_at=START, removed=removed)
            plain.apply(rows, removed, seq)
        store.rebuild()
        store._desks.clear()
        plain.agree(store.view("ana"), rng)
        assert store.verify() == []


def _writer(path: Path, name: str, units: int) -> subprocess.Popen[str]:
    here = str(Path(__file__).parent)
    script = f"import sys; sys.path.insert(0, {here!r})\n{WRITER}"
    command = [sys.executable, "-c", script, str(path), name, str(units)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _bytes_hold(path: Path, word: bytes) -> bool:
    return any(word in file.read_bytes() for file in path.rglob("*") if file.is_file())
