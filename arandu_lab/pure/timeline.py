"""The history of one attribute that has one value at a time, as intervals that never overlap.

What holds at a moment is the value of the latest start whose told interval contains it; of equal starts the one told
last. So news about the past takes its own place whatever was told before it, and what it interrupts goes on after it.

::

    told:   lives in Natal since 2020      lived in Recife from March to May 2024
    holds:  Natal [2020, 2024-03)   Recife [2024-03, 2024-06)   Natal [2024-06, ...
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from arandu_lab.pure import ids, versions
from arandu_lab.pure.episodes import another_value
from arandu_lab.pure.text import normal
from arandu_lab.pure.versions import stated_end
from arandu_lab.records import UNSTAMPED, Fact

Stretch = tuple[datetime, datetime]

NEVER = datetime.max.replace(tzinfo=UTC)
"""The end of what is open."""
_WRONG = ("correction", "merge")


@dataclass(frozen=True, slots=True)
class Left:
    """What is left of a version: until when it holds (None: open, or as it was), and the stretches in which it goes on."""

    fact: Fact
    until: datetime | None
    again: tuple[tuple[datetime, datetime | None], ...] = ()


@dataclass(frozen=True, slots=True)
class Drawn:
    """A new version in its place: it and what it goes on as, the versions that it closes, and (before, after) of those
    that go on after it.
    """

    new: tuple[Fact, ...]
    closed: tuple[Fact, ...]
    resumed: tuple[tuple[Fact, Fact], ...]


def drawn(new: Fact, among: Sequence[Fact], replaced: Fact | None, unit: str) -> Drawn:
    """The rows that ``placed`` comes to. ``replaced`` is closed by the update; where the new version only tells its end
    (the same value, over), it does not go on. ``unit`` names who draws, for the ids of new rows.
    """
    mine, others = placed(new, among, replaced)
    heirs = {one.supersedes_fact_id for one in among} | ({replaced.id} if replaced is not None else set())
    closed, resumed = [], []
    for left in others:
        assert left.until is not None
        of_target = replaced is not None and left.fact.id == replaced.id
        closed.append(versions.closed(left.fact, left.until, "update" if of_target else "late"))
        if of_target and not another_value(new.text, left.fact.text, new.entity_name):
            continue
        before = new.id if of_target and not mine.again else left.fact.id
        for after in _again(left, unit, None if before in heirs else before):
            resumed.append((left.fact, after))
    if mine.until != new.valid_to and mine.until is not None:
        new = versions.closed(new, mine.until, "late")
    return Drawn((new, *_again(mine, unit, new.id)), tuple(closed), tuple(resumed))


def _again(left: Left, unit: str, before: str | None) -> Iterator[Fact]:
    """The rows in which a version goes on, each the next version of the last."""
    told = stated_end(left.fact)
    for start, end in left.again:
        after = replace(
            left.fact,
            id=ids.derive("again", unit, left.fact.id, start.isoformat()),
            valid_from=start,
            valid_to=None,
            closed_by=None,
            ends_before=None,
            granularity=None,
            recorded_at=UNSTAMPED,
            invalidated_at=None,
            supersedes_fact_id=before,
            reinforcement_count=0,
        )
        if end is not None and end == told:
            after = replace(after, valid_to=end, closed_by="stated")
        elif end is not None:
            why = left.fact.closed_by
            after = versions.closed(after, end, "late" if why in (None, "stated") else why)  # this end nobody told
        yield after
        before = after.id


def placed(new: Fact, among: Iterable[Fact], replaced: Fact | None = None) -> tuple[Left, tuple[Left, ...]]:
    """What is left of a new version among older versions of its attribute, and what is left of those that it changes.

    ``replaced`` is the version that the new one stands in for: however close the two begin, it gives way. Versions that
    are not known to be of the attribute must not be in ``among``. The new version keeps its start; it holds until a value
    that began later, and goes on where one of those was told to have ended.
    """
    rows = [row for row in among if row.id != new.id and row.closed_by not in _WRONG]
    starts = {row.id: origin(row, rows).valid_from for row in rows}
    mine = (new.valid_from, stated_end(new) or NEVER)
    later = []
    for row in rows:
        held = any(one.valid_from < _end(one) for one in rows if _same_value(one, row, rows))
        if starts[row.id] > new.valid_from and held and (replaced is None or not _same_value(row, replaced, rows)):
            later.append((starts[row.id], stated_end(origin(row, rows)) or NEVER))
    pieces = without(mine, later)
    first = pieces[0] if pieces and pieces[0][0] == mine[0] else (mine[0], mine[0])
    rest = tuple(_open(piece) for piece in pieces if piece != first)
    changed = []
    for row in rows:
        gives = starts[row.id] <= new.valid_from or (replaced is not None and _same_value(row, replaced, rows))
        if not gives or not _overlap((row.valid_from, _end(row)), mine):
            continue
        left = without((row.valid_from, _end(row)), [mine])
        until = left[0][1] if left and left[0][0] == row.valid_from else row.valid_from
        again = tuple(_open(piece) for piece in left if piece[0] != row.valid_from)
        changed.append(Left(row, until, again))
    return Left(new, None if first[1] == NEVER else first[1], rest), tuple(changed)


def origin(row: Fact, among: Sequence[Fact]) -> Fact:
    """The version that a row goes on with after an interruption: itself, where it is no such row."""
    same = [one for one in among if one.source_event_id == row.source_event_id and normal(one.text) == normal(row.text)]
    return min((row, *same), key=lambda one: (one.valid_from, one.id))


def _same_value(row: Fact, other: Fact, rows: Sequence[Fact]) -> bool:
    return origin(row, rows).id == origin(other, rows).id


def _end(row: Fact) -> datetime:
    return row.valid_to or NEVER


def _open(stretch: Stretch) -> tuple[datetime, datetime | None]:
    return stretch[0], None if stretch[1] == NEVER else stretch[1]


def _overlap(one: Stretch, other: Stretch) -> bool:
    return one[0] < other[1] and other[0] < one[1] and one[0] < one[1] and other[0] < other[1]


def without(stretch: Stretch, gone: Iterable[Stretch]) -> list[Stretch]:
    """What of a stretch is in none of the others, in order.

    >>> day = [datetime(2024, 1, n, tzinfo=UTC) for n in range(1, 9)]
    >>> [(a.day, b.day) for a, b in without((day[0], day[7]), [(day[4], day[5]), (day[1], day[2])])]
    [(1, 2), (3, 5), (6, 8)]
    """
    out, at = [], stretch[0]
    for start, end in sorted(gone):
        if end <= at or start >= stretch[1] or start >= end:
            continue
        if at < start:
            out.append((at, start))
        at = max(at, end)
    if at < stretch[1]:
        out.append((at, stretch[1]))
    return out
