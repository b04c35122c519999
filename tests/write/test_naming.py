"""Who a name stands for, through whole writes (W14-W16, W24; B1-B9, B14, B15)."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from said import AGENT, Talk, answer, at, edge, entity, fact

from arandu_lab.write.answers import read_entities


def keys(talk: Talk) -> list[str]:
    """Keys of all entities but the speaker's."""
    return [e.key for e in talk.view.entities() if e.key != "person:rafael"]


def how(result: Any) -> dict[str, tuple[str, str]]:
    return {r.name: (r.key, r.how) for r in result.entities_resolved}


async def two_anas(talk: Talk, **more: Any) -> None:
    """Ana Souza, a nurse, and Ana Lima, a baker: both are called Ana."""
    await talk(
        answer(
            fact("Ana Souza", "Ana Souza is a nurse"),
            fact("Ana Lima", "Ana Lima is a baker"),
            entities=[entity("Ana Souza"), entity("Ana Lima")],
        ),
        **more,
    )


async def test_exact_wins_before_embeddings() -> None:
    """B1: "IPB" twice in unlike contexts, even under another word for its type, is one entity; no model is asked."""
    with Talk() as talk:
        await talk(answer(fact("IPB", "IPB funds a choir"), entities=[entity("IPB", "organization")]))
        result = await talk(answer(fact("IPB", "IPB sold a boat"), entities=[entity("IPB", "company")]))
        assert how(result)["IPB"] == ("organization:ipb", "exact")
        assert keys(talk) == ["organization:ipb"]
        assert talk.model.asked("resolve") == []


@pytest.mark.parametrize(
    "several",
    [
        ["Ксения", "小林", "Conceição"],
        ["小林", "大林", "林"],
        ["राम", "रीम", "रमा"],
        ["محمد", "محمود"],
        ["🌵", "🍕", "🌵🌵"],
        ["สมชาย", "สมหญิง"],
        ["שרה", "שרי"],
    ],
)
async def test_every_script(several: list[str]) -> None:
    """B2, B3: names of any script, and names without a letter, are distinct entities that are found again."""
    with Talk() as talk:
        first = await talk(answer(*(fact(name, f"{name} said hello") for name in several)), text="um")
        found = {r.name: r.key for r in first.entities_resolved if r.how != "speaker"}
        assert len(set(found.values())) == len(several)
        assert all(key.split(":", 1)[1] for key in found.values())
        second = await talk(answer(*(fact(name, f"{name} said goodbye") for name in several)), text="dois")
        assert {r.name: r.key for r in second.entities_resolved if r.how != "speaker"} == found
        assert [r.how for r in second.entities_resolved if r.how != "speaker"] == ["exact"] * len(several)


@pytest.mark.parametrize(
    "pair", [("Lote 17", "Lote 71"), ("Rua A", "Rua B"), ("Sala 3", "Sala 3B"), ("Rafael Reis", "Rafaela Reis")]
)
async def test_marks_that_tell_apart(pair: tuple[str, str]) -> None:
    """B4: digits, single letters and gender are never bridged by likeness."""
    with Talk({pair: 0.99}) as talk:
        kind = "person" if "Rafael" in pair[0] else "place"
        await talk(answer(fact(pair[0], f"{pair[0]} is first"), entities=[entity(pair[0], kind)]))
        result = await talk(answer(fact(pair[1], f"{pair[1]} is second"), entities=[entity(pair[1], kind)]))
        assert how(result)[pair[1]][1] == "new"


async def test_alias_from_brackets() -> None:
    """B6: "Chico (Francisco)" is one person with two names, and each finds him later."""
    with Talk() as talk:
        await talk(answer(fact("Chico (Francisco)", "Chico plays chess"), entities=[entity("Chico (Francisco)")]))
        result = await talk(answer(fact("Francisco", "Francisco plays go"), fact("Chico", "Chico plays cards")))
        assert {key for key, _ in how(result).values() if key != "person:rafael"} == {"person:chico"}
        assert keys(talk) == ["person:chico"]


async def test_alias_leads_to_a_known_entity() -> None:
    """B6: a new name whose alias is known is the known entity, and the new name is learned."""
    with Talk() as talk:
        await talk(answer(fact("Francisco", "Francisco plays chess")))
        await talk(answer(fact("Chico", "Chico plays go"), entities=[entity("Chico", "person", "Francisco")]))
        result = await talk(answer(fact("Chico", "Chico plays cards")))
        assert how(result)["Chico"] == ("person:francisco", "exact")


async def test_aliases_that_lead_apart() -> None:
    """W14: aliases that lead to different entities leave the name to the model, else undecided; never the first."""
    with Talk() as talk:
        await talk(answer(fact("Bia", "Bia runs"), fact("Lia", "Lia sings")))
        result = await talk(answer(fact("Zuzu", "Zuzu swims"), entities=[entity("Zuzu", "person", "Bia", "Lia")]))
        assert how(result)["Zuzu"] == ("ambiguous:zuzu", "ambiguous")
        asked = talk.model.asked("resolve")[0].inputs["mentions"][0]
        assert [c["name"] for c in asked["candidates"]] == ["Bia", "Lia"]


async def test_common_nouns_are_no_aliases() -> None:
    """B7: "a chefe", "ele", "projeto" and "the boss" become nobody's alias."""
    with Talk() as talk:
        said = answer(
            fact("Malu", "Malu leads"),
            entities=[entity("Malu", "person", "a chefe", "ele", "projeto", "the boss", "Malu 🌵", "Lulu")],
        )
        await talk(said)
        names = {folded for folded, held in talk.view.aliases().items() if "person:malu" in held}
        assert names == {"malu", "lulu"}


async def test_type_gate() -> None:
    """B8: a pet and a brand of one name are two; the bare name is then ambiguous, and each type finds its own."""
    with Talk() as talk:
        await talk(answer(fact("Lua", "Lua barks"), entities=[entity("Lua", "pet")]))
        await talk(answer(fact("Lua", "Lua sells shoes"), entities=[entity("Lua", "organization")]))
        assert keys(talk) == ["pet:lua", "organization:lua"]
        result = await talk(answer(fact("Lua", "Lua sleeps"), entities=[entity("Lua", "pet")]))
        assert how(result)["Lua"] == ("pet:lua", "exact")


async def test_type_gate_for_the_speaker() -> None:
    """B8: the country "US" is not "us", the firm "Mother" nobody's mother; whatever a model calls the speaker, he is he."""
    with Talk() as talk:
        said = answer(
            fact("Rafael", "Rafael moved to the US", importance_category="relationship_change"),
            entities=[entity("US", "place"), entity("Mother", "organization"), entity("Rafael", "employee")],
            relations=[edge("eu", "lives_in", "US"), edge("eu", "works_at", "Mother")],
        )
        result = await talk(said)
        assert how(result)["US"] == ("place:us", "new")
        assert how(result)["Mother"] == ("organization:mother", "new")
        assert ("person:rafael", "lives_in", "place:us") in talk.edges()
        assert result.facts_added[0].entity_key == "person:rafael"


async def test_two_types_in_one_message() -> None:
    """B8: one name with two types in one answer keeps the first, and says so."""
    found, skipped = read_entities([])
    assert (found, skipped) == ((), ())
    with Talk() as talk:
        result = await talk(answer(fact("Lua", "Lua barks"), entities=[entity("Lua", "pet"), entity("Lua", "brand")]))
        assert keys(talk) == ["pet:lua"]
        assert [s.what for s in result.skipped] == ["Lua (brand)"]


async def test_ambiguous_keeps_its_candidates() -> None:
    """B9, W14: "Ana" beside two Anas goes to the model; undecided it stays ambiguous with both as candidates."""
    with Talk() as talk:
        await two_anas(talk)
        result = await talk(answer(fact("Ana", "Ana has a cold")))
        resolved = next(r for r in result.entities_resolved if r.name == "Ana")
        assert (resolved.key, resolved.how) == ("ambiguous:ana", "ambiguous")
        assert resolved.candidates == ("person:ana_souza", "person:ana_lima")
        (stored,) = result.facts_added
        assert talk.view.keys_of(stored.id) == ("ambiguous:ana", "person:ana_souza", "person:ana_lima")
        asked = talk.model.asked("resolve")[0].inputs["mentions"][0]["candidates"]
        assert [(c["i"], c["name"], c["context"]) for c in asked] == [
            (0, "Ana Souza", ["Ana Souza is a nurse"]),
            (1, "Ana Lima", ["Ana Lima is a baker"]),
        ]
        decided = await talk(answer(fact("Ana", "Ana baked bread")), choice={"choices": [{"i": 0, "candidate": 1}]})
        assert how(decided)["Ana"] == ("person:ana_lima", "model")
        assert "ana" not in talk.view.aliases() or talk.view.aliases()["ana"] == ("person:ana_lima",)


async def test_many_namesakes_stay_candidates() -> None:
    """W14: more namesakes than ``fuzzy_candidates`` are all kept."""
    surnames = "Souza Lima Reis Prado Nunes".split()
    with Talk() as talk:
        await talk(answer(*(fact(f"Ana {s}", f"Ana {s} exists") for s in surnames)))
        result = await talk(answer(fact("Ana", "Ana has a cold")))
        assert len(next(r for r in result.entities_resolved if r.name == "Ana").candidates) == 5


async def test_equally_near_is_not_the_first() -> None:
    """W14: a nickname as near to two namesakes is not the first of them, nor the placeholder of an undecided one."""
    with Talk({("Aninha", "Ana"): 0.9}) as talk:
        await talk(answer(fact("Ana", "Ana sings"), entities=[entity("Ana", "person")]))
        await talk(answer(fact("Ana", "Ana barks"), entities=[entity("Ana", "pet")]))
        result = await talk(answer(fact("Aninha", "Aninha sleeps"), entities=[entity("Aninha", "concept")]))
        assert how(result)["Aninha"] == ("ambiguous:aninha", "ambiguous")
        later = await talk(answer(fact("Aninha", "Aninha wakes"), entities=[entity("Aninha", "pet")]))
        assert how(later)["Aninha"] == ("pet:ana", "fuzzy")


@pytest.mark.parametrize(
    ("short", "full", "resolves"),
    [
        ("Carol", "Carolina", True),
        ("Juli", "Julia", True),
        ("Jo", "João", False),
        ("Bob", "Roberto", False),
        ("Rafael", "Rafaela", False),
        ("Ana", "Ana B", False),
        ("Marco", "Marcos Tavares", True),
    ],
)
async def test_prefix_rule(short: str, full: str, resolves: bool) -> None:
    """W14: three letters or more begin exactly one known person's name, and no veto speaks."""
    with Talk() as talk:
        await talk(answer(fact(full, f"{full} sings")), speaker="Iara")
        result = await talk(answer(fact(short, f"{short} runs")), speaker="Iara")
        assert (how(result)[short][1] == "prefix") == resolves
        if resolves:
            again = await talk(answer(fact(short, f"{short} swims")), speaker="Iara")
            assert how(again)[short][1] == "exact", "the alias was learned"


async def test_prefix_of_persons_only() -> None:
    """W14: "Carol" is no prefix of the town Carolina."""
    with Talk() as talk:
        await talk(answer(fact("Carolina", "Carolina is a town"), entities=[entity("Carolina", "place")]))
        result = await talk(answer(fact("Carol", "Carol runs")))
        assert how(result)["Carol"][1] == "new"


async def test_names_of_one_message() -> None:
    """W16: an alias named beside its owner, and a first name beside the full one, are one entity from the start."""
    with Talk() as talk:
        await talk(answer(fact("Clara Souza", "Clara Souza paints")))
        said = answer(
            fact("Guili", "Guili sings"),
            fact("Clara", "Clara dances"),
            entities=[
                entity("Guilherme Maturana", "person", "Guili"),
                entity("Guili"),
                entity("Clara Rezende"),
                entity("Clara"),
            ],
        )
        result = await talk(said)
        found = how(result)
        assert found["Guili"] == ("person:guilherme_maturana", "batch")
        assert found["Clara"] == ("person:clara_rezende", "batch"), "the message's own Clara, not the stored one"
        assert talk.view.aliases()["guili"] == ("person:guilherme_maturana",)
        assert [f.entity_key for f in result.facts_added] == ["person:guilherme_maturana", "person:clara_rezende"]


async def test_aliases_in_a_circle() -> None:
    """W16: two names that call each other an alias are one entity, and no fact of theirs is lost."""
    with Talk() as talk:
        said = answer(
            fact("Zé", "Zé sings"),
            fact("José", "José runs"),
            entities=[entity("Zé", "person", "José"), entity("José", "person", "Zé")],
        )
        result = await talk(said)
        assert len(result.facts_added) == 2
        assert len({f.entity_key for f in result.facts_added}) == 1


async def test_composed_and_decomposed() -> None:
    """B14: "José" in NFC and in NFD is one entity, and both spellings find it."""
    with Talk() as talk:
        await talk(answer(fact("José", "José sings")))
        nfd = unicodedata.normalize("NFD", "José")
        result = await talk(answer(fact(nfd, f"{nfd} runs")), text=f"{nfd} corre")
        assert keys(talk) == ["person:jose"]
        assert how(result)[nfd][1] == "exact"
        assert talk.model.calls[-1].inputs["known"][0]["name"] == "José"


async def test_colleagues_are_not_merged() -> None:
    """B15: two people of one firm are two, with the firm between them."""
    with Talk() as talk:
        said = answer(
            fact("Caio Reis", "Caio Reis works at Vertix"),
            fact("Caio Prado", "Caio Prado works at Vertix"),
            entities=[entity("Caio Reis"), entity("Caio Prado"), entity("Vertix", "organization")],
            relations=[edge("Caio Reis", "works_at", "Vertix"), edge("Caio Prado", "works_at", "Vertix")],
        )
        await talk(said)
        assert keys(talk) == ["person:caio_reis", "person:caio_prado", "organization:vertix"]
        assert len(talk.edges()) == 2


async def test_hint() -> None:
    """W24: "Carol (namorada do Rafael)": hint off, type person, and the tie an edge where the model gave none."""
    with Talk() as talk:
        said = answer(
            fact("Carol (namorada do Rafael)", "Carol paints"), entities=[entity("Carol (namorada do Rafael)", "other")]
        )
        result = await talk(said, speaker="Iara")
        assert how(result)["Carol"][0] == "person:carol"
        assert talk.edges() == [("person:carol", "partner_of", "person:rafael")]
        (mirror,) = [f for f in result.facts_added if f.source_context]
        assert mirror.text == "Carol is the partner of Rafael"
    with Talk() as talk:
        said["relations"] = [edge("Rafael", "dating", "Carol")]
        await talk(said, speaker="Iara")
        assert talk.edges() == [("person:rafael", "partner_of", "person:carol")], "the model's own tie is enough"


async def test_hint_of_the_speaker_and_blind() -> None:
    """W24: "Bia (minha irmã)" is tied to the speaker; blind extraction knows it too, even when its relations fail."""
    said = {"entities": [entity("Bia (minha irmã)", "concept"), entity("Orion (a startup)", "organization")]}
    with Talk() as talk:
        talk.model._constant.update({"entities": said, "facts": {"facts": []}, "relations": "no"})
        result = await talk(answer(), text="…", config_overrides={"enable_informed_extraction": False})
        assert result.degraded == ("relate_entities",)
        assert talk.edges() == [("person:bia", "sibling_of", "person:rafael")]
        assert "organization:orion" in keys(talk)


@pytest.mark.parametrize("name", ["mãe", "mother", "a mãe", "minha mãe", "Mãe"])
@pytest.mark.parametrize("terms", ["speaker", "role"])
async def test_relationship_words(name: str, terms: str) -> None:
    """W15: a bare relationship word is the speaker as documented, or, with ``role``, an entity of its own linked to him."""
    with Talk() as talk:
        said = answer(fact(name, "A mãe mora em Natal"), entities=[entity(name)])
        result = await talk(said, text="Minha mãe mora em Natal", config_overrides={"relationship_terms": terms})
        (stored,) = result.facts_added
        if terms == "speaker":
            assert stored.entity_key == "person:rafael"
            assert stored.entity_name == "Rafael"
        else:
            assert stored.entity_key == "person:rafael_mother"
            assert stored.entity_name == "Rafael's mother"
            again = answer(fact("mother", "Rafael's mother sings"), entities=[entity("mother")])
            second = await talk(again, config_overrides={"relationship_terms": terms})
            assert second.facts_added[0].entity_key == "person:rafael_mother"
            assert talk.view.keys_of(second.facts_added[0].id) == ("person:rafael_mother", "person:rafael")
        assert "mae" not in talk.view.aliases()


@pytest.mark.parametrize("name", ["Rafael's mother", "mãe do Rafael", "mãe de Rafael"])
async def test_role_by_its_owner(name: str) -> None:
    """W15: with ``role`` the two ways in which models name her are one person in both languages."""
    with Talk() as talk:
        said = answer(fact(name, f"{name} mora em Natal"))
        result = await talk(said, config_overrides={"relationship_terms": "role"})
        assert result.facts_added[0].entity_key == "person:rafael_mother"


async def test_third_party_keeps_its_facts() -> None:
    """G1: "meu irmão odeia coentro" with ``role`` is about the brother, not the speaker."""
    with Talk() as talk:
        said = answer(fact("irmão", "O irmão de Rafael odeia coentro"), entities=[entity("irmão")])
        result = await talk(said, config_overrides={"relationship_terms": "role"})
        assert result.facts_added[0].entity_key == "person:rafael_brother"


async def test_three_speakers() -> None:
    """G3, G4: three speakers with "eu" are three subjects; each fact knows who said it and in which turn."""
    with Talk() as talk:
        for speaker in ("Ana", "Bia", "Caio"):
            result = await talk(answer(fact("eu", f"{speaker} likes tea"), entities=[]), speaker=speaker)
            (stored,) = result.facts_added
            assert stored.entity_key == f"person:{speaker.lower()}"
            assert (stored.speaker, stored.source_event_id) == (speaker, result.event_id)
        assert len(talk.live()) == 3


async def test_the_assistant_is_not_the_user() -> None:
    """G2, W20: what the assistant supposes of "the user" is not the assistant's, and carries who said it."""
    with Talk() as talk:
        result = await talk(answer(fact("the user", "The user must like jazz"), entities=[]), speaker="assistant")
        assert result.facts_added[0].entity_key != "person:assistant"
        assert result.facts_added[0].speaker == "assistant"


async def test_same_name_over_sessions() -> None:
    """B12: one name over twenty sessions is one entity."""
    with Talk() as talk:
        for n in range(20):
            await talk(answer(fact("Iara", f"Iara saw film number {n}")), speaker="Iara", session_id=f"s{n}")
        assert [e.key for e in talk.view.entities()] == ["person:iara"]


async def test_unasked_likeness_is_new() -> None:
    """``enable_llm_resolution`` off: a likely name is a new entity, a name of several bearers stays undecided."""
    with Talk({("Guili", "Guilherme"): 0.7}) as talk:
        await talk(answer(fact("Guilherme", "Guilherme sings")))
        off = {"enable_llm_resolution": False}
        result = await talk(answer(fact("Guili", "Guili runs")), config_overrides=off)
        assert how(result)["Guili"][1] == "new"
        await two_anas(talk, config_overrides=off)
        result = await talk(answer(fact("Ana", "Ana runs")), config_overrides=off)
        assert how(result)["Ana"][1] == "ambiguous"
        assert talk.model.asked("resolve") == []


async def test_long_names() -> None:
    """A name of four thousand characters is stored under a short key, twice the same, beside one that differs at its end."""
    long = "Ana " + "Maria " * 600
    with Talk() as talk:
        first = await talk(answer(fact(long + "A", "She has a long name")), text="um")
        second = await talk(answer(fact(long + "B", "Her name is long as well")), text="dois")
        third = await talk(answer(fact(long + "A", "She is back")), text="três")
        found = [r.facts_added[0].entity_key for r in (first, second, third)]
        assert found[0] == found[2] != found[1]
        assert max(map(len, found)) < 120


async def test_long_speaker() -> None:
    """A speaker's name of ten thousand characters, in letters or emoji, is only a name."""
    with Talk() as talk:
        for speaker in ("x" * 10_000, "🌵" * 10_000):
            result = await talk(
                answer(fact("eu", f"Somebody {speaker[:1]} sings"), entities=[]), speaker=speaker, when=at(2025)
            )
            assert result.success
            assert result.facts_added[0].entity_key.startswith("person:")
        assert talk.memory.events(AGENT).height == 2
