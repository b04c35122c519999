"""Arguments that a caller gets wrong are told by name."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from arandu_lab.errors import ConfigError


def required(**names: str) -> None:
    """Each is a name that is not blank; ``ConfigError`` otherwise."""
    for name, value in names.items():
        if not isinstance(value, str) or not value.strip():
            raise ConfigError(f"{name}={value!r}: wants a name that is not blank")


def listed(**names: object) -> None:
    """Each is a list of texts, not a text; ``ConfigError`` otherwise."""
    for name, value in names.items():
        if isinstance(value, str) or not isinstance(value, Sequence) or any(not isinstance(one, str) for one in value):
            raise ConfigError(f"{name} wants a list of texts, not {value!r}")


def whole(least: int, **names: object) -> None:
    """Each is a whole number from ``least`` that a machine can count to; ``ConfigError`` otherwise."""
    for name, value in names.items():
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value < 1 << 63:
            raise ConfigError(f"{name}={value!r} wants a whole number from {least}, below 2**63")


def aware(name: str, moment: datetime | None) -> datetime | None:
    """The moment if it has an offset and can be told in UTC; ``ConfigError`` otherwise."""
    if moment is None:
        return None
    if not isinstance(moment, datetime) or moment.tzinfo is None:
        raise ConfigError(
            f"{name}={moment!r}: wants a datetime with a UTC offset, e.g. datetime(2025, 6, 1, tzinfo=UTC)"
        )
    try:
        moment.astimezone(UTC)
    except OverflowError:
        raise ConfigError(f"{name}={moment!r}: lies outside the calendar in UTC") from None
    return moment
