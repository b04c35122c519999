"""Learning a blend: turns of a question compete, and the evidence shall win.

The loss of a question is ``-mean(log softmax(score)[evidence])`` over its open turns, so only differences within a question
count, and no negative is drawn by chance. Columns are scaled by their standard deviation, not centred (a constant moves
nothing); ``l2 / (2 n) * |w|²`` holds the scaled weights small. Signs are bounds: a column that can only help (more words in
common) never hurts because two sets happened to say so, which is what carries over to sets that were not seen.

Where weights bend, a second copy of the columns is learned beside the first, times how much likelier than usual the question
wants several turns. That probability is learned first, from the questions' words; for questions that are learned from it
comes from the folds that they are not of, since a model knows its own questions too well.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.utils.validation import check_is_fitted

from arandu_lab.blends.blend import DIGITS, USUAL, Blend, Kind, Term, seen
from arandu_lab.blends.judged import Judged
from arandu_lab.errors import ConfigError
from arandu_lab.pure.ranking import Mask
from arandu_lab.pure.several import MARKS, Several

Matrix = NDArray[np.float32]


class ListwiseRanker(BaseEstimator):  # type: ignore[misc]
    """A linear ranker under the listwise softmax loss, as scikit-learn has estimators. Deterministic: no chance in it.

    Args:
        l2: Strength of the penalty, 0 or above.
        signs: For each column 1 (weight never below 0), -1 (never above) or 0; None: all 0.
        max_iter: Bound on L-BFGS steps.

    Attributes:
        coef_: Shape ``(k,)``, on the scale of the columns as given.
        n_iter_: Steps taken.
        loss_: The loss where it stopped.
    """

    def __init__(self, l2: float = 100.0, signs: Sequence[int] | None = None, max_iter: int = 200) -> None:
        self.l2 = l2
        self.signs = signs
        self.max_iter = max_iter

    def fit(
        self,
        X: ArrayLike,  # noqa: N803
        y: ArrayLike,
        groups: ArrayLike,
        sample_weight: ArrayLike | None = None,
    ) -> ListwiseRanker:
        """Learn from rows of questions.

        Args:
            X: Columns, shape ``(rows, k)``.
            y: Which rows are evidence, ``(rows,)``; a question without any is refused.
            groups: The question of each row, ``(rows,)``; rows of a question stand together.
            sample_weight: What each row's question counts, ``(rows,)``, the same within a question; None: all the same.

        Raises:
            ConfigError: shapes that do not fit, questions that are torn apart or without evidence, a bad ``l2`` or sign.
        """
        rows = np.asarray(X, dtype=np.float32)
        relevant, group = np.asarray(y, dtype=np.float64), np.asarray(groups)
        signs = [0] * rows.shape[1] if self.signs is None else list(self.signs)
        if rows.ndim != 2 or not len(rows) or len(relevant) != len(rows) or len(group) != len(rows):
            raise ConfigError(
                f"columns {rows.shape} with {len(relevant)} judgements in {len(group)} places; at least one row"
            )
        if len(signs) != rows.shape[1] or not set(signs) <= {-1, 0, 1} or self.l2 < 0:
            raise ConfigError(
                f"{len(signs)} signs for {rows.shape[1]} columns, l2={self.l2}; each -1, 0 or 1, and l2 >= 0"
            )
        starts = np.flatnonzero(np.concatenate([[True], group[1:] != group[:-1]]))
        if len(starts) != len(np.unique(group)):
            raise ConfigError("rows of one question stand apart; sort them by question")
        counts = np.diff([*starts, len(rows)])
        found = np.add.reduceat(relevant, starts)
        if (found <= 0).any():
            raise ConfigError(f"{int((found <= 0).sum())} of {len(starts)} questions have no evidence; leave them out")
        weight = np.ones(len(starts)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)[starts]
        weight = weight / weight.mean()
        scale = rows.std(axis=0, dtype=np.float64) + _LEAST
        loss = _Loss(
            (rows / scale).astype(np.float32), relevant / np.repeat(found, counts), starts, counts, weight, self.l2
        )
        bounds = [(0.0 if sign > 0 else None, 0.0 if sign < 0 else None) for sign in signs]
        done = minimize(
            loss,
            np.zeros(rows.shape[1]),
            jac=True,
            method="L-BFGS-B",
            bounds=bounds,
            options={"maxiter": self.max_iter, "ftol": 1e-7, "gtol": 1e-5},
        )
        self.coef_ = done.x / scale
        self.n_features_in_, self.n_iter_, self.loss_ = rows.shape[1], int(done.nit), float(done.fun)
        return self

    def predict(self, X: ArrayLike) -> NDArray[np.float64]:  # noqa: N803
        """The score of each row, shape ``(rows,)``."""
        check_is_fitted(self)
        return np.asarray(np.asarray(X, dtype=np.float64) @ self.coef_, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class _Loss:
    rows: Matrix
    share: NDArray[np.float64]
    starts: NDArray[np.int64]
    counts: NDArray[np.int64]
    weight: NDArray[np.float64]
    l2: float

    def __call__(self, coefficients: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        questions = len(self.starts)
        scores = (self.rows @ coefficients.astype(np.float32)).astype(np.float64)
        scores -= np.repeat(np.maximum.reduceat(scores, self.starts), self.counts)
        grown = np.exp(scores)
        total = np.add.reduceat(grown, self.starts)
        weight = np.repeat(self.weight, self.counts)
        missed = self.share * (scores - np.repeat(np.log(total), self.counts))
        pull = weight * (grown / np.repeat(total, self.counts) - self.share)
        slope = (pull.astype(np.float32) @ self.rows).astype(np.float64)
        penalty = self.l2 * coefficients
        loss = -float((weight * missed).sum()) + 0.5 * float(penalty @ coefficients)
        return loss / questions, (slope + penalty) / questions


@dataclass(frozen=True, slots=True)
class Lesson:
    """Questions as their terms see them, made once and used by many fits: a table of open rows, ``(open, terms)``, each."""

    judged: tuple[Judged, ...]
    terms: tuple[Term, ...]
    tables: tuple[Matrix, ...]

    @classmethod
    def of(cls, judged: Sequence[Judged], terms: Sequence[Term]) -> Lesson:
        """Normalise the columns of each question.

        Raises:
            ConfigError: a column that a question lacks.
        """
        return cls(tuple(judged), tuple(terms), tuple(_table(one, terms) for one in judged))

    def without(self, columns: Collection[str]) -> Lesson:
        """The same questions, with fewer columns."""
        kept = [place for place, term in enumerate(self.terms) if term.column not in columns]
        terms = tuple(self.terms[place] for place in kept)
        return Lesson(self.judged, terms, tuple(np.ascontiguousarray(table[:, kept]) for table in self.tables))

    def scores(self, blend: Blend, place: int) -> NDArray[np.float64]:
        """What :meth:`Blend.score` says of a question, to within the digits of a float32."""
        one = self.judged[place]
        out = np.full(len(one.open), -np.inf)
        out[one.open] = self.tables[place] @ np.array(blend.weights(one.marks))
        return out


def fit(
    judged: Sequence[Judged],
    terms: Sequence[Term],
    *,
    name: str = "blend",
    embedder: str = "",
    l2: float = 100.0,
    weights: Mapping[str, float] | None = None,
    folds: Sequence[str] | None = None,
) -> Blend:
    """A blend learned from judged questions. Their order does not matter; one without open evidence is left out.

    Args:
        terms: Which columns, seen how, under which signs; their weights are not looked at.
        weights: What a question of a dataset counts; 1 where none is given.
        folds: The fold of each question, for weights that bend; None: they do not.

    Raises:
        ConfigError: nothing to learn from, a column that a question lacks, or a single fold where weights bend.
    """
    lesson = Lesson.of(judged, terms)
    return learned(lesson, range(len(judged)), name=name, embedder=embedder, l2=l2, weights=weights, folds=folds)


def learned(
    lesson: Lesson,
    places: Iterable[int],
    *,
    name: str = "blend",
    embedder: str = "",
    l2: float = 100.0,
    weights: Mapping[str, float] | None = None,
    folds: Sequence[str] | None = None,
) -> Blend:
    """A blend of some questions of a lesson. As :func:`fit`."""
    asked, terms = lesson.judged, lesson.terms
    mine = sorted(
        (place for place in places if asked[place].teaches),
        key=lambda place: (asked[place].dataset, asked[place].conversation, asked[place].question),
    )
    if not mine or not terms:
        raise ConfigError(f"{len(mine)} questions with open evidence and {len(terms)} terms; at least one of each")
    rows = np.concatenate([lesson.tables[place] for place in mine])
    relevant = np.concatenate([asked[place].relevant[asked[place].open] for place in mine])
    groups = np.repeat(np.arange(len(mine)), [len(lesson.tables[place]) for place in mine])
    counted = np.array([(weights or {}).get(asked[place].dataset, 1.0) for place in mine])
    signs, several = [term.sign for term in terms], None
    if folds is not None:
        several, wanted = wanting([asked[place] for place in mine], [folds[place] for place in mine], counted)
        rows = np.concatenate([rows, rows * (wanted - USUAL).astype(np.float32)[groups, None]], axis=1)
        signs += [0] * len(terms)
    ranker = ListwiseRanker(l2=l2, signs=signs)
    ranker.fit(rows, relevant, groups, sample_weight=counted[groups])
    found = [round(float(one), DIGITS) + 0.0 for one in ranker.coef_]
    bends = found[len(terms) :] or [0.0] * len(terms)
    return Blend(
        name=name,
        terms=tuple(
            replace(term, weight=weight, bend=bend)
            for term, weight, bend in zip(terms, found[: len(terms)], bends, strict=True)
        ),
        embedder=embedder,
        l2=l2,
        several=several,
    )


def wanting(
    judged: Sequence[Judged], folds: Sequence[str], counted: NDArray[np.float64]
) -> tuple[Several, NDArray[np.float64]]:
    """What says of a question that it wants several turns, and that of each of these questions from the other folds.

    Args:
        judged: Questions to learn from.
        folds: The fold of each.
        counted: What each counts, ``(n,)``.

    Returns:
        A model of all of them, and probabilities, ``(n,)``, each by a model that did not see its fold.

    Raises:
        ConfigError: a single fold, or questions that all want one turn, or all several.
    """
    table = np.array([[one.marks.get(name, 0.0) for name in MARKS] for one in judged], dtype=np.float64)
    wanted = np.array([one.evidence > 1 for one in judged])
    fold = np.array(folds)
    out = np.empty(len(judged))
    for name in np.unique(fold):
        held = fold == name
        model = _logistic(table[~held], wanted[~held], counted[~held], f"without {name}")
        out[held] = [model.probability(judged[place].marks) for place in np.flatnonzero(held).tolist()]
    return _logistic(table, wanted, counted, "all"), out


def _logistic(table: NDArray[np.float64], wanted: Mask, counted: NDArray[np.float64], what: str) -> Several:
    if len(np.unique(wanted)) < 2:
        raise ConfigError(
            f"weights that bend want questions with one piece of evidence and with several, in two folds at least; {what}: "
            f"{int(wanted.sum())} of {len(wanted)} have several"
        )
    mean, scale = table.mean(axis=0), table.std(axis=0) + _LEAST
    model = LogisticRegression(C=_CAUTION, max_iter=1000).fit((table - mean) / scale, wanted, sample_weight=counted)
    weights = model.coef_[0] / scale
    said = {name: round(float(weight), DIGITS) for name, weight in zip(MARKS, weights, strict=True) if weight}
    return Several(intercept=round(float(model.intercept_[0] - mean @ weights), DIGITS), weights=said)


def _table(one: Judged, terms: Sequence[Term]) -> Matrix:
    out = np.empty((int(one.open.sum()), len(terms)), dtype=np.float32)
    kinds: dict[Kind, list[int]] = {}
    for place, term in enumerate(terms):
        if term.column not in one.columns:
            raise ConfigError(f"{one.label} has no column {term.column!r}, it has {', '.join(one.columns)}")
        kinds.setdefault(term.kind, []).append(place)
    for kind, places in kinds.items():
        table = np.stack([np.asarray(one.columns[terms[place].column], dtype=np.float64) for place in places], axis=1)
        out[:, places] = seen(table, one.open, kind)[one.open]
    return out


_CAUTION = 0.1
"""scikit-learn's C of the model that says which questions want several turns: some hundred questions, some two dozen marks."""

_LEAST = 1e-3
"""Added to standard deviations: a column that hardly varies gains no great weight."""
