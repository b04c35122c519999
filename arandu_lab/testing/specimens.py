"""Values as they flow between the stages of the box, so that a stage on trial has something real to work on.

A short conversation, in English and Portuguese, with names, a change of home and a plan, is written and read by the
offline model and the bundled embedder; whatever enters a stage is put down with its bench.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from typing import Any, TypeVar

from arandu_lab.config import MemoryConfig
from arandu_lab.jobs.preset import jobs
from arandu_lab.pipeline import Lab, Node, Pipeline, Stage
from arandu_lab.pipeline.node import Param, Run, meets
from arandu_lab.pipeline.waiting import waited
from arandu_lab.presets import arandu, as_pipeline, tuned

TOLD = (
    ("Rafael", "I live in Recife with my wife Ana.", datetime(2025, 3, 1, 12, tzinfo=UTC)),
    ("Ana", "Eu trabalho no Hospital da Luz e adoro maracatu.", datetime(2025, 3, 2, 12, tzinfo=UTC)),
    ("Rafael", "We moved to Olinda last week. Ana is my wife and likes jazz.", datetime(2025, 5, 20, 12, tzinfo=UTC)),
)
ASKED = ("Where does Rafael live?", "Onde a Ana trabalha?")
TOLD_TO_A_WORKSPACE = (
    ("deploys", "Deploys run on Fridays.", None),
    ("deploys", "Deploys never run on Fridays.", "api"),
    ("banco", "A Ana revisa as migrações do banco.", None),
)
NOW = datetime(2025, 6, 15, 12, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class Specimen:
    """What entered a stage: the value, the bench it stood at, and the stage's name."""

    stage: str
    value: Any
    lab: Lab


def fitting(node: Node) -> list[Specimen]:
    """Something for a node to work on: what entered a stage of its name, or else whatever is of the type it takes.

    One a stage that it entered, the latest of a pipeline first: that holds the most.
    """
    found = specimens()
    accepts = node.accepts
    if isinstance(accepts, TypeVar):
        accepts = accepts.__bound__ or Any
    own = [one for one in found if one.stage == node.name]
    fit = own or [one for one in found if accepts is not Any and meets(type(one.value), accepts)]
    exact = [one for one in fit if type(one.value) is accepts] or fit
    return list({one.stage: one for one in reversed(exact)}.values())


@cache
def specimens() -> tuple[Specimen, ...]:
    """Everything that entered a stage of the documented and of the tuned pipelines, and of the jobs, in order."""
    return tuple(waited(_recorded()))


async def _recorded() -> list[Specimen]:
    from arandu_lab.memory import Memory

    book: list[Specimen] = []
    for preset in (arandu(), tuned()):
        with Memory.open(
            "memory://",
            config=preset.config,
            write=as_pipeline(_watched(preset.write, book)),
            read=as_pipeline(_watched(preset.read, book)),
            jobs={name: _watched(pipeline, book) for name, pipeline in jobs().items()},
            clock=lambda: NOW,
        ) as memory:
            for speaker, text, moment in TOLD:
                await memory.write("specimen", text, speaker, occurred_at=moment)
            for question in ASKED:
                await memory.retrieve("specimen", question, as_of=NOW)
            if preset.config == MemoryConfig():
                await memory.jobs.cycle("specimen")
    await _searched(book)
    return book


async def _searched(book: list[Specimen]) -> None:
    """Search a small workspace in both languages, with a repository that corrects it."""
    from arandu_lab.embed.open import open_embedder
    from arandu_lab.knowledge import EpisodicEdge, MemoryFact
    from arandu_lab.workspace.search.asking import search
    from arandu_lab.workspace.search.found import Request
    from arandu_lab.workspace.search.library import Library
    from arandu_lab.workspace.search.preset import hybrid

    embed = open_embedder(None)
    vectors = await embed([text for _, text, _ in TOLD_TO_A_WORKSPACE])
    facts = tuple(
        MemoryFact(
            id=f"fact-{place}", agent_id="specimen", domain="conventions", topic=topic, content=text, repo=repo,
            memory_type="convention", veracity="stated", confidence=1.0, proposed_by="lead", valid_from=TOLD[place % 3][2],
            recorded_at=TOLD[place % 3][2], vector=vector,
        )
        for place, ((topic, text, repo), vector) in enumerate(zip(TOLD_TO_A_WORKSPACE, vectors, strict=True))
    )  # fmt: skip
    edge = EpisodicEdge(
        id="edge",
        agent_id="specimen",
        source_id="fact-2",
        target_id="fact-0",
        kind="session",
        weight=0.6,
        recorded_at=NOW,
    )
    library = Library(now=NOW, facts=facts, edges=(edge,))
    for query in ("When do deploys run?", "quem revisa as migrações?"):
        request = Request(query=query, library=library, role="coder", repo="api")
        await search(request, embed=embed, pipeline=as_pipeline(_watched(hybrid(), book)))


@dataclass(frozen=True)
class _Watched(Node):
    """A stage that puts down what enters it."""

    inner: Stage
    book: list[Specimen] = field(compare=False, repr=False)

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.inner.name

    @property
    def accepts(self) -> Any:
        return self.inner.accepts

    @property
    def gives(self) -> Any:
        return self.inner.gives

    def parameters(self) -> dict[str, Param]:
        return self.inner.parameters()

    def pinned(self) -> dict[str, Any]:
        return self.inner.pinned()

    def pin(self, values: Mapping[str, Any]) -> Node:
        return _Watched(self.inner.pin(values), self.book)

    def fingerprint(self, values: Mapping[str, Any]) -> Any:
        return self.inner.fingerprint(values)

    async def run(self, value: Any, run: Run) -> Any:
        self.book.append(Specimen(stage=self.inner.name, value=value, lab=run.lab))
        return await self.inner.run(value, run)


def _watched(node: Node, book: list[Specimen]) -> Node:
    if isinstance(node, Stage):
        return _Watched(node, book)
    rebuilt = node.rebuilt(tuple(_watched(part, book) for part in node.parts()))
    assert isinstance(rebuilt, Node | Pipeline)
    return rebuilt
