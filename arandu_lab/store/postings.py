"""Which rows stand under a word or a key: an index that one writer grows and readers look into as far as they see."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Mapping, Sequence

import numpy as np

from arandu_lab.store.shelves import Ints


class Postings:
    """Term -> ascending row numbers and a number beside each; grows at the end only.

    What was there at first lies in two arrays, sorted by term; what was added since in one list a term.
    """

    __slots__ = ("_beside", "_lists", "_places", "_rows", "_starts")

    def __init__(self) -> None:
        self._lists: dict[str, tuple[array[int], array[int]]] = {}
        self._places: dict[str, int] = {}
        self._starts = self._rows = self._beside = np.zeros(1, dtype=np.int64)

    def fill(self, terms: Sequence[str], rows: Ints, beside: Ints | None = None) -> None:
        """All at once, where nothing is yet: row ``rows[i]`` under ``terms[i]``, rows ascending.

        Without ``beside`` it counts how often a row stands under a term.
        """
        places = {term: place for place, term in enumerate(dict.fromkeys(terms))}
        codes = np.fromiter(map(places.__getitem__, terms), np.int64, len(terms))
        order = np.argsort(codes, kind="stable")
        codes, rows = codes[order], rows[order]
        if beside is None:
            first = np.flatnonzero(np.concatenate([[True], (codes[1:] != codes[:-1]) | (rows[1:] != rows[:-1])]))
            first = first[: len(rows)]
            beside = np.diff(np.append(first, len(rows)))
            codes, rows = codes[first], rows[first]
        else:
            beside = beside[order]
        self._starts = np.searchsorted(codes, np.arange(len(places) + 1))
        self._places, self._rows, self._beside = places, rows, beside
        rows.flags.writeable = beside.flags.writeable = False

    def add(self, term: str, position: int, beside: int) -> None:
        """``position`` must not be below the last one of the term."""
        self.add_all({term: beside}, position)

    def add_all(self, beside: Mapping[str, int], position: int) -> None:
        """One row under several terms, each with its number."""
        lists = self._lists
        for term, number in beside.items():
            found = lists.get(term)
            if found is None:
                found = lists[term] = (array("q"), array("q"))
            found[1].append(number)
            found[0].append(position)

    def below(self, term: str, n: int) -> tuple[Ints, Ints]:
        """Row numbers under ``n`` and what stands beside them, as arrays not to be written to."""
        rows, beside = self._first(term, n)
        found = self._lists.get(term)
        stop = 0 if found is None else bisect_left(found[0], n)
        if found is None or not stop:
            return rows, beside
        later = np.frombuffer(found[0][:stop], dtype=np.int64), np.frombuffer(found[1][:stop], dtype=np.int64)
        if not len(rows):
            return later
        return np.concatenate([rows, later[0]]), np.concatenate([beside, later[1]])

    def _first(self, term: str, n: int) -> tuple[Ints, Ints]:
        place = self._places.get(term)
        if place is None:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        start, stop = int(self._starts[place]), int(self._starts[place + 1])
        rows = self._rows[start:stop]
        if len(rows) and rows[-1] >= n:
            stop = start + int(np.searchsorted(rows, n))
        return self._rows[start:stop], self._beside[start:stop]

    def __len__(self) -> int:
        return len(self._lists.keys() | self._places.keys())
