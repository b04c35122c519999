"""Columns of the calendar: was the turn said in the month, on the day, in the year that the question names."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np

from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure.cues import month_numbers
from arandu_lab.pure.text import words
from arandu_lab.read.evidence.columns import FAMILIES, written
from arandu_lab.read.evidence.reel import reel_of
from arandu_lab.read.evidence.spans import Ints
from arandu_lab.read.found import Candidates, Floats


@stage
def dates(found: Candidates, lab: Lab, *, timezone: str) -> Candidates:
    """Write whether each turn was said when the question says, in the calendar of ``timezone``."""
    text = found.plan.similarity_query
    said = words(text)
    months = month_numbers(text)
    years = {int(word) for word in said if re.fullmatch(r"(?:19|20)\d\d", word)}
    numbers = {int(word) for word in said if re.fullmatch(r"\d{1,2}", word)}
    reel = reel_of(lab.memory)
    if not months and not years:
        return written(found, lab, "dates", {name: np.zeros(len(reel)) for name in FAMILIES["dates"]})
    year, month, day = _calendar(reel.at, timezone)
    in_month, in_year = _among(month, months), _among(year, years)
    return written(
        found,
        lab,
        "dates",
        {
            "month": in_month * (in_year if years else 1.0),
            "month_no": (1.0 - in_month) * bool(months),
            "month_next": _among((month - 2) % 12 + 1, months),
            "day": in_month * _among(day, numbers),
            "year": in_year,
        },
    )


def _among(values: Ints, wanted: set[int] | frozenset[int]) -> Floats:
    return np.isin(values, sorted(wanted)).astype(np.float64)


def _calendar(at: Ints, timezone: str) -> tuple[Ints, Ints, Ints]:
    """Year, month and day of moments in microseconds since 1970 UTC."""
    zone = ZoneInfo(timezone)
    days = [(_EPOCH + timedelta(microseconds=moment)).astimezone(zone) for moment in at.tolist()]
    parts = np.asarray([(one.year, one.month, one.day) for one in days], dtype=np.int64).reshape(-1, 3)
    return parts[:, 0], parts[:, 1], parts[:, 2]


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
