"""Short forms of names: both ways, several names to one form, and nobody by chance."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.pure import hypocorisms, names
from arandu_lab.pure.names import Known
from arandu_lab.pure.text import fold, ident
from arandu_lab.records import Entity, Resolved

NOW = datetime(2025, 1, 1, tzinfo=UTC)


def known(*people: str, **others: str) -> Known:
    """Persons by name, and things by name and type."""
    held = [(name, "person") for name in people] + list(others.items())
    entities = {
        f"{kind}:{ident(name)}": Entity(
            key=f"{kind}:{ident(name)}", agent_id="a", name=name, type=kind, recorded_at=NOW
        )
        for name, kind in held
    }
    return Known({ident(entity.name): (key,) for key, entity in entities.items()}, entities)


def match(
    name: str, type: str = "person", known: Known | None = None, *, nicknames: names.Nicknames = "off"
) -> Resolved:
    """What phase one makes of a name that somebody else says."""
    return names.match(
        name,
        type,
        speaker_key="person:wanda",
        speaker="Wanda",
        known=known or Known({}, {}),
        relationship_terms="speaker",
        nicknames=nicknames,
    )


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("Zé", "José"), ("Chico", "Francisco"), ("Beto", "Roberto"), ("Beto", "Alberto"), ("Malu", "Maria Luísa"),
        ("Bob", "Robert"), ("Liz", "Elizabeth"), ("Bill", "William"), ("Peggy", "Margaret"), ("Tião", "Sebastião"),
        ("Duda", "Eduarda"), ("Duda", "Eduardo"), ("Cadu", "Carlos Eduardo"), ("Aninha", "Ana"), ("Marquinhos", "Marcos"),
        ("Chiquinho", "Francisco"), ("Luizinho", "Luiz"), ("Thiaguinho", "Thiago"), ("Nando", "Fernando"), ("Ted", "Edward"),
        ("Dick", "Richard"), ("Guga", "Gustavo"), ("Toninho", "Antônio"), ("Cida", "Aparecida"), ("Jack", "John"),
    ],
)  # fmt: skip
def test_both_ways(short: str, full: str) -> None:
    """A known short form nominates the full name, and a known full name the short form."""
    assert match(short, known=known(full), nicknames="resolve").how == "prefix"
    assert match(full, known=known(short), nicknames="resolve").how == "prefix"


@pytest.mark.parametrize(
    ("one", "other"),
    [("Bob", "William"), ("Paulinho", "Paula"), ("Ana", "Anderson"), ("Beto Lima", "Roberto Souza"), ("Daniel", "Daniela"), ("Rafael", "Rafaela"), ("Zé", "João")],
)  # fmt: skip
def test_nobody_by_chance(one: str, other: str) -> None:
    """Other names, other gender of a diminutive, another surname: never the same person."""
    assert match(one, known=known(other), nicknames="resolve").how == "pending"
    assert match(one, known=known(other), nicknames="resolve").candidates == ()


def test_several_stay_candidates() -> None:
    """W14: one nickname of two who are known is decided by nobody here, prefixes and short forms counted together."""
    assert set(match("Beto", known=known("Roberto", "Alberto"), nicknames="resolve").candidates) == {
        "person:roberto",
        "person:alberto",
    }
    assert len(match("Bel", known=known("Belmiro", "Isabel"), nicknames="resolve").candidates) == 2
    assert match("Bel", known=known("Belmiro", "Isabel")).key == "person:belmiro", "off: the documented prefix rule"
    assert (
        match("Beto Lima", known=known("Roberto Lima", "Alberto Dias"), nicknames="resolve").key
        == "person:roberto lima"
    )


def test_settings() -> None:
    """Off: as documented, Bob is Roberto only as an alias. Ask: even the only one is put to the model."""
    assert match("Bob", known=known("Robert")).how == "pending"
    assert match("Bob", known=known("Robert")).candidates == ()
    asked = match("Bob", known=known("Robert"), nicknames="ask")
    assert (asked.how, asked.candidates) == ("pending", ("person:robert",))
    assert match("Carol", known=known("Carolina"), nicknames="ask").how == "prefix", "the prefix rule stays"
    banded = names.bands(asked, [], fuzzy_threshold=0.85, fuzzy_floor=0.5, fuzzy_candidates=3)
    assert banded == asked, "the bands leave nominated ones alone"
    assert names.settle(asked, None).how == "new"


def test_a_fuller_name_is_asked_about() -> None:
    """Who is known by a short form alone may be who is now named in full: a candidate, at most."""
    for nicknames in ("ask", "resolve"):
        found = match("Roberto Sarmento", known=known("Beto"), nicknames=nicknames)
        assert (found.how, found.candidates) == ("pending", ("person:beto",))
    assert match("Roberto Sarmento", known=known("Beto")).candidates == ()
    assert match("Roberto Sarmento", known=known("Beto Lima"), nicknames="resolve").candidates == ()


def test_only_persons() -> None:
    """A place or firm of a person's short name is nobody."""
    assert match("Beto", "organization", known("Roberto"), nicknames="resolve").how == "pending"
    assert match("Beto", known=known(Roberto="place"), nicknames="resolve").how == "pending"


def test_the_tables() -> None:
    """Everything is folded, no form is its own name, and each direction holds the other."""
    count = 0
    for short in hypocorisms._table():
        assert short == fold(short)
        assert short not in hypocorisms._table()[short]
        for full in hypocorisms._table()[short]:
            assert full == fold(full)
            assert short in hypocorisms.short_forms(full)
            count += 1
    assert count > 2000


@given(st.lists(st.text(max_size=12), max_size=3), st.lists(st.text(max_size=12), max_size=3))
def test_any_words(one: list[str], other: list[str]) -> None:
    """Whatever is written, an answer comes; a name is no nickname of itself."""
    assert hypocorisms.may_be(one, other) in (True, False)
    assert isinstance(match(" ".join(one) or "x", known=known("Ana"), nicknames="resolve"), Resolved)


@pytest.mark.parametrize(
    ("diminutive", "full"),
    [
        ("Aninha", "Ana"), ("Marquinhos", "Marcos"), ("Marquinho", "Marco"), ("Luizinho", "Luiz"), ("Paulão", "Paulo"),
        ("Carlinhos", "Carlos"), ("Joãozinho", "João"), ("Tiaguinho", "Tiago"), ("Chiquinho", "Chico"), ("Rosinha", "Rosa"),
        ("Lucasinho", "Lucas"), ("Felipinho", "Felipe"), ("Andrezinho", "André"), ("Joaninha", "Joana"), ("Leninha", "Helena"),
        ("Evinha", "Eva"), ("Pedrão", "Pedro"), ("Ritinha", "Rita"), ("Luisinha", "Luisa"), ("Zezinho", "José"), ("Joãozinhos", "João"),
        ("Dominguinhos", "Domingos"), ("Matinhos", "Matos"),
    ],
)  # fmt: skip
def test_diminutives(diminutive: str, full: str) -> None:
    """A Portuguese diminutive or augmentative is of the name it is made from, and of those that this one is short for."""
    assert fold(full) in hypocorisms.given_names(fold(diminutive))


@pytest.mark.parametrize("word", ["minha", "vinho", "leão", "linho", "João", "Ana", "Eva", "tia", "mão"])
def test_no_diminutives(word: str) -> None:
    """Words that only end like one are of no name."""
    assert hypocorisms._undiminished(fold(word)) == frozenset()


@pytest.mark.parametrize(
    ("diminutive", "other"), [("Aninha", "Ano"), ("Paulinho", "Paula"), ("Rosinha", "Roso"), ("Evinha", "Ev")]
)
def test_a_diminutive_keeps_the_gender(diminutive: str, other: str) -> None:
    """A diminutive in -a is of no name in -o, nor the other way round, and a name of three letters keeps its vowel."""
    assert fold(other) not in hypocorisms.given_names(fold(diminutive))
