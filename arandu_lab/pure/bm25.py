"""BM25 over an inverted index: which texts share rare words with a question.

Rules of this file: the caller makes the tokens (:func:`tokens` is the reference way: ``\\w+`` in lower case); a score
is a plain float, the same to the last bit as the textbook loop over documents; nothing here decides on ties.

``okapi``
    rank-bm25's ``BM25Okapi``: ``idf = ln(n - df + .5) - ln(df + .5)``; a word in over half of the texts would get a
    negative weight and gets ``epsilon`` times the mean idf of the vocabulary instead. In a tiny corpus that mean may
    itself be negative: kept, as there.
``lucene``
    Lucene 8 and bm25s: ``idf = ln(1 + (n - df + .5) / (df + .5))``, always positive; no ``(k1 + 1)`` above the line.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from arandu_lab.errors import ConfigError, nearest

Variant: TypeAlias = Literal["okapi", "lucene"]
Floats: TypeAlias = NDArray[np.float64]


def tokens(text: str) -> list[str]:
    """Words in lower case, as every published BM25 figure in the reference counts them (accents stay).

    >>> tokens("Caroline's 2 cats, São Paulo")
    ['caroline', 's', '2', 'cats', 'são', 'paulo']
    """
    return _WORD.findall(text.lower())


@dataclass(frozen=True, slots=True, eq=False)
class BM25:
    """An index of ``n`` texts. Build it with :meth:`fit`; it never changes.

    >>> index = BM25.fit([["red", "kite"], ["blue", "kite"], ["green", "boat"], ["tea"], ["salt"]])
    >>> index.scores(["red", "kite"]).round(2).tolist()
    [1.29, 0.3, 0.0, 0.0, 0.0]
    """

    size: int
    postings: Mapping[str, tuple[NDArray[np.intp], Floats]]
    """Word -> positions that hold it (ascending) and what one occurrence of the word in a question adds to each."""

    @classmethod
    def fit(
        cls,
        texts: Iterable[Sequence[str]],
        *,
        k1: float = 1.5,
        b: float = 0.75,
        epsilon: float = 0.25,
        variant: Variant = "okapi",
    ) -> BM25:
        """Index texts given as tokens.

        Args:
            texts: One sequence of tokens per text, in the order of positions; may be empty.
            k1: How fast repetitions of a word in one text saturate, above 0.
            b: How much long texts are discounted, 0 to 1.
            epsilon: ``okapi`` only: the share of the mean idf that a word found in over half of the texts gets.
            variant: ``okapi`` or ``lucene``.

        Raises:
            ConfigError: an unknown variant, ``k1 <= 0``, or ``b`` outside 0 to 1.
        """
        if variant not in get_args(Variant):
            raise ConfigError(f"BM25 variant {variant!r}; {nearest(variant, get_args(Variant))}")
        if not k1 > 0.0 or not 0.0 <= b <= 1.0:
            raise ConfigError(f"BM25 with k1={k1}, b={b}; k1 must be above 0 and b from 0 to 1")
        found: dict[str, tuple[list[int], list[int]]] = {}
        lengths: list[int] = []
        for position, words in enumerate(texts):
            lengths.append(len(words))
            for word, times in Counter(words).items():
                where, often = found.setdefault(word, ([], []))
                where.append(position)
                often.append(times)
        size, total = len(lengths), sum(lengths)
        if not total:
            return cls(size=size, postings={})
        idf = _okapi(found, size, epsilon) if variant == "okapi" else _lucene(found, size)
        discount = k1 * (1 - b + b * np.asarray(lengths, dtype=np.float64) / (total / size))
        lift = k1 + 1 if variant == "okapi" else 1.0
        postings = {}
        for word, (where, often) in found.items():
            positions = np.asarray(where, dtype=np.intp)
            times_in = np.asarray(often, dtype=np.float64)
            postings[word] = (positions, idf[word] * (times_in * lift / (times_in + discount[positions])))
        return cls(size=size, postings=postings)

    def scores(self, query: Iterable[str]) -> Floats:
        """One score per text, shape ``(n,)``; a word asked twice counts twice, unknown words add nothing.

        A text without any word of the question has exactly 0. Under ``okapi`` a tiny corpus can give negative scores.
        """
        total = np.zeros(self.size, dtype=np.float64)
        for word in query:
            if word in self.postings:
                positions, weights = self.postings[word]
                total[positions] += weights
        return total

    def shares_a_word(self, query: Iterable[str]) -> NDArray[np.bool_]:
        """Which texts hold at least one word of the question, shape ``(n,)``."""
        held = np.zeros(self.size, dtype=np.bool_)
        for word in query:
            if word in self.postings:
                held[self.postings[word][0]] = True
        return held


def _okapi(found: Mapping[str, tuple[list[int], list[int]]], size: int, epsilon: float) -> dict[str, float]:
    raw = {word: math.log(size - len(where) + 0.5) - math.log(len(where) + 0.5) for word, (where, _) in found.items()}
    floor = epsilon * (sum(raw.values()) / len(raw))
    return {word: floor if idf < 0 else idf for word, idf in raw.items()}


def _lucene(found: Mapping[str, tuple[list[int], list[int]]], size: int) -> dict[str, float]:
    return {word: math.log(1 + (size - len(where) + 0.5) / (len(where) + 0.5)) for word, (where, _) in found.items()}


_WORD = re.compile(r"\w+", re.UNICODE)
