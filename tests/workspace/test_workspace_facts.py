"""Facts: proposing, saying again, superseding; each one append."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arandu_lab.embed.scripted import DeadEmbedder
from arandu_lab.errors import ConfigError
from arandu_lab.knowledge import Domain, EpisodicEdge, MemoryFact
from arandu_lab.workspace.face import Workspace
from arandu_lab.workspace.settings import WorkspaceConfig


async def test_a_fact_starts_as_sure_as_it_is_known(bare: Workspace) -> None:
    """S2: confidence starts from veracity: 1, .7, .5, .6; the domain suggests how fast it fades."""
    for veracity, sure in (("stated", 1.0), ("inferred", 0.7), ("tool", 0.5), ("imported", 0.6)):
        done = await bare.propose_fact("decisions", f"t-{veracity}", "A API usa gRPC", agent="iris", veracity=veracity)
        assert (done.outcome, done.fact.confidence, done.fact.memory_type) == ("added", sure, "decision")
    done = await bare.propose_fact("novo", "t", "x y z", agent="iris", memory_type="commitment")
    assert (done.fact.memory_type, done.domain_created, done.fact.domain_key) == ("commitment", True, "novo")


@pytest.mark.parametrize("again", ["Deploys run on Fridays.", "deploys  RUN on fridays", "Deploys run on Fridays"])
async def test_said_again_is_a_mention(bare: Workspace, again: str) -> None:
    """S2: the same words again are no second fact: confidence rises by a share of what is missing and stays below 1."""
    first = await bare.propose_fact("conventions", "deploys", "Deploys run on Fridays", agent="iris", veracity="tool")
    told = [first.fact.confidence]
    for _ in range(30):
        done = await bare.propose_fact("conventions", "Deploys", again, agent="rui", veracity="tool")
        assert (done.outcome, done.fact.id) == ("mentioned", first.fact.id)
        told.append(done.fact.confidence)
    assert told == sorted(told)
    assert told[1] == pytest.approx(0.55)
    assert told[-1] < 1
    assert done.fact.mention_count == 31
    assert done.fact.last_mentioned_at > first.fact.last_mentioned_at
    assert bare.facts().height == 1


async def test_a_human_mention_weighs_more(bare: Workspace) -> None:
    """S2: the share is sized by veracity: a human's word takes away more doubt than a tool's."""
    for topic in ("a", "b"):
        await bare.propose_fact("codebase", topic, "os testes rodam em Go", agent="iris", veracity="tool")
    human = await bare.propose_fact("codebase", "a", "os testes rodam em Go", agent="iris", veracity="stated")
    tool = await bare.propose_fact("codebase", "b", "os testes rodam em Go", agent="iris", veracity="tool")
    assert 0.5 < tool.fact.confidence < human.fact.confidence < 1


async def test_each_operation_is_one_append(workspace: Workspace) -> None:
    """An operation is one unit of the journal whatever it changes; a dry run is none and tells the same."""
    first = await workspace.propose_fact("conventions", "deploys", "Deploys run on Fridays", agent="iris")
    before = workspace.view.sequence
    dry = await workspace.propose_fact(
        "conventions", "deploys", "Deploys never run on Fridays", agent="rui", dry_run=True
    )
    assert workspace.view.sequence == before
    done = await workspace.propose_fact("conventions", "deploys", "Deploys never run on Fridays", agent="rui")
    assert workspace.view.sequence == before + 1
    assert dry.dry_run
    assert dry.superseded[0].id == first.fact.id
    assert (dry.outcome, dry.fact.id, [one.id for one in dry.conflicts]) == (
        done.outcome, done.fact.id, [one.id for one in done.conflicts],
    )  # fmt: skip
    assert workspace.store.verify() == []
    assert workspace.records()["op"].to_list() == ["propose_fact", "propose_fact"]
    assert workspace.records()["by"].to_list() == ["rui", "iris"]


async def test_the_same_work_gives_the_same_ids(bare: Workspace) -> None:
    """A replay gives the same ids: they say the workspace, the order and the words, and no other workspace's work."""
    made = []
    for other in (0, 3):
        with Workspace.open("memory://", workspace="acme", embedder="none", clock=bare.clock) as one:
            for number in range(other):
                noise = Workspace(one.store, f"w{number}", one.llm, one.embed, config=one.config, clock=one.clock)
                await noise.propose_fact("x", "t", "noise", agent="a")
            done = [await one.propose_fact("d", "t", text, agent="a") for text in ("um", "dois")]
            made.append([one.fact.id for one in done])
    assert made[0] == made[1]
    assert len(set(made[0])) == 2


async def test_many_at_once_lose_nothing(workspace: Workspace) -> None:
    """Operations at the same time are taken one after the other: each fact is there once, each mention counts."""
    said = [f"service {number % 5} is written in Go" for number in range(40)]
    await asyncio.gather(*(workspace.propose_fact("codebase", text[:9], text, agent="a") for text in said))
    facts = list(workspace.view.shelf(MemoryFact))
    assert len(facts) == 5
    assert [one.mention_count for one in facts] == [8] * 5


async def test_scopes_are_independent(bare: Workspace) -> None:
    """The same name in two scopes is two domains; a full key and a repo say the same."""
    one = await bare.propose_fact("architecture", "store", "usamos PostgreSQL", agent="iris")
    two = await bare.propose_fact("architecture", "store", "usamos PostgreSQL", agent="iris", repo="api")
    three = await bare.propose_fact("repo:api/architecture", "store", "usamos PostgreSQL", agent="iris")
    assert one.fact.id != two.fact.id == three.fact.id
    assert [one.key for one in bare.view.shelf(Domain)] == ["architecture", "repo:api/architecture"]


async def test_superseding_keeps_the_old_on_record(workspace: Workspace) -> None:
    """Facts are never edited when contradicted: the old row says what took its place and when."""
    old = (await workspace.propose_fact("codebase", "CI", "CI runs on Jenkins", agent="iris")).fact
    done = await workspace.supersede_fact(old.id, "CI is being moved to Actions", agent="rui", veracity="stated")
    assert (done.outcome, done.fact.topic, done.fact.memory_type) == ("added", "CI", old.memory_type)
    stored = workspace.view.shelf(MemoryFact).get(old.id)
    assert (stored.content, stored.superseded_by) == ("CI runs on Jenkins", done.fact.id)
    assert [fact.id for fact in workspace.history(old.id)] == [old.id, done.fact.id]
    assert workspace.facts()["content"].to_list() == ["CI is being moved to Actions"]
    assert workspace.facts(live=False).height == 2
    with pytest.raises(ConfigError, match="superseded by"):
        await workspace.supersede_fact(old.id, "again", agent="rui")
    with pytest.raises(ConfigError, match="already"):
        await workspace.supersede_fact(done.fact.id, "CI is being moved to Actions!", agent="rui")


async def test_episodic_edges_tie_what_was_told_together(bare: Workspace) -> None:
    """A new fact is tied to facts of its sighting, its session, its topic, and to the one whose place it takes."""
    seen = [await bare.record_source(text, agent="a", session_id="s1") for text in ("one", "two")]
    cite = [[one.sighting.id] for one in seen]
    first = await bare.propose_fact("codebase", "a", "alpha is a service", agent="a", source_observation_ids=cite[0])
    await bare.propose_fact("codebase", "b", "beta is a queue", agent="a", source_observation_ids=cite[0])
    await bare.propose_fact("codebase", "c", "gamma is a table", agent="a", source_observation_ids=cite[1])
    await bare.propose_fact("codebase", "a", "alpha has an owner", agent="a")
    await bare.supersede_fact(first.fact.id, "alpha was a service", agent="a")
    kinds = sorted(edge.kind for edge in bare.view.shelf(EpisodicEdge))
    assert kinds == ["observation", "session", "session", "supersedes", "topic", "topic", "topic"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"content": "  "}, "content"), ({"topic": ""}, "topic"), ({"domain": " "}, "domain"), ({"agent": ""}, "agent"),
        ({"content": None}, "content"), ({"domain": "a/b"}, "slash"), ({"domain": "repo:x"}, "repo:<slug>/<name>"),
        ({"domain": "repo:x/y", "repo": "z"}, "'z'"), ({"repo": " "}, "repo"), ({"domain": "a\nb"}, "one line"),
        ({"veracity": "state"}, "stated"), ({"memory_type": "decison"}, "decision"), ({"role": ""}, "role"),
        ({"source_observation_ids": "abc"}, "list"), ({"source_observation_ids": ["nope"]}, "nope"),
        ({"valid_until": datetime(2030, 1, 1)}, "offset"),
        ({"valid_from": datetime.fromisoformat("2030-01-02T00:00+00:00"),
          "valid_until": datetime.fromisoformat("2030-01-01T00:00+00:00")}, "after"),
    ],
)  # fmt: skip
async def test_bad_input_is_told_and_changes_nothing(bare: Workspace, change: dict, told: str) -> None:
    """A wrong argument is a ConfigError that names it, or what is near; nothing is appended."""
    given = {"domain": "conventions", "topic": "t", "content": "c", "agent": "a", **change}
    with pytest.raises(ConfigError, match=told):
        await bare.propose_fact(**given)
    assert bare.view.sequence == 0
    with pytest.raises(ConfigError, match="fact"):
        await bare.supersede_fact("nope", "c", agent="a")


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.text(min_size=1).filter(str.strip), topic=st.text(min_size=1).filter(str.strip))
def test_any_text_is_kept_as_it_is(bare: Workspace, content: str, topic: str) -> None:
    """C2: whatever is said is kept to the letter (half a surrogate pair becomes U+FFFD), and verify holds."""

    async def put() -> None:
        done = await bare.propose_fact("d", topic, content, agent="a\0'; --")
        stored = bare.view.shelf(MemoryFact).get(done.fact.id)
        assert stored is not None
        if done.outcome == "added" and "\ufffd" not in stored.content:
            assert stored.content == content

    asyncio.run(put())


async def test_a_dead_embedder_leaves_no_hole(tmp_path: Path) -> None:
    """S5: a fact is stored without a vector where the embedder fails, the result says so, and repair gives it one."""
    from arandu_lab.embed.open import open_embedder

    alive = open_embedder("hashing")
    with Workspace.open(tmp_path / "s", embedder=DeadEmbedder(inner=alive, name=alive.name)) as workspace:
        done = await workspace.propose_fact("d", "t", "os testes rodam à noite", agent="a")
        assert (done.outcome, done.failures[0].stage, done.fact.vector) == ("added", "embed", None)
    with Workspace.open(tmp_path / "s", embedder="hashing") as workspace:
        assert await workspace.repair() == 1
        assert await workspace.repair() == 0
        (fact,) = workspace.view.shelf(MemoryFact)
        assert fact.vector.tolist() == (await alive(["os testes rodam à noite"]))[0].tolist()
        found = await workspace.search_memory("testes", mode="semantic")
        assert [hit.fact.id for hit in found.hits] == [done.fact.id]
        assert "semantic" not in found.silent


async def test_a_fact_that_runs_out_stands_until_then(bare: Workspace, clock) -> None:
    """A fact holds to before valid_until; afterwards the same words are a new fact."""
    until = clock.now + timedelta(days=2)
    first = await bare.propose_fact("commitments", "release", "Entrega na sexta", agent="a", valid_until=until)
    assert bare.facts().height == 1
    clock.pass_(days=3)
    assert bare.facts().height == 0
    again = await bare.propose_fact("commitments", "release", "Entrega na sexta", agent="a")
    assert (again.outcome, again.fact.id != first.fact.id) == ("added", True)


def test_settings_are_told_by_name() -> None:
    """An unknown or impossible setting is refused with what is near."""
    with pytest.raises(ConfigError, match="merge_threshold"):
        WorkspaceConfig(merge_treshold=0.9)
    with pytest.raises(ConfigError, match="memory_types"):
        WorkspaceConfig(memory_types={"x": (0, 1)})
    with pytest.raises(ConfigError, match="mention_share"):
        WorkspaceConfig(mention_share=1.0)
    with pytest.raises(ConfigError, match="convention"):
        WorkspaceConfig(default_memory_type="conventon")
    with pytest.raises(ConfigError, match="workspace"):
        Workspace.open("memory://", workspace=" ")
