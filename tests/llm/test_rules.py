"""The offline model answers every task in its schema, for any text, the same way each time; and it invents nothing."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arandu_lab.llm import job_tasks, tasks
from arandu_lab.llm.rules import TASKS, answer

JOBS = "cluster theme consolidate emotions distil summary profile premises overview".split()
SCHEMAS: dict[str, Any] = {
    "extract": tasks.ExtractAnswer,
    "entities": tasks.EntitiesAnswer,
    "facts": tasks.FactsAnswer,
    "relations": tasks.RelationsAnswer,
    "resolve": tasks.ResolveAnswer,
    "reconcile": tasks.ReconcileAnswer,
    "judge": tasks.JudgeAnswer,
    "answer": tasks.GivenAnswer,
    "verdict": tasks.GivenVerdict,
    **{name: getattr(job_tasks, name)().answer for name in JOBS},
}
WORDS = st.sampled_from(
    "I we she he my your Ana Rafael João Recife Boston moved lives works at in and but because if who not never don't I'm she's "
    "love hate pizza brother wife dog called Thor , . ? ! : ; ( ) - — \n eu moro trabalho na em com meu minha irmã esposa não mais "
    "gosto de que acho se mudei ontem yesterday 2024 14 March 🐶 \0 kkk lol e a o os Known facts: the cat is are was".split(
        " "
    )
)
TEXTS = st.one_of(st.text(max_size=300), st.lists(WORDS, max_size=60).map(" ".join))
ANY = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def asked(message: str, speaker: str = "Rafael", **more: Any) -> dict[str, Any]:
    """The inputs of an extraction task."""
    return {
        "message": message,
        "speaker": speaker,
        "sent_at": "2025-06-15T12:00:00-03:00",
        "sent_on": "",
        "recent_messages": [],
        "known": [],
        "profile_language": "english",
    } | more


def facts(message: str, speaker: str = "Rafael", **more: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = answer("extract", asked(message, speaker, **more))["facts"]
    return found


def texts(message: str, speaker: str = "Rafael", **more: Any) -> list[str]:
    return [fact["text"] for fact in facts(message, speaker, **more)]


@ANY
@given(message=TEXTS, speaker=st.one_of(st.just("Rafael"), st.text(min_size=1, max_size=20)))
def test_any_text_gets_a_valid_answer_and_always_the_same(message: str, speaker: str) -> None:
    """No text makes a task raise; every answer fits its schema, can be written as JSON, and comes out the same twice."""
    for task in ("extract", "entities", "facts", "relations"):
        inputs = asked(message, speaker)
        first = answer(task, inputs)
        SCHEMAS[task].model_validate(first)
        assert first == answer(task, json.loads(json.dumps(inputs)))


@ANY
@given(message=TEXTS)
def test_every_fact_names_its_subject_and_every_relation_its_entities(message: str) -> None:
    """A fact's text contains its subject's name; relations join two different entities of the list."""
    found = answer("extract", asked(message))
    names = {item["name"] for item in found["entities"]}
    for fact in found["facts"]:
        assert fact["subject"].casefold() in fact["text"].casefold()
    for relation in found["relations"]:
        assert {relation["source"], relation["target"]} <= names
        assert relation["source"] != relation["target"]


@ANY
@given(a=TEXTS, b=TEXTS, name=st.text(max_size=20))
def test_decisions_and_grades_are_valid_for_any_text(a: str, b: str, name: str) -> None:
    """Reconcile, judge and resolve answer each item once, with an index that was shown or null."""
    shown = [{"i": 0, "text": a, "since": ""}, {"i": 7, "text": b, "since": ""}]
    verdicts = tasks.ReconcileAnswer.model_validate(
        answer("reconcile", {"items": [{"i": 3, "subject": name, "fact": b, "known": shown}]})
    ).verdicts
    assert [verdict.i for verdict in verdicts] == [3]
    assert all((verdict.known is None) == (verdict.action == "ADD") for verdict in verdicts)
    assert all(verdict.known in (None, 0, 7) for verdict in verdicts)
    grades = tasks.JudgeAnswer.model_validate(answer("judge", {"query": a, "facts": shown})).grades
    assert [grade.i for grade in grades] == [0, 7]
    candidates = [
        {"i": 0, "name": a, "type": "person", "context": [b]},
        {"i": 1, "name": b, "type": "person", "context": []},
    ]
    choices = tasks.ResolveAnswer.model_validate(
        answer(
            "resolve", {"message": a, "mentions": [{"i": 5, "name": name, "type": "person", "candidates": candidates}]}
        )
    ).choices
    assert [choice.i for choice in choices] == [5]


@pytest.mark.parametrize("task", TASKS)
def test_missing_and_odd_inputs_do_not_raise(task: str) -> None:
    """A prompt with nothing in it, or with wrong shapes, gets an empty but valid answer."""
    for inputs in (
        {},
        {"message": None, "known": None, "items": None, "facts": [None], "mentions": [{}]},
        asked("", ""),
    ):
        SCHEMAS[task].model_validate(answer(task, dict(inputs)))


@pytest.mark.parametrize(
    "unit", ["I moved to Recife and ", "a", "Ana ", "(", "'s ", "não ", "my brother ", "\n", "1,", "é o "]
)
def test_work_is_bounded(unit: str) -> None:
    """Fifty kilobytes of anything are read within seconds: no pattern runs away."""
    started = time.process_time()
    answer("extract", asked((unit * (50_000 // len(unit) + 1))[:50_000]))
    assert time.process_time() - started < 20


@ANY
@given(message=st.lists(WORDS, max_size=25).map(" ".join))
def test_a_question_states_nothing(message: str) -> None:
    """A sentence that ends in a question mark gives no fact about what it asks."""
    one = (
        message.replace("?", "")
        .replace(".", "")
        .replace("!", "")
        .replace("\n", " ")
        .replace("🐶", "")
        .replace(";", "")
        .replace("—", "")
    )
    assert [
        text
        for text in texts(one + "?")
        if " is " not in text and " é " not in text and " has a" not in text and " tem " not in text
    ] == []


# worked messages -----------------------------------------------------------------------------------------------------


def test_the_speaker_is_said_in_the_third_person() -> None:
    """First person becomes the speaker's name with the right agreement, in both languages."""
    assert texts("I've been working at Acme and I love sushi.") == [
        "Rafael has been working at Acme",
        "Rafael loves sushi",
    ]
    assert texts("I don't eat meat.") == ["Rafael does not eat meat"]
    assert texts("Eu moro em Olinda e trabalho na Vertix.") == ["Rafael mora em Olinda", "Rafael trabalha na Vertix"]
    assert "Bia não come mais carne" in texts("não como mais carne", "Bia")
    assert texts("A gente mora em Natal.", "Bia") == ["Bia mora em Natal"]


def test_a_named_relative_is_an_entity_with_a_relation_and_a_fact() -> None:
    """*my wife Ana* gives the fact and the edge; who lives with whom stays with the speaker."""
    found = answer("extract", asked("Eu moro em Recife com minha esposa Ana"))
    assert [fact["text"] for fact in found["facts"]] == [
        "Ana é esposa de Rafael",
        "Rafael mora em Recife com sua esposa Ana",
    ]
    assert {(item["source"], item["type"], item["target"]) for item in found["relations"]} == {
        ("Rafael", "spouse_of", "Ana"),
        ("Rafael", "lives_in", "Recife"),
    }


def test_the_worked_example_of_the_specification() -> None:
    """Clara leaves Vertix and joins Orion Tech; Thiago hires her."""
    message = "Clara Rezende saiu da Vertix e foi pra Orion Tech como head de engenharia. O Thiago Nogueira a contratou pessoalmente."
    found = answer("extract", asked(message))
    types = {item["name"]: item["type"] for item in found["entities"]}
    assert types == {
        "Clara Rezende": "person",
        "Vertix": "organization",
        "Orion Tech": "organization",
        "Thiago Nogueira": "person",
    }
    assert "Thiago Nogueira contratou Clara Rezende pessoalmente" in [fact["text"] for fact in found["facts"]]
    edges = {(item["source"], item["type"], item["target"]) for item in found["relations"]}
    assert {("Clara Rezende", "former_employee_of", "Vertix"), ("Clara Rezende", "works_at", "Orion Tech")} <= edges


def test_aliases_are_grouped() -> None:
    """*Guili (Guilherme Maturana)* is one person with an alias."""
    found = answer("entities", asked("Falei com meu amigo Guili (Guilherme Maturana) hoje."))["entities"]
    assert ("Guilherme Maturana", "person", ["Guili"]) in [
        (item["name"], item["type"], item["aliases"]) for item in found
    ]


def test_relative_dates_become_absolute() -> None:
    """*Yesterday* is told from the date of the message, and the fact holds from then."""
    state, event = facts("Yesterday I moved to a new apartment in Brooklyn")
    assert state["text"] == "Rafael lives in a new apartment in Brooklyn"
    assert "14 June 2025" in event["text"]
    assert state["valid_from"] == event["valid_from"] == "2025-06-14"
    (plan,) = facts("Vou viajar pra Lisboa dia 3 de julho.", "Duda")
    assert plan["event_time"] == "2025-07-03"


def test_pronouns_follow_the_last_fitting_person() -> None:
    """*She* is the sister named before, never the brother."""
    found = texts("My brother João hates cilantro. My sister Julia moved to Lisbon. She works as a nurse.")
    assert any(text.startswith("Julia works as a nurse") for text in found)


def test_hedges_lower_the_confidence() -> None:
    """Said plainly: explicit. Thought or reported: less."""
    assert facts("Ana moved to Boston.")[0]["confidence"] == "explicit"
    assert facts("I think Ana moved to Boston.")[0]["confidence"] == "weak"
    assert facts("Acho que a Ana mora em Natal.")[0]["confidence"] == "weak"
    assert facts("Maybe Ana moved to Boston.")[0]["confidence"] == "speculation"


# traps ----------------------------------------------------------------------------------------------------------------


def test_d1_rendered_memory_yields_nothing() -> None:
    """D1: a block of recalled memory in a message is not news."""
    block = "Known facts:\n- Ana lives in Recife\n- Rafael works at Acme\n\nRelevant conversations:\n- (2026-03-28) I moved to Natal\n"
    assert texts(block) == []
    assert texts(block + "\nI bought a red bike.") == ["Rafael bought a red bike"]


@pytest.mark.parametrize(
    "line",
    [
        "ok", "thanks!", "lol", "kkkk", "bom dia, grupo!", "This is not working!!", "You're not listening to me.", "Stop doing that.",
        "I already told you.", "I'm so frustrated right now.", "Que raiva!", "Não aguento mais isso.", "Isso está errado.", "Got it.",
        "I see.", "I agree with you.", "Entendi, obrigado.", "Parabéns, meu bem!", "Good morning everyone", "Manda um beijo",
        "If I get the job I would move to Denver.", "I wish I lived in Rome.", "Tomara que a Ana venha.", "Se eu ganhar, compro um carro.",
        "Are you still living in Boston?", "Você gosta de pizza?", "Let's go to Paris.", "Could you call Ana?", "I should call my mom.",
    ],
)  # fmt: skip
def test_d2_small_talk_complaints_and_suppositions_state_nothing(line: str) -> None:
    """D2: greetings, thanks, frustration, commands, questions and hypotheses leave no memory."""
    assert texts(line) == []


def test_g1_a_third_party_keeps_its_facts() -> None:
    """G1: the brother hates cilantro, not the speaker."""
    (fact,) = facts("meu irmão odeia coentro")
    assert (fact["subject"], fact["text"]) == ("irmão", "O irmão de Rafael odeia coentro")
    (fact,) = facts("My brother hates cilantro.")
    assert (fact["subject"], fact["text"]) == ("brother", "Rafael's brother hates cilantro")


def test_g3_each_speaker_is_the_subject_of_what_they_say() -> None:
    """G3: three speakers who say *eu* are three subjects."""
    assert [facts("eu moro em Recife", name)[0]["subject"] for name in ("Ana", "Beto", "Lia")] == ["Ana", "Beto", "Lia"]


def test_f1_facts_stay_in_the_language_and_names_in_their_letters() -> None:
    """F1: Portuguese in, Portuguese out; a name keeps its bytes."""
    found = answer("extract", asked("A Conceição D'Ávila trabalha no Hospital São José."))
    assert found["facts"][0]["text"] == "Conceição D'Ávila trabalha no Hospital São José"


def test_b7_common_nouns_are_no_aliases() -> None:
    """B7: *a chefe*, *ele*, *projeto* never become aliases."""
    found = answer("entities", asked("A Marina (chefe) e o Pedro (ele) falaram do projeto."))["entities"]
    assert all(item["aliases"] == [] for item in found)


def test_an_update_points_at_the_shown_fact() -> None:
    """Extraction marks what a known fact is replaced by."""
    known = [{"name": "Rafael", "type": "person", "facts": [{"i": 4, "text": "Rafael mora em São Paulo", "since": ""}]}]
    (fact,) = facts("Me mudei pra Recife.", known=known)
    assert (fact["action"], fact["known"]) == ("UPDATE", 4)
