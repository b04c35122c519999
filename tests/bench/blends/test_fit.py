"""Learning: planted weights come back, signs hold, order and closed rows do not matter, folds never see themselves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone

from arandu_lab.bench.blends.folds import folds_of, held_out, recalls
from arandu_lab.blends.blend import Term
from arandu_lab.blends.design import design
from arandu_lab.blends.fit import Lesson, ListwiseRanker, fit
from arandu_lab.blends.judged import Judged
from arandu_lab.errors import ConfigError

TERMS = tuple(Term(column=name, kind="flag") for name in ("bm", "d_first", "noise", "qmark"))


def weights(blend) -> dict[str, float]:  # type: ignore[no-untyped-def]
    return {term.column: term.weight for term in blend.terms}


def test_planted_weights_come_back(judged: list[Judged]) -> None:
    """Evidence drawn by a softmax of known weights (one turn a question) gives those weights back."""
    single = [one for one in judged if one.category == "one"]
    found = weights(fit(single, TERMS, l2=0.1))
    assert found["bm"] == pytest.approx(3.0, abs=0.75)
    assert found["d_first"] == pytest.approx(1.0, abs=0.25)
    assert found["noise"] == pytest.approx(0.0, abs=0.25)
    assert found["qmark"] == pytest.approx(-2.0, abs=0.6)


def test_signs_are_bounds(judged: list[Judged]) -> None:
    """A column bounded against what it says counts nothing; one bounded as it says is as before."""
    free = weights(fit(judged, TERMS))
    wrong = weights(fit(judged, [replace(term, sign={"bm": 1, "qmark": 1}.get(term.column, 0)) for term in TERMS]))
    assert free["qmark"] < 0.0 == wrong["qmark"]
    assert wrong["bm"] == pytest.approx(free["bm"], rel=0.1)


def test_order_does_not_matter(judged: list[Judged]) -> None:
    """Questions in another order make the same blend, to the last digit."""
    assert fit(judged[::-1], TERMS) == fit(judged, TERMS)


def test_closed_rows_and_unheard_evidence_teach_nothing(judged: list[Judged]) -> None:
    """Closed turns, whatever their columns hold, and questions without open evidence leave the blend as it is."""
    some = judged[:40]
    longer = []
    for one in some:
        columns = {name: np.concatenate([values, [50.0, -50.0]]) for name, values in one.columns.items()}
        longer.append(
            replace(
                one,
                columns=columns,
                relevant=np.concatenate([one.relevant, [False, True]]),
                open=np.concatenate([one.open, [False, False]]),
            )
        )
    unheard = replace(longer[0], question="unheard", relevant=~longer[0].open)
    assert fit([*longer, unheard], TERMS) == fit(some, TERMS)


def test_a_penalty_holds_weights_small_and_a_set_weighs_what_is_said(judged: list[Judged]) -> None:
    """More penalty, smaller weights; a set that counts next to nothing moves next to nothing."""
    assert abs(weights(fit(judged, TERMS, l2=1000.0))["bm"]) < abs(weights(fit(judged, TERMS, l2=1.0))["bm"]) / 2
    other = [replace(one, dataset="other", relevant=np.roll(one.relevant, 7)) for one in judged[:60]]
    alone = weights(fit(judged, TERMS, l2=1.0))
    little = weights(fit([*judged, *other], TERMS, l2=1.0, weights={"other": 1e-4}))
    much = weights(fit([*judged, *other], TERMS, l2=1.0))
    assert little["bm"] == pytest.approx(alone["bm"], rel=0.02)
    assert much["bm"] < 0.9 * alone["bm"]


def test_the_estimator_is_scikit_learns(judged: list[Judged]) -> None:
    """It clones, says its parameters, refuses before it is fitted, and gives a score a row."""
    ranker = ListwiseRanker(l2=3.0, signs=[1, 0])
    assert clone(ranker).get_params() == ranker.get_params() == {"l2": 3.0, "signs": [1, 0], "max_iter": 200}
    with pytest.raises(Exception, match="not fitted"):
        ranker.predict([[0.0, 0.0]])
    fitted = ranker.fit([[1.0, 0.0], [0.0, 1.0], [2.0, 0.0], [0.0, 0.0]], [1, 0, 1, 0], [0, 0, 1, 1])
    assert fitted.predict([[1.0, 0.0], [0.0, 0.0]])[0] > 0.0


@pytest.mark.parametrize(
    ("rows", "relevant", "groups", "said"),
    [
        ([[1.0], [2.0], [3.0]], [1, 0, 1], [0, 1, 0], "stand apart"),
        ([[1.0], [2.0]], [0, 0], [0, 0], "no evidence"),
        ([[1.0, 2.0]], [1], [0], "signs for 2 columns"),
        ([[1.0]], [1, 1], [0], "2 judgements"),
    ],
)
def test_what_cannot_be_learned_is_refused(rows: list, relevant: list, groups: list, said: str) -> None:  # type: ignore[type-arg]
    """Torn questions, questions without evidence and shapes that do not fit are errors that say so."""
    with pytest.raises(ConfigError, match=said):
        ListwiseRanker(signs=[1]).fit(rows, relevant, groups)


def test_a_fold_never_sees_itself(judged: list[Judged]) -> None:
    """Turning the judgements of one conversation upside down changes no score within it, and scores elsewhere."""
    lesson = Lesson.of(judged, TERMS)
    folds = folds_of(judged)
    plain, made = held_out(lesson, folds)
    assert [fold.held for fold in made] == ["a", "b", "c"]
    turned = [replace(one, relevant=np.roll(one.relevant, 3)) if one.conversation == "a" else one for one in judged]
    other, _ = held_out(Lesson.of(turned, TERMS), folds)
    for place, one in enumerate(judged):
        assert np.array_equal(plain[place], other[place]) == (one.conversation == "a")


def test_scores_of_a_lesson_are_those_of_the_blend(judged: list[Judged]) -> None:
    """Held out scores are what the blend of the fold says, to within a float32; one story is one fold."""
    terms = design(["bm", "d_first", "noise", "qmark"], {"qmark"})
    lesson = Lesson.of(judged, terms)
    scores, made = held_out(lesson, folds_of(judged))
    for place in (0, 70, 150):
        blend = made[place // 60].blend
        assert np.allclose(scores[place], blend.score(judged[place].columns, judged[place].open), atol=1e-4)
    assert set(folds_of(judged, {"made": "one"})) == {"one"}
    with pytest.raises(ConfigError, match="wants two"):
        held_out(lesson, ["one"] * len(judged))


def test_fewer_columns_are_a_lesson_of_their_own(judged: list[Judged]) -> None:
    """A lesson without a column teaches what one made without it teaches."""
    lesson = Lesson.of(judged, TERMS).without(["bm"])
    fresh = Lesson.of(judged, TERMS[1:])
    assert held_out(lesson, folds_of(judged))[1] == held_out(fresh, folds_of(judged))[1]


def test_recall_counts_all_evidence() -> None:
    """Evidence that had not been heard is missed; of equal scores the later turn comes first; closed turns never count."""
    one = Judged(
        dataset="d",
        conversation="c",
        question="q",
        category="k",
        columns={},
        relevant=np.array([True, False, True, True]),
        open=np.array([True, True, True, False]),
        missing=1,
    )
    row = recalls([one], [np.array([1.0, 5.0, 1.0, -np.inf])], cuts=(1, 2, 3, 50)).row(0, named=True)
    assert row["evidence"] == 4
    assert [row[f"R@{k}"] for k in (1, 2, 3, 50)] == [0.0, 0.25, 0.5, 0.5]


def test_a_question_that_found_nothing_is_missed_and_teaches_nothing(judged: list[Judged]) -> None:
    """It counts as 0 at every cut, and blends are what they are without it."""
    nothing = np.zeros(0)
    silent = replace(
        judged[0],
        question="silent",
        columns=dict.fromkeys(judged[0].columns, nothing),
        relevant=nothing.astype(bool),
        open=nothing.astype(bool),
        missing=2,
    )
    assert not silent.teaches
    assert fit([*judged, silent], TERMS) == fit(judged, TERMS)
    assert fit(judged, TERMS).score(silent.columns, silent.open).tolist() == []
    assert recalls([silent], [nothing], cuts=(1, 50)).select("R@1", "R@50").row(0) == (0.0, 0.0)
