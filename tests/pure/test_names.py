"""Who a name stands for, decided without a model."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.pure import names
from arandu_lab.pure.names import Known
from arandu_lab.pure.text import ident
from arandu_lab.records import Entity, Resolved

NOW = datetime(2025, 1, 1, tzinfo=UTC)


def known(*people: str, **others: str) -> Known:
    """Persons by name, and things by name and type."""
    entities = {f"person:{ident(name)}": (name, "person") for name in people}
    entities |= {f"{kind}:{ident(name)}": (name, kind) for name, kind in others.items()}
    aliases: dict[str, tuple[str, ...]] = {}
    for key, (name, _) in entities.items():
        aliases[ident(name)] = (*aliases.get(ident(name), ()), key)
    return Known(
        aliases, {k: Entity(key=k, agent_id="a", name=n, type=t, recorded_at=NOW) for k, (n, t) in entities.items()}
    )


def match(
    name: str, type: str = "person", known: Known | None = None, speaker: str = "Rafael", terms: str = "speaker"
) -> Resolved:
    return names.match(
        name,
        type,
        speaker_key="person:rafael",
        speaker=speaker,
        known=known or Known({}, {}),
        relationship_terms=terms,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    "name", ["I", "me", "myself", "eu", "mim", "a gente", "Rafael", "RAFAEL", "the user", "usuário", "the speaker"]
)
@pytest.mark.parametrize("type", ["person", "concept", "user", "relative"])
def test_the_speaker(name: str, type: str) -> None:
    """Pronouns and the speaker's own name are the speaker, whatever word a model has for a person."""
    assert match(name, type).how == "speaker"


@pytest.mark.parametrize(
    ("name", "type"),
    [
        ("US", "country"),
        ("Rafael", "pet"),
        ("Eu", "company"),
        ("Nós", "film"),
        ("Mother", "brand"),
        ("Amigo", "organization"),
    ],
)
def test_things_are_not_the_speaker(name: str, type: str) -> None:
    """B8: what is typed as a thing is no pronoun, no speaker and no relative."""
    assert match(name, type).how == "pending"


def test_an_emoji_speaker_is_not_every_emoji() -> None:
    """B3: an empty fold matches nothing: a speaker called 🌵 is not 🍕."""
    assert match("🍕", speaker="🌵").how == "pending"
    assert match("🌵", speaker="🌵").how == "speaker"
    assert match("...", speaker="🌵").how == "pending"


@pytest.mark.parametrize("name", ["mãe", "my mother", "o pai", "minha irmã", "girlfriend", "amigo", "the boss"])
def test_relationship_words(name: str) -> None:
    """W15: a bare word, with or without a possessive, is a role; with a name or another owner it is not."""
    assert match(name).how == ("relationship_term" if name != "the boss" else "pending")
    assert match(f"{name} Ana").how == "pending"
    assert match("his mother").how == "pending"


def test_exact_prefers_its_own_type() -> None:
    """W14: among namesakes the one of the mention's type wins over one of no type; equals stay candidates."""
    held = Known(
        {"lua": ("concept:lua", "pet:lua")},
        {
            k: Entity(key=k, agent_id="a", name="Lua", type=k.split(":")[0], recorded_at=NOW)
            for k in ("concept:lua", "pet:lua")
        },
    )
    assert match("Lua", "pet", held).key == "pet:lua"
    assert match("Lua", "organization", held).key == "concept:lua"
    assert match("Lua", "concept", held).key == "concept:lua"
    assert match("Lua", "other", held).candidates == ("concept:lua", "pet:lua")


def test_prefix() -> None:
    """W14: one person of three letters or more; two fit: candidates; none of another type."""
    assert match("Carol", known=known("Carolina", "Ana")).key == "person:carolina"
    assert match("Carol", known=known("Carolina", "Caroline")).candidates == ("person:carolina", "person:caroline")
    assert match("Ca", known=known("Carolina")).candidates == ()
    assert match("Carol", "place", known("Carolina")).how == "pending"
    assert match("Carol", known=known(Carolina="place")).key is None
    assert match("Carol", "woman", known("Carolina")).how == "prefix", "types are free words"


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("lote 17", "lote 71", True),
        ("rua a", "rua b", True),
        ("rafael", "rafaela", True),
        ("francisco", "francisca", True),
        ("joao p", "joao pedro", True),
        ("juli", "julia", False),
        ("carol", "carolina", False),
        ("guili", "guilherme", False),
        ("", "ana", True),
    ],
)
def test_vetoes(one: str, other: str, apart: bool) -> None:
    """B4: what likeness must not bridge, either way round."""
    assert names.vetoed(one, other) == names.vetoed(other, one) == apart


@given(st.text(), st.text())
def test_veto_is_symmetric(one: str, other: str) -> None:
    """Which name comes first does not matter."""
    assert names.vetoed(ident(one), ident(other)) == names.vetoed(ident(other), ident(one))


def test_bands() -> None:
    """The documented bands: .85 and above resolves, .50 to there asks the best three, below is new; equals tie."""
    pending = Resolved(name="Guili", type="person", key=None, how="pending")

    def bands(*scores: tuple[str, float]) -> Resolved:
        return names.bands(pending, scores, fuzzy_threshold=0.85, fuzzy_floor=0.50, fuzzy_candidates=3)

    assert (bands(("a", 0.85)).key, bands(("a", 0.85)).how) == ("a", "fuzzy")
    assert bands(("a", 0.84), ("b", 0.5), ("c", 0.6), ("d", 0.7)).candidates == ("a", "d", "c")
    assert bands(("a", 0.49)).how == "new"
    assert bands(("b", 0.9), ("a", 0.9)).candidates == ("a", "b")
    assert names.settle(bands(("b", 0.9), ("a", 0.9)), None).how == "ambiguous"
    assert names.settle(bands(("a", 0.84)), None).how == "new"
    assert names.settle(bands(("a", 0.84)), 0).key == "a"
    assert names.settle(bands(("a", 0.84)), 5).how == "new"
    assert names.settle(bands(("a", 0.84)), -1).how == "new"


def test_hints() -> None:
    """W24, B6: a role and whose, another name, or only a description."""
    assert names.split_hint("Ana (my wife)")[1] == names.Hint("my wife", role="wife")
    assert names.split_hint("Zé (amigo do meu irmão)")[1] == names.Hint("amigo do meu irmão", role="friend", owner="")
    assert names.split_hint("Bia (irmã do João da Silva, de Recife)")[1] == names.Hint(
        "irmã do João da Silva, de Recife", role="sister", owner="João da Silva"
    )
    assert names.split_hint("Ana (Rafael's wife)")[1] == names.Hint("Rafael's wife", role="wife", owner="Rafael")
    assert names.split_hint("IPB (Instituto de Pesquisa)")[1] == names.Hint("Instituto de Pesquisa", alias=True)
    assert names.split_hint("Orion (startup)") == ("Orion", names.Hint("startup"))
    assert names.split_hint("(só isto)") == ("(só isto)", None)
    assert names.split_hint("a ()") == ("a ()", None)


@given(st.text())
def test_split_hint_keeps_a_name(text: str) -> None:
    """Whatever is written, a name that was not blank does not become so."""
    name, _ = names.split_hint(text)
    assert bool(name.strip()) == bool(text.strip())


@pytest.mark.parametrize(
    "name",
    [
        "a chefe",
        "A Chefe",
        "the boss",
        "The boss",
        "ele",
        "projeto",
        "bicicleta",
        "my mother",
        "uma amiga",
        "user",
        "🌵",
        "",
    ],
)
def test_no_alias(name: str) -> None:
    """B7: pronouns, roles, common nouns and what has no letters are nobody's other name."""
    assert not names.may_be_alias(name)


def test_likeness_is_bounded() -> None:
    """Names of thousands of letters are equal or not; below the floor nothing is computed in full."""
    assert names.likeness("a" * 5000, "a" * 4999) == 0.0
    assert names.likeness("a" * 5000, "a" * 5000) == 1.0
    assert names.likeness("guili", "guilherme") == names.likeness("guili", "guilherme", floor=0.5) > 0.5
    assert names.likeness("ana", "xyz", floor=0.5) == 0.0


@given(st.text(min_size=1), st.integers(0, 4))
def test_new_keys_are_new(name: str, held: int) -> None:
    """A new key was not taken, and namesakes are numbered."""
    taken: dict[str, object] = {}
    for _ in range(held):
        taken[names.new_key("person", name, taken)] = 1
    assert len(taken) == held
    assert names.new_key("person", name, taken) not in taken


def test_the_type_that_is_said_comes_first() -> None:
    """B8, W14: of namesakes the one of the very type said is meant, then those of a like type; of several none is chosen."""
    both = Known({"ana": ("place:ana", "city:ana", "pet:ana")}, {})
    assert match("Ana", "city", both).key == "city:ana"
    assert match("Ana", "town", both).candidates == ("place:ana", "city:ana")
    assert match("Ana", "pet", both).key == "pet:ana"
    assert match("Ana", "concept", both).candidates == ("place:ana", "city:ana", "pet:ana")
    assert match("Ana", "product", both).candidates == ()
    assert match("Ana", "pet", both).type == "pet"


@pytest.mark.parametrize(
    ("mode", "name", "how", "keys"),
    [
        ("off", "Beto", "pending", ()), ("ask", "Beto", "pending", ("person:roberto lima",)), ("resolve", "Beto", "prefix", ("person:roberto lima",)),
        ("ask", "Roberto", "prefix", ("person:roberto lima",)), ("resolve", "José Dias", "pending", ("person:ze",)), ("ask", "Zé", "exact", ("person:ze",)),
    ],
)  # fmt: skip
def test_short_forms(mode: str, name: str, how: str, keys: tuple[str, ...]) -> None:
    """W14: a short form of the only bearer decides, or asks, or counts nothing; of a fuller name a model is always asked."""
    people = known("Roberto Lima", "Zé")
    found = names.match(
        name, "person", speaker_key="person:rafael", speaker="Rafael", known=people, relationship_terms="speaker", nicknames=mode,  # type: ignore[arg-type]
    )  # fmt: skip
    assert found.how == how
    assert (found.candidates or ((found.key,) if found.key else ())) == keys


@pytest.mark.parametrize(
    ("name", "speaker", "key"),
    [
        ("mãe", "Rafael", "person:rafael_mother"), ("minha mãe", "Rafael", "person:rafael_mother"), ("mãe do Rafael", "Rafael", "person:rafael_mother"),
        ("Rafael's mother", "Rafael", "person:rafael_mother"), ("mother of Rafael", "Rafael", "person:rafael_mother"),
        ("mãe da Ana", "Rafael", None), ("Ana's mother", "Rafael", None), ("mãe de Rafael Lima", "Rafael", None), ("Rafael's hat", "Rafael", None),
    ],
)  # fmt: skip
def test_whose_mother(name: str, speaker: str, key: str | None) -> None:
    """W15: a role alone, or by its owner where that is the speaker, is the speaker's; of another it is not."""
    found = match(name, speaker=speaker, terms="role")
    assert found.key == key
    assert found.name == ("Rafael's mother" if key else name)
    assert match("mãe", terms="speaker").name == "Rafael"


def test_prefixes_want_three_letters_and_a_person() -> None:
    """W14: three characters begin a person's name, two do not; a name is no prefix of itself, and each person counts once."""
    people = known("Carolina")
    assert names.prefix_matches("car", people) == ["person:carolina"]
    assert names.prefix_matches("ca", people) == []
    assert names.prefix_matches("carolina", people) == []
    twice = Known({"carol lima": ("person:c",), "carol reis": ("person:c", "person:d")}, {})
    assert names.prefix_matches("carol", twice) == ["person:c", "person:d"]


def test_bands_at_their_bounds() -> None:
    """W14: what differs by less than a millionth ties; a tie within the lower band keeps the order of likeness, then of keys."""
    pending = Resolved(name="G", type="person", key=None, how="pending")

    def bands(*scores: tuple[str, float], most: int = 2) -> Resolved:
        return names.bands(pending, scores, fuzzy_threshold=0.85, fuzzy_floor=0.50, fuzzy_candidates=most)

    assert bands(("a", 0.9), ("b", 0.9 - 5e-7)).candidates == ("a", "b")
    assert bands(("a", 0.9), ("b", 0.9 - 2e-6)).key == "a"
    assert bands(("a", 0.9), ("b", 0.86)).score == 0.9
    assert (bands(("b", 0.6), ("a", 0.6), ("c", 0.7)).candidates, bands(("c", 0.7)).score) == (("c", "a"), 0.7)
    assert bands(("a", 0.5)).candidates == ("a",)
    assert bands().how == "new"
    one = Resolved(name="G", type="person", key=None, how="pending", candidates=("a",))
    assert names.settle(one, None).how == "new", "a lone candidate that nobody chose is another"
    assert names.settle(bands(("a", 0.7), ("b", 0.6)), None).how == "new"
    assert (names.settle(bands(("a", 0.7), ("b", 0.6)), 1).key, names.settle(one, 1).how) == ("b", "new")


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [("lu", "la", False), ("luo", "lua", True), ("ana b", "ana b", False), ("ana b", "b ana", False), ("ana 2", "ana", True),
     ("mario souza", "maria souza", True), ("ana mario", "ana maria", False), ("li", "lia", False), ("le", "lea", True)],
)  # fmt: skip
def test_vetoes_at_their_bounds(one: str, other: str, apart: bool) -> None:
    """B4: the first word tells the gender, from three letters on where it ends in o or a; marks count wherever they stand."""
    assert names.vetoed(one, other) == names.vetoed(other, one) == apart


def test_the_next_free_number() -> None:
    """A namesake gets the first number that is free."""
    taken: dict[str, object] = {"person:ana": 1, "person:ana_2": 1, "person:ana_4": 1}
    assert names.new_key("person", "Ana", taken) == "person:ana_3"
