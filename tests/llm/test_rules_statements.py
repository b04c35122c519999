"""What the offline model takes for a statement, and of whom: no tautologies, no code, names beside names."""

from __future__ import annotations

from typing import Any

import pytest

from arandu_lab.llm.rules import answer


def told(message: str, speaker: str = "Rafael") -> list[tuple[str, str]]:
    """(subject, text) of the facts of a message."""
    inputs = {"message": message, "speaker": speaker, "sent_at": "2025-05-10T10:00:00+00:00"}
    found: list[dict[str, Any]] = answer("facts", inputs)["facts"]
    return [(fact["subject"], fact["text"]) for fact in found]


@pytest.mark.parametrize(
    ("message", "fact"),
    [
        ("My cat is called Mia.", "Rafael has a cat called Mia"),
        ("Minha gata se chama Mia.", "Rafael tem uma gata chamada Mia"),
        ("I have a dog called Rex and a cat called Mia.", "Rafael has a dog called Rex and a cat called Mia"),
        ("Tenho um cachorro chamado Rex e uma gata chamada Mia.", "Rafael tem um cachorro chamado Rex e uma gata chamada Mia"),
        ("I bought a house and a cat called Mia.", "Rafael bought a house and a cat called Mia"),
        ("My sister is called Ana.", "Rafael's sister is Ana"),
    ],
)  # fmt: skip
def test_d2_a_name_is_no_fact_of_its_bearer(message: str, fact: str) -> None:
    """Neither *Mia is called Mia* nor *A cat called Mia*: one fact, and whose it is."""
    assert [text for _, text in told(message)] == [fact]


def test_d2_what_is_called_may_act() -> None:
    """*Called* before a name is no verb; the verb comes after."""
    assert told("A dog called Rex bit Ana in Recife.") == [("Rex", "A dog called Rex bit Ana in Recife")]


@pytest.mark.parametrize("speaker", ["Rafael", "-"])
@pytest.mark.parametrize(
    "message",
    [
        '{"name": "Ana", "bio": "I live in Recife"}',
        '[{"text": "I work at Itau"}, {"text": "Moro em Recife"}]',
        '{\n  "bio": "I live in Recife",\n  "more": [\n    "I work at Itau",\n  ]\n',
        "{'bio': 'Moro em Recife'}",
        'def home():\n    # I live in Recife\n    return "I live in Recife"\n',
        'import os\nprint("I live in Natal")',
        'x = "Moro em Recife"',
        'const a = {city: "I live in Recife"};\nconsole.log(a);',
        'SELECT * FROM users WHERE bio = "I live in Recife";',
        "// I live in Recife\nint main() {\n  return 0;\n}",
        "<p>I live in Recife</p>",
        "```\nMoro em Recife\n```",
    ],
)
def test_d3_nobody_states_anything_in_code(message: str, speaker: str) -> None:
    """JSON, source lines and markup give no facts, whoever sends them."""
    assert told(message, speaker) == []


@pytest.mark.parametrize(
    ("message", "facts"),
    [
        ('See {"city": "I live in Olinda"}. I live in Recife.', ["Rafael lives in Recife"]),
        ('Segue o código:\nprint("I live in Olinda")\nMoro em Recife.', ["Rafael mora em Recife"]),
        ("# About me\nI live in Recife;\nI work at Itau;", ["Rafael lives in Recife", "Rafael works at Itau"]),
        ("(I live in Recife)", ["Rafael lives in Recife"]),
        ('"Moro em Recife"', ["Rafael mora em Recife"]),
        ("For the record: I live in Recife", ["Rafael lives in Recife"]),
        ("Update: I moved to Natal (again)", ["Rafael lives in Natal"]),
        ("bio: moro em Recife", ["Rafael mora em Recife"]),
    ],
)
def test_d3_prose_around_and_beside_code_is_read(message: str, facts: list[str]) -> None:
    """Only the code is left out; parentheses, colons, bullets and quotes are no code."""
    assert [text for _, text in told(message)] == facts


@pytest.mark.parametrize(
    ("message", "home"),
    [
        ("Hoje mudei para Natal.", "Rafael mora em Natal"),
        ("Hoje mudei pra Natal.", "Rafael mora em Natal"),
        ("Hoje a gente se mudou para Natal.", "Rafael mora em Natal"),
        ("Hoje nos mudamos para Natal.", "Rafael mora em Natal"),
        ("Acabei de me mudar para Natal.", "Rafael mora em Natal"),
        ("Mudei para Natal no Natal.", "Rafael mora em Natal"),
        ("Today I moved to Natal.", "Rafael lives in Natal"),
        ("I moved to the US", "Rafael lives in the US"),
        ("Today I moved to the US with my sister.", "Rafael lives in the US"),
    ],
)
def test_d4_e1_a_move_tells_the_home(message: str, home: str) -> None:
    """Natal is the city after *mudar para*, not the feast; the US is a country, not *us*."""
    found = [text for _, text in told(message)]
    assert found[0] == home
    assert all("the him" not in text and "dezembro" not in found[0] for text in found)


def test_d4_the_feast_stays_a_date() -> None:
    """What is moved to Christmas is a date."""
    assert not any("mora" in text for _, text in told("Mudei a reunião para o Natal."))


@pytest.mark.parametrize(
    ("message", "fact"), [("Ana told us the news.", "Ana told Rafael the news"), ("Ana visited us.", "Ana visited Rafael")]
)  # fmt: skip
def test_e1_us_is_still_us(message: str, fact: str) -> None:
    """In small letters and without an article it is a pronoun."""
    assert told(message) == [("Ana", fact)]


@pytest.mark.parametrize(
    ("message", "fact"),
    [
        ("Carol (namorada do Rafael) trabalha na Vertix", ("Carol", "Carol trabalha na Vertix")),
        ("Carol (namorada do Rafael) trabalha na Vertix", ("Carol", "Carol é namorada de Rafael")),
        ("Carol (Rafael's girlfriend) works at Vertix", ("Carol", "Carol works at Vertix")),
        ("Ana (my sister) moved to Natal", ("Ana", "Ana lives in Natal")),
        ("A Ana (minha irmã) comprou um carro", ("Ana", "Ana comprou um carro")),
        ("My mom (Lucia) lives in the US", ("Lucia", "Lucia lives in the US")),
        ("Minha mãe (Lúcia) mora em Natal", ("Lúcia", "Lúcia mora em Natal")),
        ("O Guili (Guilherme Maturana) comprou um barco", ("Guilherme Maturana", "Guilherme Maturana comprou um barco")),
        ("My friend Bob (Robert Hall) bought a boat.", ("Robert Hall", "Robert Hall bought a boat")),
    ],
)  # fmt: skip
def test_e1_a_parenthesis_after_a_name_hides_no_verb(message: str, fact: tuple[str, str]) -> None:
    """Who somebody is, or is also called, stands between the name and what is said of it."""
    assert fact in told(message)


def test_e1_whose_somebody_is_is_no_alias() -> None:
    """*Carol (Rafael's girlfriend)* are two people."""
    found = told("Carol (Rafael's girlfriend) works at Vertix")
    assert ("Rafael", "Rafael works at Vertix") not in found
