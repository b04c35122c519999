"""A gold memory, and the stages of a system beside it: each is handed gold, and what it makes of it is kept."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import polars as pl

from arandu_lab.bench.data.model import Question
from arandu_lab.bench.replay import fault, one_line
from arandu_lab.bench.scorecard import transcript
from arandu_lab.bench.scorecard.book import Book, session
from arandu_lab.bench.scorecard.dossier import Asked, Dossier, Heard, ReadFact
from arandu_lab.bench.scorecard.gold import gold_retrieval, gold_write, rank_truly
from arandu_lab.bench.scorecard.segments import STAGES, Stage, segments
from arandu_lab.bench.scorecard.watched import context_tokens, one_embedder, rows_of, states_of
from arandu_lab.config import MemoryConfig, settings
from arandu_lab.errors import BackendError
from arandu_lab.memory import Memory
from arandu_lab.pipeline import Node
from arandu_lab.pipeline.node import Run
from arandu_lab.presets import Assembly, assembled
from arandu_lab.pure.text import ident
from arandu_lab.read.found import Candidates, Query, Rendered
from arandu_lab.records import Changes, Extraction, Reconciliation, Resolution, Resolved, Turn
from arandu_lab.systems.arandu import AGENT
from arandu_lab.systems.base import DatedTurn, worded
from arandu_lab.trace import PipelineTrace, Span
from arandu_lab.write.upsert import upsert

_RECENT = 5


class Workbench:
    """Hears turns and questions in order of time; ``dossier`` says what a stage made of them. Use ``with``.

    What comes before a stage is gold under the documented settings, the stage itself runs under the system's. Where its
    upsert is not the documented one it writes into a memory of its own.
    """

    def __init__(
        self,
        name: str,
        book: Book,
        assembly: Assembly,
        stages: frozenset[Stage],
        *,
        llm: Any,
        embedder: Any,
        calibration: Any = None,
    ) -> None:
        self.name, self.book, self.stages = name, book, stages
        self.now = datetime(1970, 1, 1, tzinfo=UTC)
        config = assembly.config
        write, read = assembled(assembly.write, config), assembled(assembly.read, config)
        self.nodes = {**segments(write), **segments(read)}
        self.values = settings(config, (write, read))[1]
        [*before, self._upsert] = gold_write(book.path).nodes
        self._gold = tuple(before)
        self._found, self._rank = gold_retrieval(book.path), rank_truly(book=book.path)
        self._documented = settings(MemoryConfig(), (gold_write(book.path), self._found))[1]
        self._limit = config.recent_messages_limit
        self.memory = self._opened(llm, embedder, calibration)
        alone = "state" in stages and not self._as_documented()
        self.own = self._opened(llm, embedder, calibration) if alone else self.memory
        self.heard: dict[Stage, list[Heard]] = {stage: [] for stage in STAGES}
        self.asked: dict[Stage, list[Asked]] = {stage: [] for stage in STAGES}
        self.errors: dict[Stage, list[str]] = {stage: [] for stage in STAGES}
        self._recent: list[str] = []
        self._turns: dict[str, str] = {}

    def __enter__(self) -> Workbench:
        return self

    def __exit__(self, *_: object) -> None:
        self.memory.close()
        if self.own is not self.memory:
            self.own.close()

    # ------------------------------------------------------------ writing

    async def tell(self, turn: DatedTurn) -> None:
        """Run the write stages on the gold of a turn, then write it truly."""
        self.now = turn.occurred_at
        event = self.book.event(AGENT, turn)
        said = Turn(
            agent_id=AGENT,
            text=worded(turn, "text+caption"),
            speaker=turn.speaker,
            occurred_at=turn.occurred_at,
            event_id=event,
            session_id=session(turn),
            recent_messages=tuple(self._recent[-_RECENT:])[-self._limit :] if self._limit else (),
        )
        self._turns[event] = turn.id
        truth = await self._truth(said)
        read, resolved, decided = (truth[kind] for kind in (Extraction, Resolution, Reconciliation))
        facts = transcript.read_facts(read.facts)
        gold = Heard(
            turn=turn.id,
            facts=facts,
            entities=transcript.entities(read),
            relations=transcript.relations(read),
            kept=tuple(range(len(facts))),
        )
        known = transcript.named(resolved.resolved)
        if "extraction" in self.stages:
            await self._extract(said, turn)
        if "dedup" in self.stages:
            await self._dedup(read, gold)
        if "resolution" in self.stages:
            await self._resolve(read, gold, turn)
        if "reconciliation" in self.stages:
            await self._reconcile(resolved, replace(gold, resolved=known))
        await self._write(decided, replace(gold, resolved=known, stated=transcript.read_facts(decided.facts)))
        self._recent.append(f"{turn.speaker}: {said.text}")

    async def _truth(self, said: Turn) -> dict[type, Any]:
        """What a turn truly is after extraction, resolution and reconciliation."""
        value, run = said, self._run(self.memory, self._documented)
        out: dict[type, Any] = {}
        for node in self._gold:
            value = await node.run(value, run)
            out.setdefault(type(value), value)
        return out

    async def _extract(self, said: Turn, turn: DatedTurn) -> None:
        read, error = await self._try("extraction", turn.id, said, self.memory)
        one = transcript.heard(turn.id, {"extraction": read} if error is None else {}, error=error)
        self.heard["extraction"].append(replace(one, kept=(), stated=()))

    async def _dedup(self, read: Extraction, gold: Heard) -> None:
        deduped, error = await self._try("dedup", gold.turn, read, self.memory)
        kept = transcript.kept(read, deduped) if error is None else ()
        self.heard["dedup"].append(replace(gold, kept=kept, error=error))

    async def _resolve(self, read: Extraction, gold: Heard, turn: DatedTurn) -> None:
        resolution, error = await self._try("resolution", gold.turn, read, self.memory)
        named = transcript.named(self._settled(turn, resolution.resolved)) if error is None else ()
        self.heard["resolution"].append(replace(gold, resolved=named, error=error))

    def _settled(self, turn: DatedTurn, resolved: tuple[Resolved, ...]) -> tuple[Resolved, ...]:
        """Keys as they will stand: one made for somebody whom the gold memory does not hold yet is the gold one."""
        view, meant = self.memory.store.view(AGENT), self.book.meant(turn)
        fresh: dict[str, str] = {}
        for one in resolved:
            name = meant.get(ident(one.name))
            if one.key and name and view.entity(one.key) is None and view.entity(self.book.key(name)) is None:
                fresh.setdefault(one.key, self.book.key(name))
        return tuple(replace(one, key=fresh.get(one.key or "", one.key)) for one in resolved)

    async def _reconcile(self, resolved: Resolution, gold: Heard) -> None:
        reconciled, error = await self._try("reconciliation", gold.turn, resolved, self.memory)
        stated: tuple[ReadFact, ...] = transcript.read_facts(reconciled.facts) if error is None else ()
        made = transcript.made(reconciled, None) if error is None else ()
        self.heard["reconciliation"].append(replace(gold, stated=stated, made=made, error=error))

    async def _write(self, decided: Reconciliation, gold: Heard) -> None:
        truly: Changes = await self._upsert.run(decided, self._run(self.memory, self._documented))
        changes, error = truly, None
        if self.own is not self.memory:
            changes, error = await self._try("state", gold.turn, decided, self.own)
            if error is None:
                self._commit(self.own, changes, decided)
        self._commit(self.memory, truly, decided)
        made = transcript.made(decided, changes) if error is None else ()
        self.heard["state"].append(replace(gold, made=made, error=error))

    def _commit(self, memory: Memory, changes: Changes, decided: Reconciliation) -> None:
        memory.commit(changes, unit_id=f"write:{decided.turn.event_id}")

    # ------------------------------------------------------------ reading

    async def ask(self, question: Question) -> None:
        """Run the read stages on a question: on the gold memory, on all that is true, on what is ranked truly."""
        self.now = question.asked_at
        query = Query(agent_id=AGENT, text=question.text)
        await self._read("retrieval", question, query)
        if self.stages & {"ranking", "context"}:
            run = self._run(self.memory, self._documented)
            every: Candidates = await self._found.run(query, run)
            await self._read("ranking", question, every)
            await self._read("context", question, await self._rank.run(every, run))

    async def _read(self, stage: Stage, question: Question, value: Any) -> None:
        if stage not in self.stages:
            return
        found, error = await self._try(stage, question.id, value, self.memory)
        if found is None or error is not None:
            self.asked[stage].append(Asked(question=question.id, error=error))
            return
        view = self.memory.store.view(AGENT)
        events = [view.event_at(place) for place in found.events["position"].to_list()]
        turns = transcript.found_turns(events, self._turns) if stage == "retrieval" else ()
        context, tokens = "", None
        if isinstance(found, Rendered):
            context, tokens = found.context, context_tokens(found.context)
            turns = transcript.quoted(context, events, self._turns)
        evidence = [self.book.row(AGENT, root) for root in self.book.evidence(question)]
        self.asked[stage].append(
            Asked(
                question=question.id,
                candidates=transcript.candidates(found.frame, only=_near(stage, found.frame, evidence)),
                turns=turns,
                context_tokens=tokens,
                context=context,
            )
        )

    # ------------------------------------------------------------ what came of it

    def dossier(self, stage: Stage) -> Dossier:
        """What a stage made of gold."""
        memory = self.own if stage == "state" else self.memory
        stored = self.book.facts.keys() if stage not in ("extraction", "dedup", "resolution") else ()
        rows = rows_of(memory, self._turns) if stored else ()
        held = {row.fact_id for row in rows}
        roots = [fact for fact in stored if self.book.roots[fact] == fact]
        return Dossier(
            system=self.name,
            dataset=self.book.name,
            mode="given",
            heard=tuple(self.heard[stage]),
            rows=rows,
            states=states_of(memory, self.book) if stage == "state" else (),
            asked=tuple(self.asked[stage]),
            ids={fact: row for fact in roots if (row := self.book.row(AGENT, fact)) in held},
            errors=tuple(self.errors[stage]),
        )

    # ------------------------------------------------------------ inside

    async def _try(self, stage: Stage, where: str, value: Any, memory: Memory) -> tuple[Any, str | None]:
        """The nodes of a stage on a value, or why they failed; a failure that was stepped around is noted."""
        run = self._run(memory, self.values)
        error = None
        try:
            for node in self.nodes[stage]:
                value = await node.run(value, run)
        except BackendError as failed:
            error = one_line(failed)
        except BaseException as failed:  # noqa: BLE001 - what a stage of one's own raises is its result; fault() lets the rest by
            error = fault(failed)
        around = PipelineTrace(run.span).failures
        notes = [f"stepped around: {one.stage}: {one.backend} {one.kind}: {one.message}" for one in around]
        self.errors[stage] += [f"{where}: {one_line(line)}" for line in (*notes, *((error,) if error else ()))]
        return (None if error else value), error

    def _run(self, memory: Memory, values: Any) -> Run:
        lab = memory.lab(AGENT, self.now, Span("given"))
        return Run(lab, values, lab.log)

    def _opened(self, llm: Any, embedder: Any, scale: Any) -> Memory:
        config = MemoryConfig(auto_reinforce=False)
        embed = one_embedder(embedder)
        return Memory.open(
            "memory://", llm=llm, embedder=embed, calibration=scale, config=config, clock=lambda: self.now
        )

    def _as_documented(self) -> bool:
        documented: tuple[Node, ...] = (upsert(),)
        same = [self.values[name] == self._documented[name] for name in upsert().parameters()]
        return self.nodes["state"] == documented and all(same)


def _near(stage: Stage, frame: pl.DataFrame, evidence: list[str]) -> list[str] | None:
    """Ids of the candidates worth writing down where every live fact is one: all but those far from any decision."""
    if stage == "retrieval":
        return None
    shown = frame.filter(pl.col("kept")) if "kept" in frame.columns else frame
    return [*shown["fact_id"].to_list(), *evidence]
