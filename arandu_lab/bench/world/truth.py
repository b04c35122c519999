"""The truth of a world: operations in the order of telling, and what they say held at any date, as known at any other."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

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
        DatasetError: no such file, or lines that break the form, tell out of order, begin a fact twice or end one that
            never began: each as ``file:line: what is wrong``.
    """
    return _read(Path(folder) / "truth.jsonl", _operation, _broken_order)


def load_states(folder: str | Path) -> list[State]:
    """The sampled states of a world, in order of time.

    Raises:
        DatasetError: as :func:`load_truth`.
    """
    return _read(Path(folder) / "states.jsonl", _state, _broken_time)


def load_both(folder: str | Path) -> tuple[list[Line] | None, list[State] | None]:
    """Truth and states of a set, each None where it has no such file; where it has both, they agree.

    Raises:
        DatasetError: as :func:`load_truth`, or a state that is not what the truth says of its instant.
    """
    place = Path(folder)
    truth = load_truth(place) if (place / "truth.jsonl").is_file() else None
    states = load_states(place) if (place / "states.jsonl").is_file() else None
    for number, state in enumerate(states or () if truth is not None else (), start=1):
        said = fold(truth or (), as_of=state.at, known_at=state.at)
        written = tuple(sorted(state.facts)), tuple(sorted(state.derived))
        if said != written:
            ours, theirs = ({*both[0], *both[1]} for both in (written, said))
            more, less = sorted(ours - theirs), sorted(theirs - ours)
            what = [f"{', '.join(some[:5])} {why}" for some, why in ((more, "too many"), (less, "missing")) if some]
            raise DatasetError(
                f"{place / 'states.jsonl'}:{number}: at {state.at.isoformat()} is not what truth.jsonl says held then:"
                f" {'; '.join(what) or 'a fact stands twice or on the wrong side'}"
            )
    return truth, states


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


Shape = TypeVar("Shape")


def _read(
    place: Path, shape: Callable[[Any], Shape], broken: Callable[[list[tuple[int, Shape]]], list[tuple[int, str]]]
) -> list[Shape]:
    """The lines of a file; every broken one is named. ``broken`` looks at all that have the right form, by number."""
    if not place.is_file():
        raise DatasetError(f"{place}: no such file; only a simulated world has one")
    found: list[tuple[int, Shape]] = []
    problems: list[tuple[int, str]] = []
    for number, raw in enumerate(place.read_bytes().removeprefix(BOM_UTF8).splitlines(), start=1):
        try:
            found.append((number, shape(_object(json.loads(raw.decode("utf-8"))))))
        except KeyError as failed:
            problems.append((number, f"{failed.args[0]} is missing"))
        except (ValueError, TypeError, RecursionError) as failed:
            problems.append((number, str(failed)))
    problems = sorted([*problems, *broken(found)])
    if problems:
        more = len(problems) - 40
        named = "\n".join(f"{place}:{number}: {what}" for number, what in problems[:40])
        raise DatasetError(named + (f"\n… and {more} more" if more > 0 else ""))
    return [one for _, one in found]


def _broken_order(found: list[tuple[int, Line]]) -> list[tuple[int, str]]:
    begun: dict[str, int] = {}
    out: list[tuple[int, str]] = []
    before: datetime | None = None
    for number, line in found:
        if before is not None and line.told_at < before:
            out.append((number, f"told at {line.told_at.isoformat()}, before the line above it"))
        before = line.told_at
        if isinstance(line, Ended):
            if line.fact not in begun:
                out.append((number, f"{line.fact} ends and never began"))
        elif line.fact in begun:
            out.append((number, f"{line.fact} begins twice, first in line {begun[line.fact]}"))
        else:
            begun[line.fact] = number
    return out


def _broken_time(found: list[tuple[int, State]]) -> list[tuple[int, str]]:
    return [
        (number, f"at {one.at.isoformat()}, before the line above it")
        for (_, before), (number, one) in pairwise(found)
        if one.at < before.at
    ]


def _operation(line: dict[str, Any]) -> Line:
    match line["op"]:
        case "begin":
            return Told(
                _fact(line["fact"]), _text(line, "turn"), _moment(line, "told_at"), _text(line, "subject"),
                _text(line, "slot"), _text(line, "value"), _day(line, "from"), _facts(line, "premises"),
            )  # fmt: skip
        case "end":
            if line["why"] not in WHY:
                raise ValueError(f"why = {line['why']!r}; known: {', '.join(WHY)}")
            return Ended(
                _fact(line["fact"]), _text(line, "turn"), _moment(line, "told_at"), _day(line, "until"), line["why"]
            )
    raise ValueError(f"op = {line['op']!r}; known: begin, end")


def _state(line: dict[str, Any]) -> State:
    return State(_moment(line, "at"), _facts(line, "facts"), _facts(line, "derived"))


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"wants a JSON object, found {json.dumps(value)[:40]}")
    return value


def _text(line: dict[str, Any], name: str) -> str:
    if not isinstance(line[name], str):
        raise ValueError(f"{name} = {line[name]!r}; wants a text")
    return str(line[name])


def _fact(value: Any) -> str:
    if not isinstance(value, str) or value[:1] not in ("f", "d"):
        raise ValueError(f"fact {value!r}; wants the id of a told fact (f…) or of a derived one (d…)")
    return value


def _facts(line: dict[str, Any], name: str) -> tuple[str, ...]:
    if not isinstance(line[name], list):
        raise ValueError(f"{name} = {line[name]!r}; wants a list of ids")
    return tuple(_fact(one) for one in line[name])


def _moment(line: dict[str, Any], name: str) -> datetime:
    try:
        moment = datetime.fromisoformat(_text(line, name))
    except ValueError:
        raise ValueError(f"{name} = {line[name]!r}; wants a moment such as 2024-03-05T12:00:00-03:00") from None
    if moment.tzinfo is None:
        raise ValueError(f"{name} = {line[name]!r} has no offset; wants one such as {line[name]}-03:00")
    return moment


def _day(line: dict[str, Any], name: str) -> date:
    try:
        return date.fromisoformat(_text(line, name))
    except ValueError:
        raise ValueError(f"{name} = {line[name]!r}; wants a day such as 2024-03-05") from None
