"""The face: a memory that listens, remembers in versions, and answers. Only it commits.

>>> import asyncio, tempfile
>>> from datetime import UTC, datetime
>>> async def hello() -> str:
...     with Memory.open("memory://", embedder="hashing") as memory:
...         await memory.write("a", "I live in Recife.", "Rafael", occurred_at=datetime(2025, 6, 1, tzinfo=UTC))
...         found = await memory.retrieve("a", "Where does Rafael live?")
...         return found.facts[0].fact_text
>>> asyncio.run(hello())
'Rafael lives in Recife'
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

from arandu_lab.config import JOB_SETTINGS, MemoryConfig, settings
from arandu_lab.errors import ConfigError
from arandu_lab.memory import upkeep
from arandu_lab.memory.arguments import aware, listed, required, whole
from arandu_lab.memory.backlog import backlog, finish
from arandu_lab.memory.explaining import Explaining
from arandu_lab.memory.keeping import Keeping
from arandu_lab.memory.resting import Resting
from arandu_lab.memory.scale import Scale, calibrated, in_force, recalibrated
from arandu_lab.memory.searching import Searching
from arandu_lab.memory.shelves import Shelves
from arandu_lab.memory.writing import through, write_turn
from arandu_lab.pipeline import Lab, Node, Pipeline
from arandu_lab.pipeline.node import Run
from arandu_lab.presets import as_pipeline, assembled
from arandu_lab.presets import read as read_preset
from arandu_lab.presets import write as write_preset
from arandu_lab.pure import ids, versions
from arandu_lab.records import Changes, Turn
from arandu_lab.results import RetrieveResult, ScoredFact, WriteResult
from arandu_lab.trace import PipelineTrace, Span

if TYPE_CHECKING:
    import polars as pl

    from arandu_lab.store import Store
    from arandu_lab.store.journal import UnitKind


class Memory(Shelves, Searching, Keeping, Explaining, Resting):
    """A memory of many agents in one store directory. Open it with ``Memory.open``; close it, or use ``with``."""

    def __init__(
        self,
        store: Store,
        llm: Any,
        embed: Any,
        *,
        config: MemoryConfig,
        write: Pipeline,
        read: Pipeline,
        clock: Callable[[], datetime],
        jobs: Mapping[str, Node] | None = None,
    ) -> None:
        self.store, self.llm, self.embed = store, llm, embed
        self.config, self.write_pipeline, self.read_pipeline, self.clock = config, write, read, clock
        self.own_jobs = jobs
        self.retrieved = upkeep.Retrievals()
        self.mended: set[str] = set()
        self._chosen: dict[
            Any, tuple[MemoryConfig, tuple[Pipeline, Pipeline], tuple[MemoryConfig, dict[str, Any]]]
        ] = {}

    @classmethod
    def open(
        cls,
        path: str | PathLike[str],
        *,
        llm: Any = "offline/rules",
        embedder: Any = None,
        calibration: Scale = None,
        config: MemoryConfig | None = None,
        write: Pipeline | None = None,
        read: Pipeline | None = None,
        jobs: Mapping[str, Node] | None = None,
        clock: Callable[[], datetime] | None = None,
        read_only: bool = False,
        lease_timeout: float = 10.0,
        durability: Literal["process", "power"] = "process",
        view_bytes: int = 1 << 29,
    ) -> Memory:
        """Open a memory directory, or make one; ``memory://`` keeps it in memory.

        Args:
            llm: a litellm model string, ``offline/rules`` (the default, no network), a backend, or a mapping of roles
                (``extract resolve reconcile judge job answer default``) to such.
            embedder: None for the bundled one, ``hashing``, ``st:NAME``, ``litellm:NAME``, or an object.
            calibration: the scale of a new store's cosines (``memory/scale.py``), or its file; the embedder's own by default.
            config: settings; those not given have the documented defaults.
            write, read: pipelines in the place of the documented ones.
            jobs: background jobs of one's own, or in the place of those in the box, by name (``jobs/face.py``).
            clock: what dates ``recorded_at``; a replay gives a simulated one.
            lease_timeout: seconds to wait for another process that writes here.
            durability: ``process`` survives a killed process; ``power`` forces every commit to the disk.
            view_bytes: memory for agents. One that is larger is read through LanceDB (``index``), by the part near each question.

        Raises:
            ConfigError: the store was made with another embedder or calibration, or a setting is wrong.
            BackendError: another process holds the store (``kind="lease"``).
        """
        from arandu_lab.embed.open import open_embedder
        from arandu_lab.llm.open import open_minds
        from arandu_lab.store import Store

        whole(1, view_bytes=view_bytes)
        embed = open_embedder(embedder)
        minds = open_minds(llm)
        store = Store.open(
            path,
            embedder_name=embed.name,
            embedder_dim=embed.dim,
            read_only=read_only,
            lease_timeout=lease_timeout,
            durability=durability,
            view_bytes=view_bytes,
        )
        try:
            embed = calibrated(embed, store, calibration)
        except BaseException:  # whatever stopped the opening, Ctrl-C too, the store goes back; then it is raised on
            store.close()
            raise
        return cls(
            store,
            minds,
            embed,
            config=config or MemoryConfig(),
            write=as_pipeline(write) if write is not None else write_preset(),
            read=as_pipeline(read) if read is not None else read_preset(),
            clock=clock or (lambda: datetime.now(UTC)),
            jobs=jobs,
        )

    # ------------------------------------------------------------ writing

    async def write(
        self,
        agent_id: str,
        message: str,
        speaker_name: str,
        *,
        recent_messages: Sequence[str] = (),
        occurred_at: datetime | None = None,
        session_id: str | None = None,
        config_overrides: Mapping[str, Any] | None = None,
        dry_run: bool = False,
        verbose: bool = False,
    ) -> WriteResult:
        """Listen to one message: record it, extract, resolve, reconcile, store (write document).

        A blank message is nothing: no event, no call. Otherwise the event is in the journal before any model or
        embedder is asked. The same words by the same speaker at the same instant are one turn and are stored once.
        With ``dry_run`` the whole pipeline runs, decisions included, and nothing is stored.

        Args:
            speaker_name: who says it; an assistant is ``assistant`` or has its role in brackets: ``Iris (assistant)``.
            occurred_at: when it was said, with a UTC offset; now by default.
            recent_messages: earlier messages, for pronouns.
            config_overrides: settings for this call alone; unknown names are warned about and ignored.
            verbose: keep the trace in ``result.pipeline``.

        Raises:
            ConfigError: an empty agent or speaker, a time without an offset, a setting of a wrong type or range.
        """
        began = time.perf_counter()
        config, values = self._settings(config_overrides)
        required(agent_id=agent_id, speaker_name=speaker_name)
        if session_id is not None:
            required(session_id=session_id)
        listed(recent_messages=recent_messages)
        if not isinstance(message, str):
            raise ConfigError(f"message wants text, not {type(message).__name__}")
        if not message.strip():
            return WriteResult(event_id=None, duration_ms=_since(began), dry_run=dry_run)
        at = aware("occurred_at", occurred_at) or self.clock()
        limit = config.recent_messages_limit
        turn = Turn(
            agent_id=agent_id,
            text=message,
            speaker=speaker_name,
            occurred_at=at,
            event_id=ids.event_id(agent_id, session_id, at, speaker_name, message),
            session_id=session_id,
            recent_messages=tuple(recent_messages)[-limit:] if limit else (),
        )
        result = await write_turn(self, turn, assembled(self.write_pipeline, config), values, dry_run=dry_run)
        if result.pipeline is not None:
            result.pipeline.root.duration_ms = _since(began)
        return replace(
            result, duration_ms=_since(began), dry_run=dry_run, pipeline=result.pipeline if verbose else None
        )

    async def draft(self, turn: Turn, *, config_overrides: Mapping[str, Any] | None = None) -> Changes:
        """What a write of this turn would change; touches nothing."""
        config, values = self._settings(config_overrides)
        lab = self.lab(turn.agent_id, turn.occurred_at, Span("draft"))
        run = Run(lab, values, lab.log)
        changes = await through(self, assembled(self.write_pipeline, config).nodes, turn, turn, run)
        return versions.stamped(changes, self.clock())

    def commit(self, changes: Changes, *, unit_id: str, kind: UnitKind = "write", expects: int | None = None) -> int:
        """Append a unit of work to the journal; returns its sequence number."""
        rows = versions.stamped(changes, self.clock()).rows
        return self.store.append(
            kind, changes.agent_id, rows, unit_id=unit_id, recorded_at=self.clock(), expects=expects
        )

    async def correct(
        self, agent_id: str, fact_id: str, text: str, *, occurred_at: datetime | None = None
    ) -> WriteResult:
        """Replace a fact by what the user says is right; the old one never was, and does not come back (W26).

        Raises:
            ConfigError: no such open fact.
        """
        return await upkeep.correct(self, agent_id, fact_id, text, aware("occurred_at", occurred_at))

    async def repair(self, agent_id: str) -> int:
        """Finish what a failing backend left: embed rows without a vector, and read the turns of the ``backlog``.

        Returns how many rows were embedded and turns read. A turn that fails again stays in the backlog.

        Raises:
            BackendError: the embedder fails still.
        """
        return await finish(self, agent_id)

    def backlog(self, agent_id: str) -> pl.DataFrame:
        """Turns that are recorded and were never read, because a model failed or the process ended in between."""
        from arandu_lab.frames import events_frame

        return events_frame(backlog(self, agent_id))

    # ------------------------------------------------------------ reading

    async def retrieve(
        self,
        agent_id: str,
        query: str,
        *,
        entity_keys: Sequence[str] | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        now: datetime | None = None,
        config_overrides: Mapping[str, Any] | None = None,
        verbose: bool = False,
    ) -> RetrieveResult:
        """Find what is worth knowing for a query and render it (read document).

        Args:
            as_of: what held at this moment; ``now`` by default.
            known_at: as this memory believed at this moment; as it believes now by default.
            now: the moment of the question; the clock by default. A replay gives the date of the question.
            entity_keys: only facts that mention one of these entities.

        Raises:
            ConfigError: an empty agent, a time without an offset, a setting of a wrong type or range.
        """
        from arandu_lab.read.found import Query, kept, told

        began = time.perf_counter()
        config, values = self._settings(config_overrides)
        required(agent_id=agent_id)
        if entity_keys is not None:
            listed(entity_keys=entity_keys)
        if not isinstance(query, str):
            raise ConfigError(f"query wants text, not {type(query).__name__}")
        trace = PipelineTrace(Span("retrieve"))
        moment = aware("now", now) or self.clock()
        narrow = self.store.wide.heavy(agent_id)
        lab = (
            await self.narrowed(agent_id, query, moment, trace.root)
            if narrow
            else self.lab(agent_id, moment, trace.root)
        )
        question = Query(
            agent_id=agent_id,
            text=query,
            as_of=aware("as_of", as_of),
            known_at=aware("known_at", known_at),
            entity_keys=tuple(entity_keys) if entity_keys is not None else None,
        )
        rendered = await assembled(self.read_pipeline, config).run(question, Run(lab, values, trace.root))
        trace.root.duration_ms = _since(began)
        chosen = kept(rendered)
        facts = tuple(
            ScoredFact(
                fact=versions.as_known(lab.memory.fact_at(one.position), known_at), score=one.score, scores=one.scores
            )
            for one in chosen
        )
        if config.auto_reinforce and not (self.store.read_only or rendered.plan.historical or narrow):
            self.retrieved.count(self, agent_id, [one.fact_id for one in chosen if one.tier is not None])
        return RetrieveResult(
            context=rendered.context,
            facts=facts,
            events=tuple(lab.memory.event_at(place) for place in rendered.turns["position"].tolist()),
            total_candidates=len(rendered.table),
            duration_ms=_since(began),
            frame=told(rendered, lab.memory),
            event_frame=rendered.turns,
            usage=trace.root.usage,
            degraded=trace.degraded,
            failures=trace.failures,
            pipeline=trace if verbose else None,
            left_out=rendered.left_out,
        )

    # ------------------------------------------------------------ life

    def fork(self, path: str | PathLike[str] = "memory://") -> Memory:
        """An independent copy, for trying a whole conversation without keeping it."""
        return Memory(
            self.store.fork(path),
            self.llm,
            self.embed,
            config=self.config,
            write=self.write_pipeline,
            read=self.read_pipeline,
            clock=self.clock,
            jobs=self.own_jobs,
        )

    def recalibrate(self, calibration: Scale) -> None:
        """Read cosines with another calibration from now on; what was decided on the old scale stays."""
        self.embed = recalibrated(self.embed, self.store, calibration)

    def rebuild(self) -> int:
        """Drop every table but the journal and replay it; returns the number of units."""
        return self.store.rebuild()

    def close(self) -> None:
        """Write down pending counters and give the store back."""
        try:
            if not self.store.read_only:
                self.retrieved.write_down(self)
        finally:
            self.store.close()

    def __repr__(self) -> str:
        return f"<Memory {self.store.path}, model {self.llm.names['extract']}, embedder {self.embed.name}>"

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------ inside

    def _settings(self, overrides: Mapping[str, Any] | None) -> tuple[MemoryConfig, dict[str, Any]]:
        if overrides is not None and not isinstance(overrides, Mapping):
            raise ConfigError(f"config_overrides wants a mapping of settings, not {type(overrides).__name__}")
        pipelines = (self.write_pipeline, self.read_pipeline)
        if any(type(value) not in (bool, int, float, str) for value in (overrides or {}).values()):
            return settings(self.config, pipelines, overrides, stacklevel=4)
        asked = tuple((name, type(value), value) for name, value in (overrides or {}).items())
        before = self._chosen.get(asked)
        if before is not None and before[0] is self.config and before[1] == pipelines:
            return before[2]
        chosen = settings(self.config, pipelines, overrides, stacklevel=4)
        known = {*type(self.config).model_fields, *chosen[1]} - JOB_SETTINGS
        if (
            known.issuperset(overrides or ()) and len(self._chosen) < _REMEMBERED
        ):  # what is warned about is warned again
            self._chosen[asked] = (self.config, pipelines, chosen)
        return chosen

    def lab(self, agent_id: str, now: datetime, span: Span) -> Lab:
        """The bench for one pipeline run over the newest view of an agent."""
        self.embed = in_force(self.embed, self.store)
        return Lab(llm=self.llm, embed=self.embed, memory=self.store.view(agent_id), now=now, log=span)


MemoryClient = Memory
"""The documents' name for ``Memory``."""


_REMEMBERED = 64
"""Sets of overrides whose settings a memory keeps ready."""


def _since(began: float) -> float:
    return (time.perf_counter() - began) * 1000.0
