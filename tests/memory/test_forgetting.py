"""Forgetting: what goes with what."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from forgetful import PLAIN, SECRET, T0, bytes_hold, fact_of, seeded, told

from arandu_lab import ConfigError, Memory
from arandu_lab.records import Alias, Changes, Observation

Open = Callable[..., Memory]


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
    memory = opened("m")
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
    memory = opened("m")
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
    memory = opened("m")
    await told(memory, "Otto nada", speaker="Bob")
    await told(memory, "Bob corre", 1, speaker="Bob")
    await told(memory, "Otto viaja", 2, speaker="Otto")
    memory.forget("a", entity="person:bob")
    assert memory.facts("a")["text"].to_list() == ["Otto viaja"]
    assert memory.events("a")["speaker"].to_list() == ["Otto"]
    assert bytes_hold(memory.store.path, "Bob") == []


async def test_what_a_merge_left_in_the_journal_goes_too(opened: Open) -> None:
    """J6, B10: the entity that a merge took in is forgotten with the survivor, and undoing the merge brings neither back."""
    memory = opened("m")
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
