"""A conversation pasted into a message: who says what, and what is no conversation."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.pure.transcripts import spoken


@pytest.mark.parametrize(
    ("text", "speakers"),
    [
        ("Ana: oi\nBeto: tudo bem?", ["Ana", "Beto"]),
        ("Ana: I live in Recife / Beto: I live in Natal", ["Ana", "Beto"]),
        ("Olha só:\n[12:30] Ana Souza: oi\n[12:31] Zyx Qwv: oi\n[12:32] Ana Souza: tchau", ["Ana Souza", "Zyx Qwv", "Ana Souza"]),
        ("12/03/2024, 10:30 - Ana: oi\n12/03/2024, 10:31 - Beto: olá", ["Ana", "Beto"]),
        ("**Ana**: hi\n**Bob:** hello", ["Ana", "Bob"]),
        ("User: hi\nAssistant: hello", ["User", "Assistant"]),
        ("user: hi\nassistant: hello", ["user", "assistant"]),
        ("Xylo: eu moro aqui\nQuark: eu não\nXylo: pena", ["Xylo", "Quark", "Xylo"]),
        ("Xylo: eu moro aqui\nQuark: ali\nXylo: pena", ["Xylo", "Quark", "Xylo"]),
        ("Xylo: um?\nQuark: dois\nXylo: tres", ["Xylo", "Quark", "Xylo"]),
        ("Xylo: oi\nAna: oi", ["Xylo", "Ana"]),
        ("Maria da Silva: oi\nJosé: oi", ["Maria da Silva", "José"]),
    ],
)  # fmt: skip
def test_speakers(text: str, speakers: list[str]) -> None:
    """One below the other, parted by a slash, with stamps, in bold, roles of a chat: each line has its speaker."""
    assert [line.speaker for line in spoken(text)] == speakers


@pytest.mark.parametrize(
    "text",
    [
        "Nome: Ana\nIdade: 30\nCidade: Recife",
        "Name: Ana Souza\nPhone: 555\nName: Bob",
        "Ana: eu moro em Recife",
        "Pros: I like it\nCons: I pay too much",
        "Monday: I ran\nTuesday: I swam\nMonday: I slept",
        "Meet at 10:30 and 11:45 at http://ana: x",
        "note to self: buy milk\nsecond: call Ana",
        "Xylo: um\nQuark: dois",
        "Xylo: um\nQuark: dois\nXylo: tres",
        "Xylo: eu sou um\nQuark: dois\nZorg: tres\nXylo: quatro",
        "",
    ],
)
def test_no_conversation(text: str) -> None:
    """Forms, lists, headings, clocks, one voice alone, and labels that nobody bears are no transcript."""
    assert spoken(text) == ()


def test_part_of_a_transcript() -> None:
    """In a part of one, the names that are known for speakers are enough."""
    assert [line.speaker for line in spoken("Xylo: um", among=["Xylo", "Quark"])] == ["Xylo"]
    assert spoken("Ana: um\nBeto: dois", among=["Xylo"]) == ()


@given(st.lists(st.tuples(st.sampled_from(["Ana", "Beto", "Zé", "Note", "x"]), st.text(max_size=20)), max_size=12))
def test_lines_cover_the_text(lines: list[tuple[str, str]]) -> None:
    """From the first line to the end every character belongs to one line; labels are not words."""
    text = "oi\n" + "\n".join(f"{who}: {said}" for who, said in lines)
    found = spoken(text)
    for before, after in itertools.pairwise(found):
        assert before.end == after.start
    for line in found:
        assert line.start < line.said <= line.end
    if found:
        assert found[-1].end == len(text)
