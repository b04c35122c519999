"""Instants as microseconds since 1970 UTC, and back; the offset in which a time was said is kept beside it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from arandu_lab.errors import ConfigError

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FAR = 2**63 - 1
"""Later than every instant: the end of an open interval."""

_MICROSECOND = timedelta(microseconds=1)


def micros(moment: datetime) -> int:
    """Microseconds since 1970 UTC.

    Raises:
        ConfigError: a datetime without a timezone.

    >>> micros(datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC))
    1000000
    """
    if moment.tzinfo is None:
        raise ConfigError(f"time {moment!r} has no timezone; the store takes aware datetimes only")
    return (moment - EPOCH) // _MICROSECOND


def offset(moment: datetime) -> int:
    """Seconds east of UTC."""
    shift = moment.utcoffset()
    return 0 if shift is None else round(shift.total_seconds())


def moment(at: int, east: int = 0) -> datetime:
    """The aware datetime at ``at`` microseconds, seen ``east`` seconds east of UTC.

    >>> moment(0, -10800).isoformat()
    '1969-12-31T21:00:00-03:00'
    """
    seen = EPOCH + timedelta(microseconds=at)
    return seen.astimezone(timezone(timedelta(seconds=east))) if east else seen
