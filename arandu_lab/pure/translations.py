"""Whether a text may tell in one language what was told in another: then no word need be shared."""

from __future__ import annotations

from collections.abc import Iterable

from arandu_lab.pure.text import leaning


def translated(text: str, told: Iterable[str]) -> bool:
    """Whether a text is English and one of those told is Portuguese, or the other way round; where nothing tells, not.

    >>> translated("Ana lives with her mother", ["Ana mora com a mãe"]), translated("Ana: Recife", ["Ana mora com a mãe"])
    (True, False)
    """
    mine = leaning(text)
    return bool(mine) and any(leaning(other) * mine < 0 for other in told)
