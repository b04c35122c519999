"""Verdicts, choices and grades of the offline model: contradiction is not similarity, and an answer is not a topic."""

from __future__ import annotations

import pytest

from arandu_lab.llm.rules import answer


def verdict(new: str, old: str, subject: str = "Rafael") -> str:
    shown = [{"i": 0, "text": old, "since": ""}]
    found: str = answer("reconcile", {"items": [{"i": 0, "subject": subject, "fact": new, "known": shown}]})[
        "verdicts"
    ][0]["action"]
    return found


@pytest.mark.parametrize(
    ("new", "old", "action"),
    [
        ("Rafael works at Acme", "Rafael has been working at Acme", "NOOP"),
        ("Rafael mora em Recife", "rafael mora em recife!", "NOOP"),
        ("Rafael moved to Austin, Texas", "Rafael lives in São Paulo", "UPDATE"),
        ("Rafael se mudou pro Rio", "Rafael mora em São Paulo", "UPDATE"),
        ("Rafael's favorite color is blue", "Rafael's favorite color is green", "UPDATE"),
        ("Rafael is 31 years old", "Rafael is 30 years old", "UPDATE"),
        ("Rafael's interview is on 14 May 2024", "Rafael's interview is on 12 May 2024", "UPDATE"),
        ("Rafael não trabalha mais na Acme", "Rafael trabalha na Acme", "DELETE"),
        ("Rafael no longer works at Acme", "Rafael works at Acme", "DELETE"),
        ("Rafael desistiu do curso de inglês", "Rafael faz curso de inglês", "DELETE"),
        ("Rafael gosta de jazz", "Rafael mora em São Paulo", "ADD"),
        ("Rafael fala francês", "Rafael fala inglês", "ADD"),
        ("Rafael has a cat called Miso", "Rafael has a dog called Thor", "ADD"),
        ("Rafael loves hiking", "Rafael loves sushi", "ADD"),
        ("Rafael drinks tea", "Rafael drinks coffee", "ADD"),
    ],
)
def test_verdicts(new: str, old: str, action: str) -> None:
    """The documented examples and their neighbours, in both languages."""
    assert verdict(new, old) == action


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Caio não bebe café", "Caio bebe café"),
        ("Caio does not drink coffee", "Caio drinks coffee"),
        ("A aula de Caio é na sala 12", "A aula de Caio é na sala 21"),
    ],
)
def test_a16_opposites_are_never_the_same(new: str, old: str) -> None:
    """A16: a negation or another number is no repetition, whatever the likeness."""
    assert verdict(new, old, "Caio") == "UPDATE"


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("A cor preferida da tia de Rafael é roxo", "A cor preferida de Rafael é verde"),
        ("Rafael's aunt likes purple", "Rafael likes green"),
        ("O irmão de Rafael odeia coentro", "Rafael gosta de coentro"),
        ("Rafael's brother lives in Lisbon", "Rafael lives in Recife"),
    ],
)
def test_a22_somebody_elses_preference_changes_nothing(new: str, old: str) -> None:
    """A22: the aunt's favourite colour does not overwrite mine."""
    assert verdict(new, old) == "ADD"


PREDICATES = (
    "lives in Recife", "works at Acme", "likes jazz", "hates cilantro", "has a dog called Thor", "speaks French", "is 30 years old",
    "plays the guitar", "is allergic to peanuts", "is married to Lia", "bought a red bike", "runs every Sunday",
)  # fmt: skip


def test_a13_other_predicates_of_one_subject_do_not_conflict() -> None:
    """A13: of all pairs of unrelated facts about one person, none invalidates the other."""
    pairs = [(one, other) for one in PREDICATES for other in PREDICATES if one != other]
    assert [pair for pair in pairs if verdict(f"Rafael {pair[0]}", f"Rafael {pair[1]}") != "ADD"] == []


def choice(name: str, *candidates: str, message: str = "") -> int | None:
    shown = [{"i": index, "name": other, "type": "person", "context": []} for index, other in enumerate(candidates)]
    mention = {"i": 0, "name": name, "type": "person", "candidates": shown}
    found: int | None = answer("resolve", {"message": message, "speaker": "Ana", "mentions": [mention]})["choices"][0][
        "candidate"
    ]
    return found


@pytest.mark.parametrize(
    ("name", "candidates", "index"),
    [
        ("Zé", ("Maria Lima", "José Ferreira"), 1),
        ("Chico", ("Francisco Alencar",), 0),
        ("Bob", ("Robert Hall", "Rupert Hall"), 0),
        ("Liz", ("Elizabeth Okafor",), 0),
        ("Malu", ("Maria Luísa Cavalcanti", "Luísa Dias"), 0),
        ("Aninha", ("Ana", "Anita"), 0),
        ("Carol", ("Carolina Dias",), 0),
        ("J. Lima", ("José Lima",), None),
        ("Rafael", ("Rafaela",), None),
        ("Daniela", ("Daniel Reyes",), None),
        ("Sarah", ("Sarah Boudreau", "Sarah Whitlock"), None),
        ("Vertix", ("Mariana",), None),
        ("Ana", ("Mariana", "Alana"), None),
    ],
)
def test_choices(name: str, candidates: tuple[str, ...], index: int | None) -> None:
    """Short forms, containment and initials choose; gender forbids; equals stay undecided."""
    if name == "J. Lima":
        assert choice(name, *candidates) in (0, None)
    else:
        assert choice(name, *candidates) == index


def grade(query: str, fact: str) -> float:
    found: float = answer("judge", {"query": query, "asked_at": "", "facts": [{"i": 0, "text": fact, "since": ""}]})[
        "grades"
    ][0]["grade"]
    return found


@pytest.mark.parametrize(
    ("query", "fact"),
    [
        ("Where does Ana live?", "Ana lives in Recife"),
        ("Where does Ana live?", "Ana mora em Recife"),
        ("Onde a Ana mora?", "Ana moved to Boston"),
        ("Onde o Marcos trabalha?", "Marcos works at Vertix"),
        ("What is Rafael's job?", "Rafael is a nurse"),
        ("Is Rafael married?", "Rafael's wife is Ana"),
        ("What is Ana allergic to?", "Ana é alérgica a camarão"),
        ("Qual a cor favorita da Ana?", "Ana's favorite color is green"),
    ],
)
def test_an_answer_is_graded_high(query: str, fact: str) -> None:
    """A fact with the attribute asked for, about the one asked about, in either language."""
    assert grade(query, fact) >= 0.8


@pytest.mark.parametrize(
    ("query", "fact"),
    [
        ("Qual o time de futebol do Bruno?", "Bruno runs marathons"),
        ("Where does Ana live?", "Ana loves sushi"),
        ("What is Rafael's job?", "Rafael has a dog called Thor"),
        ("Where does Ana live?", "Beto lives in Natal"),
        ("Qual a cor favorita da Ana?", "A comida favorita da Ana é sushi"),
    ],
)
def test_the_right_person_alone_is_no_answer(query: str, fact: str) -> None:
    """Off the topic, or about somebody else: near zero."""
    assert grade(query, fact) <= 0.3


@pytest.mark.parametrize(
    ("query", "fact"),
    [
        ("What happened with Vertix?", "Rafael left Vertix on 3 May 2025"),
        ("O que aconteceu com a Vertix?", "Rafael trabalha na Vertix"),
        ("Tell me about Carolina", "Rafael's sister is Carolina"),
        ("Me conte tudo sobre a Carolina", "Carolina mora em Curitiba"),
        ("Any news about Carolina?", "Carolina lives in Curitiba"),
        ("who are my friends?", "Rafael's best friend is Lia"),
        ("quem são meus amigos?", "Beto é amigo de Rafael"),
        ("where do I live", "Rafael lives in Recife"),
        ("onde eu moro", "Rafael mora em Recife"),
        ("what do you know about me?", "Rafael lives in Recife"),
    ],
)
def test_overviews_and_lists_take_all_that_belongs(query: str, fact: str) -> None:
    """Everything about somebody, everything of a kind, and what is asked of oneself."""
    assert grade(query, fact) >= 0.7


@pytest.mark.parametrize(
    "query", ["What happened with Vertix?", "Me conte tudo sobre a Carolina", "who are my friends?"]
)
def test_an_overview_leaves_out_what_is_of_somebody_else(query: str) -> None:
    """A fact that does not name them, or is of another kind, stays near zero."""
    assert grade(query, "Marcos lives in Natal") <= 0.2
