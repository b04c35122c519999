"""What a query is after, in both languages, and what each voice weighs then."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.errors import ConfigError
from arandu_lab.pure.intents import VOICES, WEIGHTS, classify, weights

QUERIES = """
factual | which database do we use? | qual banco de dados usamos?
factual | who owns the billing service? | quem é o dono do serviço de cobrança?
factual | indentation convention | convenção de indentação
factual | do we deploy on Fridays? | fazemos deploy às sextas?
factual | how many approvals does a PR need? | de quantas aprovações um PR precisa?
temporal | what did we decide last week? | o que decidimos na semana passada?
factual | when was the API limit raised? | quando o limite da API subiu?
factual | since when do we use Go? | desde quando usamos Go?
factual | how long ago did we move? | há quanto tempo mudamos?
factual | on what date is the audit? | em que dia é a auditoria?
temporal | when did the limit change last week? | quando o limite mudou na semana passada?
temporal | when was it raised in 2024? | quando ele subiu em 2024?
temporal | latest decisions about auth | decisões mais recentes sobre autenticação
temporal | what changed yesterday? | o que mudou ontem?
temporal | what was the plan in 2024? | qual era o plano em 2024?
relational | why do we use Kafka? | por que usamos Kafka?
relational | what depends on the search service? | o que depende do serviço de busca?
relational | how are billing and search related? | como cobrança e busca estão relacionadas?
relational | what is the link between billing and auth? connected how? | qual a relação entre cobrança e busca?
relational | what does the migration affect? | o que a migração afeta?
exploratory | tell me about the architecture | me fale sobre a arquitetura
exploratory | what do we know about the deploy process? | o que sabemos sobre o processo de deploy?
exploratory | give me an overview of testing | visão geral dos testes
exploratory | how does the pipeline work? | como funciona o pipeline?
exploratory | summarize our conventions | resuma nossas convenções
exact | where is MAX_RETRIES set? | onde fica MAX_RETRIES?
exact | "connection reset by peer" | "conexão recusada"
exact | what does parse_config do? | o que faz parse_config?
exact | config/settings.toml | o arquivo config/settings.toml
exact | status of JIRA-123 | situação do JIRA-123
"""
ROWS = [
    (intent, query)
    for line in QUERIES.strip().splitlines()
    for intent, *queries in [[part.strip() for part in line.split(" | ")]]
    for query in queries
]


@pytest.mark.parametrize(("intent", "query"), ROWS)
def test_intents(intent: str, query: str) -> None:
    """Sixty queries, half of them Portuguese, are after what their writer meant."""
    assert classify(query).intent == intent


@given(st.text(max_size=80))
def test_any_text_has_an_intent(text: str) -> None:
    """Any text at all has one, always the same, and the cue stands in it, folded or not."""
    found = classify(text)
    assert found == classify(text)
    assert found.intent in WEIGHTS
    assert (found.cue == "") == (found.intent == "factual")


def test_default_order_of_voices() -> None:
    """By default meaning weighs most, then the graph and the words, then recency, as the document says."""
    order = sorted(VOICES, key=lambda voice: -weights("factual")[voice])
    assert order == ["semantic", "graph", "lexical", "temporal"]


@pytest.mark.parametrize("intent", WEIGHTS)
def test_every_row_adds_up(intent: str) -> None:
    """Each intent weighs all four voices, and the weights add up to 1."""
    row = weights(intent)
    assert set(row) == set(VOICES)
    assert sum(row.values()) == pytest.approx(1.0)


@given(
    st.sampled_from(["When", "when exactly", "Since when", "Quando", "quando mesmo", "Desde quando"]),
    st.sampled_from(["the API moved to Go", "Ana joined the team", "a API mudou para Go", "a Ana entrou no time"]),
)
def test_asking_for_a_date_is_no_interest_in_news(asking: str, what: str) -> None:
    """A bare "when …?" or "quando …?" weighs the voices as the same words without it: the fact that tells the date may be old."""
    assert weights(classify(f"{asking} {what}?").intent) == weights(classify(f"{what}?").intent)


@pytest.mark.parametrize(("intent", "voice"), [("temporal", "temporal"), ("relational", "graph"), ("exact", "lexical")])
def test_an_intent_raises_its_voice(intent: str, voice: str) -> None:
    """A question of time hears recency first, one of ties the graph, one of letters the words."""
    assert max(weights(intent), key=lambda each: weights(intent)[each]) == voice


def test_changes_are_checked() -> None:
    """A change touches its own intent only; unknown names and weights below 0 are refused."""
    assert weights("factual", {"exact": {"graph": 0.0}}) == weights("factual")
    assert weights("exact", {"exact": {"graph": 0.0}})["graph"] == 0.0
    for intent, changes in (
        ("tempral", {}),
        ("exact", {"exakt": {"graph": 1.0}}),
        ("exact", {"exact": {"grap": 1.0}}),
        ("exact", {"exact": {"graph": -1.0}}),
        ("exact", {"factual": {"graph": float("nan")}}),
    ):
        with pytest.raises(ConfigError):
            weights(intent, changes)
