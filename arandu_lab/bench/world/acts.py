"""The nouns of a told world: people, acts of speech, and what they state. Nothing here knows a language's grammar."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import IntEnum
from typing import TypeAlias

from arandu_lab.bench.world.dates import When
from arandu_lab.bench.world.lexicon import Item, Lang


class Form(IntEnum):
    """How a person is named: the whole name, with the nickname in brackets, the short name, or a pronoun."""

    FULL = 0
    INTRO = 1
    SHORT = 2
    PRONOUN = 3


@dataclass(slots=True, eq=False)
class Person:
    """Somebody of the world. ``short`` is what friends say: a nickname or the given name; speakers are shown by it.

    ``silent`` are the slots that nobody ever speaks of. ``known``: whether anybody has named the person yet.
    ``child``: told of only as somebody's child.
    """

    number: int
    gender: str
    speaker: bool
    given: dict[Lang, str]
    full: dict[Lang, str]
    short: dict[Lang, str]
    nick: bool
    namesake: bool
    casual: bool
    child: bool
    silent: frozenset[str]
    known: bool = False


Value: TypeAlias = Item | Person


@dataclass(slots=True, eq=False)
class Fact:
    """What was told, and holds or held. ``id`` is its root in the gold; ``turn`` told it, ``tells`` times in all.

    ``until`` and ``why`` are set when it ends, with the turn that ended it; ``named_old``: the telling named the value
    that it replaced; ``stated``: the date it is said to have begun. ``fresh``: the slot had no value before it.
    ``known`` is the first day on which it is said to hold and ``holds`` the last on which it was told to; ``closed``: the
    day of its end was said as well. ``corrects``: it puts right what was said before, and no date stands with it.
    """

    id: str
    subject: Person
    slot: str
    value: Value
    since: date
    turn: str
    session: int
    teller: int
    known: date
    holds: date
    hearsay: bool = False
    tells: int = 1
    named_old: bool = False
    fresh: bool = True
    stated: When | None = None
    premises: tuple[str, ...] = ()
    until: date | None = None
    why: str = ""
    end_turn: str = ""
    closed: bool = False
    corrects: bool = False


@dataclass(frozen=True, slots=True)
class Stated:
    """One line of gold: what a turn states. ``family`` is the family of canonical sentences, ``other`` its second one."""

    id: str
    subject: Person
    slot: str
    value: Value
    family: str
    other: bool
    category: str
    confidence: str
    valid_from: date
    valid_to: date | None
    when: When | None
    decision: str
    of: str | None


@dataclass(frozen=True, slots=True)
class Begin:
    """An operation of the truth: a fact begins to hold."""

    fact: Fact
    turn: str
    told_at: datetime


@dataclass(frozen=True, slots=True)
class End:
    """An operation of the truth: a fact is over, or was never so."""

    fact: str
    turn: str
    told_at: datetime
    until: date
    why: str


Operation: TypeAlias = Begin | End


@dataclass(slots=True)
class Act:
    """One thing that is said. ``family`` names the sentences of ``slot`` (or of the wrap, where ``slot`` is "").

    ``me``: the speaker is the subject. ``old`` is the value it replaces, where it is named. ``wrap`` is put around the
    sentence: ``hear``, ``correct``, ``retract`` or ``forget``. ``year`` is for what is long over.
    """

    family: str
    slot: str = ""
    subject: Person | None = None
    me: bool = False
    name: Form = Form.FULL
    value: Value | None = None
    value_name: Form = Form.FULL
    old: Value | None = None
    old_name: Form = Form.FULL
    when: When | None = None
    year: int | None = None
    wrap: str = ""


@dataclass(slots=True)
class Spoken:
    """A turn, before it has words: who says what, and all that follows from it."""

    id: str
    session: str
    at: datetime
    speaker: Person
    acts: list[Act] = field(default_factory=list)
    stated: list[Stated] = field(default_factory=list)
    relations: list[tuple[Person, str, Value]] = field(default_factory=list)
    operations: list[Operation] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, before it has words: its family of sentences, what fills them, and what answers."""

    category: str
    slot: str
    family: str
    subject: Person
    value: Value | None
    month: date | None
    answer: tuple[Value, ...] | When | str | None
    evidence: tuple[str, ...]
    facts: tuple[str, ...]
    stale: tuple[str, ...]
    wrong: Value | None = None
