"""Scores of questions under blends that never saw them, and how much of the evidence those scores find. Pure.

A question is held out with its whole conversation: questions of one conversation share its turns, so holding out single
questions would flatter. A world told in two languages is one story, held out as one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from arandu_lab.blends.blend import Blend
from arandu_lab.blends.fit import Lesson, learned
from arandu_lab.blends.judged import Judged
from arandu_lab.errors import ConfigError
from arandu_lab.pure.ranking import Floats

CUTS = (1, 5, 10, 20, 50)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """What was held out, and the blend that the rest made."""

    held: str
    blend: Blend
    questions: int


def held_out(
    lesson: Lesson,
    folds: Sequence[str],
    *,
    judge: Callable[[Judged], bool] = lambda one: True,
    l2: float = 100.0,
    weights: Mapping[str, float] | None = None,
    bends: bool = False,
    moved: Callable[[int, int], None] | None = None,
) -> tuple[dict[int, Floats], list[Fold]]:
    """The scores of each judged question, by its place, under a blend that its fold had no part in; and the folds.

    Args:
        lesson: All questions. Those that are not judged are learned from in every fold but their own.
        folds: The fold of each question (:func:`folds_of`).
        judge: Which questions are judged.
        bends: Whether weights bend with the question.
        moved: Told how many folds are done, and how many there are.

    Raises:
        ConfigError: a single fold, so nothing is left to learn from.
    """
    judged = [judge(one) for one in lesson.judged]
    names = sorted({name for name, wanted in zip(folds, judged, strict=True) if wanted})
    if len(set(folds)) < 2 or not names:
        raise ConfigError(f"holding out one fold at a time wants two, found {', '.join(sorted(set(folds))) or 'none'}")
    scores: dict[int, Floats] = {}
    done = []
    for name in names:
        rest = [place for place, fold in enumerate(folds) if fold != name]
        blend = learned(lesson, rest, name=f"without {name}", l2=l2, weights=weights, folds=folds if bends else None)
        mine = [place for place, fold in enumerate(folds) if fold == name and judged[place]]
        scores.update({place: lesson.scores(blend, place) for place in mine})
        done.append(Fold(held=name, blend=blend, questions=len(mine)))
        if moved:
            moved(len(done), len(names))
    return scores, done


def folds_of(judged: Iterable[Judged], stories: Mapping[str, str] | None = None) -> list[str]:
    """The fold of each question: its conversation, one where several sets tell it, or the story that its dataset is given.

    Args:
        stories: Dataset -> story, for sets that tell the same thing and do not say so themselves.
    """
    told = stories or {}
    return [told.get(one.dataset) or one.conversation for one in judged]


def recalls(judged: Iterable[Judged], scores: Iterable[Floats], cuts: Sequence[int] = CUTS) -> pl.DataFrame:
    """One row a question: ``dataset conversation question category language evidence`` and ``R@k`` for each cut.

    Recall is the share of all evidence among the ``k`` best open turns, evidence that had not been heard included. Of
    equal scores the later turn comes first.
    """
    rows = []
    for one, score in zip(judged, scores, strict=True):
        order = np.lexsort((-np.arange(len(score)), -score))
        found = np.append(0.0, np.cumsum((one.relevant & one.open)[order]) / one.evidence)
        row = {name: getattr(one, name) for name in _KEYS} | {"evidence": one.evidence}
        rows.append(row | {f"R@{k}": float(found[min(k, len(order))]) for k in cuts})
    schema = {**dict.fromkeys(_KEYS, pl.String), "evidence": pl.Int64, **{f"R@{k}": pl.Float64 for k in cuts}}
    return pl.DataFrame(rows, schema=schema)


_KEYS = ("dataset", "conversation", "question", "category", "language")
