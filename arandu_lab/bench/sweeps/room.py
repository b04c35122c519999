"""How many tokens the context of each setting takes: what ``render`` would write, counted without writing it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from arandu_lab.bench.sweeps.knobs import Knobs
from arandu_lab.bench.sweeps.logged import Logged
from arandu_lab.llm.tokens import counter
from arandu_lab.pure.budget import estimate_tokens
from arandu_lab.pure.rescoring import NOBODY, Ints, allotted
from arandu_lab.read.observed import observed
from arandu_lab.read.render import FACTS, PATTERNS, TURNS, one_line, quotation, statement
from arandu_lab.read.table import Table


class Room:
    """The room that contexts take. ``llm`` counts tokens as ``render`` has it count."""

    def __init__(self, llm: Any) -> None:
        self._tokens_of = counter(llm)

    def tokens(self, log: Logged, knobs: Knobs, kept: Ints, quoted: Table) -> Ints:
        """Estimated tokens of each context, shape ``(settings,)``.

        Args:
            kept: Columns of the kept facts, best first, ``NOBODY`` behind the last, shape ``(settings, facts)``.
            quoted: The turns that are quoted.
        """
        values = log.values
        lengths = np.zeros((len(log) + 1, 2), dtype=np.int64)
        for column in _columns(kept, len(log)):
            lengths[column] = self._fact(log, column)
        chars, costs = lengths.T
        told = observed(
            log.found,
            log.lab,
            most=values["topk_patterns"],
            min_similarity=values["min_pattern_similarity"],
            min_mention_similarity=values["min_mention_similarity"],
        )
        patterns = [self._line(f"- {one_line(text)}") for text in told]
        quotes = [self._quote(log, place, values["event_max_chars"]) for place in quoted["position"].tolist()]
        there = kept != NOBODY
        heads = [(FACTS, there.any(axis=1)), (PATTERNS, bool(patterns)), (TURNS, bool(quotes))]
        taken: Any = sum(np.where(stands, self._tokens_of(head + "\n\n"), 0) for head, stands in heads)
        extras = [cost for _, cost in (*patterns, *quotes)]
        room = np.maximum(0, knobs.context_max_tokens - taken)
        entered, chosen = allotted(costs[kept], there, extras, room, knobs.hot_tier_ratio, knobs.warm_tier_ratio)
        further = len(patterns)
        written = [
            _section(FACTS, np.where(entered, chars[kept] + 1, 0).sum(axis=1)),
            _section(PATTERNS, _lengths(patterns, chosen[:, :further])),
            _section(TURNS, _lengths(quotes, chosen[:, further:])),
        ]
        sections: Any = sum((one > 0).astype(np.int64) for one in written)
        total: Ints = np.sum(written, axis=0) + 2 * np.maximum(sections - 1, 0)
        return -(-total // _CHARS)

    def _fact(self, log: Logged, column: int) -> tuple[int, int]:
        view, position = log.lab.memory, int(log.positions[column])
        return log.looked.once(view, ("line", position), lambda: self._line(statement(log.fact(column))))

    def _quote(self, log: Logged, position: int, most: int) -> tuple[int, int]:
        view = log.lab.memory
        return log.looked.once(
            view, ("quote", position, most), lambda: self._line(quotation(view.event_at(position), most))
        )

    def _line(self, line: str) -> tuple[int, int]:
        """Characters and tokens of a line."""
        return len(line), self._tokens_of(line + "\n")


def _columns(kept: Ints, size: int) -> list[int]:
    """Every column that somebody keeps."""
    there = np.zeros(size + 1, dtype=np.bool_)
    there[kept] = True
    found: list[int] = np.flatnonzero(there[:-1]).tolist()
    return found


def _section(head: str, lines: Ints) -> Ints:
    """Characters of a section: its head and its lines, each with the break before it; none without lines."""
    return np.where(lines > 0, len(head) + lines, 0)


def _lengths(lines: Sequence[tuple[int, int]], chosen: Any) -> Ints:
    """Characters of the chosen ones of these lines, a break before each."""
    lengths = np.asarray([chars + 1 for chars, _ in lines], dtype=np.int64)
    found: Ints = np.where(chosen, lengths, 0).sum(axis=1)
    return found


_CHARS = 4
"""Characters a token, as :func:`estimate_tokens` has it."""

assert estimate_tokens("x" * (_CHARS + 1)) == estimate_tokens("x" * 2 * _CHARS) == 2
