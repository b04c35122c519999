"""Long texts in parts: nothing lost, nothing over the size, cut where the text parts."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.pure.chunks import chunks, excerpt

WORDS = st.sampled_from(
    ["Ana mora em Recife. ", "Beto:", "\n", "\n\n", "- item ", "{", "}", "},\n", "…", "é", "e\u0301", "👩‍👩‍👧", "\r\n", "a" * 30, "Ana: oi\n"]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=400), st.lists(WORDS, max_size=60).map("".join))


@given(TEXTS, st.integers(1, 90), st.integers(0, 60))
def test_joined_they_are_the_text(text: str, size: int, context: int) -> None:
    """No character is lost, moved or doubled; no part is over the size or empty; each begins where the last ended."""
    parts = chunks(text, size=size, context=context)
    assert "".join(part.text for part in parts) == text
    assert all(len(part.text) <= size for part in parts)
    assert all(part.text for part in parts) or parts == chunks("", size=size)
    assert [part.start for part in parts] == [0, *(part.end for part in parts[:-1])]
    for part in parts:
        assert len(part.before) <= context
        assert text[: part.start].endswith(part.before)


@given(TEXTS)
def test_within_the_size_is_whole(text: str) -> None:
    """A text that fits is one part with nothing before it."""
    (part,) = chunks(text, size=max(1, len(text)), context=100)
    assert (part.text, part.before, part.start) == (text, "", 0)


@pytest.mark.parametrize(
    ("unit", "ends"),
    [
        ("Ana mora em Recife e trabalha lá. ", ". "),
        ("O Dr. Lima e a Sra. Reis moram aqui. ", "aqui. "),
        ("Ana mora em Recife\n", "\n"),
        ("Um parágrafo. Ele continua.\n\n", "\n\n"),
        ("- um item da lista, com vírgula. E frase.\n", "\n"),
        ('  {"name": "Ana", "city": "Recife"},\n', "},\n"),
        ("sem ponto nenhum ", " "),
        ("私は東京に住んでいます。", "。"),
    ],
)
def test_where_it_is_cut(unit: str, ends: str) -> None:
    """Every part but the last ends where its kind of text parts: paragraph, line, item, sentence, word."""
    parts = chunks(unit * 40, size=100)
    assert len(parts) >= 4
    assert all(part.text.endswith(ends) for part in parts[:-1])


def test_json_records_stay_whole() -> None:
    """A pasted JSON list is cut between its records."""
    text = json.dumps([{"name": f"Pessoa {i}", "notes": "gosta de chá. E de café."} for i in range(30)], indent=1, ensure_ascii=False)  # fmt: skip
    parts = chunks(text, size=400)
    assert len(parts) > 3
    assert all(part.text.count("{") == part.text.count("}") for part in parts)


def test_characters_stay_whole() -> None:
    """Where nothing parts, no accent loses its letter and no joined emoji is split."""
    for unit in ("e\u0301", "👩‍👩‍👧", "👍🏽"):
        for part in chunks(unit * 50, size=17):
            assert unicodedata.category(part.text[0])[0] != "M"
            assert part.text[0] not in "\u200d\U0001f3fd"
            assert not part.text.endswith("\u200d")


def test_before_begins_with_a_sentence() -> None:
    """What is shown before a part begins with a sentence, so that its pronouns have something to stand for."""
    text = "Ontem choveu bastante. " * 3 + "A Dra. Ana é enfermeira. " + "Ela adora o que faz lá. " * 6
    before = [part.before for part in chunks(text, size=110, context=60)[1:]]
    assert len(before) == 2
    assert before[0] == "Ontem choveu bastante. A Dra. Ana é enfermeira. "
    assert before[1].startswith("Ela adora")


def test_a_long_transcript_keeps_its_speakers() -> None:
    """Parts begin with a line where they can; one inside a line knows whose words it goes on with."""
    text = "".join(f"{who}: {'eu gosto de música. ' * 3}\n" for who in ("Ana", "Beto") * 10)
    parts = chunks(text, size=200)
    assert all(part.text.startswith(("Ana: ", "Beto: ")) and part.speaker is None for part in parts)
    long = "Ana: oi\nBeto: " + "eu moro em Natal. " * 40
    first, *rest = chunks(long, size=200)
    assert first.voices == ("Ana", "Beto")
    assert {part.speaker for part in rest} == {"Beto"}
    assert {part.voices for part in rest} == {("Beto",)}


@given(TEXTS, st.lists(st.sampled_from(["ana", "recife", "beto"]), max_size=3), st.integers(10, 90))
def test_an_excerpt_fits(text: str, names: list[str], size: int) -> None:
    """An excerpt is within the size, and a text that fits is its own."""
    shown = excerpt(text, names, size=size)
    assert len(shown) <= size
    assert shown == text or len(text) > size


def test_work_is_linear() -> None:
    """Three hundred thousand characters of any shape are cut at once."""
    for unit in ("a", " ", "\n", "a. ", "{", "Ana: oi\n", ": "):
        text = unit * (300_000 // len(unit))
        assert sum(len(part.text) for part in chunks(text, size=4000, context=400)) == len(text)


def test_a_size_of_nothing_is_refused() -> None:
    """A part has at least one character."""
    with pytest.raises(ValueError, match="size=0"):
        chunks("a", size=0)


def test_where_a_part_may_end() -> None:
    """A part ends in the last three fifths of its room, at the best place there: 2/5 of the size is too early, one more is not."""
    assert [len(part.text) for part in chunks("abc.\n" + "x" * 16, size=10)] == [5, 10, 6]
    assert [len(part.text) for part in chunks("ab\n" + "x" * 17, size=10)] == [10, 10]
    assert [part.text for part in chunks("abcd, efgh ijkl", size=10)] == ["abcd, ", "efgh ijkl"]
    assert [part.text for part in chunks("abcd efgh ijkl", size=10)] == ["abcd efgh ", "ijkl"]
    assert [part.text for part in chunks("a" * 10, size=10)] == ["a" * 10]
    assert [part.text for part in chunks("a" * 11, size=10)] == ["a" * 10, "a"]
    assert [(part.start, part.end) for part in chunks("abcd efgh ijkl", size=10)] == [(0, 10), (10, 14)]
    assert [part.text for part in chunks("", size=10)] == [""]
    assert [part.text for part in chunks("ab", size=1)] == ["a", "b"]


def test_what_came_before() -> None:
    """The context begins with a sentence, else with a word, else where its room does; without room there is none."""
    assert chunks("Um. Dois tres.\n" + "x" * 9, size=15, context=13)[1].before == "Dois tres.\n"
    assert chunks("um dois tres quatro " + "x" * 9, size=20, context=9)[1].before == "quatro "
    assert chunks("x" * 20, size=10, context=4)[1].before == "xxxx"
    assert chunks("x" * 20, size=10, context=10)[1].before == "x" * 10
    assert chunks("x" * 20, size=10, context=99)[1].before == "x" * 10
    assert chunks("x" * 20, size=10)[1].before == ""


def test_an_excerpt_holds_the_names() -> None:
    """Of a long text the parts that name somebody are shown in order while they fit; where nobody is named, its beginning."""
    text = "Ana veio. " + "Nada aqui. " * 6 + "Beto foi. " + "Nada aqui. " * 6
    both = excerpt(text, ["ana", "beto"], size=60)
    assert 0 <= both.find("Ana veio.") < both.find("Beto foi.")
    assert "Beto foi." in excerpt(text, ["beto"], size=60)
    assert "Ana veio." not in excerpt(text, ["beto"], size=60)
    assert text.startswith(excerpt(text, ["caio"], size=60))
    assert text.startswith(excerpt(text, [""], size=60))
    assert len(excerpt(text, ["caio"], size=60)) > 30
    assert excerpt("abc", ["x"], size=3) == "abc"
    assert "Anabela" not in excerpt("Anabela veio. " + "Nada aqui. " * 20 + "Ana foi. ", ["ana"], size=80)
