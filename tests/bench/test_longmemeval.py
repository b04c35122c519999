"""LongMemEval is read in both layouts, and the published BM25 figure comes out exactly."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from arandu_lab.bench.data import Dataset, load
from arandu_lab.bench.data.longmemeval import load_longmemeval, moment
from arandu_lab.bench.measures import score, summarise
from arandu_lab.errors import ConfigError, DatasetError
from arandu_lab.systems.base import Ranked
from arandu_lab.systems.controls import control


def item(**changes: Any) -> dict[str, Any]:
    return {
        "question_id": "q1",
        "question_type": "single-session-user",
        "question": "Where do I live?",
        "question_date": "2023/05/30 (Tue) 12:00",
        "answer": 3,
        "answer_session_ids": ["answer_1"],
        "haystack_dates": ["2023/05/29 (Mon) 10:00", "2023/05/20 (Sat) 02:21"],
        "haystack_session_ids": ["answer_1", "noise_1"],
        "haystack_sessions": [
            [
                {"role": "user", "content": "I live in Recife", "has_answer": True},
                {"role": "assistant", "content": "Lovely", "has_answer": False},
            ],
            [{"role": "user", "content": "Hello"}],
        ],
    } | changes


def written(place: Path, *items: Any) -> Path:
    (place / "longmemeval_s.json").write_text(json.dumps(items))
    return place / "longmemeval_s.json"


async def asked(dataset: Dataset, k: int) -> dict[tuple[str, str], Ranked | None]:
    system = control("bm25", template="text")
    answers: dict[tuple[str, str], Ranked | None] = {}
    for talk in dataset:
        await system.begin(talk.id)
        for turn in talk.turns:
            await system.listen(turn)
        for question in talk.questions:
            answers[talk.id, question.id] = await system.ask(question.text, now=question.asked_at, k=k)
    return answers


def test_the_public_layout_is_one_conversation_a_question(tmp_path: Path):
    """Sessions stand in order of time, turns carry role and date, evidence is what is flagged; numbers become text."""
    [talk] = load_longmemeval(written(tmp_path, item())).conversations
    assert talk.id == "q1"
    assert [(turn.session_id, turn.role, turn.text) for turn in talk.turns] == [
        ("noise_1", "user", "Hello"),
        ("answer_1", "user", "I live in Recife"),
        ("answer_1", "assistant", "Lovely"),
    ]
    [question] = talk.questions
    assert question.evidence == ("answer_1_turn_000",)
    assert question.evidence_sessions == ("answer_1",)
    assert (question.answer, question.category, question.absent) == ("3", "single-session-user", False)
    assert question.asked_at == moment("2023/05/30 (Tue) 12:00")


def test_an_abstention_question_is_absent(tmp_path: Path):
    """R5: ``_abs`` at the end of an id routes to refusal: no answer, no evidence, and the near miss is told."""
    found = load_longmemeval(written(tmp_path, item(question_id="q1_abs")))
    [question] = found.conversations[0].questions
    assert (question.absent, question.answer, question.evidence, question.evidence_sessions) == (True, None, (), ())
    assert "near misses" in found.repairs[-1].why
    [row] = score(found, {("q1_abs", "q1_abs"): Ranked(turns=())}, ["R@5(session)"]).to_dicts()
    assert (row["value"], row["state"]) == (None, "no_evidence")


def test_what_the_loader_changes_is_told(tmp_path: Path):
    """Sessions out of order, twice there or not there, and evidence after the question: each is a repair."""
    changed = item(
        question_date="2023/05/21 (Sun) 00:00",
        answer_session_ids=["answer_1", "lost_1"],
        haystack_dates=["2023/05/29 (Mon) 10:00", "2023/05/20 (Sat) 02:21", "2023/05/20 (Sat) 03:00"],
        haystack_session_ids=["answer_1", "noise_1", "noise_1"],
        haystack_sessions=[*item()["haystack_sessions"], [{"role": "user", "content": "Hello again"}]],
    )
    found = load_longmemeval(written(tmp_path, changed))
    reasons = " | ".join(repair.why for repair in found.repairs)
    for reason in ("out of order", "stands twice", "not in the haystack: ['lost_1']", "lies after the date"):
        assert reason in reasons
    [talk] = found.conversations
    assert talk.questions[0].asked_at > talk.turns[-1].occurred_at
    assert [session.id for session in talk.sessions] == ["noise_1", "noise_1#2", "answer_1"]


def test_turns_of_a_session_end_before_the_question(tmp_path: Path):
    """A session that began before the question was over before it, however many turns it has."""
    long = [{"role": "user", "content": str(number)} for number in range(50)]
    one = item(question_date="2023/05/29 (Mon) 10:05", haystack_sessions=[long, [{"role": "user", "content": "Hello"}]])
    [talk] = load_longmemeval(written(tmp_path, one)).conversations
    assert talk.turns[-1].occurred_at < talk.questions[0].asked_at


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (item(question_date="yesterday"), "question 0: date 'yesterday'"),
        ({"question_id": "q"}, "question 0: no field 'question'"),
        (item(haystack_dates=[]), "question 0"),
        ([], "question 0"),
    ],
)
def test_an_item_that_breaks_the_format_is_named(tmp_path: Path, broken: Any, said: str):
    """The error says which question of the file."""
    with pytest.raises(DatasetError) as failed:
        load_longmemeval(written(tmp_path, broken))
    assert said in str(failed.value)


def test_files_that_are_none_are_refused(tmp_path: Path):
    """Not there, not JSON, not a list, a line of a mini set that is cut, another way of asking."""
    with pytest.raises(DatasetError, match="No such file"):
        load_longmemeval(tmp_path / "x.json")
    (tmp_path / "x.json").write_text("{")
    with pytest.raises(DatasetError, match=r"x\.json:1: not JSON"):
        load_longmemeval(tmp_path / "x.json")
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(DatasetError, match="list of questions"):
        load_longmemeval(tmp_path / "x.json")
    (tmp_path / "sessions.jsonl.gz").write_bytes(gzip.compress(b'{"id": "a", "timestamp": "2023/05/20 02:21"}\n'))
    with pytest.raises(DatasetError, match=r"sessions\.jsonl\.gz:1: no field 'turns'"):
        load_longmemeval(tmp_path)
    with pytest.raises(ConfigError, match="question, end"):
        load_longmemeval(tmp_path, asked="now")


@pytest.mark.shared
@pytest.mark.parametrize(
    ("measure", "known"),
    [
        ("R@1(session-of-turns)", 0.390625),
        ("R@5(session-of-turns)", 0.791667),
        ("R@10(session-of-turns)", 0.807292),
        ("R@20(session-of-turns)", 0.921875),
        ("hit@5(session-of-turns)", 1.0),
        ("R@5", 0.63),
        ("R@20", 0.776667),
    ],
)
async def test_okapi_gives_the_published_session_recall(shared_datasets: Path, measure: str, known: float):
    """R1: BM25 over all 612 turns; the sessions of the five best hold .791667 of the cited ones."""
    dataset = load("longmemeval_mini", root=shared_datasets, asked="end")
    [row] = summarise(score(dataset, await asked(dataset, 20), [measure])).to_dicts()
    assert round(row["mean"], 6) == known
    assert row["n"] == (15 if measure in ("R@5", "R@20") else 16)


@pytest.mark.shared
def test_questions_are_put_at_their_own_dates(shared_datasets: Path):
    """By default no question sees the sessions after it, and none loses its evidence by that."""
    [talk] = load("longmemeval_mini", root=shared_datasets).conversations
    began = {session.id: session.occurred_at for session in talk.sessions}
    assert len({question.asked_at for question in talk.questions}) == 16
    assert all(began[name] < q.asked_at for q in talk.questions for name in q.evidence_sessions)
    assert (len(talk.sessions), len(talk.turns)) == (82, 612)
