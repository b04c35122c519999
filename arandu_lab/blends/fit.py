"""Learning a blend: turns of a question compete, and the evidence shall win.

The loss of a question is ``-mean(log softmax(score)[evidence])`` over its open turns, so only differences within a question
count, and no negative is drawn by chance. Columns are scaled by their standard deviation, not centred (a constant moves
nothing); ``l2 / (2 n) * |w|²`` holds the scaled weights small. Signs are bounds: a column that can only help (more words in
common) never hurts because two sets happened to say so, which is what carries over to sets that were not seen.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from arandu_lab.blends.blend import DIGITS, Blend, Kind, Term, seen
from arandu_lab.blends.judged import Judged
from arandu_lab.errors import ConfigError

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
        out = np.full(len(self.judged[place].open), -np.inf)
        out[self.judged[place].open] = self.tables[place] @ np.array([term.weight for term in blend.terms])
        return out


def fit(
    judged: Sequence[Judged],
    terms: Sequence[Term],
    *,
    name: str = "blend",
    embedder: str = "",
    l2: float = 100.0,
    weights: Mapping[str, float] | None = None,
) -> Blend:
    """A blend learned from judged questions. Their order does not matter; one without open evidence is left out.

    Args:
        terms: Which columns, seen how, under which signs; their weights are not looked at.
        weights: What a question of a dataset counts; 1 where none is given.

    Raises:
        ConfigError: nothing to learn from, or a column that a question lacks.
    """
    lesson = Lesson.of(judged, terms)
    return learned(lesson, range(len(judged)), name=name, embedder=embedder, l2=l2, weights=weights)


def learned(
    lesson: Lesson,
    places: Iterable[int],
    *,
    name: str = "blend",
    embedder: str = "",
    l2: float = 100.0,
    weights: Mapping[str, float] | None = None,
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
    ranker = ListwiseRanker(l2=l2, signs=[term.sign for term in terms])
    ranker.fit(rows, relevant, groups, sample_weight=counted[groups])
    found = [round(float(one), DIGITS) + 0.0 for one in ranker.coef_]
    return Blend(
        name=name,
        terms=tuple(replace(term, weight=weight) for term, weight in zip(terms, found, strict=True)),
        embedder=embedder,
        l2=l2,
    )


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


_LEAST = 1e-3
"""Added to standard deviations: a column that hardly varies gains no great weight."""
