"""G1, W15: what is said of a relative who has no name is no edge and no profile of the speaker."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from arandu_lab import Memory

TALKS = {
    "en": ("I live in Natal.", "My mother lives in Recife.", "My boss works at Vale.", "Bob's mother lives in Lisbon."),
    "pt": (
        "Eu moro em Natal.",
        "Minha mãe mora em Recife.",
        "Meu chefe trabalha na Vale.",
        "Minha irmã é casada com o João.",
    ),
}
START = datetime(2025, 6, 11, tzinfo=UTC)


@pytest.mark.parametrize("language", TALKS)
async def test_a_relatives_home_is_not_the_speakers(language: str) -> None:
    """The documented memory keeps every fact; the speaker has the edge of their own home alone, and no profile of another's."""
    memory = Memory.open("memory://", embedder="hashing")
    for place, text in enumerate(TALKS[language]):
        done = await memory.write("a", text, "Ana", occurred_at=START + timedelta(days=place))
        assert done.facts_added, text
    edges = memory.relationships("a").select("source_key", "rel_type", "target_key").rows()
    assert [one for one in edges if one[0] == "person:ana"] == [("person:ana", "lives_in", "place:natal")]
    profiles = " ".join(text for text in memory.entities("a")["profile_text"].to_list() if text)
    assert "Recife" not in profiles
    memory.close()


@pytest.mark.parametrize("text", ["My grandfather is 80 years old.", "Meu avô tem 80 anos."])
async def test_a_relatives_age_is_no_profile_of_the_speaker(text: str) -> None:
    """Extraction is shown profiles: one that is of somebody else would teach it a falsehood."""
    memory = Memory.open("memory://", embedder="hashing")
    await memory.write("a", text, "Rui", occurred_at=START)
    assert not any(text and "80" in text for text in memory.entities("a")["profile_text"].to_list())
    memory.close()
