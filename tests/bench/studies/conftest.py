"""A tiny set with gold: six messages over half a year, of which one replaces another and one says something again."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from arandu_lab.bench.data.model import (
    Conversation,
    Dataset,
    DatedTurn,
    GoldFact,
    GoldTurn,
    NamedEntity,
    Question,
    Session,
)

NOON = datetime(2024, 3, 1, 12, tzinfo=UTC)

SAID: tuple[tuple[int, str, str, tuple[tuple[str, str, str, str, str | None], ...]], ...] = (
    (0, "Iara", "I live in Recife and I work at the harbor office.", (
        ("f1", "Iara", "Iara lives in Recife.", "ADD", None), ("f2", "Iara", "Iara works at the harbor office.", "ADD", None))),
    (1, "Caio", "I am allergic to honey.", (("f3", "Caio", "Caio is allergic to honey.", "ADD", None),)),
    (2, "Iara", "Good morning!", ()),
    (60, "Caio", "I study medicine in Natal.", (("f4", "Caio", "Caio studies medicine in Natal.", "ADD", None),)),
    (120, "Iara", "I moved to Olinda last week.", (("f5", "Iara", "Iara lives in Olinda.", "UPDATE", "f1"),)),
    (121, "Caio", "As you know, I am allergic to honey.", (("f6", "Caio", "Caio is allergic to honey.", "NOOP", "f3"),)),
)  # fmt: skip

ASKED = (
    ("q1", "Where does Iara live?", ("t4",), "update"),
    ("q2", "Who is allergic to honey?", ("t1", "t5"), "multi"),
    ("q3", "What does Caio study?", ("t3",), "single"),
    ("q4", "Does Iara have a dog?", (), "absent"),
)


@pytest.fixture(scope="session")
def tiny() -> Dataset:
    """The set."""
    turns = tuple(
        DatedTurn(
            id=f"t{place}", session_id=f"s{place // 3}", occurred_at=NOON + timedelta(days=day), speaker=who, text=text
        )
        for place, (day, who, text, _) in enumerate(SAID)
    )
    gold = {f"t{place}": GoldTurn(facts=tuple(map(_fact, facts))) for place, (*_, facts) in enumerate(SAID)}
    questions = tuple(
        Question(id=name, text=text, asked_at=NOON + timedelta(days=180), answer="-" if evidence else None, evidence=evidence,
                 evidence_sessions=(), category=category, absent=not evidence)
        for name, text, evidence, category in ASKED
    )  # fmt: skip
    conversation = Conversation(
        id="c1",
        sessions=(
            Session(id="s0", occurred_at=turns[0].occurred_at),
            Session(id="s1", occurred_at=turns[3].occurred_at),
        ),
        turns=turns,
        questions=questions,
        entities=tuple(NamedEntity(name=one, type="person", aliases=()) for one in ("Iara", "Caio")),
        gold=gold,
    )
    return Dataset(name="tiny", language="en", title="", licence="MIT", conversations=(conversation,), digest="0" * 64)


@pytest.fixture(scope="session")
def small() -> dict[str, Any]:
    """Options that keep a study small: no model, no files of embeddings, no workers."""
    return {"embedder": "hashing", "jobs": 1}


@pytest.fixture(scope="session")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the studies of these tests keep what they did, so that none does again what another did."""
    return tmp_path_factory.mktemp("results")


def _fact(said: tuple[str, str, str, str, str | None]) -> GoldFact:
    name, subject, text, decision, of = said
    return GoldFact(id=name, subject=subject, text=text, slot="other", value="", category="stable_preference",
                    confidence="explicit", valid_from=date(2024, 3, 1), event_time=None, decision=decision, of=of)  # fmt: skip
