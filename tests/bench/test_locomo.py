"""LoCoMo is read with every repair on record, and the published figures come out exactly."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from arandu_lab.bench.data import Dataset, load
from arandu_lab.bench.data.locomo import evidence_ids, load_locomo, moment
from arandu_lab.bench.measures import score, summarise
from arandu_lab.errors import DatasetError
from arandu_lab.systems.base import Ranked
from arandu_lab.systems.controls import control

ANSWERABLE = ["multi", "temporal", "open", "single"]


def sample(**changes: Any) -> dict[str, Any]:
    talk = {
        "speaker_a": "Ana",
        "speaker_b": "Rui",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ana", "dia_id": "D1:1", "text": "Look!", "img_url": ["x"], "blip_caption": "a sunset"},
            {"speaker": "Rui", "dia_id": "D1:2", "text": "Nice"},
        ],
        "session_2_date_time": "1:57 pm on 8 May, 2023",
        "session_2": [{"speaker": "Ana", "dia_id": "D2:1", "text": "I moved"}],
        "session_3_date_time": "12:09 am on 13 September, 2023",
    }
    asked = [
        {"question": "a", "answer": "b", "evidence": ["D2:1; D1:02", "D2:1"], "category": 1},
        {"question": "c", "answer": 2022, "evidence": ["D", "D:1:2", "D9:9"], "category": 2},
        {"question": "d", "evidence": ["D1:1"], "category": 5, "adversarial_answer": "e"},
        {"question": "f", "answer": "g", "evidence": [], "category": 3},
        {"question": "h", "answer": "i", "evidence": ["D1:1"], "category": 4},
    ]
    return {"sample_id": "conv-1", "conversation": talk, "qa": asked} | changes


def written(place: Path, *samples: Any) -> Path:
    (place / "locomo.json").write_text(json.dumps(samples))
    return place / "locomo.json"


async def asked(dataset: Dataset, template: str, k: int = 50) -> dict[tuple[str, str], Ranked | None]:
    """Every question put to BM25 after a replay of its conversation."""
    system = control("bm25", template=template)
    answers: dict[tuple[str, str], Ranked | None] = {}
    for talk in dataset:
        await system.begin(talk.id)
        for turn in talk.turns:
            await system.listen(turn)
        for question in talk.questions:
            answers[talk.id, question.id] = await system.ask(question.text, now=question.asked_at, k=k)
        await system.end()
    return answers


def test_evidence_is_repaired_and_every_repair_is_told(tmp_path: Path):
    """Joined, padded, malformed, repeated and dangling ids come out as turns, and each change stands in the repairs."""
    found = load_locomo(written(tmp_path, sample()))
    questions = found["conv-1"].questions
    assert [q.evidence for q in questions] == [("D1:2", "D2:1"), ("D1:2",), ("D1:1",), (), ("D1:1",)]
    assert questions[0].evidence_sessions == ("D1", "D2")
    said = {(repair.where, repair.why) for repair in found.repairs}
    assert said == {
        ("conv-1/q0", "several ids in one string, or an irregular one; a repeated id"),
        ("conv-1/q1", "several ids in one string, or an irregular one; an id that is no turn"),
        ("conv-1/q1", "an answer that is int, not text"),
        ("conv-1/D3", "date of a session that is not there"),
    }


def test_a_clean_sample_needs_no_repair(tmp_path: Path):
    """Where the file is regular, nothing is reported."""
    clean = sample(qa=[{"question": "h", "answer": "i", "evidence": ["D1:1"], "category": 4}])
    del clean["conversation"]["session_3_date_time"]
    assert load_locomo(written(tmp_path, clean)).repairs == ()


def test_categories_have_their_meaning(tmp_path: Path):
    """1 to 5 are multi, temporal, open, single, adversarial; only the last has no answer to give."""
    questions = load_locomo(written(tmp_path, sample()))["conv-1"].questions
    assert [q.category for q in questions] == ["multi", "temporal", "adversarial", "open", "single"]
    assert [q.absent for q in questions] == [False, False, True, False, False]
    assert (questions[2].answer, questions[2].wrong_answer) == (None, "e")
    assert questions[1].answer == "2022"


def test_turns_keep_their_order_in_time(tmp_path: Path):
    """E7: a turn happened in its session, a minute after the last, closer when the next session comes sooner."""
    talk = load_locomo(written(tmp_path, sample()))["conv-1"]
    began = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    offsets = [(turn.occurred_at - began).total_seconds() for turn in talk.turns]
    assert offsets == [0.0, 30.0, 60.0]
    assert {q.asked_at for q in talk.questions} == {talk.turns[-1].occurred_at + timedelta(minutes=1)}


def test_captions_stay_beside_the_text(tmp_path: Path):
    """What an image shows is a field of its own."""
    first = load_locomo(written(tmp_path, sample()))["conv-1"].turns[0]
    assert (first.text, first.caption) == ("Look!", "a sunset")


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("1:56 pm on 8 May, 2023", "2023-05-08T13:56"),
        ("12:09 am on 13 September, 2023", "2023-09-13T00:09"),
        ("12:30 pm on 1 January, 2024", "2024-01-01T12:30"),
        ("9:55 AM on 22 October, 2023", "2023-10-22T09:55"),
    ],
)
def test_dates_are_read(text: str, iso: str):
    """Noon, midnight and capitals."""
    assert moment(text).isoformat().startswith(iso)


@pytest.mark.parametrize(
    "text", ["13:56 pm on 8 May, 2023", "1:56 pm on 8 Mai, 2023", "1:56 pm on 31 June, 2023", "May"]
)
def test_dates_that_are_none_are_refused(text: str):
    """A date is read whole or not at all."""
    with pytest.raises(ValueError):
        moment(text)


def test_an_id_is_found_in_any_dress():
    """The irregular strings of the ten conversations, one by one."""
    given = ["D9:1 D4:4 D4:6", "D:11:26", "D30:05", "D", "D8:6; D9:17"]
    assert evidence_ids(given) == ["D9:1", "D4:4", "D4:6", "D11:26", "D30:5", "D8:6", "D9:17"]


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (sample(qa=[{"question": "x", "evidence": [], "category": 6}]), "conv-1/q0: category 6"),
        ({"sample_id": "conv-1"}, "no field 'conversation'"),
        ("text", "sample 0"),
        (sample(conversation={"session_1": [], "session_1_date_time": "now"}), "date 'now'"),
        (sample(conversation={"session_1": []}), "session_1_date_time"),
    ],
)
def test_a_sample_that_breaks_the_format_is_named(tmp_path: Path, broken: Any, said: str):
    """The error says which sample, and what was wrong in it."""
    with pytest.raises(DatasetError, match="sample 0") as failed:
        load_locomo(written(tmp_path, broken))
    assert said in str(failed.value)


@pytest.mark.parametrize("text", ["{}", "[", ""])
def test_a_file_that_is_no_list_is_refused(tmp_path: Path, text: str):
    """Not JSON, or not a list: a DatasetError with the line."""
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(DatasetError, match=r"x\.json:1"):
        load_locomo(tmp_path / "x.json")
    with pytest.raises(DatasetError, match="No such file"):
        load_locomo(tmp_path / "y.json")


@pytest.mark.shared
def test_the_four_conversations_are_counted(shared_datasets: Path):
    """Turns, questions and repairs of locomo4 are known numbers."""
    found = load("locomo4", root=shared_datasets)
    assert found.table().select("sessions", "turns", "questions", "with_evidence").rows() == [
        (19, 419, 199, 197),
        (19, 369, 105, 105),
        (32, 663, 193, 193),
        (28, 675, 158, 158),
    ]
    assert len(found.repairs) == 23
    assert sum(repair.why.startswith("date") for repair in found.repairs) == 16
    for talk in found:
        assert [turn.occurred_at for turn in talk.turns] == sorted({turn.occurred_at for turn in talk.turns})


@pytest.mark.shared
@pytest.mark.parametrize(
    ("template", "known"),
    [("text", (21.21, 40.13, 47.79, 55.56, 64.64)), ("speaker+text", (23.51, 42.07, 51.03, 57.69, 66.71))],
)
async def test_okapi_gives_the_published_recall(shared_datasets: Path, template: str, known: tuple[float, ...]):
    """R1: R@1/5/10/20/50 of Okapi BM25 over the 506 questions of categories 1 to 4, to two decimals."""
    dataset = load("locomo4", root=shared_datasets).slice(categories=ANSWERABLE)
    scores = score(dataset, await asked(dataset, template), [f"R@{k}" for k in (1, 5, 10, 20, 50)])
    rows = summarise(scores, by=["measure"]).to_dicts()
    assert tuple(round(100 * row["mean"], 2) for row in rows) == known
    assert {(row["n"], row["no_evidence"], row["failed"]) for row in rows} == {(506, 2, 0)}
