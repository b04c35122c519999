"""The versions of an edge, which hold while facts that state the relation hold: in whatever order those were told.

::

    told:   lives in Natal (June)   lives in Recife (dated January)
    edges:  Recife [January, June)  Natal [June, ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from arandu_lab.pure.timeline import NEVER, Stretch, without
from arandu_lab.records import Fact, Relationship


def lasting(pieces: Sequence[Fact]) -> datetime | None:
    """Until when a fact holds that goes on as ``pieces``; None where it is open."""
    ends = [piece.valid_to or NEVER for piece in pieces]
    return None if NEVER in ends else max(ends)


def told_of(
    before: Iterable[Relationship], since: datetime, until: datetime | None
) -> tuple[Relationship | None, tuple[tuple[datetime, datetime | None], ...]]:
    """What a relation that holds in a stretch comes to beside the versions of its edge: the one that it bears out, or the
    stretches that no version holds yet.

    An open version is borne out by all that lasts into it; before it and between closed ones there is room.
    """
    versions = sorted(before, key=lambda edge: edge.valid_from)
    mine = (since, until or NEVER)
    held = [edge for edge in versions if edge.valid_from < mine[1] and since < (edge.valid_to or NEVER)]
    free = without(mine, map(_stretch, held))
    if held and (held[-1].valid_to is None or not free):
        return held[-1], ()
    if not free:
        return (versions[-1] if versions else None), ()
    return None, tuple((start, None if end == NEVER else end) for start, end in free)


def shortened(
    edges: Iterable[Relationship], ended: Iterable[tuple[Fact, Fact]], fact: Callable[[str], Fact | None]
) -> Iterator[Relationship]:
    """Closed edges that ended with a fact which late news ended earlier, (before, after), and that nothing bears so long."""
    sooner = {before.id: before.valid_to for before, after in ended if _end(after.valid_to) < _end(before.valid_to)}
    for edge in edges:
        if edge.valid_to is None or all(sooner.get(one) != edge.valid_to for one in edge.evidence_fact_ids):
            continue
        last = lasting([found for one in edge.evidence_fact_ids if (found := fact(one)) is not None])
        if last is not None and last < edge.valid_to:
            yield replace(edge, valid_to=max(last, edge.valid_from))


def _stretch(edge: Relationship) -> Stretch:
    return edge.valid_from, _end(edge.valid_to)


def _end(moment: datetime | None) -> datetime:
    return moment or NEVER
