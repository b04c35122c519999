"""Many comparisons at once: one in twenty comes out by chance, unless that is reckoned with."""

from __future__ import annotations

from collections.abc import Sequence

from arandu_lab.errors import ConfigError


def holm(values: Sequence[float | None]) -> list[float | None]:
    """Holm's adjusted p values, in the order given.

    A comparison may be called at .05 where its adjusted p is at most .05, and then the chance that any such call in the
    family is wrong is at most .05, however the comparisons hang together. A null stays null and counts for nothing.

    Raises:
        ConfigError: a p below 0 or above 1.

    >>> holm([0.01, 0.04, 0.03, None])
    [0.03, 0.06, 0.06, None]
    """
    told = [(p, place) for place, p in enumerate(values) if p is not None]
    if wrong := next((p for p, _ in told if not 0.0 <= p <= 1.0), None):
        raise ConfigError(f"a p value of {wrong}; wants 0 to 1")
    out: list[float | None] = [None] * len(values)
    largest = 0.0
    for rank, (p, place) in enumerate(sorted(told)):
        largest = max(largest, min(1.0, (len(told) - rank) * p))
        out[place] = largest
    return out
