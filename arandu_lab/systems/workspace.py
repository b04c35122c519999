"""The workspace memory as a system of the harness: facts are proposed from turns, and a question is a search."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from arandu_lab.config import MemoryConfig, settings
from arandu_lab.errors import ConfigError, nearest
from arandu_lab.pipeline import Lab, Pipeline
from arandu_lab.pipeline.node import Run
from arandu_lab.pure import ids
from arandu_lab.pure.assistants import is_assistant
from arandu_lab.pure.preamble import fact_line, without_preamble
from arandu_lab.records import Extraction, NewFact, Turn
from arandu_lab.systems.base import DatedTurn, Ranked, RankedFact, RankedTurn, worded
from arandu_lab.trace import Span, Usage
from arandu_lab.workspace.categories import placed
from arandu_lab.workspace.face import Workspace
from arandu_lab.workspace.search.asking import search
from arandu_lab.workspace.search.found import Presented, Request
from arandu_lab.workspace.search.preset import searching
from arandu_lab.workspace.settings import WorkspaceConfig
from arandu_lab.write.stages import extraction, semantic_dedup

AGENT = "listener"
_RECENT = 5


class WorkspaceSystem:
    """A workspace memory that starts empty with each conversation.

    Each turn is recorded as a source and read as arandu's write pipeline reads it, up to its facts; each fact is proposed
    under its subject, in the domain of its category, and cites the turn. The agent's pad takes no part. A question is a
    search at its date, which counts as no recall (a measurement does not train what it measures); evidence is the turns that
    the hits cite, in the order of the hits.

    Args:
        mode: ``keyword``, ``semantic`` or ``hybrid``.
        without: Voices or stages left out, with commas: ``temporal, diversify``.
        hits: How many facts a search gives, 1 or more.
        template: What of a turn is the message (``worded``).
        changes: Settings of the workspace that its writing or its search reads (``memory_types``, ``use_gain``,
            ``mention_share``), and parameters of the search's stages, by their flat names (``mmr_lambda`` …).

    Raises:
        ConfigError: an unknown mode, voice, setting or parameter, one that changes nothing here, or a value out of range.
    """

    def __init__(
        self,
        name: str = "workspace",
        *,
        mode: str = "hybrid",
        without: str = "",
        hits: int = 20,
        llm: Any = "offline/rules",
        embed: Any = None,
        path: str = "memory://",
        template: str = "text+caption",
        **changes: Any,
    ) -> None:
        self.name = name
        self.hits, self.llm, self.embed, self.path, self.template = hits, llm, embed, path, template
        if hits < 1:
            raise ConfigError(f"hits={hits}; 1 or more")
        self.pipeline = searching(mode, without=tuple(one.strip() for one in without.split(",") if one.strip()))
        self.config, self.changes = _settled(self.pipeline, changes)
        self.reading = extraction() >> semantic_dedup()
        self._workspace: Workspace | None = None
        self._now = datetime(1970, 1, 1, tzinfo=UTC)
        self._clear()

    async def begin(self, conversation_id: str) -> None:
        """An empty workspace."""
        await self.end()
        self._clear()
        self._workspace = Workspace.open(
            self.path, llm=self.llm, embedder=self.embed, config=self.config, clock=lambda: self._now
        )

    async def listen(self, turn: DatedTurn) -> Usage:
        """Record the turn and propose what it states; a preamble pasted into it states nothing (W21).

        Raises:
            BackendError: nobody could read the turn; the harness notes it.
        """
        workspace = self.opened
        self._now = turn.occurred_at
        said, speaker = worded(turn, self.template), turn.told_by()
        if not said.strip():
            return Usage()
        seen = await workspace.record_source(
            said, agent=AGENT, session_id=turn.session_id, speaker=speaker, occurred_at=turn.occurred_at
        )
        self._turns.setdefault(seen.sighting.id, turn.id)
        stated, _ = without_preamble(said)
        told, usage = await self._read(turn, stated, speaker) if stated.strip() else (None, Usage())
        veracity = "inferred" if is_assistant(speaker) else "stated"
        for fact in told.facts if told is not None else ():
            domain, kind = placed(fact.category)
            ahead = fact.valid_to if fact.valid_to is not None and fact.valid_to > self._now else None
            done = await workspace.propose_fact(
                domain,
                fact.subject,
                fact.text,
                agent=AGENT,
                memory_type=kind,
                veracity=veracity,
                source_observation_ids=[seen.sighting.id],
                valid_from=_start(fact, ahead, self._now),
                valid_until=ahead,
            )
            usage = usage + Usage(embedded_texts=1)
            action = {"added": "UPDATE" if done.superseded else "ADD", "mentioned": "NOOP"}.get(done.outcome)
            if action in ("ADD", "UPDATE"):
                self._extracted.append((turn.id, fact.subject, fact.text, action))
        self._recent.append(f"{speaker}: {said}")
        return usage

    async def ask(self, question: str, *, now: datetime, k: int) -> Ranked:
        """Search at the date of the question."""
        began = time.perf_counter()
        self._now = now
        workspace = self.opened
        request = Request(query=question, library=workspace.library(now), limit=self.hits)
        found, trace = await search(
            request, embed=workspace.embed, pipeline=self.pipeline, overrides=self.changes, view=workspace.view
        )
        facts = tuple(
            RankedFact(text=hit.fact.content, score=hit.score, turn_ids=self._cited(hit.fact.source_observation_ids))
            for hit in found.hits
        )
        order = dict.fromkeys(turn for fact in facts for turn in fact.turn_ids)
        return Ranked(
            turns=tuple(RankedTurn(id=turn, score=1.0 / place) for place, turn in enumerate(order, 1))[:k],
            facts=facts,
            context=_context(found),
            usage=trace.root.usage,
            ms=(time.perf_counter() - began) * 1000.0,
            degraded=trace.degraded,
        )

    async def extracted(self) -> list[tuple[str, str, str, str]]:
        """What was stored, in order: (turn id, subject, text, action); what was said again stores nothing."""
        return list(self._extracted)

    async def live(self) -> list[tuple[str, str]]:
        """The facts that stand now: (topic, content)."""
        library = self.opened.library(self._now)
        return [(fact.topic, fact.content) for fact, live in zip(library.facts, library.live, strict=True) if live]

    async def end(self) -> None:
        """Close the workspace."""
        if self._workspace is not None:
            self._workspace.close()
            self._workspace = None

    @property
    def opened(self) -> Workspace:
        """The workspace that listens.

        Raises:
            ConfigError: no conversation has begun, or it has ended.
        """
        if self._workspace is None:
            raise ConfigError(f"{self.name}: begin a conversation first")
        return self._workspace

    async def _read(self, turn: DatedTurn, said: str, speaker: str) -> tuple[Extraction, Usage]:
        """What a turn states; nothing is written."""
        workspace, span = self.opened, Span("reading")
        message = Turn(
            agent_id=workspace.workspace,
            text=said,
            speaker=speaker,
            occurred_at=turn.occurred_at,
            event_id=ids.event_id(workspace.workspace, turn.session_id, turn.occurred_at, speaker, said),
            session_id=turn.session_id,
            recent_messages=tuple(self._recent[-_RECENT:]),
        )
        lab = Lab(llm=workspace.llm, embed=workspace.embed, memory=workspace.view, now=turn.occurred_at, log=span)
        _, values = settings(MemoryConfig(), (self.reading,))
        told: Extraction = await self.reading.run(message, Run(lab, values, span))
        return told, span.usage

    def _cited(self, sightings: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self._turns[one] for one in sightings if one in self._turns))

    def _clear(self) -> None:
        self._turns: dict[str, str] = {}
        self._recent: list[str] = []
        self._extracted: list[tuple[str, str, str, str]] = []


HERE = ("memory_types", "use_gain", "mention_share")
"""Settings of a workspace that count in a replay: nobody consolidates here, and every fact brings its memory type."""


def _settled(pipeline: Pipeline, changes: Mapping[str, Any]) -> tuple[WorkspaceConfig, Mapping[str, Any]]:
    """The workspace's settings, and what is an override of its search; what both read goes to both.

    Raises:
        ConfigError: an unknown name, one that changes nothing here, or a value out of range.
    """
    parameters = pipeline.parameters()
    for name in changes:
        if name in WorkspaceConfig.model_fields and name not in HERE:
            raise ConfigError(
                f"{name} changes nothing in a replay: nobody consolidates, and facts bring their memory type"
            )
        if name not in HERE and name not in parameters:
            raise ConfigError(f"unknown setting {name!r}; {nearest(name, {*parameters, *HERE})}")
    config = WorkspaceConfig(**{name: value for name, value in changes.items() if name in HERE})
    search = {name: getattr(config, name, value) for name, value in changes.items() if name in parameters}
    settings(MemoryConfig(), (pipeline,), search, strict=True)
    return config, search


def _start(fact: NewFact, until: datetime | None, now: datetime) -> datetime | None:
    """The told beginning; None (now) where it is to come, or would lie behind the end."""
    told = fact.valid_from
    return None if told is None or told > now or (until is not None and told >= until) else told


def _context(found: Presented) -> str:
    """The hits as an agent is shown them, a line each; what contradicts one stands behind it."""
    lines = []
    for hit in found.hits:
        marks = "".join(f" (but {one.domain}: {one.content})" for one in hit.disputed_by)
        lines.append(fact_line(replace(hit.fact, content=hit.fact.content + marks)))
    return "\n".join(lines)
