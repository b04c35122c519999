"""Where the sun and the moon stand, to a few arc minutes (the leading terms of Meeus): enough to tell the day.

Instants are days and fractions in Universal Time, counted like `date.toordinal` (so that 1.5 is noon of 1 January 1).
"""

from __future__ import annotations

from functools import lru_cache
from math import radians, sin

MONTH = 29.530588861
_J2000 = 730120.5  # noon of 1 January 2000


def sun(instant: float) -> float:
    """The apparent longitude of the sun, in degrees."""
    centuries = (instant - _J2000) / 36525
    anomaly = radians(357.52911 + 35999.05029 * centuries)
    centre = 1.914602 * sin(anomaly) + 0.019993 * sin(2 * anomaly) + 0.000289 * sin(3 * anomaly)
    return (280.46646 + 36000.76983 * centuries + centre - 0.00569) % 360


def moon(instant: float) -> float:
    """The longitude of the moon, in degrees."""
    centuries = (instant - _J2000) / 36525
    elongation = 297.8501921 + 445267.1114034 * centuries
    sun_anomaly = 357.5291092 + 35999.0502909 * centuries
    anomaly = 134.9633964 + 477198.8675055 * centuries
    latitude = 93.2720950 + 483202.0175233 * centuries
    wobble = sum(
        size * sin(radians(d * elongation + s * sun_anomaly + m * anomaly + f * latitude))
        for size, d, s, m, f in _TERMS
    )
    return (218.3164477 + 481267.88123421 * centuries + wobble) % 360


def phase(instant: float) -> float:
    """How far the moon is ahead of the sun, in degrees: 0 is new, 180 full."""
    return (moon(instant) - sun(instant)) % 360


@lru_cache(maxsize=512)
def new_moon(lunation: int) -> float:
    """The instant of a new moon, numbered from the first of the year 2000.

    >>> from datetime import date
    >>> date.fromordinal(int(new_moon(0)))
    datetime.date(2000, 1, 6)
    """
    instant = 730125.76 + MONTH * lunation
    for _ in range(4):
        instant -= ((phase(instant) + 180) % 360 - 180) / (360 / MONTH)
    return instant - 0.0007  # about a minute of dynamical time


def lunation_at(instant: float) -> int:
    """The number of the last new moon at or before an instant."""
    number = round((instant - 730125.76) / MONTH) + 1
    while new_moon(number) > instant:
        number -= 1
    return number


#: Amplitude in degrees, and multiples of elongation, sun's anomaly, moon's anomaly and argument of latitude.
_TERMS = (
    (6.288774, 0, 0, 1, 0),
    (1.274027, 2, 0, -1, 0),
    (0.658314, 2, 0, 0, 0),
    (0.213618, 0, 0, 2, 0),
    (-0.185116, 0, 1, 0, 0),
    (-0.114332, 0, 0, 0, 2),
    (0.058793, 2, 0, -2, 0),
    (0.057066, 2, -1, -1, 0),
    (0.053322, 2, 0, 1, 0),
    (0.045758, 2, -1, 0, 0),
    (-0.040923, 0, 1, -1, 0),
    (-0.034720, 1, 0, 0, 0),
    (-0.030383, 0, 1, 1, 0),
    (0.015327, 2, 0, 0, -2),
    (-0.012528, 0, 0, 1, 2),
    (0.010980, 0, 0, 1, -2),
    (0.010675, 4, 0, -1, 0),
    (0.010034, 0, 0, 3, 0),
    (0.008548, 4, 0, -2, 0),
    (-0.007888, 2, 1, -1, 0),
    (-0.006766, 2, 1, 0, 0),
    (-0.005163, 1, 0, -1, 0),
)
