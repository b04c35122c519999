"""What a run will be able to see is said before it starts, from an earlier result on the same data; and unlike results are refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from arandu_lab.bench.compare import compared, unlike
from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.frames import Frames
from arandu_lab.bench.pilot import foreseen
from arandu_lab.bench.plan import Plan, Row
from arandu_lab.errors import ConfigError

CONVERSATIONS, QUESTIONS = 4, 12


def questions(systems: Mapping[str, float], conversations: int = CONVERSATIONS) -> pl.DataFrame:
    """Questions of ``talk``: a system has 1 where a running number is under its share, shifted a little a conversation."""
    rows = [
        {"dataset": "talk", "conversation": f"c{c}", "system": name, "question": f"q{q}", "category": "x"}
        | {"absent": False, "error": None, "R@10": float((q * 11 % (7 + c)) / (7 + c) < share)}
        for name, share in systems.items()
        for c in range(conversations)
        for q in range(QUESTIONS)
    ]
    return pl.DataFrame(rows, schema_overrides={"error": pl.String})


def keep(folder: Path, digest: str, frame: pl.DataFrame) -> None:
    """A result as far as a pilot looks at it."""
    folder.mkdir(parents=True)
    names = list(frame["system"].unique(maintain_order=True))
    text = f'[run]\nsystems = {names!r}\n[made.datasets]\ntalk = "{digest}"\n'.replace("'", '"')
    (folder / "made.toml").write_text(text, encoding="utf-8")
    frame.write_parquet(folder / "questions.parquet")


def test_an_earlier_result_says_what_will_be_seen(talk: Dataset, tmp_path: Path) -> None:
    """The pilot is of the same bytes and shares most systems; least and greatest effect are told with their pairs and their source."""
    keep(tmp_path / "a-1", talk.digest, questions({"one": 0.5, "near": 0.6, "far": 0.9}))
    keep(tmp_path / "b-2", talk.digest, questions({"one": 0.5, "else": 0.6}))
    keep(tmp_path / "c-3", "f" * 64, questions({"one": 0.5, "near": 0.6, "far": 0.9, "most": 1.0}))
    (tmp_path / "d-4").mkdir()
    (tmp_path / "d-4" / "made.toml").write_text("[broken", encoding="utf-8")
    (said,) = foreseen({"talk": talk}, "R@10", tmp_path, systems=["one", "near", "far"])
    assert said.startswith("talk: with 4 conversations a difference of R@10 under ")
    assert "(as between one and near, or far)" in said or "(as between one and far, or near)" in said
    assert said.endswith("will be missed more than 20 times in 100 (alpha 0.05; from a-1)")
    assert "from b-2" in foreseen({"talk": talk}, "R@10", tmp_path, systems=["one", "else"])[0]


def test_a_kept_baseline_is_a_pilot(talk: Dataset, tmp_path: Path) -> None:
    """The first run of all is told too what it will miss, by the baseline that came with the repository."""
    (tmp_path / "baselines").mkdir()
    keep(tmp_path / "baselines" / "kept", talk.digest, questions({"one": 0.5, "far": 0.9}))
    assert "from kept" in foreseen({"talk": talk}, "R@10", tmp_path, systems=["one", "far"])[0]


def test_without_a_pilot_nothing_is_claimed(talk: Dataset, tmp_path: Path) -> None:
    """No result, one of other data, of one system, without the measure, or whose systems never differ: no sentence."""
    assert foreseen({"talk": talk}, "R@10", tmp_path) == []
    keep(tmp_path / "a-1", "f" * 64, questions({"one": 0.5, "two": 0.6}))
    keep(tmp_path / "b-2", talk.digest, questions({"one": 0.5}))
    assert foreseen({"talk": talk}, "R@10", tmp_path) == []
    keep(tmp_path / "c-3", talk.digest, questions({"one": 0.5, "same": 0.5}))
    assert foreseen({"talk": talk}, "R@10", tmp_path) == []
    assert foreseen({"talk": talk}, "RR", tmp_path) == []


def test_one_conversation_says_that_it_is_one(talk: Dataset, tmp_path: Path) -> None:
    """A pilot of one conversation promises nothing of others, where no test will be made, and speaks of its questions."""
    keep(tmp_path / "a-1", talk.digest, questions({"one": 0.5, "two": 0.7}, conversations=1))
    (said,) = foreseen({"talk": talk}, "R@10", tmp_path)
    assert said.startswith(
        "talk: one conversation, which tells nothing of others; were only questions like its own meant, with 12"
    )
    assert "would be missed" in said


def result(shares: Mapping[str, float], **made: Any) -> tuple[Plan, Frames]:
    """A plan and frames of questions; nothing was spent."""
    rows = tuple(Row(name=name, base="bm25") for name in shares)
    said = {"datasets": {"talk": "a" * 64}, "measures": {"R@10": "1"}, **made}
    none = pl.DataFrame(
        schema={"dataset": pl.String, "system": pl.String, "stage": pl.String, "tokens_asked": pl.Int64}
    )
    frames = Frames(questions=questions(shares), extraction=none, usage=none, errors=none, times=none)
    return Plan(name="t", datasets=("talk",), rows=rows, measures=("R@10",), made=said), frames


def test_differences_are_told_in_words_and_held_to_the_family() -> None:
    """Holm reckons with all comparisons of a dataset; each row says what may be said, and the least effect where nothing may."""
    before, after = result({"one": 0.5, "two": 0.5}), result({"one": 0.9, "two": 0.55})
    table = compared(before, after)
    first, second = table.iter_rows(named=True)
    assert first["verdict"].startswith("better by ")
    assert second["verdict"].startswith(("not distinguishable", "better", "no difference"))
    assert all(row["p_holm"] >= row["p"] for row in (first, second))
    assert first["wins"] + first["ties"] == 4 * QUESTIONS
    assert first["losses"] == 0
    assert first["design_effect"] > 0


def test_failures_are_told_and_both_means_are_over_the_same_questions() -> None:
    """R3: questions that failed after leave both means; how many they are stands in a column and in the words, with their error."""
    plan, whole = result({"one": 0.5})
    failed = pl.col("R@10") == 0
    part = whole.questions.with_columns(
        **{"R@10": pl.when(failed).then(None).otherwise(pl.col("R@10"))},
        error=pl.when(failed).then(pl.lit("429")).otherwise(None),
    )
    many = whole.questions.filter(failed).height
    (row,) = compared((plan, whole), (plan, replace(whole, questions=part))).iter_rows(named=True)
    assert (row["before"], row["after"], row["difference"], row["unpaired"]) == (1.0, 1.0, 0.0, many)
    assert row["verdict"].endswith(
        f"; left out: {many} questions with a value on one side only; after: {many} of 48 failed, the first with: 429"
    )
    (row,) = compared((plan, replace(whole, questions=part)), (plan, replace(whole, questions=part))).iter_rows(
        named=True
    )
    assert f"before: {many} of 48 failed" in row["verdict"]
    assert "left out" not in compared((plan, whole), (plan, whole))["verdict"][0]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"datasets": {"talk": "b" * 64}}, "different data (talk)"),
        ({"measures": {"R@10": "2"}}, "R@10 had another definition then"),
        ({"overlays": {"talk+fixes": "fixes sha256 ab"}}, "lay the same overlay over both"),
    ],
)
def test_unlike_results_are_refused_with_a_way_out(change: dict[str, Any], why: str) -> None:
    """R1: other data, another definition of a measure, other corrections: refused, saying why and what would make them alike."""
    with pytest.raises(ConfigError) as refused:
        compared(result({"one": 0.5}), result({"one": 0.5}, **change))
    assert why in str(refused.value)


def test_depth_and_seed_must_agree_and_code_need_not() -> None:
    """R1: another depth or seed is refused; other systems, settings or code are what is compared. What is unsaid is not held against it."""
    plan, _ = result({"one": 0.5})
    assert "run one of them again with depth = 20" in unlike(plan, replace(plan, depth=10))[0]
    assert "seed = 0, then 3" in unlike(plan, replace(plan, seed=3))[0]
    assert "no measure in common" in unlike(plan, replace(plan, measures=("RR",)))[0]
    assert unlike(plan, replace(plan, made={**plan.made, "code": "x"}, rows=())) == ()
    assert unlike(plan, replace(plan, made={"datasets": plan.made["datasets"]})) == ()
