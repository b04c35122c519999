"""Moments for turns that only know when their session began."""

from __future__ import annotations

from datetime import datetime, timedelta


def spread(start: datetime, count: int, until: datetime | None, *, step: timedelta) -> list[datetime]:
    """Moments for the turns of a session that only says when it began: ``start + step * i``, all before ``until``.

    When the next thing happens sooner than ``count`` steps later, the steps shrink evenly.

    >>> from datetime import UTC
    >>> noon = datetime(2023, 5, 8, 12, tzinfo=UTC)
    >>> [m.strftime("%H:%M:%S") for m in spread(noon, 3, noon + timedelta(minutes=2), step=timedelta(minutes=1))]
    ['12:00:00', '12:00:40', '12:01:20']
    """
    if until is not None and start < until < start + step * count:
        step = (until - start) / count
    return [start + step * position for position in range(count)]
