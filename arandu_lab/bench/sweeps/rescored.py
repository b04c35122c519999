"""The rankings of many settings over one conversation, and any measure of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arandu_lab.bench.data.model import Conversation
from arandu_lab.bench.measures import Measure, parse
from arandu_lab.bench.replay import Answer
from arandu_lab.bench.sweeps.walk import Moment
from arandu_lab.errors import ConfigError
from arandu_lab.pure.rescoring import NOBODY, Floats, Ints
from arandu_lab.trace import Usage


@dataclass(slots=True, kw_only=True, eq=False)
class Outcome:
    """What one question came to, a setting a row. ``returned`` counts in ``turns``, ``NOBODY`` behind the last.

    ``asked`` are tokens in and out of each setting's own question to the judge, ``usage`` what was spent before it.
    ``failing``: the judge failed, and ``degraded`` says so beside what failed before it.
    """

    returned: Ints
    context_tokens: Ints
    judged: Ints
    asked: Ints
    failing: NDArray[np.bool_]
    degraded: tuple[str, ...]
    usage: Usage
    turns: tuple[str, ...] = ()

    @classmethod
    def empty(cls, settings: int, depth: int, degraded: tuple[str, ...], usage: Usage) -> Outcome:
        """Nothing yet."""
        return cls(
            returned=np.full((settings, depth), NOBODY, dtype=np.int64),
            context_tokens=np.zeros(settings, dtype=np.int64),
            judged=np.zeros(settings, dtype=np.int64),
            asked=np.zeros((settings, 2), dtype=np.int64),
            failing=np.zeros(settings, dtype=np.bool_),
            degraded=degraded,
            usage=usage,
        )


@dataclass(slots=True, kw_only=True, eq=False)
class Rescored:
    """Settings over the questions of a conversation, in its own order of questions.

    Attributes:
        returned: The turns of each ranking as places in ``conversation.turns``, ``NOBODY`` behind the last: shape
            ``(settings, questions, depth)``.
        context_tokens: Estimated tokens that a reader would be shown, shape ``(settings, questions)``.
        judged: Facts that each setting alone would have shown to the judge, of the same shape.
        asked: Tokens in and out of its question about them, shape ``(settings, questions, 2)``.
    """

    conversation: Conversation
    returned: NDArray[np.int32]
    context_tokens: NDArray[np.int32]
    judged: NDArray[np.int32]
    asked: NDArray[np.int32]
    heard: Ints
    _notes: NDArray[np.int16]
    _said: list[tuple[tuple[str, ...], str | None, Usage]] = field(default_factory=lambda: [((), None, Usage())])

    @classmethod
    def empty(cls, conversation: Conversation, settings: int, depth: int) -> Rescored:
        """Nothing answered yet."""
        shape = (settings, len(conversation.questions))
        return cls(
            conversation=conversation,
            returned=np.full((*shape, depth), NOBODY, dtype=np.int32),
            context_tokens=np.zeros(shape, dtype=np.int32),
            judged=np.zeros(shape, dtype=np.int32),
            asked=np.zeros((*shape, 2), dtype=np.int32),
            heard=np.zeros(shape[1], dtype=np.int64),
            _notes=np.zeros(shape, dtype=np.int16),
        )

    def __len__(self) -> int:
        return len(self.returned)

    def put(self, moment: Moment, settings: Ints, outcome: Outcome, places: dict[str, int]) -> None:
        """The outcome of a question under some settings; ``places``: where each turn stands in the conversation."""
        known = np.asarray([places[turn] for turn in outcome.turns] + [NOBODY], dtype=np.int32)
        self.heard[moment.place] = len(moment.heard)
        self.returned[settings, moment.place] = known[outcome.returned]
        self.context_tokens[settings, moment.place] = outcome.context_tokens
        self.judged[settings, moment.place] = outcome.judged
        self.asked[settings, moment.place] = outcome.asked
        failing = tuple(dict.fromkeys((*outcome.degraded, "judge")))
        spent = outcome.usage
        notes = np.where(outcome.failing, self._note(failing, None, spent), self._note(outcome.degraded, None, spent))
        self._notes[settings, moment.place] = notes

    def fail(self, moment: Moment, settings: Ints, error: str) -> None:
        """A question that failed under some settings."""
        self.heard[moment.place] = len(moment.heard)
        self._notes[settings, moment.place] = self._note((), error, Usage())

    def answers(self, setting: int) -> list[Answer]:
        """The answers under one setting, as :func:`arandu_lab.bench.replay.replay` has them; grades are billed to nobody."""
        turns = [turn.id for turn in self.conversation.turns]
        found = []
        for place, question in enumerate(self.conversation.questions):
            degraded, error, spent = self._said[self._notes[setting, place]]
            given, taken = self.asked[setting, place].tolist()
            calls = int(self.judged[setting, place] > 0)
            returned = self.returned[setting, place]
            found.append(
                Answer(
                    question=question.id,
                    heard=int(self.heard[place]),
                    returned=None if error else tuple(turns[one] for one in returned[returned != NOBODY].tolist()),
                    context_tokens=None if error else int(self.context_tokens[setting, place]),
                    usage=spent + Usage(calls=calls, input_tokens=given, output_tokens=taken),
                    degraded=degraded,
                    error=error,
                )
            )
        return found

    def values(self, measures: Iterable[str | Measure]) -> Floats:
        """Each measure of each ranking, shape ``(settings, questions, measures)``; NaN where there is none.

        A question has no value without evidence, or where it failed. Values are those of :class:`Measure`, to the digit.

        Raises:
            ConfigError: an unknown measure, or one cut below the depth of the rankings.
        """
        asked = [parse(one) for one in measures]
        depth = self.returned.shape[2]
        for one in asked:
            if (one.k or 0) > depth:
                raise ConfigError(f"{one} looks at {one.k} places; these rankings have {depth}")
        found = np.full((*self.returned.shape[:2], len(asked)), np.nan)
        turns = {turn.id: place for place, turn in enumerate(self.conversation.turns)}
        session_of = self.conversation.session_of()
        for place, question in enumerate(self.conversation.questions):
            ranked = self.returned[:, place]
            wanted = np.asarray([turns[one] for one in question.evidence if one in turns], dtype=np.int64)
            alike = {
                True: _alike(np.isin(ranked, wanted)) if any(one.unit == "turn" for one in asked) else None,
                False: _alike(ranked) if any(one.unit != "turn" for one in asked) else None,
            }
            for column, measure in enumerate(asked):
                first, which = alike[measure.unit == "turn"] or ([], [])
                evidence = question.evidence if measure.unit == "turn" else question.evidence_sessions
                values = [measure(_units(self._ids(ranked[one]), measure, session_of), evidence) for one in first]
                found[:, place, column] = np.asarray([np.nan if one is None else one for one in values])[which]
        failed = np.asarray([error is not None for _, error, _ in self._said])
        found[failed[self._notes]] = np.nan
        return found

    def _ids(self, ranked: Ints | NDArray[np.int32]) -> list[str]:
        return [self.conversation.turns[one].id for one in ranked[ranked != NOBODY].tolist()]

    def _note(self, degraded: tuple[str, ...], error: str | None, spent: Usage) -> int:
        said = (degraded, error, spent)
        if said not in self._said:
            self._said.append(said)
        return self._said.index(said)


def _alike(rows: NDArray[Any]) -> tuple[list[int], list[int]]:
    """Of rows that are the same, the place of the first; and for each row which of those it is the same as."""
    first: dict[bytes, int] = {}
    same = [first.setdefault(row.tobytes(), place) for place, row in enumerate(rows)]
    number = {place: which for which, place in enumerate(first.values())}
    return list(first.values()), [number[place] for place in same]


def _units(ranked: Sequence[str], measure: Measure, session_of: dict[str, str]) -> list[str]:
    """What a measure ranks: turns, or the sessions they lie in."""
    if measure.unit == "turn":
        return list(ranked)
    within = ranked[: measure.k] if measure.unit == "session-of-turns" else ranked
    return list(dict.fromkeys(session_of[turn] for turn in within))
