"""A graph as a picture: circles sized by weight, bent lines, labels; numbers for a template to print as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from arandu_lab.browse.layout import laid_out
from arandu_lab.browse.visible import visible

WIDE, NARROW = (760.0, 505.0, 34), (330.0, 420.0, 12)
"""Width, height, and most nodes of the picture for a desk and for a pocket."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """Something to draw. ``weight`` is 0 to 1; ``sort`` picks its colour."""

    key: str
    label: str
    weight: float
    sort: str
    href: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """A line between two nodes, by their keys. ``strength`` is 0 to 1."""

    source: str
    target: str
    label: str
    strength: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Circle:
    """A node at its place."""

    node: Node
    x: float
    y: float
    r: float
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A tie as the path of an SVG, with the middle of it."""

    tie: Tie
    path: str
    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """What a template draws. ``left`` counts nodes that did not fit."""

    width: int
    height: int
    circles: tuple[Circle, ...]
    lines: tuple[Line, ...]
    left: int
    named: bool


def picture(
    nodes: Sequence[Node], ties: Sequence[Tie], frame: tuple[float, float, int], *, first: str | None = None
) -> Picture:
    """Draw the weightiest nodes that fit, ``first`` among them. Few lines bear their names."""
    width, height, most = frame
    small = width < 500
    kept = _chosen(nodes, ties, most, first)
    place = {node.key: i for i, node in enumerate(kept)}
    inside = thinned([tie for tie in ties if tie.source in place and tie.target in place], 2)
    letter, line = (6.6, 15.0) if small else (7.0, 17.0)
    labels = [_short(node.label, 14 if small else 22) for node in kept]
    least, more = (4.0, 9.0) if small else (5.0, 16.0)
    radii = [least + more * node.weight for node in kept]
    sizes = np.array(
        [(max(2 * r, letter * len(label)) + 12, 2 * r + line + 8) for r, label in zip(radii, labels, strict=True)]
    ).reshape(-1, 2)
    at = laid_out(sizes, [(place[tie.source], place[tie.target]) for tie in inside], width=width, height=height)
    tops = [(float(x), float(y) - line / 2.0) for x, y in at]
    circles = tuple(
        Circle(node=node, x=round(x, 1), y=round(y, 1), r=round(r, 1), label=label)
        for node, (x, y), r, label in zip(kept, tops, radii, labels, strict=True)
    )
    twins: dict[tuple[str, str], int] = {}
    lines = tuple(_line(tie, circles, place, twins) for tie in inside)
    return Picture(
        width=int(width),
        height=int(height),
        circles=circles,
        lines=lines,
        left=len(nodes) - len(kept),
        named=not small and len(lines) <= 14,
    )


def thinned(ties: Sequence[Tie], most: int) -> list[Tie]:
    """Ties that can be told apart where every node has many: the strongest, ``most`` or fewer that a node brings itself.

    A tie goes where both its ends have as many already; so nobody who is tied to somebody stands alone.
    """
    held: dict[str, int] = {}
    kept = list[Tie]()
    for tie in sorted(ties, key=lambda one: -one.strength):
        if tie.source != tie.target and min(held.get(tie.source, 0), held.get(tie.target, 0)) < most:
            kept.append(tie)
            for end in (tie.source, tie.target):
                held[end] = held.get(end, 0) + 1
    order = {id(tie): place for place, tie in enumerate(ties)}
    return sorted(kept, key=lambda one: order[id(one)])


def _chosen(nodes: Sequence[Node], ties: Sequence[Tie], most: int, first: str | None) -> list[Node]:
    """The nodes to draw, one by one: tied to many, weighty, and tied to what is drawn already."""
    near: dict[str, set[str]] = {node.key: set() for node in nodes}
    for tie in ties:
        if tie.source in near and tie.target in near and tie.source != tie.target:
            near[tie.source].add(tie.target)
            near[tie.target].add(tie.source)
    worth = {node.key: len(near[node.key]) + 6.0 * node.weight + 1e9 * (node.key == first) for node in nodes}
    left, kept = {node.key: node for node in nodes}, list[Node]()
    while left and len(kept) < most:
        key = max(left, key=lambda one: (worth[one], one))
        kept.append(left.pop(key))
        for other in near[key]:
            worth[other] += 4.0
    return kept


def _line(tie: Tie, circles: Sequence[Circle], place: Mapping[str, int], twins: dict[tuple[str, str], int]) -> Line:
    one, other = circles[place[tie.source]], circles[place[tie.target]]
    pair = (min(tie.source, tie.target), max(tie.source, tie.target))
    number = twins[pair] = twins.get(pair, 0) + 1
    dx, dy = other.x - one.x, other.y - one.y
    bend = 0.10 * ((number + 1) // 2) * (1 if number % 2 else -1)
    cx, cy = (one.x + other.x) / 2 - dy * bend, (one.y + other.y) / 2 + dx * bend
    mx, my = (one.x + 2 * cx + other.x) / 4, (one.y + 2 * cy + other.y) / 4
    path = f"M{one.x:.1f} {one.y:.1f} Q{cx:.1f} {cy:.1f} {other.x:.1f} {other.y:.1f}"
    return Line(tie=tie, path=path, x=round(mx, 1), y=round(my, 1))


def _short(text: str, most: int) -> str:
    shown = " ".join(visible(text).split())
    return shown if len(shown) <= most else shown[: most - 1].rstrip() + "…"
