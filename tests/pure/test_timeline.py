"""Claims about one attribute over time: where a version takes its place, what gives way to it, and what goes on (W8)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from arandu_lab.pure import timeline
from arandu_lab.records import UNSTAMPED, Fact

START = datetime(2024, 1, 1, tzinfo=UTC)


def day(n: int) -> datetime:
    """A day of 2024 and after, by its number."""
    return START + timedelta(days=n)


def home(town: str, since: int, until: int | None = None, why: Any = None, **more: Any) -> Fact:
    """Ana's home from one day to another; an end without a reason was told with it."""
    return Fact(
        **{
            "id": town, "agent_id": "a", "entity_key": "person:ana", "entity_name": "Ana", "text": f"Ana lives in {town}", "confidence": 0.9,
            "importance": 0.5, "category": "c", "speaker": "s", "source_event_id": f"e-{town}", "valid_from": day(since),
            "recorded_at": day(since), "valid_to": None if until is None else day(until),
            "closed_by": None if until is None else why or "stated", **more,
        }
    )  # fmt: skip


def number(moment: datetime | None) -> int | None:
    """The day of a moment."""
    return None if moment is None else (moment - START).days


def placed(new: Fact, *among: Fact, replaced: Fact | None = None) -> tuple[Any, dict[str, Any]]:
    """End and further stretches of a new version, and of the older ones that change, in days."""

    def told(left: timeline.Left) -> Any:
        return number(left.until), [(number(a), number(b)) for a, b in left.again]

    mine, others = timeline.placed(new, among, replaced)
    return told(mine), {left.fact.id: told(left) for left in others}


def test_later_news_ends_what_holds() -> None:
    """W8: of two open values the later start holds from its own day; the other ends there, and nothing goes on."""
    assert placed(home("B", 10), home("A", 0)) == ((None, []), {"A": (10, [])})


def test_older_news_ends_where_later_begins() -> None:
    """W8: a value that began before one that is known holds until that one begins, and that one is left alone."""
    assert placed(home("B", 0), home("A", 10)) == ((10, []), {})
    assert placed(home("B", 5), home("A", 0, 10, "late"), home("C", 10)) == ((10, []), {"A": (5, [])})


def test_an_episode_interrupts() -> None:
    """W8: a stay with an end takes its own days; what it interrupts goes on after it, open or to its own end."""
    assert placed(home("B", 10, 20), home("A", 0)) == ((20, []), {"A": (10, [(20, None)])})
    assert placed(home("B", 10, 20), home("A", 0, 30)) == ((20, []), {"A": (10, [(20, 30)])})
    assert placed(home("B", 10, 20), home("A", 0, 20)) == ((20, []), {"A": (10, [])})
    assert placed(home("B", 10, 20), home("A", 0, 10)) == ((20, []), {})


def test_news_around_an_episode() -> None:
    """W8: a value that began before a stay which was told to have ended goes on after it."""
    assert placed(home("B", 0), home("A", 10, 20)) == ((10, [(20, None)]), {})
    assert placed(home("B", 0, 30), home("A", 10, 20), home("C", 22, 24)) == ((10, [(20, 22), (24, 30)]), {})
    assert placed(home("B", 0, 15), home("A", 10, 20)) == ((10, []), {})
    assert placed(home("B", 0, 10), home("A", 10, 20)) == ((10, []), {})


def test_equal_starts() -> None:
    """W8: of values that began on one day the one told last holds."""
    assert placed(home("B", 0), home("A", 0)) == ((None, []), {"A": (0, [])})
    assert placed(home("B", 0, 5), home("A", 0)) == ((5, []), {"A": (0, [(5, None)])})


def test_what_never_held_gives_no_way() -> None:
    """W8: a version that was closed before it began, corrected or merged bounds nothing and is left alone."""
    assert placed(home("B", 0), home("A", 10, 10, "update")) == ((None, []), {})
    for why in ("correction", "merge"):
        assert placed(home("B", 10), home("A", 0, 20, why)) == ((None, []), {})
    assert placed(home("B", 10), home("B", 0)) == ((None, []), {}), "itself is none of the others"


def test_the_replaced_gives_way() -> None:
    """W7, W8: what is replaced ends with the new one however close the two begin, and bounds it in nothing."""
    old = home("A", 10)
    assert placed(home("B", 9), old, replaced=old) == ((None, []), {"A": (10, [])})
    assert placed(home("B", 9), old) == ((10, []), {})
    assert placed(home("B", 12), old, replaced=old) == ((None, []), {"A": (12, [])})


def test_a_continuation_counts_from_its_origin() -> None:
    """W8: what goes on after an interruption began when it first did: older news between the two is interrupted by neither."""
    first = home("A", 0, 10, "late")
    again = replace(first, id="A2", valid_from=day(20), valid_to=None, closed_by=None)
    assert timeline.origin(again, (first, again)) is first
    assert timeline.origin(first, (again,)) is first
    other = replace(again, source_event_id="else")
    assert timeline.origin(other, (first, other)) is other
    worded = replace(again, text="Ana lives in Z")
    assert timeline.origin(worded, (first, worded)) is worded
    assert placed(home("B", 5), first, again) == ((None, []), {"A": (5, []), "A2": (20, [])})


def drawn(new: Fact, *among: Fact, replaced: Fact | None = None) -> timeline.Drawn:
    """The rows of a new version."""
    return timeline.drawn(new, among, replaced, "unit")


def test_rows_of_an_interruption() -> None:
    """W8: the interrupted version is closed as late, and goes on as its next version with a clean slate, open as it was."""
    old = home(
        "A",
        0,
        granularity="day",
        reinforcement_count=3,
        ends_before=f"-/{day(40).isoformat()}/late",
        supersedes_fact_id="before",
        event_time="t",
    )
    rows = drawn(home("B", 10, 20), old)
    assert rows.new == (home("B", 10, 20),)
    [closed] = rows.closed
    assert closed == replace(old, valid_to=day(10), invalidated_at=UNSTAMPED, closed_by="late")
    [(before, after)] = rows.resumed
    assert before is old
    assert after == replace(
        old, id=after.id, valid_from=day(20), recorded_at=UNSTAMPED, supersedes_fact_id="A", granularity=None, ends_before=None,
        reinforcement_count=0,
    )  # fmt: skip
    assert after.id != old.id
    assert drawn(home("B", 10, 20), old).resumed[0][1].id == after.id, "the same news makes the same row"
    assert timeline.drawn(home("B", 10, 20), (old,), None, "other").resumed[0][1].id != after.id


def test_how_what_goes_on_ends() -> None:
    """W8: at the end that was told it ends as told; at another as it was closed before."""
    [(_, told)] = drawn(home("B", 10, 20), home("A", 0, 30)).resumed
    assert (told.valid_to, told.closed_by, told.invalidated_at) == (day(30), "stated", None)
    closed = home("A", 0, 30, "update", invalidated_at=day(31))
    [(_, other)] = drawn(home("B", 10, 20), closed).resumed
    assert (other.valid_to, other.closed_by, other.invalidated_at) == (day(30), "update", UNSTAMPED)


def test_rows_of_news_between() -> None:
    """W8: news that is bounded by later values is closed as late, and goes on as its own next versions in a row."""
    rows = drawn(home("B", 0, 30), home("A", 10, 20), home("C", 22, 24))
    first, second, third = rows.new
    assert (first.valid_to, first.closed_by, first.invalidated_at) == (day(10), "late", UNSTAMPED)
    assert [(number(row.valid_from), number(row.valid_to), row.closed_by) for row in (second, third)] == [
        (20, 22, "late"), (24, 30, "stated")]  # fmt: skip
    assert (second.supersedes_fact_id, third.supersedes_fact_id) == ("B", second.id)
    assert (rows.closed, rows.resumed) == ((), ())
    whole = drawn(home("B", 0, 10), home("A", 10, 20)).new
    assert whole == (home("B", 0, 10),), "an end that was told is no late one"


def test_the_replaced_goes_on_or_not() -> None:
    """W7, W8: what an episode replaces for a while goes on after it as its heir; the same value told as over does not."""
    old = home("A", 0)
    rows = drawn(home("B", 10, 20), old, replaced=old)
    assert [(row.valid_to, row.closed_by) for row in rows.closed] == [(day(10), "update")]
    [(_, after)] = rows.resumed
    assert (after.valid_from, after.supersedes_fact_id) == (day(20), "B")
    over = home("B", 0, 20, text="Ana lives in A")
    assert drawn(over, old, replaced=old).resumed == ()
    has_heir = home("C", 5, 6, supersedes_fact_id="A")
    [(_, orphan)] = drawn(home("B", 10, 20), old, has_heir).resumed
    assert orphan.supersedes_fact_id is None, "nothing has two heirs"


@pytest.mark.parametrize(
    ("gone", "left"),
    [
        ([], [(0, 9)]), ([(0, 9)], []), ([(2, 4)], [(0, 2), (4, 9)]), ([(-3, 2), (7, 12)], [(2, 7)]), ([(2, 5), (4, 6)], [(0, 2), (6, 9)]),
        ([(2, 8), (3, 4)], [(0, 2), (8, 9)]), ([(4, 4)], [(0, 9)]), ([(9, 12), (-5, 0)], [(0, 9)]), ([(6, 7), (0, 1)], [(1, 6), (7, 9)]),
    ],
)  # fmt: skip
def test_what_is_left_of_a_stretch(gone: list[tuple[int, int]], left: list[tuple[int, int]]) -> None:
    """W8: what is in none of the others, in order, whatever their order and however they overlap."""
    found = timeline.without((day(0), day(9)), [(day(a), day(b)) for a, b in gone])
    assert [(number(a), number(b)) for a, b in found] == left
