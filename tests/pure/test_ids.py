"""Ids are derived: a replay gives the same ones."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.pure import ids

parts = st.lists(st.none() | st.integers() | st.text())


@given(parts, parts)
def test_injective(one: list[str | int | None], other: list[str | int | None]) -> None:
    """Two sequences share an id only when they are the same: neither concatenation nor type confuses them."""
    assert (ids.derive(*one) == ids.derive(*other)) == ([(type(p), p) for p in one] == [(type(p), p) for p in other])
    assert len(ids.derive(*one)) == 24


@given(st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1)), st.integers(-12, 12))
def test_one_instant_is_one_turn(moment: datetime, hours: int) -> None:
    """The zone in which an instant is written does not matter; the session does."""
    here = moment.replace(tzinfo=UTC)
    there = here.astimezone(timezone(timedelta(hours=hours)))
    assert ids.event_id("a", None, here, "s", "t") == ids.event_id("a", None, there, "s", "t")
    assert ids.event_id("a", None, here, "s", "t") != ids.event_id("a", "", here, "s", "t")


def test_surrogates() -> None:
    """C2: half an emoji has an id like any text."""
    assert ids.derive("\ud83d") != ids.derive("\ufffd")
