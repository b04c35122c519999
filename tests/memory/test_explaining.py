"""Why a fact was recalled, why another was not, and what would have recalled it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arandu_lab import Memory, MemoryConfig
from arandu_lab.errors import ConfigError
from arandu_lab.llm.mind import Minds
from arandu_lab.llm.scripted import Scripted, fail, read_block
from arandu_lab.memory.explanations import Check
from arandu_lab.presets import read, write
from arandu_lab.pure.budget import estimate_tokens
from arandu_lab.read.stages import mmr
from arandu_lab.records import Entity, Event, Fact, Link, Relationship, Row
from arandu_lab.store.schema import Image
from arandu_lab.store.view import AgentView

NOW = datetime(2026, 3, 30, 12, tzinfo=UTC)
ASKED = {"en": "which instrument would be fitting", "pt": "qual instrumento seria adequado"}
EN = ASKED["en"]


class Told:
    """An embedder that gives each text the cosine with any question that it is told; texts share nothing else."""

    name = "told"
    dim = 40

    def __init__(self) -> None:
        self.cosines: dict[str, float] = {}

    async def __call__(self, texts: Sequence[str]) -> list[Any]:
        return [self.vector(text) for text in texts]

    def vector(self, text: str) -> Any:
        if text not in self.cosines:
            return np.eye(1, self.dim, dtype=np.float32)[0]
        made = np.zeros(self.dim, dtype=np.float32)
        made[0] = self.cosines[text]
        made[1 + list(self.cosines).index(text)] = np.sqrt(max(0.0, 1.0 - self.cosines[text] ** 2))
        return made

    def scale(self, cosine: Any) -> Any:
        return cosine


class Held:
    """In the place of a store: one view, and nothing to write to."""

    read_only = True
    held: AgentView | None = None

    @property
    def wide(self) -> Held:
        return self

    def heavy(self, agent_id: str) -> bool:
        return False

    def view(self, agent_id: str) -> AgentView:
        return self.held if agent_id == "a" and self.held else AgentView.of(agent_id)


class Planted:
    """A memory with facts that are put into it row by row; cosines and grades are what they are told to be."""

    def __init__(self) -> None:
        self.embed = Told()
        self.grades: dict[str, float] = {}
        self.rows: list[Row] = []
        self.model = Scripted(by_task={"judge": self._grade})
        self.store: Any = Held()
        self.memory = Memory(
            self.store,
            Minds(self.model),
            self.embed,
            config=MemoryConfig(),
            write=write(),
            read=read(),
            clock=lambda: NOW,
        )

    def _grade(self, messages: Any) -> Any:
        shown = read_block(messages)[1]["facts"]
        return {"grades": [{"i": one["i"], "grade": self.grades.get(one["text"], 1.0)} for one in shown]}

    def fact(
        self,
        text: str,
        cosine: float | None,
        key: str = "person:ana",
        *,
        days: float = 0.0,
        grade: float = 1.0,
        **more: Any,
    ) -> str:
        """A fact said ``days`` ago; ``cosine`` None: it has no vector."""
        begun = NOW - timedelta(days=days)
        if cosine is not None:
            self.embed.cosines[text] = cosine
        self.grades[text] = grade
        fact = Fact(
            **{
                "id": f"f{len(self.embed.cosines):02d}{text[:3]}",
                "agent_id": "a",
                "entity_key": key,
                "entity_name": key.partition(":")[2].title(),
                "text": text,
                "confidence": 0.95,
                "importance": 0.5,
                "category": "routine_activity",
                "speaker": "User",
                "source_event_id": "e",
                "valid_from": begun,
                "recorded_at": begun,
                "vector": None if cosine is None else self.embed.vector(text),
                **more,
            }
        )
        self.rows += [
            fact,
            Link(fact_id=fact.id, agent_id="a", entity_key=key, primary=True, recorded_at=fact.recorded_at),
        ]
        return fact.id

    def entity(self, key: str, name: str) -> None:
        self.rows.append(Entity(key=key, agent_id="a", name=name, type=key.partition(":")[0], recorded_at=NOW))

    def edge(self, source: str, target: str) -> None:
        self.rows.append(
            Relationship(
                id=f"r{len(self.rows)}",
                agent_id="a",
                source_key=source,
                target_key=target,
                rel_type="knows",
                strength=0.8,
                evidence_fact_ids=(),
                valid_from=NOW,
                recorded_at=NOW,
            )
        )

    def told(self) -> Memory:
        """The memory, with everything in it."""
        self.store.held = AgentView.of("a", [Image(row, seq=1, born=born) for born, row in enumerate(self.rows)])
        return self.memory


async def context_holds(memory: Memory, question: str, fact_id: str, **given: Any) -> bool:
    found = await memory.retrieve("a", question, **given)
    row = found.frame.filter(found.frame["fact_id"] == fact_id)
    return bool(len(row)) and row["tier"][0] is not None


def near(value: Any) -> Any:
    return pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize("language", ["en", "pt"])
async def test_each_way_to_be_lost_is_named_exactly(language: str) -> None:
    """N1, R9: facts that fail one stage each: stage, reason, threshold and margin are exact, and the change is the least."""
    p = Planted()
    best = p.fact("plays the cello", 0.9)
    second = p.fact("owns a harp", 0.8)
    closed = p.fact(
        "sold a drum", 0.7, days=40, valid_to=NOW - timedelta(days=10), closed_by="update", invalidated_at=NOW
    )
    unsure = p.fact("may have a flute", 0.7, confidence=0.54)
    far = p.fact("paints walls", 0.19)
    vetoed = p.fact("tunes pianos", 0.7, grade=0.04)
    dim = p.fact("dust", 0.25, days=400, importance=0.0, grade=0.5)
    other = p.fact("sings alto", 0.7, "person:bob")
    future = p.fact("gets a viola", 0.7, days=-3)
    blank = p.fact("has no vector", None)
    memory, q = p.told(), ASKED[language]

    async def lost(fact_id: str, **given: Any) -> Any:
        said = await memory.why_not("a", q, fact_id, **given)
        assert not said.recalled
        assert not await context_holds(memory, q, fact_id, **given)
        return said

    said = await lost(other, entity_keys=["person:ana"])
    assert (said.stage, said.reason, said.value, said.threshold) == ("scope", "scope", ("person:bob",), ("person:ana",))
    assert said.change.arguments == {"entity_keys": ("person:ana", "person:bob")}
    said = await lost(closed)
    assert (said.stage, said.reason, said.threshold) == ("scope", "closed", NOW - timedelta(days=10))
    assert said.margin == near(-10.0)
    assert "(update)" in said.lost.said
    assert said.change.new == NOW - timedelta(days=10, microseconds=1)
    said = await lost(future)
    assert (said.reason, said.margin, said.change.new) == ("not_begun", near(-3.0), NOW + timedelta(days=3))
    said = await lost(future, as_of=NOW + timedelta(days=4), known_at=NOW)
    assert (said.reason, said.margin, said.change.new) == ("unknown", near(-3.0), NOW + timedelta(days=3))
    said = await lost(unsure)
    assert (said.stage, said.reason, said.value, said.threshold) == ("scope", "confidence", near(0.54), near(0.55))
    assert (said.margin, said.change.name, said.change.new) == (near(-0.01), "min_confidence", near(0.54))
    said = await lost(far)
    assert (said.stage, said.reason, said.value, said.threshold) == ("semantic", "similarity", near(0.19), near(0.20))
    assert (said.margin, said.change.name, said.change.new) == (near(-0.01), "min_similarity", near(0.19))
    said = await lost(blank)
    assert (said.stage, said.reason, said.margin, said.changes) == ("semantic", "unembedded", None, ())
    said = await lost(second, config_overrides={"signal_limit": 1, "spreading_activation_hops": 0})
    assert (said.stage, said.reason, said.lost.rank, said.lost.limit) == ("semantic", "cap", 2, 1)
    assert (said.margin, said.change.name, said.change.new) == (near(-0.1), "signal_limit", 2)
    said = await lost(second, config_overrides={"topk_facts": 1, "reranker_pool_factor": 1})
    assert (said.stage, said.reason, said.lost.rank, said.lost.limit) == ("judge", "pool", 2, 1)
    assert said.margin == near(-0.07)
    assert {"topk_facts": 2} in [one.arguments["config_overrides"] for one in said.changes]
    said = await lost(vetoed)
    assert (said.stage, said.reason, said.value, said.threshold) == ("blend", "vetoed", near(0.04), near(0.1))
    assert said.margin == near(-0.06)
    assert {one.name: one.new for one in said.changes} == {"min_reranker_score": near(0.04), "enable_reranker": False}
    said = await lost(dim)
    score = (0.7 * 0.25 + 0.2 * 0.5 ** (400 / 14)) * (0.3 + 0.7 * 0.5)
    assert (said.stage, said.reason, said.value) == ("cut", "min_score", near(score))
    assert (said.margin, said.threshold) == (near(score - 0.15), 0.15)
    assert {one.name: one.new for one in said.changes}["min_score"] == near(score)
    said = await lost(second, config_overrides={"topk_facts": 1})
    assert (said.stage, said.reason, said.lost.rank, said.lost.limit) == ("cut", "topk", 2, 1)
    assert (said.margin, said.change.name, said.change.new) == (near(-0.07), "topk_facts", 2)
    said = await lost(second, config_overrides={"context_max_tokens": 12})
    line = estimate_tokens("- owns a harp\n")
    left = 12 - estimate_tokens("Known facts:\n\n") - estimate_tokens("- plays the cello\n")
    assert (said.stage, said.reason, said.value, said.threshold) == ("render", "budget", left, line)
    assert (said.margin, said.lost.unit) == (left - line, "tokens")
    assert (said.change.name, said.change.new) == ("context_max_tokens", 12 + line - left)
    assert not said.checks[-1].passed
    assert all(check.passed for check in said.checks[:-1])
    assert (await memory.why("a", q, best)).recalled


async def test_the_budget_is_reckoned_as_the_model_counts() -> None:
    """R14: where the model has a tokenizer of its own, what a line wants and what is left are told in its tokens."""

    class Worded(Minds):
        def count_tokens(self, text: str, role: str = "answer") -> int:
            return len(text.split())

    p = Planted()
    p.fact("plays the cello", 0.9)
    second = p.fact("owns a harp", 0.8)
    memory = p.told()
    memory.llm = Worded(p.model)
    said = await memory.why_not("a", EN, second, config_overrides={"context_max_tokens": 8})
    assert (said.reason, said.value, said.threshold) == ("budget", 8 - 2 - 4, 4)
    assert said.change.new == 10


async def test_what_mmr_chose_is_explained_by_its_values() -> None:
    """A fact that repeats a better one and is cut for it has its rank and margin by the values of ``mmr``, as ``cut`` has."""
    p = Planted()
    p.fact("plays the cello", 0.9)
    double = p.fact("is a cellist", 0.89)
    p.fact("owns a harp", 0.5)
    p.embed.vector = lambda text: np.eye(1, 40, k={"owns a harp": 1}.get(text, 0), dtype=np.float32)[0]  # type: ignore[method-assign]
    p.rows = [replace(row, vector=p.embed.vector(row.text)) if isinstance(row, Fact) else row for row in p.rows]
    memory = p.told()
    memory.read_pipeline = read().before("cut", mmr(mmr_lambda=0.3))
    asked: dict[str, Any] = {"config_overrides": {"topk_facts": 1, "min_similarity": 0.0, "min_score": 0.0}}
    frame = (
        await memory.retrieve("a", EN, **{"config_overrides": {**asked["config_overrides"], "auto_reinforce": False}})
    ).frame
    said = await memory.why_not("a", EN, double, **asked)
    row = frame.filter(fact_id=double).row(0, named=True)
    assert (said.reason, said.value) == ("topk", pytest.approx(row["mmr"]))
    assert said.margin == pytest.approx(row["margin"])
    assert f"rank {row['mmr_rank']:.0f} by mmr" in said.lost.said


async def test_a_greeting_recalls_nothing_and_says_so() -> None:
    """A skipped question loses every fact at the plan, and no setting undoes that."""
    p = Planted()
    fact = p.fact("plays the cello", 0.9)
    for greeting in ("oi, tudo bem?", "hello!"):
        said = await p.told().why_not("a", greeting, fact)
        assert (said.stage, said.reason, said.changes) == ("plan", "skipped", ())


async def test_an_unknown_fact_is_a_mistake_of_the_asker() -> None:
    """No such fact, or a fact of another agent: a ConfigError with the nearest id; so is a time without an offset."""
    p = Planted()
    fact = p.fact("plays the cello", 0.9)
    memory = p.told()
    with pytest.raises(ConfigError, match=f"did you mean '{fact}'"):
        await memory.why("a", EN, fact + "x")
    with pytest.raises(ConfigError, match="it has none"):
        await memory.why_not("b", EN, fact)
    with pytest.raises(ConfigError, match="as_of"):
        await memory.why_not("a", EN, fact, as_of=datetime(2026, 1, 1))


async def test_two_obstacles_are_told_one_after_the_other() -> None:
    """Where no single parameter recalls a fact, the check that loses it next is named with the value that led there."""
    p = Planted()
    p.fact("plays the cello", 0.9)
    both = p.fact("paints walls", 0.1, grade=0.02, days=400)
    said = await p.told().why_not("a", EN, both)
    assert (said.reason, said.changes, said.then.reason) == ("similarity", (), "vetoed")
    assert said.beyond == ("min_similarity", near(0.1))
    assert "no single parameter" in str(said)
    assert "vetoed" in str(said)


async def test_the_graph_brings_in_what_meaning_does_not() -> None:
    """A fact one hop further than was walked is recalled by walking one hop more."""
    p = Planted()
    p.entity("person:ana", "Ana")
    p.entity("person:bob", "Bob")
    p.entity("person:cid", "Cid")
    p.edge("person:ana", "person:bob")
    p.edge("person:bob", "person:cid")
    p.fact("plays the cello", 0.9)
    far = p.fact("paints walls", 0.15, "person:cid")
    memory = p.told()
    off = {"graph_max_hops": 1, "spreading_activation_hops": 0}
    said = await memory.why_not("a", f"Ana: {EN}", far, config_overrides=off)
    assert said.reason == "similarity"
    assert {one.name: one.new for one in said.changes} == {
        "min_similarity": near(0.15),
        "graph_max_hops": 2,
        "spreading_activation_hops": 2,
    }


async def test_without_the_signal_that_carried_it() -> None:
    """Leave one signal out: what meaning alone brought is lost without it, and scores fall by what a signal gave."""
    p = Planted()
    fact = p.fact("plays the cello", 0.9, days=14, reinforcement_count=5)
    p.fact("owns a harp", 0.5)
    memory = p.told()
    said = await memory.why("a", EN, fact)
    by = {one.signal: one for one in said.left_out}
    assert list(by) == ["semantic", "keyword", "graph", "spread", "reranker", "recency", "importance", "pattern"]
    assert said.score == near(0.7 * 0.9 + 0.2 * 0.5 + 0.1 * 0.5 + 0.05)
    assert (by["semantic"].recalled, by["semantic"].lost, by["semantic"].value) == (
        False,
        "semantic (unembedded)",
        near(0.9),
    )
    for signal, gave in (("recency", 0.1), ("importance", 0.05), ("pattern", 0.05), ("keyword", 0.0), ("graph", 0.0)):
        assert by[signal].score == near(said.score - gave), signal
        assert by[signal].recalled
    assert said.rank == by["recency"].rank == 1
    assert said.attribution["signal"].to_list() == list(by)
    assert set(said.frame["reason"]) >= {"similarity", "confidence", "vetoed", "min_score", "topk", "budget"}


async def test_nothing_is_asked_twice_and_nothing_written() -> None:
    """An explanation puts each pool to the judge once, counts that in its usage, and leaves the memory as it was."""
    p = Planted()
    fact = p.fact("plays the cello", 0.9)
    lost = p.fact("paints walls", 0.19)
    memory = p.told()
    p.store.read_only = False  # and has nothing that could be written to
    why = await memory.why("a", EN, fact)
    whynot = await memory.why_not("a", EN, lost)
    asked = [str(call.inputs) for call in p.model.calls]
    assert len(asked) == why.usage.calls + whynot.usage.calls
    assert len(asked) <= 3
    assert why.runs > len(why.left_out)
    assert memory.retrieved.pending == {}
    with pytest.raises(AttributeError, match="still"):  # a retrieval would be counted
        await memory.retrieve("a", EN)


async def test_a_dead_judge_is_told() -> None:
    """A judge that fails is stepped around in an explanation as in a read, asked once, and named."""
    p = Planted()
    fact, lost = p.fact("plays the cello", 0.9), p.fact("paints walls", 0.19)
    model = Scripted(by_task={"judge": fail("refused")})
    memory = p.told()
    memory.llm = Minds(model)
    said = await memory.why("a", EN, fact)
    assert said.degraded == ("judge",)
    assert "degraded: judge" in str(said)
    assert "vetoed" not in {check.reason for check in said.checks}
    assert (await memory.why_not("a", EN, lost)).change.name == "min_similarity"
    assert len(model.calls) == 3  # two explanations, and the pool that a change made larger


async def test_a_pinned_setting_is_not_proposed() -> None:
    """A value pinned on its stage cannot be overridden, so it is no change to propose; its threshold is the pinned one."""
    from arandu_lab.read.stages import semantic

    p = Planted()
    lost = p.fact("paints walls", 0.25)
    memory = p.told()
    memory.read_pipeline = read().replace("semantic", semantic(min_similarity=0.3))
    said = await memory.why_not("a", EN, lost)
    assert (said.threshold, said.margin) == (0.3, near(-0.05))
    assert "min_similarity" not in {one.name for one in said.changes}


async def test_a_search_that_was_bounded_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reads and calls are bounded; what was found before the bound stands, and the rest is told to be untried."""
    p = Planted()
    p.fact("plays the cello", 0.9)
    second = p.fact("owns a harp", 0.8)
    memory = p.told()
    asked = {"config_overrides": {"topk_facts": 1}}
    monkeypatch.setattr("arandu_lab.memory.remedies.MOST_RUNS", 3)
    said = await memory.why_not("a", EN, second, **asked)
    assert (said.complete, said.runs, said.change.name) == (False, 3, "topk_facts")
    assert "not every parameter was tried" in str(said)
    monkeypatch.setattr("arandu_lab.memory.remedies.MOST_CALLS", 1)
    assert (await memory.why_not("a", EN, second, **asked)).runs == 1


async def test_it_reads_well() -> None:
    """An explanation prints as lines and shows as tables, with what was remembered escaped."""
    p = Planted()
    fact, lost = p.fact("plays <b>cello</b>", 0.9), p.fact("paints walls", 0.19)
    memory = p.told()
    why, whynot = await memory.why("a", EN, fact), await memory.why_not("a", EN, lost)
    assert "in the context, rank 1" in str(why)
    assert "without" in str(why)
    assert "<b>cello</b>" not in why._repr_html_()
    assert "recalled by min_similarity 0.2 -> 0.19" in str(whynot)
    assert "-0.01" in str(whynot)
    assert "min_similarity" in whynot._repr_html_()
    assert whynot.frame.filter(~whynot.frame["passed"])["margin"].to_list() == [near(-0.01)]


# ---------------------------------------------------------------- laws

SHARE = st.integers(0, 20).map(lambda n: n / 20)
FACTS = st.lists(
    st.tuples(
        SHARE,  # cosine
        SHARE,  # grade
        st.sampled_from([0.3, 0.54, 0.6, 0.95]),  # confidence
        st.integers(-3, 400),  # days
        st.sampled_from(["person:ana", "person:bob"]),
        st.booleans(),  # closed
        st.booleans(),  # embedded
    ),
    min_size=1,
    max_size=6,
)
OVERRIDES = st.fixed_dictionaries(
    {
        "topk_facts": st.integers(1, 3),
        "reranker_pool_factor": st.integers(1, 2),
        "signal_limit": st.integers(1, 4),
        "context_max_tokens": st.sampled_from([8, 14, 30, 2000]),
        "enable_reranker": st.booleans(),
    }
)


STEPS = {
    **dict.fromkeys(("min_similarity", "min_confidence", "min_reranker_score", "min_score"), 1e-6),
    **dict.fromkeys(("topk_facts", "signal_limit", "reranker_pool_factor", "context_max_tokens"), -1),
}
"""A step back from a proposed value towards the one in force."""


def true(check: Check, memory: Memory, fact: Fact, frame: Any, overrides: dict[str, Any], keys: Any) -> bool:
    """Whether a fact really fails the check it is said to have failed, computed from the rows and the frame alone."""
    row = frame.filter(frame["fact_id"] == fact.id).to_dicts()
    config = MemoryConfig()
    age = max(0.0, (NOW - fact.valid_from) / timedelta(days=1))
    cosine = None if fact.vector is None else float(fact.vector[0])
    match check.reason:
        case "not_begun":
            return fact.valid_from > NOW
        case "closed":
            return fact.valid_to is not None and fact.valid_to <= NOW
        case "scope":
            return keys is not None and fact.entity_key not in keys
        case "confidence":
            decayed = max(0.1, fact.confidence * 0.5 ** (age / 1460))
            return decayed < config.min_confidence and check.value == near(decayed)
        case "similarity":
            return not row and cosine is not None and cosine < 0.2 and check.margin == near(cosine - 0.2)
        case "unembedded":
            return not row and cosine is None
        case "cap":
            return not row and cosine is not None and cosine >= 0.2 - 1e-6 and check.rank > overrides["signal_limit"]
        case "pool":
            return row[0]["pooled"] is False and row[0]["margin"] == near(check.margin)
        case "vetoed":
            return row[0]["reranker"] < config.min_reranker_score
        case "min_score":
            return row[0]["score"] < config.min_score and check.margin == near(row[0]["score"] - config.min_score)
        case "topk":
            return not row[0]["kept"] and int(frame["kept"].sum()) == overrides["topk_facts"]
        case "budget":
            spent = sum(
                estimate_tokens(f"- {memory.store.view('a').fact(one['fact_id']).text}\n")
                for one in frame.filter(frame["tier"].is_not_null()).to_dicts()
            )
            room = overrides["context_max_tokens"] - estimate_tokens("Known facts:\n\n")
            own = estimate_tokens(f"- {fact.text}\n")
            return row[0]["kept"] and row[0]["tier"] is None and own == check.threshold and spent + own > room
    return False


@settings(max_examples=15)
@given(planted=FACTS, overrides=OVERRIDES, scoped=st.booleans(), language=st.sampled_from(["en", "pt"]))
def test_every_fact_is_recalled_or_lost_for_a_reason_that_is_true(
    planted: Any, overrides: dict[str, Any], scoped: bool, language: str
) -> None:
    """N1: in any small memory each fact is in the context and why says so, or why_not names a check that it truly fails;
    and each change proposed, when it is applied, recalls the fact, while one step less of a limit or threshold does not."""

    async def hold() -> None:
        p = Planted()
        ids = []
        for number, (cosine, grade, confidence, days, key, ended, embedded) in enumerate(planted):
            end = (
                {"valid_to": NOW - timedelta(days=1), "closed_by": "update", "invalidated_at": NOW}
                if ended and days > 1
                else {}
            )
            text = f"line {chr(65 + number) * (4 + 3 * number)}"
            ids.append(
                p.fact(
                    text,
                    cosine if embedded else None,
                    key,
                    days=days,
                    grade=grade,
                    confidence=confidence,
                    id=f"id{number}",
                    **end,
                )
            )
        memory = p.told()
        keys = ["person:ana"] if scoped else None
        asked = {"entity_keys": keys, "config_overrides": overrides}
        frame = (await memory.retrieve("a", ASKED[language], **asked)).frame
        shown = set(frame.filter(frame["tier"].is_not_null())["fact_id"]) if len(frame) else set()
        for fact_id in ids:
            fact = memory.store.view("a").fact(fact_id)
            assert fact is not None
            said = await memory.why_not("a", ASKED[language], fact_id, **asked)
            assert said.recalled == (fact_id in shown)
            if said.recalled:
                assert (await memory.why("a", ASKED[language], fact_id, **asked)).recalled
                continue
            assert said.complete
            assert said.lost is not None
            assert true(said.lost, memory, fact, frame, overrides, keys), str(said)
            assert [one.size for one in said.changes] == sorted(one.size for one in said.changes)
            for change in said.changes:
                given = {**asked, **change.arguments}
                given["config_overrides"] = {**overrides, **change.arguments.get("config_overrides", {})}
                assert await context_holds(memory, ASKED[language], fact_id, **given), str(change)
                if change.name in STEPS:
                    nearer = change.new + STEPS[change.name]
                    given["config_overrides"] = {**given["config_overrides"], change.name: nearer}
                    assert not await context_holds(memory, ASKED[language], fact_id, **given), str(change)

    asyncio.run(hold())


def test_a_turn_takes_room_and_giving_it_up_is_proposed() -> None:
    """Tokens left for a fact count the quoted turns that went before it; fewer turns are one way to recall it."""

    async def hold() -> None:
        p = Planted()
        p.fact("plays the cello", 0.9)
        cold = p.fact("owns a harp", 0.8)
        said = "a turn about which instrument it is"
        p.embed.cosines[said] = 0.9
        event = Event(id="e", agent_id="a", text=said, speaker="User", occurred_at=NOW, recorded_at=NOW)
        p.rows.append(replace(event, vector=p.embed.vector(said)))
        memory = p.told()
        turn = estimate_tokens(f"- (2026-03-30) {said}\n")
        heads = estimate_tokens("Known facts:\n\n") + estimate_tokens("Relevant conversations:\n\n")
        first, second = estimate_tokens("- plays the cello\n"), estimate_tokens("- owns a harp\n")
        overrides = {
            "context_max_tokens": heads + first + turn + second - 1,
            "hot_tier_ratio": 0.0,
            "warm_tier_ratio": 0.0,
        }
        lost = await memory.why_not("a", EN, cold, config_overrides=overrides)
        assert (lost.reason, lost.value, lost.threshold, lost.margin) == ("budget", second - 1, second, -1)
        assert lost.change.name == "context_max_tokens"
        assert {one.name: one.new for one in lost.changes}["topk_events"] == 0

    asyncio.run(hold())


def test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``arandu-lab why`` explains each recalled fact, or one fact that was not, from a folder, and writes nothing there."""
    from arandu_lab.cli import main

    async def stored() -> str:
        with Memory.open(tmp_path / "m", embedder="hashing", clock=lambda: NOW) as memory:
            await memory.write("a", "I live in Recife.", "Rafael", occurred_at=NOW - timedelta(days=2))
            return str(memory.facts("a")["id"][0])

    fact = asyncio.run(stored())
    asked = ["why", str(tmp_path / "m"), "Onde mora o Rafael?", "--agent", "a", "--now", NOW.isoformat()]
    with pytest.raises(SystemExit) as done:
        main(asked)
    out = capsys.readouterr()
    assert (done.value.code, "Rafael lives in Recife" in out.out, "without" in out.out) == (0, True, True), out
    with pytest.raises(SystemExit) as done:
        main([*asked, "--fact", fact, "--set", "min_score=0.9"])
    out = capsys.readouterr()
    assert (done.value.code, "LOST  cut       min_score" in out.out, "recalled by min_score" in out.out) == (
        0,
        True,
        True,
    ), out
    for wrong in (["--set", "min_score"], ["--now", "yesterday"], ["--as-of", "2026-01-01"], ["--fact", "nobody"]):
        with pytest.raises(SystemExit) as done:
            main([*asked, *wrong])
        assert done.value.code == 2, wrong
    with pytest.raises(SystemExit) as done:
        main(["why", str(tmp_path / "nothing"), "--agent", "a", "Where?"])
    assert done.value.code == 2
