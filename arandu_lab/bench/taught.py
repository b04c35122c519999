"""Which figures of a run are of training: a blend that learned from a set is no judge of itself on that set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.plan import Row
from arandu_lab.bench.rows import assembly_of, is_memory
from arandu_lab.blends.blend import Blend
from arandu_lab.pipeline.node import Node


def taught(rows: Iterable[Row], datasets: Mapping[str, Dataset]) -> dict[str, str]:
    """Dataset -> what has to be known beside its figures; a set from which no row learned is not there. A slice is its set.

    >>> from arandu_lab.bench.data.registry import load
    >>> taught([Row(name="tuned", base="tuned"), Row(name="bm25", base="bm25")], {"harbor_en": load("harbor_en")})
    {'harbor_en': 'tuned learned from this set (101 of its questions): its figures here are of training'}
    """
    learned = {row.name: tuple(_blends(row)) for row in rows}
    said = {}
    for name, dataset in datasets.items():
        parts = []
        for row, blends in learned.items():
            mine = [one for blend in blends for one in blend.trained_on if one.set == dataset.name.partition("[")[0]]
            if mine:
                parts.append(f"{row} learned from this set ({max(one.questions for one in mine)} of its questions)")
        if parts:
            said[name] = f"{'; '.join(parts)}: {'its' if len(parts) == 1 else 'their'} figures here are of training"
    return said


def _blends(row: Row) -> Iterator[Blend]:
    if is_memory(row.base):
        for node in _nodes(assembly_of(row).read):
            if node.name == "learned":
                yield Blend.load(str(node.pinned().get("blend", "default")))


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for part in node.parts():
        yield from _nodes(part)
