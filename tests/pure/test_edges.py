"""Versions of an edge: what a relation told of any time comes to beside those that there are."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.pure.edges import lasting, shortened, told_of
from arandu_lab.records import Fact, Relationship

START = datetime(2025, 1, 1, tzinfo=UTC)


def day(number: int | None) -> datetime | None:
    return None if number is None else START + timedelta(days=number)


def edge(since: int, until: int | None, key: str = "e", *evidence: str) -> Relationship:
    return Relationship(
        id=key, agent_id="a", source_key="s", target_key="t", rel_type="lives_in", strength=0.8,
        evidence_fact_ids=evidence or ("f",), valid_from=START + timedelta(days=since), valid_to=day(until), recorded_at=START,
    )  # fmt: skip


def fact(since: int, until: int | None, key: str = "f") -> Fact:
    return Fact(
        id=key, agent_id="a", entity_key="s", entity_name="S", text="x", confidence=1.0, importance=1.0, category="", speaker="s",
        source_event_id="e", valid_from=START + timedelta(days=since), valid_to=day(until), recorded_at=START,
    )  # fmt: skip


STRETCHES = st.lists(
    st.tuples(st.integers(0, 30), st.one_of(st.none(), st.integers(1, 10))), min_size=1, max_size=4
).map(lambda pairs: [(start, None if length is None else start + length) for start, length in pairs])


@given(STRETCHES, st.randoms(use_true_random=False))
def test_any_order_of_telling(stretches: list[tuple[int, int | None]], random: object) -> None:
    """W17: closed stretches told in any order make versions that never overlap and hold when one of them did."""
    told = [(start, end) for start, end in stretches if end is not None]
    random.shuffle(told)  # type: ignore[attr-defined]
    versions: list[Relationship] = []
    for start, end in told:
        _, free = told_of(versions, START + timedelta(days=start), day(end))
        versions += [
            edge((since - START).days, None if until is None else (until - START).days) for since, until in free
        ]
    for at in range(45):
        moment = START + timedelta(days=at)
        holding = [
            one for one in versions if one.valid_from <= moment and (one.valid_to is None or moment < one.valid_to)
        ]
        assert len(holding) == any(start <= at < end for start, end in told)


@given(STRETCHES)
def test_an_open_version_is_borne_out(stretches: list[tuple[int, int | None]]) -> None:
    """W17: what lasts into the open version bears it out, and what was over before it began is a version of its own."""
    standing = edge(15, None, "on")
    for start, end in stretches:
        found, free = told_of([standing], START + timedelta(days=start), day(end))
        assert (found is standing) == (end is None or end > 15)
        assert bool(free) != (found is standing)


@pytest.mark.parametrize(
    ("before", "after", "others", "end"),
    [
        ((0, 30), (0, 10), [], 10),
        ((0, 30), (0, 10), [fact(0, 20, "g")], 20),
        ((0, 30), (0, 10), [fact(0, None, "g")], None),
        ((0, 25), (0, 10), [], None),
        ((0, 30), (0, 30), [], None),
    ],
)
def test_an_edge_that_ends_sooner(
    before: tuple[int, int], after: tuple[int, int], others: list[Fact], end: int | None
) -> None:
    """W8, W17: an edge that ended with its fact ends sooner with it, but not while another bears it (None: as it was)."""
    facts = {one.id: one for one in (fact(*after), *others)}
    found = list(shortened([edge(0, 30, "e", *facts), edge(0, None, "on")], [(fact(*before), fact(*after))], facts.get))
    assert [one.valid_to for one in found] == ([] if end is None else [day(end)])


def test_how_long_pieces_last() -> None:
    """A fact that goes on lasts until its last piece ends."""
    assert lasting([fact(0, 5), fact(8, 12, "g")]) == day(12)
    assert lasting([fact(0, 5), fact(8, None, "g")]) is None
