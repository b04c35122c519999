"""Three short conversations with gold, made here, and systems that are quick to hear them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from arandu_lab.bench.data.model import Conversation, Dataset, DatedTurn, GoldFact, GoldTurn, Question, Session

NOON = datetime(2024, 3, 1, 12, tzinfo=UTC)


def talk(number: int, city: str, later: str) -> Conversation:
    """Four turns; the third replaces what the first says. Three questions: now, then, and one never answered."""
    lines = [f"I live in {city}.", "I have a dog called Bidu.", f"I moved to {later}.", f"{later} is by the sea."]
    turns = tuple(
        DatedTurn(
            id=f"t{place}",
            session_id="s1" if place < 3 else "s2",
            occurred_at=NOON + timedelta(days=30 * place),
            speaker="Ana" if place != 4 else "Rui",
            text=line,
        )
        for place, line in enumerate(lines, start=1)
    )

    def fact(name: str, value: str, since: int, of: str | None = None) -> GoldTurn:
        one = GoldFact(
            id=name,
            subject="Ana",
            text=f"Ana: {value}",
            slot="lives_in" if name != "f2" else "pet",
            value=value,
            category="biographical_milestone",
            confidence="explicit",
            valid_from=date(2024, 3, 1) + timedelta(days=30 * since),
            event_time=None,
            decision="UPDATE" if of else "ADD",
            of=of,
        )
        return GoldTurn(facts=(one,))

    def question(name: str, text: str, days: int, *evidence: str) -> Question:
        sessions = tuple(dict.fromkeys("s1" if one < "t3" else "s2" for one in evidence))
        return Question(
            id=name,
            text=text,
            asked_at=NOON + timedelta(days=days),
            answer="-" if evidence else None,
            evidence=evidence,
            evidence_sessions=sessions,
            category="single" if evidence == ("t3",) else "multi" if evidence else "absent",
            absent=not evidence,
        )

    return Conversation(
        id=f"c{number}",
        sessions=(
            Session(id="s1", occurred_at=turns[0].occurred_at),
            Session(id="s2", occurred_at=turns[2].occurred_at),
        ),
        turns=turns,
        questions=(
            question("q1", f"Did Ana move to {later}?", 200, "t3"),
            question("q2", f"Was it {city}, and which dog?", 200, "t1", "t2"),
            question("q3", "Does Rui sail?", 200),
        ),
        gold={
            "t1": fact("f1", city, 1),
            "t2": fact("f2", "Bidu", 2),
            "t3": fact("f3", later, 3, of="f1"),
            "t4": GoldTurn(),
        },
    )


@pytest.fixture
def lake() -> Dataset:
    """Twelve turns, nine questions, three of them never answered."""
    places = (("Recife", "Olinda"), ("Natal", "Belém"), ("Lisbon", "Porto"))
    return Dataset(
        name="lake",
        language="en",
        title="The lake <b>",
        licence="MIT",
        conversations=tuple(talk(number, *both) for number, both in enumerate(places, start=1)),
        digest="1" * 64,
    )


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Results are written without pictures; those that a test asks for are drawn."""

    def save(spec: object, folder: Path, name: str) -> None:
        for kind in ("svg", "png"):
            (folder / f"{name}.{kind}").write_text("", encoding="utf-8")

    monkeypatch.setattr("arandu_lab.viz.theme.save", save)
    for place in ("recall.recall_curves", "cost.quality_by_tokens"):
        monkeypatch.setattr(f"arandu_lab.viz.{place}", lambda *told: SimpleNamespace(to_dict=dict))
