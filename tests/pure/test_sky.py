"""Claims about sun and moon: where they stood at moments that almanacs tell to the minute (Universal Time)."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.pure.timex import sky


def instant(text: str) -> float:
    """An ISO moment as days and fractions."""
    moment = datetime.fromisoformat(text)
    return moment.toordinal() + (moment.hour * 60 + moment.minute) / 1440


def apart(one: float, other: float) -> float:
    """The distance of two angles in degrees."""
    return abs((one - other + 180) % 360 - 180)


@pytest.mark.parametrize(
    ("moment", "degrees"),
    [
        ("2024-01-04T03:30", 270), ("2024-01-11T11:57", 0), ("2024-01-18T03:53", 90), ("2024-01-25T17:54", 180),
        ("2024-02-02T23:18", 270), ("2024-02-09T22:59", 0), ("2024-02-16T15:01", 90), ("2024-02-24T12:30", 180),
        ("2024-03-03T15:23", 270), ("2024-03-10T09:00", 0), ("2024-03-17T04:11", 90), ("2024-03-25T07:00", 180),
        ("2024-04-02T03:15", 270), ("2024-04-08T18:21", 0), ("2024-04-15T19:13", 90), ("2024-04-23T23:49", 180),
        ("1999-08-11T11:08", 0), ("2017-08-21T18:30", 0), ("2000-01-06T18:14", 0), ("2000-01-21T04:40", 180),
    ],
)  # fmt: skip
def test_phases(moment: str, degrees: float) -> None:
    """B: at a new moon, a quarter or a full moon the moon is that far ahead of the sun, to a tenth of a degree."""
    assert apart(sky.phase(instant(moment)), degrees) < 0.1


@pytest.mark.parametrize(
    ("moment", "degrees"),
    [("2024-03-20T03:06", 0), ("2024-06-20T20:51", 90), ("2024-09-22T12:44", 180), ("2024-12-21T09:21", 270),
     ("1950-03-21T04:35", 0), ("2000-03-20T07:35", 0), ("2050-03-20T10:19", 0), ("2000-01-03T05:18", 282.0)],
)  # fmt: skip
def test_sun(moment: str, degrees: float) -> None:
    """B: at an equinox or solstice the sun stands at a quarter of its way, to a few hundredths of a degree."""
    assert apart(sky.sun(instant(moment)), degrees) < (0.03 if degrees % 90 == 0 else 1)


@pytest.mark.parametrize(("number", "moment"), [(0, "2000-01-06T18:14"), (218, "2017-08-21T18:30"), (300, "2024-04-08T18:21"),
                                                (-5, "1999-08-11T11:08")])  # fmt: skip
def test_new_moons(number: int, moment: str) -> None:
    """B: a new moon by its number is at its minute, ten minutes off at most; it is the last at its instant, not before."""
    found = sky.new_moon(number)
    assert abs(found - instant(moment)) * 1440 < 10
    assert sky.lunation_at(found) == number
    assert sky.lunation_at(found - 0.01) == number - 1


@given(st.floats(700000, 760000))
def test_the_last_new_moon(when: float) -> None:
    """B: the last new moon lies at or before an instant, and the next one after it."""
    number = sky.lunation_at(when)
    assert sky.new_moon(number) <= when < sky.new_moon(number + 1)
