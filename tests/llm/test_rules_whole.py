"""The offline model keeps all that is said: what a fact adds, the end of a long message, the name of a strange speaker."""

from __future__ import annotations

import time
import unicodedata
from typing import Any

import pytest

from arandu_lab import Memory
from arandu_lab.llm.rules import answer

SENT = "2025-05-10T10:00:00+00:00"


def told(message: str, speaker: str = "Rafael") -> list[tuple[str, str]]:
    """(subject, text) of the facts of a message."""
    found: list[dict[str, Any]] = answer("facts", {"message": message, "speaker": speaker, "sent_at": SENT})["facts"]
    return [(fact["subject"], fact["text"]) for fact in found]


def texts(message: str, speaker: str = "Rafael") -> list[str]:
    return [text for _, text in told(message, speaker)]


def verdict(new: str, old: str) -> str:
    shown = [{"i": 0, "text": f"Rafael {old}", "since": ""}]
    items = [{"i": 0, "subject": "Rafael", "fact": f"Rafael {new}", "known": shown}]
    found: str = answer("reconcile", {"items": items})["verdicts"][0]["action"]
    return found


MORE = (
    ("likes tea", "likes tea and coffee"),
    ("likes tea", "likes tea, coffee and milk"),
    ("likes running", "likes running and swimming"),
    ("speaks English", "speaks English and German"),
    ("is allergic to peanuts", "is allergic to peanuts and shellfish"),
    ("plays the piano", "plays the piano and the violin"),
    ("is a nurse", "is a nurse and a teacher"),
    ("works at Acme", "works at Acme and Itau"),
    ("has a dog called Rex", "has a dog called Rex and a cat called Mia"),
    ("has visited France, Italy, Spain, Portugal and Greece", "has visited France, Italy, Spain, Portugal, Greece and Malta"),
    ("will visit Ana", "will visit Ana and Beto"),
    ("likes vitamin C", "likes vitamin D"),
    ("gosta de chá", "gosta de chá e café"),
    ("fala inglês", "fala inglês e alemão"),
    ("é alérgico a amendoim", "é alérgico a amendoim e camarão"),
    ("toca piano", "toca piano e violino"),
    ("mora em Recife", "mora em Recife e em Natal"),
)  # fmt: skip


@pytest.mark.parametrize(("old", "new"), MORE)
def test_a6_a_fact_that_says_more_is_added(old: str, new: str) -> None:
    """What is contained in the known fact and goes on is no repetition, nor does it replace it."""
    assert verdict(new, old) == "ADD"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("likes tea and coffee", "likes tea"),
        ("is allergic to peanuts and shellfish", "is allergic to peanuts"),
        ("lives in Recife", "resides in Recife"),
        ("likes tea", "really likes tea"),
        ("gosta de chá e café", "gosta de café"),
        ("mora em Recife", "ainda mora em Recife"),
    ],
)
def test_a6_a_fact_that_says_no_more_is_nothing_new(old: str, new: str) -> None:
    """Wholly contained, or the same with another verb."""
    assert verdict(new, old) == "NOOP"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("works at Acme", "also works at Itau"),
        ("lives in Recife", "lives in Natal too"),
        ("works at Acme", "works at Itau as well"),
        ("drinks coffee", "also does not drink coffee"),
        ("trabalha na Acme", "também trabalha no Itaú"),
        ("trabalha na Acme", "trabalha no Itaú, além da Acme"),
        ("mora em Recife", "ainda mora em Natal"),
    ],
)
def test_a6_also_never_replaces(old: str, new: str) -> None:
    """*Also*, *too*, *as well*, *também*, *ainda*, *além de* stand beside what is known."""
    assert verdict(new, old) == "ADD"


@pytest.mark.parametrize(("old", "new"), [("works at Acme", "works at Itau"), ("mora em Recife", "mora em Natal")])
def test_a6_a_value_that_one_has_once_is_replaced(old: str, new: str) -> None:
    """Without *also*, the new job is the job."""
    assert verdict(new, old) == "UPDATE"


@pytest.mark.parametrize(
    ("messages", "word"),
    [(("I like tea.", "I like tea and coffee."), "coffee"), (("Gosto de chá.", "Gosto de chá e café."), "café")],
)
async def test_a6_nothing_is_lost_in_a_memory(messages: tuple[str, ...], word: str) -> None:
    """The second drink is remembered."""
    memory = Memory.open("memory://", embedder="hashing")
    for message in messages:
        await memory.write("a", message, "Rafael")
    assert any(word in text for text in memory.facts("a")["text"].to_list())
    memory.close()


@pytest.mark.parametrize(
    ("message", "last"),
    [
        ("The weather was nice today. " * 60 + "My cat is called Mia.", "Rafael has a cat called Mia"),
        ("Hoje o tempo estava bom. " * 300 + "Minha gata se chama Mia.", "Rafael tem uma gata chamada Mia"),
        ("I saw " + "apples and pears, " * 60 + "and I work at Itau.", "Rafael works at Itau"),
        ("Ontem foi longo, " + "conversa tempo notícias escola " * 60 + "e trabalho no Itaú.", "Rafael trabalha no Itaú"),
        ("word " * 20_000 + ". I live in Recife.", "Rafael lives in Recife"),
    ],
)  # fmt: skip
def test_b1_the_end_of_a_long_message_is_read(message: str, last: str) -> None:
    """However many sentences, or words in one sentence, come before."""
    assert texts(message)[-1] == last


@pytest.mark.parametrize(
    ("shape", "said"),
    [("My cat is called {}.", "Rafael has a cat called {}"), ("Minha gata se chama {}.", "Rafael tem uma gata chamada {}")],
)  # fmt: skip
def test_b1_every_sentence_gives_its_fact(shape: str, said: str) -> None:
    """Three hundred cats are three hundred facts."""
    names = [f"Mi{one}{other}a" for one in "bcdfgjklmpqrstvwxz" for other in "bcdfghjklmnpqrstv"]
    found = set(texts(" ".join(shape.format(name) for name in names)))
    assert {said.format(name) for name in names} <= found


@pytest.mark.parametrize(
    "message",
    [
        "The weather was nice today. ",
        "I saw a bird, ",
        "a",
        ".",
        "a@",
        " \n",
        "[\n",
        '"a ',
        "Aa ",
        "My cat is called Mia. ",
    ],
)
def test_b1_work_is_linear(message: str) -> None:
    """60 kB of anything take seconds, not minutes."""
    start = time.perf_counter()
    answer("extract", {"message": (message * 60_000)[:60_000] + "x", "speaker": "Rafael", "sent_at": SENT})
    assert time.perf_counter() - start < 10


def test_b1_a_supposition_stays_one() -> None:
    """What follows an *if* in a sentence that is cut is no fact."""
    assert texts("If I win the lottery, " + "the weather will be nice, " * 60 + "and I will move to Natal.") == []


@pytest.mark.parametrize("speaker", ["Rafa " * 2000, "R" * 10_000, "Rafa " * 60, "-", "...", "🌵"])
async def test_b1_d3_any_speaker_is_the_subject(speaker: str) -> None:
    """Names of 10 kB and of one mark suppress no fact, and no fact goes without its subject."""
    memory = Memory.open("memory://", embedder="hashing")
    for message, end in (("I live in Recife.", "lives in Recife"), ("Trabalho no Itaú.", "trabalha no Itaú")):
        await memory.write("a", message, speaker)
        found = [text for text in memory.facts("a")["text"].to_list() if text.endswith(f" {end}")]
        assert found
        assert all(speaker.startswith(text.removesuffix(f" {end}")) for text in found)
    assert len(set(memory.facts("a")["entity_key"].to_list())) == 1
    memory.close()


@pytest.mark.parametrize(
    ("query", "fact"),
    [("Onde a Conceição mora?", "Conceição mora em Maceió"), ("Where does José work?", "José works at Itaú")],
)
def test_d1_accents_written_apart_grade_the_same(query: str, fact: str) -> None:
    """NFC = NFD, in the query and in the facts."""

    def grade(one: str, other: str) -> float:
        grades = answer("judge", {"query": one, "facts": [{"i": 0, "text": other}]})["grades"]
        return float(grades[0]["grade"])

    apart = [unicodedata.normalize("NFD", text) for text in (query, fact)]
    assert {grade(one, other) for one in (query, apart[0]) for other in (fact, apart[1])} == {grade(query, fact)}
    assert grade(query, fact) > 0.8


def test_d1_accents_written_apart_decide_the_same() -> None:
    """NFC = NFD in verdicts, choices and facts."""
    apart = unicodedata.normalize("NFD", "não trabalha mais no Itaú")
    assert verdict(apart, "trabalha no Itaú") == verdict("não trabalha mais no Itaú", "trabalha no Itaú") == "DELETE"
    candidates = [{"i": 0, "name": "José Lima", "type": "person"}, {"i": 1, "name": "Joana", "type": "person"}]
    mention = {"i": 0, "name": unicodedata.normalize("NFD", "Zé"), "type": "person", "candidates": candidates}
    assert answer("resolve", {"message": "", "mentions": [mention]})["choices"] == [{"i": 0, "candidate": 0}]
    assert texts(unicodedata.normalize("NFD", "Moro em Maceió.")) == ["Rafael mora em Maceió"]
