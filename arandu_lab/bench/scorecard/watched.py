"""An arandu memory of the harness that is looked at from inside while it listens and answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any

from arandu_lab.bench.scorecard import transcript
from arandu_lab.bench.scorecard.book import Book
from arandu_lab.bench.scorecard.dossier import Asked, Cost, Heard, Row, State
from arandu_lab.bench.scorecard.segments import STAGES, stage_of_step
from arandu_lab.bench.scorecard.taps import listening, tapped
from arandu_lab.errors import BackendError
from arandu_lab.memory import Memory
from arandu_lab.presets import Assembly
from arandu_lab.records import Failure
from arandu_lab.results import RetrieveResult, WriteResult
from arandu_lab.systems.arandu import AGENT, Arandu
from arandu_lab.systems.base import DatedTurn, Ranked
from arandu_lab.trace import PipelineTrace, Usage


class Witness(Memory):
    """A memory that keeps its last results, traces included."""

    written: WriteResult | None = None
    found: RetrieveResult | None = None

    async def write(self, *given: Any, **named: Any) -> WriteResult:
        """As ``Memory.write``."""
        self.written = None
        self.written = await super().write(*given, **named)
        return self.written

    async def retrieve(self, *given: Any, **named: Any) -> RetrieveResult:
        """As ``Memory.retrieve``."""
        self.found = None
        self.found = await super().retrieve(*given, **{**named, "verbose": True})
        return self.found


class Watched(Arandu):
    """The system as the harness runs it, with taps in its write pipeline and its store read before it closes.

    After the replay: ``heard``, ``asked`` (by words and moment), ``rows``, ``states``, ``notes`` (failures that were
    stepped around), and what each stage cost. ``plain`` is the assembly without taps.
    """

    def __init__(
        self,
        name: str,
        *,
        book: Book,
        assembly: Assembly,
        llm: Any = "offline/rules",
        embedder: Any = None,
        template: str = "text+caption",
        calibration: Any = None,
    ) -> None:
        watched = Assembly(assembly.config, tapped(assembly.write), assembly.read)
        embed = one_embedder(embedder)
        super().__init__(name, assembly=watched, llm=llm, embedder=embed, template=template, calibration=calibration)
        self.book, self.plain = book, assembly
        self.heard: list[Heard] = []
        self.asked: dict[tuple[str, datetime], Asked] = {}
        self.rows: tuple[Row, ...] = ()
        self.states: tuple[State, ...] = ()
        self.notes: list[str] = []
        self.usage: dict[str, Usage] = defaultdict(Usage)
        self.times: dict[str, float] = defaultdict(float)
        self._write, self._read = stage_of_step(assembly.write), stage_of_step(assembly.read)

    @property
    def memory(self) -> Witness:
        """The memory it listens with."""
        memory = self._opened()
        assert isinstance(memory, Witness)
        return memory

    @property
    def turns(self) -> dict[str, str]:
        """Event id -> turn id, of the turns heard so far."""
        return self._turns

    @property
    def recent(self) -> tuple[str, ...]:
        """What was said so far, as a memory is told of it."""
        return tuple(self._recent)

    async def begin(self, conversation_id: str) -> None:
        """An empty memory."""
        await super().begin(conversation_id)
        plain = self._opened()
        self._memory = Witness(
            plain.store,
            plain.llm,
            plain.embed,
            config=plain.config,
            write=plain.write_pipeline,
            read=plain.read_pipeline,
            clock=plain.clock,
        )

    async def listen(self, turn: DatedTurn) -> Usage:
        """Write the turn, and keep what passed between the stages.

        Raises:
            BackendError: as ``Arandu.listen``.
        """
        memory = self.memory
        with listening() as passed:
            try:
                usage = await super().listen(turn)
            except BackendError as error:
                self.heard.append(transcript.heard(turn.id, passed, error=_line(error)))
                raise
            finally:
                if memory.written is not None:
                    self._account(memory.written.pipeline, self._write)
        failures = memory.written.failures if memory.written is not None else ()
        self._note("listen", turn.id, failures)
        unread = [one for one in failures if self._extracting(one)]
        error_line = _failure(unread[0]) if unread else None
        self.heard.append(transcript.heard(turn.id, passed, error=error_line))
        return usage

    async def ask(self, question: str, *, now: datetime, k: int) -> Ranked:
        """Retrieve, and keep every candidate."""
        ranked = await super().ask(question, now=now, k=k)
        found = self.memory.found
        assert found is not None
        self._account(found.pipeline, self._read)
        known = self.book.asked(question, now)
        name = known.id if known else question
        self._note("ask", name, found.failures)
        self.asked[question, now] = Asked(
            question=name,
            candidates=transcript.candidates(found.frame),
            turns=transcript.quoted(found.context, found.events, self._turns),
            context_tokens=context_tokens(found.context),
            context=found.context,
        )
        return ranked

    async def end(self) -> None:
        """Look at what is stored, then close."""
        if self._memory is not None:
            self.rows = rows_of(self._memory, self._turns)
            self.states = states_of(self._memory, self.book)
        await super().end()

    def costs(self) -> tuple[Cost, ...]:
        """What was asked for, by stage of the card."""
        return tuple(
            Cost(
                stage=stage,
                calls=usage.calls,
                input_tokens=usage.input_tokens,
                output_tokens=usage.output_tokens,
                embedded_texts=usage.embedded_texts,
            )
            for stage in STAGES
            for usage in [self.usage[stage]]
        )

    def _account(self, trace: PipelineTrace | None, stages: dict[str, Any]) -> None:
        for step in trace.steps if trace else ():
            if (stage := stages.get(step.name)) is not None:
                self.usage[stage] = self.usage[stage] + step.usage
                self.times[stage] += step.duration_ms

    def _extracting(self, failure: Failure) -> bool:
        """Whether something was not read for it: extraction failed, and no other reading stood in."""
        return self._write.get(failure.stage) == "extraction" and failure.stage != "informed"

    def _note(self, phase: str, where: str, failures: tuple[Failure, ...]) -> None:
        self.notes += [f"{phase} {where}: stepped around: {_failure(one)}" for one in failures]


def rows_of(memory: Memory, turns: Mapping[str, str]) -> tuple[Row, ...]:
    """Every version that is stored, in order of the store; ``turns`` leads from events to turns."""
    view = memory.store.view(AGENT)
    return tuple(transcript.row(view.fact_at(place), turns) for place in range(len(view.facts.ids)))


def states_of(memory: Memory, book: Book) -> tuple[State, ...]:
    """The live facts at the instants of the book, as they were known then."""
    return tuple(
        State(at=at.isoformat(), facts=tuple(sorted(memory.facts(AGENT, as_of=at, known_at=at)["id"].to_list())))
        for at in book.instants
    )


def context_tokens(context: str) -> int:
    """Tokens of a context as the harness counts them."""
    from arandu_lab.pure.budget import estimate_tokens

    return estimate_tokens(context)


@lru_cache(maxsize=4)
def _embedder(spec: str) -> Any:
    from arandu_lab.embed.open import open_embedder

    return open_embedder(spec)


def one_embedder(spec: Any) -> Any:
    """The embedder of a name, the same one for all who ask, so that a text is embedded once; an object as it is."""
    return _embedder(spec or "use") if spec is None or isinstance(spec, str) else spec


def _failure(one: Failure) -> str:
    return " ".join(f"{one.stage}: {one.backend} {one.kind}: {one.message}".split())


def _line(error: BackendError) -> str:
    return " ".join(str(error).split())
