"""Conflicts: what contradicts gives way, both sides stay on record, scopes are independent. English and Portuguese."""

from __future__ import annotations

import pytest

from arandu_lab.errors import ConfigError
from arandu_lab.knowledge import MemoryConflict, MemoryFact
from arandu_lab.workspace.face import Workspace

PAIRS = {
    "en-polarity": ("deploys", "Deploys run on Fridays", "Deploys never run on Fridays", "polarity"),
    "en-number": ("limits", "The API limit is 100", "The API limit is 250", "number"),
    "pt-value": ("banco", "Usamos PostgreSQL", "Usamos MySQL", "value"),
    "pt-polarity": ("deploy", "O deploy roda na sexta", "O deploy não roda na sexta", "polarity"),
}
APART = [
    ("Uses Postgres for billing", "Uses MySQL for search"),
    ("Deploys run on Fridays", "Deploys run on Fridays and are watched by the on-call engineer"),
    ("A fila usa Redis", "O time de busca usa Kafka na ingestão"),
]


@pytest.mark.parametrize("pair", PAIRS)
async def test_a_contradiction_supersedes_and_is_recorded(bare: Workspace, pair: str) -> None:
    """S3: same domain and topic and a contradiction: the loser is superseded, a row keeps the evidence of both sides."""
    topic, before, after, why = PAIRS[pair]
    seen = [(await bare.record_source(f"heard: {text}", agent="a")).sighting.id for text in (before, after)]
    old = await bare.propose_fact("codebase", topic, before, agent="iris", source_observation_ids=seen[:1])
    new = await bare.propose_fact("codebase", topic, after, agent="rui", source_observation_ids=seen[1:])
    assert (new.outcome, [one.id for one in new.superseded]) == ("added", [old.fact.id])
    (row,) = bare.list_memory_conflicts()
    assert row == new.conflicts[0]
    assert (row.kept_id, row.lost_id, row.why, row.proposed_by) == (new.fact.id, old.fact.id, why, "rui")
    assert row.kept_evidence == (after, f"heard: {after}")
    assert row.lost_evidence == (before, f"heard: {before}")
    assert bare.facts()["content"].to_list() == [after]
    stored = bare.view.shelf(MemoryFact).get(old.fact.id)
    assert (stored.content, stored.superseded_by, stored.superseded_at) == (before, new.fact.id, row.recorded_at)


@pytest.mark.parametrize("pair", PAIRS)
async def test_the_weaker_side_loses_even_when_it_is_new(bare: Workspace, pair: str) -> None:
    """S3: what a tool says does not take the place of what a human said: the new one is stored as superseded."""
    topic, before, after, why = PAIRS[pair]
    old = await bare.propose_fact("codebase", topic, before, agent="ana", veracity="stated")
    new = await bare.propose_fact("codebase", topic, after, agent="bot", veracity="tool")
    assert (new.outcome, new.fact.superseded_by, new.superseded) == ("lost", old.fact.id, ())
    assert [(one.kept_id, one.lost_id, one.why) for one in new.conflicts] == [(old.fact.id, new.fact.id, why)]
    assert bare.facts()["content"].to_list() == [before]


@pytest.mark.parametrize("pair", PAIRS)
async def test_what_faded_gives_way(bare: Workspace, clock, pair: str) -> None:
    """S1, S3: an old word weighs what its type has left of it, so a weaker new one takes its place in the end."""
    topic, before, after, _ = PAIRS[pair]
    await bare.propose_fact("commitments", topic, before, agent="ana", veracity="stated")
    clock.pass_(days=60)
    new = await bare.propose_fact("commitments", topic, after, agent="bot", veracity="tool")
    assert new.outcome == "added"


@pytest.mark.parametrize("pair", PAIRS)
async def test_superseding_asks_nobody(bare: Workspace, pair: str) -> None:
    """S3: an explicit supersession stands whatever is surer, and records the contradiction."""
    topic, before, after, why = PAIRS[pair]
    old = await bare.propose_fact("codebase", topic, before, agent="ana", veracity="stated")
    new = await bare.supersede_fact(old.fact.id, after, agent="bot", veracity="tool")
    assert (new.outcome, new.fact.superseded_by) == ("added", None)
    assert [(one.kept_id, one.lost_id, one.why) for one in new.conflicts] == [(new.fact.id, old.fact.id, why)]


@pytest.mark.parametrize(("one", "other"), APART)
async def test_likeness_is_no_conflict(workspace: Workspace, one: str, other: str) -> None:
    """S3: not mere similarity: what says something else, or more, stands beside it."""
    await workspace.propose_fact("codebase", "t", one, agent="iris")
    done = await workspace.propose_fact("codebase", "t", other, agent="rui")
    assert (done.outcome, done.conflicts, done.superseded) == ("added", (), ())
    assert workspace.facts().height == 2


@pytest.mark.parametrize("pair", PAIRS)
async def test_another_topic_or_domain_is_no_conflict(bare: Workspace, pair: str) -> None:
    """S3: a contradiction counts under one topic of one domain only."""
    topic, before, after, _ = PAIRS[pair]
    await bare.propose_fact("codebase", topic, before, agent="iris")
    for domain, label in (("codebase", "other"), ("decisions", topic)):
        done = await bare.propose_fact(domain, label, after, agent="rui")
        assert (done.outcome, done.conflicts, done.elsewhere) == ("added", (), ())


@pytest.mark.parametrize(
    ("pair", "first"), [("en-polarity", None), ("en-number", "api"), ("pt-value", None), ("pt-polarity", "api")]
)
async def test_scopes_never_supersede_each_other(bare: Workspace, pair: str, first: str | None) -> None:
    """S3: a repository's correction leaves the workspace's fact alone and the other way round; the result marks both."""
    topic, before, after, why = PAIRS[pair]
    second = "api" if first is None else None
    old = await bare.propose_fact("architecture", topic, before, agent="iris", repo=first)
    new = await bare.propose_fact("architecture", topic, after, agent="rui", repo=second)
    assert (new.outcome, new.superseded, new.conflicts) == ("added", (), ())
    assert [(one.fact.id, one.why) for one in new.elsewhere] == [(old.fact.id, why)]
    assert bare.facts().height == 2
    found = await bare.search_memory(f"{topic} {before}", mode="keyword", repo="api")
    assert found.hits[0].fact.repo == "api"
    assert {hit.fact.id: [one.fact_id for one in hit.disputed_by] for hit in found.hits} == {
        old.fact.id: [new.fact.id], new.fact.id: [old.fact.id],
    }  # fmt: skip


async def test_a_large_topic_is_read_quickly_and_rightly(bare: Workspace) -> None:
    """S3: among hundreds of facts of one topic an early one that is contradicted is still found."""
    await bare.propose_fact("codebase", "limits", "The upload limit of the billing service is 100 megabytes", agent="a")
    for number in range(70):
        await bare.propose_fact("codebase", "limits", f"Team {number} keeps a runbook for queue w{number}", agent="a")
    done = await bare.propose_fact(
        "codebase", "limits", "The upload limit of the billing service is 250 megabytes", agent="b"
    )
    assert [one.why for one in done.conflicts] == ["number"]


async def test_conflicts_are_listed_latest_first(bare: Workspace) -> None:
    """Rows are listed by domain, latest first, at most as many as asked; a role that may not read a domain sees none of it."""
    for place, (topic, before, after, _) in enumerate(PAIRS.values()):
        for text in (before, after):
            await bare.propose_fact("codebase" if place < 3 else "segredo", topic, text, agent="a")
    rows = bare.list_memory_conflicts()
    assert [row.recorded_at for row in rows] == sorted((row.recorded_at for row in rows), reverse=True)
    assert len(rows) == 4 == len(bare.view.shelf(MemoryConflict)) == bare.conflicts().height
    assert len(bare.list_memory_conflicts(domain="codebase")) == 3
    assert bare.list_memory_conflicts(limit=1) == rows[:1]
    await bare.grant_access("guest", "segredo", "none")
    assert len(bare.list_memory_conflicts(role="guest")) == 3
    assert len(bare.list_memory_conflicts(role="coder")) == 4
    for wrong in ({"limit": 0}, {"limit": True}, {"domain": "codebas"}):
        with pytest.raises(ConfigError):
            bare.list_memory_conflicts(**wrong)
