"""The signals: who is nominated, with what score, and who may not be."""

from __future__ import annotations

from datetime import timedelta

import pytest

from arandu_lab.embed.scripted import DeadEmbedder
from arandu_lab.read.preset import reading

BARE = reading(enable_reranker=False)


def column(found, name):
    return dict(zip(found.frame["fact_id"].to_list(), found.frame[name].to_list(), strict=True))


async def test_min_similarity_is_the_gate_of_the_semantic_signal(world):
    """A fact at .19 is not nominated by meaning, one at .20 is (N1)."""
    w = world({("q", "near"): 0.20, ("q", "far"): 0.19})
    near, far = w.fact("near", "person:a"), w.fact("far", "person:a")
    found, _ = await w.ask("q", pipeline=BARE)
    assert near in column(found, "fact_id")
    assert far not in column(found, "fact_id")


async def test_every_candidate_gets_every_signal(world):
    """A fact that only the graph found gets its true cosine, and the graph score never enters raw (R1)."""
    w = world({("q Ana", "likes tea"): 0.15, ("q Ana", "unrelated but near"): 0.6})
    w.entity("person:ana", "Ana")
    w.entity("person:bob", "Bob")
    linked, near = w.fact("likes tea", "person:ana"), w.fact("unrelated but near", "person:bob")
    found, _ = await w.ask("q Ana", pipeline=BARE, min_score=0.0)
    assert column(found, "semantic")[linked] == pytest.approx(0.15, abs=1e-5)
    assert column(found, "graph")[linked] == 1.0
    assert column(found, "formula")[linked] == pytest.approx(0.7 * 0.15 + 0.2 + 0.05, abs=1e-5)
    assert found.frame["fact_id"].to_list() == [near, linked]


async def test_graph_may_be_weighed(world):
    """With a weight of its own, the graph signal can lead; without, it cannot (R1, M6)."""
    w = world({("q Ana", "likes tea"): 0.15, ("q Ana", "unrelated but near"): 0.6})
    w.entity("person:ana", "Ana")
    linked, near = w.fact("likes tea", "person:ana"), w.fact("unrelated but near", "person:bob")
    weights = {"semantic": 0.3, "graph": 0.7}
    found, _ = await w.ask("q Ana", pipeline=BARE, score_weights=weights)
    assert found.frame["fact_id"].to_list() == [linked, near]


async def test_keyword_fraction(world):
    """The fraction of distinct content words found, accents and case folded, stop words left out (R4)."""
    w = world()
    both = w.fact("A AUTENTICAÇÃO do João falhou", "project:x")
    one = w.fact("João viajou", "person:joao")
    w.fact("o sistema do cliente", "project:x")
    found, trace = await w.ask("a autenticacao do joão não?", pipeline=BARE, min_score=0.0)
    assert trace.find("keyword").data["keywords"] == ("autenticacao", "joao")
    scores = column(found, "keyword")
    assert scores == {both: 1.0, one: 0.5}


async def test_keyword_cap_and_method(world):
    """``keyword_max_words`` caps the words; BM25 prefers the rare word."""
    w = world()
    common = [w.fact(f"apple pie number {i} twin{i}", "thing:x") for i in range(5)]
    rare = w.fact("saffron cake", "thing:x")
    found, trace = await w.ask("apple saffron", pipeline=BARE, keyword_max_words=1, min_score=0.0)
    assert trace.find("keyword").data["keywords"] == ("apple",)
    assert column(found, "keyword").get(rare, 0.0) == 0.0
    found, _ = await w.ask("apple saffron", pipeline=BARE, keyword_method="bm25", min_score=0.0)
    assert column(found, "keyword")[rare] == 1.0
    assert 0.0 < column(found, "keyword")[common[0]] < 1.0


async def test_query_in_other_scripts_is_heard(world):
    """F2: a Cyrillic question finds a Cyrillic fact by its words."""
    w = world()
    fact = w.fact("Ксения живёт в Омске", "person:x")
    found, _ = await w.ask("где живёт Ксения", pipeline=BARE, min_score=0.0)
    assert column(found, "keyword")[fact] > 0.5


async def test_graph_hops_and_dead_edges(world):
    """Hop 0 and 1 count in full, hop 2 by half; a closed edge is walked neither by the graph nor by spreading (R3)."""
    w = world()
    for name in "abcd":
        w.entity(f"person:{name}x", f"{name}x".title() * 2)
    facts = {name: w.fact(f"about {name}", f"person:{name}x") for name in "abcd"}
    w.edge("person:ax", "person:bx", strength=1.0)
    w.edge("person:cx", "person:bx", strength=1.0)
    w.edge("person:ax", "person:dx", strength=1.0, days=9, valid_to=w.now - timedelta(days=2))
    found, _ = await w.ask("AxAx?", pipeline=BARE, min_score=0.0)
    graph = column(found, "graph")
    assert graph[facts["a"]] == pytest.approx(1.0)
    assert graph[facts["b"]] == pytest.approx(1 / 1.5)
    assert graph[facts["c"]] == pytest.approx(0.5 / 1.5)
    assert facts["d"] not in graph
    near, _ = await w.ask("AxAx?", pipeline=BARE, min_score=0.0, graph_max_hops=1, spreading_activation_hops=0)
    assert facts["c"] not in column(near, "fact_id")


async def test_graph_recency_factors(world):
    """Facts age by 1/(1 + age/30), edges by 1/(1 + age/90), with floors .10 and .20 (R16)."""
    w = world()
    w.entity("person:ann", "Ann")
    w.entity("person:bea", "Bea")
    fact = w.fact("plays chess", "person:bea", days=30)
    old = w.fact("was born", "person:bea", days=30000, last_confirmed_at=w.now)
    w.edge("person:ann", "person:bea", strength=0.8, days=90)
    found, _ = await w.ask("Ann", pipeline=BARE, min_score=0.0)
    graph = column(found, "graph")
    assert graph[fact] == pytest.approx(0.8 * 0.5 * 0.5 / 1.5)
    assert graph[old] == pytest.approx(0.8 * 0.1 * 0.5 / 1.5)


async def test_confidence_filter_is_decayed(world):
    """The filter and the column use the decayed confidence, the raw one is kept; .54 never enters (R13, N1)."""
    w = world({("q", "sure"): 0.9, ("q", "unsure"): 0.9, ("q", "faded"): 0.9})
    sure = w.fact("sure", "person:a", days=1460)
    w.fact("unsure", "person:a", confidence=0.54)
    faded = w.fact("faded", "person:a", confidence=0.6, days=1460)
    found, _ = await w.ask("q", pipeline=BARE, min_confidence=0.40)
    assert column(found, "confidence")[sure] == pytest.approx(0.475)
    assert column(found, "confidence_raw")[sure] == 0.95
    assert faded not in column(found, "fact_id")
    default, _ = await w.ask("q", pipeline=BARE)
    assert default.frame.height == 0
    renewed = world({("q", "sure"): 0.9})
    renewed.fact("sure", "person:a", days=1460, last_confirmed_at=w.now)
    found, _ = await renewed.ask("q", pipeline=BARE)
    assert found.frame["confidence"].to_list() == [pytest.approx(0.95)]


async def test_entity_filter_holds_on_every_signal(world):
    """``entity_keys`` admits only facts that mention the entity, whichever signal finds others (R7)."""
    query = "Bob chess"
    w = world({(query, "Bob plays chess"): 0.9, (query, "Ana plays go with Bob"): 0.5, (query, "Cy plays chess"): 0.9})
    for name in ("Ana", "Bob", "Cy"):
        w.entity(f"person:{name.lower()}", name)
    w.fact("Bob plays chess", "person:bob")
    ana = w.fact("Ana plays go with Bob", "person:ana", "person:bob")
    w.fact("Cy plays chess", "person:cy")
    w.edge("person:ana", "person:cy")
    w.edge("person:ana", "person:bob")
    w.turn("Bob plays chess every day", id="bob")
    w.turn("Ana and Bob met", id="ana")
    found, _ = await w.ask(query, pipeline=BARE, min_score=0.0, query={"entity_keys": ("person:ana",)})
    assert found.frame["fact_id"].to_list() == [ana]
    assert found.events["event_id"].to_list() == ["ana"]
    assert found.context.count("\n- ") == 2
    none, _ = await w.ask(query, pipeline=BARE, min_score=0.0, query={"entity_keys": ("person:nobody",)})
    assert none.frame.height == 0


async def test_aggregation_retrieves_all_persons(world):
    """ "Who are my friends" brings facts of every person, though no word and no vector matches (R6)."""
    w = world()
    for name in ("Ana", "Bob", "Cy"):
        w.entity(f"person:{name.lower()}", name)
        w.fact(f"{name} likes tea", f"person:{name.lower()}")
    w.entity("project:x", "X9")
    w.fact("X9 is late", "project:x")
    found, trace = await w.ask("Quem são meus amigos?", pipeline=BARE)
    assert set(found.frame["entity_key"]) == {"person:ana", "person:bob", "person:cy"}
    assert trace.find("plan").data["reason"] == "aggregation"
    plain, _ = await w.ask("Quem foi?", pipeline=BARE)
    assert plain.frame.height == 0


async def test_broad_widens_the_graph(world):
    """ "Tell me everything about" walks one hop further (R6)."""
    w = world()
    for name in ("Ana", "Bob", "Cyr", "Dora"):
        w.entity(f"thing:{name.lower()}", name)
        w.fact(f"fact of {name[0]}", f"thing:{name.lower()}")
    for one, other in [("ana", "bob"), ("bob", "cyr"), ("cyr", "dora")]:
        w.edge(f"thing:{one}", f"thing:{other}")
    narrow, _ = await w.ask("And Ana?", pipeline=BARE, min_score=0.0, spreading_activation_hops=0)
    wide, trace = await w.ask("Me conte tudo sobre a Ana", pipeline=BARE, min_score=0.0, spreading_activation_hops=0)
    assert "thing:dora" not in set(narrow.frame["entity_key"])
    assert "thing:dora" in set(wide.frame["entity_key"])
    assert trace.find("plan").data["reason"] == "broad"


async def test_greeting_touches_nothing(world):
    """A greeting is answered at once: no embedding, no model, no context."""
    w = world({("oi", "x"): 0.5})
    w.fact("x", "person:a")
    w.turn("oi, tudo bem?")
    await w.view()
    w.embed.asked.clear()
    found, trace = await w.ask("Oi, tudo bem?", pipeline=reading())
    assert w.embed.asked == ["x", "oi, tudo bem?"]
    assert (found.context, found.frame.height, found.events.height) == ("", 0, 0)
    assert trace.find("plan").data["reason"] == "greeting"
    assert trace.root.usage.calls == 0


async def test_dead_embedder_silences_one_voice_only(world, texts):
    """Without an embedder the trace names the semantic signal, and keyword and graph still answer."""
    w = world()
    w.entity("person:ana", "Ana")
    w.embed = DeadEmbedder()
    w.fact("Ana lives in Recife", "person:ana", days=400)
    w.fact("Bob lives in Natal", "person:bob", days=400)
    w.turn("Ana said she moved to Recife", days=400)
    found, trace = await w.ask("Where does Ana live in Recife?", pipeline=BARE)
    assert trace.degraded == ("semantic",)
    assert texts(w, found)[0] == "Ana lives in Recife"
    assert found.frame["semantic"].null_count() == found.frame.height
    assert found.events.height == 1


async def test_empty_store_answers_in_one_pass(world):
    """N4: an empty memory answers at once: nothing is embedded and no model is asked."""
    w = world()
    found, trace = await w.ask("Where does Ana live?")
    assert w.embed.asked == []
    assert trace.root.usage.calls == 0
    assert (found.context, found.frame.height) == ("", 0)
    assert trace.degraded == ()


async def test_importance_joins_fact_and_entity(world):
    """importance = clip(fact + entity - .5), and it moves the ranking (R15, J2)."""
    w = world({("q", "one"): 0.5, ("q", "two"): 0.5})
    w.entity("person:hot", "Hot", importance=0.9)
    one = w.fact("one", "person:hot", importance=0.5, days=1)
    two = w.fact("two", "person:cold", importance=0.6, days=1)
    found, _ = await w.ask("q", pipeline=BARE)
    assert column(found, "importance") == {one: pytest.approx(0.9), two: pytest.approx(0.6)}
    assert found.frame["fact_id"].to_list() == [one, two]


async def test_repetition_adds_up_to_the_maximum(world):
    """P1: a fact said a thousand times gains at most pattern_boost_max, a fact said once nothing."""
    w = world({("q", "one"): 0.5, ("q", "two"): 0.5})
    one, two = w.fact("one", "person:a", reinforcement_count=1000), w.fact("two", "person:a")
    found, _ = await w.ask("q", pipeline=BARE)
    assert column(found, "pattern") == {one: pytest.approx(0.10), two: 0.0}
    off, _ = await w.ask("q", pipeline=BARE, pattern_boost_max=0.0)
    assert len(set(off.frame["formula"])) == 1
