"""Laws of the write pipeline, over random conversations of two agents with a model that says anything.

Every run draws a conversation: turns in any order of time, answers with any facts, relations, names and verdicts, calls
that fail, embedders that die. What is drawn is small and repeats itself, so that facts meet.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from said import at, opened

from arandu_lab.embed.scripted import DeadEmbedder, ScriptedEmbedder
from arandu_lab.errors import ConfigError
from arandu_lab.llm.scripted import Scripted, fail
from arandu_lab.memory import Memory
from arandu_lab.records import UNSTAMPED, Entity, Fact
from arandu_lab.store.view import AgentView

AGENTS = ("one", "two")
NAMES = ("Ana", "Ana Lima", "Ana Souza", "Caio", "eu", "mãe", "🌵", "Rafael", "小林", "the user")
PLACES = ("Recife", "Natal", "Vertix")
PREDICATES = ("no longer works at", "lives in", "does not live in", "left")
TEXTS = [f"{name} {said} {place}" for name in ("Ana", "Caio") for said in PREDICATES for place in PLACES]
ALIKE = ScriptedEmbedder(
    {
        (a, b): 0.8
        for name in ("Ana", "Caio")
        for texts in [[text for text in TEXTS if text.split(maxsplit=1)[0] == name]]
        for i, a in enumerate(texts)
        for b in texts[:i]
    }
)
"""Statements of one subject are .8 alike; all others are hashed."""

LAWFUL = settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def mostly(usual: st.SearchStrategy[Any], rare: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Seven times in eight the usual."""
    return st.integers(0, 7).flatmap(lambda n: rare if n == 5 else usual)


names = st.sampled_from(NAMES)
facts = st.builds(
    lambda subject, said, place, since, hint: {
        "subject": subject,
        "text": f"{subject} {said} {place}",
        "valid_from": since,
        "action": hint,
        "known": 0,
    },
    st.sampled_from(["Ana"] * 12 + ["Caio"] * 6 + list(NAMES)),
    st.sampled_from(PREDICATES),
    st.sampled_from(PLACES),
    st.sampled_from([None, None, None, "2024-11", "2025-01-15", "2031"]),
    st.sampled_from(["NEW", "UPDATE"]),
)
relations = st.builds(
    lambda source, type, target: {"source": source, "type": type, "target": target},
    names,
    st.sampled_from(["lives_in", "works_at", "friend_of", "same_as"]),
    st.sampled_from([*PLACES, "Caio", "Ana"]),
)
entities = st.builds(
    lambda name, type, aliases: {"name": name, "type": type, "aliases": aliases},
    st.one_of(names, st.sampled_from([*PLACES, "Carol (namorada do Rafael)", "Chico (Francisco)"])),
    st.sampled_from(["person"] * 8 + ["place", "pet", "concept", "company"]),
    mostly(st.just([]), st.lists(names, max_size=1)),
)
failures = st.sampled_from(["timeout", "unavailable", "malformed", "refused", "empty"]).map(fail)
answers = st.fixed_dictionaries(
    {
        "entities": mostly(st.just([]), st.lists(entities, max_size=3)),
        "facts": st.lists(facts, min_size=1, max_size=4),
        "relations": st.lists(relations, max_size=2),
        "updated_profiles": st.dictionaries(names, st.just("A profile."), max_size=1),
        "emotion": st.sampled_from([None, {"label": "joy", "intensity": 0.5, "energy": "low"}]),
    }
)
verdicts = st.lists(
    st.tuples(
        st.sampled_from(["DELETE", "UPDATE", "DELETE", "UPDATE", "NOOP", "ADD", "MERGE"]),
        st.sampled_from([0, 0, 0, 0, 1, 9, None]),
    ),
    min_size=2,
    max_size=6,
).map(lambda said: {"verdicts": [{"i": i, "action": action, "known": known} for i, (action, known) in enumerate(said)]})
choices = st.lists(st.sampled_from([0, 1, 7, None]), max_size=4).map(
    lambda said: {"choices": [{"i": i, "candidate": candidate} for i, candidate in enumerate(said)]}
)


@dataclass
class Turn:
    """One drawn turn."""

    agent: str
    speaker: str
    day: int
    says: dict[str, Any] = field(default_factory=dict)
    embeds: bool = True
    blind: bool = False
    role: bool = False

    @property
    def when(self) -> datetime:
        return at(2025) + timedelta(days=self.day)


turns = st.builds(
    Turn,
    agent=st.sampled_from(["one", "one", "one", "two"]),
    speaker=st.sampled_from(["Rafael", "Ana", "assistant"]),
    day=st.integers(-40, 40),
    says=st.fixed_dictionaries(
        {
            "extract": mostly(answers, failures),
            "entities": st.one_of(st.fixed_dictionaries({"entities": st.lists(entities, max_size=3)}), failures),
            "facts": st.fixed_dictionaries({"facts": st.lists(facts, max_size=3)}),
            "relations": mostly(st.fixed_dictionaries({"relations": st.lists(relations, max_size=2)}), failures),
            "resolve": mostly(choices, failures),
            "reconcile": mostly(verdicts, failures),
        }
    ),
    embeds=mostly(st.just(True), st.just(False)),
    blind=mostly(st.just(False), st.just(True)),
    role=st.booleans(),
)
conversations = st.lists(turns, min_size=4, max_size=7)


class World:
    """A memory whose model and embedder do what the turn at hand says."""

    def __init__(self) -> None:
        self.says: dict[str, Any] = {}
        self.model = Scripted(
            by_task={
                task: self._voice(task)
                for task in ("extract", "entities", "facts", "relations", "resolve", "reconcile")
            }
        )
        self.embed = DeadEmbedder(inner=ALIKE)
        self.memory: Memory = opened(self.model, self.embed)
        self.number = 0

    def _voice(self, task: str) -> Any:
        return lambda messages: self.says[task]

    async def write(self, turn: Turn, *, dry_run: bool = False, number: int | None = None) -> Any:
        """Write a drawn turn; its words are its number."""
        self.says = turn.says
        if turn.embeds:
            self.embed.revive()
        else:
            self.embed.kill()
        self.number += not dry_run and number is None
        words = f"turn {self.number + dry_run if number is None else number}: Ana, Ana Lima, Ana Souza, Caio, Recife, Natal, Vertix, 小林"
        return await self.memory.write(
            turn.agent,
            words,
            turn.speaker,
            occurred_at=turn.when,
            dry_run=dry_run,
            config_overrides={
                "enable_informed_extraction": not turn.blind,
                "relationship_terms": "role" if turn.role else "speaker",
            },
        )

    def view(self, agent: str) -> AgentView:
        return self.memory.store.view(agent)

    def facts(self, agent: str) -> dict[str, Fact]:
        view = self.view(agent)
        return {fact.id: fact for fact in (view.fact_at(p) for p in range(len(view.facts.ids)))}

    def past(self, agent: str, moment: datetime) -> list[str]:
        """Ids of the facts that held at a moment."""
        view = self.view(agent)
        return [view.fact_at(int(p)).id for p in view.facts.live(as_of=moment).nonzero()[0]]


def run(body: Any) -> None:
    asyncio.run(body)


@LAWFUL
@given(conversations)
def test_laws_of_a_conversation(conversation: list[Turn]) -> None:
    """Writes never raise, history only grows, versions stay in order, nobody has two heirs, live is open, the store is sound."""

    async def body() -> None:
        world = World()
        with world.memory as memory:
            said: Counter[str] = Counter()
            for turn in conversation:
                other = next(agent for agent in AGENTS if agent != turn.agent)
                before, aside = world.facts(turn.agent), world.facts(other)
                edges = {edge.id: edge for edge in world.view(turn.agent).edges()}
                links = {row for row in world.view(turn.agent).rows() if type(row).__name__ == "Link"}
                result = await world.write(turn)
                said[turn.agent] += 1
                after = world.facts(turn.agent)
                assert world.facts(other) == aside, "K: the other agent is untouched"
                assert memory.events(turn.agent).height == said[turn.agent], "no turn is ever lost"
                assert result.success == (result.error is None)
                grows(before, after)
                assert edges.keys() <= {edge.id for edge in world.view(turn.agent).edges()}
                assert links <= {row for row in world.view(turn.agent).rows() if type(row).__name__ == "Link"}
                lawful(world.view(turn.agent), after)
                if result.success:
                    told(result, before, after)
                else:
                    assert after == before, "a failed write changes no fact"
            assert memory.store.verify() == []
            seen = {agent: world.facts(agent) for agent in AGENTS}
            memory.rebuild()
            assert {agent: world.facts(agent) for agent in AGENTS} == seen
            assert memory.store.verify() == []
            hidden = {id_ for agent in AGENTS for id_ in ids(world.view(agent))}
            for call in world.model.calls:
                shown = call.messages[1].content
                assert not [one for one in hidden if f'"{one}"' in shown or (len(one) == 24 and one in shown)]

    run(body())


def grows(before: dict[str, Fact], after: dict[str, Fact]) -> None:
    """No version disappears, changes its words, its beginning or its origin, reopens, or moves its end."""
    for id_, old in before.items():
        new = after[id_]
        for name in (
            "text",
            "entity_key",
            "valid_from",
            "recorded_at",
            "supersedes_fact_id",
            "source_event_id",
            "speaker",
        ):
            assert getattr(new, name) == getattr(old, name)
        if old.valid_to is not None:
            assert (new.valid_to, new.invalidated_at, new.closed_by) == (
                old.valid_to,
                old.invalidated_at,
                old.closed_by,
            )
        assert new.reinforcement_count >= old.reinforcement_count
        assert (new.last_confirmed_at or new.valid_from) >= (old.last_confirmed_at or old.valid_from)


def lawful(view: AgentView, facts: dict[str, Fact]) -> None:
    """What must hold of any state."""
    heirs = Counter(fact.supersedes_fact_id for fact in facts.values() if fact.supersedes_fact_id)
    assert all(count == 1 for count in heirs.values()), "no fact has two heirs"
    far = datetime.max.replace(tzinfo=at(2025).tzinfo)
    live = {view.fact_at(int(p)).id for p in view.facts.live(as_of=far).nonzero()[0]}
    for fact in facts.values():
        closed = fact.valid_to is not None
        assert closed == (fact.invalidated_at is not None) == (fact.closed_by is not None)
        assert (fact.id in live) == (not closed), "live is open"
        assert UNSTAMPED not in (fact.recorded_at, fact.invalidated_at)
        assert fact.valid_to is None or fact.valid_to >= fact.valid_from
        if fact.supersedes_fact_id is not None:
            older = facts[fact.supersedes_fact_id]
            assert older.valid_to is not None
            assert older.valid_to <= fact.valid_from, "intervals of one chain don't overlap"
        assert view.entity(fact.entity_key) is not None
        assert view.keys_of(fact.id)[0] == fact.entity_key
    open_edges = Counter((e.source_key, e.rel_type, e.target_key) for e in view.edges() if e.valid_to is None)
    assert all(count == 1 for count in open_edges.values())
    for edge in view.edges():
        assert edge.source_key != edge.target_key
        assert 0.0 < edge.strength <= 1.0
        assert edge.evidence_fact_ids
        assert set(edge.evidence_fact_ids) <= facts.keys()
        if edge.valid_to is None:
            assert any(facts[i].valid_to is None for i in edge.evidence_fact_ids), "an edge stands on an open fact"
    for row in view.rows():
        if isinstance(row, Entity):
            assert row.key.partition(":")[2]
    for keys in view.aliases().values():
        assert len(keys) == len(set(keys))


def told(result: Any, before: dict[str, Fact], after: dict[str, Fact]) -> None:
    """The result is the difference: what it added is new, what it replaced is closed, and nothing else changed."""
    added = {fact.id for fact in (*result.facts_added, *result.facts_updated)}
    assert added == after.keys() - before.keys()
    touched = {id_ for id_ in before if before[id_] != after[id_]}
    named = {fact.id for fact in (*result.facts_unchanged, *result.facts_deleted)}
    named |= {fact.supersedes_fact_id for fact in result.facts_updated}
    assert touched <= named
    for decided in result.decided:
        if decided.action in ("ADD", "UPDATE"):
            assert after[decided.fact.id] == decided.fact or decided.fact.id in named
        if decided.action == "DELETE":
            assert after[decided.fact.id].valid_to is not None


def ids(view: AgentView) -> set[str]:
    found: set[str] = set()
    for row in view.rows():
        found.add(getattr(row, "id", ""))
        found |= {
            getattr(row, name) for name in ("key", "entity_key", "source_key", "target_key") if hasattr(row, name)
        }
    return found - {""}


@LAWFUL
@given(conversations, turns)
def test_the_past_stays(conversation: list[Turn], last: Turn) -> None:
    """What held before a turn's moment is the same after the turn, unless the turn itself dates its facts earlier."""

    async def body() -> None:
        world = World()
        with world.memory:
            for turn in conversation:
                await world.write(turn)
            last.day = max([0, *(turn.day for turn in conversation)]) + 1
            for answer in (last.says["extract"], last.says["facts"]):
                for one in answer.get("facts", []) if isinstance(answer, dict) else ():
                    one["valid_from"] = None
            moments = [turn.when for turn in conversation] + [last.when - timedelta(seconds=1)]
            before = [(world.past(last.agent, moment), edges(world, last.agent, moment)) for moment in moments]
            await world.write(last)
            assert [(world.past(last.agent, moment), edges(world, last.agent, moment)) for moment in moments] == before

    run(body())


def edges(world: World, agent: str, moment: datetime) -> list[tuple[str, str, str]]:
    return [(e.source_key, e.rel_type, e.target_key) for e in world.view(agent).edges(as_of=moment)]


@LAWFUL
@given(conversations, turns)
def test_dry_run_equals_write(conversation: list[Turn], last: Turn) -> None:
    """W22: a dry run returns the records of a real write, costs the same, and stores nothing."""

    async def body() -> None:
        world = World()
        moment = at(2030)
        world.memory.clock = lambda: moment
        with world.memory as memory:
            for turn in conversation:
                await world.write(turn)
            before = memory.store.frame("journal").height
            dry = await world.write(last, dry_run=True)
            assert memory.store.frame("journal").height == before
            real = await world.write(last)
            assert dry.dry_run
            for name in (
                "event_id", "facts_added", "facts_updated", "facts_unchanged", "facts_deleted", "entities_resolved", "skipped",
                "decided", "mode", "success", "degraded", "tokens_used",
            ):  # fmt: skip
                assert getattr(dry, name) == getattr(real, name), name
            assert [(f.stage, f.kind, f.backend) for f in dry.failures] == [
                (f.stage, f.kind, f.backend) for f in real.failures
            ]

    run(body())


@LAWFUL
@given(conversations)
def test_writing_again_changes_nothing(conversation: list[Turn]) -> None:
    """Every turn written a second time is known, or (after a failure) written now; a third time nothing is left to do."""

    async def body() -> None:
        world = World()
        with world.memory as memory:
            for number, turn in enumerate(conversation):
                await world.write(turn, number=number)
            for number, turn in enumerate(conversation):
                await world.write(turn, number=number)
            height = memory.store.frame("journal").height
            state = {agent: world.facts(agent) for agent in AGENTS}
            for number, turn in enumerate(conversation):
                result = await world.write(turn, number=number)
                assert not result.success or result.skipped[0].why == "this turn was written before"
            assert memory.store.frame("journal").height == height
            assert {agent: world.facts(agent) for agent in AGENTS} == state

    run(body())


@settings(LAWFUL, max_examples=40)
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
    st.sampled_from(["entities", "facts", "relations", "name", "subject", "text", "type", "aliases", "source", "target", "choices", "verdicts", "i", "known", "valid_from", "event_time", "emotion", "updated_profiles"]), inner, max_size=5), max_leaves=25))  # fmt: skip
def test_any_answer_is_survived(garbage: Any) -> None:
    """Whatever JSON a model sends, a write returns a result and the turn is kept."""

    async def body() -> None:
        said = json.dumps(garbage)
        with opened(
            dict.fromkeys(("extract", "entities", "facts", "relations", "resolve", "reconcile"), said)
        ) as memory:
            result = await memory.write("a", "Ana mora em Recife", "Rafael", occurred_at=at(2025))
            assert result.success or result.failures
            assert memory.events("a").height == 1

    run(body())


@settings(LAWFUL, max_examples=40)
@given(st.text(), st.text(), st.text(), st.one_of(st.none(), st.datetimes(), st.datetimes(timezones=st.timezones())))
def test_any_argument_is_survived(agent: str, message: str, speaker: str, when: datetime | None) -> None:
    """Whatever is passed, a write returns a result or raises ``ConfigError``."""

    async def body() -> None:
        said = {"facts": [{"subject": "eu", "text": f"{speaker}: {message}"[:3000] or "x"}]}
        with opened({"extract": said}) as memory:
            try:
                result = await memory.write(agent, message, speaker, occurred_at=when)
            except ConfigError:
                return
            assert result.success
            assert len(memory.store.view(agent).events.ids) == bool(message.strip())

    run(body())


@pytest.mark.slow
def test_the_strategies_meet() -> None:
    """The drawn conversations do reach every decision (else the laws above would be hollow)."""
    seen: Counter[str] = Counter()

    @settings(LAWFUL, max_examples=40, database=None, derandomize=True)
    @given(conversations)
    def gather(conversation: list[Turn]) -> None:
        async def body() -> None:
            world = World()
            with world.memory:
                for turn in conversation:
                    result = await world.write(turn)
                    seen.update(f"{d.action} {d.why}" for d in result.decided)
                    seen["failed"] += not result.success
                    seen["degraded"] += bool(result.degraded)

        run(body())

    gather()
    reached = {name for name, count in seen.items() if count}
    assert {
        "ADD fresh",
        "ADD silence",
        "ADD late",
        "UPDATE verdict",
        "NOOP identical",
        "failed",
        "degraded",
    } <= reached, seen
    assert reached & {"DELETE verdict", "UPDATE restated"}, seen
