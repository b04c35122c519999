"""Where names stand beside lines and points so that no two overlap. Arithmetic on pixels, the same in every run."""

from __future__ import annotations

from collections.abc import Sequence

WIDE, HIGH = 7.4, 15.0
"""Pixels of a letter at 12.5 px, and of a line."""


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places as near as can be to those wanted, at least ``gap`` apart, between ``low`` and ``high`` if there is room.

    Touching neighbours move together, as one block around the mean of what they want.

    >>> spread([10, 11, 40], 10, 0, 100)
    [5.5, 15.5, 40.0]
    >>> spread([99, 100], 10, 0, 100)
    [90.0, 100.0]
    """
    order = sorted(range(len(wanted)), key=lambda one: (wanted[one], one))
    blocks: list[list[float]] = []  # sum of (wanted - offset), number
    for one in order:
        blocks.append([float(wanted[one]), 1.0])
        while len(blocks) > 1 and _start(blocks[-1], gap, low, high) < _end(blocks[-2], gap, low, high) + gap:
            total, number = blocks.pop()
            blocks[-1][0] += total - number * blocks[-1][1] * gap
            blocks[-1][1] += number
    out = [0.0] * len(wanted)
    places = (_start(block, gap, low, high) + i * gap for block in blocks for i in range(int(block[1])))
    for one, place in zip(order, places, strict=True):
        out[one] = place
    return out


def beside(
    points: Sequence[tuple[float, float]], names: Sequence[str], width: float, height: float
) -> list[tuple[float, float, str]]:
    """For each point, where its name stands: ``(dx, dy, align)`` in pixels, clear of other names and points if it can.

    >>> beside([(50, 50), (52, 50)], ["a", "b"], 200, 100)
    [(-9.0, 0.0, 'right'), (9.0, 0.0, 'left')]
    """
    taken = [(x - 6, y - 6, x + 6, y + 6) for x, y in points]
    out: list[tuple[float, float, str]] = [(9.0, 0.0, "left")] * len(points)
    for one in sorted(range(len(points)), key=lambda i: (-points[i][0], points[i][1], i)):
        x, y = points[one]
        room = len(names[one]) * WIDE
        best: tuple[float, int] | None = None
        for place, (dx, dy, align) in enumerate(_PLACES):
            left = x + dx - (room if align == "right" else room / 2 if align == "center" else 0)
            box = (left, y + dy - HIGH / 2, left + room, y + dy + HIGH / 2)
            hidden = sum(_shared(box, other) for i, other in enumerate(taken) if i != one)
            outside = max(0.0, -box[0]) + max(0.0, box[2] - width) + max(0.0, -box[1]) + max(0.0, box[3] - height)
            cost = hidden + 40 * outside + 0.01 * place
            if best is None or cost < best[0]:
                best = (cost, place)
                out[one], chosen = (dx, dy, align), box
        taken.append(chosen)
    return out


def _start(block: list[float], gap: float, low: float, high: float) -> float:
    total, number = block
    return max(low, min(total / number, high - (number - 1) * gap))


def _end(block: list[float], gap: float, low: float, high: float) -> float:
    return _start(block, gap, low, high) + (block[1] - 1) * gap


def _shared(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> float:
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))


_PLACES = (
    *((9.0, 0.0, "left"), (-9.0, 0.0, "right"), (0.0, -14.0, "center"), (0.0, 14.0, "center")),
    *((dx * 9.0, dy, "left" if dx > 0 else "right") for dy in (-12.0, 12.0) for dx in (1, -1)),
    *(
        (dx * reach, dy, "left" if dx > 0 else "right")
        for reach in (20.0, 34.0, 50.0)
        for dy in (-10.0, 10.0, -20.0, 20.0, -32.0, 32.0, -44.0, 44.0)
        for dx in (1, -1)
    ),
)
"""Where a name may stand, the best first; those from 20 px on get a line back to their point."""
