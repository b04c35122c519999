"""Attributes of statements: what is stated, whether it holds, what rivals it and what ends it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.pure.attributes import SINGLE, Claim, alike, claim, ends, matches, may_match, rivals


def read(text: str, subject: str = "Lia Prado") -> tuple[str, str, bool, bool] | None:
    found = claim(text, subject)
    return (found.attribute, found.value, found.negative, found.ended) if found else None


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("Lia Prado lives in Porto", "home", "porto"),
        ("Lia has lived with her aunt in Porto since May", "home", "porto"),
        ("Lia's home is in Porto", "home", "porto"),
        ("Lia mudou-se de Braga para o Porto", "home", "porto"),
        ("A casa de Lia Prado fica no Porto", "home", "porto"),
        ("Lia is an employee of Vertix", "employer", "vertix"),
        ("Lia foi contratada pela Vertix", "employer", "vertix"),
        ("Lia works on Project Reef", "project", "project reef"),
        ("Lia became a civil engineer", "role", "civil engineer"),
        ("Lia é engenheira civil na Vertix", "role", "engenheira civil"),
        ("Lia works as a beekeeper", "role", "beekeeper"),
        ("Lia is on a course in geology", "study", "geology"),
        ("Lia faz faculdade de geologia", "study", "geologia"),
        ("Lia studies at the University of Porto since 2019", "school", "university of porto"),
        ("Lia estuda na Universidade do Porto desde 2019", "school", "universidade do porto"),
        ("Lia is dating Caio", "partner", "caio"),
        ("A namorada de Lia é Rute", "partner", "rute"),
        ("O chefe de Lia é Davi Rocha", "boss", "davi rocha"),
        ("Lia is allergic to nuts", "allergy", "nuts"),
        ("Lia tem alergia a nozes", "allergy", "nozes"),
        ("Lia does not like olives", "dislikes", "olives"),
        ("Lia não suporta azeitonas", "dislikes", "azeitonas"),
        ("Lia has a cat called Fig", "named", "fig"),
        ("Lia's cat is called Fig", "named", "fig"),
    ],
)
def test_what_is_stated(text: str, attribute: str, value: str) -> None:
    """The attribute and its value, by verb or by noun, in both languages, without what is said besides."""
    assert read(text) == (attribute, value, False, False)


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("Lia no longer lives in Porto", ("home", "porto", False, True)),
        ("Lia não mora mais no Porto", ("home", "porto", False, True)),
        ("Lia doesn't drink wine", ("do drink", "wine", True, False)),
        ("It is no longer true that Lia doesn't drink wine", ("do drink", "wine", True, True)),
        ("Já não é verdade que Lia não bebe vinho", ("do beb", "vinho", True, True)),
        ("Lia has given up fencing", ("any", "fencing", False, True)),
        ("Lia's trip to Oslo is off", ("plan", "trip to oslo", False, True)),
        ("A viagem a Oslo de Lia foi cancelada", ("plan", "viagem a oslo", False, True)),
        ("Lia is not the sister of Rute", ("sibling", "rute", True, False)),
    ],
)
def test_whether_it_holds(text: str, read_as: tuple[str, str, bool, bool]) -> None:
    """Denied and over are two things, and the one may stand around the other."""
    assert read(text) == read_as


@pytest.mark.parametrize(
    "text",
    ["Lia's aunt lives in Porto", "A tia de Lia mora no Porto", "Rute lives in Porto", "Porto is where Lia lives", ""],
)
def test_a_statement_about_another_claims_nothing(text: str) -> None:
    """A22: what is said of somebody's aunt, or does not open with its subject, is no claim about them."""
    assert claim(text, "Lia Prado") is None


def test_likings_never_rival() -> None:
    """A13, A22: only what one has once has rivals, and never between two attributes."""
    said = [
        "Lia lives in Porto", "Lia works at Vertix", "Lia is a nurse", "Lia likes jazz", "Lia likes tea", "Lia speaks Czech",
        "Lia has a cat called Fig", "Lia is allergic to nuts", "Lia is a friend of Caio", "Lia plays chess", "Lia owns a boat",
    ]  # fmt: skip
    claims = [found for text in said if (found := claim(text, "Lia")) is not None]
    assert len(claims) == len(said)
    assert [(a, b) for a in claims for b in claims if rivals(a, b) or ends(a, b)] == []


words = st.sampled_from(
    "Lia Prado's lives in no longer not works at for is a nurse Vertix Porto que mora não mais de é enfermeira has given up the".split()
)


@given(st.lists(words, max_size=12).map(" ".join))
def test_any_text_is_read(text: str) -> None:
    """Any text has a claim or none, and one that stands alone neither rivals nor ends itself."""
    found = claim(text, "Lia Prado")
    assert found is None or isinstance(found, Claim)
    if found is not None:
        assert not rivals(found, found)
        assert not ends(found, found)


@given(st.lists(words, max_size=9).map(lambda said: "Lia " + " ".join(said)), st.lists(words, max_size=9).map(" ".join))
def test_rivals_are_mutual_and_the_cheap_look_misses_none(one: str, other: str) -> None:
    """Rivalry is symmetric and of one single-valued attribute; ``may_match`` lets by whatever ``matches``."""
    a, b = claim(one, "Lia Prado"), claim("Lia " + other, "Lia Prado")
    if a is None or b is None:
        return
    assert rivals(a, b) == rivals(b, a)
    assert not rivals(a, b) or a.attribute in SINGLE
    if matches(a, b) and (a.single or a.ended):
        assert may_match(a, "Lia " + other)


@pytest.mark.parametrize(
    ("new", "old", "said"),
    [
        ("Lia lives in Porto", "Lia lives in Porto Alegre", "same asked"), ("Lia lives in Porto", "Lia mora no Porto", "same asked"),
        ("Lia works at Vertix", "Lia works at Vertix Labs", "same asked"), ("Lia is a nurse", "Lia is a head nurse", "same asked"),
        ("Lia likes tea", "Lia likes green tea", ""), ("Lia smokes", "Lia smokes", "same"), ("Lia likes tea", "Lia likes tea", "same"),
        ("Lia lives in Porto", "Lia lives in Braga", "rival asked"), ("Lia lives in Braga", "Lia works at Braga", "same"),
        ("Lia lives in Porto", "Lia no longer lives in Braga", ""), ("Lia doesn't live in Porto", "Lia lives in Braga", "asked"),
        ("Lia lives in Braga", "Lia doesn't live in Porto", ""), ("Lia no longer lives in Porto", "Lia lives in Braga", "asked"),
        ("Lia no longer lives in Porto", "Lia lives in Porto", "same ended asked"),
        ("Lia no longer lives in Porto", "Lia no longer lives in Porto", "same"), ("Lia has given up fencing", "Lia lives in Porto", ""),
        ("Lia has given up smoking", "Lia smokes", "ended asked"), ("Lia largou a ioga", "Lia faz ioga às segundas", "ended asked"),
        ("Lia largou a ioga", "Lia faz judô às segundas", ""), ("Lia no longer likes tea", "Lia likes tea", "same ended asked"),
        ("Lia no longer likes tea", "Lia likes jazz", ""), ("Lia no longer drinks wine", "Lia doesn't drink wine", ""),
        ("Lia has given up wine", "Lia doesn't drink wine", "same"), ("Lia has given up tea", "Lia likes tea", "same"),
    ],
)  # fmt: skip
def test_what_two_claims_are_to_each_other(new: str, old: str, said: str) -> None:
    """A13, A22: whether two values are the same, rivals, the one the end of the other, or only to be asked about together."""
    one, other = claim(new, "Lia Prado"), claim(old, "Lia Prado")
    assert one is not None
    assert other is not None
    found = {
        "same": alike(one, other),
        "rival": rivals(one, other),
        "ended": ends(one, other),
        "asked": matches(one, other),
    }
    assert " ".join(name for name, so in found.items() if so) == said


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("Lia is a very good old civil engineer", "do be", "very good old civil engineer"), ("Lia is a friend", "do be", "friend"),
        ("Lia is a quite good civil engineer", "role", "quite good civil engineer"), ("Lia é escritora de livros", "role", "escritora de livros"),
        ("Lia é professora", "role", "professora"), ("Lia lives with Rute", "do liv", "with rute"), ("Lia works", "do work", ""),
        ("Lia Prado's new hobby is chess", "hobby", "chess"), ("LIA PRADO lives in Porto", "home", "porto"),
        ("The Lia lives in Porto", "home", "porto"), ("Lia-Prado lives in Porto", "home", "porto"), ("Lia. Prado lives in Porto", "home", "porto"),
    ],
)  # fmt: skip
def test_what_an_occupation_is(text: str, attribute: str, value: str) -> None:
    """A: up to four words with an occupation for a head are a role; however the subject is written, it is the subject."""
    assert read(text) == (attribute, value, False, False)


@pytest.mark.parametrize(
    ("text", "negative", "ended"),
    [
        ("Lia's boss is no longer Davi", False, True), ("Lia's boss is not Davi", True, False), ("Lia's boss is Davi", False, False),
        ("O chefe de Lia não é mais Davi", False, True), ("O chefe de Lia já não é Davi", False, True), ("O chefe de Lia não é Davi", True, False),
        ("It is no longer true that Lia's boss is Davi", False, True),
    ],
)  # fmt: skip
def test_an_owned_attribute_denied_or_over(text: str, negative: bool, ended: bool) -> None:
    """A: what is told of somebody by its noun is denied and ended as by its verb, in both languages."""
    assert read(text) == ("boss", "davi", negative, ended)


def test_what_is_said_beside() -> None:
    """A: as what somebody works somewhere is no part of the name of where; a value written with a capital is a name."""
    found = claim("Lia works at Vertix as a nurse", "Lia")
    assert found == Claim("employer", "vertix", proper=True, rest=frozenset({"nurs"}), language="en")
    small = claim("Lia works at vertix", "Lia")
    assert small is not None
    assert not small.proper
    portuguese = claim("Lia trabalha na Vertix", "Lia")
    assert portuguese is not None
    assert (portuguese.proper, portuguese.language) == (True, "pt")


@pytest.mark.parametrize(
    ("plain", "when"),
    [
        *(("Ana lives in York", f"in the {part} of 5 May 2025") for part in ("week", "weekend")),
        *(("Ana lives in York", f"in the {season} of 2024") for season in ("spring", "summer", "autumn", "winter")),
        *(("Ana mora em Curitiba", f"{part} de 5 de maio de 2025") for part in ("na semana", "no fim de semana")),
        *(
            ("Ana mora em Curitiba", f"{season} de 2024")
            for season in ("no verão", "no outono", "no inverno", "na primavera")
        ),
    ],
)
def test_a_time_told_by_week_weekend_or_season_is_no_part_of_the_value(plain: str, when: str) -> None:
    """When a thing is so, as absolute times are worded, does not alter what is claimed."""
    first, second = claim(plain, "Ana"), claim(f"{plain} {when}", "Ana")
    assert first is not None
    assert second is not None
    assert (first.attribute, first.value) == (second.attribute, second.value)
