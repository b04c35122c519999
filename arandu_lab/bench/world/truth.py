"""The truth of a world: operations in the order of telling, and what they say held at any date, as known at any other."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from arandu_lab.errors import DatasetError


@dataclass(frozen=True, slots=True)
class Told:
    """A fact that begins to hold. ``premises`` are the facts that a derived one follows from, empty for told ones."""

    fact: str
    turn: str
    told_at: datetime
    subject: str
    slot: str
    value: str
    since: date
    premises: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """A fact that is over from ``until`` on. ``why``: update, delete, correct, retract, forget or cascade."""

    fact: str
    turn: str
    told_at: datetime
    until: date
    why: str


Line = Told | Ended
WHY = ("update", "delete", "correct", "retract", "forget", "cascade")


@dataclass(frozen=True, slots=True)
class State:
    """What the simulation itself held true at an instant: ids of told facts and of derived ones, sorted."""

    at: datetime
    facts: tuple[str, ...]
    derived: tuple[str, ...]


def load_truth(folder: str | Path) -> list[Line]:
    """The operations of a world, in order of telling.

    Raises:
        DatasetError: no such file, or a line that breaks the form: ``file:line: what is wrong``.
    """
    return list(_lines(Path(folder) / "truth.jsonl", _operation))


def load_states(folder: str | Path) -> list[State]:
    """The sampled states of a world, in order of time.

    Raises:
        DatasetError: as :func:`load_truth`.
    """
    return list(_lines(Path(folder) / "states.jsonl", _state))


def fold(truth: Iterable[Line], *, as_of: date, known_at: datetime) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Ids of the told and of the derived facts that held on a day, by what had been told until a moment.

    A fact holds from its first day up to, and not on, its last. What was told at ``known_at`` itself counts.

    Args:
        as_of: The day asked about; a moment counts as its day.
        known_at: With an offset.

    Returns:
        Told facts and derived facts, sorted.
    """
    day = as_of.date() if isinstance(as_of, datetime) else as_of
    held: set[str] = set()
    for line in truth:
        if line.told_at > known_at:
            break
        if isinstance(line, Told):
            if line.since <= day:
                held.add(line.fact)
        elif line.until <= day:
            held.discard(line.fact)
    found = sorted(held)
    return tuple(one for one in found if one[0] == "f"), tuple(one for one in found if one[0] == "d")


def _lines(place: Path, shape: Any) -> Iterator[Any]:
    if not place.is_file():
        raise DatasetError(f"{place}: no such file; only a simulated world has one")
    with place.open(encoding="utf-8") as lines:
        for number, raw in enumerate(lines, start=1):
            try:
                yield shape(json.loads(raw))
            except (ValueError, KeyError, TypeError) as failed:
                raise DatasetError(f"{place}:{number}: {type(failed).__name__}: {failed}") from None


def _operation(line: dict[str, Any]) -> Line:
    told_at = datetime.fromisoformat(line["told_at"])
    match line["op"]:
        case "begin":
            return Told(
                line["fact"], line["turn"], told_at, line["subject"], line["slot"], line["value"],
                date.fromisoformat(line["from"]), tuple(line["premises"]),
            )  # fmt: skip
        case "end":
            if line["why"] not in WHY:
                raise ValueError(f"why = {line['why']!r}; known: {', '.join(WHY)}")
            return Ended(line["fact"], line["turn"], told_at, date.fromisoformat(line["until"]), line["why"])
    raise ValueError(f"op = {line['op']!r}; known: begin, end")


def _state(line: dict[str, Any]) -> State:
    return State(datetime.fromisoformat(line["at"]), tuple(line["facts"]), tuple(line["derived"]))
