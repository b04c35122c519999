"""What a random order scores: the floor that stands in every table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from operator import mul

import numpy as np
from numpy.typing import NDArray

from arandu_lab.bench.measures.value import Measure, gains, parse
from arandu_lab.errors import ConfigError

DRAWS = 400
"""Random orders that the chance of a budget is the mean over."""


@lru_cache(maxsize=65536)
def chance(measure: str | Measure, corpus_size: int, evidence_size: int, depth: int | None = None) -> float | None:
    """What a random order of ``corpus_size`` items scores on average when ``evidence_size`` of them are evidence.

    For ``(session)`` count sessions: the order is then a random order *of sessions* (longer sessions come sooner in an
    order of random turns, so that one scores a little more). None for ``session-of-turns``, which depends on how long
    each session is, for a budget, which depends on how long each turn is (:func:`chance_within`), and where there is no
    evidence. For ``Stale`` count the turns that say what was over.

    Args:
        depth: Where every ranking ends, the random one too; None: nowhere.

    Raises:
        ConfigError: more evidence than corpus.

    >>> chance("R@10", 500, 2), chance("hit@10(session)", 25, 1), round(chance("RR", 3, 1), 4), chance("Stale@10", 50, 5)
    (0.02, 0.4, 0.6111, 0.1)
    >>> chance("RR", 3, 1, 2), chance("RR", 3, 1, 2) == chance("RR@2", 3, 1)
    (0.5, True)
    """
    asked, n, m = parse(measure), corpus_size, evidence_size
    if m > n or m < 0:
        raise ConfigError(f"chance with {m} pieces of evidence among {n}")
    if asked.name == "Stale":
        return m / n if n else None
    if m == 0 or asked.unit == "session-of-turns" or asked.budget is not None:
        return None
    k = min(cut for cut in (n, asked.k, depth) if cut is not None)
    match asked.name:
        case "R":
            return k / n
        case "hit":
            return 1.0 - _none_before(n, m, k)
        case "all":
            return math.comb(n - m, k - m) / math.comb(n, k) if k >= m else 0.0
        case "P":
            return k * (m / n) / (asked.k or n)
        case "nDCG":
            return (m / n) * gains(k) / gains(min(m, asked.k or n))
        case "RR":
            ranks = range(min(k, n - m + 1))
            none_yet = accumulate((1.0 - m / (n - rank) for rank in ranks), mul, initial=1.0)
            return sum(none * m / (n - rank) / (rank + 1) for rank, none in zip(ranks, none_yet, strict=False))


def within(sizes: Sequence[int], budget: int, *, depth: int | None = None, draws: int = DRAWS) -> NDArray[np.bool_]:
    """Which items a budget has room for in random orders, always the same ones; shape ``(draws, items)``.

    Args:
        sizes: Tokens of each item.
        depth: Where every order ends, as a ranking does; None: nowhere.
    """
    lengths = np.asarray(sizes, dtype=np.int64)
    orders = np.random.default_rng(0).permuted(np.tile(np.arange(len(lengths)), (draws, 1)), axis=1)
    fits = np.cumsum(lengths[orders], axis=1) <= budget
    fits[:, depth if depth is not None else len(lengths) :] = False
    out = np.zeros_like(fits)
    np.put_along_axis(out, orders, fits, axis=1)
    return out


def chance_within(measure: Measure, shown: NDArray[np.bool_], evidence: Sequence[int]) -> float | None:
    """The mean of a measure with a budget over random orders; None without evidence, or over sessions.

    Args:
        shown: As :func:`within` gives it.
        evidence: Places of the evidence among the items.
    """
    if not evidence or measure.unit != "turn":
        return None
    found = shown[:, list(evidence)]
    if measure.name == "R":
        return float(found.mean())
    return float((found.any(axis=1) if measure.name == "hit" else found.all(axis=1)).mean())


def _none_before(n: int, m: int, places: int) -> float:
    """The probability that none of ``m`` items stands in the first ``places`` of a random order of ``n``."""
    return math.comb(n - m, places) / math.comb(n, places) if places <= n - m else 0.0
