"""Where the development data lie, and two small datasets that need none."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from arandu_lab.bench.data.model import Conversation, Dataset, DatedTurn, Question, Session

NOON = datetime(2024, 3, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="session")
def shared_datasets(shared_data: Path) -> Path:
    """The folder of the development data (``tests/conftest.py`` finds it)."""
    return shared_data


@pytest.fixture
def talk() -> Dataset:
    """One conversation of six turns in two sessions, with four questions; the last one has no evidence."""
    said = [
        ("Iara", "I keep bees behind the house in Recife"),
        ("Caio", "Bees? I am allergic to honey"),
        ("Iara", "The old queen died on Monday"),
        ("Caio", "I moved to Olinda"),
        ("Iara", "The new queen of the bees is doing well"),
        ("Caio", "Good for the bees"),
    ]
    turns = tuple(
        DatedTurn(
            id=f"t{place}",
            session_id="s1" if place < 4 else "s2",
            occurred_at=NOON + timedelta(minutes=place) + (timedelta(days=7) if place > 3 else timedelta()),
            speaker=who,
            text=text,
        )
        for place, (who, text) in enumerate(said, start=1)
    )
    later = NOON + timedelta(days=30)

    def question(name: str, text: str, evidence: tuple[str, ...], asked_at: datetime = later) -> Question:
        sessions = tuple(dict.fromkeys("s1" if turn_id < "t4" else "s2" for turn_id in evidence))
        return Question(
            id=name,
            text=text,
            asked_at=asked_at,
            answer="-" if evidence else None,
            evidence=evidence,
            evidence_sessions=sessions,
            category="single" if len(evidence) == 1 else "multi" if evidence else "absent",
            absent=not evidence,
        )

    conversation = Conversation(
        id="c1",
        sessions=(
            Session(id="s1", occurred_at=turns[0].occurred_at),
            Session(id="s2", occurred_at=turns[3].occurred_at),
        ),
        turns=turns,
        questions=(
            question("q1", "Who is allergic to honey?", ("t2",)),
            question("q2", "How are the queens of the bees?", ("t3", "t5")),
            question("q3", "Where are the bees?", ("t1",), NOON + timedelta(days=1)),
            question("q4", "What is the name of the dog?", ()),
        ),
    )
    return Dataset(
        name="talk", language="en", title="Bees", licence="MIT", conversations=(conversation,), digest="0" * 64
    )
