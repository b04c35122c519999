"""Append-mostly storage that one writer grows and any number of readers see frozen.

Every class here has a growing side (``put``, ``append``, ``set``) and a frozen side (``seen()``). Freezing copies no
row. Appending touches only room that no frozen reader can see; replacing a row copies what it lies in first (a chunk of
``CHUNK`` records, one column of numbers), so that frozen readers keep the old one.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Generic, TypeVar, overload

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
    """``width`` numeric columns of one type that grow by doubling; frozen without a copy.

    A column in which a row is replaced is copied first if a frozen reader holds it; columns that stay are not.
    """

    __slots__ = ("_columns", "_shown", "n")

    def __init__(self, width: int, dtype: type[N]) -> None:
        self._columns: list[NDArray[N]] = [np.zeros(0, dtype=dtype) for _ in range(width)]
        self._shown: set[int] = set()
        self.n = 0

    def append(self, values: Sequence[float]) -> None:
        """One more row."""
        if self.n == len(self._columns[0]):
            self._grow(self.n + 1)
        for column, value in zip(self._columns, values, strict=True):
            column[self.n] = value
        self.n += 1

    def extend(self, columns: Sequence[NDArray[N]]) -> None:
        """Many rows at once, given by column."""
        more = len(columns[0])
        if self.n + more > len(self._columns[0]):
            self._grow(self.n + more)
        for column, values in zip(self._columns, columns, strict=True):
            column[self.n : self.n + more] = values
        self.n += more

    def set(self, position: int, values: Sequence[float]) -> None:
        """Another row at a position, out of sight of frozen readers."""
        for place, value in enumerate(values):
            if self._columns[place][position] == value:
                continue
            if place in self._shown:
                self._columns[place] = self._columns[place].copy()
                self._shown.discard(place)
            self._columns[place][position] = value

    def at(self, position: int, column: int) -> float:
        """One number as it stands now."""
        return float(self._columns[column][position])

    def seen(self) -> SeenNumbers[N]:
        """The columns as they stand now, frozen."""
        self._shown.update(range(len(self._columns)))
        return SeenNumbers(tuple(self._columns), self.n)

    @property
    def nbytes(self) -> int:
        """Bytes held by the columns."""
        return sum(column.nbytes for column in self._columns)

    def _grow(self, least: int) -> None:
        room = max(16, least, 2 * self.n)
        for place, column in enumerate(self._columns):
            grown = np.zeros(room, dtype=column.dtype)
            grown[: self.n] = column[: self.n]
            self._columns[place] = grown
        self._shown.clear()


class SeenNumbers(Generic[N]):
    """Frozen numeric columns."""

    __slots__ = ("_columns", "_n")

    def __init__(self, columns: tuple[NDArray[N], ...], n: int) -> None:
        self._columns: tuple[NDArray[N], ...] = columns
        self._n = n

    def __getitem__(self, column: int) -> NDArray[N]:
        found: NDArray[N] = self._columns[column][: self._n]
        found.flags.writeable = False
        return found


class Head(Sequence[str]):
    """The first ``n`` of a list that only grows, without a copy; equal to any sequence of the same items.

    >>> grown = ["a", "b"]
    >>> seen = Head(grown, 2)
    >>> grown.append("c")
    >>> list(seen), seen[-1], seen == ["a", "b"], seen.take(np.array([1, 0])).tolist()
    (['a', 'b'], 'b', True, ['b', 'a'])
    """

    __slots__ = ("_all", "_n")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, every: list[str], n: int) -> None:
        self._all, self._n = every, n

    def __len__(self) -> int:
        return self._n

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return [self._all[row] for row in range(*place.indices(self._n))]
        row = place + self._n if place < 0 else place
        if not 0 <= row < self._n:
            raise IndexError(f"position {place} of {self._n} rows")
        return self._all[row]

    def __iter__(self) -> Iterator[str]:
        return islice(self._all, self._n)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(other) == self._n and all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    def take(self, positions: Ints) -> NDArray[np.object_]:
        """The items at some positions, as an array of objects."""
        found = np.empty(len(positions), dtype=object)
        found[:] = [self._all[place] for place in positions.tolist()]
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

    def fill(self, vectors: Sequence[Floats | None]) -> None:
        """Many rows at once, into an empty matrix; with some room for more."""
        dim = next((len(vector) for vector in vectors if vector is not None), 0)
        self.n = len(vectors)
        self._block, self._shown = np.zeros((self.n + max(16, self.n >> 3), dim), dtype=np.float32), [0]
        for place, vector in enumerate(vectors):
            if vector is not None:
                self._block[place] = vector
        if dim:
            self._hollow = frozenset(place for place, vector in enumerate(vectors) if vector is None)

    def set(self, position: int, vector: Floats | None) -> None:
        """Another vector at a position, out of sight of frozen readers."""
        if vector is not None:
            self._widen(len(vector))
        elif position in self._hollow or not self._block.shape[1]:
            return
        if position not in self._hollow and vector is not None and np.array_equal(self._block[position], vector):
            return  # a row that changed in other columns: no copy of the whole matrix for it
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
