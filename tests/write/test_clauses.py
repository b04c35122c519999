"""Clauses of the write document that no worked example and no decision shows, each by its section."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from said import AGENT, IMPATIENT, Talk, answer, at, edge, entity, fact, opened, verdicts

from arandu_lab.config import MemoryConfig
from arandu_lab.embed.scripted import ScriptedEmbedder
from arandu_lab.llm.mind import Minds
from arandu_lab.llm.offline import OfflineRules
from arandu_lab.llm.scripted import Scripted
from arandu_lab.memory import Memory

CLARA = entity("Clara"), entity("Vertix", "organization")
BLIND: dict[str, Any] = {
    "entities": {"entities": list(CLARA)},
    "facts": {"facts": [fact("Clara", "Clara works at Vertix", importance_category="relationship_change")]},
    "relations": {"relations": [edge("Clara", "works_at", "Vertix")]},
}


async def test_known_names_are_whole_words() -> None:
    """Stage 1, alias lookup: a name is found at word boundaries, in any case and accent; "Ana" is not in "Mariana"."""
    with Talk() as talk:
        await talk(answer(fact("Ana", "Ana sings"), fact("José", "José cooks")))
        await talk(answer(), text="Mariana e JOSE chegaram.")
        shown = [one["name"] for one in talk.model.asked("extract")[-1].inputs["known"]]
        assert shown == ["José"]


async def test_blind_by_choice() -> None:
    """Configuration: without ``enable_informed_extraction`` three other questions are asked, then the same stages follow."""
    new = "Clara left Vertix"
    blind = BLIND | {"facts": [BLIND["facts"], {"facts": [fact("Clara", new)]}]}
    llm = Scripted(by_task={**blind, "reconcile": verdicts(("UPDATE", 0))})
    old = BLIND["facts"]["facts"][0]["text"]
    config = MemoryConfig(enable_informed_extraction=False)
    with opened(llm, ScriptedEmbedder({(old, new): 0.8}), config=config) as memory:
        first = await memory.write(AGENT, "Clara works at Vertix.", "Rafael", occurred_at=at(2024))
        second = await memory.write(AGENT, "Clara left Vertix.", "Rafael", occurred_at=at(2025))
        assert (first.mode, first.degraded, first.usage.calls) == ("blind", (), 3)
        assert first.facts_added[0].importance == 0.90
        assert second.facts_updated[0].supersedes_fact_id == first.facts_added[0].id
        assert llm.asked("extract") == []


async def test_blind_questions_run_side_by_side() -> None:
    """Blind extraction: facts and relations are asked at once: each waits for the other to have begun."""
    begun = {"facts": asyncio.Event(), "relations": asyncio.Event()}

    class Waiting(Scripted):
        async def complete(self, messages: Any, **more: Any) -> Any:
            said = await super().complete(messages, **more)
            task = self.calls[-1].task
            if task in begun:
                begun[task].set()
                for one in begun.values():
                    await one.wait()
            return said

    class Ordered(Waiting):
        async def complete(self, messages: Any, **more: Any) -> Any:
            return await asyncio.wait_for(super().complete(messages, **more), 5)

    with opened(Ordered(by_task=BLIND), config=MemoryConfig(enable_informed_extraction=False)) as memory:
        result = await memory.write(AGENT, "Clara works at Vertix.", "Rafael", occurred_at=at(2024))
        assert result.success, result.error
        assert result.degraded == ()
        assert memory.relationships(AGENT).height == 1


@pytest.mark.parametrize(("named", "asked", "retried"), [(2, 2, True), (1, 1, False)])
async def test_relations_are_asked_once_more(named: int, asked: int, retried: bool) -> None:
    """Blind extraction: no relation among two entities is asked about once more, and the first step of the trace says so."""
    script = {"entities": {"entities": list(CLARA[:named])}, "facts": {"facts": []}, "relations": {"relations": []}}
    llm = Scripted(by_task=script)
    with opened(llm, config=MemoryConfig(enable_informed_extraction=False)) as memory:
        result = await memory.write(AGENT, "Clara, Vertix.", "Rafael", occurred_at=at(2024), verbose=True)
        assert len(llm.asked("relations")) == asked
        assert result.pipeline is not None
        step = result.pipeline.steps[0]
        assert step.name == "extraction"
        assert step.data["relation_retry_triggered"] is retried


async def test_informed_says_that_nothing_was_retried() -> None:
    """Trace: the key ``relation_retry_triggered`` is there after informed extraction too."""
    with Talk() as talk:
        result = await talk(answer(fact("Ana", "Ana sings")), verbose=True)
        assert result.pipeline.steps[0].data["relation_retry_triggered"] is False


async def test_a_timeout_can_be_told_from_nothing() -> None:
    """Fail-safe: after a timeout nothing is extracted, the event is there, the result names it, and the step took that long."""
    llm = Scripted(default={}, delay=2.0)
    with Memory.open("memory://", llm=Minds(llm, patience=IMPATIENT), embedder=ScriptedEmbedder()) as memory:
        result = await memory.write(
            AGENT, "Clara sings.", "Rafael", occurred_at=at(2024), verbose=True,
            config_overrides={"extraction_timeout_sec": 0.05},
        )  # fmt: skip
        assert not result.success
        assert {one.kind for one in result.failures} == {"timeout"}
        assert memory.events(AGENT).height == 1
        assert result.pipeline is not None
        assert result.pipeline.steps[0].duration_ms >= 50


async def test_one_statement_is_stored_once() -> None:
    """What is extracted: the same subject and text, letter case and punctuation apart, is one fact; another subject's is not."""
    with Talk() as talk:
        said = answer(fact("Ana", "Ana sings."), fact("Ana", "ana sings!"), fact("Bia", "Ana sings."))
        result = await talk(said)
        assert [(one.entity_name, one.text) for one in result.facts_added] == [
            ("Ana", "Ana sings."),
            ("Bia", "Ana sings."),
        ]
        assert [one.why for one in result.skipped] == ["repeated in the answer"]


async def test_facts_are_of_their_subject_alone() -> None:
    """Subject-centric: "Carlos mora em Curitiba" is one fact, of Carlos; Curitiba finds it by its link."""
    with Memory.open("memory://", llm=OfflineRules(), embedder="hashing") as memory:
        await memory.write(AGENT, "O Carlos mora em Curitiba.", "Rafael", occurred_at=at(2024))
        [row] = memory.facts(AGENT).to_dicts()
        assert row["entity_name"] == "Carlos"
        view = memory.store.view(AGENT)
        [key] = [one.key for one in view.entities() if one.name == "Curitiba"]
        assert key in view.keys_of(row["id"])


async def test_a_profile_is_in_the_unit_of_its_facts() -> None:
    """Profiles: seeded in the same commit as the facts: a write appends one unit beside the one that records the turn."""
    with Talk() as talk:
        before = talk.view.sequence
        await talk(answer(fact("Ana", "Ana sings"), updated_profiles={"Ana": "A singer."}))
        assert talk.view.sequence == before + 2
        assert [one.profile_text for one in talk.view.entities() if one.name == "Ana"] == ["A singer."]


@pytest.mark.parametrize(("threshold", "how", "asked"), [(0.85, "model", 1), (0.50, "fuzzy", 0)])
async def test_a_lower_threshold_asks_less(threshold: float, how: str, asked: int) -> None:
    """Fuzzy match: with ``fuzzy_threshold`` .50 the band in which a model is asked is empty: what is like enough resolves."""
    with Talk({("Guili", "Guilherme"): 0.6}, config=MemoryConfig(fuzzy_threshold=threshold)) as talk:
        await talk(answer(fact("Guilherme", "Guilherme sails")))
        choice = {"choices": [{"i": 0, "candidate": 0}]}
        result = await talk(answer(fact("Guili", "Guili rows")), choice=choice)
        assert {one.name: one.how for one in result.entities_resolved}["Guili"] == how
        assert len(talk.model.asked("resolve")) == asked
        assert {one.entity_key for one in talk.all()} == {"person:guilherme"}


async def test_a_model_sees_three_candidates() -> None:
    """Fuzzy match: the three likest candidates between the bands go to the model, best first."""
    names = [f"Marcos{letter}" for letter in "abcd"]
    cosines = {("Marquinhos", name): 0.55 + 0.05 * place for place, name in enumerate(names)}
    with Talk(cosines) as talk:
        await talk(answer(*(fact(name, f"{name} sails") for name in names)))
        await talk(answer(fact("Marquinhos", "Marquinhos rows")))
        [mention] = talk.model.asked("resolve")[0].inputs["mentions"]
        assert [one["name"] for one in mention["candidates"]] == ["Marcosd", "Marcosc", "Marcosb"]


async def test_aliases_belong_to_an_agent() -> None:
    """Aliases: one name leads to different entities for different agents; within an agent the first to take it keeps it."""
    said = {
        "a": answer(fact("Guilherme", "Guilherme sails"), entities=[entity("Guilherme", "person", "Gui")]),
        "b": answer(fact("Guiomar", "Guiomar sails"), entities=[entity("Guiomar", "person", "Gui")]),
    }
    llm = Scripted(by_task={"extract": [said["a"], said["b"], said["b"]]})
    with opened(llm) as memory:
        for agent in ("a", "b", "a"):
            await memory.write(agent, f"{len(llm.calls)}", "Rafael", occurred_at=at(2025))
        assert memory.store.view("a").aliases()["gui"][0] == "person:guilherme"
        assert memory.store.view("b").aliases()["gui"] == ("person:guiomar",)


async def test_every_entity_of_a_write_has_a_row() -> None:
    """Persistence of entities: whoever a result resolves, new or known, exact or by a model, is in the table of entities."""
    with Talk({("Guili", "Guilherme"): 0.9}) as talk:
        for number in range(3):
            said = answer(fact("Guilherme", f"Guilherme won {number}"), fact("Guili", f"Guili lost {number}"))
            result = await talk(said)
            assert all(talk.view.entity(one.key) is not None for one in result.entities_resolved)


async def test_edges_go_one_way() -> None:
    """Relationships: "Ana works at Acme" ties Ana to Acme and not Acme to Ana."""
    with Talk() as talk:
        said = answer(fact("Ana", "Ana works at Acme"), entities=[entity("Ana"), entity("Acme", "organization")])
        await talk(said | {"relations": [edge("Ana", "works_at", "Acme")]})
        assert talk.edges() == [("person:ana", "works_at", "organization:acme")]


async def test_any_type_of_relation() -> None:
    """Relationships: a type that no table knows is kept in snake case."""
    with Talk() as talk:
        said = answer(fact("Ana", "Ana was inspired by Bia"), entities=[entity("Ana"), entity("Bia")])
        await talk(said | {"relations": [edge("Ana", "Was Inspired-By", "Bia")]})
        assert [kind for _, kind, _ in talk.edges()] == ["was_inspired_by"]


async def test_all_fields_of_the_result() -> None:
    """WriteResult: every attribute that the document prints is there, with tokens that add up; the trace only when asked for."""
    with Talk() as talk:
        result = await talk(answer(fact("Ana", "Ana sings")))
        assert [len(one) for one in (result.facts_added, result.facts_updated, result.facts_unchanged)] == [1, 0, 0]
        assert (result.facts_deleted, result.success, result.error, result.pipeline) == ((), True, None, None)
        assert result.event_id is not None
        assert result.duration_ms > 0
        assert "person:ana" in {one.key for one in result.entities_resolved}
        used = result.tokens_used
        assert used.input_tokens + used.output_tokens == used.total_tokens > used.input_tokens > 0


async def test_tokens_of_all_stages() -> None:
    """Token usage: extraction, resolution and reconciliation are all in the sum."""
    with Talk({("Guili", "Guilherme"): 0.6, ("Guilherme sails", "Guili sails a lot"): 0.7}) as talk:
        await talk(answer(fact("Guilherme", "Guilherme sails")))
        choice = {"choices": [{"i": 0, "candidate": 0}]}
        result = await talk(answer(fact("Guili", "Guili sails a lot")), choice=choice, verbose=True)
        steps = {one.name: one.usage for one in result.pipeline.steps}
        assert [steps[name].calls for name in ("extraction", "resolve", "reconcile")] == [1, 1, 1]
        assert sum(one.total_tokens for one in steps.values()) == result.tokens_used.total_tokens


@pytest.mark.parametrize("label", ["", 7, "x" * 200, {"label": "joy"}])
async def test_an_invalid_emotion_loses_nothing(label: Any) -> None:
    """W6: an emotion that is none costs itself alone: the event and the facts are kept."""
    with Talk() as talk:
        result = await talk(answer(fact("Ana", "Ana sings"), emotion={"label": label, "intensity": 0.5}))
        assert [one.text for one in result.facts_added] == ["Ana sings"]
        assert talk.memory.events(AGENT)["emotion"].to_list() == [None]


async def test_a_draft_that_was_overtaken_is_made_again() -> None:
    """W25: when the journal moves between draft and commit, the turn is read once and decided anew on what is there now."""
    old, new = "Ana lives in Recife", "Ana lives in Natal"
    with Talk({(old, new): 0.8}) as talk:
        await talk(answer(fact("Ana", old)))
        asked = 0

        def overtaken(messages: Any) -> Any:
            nonlocal asked
            asked += 1
            if asked == 1:  # somebody else confirms the fact meanwhile
                view = talk.view
                [held] = [one for one in talk.all() if one.text == old]
                talk.memory.store.append(
                    "job", AGENT, [held], unit_id="job:other", recorded_at=talk.now, expects=view.sequence
                )
            return verdicts(("UPDATE", 0))

        result = await talk(answer(fact("Ana", new)), verdict=overtaken)
        assert asked == 2
        assert len(talk.model.asked("extract")) == 2
        assert [one.text for one in result.facts_updated] == [new]
        assert talk.live() == [new]
