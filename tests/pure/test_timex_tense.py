"""Claims about the verbs beside an undirected name: which way they make it lean, and what still goes on."""

from __future__ import annotations

import pytest

from arandu_lab.pure.timex.spans import Language
from arandu_lab.pure.timex.tense import lasts, lean, turned


def place(text: str) -> tuple[str, int, int]:
    """A text without its brackets, and what stood between them."""
    start, end = text.index("["), text.index("]")
    return text.replace("[", "").replace("]", ""), start, end - 1


@pytest.mark.parametrize(
    ("language", "text", "way"),
    [
        ("en", "i saw her [on friday]", -1), ("en", "i will see her [on friday]", 1), ("en", "[on friday]", 0),
        ("en", "i said i will go [on friday]", 1), ("en", "i will go as i said [on friday]", -1),
        ("en", "[on friday] i went and will go", -1), ("en", "[on friday] i went and will go as i said", -1),
        ("en", "[on friday] i will go as i went and said i did", 1), ("en", "[on friday] i went, will go and went", -1), ("en", "[on friday] i will go as i said", 1),
        ("en", "i went and [on friday] i will go", -1), ("en", "i went. [on friday]", 0), ("en", "[on friday]. i will go", 0),
        ("en", "i went, but [on friday] i will go", 1), ("en", "[on friday], but i went", 0), ("en", "i'll go [on friday]", 1),
        ("en", "we're meeting [on friday]", 1), ("en", "i need it [on friday]", 0),
        ("pt", "fui [na sexta]", -1), ("pt", "vou [na sexta]", 1), ("pt", "[na sexta]", 0), ("pt", "disse que vou [na sexta]", 1),
        ("pt", "vou como disse [na sexta]", -1), ("pt", "[na sexta] fui e vou", -1), ("pt", "[na sexta] vou como disse", 1),
        ("pt", "fui, mas [na sexta] vou", 1), ("pt", "viajei [na sexta]", -1), ("pt", "viajarei [na sexta]", 1),
        ("pt", "o museu [na sexta]", 0),
    ],
)  # fmt: skip
def test_lean(language: Language, text: str, way: int) -> None:
    """B: the nearest verb of the clause decides, one before the name counts as nearer; without one it does not lean."""
    assert lean(*place(text), language) == way


@pytest.mark.parametrize(
    ("language", "text", "on"),
    [
        ("en", "i have lived here [for three years]", True), ("en", "i lived here [for three years]", False),
        ("en", "[for three years] i have lived here", True), ("en", "i haven't been there [in two weeks]", True),
        ("en", "i have been there [in two weeks]", False), ("en", "[in two weeks] i have known him", False),
        ("en", "i have lived here. i ran [for two weeks]", False),
        ("pt", "moro aqui [ha 3 anos]", True), ("pt", "morei aqui [ha 3 anos]", False), ("pt", "[ha 3 anos] moro aqui", True),
        ("pt", "me mudei e moro aqui [ha 3 anos]", False), ("pt", "moro aqui. mudei [ha 3 anos]", False),
    ],
)  # fmt: skip
def test_lasts(language: Language, text: str, on: bool) -> None:
    """B: a length of time is of what goes on if a perfect or a present says so in its clause, and no past verb before it."""
    assert lasts(*place(text), language) == on


@pytest.mark.parametrize(
    ("text", "age"),
    [
        ("theo [faz seis anos] dia 12", True), ("theo [faz seis anos] no dia 12", True), ("o theo [fez seis anos]", True),
        ("no domingo o theo [faz seis anos]", True), ("minha filha [faz 2 meses]", True), ("ela ja [fez 40 anos]", True),
        ("a filha da ana [faz dez anos]", True), ("sei que ele [faz dez anos]", True), ("a gente [faz dez anos] de casados", True),
        ("theo [faz seis anos]", False), ("mudei [faz seis anos]", False), ("mudei [faz seis anos] hoje", False), ("[faz seis anos] que mudei", False),
        ("ela [faz dois anos] que mora aqui", False), ("o curso terminou [faz dez anos]", False), ("moro em recife [faz dez anos]", False),
        ("isso [faz dez anos]", False), ("ja [faz dez anos]", False), ("hoje [faz dez anos]", False), ("ela veio. [faz dez anos]", False),
        ("o theo [ha seis anos]", False),
    ],
)  # fmt: skip
def test_turned(text: str, age: bool) -> None:
    """B: "faz N anos" is an age or an anniversary behind who turns it, or behind a word that is no verb before the day."""
    assert turned(*place(text)) == age
