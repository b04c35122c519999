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
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from os import PathLike
from typing import TYPE_CHECKING, Any

from arandu_lab.config import MemoryConfig, settings
from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.pipeline import Lab, Pipeline
from arandu_lab.pipeline.node import Run
from arandu_lab.presets import as_pipeline, assembled
from arandu_lab.presets import read as read_preset
from arandu_lab.presets import write as write_preset
from arandu_lab.pure import ids, versions
from arandu_lab.records import Changes, Entity, Event, Fact, Failure, Link, Row, Skipped, Turn
from arandu_lab.results import RetrieveResult, WriteResult
from arandu_lab.trace import PipelineTrace, Span

if TYPE_CHECKING:
    import polars as pl

    from arandu_lab.store import Store
    from arandu_lab.store.journal import UnitKind

_ATTEMPTS = 3
_REINFORCE_EVERY = 32


class Memory:
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
    ) -> None:
        self.store, self.llm, self.embed = store, llm, embed
        self.config, self.write_pipeline, self.read_pipeline, self.clock = config, write, read, clock
        self._retrieved: dict[str, Counter[str]] = {}

    @classmethod
    def open(
        cls,
        path: str | PathLike[str],
        *,
        llm: Any = "offline/rules",
        embedder: Any = None,
        config: MemoryConfig | None = None,
        write: Pipeline | None = None,
        read: Pipeline | None = None,
        clock: Callable[[], datetime] | None = None,
        read_only: bool = False,
        lease_timeout: float = 10.0,
    ) -> Memory:
        """Open a memory directory, or make one; ``memory://`` keeps it in memory.

        Args:
            llm: a litellm model string, ``offline/rules`` (the default, no network), a backend, or a mapping of roles
                (``extract resolve reconcile judge job answer default``) to such.
            embedder: None for the bundled one, ``hashing``, ``st:NAME``, ``litellm:NAME``, or an object.
            config: settings; those not given have the documented defaults.
            write, read: pipelines in the place of the documented ones.
            clock: what dates ``recorded_at``; a replay gives a simulated one.
            lease_timeout: seconds to wait for another process that writes here.

        Raises:
            ConfigError: the store was made with another embedder, or a setting is wrong.
            BackendError: another process holds the store (``kind="lease"``).
        """
        from arandu_lab.embed.open import open_embedder
        from arandu_lab.llm.open import open_minds
        from arandu_lab.store import Store

        embed = open_embedder(embedder)
        minds = open_minds(llm)
        store = Store.open(
            path, embedder_name=embed.name, embedder_dim=embed.dim, read_only=read_only, lease_timeout=lease_timeout
        )
        return cls(
            store,
            minds,
            embed,
            config=config or MemoryConfig(),
            write=as_pipeline(write) if write is not None else write_preset(),
            read=as_pipeline(read) if read is not None else read_preset(),
            clock=clock or (lambda: datetime.now(UTC)),
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
            occurred_at: when it was said, with a UTC offset; now by default.
            recent_messages: earlier messages, for pronouns.
            config_overrides: settings for this call alone; unknown names are warned about and ignored.
            verbose: keep the trace in ``result.pipeline``.

        Raises:
            ConfigError: an empty agent or speaker, a time without an offset, a setting of a wrong type or range.
        """
        began = time.perf_counter()
        config, values = settings(self.config, (self.write_pipeline, self.read_pipeline), config_overrides)
        _required(agent_id=agent_id, speaker_name=speaker_name)
        if not isinstance(message, str):
            raise ConfigError(f"message wants text, not {type(message).__name__}")
        if not message.strip():
            return WriteResult(event_id=None, duration_ms=_since(began), dry_run=dry_run)
        turn = self._turn(agent_id, message, speaker_name, recent_messages, occurred_at, session_id, config)
        trace = PipelineTrace(Span("write"))
        try:
            if not dry_run:
                self._record(turn)
                if self.store.has(agent_id, f"write:{turn.event_id}"):
                    return WriteResult(
                        event_id=turn.event_id,
                        duration_ms=_since(began),
                        skipped=(Skipped(what=message, why="this turn was written before"),),
                    )
            async with self.store.serial(agent_id):
                changes = await self._draft_and_commit(
                    turn, assembled(self.write_pipeline, config), values, trace, dry_run
                )
        except BackendError as error:
            failure = Failure(stage=error.stage, kind=error.kind, backend=error.backend, message=error.message)
            return WriteResult(
                event_id=turn.event_id,
                duration_ms=_since(began),
                usage=trace.root.usage,
                success=False,
                error=str(error),
                degraded=(*trace.degraded, *((error.stage,) if error.stage else ())),
                failures=(*trace.failures, failure),
                dry_run=dry_run,
                pipeline=trace if verbose else None,
            )
        by = {action: tuple(d.fact for d in changes.decided if d.action == action) for action in _ACTIONS}
        return WriteResult(
            event_id=turn.event_id,
            facts_added=by["ADD"],
            facts_updated=by["UPDATE"],
            facts_unchanged=by["NOOP"],
            facts_deleted=by["DELETE"],
            entities_resolved=changes.resolved,
            duration_ms=_since(began),
            usage=trace.root.usage,
            degraded=trace.degraded,
            failures=trace.failures,
            skipped=changes.skipped,
            decided=changes.decided,
            mode=changes.mode,
            dry_run=dry_run,
            pipeline=trace if verbose else None,
        )

    async def draft(self, turn: Turn, *, config_overrides: Mapping[str, Any] | None = None) -> Changes:
        """What a write of this turn would change; touches nothing."""
        config, values = settings(self.config, (self.write_pipeline, self.read_pipeline), config_overrides)
        lab = self._lab(turn.agent_id, turn.occurred_at, Span("draft"))
        run = Run(lab, values, lab.log)
        changes = await assembled(self.write_pipeline, config).run(turn, run)
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
        view = self.store.view(agent_id)
        old = view.fact(fact_id)
        if old is None or old.valid_to is not None:
            raise ConfigError(f"agent {agent_id!r} has no open fact {fact_id!r} to correct")
        moment = self.clock()
        at = occurred_at or moment
        vector = (await self.embed([text]))[0]
        new = replace(
            old,
            id=ids.derive("correction", fact_id, text, at.isoformat()),
            text=text,
            vector=vector,
            recorded_at=moment,
            supersedes_fact_id=old.id,
            user_correction_count=old.user_correction_count + 1,
            last_confirmed_at=at,
            confidence=max(old.confidence, self.config.confidence_values["explicit"]),
        )
        closed = replace(versions.closed(old, old.valid_from, "correction"), invalidated_at=moment)
        links = [
            Link(fact_id=new.id, agent_id=agent_id, entity_key=key, primary=key == new.entity_key, recorded_at=moment)
            for key in dict.fromkeys((new.entity_key, *view.keys_of(old.id)))
        ]
        self.store.append("edit", agent_id, [closed, new, *links], unit_id=f"correct:{new.id}", recorded_at=moment)
        return WriteResult(event_id=None, facts_updated=(new,), mode="correction")

    async def repair(self, agent_id: str) -> int:
        """Embed what lacks a vector (written while the embedder failed); returns how many rows were mended."""
        view = self.store.view(agent_id)
        rows = [row for row in view.rows() if isinstance(row, Event | Fact | Entity) and row.vector is None]
        texts = [row.name if isinstance(row, Entity) else row.text for row in rows]
        vectors = await self.embed(texts) if texts else []
        mended: list[Row] = [replace(row, vector=v) for row, v in zip(rows, vectors, strict=True) if v is not None]
        if mended:
            moment = self.clock()
            self.store.append("edit", agent_id, mended, unit_id=f"repair:{view.sequence}", recorded_at=moment)
        return len(mended)

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
            as_of: what held at this moment; now by default.
            known_at: as this memory believed at this moment; as it believes now by default.
            now: the moment of the question, from which recency counts; by default ``as_of``, else the clock.
            entity_keys: only facts that mention one of these entities.

        Raises:
            ConfigError: an empty agent, a time without an offset, a setting of a wrong type or range.
        """
        from arandu_lab.read.found import Query

        began = time.perf_counter()
        config, values = settings(self.config, (self.write_pipeline, self.read_pipeline), config_overrides)
        _required(agent_id=agent_id)
        moment = _aware("now", now) or _aware("as_of", as_of) or self.clock()
        trace = PipelineTrace(Span("retrieve"))
        lab = self._lab(agent_id, moment, trace.root)
        question = Query(
            agent_id=agent_id,
            text=query,
            as_of=as_of or moment,
            known_at=_aware("known_at", known_at),
            entity_keys=tuple(entity_keys) if entity_keys is not None else None,
        )
        rendered = await assembled(self.read_pipeline, config).run(question, Run(lab, values, trace.root))
        if values["auto_reinforce"] and not self.store.read_only:
            self._reinforce(agent_id, [fact.id for fact in rendered.facts])
        return RetrieveResult(
            context=rendered.context,
            facts=rendered.facts,
            events=rendered.quoted,
            total_candidates=rendered.frame.height,
            duration_ms=_since(began),
            frame=rendered.frame,
            usage=trace.root.usage,
            degraded=trace.degraded,
            failures=trace.failures,
            pipeline=trace if verbose else None,
        )

    def facts(self, agent_id: str, *, as_of: datetime | None = None, known_at: datetime | None = None) -> pl.DataFrame:
        """Facts that hold at ``as_of`` (now by default) as believed at ``known_at``, one row each."""
        from arandu_lab.frames import facts_frame

        view = self.store.view(agent_id)
        live = view.facts.live(as_of=_aware("as_of", as_of) or self.clock(), known_at=_aware("known_at", known_at))
        return facts_frame([view.fact_at(int(position)) for position in live.nonzero()[0]])

    def history(self, agent_id: str, fact_id: str) -> pl.DataFrame:
        """All versions of a fact, oldest first."""
        from arandu_lab.frames import facts_frame

        return facts_frame(list(self.store.view(agent_id).history(fact_id)))

    def entities(self, agent_id: str) -> pl.DataFrame:
        """Entities with their aliases and number of open facts."""
        from arandu_lab.frames import entities_frame

        return entities_frame(self.store.view(agent_id), self.clock())

    def relationships(
        self, agent_id: str, *, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> pl.DataFrame:
        """Edges that stand at ``as_of`` (now by default)."""
        from arandu_lab.frames import edges_frame

        view = self.store.view(agent_id)
        return edges_frame(list(view.edges(as_of=_aware("as_of", as_of) or self.clock(), known_at=known_at)))

    def events(self, agent_id: str) -> pl.DataFrame:
        """Every turn, in order of time."""
        from arandu_lab.frames import events_frame

        view = self.store.view(agent_id)
        return events_frame([view.event_at(position) for position in range(len(view.events.ids))])

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
        )

    def rebuild(self) -> int:
        """Drop every table but the journal and replay it; returns the number of units."""
        return self.store.rebuild()

    def close(self) -> None:
        """Write down pending counters and give the store back."""
        if not self.store.read_only:
            for agent_id in list(self._retrieved):
                self._flush_counts(agent_id)
        self.store.close()

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------ inside

    def _turn(
        self,
        agent_id: str,
        message: str,
        speaker: str,
        recent: Sequence[str],
        occurred_at: datetime | None,
        session_id: str | None,
        config: MemoryConfig,
    ) -> Turn:
        at = _aware("occurred_at", occurred_at) or self.clock()
        limit = config.recent_messages_limit
        return Turn(
            agent_id=agent_id,
            text=message,
            speaker=speaker,
            occurred_at=at,
            event_id=ids.event_id(agent_id, session_id, at, speaker, message),
            session_id=session_id,
            recent_messages=tuple(recent)[-limit:] if limit else (),
        )

    def _record(self, turn: Turn) -> None:
        moment = self.clock()
        event = Event(
            id=turn.event_id,
            agent_id=turn.agent_id,
            text=turn.text,
            speaker=turn.speaker,
            occurred_at=turn.occurred_at,
            recorded_at=moment,
            session_id=turn.session_id,
        )
        self.store.append("turn", turn.agent_id, [event], unit_id=f"turn:{turn.event_id}", recorded_at=moment)

    async def _draft_and_commit(
        self, turn: Turn, pipeline: Pipeline, values: Mapping[str, Any], trace: PipelineTrace, dry_run: bool
    ) -> Changes:
        """Draft and commit; if somebody else committed meanwhile, draft again from resolution (W25)."""
        from arandu_lab.store import Moved

        names = [node.name for node in pipeline.nodes]
        split = names.index("resolve") if "resolve" in names else 0
        lab = self._lab(turn.agent_id, turn.occurred_at, trace.root)
        value: Any = turn
        for node in pipeline.nodes[:split]:
            value = await node.run(value, Run(lab, values, trace.root))
        for attempt in range(_ATTEMPTS):
            lab = self._lab(turn.agent_id, turn.occurred_at, trace.root)
            drafted = value
            for node in pipeline.nodes[split:]:
                drafted = await node.run(drafted, Run(lab, values, trace.root))
            changes = versions.stamped(drafted, self.clock())
            if dry_run:
                return changes
            try:
                self.commit(changes, unit_id=f"write:{turn.event_id}", expects=lab.memory.sequence)
            except Moved:
                if attempt == _ATTEMPTS - 1:
                    raise
                self.store.refresh()
                continue
            return changes
        raise AssertionError("unreachable")

    def _lab(self, agent_id: str, now: datetime, span: Span) -> Lab:
        return Lab(llm=self.llm, embed=self.embed, memory=self.store.view(agent_id), now=now, log=span)

    def _reinforce(self, agent_id: str, fact_ids: Sequence[str]) -> None:
        counts = self._retrieved.setdefault(agent_id, Counter())
        counts.update(fact_ids)
        if sum(counts.values()) >= _REINFORCE_EVERY * 8:
            self._flush_counts(agent_id)

    def _flush_counts(self, agent_id: str) -> None:
        """Count retrievals in one unit of work per batch (R11); a fact gains at most one per batch and query."""
        counts = self._retrieved.pop(agent_id, Counter())
        view, moment = self.store.view(agent_id), self.clock()
        rows = [
            replace(fact, times_retrieved=fact.times_retrieved + number, last_retrieved_at=moment)
            for fact_id, number in counts.items()
            if (fact := view.fact(fact_id)) is not None
        ]
        if rows:
            self.store.append("job", agent_id, rows, unit_id=f"retrieved:{view.sequence}", recorded_at=moment)


MemoryClient = Memory
"""The documents' name for ``Memory``."""

_ACTIONS = ("ADD", "UPDATE", "NOOP", "DELETE")


def _required(**names: str) -> None:
    for name, value in names.items():
        if not isinstance(value, str) or not value.strip():
            raise ConfigError(f"{name}={value!r}: wants a name that is not blank")


def _aware(name: str, moment: datetime | None) -> datetime | None:
    if moment is not None and (not isinstance(moment, datetime) or moment.tzinfo is None):
        raise ConfigError(
            f"{name}={moment!r}: wants a datetime with a UTC offset, e.g. datetime(2025, 6, 1, tzinfo=UTC)"
        )
    return moment


def _since(began: float) -> float:
    return (time.perf_counter() - began) * 1000.0
