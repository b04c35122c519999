"""Given names that are words for people, languages or times as well: Christian, Frances, Marco."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from arandu_lab import Memory

NOW = datetime(2025, 6, 11, tzinfo=UTC)


async def held(*messages: str) -> tuple[list[str], set[str]]:
    """The facts that hold, and the names that are known, after Ana said the messages a day apart."""
    memory = Memory.open("memory://", embedder="hashing")
    for day, message in enumerate(messages):
        await memory.write("a", message, "Ana", occurred_at=NOW.replace(day=11 + day))
    found = memory.facts("a")["text"].to_list(), set(memory.entities("a")["name"].to_list())
    memory.close()
    return found


@pytest.mark.parametrize("name", ["Christian", "Frances", "Christian Bale", "Frances Lopez", "Christian de Souza"])
@pytest.mark.parametrize("said", ["{} lives in Recife", "{} mora em Recife"])
async def test_a_given_name_is_no_adjective(said: str, name: str) -> None:
    """Before a surname, and where it does what people do, such a word is a name, at the start and inside a sentence."""
    for before in ("", "I think " if "lives" in said else "Acho que "):
        facts, names = await held(before + said.format(name) + ".")
        assert facts == [said.format(name)]
        assert name in names


@pytest.mark.parametrize(
    "said",
    ["I am Christian.", "My Christian friends live in Recife.", "Christian values matter.", "July works for me.",
     "Francês é difícil.", "Domingo foi ótimo.", "Domingo vou ao cinema.", "Em março fui a Recife.", "Natal foi ótimo."],
)  # fmt: skip
async def test_an_adjective_and_a_time_are_no_person(said: str) -> None:
    """Elsewhere it stays what it is: a faith, a language, a day, a month, a feast."""
    assert {"Christian", "July", "Francês", "Domingo", "Março", "Natal"}.isdisjoint((await held(said))[1])


@pytest.mark.parametrize("said", ["{} lives in {}", "{} mora em {}"])
async def test_two_given_names_are_two_people(said: str) -> None:
    """W14: two whole names with different given names are two people, and neither loses a home."""
    one, other = said.format("Christian Bale", "Natal"), said.format("Christina Bale", "Recife")
    facts, names = await held(one + ".", other + ".")
    assert sorted(facts) == [one, other]
    assert {"Christian Bale", "Christina Bale"} <= names
