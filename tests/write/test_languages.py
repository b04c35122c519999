"""F6: every column of text has one policy of language, held by a Portuguese and an English conversation alike."""

from __future__ import annotations

from typing import Any

import pytest
from said import AGENT, Talk, answer, edge, entity, fact, verdicts

from arandu_lab.config import MemoryConfig
from arandu_lab.pure.text import guess_language

TABLES = ("events", "facts", "entities", "aliases", "fact_entity_links", "relationships")
POLICY = {
    "said": {  # as it was said, byte for byte: names and words of the message, and what is folded from them
        "events.text", "events.speaker", "facts.speaker", "facts.entity_name", "entities.name", "aliases.name", "aliases.folded",
        "events.search_terms", "facts.search_terms", "events.session_id",
    },
    "message": {"facts.text"},  # in the language of the message
    "profile": {"entities.profile_text", "entities.summary_text"},  # in ``profile_language``
    "code": {  # words of our own, the same whatever is spoken
        "events.emotion", "events.energy", "facts.category", "facts.closed_by", "facts.source_context", "entities.type",
        "relationships.rel_type", "facts.event_time", "facts.granularity",
    },
    "key": {  # identifiers
        *(f"{table}.{name}" for table in TABLES for name in ("agent_id", "id")), "relationships.relationship_id", "facts.fact_id",
        "events.event_id", "facts.entity_key", "facts.source_event_id",
        "facts.supersedes_fact_id", "entities.entity_key", "aliases.entity_key", "fact_entity_links.fact_id",
        "fact_entity_links.entity_key", "relationships.source_key", "relationships.target_key",
    },
}  # fmt: skip
SAID: dict[str, dict[str, Any]] = {
    "pt": {
        "texts": ("Conceição mora no Recife", "Conceição mora em Olinda", "Conceição gosta muito de música"),
        "message": "A Conceição, minha mãe, mora no Recife e trabalha na Vertix. Estou feliz!",
        "mirror": "Conceição trabalha em Vertix",
        "mother": "mãe",
    },
    "en": {
        "texts": ("Connie lives in Boston", "Connie lives in Austin", "Connie is fond of music"),
        "message": "Connie, my mother, lives in Boston and works at Vertix. I am happy!",
        "mirror": "Connie works at Vertix",
        "mother": "mother",
    },
}


async def told(language: str) -> Talk:
    """A conversation with facts, a replaced one, a mirror, a profile, a role, an assistant, and an emotion."""
    said, name = SAID[language], SAID[language]["texts"][0].split(" ")[0]
    first, second, third = said["texts"]
    talk = Talk({(first, second): 0.8}, config=MemoryConfig(relationship_terms="role"))
    who = [entity(name, "Person"), entity("Vertix", "organization"), entity(said["mother"])]
    works = {
        "relations": [edge(name, "works_at", "Vertix")],
        "emotion": {"label": "Joy", "intensity": 0.7, "energy": "HIGH"},
    }
    profile = {"updated_profiles": {name: "A woman of Recife."}}
    await talk(
        answer(fact(name, first, importance_category="relationship_change"), entities=who, **profile) | works,
        text=said["message"],
    )
    await talk(answer(fact(name, second)), verdict=verdicts(("UPDATE", 0)))
    await talk(answer(fact(name, third)), speaker="assistant")
    return talk


def held(talk: Talk) -> dict[str, list[str]]:
    """Column -> its texts, for every column of text in every table."""
    out: dict[str, list[str]] = {}
    for table in TABLES:
        frame = talk.memory.store.frame(table, AGENT)
        for name, values in frame.to_dict(as_series=False).items():
            if any(isinstance(value, str) for value in values):
                out[f"{table}.{name}"] = [value for value in values if isinstance(value, str)]
    return out


@pytest.mark.parametrize("language", ["pt", "en"])
async def test_every_column_of_text_has_a_policy(language: str) -> None:
    """F6: a column that no policy names cannot appear unnoticed."""
    known = set().union(*POLICY.values())
    assert set(held(await told(language))) - known == set()


@pytest.mark.parametrize("language", ["pt", "en"])
async def test_facts_are_in_the_language_of_the_message(language: str) -> None:
    """F6: stated facts word for word, and a mirror fact in the language of the message that implied it."""
    talk = await told(language)
    texts = held(talk)["facts.text"]
    assert sorted(texts) == sorted([*SAID[language]["texts"], SAID[language]["mirror"]])
    assert {guess_language(text) for text in texts if "Vertix" not in text} == {language}


async def test_codes_are_the_same_in_every_language() -> None:
    """F6: types, categories, relations, emotions and marks are our own words, equal in both conversations."""
    pt, en = held(await told("pt")), held(await told("en"))
    for column in sorted(POLICY["code"]):
        assert sorted(pt.get(column, [])) == sorted(en.get(column, [])), column
    assert set(pt["entities.type"]) == {"person", "organization"}
    assert pt["relationships.rel_type"] == ["works_at"]
    assert set(pt["facts.source_context"]) == {"inferred_from_relation", "supposed_by_assistant"}
    assert pt["facts.closed_by"] == ["update"]
    assert pt["events.emotion"] == ["joy"]


@pytest.mark.parametrize(("language", "called"), [("pt", "mãe"), ("en", "mother")])
async def test_a_role_has_one_name(language: str, called: str) -> None:
    """F6: who is known by a role alone has one key and one name, whatever language asked first."""
    talk = await told(language)
    await talk(answer(fact(called, f"Rafael's {called} sings"), entities=[entity(called)]))
    assert [one.name for one in talk.view.entities() if one.key == "person:rafael_mother"] == ["Rafael's mother"]


@pytest.mark.parametrize("asked", ["english", "portuguese"])
@pytest.mark.parametrize("language", ["pt", "en"])
async def test_profiles_are_in_the_configured_language(language: str, asked: str) -> None:
    """F6, W19: the model is told one language for profiles, English by default, whatever is spoken; it is stored as it came."""
    talk = await told(language)
    overrides = {} if asked == "english" else {"config_overrides": {"profile_language": asked}}
    await talk(answer(), text=SAID[language]["message"], **overrides)
    assert talk.model.asked("extract")[-1].inputs["profile_language"] == asked
    assert held(talk)["entities.profile_text"] == ["A woman of Recife."]


@pytest.mark.parametrize("language", ["pt", "en"])
async def test_words_and_names_keep_their_bytes(language: str) -> None:
    """F6: messages and names stand as they were said."""
    talk = await told(language)
    rows, name = held(talk), SAID[language]["texts"][0].split(" ")[0]
    assert SAID[language]["message"] in rows["events.text"]
    assert name in rows["entities.name"]
    assert set(rows["facts.entity_name"]) == {name}
