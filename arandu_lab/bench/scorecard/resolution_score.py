"""Whether names of one entity share a key and names of two do not: B-cubed, pairs, and who was merged or split.

Mentions are (gold entity, key). A name that was read and given no key stands alone; one that was never read is no
matter of resolution (``coverage`` counts it) and takes no part.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from arandu_lab.bench.scorecard.linking import Mention

Named = tuple[str, str | None]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Precision, recall and F1 of a grouping; null where there is nothing to judge."""

    precision: float | None
    recall: float | None
    f1: float | None


def b_cubed(named: Sequence[Named]) -> Agreement:
    """The mean over mentions of how pure the key is (precision) and how whole the entity is (recall).

    >>> found = b_cubed([("ana", "k1"), ("ana", "k1"), ("bia", "k1")])  # P = (2/3 + 2/3 + 1/3) / 3
    >>> round(found.precision, 3), found.recall, round(found.f1, 3)
    (0.556, 1.0, 0.714)
    """
    marked = _marked(named)
    if not marked:
        return Agreement(None, None, None)
    both, entities, keys = Counter(marked), Counter(e for e, _ in marked), Counter(k for _, k in marked)
    precision = math.fsum(both[one] / keys[one[1]] for one in marked) / len(marked)
    recall = math.fsum(both[one] / entities[one[0]] for one in marked) / len(marked)
    return Agreement(precision, recall, harmonic(precision, recall))


def pairwise(named: Sequence[Named]) -> Agreement:
    """Of all pairs of mentions under one key, the share of one entity (precision), and the other way round (recall).

    >>> pairwise([("ana", "k1"), ("ana", "k1"), ("bia", "k1")])
    Agreement(precision=0.3333333333333333, recall=1.0, f1=0.5)
    """
    marked = _marked(named)
    both = _pairs(Counter(marked).values())
    under_key, of_entity = (
        _pairs(Counter(k for _, k in marked).values()),
        _pairs(Counter(e for e, _ in marked).values()),
    )
    precision = both / under_key if under_key else None
    recall = both / of_entity if of_entity else None
    return Agreement(precision, recall, harmonic(precision, recall))


def merged(named: Iterable[Named]) -> dict[str, list[str]]:
    """Keys that hold several entities, with them in order."""
    held: dict[str, set[str]] = {}
    for entity, key in named:
        if key is not None:
            held.setdefault(key, set()).add(entity)
    return {key: sorted(entities) for key, entities in sorted(held.items()) if len(entities) > 1}


def split(named: Iterable[Named]) -> dict[str, list[str]]:
    """Entities with several keys, with them in order."""
    return merged((key, entity) for entity, key in named if key is not None)


def named_of(mentions: Iterable[Mention]) -> list[Named]:
    """The mentions that were read, as (entity, key)."""
    return [(one.entity, one.key) for one in mentions if one.named]


def harmonic(precision: float | None, recall: float | None) -> float | None:
    """F1; null unless both are known, 0 when both are 0."""
    if precision is None or recall is None:
        return None
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _marked(named: Sequence[Named]) -> list[tuple[str, Hashable]]:
    return [(entity, key if key is not None else ("alone", place)) for place, (entity, key) in enumerate(named)]


def _pairs(sizes: Iterable[int]) -> int:
    return sum(size * (size - 1) // 2 for size in sizes)
