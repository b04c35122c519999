"""Weights that bend: questions that want several turns are answered by other columns than those that want one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.bench.blends.folds import held_out, recalls
from arandu_lab.bench.blends.plan import plan_of
from arandu_lab.bench.blends.report import bends, marks, marks_card
from arandu_lab.blends.blend import USUAL, Blend, Term
from arandu_lab.blends.fit import Lesson, fit, wanting
from arandu_lab.blends.judged import Judged
from arandu_lab.errors import ConfigError
from arandu_lab.pure.several import MARKS, Several, several_marks

TERMS = (Term(column="one", kind="flag"), Term(column="many", kind="flag"))
BENT = Blend(
    name="bent",
    terms=(Term(column="one", kind="z", weight=1.0, bend=-2.0), Term(column="many", kind="flag", bend=0.5)),
    embedder="use",
    several=Several(intercept=-1.0, weights={"plural": 3.0, "length": -0.1}),
)


@pytest.fixture(scope="module")
def asked() -> list[Judged]:
    """Column ``one`` finds the evidence of questions in the singular, column ``many`` that of questions in the plural."""
    rng = np.random.default_rng(3)
    out = []
    for place in range(120):
        plural = place % 3 == 0
        columns = {name: rng.normal(size=30).astype(np.float32) for name in ("one", "many")}
        told = columns["many" if plural else "one"]
        relevant = told >= np.sort(told)[-3 if plural else -1]
        out.append(
            Judged(
                dataset="made",
                conversation=f"c{place % 4}",
                question=f"q{place:03}",
                category="many" if plural else "one",
                columns=columns,
                relevant=relevant,
                open=np.ones(30, dtype=np.bool_),
                marks=several_marks("Which hobbies does Ana have?" if plural else "Where does Ana live?", 1),
            )
        )
    return out


def folds(asked: list[Judged]) -> list[str]:
    return [one.conversation for one in asked]


def test_weights_that_bend_find_what_a_single_ranking_cannot(asked: list[Judged]) -> None:
    """Held out, bent weights find nearly all of both kinds; straight ones have to choose."""
    lesson = Lesson.of(asked, TERMS)
    found = {}
    for bent in (False, True):
        scores, _ = held_out(lesson, folds(asked), l2=1.0, bends=bent)
        found[bent] = float(recalls(asked, [scores[place] for place in range(len(asked))])["R@5"].mean())
    assert found[True] > 0.95
    assert found[True] > found[False] + 0.1


def test_a_blend_scores_as_its_lesson_does(asked: list[Judged]) -> None:
    """What training saw is what reading computes, to the digits of a float32."""
    blend = fit(asked, TERMS, l2=1.0, folds=folds(asked))
    lesson = Lesson.of(asked, TERMS)
    for place in (0, 1, 2):
        one = asked[place]
        assert blend.score(one.columns, one.open, one.marks) == pytest.approx(lesson.scores(blend, place), abs=1e-4)


def test_a_question_is_judged_by_models_that_did_not_see_its_fold(asked: list[Judged]) -> None:
    """Marks that are a fold's own fingerprint tell nothing of it: its probabilities do not move when its truth is turned over."""
    counted = np.ones(len(asked))
    _, before = wanting(asked, folds(asked), counted)
    turned = [
        replace(
            one, relevant=one.relevant if one.conversation != "c0" else np.arange(30) < (1 if one.evidence > 1 else 3)
        )
        for one in asked
    ]
    _, after = wanting(turned, folds(asked), counted)
    mine = np.array([one.conversation == "c0" for one in asked])
    assert before[mine].tolist() == after[mine].tolist()
    assert before[~mine].tolist() != after[~mine].tolist()


def test_where_nothing_can_be_told_apart_bends_are_refused(asked: list[Judged]) -> None:
    """One fold, or questions that all want one turn, are errors that say so; without bends they are learned from."""
    single = [one for one in asked if one.category == "one"]
    for some, where in ((asked, ["all"] * len(asked)), (single, [one.conversation for one in single])):
        with pytest.raises(ConfigError, match="weights that bend"):
            fit(some, TERMS, folds=where)
        fit(some, TERMS)


def test_it_is_kept_whole(tmp_path: Path) -> None:
    """Bends and the model of marks come back as they were; a straight blend's file knows nothing of them."""
    BENT.save(tmp_path / "bent.json")
    assert Blend.load(tmp_path / "bent.json") == BENT
    straight = replace(BENT, several=None, terms=tuple(replace(one, bend=0.0) for one in BENT.terms))
    straight.save(tmp_path / "straight.json")
    assert "several" not in (tmp_path / "straight.json").read_text(encoding="utf-8")
    text = (tmp_path / "bent.json").read_text(encoding="utf-8")
    (tmp_path / "odd.json").write_text(text.replace('"plural"', '"plurals"'), encoding="utf-8")
    with pytest.raises(ConfigError, match="plural"):
        Blend.load(tmp_path / "odd.json")


def test_a_report_says_what_bends() -> None:
    """What counts under one turn and under several stands in the tables, largest difference first; a straight blend has none."""
    assert bends(BENT).rows() == [
        ("", "one", "z", 1.0 + 2.0 * USUAL, 1.0 - 2.0 * (1.0 - USUAL)),
        ("", "many", "flag", -0.5 * USUAL, 0.5 * (1.0 - USUAL)),
    ]
    assert marks(BENT).rows() == [("plural", 3.0), ("length", -0.1)]
    assert "plural" in marks_card(BENT).markdown()
    straight = Blend(name="straight", terms=(Term(column="one", kind="z", weight=1.0),), embedder="use")
    assert bends(straight).is_empty()
    assert marks(straight).is_empty()


def test_marks_are_asked_for() -> None:
    """A bent blend without a question's marks is an error, not a guess; a column that only bends is used."""
    columns = {"one": np.array([1.0, 0.0]), "many": np.array([0.0, 1.0])}
    with pytest.raises(ConfigError, match="marks"):
        BENT.score(columns, np.ones(2, dtype=bool))
    assert BENT.used == ("one", "many")
    with pytest.raises(ConfigError, match="bends"):
        replace(BENT, several=None)


@given(p=st.floats(0, 1), weight=st.floats(-5, 5), bend=st.floats(-5, 5))
def test_at_the_usual_nothing_bends(p: float, weight: float, bend: float) -> None:
    """At the usual probability a term counts its weight, and it moves in a straight line from there."""
    term = Term(column="a", kind="z", weight=weight, bend=bend)
    assert term.under(USUAL) == weight
    assert term.under(p) - weight == pytest.approx((p - USUAL) * bend, abs=1e-9)


@given(question=st.text(max_size=300), speakers=st.integers(0, 5), weight=st.floats(-1e6, 1e6))
def test_any_question_has_every_mark_and_a_probability(question: str, speakers: int, weight: float) -> None:
    """Marks are finite whatever is asked, always the same ones, and a probability lies between 0 and 1."""
    marks = several_marks(question, speakers)
    assert tuple(marks) == MARKS
    assert all(np.isfinite(value) and value >= 0 for value in marks.values())
    assert 0.0 <= Several(intercept=0.0, weights=dict.fromkeys(MARKS, weight)).probability(marks) <= 1.0


@pytest.mark.parametrize(
    ("one", "several"),
    [
        ("Where does Ana live?", "What sports does Ana play?"),
        ("When did Ana move to Recife?", "Which books has Ana read?"),
        ("Onde a Ana mora?", "Quais esportes a Ana pratica?"),
    ],
)
def test_the_marks_of_many_things(one: str, several: str) -> None:
    """In both languages a question for several things is marked as one, and a question for one thing is not."""
    assert several_marks(one, 1)["plural"] + several_marks(one, 1)["things"] == 0.0
    assert several_marks(several, 1)["plural"] + several_marks(several, 1)["things"] >= 1.0


def test_a_plan_says_whether_weights_bend() -> None:
    """``bends`` is off unless it is said, and is yes or no."""
    assert not plan_of({"blend": {"sets": ["harbor_en"]}}).bends
    assert plan_of({"blend": {"sets": ["harbor_en"], "bends": True}}).bends
    with pytest.raises(ConfigError, match="bends"):
        plan_of({"blend": {"sets": ["harbor_en"], "bends": "yes"}})
