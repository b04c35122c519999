"""Statements of one subject that say nearly the same, in groups: how knowledge is kept from crumbling into variants.

The rule is that of near-duplicates in a message (``decide.duplicates``): a cosine nominates, and words confirm. Statements of
other polarity, mood, number, date, name or object are never of one group, whatever their cosine (W11, B5).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from arandu_lab.errors import ConfigError
from arandu_lab.pure.compare import differences
from arandu_lab.pure.decide import duplicates
from arandu_lab.pure.text import content_words, normal
from arandu_lab.records import NewFact, Vector


def _as_it_is(cosines: Any) -> Any:
    return cosines


def merged(
    texts: Sequence[str],
    vectors: Sequence[Vector | None],
    threshold: float,
    *,
    subject: str = "",
    scale: Callable[[Any], Any] = _as_it_is,
) -> tuple[tuple[int, ...], ...]:
    """Groups of two or more near-identical statements, as positions; a group in the place of its earliest statement.

    Within a group the statement that says most stands first, ties by position: it is the one to keep. Any two of a group have
    no difference in words, so nothing that one denies, counts or names is lost by keeping another.

    Args:
        texts: statements of one subject.
        vectors: their unit vectors; without one only identical words are near.
        threshold: the least cosine on the documented scale.
        subject: what they are about; its words never count.
        scale: maps an array of cosines to the documented scale.

    Raises:
        ConfigError: not one vector (or None) for each text.

    >>> import numpy as np
    >>> one = np.array([1.0, 0.0], dtype=np.float32)
    >>> said = ["Answer briefly", "Answer briefly, please", "Do not answer briefly", "answer  briefly!"]
    >>> merged(said, [one, one, one, None], 0.85)
    ((1, 0, 3),)
    """
    if len(texts) != len(vectors):
        raise ConfigError(f"{len(texts)} texts and {len(vectors)} vectors; one vector or None for each text")
    told = [_stated(text, vector, subject) for text, vector in zip(texts, vectors, strict=True)]
    groups: dict[int, list[int]] = {}
    for later, (earlier, _) in duplicates(told, scale, threshold=threshold).items():
        group = groups.setdefault(earlier, [earlier])
        if all(_agree(texts[one], texts[later], subject) for one in group):
            group.append(later)
    return tuple(
        tuple(sorted(group, key=lambda one: (-len(set(content_words(texts[one]))), one)))
        for _, group in sorted(groups.items())
        if len(group) > 1
    )


def _agree(one: str, other: str, subject: str) -> bool:
    return normal(one) == normal(other) or not differences(one, other, subject=subject)


def _stated(text: str, vector: Vector | None, subject: str) -> NewFact:
    return NewFact(subject=subject, text=text, confidence=1.0, category="unknown", importance=0.0, vector=vector)
