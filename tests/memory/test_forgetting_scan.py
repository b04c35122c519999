"""Nothing is left: tables, versions, journal and bytes, and the scan that says so can find."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from forgetful import PLAIN, SECRET, T0, bytes_hold, fact_of, seeded, told

from arandu_lab import Memory
from arandu_lab.pure.forgetting import Wanted, forgotten
from arandu_lab.pure.grounds import Sources
from arandu_lab.records import Changes, Cluster, Entity, Fact, Link, Observation
from arandu_lab.store import Store
from arandu_lab.store.residue import scan

Open = Callable[..., Memory]


async def test_a_forgotten_fact_is_nowhere(opened: Open) -> None:
    """J2, J3, J4, J6, J10: after forgetting, the words are in no voice, table, old version, journal unit or byte; before, they are."""
    memory = opened("m")
    await told(memory, SECRET)
    await told(memory, PLAIN, 1)
    memory.store.flush()
    fact = fact_of(memory, SECRET)
    view = memory.store.view("a")
    iris = view.fact(fact)
    assert iris is not None
    derived = (
        Observation(
            id="o1",
            agent_id="a",
            kind="insight",
            text="Guarda ZQX-4417",
            confidence=0.5,
            evidence_ids=(fact,),
            recorded_at=T0,
        ),
        Cluster(id="c1", agent_id="a", label="cofre", summary="código ZQX-4417", fact_ids=(fact, "x"), recorded_at=T0),
        replace(view.entity(iris.entity_key), profile_text="Íris. Código ZQX-4417.", profile_at=T0),  # type: ignore[type-var]
    )
    memory.commit(Changes(agent_id="a", rows=derived), unit_id="job:1", kind="job")  # type: ignore[arg-type]
    memory.store.flush()
    control = scan(memory.store, [SECRET, "ZQX-4417"], agent_id="a", proof="job:1")
    assert control.proven
    assert {one.text for one in control.found} == {0, 1}, "the scan finds what is there"
    assert bytes_hold(memory.store.path, "ZQX-4417")
    assert (await memory.retrieve("a", "ZQX-4417 cofre")).facts

    now = list(memory.store.view("a").rows())
    looked = forgotten(now, [], Wanted(facts=frozenset({fact})), Sources()).texts
    assert {SECRET, "Guarda ZQX-4417", "código ZQX-4417", "Íris. Código ZQX-4417."} <= set(looked)
    done = memory.forget("a", fact_id=fact)

    assert done.clean, str(done)
    assert done.removed["facts"] == done.removed["events"] == 1
    assert done.removed["clusters"] == done.removed["meta_observations"] == 1
    assert done.rewritten == {"entities": 1}
    assert done.scan is not None
    assert done.scan.files > 10
    assert "ZQX" not in str(done) + repr(done)
    after = scan(memory.store, ["ZQX-4417", "4417"], agent_id="a", proof=done.unit_id)
    assert after.clean
    assert bytes_hold(memory.store.path, "ZQX-4417") == []
    found = await memory.retrieve("a", "ZQX-4417 cofre Íris")
    assert "4417" not in found.context
    assert [one.fact_text for one in found.facts] == [PLAIN]
    assert memory.store.verify() == []
    memory.rebuild()
    memory.close()
    again = opened("m")
    assert again.facts("a")["text"].to_list() == [PLAIN]
    assert bytes_hold(again.store.path, "ZQX-4417") == []


async def test_a_scan_sees_through_compression_and_old_versions(opened: Open) -> None:
    """J10: the positive control: a text that is compressed on disk, and one that only an old table version holds, are found."""
    memory = opened("m")
    words = "uma frase bem comprida que se repete e se comprime XK-77 "
    rows = [
        Entity(key=f"person:{n}", agent_id="a", name="n", type="person", recorded_at=T0, summary_text=words * 40)
        for n in range(150)
    ]
    memory.commit(Changes(agent_id="a", rows=tuple(rows)), unit_id="many")
    memory.store.flush()
    table = Path(memory.store.path) / "entities.lance"
    raw = sum(one.stat().st_size for one in table.rglob("*") if one.is_file())
    assert raw < 150 * 40 * len(words) / 3, "the file is compressed"
    whole = words * 40
    found = {one.place.split(",")[0] for one in scan(memory.store, [whole], agent_id="a", proof="many").found}
    assert "entities" in found
    with memory.store._projecting:
        memory.store._tables.delete("entities", "id IS NOT NULL")
    places = [one.place for one in scan(memory.store, [whole], agent_id="a", proof="many").found]
    assert any(place.startswith("entities, version") for place in places), "deleted, and still in an older version"


def test_in_memory_stores_forget_too() -> None:
    """J2: a store without files is scanned table by table, and clean."""
    with Memory.open("memory://", embedder="hashing") as memory:
        seeded(memory)
        assert isinstance(memory.store, Store)
        done = memory.forget("a", fact_id="v1")
        assert done.clean
        assert done.scan is not None
        assert done.scan.files == 0


def test_a_row_does_not_hide_in_a_file_of_many(opened: Open) -> None:
    """J10: one row of hundreds leaves its file too: compaction alone keeps a deleted row in a file whose other rows are many."""
    memory = opened("m")
    rows: list[Fact | Link | Entity] = [
        Entity(key="person:otto", agent_id="a", name="Otto", type="person", recorded_at=T0)
    ]
    for n in range(400):
        text = SECRET if n == 7 else f"Otto lê o livro {n} de {n * n}"
        rows.append(
            Fact(
                id=f"f{n}", agent_id="a", entity_key="person:otto", entity_name="Otto", text=text, confidence=0.9,
                importance=0.5, category="c", speaker="Bob", source_event_id="e", valid_from=T0, recorded_at=T0,
            )
        )  # fmt: skip
        rows.append(Link(fact_id=f"f{n}", agent_id="a", entity_key="person:otto", primary=True, recorded_at=T0))
    memory.commit(Changes(agent_id="a", rows=tuple(rows)), unit_id="write:e")
    memory.store.flush()
    for table in ("facts", "journal_archive"):
        memory.store._tables.purge(table)
    assert bytes_hold(memory.store.path, "ZQX-4417")
    tables = memory.store._tables
    with memory.store._projecting:
        tables.delete("fact_entity_links", "fact_id = 'f7'")
        tables.purge("fact_entity_links")
        assert tables.hidden("fact_entity_links") == 1, "the fault that is meant"
    assert not scan(memory.store, ["nowhere"], agent_id="a", proof="write:e").clean, "a hidden row is no clean scan"
    done = memory.forget("a", fact_id="f7")
    assert done.clean, str(done)
    assert done.scan is not None
    assert done.scan.texts > 0
    assert bytes_hold(memory.store.path, "ZQX-4417") == []
    assert memory.store.verify() == []
