"""Corrections of gold: applied to the question they were written for, counted, and never dropped in silence."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from arandu_lab.bench import tables
from arandu_lab.bench.data.longmemeval import load_longmemeval
from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.data.registry import load
from arandu_lab.bench.frames import Frames, frames
from arandu_lab.bench.overlay import Overlay, figures, rescored
from arandu_lab.bench.plan import Plan, Row
from arandu_lab.bench.run import planned, replayed
from arandu_lab.errors import ConfigError, DatasetError

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write corrections to a file."""

    def written(*items: Any, name: str = "fixes.json") -> Path:
        path = tmp_path / name
        lines = "\n".join(json.dumps(one) for one in items)
        path.write_text(lines if name.endswith("l") else json.dumps(items), encoding="utf-8")
        return path

    return written


def run(dataset: Dataset, tmp_path: Path) -> Frames:
    """BM25 and recency over a dataset."""
    rows = (Row(name="bm25", base="bm25"), Row(name="recency", base="recency"))
    plan = Plan(name="o", datasets=(dataset.name,), rows=rows, measures=("R@1", "RR"), curve=(1,), depth=4, jobs=1)
    return frames(replayed(planned(plan, {dataset.name: dataset}), tmp_path / "steps"))


def test_corrections_reach_their_question_and_are_counted(talk: Dataset, write: Write) -> None:
    """Evidence, answer and absence are corrected where they are named; what is right by now and what fits nothing is counted."""
    items = [
        {"conversation": "c1", "question": "q1", "evidence": ["t3", "t2"], "answer": "Caio", "why": "both say it"},
        {"conversation": "c1", "question": "q3", "absent": True},
        {"conversation": "c1", "question": "q2", "evidence": ["t5", "t3"]},
        {"conversation": "c1", "question": "q9", "answer": "?"},
        {"conversation": "c7", "question": "q1", "answer": "?"},
        {"conversation": "c1", "question": "q4", "evidence": ["t99"]},
        {"conversation": "c1", "question": "q1", "answer": "Iara"},
    ]
    overlay = Overlay.read(write(*items), talk)
    fixed = {one.id: one for one in overlay.applied(talk)["c1"].questions}
    assert (fixed["q1"].evidence, fixed["q1"].answer) == (("t2", "t3"), "Caio")
    assert (fixed["q3"].absent, fixed["q3"].evidence, fixed["q3"].answer) == (True, (), None)
    assert fixed["q2"] == talk["c1"].questions[1]
    assert overlay.counts(talk) == {
        **{"corrections": 7, "applied": 2, "evidence": 2, "answer": 2, "absent": 1},
        **{"agreed": 1, "unmatched": 4},
    }
    reasons = [one.why for one in overlay.unmatched]
    assert reasons == [
        "conversation c1 has no question 'q9'",
        "no conversation 'c7' in the data",
        "its evidence 't99' is no turn",
        "corrected twice; the first correction stands",
    ]
    assert "4 NOT applied" in str(overlay)
    assert [one.where for one in overlay.repairs] == ["c1/q1", "c1/q3"]


def test_corrected_data_are_other_data(talk: Dataset, write: Write) -> None:
    """R1: the corrected dataset has a name and digest of its own, says which overlay, and an overlay of other data is refused."""
    overlay = Overlay.read(write({"conversation": "c1", "question": "q1", "answer": "?"}), talk)
    fixed = overlay.applied(talk)
    assert (fixed.name, fixed.digest != talk.digest) == ("talk+fixes", True)
    assert fixed.card["overlay"] == f"fixes sha256 {overlay.digest}"
    assert fixed.repairs[-1].before == "answer = '-'"
    with pytest.raises(ConfigError, match="read it again"):
        overlay.applied(fixed)


def test_files_that_are_no_overlay_are_refused(talk: Dataset, write: Write, tmp_path: Path) -> None:
    """No file, no JSON, no list, no corrections, an unknown key, a wrong type: each is told with its place."""
    one = {"conversation": "c1", "question": "q1"}
    (tmp_path / "broken.json").write_text("[{", encoding="utf-8")
    for path in (
        tmp_path / "nowhere.json",
        tmp_path / "broken.json",
        write(),
        write("text"),
        write(one),
        write({**one, "evidnce": []}),
        write({**one, "evidence": "t1"}),
        write({**one, "absent": "yes"}),
        write({**one, "answer": 3}, name="fixes.jsonl"),
    ):
        with pytest.raises(DatasetError, match="json"):
            Overlay.read(path, talk)


def test_both_figures_without_a_replay(talk: Dataset, write: Write, tmp_path: Path) -> None:
    """A run is scored again against the corrected gold: as replaying the corrected data would, and beside the given figures."""
    overlay = Overlay.read(write({"conversation": "c1", "question": "q2", "evidence": ["t6"]}), talk)
    given, fixed = run(talk, tmp_path), overlay.applied(talk)
    replay = run(fixed, tmp_path).questions
    again = rescored(given.questions, fixed, ["R@1", "RR"], depth=4)
    assert again.drop("run").equals(replay.drop("run").select(again.drop("run").columns))
    both = figures(given.questions, talk, overlay, ["R@1", "RR"])
    assert both.columns == ["system", "measure", "n", "as_given", "n_corrected", "as_corrected"]
    one = both.filter((pl.col("system") == "recency") & (pl.col("measure") == "R@1")).row(0, named=True)
    assert (one["as_given"], one["as_corrected"]) == (0.0, pytest.approx(1 / 3))
    same = Overlay.read(write({"conversation": "c1", "question": "q2", "evidence": ["t3", "t5"]}), talk)
    assert rescored(given.questions, same.applied(talk), ["R@1"])["R@1"].equals(given.questions["R@1"])


def audit(**changes: Any) -> dict[str, Any]:
    """An item as the public audit writes it."""
    return {
        "question_id": "locomo_0_qa0",
        "question": "Where do the bees live?",
        "golden_answer": "Recife",
        "error_type": "WRONG_CITATION",
        "cited_evidence": ["D1:2"],
        "correct_evidence": ["D1:1"],
        "reasoning": "it is the other turn",
        "correct_answer": "Recife (answer is correct, citation is wrong)",
        **changes,
    }


def test_an_audit_is_matched_by_place_words_and_answer(write: Write, tmp_path: Path) -> None:
    """An item of the audit of LoCoMo fits the question at its place only if words and answer are those it was written for."""
    said = [{"speaker": "A", "dia_id": f"D1:{i}", "text": text} for i, text in ((1, "bees in Recife"), (2, "oh"))]
    qa = [{"question": "Where do the bees live?", "answer": "Recife", "evidence": ["D1:2"], "category": 4}]
    talk = {"speaker_a": "A", "speaker_b": "B", "session_1": said, "session_1_date_time": "1:56 pm on 8 May, 2023"}
    (tmp_path / "few.json").write_text(json.dumps([{"sample_id": "conv-26", "conversation": talk, "qa": qa}]))
    data = load(tmp_path / "few.json")
    items = [
        audit(question_id="locomo_0_qa7"),
        audit(question_id="locomo_1_qa0"),
        audit(question="Where?"),
        audit(golden_answer="Olinda"),
        audit(correct_evidence=["D9:9"]),
        audit(question_id="q0"),
        audit(),
    ]
    overlay = Overlay.read(write(*items), data)
    assert (len(overlay.changes), len(overlay.unmatched)) == (1, 6)
    (fixed,) = overlay.applied(data)["conv-26"].questions
    assert (fixed.evidence, fixed.answer) == (("D1:1",), "Recife")


@pytest.mark.shared
def test_the_public_audit_fits_its_conversations(shared_datasets: Path) -> None:
    """All 56 corrections of the audit match their question: 36 other evidence, 31 other answers, 3 the loader has right by now."""
    data = load(shared_datasets / "locomo" / "locomo4.json")
    overlay = Overlay.read(shared_datasets / "locomo" / "audit_errors.json", data)
    counts = overlay.counts(data)
    assert counts == {
        **{"corrections": 56, "applied": 53, "evidence": 36, "answer": 31, "absent": 0},
        **{"agreed": 3, "unmatched": 0},
    }
    assert overlay.applied(data)["conv-26"].questions[1].evidence == ("D1:14",)


def test_abstention_questions_stand_apart(tmp_path: Path) -> None:
    """R5: a question of LongMemEval whose id ends in ``_abs`` has no evidence and no figure, and is counted as never said."""
    session = [{"role": "user", "content": "I keep bees", "has_answer": True}]

    def item(name: str) -> dict[str, Any]:
        return {
            "question_id": name,
            "question": "What do I keep?",
            "question_date": "2023/05/21 (Sun) 02:21",
            "question_type": "single-session-user",
            "answer": "bees",
            "answer_session_ids": ["s1"],
            "haystack_session_ids": ["s1"],
            "haystack_dates": ["2023/05/20 (Sat) 02:21"],
            "haystack_sessions": [session],
        }

    (tmp_path / "few.json").write_text(json.dumps([item("q1"), item("q1_abs"), item("q2_absent")]), encoding="utf-8")
    data = load_longmemeval(tmp_path / "few.json")
    found = run(data, tmp_path)
    asked = found.questions.filter(pl.col("system") == "bm25")
    assert dict(asked.select("question", "absent").iter_rows()) == {"q1": False, "q1_abs": True, "q2_absent": False}
    assert dict(asked.select("question", "state").iter_rows())["q1_abs"] == "no_evidence"
    assert tables.headline(asked)["question"].to_list() == ["q1", "q2_absent"]
    assert tables.absent_table(found, "few").row(0) == ("bm25", 1, 1, 0)
