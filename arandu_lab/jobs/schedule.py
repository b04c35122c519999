"""When jobs run: a table of periods, and which are due at a moment of simulated time.

::

    compute_entity_importance = "4h"      # periods: 30m, 4h, 1d, 2w
    run_memify = "1d"

As text in one line: ``compute_entity_importance=4h, run_memify=1d``; ``recommended`` is the documents' cadence. A schedule
begins with the first moment it hears of. Of the runs that fall into a silence two are made: the first, which sees what was
said while it is fresh, and the last, which sees how old it has become. A conversation that rests for a month does not run a
job two hundred times over the same memory.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from arandu_lab.errors import ConfigError, nearest
from arandu_lab.jobs.preset import CADENCE, ORDER
from arandu_lab.places import local

RECOMMENDED = "recommended"
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


@dataclass(frozen=True, slots=True)
class Schedule:
    """Jobs and their periods, in the order of a cycle; jobs that are due at the same time run in that order.

    >>> print(Schedule.of("run_memify=1d, compute_entity_importance=90m"))
    compute_entity_importance=90m, run_memify=1d
    """

    every: tuple[tuple[str, timedelta], ...] = ()

    @classmethod
    def of(cls, source: str | Path | Mapping[str, Any]) -> Schedule:
        """A schedule from a table, a line of text, the word ``recommended``, or a TOML file (a table, or ``[jobs]`` in it).

        Raises:
            ConfigError: an unknown job, a period that is none, no such file.
        """
        if isinstance(source, Mapping):
            table: Mapping[str, Any] = source
        elif str(source).strip() == RECOMMENDED:
            return cls(tuple(CADENCE.items()))
        elif str(source).endswith(".toml"):
            table = _file(local(source))
        else:
            table = _line(str(source))
        for name in table:
            if name not in ORDER:
                raise ConfigError(f"jobs: unknown job {name!r}; {nearest(name, ORDER)}")
        return cls(tuple((name, period(table[name], name)) for name in ORDER if name in table))

    def due(self, last: Mapping[str, datetime], now: datetime) -> list[tuple[datetime, str]]:
        """What is to run by ``now``, in order of time: (when, job), each job at most twice, at its first and its last time.

        Args:
            last: when each job last ran, or when its first period began.

        >>> from datetime import UTC
        >>> monday = datetime(2025, 1, 6, tzinfo=UTC)
        >>> Schedule.of("run_memify=1d").due({"run_memify": monday}, monday + timedelta(hours=60))
        [(datetime.datetime(2025, 1, 7, 0, 0, tzinfo=datetime.timezone.utc), 'run_memify'), \
(datetime.datetime(2025, 1, 8, 0, 0, tzinfo=datetime.timezone.utc), 'run_memify')]
        """
        found = set()
        for place, (name, every) in enumerate(self.every):
            missed = (now - last[name]) // every
            if missed >= 1:
                found |= {(last[name] + times * every, place, name) for times in (1, missed)}
        return [(at, name) for at, _, name in sorted(found)]

    def __str__(self) -> str:
        return ", ".join(f"{name}={shown(every)}" for name, every in self.every)

    def __bool__(self) -> bool:
        return bool(self.every)


def period(value: Any, job: str = "") -> timedelta:
    """A length of time such as ``30m``, ``4h``, ``1d``, ``2w``.

    >>> period("90m")
    datetime.timedelta(seconds=5400)
    """
    found = re.fullmatch(r"\s*(\d{1,6})\s*([mhdw])\s*", value) if isinstance(value, str) else None
    if found is None or int(found[1]) == 0:
        raise ConfigError(f"jobs: {job} = {value!r}; wants a period such as '30m', '4h', '1d', '2w'".replace("  ", " "))
    return timedelta(**{_UNITS[found[2]]: int(found[1])})


def shown(every: timedelta) -> str:
    """A period in the largest unit that is whole.

    >>> shown(timedelta(hours=48)), shown(timedelta(minutes=90)), shown(timedelta(days=14))
    ('2d', '90m', '2w')
    """
    for letter, unit in reversed(_UNITS.items()):
        one = timedelta(**{unit: 1})
        if every % one == timedelta(0):
            return f"{every // one}{letter}"
    raise ConfigError(f"a period of {every}; whole minutes")


def _line(text: str) -> dict[str, str]:
    table: dict[str, str] = {}
    for part in filter(None, (one.strip() for one in text.split(","))):
        name, sign, value = part.partition("=")
        if not sign:
            raise ConfigError(
                f"jobs: {part!r}; wants JOB=PERIOD, ..., the word {RECOMMENDED!r}, or a file that ends in .toml"
            )
        table[name.strip()] = value.strip()
    return table


def _file(path: Path) -> Mapping[str, Any]:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as fault:
        raise ConfigError(f"jobs: {path}: {fault.strerror or fault}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise ConfigError(f"jobs: {path}: {fault}") from None
    table = data.get("jobs", data)
    if not isinstance(table, Mapping):
        raise ConfigError(f"jobs: {path}: [jobs] wants a table of periods")
    return table
