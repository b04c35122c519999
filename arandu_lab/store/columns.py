"""Searchable columns of an agent: the growing side that the writer owns, and the frozen sides that readers hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from arandu_lab.records import Event, Fact, Vector
from arandu_lab.store.postings import Postings
from arandu_lab.store.shelves import Floats, Head, Ints, Numbers, SeenNumbers, SeenVectors, Vectors
from arandu_lab.store.terms import terms
from arandu_lab.store.times import FAR, micros


class Corpus:
    """Ids, texts, terms and vectors of one table in order of arrival."""

    def __init__(self, ints: int, floats: int) -> None:
        self.ids: list[str] = []
        self.texts: list[str] = []
        self.postings = Postings()
        self.vectors = Vectors()
        self.ints = Numbers(ints, np.int64)
        self.floats = Numbers(floats, np.float64)
        self.nbytes = 0

    def append(
        self,
        row_id: str,
        text: str,
        found: Sequence[str],
        vector: Vector | None,
        numbers: tuple[list[int], list[float]],
    ) -> None:
        """One more row."""
        position = len(self.ids)
        counts: dict[str, int] = {}
        for term in found:
            counts[term] = counts.get(term, 0) + 1
        self.postings.add_all(counts, position)
        self.vectors.append(vector)
        self.ints.append(numbers[0])
        self.floats.append(numbers[1])
        self.ids.append(row_id)
        self.texts.append(text)
        self.nbytes += 600 + 4 * len(text) + 60 * len(found)

    def extend(
        self,
        ids: Sequence[str],
        texts: Sequence[str],
        found: Sequence[Sequence[str]],
        vectors: Sequence[Vector | None],
        numbers: Sequence[tuple[list[int], list[float]]],
    ) -> None:
        """Many rows at once, into an empty corpus."""
        sizes = [len(words) for words in found]
        rows = np.repeat(np.arange(len(found), dtype=np.int64), sizes)
        self.postings.fill([word for words in found for word in words], rows)
        self.vectors.fill(vectors)
        if numbers:
            self.ints.extend(list(np.array([whole for whole, _ in numbers], dtype=np.int64).T))
            self.floats.extend(list(np.array([real for _, real in numbers], dtype=np.float64).T))
        self.ids.extend(ids)
        self.texts.extend(texts)
        self.nbytes += 600 * len(ids) + 4 * sum(map(len, texts)) + 60 * len(rows)

    def set(self, position: int, vector: Vector | None, numbers: tuple[list[int], list[float]]) -> None:
        """New numbers and vector for a row whose text stays."""
        self.vectors.set(position, vector)
        self.ints.set(position, numbers[0])
        self.floats.set(position, numbers[1])


class Keys:
    """A column of few distinct texts: each row's number among them. Grows at the end."""

    def __init__(self) -> None:
        self.distinct: list[str] = []
        self.codes = Numbers(1, np.int64)
        self._places: dict[str, int] = {}

    def append(self, key: str) -> None:
        """One more row."""
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = len(self.distinct)
            self.distinct.append(key)
        self.codes.append((place,))


class Facts:
    """The facts of an agent, all versions, in order of arrival. Implements ``FactColumn``."""

    def __init__(
        self, corpus: Corpus, entity: Keys, moved: Mapping[int, tuple[tuple[int, int], ...]] = MappingProxyType({})
    ) -> None:
        """``moved``: of rows whose end was moved, the ends they had before as (known since, end), oldest first."""
        self._moved = moved
        self._n = len(corpus.ids)
        self._corpus, self._keys, self._codes = corpus, entity.distinct, entity.codes.seen()
        self._postings, self._distinct = corpus.postings, len(entity.distinct)
        self._ints: SeenNumbers[np.int64] = corpus.ints.seen()
        self._floats: SeenNumbers[np.float64] = corpus.floats.seen()
        self.vectors: SeenVectors = corpus.vectors.seen()

    def __len__(self) -> int:
        return self._n

    @property
    def ids(self) -> Head:
        """Fact ids, ``n`` of them."""
        return Head(self._corpus.ids, self._n)

    @property
    def texts(self) -> Head:
        """Statements as stored."""
        return Head(self._corpus.texts, self._n)

    @property
    def entity(self) -> Sequence[str]:
        """Key of the entity each fact is about."""
        return [self.entity_keys[code] for code in self.entity_codes.tolist()]

    @property
    def entity_codes(self) -> Ints:
        """The place in ``entity_keys`` of the entity each fact is about."""
        return self._codes[0]

    @property
    def entity_keys(self) -> Sequence[str]:
        """Keys of the entities that facts are about, each once, in order of arrival."""
        return Head(self._keys, self._distinct)

    @property
    def matrix(self) -> Floats:
        """Shape ``(n, dim)``, rows without a vector zero; ``(n, 0)`` while nothing is embedded."""
        return self.vectors.matrix

    def matching(self, term: str) -> tuple[Ints, NDArray[np.float64]]:
        """Ascending positions whose folded text holds the term, and how often."""
        rows, often = self._postings.below(term, self._n)
        return rows, often.astype(np.float64)

    @property
    def lengths(self) -> NDArray[np.float64]:
        """Number of terms of each text."""
        return self._floats[2]

    @property
    def confidence(self) -> NDArray[np.float64]:
        """0 to 1."""
        return self._floats[0]

    @property
    def importance(self) -> NDArray[np.float64]:
        """0 to 1."""
        return self._floats[1]

    @property
    def valid_from(self) -> Ints:
        """Microseconds since 1970 UTC."""
        return self._ints[0]

    @property
    def last_confirmed(self) -> Ints:
        """Microseconds; ``valid_from`` where a fact was never confirmed."""
        return self._ints[4]

    @property
    def reinforcement(self) -> Ints:
        """Number of confirmations."""
        return self._ints[5]

    @property
    def recounted(self) -> NDArray[np.bool_]:
        """Statements about the past: told with an end that had passed when they were told, and not corrected since."""
        return self._ints[6].astype(np.bool_)

    @property
    def stale(self) -> NDArray[np.bool_]:
        """Rows that a job, or the end of a premise, has marked: kept, and left out of answers about now."""
        return self._ints[7].astype(np.bool_)

    @property
    def retrieved(self) -> Ints:
        """How often each entered a context."""
        return self._ints[8]

    @property
    def last_retrieved(self) -> Ints:
        """When each last entered a context, microseconds; ``valid_from`` where none ever did."""
        return self._ints[9]

    @property
    def corrections(self) -> Ints:
        """How often the user corrected what each says."""
        return self._ints[10]

    def live(self, *, as_of: datetime, known_at: datetime | None = None) -> NDArray[np.bool_]:
        """Which rows held at ``as_of``, as this memory knew at ``known_at`` (None: as it knows now)."""
        at = micros(as_of)
        begins, ends = self._ints[0], self._ints[1]
        if known_at is None:
            return (begins <= at) & (at < ends)
        known = micros(known_at)
        open_then = self._ints[3] > known
        if self._moved:
            open_then, ends = open_then.copy(), ends.copy()
            for place, before in self._moved.items():
                told = [end for since, end in before if since <= known]
                if open_then[place] and told:
                    open_then[place], ends[place] = False, told[-1]
        return (self._ints[2] <= known) & (begins <= at) & (open_then | (at < ends))

    def touching(self, first: datetime, last: datetime, *, known_at: datetime | None = None) -> NDArray[np.bool_]:
        """Which rows held at some moment from ``first`` to before ``last``; what was known at ``known_at`` alone."""
        begins, ends = self._ints[0], self._ints[1]
        there = (begins < micros(last)) & (ends > micros(first)) & (begins < ends)
        return there if known_at is None else there & (self._ints[2] <= micros(known_at))


def fact_numbers(fact: Fact, length: int) -> tuple[list[int], list[float]]:
    """The numeric columns of a fact.

    Whole: valid_from, valid_to, recorded, when its end was known, last confirmed (microseconds), reinforcement, whether it
    was told as over (0 or 1), whether it is marked as stale (0 or 1), number
    of retrievals, the last of them (microseconds), corrections.
    Real: confidence, importance, number of terms.
    """
    begins = micros(fact.valid_from)
    recorded = micros(fact.recorded_at)
    ends = FAR if fact.valid_to is None else micros(fact.valid_to)
    known = recorded if fact.invalidated_at is None else micros(fact.invalidated_at)
    confirmed = begins if fact.last_confirmed_at is None else micros(fact.last_confirmed_at)
    over = int(fact.closed_by == "stated" and ends <= confirmed)
    stale = int(fact.stale_since is not None)
    retrieved = begins if fact.last_retrieved_at is None else micros(fact.last_retrieved_at)
    counts = [fact.reinforcement_count, over, stale, fact.times_retrieved, retrieved, fact.user_correction_count]
    return [begins, ends, recorded, known, confirmed, *counts], [
        fact.confidence,
        fact.importance,
        float(length),
    ]


def fact_terms(fact: Fact) -> list[str]:
    """The words under which a fact is found."""
    return terms(fact.text, fact.entity_name)


class Events:
    """The turns of an agent in order of time; equal times in order of arrival. Implements ``EventColumn``.

    Rows lie in order of arrival; only when a late turn arrived out of order does a reader pay for a permutation.
    """

    def __init__(self, corpus: Corpus, *, ordered: bool) -> None:
        self._n = len(corpus.ids)
        self._ids, self._texts, self._postings = corpus.ids, corpus.texts, corpus.postings
        self._ints: SeenNumbers[np.int64] = corpus.ints.seen()
        self._floats: SeenNumbers[np.float64] = corpus.floats.seen()
        self.vectors: SeenVectors = corpus.vectors.seen()
        self._ordered = ordered

    def __len__(self) -> int:
        return self._n

    @cached_property
    def order(self) -> Ints | None:
        """Row of arrival at each position in time; None when the two orders agree."""
        return None if self._ordered else np.argsort(self._ints[0], kind="stable").astype(np.int64)

    @cached_property
    def rank(self) -> Ints | None:
        """Position in time of each row of arrival; None when the two orders agree."""
        if self.order is None:
            return None
        places = np.empty(self._n, dtype=np.int64)
        places[self.order] = np.arange(self._n)
        return places

    @cached_property
    def ids(self) -> Sequence[str]:
        """Event ids."""
        return Head(self._ids, self._n) if self.order is None else [self._ids[row] for row in self.order]

    @cached_property
    def texts(self) -> Sequence[str]:
        """Turns as said."""
        return Head(self._texts, self._n) if self.order is None else [self._texts[row] for row in self.order]

    @cached_property
    def matrix(self) -> Floats:
        """Shape ``(n, dim)``, rows without a vector zero; ``(n, 0)`` while nothing is embedded."""
        return self.vectors.matrix if self.order is None else self.vectors.matrix[self.order]

    def matching(self, term: str) -> tuple[Ints, NDArray[np.float64]]:
        """Ascending positions whose folded text holds the term, and how often."""
        rows, often = self._postings.below(term, self._n)
        if self.rank is None or not len(rows):
            return rows, often.astype(np.float64)
        places = self.rank[rows]
        sort = np.argsort(places)
        return places[sort], often[sort].astype(np.float64)

    @cached_property
    def lengths(self) -> NDArray[np.float64]:
        """Number of terms of each text."""
        lengths = self._floats[0]
        return lengths if self.order is None else lengths[self.order]

    @cached_property
    def occurred_at(self) -> Ints:
        """Microseconds since 1970 UTC, ascending."""
        times = self._ints[0]
        return times if self.order is None else times[self.order]


def event_numbers(event: Event, length: int) -> tuple[list[int], list[float]]:
    """The numeric columns of a turn."""
    return [micros(event.occurred_at)], [float(length)]


def event_terms(event: Event) -> list[str]:
    """The words under which a turn is found."""
    return terms(event.text, event.speaker)
