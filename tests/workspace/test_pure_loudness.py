"""S3: capitals change no contradiction, whether a whole statement is shouted or one word of it; both languages."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pairs import LATER_APART, LATER_TOGETHER, TABLES, rows

from arandu_lab.pure.disagreement import disagreement
from arandu_lab.pure.quantities import marked
from arandu_lab.pure.stems import Language

PAIRS = [pair for tables in TABLES.values() for table in tables for pair in table]
PAIRS += rows(LATER_APART) + rows(LATER_TOGETHER)
PAIRS = [pair for pair in PAIRS if not re.search(r"\bPRs\b", pair[2])]  # "PRS" is no plural that can be seen
WORD = re.compile(r"[^\W\d_]+")


def loud(text: str, place: int) -> str:
    """The text with one word of it in capitals; all of it where there is no such word."""
    words = list(WORD.finditer(text))
    if place >= len(words):
        return text.upper()
    start, end = words[place].span()
    return text[:start] + text[start:end].upper() + text[end:]


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(PAIRS), st.integers(0, 12))
def test_shouting_changes_no_contradiction(pair: tuple[str, str, str], place: int) -> None:
    """What contradicts does so in capitals, and what does not, not: one word shouted or all of them."""
    topic, one, other = pair
    calm = disagreement(one, other, topic=topic)
    said = disagreement(one, loud(other, place), topic=topic)
    assert (said is None) == (calm is None)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The port is 8080.", "THE PORT IS 9090!"),
        ("The port is 8080.", "The port IS 9090!"),
        ("The database runs on port 5432", "The database runs on PORT 5433"),
        ("We indent with two spaces.", "WE INDENT WITH FOUR SPACES!"),
        ("The deadline is May 3", "THE DEADLINE IS MAY 10"),
        ("The service requires Python 3.11", "the service requires python 3.12"),
        ("A porta é 8080.", "A PORTA É 9090!"),
        ("A porta é a 8080.", "A porta É A 9090!"),
        ("Indentamos com dois espaços.", "INDENTAMOS COM QUATRO ESPAÇOS!"),
        ("O prazo é 3 de maio", "O PRAZO É 10 DE MAIO"),
        ("O plano custa R$ 50 por mês", "o plano custa r$ 80 por mês"),
    ],
)
def test_numbers_in_whatever_case(one: str, other: str) -> None:
    """Another number is another number, however loud or soft it is told, and whoever tells it first."""
    assert disagreement(one, other)
    assert disagreement(other, one)
    assert not disagreement(one, one.upper())


@pytest.mark.parametrize(
    ("text", "language", "kind", "low"),
    [
        ("THE PORT IS 9090", "en", "count", 9090),
        ("WE INDENT WITH 4 SPACES", "en", "count", 4),
        ("SESSIONS LAST 8 HOURS", "en", "time", 28800),
        ("THE TIMEOUT 30 SECONDS", "en", "time", 30),
        ("AS SESSÕES DURAM 8 HORAS", "pt", "time", 28800),
        ("OS LOGS SÃO 3", "pt", "count", 3),
        ("O prazo é 10 DE MARÇO", "pt", "day", 310),
        ("We run on POSTGRES 14", "en", "version", 14),
        ("Usamos o Python 3.12", "pt", "version", 3.12),
    ],
)
def test_what_names_a_version(text: str, language: Language, kind: str, low: float) -> None:
    """A function word and a verb name no version, nor does a number with a unit have one; a name before a number does."""
    [found] = marked(text, language)[1]
    assert (found.kind, found.low) == (kind, low)


@pytest.mark.parametrize("case", [str, str.upper, str.lower])
def test_several_of_a_kind_in_whatever_case(case: type[str]) -> None:
    """What one may have several of is no contradiction, whether its name is written as one or not."""
    for one, other in (
        ("The library supports Python 3.11", "The library supports Python 3.12"),
        ("A biblioteca suporta Python 3.11", "A biblioteca suporta Python 3.12"),
    ):
        assert not disagreement(case(one), case(other))
