"""What holds of every ranking: order, isolation, time, and that each setting has an effect."""

from __future__ import annotations

import random
from datetime import timedelta
from itertools import pairwise

import pytest

from arandu_lab.errors import ConfigError
from arandu_lab.read.preset import reading

BARE = reading(enable_reranker=False)


def _busy(world, told):
    """A world with ties of score and time, several signals, edges and turns."""
    rng = random.Random(3)
    said = [f"{'chess' if i % 6 == 0 else 'number'} {i}" for i in range(40)]
    query = "Ana chess?"
    w = world()
    w.embed = told(query, {text: rng.choice([0.1, 0.25, 0.3, 0.5, 0.5, 0.6]) for text in said})
    people = [w.entity(f"person:{name.lower()}", name) for name in ("Ana", "Bob", "Cyr", "Dora", "Eva")]
    for i, text in enumerate(said):
        w.fact(
            text,
            people[i % 5],
            people[(i * 3) % 5],
            days=rng.choice([1, 1, 20, 90]),
            importance=rng.choice([0.3, 0.5, 0.9]),
            confidence=rng.choice([0.6, 0.95]),
            reinforcement_count=rng.choice([0, 0, 3]),
            id=f"f{(i * 17) % 40:03d}",
        )
        w.turn(text, days=i % 9, id=f"e{(i * 7) % 40:03d}")
    for one, other in pairwise(people):
        w.edge(one, other, strength=rng.choice([0.5, 0.8]), days=20)
    w.grades = {text: rng.choice([0.0, 0.2, 0.7, 0.7, 1.0]) for text in said}
    return w, query


async def test_insertion_order_never_shows(world, told):
    """O1: twenty shufflings of the rows give the same ranking, the same scores and the same context."""
    w, query = _busy(world, told)
    base, _ = await w.ask(query)
    names = [name for name in base.frame.columns if name != "position"]
    for seed in range(20):
        other, _ = await w.ask(query, shuffle=seed)
        assert other.frame.select(names).equals(base.frame.select(names))
        assert other.events["event_id"].to_list() == base.events["event_id"].to_list()
        assert other.context == base.context


async def test_order_is_total(world):
    """Equal scores go by time, the later first, then by id (R8)."""
    w = world({("quiz", "one"): 0.5, ("quiz", "two"): 0.5, ("quiz", "three"): 0.5})
    w.fact("one", "person:a", id="b")
    w.fact("two", "person:a", id="a")
    w.fact("three", "person:a", id="c", days=1)
    found, _ = await w.ask("quiz", pipeline=BARE, score_weights={"semantic": 1.0})
    assert found.frame["fact_id"].to_list() == ["a", "b", "c"]


@pytest.mark.parametrize(
    "change",
    [
        {"score_weights": {"semantic": 1.0}},
        {"score_weights": {"semantic": 0.7, "recency": 0.9, "importance": 0.1}},
        {"score_weights": {"semantic": 0.7, "recency": 0.2, "importance": 0.9}},
        {"score_weights": {"semantic": 0.7, "recency": 0.2, "importance": 0.1, "keyword": 0.9}},
        {"score_weights": {"semantic": 0.7, "recency": 0.2, "importance": 0.1, "graph": 0.9}},
        {"score_weights": {"semantic": 0.7, "recency": 0.2, "importance": 0.1, "confidence": 0.9}},
        {"recency_half_life_days": 400.0},
        {"pattern_boost_max": 0.9},
        {"reranker_weight": 0.0},
        {"min_reranker_score": 0.5},
        {"min_score": 0.4},
        {"topk_facts": 3},
        {"reranker_pool_factor": 1, "topk_facts": 4},
        {"min_similarity": 0.55},
        {"min_confidence": 0.9},
        {"confidence_half_life_days": 20.0},
        {"topk_events": 0},
        {"context_max_tokens": 60},
        {"event_max_chars": 4},
    ],
    ids=str,
)
async def test_each_setting_has_an_effect(world, told, change):
    """M6: changing any one weight or bound changes the ranking or the context."""
    w, query = _busy(world, told)
    base, _ = await w.ask(query)
    other, _ = await w.ask(query, **change)
    kept = [frame.filter(frame["kept"])["fact_id"].to_list() for frame in (base.frame, other.frame)]
    assert kept[0] != kept[1] or base.context != other.context


@pytest.mark.parametrize(
    "change",
    [
        {"graph_hop_decay": 0.1},
        {"graph_query_bonus": 3.0},
        {"graph_recency_days": 2.0},
        {"edge_recency_days": 2.0},
        {"graph_max_hops": 1},
    ],
    ids=str,
)
async def test_each_graph_setting_has_an_effect(world, told, change):
    """Where the graph is weighed, each of its settings moves the scores (M6)."""
    w, query = _busy(world, told)
    weights = {"semantic": 0.5, "graph": 0.5}
    base, _ = await w.ask(query, score_weights=weights)
    other, _ = await w.ask(query, score_weights=weights, **change)
    assert base.frame["formula"].to_list() != other.frame["formula"].to_list()


async def test_tiers_have_an_effect(world, told):
    """The share of the budget that facts may take first decides how many turns still fit (M6)."""
    w, query = _busy(world, told)
    facts, _ = await w.ask(query, context_max_tokens=100)
    turns, _ = await w.ask(query, context_max_tokens=100, hot_tier_ratio=0.1, warm_tier_ratio=0.1)
    assert facts.frame["tier"].count() > turns.frame["tier"].count()
    assert set(facts.frame["tier"].drop_nulls()) >= {"hot", "warm"}


async def test_weight_order_never_shows(world, told):
    """Writing the weights in another order changes nothing, to the last bit."""
    w, query = _busy(world, told)
    one, _ = await w.ask(query, score_weights={"semantic": 0.7, "recency": 0.2, "importance": 0.1})
    two, _ = await w.ask(query, score_weights={"importance": 0.1, "semantic": 0.7, "recency": 0.2})
    assert one.frame.equals(two.frame)


async def test_another_agents_memory_is_refused(world):
    """K1, K3: a question for one agent put to another's memory is an error, never an answer."""
    w = world()
    with pytest.raises(ConfigError, match="agent"):
        await w.ask("hi there Ana?", query={"agent_id": "other"} | {})


async def test_history_is_asked_by_valid_time(world, texts):
    """``as_of`` gives what held then; later facts and turns don't exist, ages count from then (R2, R19)."""
    w = world({("quiz", "lives in Recife"): 0.9, ("quiz", "lives in Natal"): 0.9})
    moved = w.now - timedelta(days=30)
    w.fact("lives in Recife", "person:a", days=100, valid_to=moved, invalidated_at=moved, reinforcement_count=9)
    w.fact("lives in Natal", "person:a", days=30)
    w.turn("quiz later", days=10)
    w.turn("quiz earlier", days=95)
    now, _ = await w.ask("quiz", pipeline=BARE)
    assert texts(w, now) == ["lives in Natal"]
    then, _ = await w.ask("quiz", pipeline=BARE, query={"as_of": w.now - timedelta(days=86)})
    assert texts(w, then) == ["lives in Recife"]
    assert then.frame["recency"].to_list() == [pytest.approx(0.5)]
    assert then.frame["pattern"].to_list() == [0.0]
    assert "reinforcement_count" in then.left_out
    assert now.left_out == ()
    assert then.events["event_id"].to_list() == ["e001"]


async def test_history_is_asked_by_knowledge_time(world, texts):
    """``known_at`` gives what this memory believed then, turns included."""
    w = world({("quiz", "lives in Recife"): 0.9, ("quiz", "lives in Natal"): 0.9})
    moved = w.now - timedelta(days=30)
    w.fact("lives in Recife", "person:a", days=100, valid_to=moved, invalidated_at=moved)
    w.fact("lives in Natal", "person:a", days=30)
    w.turn("quiz learned late", days=50, recorded_at=w.now - timedelta(days=5))
    w.turn("quiz known", days=50)
    found, _ = await w.ask("quiz", pipeline=BARE, query={"known_at": w.now - timedelta(days=40)})
    assert texts(w, found) == ["lives in Recife"]
    assert found.events["event_id"].to_list() == ["e001"]


async def test_naive_moments_are_refused(world):
    """A moment without a zone is refused with a clear error (W5)."""
    with pytest.raises(ConfigError, match="timezone"):
        await world().ask("quiz", query={"as_of": world.now.replace(tzinfo=None)})


async def test_ablations_assemble_and_run(world, told):
    """Every part can be taken out where types allow it, and what is left still answers."""
    w, query = _busy(world, told)
    for name in ("expand_query", "semantic", "keyword", "graph", "turns", "spread", "judge", "blend", "cut"):
        found, _ = await w.ask(query, pipeline=reading().without(name))
        assert found.context.startswith("Known facts:"), name


async def test_order_of_signals_never_shows(world, told):
    """O2: signals that end in another order, or stand in another order, give the same candidates."""
    from arandu_lab.pipeline import grouped, together
    from arandu_lab.read.stages import graph, keyword, merge, scope, semantic, silent, turns

    w, query = _busy(world, told)
    base, _ = await w.ask(query)
    turned = together(graph(), keyword(), semantic().otherwise(silent()))
    other, _ = await w.ask(
        query, pipeline=reading().replace("retrieval", grouped("retrieval", scope() >> turned >> merge() >> turns()))
    )
    assert other.frame.equals(base.frame)
