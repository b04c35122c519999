"""Finding JSON in a text: balanced values with strings respected, and what stands before a cut."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import json_repair

_CLOSER = {"{": "}", "[": "]"}
_OPENER = re.compile(r"[{\[]")
_CLOSED_TRIES = 200
_OPEN_TRIES = 8
_REPAIRABLE = 60_000


class Candidate(NamedTuple):
    """A piece of the text that may be JSON; ``lost`` characters after it belonged to items that were never finished."""

    text: str
    lost: int = 0


def strict(text: str) -> Any | None:
    """The JSON value that the text is (raw line breaks in strings allowed), or None.

    >>> strict(' {"a": [1]} '), strict("{'a': 1}")
    ({'a': [1]}, None)
    """
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def repaired(text: str) -> Any | None:
    """What json-repair makes of the text, or None. It is slow on long texts: those are left alone.

    >>> repaired("{'a': 1, b: None,}")
    {'a': 1, 'b': None}
    """
    if len(text) > _REPAIRABLE:
        return None
    try:
        return json_repair.loads(text)
    except Exception:  # noqa: BLE001 - a foreign parser on hostile text: whatever it raises means that it could not
        return None


def candidates(text: str) -> Iterator[Candidate]:
    """Pieces of the text that may be JSON, from left to right.

    A balanced piece comes as it is, and is looked into only where it is no JSON. A piece that never closes comes with
    its finished items, closed properly: an item that was being written when the text ended is not part of it.

    >>> [piece.text for piece in candidates('see {obs}: {"a": "}"} and [1]')]
    ['{obs}', '{"a": "}"}', '[1]']
    >>> next(candidates('ok: {"facts": [{"text": "A"}, {"text": "B mora em Rec'))
    Candidate(text='{"facts": [{"text": "A"}]}', lost=25)
    """
    place, closed, opened = _opener(text, 0), 0, 0
    while place >= 0 and closed < _CLOSED_TRIES and opened < _OPEN_TRIES:
        end, safe = _walk(text, place)
        if end is None:
            opened += 1
            if safe is not None:
                stop, closers = safe
                yield Candidate(text[place:stop] + closers, len(text) - stop)
            place = _opener(text, place + 1)
        else:
            closed += 1
            block = text[place:end]
            yield Candidate(block)
            place = _opener(text, end if strict(block) is not None else place + 1)


def _opener(text: str, start: int) -> int:
    found = _OPENER.search(text, start)
    return found.start() if found else -1


_TURN = re.compile(r'["\\{}\[\],]')


def _walk(text: str, start: int) -> tuple[int | None, tuple[int, str] | None]:
    """Walk one value from its opener.

    Returns its end (None if it never closes) and the last place where everything finished so far could be closed: the
    place, and the closers it needs. Finished means outside of any item, so at most two levels deep.
    """
    stack: list[str] = []
    inside, escaped = False, -1
    safe: tuple[int, str] | None = None
    for turn in _TURN.finditer(text, start):
        place, char = turn.start(), turn.group()
        if inside:
            if place == escaped:
                continue
            if char == "\\":
                escaped = place + 1
            elif char == '"':
                inside = False
        elif char == '"':
            inside = True
        elif char in _CLOSER:
            stack.append(_CLOSER[char])
        elif char in "}]":
            if stack[-1] != char:
                return None, safe
            stack.pop()
            if not stack:
                return place + 1, safe
            if len(stack) <= 2:
                safe = place + 1, "".join(reversed(stack))
        elif char == "," and len(stack) <= 2:
            safe = place, "".join(reversed(stack))
    return None, safe
