"""The parts of the studies: pooled shares in pairs, drops at every threshold, ages, plans, shortened sets, bills."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.replay import Answer
from arandu_lab.bench.studies.ages import before, rivals_of, shares, turn_rows
from arandu_lab.bench.studies.command import KINDS
from arandu_lab.bench.studies.costs import Cost, bill_of, rest
from arandu_lab.bench.studies.dropping import dropped, gold_pieces, kept, message
from arandu_lab.bench.studies.paired import mean, share
from arandu_lab.bench.studies.plan import StudyPlan, plan_of, read_study
from arandu_lab.bench.studies.sets import shortened
from arandu_lab.bench.sweeps.costs import cap_of
from arandu_lab.errors import ConfigError
from arandu_lab.llm.prices import FREE, read_prices
from arandu_lab.pure.decide import duplicates
from arandu_lab.records import NewFact
from arandu_lab.trace import Usage

ROOT = Path(__file__).resolve().parents[3]
COUNTS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(0, 4), st.integers(0, 4), st.integers(0, 4)),
    min_size=2,
    max_size=12,
)
TEXTS = (
    "Ana lives in Recife",
    "Ana lives in Olinda",
    "Ana resides in Recife",
    "ana lives in  recife",
    "Ana does not drive",
    "Ana drives",
)


def messages(counts: list[tuple[int, int, int, int, int]]) -> pl.DataFrame:
    """Messages of two arms: (session, right and wrong of the one, right and wrong of the other)."""
    rows: list[dict[str, Any]] = []
    for place, (session, *four) in enumerate(counts):
        for arm, right, wrong in (("a", *four[:2]), ("b", *four[2:])):
            rows.append({"dataset": "d", "conversation": "c", "session": f"s{session}", "turn": f"t{place}", "arm": arm, "facts": right + wrong,
                         "right": right, "error": None})  # fmt: skip
    return pl.DataFrame(rows, schema_overrides={"error": pl.String})


@given(COUNTS)
@settings(max_examples=12, deadline=None)
def test_a_pooled_difference_is_the_difference_of_the_pooled_shares(
    counts: list[tuple[int, int, int, int, int]],
) -> None:
    """However uneven the messages are; and swapping the arms turns the sign of difference and interval, and nothing else."""
    frame = messages(counts)
    one, other = (share("P", frame, "right", "facts", arms=arms) for arms in (("a", "b"), ("b", "a")))
    sums = [tuple(sum(row[n] for row in counts) for n in places) for places in ((1, 2), (3, 4))]
    if not all(sum(pair) for pair in sums):
        assert one.difference is None
        return
    (right, wrong), (other_right, other_wrong) = sums
    assert one.first == pytest.approx(right / (right + wrong))
    assert one.difference is not None
    assert other.difference is not None
    level, turned = one.difference.interval, other.difference.interval
    assert level.mean == pytest.approx(right / (right + wrong) - other_right / (other_right + other_wrong))
    assert turned.mean == pytest.approx(-level.mean)
    assert (one.difference.wins, one.difference.losses) == (other.difference.losses, other.difference.wins)
    if level.low is not None and level.high is not None and turned.high is not None:
        assert turned.high == pytest.approx(-level.low)
    assert (level.low is None) == (len({row[0] for row in counts}) == 1)


def test_a_story_told_in_two_languages_is_one_cluster() -> None:
    """Two datasets with one conversation are no two conversations: two tellings of one, and another, are two."""
    once = messages([(0, 1, 0, 0, 1), (1, 1, 0, 1, 0), (2, 0, 1, 2, 0)])
    told = [once.with_columns(dataset=pl.lit(name), conversation=pl.lit(story)) for name, story in
            (("brook_en", "brook"), ("brook_pt", "brook"), ("harbor_en", "harbor_en"))]  # fmt: skip
    found = mean("right", pl.concat(told), "right", arms=("a", "b"))
    assert (found.messages, found.clusters) == (9, "2 conversations")
    assert mean("right", pl.concat(told[:2]), "right", arms=("a", "b")).clusters == "3 sessions of one conversation"


def test_a_message_that_one_arm_could_not_read_is_left_out_of_both() -> None:
    """A failure is no zero: the pair goes, the others stay."""
    frame = messages([(0, 1, 0, 0, 1), (1, 1, 0, 1, 0)])
    failed = frame.with_columns(
        pl.when((pl.col("turn") == "t0") & (pl.col("arm") == "a"))
        .then(pl.lit("timeout"))
        .otherwise("error")
        .alias("error")
    )
    failed = failed.with_columns(pl.when(pl.col("error") == "timeout").then("error").otherwise(None).alias("error"))
    assert mean("right", failed, "right", arms=("a", "b")).messages == 1
    assert mean("right", failed, "right", arms=("a", "b")).second == 1.0


@given(
    st.lists(st.tuples(st.sampled_from(TEXTS), st.sampled_from(["Ana", "Caio"]), st.integers(0, 5)), max_size=6),
    st.integers(30, 100),
)
@settings(max_examples=40, deadline=None)
def test_what_is_dropped_is_what_the_stage_drops(facts: list[tuple[str, str, int]], percent: int) -> None:
    """Reckoned from cosines made once, at any threshold, drops are those of ``pure.decide.duplicates``, fact by fact."""
    angles = np.array([[np.cos(0.25 * n), np.sin(0.25 * n)] for *_, n in facts], dtype=np.float32)
    new = [
        NewFact(subject=who, text=text, confidence=1.0, category="", importance=0.5, vector=angle)
        for (text, who, _), angle in zip(facts, angles, strict=True)
    ]
    stage = duplicates(new, lambda x: x, threshold=percent / 100)
    same = list(range(len(facts)))
    mine = message("t", "s", [(who, text) for text, who, _ in facts], same, ["ADD"] * len(facts), angles, lambda x: x)
    assert set(kept(mine, percent / 100, asked=True)) == {*same} - {*stage}
    assert set(kept(mine, percent / 100, asked=False)) <= set(kept(mine, percent / 100, asked=True))


def test_a_repetition_dropped_is_no_loss_and_one_that_stays_is_told(tiny: Dataset) -> None:
    """All gold as one message: f6 says f3 again, in the same words, so dropping it loses nothing, and nothing else is alike."""
    ((turn, session, facts, same, kinds),) = gold_pieces(tiny["c1"], whole=True)
    apart = np.eye(len(facts), dtype=np.float32)
    done = dropped(message(turn, session, facts, same, kinds, apart, lambda x: x), 0.85, asked=True)
    assert (done.lost, done.right, done.left) == ((), 1, 0)
    other = (
        [("Caio", "Honey makes Caio ill."), *facts][1:] if False else [*facts[:-1], ("Caio", "Honey makes Caio ill.")]
    )
    done = dropped(message(turn, session, other, same, kinds, apart, lambda x: x), 0.85, asked=True)
    assert (done.lost, done.right, done.left) == ((), 0, 1)
    done = dropped(
        message(turn, session, facts, same, kinds, np.ones_like(apart) / 2.5, lambda x: x), 0.85, asked=False
    )
    assert "UPDATE" in done.lost


def test_what_an_answer_replaced_is_its_rival(tiny: Dataset) -> None:
    """Where Iara lives replaced where she lived; what was only said again is no rival, nor is evidence itself."""
    rivals = rivals_of(tiny["c1"])
    assert [sorted(rivals(one)) for one in tiny["c1"].questions] == [["t0"], [], [], []]


def test_ranks_and_ages_are_of_the_turns_that_answer(tiny: Dataset) -> None:
    """Age is counted to the question; a turn that was not returned is not found; the replaced one first is told."""
    answers = [
        [Answer(question="q1", heard=6, returned=("t0", "t4")), Answer(question="q2", heard=6, returned=("t1",)),
         Answer(question="q3", heard=6, error="dead"), Answer(question="q4", heard=6, returned=("t0",))]
    ]  # fmt: skip
    rows = turn_rows(tiny, tiny["c1"], answers, [90])
    found = {
        (row["question"], row["turn"]): (row["kind"], row["rank"], row["age"], row["span"])
        for row in rows.iter_rows(named=True)
    }
    assert found == {
        ("q1", "t4"): ("evidence", 2, 60.0, 0),
        ("q1", "t0"): ("stale", 1, 180.0, 1),
        ("q2", "t1"): ("evidence", 1, 179.0, 1),
        ("q2", "t5"): ("evidence", None, 59.0, 0),
    }
    assert before(rows).select("question", "stale_first").rows() == [("q1", 1.0)]
    values = {(row["question"], row["span"]): row["value"] for row in shares(rows, 10).iter_rows(named=True)}
    assert values == {("q1", 0): 1.0, ("q2", 1): 1.0, ("q2", 0): 0.0}


@pytest.mark.parametrize("name", sorted(KINDS))
def test_the_shipped_files_are_read_strictly(name: str, tmp_path: Path) -> None:
    """Each study's file is a plan, whole and quick; a word it does not know is refused with the nearest one, quick or not."""
    path = ROOT / "configs" / f"study_{name}.toml"
    whole, quick = (read_study(path, KINDS[name].plan, quick=one) for one in (False, True))
    assert not whole.turns
    assert quick.turns
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(
        path.read_text(encoding="utf-8").replace("turns     =", "tuns =").replace("turns       =", "tuns =")
    )
    with pytest.raises(ConfigError, match="unknown key 'tuns'; did you mean 'turns'"):
        read_study(wrong, KINDS[name].plan)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"turns": "30"}, "turns = '30'"),
        ({"cap": "2"}, "number with its unit"),
        ({"datasets": []}, "datasets"),
        ({"depth": True}, "depth = True"),
    ],
)
def test_a_wrong_value_is_told_by_its_name(said: dict[str, Any], told: str) -> None:
    """Text is no number, truth no quantity, a cap has a unit, and a study is of something."""
    with pytest.raises(ConfigError, match=told):
        plan_of(StudyPlan, {"datasets": ["tiny"], **said})


def test_a_shortened_set_is_another_set(tiny: Dataset) -> None:
    """Only what its turns answer is asked, its gold ends with them, and it has a digest of its own; 0 is all of it."""
    short = shortened(tiny, turns=4)
    assert [one.id for one in short["c1"].questions] == ["q3"]
    assert set(short["c1"].gold or {}) == {"t0", "t1", "t2", "t3"}
    assert short.digest != tiny.digest
    assert shortened(tiny) is tiny
    with pytest.raises(ConfigError, match="answer no question"):
        shortened(tiny, turns=1)


def test_a_bill_refuses_what_would_pass_the_cap_and_free_models_never_do() -> None:
    """By the estimate, before anything is asked; what was paid is taken off for the parts to come."""
    parts = [Cost(what="all", work="w", calls=10, input_tokens=900, output_tokens=200)]
    bill_of(parts, FREE, "").within(cap_of("1000 tokens"))
    with pytest.raises(ConfigError, match="the cap is 1,000 tokens, the estimate 1,100 tokens"):
        bill_of(parts, "some/model", "").within(cap_of("1000 tokens"))
    with pytest.raises(ConfigError, match="nobody states the price"):
        bill_of(parts, "some/model", "").within(cap_of("1 USD"))
    left = rest(cap_of("1000 tokens"), "some/model", Usage(billed_tokens=400), read_prices())
    assert left is not None
    assert left.tokens == 600
    with pytest.raises(ConfigError, match="stopped before the cap"):
        rest(cap_of("1000 tokens"), "some/model", Usage(billed_tokens=1000), read_prices())
