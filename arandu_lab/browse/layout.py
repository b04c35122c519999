"""Where the nodes of a picture go: forces between them, then labels pushed apart. The same graph gives the same picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_GOLDEN = np.pi * (3.0 - np.sqrt(5.0))


def laid_out(
    sizes: NDArray[np.float64],
    edges: Sequence[tuple[int, int]],
    *,
    width: float,
    height: float,
    rounds: int = 200,
) -> NDArray[np.float64]:
    """Centres of boxes in a frame, shape ``(n, 2)``.

    Args:
        sizes: Width and height of each box, shape ``(n, 2)``; the first ones start in the middle.
        edges: Pairs of boxes that are drawn together.

    >>> laid_out(np.array([[20.0, 20.0], [20.0, 20.0]]), [(0, 1)], width=200, height=100).shape
    (2, 2)
    """
    n = len(sizes)
    if n == 0:
        return np.zeros((0, 2))
    frame = np.array([width, height])
    turn = np.arange(n) * _GOLDEN
    reach = np.sqrt((np.arange(n) + 0.3) / n)
    at: NDArray[np.float64] = np.stack([np.cos(turn) * reach, np.sin(turn) * reach], axis=1) * frame * 0.42
    apart = 0.85 * np.sqrt(width * height / n)
    sources = np.array([a for a, _ in edges], dtype=np.int64)
    targets = np.array([b for _, b in edges], dtype=np.int64)
    stretch = frame / frame.mean()
    for step in range(rounds):
        between = at[:, None, :] - at[None, :, :]
        far = np.maximum(np.hypot(between[..., 0], between[..., 1]), 1.0)
        push = np.where(far < 3.0 * apart, apart**2 / far**2, 0.0)
        force = (between * push[..., None]).sum(axis=1) - at / stretch * 0.9
        if len(sources):
            along = at[sources] - at[targets]
            pull = along * (np.maximum(np.hypot(along[:, 0], along[:, 1]), 1.0) / apart)[:, None]
            np.add.at(force, sources, -pull)
            np.add.at(force, targets, pull)
        length = np.maximum(np.hypot(force[:, 0], force[:, 1]), 1e-9)
        heat = 0.08 * width * (1.0 - step / rounds) ** 1.5 + 0.5
        at = at + force / length[:, None] * np.minimum(length, heat)[:, None]
    return _spread(_fitted(at, sizes, frame), sizes, frame)


def _fitted(at: NDArray[np.float64], sizes: NDArray[np.float64], frame: NDArray[np.float64]) -> NDArray[np.float64]:
    """The whole moved and stretched into the frame, boxes included."""
    low, high = at.min(axis=0), at.max(axis=0)
    margin = sizes.max(axis=0) / 2.0
    span = np.where(high - low < 1.0, 1.0, high - low)
    scale = np.minimum((frame - 2.0 * margin) / span, 2.4)
    fitted: NDArray[np.float64] = (at - (low + high) / 2.0) * scale + frame / 2.0
    return fitted


def _spread(at: NDArray[np.float64], sizes: NDArray[np.float64], frame: NDArray[np.float64]) -> NDArray[np.float64]:
    """Boxes pushed apart where they overlap, along the shorter way."""
    n = len(at)
    least = (sizes[:, None, :] + sizes[None, :, :]) / 2.0 + 4.0
    for _ in range(220):
        between = at[:, None, :] - at[None, :, :]
        deep = least - np.abs(between)
        deep[np.arange(n), np.arange(n)] = -1.0
        both = (deep > 0.0).all(axis=2)
        if not both.any():
            break
        sideways = deep[..., 0] < deep[..., 1]
        order = np.sign(np.arange(n)[:, None] - np.arange(n)[None, :])
        way = np.where(between == 0.0, order[..., None], np.sign(between))
        push = np.zeros_like(between)
        push[..., 0] = np.where(both & sideways, way[..., 0] * deep[..., 0], 0.0)
        push[..., 1] = np.where(both & ~sideways, way[..., 1] * deep[..., 1], 0.0)
        at = np.clip(at + 0.3 * push.sum(axis=1), sizes / 2.0, frame - sizes / 2.0)
    return at
