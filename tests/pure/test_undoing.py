"""Claims about taking a unit of work back, on single rows: what returns, what stays, what stands in the way."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from arandu_lab.pure.undoing import Undoing, undone
from arandu_lab.records import Alias, Entity, Fact, Link, Relationship, Row

T0 = datetime(2025, 1, 1, tzinfo=UTC)
ANA = Entity(key="person:ana", agent_id="a", name="Ana", type="person", recorded_at=T0)
FACT = Fact(
    id="f1", agent_id="a", entity_key="person:ana", entity_name="Ana", text="Ana lives in Natal", confidence=0.9,
    importance=0.5, category="c", speaker="Ana", source_event_id="e", valid_from=T0, recorded_at=T0,
)  # fmt: skip
EDGE = Relationship(
    id="r1", agent_id="a", source_key="person:ana", target_key="person:bia", rel_type="knows", strength=0.4,
    evidence_fact_ids=("f1",), valid_from=T0, recorded_at=T0,
)  # fmt: skip
LINK = Link(fact_id="f1", agent_id="a", entity_key="person:ana", primary=True, recorded_at=T0)
NAME = Alias(folded="aninha", agent_id="a", entity_key="person:ana", name="Aninha", recorded_at=T0)


def back(
    before: Row | None,
    after: Row | None,
    now: Row | None,
    *,
    at: tuple[int, int, int] = (1, 1, 1),
    **others: tuple[Row, int],
) -> Undoing:
    """Undo a unit that touched one row; ``others`` are later rows, ``at`` the places of the three images."""
    images = [None if row is None else (row, place) for row, place in zip((before, after, now), at, strict=True)]
    held = {} if images[2] is None else {"row": images[2]}
    return undone({"row": images[0]}, {"row": images[1]}, {**held, **others}, since=10)


def test_a_new_row_goes() -> None:
    """B13: a row that the unit made goes; that it was read since, or got a vector, does not hold it."""
    read = replace(FACT, times_retrieved=3, last_retrieved_at=T0, vector=np.ones(2))
    for now in (FACT, read):
        plan = back(None, FACT, now)
        assert (plan.removed, plan.put, plan.blocked, plan.keys) == ([now], [], [], set())


def test_a_new_row_that_was_changed_stays() -> None:
    """B13: a row that somebody changed since stands in the way, by its words."""
    plan = back(None, FACT, replace(FACT, importance=0.9))
    assert (plan.removed, plan.put, plan.keys) == ([], [], {"row"})
    assert plan.blocked == ["the fact 'Ana lives in Natal' changed since"]


def test_a_row_that_went_returns_to_its_place() -> None:
    """B13: a row that the unit took away returns where it stood, unless it was made anew."""
    assert back(FACT, None, None, at=(7, 0, 0)).put == [(FACT, 7)]
    plan = back(FACT, None, FACT)
    assert (plan.put, plan.keys) == ([], {"row"})
    assert plan.blocked == ["the fact 'Ana lives in Natal' was made anew"]
    assert back(None, None, None).put == []


def test_a_row_that_is_no_more() -> None:
    """B13: what the unit left and somebody removed since cannot be undone."""
    for before in (None, FACT):
        plan = back(before, replace(FACT, importance=0.9), None)
        assert plan.blocked == ["the fact 'Ana lives in Natal' is no more"]
        assert plan.put == plan.removed == []


def test_only_what_the_unit_changed_returns() -> None:
    """B13: the fields of the unit return, fields that others changed since stay, and the place stays that of now."""
    mine = replace(FACT, importance=0.9)
    later = replace(mine, confidence=0.2)
    assert back(FACT, mine, later, at=(1, 1, 5)).put == [(replace(FACT, confidence=0.2), 5)]
    assert back(FACT, FACT, later).put == []


def test_a_field_that_was_changed_again() -> None:
    """B13: a field of the unit that somebody changed since stands in the way, by its name."""
    plan = back(FACT, replace(FACT, importance=0.9), replace(FACT, importance=0.7))
    assert plan.blocked == ["the fact 'Ana lives in Natal' changed since (importance)"]
    assert plan.put == []


def test_places_return() -> None:
    """B13: a place that the unit moved returns; moved again since, it stands in the way."""
    assert back(FACT, FACT, FACT, at=(1, 4, 4)).put == [(FACT, 1)]
    assert back(FACT, FACT, FACT, at=(1, 4, 6)).blocked == ["the fact 'Ana lives in Natal' changed since (its place)"]
    assert back(FACT, FACT, FACT, at=(1, 1, 6)).blocked == []


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (replace(FACT, id="f2"), "the fact 'Ana lives in Natal' came since and rests on it"),
        (LINK, "the link of fact 'f1' to 'person:ana' came since and rests on it"),
        (NAME, "the name 'Aninha' of 'person:ana' came since and rests on it"),
        (EDGE, "the edge person:ana knows person:bia came since and rests on it"),
    ],
)
def test_what_rests_on_a_row_that_goes(row: Row, told: str) -> None:
    """B13: a later row that names an entity which is to go stands in the way and is told."""
    plan = back(None, ANA, ANA, later=(row, 11))
    assert (plan.blocked, plan.keys) == ([told], {"later"})


@pytest.mark.parametrize("row", [LINK, EDGE, replace(FACT, id="f2", entity_key="person:bia", supersedes_fact_id="f1")])
def test_what_rests_on_a_fact_that_goes(row: Row) -> None:
    """B13: so does a link, an edge or a newer version of a fact which is to go; other rows do not."""
    assert back(None, FACT, FACT, later=(row, 11)).keys == {"later"}
    other = replace(FACT, id="f2", entity_key="person:bia")
    assert back(None, FACT, FACT, later=(other, 11), name=(NAME, 11)).keys == set()


@pytest.mark.parametrize(
    ("text", "place", "blocked"),
    [
        ("Aninha likes tea", 11, True),
        ("Aninha likes tea", 10, False),
        ("Aninha likes tea", 9, False),
        ("Ana likes tea", 11, False),
    ],
)
def test_a_fact_that_came_by_a_name_that_goes(text: str, place: int, blocked: bool) -> None:
    """B13: a later fact that calls somebody by the name which is to go stands in the way, an earlier one does not."""
    fact = replace(FACT, id="f2", text=text)
    plan = back(None, NAME, NAME, later=(fact, place), entity=(ANA, 1))
    assert plan.blocked == ([f"the fact {text!r} came since, by the name 'Aninha'"] if blocked else [])


def test_vectors_compare_by_their_numbers() -> None:
    """B13: a vector written again with the same numbers is no change, another one is, and so is none."""
    one, same, other = (replace(ANA, vector=np.array(v)) for v in ([1.0, 0.0], [1.0, 0.0], [0.0, 1.0]))
    assert back(one, same, same).put == []
    assert [row.vector.tolist() for row, _ in back(one, other, other).put] == [[1.0, 0.0]]  # type: ignore[union-attr]
    assert back(replace(ANA, vector=None), one, same).blocked == []
