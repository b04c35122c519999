"""How important entities are, and what that does to a ranking."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

from at_rest import AGENT, Bench

from arandu_lab.jobs.results import EntityImportanceResult
from arandu_lab.records import Entity, Fact, Link, Relationship, Row


def importance(bench: Bench) -> dict[str, float]:
    return {one.key: one.importance for one in bench.memory.store.view(AGENT).entities()}


def described(bench: Bench) -> None:
    """What the document says of its four: 12 facts, often retrieved; 8 and many edges; 4; one old fact and no edge."""
    at = bench.now
    rows: list[Row] = []
    for key, facts, used, age in (
        ("person:fernanda", 12, 20, 0), ("organization:vertix", 8, 8, 0), ("person:marcos", 4, 1, 20), ("product:xgboost", 1, 0, 60),
    ):  # fmt: skip
        name = key.partition(":")[2].title()
        rows.append(Entity(key=key, agent_id=AGENT, name=name, type=key.partition(":")[0], recorded_at=at))
        for place in range(facts):
            said = at - timedelta(days=age)
            rows.append(
                Fact(
                    id=f"{key}{place}",
                    agent_id=AGENT,
                    entity_key=key,
                    entity_name=name,
                    text=f"{name} has trait number {place}",
                    confidence=0.95,
                    importance=0.5,
                    category="routine_activity",
                    speaker="Ana",
                    source_event_id="e",
                    valid_from=said,
                    recorded_at=at,
                    times_retrieved=used,
                )
            )
            rows.append(Link(fact_id=f"{key}{place}", agent_id=AGENT, entity_key=key, primary=True, recorded_at=at))
    edges = [("person:fernanda", f"knows_{n}", "organization:vertix") for n in range(4)]
    edges += [("person:marcos", f"works_{n}", "organization:vertix") for n in range(2)]
    rows += [
        Relationship(
            id=f"r{place}",
            agent_id=AGENT,
            source_key=source,
            target_key=target,
            rel_type=kind,
            strength=0.8,
            evidence_fact_ids=(f"{source}0",),
            valid_from=at,
            recorded_at=at,
        )
        for place, (source, kind, target) in enumerate(edges)
    ]
    bench.memory.store.append("edit", AGENT, rows, unit_id="described", recorded_at=at)


def test_document_example(bench: Bench) -> None:
    """J2: the document's "antes e depois": all .5 before; after, Fernanda, Vertix, Marcos, XGBoost, and summaries go by it."""
    described(bench)
    assert set(importance(bench).values()) == {0.5}
    result = bench.run("compute_entity_importance")
    assert isinstance(result, EntityImportanceResult)
    assert result.entities_scored == 4
    order = ["person:fernanda", "organization:vertix", "person:marcos", "product:xgboost"]
    assert [key for key, _ in result.top_entities] == order
    first = bench.run("refresh_entity_summaries", summary_batch=2)
    assert [one.after.key for one in first.changed if isinstance(one.after, Entity)] == order[:2]


def test_ranking_moves(bench: Bench) -> None:
    """J2, R15: of two facts that are alike but for whom they are about, the one of the important entity comes first after."""
    bench.tell(("Zora", "I like jazz."), ("Abel", "I like jazz."), *(("Zora", f"I visited {city}.") for city in (
        "Lisbon", "Porto", "Braga", "Faro")))  # fmt: skip
    ask = {"config_overrides": {"enable_reranker": False, "score_weights": {"importance": 1.0}}}
    question = "Who likes jazz?"
    before = [one.entity_name for one in bench.ask(question, **ask).facts if "jazz" in one.fact_text]
    bench.run("compute_entity_importance")
    after = [one.entity_name for one in bench.ask(question, **ask).facts if "jazz" in one.fact_text]
    assert sorted(before) == sorted(after) == ["Abel", "Zora"]
    assert after == ["Zora", "Abel"]
    scores = {one.entity_name: one.score for one in bench.ask(question, **ask).facts if "jazz" in one.fact_text}
    assert scores["Zora"] > scores["Abel"]


def test_what_is_used_counts(told: Bench) -> None:
    """J2: facts that entered a context make their entity more important."""
    told.run("compute_entity_importance")
    before = importance(told)["person:ana"]
    view = told.memory.store.view(AGENT)
    rows = [replace(view.fact_at(int(place)), times_retrieved=9) for place in view.linked("person:ana")]
    told.memory.store.append("edit", AGENT, rows, unit_id="used", recorded_at=told.now)
    told.run("compute_entity_importance")
    assert importance(told)["person:ana"] > before


def test_entity_communities(told: Bench) -> None:
    """J8, J2: entities that edges connect are a community with the facts that bear the edges out; a fallen edge counts no more."""
    found = told.run("detect_entity_communities")
    assert dict(found) == {
        "communities_found": found["communities_found"],
        "total_entities_assigned": found["total_entities_assigned"],
    }
    assert found["communities_found"] >= 1
    frame = told.memory.observations(AGENT)
    assert all(len(one) for one in frame["evidence"].to_list())
    (text,) = told.memory.observations(AGENT)["text"].to_list()[:1]
    assert text in told.ask(text).context
    assert told.run("detect_entity_communities").changed == ()
    edges = [replace(edge, strength=0.2) for edge in told.memory.store.view(AGENT).edges()]
    told.memory.store.append("edit", AGENT, edges, unit_id="weaker", recorded_at=told.now)
    gone = told.run("detect_entity_communities")
    assert gone["communities_found"] == 0
    assert {one.what for one in gone.changed} == {"withdrawn"}
    assert told.memory.observations(AGENT).is_empty()


def test_documented_calls(told: Bench) -> None:
    """Every job is called as the document does, with a memory in the place of the session, and gives the documented type."""
    import arandu_lab as lab

    memory, llm, config = told.memory, "offline/rules", told.memory.config
    both = {"embedding_provider": "hashing", "llm_provider": llm}

    async def everything() -> dict[str, object]:
        return {
            "ClusteringResult": await lab.cluster_user_facts(session=memory, agent_id=AGENT, config=config, **both),
            "CommunityDetectionResult": await lab.detect_communities(
                session=memory, agent_id=AGENT, config=config, **both
            ),
            "ConsolidationResult": await lab.run_consolidation(
                session=memory, agent_id=AGENT, llm_provider=llm, config=config
            ),
            "MemifyResult": await lab.run_memify(session=memory, agent_id=AGENT, config=config, **both),
            "EntityImportanceResult": await lab.compute_entity_importance(
                session=memory, agent_id=AGENT, config=config
            ),
            "SummaryRefreshResult": await lab.refresh_entity_summaries(memory, AGENT, llm_provider=llm, config=config),
            "ProfileConsolidationResult": await lab.consolidate_entity_profiles(memory, AGENT, llm_provider=llm),
            "EntityCommunityResult": await lab.detect_entity_communities(session=memory, agent_id=AGENT, config=config),
        }

    found = asyncio.run(everything())
    assert {name: type(one).__name__ for name, one in found.items()} == {name: name for name in found}
    assert all(one.success for one in found.values())  # type: ignore[attr-defined]
    assert asyncio.run(lab.run_profile_consolidation(session=memory, agent_id=AGENT, llm_provider=llm)).success
    assert 0.0 < lab.compute_vitality(memory.store.view(AGENT).fact_at(0), now=told.now) <= 0.9
