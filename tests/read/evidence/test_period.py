"""A past time in the question opens what held then; without one, a question is about now."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from arandu_lab.read.preset import reading
from arandu_lab.read.stages import period

NOW = datetime(2026, 3, 30, 12, tzinfo=UTC)
DATED = reading(enable_reranker=False).after("plan", period())


@pytest.fixture
def moved(world):
    """Ana lived in Recife from 2022 to the middle of 2024, in Lisbon since."""
    w = world()
    w.entity("person:ana", "Ana", "ana")
    change = datetime(2024, 6, 1, tzinfo=UTC)
    w.recife = w.fact(
        "Ana lives in Recife", "person:ana", valid_from=datetime(2022, 1, 1, tzinfo=UTC), valid_to=change,
        closed_by="update", invalidated_at=change,
    )  # fmt: skip
    w.lisbon = w.fact("Ana lives in Lisbon", "person:ana", valid_from=change, recorded_at=change)
    return w


async def shown(w, text, **more):
    found, trace = await w.ask(text, pipeline=DATED, min_score=0.0, **more)
    return set(found.frame["fact_id"].to_list()), trace


@pytest.mark.parametrize("question", ["Where did Ana live in 2023?", "Onde a Ana morou em 2023?"])
async def test_a_year_opens_what_held_in_it_and_what_holds_now_stays(moved, question):
    """ "In 2023" finds the closed fact, in both languages; the current one may answer too."""
    found, trace = await shown(moved, question)
    assert moved.recife in found
    assert trace.find("period").data["period"][0].startswith("2023-01-01")


@pytest.mark.parametrize("question", ["Where did Ana live before?", "Onde a Ana morava antes?", "Onde a Ana morava?"])
async def test_before_opens_all_that_held(moved, question):
    """A word for the past without a date opens everything that ever held."""
    found, _ = await shown(moved, question)
    assert {moved.recife, moved.lisbon} <= found


@pytest.mark.parametrize("question", ["Where does Ana live?", "Onde a Ana mora?", "Where will Ana live in 2031?"])
async def test_the_present_and_the_future_open_nothing(moved, question):
    """A question about now, or about later, does not bring back what is over."""
    found, _ = await shown(moved, question)
    assert moved.recife not in found


async def test_another_time_opens_nothing(moved):
    """A year in which it did not hold leaves it closed."""
    found, _ = await shown(moved, "Where did Ana live in 2025?")
    assert found == {moved.lisbon}


async def test_what_never_held_stays_closed(moved):
    """A corrected fact, whose interval is empty, is not brought back by any time."""
    at = datetime(2023, 5, 1, tzinfo=UTC)
    wrong = moved.fact(
        "Ana lives in Madrid", "person:ana", valid_from=at, valid_to=at, closed_by="correction", invalidated_at=NOW
    )
    found, _ = await shown(moved, "Where did Ana live in 2023?")
    assert wrong not in found


async def test_the_documented_pipeline_has_no_period(moved):
    """Without the stage nothing changes: the documented preset asks about now."""
    found, _ = await moved.ask("Where did Ana live in 2023?", pipeline=reading(enable_reranker=False), min_score=0.0)
    assert found.frame["fact_id"].to_list() == [moved.lisbon]
    assert "period" not in reading().names()


async def test_as_known_then(moved):
    """What was recorded after ``known_at`` is not opened."""
    late = moved.fact(
        "Ana lives in Olinda", "person:ana", valid_from=datetime(2023, 2, 1, tzinfo=UTC),
        valid_to=datetime(2023, 3, 1, tzinfo=UTC), closed_by="stated", recorded_at=NOW,
    )  # fmt: skip
    found, _ = await shown(moved, "Where did Ana live in 2023?")
    assert late in found
    found, _ = await shown(moved, "Where did Ana live in 2023?", query={"known_at": NOW - timedelta(days=1)})
    assert late not in found
