"""The scripted model and the embedder fail in every possible place: nothing is lost, nothing is half, all is told.

C1-C7, C11, I7: after every failure the turn is in the log, the store agrees with its journal, the result tells the
failure apart from emptiness, and the same turn can be written again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from said import AGENT, answer, at, edge, entity, fact, opened, verdicts

from arandu_lab.embed.scripted import DeadEmbedder, ScriptedEmbedder
from arandu_lab.llm.scripted import Scripted, fail
from arandu_lab.memory import Memory
from arandu_lab.results import WriteResult

OLD, NEW = "Carolina lives in São Paulo", "Carolina moved to Austin"
QUERY = "where is Carolina now?"
COSINES = {("Lina", "Carolina"): 0.6, (OLD, NEW): 0.72, (QUERY, NEW): 0.8}
MESSAGE = "A Lina se mudou pra Austin."

FIRST = answer(fact("Carolina", OLD))
SECOND = answer(
    fact("Lina", NEW, action="UPDATE", known=0, importance_category="relationship_change"),
    entities=[entity("Lina"), entity("Austin", "place")],
    relations=[edge("Lina", "lives_in", "Austin")],
    emotion={"label": "joy", "intensity": 0.7, "energy": "high"},
)
RIGHT: dict[str, Any] = {
    "extract": SECOND,
    "entities": {"entities": SECOND["entities"], "emotion": SECOND["emotion"]},
    "facts": {"facts": SECOND["facts"]},
    "relations": {"relations": SECOND["relations"]},
    "resolve": {"choices": [{"i": 0, "candidate": 0}]},
    "reconcile": verdicts(("UPDATE", 0)),
}
TOLD = {
    "timeout": "timeout",
    "hang": "timeout",
    "rate_limit": "rate_limit",
    "unavailable": "unavailable",
    "refused": "refused",
    "filtered": "refused",
    "empty": "empty",
    "malformed": "malformed",
    "wrong_type": "malformed",
}
"""A failure that leaves nothing of the answer -> the kind under which the result tells it."""

HALF = "nothing to salvage"
STAGES = {
    "extract": "informed",
    "entities": "scan_entities",
    "facts": "state_facts",
    "relations": "relate_entities",
    "resolve": "ask_names",
    "reconcile": "ask_verdicts",
}
INFORMED = ("extract", "resolve", "reconcile")
BLIND = ("entities", "facts", "relations", "resolve", "reconcile")


def failing(task: str, how: str) -> Any:
    """The answer of a model that fails in a task."""
    if how == HALF:
        return json.dumps(RIGHT[task])[:9]
    base = None if how in ("malformed", "wrong_type") else RIGHT[task]
    return fail(how, base)  # type: ignore[arg-type]


def settings(mode: str, how: str) -> dict[str, Any]:
    return {
        "enable_informed_extraction": mode == "informed",
        "extraction_timeout_sec": 0.25 if how == "hang" else 20.0,
    }


@contextmanager
def told(path: Any = "memory://", embed: Any = None) -> Iterator[tuple[Memory, dict[str, Any]]]:
    """A memory, and what its model says in each task."""
    says = dict(RIGHT)

    def voice(task: str) -> Any:
        return lambda messages: says[task]

    llm = Scripted(by_task={task: voice(task) for task in RIGHT})
    with opened(llm, embed or ScriptedEmbedder(COSINES), path) as memory:
        yield memory, says


async def first(memory: Memory, says: dict[str, Any], agent: str = AGENT) -> None:
    """The memory learns of Carolina, who lives in São Paulo."""
    says.update(RIGHT, extract=FIRST)
    await memory.write(agent, "A Carolina mora em São Paulo.", "Rafael", occurred_at=at(2024))
    says.update(RIGHT)


async def written(memory: Memory, agent: str = AGENT, **overrides: Any) -> WriteResult:
    return await memory.write(agent, MESSAGE, "Rafael", occurred_at=at(2025), config_overrides=overrides, verbose=True)


def sound(memory: Memory, agent: str = AGENT) -> None:
    """The turn is there, and tables, view and journal agree."""
    assert MESSAGE in memory.events(agent)["text"].to_list()
    assert memory.store.verify() == []


async def again(memory: Memory, agent: str, result: WriteResult) -> None:
    """The turn is still there; written again it succeeds, or is known to have been written."""
    assert memory.events(agent)["text"].to_list()[-1] == MESSAGE
    retried = await written(memory, agent)
    assert retried.success
    assert retried.event_id == result.event_id
    if result.success:
        assert [s.why for s in retried.skipped] == ["this turn was written before"]
    else:
        assert [f.text for f in (*retried.facts_added, *retried.facts_updated)] == [NEW]
    assert memory.facts(agent)["text"].to_list().count(NEW) == 1
    assert memory.events(agent).height == 2


async def retried(path: Path, result: WriteResult) -> None:
    """As ``again``, after the store was closed."""
    with told(path) as (memory, _):
        await again(memory, AGENT, result)
        sound(memory)


@pytest.mark.parametrize(("mode", "task"), [("informed", t) for t in INFORMED] + [("blind", t) for t in BLIND])
async def test_model_fails(tmp_path: Path, mode: str, task: str) -> None:
    """C3, C6: every question x every failure that leaves no answer, informed and blind; an agent for each failure."""
    results = {}
    with told(tmp_path) as (memory, says):
        for how in (*TOLD, HALF):
            await first(memory, says, how)
            says[task] = failing(task, how)
            result = results[how] = await written(memory, how, **settings(mode, how))
            said_so(result, mode, task, TOLD.get(how, "malformed"))
            if task == "relations":
                assert memory.relationships(how).is_empty()
            assert MESSAGE in memory.events(how)["text"].to_list()
        assert memory.store.verify() == []
    with told(tmp_path) as (memory, says):
        for how, result in results.items():
            await again(memory, how, result)
        assert memory.store.verify() == []


def said_so(result: WriteResult, mode: str, task: str, kind: str) -> None:
    """The result tells which stage failed how, and what became of the facts."""
    assert result.degraded == (STAGES[task],)
    assert [(f.stage, f.kind, f.backend) for f in result.failures] == [(STAGES[task], kind, "scripted")]
    assert result.failures[0].message
    if task in ("entities", "facts"):
        assert not result.success
        assert kind in (result.error or "")
        assert STAGES[task] in (result.error or "")
        assert (result.mode, result.decided) == ("none", ())
        return
    assert (result.success, result.error) == (True, None)
    assert result.mode == ("blind" if task == "extract" else mode)
    assert next(d.fact.text for d in result.decided if not d.fact.source_context) == NEW
    if task == "resolve":
        assert {r.name: r.how for r in result.entities_resolved}["Lina"] == "new"
    if task == "reconcile":
        assert [d.why for d in result.decided if d.fact.text == NEW] == ["silence"]


@pytest.mark.parametrize("task", [*INFORMED, *BLIND[:3]])
async def test_truncated_is_salvaged(task: str) -> None:
    """C9: an answer cut off behind a whole item keeps that item, and the result says that it was cut."""
    name = {"extract": "facts", "resolve": "choices", "reconcile": "verdicts"}.get(task, task)
    whole = {name: [*RIGHT[task][name], *RIGHT[task][name]]}
    text = json.dumps(whole)
    cut = text[: text.rindex("{") + 5]
    with told() as (memory, says):
        await first(memory, says)
        says[task] = cut
        result = await written(memory, enable_informed_extraction=task not in BLIND[:3])
        sound(memory)
        assert result.success
        assert result.failures == ()
        assert any("cut off" in s.why for s in result.skipped)
        assert NEW in memory.facts(AGENT)["text"].to_list()
        says.update(RIGHT)
        await again(memory, AGENT, result)


@pytest.mark.parametrize("task", [*INFORMED, *BLIND[:3]])
async def test_list_instead_of_object(task: str) -> None:
    """C4: a bare list of items is read as the answer it stands for."""
    name = {"extract": "facts", "resolve": "choices", "reconcile": "verdicts"}.get(task, task)
    with told() as (memory, says):
        await first(memory, says)
        says[task] = RIGHT[task][name]
        result = await written(memory, enable_informed_extraction=task not in BLIND[:3])
        sound(memory)
        assert result.success
        assert result.degraded == ()
        assert NEW in memory.facts(AGENT)["text"].to_list()
        says.update(RIGHT)
        await again(memory, AGENT, result)


@pytest.mark.parametrize(
    ("task", "how", "why"),
    [
        ("extract", "invalid_label", "facts[0].action"),
        ("facts", "invalid_label", "facts[0].action"),
        ("resolve", "invented_index", "no such candidate was shown"),
        ("extract", "surrogate", "surrogates replaced"),
        ("facts", "surrogate", "surrogates replaced"),
        ("entities", "energy", "emotion.energy"),
        ("extract", "energy", "emotion.energy"),
    ],
)
async def test_one_wrong_value(task: str, how: str, why: str) -> None:
    """C2, C7: a wrong label, index or letter costs itself alone, and ``skipped`` names it."""
    wrong: Any
    if how == "energy":
        wrong = {**RIGHT[task], "emotion": {"label": "Joy", "intensity": 0.7, "energy": "extreme"}}
    else:
        wrong = failing(task, how)
    with told() as (memory, says):
        await first(memory, says)
        says[task] = wrong
        result = await written(memory, enable_informed_extraction=task not in BLIND[:3])
        sound(memory)
        assert result.success
        assert result.degraded == ()
        assert any(why in s.why for s in result.skipped), result.skipped
        assert len([f for f in (*result.facts_added, *result.facts_updated) if f.text.startswith(NEW)]) == 1
        if how == "energy":
            event = memory.events(AGENT).row(1, named=True)
            assert (event["emotion"], event["energy"]) == ("joy", "medium")
        if task == "resolve":
            assert {r.name: r.how for r in result.entities_resolved}["Lina"] == "new"
        if how != "surrogate":
            says.update(RIGHT)
            await again(memory, AGENT, result)


async def test_invented_fact_index_in_verdict() -> None:
    """A9, W10: a verdict about a fact that was not shown is Add, and says ``verdict_invalid``."""
    with told() as (memory, says):
        await first(memory, says)
        says["reconcile"] = fail("invented_index", RIGHT["reconcile"])
        result = await written(memory)
        sound(memory)
        assert [(d.action, d.why) for d in result.decided] == [("ADD", "verdict_invalid")]
        assert sorted(memory.facts(AGENT)["text"]) == [OLD, NEW]
        assert result.pipeline is not None
        step = result.pipeline.find("settle")
        assert step is not None
        assert step.data["verdict_invalid"] == 1


async def test_invented_hint_index() -> None:
    """A hint at a fact that was not shown is no hint; the fact goes its way."""
    with told() as (memory, says):
        await first(memory, says)
        says["extract"] = fail("invented_index", SECOND)
        result = await written(memory)
        sound(memory)
        assert [(d.action, d.why) for d in result.decided] == [("UPDATE", "verdict")]


async def test_everything_fails(tmp_path: Path) -> None:
    """Model and embedder dead from the first call: the turn is there, the error names both extractions, a retry succeeds."""
    with told(tmp_path) as (memory, says):
        await first(memory, says)
    embed = DeadEmbedder(inner=ScriptedEmbedder(COSINES), name="scripted")
    with opened(Scripted(default=fail("unavailable")), embed, tmp_path) as memory:
        result = await written(memory)
        sound(memory)
        assert not result.success
        assert result.degraded == ("embed_turn", "informed", "scan_entities")
        assert {f.kind for f in result.failures} == {"unavailable"}
        assert "scan_entities" in (result.error or "")
    await retried(tmp_path, result)


async def test_silence_is_not_failure() -> None:
    """An answer that says there is nothing is a success with nothing in it: told apart from every failure."""
    with opened({"extract": {"entities": [], "facts": [], "relations": []}}) as memory:
        result = await memory.write(AGENT, "oi!", "Rafael", occurred_at=at(2025))
        assert (result.success, result.mode, result.degraded, result.failures, result.skipped) == (
            True,
            "informed",
            (),
            (),
            (),
        )
        assert memory.events(AGENT).height == 1


async def test_one_bad_item_of_five() -> None:
    """C7: of five facts one is malformed; four are stored and one is listed."""
    facts = [fact("Ana", f"Ana has the trait number {n}") for n in range(4)]
    with opened({"extract": answer(*facts) | {"facts": [*facts[:2], {"subject": "Ana"}, *facts[2:]]}}) as memory:
        result = await memory.write(AGENT, "…", "Rafael", occurred_at=at(2025))
        assert len(result.facts_added) == 4
        assert [s.why for s in result.skipped] == ["facts[2].text: Field required"]


# ---------------------------------------------------------------- the embedder

POINTS = {0: "embed_turn", 1: "embed_facts", 2: "embed_names"}


@pytest.mark.parametrize("mode", ["informed", "blind"])
@pytest.mark.parametrize("alive", [0, 1, 2])
async def test_embedder_dies(tmp_path: Path, alive: int, mode: str) -> None:
    """C11: the embedder dies before the turn, the facts or the names; all is stored, ``repair`` embeds it, search finds it."""
    embed = DeadEmbedder(after=alive, inner=ScriptedEmbedder(COSINES), name="scripted")
    with told(tmp_path) as (memory, says):
        await first(memory, says)
    with opened(RIGHT, embed, tmp_path) as memory:
        result = await written(memory, enable_informed_extraction=mode == "informed")
        sound(memory)
        assert result.success
        assert result.mode == mode
        assert result.degraded == tuple(stage for call, stage in POINTS.items() if call >= alive)
        assert {(f.kind, f.backend) for f in result.failures} == {("unavailable", "scripted")}
        stored = (*result.facts_added, *result.facts_updated)
        assert NEW in [f.text for f in stored]
        assert all((f.vector is None) == (alive <= 1) for f in stored)
        embed.revive()
        mended = await memory.repair(AGENT)
        assert mended > 0
        assert await memory.repair(AGENT) == 0
        sound(memory)
        found = await memory.retrieve(AGENT, QUERY, config_overrides={"enable_reranker": False}, now=at(2025, 2))
        assert found.degraded == ()
        assert {f.fact_text: f for f in found.facts}[NEW].scores["semantic"] == pytest.approx(0.8, abs=1e-5)
    await retried(tmp_path, result)


@pytest.mark.parametrize("lives", range(5))
async def test_embedder_revives_midway(tmp_path: Path, lives: int) -> None:
    """An embedder that fails for a while and answers again leaves a whole store, whenever it comes back."""

    class Flickering(DeadEmbedder):
        async def __call__(self, texts: Any) -> Any:
            if self._life.calls >= lives:
                self.revive()
            return await super().__call__(texts)

    embed = Flickering(inner=ScriptedEmbedder(COSINES), name="scripted")
    with told(tmp_path) as (memory, says):
        await first(memory, says)
    with opened(RIGHT, embed, tmp_path) as memory:
        result = await written(memory)
        sound(memory)
        assert result.success
        await memory.repair(AGENT)
        view = memory.store.view(AGENT)
        assert all(getattr(row, "vector", True) is not None for row in view.rows())
        sound(memory)
    await retried(tmp_path, result)


async def test_dead_embedder_from_the_start(tmp_path: Path) -> None:
    """A store that never had a vector: names and facts go by their words, and nothing is asked in vain."""
    embed = DeadEmbedder(inner=ScriptedEmbedder(COSINES), name="scripted")
    with opened({**RIGHT, "extract": [FIRST, SECOND]}, embed, tmp_path) as memory:
        await memory.write(AGENT, "A Carolina mora em São Paulo.", "Rafael", occurred_at=at(2024))
        result = await written(memory)
        sound(memory)
        assert result.success
        assert NEW in memory.facts(AGENT)["text"].to_list()
        embed.revive()
        assert await memory.repair(AGENT) >= 5
    with opened(RIGHT, ScriptedEmbedder(COSINES), tmp_path) as memory:
        found = await memory.retrieve(AGENT, QUERY, config_overrides={"enable_reranker": False}, now=at(2025, 2))
        assert found.facts[0].fact_text == NEW


async def test_duplicates_are_seen_without_vectors() -> None:
    """A stored fact without a vector is compared by its words, so that a change after an outage is still asked about."""
    embed = DeadEmbedder(inner=ScriptedEmbedder())
    before, after = "Ana lives in Recife", "Ana lives in Olinda"
    llm = {"extract": [answer(fact("Ana", before)), answer(fact("Ana", after))], "reconcile": verdicts(("UPDATE", 0))}
    with opened(llm, embed) as memory:
        await memory.write(AGENT, "um", "Rafael", occurred_at=at(2024))
        embed.revive()
        result = await memory.write(AGENT, "dois", "Rafael", occurred_at=at(2025))
        assert [d.action for d in result.decided] == ["UPDATE"]


async def test_crash_between_turn_and_write(tmp_path: Path) -> None:
    """I7: a writer that dies between the two appends leaves the turn alone; the turn can be written later."""

    class CrashError(Exception):
        pass

    def crash(messages: Any) -> Any:
        raise CrashError

    with told(tmp_path) as (memory, says):
        await first(memory, says)
        says["reconcile"] = crash
        with pytest.raises(CrashError):
            await written(memory)
        sound(memory)
        assert memory.facts(AGENT)["text"].to_list() == [OLD]
    await retried(tmp_path, WriteResult(event_id=memory_event(), success=False))


def memory_event() -> str:
    from arandu_lab.pure.ids import event_id

    return event_id(AGENT, None, at(2025), "Rafael", MESSAGE)


async def test_one_bad_verdict_touches_one_fact() -> None:
    """C7, W10: of two verdicts one has an invalid action; its fact is added, the other verdict holds, and both are told."""
    old, new = ("Ana lives in Recife", "Ana works at Vertix"), ("Ana lives in Olinda", "Ana works at Orion")
    cosines = dict.fromkeys(zip(old, new, strict=True), 0.7)
    llm = {
        "extract": [answer(*(fact("Ana", text) for text in texts)) for texts in (old, new)],
        "reconcile": verdicts(("MERGE", 0), ("UPDATE", 0)),
    }
    with opened(llm, ScriptedEmbedder(cosines)) as memory:
        await memory.write(AGENT, "um", "Rafael", occurred_at=at(2024))
        result = await memory.write(AGENT, "dois", "Rafael", occurred_at=at(2025))
        assert [(d.action, d.why) for d in result.decided] == [("ADD", "silence"), ("UPDATE", "verdict")]
        assert any("verdicts[0].action" in s.why for s in result.skipped)
        assert sorted(memory.facts(AGENT)["text"]) == sorted([*new, old[0]])
