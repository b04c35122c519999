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
