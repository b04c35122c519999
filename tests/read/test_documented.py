"""The examples of the read document, word for word."""

from __future__ import annotations

import pytest

CITY = "Onde o Marcos Tavares mora?"
LIVES = "Marcos Tavares lives in Porto Alegre"
MANAGER = "Marcos Tavares is a product manager at Vertix"
MARRIED = "Marcos Tavares is married to Carolina"
ARCHITECT = "Carolina is an architect"


def _marcos(world):
    w = world({(CITY, LIVES): 0.91, (CITY, MANAGER): 0.55, (CITY, MARRIED): 0.30, (CITY, ARCHITECT): 0.05})
    w.entity("person:marcos_tavares", "Marcos Tavares")
    w.entity("person:carolina", "Carolina")
    w.entity("organization:vertix", "Vertix")
    w.fact(LIVES, "person:marcos_tavares", days=3, importance=0.95)
    w.fact(MANAGER, "person:marcos_tavares", "organization:vertix", days=3)
    w.fact(MARRIED, "person:marcos_tavares", "person:carolina", days=30)
    w.fact(ARCHITECT, "person:carolina", days=30)
    w.edge("person:marcos_tavares", "person:carolina", "married_to", days=30)
    w.edge("person:marcos_tavares", "organization:vertix", "works_at", days=3)
    w.grades = {LIVES: 1.0, MANAGER: 0.2, MARRIED: 0.0, ARCHITECT: 0.0}
    return w


async def test_city_question(world, texts):
    """The life of the document's question: planned without a model, answered by one fact, in the documented format."""
    w = _marcos(world)
    found, trace = await w.ask(CITY)
    assert found.plan.strategy == "multi_signal"
    assert found.plan.reason == "deterministic"
    assert found.plan.similarity_query == CITY
    assert found.plan.pattern_queries == ()
    assert found.plan.broad_query is False
    assert found.plan.deterministic == ("person:marcos_tavares",)
    assert texts(w, found)[0] == LIVES
    assert MARRIED not in texts(w, found)
    assert ARCHITECT not in texts(w, found)
    assert found.context.splitlines()[:2] == ["Known facts:", f"- {LIVES}"]
    assert trace.degraded == ()


async def test_city_blend_arithmetic(world):
    """Formula times floor plus weight times grade, for every row: .65 and .2 give .286, nothing is rounded."""
    w = _marcos(world)
    found, _ = await w.ask(CITY, min_reranker_score=0.0)
    for row in found.frame.iter_rows(named=True):
        assert row["score"] == pytest.approx(row["formula"] * (0.3 + 0.7 * row["reranker"]), rel=1e-12)


async def test_football_question(world, texts):
    """What is not known is answered by nothing: .45, .38 and .35 with grade 0 fall to .135, .114, .105, below .15."""
    query = "Qual o time de futebol do Bruno Almeida?"
    runs, model, works = (
        "Bruno Almeida runs marathons",
        "Bruno Almeida developed an ML model",
        "Bruno Almeida works at Orion Tech",
    )
    w = world({(query, runs): 0.45, (query, model): 0.38, (query, works): 0.35})
    w.entity("person:bruno_almeida", "Bruno Almeida")
    for text in (runs, model, works):
        w.fact(text, "person:bruno_almeida")
    w.grades = {runs: 0.0, model: 0.0, works: 0.0}
    found, _ = await w.ask(query, score_weights={"semantic": 1.0}, min_reranker_score=0.0)
    scores = dict(zip(found.frame["fact_id"], found.frame["score"], strict=True))
    assert [round(scores[f"f{i:03d}"], 6) for i in range(3)] == [0.135, 0.114, 0.105]
    assert texts(w, found) == []
    assert set(found.frame["lost"]) == {"min_score"}
    assert found.context == ""
    vetoed, _ = await w.ask(query)
    assert texts(w, vetoed) == []
    assert set(vetoed.frame["lost"]) == {"vetoed"}
    assert set(vetoed.frame["score"]) == {0.0}


async def test_relevant_question_keeps_its_score(world, texts):
    """Formula .92 and grade 1.0 stay .92."""
    query, fact = "O que o Bruno Almeida desenvolveu?", "Bruno developed an ML model for fraud detection"
    w = world({(query, fact): 0.92})
    w.entity("person:bruno_almeida", "Bruno Almeida")
    w.fact(fact, "person:bruno_almeida")
    found, _ = await w.ask(query, score_weights={"semantic": 1.0})
    assert texts(w, found) == [fact]
    assert found.frame["score"][0] == pytest.approx(0.92)


async def test_cross_entity_query(world, texts):
    """Facts are found through entity links: four facts about Vertix, two of them primarily about somebody else."""
    w = world()
    for key, name in [
        ("organization:vertix", "Vertix"),
        ("person:clara_rezende", "Clara Rezende"),
        ("person:ricardo_gomes", "Ricardo Gomes"),
        ("organization:ambev", "Ambev"),
    ]:
        w.entity(key, name)
    clara = w.fact("Clara Rezende left Vertix", "person:clara_rezende", "organization:vertix")
    series = w.fact("Vertix received Series A of R$ 20M", "organization:vertix")
    ricardo = w.fact("Ricardo Gomes is co-founder of Vertix", "person:ricardo_gomes", "organization:vertix")
    ambev = w.fact("Vertix signed contract with Ambev", "organization:vertix", "organization:ambev")
    w.fact("Clara Rezende plays the cello", "person:clara_rezende", days=400)
    found, _ = await w.ask("O que aconteceu com a Vertix?")
    graph = dict(zip(found.frame["fact_id"], found.frame["graph"], strict=True))
    assert {fact for fact, score in graph.items() if score > 0} == {clara, series, ricardo, ambev}
    assert set(graph) == {clara, series, ricardo, ambev}
    assert len(texts(w, found)) == 4


async def test_spreading_brings_the_neighbourhood(world):
    """From "lives in Porto Alegre" activation reaches the wife in one hop and her sister in two, halved at each."""
    query = "Porto Alegre?"
    w = world({(query, LIVES): 0.9})
    for key, name in [("person:marcos", "Marcos"), ("person:carolina", "Carolina"), ("person:julia", "Julia")]:
        w.entity(key, name)
    seed = w.fact(LIVES, "person:marcos")
    wife = w.fact("works as an architect", "person:carolina")
    sister = w.fact("sings in a choir", "person:julia")
    w.edge("person:marcos", "person:carolina")
    w.edge("person:julia", "person:carolina")
    found, trace = await w.ask(query, min_score=0.0)
    rows = {row["fact_id"]: row for row in found.frame.iter_rows(named=True)}
    assert rows[wife]["spread"] == pytest.approx(rows[seed]["formula"] * 0.5)
    assert rows[sister]["spread"] == pytest.approx(rows[seed]["formula"] * 0.25)
    assert rows[seed]["spread"] == 0.0
    said = trace.find("spread").data
    assert said["spreading_candidates_returned"] == 2
    assert said["spreading_candidates_unique"] == 2
    off, trace = await w.ask(query, min_score=0.0, spreading_activation_hops=0)
    assert off.frame["fact_id"].to_list() == [seed]
    assert trace.find("spread").data == {"spreading_candidates_returned": 0, "spreading_candidates_unique": 0}


async def test_format(world):
    """The context has the documented shape to the letter, best fact first, with dated turns."""
    query = "what about me?"
    facts = ["Lives in Sao Paulo", "Works at Acme Corp as a backend engineer", "Wife's name is Ana"]
    w = world({(query, facts[0]): 0.9, (query, facts[1]): 0.8, (query, facts[2]): 0.7})
    w.entity("person:user", "User")
    for text in facts:
        w.fact(text, "person:user")
    w.turn("What about the meeting with the product team?", days=2)
    found, _ = await w.ask(query, min_similarity=0.0)
    assert found.context == (
        "Known facts:\n- Lives in Sao Paulo\n- Works at Acme Corp as a backend engineer\n- Wife's name is Ana\n\n"
        "Relevant conversations:\n- (2026-03-28) What about the meeting with the product team?"
    )


async def test_trace_names(world):
    """The trace step "retrieval" says which entities came from where (R17)."""
    _, trace = await _marcos(world).ask(CITY)
    assert [step.name for step in trace.steps] == [
        "plan", "expand_query", "retrieval", "spread", "judge", "blend", "cut", "render",
    ]  # fmt: skip
    sources = trace.find("retrieval").data["entities_sources"]
    assert sources["deterministic"] == ["person:marcos_tavares"]
    assert set(sources["expansion"]) == {"person:carolina", "organization:vertix"}
