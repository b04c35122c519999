"""Everyday conversations through a whole memory: what is kept, what replaces what, and who is tied to whom."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from arandu_lab import Memory

START = datetime(2025, 3, 1, 19, tzinfo=UTC)


async def told(*messages: str) -> tuple[set[str], set[tuple[str, str, str]], list[list[str]], dict[str, str]]:
    """Rafael says the messages a month apart: (facts that hold, edges that stand, actions by message, entity types)."""
    memory = Memory.open("memory://", embedder="hashing")
    actions = []
    now = START
    for message in messages:
        now += timedelta(days=30)
        result = await memory.write("a", message, "Rafael", occurred_at=now)
        actions.append([f"{one.action} {one.fact.text}" for one in result.decided])
    names = {row["key"]: row["name"] for row in memory.entities("a").iter_rows(named=True)}
    kinds = {row["name"]: row["type"] for row in memory.entities("a").iter_rows(named=True)}
    facts = {row["text"] for row in memory.facts("a", as_of=now + timedelta(days=1)).iter_rows(named=True)}
    edges = {
        (names[row["source_key"]], row["rel_type"], names[row["target_key"]])
        for row in memory.relationships("a", as_of=now + timedelta(days=1)).iter_rows(named=True)
    }
    memory.close()
    return facts, edges, actions, kinds


@pytest.mark.parametrize(
    ("message", "facts", "edges"),
    [
        (
            "I live in São Paulo and I work at Vertix as a backend engineer.",
            {"Rafael lives in São Paulo", "Rafael works at Vertix as a backend engineer", "Rafael is a backend engineer"},
            {("Rafael", "lives_in", "São Paulo"), ("Rafael", "works_at", "Vertix")},
        ),
        (
            "Eu moro em São Paulo e trabalho na Vertix como engenheiro de backend.",
            {"Rafael mora em São Paulo", "Rafael trabalha na Vertix como engenheiro de backend", "Rafael é engenheiro de backend"},
            {("Rafael", "lives_in", "São Paulo"), ("Rafael", "works_at", "Vertix")},
        ),
        (
            "My sister Carolina lives in Porto Alegre. She has a dog named Thor.",
            {"Rafael's sister is Carolina", "Carolina lives in Porto Alegre", "Carolina has a dog named Thor"},
            {("Rafael", "sibling_of", "Carolina"), ("Carolina", "lives_in", "Porto Alegre"), ("Carolina", "has_pet", "Thor")},
        ),
        (
            "Minha irmã Carolina mora em Porto Alegre. Ela tem um cachorro chamado Thor.",
            {"Carolina é irmã de Rafael", "Carolina mora em Porto Alegre", "Carolina tem um cachorro chamado Thor"},
            {("Rafael", "sibling_of", "Carolina"), ("Carolina", "lives_in", "Porto Alegre"), ("Carolina", "has_pet", "Thor")},
        ),
        (
            "I have two kids, Leo and Mia.",
            {"Rafael has two kids, Leo and Mia"},
            {("Rafael", "parent_of", "Leo"), ("Rafael", "parent_of", "Mia")},
        ),
        (
            "Minha mãe, Lúcia, é professora aposentada.",
            {"Lúcia é mãe de Rafael", "Lúcia é professora aposentada"},
            {("Rafael", "child_of", "Lúcia")},
        ),
    ],
)  # fmt: skip
async def test_one_message_gives_its_facts_and_their_edges(
    message: str, facts: set[str], edges: set[tuple[str, str, str]]
) -> None:
    """Nothing else is kept, and every relational fact has its edge."""
    found, ties, _, kinds = await told(message)
    assert found == facts
    assert ties == edges
    assert "Thor" not in kinds or kinds["Thor"] == "pet"


@pytest.mark.parametrize(
    ("messages", "holds", "gone", "edge"),
    [
        (("I live in São Paulo.", "Yesterday I moved to Recife!"), "Rafael lives in Recife", "Rafael lives in São Paulo", ("Rafael", "lives_in", "Recife")),
        (("Moro em São Paulo.", "Ontem eu me mudei para o Recife!"), "Rafael mora no Recife", "Rafael mora em São Paulo", ("Rafael", "lives_in", "Recife")),
        (("Moro em São Paulo.", "Ontem a gente se mudou pra Natal!"), "Rafael mora em Natal", "Rafael mora em São Paulo", ("Rafael", "lives_in", "Natal")),
        (("Moro em São Paulo.", "Fui morar em Curitiba no mês passado."), "Rafael mora em Curitiba", "Rafael mora em São Paulo", ("Rafael", "lives_in", "Curitiba")),
        (("My sister Carolina lives in Porto Alegre.", "Carolina moved to Curitiba last week."), "Carolina lives in Curitiba", "Carolina lives in Porto Alegre", ("Carolina", "lives_in", "Curitiba")),
        (("Minha irmã Carolina mora em Porto Alegre.", "A Carolina se mudou pra Curitiba semana passada."), "Carolina mora em Curitiba", "Carolina mora em Porto Alegre", ("Carolina", "lives_in", "Curitiba")),
        (("I work at Vertix.", "I left Vertix and now I work at Orion Tech as a data scientist."), "Rafael works at Orion Tech as a data scientist", "Rafael works at Vertix", ("Rafael", "works_at", "Orion Tech")),
        (("Trabalho na Vertix.", "Saí da Vertix e agora trabalho na Orion Tech"), "Rafael agora trabalha na Orion Tech", "Rafael trabalha na Vertix", ("Rafael", "works_at", "Orion Tech")),
    ],
)  # fmt: skip
async def test_a_change_replaces_what_it_changes(
    messages: tuple[str, ...], holds: str, gone: str, edge: tuple[str, str, str]
) -> None:
    """The new state updates the old one, whose edge falls with it."""
    facts, edges, actions, _ = await told(*messages)
    assert holds in facts
    assert gone not in facts
    assert edge in edges
    assert [other for other in edges if other[:2] == edge[:2]] == [edge]
    assert any(action.startswith("UPDATE") for action in actions[-1])


@pytest.mark.parametrize(
    ("messages", "gone"),
    [
        (("I work at Vertix as a nurse.", "I no longer work at Vertix."), "Rafael works at Vertix as a nurse"),
        (("Trabalho na Vertix como enfermeiro.", "Não trabalho mais na Vertix."), "Rafael trabalha na Vertix como enfermeiro"),
    ],
)  # fmt: skip
async def test_a_retraction_deletes(messages: tuple[str, ...], gone: str) -> None:
    """*No longer* closes the fact and leaves nothing in its place."""
    facts, edges, actions, _ = await told(*messages)
    assert gone not in facts
    assert [action.split()[0] for action in actions[-1]] == ["DELETE"]
    assert all(kind != "works_at" for _, kind, _ in edges)
