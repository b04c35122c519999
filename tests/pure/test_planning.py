"""What a question asks for, without a model."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arandu_lab.pure import planning

GREETINGS = """
oi; Oi!; oiii; olá; Olá, tudo bem?; oi, tudo bem?; e aí; E aí!; e aí, beleza?; bom dia; Bom dia!; boa tarde, pessoal
boa noite; opa, tudo certo?; fala aí; salve; tudo bem com você?; como vai?; como você está?; oi, bom dia, tudo bem?
obrigado!; muito obrigada; valeu; tchau; até logo; até amanhã!; oi 👋
hi; Hello!; hey there; hi there, how are you?; good morning; Good evening, everyone; what's up?; how's it going?
thanks!; thank you so much; bye; see you later; heyyy; hello, nice to meet you; ok
"""

RECALL_PT = """
Onde eu moro?; Qual é o meu nome?; Oi, onde a Ana mora?; Bom dia, o que eu combinei com o Pedro?
E aí, qual era o nome do restaurante?; Tudo bem com a minha mãe?; Como vai o projeto Vertix?; Fala do Rafael
Tudo que você sabe sobre mim; Quem é o meu chefe?; Obrigado, e qual era o e-mail dela?; O que eu falei ontem?
Você lembra do meu aniversário?; Oi, você lembra de mim?; Quando é a reunião?; Qual a boa noite que tive em Recife?
Como a Carla está?; Meu amigo Bruno mora onde?; E o cachorro, como chama?; Ana; amigos; tudo
Bom dia da Clara quando foi?
"""

RECALL_EN = """
Where do I live?; Hi, where does Ana live?; Good morning, what did I agree with Pedro?; How are you and Ana related?
What's up with Vertix?; Thanks, and what was her email?; Who is my boss?; Do you remember me?; friend; Morning runs?
"""


def _lines(table: str) -> list[str]:
    return [line.strip() for line in table.replace("\n", ";").split(";") if line.strip()]


@pytest.mark.parametrize("text", _lines(GREETINGS))
def test_greetings_are_greetings(text):
    """A message that is nothing but greeting, thanks or farewell is one, in both languages (R5)."""
    assert planning.greeting(text)


@pytest.mark.parametrize("text", _lines(RECALL_PT) + _lines(RECALL_EN))
def test_recall_questions_are_never_greetings(text):
    """F3: a question about the memory is never skipped, greeting in front or not."""
    assert not planning.greeting(text)


def test_there_are_twenty_portuguese_questions():
    """The table that guards F3 is not hollow."""
    assert len(_lines(RECALL_PT)) >= 20


@pytest.mark.parametrize(
    ("text", "patterns"),
    [
        ("Quem são meus amigos?", ("person:%",)),
        ("quem são os amigos do Carlos?", ("person:%",)),
        ("who are my friends", ("person:%",)),
        ("meus projetos", ("project:%",)),
        ("What are my projects?", ("project:%",)),
        ("Quais empresas eu conheço?", ("organization:%",)),
        ("who do I know?", ("person:%",)),
        ("minha família", ("person:%",)),
        ("Onde mora meu amigo Carlos?", ()),
        ("Onde eu moro?", ()),
        ("Em qual país eu nasci?", ()),
    ],
)
def test_aggregation(text, patterns):
    """A question about a kind of things gives the pattern of that kind, and only then."""
    assert planning.aggregation(text, {"person", "project", "organization"}) == patterns


def test_aggregation_only_where_the_prefix_exists():
    """No project in memory, no pattern for projects."""
    assert planning.aggregation("meus projetos", {"person"}) == ()


@pytest.mark.parametrize(
    ("text", "wide"),
    [
        ("me conte tudo sobre a Vertix", True),
        ("me conta tudo", True),
        ("Tell me everything about Ana", True),
        ("what do you know about me?", True),
        ("tudo o que você sabe sobre o Rafael", True),
        ("O que aconteceu com a Vertix?", False),
        ("Onde eu moro?", False),
    ],
)
def test_broad(text, wide):
    """An overview is recognised."""
    assert planning.broad(text) is wide


PEOPLE = [
    ("person:carlos", "Carlos"),
    ("person:marcos_tavares", "Marcos Tavares"),
    ("person:marcos_lima", "Marcos Lima"),
    ("person:ana", "Ana"),
    ("person:will_smith", "Will Smith"),
    ("organization:acme_corp", "Acme Corporation"),
    ("person:小林", "小林"),
    ("person:ксения", "Ксения"),
]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("Onde o Carlos mora?", ["person:carlos"]),
        ("onde o CARLOS mora", ["person:carlos"]),
        ("Onde o Marcos Tavares mora?", ["person:marcos_tavares"]),
        ("Onde o Marcos mora?", ["person:marcos_tavares", "person:marcos_lima"]),
        ("A Mariana viu o banana?", []),
        ("what about acme corp and Ana?", ["organization:acme_corp", "person:ana"]),
        ("What does Acme Corporation sell?", ["organization:acme_corp"]),
        ("will it rain?", []),
        ("小林さんはどこに住んでいますか", ["person:小林"]),
        ("Где живёт Ксения?", ["person:ксения"]),
        ("e a Guili?", ["person:marcos_lima", "person:ana"]),
    ],
)
def test_names(text, keys):
    """F2: names, aliases and slugs are found whole, in any case, accent and script; an ambiguous one gives all."""
    found = planning.names(text, {"guili": ("person:marcos_lima", "person:ana")}, PEOPLE)
    assert [key for named in found for key in named.keys] == keys


def test_function_word_as_a_name():
    """ "Will" inside a sentence is a name when written as one."""
    will = [("person:will", "Will")]
    assert planning.names("Where does Will live?", {}, will)
    assert not planning.names("where will it be?", {}, will)


@settings(deadline=None)
@given(st.text(max_size=60))
def test_any_text_has_a_plan(text):
    """No text breaks the planner, and folding case changes no decision."""
    planning.names(text, {}, PEOPLE)
    assert planning.greeting(text) in (True, False)
    assert planning.broad(text) in (True, False)
    assert planning.aggregation(text, {"person"}) in ((), ("person:%",))


def said(text, people, aliases=None, **more):
    """Names and keys that a text names."""
    return [(named.name, named.keys) for named in planning.names(text, aliases or {}, people, **more)]


def test_short_names_and_their_blanks():
    """F2: a name counts from ``min_chars`` on, its blanks included; a shorter one only where the bound is lower."""
    people = [("person:jo", "Jo"), ("person:j_k", "J K"), ("person:bia", "Bia")]
    assert said("onde mora Jo, J K, Bia", people) == [("j k", ("person:j_k",)), ("bia", ("person:bia",))]
    assert [name for name, _ in said("onde mora Jo, J K, Bia", people, min_chars=2)] == ["jo", "j k", "bia"]
    assert [name for name, _ in said("onde mora Jo, J K, Bia", people, min_chars=4)] == []


def test_a_function_word_as_written():
    """F2: a name that is a function word counts with a capital inside a sentence or alone, not at its start nor shouted."""
    will = [("person:will", "Will")]
    assert said("Will", will) == [("will", ("person:will",))]
    assert said("Will it rain", will) == []
    assert said("is Will here", will) == [("will", ("person:will",))]
    assert said("IS WILL HERE", will) == []
    assert said("is will here", will) == []


def test_the_longest_name_wins_its_words():
    """F2: a longer name leaves no shorter one in its words; a first word stands for a person where nothing longer does."""
    people = [("person:ana_maria", "Ana Maria"), ("person:maria", "Maria"), ("project:ana_x", "Ana X"), ("person:maria_b", "Maria B")]  # fmt: skip
    assert said("vi Ana Maria e Maria", people) == [("ana maria", ("person:ana_maria",)), ("maria", ("person:maria",))]
    assert said("vi Ana", people) == [("ana", ("person:ana_maria",))], "of a project no first word stands for it"
    six = {"a b c d e f": ("k",), "a b c d e f g": ("l",)}
    assert said("vi a b c d e f", [], six) == [("a b c d e f", ("k",))]
    assert said("vi ana", [("person:ana", "Ana")], {"ana": ("person:x", "person:ana")}) == [
        ("ana", ("person:x", "person:ana"))]  # fmt: skip


def test_names_without_blanks():
    """F2: in scripts without blanks names stand anywhere, in order of place, once with all their keys; a longer one wins."""
    people = [("person:林", "林"), ("person:小林", "小林")]
    assert said("東京の小林と話す", people, {"東京": ("place:t",), "小林": ("person:x",)}) == [
        ("東京", ("place:t",)),
        ("小林", ("person:x", "person:小林")),
    ]
    assert said("小林と林", people) == [("小林", ("person:小林",)), ("林", ("person:林",))]
    assert said("林と小林", people) == [("林", ("person:林",)), ("小林", ("person:小林",))]
    assert said("小林 mora aqui", people) == [("小林", ("person:小林",))], "between blanks too"


def test_a_directory_grows_apart_from_its_copy():
    """F2: what is added to a copy is not in the first; namesakes share a form in order; the longest form is known."""
    book = planning.Directory.of(
        [("person:ana_lima", "Ana Lima"), ("person:ana_reis", "Ana Reis"), ("person:小林", "小林")]
    )
    assert (book.first["ana"], book.longest, book.dense) == (
        ("person:ana_lima", "person:ana_reis"),
        2,
        [("小林", "person:小林")],
    )
    other = book.copy()
    other.add("project:one_two_three", "One Two Three")
    other.add("person:林", "林")
    assert (book.longest, other.longest, len(book.dense), len(other.dense)) == (2, 3, 1, 2)
    assert "one two three" not in book.whole
    assert (book.prefixes, other.prefixes) == ({"person"}, {"person", "project"})
    assert other.whole["one two three"] == ("project:one_two_three",)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("my old dear friends", True), ("my very old dear friends", False), ("friends of my", False), ("list of friends", True),
        ("friends", False), ("my friends and my projects", True), ("how many friends", True), ("quantos amigos", True),
    ],
)  # fmt: skip
def test_a_kind_close_behind_its_lead(text, wanted):
    """A list is asked for where the kind is named within three words behind what asks for it."""
    assert ("person:%" in planning.aggregation(text, {"person"})) is wanted


def test_patterns_are_sorted_and_fit():
    """Several kinds are given in order, those that exist alone; a key fits by what stands before the sign."""
    assert planning.aggregation("my clients", {"organization", "person", "project"}) == ("organization:%", "person:%")
    assert planning.aggregation("quem eu conheço", {"project"}) == ()
    assert planning.fits("person:ana", ("project:%", "person:%"))
    assert not planning.fits("persona:ana", ("person:%",))
    assert not planning.fits("person:ana", ())


@pytest.mark.parametrize(
    ("text", "greets"),
    [("pessoal", False), ("oi pessoal", True), ("pessoal oi", True), ("tudo", False), ("oi oi", True), ("oi Ana", False), ("Ana oi", False),
     ("thank you so much", True), ("thank you so", False), ("good", False), ("helloooo", True), ("   ", False)],
)  # fmt: skip
def test_nothing_is_left_of_a_greeting(text, greets):
    """A message greets if it is all greeting, and not merely what may stand beside one."""
    assert planning.greeting(text) is greets
