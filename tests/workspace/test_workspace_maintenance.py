"""Consolidating, harmonizing, correcting by hand, forgetting, counting: on record, and a fixed point."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arandu_lab.errors import ConfigError
from arandu_lab.knowledge import Domain, EpisodicEdge, MemoryConflict, MemoryFact, domain_key
from arandu_lab.store import Store
from arandu_lab.workspace.face import Workspace

NEAR = ["Answer briefly", "Answer briefly, please", "Do not answer briefly", "answer  briefly!"]
SEEDS = [
    "usa tabs",
    "usa espaços",
    "não usa tabs",
    "usa tabs sempre",
    "usa 2 tabs",
    "usa 3 tabs",
    "usa tabs, por favor",
]


async def put(workspace: Workspace, *facts: tuple[str, str], **fields) -> list[MemoryFact]:
    """Facts as an import leaves them: past the detection of conflicts; agent and content each."""
    rows = [
        MemoryFact(
            id=f"i{len(workspace.view.shelf(MemoryFact))}-{place}", agent_id="acme", domain="codebase", topic="t", content=content,
            memory_type="convention", veracity="inferred", confidence=0.7, proposed_by=agent, valid_from=workspace.clock(),
            recorded_at=workspace.clock(), last_mentioned_at=workspace.clock(),
        )
        for place, (agent, content) in enumerate(facts)
    ]  # fmt: skip
    rows = [replace(row, **fields) for row in rows]
    key = domain_key("codebase", fields.get("repo"))
    home = Domain(id=key, agent_id="acme", name="codebase", repo=fields.get("repo"), recorded_at=workspace.clock())
    workspace.store.append(
        "edit", "acme", [home, *rows], unit_id=f"put{workspace.view.sequence}", recorded_at=workspace.clock()
    )
    return rows


async def test_near_identical_facts_are_merged_with_words_confirming(clock) -> None:
    """A cosine nominates and words confirm: what one denies is never merged; the one that says most is kept, surer."""
    with Workspace.open("memory://", workspace="acme", embedder="hashing", clock=clock) as workspace:
        one = np.zeros(256, dtype=np.float32)
        one[0] = 1
        facts = await put(workspace, *(("a", text) for text in NEAR), vector=one)
        done = await workspace.consolidate_memory(agent="a")
        (merged,) = done.merged
        assert (merged.kept.content, {one.content for one in merged.gone}) == (NEAR[1], {NEAR[0], NEAR[3]})
        assert (merged.kept.mention_count, merged.kept.confidence > 0.7) == (3, True)
        assert sorted(workspace.facts()["content"]) == sorted([NEAR[1], NEAR[2]])
        assert {workspace.view.shelf(MemoryFact).get(one.id).superseded_by for one in merged.gone} == {facts[1].id}
        assert [edge.kind for edge in workspace.view.shelf(EpisodicEdge)].count("supersedes") == 2
        at = workspace.view.sequence
        assert (await workspace.consolidate_memory(agent="b")).idle
        assert workspace.view.sequence == at


async def test_expired_facts_are_pruned_on_record(bare: Workspace, clock) -> None:
    """What has run out is retired with the reason, once; what has not stays."""
    until = clock.now + timedelta(days=1)
    old = (await bare.propose_fact("commitments", "a", "Entrega amanhã", agent="a", valid_until=until)).fact
    await bare.propose_fact("commitments", "b", "Entrega um dia", agent="a")
    assert (await bare.consolidate_memory(agent="a")).idle
    clock.pass_(days=2)
    done = await bare.consolidate_memory(agent="a")
    assert [(one.id, one.retired_why) for one in done.pruned] == [(old.id, "expired")]
    assert (await bare.consolidate_memory(agent="a")).idle
    assert bare.facts(live=False).filter(bare.facts(live=False)["id"] == old.id)["retired_why"].to_list() == ["expired"]


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(said=st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(SEEDS)), max_size=7))
def test_maintenance_is_a_fixed_point_and_loses_nothing(clock, said: list[tuple[str, str]]) -> None:
    """Done again without news nothing changes; no row is lost, and every fact that gave way leads to one that stands."""
    import asyncio

    async def run() -> None:
        with Workspace.open("memory://", workspace="acme", embedder="none", clock=clock) as workspace:
            rows = await put(workspace, *said)
            for _ in range(2):
                first = await workspace.consolidate_memory(agent="x")
                second = await workspace.harmonize_memory(agent="x")
            assert first.idle
            assert second.idle
            shelf = workspace.view.shelf(MemoryFact)
            assert {row.id: row.content for row in rows} == {row.id: row.content for row in shelf}
            for row in shelf:
                seen = set()
                while row.superseded_by is not None:
                    assert row.id not in seen
                    seen.add(row.id)
                    row = shelf.get(row.superseded_by)
            assert bool(rows) == bool(workspace.facts().height)
            assert workspace.store.verify() == []

    asyncio.run(run())


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("Deploys run on Fridays", "Deploys never run on Fridays", "polarity"),
        ("Usamos PostgreSQL", "Usamos MySQL", "value"),
    ],
)
async def test_beliefs_that_diverged_between_agents_are_settled(
    bare: Workspace, one: str, other: str, why: str
) -> None:
    """Facts of different agents that contradict: the surer is kept, the other superseded, a row keeps both sides."""
    weak, strong = (await put(bare, ("ana", one)))[0], (await put(bare, ("rui", other), confidence=0.9))[0]
    dry = await bare.harmonize_memory(agent="maestro", dry_run=True)
    assert (len(dry.conflicts), bare.facts().height) == (1, 2)
    done = await bare.harmonize_memory(agent="maestro", domain="codebase")
    (row,) = done.conflicts
    assert (row.kept_id, row.lost_id, row.why, row.proposed_by) == (strong.id, weak.id, why, "maestro")
    assert (row.kept_evidence, row.lost_evidence) == ((other,), (one,))
    assert bare.facts()["content"].to_list() == [other]
    assert list(bare.view.shelf(MemoryConflict)) == [row]
    assert (await bare.harmonize_memory(agent="maestro")).idle


async def test_one_agents_own_and_other_scopes_are_left_alone(bare: Workspace) -> None:
    """S3: harmonizing settles between agents and within a scope; what diverges across scopes is told, and both stay."""
    await put(bare, ("ana", "Usamos PostgreSQL"), ("ana", "Usamos MySQL"))
    await put(bare, ("rui", "Usamos SQLite"), repo="api")
    done = await bare.harmonize_memory(agent="maestro")
    assert done.idle
    assert len(done.elsewhere) == 2
    assert bare.facts().height == 3
    with pytest.raises(ConfigError, match="codebase"):
        await bare.harmonize_memory(agent="maestro", domain="codebse")
    with pytest.raises(ConfigError):
        await bare.harmonize_memory(agent=" ")


async def test_facts_are_corrected_by_hand_on_record(workspace: Workspace) -> None:
    """Other words are a new fact in the old one's place; another date changes the row; nothing to change is an error."""
    old = (await workspace.propose_fact("codebase", "CI", "CI roda no Jenkins", agent="bot", veracity="tool")).fact
    done = await workspace.edit_fact(old.id, by="human", content="CI roda no Actions")
    assert (done.before.id, done.after.veracity, done.after.confidence, done.after.proposed_by) == (
        old.id,
        "stated",
        1.0,
        "human",
    )
    assert done.after.vector is not None
    assert [one.id for one in workspace.history(done.after.id)] == [old.id, done.after.id]
    until = workspace.clock.now + timedelta(days=3)
    dated = await workspace.edit_fact(done.after.id, by="human", valid_until=until, memory_type="event")
    assert (dated.after.id, dated.after.valid_until, dated.after.memory_type) == (done.after.id, until, "event")
    moved = await workspace.edit_fact(done.after.id, by="human", topic="build")
    assert (moved.after.topic, moved.after.content, moved.after.id != done.after.id) == (
        "build",
        "CI roda no Actions",
        True,
    )
    assert workspace.records()["op"].to_list() == ["edit_fact"] * 3 + ["propose_fact"]
    assert (await workspace.search_memory("CI roda onde", mode="semantic")).hits[0].fact.id == moved.after.id
    for wrong in ({}, {"content": " "}, {"memory_type": "x"}, {"content": "CI roda no Actions"}):
        with pytest.raises(ConfigError):
            await workspace.edit_fact(moved.after.id, by="human", **wrong)
    with pytest.raises(ConfigError, match="superseded"):
        await workspace.edit_fact(old.id, by="human", content="x")


async def test_a_correction_is_taken_back(workspace: Workspace) -> None:
    """Undone, an edit and a retirement leave what was before, and both stay on record."""
    old = (await workspace.propose_fact("codebase", "CI", "CI roda no Jenkins", agent="bot")).fact
    await workspace.edit_fact(old.id, by="human", content="CI roda no Actions")
    workspace.undo(workspace.records()["id"][0])
    assert list(workspace.view.shelf(MemoryFact)) == [old]
    await workspace.retire_fact(old.id, by="human", why="velho")
    assert workspace.undo(workspace.records()["id"][0], dry_run=True).dry_run
    assert workspace.facts().height == 0
    workspace.undo(workspace.records()["id"][0])
    assert list(workspace.view.shelf(MemoryFact)) == [old]
    assert workspace.store.verify() == []
    assert workspace.records().height == 5
    again = await workspace.propose_fact("codebase", "CI", "CI roda no Actions", agent="bot")
    assert again.outcome == "added"


async def test_what_a_human_deleted_no_agent_brings_back(bare: Workspace) -> None:
    """Retired it may come again; deleted, its words are barred under its topic until a human says them."""
    fact = (await bare.propose_fact("codebase", "CI", "CI roda no Jenkins", agent="bot")).fact
    await bare.retire_fact(fact.id, by="human", why="velho")
    again = await bare.propose_fact("codebase", "CI", "CI roda no Jenkins", agent="bot")
    assert again.outcome == "added"
    gone = await bare.delete_fact(again.fact.id, by="human", why="errado")
    assert gone.after.retired_why == "deleted: errado"
    at = bare.view.sequence
    barred = await bare.propose_fact("codebase", "ci", "ci roda no jenkins!", agent="bot")
    assert (barred.outcome, barred.fact.id, bare.view.sequence) == ("deleted", again.fact.id, at)
    assert (
        await bare.propose_fact("codebase", "CI", "CI roda no Jenkins", agent="bot", veracity="stated")
    ).outcome == "added"
    assert not (await bare.search_memory("Jenkins", mode="keyword")).hits[1:]
    for call in (
        bare.retire_fact(fact.id, by="h", why="x"),
        bare.delete_fact("nope", by="h"),
        bare.retire_fact("n", by="h", why=" "),
    ):
        with pytest.raises(ConfigError):
            await call


async def test_a_forgotten_observation_leaves_the_pad(tmp_path: Path) -> None:
    """The line that an observation left on its agent's pad goes with it; the agent's own notes stay, and no byte tells of it."""
    with Workspace.open(tmp_path / "store", workspace="acme", embedder="hashing") as workspace:
        await workspace.update_my_notes("Ask Rui about deploys.", agent="iris")
        seen = await workspace.record_observation("The vault key is zebra-77.", agent="iris")
        assert "zebra-77" in workspace.preamble("iris", "").text
        done = workspace.forget(observation_id=seen.sighting.id)
        assert done.clean
        told = workspace.preamble("iris", "").text
        assert "zebra-77" not in told
        assert "Ask Rui about deploys." in told
    assert not any(b"zebra-77" in path.read_bytes() for path in (tmp_path / "store").rglob("*") if path.is_file())


async def test_forgetting_is_for_good(tmp_path: Path) -> None:
    """J2: a fact and the sighting that it came from leave every byte of the store; the certificate says so."""
    with Workspace.open(tmp_path / "s", embedder="hashing") as workspace:
        seen = (await workspace.record_source("heard ZQX4417", agent="a")).sighting
        fact = (
            await workspace.propose_fact("d", "t", "chave ZQX4417", agent="a", source_observation_ids=[seen.id])
        ).fact
        await workspace.propose_fact("d", "t2", "fica WKB2201", agent="a")
        done = workspace.forget(fact_id=fact.id)
        assert done.clean, str(done)
        assert workspace.facts(live=False)["content"].to_list() == ["fica WKB2201"]
        assert workspace.sightings().height == 0
        with pytest.raises(ConfigError):
            workspace.forget()
    held = [file.read_bytes() for file in (tmp_path / "s").rglob("*") if file.is_file()]
    assert not any(b"ZQX4417" in one for one in held)
    assert any(b"WKB2201" in one for one in held)


async def test_what_is_found_counts_as_recalled(tmp_path: Path, clock) -> None:
    """Facts that a search shows are counted, written down in batches and at closing, and never by a reader."""
    with Workspace.open(tmp_path / "s", embedder="hashing", clock=clock) as workspace:
        fact = (await workspace.propose_fact("d", "t", "os testes rodam à noite", agent="a")).fact
        at = workspace.view.sequence
        for _ in range(3):
            await workspace.search_memory("testes")
        assert workspace.view.sequence == at
    with Workspace.open(tmp_path / "s", embedder="hashing", clock=clock) as workspace:
        stored = workspace.view.shelf(MemoryFact).get(fact.id)
        assert (stored.recall_count, stored.last_recalled_at > fact.recorded_at) == (3, True)
        with Workspace.open(tmp_path / "s", embedder="hashing", read_only=True) as reader:
            assert (await reader.search_memory("testes")).hits
        with workspace.fork() as copy:
            assert copy.facts().equals(workspace.facts())
            await copy.propose_fact("d", "t3", "só na cópia", agent="a")
            assert workspace.facts().height == 1


async def test_facts_of_before_a_model_was_there_gain_vectors(tmp_path: Path) -> None:
    """S5: without an embedder the semantic voice is silent and says so; given one, repair() backfills."""
    with Workspace.open(tmp_path / "s", embedder="none") as workspace:
        await workspace.propose_fact("d", "t", "os testes rodam à noite", agent="a")
        found = await workspace.search_memory("testes")
        assert found.hits
        assert "semantic" in found.silent
        assert await workspace.repair() == 0
    from arandu_lab.embed.open import open_embedder

    embed = open_embedder("hashing")
    Store.adopt(tmp_path / "s", embedder_name=embed.name, embedder_dim=embed.dim)
    with Workspace.open(tmp_path / "s", embedder="hashing") as workspace:
        assert await workspace.repair() == 1
        assert "semantic" not in (await workspace.search_memory("testes")).silent


async def test_lexical_search_is_lexical_only(workspace: Workspace) -> None:
    """Words alone answer, best first, of live facts of the domain; bad input is told."""
    for topic, text in (("a", "O deploy roda na sexta"), ("b", "Deploys run on Fridays"), ("c", "A fila usa Redis")):
        await workspace.propose_fact("codebase", topic, text, agent="a")
    assert next(one.fact.content for one in workspace.memory_fact_search("deploy sexta")) == "O deploy roda na sexta"
    assert [one.fact.content for one in workspace.memory_fact_search("friday")] == ["Deploys run on Fridays"]
    assert workspace.memory_fact_search("zzz") == ()
    assert len(workspace.memory_fact_search("deploy", limit=1)) == 1
    for wrong in (
        {"query": " "},
        {"query": "x", "limit": 0},
        {"query": "x", "domain": "nope"},
        {"query": "x", "repo": ""},
    ):
        with pytest.raises(ConfigError):
            workspace.memory_fact_search(**wrong)
    for wrong in ({"query": ""}, {"query": "x", "mode": "hybird"}, {"query": "x", "k": 0}, {"query": "x", "role": " "}):
        with pytest.raises(ConfigError):
            await workspace.search_memory(**wrong)
