"""What hangs together: the parts of a graph, by union-find with path compression and union by rank."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from arandu_lab.errors import ConfigError


def labels(n: int, edges: ArrayLike) -> NDArray[np.int64]:
    """The part that each of ``n`` nodes is in, shape ``(n,)``; parts are numbered from 0 in the order of their first node.

    Args:
        n: how many nodes there are.
        edges: Shape ``(m, 2)``: nodes, ``0 … n - 1``. Direction, doubles and loops make no difference.

    Raises:
        ConfigError: edges of another shape, or a node outside 0 to ``n - 1``.

    >>> labels(5, [(3, 1), (4, 0)]).tolist()
    [0, 1, 2, 1, 0]
    """
    pairs = np.asarray(edges, dtype=np.int64)
    pairs = pairs.reshape(0, 2) if not pairs.size else pairs
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise ConfigError(f"edges of shape {pairs.shape}; wanted (m, 2)")
    if pairs.size and (pairs.min() < 0 or pairs.max() >= n):
        raise ConfigError(f"edges of nodes {int(pairs.min())} to {int(pairs.max())}; nodes are 0 to {n - 1}")
    parent, rank = list(range(n)), [0] * n
    for one, other in pairs.tolist():
        _unite(_root(one, parent), _root(other, parent), parent, rank)
    number: dict[int, int] = {}
    return np.array([number.setdefault(_root(node, parent), len(number)) for node in range(n)], dtype=np.int64)


def components(n: int, edges: ArrayLike, least: int = 2) -> list[list[int]]:
    """The parts with at least ``least`` nodes, each ascending, in the order of their smallest node. Errors as ``labels``.

    >>> components(5, [(3, 1), (4, 0)]), components(2, [], least=1)
    ([[0, 4], [1, 3]], [[0], [1]])
    """
    found: dict[int, list[int]] = {}
    for node, part in enumerate(labels(n, edges).tolist()):
        found.setdefault(part, []).append(node)
    return [nodes for nodes in found.values() if len(nodes) >= least]


def _root(node: int, parent: list[int]) -> int:
    root = node
    while parent[root] != root:
        root = parent[root]
    while parent[node] != root:
        parent[node], node = root, parent[node]
    return root


def _unite(one: int, other: int, parent: list[int], rank: list[int]) -> None:
    if one == other:
        return
    if rank[one] < rank[other]:
        one, other = other, one
    parent[other] = one
    rank[one] += rank[one] == rank[other]
