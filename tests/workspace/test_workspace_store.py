"""Rows of a workspace in the store: projections of the same journal, made with their first row."""

from __future__ import annotations

import shutil
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arandu_lab.errors import BackendError
from arandu_lab.knowledge import Domain, MemoryConflict, MemoryFact, MemoryPolicy, Sighting
from arandu_lab.memory import Memory
from arandu_lab.records import Event
from arandu_lab.store import Store
from arandu_lab.store.schema import KNOWLEDGE, PROJECTIONS, TABLES
from arandu_lab.testing.knowledge_rows import KINDS, knowledge_of, told
from arandu_lab.testing.strategies import knowledge

DIM = 4
START = datetime(2025, 3, 1, 9, tzinfo=UTC)
W = "x' OR '1'='1 🌵"


def opened(path: Path | str, **more) -> Store:
    return Store.open(path, embedder_name="test", embedder_dim=DIM, **more)


def put(store: Store, word: str = "canário", workspace: str = W, number: str = "") -> list:
    rows = knowledge_of(workspace, word, START, number=number, dim=DIM)
    store.append("edit", workspace, rows, unit_id=f"u{word}{number}", recorded_at=START)
    return rows


def seen(store: Store, workspace: str = W) -> list:
    view = store.view(workspace)
    return [row for kind in KINDS for row in view.shelf(kind)]


def tables(path: Path) -> set[str]:
    return {found.stem for found in path.glob("*.lance")}


def test_a_store_without_such_rows_has_no_such_tables(tmp_path: Path) -> None:
    """A store of conversations is what it was: no table, no line of meta, no shelf is made for a workspace."""
    with opened(tmp_path / "s") as store:
        turn = Event(id="e", agent_id="a", text="t", speaker="s", occurred_at=START, recorded_at=START)
        store.append("turn", "a", [turn], unit_id="u", recorded_at=START)
        store.flush()
        assert store._tables.meta().keys() >= {"watermark"}
        assert "made" not in store._tables.meta()
        assert store.view("a")._knowledge == {}
        assert list(store.view("a").shelf(MemoryFact)) == []
        assert store.frame("memory_facts").height == 0
        assert store.verify() == []
    assert tables(tmp_path / "s") == {"meta", *TABLES}


def test_tables_come_with_the_first_row_of_a_kind(tmp_path: Path) -> None:
    """Only tables of kinds that have rows are made."""
    with opened(tmp_path / "s") as store:
        store.append("edit", W, knowledge_of(W, "x", START)[:1], unit_id="u", recorded_at=START)
    assert tables(tmp_path / "s") & set(KNOWLEDGE) == {"domains"}


def test_rows_come_back_reopened_rebuilt_forked_and_by_a_reader(tmp_path: Path) -> None:
    """Every kind comes back field by field, vectors too, however the store is read."""
    with opened(tmp_path / "s") as store:
        rows = put(store)
        assert seen(store) == rows
        assert [store.view(W).born(row) for row in rows] == sorted(store.view(W).born(row) for row in rows)
    with opened(tmp_path / "s") as store:
        assert seen(store) == rows
        fact = store.view(W).shelf(MemoryFact).get("m")
        assert fact is not None
        assert np.array_equal(fact.vector, np.full(DIM, 0.25, dtype=np.float32))
        assert store.rebuild() == 1
        assert seen(store) == rows
        assert store.verify() == []
        with opened(tmp_path / "s", read_only=True) as reader:
            assert seen(reader) == rows
            assert reader.verify() == []
        for copy in (store.fork(tmp_path / "t"), store.fork("memory://")):
            with copy:
                assert seen(copy) == rows
                assert copy.verify() == []


def test_a_reader_sees_a_table_that_was_made_after_it_opened(tmp_path: Path) -> None:
    """A reader in another process finds rows of a kind that was unknown when it opened, after their table was made too."""
    with opened(tmp_path / "s") as store, opened(tmp_path / "s", read_only=True) as reader:
        assert seen(reader) == []
        rows = put(store)
        store.flush()
        reader.refresh()
        assert seen(reader) == rows
        assert reader.frame("memory_facts")["content"].to_list() == ["canário canário"]


def test_a_view_that_is_held_does_not_move() -> None:
    """Whoever holds a view sees its moment: later rows and later images of old rows do not show in its shelves."""
    with opened("memory://") as store:
        rows = put(store)
        held = store.view(W)
        put(store, "outro")
        put(store, number="2")
        assert [row for kind in KINDS for row in held.shelf(kind)] == rows
        assert {told(row) for row in seen(store)} == {"outro", "canário"}
        assert len(store.view(W).shelf(MemoryFact)) == 2
        assert len(held.shelf(MemoryFact)) == 1
        assert held.shelf(MemoryFact).get("m2") is None


def test_workspaces_do_not_see_each_other() -> None:
    """Rows with the same ids in two workspaces and in an agent's memory stand apart."""
    with opened("memory://") as store:
        mine, theirs = put(store, "meu"), put(store, "seu", "outro")
        assert seen(store) == mine
        assert seen(store, "outro") == theirs
        assert seen(store, "ninguém") == []


def test_a_table_that_is_gone_is_made_again_from_the_journal(tmp_path: Path) -> None:
    """A lost or broken table of a workspace is damage, not emptiness: a writer rebuilds it, a reader says so."""
    lost = "memory_facts"
    with opened(tmp_path / "s") as store:
        rows = put(store)
    shutil.rmtree(tmp_path / "s" / f"{lost}.lance")
    with pytest.raises(BackendError, match=lost):
        opened(tmp_path / "s", read_only=True)
    with opened(tmp_path / "s") as store:
        assert seen(store) == rows
        assert store.verify() == []
    for manifest in (tmp_path / "s" / f"{lost}.lance" / "_versions").iterdir():
        manifest.write_bytes(b"")
    with opened(tmp_path / "s") as store:
        assert seen(store) == rows
        assert store.verify() == []


def test_another_embedder_drops_vectors_only(tmp_path: Path) -> None:
    """Given to another embedder a store keeps all rows of a workspace and none of their vectors."""
    with opened(tmp_path / "s") as store:
        rows = put(store)
    Store.adopt(tmp_path / "s", embedder_name="other", embedder_dim=2)
    with Store.open(tmp_path / "s", embedder_name="other", embedder_dim=2) as store:
        assert seen(store) == rows
        assert store.verify() == []
        assert [fact.vector for fact in store.view(W).shelf(MemoryFact)] == [None]


def test_a_workspace_travels(tmp_path: Path) -> None:
    """Exported and taken in, under its own name or another and back, a workspace has the same digest."""
    with Memory.open("memory://", embedder="hashing") as memory:
        rows = knowledge_of(W, "canário", START)
        memory.store.append("edit", W, rows, unit_id="u", recorded_at=START)
        was = memory.digest(W)
        memory.export(W, tmp_path / "one.jsonl")
        ported = memory.import_(tmp_path / "one.jsonl", agent_id="outro")
        assert ported.rows == len(rows)
        assert [type(row) for row in seen(memory.store, "outro")] == [type(row) for row in rows]
        memory.export("outro", tmp_path / "two.jsonl")
    with Memory.open("memory://", embedder="hashing") as memory:
        memory.import_(tmp_path / "two.jsonl", agent_id=W)
        assert seen(memory.store) == rows
        assert memory.digest(W) == was


def test_ids_move_with_the_name_of_a_workspace(tmp_path: Path) -> None:
    """Under another name derived ids move, and what names another row still names it."""
    from arandu_lab.pure.ids import derive

    fact, sight = derive("f"), derive("s")
    rows = knowledge_of(W, "x", START)
    rows = [
        replace(row, id=fact, source_observation_ids=(sight,)) if isinstance(row, MemoryFact)
        else replace(row, id=sight) if isinstance(row, Sighting)
        else replace(row, source_fact_ids=(fact,)) if isinstance(row, MemoryPolicy)
        else replace(row, kept_id=fact) if isinstance(row, MemoryConflict) else row
        for row in rows
    ]  # fmt: skip
    with Memory.open("memory://", embedder="hashing") as memory:
        memory.store.append("edit", W, rows, unit_id="u", recorded_at=START)
        memory.export(W, tmp_path / "one.jsonl")
        memory.import_(tmp_path / "one.jsonl", agent_id="outro")
        view = memory.store.view("outro")
        (moved,), (seen_,) = view.shelf(MemoryFact), view.shelf(Sighting)
        assert moved.id not in (fact, "")
        assert moved.source_observation_ids == (seen_.id,) != (sight,)
        assert [one.source_fact_ids for one in view.shelf(MemoryPolicy)] == [(moved.id,)]
        assert [one.kept_id for one in view.shelf(MemoryConflict)] == [moved.id]
        assert [one.name for one in view.shelf(Domain)] == ["x"]


def test_everything_of_a_workspace_is_forgotten_for_good(tmp_path: Path) -> None:
    """J2: what a workspace knew is in no table, no old version and no byte of the store; others keep theirs."""
    with Memory.open(tmp_path / "s", embedder="hashing") as memory:
        for workspace, word in ((W, "ZQX4417"), ("outro", "WKB2201")):
            rows = knowledge_of(workspace, word, START)
            memory.store.append("edit", workspace, rows, unit_id="u", recorded_at=START)
        kept = seen(memory.store, "outro")
        done = memory.forget(W, everything=True)
        assert done.clean, str(done)
        assert seen(memory.store) == []
        assert seen(memory.store, "outro") == kept
        assert memory.store.verify() == []
    assert not any(b"ZQX4417" in file.read_bytes() for file in (tmp_path / "s").rglob("*") if file.is_file())


def test_a_fact_is_forgotten_with_what_tells_it() -> None:
    """J2: a fact goes with its sightings, conflicts, edges and hot items; a policy when no source is left; others stay."""
    with Memory.open("memory://", embedder="hashing") as memory:
        rows = [*knowledge_of(W, "segredo", START), *knowledge_of(W, "público", START, number="2")]
        policy = next(row for row in rows if row.id == "p2")
        rows = [replace(policy, source_fact_ids=("m", "m2")) if row.id == "p2" else row for row in rows]
        rows = [replace(row, kept_id="m2") if row.id == "c2" else row for row in rows]
        rows = [replace(row, source_id="m2") if row.id == "e2" else row for row in rows]
        rows = [replace(row, source_observation_ids=("s2",)) if row.id == "m2" else row for row in rows]
        memory.store.append("edit", W, rows, unit_id="u", recorded_at=START + timedelta(days=1))
        with pytest.raises(ValueError, match="m3"):
            memory.forget(W, fact_id="m3")
        done = memory.forget(W, fact_id="m")
        assert done.scan is not None
        assert done.removed == {
            "memory_facts": 1,
            "memory_policies": 1,
            "sightings": 1,
            "memory_conflicts": 1,
            "episodic_edges": 1,
        }
        left = {row.id for row in seen(memory.store)}
        assert left == {"d", "w", "h", "g", "d2", "m2", "p2", "w2", "s2", "h2", "g2", "c2", "e2"}
        assert [one.source_fact_ids for one in memory.store.view(W).shelf(MemoryPolicy)] == [("m2",)]
        assert memory.store.verify() == []


@settings(max_examples=4, deadline=None)
@given(rows=st.lists(knowledge(W, dim=DIM), max_size=12))
def test_any_rows_are_packed_and_projected_as_they_are(rows: list) -> None:
    """C2, I6: a unit of any rows comes back from its bytes and from its tables as it was; the last image of a row counts."""
    with opened("memory://") as store:
        store.append("edit", W, rows, unit_id="u", recorded_at=START)
        wanted = {(type(row), row.id): row for row in rows}
        assert {(type(row), row.id): row for row in seen(store)} == wanted
        store.rebuild()
        store._desks.clear()
        assert {(type(row), row.id): row for row in seen(store)} == wanted
        assert store.verify() == []
        assert sum(store.frame(table).height for table in KNOWLEDGE) == len(wanted)


def test_projections_of_conversations_come_first() -> None:
    """The tables of a conversation are those they were, in their order."""
    assert PROJECTIONS[0] == "events"
    assert not set(PROJECTIONS) & set(KNOWLEDGE)
