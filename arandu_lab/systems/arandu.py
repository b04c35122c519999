"""The memory as a system of the harness: it listens with its own clock at the dates of the conversation."""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.jobs.schedule import Schedule
from arandu_lab.memory import Memory
from arandu_lab.presets import TUNED, Assembly, arandu
from arandu_lab.read.table import tabled
from arandu_lab.results import RetrieveResult
from arandu_lab.systems.base import DatedTurn, Ranked, RankedFact, RankedTurn, pool, worded
from arandu_lab.trace import Usage

AGENT = "listener"
_RECENT = 5


class Arandu:
    """An arandu memory that starts empty with each conversation.

    ``recorded_at`` follows the conversation (simulated clock), retrievals are not counted (a measurement does not
    train what it measures), and the evidence for a question is the turns that its facts come from, and the turns it
    quotes, each by its best score.

    Args:
        assembly: settings and pipelines; the documented ones by default.
        calibration: another scale of the embedder's cosines, or its file.
        template: what of a turn is the message (``worded``); the caption of an image is part of what was said.
        sessions: turns are told with the session of the dataset, which the tuned ranking looks at; off, each has one of
            its own, so that the same words at the same instant are two turns.
        jobs: background jobs and their periods (``jobs/schedule.py``), run at simulated times; none by default.
    """

    def __init__(
        self,
        name: str = "arandu",
        *,
        assembly: Assembly | None = None,
        llm: Any = "offline/rules",
        embedder: Any = None,
        path: str = "memory://",
        template: str = "text+caption",
        calibration: Any = None,
        sessions: bool = False,
        jobs: Any = "",
    ) -> None:
        self.name = name
        self.sessions = sessions
        self.schedule = Schedule.of(jobs or {})
        self.ran: dict[str, datetime] = {}
        self.assembly = assembly or arandu()
        self.llm, self.embedder, self.path, self.template = llm, embedder, path, template
        self.calibration = calibration or None
        self.usage_by_stage: dict[str, Usage] = {}
        self._memory: Memory | None = None
        self._now = datetime(1970, 1, 1, tzinfo=UTC)
        self._turns: dict[str, str] = {}
        self._extracted: list[tuple[str, str, str, str]] = []
        self._recent: list[str] = []

    async def begin(self, conversation_id: str) -> None:
        """An empty memory."""
        await self.end()
        self._turns, self._extracted, self._recent, self.usage_by_stage, self.ran = {}, [], [], {}, {}
        self._memory = Memory.open(
            self.path,
            llm=self.llm,
            embedder=self.embedder,
            calibration=self.calibration,
            config=self.assembly.config.replaced(auto_reinforce=False),
            write=self.assembly.write,
            read=self.assembly.read,
            clock=lambda: self._now,
        )

    async def rest(self, now: datetime) -> Usage | None:
        """Run the jobs that have come due by ``now``, each at its own simulated time.

        Returns what they cost; None where none was due.

        Raises:
            BackendError: a job failed (it changed nothing, and the others have run); the harness notes it.
        """
        memory, spent, failed = self._opened(), Usage(), None
        if not self.ran:
            self.ran = {name: now for name, _ in self.schedule.every}
        due = self.schedule.due(self.ran, now)
        for at, name in due:
            self._now = self.ran[name] = at
            result = await memory.jobs.run(name, AGENT, now=at)
            spent = spent + result.usage
            self.usage_by_stage[name] = self.usage_by_stage.get(name, Usage()) + result.usage
            failed = result.failures[-1] if not result.success else failed
        if failed is not None:
            raise BackendError(failed.message, kind=failed.kind, backend=failed.backend, stage=failed.stage)
        return spent if due else None

    async def listen(self, turn: DatedTurn) -> Usage:
        """Write the turn at its date.

        Raises:
            BackendError: the write failed; the harness notes it.
        """
        memory = self._opened()
        self._now = turn.occurred_at
        said = worded(turn, self.template)
        result = await memory.write(
            AGENT,
            said,
            turn.told_by(),
            recent_messages=tuple(self._recent[-_RECENT:]),
            occurred_at=turn.occurred_at,
            session_id=turn.session_id if self.sessions else f"{turn.session_id}/{turn.id}",
            verbose=True,
        )
        self._recent.append(f"{turn.told_by()}: {said}")
        if result.event_id is not None:
            self._turns[result.event_id] = turn.id
        if result.pipeline is not None:
            for step in result.pipeline.steps:
                self.usage_by_stage[step.name] = self.usage_by_stage.get(step.name, Usage()) + step.usage
        if not result.success:
            last = result.failures[-1]
            raise BackendError(last.message, kind=last.kind, backend=last.backend, stage=last.stage)
        self._extracted += [
            (turn.id, one.fact.entity_name, one.fact.text, one.action) for one in result.decided if one.action != "NOOP"
        ]
        return result.usage

    async def ask(self, question: str, *, now: datetime, k: int) -> Ranked:
        """Retrieve at the date of the question."""
        began = time.perf_counter()
        self._now = now
        result = await self._opened().retrieve(AGENT, question, now=now)
        facts = tuple(
            RankedFact(text=fact.fact_text, score=fact.score, turn_ids=self._sources(fact.source_event_id))
            for fact in result.facts
        )
        return Ranked(
            turns=evidence(facts, self._quoted(result))[:k],
            facts=facts,
            context=result.context,
            usage=result.usage,
            ms=(time.perf_counter() - began) * 1000.0,
            degraded=result.degraded,
        )

    async def extracted(self) -> list[tuple[str, str, str, str]]:
        """What was stored, in order: (turn id, subject, text, action); NOOPs store nothing."""
        return list(self._extracted)

    async def live(self) -> list[tuple[str, str]]:
        """The facts that hold now: (subject, text)."""
        frame = self._opened().facts(AGENT)
        return list(zip(frame["entity_name"].to_list(), frame["text"].to_list(), strict=True))

    @property
    def turn_ids(self) -> Mapping[str, str]:
        """Event id -> turn id, of the turns heard so far."""
        return self._turns

    @property
    def memory(self) -> Memory:
        """The memory that listens.

        Raises:
            ConfigError: no conversation has begun, or it has ended.
        """
        return self._opened()

    async def end(self) -> None:
        """Close the memory."""
        if self._memory is not None:
            self._memory.close()
            self._memory = None

    def _opened(self) -> Memory:
        if self._memory is None:
            raise ConfigError(f"{self.name}: begin a conversation first")
        return self._memory

    def _sources(self, event_id: str) -> tuple[str, ...]:
        return (self._turns[event_id],) if event_id in self._turns else ()

    def _quoted(self, result: RetrieveResult) -> tuple[RankedTurn, ...]:
        quoted = tabled(result, "event_frame")
        if not len(quoted):
            return ()
        scores = quoted["score"].tolist()
        return tuple(
            RankedTurn(id=self._turns[event.id], score=float(score or 0.0))
            for event, score in zip(result.events, scores, strict=True)
            if event.id in self._turns
        )


def evidence(facts: tuple[RankedFact, ...], quoted: tuple[RankedTurn, ...]) -> tuple[RankedTurn, ...]:
    """Turns by their best score as a source of a fact or as a quotation; ties to the fact."""
    best: dict[str, float] = {}
    for turn in (*pool(facts), *quoted):
        best[turn.id] = max(best.get(turn.id, turn.score), turn.score)
    order = {turn: place for place, turn in enumerate(best)}
    ranked = sorted(best, key=lambda turn: (-best[turn], order[turn]))
    return tuple(RankedTurn(id=turn, score=best[turn]) for turn in ranked)


ARANDU: Mapping[str, Mapping[str, Any]] = {
    "arandu": {},
    "arandu-blind": {"enable_informed_extraction": False},
    "tuned": TUNED,
    "tuned-turns": TUNED,
}
"""Names of systems and the settings that make them."""

ARANDU_TOLD: Mapping[str, str] = {
    "arandu": "Extraction asks once.",
    "arandu-blind": "Extraction asks for names, facts and relations apart.",
    "tuned": "Extraction asks once; turns are ranked by a learned blend.",
    "tuned-turns": "Nothing is extracted; turns are ranked by a learned blend.",
}
"""What sets each apart, in a sentence."""

ASSEMBLIES: Mapping[str, str] = {"tuned": "tuned", "tuned-turns": "tuned-turns"}
"""Systems whose pipelines are those of another preset than the documented one."""
