"""The turns that may answer, and what follows from that alone: made once for all questions of one moment.

Questions that are put at one moment of a conversation open the same turns, so mean lengths, the sizes of windows and how
many turns hold each word are the same for all of them.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from arandu_lab.pipeline.lab import Mask, View
from arandu_lab.read.evidence.spans import Ints, Spans
from arandu_lab.read.found import Floats


@dataclass(frozen=True, eq=False)
class Opened:
    """Which turns of a reel may answer (``mask``, shape ``(n,)``), beside what the reel knows of them.

    ``lengths`` counts the words of each turn; ``token``, ``fresh`` and ``row`` stand for each word: its stem's number,
    whether it is the first of its turn, and its turn. Everything asked for is kept.
    """

    mask: Mask
    spans: Spans
    lengths: Floats
    token: Ints
    fresh: Ints
    row: Ints
    stems: int
    derived: dict[Hashable, Any] = field(default_factory=dict)

    @cached_property
    def count(self) -> int:
        """How many turns are open."""
        return int(self.mask.sum())

    @cached_property
    def all(self) -> bool:
        """Whether every turn is open."""
        return self.count == len(self.mask)

    @cached_property
    def size(self) -> Floats:
        """The number of words of each open turn; 0 for a closed one."""
        return self.lengths * self.mask

    def sizes(self, before: int, after: int) -> Floats:
        """The number of words of the open turns around each turn."""
        key = ("sizes", before, after)
        if key not in self.derived:
            self.derived[key] = self.spans.window(self.size, before, after)
        found: Floats = self.derived[key]
        return found

    def damped(self, width: int, k1: float, b: float) -> Floats:
        """What BM25 adds to how often a term stands in a turn, or in the turns up to ``width`` around each."""
        key = ("damping", width, k1, b)
        if key not in self.derived:
            self.derived[key] = damping(self.sizes(width, width) if width else self.size, self.mask, k1, b)
        found: Floats = self.derived[key]
        return found

    def held(self, view: View) -> Held:
        """The open turns that have a vector in a view; kept for the newest view that asked."""
        sequence, found = self.derived.get("held", (None, None))
        if found is None or sequence != view.sequence:
            found = Held(self.mask & view.events.matrix.any(axis=1), self.spans)
            self.derived["held"] = (view.sequence, found)
        kept: Held = found
        return kept

    @cached_property
    def sessions(self) -> tuple[Mask, Floats]:
        """Which sessions have an open turn, and how many words their open turns have."""
        return self.spans.sums(self.mask.astype(np.float64)) > 0.0, self.spans.sums(self.size)

    @cached_property
    def told(self) -> tuple[Ints, Ints]:
        """Each stem of each open turn once: its number, and its turn."""
        first = np.flatnonzero(self.fresh.astype(np.bool_) & self.mask[self.row])
        return self.token[first], self.row[first]

    @cached_property
    def holds(self) -> Floats:
        """How many open turns hold each stem, by number."""
        return np.bincount(self.told[0], minlength=self.stems).astype(np.float64)


@dataclass(frozen=True, eq=False)
class Held:
    """Turns that have a vector (``mask``, shape ``(n,)``), and how many of them stand around each turn."""

    mask: Mask
    spans: Spans
    counted: dict[tuple[int, int], Floats] = field(default_factory=dict)

    def around(self, before: int, after: int) -> Floats:
        """How many from the turns ``before`` earlier to ``after`` later, never across a session."""
        found = self.counted.get((before, after))
        if found is None:
            found = self.counted[before, after] = self.spans.window(self.mask.astype(np.float64), before, after)
        return found


def damping(size: Floats, mask: Mask, k1: float, b: float) -> Floats:
    """``k1 (1 - b + b size / mean)`` of every row, the mean over the rows of ``mask``.

    >>> damping(np.array([1.0, 3.0]), np.array([True, True]), 1.0, 0.5).tolist()
    [0.75, 1.25]
    """
    mean = float(size[mask].mean()) if mask.any() else 1.0
    found: Floats = k1 * (1.0 - b + b * size / max(mean, 1e-9))
    return found
