"""Short forms in the write pipeline: off as documented, the only bearer, or a question (W14, B5)."""

from __future__ import annotations

import pytest
from said import Talk, answer, fact

from arandu_lab.config import MemoryConfig


async def bearer(nicknames: str, *people: str, name: str = "Beto", choice: int | None = None) -> tuple[str, int]:
    """The key that a fact about ``name`` goes to in a memory of these people, and the calls of that write."""
    with Talk(config=MemoryConfig(nicknames=nicknames)) as talk:  # type: ignore[arg-type]
        for one in people:
            await talk(answer(fact(one, f"{one} canta")))
        asked = {"choices": [{"i": 0, "candidate": choice}]}
        result = await talk(answer(fact(name, f"{name} dança")), choice=asked)
        return result.facts_added[0].entity_key, result.usage.calls


@pytest.mark.parametrize(("name", "full"), [("Beto", "Roberto Lima"), ("Bob", "Robert Hall"), ("Zé", "José")])
async def test_settings(name: str, full: str) -> None:
    """Off makes a new person and asks nobody; ask and the model's choice, or resolve alone, find the bearer."""
    key = f"person:{full.lower().replace(' ', '_').replace('é', 'e')}"
    new = f"person:{name.lower().replace('é', 'e')}"
    assert await bearer("off", full, name=name, choice=0) == (new, 1)
    assert await bearer("ask", full, name=name, choice=0) == (key, 2)
    assert await bearer("ask", full, name=name, choice=None) == (new, 2)
    assert await bearer("resolve", full, name=name) == (key, 1)


async def test_several() -> None:
    """Of two bearers nobody is taken in silence: the model chooses, or the name stays ambiguous."""
    people = ("Roberto Lima", "Alberto Dias")
    assert await bearer("resolve", *people, choice=1) == ("person:alberto_dias", 2)
    assert await bearer("resolve", *people, choice=None) == ("ambiguous:beto", 2)


async def test_the_form_is_remembered() -> None:
    """A form that was resolved is an alias from then on."""
    with Talk(config=MemoryConfig(nicknames="resolve")) as talk:
        await talk(answer(fact("Roberto Lima", "Roberto Lima canta")))
        await talk(answer(fact("Beto", "Beto dança")))
        assert talk.view.aliases()["beto"] == ("person:roberto_lima",)
