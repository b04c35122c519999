"""A lexicon of classes: what a question names, what a turn says, what is refused; and the two that ship."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab import lexica
from arandu_lab.errors import ConfigError
from arandu_lab.lexica import lexicon
from arandu_lab.pure.cues import asking_words
from arandu_lab.pure.hyponyms import LONGEST, Hyponyms
from arandu_lab.pure.stems import LANGUAGES, stems
from arandu_lab.pure.text import fold

SMALL = Hyponyms.read(
    """# A comment, and a line without anything

instrument, instruments, musical instrument : cello, French horn, drum
food : +fruit, pasta
fruit : apple, +citrus
citrus : lemon, orange
loop : +back, one
back : +loop, two
music : jazz""",
    "en",
)

EVERYDAY = {
    "en": """instrument: cello, sport: tennis, country: France, city: Lisbon, book: novel, film: thriller, pet: hamster,
    bird: owl, insect: butterfly, food: pasta, dessert: brownie, fruit: banana, vegetable: carrot, drink: coffee, job: nurse,
    feeling: happy, hobby: reading, craft: knitting, game: chess, toy: doll, dance: ballet, music: jazz, illness: flu,
    allergy: peanuts, clothes: dress, jewelry: necklace, furniture: sofa, tool: hammer, vehicle: truck, colour: purple,
    flower: tulip, season: autumn, weather: rain, religion: Catholic, language: Spanish, family: sister, event: wedding,
    gift: bracelet, subject: biology, relax: yoga""",
    "pt": """instrumento: violoncelo, esporte: tênis de mesa, país: França, cidade: Lisboa, livro: romance, filme: suspense,
    animal: hamster, pássaro: coruja, inseto: borboleta, comida: macarrão, sobremesa: pudim, fruta: banana, legume: cenoura,
    bebida: café, profissão: enfermeira, sentimento: feliz, passatempo: leitura, artesanato: tricô, jogo: xadrez,
    brinquedo: boneca, dança: balé, música: samba, doença: gripe, alergia: amendoim, roupa: camisa, joia: pulseira,
    móvel: sofá, ferramenta: martelo, veículo: caminhão, cor: roxo, flor: tulipa, estação: outono, clima: chuva,
    religião: católico, língua: espanhol, parente: irmã, evento: casamento, presente: buquê, matéria: biologia,
    relaxar: ioga""",
}
"""Classes that anybody may ask for, and a member of each."""

LINES = st.lists(
    st.sampled_from(
        (
            "She plays the CELLO",
            "Eu toco violoncelo",
            "a café in São Paulo",
            "Ela tem uma irmã",
            "two owls",
            "",
            "!?",
            "com",
        )
    ),
    max_size=4,
).map(" ".join)


def test_a_class_takes_in_members_and_the_members_of_others() -> None:
    """``+word`` takes in the members of a class, and what that one takes in; classes that take in each other hold the same."""
    numbers = {" ".join(phrase): number for phrase, number in SMALL.members.items()}
    assert set(SMALL.classes[("food",)]) == {numbers[one] for one in ("appl", "lemon", "orang", "pasta")}
    assert set(SMALL.classes[("fruit",)]) == {numbers[one] for one in ("appl", "lemon", "orang")}
    assert SMALL.classes[("loop",)] == SMALL.classes[("back",)] == {numbers["one"], numbers["two"]}


@pytest.mark.parametrize("line", ["no colon here", ": cello", "instrument :", ",: cello", "instrument: , ,"])
def test_a_malformed_line_is_refused_with_its_number(line: str) -> None:
    """A line without a colon, a class word or a member is refused, and the message says where it stands."""
    with pytest.raises(ConfigError, match=r"en\.txt:3"):
        Hyponyms.read(f"pet: cat\n\n{line}", "en", "en.txt")


def test_an_unknown_class_is_refused_by_name() -> None:
    """``+word`` of a class that nobody wrote is refused, with the name and the nearest known one."""
    with pytest.raises(ConfigError, match=r"'\+instrumet' of 'hobby'; did you mean 'instrument'"):
        Hyponyms.read("instrument: cello\nhobby: +instrumet", "en")


@given(st.lists(st.text(st.sampled_from("ab ,:+#!\n"), max_size=12), max_size=4).map("\n".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Whatever stands in a file, reading ends: with a lexicon whose classes hold numbers of members, or with a ConfigError."""
    try:
        made = Hyponyms.read(text, "en")
    except ConfigError:
        return
    assert set().union(*made.classes.values()) <= set(made.members.values())


def test_only_the_phrase_of_a_phrase_and_its_word() -> None:
    """A question for a musical instrument asks for no music; one for music and an instrument asks for both, in order."""
    assert SMALL.named("Which musical instruments?") == (("musical", "instrument"),)
    assert SMALL.named("Which music and what instruments?") == (("music",), ("instrument",))


def test_a_question_word_names_no_class() -> None:
    """A class word that is a question word, or nothing but function words, is left out of the lexicon."""
    made = Hyponyms.read("what, when, how many, what food : pasta", "en")
    assert set(made.classes) == {("what", "food")}


def test_what_the_question_says_is_not_wanted() -> None:
    """Who asks for instruments other than the cello wants no cello; who says all members of a class wants none."""
    ((worth, held),) = SMALL.wanted("Which instruments does she play, but for the cello?")
    assert held == SMALL.classes[("instrument",)] - set(SMALL.said("cello"))
    assert worth > 0.0
    assert SMALL.wanted("Is jazz the only music?") == ()


def test_the_smaller_class_tells_more() -> None:
    """A class counts the more the fewer members it has: fruit more than food."""
    ((food, _),), ((fruit, _),) = SMALL.wanted("Which food?"), SMALL.wanted("Which fruit?")
    assert fruit > food > 0.0


@given(text=LINES, language=st.sampled_from(LANGUAGES))
def test_what_is_said_is_a_set_of_stems(text, language) -> None:
    """Members come ascending and once each, the same in capitals, without accents, and when everything is said twice."""
    known = lexicon(language)
    said = known.said(text)
    assert list(said) == sorted(set(said))
    assert said == known.said(text.upper()) == known.said(fold(text))
    assert set(said) <= set(known.said(f"{text}; {text}"))
    assert known.named(text.upper()) == known.named(fold(text))


@given(text=LINES, question=LINES, language=st.sampled_from(LANGUAGES))
def test_what_is_wanted_has_worth(text, question, language) -> None:
    """Each class that is wanted has members left, none that the question says, and a worth that is not below 0."""
    for worth, held in lexicon(language).wanted(f"{question} {text}"):
        assert held
        assert worth >= 0.0
        assert not held & set(lexicon(language).said(question))


@pytest.mark.parametrize(
    ("language", "question", "turn"),
    [
        ("en", "Which instruments does Ana play?", "I bought two cellos"),
        ("en", "What does Ana do to relax?", "My yoga class was fun"),
        ("pt", "Que instrumentos a Ana toca?", "Comprei dois violoncelos"),
        ("pt", "Em que países a Ana esteve?", "Voltei da França ontem"),
    ],
)
def test_a_class_word_finds_a_member(language, question, turn) -> None:
    """A member is found in another form than it is written in, though it shares no word with the question."""
    known = lexicon(language)
    assert not set(stems(question, language)) & set(stems(turn, language))
    assert any(held & set(known.said(turn)) for _, held in known.wanted(question))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_ships_is_whole(language) -> None:
    """Of the lexicon that ships every class has 5 members or more, and every phrase is short enough to be looked up."""
    known = lexicon(language)
    assert {name: len(held) for name, held in known.classes.items() if len(held) < 5} == {}
    assert [phrase for phrase in (*known.members, *known.classes) if not 1 <= len(phrase) <= LONGEST] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_member_that_ships_is_a_function_word(language) -> None:
    """No member is a function word, as it is written."""
    text = Path(lexica.__file__).with_name(f"hyponyms_{language}.txt").read_text(encoding="utf-8")
    lines = [line.partition(":")[2] for line in text.splitlines() if not line.startswith("#")]
    members = {fold(one.strip()) for line in lines for one in line.split(",")}
    assert members & asking_words() == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_function_words_say_nothing(language) -> None:
    """A function word or question word alone says no member and names no class, though its stem be that of another word
    ("com" and "comer", "pra" and "praia", "nas" and "NASA")."""
    known = lexicon(language)
    assert {word for word in asking_words() if known.said(word) or known.named(word)} == set()


def test_a_word_with_the_stem_of_a_function_word_is_found() -> None:
    """The words that share a stem with a function word are found all the same."""
    known = lexicon("pt")
    assert known.named("O que a Ana gosta de comer?")
    assert known.said("Fomos à praia") == known.said("praia") != ()
    for question in ("Com quem a Ana foi?", "Como foi o dia?", "O que a Ana tem?", "Quem foi pra lá?"):
        assert known.named(question) == (), question


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_ships_knows_everyday_classes(language) -> None:
    """Forty classes that anybody may ask for are named by their word, and hold a member that anybody would expect."""
    known = lexicon(language)
    asked = [pair.split(":") for pair in EVERYDAY[language].split(",")]
    missed = [
        (name.strip(), member)
        for name, member in asked
        if not any(known.classes[one] & set(known.said(member)) for one in known.named(name))
    ]
    assert missed == []
    assert len(asked) == 40


def test_a_name_names_no_class() -> None:
    """A word with a capital inside the question is somebody's name: Sônia does not ask about sleep (sono), nor Rosa about flowers."""
    known = Hyponyms.read("sono: dormir, cochilo\nrosa: botão, pétala", "pt")
    assert known.named("Onde a Sônia mora?") == ()
    assert known.named("Quem viu a Rosa?") == ()
    assert known.named("Que rosa a Sônia plantou?") == (("rosa",),)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("sono: cochilo", "Onde a dona sônica mora?"),
        ("mar: baleia", "O que o marido da Ana faz?"),
        ("medo: fobia", "Qual era a média dele?"),
        ("luto: velório", "Que luta ela pratica?"),
        ("tempero: manjericão", "Qual é o temperamento dela?"),
    ],
)
def test_a_class_is_named_by_its_own_word(text: str, question: str) -> None:
    """What shares a stem with a class word and is another word names no class."""
    assert Hyponyms.read(text, "pt").named(question) == ()


@pytest.mark.parametrize(
    ("said", "other"),
    [("Ela mora aqui", "moreia"), ("Três meses", "mesada"), ("Na sala", "salada"), ("Mil vezes", "Milei")],
)
def test_a_short_stem_is_no_word(said: str, other: str) -> None:
    """A member whose stem has three letters or fewer in Portuguese is said by its own forms, and by no other word."""
    known = Hyponyms.read(f"classe: {other}", "pt")
    assert known.said(said) == ()
    assert known.said(f"Que {other}!") == (0,)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_common_given_name_names_no_class(language) -> None:
    """A question about somebody by a name that is also a word asks for no class, wherever that stands."""
    known = lexicon(language)
    for name in ("Bill", "Faith", "Hope", "Joy", "Rose", "Sônia", "Rita", "Flora", "Vitória", "Lara", "Marco", "Dora"):
        assert known.named(f"Onde a {name} mora?" if language == "pt" else f"Did {name} leave?") in ((), (("mora",),))
