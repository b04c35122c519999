"""A conversation kept as it was said: one corpus of turns, of which only those said by ``now`` exist."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from arandu_lab.errors import ConfigError
from arandu_lab.pure.fusion import top
from arandu_lab.systems.base import DatedTurn, Ranked, RankedTurn, worded
from arandu_lab.trace import Usage

Scores = NDArray[np.float64]
TEMPLATE = "speaker+text"


class TurnCorpus:
    """A system that keeps turns as they are. Subclasses say :meth:`scores`, and :meth:`take` where hearing costs.

    Args:
        template: The text of a turn as it is searched.
        language: Of month names, ``en`` or ``pt``.
    """

    label = "turns"

    def __init__(self, *, template: str = TEMPLATE, language: str = "en") -> None:
        worded(_PROBE, template, language=language)
        self.template, self.language = template, language
        self.name = self.label if template == TEMPLATE else f"{self.label}({template})"
        self.conversation: str | None = None
        self.turns: list[DatedTurn] = []

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"

    async def begin(self, conversation_id: str) -> None:
        """Forget everything and open a conversation."""
        self.conversation, self.turns = conversation_id, []

    async def listen(self, turn: DatedTurn) -> Usage:
        """Keep the turn.

        Raises:
            ConfigError: before ``begin``, or a turn that lies before the one heard last.
            BackendError: the embedder failed; the turn is then not kept.
        """
        if self.conversation is None:
            raise ConfigError(f"{self.name}: listen before begin")
        if self.turns and turn.occurred_at < self.turns[-1].occurred_at:
            raise ConfigError(
                f"{self.name}: turn {turn.id} lies before {self.turns[-1].id}; they come in order of time"
            )
        usage = await self.take(turn)
        self.turns.append(turn)
        return usage

    async def ask(self, question: str, *, now: datetime, k: int) -> Ranked:
        """The ``k`` best turns said by ``now``.

        Raises:
            ConfigError: before ``begin``.
            BackendError: the embedder failed.
        """
        if self.conversation is None:
            raise ConfigError(f"{self.name}: ask before begin")
        began = time.perf_counter()
        heard = [turn for turn in self.turns if turn.occurred_at <= now]
        scores, usage = await self.scores(question, heard)
        best = top(scores, k).tolist()
        context = self.context(heard, best)
        return Ranked(
            turns=tuple(RankedTurn(id=heard[position].id, score=float(scores[position])) for position in best),
            context=context,
            usage=usage,
            ms=(time.perf_counter() - began) * 1000.0,
        )

    async def end(self) -> None:
        """Forget everything."""
        self.conversation, self.turns = None, []

    async def take(self, turn: DatedTurn) -> Usage:
        """What hearing a turn costs beyond keeping it."""
        return Usage()

    async def scores(self, question: str, heard: Sequence[DatedTurn]) -> tuple[Scores, Usage]:
        """One score per turn heard, shape ``(n,)``, ``nan`` for a turn that is no candidate; and what it cost."""
        raise NotImplementedError

    def context(self, heard: Sequence[DatedTurn], best: Sequence[int]) -> str:
        """What a model would be shown: the best turns, best first."""
        return self.transcript(heard[position] for position in best)

    def transcript(self, turns: Iterable[DatedTurn]) -> str:
        """A line a turn, with date, speaker and caption."""
        return "\n".join(worded(turn, _SHOWN, language=self.language) for turn in turns)


_SHOWN = "date+speaker+text+caption"
_PROBE = DatedTurn(
    id="", session_id="", occurred_at=datetime.fromisoformat("2000-01-01T00:00+00:00"), speaker="", text=""
)
