"""Groups by likeness of vectors: topics within an entity (average linkage), communities of groups (the graph of likeness).

Cosines are brought to the documented scale by ``scale`` (the embedder's calibration) before a threshold is read. A vector of
zeros stands for one that is missing, and is alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from arandu_lab.errors import ConfigError
from arandu_lab.pure.components import components

_BLOCK = 1024


def _as_it_is(cosines: Any) -> Any:
    return cosines


def topics(vectors: ArrayLike, threshold: float, *, scale: Callable[[Any], Any] = _as_it_is) -> NDArray[np.int64]:
    """The topic of each vector, shape ``(n,)``, numbered from 0 in the order of their first vector.

    Agglomerative, average linkage: two groups become one while the mean cosine between their members is at ``threshold`` or
    above (to six decimals). Time and room grow with the square of ``n``.

    Args:
        vectors: Shape ``(n, dim)``, of any length.
        threshold: the least mean cosine, on the documented scale.
        scale: maps an array of cosines to the documented scale.

    Raises:
        ConfigError: vectors of another shape, or with a value that is no number.

    >>> topics([[1.0, 0.0], [0.0, 1.0], [0.9, 0.1], [0.0, 0.0]], 0.8).tolist()
    [0, 1, 0, 2]
    """
    rows = _rows(vectors)
    told = np.flatnonzero(rows.any(axis=1))
    part = np.full(len(rows), -1, dtype=np.int64)
    if len(told) > 1:
        from scipy.cluster.hierarchy import fcluster, linkage
        from scipy.spatial.distance import pdist

        apart = pdist(rows[told], "cosine")
        if scale is not _as_it_is:
            apart = 1.0 - np.asarray(scale(1.0 - apart), dtype=np.float64)
        tree = linkage(np.maximum(apart, 0.0), method="average")
        part[told] = fcluster(tree, 1.0 - threshold + 5e-7, criterion="distance")
    part[part < 0] = -1 - np.arange(int((part < 0).sum()))  # each alone
    number: dict[int, int] = {}
    return np.array([number.setdefault(one, len(number)) for one in part.tolist()], dtype=np.int64)


def communities(
    vectors: ArrayLike, threshold: float, *, least: int = 2, scale: Callable[[Any], Any] = _as_it_is
) -> list[list[int]]:
    """Vectors that a chain of cosines at ``threshold`` or above joins: groups of ``least`` or more, as ``components`` orders.

    Arguments and errors as for ``topics``. Cosines are rounded to six decimals: last bits must not join or part.

    >>> communities([[1.0, 0.0], [0.0, 1.0], [0.8, 0.6], [0.2, 0.98], [0.0, 0.0]], 0.75)
    [[0, 2], [1, 3]]
    """
    rows = _rows(vectors)
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    unit = rows / np.where(length > 0.0, length, 1.0)
    told = length[:, 0] > 0.0
    pairs = []
    for start in range(0, len(rows), _BLOCK):
        near = np.round(np.asarray(scale(unit[start : start + _BLOCK] @ unit.T), dtype=np.float64), 6) >= threshold
        one, other = np.nonzero(near & told[start : start + _BLOCK, None] & told[None, :])
        later = other > one + start
        pairs.append(np.stack([one[later] + start, other[later]], axis=1))
    return components(len(rows), np.concatenate(pairs) if pairs else [], least)


def _rows(vectors: ArrayLike) -> NDArray[np.float64]:
    rows = np.asarray(vectors, dtype=np.float64)
    rows = rows.reshape(0, 0) if not rows.size and rows.ndim == 1 else rows
    if rows.ndim != 2:
        raise ConfigError(f"vectors of shape {rows.shape}; wanted (n, dim)")
    if not np.isfinite(rows).all():
        raise ConfigError("a vector holds a value that is no number")
    return rows
