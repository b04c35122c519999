"""A small conversation with questions between its turns, and what a replay of it says."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import pytest

from arandu_lab.bench.data.model import Conversation, Dataset, DatedTurn, Question, Session
from arandu_lab.bench.plan import Row
from arandu_lab.bench.replay import Answer, Replay, _Talk, replay
from arandu_lab.bench.sweeps.ingested import Ingested, ingest, memory_of
from arandu_lab.bench.sweeps.settled import applied
from arandu_lab.systems.base import Ranked

NOON = datetime(2024, 3, 1, 12, tzinfo=UTC)

SAID = (
    ("Iara", "I live in Recife and I work at the harbor office."),
    ("Caio", "I am allergic to honey. My sister Ana keeps bees."),
    ("Iara", "My brother Davi moved to Olinda. He likes chess."),
    ("Caio", "I study medicine in Natal."),
    ("Iara", "I moved to Olinda last week, near Davi."),
    ("Caio", "Ana sold the bees. She plays the violin now."),
)

ASKED = (
    (2, "Where does Iara live?"),
    (6, "Where does Iara live?"),
    (3, "Who is allergic to honey?"),
    (0, "Where does Caio work?"),
    (6, "What does Ana do?"),
    (4, "Hello!"),
    (5, "Tell me about Davi and Olinda"),
)


@pytest.fixture(scope="session")
def between() -> Conversation:
    """Six turns, a day apart; questions before the first, between them and after the last, not in order of time."""
    turns = tuple(
        DatedTurn(id=f"t{place}", session_id=f"s{place // 4}", occurred_at=_day(place), speaker=who, text=text)
        for place, (who, text) in enumerate(SAID)
    )
    questions = tuple(
        Question(
            id=f"q{place}",
            text=text,
            asked_at=_day(heard) - timedelta(hours=6),
            answer="-",
            evidence=(),
            evidence_sessions=(),
            category="single",
        )
        for place, (heard, text) in enumerate(ASKED)
    )
    sessions = (Session(id="s0", occurred_at=_day(0)), Session(id="s1", occurred_at=_day(4)))
    return Conversation(id="between", sessions=sessions, turns=turns, questions=questions)


@pytest.fixture(scope="session")
def alone(tmp_path_factory: pytest.TempPathFactory, between: Conversation) -> Callable[..., Replay]:
    """The replay of a row under a setting."""

    def run(row: Row, setting: Mapping[str, Any] | None = None, *, llm: Any = None, depth: int = 20) -> Replay:
        system = memory_of(row, between, language="en", llm=llm)
        system.assembly = applied(system.assembly, setting)
        system.path = str(tmp_path_factory.mktemp("replay") / "memory")
        return asyncio.run(replay(system, between, depth=depth))

    return run


@pytest.fixture(scope="session")
def one_by_one(tmp_path_factory: pytest.TempPathFactory, between: Conversation) -> Callable[..., list[list[Answer]]]:
    """The answers under each setting when the memory itself is asked, once for each setting, between the turns."""

    known: dict[Any, list[list[Answer]]] = {}

    def run(row: Row, settings: Sequence[Mapping[str, Any]], *, llm: Any = None) -> list[list[Answer]]:
        asked = (row.name, repr(settings), id(llm))
        if llm is not None or asked not in known:
            known[asked] = asking(row, settings, llm)
        return known[asked]

    def asking(row: Row, settings: Sequence[Mapping[str, Any]], llm: Any) -> list[list[Answer]]:
        system = memory_of(row, between, language="en", llm=llm)
        system.path = str(tmp_path_factory.mktemp("alone") / "memory")
        chosen = [applied(system.assembly, setting) for setting in settings]
        talks: list[_Talk] = [_Talk(cast(Any, system), 20, None) for _ in settings]

        class Each:
            """The system, asked each question once under every setting."""

            name = row.name

            def __getattr__(self, name: str) -> Any:
                return getattr(system, name)

            async def listen(self, turn: DatedTurn) -> Any:
                for talk in talks:
                    talk.heard.add(turn.id)
                return await system.listen(turn)

            async def ask(self, question: str, *, now: datetime, k: int) -> Any:
                one = next(q for q in between.questions if q.text == question and q.asked_at == now)
                for talk, assembly in zip(talks, chosen, strict=True):
                    system.memory.config = assembly.config.replaced(auto_reinforce=False)
                    system.memory.read_pipeline = assembly.read
                    await talk.put(one)
                return Ranked(turns=())

        done = asyncio.run(replay(Each(), between, depth=20))
        assert not done.errors
        order = {question.id: place for place, question in enumerate(between.questions)}
        return [sorted(talk.done.answers, key=lambda one: order[one.question]) for talk in talks]

    return run


@pytest.fixture(scope="session")
def ingested(tmp_path_factory: pytest.TempPathFactory, between: Conversation) -> Callable[..., Ingested]:
    """The conversation in the memory of a row, under one folder of results."""
    results = tmp_path_factory.mktemp("results")

    def run(
        row: Row, setting: Mapping[str, Any] | None = None, *, llm: Any = None, into: Path | None = None
    ) -> Ingested:
        return ingest(row, between, dataset="between", language="en", results=into or results, setting=setting, llm=llm)

    return run


def _day(place: int) -> datetime:
    return NOON + timedelta(days=place)


@pytest.fixture(scope="session")
def towns() -> Dataset:
    """Three conversations of four turns and four questions each; the last question is of what was never said."""
    people = (("Iara", "Recife", "bees"), ("Caio", "Natal", "chess"), ("Davi", "Olinda", "violins"))
    return Dataset(
        name="towns",
        language="en",
        title="Towns",
        licence="none",
        conversations=tuple(_town(place, *one) for place, one in enumerate(people, start=1)),
        digest="towns",
    )


def _town(number: int, who: str, town: str, thing: str) -> Conversation:
    said = (
        f"I live in {town} with my sister Ana.",
        f"I keep {thing} in the house.",
        "Ana studies medicine.",
        f"I sold the {thing} today.",
    )
    turns = tuple(
        DatedTurn(id=f"t{place}", session_id="s0", occurred_at=_day(place), speaker=who, text=text)
        for place, text in enumerate(said)
    )
    asked = (
        (f"Where does {who} live?", ("t0",)),
        (f"What about the {thing}?", ("t1", "t3")),
        ("What does Ana study?", ("t2",)),
    )
    questions = [
        Question(
            id=f"q{place}",
            text=text,
            asked_at=_day(10 + place),
            answer="-",
            evidence=evidence,
            evidence_sessions=("s0",),
            category="single" if len(evidence) == 1 else "multi",
        )
        for place, (text, evidence) in enumerate(asked)
    ]
    never = Question(
        id="q9",
        text="Who owns a car?",
        asked_at=_day(20),
        answer=None,
        evidence=(),
        evidence_sessions=(),
        category="absent",
        absent=True,
    )
    return Conversation(
        id=f"c{number}",
        sessions=(Session(id="s0", occurred_at=_day(0)),),
        turns=turns,
        questions=(*questions, never),
    )
