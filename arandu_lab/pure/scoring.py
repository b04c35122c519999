"""Every number of a ranking, once. The functions run on floats, numpy arrays and polars expressions alike.

Rules of this file: a higher score is better; a signal lies in [0, 1]; ages are days and never negative for decay (what
lies in the future has not aged); nothing is rounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

Carrier: TypeAlias = Any
"""A float, a numpy array or a polars expression."""

DAY_US = 86_400_000_000
"""Microseconds of a day."""

RECENCY_FACTOR_FLOOR = 0.10
EDGE_RECENCY_FACTOR_FLOOR = 0.20
PATTERN_HALF = 5.0
"""Confirmations at which half of the pattern boost is reached."""


# ---------------------------------------------------------------- the score


def formula(weights: Mapping[str, Carrier], signals: Mapping[str, Carrier]) -> Carrier:
    """The weighted sum of the signals, summed in the order of their names, so that spelling order never shows.

    >>> round(formula({"semantic": .7, "recency": .2, "importance": .1},
    ...               {"semantic": .91, "recency": .5, "importance": .75, "graph": 1.0}), 6)
    0.812
    """
    total: Carrier = 0.0
    for name in sorted(weights):
        total = total + weights[name] * signals[name]
    return total


def weighed(weights: Mapping[str, Carrier], signals: Mapping[str, Any]) -> Any:
    """The formula score of facts from all their signals, and what repetition adds (``pattern``).

    ``spread`` counts as graph evidence, under the weight of ``graph``. Where nobody could compare vectors (``semantic``
    is NaN) the stronger of ``keyword`` and ``graph`` stands in for it. Signals are numpy arrays, a fact a column; weights
    of shape ``(settings, 1)`` give a row for each setting, the same numbers to the last bit.

    >>> signals = {"keyword": np.array([.4]), "graph": np.array([.1]), "spread": np.array([.3]), "pattern": np.array([.05])}
    >>> weighed({"semantic": 1.0, "graph": .5}, {**signals, "semantic": np.array([np.nan])}).round(6).tolist()
    [0.6]
    """
    reached = np.maximum(signals["graph"], signals["spread"])
    semantic = np.where(np.isnan(signals["semantic"]), np.maximum(signals["keyword"], reached), signals["semantic"])
    return formula(weights, {**signals, "semantic": semantic, "graph": reached}) + signals["pattern"]


def blend(formula: Carrier, judgement: Carrier, weight: Carrier, veto: Carrier = 0.0) -> Carrier:
    """The judgement dims the formula score and cannot raise it; below ``veto`` nothing is left.

    ``formula * ((1 - weight) + weight * judgement)``, and 0 where ``judgement < veto``.

    >>> [round(blend(f, j, .70), 3) for f, j in [(.45, 0.), (.9, 0.), (.9, 1.), (.65, .2), (.38, 0.), (.92, 1.)]]
    [0.135, 0.27, 0.9, 0.286, 0.114, 0.92]
    >>> blend(.80, .09, .70, veto=.10)
    0.0
    """
    return _where(judgement < veto, 0.0, formula * ((1.0 - weight) + weight * judgement))


# ---------------------------------------------------------------- the signals


def recency(age_days: Carrier, half_life_days: Carrier) -> Carrier:
    """One half at the half-life, 1 for what is new or yet to come.

    >>> recency(14.0, 14.0), recency(28.0, 14.0), recency(-3.0, 14.0)
    (0.5, 0.25, 1.0)
    """
    return 0.5 ** (_at_least(age_days, 0.0) / half_life_days)


def confidence(stated: Carrier, age_days: Carrier, half_life_days: float, floor: float) -> Carrier:
    """The stated confidence, halved per half-life since the last confirmation; never below the floor by decay.

    >>> confidence(.95, 1460.0, 1460.0, .10), confidence(.95, 1e6, 1460.0, .10), confidence(.05, 0.0, 1460.0, .10)
    (0.475, 0.1, 0.05)
    """
    return _larger(_at_most(stated, floor), stated * recency(age_days, half_life_days))


def importance(fact: Carrier, entity: Carrier) -> Carrier:
    """The fact's importance moved by how far its entity's lies from the middle.

    >>> importance(.75, .5), importance(.9, .8), importance(.3, .1)
    (0.75, 1.0, 0.0)
    """
    return _at_most(_at_least(fact + entity - 0.5, 0.0), 1.0)


def pattern(confirmations: Carrier, maximum: Carrier) -> Carrier:
    """What repetition adds to a score: nothing at first, half of the maximum at five confirmations, never more than it.

    >>> pattern(0, .10), pattern(5, .10), pattern(10**6, .10)
    (0.0, 0.05, 0.1)
    """
    return maximum * (1.0 - 0.5 ** (_at_least(confirmations, 0.0) / PATTERN_HALF))


def fraction(found: Carrier, asked: int) -> Carrier:
    """The part of the distinct query words that a text holds.

    >>> fraction(2, 4), fraction(0, 0)
    (0.5, 0.0)
    """
    return found / max(asked, 1)


def bm25(often: Carrier, length: Carrier, average: float, frequency: int, count: int) -> Carrier:
    """What one word adds to a text that holds it ``often`` times, as Lucene 8 counts (``k1 = 1.5``, ``b = .75``).

    ``frequency`` of ``count`` texts hold the word; ``average`` is their mean length.

    >>> round(bm25(1.0, 4.0, 4.0, 1, 10), 6) == round(math.log(1 + 9.5 / 1.5) / 2.5, 6)
    True
    """
    rarity = math.log(1.0 + (max(count - frequency, 0) + 0.5) / (frequency + 0.5))
    return rarity * often / (often + 1.5 * (0.25 + 0.75 * length / max(average, 1e-9)))


def hyperbolic(age_days: Carrier, scale_days: float, floor: float) -> Carrier:
    """``max(floor, 1 / (1 + age / scale))``: the slow decay of the graph signal (30 days and .10; edges 90 and .20).

    >>> hyperbolic(30.0, 30.0, .10), hyperbolic(1e6, 30.0, .10), hyperbolic(-1.0, 30.0, .10)
    (0.5, 0.1, 1.0)
    """
    return _at_least(1.0 / (1.0 + _at_least(age_days, 0.0) / scale_days), floor)


def hop_factor(hop: int, decay: float) -> float:
    """Hops 0 and 1 count in full; each further hop keeps ``decay``.

    >>> [hop_factor(hop, .5) for hop in range(4)]
    [1.0, 1.0, 0.5, 0.25]
    """
    return float(decay ** max(0, hop - 1))


def graph(
    edge_strength: Carrier,
    recency_factor: Carrier,
    edge_recency_factor: Carrier,
    *,
    named: bool,
    hop: int,
    query_bonus: float,
    hop_decay: float,
) -> Carrier:
    """``edge_strength * recency_factor * edge_recency_factor * query_bonus * hop_decay``, brought to [0, 1].

    The documented product can reach ``query_bonus``; dividing by that ceiling puts it on the one scale of all signals,
    the same for every query and every pool.

    >>> graph(1.0, 1.0, 1.0, named=True, hop=0, query_bonus=1.5, hop_decay=.5)
    1.0
    >>> round(1.5 * graph(.8, .5, .5, named=False, hop=2, query_bonus=1.5, hop_decay=.5), 6)
    0.1
    """
    bonus = query_bonus if named else 1.0
    raw = edge_strength * recency_factor * edge_recency_factor * bonus * hop_factor(hop, hop_decay)
    return raw / max(1.0, query_bonus)


def spreading(seed: Carrier, hop: int, decay: float) -> Carrier:
    """What reaches a fact ``hop`` hops from a seed: hop 1 keeps the factor, hop 2 its square.

    >>> spreading(.8, 1, .5), spreading(.8, 2, .5)
    (0.4, 0.2)
    """
    return seed * decay**hop


# ---------------------------------------------------------------- from arrays


def cosines(
    matrix: NDArray[np.float32], vector: NDArray[np.float32], scale: Callable[[Any], Any]
) -> NDArray[np.float64]:
    """Cosine of every unit row with a unit vector, on the documented scale, in [0, 1]; NaN where a row has no vector.

    ``matrix`` has shape ``(n, dim)``, ``vector`` ``(dim,)``, the result ``(n,)``. Products are rounded to six decimals:
    the last bits of a matrix product depend on the row number, and a ranking must not.
    """
    if matrix.shape[1] == 0:
        return np.full(matrix.shape[0], np.nan)
    raw = np.round((matrix @ vector).astype(np.float64), 6)
    scaled = np.clip(np.asarray(scale(raw), dtype=np.float64), 0.0, 1.0)
    silent = np.flatnonzero(raw == 0.0)
    if len(silent):
        scaled[silent[~matrix[silent].any(axis=1)]] = np.nan
    return scaled


def days(now_us: int, then_us: Carrier) -> Carrier:
    """Days from ``then`` to ``now``, both in microseconds.

    >>> days(3 * DAY_US, DAY_US)
    2.0
    """
    return (now_us - then_us) / DAY_US


def best(
    positions: NDArray[np.int64],
    scores: NDArray[np.float64],
    limit: int,
    *,
    times: NDArray[np.int64],
    ids: Sequence[str],
) -> NDArray[np.int64]:
    """The ``limit`` best of ``positions`` in the total order: score down, time down, id up.

    ``scores``, ``times`` and ``ids`` are indexed by position. Only rows that may enter are sorted.

    A NaN ranks last.

    >>> best(np.array([0, 1, 2, 3]), np.array([.5, .9, .5, .5]), 3, times=np.array([1, 1, 2, 1]), ids="bacd").tolist()
    [1, 2, 0]
    """
    if limit <= 0 or not len(positions):
        return positions[:0]
    mine = scores[positions]
    if len(positions) > limit:
        least = _least(mine, limit)
        above, tied = positions[mine > least], positions[mine == least]
        room = limit - len(above)
        if room < len(tied):
            when = times[tied]
            tied = tied[when >= _least(when, room)]
        elif room > len(tied):  # the rest has no score
            tied = positions[~(mine > least)]
        positions = np.concatenate([above, tied])
    return in_order(positions, scores, times=times, ids=ids)[:limit]


def in_order(
    positions: NDArray[np.int64], scores: NDArray[np.float64], *, times: NDArray[np.int64], ids: Sequence[str]
) -> NDArray[np.int64]:
    """``positions`` in the total order of ``best``. Ids are looked at only where scores and times are equal."""
    mine, when = -scores[positions], -times[positions]  # a NaN is sorted last
    order = np.lexsort((when, mine))
    positions, mine, when = positions[order], mine[order], when[order]
    same = ((mine[1:] == mine[:-1]) | (np.isnan(mine[1:]) & np.isnan(mine[:-1]))) & (when[1:] == when[:-1])
    if not same.any():
        return positions
    group = np.cumsum(np.concatenate([[True], ~same]))
    tied = np.flatnonzero(np.concatenate([same, [False]]) | np.concatenate([[False], same]))
    named = zip(group[tied].tolist(), picked(ids, positions[tied]).tolist(), tied.tolist(), strict=True)
    positions[tied] = positions[[place for _, _, place in sorted(named)]]
    return positions


def picked(items: Any, positions: NDArray[np.int64]) -> NDArray[np.object_]:
    """Items of a sequence at some positions, as an array of objects; a sequence that can ``take`` them does.

    >>> picked(["a", "b", "c"], np.array([2, 0])).tolist()
    ['c', 'a']
    """
    if hasattr(items, "take"):
        found: NDArray[np.object_] = items.take(positions)
        return found
    made = np.empty(len(positions), dtype=object)
    made[:] = [items[place] for place in positions.tolist()]
    return made


def distinct(groups: Sequence[NDArray[np.int64]], size: int) -> NDArray[np.int64]:
    """The positions below ``size`` that stand in any of the groups, each once, ascending.

    >>> distinct([np.array([3, 1]), np.array([1])], 5).tolist()
    [1, 3]
    """
    there = np.zeros(size, dtype=np.bool_)
    for positions in groups:
        there[positions] = True
    return np.flatnonzero(there)


def _least(values: NDArray[Any], limit: int) -> Any:
    """The ``limit``-th largest value; a NaN is smaller than any other."""
    return -np.partition(-values, limit - 1)[limit - 1]


# ---------------------------------------------------------------- one spelling for three carriers


def _where(condition: Carrier, yes: Carrier, no: Carrier) -> Carrier:
    if isinstance(condition, pl.Expr):
        return pl.when(condition).then(yes).otherwise(no)
    if isinstance(condition, np.ndarray):
        return np.where(condition, yes, no)
    return yes if condition else no


def _larger(left: Carrier, right: Carrier) -> Carrier:
    if isinstance(left, pl.Expr) or isinstance(right, pl.Expr):
        return pl.max_horizontal(left, right)
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        return np.maximum(left, right)
    return max(left, right)


def _at_least(value: Carrier, bound: float) -> Carrier:
    if isinstance(value, pl.Expr):
        return value.clip(lower_bound=bound)
    return np.maximum(value, bound) if isinstance(value, np.ndarray) else max(value, bound)


def _at_most(value: Carrier, bound: float) -> Carrier:
    if isinstance(value, pl.Expr):
        return value.clip(upper_bound=bound)
    return np.minimum(value, bound) if isinstance(value, np.ndarray) else min(value, bound)
