"""What a world is made from: one frozen table of plain values, read strictly from TOML."""

from __future__ import annotations

import zoneinfo
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from arandu_lab.bench.toml import read_toml, toml
from arandu_lab.errors import ConfigError, nearest

HELD_SEEDS = range(9000, 10000)
"""Seeds whose worlds are told with words kept back: to be made for a final measurement, never while developing."""

Split: TypeAlias = Literal["open", "held"]
Share: TypeAlias = Annotated[float, Field(ge=0.0, le=1.0)]


class WorldConfig(BaseModel):
    """A world on paper. Shares lie in [0, 1].

    >>> WorldConfig(seed=3).split, WorldConfig(seed=9003).split
    ('open', 'held')
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]*$")] = "world"
    """Head of the folders' names: lower-case letters, digits, ``-`` and ``_``."""
    seed: Annotated[int, Field(ge=0)] = 1
    """All chance comes from it; seeds 9000 to 9999 take the words kept back."""
    turns: Annotated[int, Field(ge=50, le=100_000)] = 600
    """Turns of the conversation, 50 to 100,000."""
    start: Annotated[date, Field(ge=date(1973, 1, 1), le=date(2200, 1, 1))] = date(2023, 1, 9)
    """Day of the first session, 1973 (before, zones differ by seconds) to 2200."""
    years: Annotated[float, Field(ge=0.25, le=20.0)] = 2.0
    """Years between the first session and the last, 0.25 to 20."""
    timezone: str = "America/Sao_Paulo"
    """IANA name of the zone in which everybody lives."""
    people: Annotated[int, Field(ge=3, le=24)] = 12
    """People of the world, speakers included, 3 to 24."""
    speakers: Annotated[int, Field(ge=2, le=8)] = 4
    """People who write, 2 to 8."""
    session_turns: Annotated[int, Field(ge=4, le=60)] = 14
    """Turns of a session, about, 4 to 60."""
    questions: Annotated[int, Field(ge=1, le=20_000)] = 60
    """Questions to ask, 1 to 20,000; fewer are written where the world gives no more."""
    instants: Annotated[int, Field(ge=1, le=5_000)] = 24
    """Midnights at which the state is written down, 1 to 5,000."""
    small_talk: Share = 0.25
    """Share of turns that state nothing."""
    facts_per_turn: Annotated[float, Field(ge=1.0, le=3.0)] = 1.4
    """Mean number of facts of a turn that states any, 1 to 3."""
    pronouns: Share = 0.5
    """Share of the mentions that a pronoun could carry, and does."""
    nicknames: Share = 0.5
    """Share of people who go by a nickname."""
    namesakes: Share = 0.2
    """Share of people who do not write and bear the given name of somebody else."""
    across_turns: Share = 0.15
    """Share of stating turns that are a question, answered in the next turn."""
    ellipsis: Share = 0.8
    """Share of those answers that do not repeat what was asked."""
    hearsay: Share = 0.2
    """Share of statements about others that are told as hearsay."""
    repeats: Share = 0.1
    """Share of statements that tell again what is known."""
    changes: Share = 0.25
    """Share of statements that change or end what held."""
    late: Share = 0.03
    """Share of statements that tell what was over before it was told."""
    corrections: Share = 0.06
    """Share of new facts that are corrected within the next turns."""
    retractions: Share = 0.02
    """Share of statements that take back what was told."""
    negations: Share = 0.12
    """Share of new facts that are a dislike or something never done."""
    forgets: Share = 0.02
    """Share of statements that ask for something to be forgotten."""
    plans: Share = 0.1
    """Share of statements about plans: made, carried out, cancelled; some are left open."""
    paraphrases: Annotated[int, Field(ge=1, le=64)] = 64
    """Sentences of a family that are in use, at most; 1 is always the same one."""
    casual: Share = 0.3
    """Share of speakers who write without capitals and full stops."""

    @model_validator(mode="after")
    def _consistent(self) -> WorldConfig:
        if self.speakers > self.people:
            raise ValueError(f"speakers = {self.speakers} of people = {self.people}; at most all of them write")
        parts = self.repeats + self.changes + self.late + self.retractions + self.forgets + self.plans
        if parts > 0.9:
            raise ValueError(
                f"repeats + changes + late + retractions + forgets + plans = {parts:.2f}; at most 0.9, the rest is new"
            )
        known = zoneinfo.available_timezones()
        if self.timezone in ("localtime", "Factory", "posixrules") or (known and self.timezone not in known):
            raise ValueError(f"timezone {self.timezone!r}; {nearest(self.timezone, known)}")
        return self

    @property
    def split(self) -> Split:
        """Which words the world is told with; the seed alone decides."""
        return "held" if self.seed in HELD_SEEDS else "open"

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> WorldConfig:
        """A configuration from plain values.

        Raises:
            ConfigError: an unknown key (with the nearest known one) or a wrong value.

        >>> WorldConfig.of({"sead": 1})
        Traceback (most recent call last):
        ...
        arandu_lab.errors.ConfigError: world: unknown key 'sead'; did you mean 'seed'?
        """
        for key in given:
            if key not in cls.model_fields:
                raise ConfigError(f"world: unknown key {key!r}; {nearest(key, cls.model_fields)}")
        try:
            return cls.model_validate(dict(given))
        except ValidationError as failed:
            raise ConfigError("world: " + "; ".join(_said(one) for one in failed.errors())) from None

    @classmethod
    def from_toml(cls, path: str | Path) -> WorldConfig:
        """The configuration in a file: a table ``[world]``, or its keys alone.

        Raises:
            ConfigError: no such file, not TOML, an unknown key or a wrong value, with the file's name.
        """
        return read_toml(path, cls._tables)

    @classmethod
    def _tables(cls, data: Mapping[str, Any]) -> WorldConfig:
        table = data.get("world", data)
        for key in data if table is not data else ():
            if key != "world":
                raise ConfigError(f"unknown key {key!r} beside [world]")
        if not isinstance(table, Mapping):
            raise ConfigError(f"world = {table!r}; wants a table")
        return cls.of(table)

    def to_toml(self) -> str:
        """The filled configuration; :meth:`from_toml` reads it back to an equal one."""
        plain = {key: f"{one.isoformat()}" if isinstance(one, date) else one for key, one in self.model_dump().items()}
        text = toml({"world": plain})
        return text.replace(f'start = "{self.start.isoformat()}"', f"start = {self.start.isoformat()}")


def _said(error: Any) -> str:
    where = ".".join(str(part) for part in error["loc"])
    message = str(error["msg"]).removeprefix("Value error, ")
    return f"{where} = {error['input']!r}: {message}" if where else message
