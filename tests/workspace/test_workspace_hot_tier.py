"""What an agent keeps: sightings, its pad, and the hot tier of a session until consolidation makes facts of it."""

from __future__ import annotations

from datetime import datetime

import pytest

from arandu_lab.errors import ConfigError
from arandu_lab.knowledge import HotItem, MemoryFact, Sighting, WorkingMemory
from arandu_lab.workspace.face import Workspace


async def test_consolidation_promotes_a_session(workspace: Workspace) -> None:
    """Items of the session become facts under their domain and topic, once; other sessions wait."""
    await workspace.remember(
        "Os testes rodam em dez minutos", agent="ana", session_id="s1", domain="codebase", topic="CI"
    )
    await workspace.remember("os testes rodam em dez minutos.", agent="ana", session_id="s1")
    await workspace.remember("!!!", agent="ana", session_id="s1")
    await workspace.remember("Prefere revisar de manhã", agent="rui", session_id="s2")
    assert workspace.hot().height == 3
    dry = await workspace.consolidate_memory(agent="ana", session_id="s1", dry_run=True)
    assert (len(dry.promoted), workspace.facts().height) == (1, 0)
    done = await workspace.consolidate_memory(agent="ana", session_id="s1", role="coder")
    (made,) = done.promoted
    assert (made.outcome, made.fact.domain, made.fact.topic, made.fact.role) == ("added", "codebase", "CI", "coder")
    assert (made.fact.veracity, made.fact.proposed_by, made.fact.vector is not None) == ("inferred", "ana", True)
    assert [one.text for one in done.dropped] == ["!!!"]
    items = {one.text: one for one in workspace.view.shelf(HotItem)}
    assert items["Os testes rodam em dez minutos"].promoted_to == made.fact.id
    assert items["Prefere revisar de manhã"].promoted_to is None
    at = workspace.view.sequence
    assert (await workspace.consolidate_memory(agent="ana", session_id="s1")).idle
    assert workspace.view.sequence == at
    assert len((await workspace.consolidate_memory(agent="ana")).promoted) == 1


async def test_promotion_is_a_proposal(bare: Workspace) -> None:
    """S2, S3: what is promoted counts as said again, or gives way to what prevails, like any proposal; within one unit too."""
    await bare.propose_fact("codebase", "limits", "The API limit is 100", agent="ana", veracity="stated")
    await bare.propose_fact("codebase", "CI", "CI runs on Actions", agent="ana")
    for text, topic in (
        ("The API limit is 250", "limits"),
        ("ci runs on actions", "CI"),
        ("The queue is Redis", "queue"),
        ("The queue is Kafka", "queue"),
    ):
        await bare.remember(text, agent="rui", session_id="s", domain="codebase", topic=topic)
    before = bare.view.sequence
    done = await bare.consolidate_memory(agent="rui")
    assert bare.view.sequence == before + 1
    assert [one.outcome for one in done.promoted] == ["lost", "mentioned", "added", "added"]
    assert [one.content for one in done.promoted[3].superseded] == ["The queue is Redis"]
    assert sorted(bare.facts()["content"]) == ["CI runs on Actions", "The API limit is 100", "The queue is Kafka"]
    assert all(one.promoted_to for one in bare.view.shelf(HotItem))
    assert bare.store.verify() == []


async def test_observations_are_sightings_and_lines_of_the_pad(bare: Workspace) -> None:
    """An observation is recorded once and noted on the pad of its agent alone; a source leaves the pad alone."""
    await bare.update_my_notes("começo", agent="ana")
    first = await bare.record_observation("o build\nquebrou", agent="ana", session_id="s", speaker="CI")
    assert first.notes.text == bare.notes_of("ana") == "começo\n- o build quebrou"
    source = await bare.record_source("outra coisa", agent="ana")
    assert source.notes is None
    assert bare.notes_of("ana") == "começo\n- o build quebrou"
    assert bare.notes_of("rui") == ""
    at = first.sighting.occurred_at
    for _ in range(2):
        await bare.record_source("igual", agent="ana", occurred_at=at)
    assert [one.text for one in bare.view.shelf(Sighting)] == ["o build\nquebrou", "outra coisa", "igual"]


async def test_a_pad_is_one_row_word_for_word(bare: Workspace) -> None:
    """Notes are kept to the letter, one pad an agent; the same text again appends nothing, an empty one clears."""
    for text in ("  a\n\tb 🌵\0", "", "x'; DROP TABLE"):
        await bare.update_my_notes(text, agent="ana")
        assert bare.notes_of("ana") == text
    at = bare.view.sequence
    await bare.update_my_notes("x'; DROP TABLE", agent="ana")
    assert (await bare.update_my_notes("z", agent="ana", dry_run=True)).notes.text == "z"
    assert bare.view.sequence == at
    assert len(bare.view.shelf(WorkingMemory)) == 1


async def test_decisions_of_a_meeting_are_harvested(workspace: Workspace) -> None:
    """Each decision is a sighting of the meeting and a stated fact under `decisions`; a later one that contradicts prevails."""
    from arandu_lab.workspace.harvest import MeetingDecision

    first = [MeetingDecision(text="Usamos PostgreSQL", topic="banco", decided_by="Ana"), "O deploy é na sexta"]
    done = await workspace.harvest_meeting("planejamento", first, agent="ata")
    assert workspace.view.sequence == 1
    assert [
        (one.fact.domain, one.fact.memory_type, one.fact.veracity, one.fact.confidence) for one in done.decisions
    ] == [("decisions", "decision", "stated", 1.0)] * 2
    assert done.decisions[0].fact.source_observation_ids == (done.sightings[0].id,)
    assert [(one.session_id, one.speaker) for one in workspace.view.shelf(Sighting)] == [
        ("planejamento", "Ana"), ("planejamento", None),
    ]  # fmt: skip
    again = await workspace.harvest_meeting("planejamento", first, agent="ata")
    assert [one.outcome for one in again.decisions] == ["mentioned", "mentioned"]
    later = await workspace.harvest_meeting(
        "revisão", [MeetingDecision(text="Usamos MySQL", topic="banco")], agent="ata"
    )
    assert later.decisions[0].conflicts[0].why == "value"
    assert (await workspace.harvest_meeting("vazia", [], agent="ata")).decisions == ()
    for wrong in ("text", [7], [" "], None):
        with pytest.raises(ConfigError):
            await workspace.harvest_meeting("m", wrong, agent="ata")


@pytest.mark.parametrize(
    "wrong",
    [{"text": " "}, {"agent": ""}, {"session_id": " "}, {"topic": ""}, {"domain": "a/b"}, {"repo": ""}, {"text": None}],
)
async def test_bad_input(bare: Workspace, wrong: dict) -> None:
    """A wrong argument is an error, and nothing is appended."""
    with pytest.raises(ConfigError):
        await bare.remember(**{"text": "t", "agent": "a", "session_id": "s", **wrong})
    for call in (
        bare.record_observation(" ", agent="a"), bare.record_observation("t", agent="a", speaker=""),
        bare.record_source("t", agent="a", occurred_at=datetime(2025, 1, 1)),
        bare.update_my_notes(None, agent="a"), bare.update_my_notes("t", agent=" "),
        bare.consolidate_memory(agent=" "), bare.consolidate_memory(agent="a", session_id=""),
    ):  # fmt: skip
        with pytest.raises(ConfigError):
            await call
    assert bare.view.sequence == 0
    assert list(bare.view.shelf(MemoryFact)) == []
