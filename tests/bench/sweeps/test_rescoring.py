"""Many settings reckoned at once give what the memory gives under each alone, to the last digit."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arandu_lab.bench.data.model import Conversation, DatedTurn, Question, Session
from arandu_lab.bench.measures import parse
from arandu_lab.bench.sweeps.ingested import Ingested
from arandu_lab.bench.sweeps.rescoring import covers, rescore
from arandu_lab.bench.sweeps.walk import Walk, units_of
from arandu_lab.config import MemoryConfig
from arandu_lab.embed.hashing import Hashing
from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.llm.mind import Minds, Patience
from arandu_lab.llm.scripted import Scripted, read_block
from arandu_lab.memory import Memory
from arandu_lab.presets import arandu, assembled, tuned
from arandu_lab.pure.budget import estimate_tokens
from arandu_lab.read.stages import blend, unjudged
from arandu_lab.rows import Entity, Event, Fact, Link, Relationship, Row
from arandu_lab.systems.arandu import AGENT, Arandu, evidence
from arandu_lab.systems.base import RankedFact

NOON = datetime(2024, 3, 1, 12, tzinfo=UTC)
PEOPLE = "Iara Caio Davi Lena Hugo Nina Otto Vera".split()
TOPICS = "chess music bees tea kites snow".split()
SIGNALS = "semantic keyword graph recency importance confidence".split()
ASKED = (
    "What does Iara like about chess?",
    "Who drinks tea with Caio and Lena?",
    "Tell me about everybody",
    "Hello!",
    "snow",
    "snowy chessboards, musical kitesurfing?",
)


@dataclass(frozen=True)
class Stored:
    """A memory, the walk through its questions, and whoever answers as a system from it."""

    memory: Memory
    walk: Walk
    system: Arandu


def grading(messages: Any) -> dict[str, Any]:
    """A grade for each fact by its words and the question; every ninth gets none."""
    _, inputs = read_block(messages)
    codes = [(fact["i"], sum(map(ord, fact["text"] + inputs["query"]))) for fact in inputs["facts"]]
    return {"grades": [{"i": i, "grade": code % 7 / 6} for i, code in codes if code % 9]}


def failing(_: Any) -> dict[str, Any]:
    """A judge that is not there."""
    raise BackendError("nobody home", kind="unavailable", backend="scripted")


@cache
def stored(seed: int, judge: Any = grading) -> Stored:
    """Sixty facts about eight people who know one another, with ties, gaps and repetitions; thirty turns that told them."""
    chance, encode = random.Random(seed), Hashing().encode
    turns, rows, ids = [], cast("list[Row]", []), {}
    for place in range(30):
        at = NOON + timedelta(days=place // 3, minutes=place)
        text = f"{chance.choice(PEOPLE)} said a word about {chance.choice(TOPICS)}"
        turns.append(DatedTurn(id=f"t{place}", session_id=f"s{place // 6}", occurred_at=at, speaker="Iara", text=text))
        vector = None if place % 7 == 6 else encode([text])[0]
        said: dict[str, Any] = {"text": text, "speaker": "Iara", "occurred_at": at, "recorded_at": at}
        rows.append(Event(id=f"e{place}", agent_id=AGENT, session_id=f"s{place}", vector=vector, **said))
        ids[f"e{place}"] = f"t{place}"
    keys = [f"person:{name.lower()}" for name in PEOPLE]
    for key, name in zip(keys, PEOPLE, strict=True):
        importance = chance.choice([0.3, 0.5, 0.8])
        rows.append(Entity(key=key, agent_id=AGENT, name=name, type="person", recorded_at=NOON, importance=importance))
    for _ in range(60):
        who = chance.randrange(len(keys))
        text = f"{PEOPLE[who]} {chance.choice(['likes', 'sells', 'draws'])} {chance.choice(TOPICS)}"
        begun = NOON + timedelta(days=chance.choice([0, 0, 3, 9]))
        fact_id = f"f{chance.random()}"
        rows.append(
            Fact(
                id=fact_id,
                agent_id=AGENT,
                entity_key=keys[who],
                entity_name=PEOPLE[who],
                text=text,
                confidence=chance.choice([0.5, 0.8, 0.95]),
                importance=chance.choice([0.3, 0.75]),
                category="routine_activity",
                speaker="Iara",
                source_event_id=chance.choice([*ids, "elsewhere"]),
                valid_from=begun,
                recorded_at=begun,
                reinforcement_count=chance.choice([0, 0, 1, 6]),
                vector=None if chance.random() < 0.2 else encode([text])[0],
            )
        )
        for key in dict.fromkeys([keys[who], *chance.sample(keys, chance.choice([0, 0, 1, 2]))]):
            rows.append(
                Link(fact_id=fact_id, agent_id=AGENT, entity_key=key, primary=key == keys[who], recorded_at=begun)
            )
    for place, (source, target) in enumerate(chance.sample([(a, b) for a in keys for b in keys if a < b], 12)):
        rows.append(
            Relationship(
                id=f"r{place}",
                agent_id=AGENT,
                source_key=source,
                target_key=target,
                rel_type="knows",
                strength=chance.choice([0.4, 0.8, 0.8]),
                evidence_fact_ids=(),
                valid_from=NOON,
                recorded_at=NOON,
            )
        )
    model = Minds(Scripted(by_task={"judge": judge}), patience=Patience(retries=0))
    memory = Memory.open("memory://", llm=model, embedder="hashing", config=MemoryConfig(auto_reinforce=False))
    end = NOON + timedelta(days=20)
    memory.store.append("edit", AGENT, rows, unit_id="all", recorded_at=end)
    questions = tuple(
        Question(
            id=f"q{place}",
            text=text,
            asked_at=end + timedelta(days=place),
            answer="-",
            evidence=tuple(f"t{one}" for one in range(place, 30, 7)) if place != 2 else (),
            evidence_sessions=("s0", "s3"),
            category="single",
        )
        for place, text in enumerate(ASKED)
    )
    sessions = tuple(Session(id=f"s{place}", occurred_at=turns[6 * place].occurred_at) for place in range(5))
    talk = Conversation(id="talk", sessions=sessions, turns=tuple(turns), questions=questions)
    system = Arandu()
    system._turns = ids
    told = Ingested(
        folder=Path(), address="", conversation="talk", written="", sequences=(10**6,) * len(turns), turn_ids=ids
    )
    walk = Walk(
        name="arandu",
        ingested=told,
        conversation=talk,
        assembly=arandu(),
        llm=memory.llm,
        embed=memory.embed,
        units=units_of(memory),
    )
    return Stored(memory, walk, system)


def alone(where: Stored, question: Question, setting: Mapping[str, Any], depth: int) -> tuple[Any, ...]:
    """Ranking, tokens, facts judged, and what failed, when the memory itself is asked."""
    asked = where.memory.retrieve(AGENT, question.text, now=question.asked_at, config_overrides=setting)
    result = asyncio.run(asked)
    facts = tuple(
        RankedFact(text=one.fact_text, score=one.score, turn_ids=where.system._sources(one.source_event_id))
        for one in result.facts
    )
    ranked = evidence(facts, where.system._quoted(result))[:depth]
    judged = int(result.frame["pooled"].sum()) if "reranker_weight" not in result.degraded else 0
    return tuple(turn.id for turn in ranked), estimate_tokens(result.context), judged, result.degraded


SHARES = st.one_of(st.sampled_from([0.0, 0.1, 0.5, 1.0]), st.floats(0.0, 1.0))
SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "score_weights": st.dictionaries(st.sampled_from(SIGNALS), SHARES),
        "recency_half_life_days": st.floats(0.5, 500.0),
        "pattern_boost_max": SHARES,
        "min_similarity": st.one_of(st.sampled_from([-1.0, 0.0, 0.2]), st.floats(0.0, 0.9)),
        "reranker_weight": SHARES,
        "min_reranker_score": SHARES,
        "min_score": SHARES,
        "topk_facts": st.sampled_from([1, 2, 3, 7, 20, 90]),
        "reranker_pool_factor": st.sampled_from([1, 3]),
        "spreading_seeds": st.integers(1, 7),
        "spreading_decay_factor": SHARES,
        "spreading_min_activation": st.sampled_from([0.0, 0.05, 0.3]),
        "spreading_facts_per_entity": st.integers(0, 12),
        "context_max_tokens": st.integers(0, 400),
        "hot_tier_ratio": SHARES,
        "warm_tier_ratio": SHARES,
        "signal_limit": st.sampled_from([4, 200]),
        "spreading_activation_hops": st.integers(0, 3),
        "min_confidence": st.sampled_from([0.0, 0.9]),
        "enable_reranker": st.booleans(),
    },
)


@settings(max_examples=7, deadline=None)
@given(seed=st.integers(0, 2), drawn=st.lists(SETTINGS, min_size=2, max_size=4), depth=st.sampled_from([3, 20]))
def test_every_rank_is_that_of_one_read(seed: int, drawn: list[dict[str, Any]], depth: int) -> None:
    """Whatever settings are drawn: the ranking, the tokens and what is judged are those of ``Memory.retrieve``."""
    where = stored(seed)
    found = rescore(where.walk, drawn, depth=depth)
    for number, setting in enumerate(drawn):
        judged = setting.get("enable_reranker", True)
        for place, (question, answer) in enumerate(
            zip(where.walk.conversation.questions, found.answers(number), strict=True)
        ):
            ranked, tokens, shown, degraded = alone(where, question, setting, depth)
            assert (answer.returned, answer.context_tokens, answer.degraded) == (ranked, tokens, degraded), setting
            assert found.judged[number, place] == (shown if judged else 0)


def test_the_least_cosine_holds_for_each_setting() -> None:
    """What meaning alone nominates, facts and turns, is cut for each setting at its own least cosine."""
    where, question = stored(0), stored(0).walk.conversation.questions[-1]
    base = {"score_weights": {"semantic": 1.0}, "min_score": 0.0, "topk_facts": 90, "spreading_activation_hops": 0}
    drawn = [{**base, "enable_reranker": False, "min_similarity": least / 50} for least in range(40)]
    found = rescore(where.walk, drawn)
    ranked = [found.answers(number)[-1].returned for number in range(len(drawn))]
    assert len(set(ranked)) > 3
    for mine, setting in zip(ranked, drawn, strict=True):
        assert mine == alone(where, question, setting, 20)[0], setting


def test_the_settings_matter() -> None:
    """The store tells settings apart: spreading, vetoes, quotations, pools and ties all show in some ranking."""
    where = stored(0)
    base = {"score_weights": {"semantic": 0.5, "graph": 0.5}, "min_score": 0.0, "min_similarity": 0.6, "topk_facts": 90}
    unspread = {"spreading_activation_hops": 0, "min_similarity": 1.0}
    changes: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({}, {"spreading_activation_hops": 0}),
        ({}, {"spreading_seeds": 1}),
        ({}, {"spreading_facts_per_entity": 1}),
        ({}, {"min_reranker_score": 0.9}),
        ({}, {"reranker_weight": 0.0}),
        ({}, {"topk_facts": 2}),
        ({}, {"pattern_boost_max": 1.0}),
        (unspread, {**unspread, "min_similarity": 0.0}),
    ]
    drawn = [{**base, **change} for pair in changes for change in pair]
    found = rescore(where.walk, drawn)
    for place, (_, change) in enumerate(changes):
        assert (found.returned[2 * place] != found.returned[2 * place + 1]).any(), change


def test_a_judge_that_fails_is_answered_by_the_formula() -> None:
    """Nobody grades: every candidate stands by its formula score, and the answer says what failed."""
    where = stored(0, failing)
    drawn = [{}, {"topk_facts": 2, "reranker_weight": 1.0}]
    found = rescore(where.walk, drawn)
    for number, setting in enumerate(drawn):
        for question, answer in zip(where.walk.conversation.questions, found.answers(number), strict=True):
            ranked, tokens, _, degraded = alone(where, question, setting, 20)
            assert (answer.returned, answer.context_tokens, answer.degraded) == (ranked, tokens, degraded)
    assert found.answers(0)[0].degraded == ("judge",)


def test_measures_are_those_of_each_ranking() -> None:
    """Values of all settings at once equal each measure of each ranking, to the digit; no evidence has no value."""
    where = stored(1)
    found = rescore(where.walk, [{}, {"topk_facts": 1}, {"min_score": 1.0}, {}], depth=10)
    names = ["R@5", "nDCG@10", "RR", "hit@3", "all@10", "P@4", "R@3(session)", "hit@4(session-of-turns)"]
    values = found.values(names)
    session_of = where.walk.conversation.session_of()
    for number in range(4):
        for place, answer in enumerate(found.answers(number)):
            question = where.walk.conversation.questions[place]
            for column, measure in enumerate(map(parse, names)):
                ranked, gold = list(answer.returned or ()), question.evidence
                if measure.unit != "turn":
                    within = ranked[: measure.k] if measure.unit == "session-of-turns" else ranked
                    ranked, gold = [session_of[one] for one in within], question.evidence_sessions
                wanted = measure(ranked, gold)
                value = values[number, place, column]
                assert np.isnan(value) if wanted is None else value == wanted
    with pytest.raises(ConfigError, match="have 10"):
        found.values(["R@11"])


def test_only_the_documented_pipeline_is_covered() -> None:
    """A stage pinned, left out, added or replaced goes the general way, and so does a setting that no read looks at."""
    read = arandu().read
    assert covers(read, ["score_weights", "signal_limit"])
    assert covers(assembled(read, MemoryConfig(enable_reranker=False)))
    for other in (
        tuned().read,
        read.without("graph"),
        read.replace("judge", unjudged()).without("spread"),
        read.replace("blend", blend(reranker_weight=0.5)),
        read.before("cut", blend()),
    ):
        assert not covers(other)
    assert not covers(read, ["fuzzy_threshold"])
    where = stored(0)
    pinned = replace(where.walk, assembly=replace(arandu(), read=read.replace("blend", blend(reranker_weight=0.5))))
    with pytest.raises(ConfigError, match="read_settings"):
        rescore(pinned, [{}])
