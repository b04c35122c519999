"""Entities that turn out to be one, or two: merging, splitting, and taking either back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from arandu_lab import ConfigError, Memory
from arandu_lab.llm.scripted import Scripted
from arandu_lab.records import MIRROR, Alias, Changes, Entity, Event, Fact, Link, NewEntity, Relationship, Row

T0 = datetime(2025, 1, 1, 12, tzinfo=UTC)


def entity(key: str, name: str, **more: Any) -> list[Row]:
    kind = key.split(":")[0]
    row = Entity(key=key, agent_id="a", name=name, type=kind, recorded_at=T0, **more)
    return [row, Alias(folded=name.lower(), agent_id="a", entity_key=key, name=name, recorded_at=T0)]


def fact(fact_id: str, key: str, text: str, *others: str, **more: Any) -> list[Row]:
    made = Fact(
        id=fact_id,
        agent_id="a",
        entity_key=key,
        entity_name=key.split(":")[1],
        text=text,
        confidence=0.9,
        importance=0.5,
        category="c",
        speaker="Rafael",
        source_event_id="e1",
        valid_from=more.pop("valid_from", T0),
        recorded_at=T0,
        **more,
    )
    links = [
        Link(fact_id=fact_id, agent_id="a", entity_key=one, primary=one == key, recorded_at=T0)
        for one in (key, *others)
    ]
    return [made, *links]


def edge(edge_id: str, source: str, kind: str, target: str, *evidence: str, strength: float = 0.6) -> Relationship:
    return Relationship(
        id=edge_id,
        agent_id="a",
        source_key=source,
        target_key=target,
        rel_type=kind,
        strength=strength,
        evidence_fact_ids=evidence,
        valid_from=T0,
        recorded_at=T0,
    )


MALU, MARIA, ANA, RECIFE = "person:malu", "person:maria_luiza", "person:ana", "place:recife"


@pytest.fixture
def memory() -> Iterator[Memory]:
    """Malu and Maria Luiza are one; both know Ana, both live in Recife, and one is said to be a friend of the other."""
    rows: list[Row] = [
        *entity(MALU, "Malu", profile_text="Malu dança frevo."),
        *entity(MARIA, "Maria Luiza", profile_text="Maria Luiza is a nurse."),
        *entity(ANA, "Ana"),
        *entity(RECIFE, "Recife"),
        *fact("f1", MALU, "Malu mora em Recife", RECIFE),
        *fact("f2", MARIA, "Maria Luiza lives in Recife", RECIFE),
        *fact("f3", MARIA, "Maria Luiza works with Ana", ANA),
        *fact("f4", MALU, "Malu é amigo(a) de Maria Luiza", MARIA, source_context=MIRROR),
        *fact("f5", MALU, "Malu trabalha com Ana", ANA),
        edge("r1", MALU, "lives_in", RECIFE, "f1"),
        edge("r2", MARIA, "lives_in", RECIFE, "f2", strength=0.7),
        edge("r3", MARIA, "colleague_of", ANA, "f3", strength=0.3),
        edge("r4", MALU, "friend_of", MARIA, "f4"),
        edge("r5", MALU, "colleague_of", ANA, "f5", strength=0.3),
    ]
    ticks = iter(range(1, 1000))
    clock = lambda: T0 + timedelta(days=next(ticks))  # noqa: E731
    with Memory.open("memory://", llm=Scripted(default={"facts": []}), embedder="hashing", clock=clock) as opened:
        opened.commit(Changes(agent_id="a", rows=tuple(rows)), unit_id="seed")
        yield opened


def test_a_merge_moves_everything_and_loses_nothing(memory: Memory) -> None:
    """B5, A5: links, facts and names of the merged entity become the survivor's; the numbers of facts and links hold."""
    view = memory.store.view("a")
    facts, links = len(view.facts), sum(isinstance(row, Link) for row in view.rows())
    done = memory.merge("a", MARIA, MALU)
    view = memory.store.view("a")
    assert view.entity(MALU) is None
    assert len(view.facts) == facts
    assert sum(isinstance(row, Link) for row in view.rows()) == links - 1, "f4 named both: one link is left"
    assert {MALU} & {row.entity_key for row in view.rows() if isinstance(row, Fact | Link | Alias)} == set()
    assert view.aliases()["malu"] == (MARIA,)
    assert sorted(view.fact_at(int(p)).id for p in view.linked(MARIA)) == ["f1", "f2", "f3", "f4", "f5"]
    assert view.fact("f1").entity_name == "Maria Luiza"  # type: ignore[union-attr]
    assert done.key == MARIA
    assert done.removed["entities"] == 1
    assert memory.store.verify() == []


def test_no_loops_and_parallel_edges_are_summed_as_versions(memory: Memory) -> None:
    """B11: the edge between the two goes with its mirror; parallel edges become one, .3 + .3 and .6 + .7 capped at 1."""
    before = memory.clock()
    memory.merge("a", MARIA, MALU)
    view, now = memory.store.view("a"), memory.clock()
    assert not [one for one in view.edges() if one.source_key == one.target_key]
    standing = {one.rel_type: one for one in view.edges(as_of=now)}
    assert len(view.edges(as_of=now)) == 2
    assert standing["colleague_of"].strength == pytest.approx(0.6)
    assert standing["lives_in"].strength == 1.0
    assert set(standing["lives_in"].evidence_fact_ids) == {"f1", "f2"}
    assert {one.id for one in view.edges(as_of=before, known_at=before)} == {"r1", "r2", "r3", "r5"}
    mirror = view.fact("f4")
    assert mirror is not None
    assert (mirror.closed_by, mirror.valid_to) == ("merge", mirror.valid_from)


def test_both_profiles_are_kept_and_conflicts_are_told(memory: Memory) -> None:
    """B13, A8: both curated profiles are in the survivor's, the difference and a difference of types are listed."""
    done = memory.merge("a", MARIA, MALU)
    profile = memory.store.view("a").entity(MARIA).profile_text  # type: ignore[union-attr]
    assert profile == "Maria Luiza is a nurse.\nMalu dança frevo."
    assert [(one.field, one.other) for one in done.conflicts] == [("profile_text", "Malu dança frevo.")]
    told = memory.merge("a", MARIA, RECIFE, dry_run=True)
    assert ("type", "person", "place") in [(one.field, one.kept, one.other) for one in told.conflicts]


def test_a_dry_run_says_the_same_and_changes_nothing(memory: Memory) -> None:
    """B10: a dry run of merge, split and undo returns what the real one does and leaves the digest alone."""
    at = memory.digest("a")
    for edit in (
        lambda dry: memory.merge("a", MARIA, MALU, dry_run=dry),
        lambda dry: memory.undo("a", memory.units("a")["id"][0], dry_run=dry),
    ):
        told, done = edit(True), edit(False)
        assert told.dry_run
        assert replace(told, dry_run=False) == done
    told = memory.split("a", MARIA, into=NewEntity(name="Luiza", type="person"), facts=["f3"], dry_run=True)
    assert told.key == "person:luiza"
    assert memory.digest("a") == at


def test_unmerging_in_either_order(memory: Memory) -> None:
    """B10, A6: A into B, B into C: undone backwards the digests return; undone forwards it is refused and says what first."""
    start = memory.digest("a")
    first = memory.merge("a", MARIA, MALU)
    middle = memory.digest("a")
    second = memory.merge("a", ANA, MARIA)
    after = memory.digest("a")
    with pytest.raises(ConfigError, match=f"undo '{second.unit_id}' first"):
        memory.undo("a", first.unit_id)
    assert memory.digest("a") == after
    memory.undo("a", second.unit_id)
    assert memory.digest("a") == middle
    memory.undo("a", first.unit_id)
    assert memory.digest("a") == start
    assert memory.store.verify() == []
    memory.rebuild()
    assert memory.digest("a") == start
    with pytest.raises(ConfigError, match="undone already"):
        memory.undo("a", first.unit_id)


def test_an_undoing_can_be_undone(memory: Memory) -> None:
    """A20: an undo is a unit too; undoing it is the merge again, and its source can then be undone once more."""
    start = memory.digest("a")
    memory.merge("a", MARIA, MALU)
    merged = memory.digest("a")
    back = memory.undo("a", memory.units("a")["id"][0])
    again = memory.undo("a", back.unit_id)
    assert memory.digest("a") == merged
    memory.undo("a", again.unit_id)
    assert memory.digest("a") == start


async def test_later_news_stays_and_dependents_refuse() -> None:
    """B10: counts of reading and other entities' news don't stand in the way of an undo; a fact that came by the name does."""
    said = iter(["Malu", "Ana"])

    def extract(_: Any) -> dict[str, Any]:
        name = next(said)
        return {"entities": [{"name": name, "type": "person"}], "facts": [{"subject": name, "text": f"{name} voltou"}]}

    with Memory.open("memory://", llm=Scripted(by_task={"extract": extract}), embedder="hashing") as memory:
        rows = (*entity(MALU, "Malu"), *entity(MARIA, "Maria Luiza"), *fact("f1", MALU, "Malu mora em Olinda"))
        memory.commit(Changes(agent_id="a", rows=rows), unit_id="seed")
        done = memory.merge("a", MARIA, MALU)
        memory.retrieved.count(memory, "a", ["f1"])
        memory.retrieved.write_down(memory)
        memory.undo("a", done.unit_id, dry_run=True)
        result = await memory.write("a", "Malu voltou", "Ana", occurred_at=T0 + timedelta(days=400))
        assert result.facts_added[0].entity_key == MARIA, "the taught name leads to the survivor"
        with pytest.raises(ConfigError, match=r"Malu voltou.*by the name"):
            memory.undo("a", done.unit_id)
        found = memory.units("a")
        assert found.filter(found["id"] == done.unit_id)["undoable"].to_list() == [False]


def test_names_keep_their_first_taker(memory: Memory) -> None:
    """B5: a name that the merged entity took first stays first with the survivor, and second again after the undo."""
    rows = (
        Alias(folded="lu", agent_id="a", entity_key=MALU, name="Lu", recorded_at=T0),
        Alias(folded="lu", agent_id="a", entity_key=ANA, name="Lu", recorded_at=T0),
        Alias(folded="lu", agent_id="a", entity_key=MARIA, name="Lu", recorded_at=T0),
    )
    seconds = tuple(replace(row, folded="lulu", name="Lulu") for row in rows[:2])
    memory.commit(Changes(agent_id="a", rows=(*rows, *seconds)), unit_id="names")
    start = memory.digest("a")
    done = memory.merge("a", MARIA, MALU)
    assert memory.store.view("a").aliases()["lu"] == (MARIA, ANA)
    assert memory.store.view("a").aliases()["lulu"] == (MARIA, ANA)
    held = memory.digest("a")
    assert memory.store.verify() == []
    memory.rebuild()
    assert memory.digest("a") == held
    memory.undo("a", done.unit_id)
    assert memory.store.view("a").aliases()["lu"] == (MALU, ANA, MARIA)
    assert memory.digest("a") == start


def test_a_split_takes_facts_names_and_edges(memory: Memory) -> None:
    """B5: two people under one name come apart by name and by fact; edges go with what they rest on; undo joins them."""
    memory.merge("a", MARIA, MALU)
    start = memory.digest("a")
    done = memory.split("a", MARIA, into=NewEntity(name="Malu", type="person"), facts=["f5"], names=["Malu"])
    view = memory.store.view("a")
    assert done.key == MALU
    assert sorted(view.fact_at(int(p)).id for p in view.linked(MALU)) == ["f1", "f4", "f5"]
    assert sorted(view.fact_at(int(p)).id for p in view.linked(MARIA)) == ["f2", "f3"]
    assert view.aliases()["malu"] == (MALU,)
    now = memory.clock()
    lives = {one.source_key: one.evidence_fact_ids for one in view.edges(RECIFE, as_of=now)}
    assert lives == {MALU: ("f1",), MARIA: ("f2",)}
    assert memory.store.verify() == []
    memory.undo("a", done.unit_id)
    assert memory.digest("a") == start


async def test_a_split_with_later_facts_is_not_undone() -> None:
    """B10: undoing a split would leave later facts about the new entity with nobody: refused."""
    llm = Scripted(
        by_task={
            "extract": {
                "entities": [{"name": "Ana Paula", "type": "person"}],
                "facts": [{"subject": "Ana Paula", "text": "Ana Paula sings"}],
            }
        }
    )
    with Memory.open("memory://", llm=llm, embedder="hashing") as memory:
        rows = (*entity(ANA, "Ana"), *fact("f1", ANA, "Ana canta"), *fact("f2", ANA, "Ana pinta"))
        memory.commit(Changes(agent_id="a", rows=rows), unit_id="seed")
        done = memory.split("a", ANA, into=NewEntity(name="Ana Paula", type="person"), facts=["f1"])
        await memory.write("a", "Ana Paula sings", "Rafael", occurred_at=T0)
        with pytest.raises(ConfigError, match="rests on it"):
            memory.undo("a", done.unit_id)


async def test_corrections_are_undone_too() -> None:
    """A15, A6: a correction is a unit of work: undoing it brings the replaced version back as it was."""
    with Memory.open("memory://", embedder="hashing") as memory:
        rows = (*entity(ANA, "Ana"), *fact("f1", ANA, "Ana mora em Natal"))
        memory.commit(Changes(agent_id="a", rows=rows), unit_id="seed")
        start = memory.digest("a")
        await memory.correct("a", "f1", "Ana mora em Fortaleza")
        unit = memory.units("a").row(0, named=True)
        assert (unit["kind"], unit["what"], unit["undoable"]) == (
            "correction",
            "corrected to 'Ana mora em Fortaleza'",
            True,
        )
        memory.undo("a", unit["id"])
        assert memory.digest("a") == start


def test_a_job_is_undone_by_its_unit(memory: Memory) -> None:
    """A20: what a background job committed is in the list and can be taken back to the same digest."""
    start = memory.digest("a")
    seen = memory.store.view("a").entity(ANA)
    assert seen is not None
    memory.commit(Changes(agent_id="a", rows=(replace(seen, importance=0.9),)), unit_id="job:1", kind="job")
    assert memory.units("a")["kind"].to_list() == ["job"]
    memory.undo("a", "job:1")
    assert memory.digest("a") == start


def test_two_changes_of_one_field_are_undone_backwards_only(memory: Memory) -> None:
    """B10, A20: a field that changed again since is not overwritten by an undo; another field's later change stays."""
    seen = memory.store.view("a").entity(ANA)
    assert seen is not None
    for number, changed in enumerate((replace(seen, importance=0.9), replace(seen, importance=0.7)), start=1):
        memory.commit(Changes(agent_id="a", rows=(changed,)), unit_id=f"job:{number}", kind="job")
    with pytest.raises(ConfigError, match=r"changed since \(importance\); undo 'job:2' first"):
        memory.undo("a", "job:1")
    told = replace(seen, importance=0.7, profile_text="Ana canta")
    memory.commit(Changes(agent_id="a", rows=(told,)), unit_id="write:x")
    memory.undo("a", "job:2")
    now = memory.store.view("a").entity(ANA)
    assert now == replace(seen, importance=0.9, profile_text="Ana canta")


def test_what_comes_back_comes_back_to_its_place(memory: Memory) -> None:
    """A6: a row that an undo brings back stands where it stood, at once and after a replay."""
    rows = tuple(Alias(folded="lu", agent_id="a", entity_key=key, name="Lu", recorded_at=T0) for key in (MALU, ANA))
    memory.commit(Changes(agent_id="a", rows=rows), unit_id="names")
    start = memory.digest("a")
    memory.store.append("job", "a", (), unit_id="job:1", recorded_at=T0, removed=rows[:1])
    assert memory.store.view("a").aliases()["lu"] == (ANA,)
    memory.undo("a", "job:1")
    assert memory.store.view("a").aliases()["lu"] == (MALU, ANA)
    assert memory.digest("a") == start
    memory.rebuild()
    assert memory.digest("a") == start


def test_units_are_listed_newest_first(memory: Memory) -> None:
    """B10: the list names each edit, its time and its parties; writes and the seed are not in it."""
    done = memory.merge("a", MARIA, MALU)
    memory.undo("a", done.unit_id)
    found = memory.units("a")
    assert found.columns == ["id", "kind", "when", "what", "undoable", "why"]
    assert found["kind"].to_list() == ["undo", "merge"]
    assert found["what"].to_list()[1] == f"Malu ({MALU}) into Maria Luiza ({MARIA})"
    assert found["undoable"].to_list() == [True, False]
    assert memory.units("nobody").height == 0


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda m: m.merge("a", MARIA, MARIA), "itself"),
        (lambda m: m.merge("a", MARIA, "person:mal"), "person:malu"),
        (lambda m: m.merge("a", "Malu", MARIA), "did you mean 'person:malu'"),
        (lambda m: m.split("a", MARIA, into=NewEntity(name="X", type="person")), "nothing to move"),
        (lambda m: m.split("a", MARIA, into=NewEntity(name=" ", type="person"), facts=["f2"]), "name="),
        (lambda m: m.split("a", MARIA, into=NewEntity(name="X", type="person"), facts=["f1"]), "not linked"),
        (lambda m: m.split("a", MARIA, into=NewEntity(name="X", type="person"), names=["Zé"]), "not known by"),
        (lambda m: m.split("a", MARIA, into=NewEntity(name="X", type="person"), facts="f2"), "list of texts"),
        (lambda m: m.undo("a", "seed"), "no unit that can be undone"),
        (lambda m: m.undo("a", "merge:none"), "is no unit of agent"),
    ],
)
def test_what_cannot_be_meant_is_refused(memory: Memory, wrong: Any, says: str) -> None:
    """B5: a wrong edit is a ConfigError that says what would be accepted, and nothing changes."""
    at = memory.digest("a")
    with pytest.raises(ConfigError, match=says):
        wrong(memory)
    assert memory.digest("a") == at


def test_a_merge_is_of_one_agent(memory: Memory) -> None:
    """J9: the same entities of another agent are untouched by a merge."""
    rows = tuple(replace(row, agent_id="b") for row in (*entity(MALU, "Malu"), *entity(MARIA, "Maria Luiza")))
    memory.commit(Changes(agent_id="b", rows=rows), unit_id="seed")
    other = memory.digest("b")
    memory.merge("a", MARIA, MALU)
    assert memory.digest("b") == other


def test_an_event_is_never_touched(memory: Memory) -> None:
    """A6: what was said stays as it was said, whatever its people are called since."""
    said = Event(id="e1", agent_id="a", text="Malu mora em Recife", speaker="Rafael", occurred_at=T0, recorded_at=T0)
    memory.commit(Changes(agent_id="a", rows=(said,)), unit_id="turn", kind="turn")
    memory.merge("a", MARIA, MALU)
    assert memory.events("a")["text"].to_list() == ["Malu mora em Recife"]
