"""Append-mostly storage that one writer grows and any number of readers see frozen.

Every class here has a growing side (``put``, ``append``, ``set``) and a frozen side (``seen()``). Freezing costs
O(rows / CHUNK). Appending touches only room that no frozen reader can see; replacing a row copies its chunk of
``CHUNK`` rows first, so that frozen readers keep the old one.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

CHUNK_BITS = 10
CHUNK = 1 << CHUNK_BITS

R = TypeVar("R")
N = TypeVar("N", np.int64, np.float64)
Ints = NDArray[np.int64]
Floats = NDArray[np.float32]


class Shelf(Generic[R]):
    """Records under string keys, in order of arrival; a key keeps its position for ever."""

    __slots__ = ("_chunks", "_index", "_owned", "born", "n")

    def __init__(self) -> None:
        self._chunks: list[list[R]] = []
        self.born: array[int] = array("q")
        self._owned: set[int] = set()
        self._index: dict[str, int] = {}
        self.n = 0

    def put(self, key: str, record: R, born: int) -> tuple[int, R | None]:
        """Add or replace; the position, and the record that stood there before. A replaced row keeps its birth."""
        position = self._index.get(key)
        if position is None:
            position = self.n
            if position & (CHUNK - 1) == 0:
                self._chunks.append([])
                self._owned.add(len(self._chunks) - 1)
            self._chunks[-1].append(record)
            self.born.append(born)
            self._index[key] = position
            self.n += 1
            return position, None
        place = position >> CHUNK_BITS
        if place not in self._owned:
            self._chunks[place] = self._chunks[place][:]
            self._owned.add(place)
        before = self._chunks[place][position & (CHUNK - 1)]
        self._chunks[place][position & (CHUNK - 1)] = record
        return position, before

    def position(self, key: str) -> int | None:
        """Where a key stands."""
        return self._index.get(key)

    def get(self, key: str) -> R | None:
        """The record as it stands now."""
        position = self._index.get(key)
        return None if position is None else self._chunks[position >> CHUNK_BITS][position & (CHUNK - 1)]

    def seen(self) -> Seen[R]:
        """What stands here now, frozen."""
        self._owned.clear()
        return Seen(tuple(self._chunks), self._index, self.n)


class Seen(Generic[R]):
    """A shelf as it stood at one moment."""

    __slots__ = ("_chunks", "_index", "_n")

    def __init__(self, chunks: tuple[list[R], ...], index: dict[str, int], n: int) -> None:
        self._chunks, self._index, self._n = chunks, index, n

    def __len__(self) -> int:
        return self._n

    def __iter__(self) -> Iterator[R]:
        left = self._n
        for chunk in self._chunks:
            yield from chunk[: min(left, CHUNK)]
            left -= CHUNK

    def at(self, position: int) -> R:
        """The record at a position, 0 to ``len - 1``."""
        if not 0 <= position < self._n:
            raise IndexError(f"position {position} of {self._n} rows")
        return self._chunks[position >> CHUNK_BITS][position & (CHUNK - 1)]

    def position(self, key: str) -> int | None:
        """Where a key stands; None when it had not arrived yet."""
        position = self._index.get(key)
        return None if position is None or position >= self._n else position

    def get(self, key: str) -> R | None:
        """The record under a key; None when it had not arrived yet."""
        position = self.position(key)
        return None if position is None else self._chunks[position >> CHUNK_BITS][position & (CHUNK - 1)]


class Numbers(Generic[N]):
    """``width`` numeric columns of one type, row by row; frozen as an array of shape ``(width, n)``."""

    __slots__ = ("_chunks", "_dtype", "_owned", "_width", "n")

    def __init__(self, width: int, dtype: type[N]) -> None:
        self._width = width
        self._dtype: type[N] = dtype
        self._chunks: list[NDArray[N]] = []
        self._owned: set[int] = set()
        self.n = 0

    def append(self, values: Sequence[float]) -> None:
        """One more row."""
        if self.n & (CHUNK - 1) == 0:
            self._chunks.append(np.zeros((self._width, CHUNK), dtype=self._dtype))
            self._owned.add(len(self._chunks) - 1)
        self._chunks[-1][:, self.n & (CHUNK - 1)] = values
        self.n += 1

    def set(self, position: int, values: Sequence[float]) -> None:
        """Another row at a position, out of sight of frozen readers."""
        place = position >> CHUNK_BITS
        if place not in self._owned:
            self._chunks[place] = self._chunks[place].copy()
            self._owned.add(place)
        self._chunks[place][:, position & (CHUNK - 1)] = values

    def at(self, position: int, column: int) -> float:
        """One number as it stands now."""
        return float(self._chunks[position >> CHUNK_BITS][column, position & (CHUNK - 1)])

    def seen(self) -> SeenNumbers[N]:
        """The columns as they stand now, frozen."""
        self._owned.clear()
        return SeenNumbers(tuple(self._chunks), self.n, self._width, self._dtype)


class SeenNumbers(Generic[N]):
    """Frozen numeric columns; the contiguous array is made at the first look and kept."""

    __slots__ = ("_array", "_chunks", "_dtype", "_n", "_width")

    def __init__(self, chunks: tuple[NDArray[N], ...], n: int, width: int, dtype: type[N]) -> None:
        self._chunks: tuple[NDArray[N], ...] = chunks
        self._dtype: type[N] = dtype
        self._n, self._width = n, width
        self._array: NDArray[N] | None = None

    def __getitem__(self, column: int) -> NDArray[N]:
        if self._array is None:
            empty = np.zeros((self._width, 0), dtype=self._dtype)
            self._array = np.concatenate([empty, *self._chunks], axis=1)[:, : self._n]
            self._array.flags.writeable = False
        found: NDArray[N] = self._array[column]
        return found


class Vectors:
    """A matrix that grows by doubling; rows without a vector are zero and may gain one later.

    A hollow row is filled in place while no reader has been handed it; any other replacement copies the matrix (rare:
    re-embedding). Readers frozen before a hollow row was filled still see zeros.
    """

    __slots__ = ("_block", "_hollow", "_shown", "n")

    def __init__(self) -> None:
        self._block: Floats = np.zeros((0, 0), dtype=np.float32)
        self._hollow: frozenset[int] = frozenset()
        self._shown = [0]
        self.n = 0

    def append(self, vector: Floats | None) -> None:
        """One more row; None leaves it zero."""
        if vector is not None:
            self._widen(len(vector))
        if self.n == len(self._block):
            grown = np.zeros((max(16, 2 * self.n), self._block.shape[1]), dtype=np.float32)
            grown[: self.n] = self._block
            self._block, self._shown = grown, [0]
        if vector is not None:
            self._block[self.n] = vector
        elif self._block.shape[1]:
            self._hollow |= {self.n}
        self.n += 1

    def extend(self, matrix: Floats, hollow: Sequence[int]) -> None:
        """Many rows at once into an empty matrix; ``hollow`` names the zero rows."""
        self._block, self._shown, self.n = matrix, [len(matrix)], len(matrix)
        self._hollow = frozenset(hollow)

    def set(self, position: int, vector: Floats | None) -> None:
        """Another vector at a position, out of sight of frozen readers."""
        if vector is not None:
            self._widen(len(vector))
        elif position in self._hollow or not self._block.shape[1]:
            return
        if position not in self._hollow or position < self._shown[0]:
            self._block, self._shown = self._block.copy(), [0]
        self._block[position] = 0 if vector is None else vector
        self._hollow = self._hollow | {position} if vector is None else self._hollow - {position}

    def seen(self) -> SeenVectors:
        """The matrix as it stands now, frozen."""
        return SeenVectors(self._block, self.n, self._hollow, self._shown)

    @property
    def nbytes(self) -> int:
        """Bytes held by the block."""
        return int(self._block.nbytes)

    def _widen(self, dim: int) -> None:
        if self._block.shape[1] == 0 and dim:
            self._block, self._shown = np.zeros((max(16, len(self._block)), dim), dtype=np.float32), [0]
            self._hollow = frozenset(range(self.n))


class SeenVectors:
    """A frozen matrix."""

    __slots__ = ("_block", "_hollow", "_n", "_shown")

    def __init__(self, block: Floats, n: int, hollow: frozenset[int], shown: list[int]) -> None:
        self._block, self._n, self._hollow, self._shown = block, n, hollow, shown

    def row(self, position: int) -> Floats | None:
        """The vector at a position, None when it had none."""
        if position in self._hollow or self._block.shape[1] == 0:
            return None
        found: Floats = self._block[position].copy()
        return found

    @property
    def matrix(self) -> Floats:
        """Shape ``(n, dim)``; the rows that were hollow at the freeze are zero. Read-only."""
        part = self._block[: self._n]
        late = [row for row in self._hollow if row < self._n and part[row].any()]
        if late:
            part = part.copy()
            part[late] = 0
            self._block, self._shown = part, [self._n]
        else:
            self._shown[0] = max(self._shown[0], self._n)
        return self._frozen(part)

    @staticmethod
    def _frozen(part: Floats) -> Floats:
        view = part.view()
        view.flags.writeable = False
        return view


class Postings:
    """Term -> ascending row numbers and a number beside each; grows at the end only."""

    __slots__ = ("_lists",)

    def __init__(self) -> None:
        self._lists: dict[str, tuple[array[int], array[int]]] = {}

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
        """Row numbers under ``n`` and what stands beside them, as fresh arrays."""
        found = self._lists.get(term)
        if found is None:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        stop = bisect_left(found[0], n)
        if not stop:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        return np.frombuffer(found[0][:stop], dtype=np.int64), np.frombuffer(found[1][:stop], dtype=np.int64)

    def __len__(self) -> int:
        return len(self._lists)
