"""Claims about facts that were told with an end, and about the attributes they are episodes of."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from arandu_lab.pure.episodes import another_value, held, over, same_attribute, state
from arandu_lab.records import NewFact

SAID = datetime(2025, 6, 15, 12, tzinfo=UTC)


def fact(**dates: Any) -> NewFact:
    """A fact of Ana's."""
    return NewFact(
        subject="Ana", text="Ana lived in Recife", confidence=1.0, category="unknown", importance=0.5, **dates
    )


@pytest.mark.parametrize(
    ("grain", "until", "since"),
    [
        ("year", datetime(2020, 1, 1, tzinfo=UTC), datetime(2019, 1, 1, tzinfo=UTC)),
        ("month", datetime(2020, 1, 1, tzinfo=UTC), datetime(2019, 12, 1, tzinfo=UTC)),
        ("day", datetime(2020, 1, 1, tzinfo=UTC), datetime(2019, 12, 31, tzinfo=UTC)),
        (None, datetime(2020, 3, 5, 7, tzinfo=UTC), datetime(2020, 3, 5, tzinfo=UTC)),
        ("month", datetime(2024, 3, 1, tzinfo=UTC), datetime(2024, 2, 1, tzinfo=UTC)),
    ],
)
def test_only_an_end_was_told(grain: str | None, until: datetime, since: datetime) -> None:
    """B: what was told only to have ended is known to have held in the last day, month or year told."""
    assert held(fact(valid_to=until, granularity=grain), SAID) == (since, until)


def test_from_when_to_when() -> None:
    """B: a beginning holds as told, else the moment of the turn; an end ahead does not move it; without an end it holds on."""
    begun, ahead = datetime(2019, 1, 1, tzinfo=UTC), SAID + timedelta(days=9)
    assert held(fact(), SAID) == (SAID, None)
    assert held(fact(valid_from=begun), SAID) == (begun, None)
    assert held(fact(valid_to=ahead), SAID) == (SAID, ahead)
    assert held(fact(valid_from=begun, valid_to=ahead), SAID) == (begun, ahead)
    assert held(fact(valid_from=SAID, valid_to=SAID), SAID)[0] < SAID


@pytest.mark.parametrize(("days", "ended"), [(None, False), (1, False), (0, True), (-1, True)])
def test_over(days: int | None, ended: bool) -> None:
    """B: a fact is over once its end is not after the turn."""
    until = None if days is None else SAID + timedelta(days=days)
    assert over(fact(valid_to=until), SAID) == ended


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("Ana lived in Recife", "home"), ("Ana was living in Recife", "home"), ("Ana worked at Acme", "employer"),
        ("Ana was working for Acme", "employer"), ("Ana morou em Recife", "home"), ("Ana vivia em Recife", "home"),
        ("Ana trabalhava na Acme", "employer"), ("Ana lives in Natal", "home"), ("Ana mora em Natal", "home"),
    ],
)  # fmt: skip
def test_a_past_is_an_episode_of_its_attribute(text: str, attribute: str) -> None:
    """A: what was is read as a value of the attribute that it would be of if it still were, in both languages."""
    found = state(text, "Ana")
    assert found is not None
    assert (found.attribute, found.single) == (attribute, True)


@pytest.mark.parametrize(
    ("new", "old", "same"),
    [
        ("Ana lived in Recife", "Ana mora em Natal", True), ("Ana lives in Recife", "Ana lives in Natal", True),
        ("Bia lives in Natal", "Ana lives in Natal", False), ("Ana lives in Natal", "Bia lives in Natal", False),
        ("Ana lived in Recife", "Ana worked at Acme", False), ("Ana lived in Recife", "Ana danced", False),
        ("Ana danced", "Ana lives in Recife", False), ("Ana danced", "Ana sang", False), ("Ana likes tea", "Ana likes coffee", False),
        ("Ana no longer lives in Recife", "Ana lives in Natal", False), ("Ana lives in Natal", "Ana no longer lives in Recife", False),
        ("Ana does not live in Recife", "Ana lives in Natal", False), ("Ana lives in Natal", "Ana does not live in Recife", False),
    ],
)  # fmt: skip
def test_same_attribute(new: str, old: str, same: bool) -> None:
    """A: two statements are of one attribute if both give it a value that one has once; ends and denials give none."""
    assert same_attribute(new, old, "Ana") == same


@pytest.mark.parametrize(
    ("new", "old", "other"),
    [
        ("Ana lived in Recife", "Ana lives in Recife", False), ("Ana lived in Recife", "Ana lives in Natal", True),
        ("Ana lived in Recife", "Ana works at Acme", False), ("Ana sang", "Ana lives in Natal", False), ("Ana lives in Natal", "Ana sang", False),
    ],
)  # fmt: skip
def test_another_value(new: str, old: str, other: bool) -> None:
    """A: another place is an episode beside the present one, the same place is not, another attribute is neither."""
    assert another_value(new, old, "Ana") == other
