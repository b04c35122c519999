"""Sums, bests and neighbours within sessions, over arrays whose last axis is the turns in order of time."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from arandu_lab.pipeline.lab import Mask
from arandu_lab.read.found import Floats

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Spans:
    """Where sessions begin and end: turn ``i`` lies in ``[start[i], stop[i])``; ``number[i]`` is its session's.

    Which turns stand around which is reckoned once for each width and kept.
    """

    starts: Ints
    number: Ints
    start: Ints
    stop: Ints
    _around: dict[tuple[int, int], tuple[Ints, Ints]] = field(default_factory=dict, repr=False)
    _moved: dict[int, tuple[Ints, Mask]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, number: Ints) -> Spans:
        """From the session of each turn, shape ``(n,)``, ascending."""
        starts = np.flatnonzero(np.diff(number, prepend=-1)) if len(number) else np.zeros(0, dtype=np.int64)
        sizes = np.diff(np.append(starts, len(number)))
        place = np.repeat(np.arange(len(starts)), sizes)
        return cls(starts, place, np.repeat(starts, sizes), np.repeat(starts + sizes, sizes))

    def window(self, values: Floats, before: int, after: int) -> Floats:
        """Sums over the turns from ``before`` earlier to ``after`` later, never across a session.

        >>> Spans.of(np.array([0, 0, 0, 1])).window(np.array([1.0, 2.0, 4.0, 8.0]), 1, 1).tolist()
        [3.0, 7.0, 6.0, 8.0]
        """
        low, high = self.around(before, after)
        sums = np.zeros((*values.shape[:-1], values.shape[-1] + 1))
        np.cumsum(values, axis=-1, out=sums[..., 1:])
        found: Floats = sums.take(high, axis=-1)
        found -= sums.take(low, axis=-1)
        return found

    def around(self, before: int, after: int) -> tuple[Ints, Ints]:
        """For each turn the first one of its window, and the first one behind it."""
        found = self._around.get((before, after))
        if found is None:
            place = np.arange(len(self.number))
            found = np.maximum(place - before, self.start), np.minimum(place + after + 1, self.stop)
            self._around[before, after] = found
        return found

    def shifted(self, values: Floats, by: int, *, beyond: float = 0.0) -> Floats:
        """The value of the turn ``by`` later (negative: earlier); ``beyond`` where that lies outside the session.

        >>> Spans.of(np.array([0, 0, 1])).shifted(np.array([1.0, 2.0, 4.0]), -1).tolist()
        [0.0, 1.0, 0.0]
        """
        if not len(self.number):
            return values
        found = self._moved.get(by)
        if found is None:
            place = np.arange(len(self.number)) + by
            inside = (place >= self.start) & (place < self.stop)
            found = self._moved[by] = (np.clip(place, 0, len(place) - 1), inside)
        other, inside = found
        return np.where(inside, values.take(other, axis=-1), beyond)

    def sums(self, values: Floats) -> Floats:
        """Sums per session: the last axis becomes sessions."""
        if not len(self.starts):
            return np.zeros((*values.shape[:-1], 0))
        found: Floats = np.add.reduceat(values, self.starts, axis=-1)
        return found

    def best(self, values: Floats) -> Floats:
        """For each turn the highest value of its session; a NaN counts only where there is nothing else."""
        if not len(self.starts):
            return values
        found: Floats = np.fmax.reduceat(values, self.starts)[self.number]
        return found
