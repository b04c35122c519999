"""Forgetting: what goes with what, that nothing is left of it, and that old texts do not bring it back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from arandu_lab import ConfigError, Memory
from arandu_lab.errors import BackendError
from arandu_lab.llm.recorded import Recorded
from arandu_lab.llm.scripted import Scripted, read_block
from arandu_lab.pure.forgetting import Wanted, forgotten
from arandu_lab.records import MIRROR, Alias, Changes, Cluster, Entity, Fact, Observation, Relationship
from arandu_lab.store import Store
from arandu_lab.store.residue import scan

T0 = datetime(2025, 1, 1, 12, tzinfo=UTC)
SECRET = "O cofre da Íris abre com ZQX-4417"
PLAIN = "Íris mora em Belém"


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = T0 + timedelta(days=30)

    def __call__(self) -> datetime:
        return self.now


def answers(messages: Any) -> dict[str, Any]:
    """One fact per sentence of the message; "A is the boss of B" is a relation too."""
    _, said = read_block(messages)
    facts, entities, relations = [], {}, []
    for part in said["message"].split(". "):
        text = part.strip(" .")
        named = sorted((text.index(one), one) for one in ("Íris", "Otto", "Bob") if one in text)
        name = named[0][1] if named else "Bob"
        entities[name] = {"name": name, "type": "person"}
        facts.append({"subject": name, "text": text})
        if " manages " in text:
            other = text.split(" manages ")[1]
            entities[other] = {"name": other, "type": "person"}
            relations.append({"source": name, "type": "manages", "target": other})
    return {"entities": list(entities.values()), "facts": facts, "relations": relations}


Open = Callable[..., Memory]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """Opens memories on disk with one clock for all, and closes them."""
    made: list[Memory] = []
    clock = Clock()

    def make(name: str = "m", **more: Any) -> Memory:
        llm = more.pop("llm", None) or Scripted(by_task={"extract": answers, "reconcile": {"verdicts": []}})
        memory = Memory.open(tmp_path / name, llm=llm, embedder="hashing", clock=more.pop("clock", clock), **more)
        made.append(memory)
        return memory

    yield make
    for memory in made:
        if not memory.store._closed:
            memory.close()


def bytes_hold(path: str, word: str) -> list[str]:
    """Files whose raw bytes hold a word."""
    return [str(one) for one in Path(path).rglob("*") if one.is_file() and word.encode() in one.read_bytes()]


async def told(memory: Memory, text: str, day: int = 0, agent: str = "a", speaker: str = "Bob") -> Any:
    return await memory.write(agent, text, speaker, occurred_at=T0 + timedelta(days=day))


def fact_of(memory: Memory, text: str, agent: str = "a") -> str:
    frame = memory.facts(agent)
    return str(frame.filter(frame["text"] == text)["id"][0])


async def test_a_forgotten_fact_is_nowhere(opened: Open) -> None:
    """J2, J3, J4, J6, J10: after forgetting, the words are in no voice, table, old version, journal unit or byte; before, they are."""
    memory = opened()
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
    looked = forgotten(now, [], Wanted(facts=frozenset({fact})), {}, {}).texts
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
    again = opened()
    assert again.facts("a")["text"].to_list() == [PLAIN]
    assert bytes_hold(again.store.path, "ZQX-4417") == []


async def test_a_scan_sees_through_compression_and_old_versions(opened: Open) -> None:
    """J10: the positive control: a text that is compressed on disk, and one that only an old table version holds, are found."""
    memory = opened()
    words = "uma frase bem comprida que se repete e se comprime XK-77 "
    rows = [
        Entity(key=f"person:{n}", agent_id="a", name="n", type="person", recorded_at=T0, summary_text=words * 60)
        for n in range(300)
    ]
    memory.commit(Changes(agent_id="a", rows=tuple(rows)), unit_id="many")
    memory.store.flush()
    table = Path(memory.store.path) / "entities.lance"
    raw = sum(one.stat().st_size for one in table.rglob("*") if one.is_file())
    assert raw < 300 * 60 * len(words) / 4, "the file is compressed"
    whole = words * 60
    found = {one.place.split(",")[0] for one in scan(memory.store, [whole], agent_id="a", proof="many").found}
    assert "entities" in found
    with memory.store._projecting:
        memory.store._tables.delete("entities", "id IS NOT NULL")
    places = [one.place for one in scan(memory.store, [whole], agent_id="a", proof="many").found]
    assert any(place.startswith("entities, version") for place in places), "deleted, and still in an older version"


async def test_old_text_stays_forgotten_and_new_words_are_news(opened: Open) -> None:
    """D3, J6: the same old turn, the same words in another old session, and an old retelling bring nothing back; said anew, it is stored."""
    memory = opened()
    await told(memory, f"{SECRET}. {PLAIN}")
    done = memory.forget("a", fact_id=fact_of(memory, SECRET))
    assert memory.facts("a")["text"].to_list() == [PLAIN], "the other fact of the turn stays"
    for result in (
        await told(memory, f"{SECRET}. {PLAIN}"),
        await memory.write("a", f"{SECRET}. {PLAIN}", "Bob", occurred_at=T0 + timedelta(days=2), session_id="old"),
        await memory.write("a", f"{SECRET}. {PLAIN}", "Bob", occurred_at=T0, dry_run=True),
    ):
        assert [one.why for one in result.skipped] == ["forgotten"]
        assert result.event_id is None
        assert result.usage.calls == 0, "no model is asked about it"
    retold = await told(memory, f"{SECRET}. Otto pinta", 3)
    assert [one.why for one in retold.skipped] == ["forgotten"]
    assert [fact.text for fact in retold.facts_added] == ["Otto pinta"]
    assert sorted(memory.facts("a")["text"].to_list()) == ["Otto pinta", PLAIN]
    anew = await told(memory, SECRET, (done.forgotten_at - T0).days + 5)
    assert [fact.text for fact in anew.facts_added] == [SECRET]
    memory.close()
    again = opened()
    later = await told(again, f"{SECRET}. {PLAIN}", 1)
    assert [one.why for one in later.skipped] == ["forgotten"], "tombstones are read from the journal"


async def test_a_forgotten_turn_takes_its_facts_and_edges(opened: Open) -> None:
    """J8, J9: a turn goes with its facts and with edges that rest on them alone; what another turn says too stays."""
    memory = opened()
    first = await told(memory, "Otto manages Íris. Otto pinta")
    second = await told(memory, "Otto manages Bob", 1)
    facts = {row["text"]: row["id"] for row in memory.facts("a").iter_rows(named=True)}
    view = memory.store.view("a")
    otto = view.fact(facts["Otto pinta"]).entity_key  # type: ignore[union-attr]
    watch = Observation(
        id="o2", agent_id="a", kind="pattern", text="Otto manages people", confidence=0.5, recorded_at=T0,
        evidence_ids=(facts["Otto manages Íris"], facts["Otto manages Bob"]),
    )  # fmt: skip
    alone = replace(watch, id="o1", evidence_ids=(facts["Otto pinta"],), text="Otto é artista")
    memory.commit(Changes(agent_id="a", rows=(watch, alone)), unit_id="job:1", kind="job")
    done = memory.forget("a", event=first.event_id)
    view = memory.store.view("a")
    assert memory.events("a")["id"].to_list() == [second.event_id]
    assert memory.facts("a")["text"].to_list() == ["Otto manages Bob"]
    assert [one.target_key for one in view.edges(otto)] == ["person:bob"]
    left = {one.id: one.evidence_ids for one in view.observations()}
    assert left == {"o2": (facts["Otto manages Bob"],)}, "two evidences: one is left; one evidence: it goes"
    assert view.entity("person:iris") is None, "only that turn knew Íris"
    assert done.clean, str(done)
    assert memory.store.verify() == []
    again = await told(memory, "Otto manages Íris", 2)
    assert [one.why for one in again.skipped] == ["forgotten", "forgotten"], "the fact and the relation"
    assert memory.store.view("a").edges("person:iris") == ()


def seeded(memory: Memory, agent: str = "a") -> None:
    """An edge with a stated fact and a mirror, a version chain, and a confirmation by a second turn."""

    def fact(fact_id: str, text: str, **more: Any) -> Fact:
        return Fact(
            id=fact_id, agent_id=agent, entity_key="person:otto", entity_name="Otto", text=text, confidence=0.9,
            importance=0.5, category="c", speaker="Bob", source_event_id="e1", valid_from=T0, recorded_at=T0, **more,
        )  # fmt: skip

    edge = Relationship(
        id="r1", agent_id=agent, source_key="person:otto", target_key="place:natal", rel_type="lives_in", strength=0.8,
        evidence_fact_ids=("s", "m"), valid_from=T0, recorded_at=T0,
    )  # fmt: skip
    rows = (
        Entity(key="person:otto", agent_id=agent, name="Otto", type="person", recorded_at=T0),
        Entity(key="place:natal", agent_id=agent, name="Natal", type="place", recorded_at=T0),
        fact("s", "Otto has a flat by the sea in Natal"),
        fact("m", "Otto lives in Natal", source_context=MIRROR),
        fact("v1", "Otto drinks mate"),
        fact("v2", "Otto drinks coffee", supersedes_fact_id="v1"),
        fact("v3", "Otto drinks tea", supersedes_fact_id="v2"),
        edge,
    )
    memory.commit(Changes(agent_id=agent, rows=rows), unit_id="write:e1")


def test_an_edge_falls_with_its_ground_and_its_mirror(opened: Open) -> None:
    """J8, W18: the edge rests on a stated fact and a mirror: without the stated one both go, and the place nobody names."""
    memory = opened()
    seeded(memory)
    done = memory.forget("a", fact_id="s")
    view = memory.store.view("a")
    assert view.edges() == ()
    assert view.fact("m") is None
    assert view.entity("place:natal") is None
    assert done.removed["relationships"] == 1
    assert done.clean


def test_every_version_of_a_statement_goes(opened: Open) -> None:
    """J4: a fact is forgotten with the versions before and after it."""
    memory = opened()
    seeded(memory)
    memory.forget("a", fact_id="v2")
    assert [memory.store.view("a").fact(one) for one in ("v1", "v2", "v3")] == [None, None, None]
    assert memory.store.view("a").fact("s") is not None


async def test_a_chain_closes_over_a_forgotten_turn(opened: Open) -> None:
    """A6: when the turn of a middle version is forgotten, the next version follows the one before it."""
    memory = opened()
    seeded(memory)
    middle = replace(memory.store.view("a").fact("v2"), source_event_id="e2")  # type: ignore[type-var]
    spoken = await told(memory, "Bob acena", 3)
    middle = replace(middle, source_event_id=spoken.event_id)  # type: ignore[type-var]
    memory.commit(Changes(agent_id="a", rows=(middle,)), unit_id="job:2", kind="job")  # type: ignore[arg-type]
    memory.forget("a", event=spoken.event_id)
    assert memory.history("a", "v3")["id"].to_list() == ["v1", "v3"]
    assert memory.store.verify() == []


async def test_an_entity_goes_with_all_that_names_it(opened: Open) -> None:
    """J2, J7: facts, turns, names and edges of an entity go, its name is in no byte; who merely stands beside it stays."""
    memory = opened()
    await told(memory, "Íris Falcão pinta. Otto nada")
    await told(memory, "Otto viaja", 1)
    key = next(one for one in memory.entities("a")["key"].to_list() if "iris" in one)
    done = memory.forget("a", entity=key)
    assert done.clean, str(done)
    assert memory.store.view("a").entity(key) is None
    assert sorted(memory.facts("a")["text"].to_list()) == ["Otto nada", "Otto viaja"]
    assert memory.events("a")["text"].to_list() == ["Otto viaja"]
    assert bytes_hold(memory.store.path, "Íris") == []
    assert bytes_hold(memory.store.path, "Otto")


def test_a_place_goes_and_the_later_place_stays(opened: Open) -> None:
    """J8, W7: forgetting an entity takes the old version that names it; the version that replaced it stays open and alone."""
    memory = opened()
    seeded(memory)
    old = replace(memory.store.view("a").fact("v1"), id="w1", text="Otto morava em Natal", valid_to=T0)  # type: ignore[type-var]
    new = replace(old, id="w2", text="Otto mora em Olinda", valid_to=None, supersedes_fact_id="w1")  # type: ignore[type-var]
    name = Alias(folded="natal", agent_id="a", entity_key="place:natal", name="Natal", recorded_at=T0)
    memory.commit(Changes(agent_id="a", rows=(old, new, name)), unit_id="write:e9")  # type: ignore[arg-type]
    done = memory.forget("a", entity="place:natal")
    assert done.clean, str(done)
    assert "Otto mora em Olinda" in memory.facts("a")["text"].to_list()
    assert memory.history("a", "w2")["id"].to_list() == ["w2"]
    assert bytes_hold(memory.store.path, "Natal") == []


async def test_a_speaker_is_forgotten_with_what_he_said(opened: Open) -> None:
    """J7: an entity that speaks goes with its own turns and what was drawn from them; nobody else's words go."""
    memory = opened()
    await told(memory, "Otto nada", speaker="Bob")
    await told(memory, "Bob corre", 1, speaker="Bob")
    await told(memory, "Otto viaja", 2, speaker="Otto")
    memory.forget("a", entity="person:bob")
    assert memory.facts("a")["text"].to_list() == ["Otto viaja"]
    assert memory.events("a")["speaker"].to_list() == ["Otto"]
    assert bytes_hold(memory.store.path, "Bob") == []


async def test_what_a_merge_left_in_the_journal_goes_too(opened: Open) -> None:
    """J6, B10: the entity that a merge took in is forgotten with the survivor, and undoing the merge brings neither back."""
    memory = opened()
    await told(memory, "Íris pinta")
    await told(memory, "Otto nada", 1)
    await told(memory, "Bob corre", 2)
    done = memory.merge("a", "person:otto", "person:iris")
    gone = memory.forget("a", entity="person:otto")
    assert gone.clean, str(gone)
    assert bytes_hold(memory.store.path, "Íris") == []
    with pytest.raises(ConfigError, match=r"forgotten|no more"):
        memory.undo("a", done.unit_id)
    assert memory.units("a")["what"].to_list() == ["(forgotten) into (forgotten)"]


async def test_everything_of_an_agent_goes_and_of_nobody_else(opened: Open) -> None:
    """J1, J9: everything wants to be said; another agent with the very same words keeps them, and is no residue."""
    memory = opened()
    for agent in ("a", "b"):
        await told(memory, SECRET, agent=agent)
        await told(memory, PLAIN, 1, agent=agent)
    with pytest.raises(ConfigError, match="everything=True"):
        memory.forget("a")
    with pytest.raises(ConfigError, match="one thing"):
        memory.forget("a", fact_id="x", everything=True)
    other = memory.digest("b")
    done = memory.forget("a", everything=True)
    assert done.clean, str(done)
    assert list(memory.store.view("a").rows()) == []
    assert memory.digest("b") == other
    assert memory.store.verify() == []
    result = await told(memory, SECRET)
    assert [one.why for one in result.skipped] == ["forgotten"]


@pytest.mark.parametrize("kind", ["fact_id", "entity", "event"])
async def test_an_unknown_thing_is_told(opened: Open, kind: str) -> None:
    """J5: forgetting what is not there is an error with the nearest name, never a success with nothing deleted."""
    memory = opened()
    await told(memory, PLAIN)
    at = memory.digest("a")
    with pytest.raises(ConfigError, match="nothing was forgotten"):
        memory.forget("a", **{kind: "none"})
    assert memory.digest("a") == at
    with pytest.raises(ConfigError, match="nothing to forget"):
        memory.forget("nobody", everything=True)


async def test_a_dry_run_counts_and_keeps(opened: Open) -> None:
    """J5: a dry run counts what would go and changes nothing; the real one removes exactly that."""
    memory = opened()
    await told(memory, f"{SECRET}. {PLAIN}")
    at = memory.digest("a")
    would = memory.forget("a", fact_id=fact_of(memory, SECRET), dry_run=True)
    assert memory.digest("a") == at
    assert not would.clean
    assert would.scan is None
    done = memory.forget("a", fact_id=fact_of(memory, SECRET))
    assert done.removed == would.removed


async def test_a_shared_sentence_stays_with_the_other_turn(opened: Open) -> None:
    """J8: two turns of the same words: forgetting one keeps the other, and the certificate says that its text still stands."""
    memory = opened()
    first = await told(memory, "Otto nada")
    await told(memory, "Otto nada", 1)
    done = memory.forget("a", event=first.event_id)
    assert done.shared >= 1
    assert memory.events("a").height == 1


async def test_a_confirmed_fact_takes_every_turn_that_says_it(opened: Open) -> None:
    """J2: a fact that two turns state is forgotten with both, or the second would still say it."""
    memory = opened()
    await told(memory, SECRET)
    second = await told(memory, f"{SECRET}!", 1)
    assert second.facts_unchanged
    done = memory.forget("a", fact_id=fact_of(memory, SECRET))
    assert done.removed["events"] == 2
    assert done.clean, str(done)
    assert memory.events("a").height == 0


async def test_a_crash_in_between_is_finished_at_opening(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """I7, J6: a crash after the forget unit leaves words only until the next opening, also those of a rewritten profile."""
    memory = opened()
    await told(memory, SECRET)
    await told(memory, PLAIN, 1)
    view = memory.store.view("a")
    iris = view.fact(fact_of(memory, PLAIN)).entity_key  # type: ignore[union-attr]
    profile = replace(view.entity(iris), profile_text="Código ZQX-4417", profile_at=T0)  # type: ignore[type-var]
    memory.commit(Changes(agent_id="a", rows=(profile,)), unit_id="job:1", kind="job")  # type: ignore[arg-type]

    def crash(*_: object) -> None:
        raise BackendError("the power went", kind="store", backend="test")

    with monkeypatch.context() as broken:
        broken.setattr("arandu_lab.store.forget.erase", crash)
        with pytest.raises(BackendError, match="power"):
            memory.forget("a", fact_id=fact_of(memory, SECRET))
    memory.close()
    assert bytes_hold(memory.store.path, "ZQX-4417")
    again = opened()
    assert bytes_hold(again.store.path, "ZQX-4417") == []
    entity = again.store.view("a").entity(iris)
    assert entity is not None
    assert entity.profile_text is None
    assert again.store.verify() == []


async def test_a_turn_forgotten_while_it_is_read_is_not_written(opened: Open) -> None:
    """J6, W25: a forgetting that overtakes a slow write wins: the turn's event and facts do not come back."""
    memory: Memory

    def slow(messages: Any) -> dict[str, Any]:
        memory.forget("a", event=memory.events("a")["id"][-1])
        return answers(messages)

    memory = opened(llm=Scripted(by_task={"extract": slow}))
    result = await told(memory, SECRET)
    assert [one.why for one in result.skipped] == ["forgotten"]
    assert memory.events("a").height == memory.facts("a").height == 0
    assert bytes_hold(memory.store.path, "ZQX-4417") == []


async def test_a_copy_keeps_the_tombstones(opened: Open, tmp_path: Path) -> None:
    """J6: a fork knows what was forgotten; without the key its hashes say nothing (no plain digest of the text is there)."""
    memory = opened()
    await told(memory, SECRET)
    memory.forget("a", everything=True)
    with memory.fork() as copy:
        result = await told(copy, SECRET, 1)
        assert [one.why for one in result.skipped] == ["forgotten"]


async def test_a_recording_that_holds_the_words_is_told(opened: Open, tmp_path: Path) -> None:
    """J4: a file of recorded model answers is not the store's to rewrite; the certificate says that the words are in it."""
    tape = tmp_path / "tape.jsonl"
    model = Recorded(Scripted(by_task={"extract": answers}), tape)
    memory = opened(llm=model)
    await told(memory, SECRET)
    done = memory.forget("a", everything=True)
    assert not done.clean
    assert {one.place for one in done.residue} == {str(tape)}
    assert str(tape) in str(done)


def test_in_memory_stores_forget_too() -> None:
    """J2: a store without files is scanned table by table, and clean."""
    with Memory.open("memory://", embedder="hashing") as memory:
        seeded(memory)
        assert isinstance(memory.store, Store)
        done = memory.forget("a", fact_id="v1")
        assert done.clean
        assert done.scan is not None
        assert done.scan.files == 0
